// SPDX-License-Identifier: BSL-1.0
// archive/unpack.test.cpp: packed bytes come back as the value, and damaged ones as an error or as another value that packs to them.
#include <tidemark/archive/unpack.hpp>

#include <doctest/doctest.h>

#include "std_samples.hpp"

using namespace tidemark::detail;

namespace {

using samples::fill;
struct plain;
void fill(plain& v, samples::random& r);

template <class T>
void unpack_all(std::string_view bytes, T& value) {
  static const tidemark::schema type = make_schema<T>();
  packed_bytes in{bytes_of(bytes)};
  unpack<T>(in, {&type, &type}, value);
  if (!in.left.empty()) packed_bytes::fail("bytes are left");
}

template <class T>
void check(std::size_t rounds = 4) {
  CAPTURE(to_text(make_schema<T>()));
  samples::random r(5);
  for (std::size_t round = 0; round < rounds; ++round) {
    T value{};
    fill(value, r);
    std::string bytes;
    pack(bytes, value);
    T back{};
    unpack_all(bytes, back);
    std::string again;
    pack(again, back);
    REQUIRE(again == bytes);
    if (round != 0) continue;
    for (std::size_t size = 0; size < bytes.size(); ++size) {
      T cut{};
      CHECK_THROWS_AS(unpack_all(std::string_view(bytes).substr(0, size), cut), tidemark::error);
    }
    for (std::size_t bit = 0; bit < bytes.size() * 8 && bit < 4000; ++bit) {
      std::string flipped = bytes;
      flipped[bit / 8] = static_cast<char>(flipped[bit / 8] ^ (1 << bit % 8));
      T other{};
      try {
        unpack_all(flipped, other);
      } catch (const tidemark::error&) {
        continue;
      }
      std::string repacked;
      pack(repacked, other);
      if constexpr (!requires { other.max_load_factor(); }) REQUIRE(repacked == flipped);  // buckets are as many as the library gives
    }
  }
}

struct plain {
  samples::tree t;
  std::vector<bool> flags;
  std::vector<long double> wide;
  std::optional<std::variant<std::string, int>> v{};
  samples::gauge gauge;
  std::vector<std::array<bool, 2>> pairs;
};
void fill(plain& v, samples::random& r) {
  fill(v.t, r);
  fill(v.flags, r);
  fill(v.wide, r);
  fill(v.v, r);
  fill(v.gauge, r);
  fill(v.pairs, r);
}

}  // namespace

TEST_CASE("every leaf, holder and standard type comes back from packed bytes") {
  check<plain>();
  check<samples::tree>();
  check<samples::module_>();
  check<std::map<std::string, std::vector<samples::row>>>();
  check<std::multimap<int, std::string>>();
  check<std::unordered_map<std::string, int>>();
  check<std::unordered_multiset<int>>();
  check<std::set<std::string>>();
  check<std::list<std::unique_ptr<int>>>();
  check<std::complex<double>>();
  check<samples::wide>();
  check<std::bitset<9>>();
  check<std::atomic<int>>();
  check<samples::c_arrays>();
  check<samples::listed>();
  check<std::priority_queue<int>>();
  check<std::filesystem::path>();
}

TEST_CASE("a chain is packed as deep as the limit, and no deeper, and no bytes make a load go deeper") {
  std::string bytes;
  samples::tree t;
  for (int i = 0; i < 240; ++i) {
    samples::tree up;
    up.children.push_back(std::move(t));
    t = std::move(up);
  }
  pack(bytes, t);
  samples::tree back;
  unpack_all(bytes, back);
  CHECK(back == t);
  for (int i = 0; i < 20; ++i) {
    samples::tree up;
    up.children.push_back(std::move(t));
    t = std::move(up);
  }
  CHECK_THROWS_AS(pack(bytes, t), tidemark::error);
  std::string deep;
  for (int i = 0; i < 100'000; ++i) append_count(deep, 1);  // children, each with one child
  CHECK_THROWS_AS(unpack_all(deep, back), tidemark::error);
}

TEST_CASE("a count is bounded by the bytes that are left") {
  for (const std::uint64_t count : {std::uint64_t{100}, std::uint64_t{1} << 32, UINT64_MAX}) {
    std::string bytes;
    append_count(bytes, count);
    std::vector<std::string> texts;
    CHECK_THROWS_AS(unpack_all(bytes, texts), tidemark::error);
    std::vector<samples::empty> nothings;
    if (count > 1000) CHECK_THROWS_AS(unpack_all(bytes, nothings), tidemark::error);
    std::string text;
    CHECK_THROWS_AS(unpack_all(bytes, text), tidemark::error);
  }
}
