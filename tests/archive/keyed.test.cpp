// SPDX-License-Identifier: BSL-1.0
// archive/keyed.test.cpp: unordered containers iterate as they did, now and after more is inserted; keys that cannot be are refused.
#include <tidemark/archive/keyed.hpp>

#include <doctest/doctest.h>

#include <map>
#include <random>
#include <set>
#include <string>
#include <unordered_map>
#include <unordered_set>
#include <vector>

#include "held_tensors.hpp"

namespace {

template <class C>
bool is_same_order(const C& a, const C& b) {
  return a.bucket_count() == b.bucket_count() && a.max_load_factor() == b.max_load_factor() && std::equal(a.begin(), a.end(), b.begin(), b.end());
}

template <class C, class Insert>
void check_order(Insert insert) {
  std::mt19937 random(1);
  for (const float load : {1.0F, 0.25F, 4.0F}) {
    for (const int size : {0, 1, 2, 5, 12, 13, 14, 100, 1000}) {
      C original, restored;
      original.max_load_factor(load);
      if (size % 2 == 0) original.reserve(static_cast<std::size_t>(size) * 3);
      for (int i = 0; i < size; ++i) insert(original, static_cast<int>(random() % 500));
      for (int i = 0; i < size / 4; ++i) original.erase(original.begin());
      for (int i = 0; i < 3; ++i) insert(restored, i);
      held::decode(held::encode(original), restored);
      CAPTURE(size);
      REQUIRE(is_same_order(original, restored));
      for (int i = 0; i < 300; ++i) {  // it goes on as the original would
        const auto key = static_cast<int>(random() % 1000);
        insert(original, key);
        insert(restored, key);
      }
      REQUIRE(is_same_order(original, restored));
    }
  }
}

template <class T>
void refused(const T& value, const std::string& tensor, std::size_t at, const std::string& bytes) {
  auto all = held::encode(value);
  bool found = false;
  for (auto& t : all) {
    if (t.name != tensor) continue;
    t.bytes.replace(at, bytes.size(), bytes);
    found = true;
  }
  REQUIRE(found);
  T target = value;
  CHECK_THROWS_AS(held::decode(all, target), tidemark::error);
  CHECK(target == value);
}

std::string bytes_of_number(auto n) { return {reinterpret_cast<const char*>(&n), sizeof n}; }

}  // namespace

TEST_CASE("the order of iteration comes back, and what is inserted later goes where it would have gone") {
  check_order<std::unordered_set<int>>([](auto& c, int key) { c.insert(key); });
  check_order<std::unordered_multiset<int>>([](auto& c, int key) { c.insert(key % 50); });
  check_order<std::unordered_map<int, int>>([](auto& c, int key) { c.emplace(key, key * 2); });
  check_order<std::unordered_multimap<int, int>>([](auto& c, int key) { c.emplace(key % 20, key); });
  check_order<std::unordered_map<std::string, int>>([](auto& c, int key) { c.emplace("key" + std::to_string(key), key); });
}

TEST_CASE("keys out of order or twice, and buckets out of proportion, are refused before anything is touched") {
  refused(std::set<int>{1, 2, 3}, "#root", 0, bytes_of_number(5));
  refused(std::set<int>{1, 2, 3}, "#root", 0, bytes_of_number(2));
  refused(std::multiset<int>{1, 2, 3}, "#root", 0, bytes_of_number(5));
  refused(std::multimap<int, int>{{1, 1}, {2, 2}}, "#root#keys", 0, bytes_of_number(3));
  refused(std::unordered_set<int>{1, 2, 3}, "#root", 0, std::string(12, '\0'));
  refused(std::unordered_map<int, int>{{1, 2}, {3, 4}}, "#root#keys", 0, std::string(8, '\0'));
  refused(std::unordered_map<int, int>{{1, 2}, {3, 4}}, "#root#buckets", 0, bytes_of_number(std::uint64_t{1} << 40));
  refused(std::unordered_map<int, int>{{1, 2}, {3, 4}}, "#root#buckets", 0, bytes_of_number(UINT64_MAX));
  for (const float load : {0.0F, -1.0F, 1e-6F, std::numeric_limits<float>::infinity(), std::numeric_limits<float>::quiet_NaN()}) {
    refused(std::unordered_map<int, int>{{1, 2}, {3, 4}}, "#root#load", 0, bytes_of_number(load));
  }
  refused(std::set<double>{1, 2}, "#root", 0, bytes_of_number(std::numeric_limits<double>::quiet_NaN()));
  refused(std::unordered_set<double>{1, 2}, "#root", 0, bytes_of_number(std::numeric_limits<double>::quiet_NaN()));
}

TEST_CASE("duplicates in a file of a multiset do not become a set") {
  std::set<int> target{9};
  CHECK_THROWS_AS(held::decode(held::encode(std::multiset<int>{1, 1}), target), tidemark::error);
  CHECK(target == std::set<int>{9});
}

TEST_CASE("what a load would refuse is refused when it is saved") {
  std::unordered_set<int> vast;
  vast.rehash(5'000'000);
  CHECK_THROWS_AS(held::encode(vast), tidemark::error);
  std::unordered_set<int> thin;
  thin.max_load_factor(1e-6F);
  CHECK_THROWS_AS(held::encode(thin), tidemark::error);
  CHECK_THROWS_AS(held::encode(std::set<float>{std::numeric_limits<float>::quiet_NaN()}), tidemark::error);
}

TEST_CASE("nodes keep their place when equal keys of other bits are restored") {
  std::set<double> s{0.0, 1.0};
  const double* zero = &*s.begin();
  held::decode(held::encode(std::set<double>{-0.0, 1.0}), s);
  CHECK(&*s.begin() == zero);
  CHECK(std::signbit(*zero));
}
