// SPDX-License-Identifier: BSL-1.0
// archive/common_types.test.cpp: each type whose walks a compiled library brings is encoded, decoded, evolved and unpacked.
#include <tidemark/archive/common_types.hpp>

#include <doctest/doctest.h>

#include <limits>
#include <string>
#include <vector>

#include "held_tensors.hpp"

using namespace tidemark;

namespace {

/// A record of one member stores it as a file of its own would, under the name `value`.
template <class T>
struct one {
  T value{};
};
template <class T>
T packed_and_back(const T& value) {
  const schema s = detail::make_schema<T>();
  std::string bytes;
  detail::pack(bytes, value);
  std::uint64_t spare = detail::shared_buckets;
  detail::packed_bytes in{.left = detail::bytes_of(bytes), .spare_buckets = &spare};
  T back{};
  detail::unpack<T>(in, {&s, &s}, back);
  CHECK(in.left.empty());
  return back;
}

template <class T>
T evolved(const T& value) {
  const auto all = held::encode(one<T>{value});
  held::input in(all);
  detail::decoder at{in, detail::walk_name(true)};
  const schema s = detail::make_schema<T>();
  T back{};
  {
    const auto scope = at.name.member("value");
    detail::evolve(at, s, s, back);
  }
  in.run_deferred();
  return back;
}

template <class T>
void check(const T& value) {
  CAPTURE(to_text(detail::make_schema<T>()));
  one<T> back;
  held::decode(held::encode(one<T>{value}), back);
  CHECK(back.value == value);
  CHECK(packed_and_back(value) == value);
  CHECK(evolved(value) == value);
}

template <class... T>
void check_numbers() {
  (check<T>((std::numeric_limits<T>::max)()), ...);
  (check<T>((std::numeric_limits<T>::lowest)()), ...);
  (check<std::vector<T>>({T{1}, (std::numeric_limits<T>::max)(), T{}}), ...);
  (check<std::vector<T>>({}), ...);
}

}  // namespace

TEST_CASE("each common type goes there and back: as a tensor, packed, and from an older version") {
  check_numbers<char, signed char, unsigned char, short, unsigned short, int, unsigned, long, unsigned long, long long, unsigned long long, float, double>();
  check(true);
  check(false);
  check(std::string("text"));
  check(std::vector<std::string>{"a", "", "ccc"});
}

TEST_CASE("a number that was stored as another common type is converted where it survives") {
  const auto all = held::encode(one<std::vector<int>>{{1, -2, 3}});
  held::input in(all);
  detail::decoder at{in, detail::walk_name(true)};
  std::vector<double> back;
  const auto scope = at.name.member("value");
  detail::evolve(at, detail::make_schema<std::vector<double>>(), detail::make_schema<std::vector<int>>(), back);
  in.run_deferred();
  CHECK(back == std::vector<double>{1, -2, 3});
}
