// SPDX-License-Identifier: BSL-1.0
// archive/decoder.test.cpp: what a walk requires of a tensor, and what it says where that does not hold.
#include <tidemark/archive/decoder.hpp>

#include <doctest/doctest.h>

#include <string>

#include "held_tensors.hpp"

using namespace tidemark;
using namespace tidemark::detail;

namespace {

const held::tensors all{{"n", dtype::u64, {}, std::string("\5\0\0\0\0\0\0\0", 8)}, {"m", dtype::f32, {4, 3}, std::string(48, '\0')}, {"s", dtype::f32, {}, std::string(4, '\0')}};

template <class F>
std::string message(F f) {
  held::input in(all);
  decoder at{in, walk_name(true)};
  try {
    f(at);
    return "none";
  } catch (const error& e) {
    return e.what();
  }
}

}  // namespace

TEST_CASE("a tensor of the right name, dtype and shape is given, any other is refused by name") {
  CHECK(message([](auto& at) {
          const auto scope = at.name.member("n");
          CHECK(at.number() == 5);
        }) == "none");
  CHECK(message([](auto& at) {
          const auto scope = at.name.member("m");
          std::uint64_t count = 0;
          at.template require_array<std::array<float, 3>>(count);
          CHECK(count == 4);
        }) == "none");
  CHECK(message([](auto& at) {
          const auto scope = at.name.member("x");
          at.require(dtype::u8);
        }) == "tidemark: tensor \"x\": it is missing.");
  CHECK(message([](auto& at) {
          const auto scope = at.name.member("n");
          at.require(dtype::u8);
        }) == "tidemark: tensor \"n\": it has another element type; expected U8, found U64.");
  CHECK(message([](auto& at) {
          const auto scope = at.name.member("m");
          at.require(dtype::f32, extents(4));
        }) == "tidemark: tensor \"m\": it has another shape; expected F32 [4], found F32 [4, 3].");
  for (const char* name : {"m", "s"}) {
    CHECK(message([&](auto& at) {
            const auto scope = at.name.member(name);
            std::uint64_t count = 0;
            at.template require_array<std::array<float, 2>>(count);
          }).find("it has another shape; expected [any, 2], found F32 [") != std::string::npos);
  }
}

TEST_CASE("a count beyond the bytes of the file is refused, a small one never") {
  CHECK(message([](auto& at) { at.require_sane(1 << 20, 1); }) == "none");
  CHECK(message([](auto& at) { at.require_sane((1 << 20) + 1, 1); }) != "none");
  CHECK(message([](auto& at) { at.require_sane(100, 1 << 20); }) != "none");  // large elements: fewer of them
  CHECK(message([](auto& at) { at.require_sane(60, 1 << 20); }) == "none");
}
