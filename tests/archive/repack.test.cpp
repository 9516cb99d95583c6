// SPDX-License-Identifier: BSL-1.0
// archive/repack.test.cpp: the tensors of a value, repacked by its schema alone, are the bytes that packing the value gives.
#include <tidemark/archive/repack.hpp>

#include <doctest/doctest.h>

#include <tidemark/model/schema_text.hpp>

#include "repacked.hpp"
#include "samples.hpp"

using held::repacked;

// Every kind of leaf, holder and standard type is repacked where it is encoded anyway: in decode.test.cpp and std_types.test.cpp.

TEST_CASE("tensors that do not fit the schema are refused") {
  const auto all = held::encode(std::vector<std::string>{"ab", "c"});
  const auto broken = [&](std::size_t i, auto change) {
    auto copy = all;
    change(copy[i]);
    CHECK_THROWS_AS(repacked<std::vector<std::string>>(copy), tidemark::error);
  };
  CHECK_NOTHROW(repacked<std::vector<std::string>>(all));
  broken(0, [](held::tensor& t) { t.bytes[8] = 9; });                                    // an offset that rises above the next
  broken(0, [](held::tensor& t) { t.bytes[0] = 1; });                                    // a first offset that is not 0
  broken(0, [](held::tensor& t) { t.type = tidemark::dtype::i64; });
  broken(0, [](held::tensor& t) { t.shape = {0}; t.bytes.clear(); });
  broken(1, [](held::tensor& t) { t.bytes += 'x'; t.shape[0] = 4; });                    // text that no offset covers
  auto optional = held::encode(std::optional<int>{3});
  for (auto& t : optional) {
    if (t.name == "#root#has") t.bytes[0] = 2;
  }
  CHECK_THROWS_AS(repacked<std::optional<int>>(optional), tidemark::error);
  auto variant = held::encode(std::variant<int, std::string>{3});
  for (auto& t : variant) {
    if (t.name == "#root#index") t.bytes[0] = 2;
  }
  CHECK_THROWS_AS((repacked<std::variant<int, std::string>>(variant)), tidemark::error);
}

namespace {

std::string repacked_by(std::string_view text, const held::tensors& all) {
  const tidemark::schema s = tidemark::parse_schema(text);
  held::input in(all);
  tidemark::detail::decoder at{in, tidemark::detail::walk_name(s.kind == tidemark::kind::record)};
  std::string bytes;
  tidemark::detail::repacker(at).append(bytes, s);
  return bytes;
}

}  // namespace

TEST_CASE("extents that the file's bytes cannot stand for are refused before anything is made for them, and those of nothing take no time") {
  const held::tensors none{{"#root", tidemark::dtype::u8, {0}, {}}, {"#root#offsets", tidemark::dtype::u64, {1}, std::string(8, '\0')}, {"#root#size", tidemark::dtype::u64, {}, std::string(8, '\0')}};
  for (const std::string_view text : {"[[text;9223372036854775808];2]", "[[text;4294967296];4294967296]", "[[[text;3];6148914691236517205];1]", "[text;1000000000000]", "[text;18446744073709551614]",
                                      "[<text,text>;18446744073709551614]", "[?u8;4294967296]", "[!{};4294967296]", "[{a:[{b:[f32]};0]};18446744073709551614]", "[[{b:[f32]};0];4000000000]"}) {
    CAPTURE(text);
    CHECK_THROWS_AS(repacked_by(text, none), tidemark::error);
  }
  for (const std::string_view text : {"[{};18446744073709551614]", "[({},(),);4000000000]", "[[{};4000000000];18446744073709551614]"}) {
    CAPTURE(text);
    CHECK(repacked_by(text, none).empty());
  }
}

TEST_CASE("no tensor is taken twice, so that a small file does not become a large value") {
  const std::map<std::string, samples::record<std::vector<float>>> map{{"a", {{1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12}, 1}}, {"b", {}}};
  held::tensors all = held::encode(map);
  CHECK_NOTHROW(repacked_by("<text,{value:[f32],after:i32}>", all));
  for (auto& t : all) {
    if (t.name == "#root#keys") t.bytes = "aa";
  }
  CHECK_THROWS_AS(repacked_by("<text,{value:[f32],after:i32}>", all), tidemark::error);
  const held::tensors one{{"a.b", tidemark::dtype::f32, {2}, std::string(8, 'x')}};
  CHECK_THROWS_AS(repacked_by("{a.b:[f32],a:{b:[f32]}}", one), tidemark::error);
}
