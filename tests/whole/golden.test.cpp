// SPDX-License-Identifier: BSL-1.0
// whole/golden.test.cpp: archives that version 1 of the format wrote are read, checked and written as they were, by every later version and compiler.
#include "golden.hpp"

#include <doctest/doctest.h>

#include <algorithm>
#include <cstdlib>
#include <fstream>
#include <map>
#include <string>
#include <string_view>
#include <vector>

using namespace tidemark;

namespace {

/// The bytes of a kept archive. The folder is the source's, which ctest says.
memory kept(const std::string& name) {
  const char* const source = std::getenv("TIDEMARK_SOURCE_DIR");
  std::ifstream in(std::string(source != nullptr ? source : ".") + "/tests/whole/golden/" + name + ".txt");
  REQUIRE_MESSAGE(in, "tests/whole/golden/" << name << ".txt cannot be read; run this where the source is, or set TIDEMARK_SOURCE_DIR");
  std::vector<std::byte> bytes;
  const auto digit = [](char c) { return static_cast<unsigned>(std::string_view("0123456789abcdef").find(c)); };
  for (char high = 0, low = 0; in >> high >> low;) bytes.push_back(static_cast<std::byte>(digit(high) << 4 | digit(low)));
  return memory{std::move(bytes)};
}

struct pinned {
  std::string_view file;    ///< XXH3-128 of the whole file: python -c 'import xxhash; ...', see below
  std::string_view schema;  ///< the schema's digest, then its text
};

// Not printed by the library: xxhash.xxh3_128_hexdigest(bytes.fromhex(text)), and of the schema with sorted members.
const std::map<std::string_view, pinned> pins = {
    {"scalars", {"9ff6a703c7eebee5e820bd2e4465bce3",
      "9b17ba59a24b24d05a4b6168ad63bede {yes:bool,letter:char,utf16:char16,utf32:char32,i8:i8,u8:u8,i16:i16,u16:u16,i32:i32,u32:u32,i64:i64,u64:u64,f32:f32,f64:f64,paint:enum:u8,wait:duration:i64:1/1000,when:system_time:i64:1/1}"}},
    {"arrays", {"cd0fa77b772f272a9d7e8836ed4c2d9b",
      "d987cc892785f54a2cf6119ad4753b59 {text:text,bytes:text,floats:[f32],none:[f32],bits:[bool],paints:[enum:u8],matrix:[[f64;3];2],pairs:[[i16;2]],empty:[f32;0]}"}},
    {"structures", {"779c306efec136af596c8458744679af",
      "f8691bccc70077859a665cf514cbc452 {present:?i32,absent:?i32,inner_absent:??i32,both_present:??i32,part:?{weight:[f32],bias:?f32},choice:(i32|text|{weight:[f32],bias:?f32}|),nil:(()|f32|),triple:(u8,text,[f64],),couple:(bool,(),),nested:{id:i32,at:[f32;2],label:text},way:@metres=f64}"}},
    {"sequences", {"4bf77beaca65156f4afdac96acf90fce",
      "39ad39dd57abdbc1de55fb972d08f568 {rows:[{id:i32,at:[f32;2],label:text}],modules:[{weight:[f32],bias:?f32}],words:[text],ragged:[[f32]],lists:[[text]],maybe:[?text],mixed:[(i32|text|)],tables:[<text,i32>],lengths:[@metres=f64],no_rows:[{id:i32,at:[f32;2],label:text}]}"}},
    {"maps", {"31ec1a7eaac2d7480375f7402d4d3b22",
      "9b8e80fe0d8db68f5a28d7e5fa8c4f06 {state:<text,[f32]>,named:<text,{weight:[f32],bias:?f32}>,numbered:<i32,{weight:[f32],bias:?f32}>,table:<i32,f64>,words:<text,text>,maybe:<text,?i32>}"}},
    {"engines", {"e4a6d04504efcc61590d88c524643824",
      "28ac6b3fbc246a3f9374cf716e7b3744 {step:u64,wide:@mt19937_64={state:[u64;312],position:u64},linear:@minstd_rand={x:u32},noise:@normal_distribution={mean:f32,stddev:f32,has_cached:bool,cached:f32},order:@shuffled_sampler.1={size:u64,seed:u64,epoch:u64,cursor:u64}}"}},
    {"root", {"b393cd8029ba46a928a2e7e614bc062e",
      "8dbed16575f6395ad19ca6df74474099 [{weight:[f32],bias:?f32}]"}},
    {"containers", {"1d568d481addb34e92ddd7c23699a505",
      "63065ec3f4e8cfabf9ca8d2ef6bf7a72 {numbers:[i32],words:[text],counts:[i16],pairs:@multi=<text,{id:i32,at:[f32;2],label:text}>,layers:[{weight:[f32],bias:?f32}],chain:[i32],flags:[bool],bits:[bool;11],masks:[[bool;3]],single:complex:f32,doubles:[complex:f64],pile:@stack=[i32],line:@queue=[text],place:@path=text,places:[@path=text],grid:[[i32;3];2],label:[char;8],now:enum:u8,phases:[enum:u8],wide:[#{id:i32,marks:[f32]}]}"}},
    {"owned", {"ae780aa976772fa444e34a94085f10ca",
      "c73693593862da60232eb921a3dbbed4 {one:?{id:i32,at:[f32;2],label:text},part:?{weight:[f32],bias:?f32},none:?{weight:[f32],bias:?f32},many:[?i32],values:[f64],queue:@priority_queue=[i32],tensors:<text,*>}"}},
    {"trees", {"8cdf07427518e4cb615071c69f129580",
      "b81f31abc41cf7d87fd5a1be47927f63 {alone:!{value:i32,below:[^0],named:<text,^0>,text:text},forest:[!{value:i32,below:[^0],named:<text,^0>,text:text}],groves:<text,!{value:i32,below:[^0],named:<text,^0>,text:text}>}"}},
    {"first_version", {"8d4f651e19814cf0cb940b6c2195e111",
      "b7b5c7b983aa889bd0b1abc05ef3ec7a @versioned={step:i32,lr:f32,rows:[{id:i32,at:[f32;2],label:text}],layers:[{w:[f32],width:i32}],table:<i32,f32>,packed:!{value:i32,below:[^0],named:<text,^0>,text:text},dropped:text}"}},
    {"unordered", {"d738a3a739b3a4b69e4abf16b3c4e23e",
      "d9bd9809859e680169456246e9dc2f53 {words:@unordered=<text,i32>,numbers:@unordered=[i32],pairs:@unordered_multi=<i32,text>,counts:@unordered=[i16],tables:[@unordered=<i32,f32>],modules:@unordered=<text,{weight:[f32],bias:?f32}>}"}},
};

}  // namespace

