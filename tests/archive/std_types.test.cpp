// SPDX-License-Identifier: BSL-1.0
// archive/std_types.test.cpp: every class of the standard that holds state comes back, in its order, wherever it is held.
#include "std_samples.hpp"

#include <doctest/doctest.h>

#include <algorithm>
#include <memory_resource>
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

TEST_CASE("a container restored in place keeps its memory resource, and gives it to what it holds") {
  struct counted : std::pmr::memory_resource {
    std::size_t live = 0;
    void* do_allocate(std::size_t size, std::size_t alignment) override {
      live += size;
      return std::pmr::new_delete_resource()->allocate(size, alignment);
    }
    void do_deallocate(void* p, std::size_t size, std::size_t alignment) override {
      live -= size;
      std::pmr::new_delete_resource()->deallocate(p, size, alignment);
    }
    bool do_is_equal(const memory_resource& other) const noexcept override { return this == &other; }
  };
  using text = std::pmr::string;
  struct state {
    std::pmr::vector<text> vector;
    std::pmr::map<int, text> map;
    std::pmr::unordered_multimap<int, text> hashed;
    std::pmr::set<text> set;
    std::pmr::list<std::pmr::vector<int>> list;
    std::pmr::deque<text> deque;
    std::pmr::vector<std::pmr::unordered_multiset<text>> many;
    std::pmr::vector<std::pmr::multimap<text, int>> ordered;
    text alone;
  };
  const text longer(40, 'x');
  const state value{{longer, "b"}, {{1, longer}, {2, ""}}, {{1, longer}, {1, "b"}, {5, "c"}}, {longer, "b"}, {{1, 2}, {}}, {longer},
                    {{longer, "b", "b"}, {}}, {{{"b", 1}, {"b", 2}}, {}}, longer};
  const auto all = held::encode(value);
  counted resource;
  {
    std::pmr::memory_resource* r = &resource;
    state target{std::pmr::vector<text>({"old"}, r), std::pmr::map<int, text>({{2, longer}, {3, "old"}}, r), decltype(state::hashed)({{1, "old"}, {9, longer}}, 4, r),
                 std::pmr::set<text>({"old"}, r), decltype(state::list)({{7}}, r), std::pmr::deque<text>({"old", "older"}, r),
                 decltype(state::many)(3, r), decltype(state::ordered)(1, r), text("old", r)};
    target.many[0].insert({longer, "old", "b"});
    target.ordered[0].insert({{"b", 5}, {"old", 6}});
    held::decode(all, target);
    CHECK(held::encode(target) == all);
    const auto from_it = [r](const auto& container) { return container.get_allocator().resource() == r; };
    const auto all_from_it = [&](const auto& container, auto value_of) {
      return from_it(container) && std::all_of(container.begin(), container.end(), [&](const auto& e) { return from_it(value_of(e)); });
    };
    const auto itself = [](const auto& e) -> const auto& { return e; };
    const auto second = [](const auto& e) -> const auto& { return e.second; };
    CHECK(all_from_it(target.vector, itself));
    CHECK(all_from_it(target.map, second));
    CHECK(all_from_it(target.hashed, second));
    CHECK(all_from_it(target.set, itself));
    CHECK(all_from_it(target.list, itself));
    CHECK(all_from_it(target.deque, itself));
    CHECK(all_from_it(target.many, itself));
    CHECK(all_from_it(target.many[0], itself));
    CHECK(all_from_it(target.ordered, itself));
    CHECK(from_it(target.alone));
  }
  CHECK(resource.live == 0);
}
