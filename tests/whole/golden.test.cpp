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
};

}  // namespace

TEST_CASE("the archives that were kept are the ones that are pinned here") {
  golden::for_each([](const char* name, const auto&, const metadata_list&) {
    CAPTURE(name);
    const memory file = kept(name);
    CHECK(to_hex(detail::digest_of(file.bytes())) == pins.at(name).file);
    CHECK(verify(file).has_digests);
    const archive_view view{file};
    REQUIRE(view.metadata("tidemark"));
    CHECK(*view.metadata("tidemark") == "1 xxh3-128 16777216 " + std::string(pins.at(name).schema));
  });
}

TEST_CASE("they load and restore as the states that were saved") {
  golden::for_each([]<class T>(const char* name, const T& state, const metadata_list& metadata) {
    CAPTURE(name);
    const memory file = kept(name);
    load_report report;
    CHECK(load<T>(file, {.report = &report}) == state);
    CHECK(report.metadata == metadata);
    T target{};
    restore(target, file);
    CHECK(target == state);
  });
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
