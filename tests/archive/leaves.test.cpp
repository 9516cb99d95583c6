// SPDX-License-Identifier: BSL-1.0
// archive/leaves.test.cpp: scalars and fixed arrays of them as bytes.
#include <tidemark/archive/leaves.hpp>

#include <doctest/doctest.h>

#include <string>

#include "held_tensors.hpp"

using namespace tidemark::detail;

namespace {

template <class E>
std::string written(const E& value) {
  std::string out;
  std::byte buffer[32];
  output_stream stream(buffer, [](void* to, bytes_view piece) { *static_cast<std::string*>(to) += text_of(piece); }, &out);
  write_leaf(stream, value);
  stream.flush();
  return out;
}

template <class E>
bool reads_back(const std::string& bytes, E* to) {
  const held::tensors all{{"x", tidemark::dtype::u8, {bytes.size()}, bytes}};
  held::input in(all, 3);
  input_stream stream = in.open(*in.find("x"));
  return read_leaf<E>(stream, to);
}

}  // namespace

static_assert(is_direct_leaf<float> && is_direct_leaf<std::array<std::array<int, 2>, 3>> && is_direct_leaf<bool>);
static_assert(leaf_bytes<std::array<std::array<int, 2>, 3>> == 24 && leaf_bytes<std::array<int, 0>> == 0);

TEST_CASE("a leaf is written as its elements in order, the last extent fastest, and read back") {
  const std::array<std::array<std::uint16_t, 2>, 3> matrix{{{1, 2}, {3, 4}, {5, 6}}};
  CHECK(written(matrix) == std::string("\1\0\2\0\3\0\4\0\5\0\6\0", 12));
  std::array<std::array<std::uint16_t, 2>, 3> back{};
  CHECK(reads_back(written(matrix), &back));
  CHECK(back == matrix);
  const std::array<long double, 2> wide{1.5L, -2.5L};
  CHECK(written(wide).size() == 2 * sizeof(long double));
  std::array<long double, 2> wide_back{};
  CHECK(reads_back(written(wide), &wide_back));
  CHECK(wide_back == wide);
  CHECK(written(std::array<int, 0>{}).empty());
}

TEST_CASE("bytes that are no value are refused at every place of an array, with a target and without") {
  using flags = std::array<std::array<bool, 3>, 2>;
  for (std::size_t bad = 0; bad < 7; ++bad) {
    std::string bytes("\1\0\1\0\1\0", 6);
    if (bad < 6) bytes[bad] = 2;
    flags to{};
    CHECK(reads_back<flags>(bytes, &to) == (bad == 6));
    CHECK(reads_back<flags>(bytes, nullptr) == (bad == 6));
  }
}
