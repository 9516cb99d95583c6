// SPDX-License-Identifier: BSL-1.0
// cereal/output_archive.test.cpp: the bytes of a blob, as docs/format.md has them, and what is refused when it is written.
#include <tidemark/cereal/output_archive.hpp>

#include <doctest/doctest.h>
#include "styles.hpp"

#include <cstring>
#include <set>

using namespace tidemark;

namespace {

template <class... T>
std::vector<std::byte> blob_of(const T&... values) {
  detail::cereal_writer archive;
  archive(values...);
  return std::move(archive).finish();
}

std::vector<std::byte> bytes(std::initializer_list<int> values) {
  std::vector<std::byte> all;
  for (const int v : values) all.push_back(static_cast<std::byte>(v));
  return all;
}

template <class F>
errc code_of(F&& f) {
  try {
    f();
  } catch (const error& e) {
    return e.code();
  }
  return errc::io;
}

struct nothing {
  template <class A>
  void serialize(A&) {}
};

struct chained {
  std::unique_ptr<chained> next;
  template <class A>
  void serialize(A& a) { a(next); }
};

struct first_member {
  std::int32_t v = 0;
  template <class A>
  void serialize(A& a) { a(v); }
};
struct outer {
  first_member first;
  template <class A>
  void serialize(A& a) { a(first); }
};

struct deferring {
  std::int8_t a = 1, b = 2;
  template <class A>
  void serialize(A& archive) { archive(cereal::defer(a), b); }
};

}  // namespace

TEST_CASE("a number is its code and its bytes, little-endian, behind the format of the blob") {
  CHECK(blob_of(true) == bytes({1, 0x01, 1}));
  CHECK(blob_of('a') == bytes({1, 0x02, 'a'}));
  CHECK(blob_of(std::int16_t{-2}) == bytes({1, 0x11, 0xFE, 0xFF}));
  CHECK(blob_of(std::uint32_t{0x01020304}) == bytes({1, 0x22, 4, 3, 2, 1}));
  CHECK(blob_of(1.0f) == bytes({1, 0x32, 0, 0, 0x80, 0x3F}));
  CHECK(blob_of(-2.0, std::uint8_t{7}) == bytes({1, 0x33, 0, 0, 0, 0, 0, 0, 0, 0xC0, 0x20, 7}));
}

TEST_CASE("a container is its size, and its bytes as one array where it holds numbers") {
  CHECK(blob_of(std::string("ab")) == bytes({1, 0x40, 2, 0x41, 0x02, 2, 'a', 'b'}));
  CHECK(blob_of(std::string()) == bytes({1, 0x40, 0, 0x41, 0x02, 0}));
  CHECK(blob_of(std::vector<std::int16_t>{1, 2}) == bytes({1, 0x40, 2, 0x41, 0x11, 4, 1, 0, 2, 0}));
  CHECK(blob_of(std::vector<bool>{true, false}) == bytes({1, 0x40, 2, 0x01, 1, 0x01, 0}));
  const auto large = blob_of(std::string(300, 'x'));
  CHECK(std::vector(large.begin(), large.begin() + 7) == bytes({1, 0x40, 0xAC, 0x02, 0x41, 0x02, 0xAC}));
  CHECK(large.size() == 308);
}

TEST_CASE("a name is spelled once and numbered from then on") {
  std::uint8_t v = 5;
  CHECK(blob_of(cereal::make_nvp("lr", v), cereal::make_nvp("m", v), cereal::make_nvp("lr", v)) ==
        bytes({1, 0x42, 0, 2, 'l', 'r', 0x20, 5, 0x42, 0, 1, 'm', 0x20, 5, 0x42, 1, 0x20, 5}));
}

TEST_CASE("equal values give equal bytes, whatever lies in the padding of a long double") {
  long double a[2], b[2];
  std::memset(a, 0x00, sizeof a);
  std::memset(b, 0xFF, sizeof b);
  for (int i = 0; i < 2; ++i) a[i] = b[i] = 1.5L;
  CHECK(blob_of(a) == blob_of(b));
  CHECK(blob_of(a[0]) == blob_of(b[1]));
}

TEST_CASE("what is deferred is written at the end") { CHECK(blob_of(deferring{}) == bytes({1, 0x10, 2, 0x10, 1})); }

TEST_CASE("elements of no bytes are refused, for no reader could bound their number") {
  CHECK(code_of([] { blob_of(std::vector<nothing>(1)); }) == errc::unsupported);
  CHECK(code_of([] { blob_of(std::vector<nothing>(3), std::int32_t{}); }) == errc::io);  // fewer than bytes follow: it can be read
  CHECK(code_of([] { blob_of(std::vector<nothing>(6), std::int32_t{}); }) == errc::unsupported);
  CHECK(code_of([] { blob_of(std::vector<std::vector<nothing>>(4, std::vector<nothing>(2)), std::string(9, 'x')); }) == errc::io);
  CHECK(code_of([] { blob_of(std::vector<std::vector<nothing>>(4, std::vector<nothing>(9)), std::string(9, 'x')); }) == errc::unsupported);
}

TEST_CASE("calls inside each other are counted") {
  const auto chain = [](int length) {
    chained head;
    for (chained* at = &head; length > 0; --length, at = at->next.get()) at->next = std::make_unique<chained>();
    return head;
  };
  CHECK(code_of([&] { blob_of(chain(500)); }) == errc::io);
  CHECK(code_of([&] { blob_of(chain(2000)); }) == errc::limit);
}

TEST_CASE("pointers of two types to one address are refused: cereal would take one for the other") {
  const auto whole = std::make_shared<outer>();
  const std::shared_ptr<first_member> part(whole, &whole->first);
  CHECK(code_of([&] { blob_of(whole, part); }) == errc::unsupported);
  CHECK(code_of([&] { blob_of(whole, whole, std::shared_ptr<const outer>(whole)); }) == errc::io);
}
