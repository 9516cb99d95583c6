// SPDX-License-Identifier: BSL-1.0
// archive/std_types.test.cpp: every class of the standard that holds state comes back, in its order, wherever it is held.
#include "std_samples.hpp"

#include <doctest/doctest.h>

#include <string>

#include "repacked.hpp"

using samples::is_same;

namespace {

/// Judged outside the template, since each REQUIRE costs the compiler as much as what it judges.
void judge(const std::string& type, bool is_target_same, bool is_fresh_same, const held::tensors& again, const held::tensors& written, const std::string& repacked, const std::string& packed) {
  CAPTURE(type);
  REQUIRE(is_target_same);
  REQUIRE(again == written);
  REQUIRE(is_fresh_same);
  REQUIRE(repacked == packed);
}

}  // namespace

TEST_CASE("every standard type comes back from every holder, into a fresh object and into one that held something else, and repacks to what packing gives") {
  samples::for_each_std_type([]<class T>() {
    using state = samples::held<T>;
    const std::string type = to_text(tidemark::schema_of<state>());
    samples::random r(7);
    state target;
    for (int round = 0; round < 12; ++round) {
      state value;
      fill(value, r);
      const auto all = held::encode(value);
      held::decode(all, target);
      state fresh;
      held::decode(all, fresh);
      judge(type, is_same(value, target), is_same(value, fresh), held::encode(target), all, held::repacked<state>(all), held::packed(value));
    }
  });
}

TEST_CASE("what stays in a container keeps its address") {
  struct state {
    std::unordered_map<int, std::string> hashed{{1, "one"}, {2, "two"}};
    std::multimap<int, std::string> many{{1, "one"}, {1, "uno"}, {2, "two"}};
    std::set<std::string> names{"a", "b"};
    std::list<std::vector<float>> list{{1}, {2}};
    std::unique_ptr<int> p = std::make_unique<int>(3);
    std::deque<std::string> d{"x"};
  };
  state s;
  const auto all = held::encode(s);
  const void* addresses[] = {&s.hashed.at(2), &s.many.find(2)->second, &*s.names.find("b"), s.list.back().data(), s.p.get(), &s.d[0]};
  s.hashed.at(2) = "changed";
  s.hashed.emplace(9, "nine");
  s.many.emplace(7, "x");
  s.names.insert("aa");
  s.list.back()[0] = 5;
  *s.p = 8;
  held::decode(all, s);
  CHECK(s.hashed.at(2) == "two");
  CHECK(s.names.size() == 2);
  CHECK(*s.p == 3);
  const void* now[] = {&s.hashed.at(2), &s.many.find(2)->second, &*s.names.find("b"), s.list.back().data(), s.p.get(), &s.d[0]};
  for (std::size_t i = 0; i < std::size(addresses); ++i) CHECK(now[i] == addresses[i]);
}
