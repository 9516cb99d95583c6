// SPDX-License-Identifier: BSL-1.0
// store/load_tensors.test.cpp: a struct filled by name from files of other programs, all of it or nothing.
#include <tidemark/store/load_tensors.hpp>

#include <doctest/doctest.h>

#include <tidemark/store/save.hpp>

#include <array>
#include <map>
#include <memory_resource>
#include <optional>
#include <string>
#include <variant>

#include "foreign.hpp"
#include "trainer.hpp"

using namespace tidemark;

namespace {

enum class mode : std::uint8_t { off, on };
struct half {
  std::uint16_t bits = 0;
  friend bool operator==(const half&, const half&) = default;
};
struct linear {
  std::vector<float> weight;
  std::optional<std::vector<float>> bias;
  friend bool operator==(const linear&, const linear&) = default;
};
struct model {
  linear head{{}, std::vector<float>{}};
  std::vector<linear> layers = std::vector<linear>(2);
  std::array<float, 4> fixed{};
  std::vector<std::array<double, 2>> points;
  std::map<std::string, linear> named{{"a.b", {}}};
  std::map<std::string, std::vector<std::int64_t>> rest;
  std::map<int, std::vector<float>> numbered{{7, {}}};
  std::variant<int, linear> which = linear{};
  std::pair<std::uint8_t, std::string> two;
  std::vector<bool> flags;
  std::vector<half> halves;
  std::vector<std::vector<float>> ragged = std::vector<std::vector<float>>(2);
  mode how = mode::off;
  bool yes = false;
  std::optional<int> none;
  friend bool operator==(const model&, const model&) = default;
};

std::vector<foreign_tensor> fitting() {
  const auto f32 = [](std::string name, std::string shape, std::vector<float> v) { return tensor_of(std::move(name), "F32", std::move(shape), v); };
  return {{"two.1", "U8", "[3]", "abc"},  // odd first, so that what follows is not aligned
          f32("head.weight", "[2,3]", {1, 2, 3, 4, 5, 6}), f32("head.bias", "[1]", {7}), f32("layers.0.weight", "[]", {8}), f32("layers.1.weight", "[0,3]", {}),
          f32("fixed", "[2,2]", {1, 2, 3, 4}), tensor_of<double>("points", "F64", "[3,1,2]", {1, 2, 3, 4, 5, 6}), f32("named.a.b.weight", "[1]", {9}),
          tensor_of<std::int64_t>("rest.x.y", "I64", "[2]", {-1, 2}), tensor_of<std::int64_t>("rest.z", "I64", "[]", {3}), f32("numbered.7", "[1]", {10}),
          f32("which.weight", "[1]", {11}), {"two.0", "U8", "[1,1]", "\x05"}, {"flags", "BOOL", "[3]", std::string("\1\0\1", 3)},
          tensor_of<std::uint16_t>("halves", "F16", "[2]", {0x3c00, 0x4000}), f32("ragged.0", "[2]", {1, 2}), f32("ragged.1", "[1]", {3}),
          {"how", "U8", "[]", "\1"}, {"yes", "BOOL", "[]", "\1"}, f32("more", "[1]", {0}), f32("more.empty", "[0]", {}), f32("none", "[]", {0})};
}

model filled() {
  model m;
  m.head = {{1, 2, 3, 4, 5, 6}, std::vector<float>{7}};
  m.layers[0].weight = {8};
  m.fixed = {1, 2, 3, 4};
  m.points = {{1, 2}, {3, 4}, {5, 6}};
  m.named["a.b"].weight = {9};
  m.rest = {{"x.y", {-1, 2}}, {"z", {3}}};
  m.numbered[7] = {10};
  m.which = linear{{11}, {}};
  m.two = {5, "abc"};
  m.flags = {true, false, true};
  m.halves = {half{0x3c00}, half{0x4000}};
  m.ragged = {{1, 2}, {3}};
  m.how = mode::on;
  m.yes = true;
  return m;
}

error_details failure(const std::vector<foreign_tensor>& tensors, model target = {}, const name_map& names = {}) {
  const model before = target;
  const archive_view view(foreign_file(tensors));
  try {
    load_tensors(view, target, names);
  } catch (const error& e) {
    CHECK(target == before);  // all or nothing
    CHECK(std::string(e.what()).starts_with("tidemark: cannot load tensors from memory: "));
    return e.details();
  }
  FAIL("it was accepted");
  return {};
}

}  // namespace

