// SPDX-License-Identifier: BSL-1.0
// archive/evolve.test.cpp: parts that changed are read from the tensors that their older type stored. The chain: store/evolution.test.cpp.
#include <tidemark/archive/evolve.hpp>

#include <doctest/doctest.h>

#include <array>
#include <atomic>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <tuple>
#include <type_traits>
#include <utility>
#include <variant>
#include <vector>

#include "held_tensors.hpp"

using namespace tidemark;

namespace {

struct counted {
  std::atomic<int> count{1};
  std::string text;
};
struct pinned {
  pinned() = default;
  pinned(pinned&&) = default;
  pinned& operator=(pinned&&) = delete;
  int value = 1;
  static constexpr auto checkpoint_members = members(&pinned::value);
};
struct pinned_tree {
  pinned own;
  std::unique_ptr<pinned_tree> below;
};
class shown {
  int value_ = 1;

 public:
  shown() = default;
  shown(shown&&) = default;
  shown& operator=(shown&&) = delete;
  int snapshot() const { return value_; }
  void restore(int value) { value_ = value; }
};

/// Stores `from` and reads it into a fresh `To`.
template <class To, class From>
To evolved(const From& from) {
  const auto all = held::encode(from);
  held::input in(all);
  const schema here = detail::make_schema<To>(), file = detail::make_schema<From>();
  REQUIRE(plan_evolution(here, file).refused.empty());
  detail::decoder at{in, detail::walk_name(file.kind == kind::record)};
  To to{};
  detail::evolve(at, here, file, to);
  in.run_deferred();
  return to;
}

struct old_row {
  std::int32_t a = 0;
  std::vector<std::string> dropped;
};
struct new_row {
  static constexpr std::uint32_t checkpoint_version = 2;
  std::int64_t a = 0;
  std::string added = "d";
};
struct old_tree {
  std::int32_t v = 0;
  std::vector<old_tree> kids;
};
struct new_tree {
  static constexpr std::uint32_t checkpoint_version = 2;
  static constexpr renamed_path renamed[] = {{"kids", "children"}};
  double v = 0;
  std::vector<new_tree> children;
  std::string name = "n";
};

}  // namespace

TEST_CASE("modules become rows, and rows modules, in every container") {
  const old_row r{7, {"x"}};
  CHECK(evolved<new_row>(r).a == 7);
  CHECK(evolved<std::vector<new_row>>(std::vector<old_row>{r, r})[1].a == 7);
  CHECK(evolved<std::array<new_row, 2>>(std::array<old_row, 2>{r, r})[1].added == "d");
  CHECK(evolved<std::map<std::string, new_row>>(std::map<std::string, old_row>{{"k.l", r}}).at("k.l").a == 7);
  CHECK(evolved<std::optional<new_row>>(std::optional<old_row>{r})->a == 7);
  CHECK(std::get<1>(evolved<std::tuple<int, new_row>>(std::tuple<int, old_row>{1, r})).a == 7);
  CHECK(evolved<std::vector<std::vector<new_row>>>(std::vector<std::vector<old_row>>{{r}, {}, {r, r}})[2][1].a == 7);
}

TEST_CASE("a type that contains itself evolves at every level") {
  const old_tree t{1, {{2, {{3, {}}}}, {4, {}}}};
  const new_tree n = evolved<new_tree>(t);
  CHECK(n.v == 1);
  REQUIRE(n.children.size() == 2);
  CHECK(n.children[0].children[0].v == 3);
  CHECK(n.children[0].children[0].name == "n");
  CHECK(evolved<std::vector<new_tree>>(std::vector<old_tree>{t})[0].children[1].v == 4);
}

TEST_CASE("a part that did not change is read straight into its place") {
  struct old_state {
    std::vector<float> large{1, 2, 3};
    std::int32_t n = 1;
  };
  struct new_state {
    std::vector<float> large;
    std::int64_t n = 0;
  };
  const new_state s = evolved<new_state>(old_state{});
  CHECK(s.large == std::vector<float>{1, 2, 3});
  CHECK(s.n == 1);
}

