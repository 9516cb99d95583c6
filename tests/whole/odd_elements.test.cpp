// SPDX-License-Identifier: BSL-1.0
// whole/odd_elements.test.cpp: arrays of elements of every size come back, though they are read in pieces that those do not divide.
#include <tidemark/tidemark.hpp>

#include <doctest/doctest.h>

#include <algorithm>
#include <array>
#include <cstdint>
#include <filesystem>
#include <random>
#include <string>
#include <type_traits>
#include <utility>
#include <vector>

#include "fuzz/forge.hpp"

using namespace tidemark;

namespace {

template <class E>
std::vector<E> numbered(std::size_t bytes) {
  std::vector<E> all(bytes / sizeof(E) + 1);
  std::mt19937 random{5};
  for (E& e : all) {
    for (auto& part : e) part = static_cast<std::remove_reference_t<decltype(part)>>(random() % 251);
  }
  return all;
}

/// From memory, and from a file, which is read in another way; as a new value, and over one of another size and of the same.
template <class E>
void comes_back(std::size_t bytes) {
  const auto stored = numbered<E>(bytes);
  memory m;
  save(stored, m);
  CAPTURE(sizeof(E));
  CAPTURE(bytes);
  REQUIRE(load<std::vector<E>>(m) == stored);
  const auto path = std::filesystem::temp_directory_path() / ("tidemark-odd-" + std::to_string(std::random_device{}()));
  save(stored, path);
  const bool is_same = load<std::vector<E>>(path) == stored;
  std::vector<E> other(1), same(stored.size());
  restore(other, path);
  restore(same, path);
  std::filesystem::remove(path);
  REQUIRE(is_same);
  REQUIRE(other == stored);
  REQUIRE(same == stored);
}

template <class N, std::size_t... Extent>
void of_each_extent(std::index_sequence<Extent...>, std::size_t bytes) {
  (comes_back<std::array<N, Extent + 1>>(bytes), ...);
}

}  // namespace

TEST_CASE("arrays of elements of 1 to 40 bytes come back, in one piece and in several") {
  of_each_extent<std::uint8_t>(std::make_index_sequence<40>{}, 1000);
  of_each_extent<std::uint8_t>(std::make_index_sequence<40>{}, 600'000);
  of_each_extent<float>(std::make_index_sequence<12>{}, 600'000);
}

TEST_CASE("arrays of elements about as large as a piece, and larger, come back") {
  comes_back<std::array<std::uint8_t, 4095>>(600'000);
  comes_back<std::array<std::uint8_t, 4096>>(600'000);
  comes_back<std::array<std::uint8_t, 4097>>(600'000);
  comes_back<std::array<std::uint8_t, 8192>>(600'000);
  comes_back<std::array<std::uint16_t, 150'000>>(1'000'000);
  comes_back<std::array<double, 65'536>>(2'000'000);
}

TEST_CASE("arrays of several blocks, whose borders fall into elements, come back") {
  comes_back<std::array<float, 3>>((std::size_t{33} << 20) + 5);
  comes_back<std::array<double, 1>>((std::size_t{33} << 20) + 5);
}

TEST_CASE("arrays that another tool has laid at any address come back") {
  struct state {
    std::uint8_t first = 1;
    std::vector<double> doubles;
    std::vector<float> floats;
    std::vector<std::array<std::int16_t, 2>> pairs;
    std::vector<std::array<std::int16_t, 3>> triples;
  } stored;
  for (int i = 0; i < 40'000; ++i) {
    stored.doubles.push_back(i);
    stored.floats.push_back(static_cast<float>(i));
    stored.pairs.push_back({static_cast<std::int16_t>(i), 1});
    stored.triples.push_back({static_cast<std::int16_t>(i), 1, 2});
  }
  auto parts = *fuzz::taken_apart(fuzz::saved_bytes(stored));
  std::rotate(parts.tensors.begin(), parts.tensors.end() - 1, parts.tensors.end());
  REQUIRE(parts.tensors.front().name == "first");  // one byte: all that follows lies at an odd place
  const auto back = load<state>(memory{fuzz::put_together(parts)});
  CHECK(back.doubles == stored.doubles);
  CHECK(back.floats == stored.floats);
  CHECK(back.pairs == stored.pairs);
  CHECK(back.triples == stored.triples);
}