template <>
inline constexpr auto tidemark::dtype_of<half> = tidemark::dtype::f16;

TEST_CASE("a struct of every kind is filled by name, and what is left over is told") {
  model target;
  target.head.weight = {9, 9, 9, 9, 9, 9, 9, 9, 9};
  const archive_view view(foreign_file(fitting()));
  const tensors_report report = load_tensors(view, target);
  CHECK(target == filled());
  CHECK(report.unused == std::vector<std::string>{"more", "more.empty", "none"});
  CHECK(report.filled == fitting().size() - 3);
  CHECK_FALSE(report.has_digests);
}

TEST_CASE("names differ: rules and functions") {
  auto tensors = fitting();
  for (auto& t : tensors) t.name = "model." + t.name;
  tensors[1].name = "lm_head.w";
  model target;
  const archive_view view(foreign_file(tensors));
  load_tensors(view, target, {{"", "model"}, {"head.weight", "lm_head.w"}});
  CHECK(target == filled());
  model other;
  load_tensors(view, other, [](std::string_view ours) { return ours == "head.weight" ? "lm_head.w" : "model." + std::string(ours); });
  CHECK(other == filled());
}

TEST_CASE("one tensor may fill two members, as tied weights do") {
  struct tied {
    std::vector<float> in, out;
  } target;
  const archive_view view(foreign_file({tensor_of<float>("w", "F32", "[2]", {1, 2})}));
  const auto report = load_tensors(view, target, {{"in", "w"}, {"out", "w"}});
  CHECK(target.in == target.out);
  CHECK(report.unused.empty());
}

TEST_CASE("each tensor that is missing, or of another dtype or shape, is refused with all others, and nothing is touched") {
  const auto whole = fitting();
  for (std::size_t i = 0; i < whole.size() - 3; ++i) {
    if (whole[i].name.starts_with("rest.")) continue;  // takes what there is
    auto less = whole;
    less.erase(less.begin() + static_cast<std::ptrdiff_t>(i));
    auto other = whole;
    other[i].type = whole[i].type == "U8" ? "I8" : whole[i].type == "BOOL" ? "U8" : whole[i].type == "F32" ? "I32" : whole[i].type == "F16" ? "BF16" : "U64";
    for (const auto& tensors : {less, other}) {
      const auto details = failure(tensors, {}, {});
      CAPTURE(details.problem);
      CHECK(details.code == errc::schema_mismatch);
      CHECK(details.problem.find(whole[i].name) != std::string::npos);
    }
  }
  const auto all = failure({});
  for (const auto& t : whole) {
    if (t.name.starts_with("rest.") || t.name.starts_with("more") || t.name == "none") continue;
    CHECK(all.problem.find("missing in the file   " + t.name) != std::string::npos);
  }
  const auto with = [&](std::string_view name, foreign_tensor instead) {
    auto tensors = whole;
    for (auto& t : tensors) {
      if (t.name == name) t = instead;
    }
    const auto details = failure(tensors);
    CHECK(details.code == errc::schema_mismatch);
    CHECK(details.problem.find("different             " + std::string(name)) != std::string::npos);
  };
  with("fixed", tensor_of<float>("fixed", "F32", "[3]", {1, 2, 3}));
  with("fixed", tensor_of<float>("fixed", "F32", "[5]", {1, 2, 3, 4, 5}));
  with("points", tensor_of<double>("points", "F64", "[2,3]", {1, 2, 3, 4, 5, 6}));
  with("points", tensor_of<double>("points", "F64", "[6]", {1, 2, 3, 4, 5, 6}));
  with("points", tensor_of<double>("points", "F64", "[]", {1}));
  with("two.0", {"two.0", "U8", "[2]", "ab"});
  with("yes", {"yes", "BOOL", "[0]", ""});
  with("rest.z", tensor_of<float>("rest.z", "F32", "[1]", {1}));
}

TEST_CASE("a bool of 2 is refused before anything is touched") {
  for (const char* name : {"flags", "yes"}) {
    auto tensors = fitting();
    for (auto& t : tensors) {
      if (t.name == name) t.bytes.back() = 2;
    }
    CHECK(failure(tensors).code == errc::invalid_value);
  }
}