TEST_CASE("moving a state leaves what is no state") {
  struct state {
    int a = 1;
    transient<int> t;
    int c[2] = {1, 2};
  };
  state to, from;
  to.t.value = 5;
  from.a = 9;
  from.c[1] = 8;
  from.t.value = 6;
  detail::move_state(to, from);
  CHECK((to.a == 9 && to.c[1] == 8 && to.t.value == 5));
}

TEST_CASE("what cannot be assigned is moved part by part, wherever it stands") {
  const auto moved = []<class T>(std::type_identity<T>, auto change) {
    static_assert(Checkpointable<T> && !std::is_move_assignable_v<T>);
    T from = T(), to = T(), fresh = T();
    change(from);
    const auto wanted = held::encode(from);
    REQUIRE(held::encode(to) != wanted);
    detail::move_state(to, from);
    CHECK(held::encode(to) == wanted);
    if constexpr (detail::category_of<T> == detail::category::optional || detail::category_of<T> == detail::category::variant) {
      detail::move_state(to, fresh);
      CHECK(held::encode(to) == held::encode(fresh));
    }
  };
  moved(std::type_identity<std::array<std::atomic<int>, 4>>(), [](auto& v) { v[2] = 5; });
  moved(std::type_identity<std::array<counted, 2>>(), [](auto& v) { v[1].count = 5; });
  moved(std::type_identity<std::array<std::array<counted, 2>, 2>>(), [](auto& v) { v[1][0].text = "t"; });
  moved(std::type_identity<std::pair<int, counted>>(), [](auto& v) { v.second.count = 5; });
  moved(std::type_identity<std::tuple<counted, std::array<counted, 1>>>(), [](auto& v) { get<1>(v)[0].count = 5; });
  moved(std::type_identity<std::optional<pinned>>(), [](auto& v) { v.emplace().value = 5; });
  moved(std::type_identity<std::variant<int, pinned>>(), [](auto& v) { v.template emplace<1>().value = 5; });
  moved(std::type_identity<std::array<std::optional<std::pair<pinned, int>>, 2>>(), [](auto& v) { v[1].emplace().first.value = 5; });
  moved(std::type_identity<shown>(), [](auto& v) { v.restore(5); });
  moved(std::type_identity<pinned_tree>(), [](auto& v) {
    v.own.value = 5;
    v.below = std::make_unique<pinned_tree>();
    v.below->own.value = 6;
  });
}

TEST_CASE("tensors known at run time come along, alone, in maps of modules and in types that contain themselves") {
  struct old_model {
    named_tensors parameters;
    std::int32_t step = 3;
  };
  struct new_model {
    named_tensors parameters;
    std::int64_t step = 0;
  };
  old_model old;
  old.parameters.add<float>("w.0", std::vector<float>{1, 2}, {2, 1});
  old.parameters.add("empty", dtype::bf16, {0, 3});
  const auto check = [](const new_model& m) {
    CHECK(m.step == 3);
    CHECK(m.parameters.size() == 2);
    CHECK(m.parameters.get<float>("w.0")[1] == 2);
    CHECK(m.parameters.begin()->second.shape() == std::vector<std::uint64_t>{0, 3});
  };
  check(evolved<new_model>(old));
  check(evolved<std::map<std::string, new_model>>(std::map<std::string, old_model>{{"a.b", old}}).at("a.b"));
  check(evolved<std::optional<new_model>>(std::optional<old_model>{old}).value());

  struct tree {
    named_tensors here;
    std::vector<tree> below;
  };
  tree t;
  t.below.emplace_back().here = old.parameters;
  tree back;
  held::decode(held::encode(t), back);
  CHECK(back.below.at(0).here.get<float>("w.0")[0] == 1);
  CHECK(held::encode(back) == held::encode(t));
}