TEST_CASE("the archives that were kept are the ones that are pinned here") {
  const auto check = [](const char* name, const auto&, const metadata_list&) {
    CAPTURE(name);
    const memory file = kept(name);
    CHECK(to_hex(detail::digest_of(file.bytes())) == pins.at(name).file);
    CHECK(verify(file).has_digests);
    const archive_view view{file};
    REQUIRE(view.metadata("tidemark"));
    CHECK(*view.metadata("tidemark") == "1 xxh3-128 16777216 " + std::string(pins.at(name).schema));
  };
  golden::for_each(check);
  golden::for_each_of_library(check);
}

TEST_CASE("they load and restore as the states that were saved") {
  const auto check = []<class T>(const char* name, const T& state, const metadata_list& metadata) {
    CAPTURE(name);
    const memory file = kept(name);
    load_report report;
    CHECK(load<T>(file, {.report = &report}) == state);
    CHECK(report.metadata == metadata);
    T target{};
    restore(target, file);
    CHECK(target == state);
  };
  golden::for_each(check);
  golden::for_each_of_library(check);
}

#ifdef __GLIBCXX__
TEST_CASE("an unordered container that libstdc++ saved iterates there as it did, and is saved as the same bytes") {
  const memory file = kept("unordered");
  const auto state = load<golden::unordered>(file);
  memory again;
  save(state, again);
  CHECK(std::ranges::equal(again.bytes(), file.bytes()));
}
#endif

TEST_CASE("what a first version stored is read by the second") {
  const auto now = load<golden::second_version>(kept("first_version"));
  CHECK(now.step == 77);
  CHECK(now.optimizer.rate == 0.25);
  CHECK(now.rows == golden::sample_of_first_version().rows);
  REQUIRE(now.layers.size() == 2);
  CHECK(now.layers[1].weight == std::vector<double>{1, 2});
  CHECK(now.layers[1].added == 0.5F);
  CHECK(now.table == std::map<std::int64_t, double>{{1, 0.5}, {2, 1.5}});
  CHECK(now.packed == golden::sample_of_trees().alone);
  CHECK(now.note == "from d");
}

TEST_CASE("the same states are saved as the same bytes, by every compiler and standard library") {
  golden::for_each([](const char* name, const auto& state, const metadata_list& metadata) {
    CAPTURE(name);
    memory file;
    save(state, file, {.metadata = metadata});
    CHECK(std::ranges::equal(file.bytes(), kept(name).bytes()));
  });
}