TEST_CASE("a file with digests is verified before anything is touched: every bit of every tensor that is asked for") {
  struct pair {
    std::vector<float> a{1, 2}, b{3};
  };
  struct part {
    std::vector<float> a, b;
  };
  const auto whole = bytes_in(saved(pair{}));
  {
    part target;
    const auto report = load_tensors(archive_view(memory(whole)), target);
    CHECK(report.has_digests);
    CHECK(report.unused.empty());
    CHECK(target.b == std::vector<float>{3});
  }
  const std::size_t data = whole.size() - 16 * 4 - 12;
  for (std::size_t bit = 0; bit < 12 * 8; ++bit) {
    auto bytes = whole;
    bytes[data + bit / 8] ^= static_cast<std::byte>(1 << bit % 8);
    part target{{5}, {6}};
    const archive_view view(memory(std::move(bytes)));
    try {
      load_tensors(view, target);
      FAIL("it was accepted");
    } catch (const error& e) {
      REQUIRE(e.code() == errc::corrupt);
    }
    REQUIRE(target.a == std::vector<float>{5});
    REQUIRE(target.b == std::vector<float>{6});
  }
}

TEST_CASE("a root that is a map takes all tensors, an empty one where there are none") {
  std::map<std::string, std::vector<float>> all;
  const archive_view view(foreign_file({tensor_of<float>("a.b", "F32", "[1]", {1}), tensor_of<float>("c", "F32", "[2,1]", {2, 3})}));
  load_tensors(view, all);
  CHECK(all == std::map<std::string, std::vector<float>>{{"a.b", {1}}, {"c", {2, 3}}});
  std::map<std::string, std::vector<float>> below;
  load_tensors(view, below, {{"", "a"}});
  CHECK(below == std::map<std::string, std::vector<float>>{{"b", {1}}});
  std::map<std::string, std::vector<float>> none;
  load_tensors(archive_view(foreign_file({})), none);
  CHECK(none.empty());
  std::pmr::monotonic_buffer_resource resource;
  std::pmr::map<std::string, std::pmr::vector<float>> in_it(&resource);
  load_tensors(view, in_it);
  CHECK(in_it.at("c") == std::pmr::vector<float>{2, 3});
  CHECK(in_it.get_allocator().resource() == &resource);
  CHECK(in_it.at("c").get_allocator().resource() == &resource);
}

TEST_CASE("elements of no bytes are bounded") {
  std::vector<std::array<float, 0>> none;
  load_tensors(archive_view(foreign_file({{"x", "F32", "[3,0]", ""}})), none, {{"", "x"}});
  CHECK(none.size() == 3);
  for (const char* shape : {"[1099511627776,0]", "[9223372036854775808,4,0]"}) {
    CHECK_THROWS_AS(load_tensors(archive_view(foreign_file({{"x", "F32", shape, ""}})), none, {{"", "x"}}), error);
    CHECK(none.size() == 3);
  }
}

namespace {

struct with_constants {
  std::vector<float> weight;
  const std::int32_t width = 2;
  const std::array<std::int32_t, 2> sizes{1, 2};
};

}  // namespace

TEST_CASE("const members are compared with their tensors before anything is filled") {
  const auto file = [](std::int32_t width, std::int32_t size) {
    return archive_view(foreign_file({tensor_of<float>("weight", "F32", "[1]", {3}), tensor_of<std::int32_t>("width", "I32", "[]", {width}), tensor_of<std::int32_t>("sizes", "I32", "[2]", {1, size})}));
  };
  with_constants target{{1}};
  const auto report = load_tensors(file(2, 2), target);
  CHECK(target.weight == std::vector<float>{3});
  CHECK(report.unused.empty());
  target.weight = {1};
  for (const auto& [width, size, name] : {std::tuple{3, 2, "width"}, std::tuple{2, 3, "sizes"}}) {
    try {
      load_tensors(file(width, size), target);
      FAIL("it was taken");
    } catch (const error& e) {
      CHECK(e.code() == errc::schema_mismatch);
      CHECK(e.tensor() == name);
    }
    CHECK(target.weight == std::vector<float>{1});
  }
}
