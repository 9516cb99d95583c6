// SPDX-License-Identifier: BSL-1.0
// cereal/opt_in.test.cpp: types that opt in are saved and restored by their cereal functions, wherever they stand in a state.
#include <tidemark/cereal/opt_in.hpp>

#include <tidemark/store.hpp>

#include <doctest/doctest.h>
#include "styles.hpp"

#include <tuple>

using namespace tidemark;
using styles::binary;

namespace {

template <class T>
T sample(int seed) {
  T value;
  value.count = seed * 1000 - 7;
  value.text = std::string(static_cast<std::size_t>(seed), 'x') + '\0' + "\xFF";
  value.values = {1.0 / seed, -0.0, 1e300};
  return value;
}

template <class T>
struct holder {
  struct row {
    int id = 0;
    T value;
  };
  struct module {
    std::vector<float> weights;
    T value;
  };
  T one;
  std::vector<T> many;
  std::map<std::string, T> named;
  std::optional<T> maybe, nothing;
  std::array<T, 2> pair;
  std::vector<row> rows;
  std::vector<module> modules;
  std::variant<int, T> either;

  auto all() const {
    std::string text = binary(one) + binary(many) + binary(named) + binary(maybe) + binary(nothing) + binary(pair) + binary(std::get<T>(either));
    for (const row& r : rows) text += std::to_string(r.id) + binary(r.value);
    for (const module& m : modules) text += binary(m.weights) + binary(m.value);
    return text;
  }
};

template <class T>
holder<T> full() {
  return {sample<T>(1),
          {sample<T>(2), sample<T>(3)},
          {{"a", sample<T>(4)}, {"b.c", sample<T>(5)}},
          sample<T>(6),
          std::nullopt,
          {sample<T>(7), sample<T>(8)},
          {{1, sample<T>(9)}, {2, sample<T>(10)}},
          {{{1, 2}, sample<T>(11)}, {{}, sample<T>(12)}},
          sample<T>(13)};
}

std::shared_ptr<styles::node> family() {
  auto root = std::make_shared<styles::node>();
  root->name = "root";
  root->weight = std::make_shared<std::int64_t>(-5);
  for (const char* name : {"a", "b"}) {
    auto child = std::make_shared<styles::node>();
    child->name = name;
    child->parent = root;
    child->weight = root->weight;
    root->children.push_back(child);
  }
  root->children.push_back(root->children[0]);
  root->children.push_back(nullptr);
  return root;
}

struct graph_state {
  int step = 0;
  std::shared_ptr<styles::node> tree, none;
  std::vector<std::shared_ptr<styles::node>> forest;
};

struct drawing_state {
  styles::drawing sheet;
};

struct named_alternative {
  static constexpr std::string_view checkpoint_name = "left";
  int v = 0;
  template <class A>
  void serialize(A& a) { a(v); }
};

struct uncovered {
  int kept = 1, cache = 2;
  template <class A>
  void serialize(A& a) { a(kept); }
};

struct assigned_once {
  assigned_once() = default;
  assigned_once(assigned_once&&) = default;
  assigned_once& operator=(assigned_once&&) = delete;
  std::vector<int> v;
  template <class A>
  void serialize(A& a) { a(v); }
};

struct failing {
  int first = 1, second = 2;
  template <class A>
  void save(A& a) const { a(first, second); }
  template <class A>
  void load(A& a) {
    a(first);
    if (first == 13) throw cereal::Exception("unlucky\nnumber");
    a(second);
  }
};

}  // namespace

template <> inline constexpr bool tidemark::use_cereal<named_alternative> = true;
template <> inline constexpr bool tidemark::use_cereal<uncovered> = true;
template <> inline constexpr bool tidemark::use_cereal<assigned_once> = true;
template <> inline constexpr bool tidemark::use_cereal<failing> = true;
template <> inline constexpr bool tidemark::use_cereal<std::unique_ptr<styles::shape>> = true;
template <> inline constexpr bool tidemark::use_cereal<std::vector<std::vector<std::string>>> = true;

TEST_CASE_TEMPLATE("a class of every style comes back as cereal's own archive would write it", T, styles::member_serialize,
                   styles::member_serialize_versioned, styles::member_split, styles::member_split_versioned, styles::member_minimal,
                   styles::member_minimal_versioned, styles::free_serialize, styles::free_serialize_versioned, styles::free_split,
                   styles::free_split_versioned, styles::free_minimal, styles::free_minimal_versioned) {
  const T before = sample<T>(5);
  T after = sample<T>(6);
  REQUIRE(binary(before) != binary(after));
  represent<T>::restore(after, represent<T>::snapshot(before));
  CHECK(binary(after) == binary(before));
}

TEST_CASE_TEMPLATE("it may stand anywhere in a state", T, styles::member_serialize, styles::free_split_versioned) {
  const holder<T> before = full<T>();
  memory archive;
  save(before, archive);
  CHECK(load<holder<T>>(archive).all() == before.all());

  holder<T> other = full<T>();
  other.one = other.many[1] = other.named["a"] = other.rows[0].value = sample<T>(99);
  other.many.resize(9);
  other.either = 4;
  other.maybe.reset();
  other.nothing.emplace();
  restore(other, archive);
  CHECK(other.all() == before.all());
  CHECK_FALSE(other.nothing.has_value());
}

TEST_CASE("private functions are reached through cereal's friend") {
  memory archive;
  save(std::tuple{styles::befriended(42)}, archive);
  CHECK(std::get<0>(load<std::tuple<styles::befriended>>(archive)).value() == 42);
}