TEST_CASE("their tensors hold the literal values, by name") {
  const archive_view scalars{kept("scalars")};
  CHECK(scalars.values<bool>("yes") == std::vector{true});
  CHECK(scalars.values<char>("letter") == std::vector{'A'});
  CHECK(scalars.values<char16_t>("utf16") == std::vector<char16_t>{0xe9});
  CHECK(scalars.values<char32_t>("utf32") == std::vector<char32_t>{0x1f30a});
  CHECK(scalars.values<std::int64_t>("i64") == std::vector<std::int64_t>{-9000000000000000000});
  CHECK(scalars.values<std::uint64_t>("u64") == std::vector<std::uint64_t>{18000000000000000000U});
  CHECK(scalars.values<double>("f64") == std::vector{-0.1});
  CHECK(scalars.values<std::int64_t>("wait") == std::vector<std::int64_t>{1500});
  CHECK(scalars["f32"].shape.empty());
  const archive_view arrays{kept("arrays")};
  CHECK(detail::text_of(arrays.bytes("bytes")) == std::string_view("\xff\0z", 3));
  CHECK(arrays.values<double>("matrix") == std::vector<double>{1, 2, 3, 4, 5, 6});
  CHECK(std::ranges::equal(arrays["matrix"].shape, std::vector<std::uint64_t>{2, 3}));
  CHECK(arrays.metadata("step") == "12");
  const archive_view structures{kept("structures")};
  CHECK(structures.values<std::uint32_t>("choice#index") == std::vector<std::uint32_t>{2});
  CHECK(structures.values<float>("choice#2.weight") == std::vector<float>{9});
  CHECK_FALSE(structures.contains("absent"));
  const archive_view sequences{kept("sequences")};
  CHECK(sequences.values<std::uint64_t>("rows.label#offsets") == std::vector<std::uint64_t>{0, 1, 1, 4});
  CHECK(sequences.values<float>("modules.1.weight") == std::vector<float>{2, 3});
  const archive_view maps{kept("maps")};
  CHECK(maps.values<float>("state.a%23b%25c%0A") == std::vector<float>{3});
  CHECK(maps.values<std::int32_t>("numbered#keys") == std::vector<std::int32_t>{-5, 9});
  const archive_view engines{kept("engines")};
  CHECK(engines.values<std::uint64_t>("wide.state")[0] == 42);
  CHECK(engines.values<std::uint64_t>("wide.state")[1] == 6364136223846793005U * 42 + 1);  // [rand.eng.mers]; 42 >> 62 is 0
  CHECK(engines.values<std::uint32_t>("linear.x") == std::vector<std::uint32_t>{5});
  const archive_view containers{kept("containers")};
  CHECK(containers.values<bool>("bits") == std::vector<bool>{true, false, true, false, false, true, false, true, false, true, false});  // 0x2A5, lowest first
  CHECK(detail::text_of(containers.bytes("place")) == "runs/step-5//last");
  CHECK(containers.values<std::int32_t>("grid") == std::vector<std::int32_t>{0, 6, 0, 0, 0, -7});
  CHECK(containers["single"].type == dtype::c64);
  CHECK(containers.values<double>("doubles") == std::vector<double>{1, 2, -3, 4});
  CHECK(containers.values<std::uint64_t>("wide.marks#offsets") == std::vector<std::uint64_t>{0, 2, 2, 3});
  const archive_view owned{kept("owned")};
  CHECK(owned.values<float>("tensors.layer.0.weight") == std::vector<float>{1, 2, 3, 4});
  CHECK(owned.values<bool>("many#has") == std::vector<bool>{false, true, false});
  CHECK(std::ranges::equal(owned["tensors.half"].shape, std::vector<std::uint64_t>{3, 0}));
  const archive_view trees{kept("trees")};  // docs/format.md, "Packed values": below, named, text, value; a leaf is 8 + 8 + (8 + 4) + 4 bytes
  CHECK(trees["alone"].bytes == 8 + 32 + (8 + 8 + (8 + 3 + 32) + 12 + 4) + 8 + 8 + 4);
  CHECK(trees.values<std::uint64_t>("forest#offsets") == std::vector<std::uint64_t>{0, 32, 32 + trees["alone"].bytes, 32 + trees["alone"].bytes + 28});
}

TEST_CASE("each flipped byte of them is found") {
  const memory file = kept("structures");
  std::vector<std::byte> bytes(file.bytes().begin(), file.bytes().end());
  for (auto& b : bytes) {
    b ^= std::byte{0x40};
    CHECK_THROWS_AS(static_cast<void>(load<golden::structures>(memory{bytes})), error);
    b ^= std::byte{0x40};
  }
}