TEST_CASE("targets that pointers share are shared again, and a way back up leads back") {
  memory archive;
  graph_state before{3, family(), nullptr, {family(), nullptr}};
  save(before, archive);
  const auto after = load<graph_state>(archive);
  CHECK(after.step == 3);
  CHECK(after.none == nullptr);
  REQUIRE(after.tree != nullptr);
  REQUIRE(after.tree->children.size() == 4);
  CHECK(after.tree->children[0] == after.tree->children[2]);
  CHECK(after.tree->children[3] == nullptr);
  CHECK(after.tree->children[1]->name == "b");
  CHECK(after.tree->children[0]->parent.lock() == after.tree);
  CHECK(after.tree->children[1]->weight == after.tree->weight);
  CHECK(*after.tree->weight == -5);
  CHECK(after.tree.use_count() == 1);
  REQUIRE(after.forest.size() == 2);
  CHECK(after.forest[0]->children[1]->parent.lock() == after.forest[0]);
  CHECK(after.forest[1] == nullptr);
  CHECK(binary(after.tree) == binary(before.tree));
}

TEST_CASE("pointers to bases bring back what was registered for them, and constructors are called") {
  drawing_state before;
  auto square = std::make_shared<styles::square>();
  square->label = "s";
  square->side = 3;
  auto box = std::make_shared<styles::box>();
  box->width = 2;
  box->height = 0.25f;
  before.sheet.shapes = {square, box, square, nullptr};
  before.sheet.background = std::make_unique<styles::box>(*box);
  before.sheet.selected = box;
  before.sheet.frame = std::make_shared<styles::constructed>(77);
  memory archive;
  save(before, archive);
  const auto after = load<drawing_state>(archive);
  REQUIRE(after.sheet.shapes.size() == 4);
  CHECK(dynamic_cast<styles::square*>(after.sheet.shapes[0].get()) != nullptr);
  CHECK(after.sheet.shapes[0]->label == "s");
  CHECK(after.sheet.shapes[0]->area() == 9);
  CHECK(after.sheet.shapes[0] == after.sheet.shapes[2]);
  CHECK(after.sheet.selected == after.sheet.shapes[1]);
  CHECK(after.sheet.background->area() == 0.5);
  CHECK(after.sheet.frame->value == 77);
  CHECK(binary(after.sheet) == binary(before.sheet));

  std::tuple<std::unique_ptr<styles::shape>> alone{std::make_unique<styles::square>()};
  save(alone, archive);
  CHECK(dynamic_cast<styles::square*>(std::get<0>(load<std::tuple<std::unique_ptr<styles::shape>>>(archive)).get()) != nullptr);
}

TEST_CASE("a polymorphic type that is not registered is refused when it is saved") {
  drawing_state state;
  state.sheet.selected = std::make_shared<styles::unregistered>();
  memory archive;
  try {
    save(state, archive);
    FAIL("saved");
  } catch (const error& e) {
    CHECK(e.code() == errc::unsupported);
    CHECK(e.tensor() == "sheet");
    CHECK(std::string(e.what()).find("styles::unregistered") != std::string::npos);
  }
}

TEST_CASE("a container of the standard library can opt in as a whole") {
  const std::vector<std::vector<std::string>> before{{"a", ""}, {}, {"b"}};
  memory archive;
  save(std::tuple{before}, archive);
  CHECK(std::get<0>(load<std::tuple<std::vector<std::vector<std::string>>>>(archive)) == before);
}

TEST_CASE("the schema says cereal, and the name of a type that has one") {
  CHECK(to_text(schema_of<styles::member_split>()) == "@cereal=[byte]");
  CHECK(to_text(schema_of<named_alternative>()) == "@cereal:left=[byte]");
  using alike = std::variant<styles::member_split, styles::free_split>;
  CHECK_THROWS_AS(schema_of<std::tuple<alike>>(), error);
  schema_of<std::tuple<std::variant<styles::member_split, named_alternative>>>();
}

TEST_CASE("what the functions leave out has its default afterwards") {
  memory archive;
  save(std::tuple{uncovered{5, 6}}, archive);
  std::tuple<uncovered> target{uncovered{7, 8}};
  restore(target, archive);
  CHECK(std::get<0>(target).kept == 5);
  CHECK(std::get<0>(target).cache == 2);
}

TEST_CASE("a type that cannot be assigned is read in place") {
  assigned_once before, after;
  before.v = {1, 2, 3};
  after.v = {9};
  represent<assigned_once>::restore(after, represent<assigned_once>::snapshot(before));
  CHECK(after.v == before.v);
}

TEST_CASE("a refused blob leaves the target as it was") {
  failing target{7, 8};
  try {
    represent<failing>::restore(target, represent<failing>::snapshot({13, 14}));
    FAIL("accepted");
  } catch (const error& e) {
    CHECK(e.code() == errc::invalid_value);
    CHECK(std::string(e.what()) == "tidemark: cereal says: unlucky number.");
  }
  CHECK(target.first == 7);
  CHECK(target.second == 8);

  memory archive;
  save(std::tuple{std::vector<float>{1, 2}, failing{13, 14}}, archive);
  std::tuple<std::vector<float>, failing> state{{3, 4}, {5, 6}};
  try {
    restore(state, archive);
    FAIL("accepted");
  } catch (const error& e) {
    CHECK(e.code() == errc::invalid_value);
    CHECK(e.tensor() == "#root.1");
  }
  CHECK(std::get<0>(state)[0] == 3);
  CHECK(std::get<1>(state).first == 5);
}
