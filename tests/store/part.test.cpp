// SPDX-License-Identifier: BSL-1.0
// store/part.test.cpp: a path leads to the very value that the walk has put there, through every kind, and to nothing else.
#include <tidemark/store/part.hpp>

#include <doctest/doctest.h>

#include <tidemark/store/open.hpp>

#include <map>
#include <optional>
#include <tuple>
#include <utility>
#include <variant>

#include "trainer.hpp"

using namespace tidemark;

namespace {

struct net {
  std::vector<float> weight;
  std::optional<double> scale;
  friend bool operator==(const net&, const net&) = default;
};
struct deep {
  net at;
  std::vector<float> weight;
};
struct row {
  std::uint32_t id = 0;
  std::string label;
  friend bool operator==(const row&, const row&) = default;
};
struct keeper {  // a class with invariants
  std::vector<float> values;
  struct stored {
    std::vector<float> values;
  };
  stored snapshot() const { return {values}; }
  void restore(stored s) { values = std::move(s.values); }
  friend bool operator==(const keeper&, const keeper&) = default;
};
struct world {
  std::uint64_t step = 9;
  std::string note = "n";
  std::array<double, 3> fixed{1, 2, 3};
  std::tuple<int, net, std::string> triple{4, net{{5, 6}, 7.0}, "t"};
  std::pair<net, net> two{net{{1}, {}}, net{{2}, 2.0}};
  std::vector<net> layers{net{{1, 2}, {}}, net{{3}, 4.0}, net{{}, {}}};
  std::array<net, 2> heads{net{{8}, {}}, net{{9}, {}}};
  std::vector<std::array<net, 2>> grid{{net{{1}, {}}, net{{2}, {}}}, {net{{3}, {}}, net{{4}, {}}}};
  std::map<std::string, net> groups{{"a", net{{1}, {}}}, {"a.b", net{{2}, {}}}, {"", net{{3}, {}}}, {"x#y%z", net{{4}, {}}}, {"a%2Eb", net{{5}, {}}}};
  std::map<std::string, std::vector<float>> tensors{{"l.0.weight", {1}}, {"l.0", {2}}, {"l.0.weight.weight", {3}}};
  std::map<std::string, deep> escaped{{"x", deep{net{{1}, {}}, {2}}}, {"x.at", deep{net{{3}, {}}, {4}}}};
  std::map<std::string, std::variant<net, std::pair<int, net>>> choices{{"c.d", std::pair<int, net>{1, net{{2}, {}}}}};
  std::optional<net> maybe = net{{7}, 8.0};
  std::optional<net> no;
  std::optional<std::optional<int>> twice = std::optional<int>(5);
  std::optional<std::map<std::string, net>> table = std::map<std::string, net>{{"k", net{{6}, {}}}};
  std::variant<std::monostate, net, int> which = net{{5}, {}};
  std::variant<int, float> plain = 2.5f;
  std::vector<row> rows{{1, "one"}, {2, "two"}};
  std::vector<std::vector<float>> ragged{{1}, {2, 3}};
  std::map<int, net> numbered{{3, net{{1}, {}}}};
  std::map<std::string, int> counts{{"k", 1}};
  keeper kept{{1, 2}};
  std::vector<int> ints{1, 2, 3};
};

std::string code_of(auto f, std::string_view says = {}) {
  try {
    f();
    return "none";
  } catch (const error& e) {
    const std::string what = e.what();
    CHECK(what.starts_with("tidemark: cannot "));
    CAPTURE(what);
    CHECK(what.find(says) != std::string::npos);
    return std::string(name_of(e.code()));
  }
}

}  // namespace

TEST_CASE("every kind of path reads the value that lies there") {
  const world w;
  const memory file = saved(w);
  archive a = open(file);
  CHECK(a.read<std::uint64_t>("step") == 9);
  CHECK(a.read<std::string>("note") == "n");
  CHECK(a.read<std::array<double, 3>>("fixed") == w.fixed);
  CHECK(a.read<int>("triple.0") == 4);
  CHECK(a.read<net>("triple.1") == std::get<1>(w.triple));
  CHECK(a.read<std::vector<float>>("triple.1.weight") == std::vector<float>{5, 6});
  CHECK(a.read<std::string>("triple.2") == "t");
  CHECK(a.read<decltype(w.triple)>("triple") == w.triple);
  CHECK(a.read<net>("two.1") == w.two.second);
  CHECK(a.read<decltype(w.layers)>("layers") == w.layers);
  for (std::size_t i = 0; i < 3; ++i) CHECK(a.read<net>("layers." + std::to_string(i)) == w.layers[i]);
  CHECK(a.read<net>("heads.1") == w.heads[1]);
  CHECK(a.read<net>("grid.1.0") == w.grid[1][0]);
  CHECK(a.read<std::array<net, 2>>("grid.0") == w.grid[0]);
  CHECK(a.read<std::vector<float>>("grid.0.1.weight") == std::vector<float>{2});
  CHECK(a.read<net>("maybe") == *w.maybe);
  CHECK(a.read<std::optional<net>>("maybe") == w.maybe);
  CHECK(a.read<double>("maybe.scale") == 8.0);
  CHECK(a.read<std::optional<net>>("no") == std::nullopt);
  CHECK(a.read<decltype(w.twice)>("twice") == w.twice);
  CHECK(a.read<std::optional<int>>("twice") == 5);
  CHECK(a.read<int>("twice") == 5);
  CHECK(a.read<net>("table.k") == net{{6}, {}});
  CHECK(a.read<net>("which#1") == net{{5}, {}});
  CHECK(a.read<std::vector<float>>("which#1.weight") == std::vector<float>{5});
  CHECK(a.read<decltype(w.which)>("which") == w.which);
  CHECK(a.read<float>("plain#1") == 2.5f);
  CHECK(a.read<decltype(w.rows)>("rows") == w.rows);
  CHECK(a.read<decltype(w.ragged)>("ragged") == w.ragged);
  CHECK(a.read<decltype(w.numbered)>("numbered") == w.numbered);
  CHECK(a.read<net>("numbered.0") == w.numbered.at(3));
  CHECK(a.read<keeper>("kept") == w.kept);
  CHECK(a.read<std::vector<float>>("kept.values") == w.kept.values);
  CHECK(a.read<world>().ints == w.ints);
}

TEST_CASE("keys of maps: with dots, with escapes, one the beginning of the other, empty") {
  const world w;
  archive a = open(saved(w));
  CHECK(a.read<net>("groups.a") == w.groups.at("a"));
  CHECK(a.read<std::vector<float>>("groups.a.weight") == std::vector<float>{1});
  CHECK(a.read<net>("groups.a.b") == w.groups.at("a.b"));
  CHECK(a.read<net>("groups.a%2Eb") == w.groups.at("a.b"));
  CHECK(a.read<net>("groups.a%252Eb") == w.groups.at("a%2Eb"));
  CHECK(a.read<std::vector<float>>("groups.a.b.weight") == std::vector<float>{2});
  CHECK(a.read<net>("groups.") == w.groups.at(""));
  CHECK(a.read<std::vector<float>>("groups..weight") == std::vector<float>{3});
  CHECK(a.read<net>("groups.x%23y%25z") == w.groups.at("x#y%z"));
  for (const auto& [key, value] : w.tensors) CHECK(a.read<std::vector<float>>("tensors." + key) == value);
  CHECK(a.read<std::vector<float>>("escaped.x.weight") == std::vector<float>{2});
  CHECK(a.read<std::vector<float>>("escaped.x.at.weight") == std::vector<float>{1});       // the shortest key
  CHECK(a.read<std::vector<float>>("escaped.x%2Eat.weight") == std::vector<float>{4});     // that key
  CHECK(a.read<std::vector<float>>("escaped.x.at.at.weight") == std::vector<float>{3});    // only a longer one leads there
  CHECK(a.read<net>("choices.c.d#1.1") == net{{2}, {}});
  CHECK(a.read<int>("choices.c%2Ed#1.0") == 1);
}

TEST_CASE("roots that are no record") {
  const std::map<std::string, net> map{{"a.b", net{{1}, {}}}};
  archive a = open(saved(map));
  CHECK(a.read<net>("a.b") == map.at("a.b"));
  CHECK(a.read<net>("#root.a.b") == map.at("a.b"));  // as tensors() spells it
  CHECK(a.read<std::map<std::string, net>>() == map);
  archive b = open(saved(std::optional<net>(net{{3}, {}})));
  CHECK(b.read<std::vector<float>>("weight") == std::vector<float>{3});
  CHECK(b.read<net>() == net{{3}, {}});
  archive c = open(saved(std::variant<int, net>(net{{4}, {}})));
  CHECK(c.read<net>("#1") == net{{4}, {}});
  archive d = open(saved(std::vector<net>{net{{5}, {}}}));
  CHECK(d.read<net>("0") == net{{5}, {}});
  struct odd {
    std::vector<float> __metadata__{7};
  };
  archive e = open(saved(odd{}));
  CHECK(e.read<std::vector<float>>("__metadata__") == std::vector<float>{7});
}

TEST_CASE("a path that leads nowhere says how far it led and what there is") {
  archive a = open(saved(world{}));
  const auto fails = [&](std::string_view path, std::string_view code, std::string_view says) {
    CAPTURE(std::string(path));
    CHECK(code_of([&] { static_cast<void>(a.read<net>(path)); }, says) == code);
  };
  fails("nothing", "not_found", "the state has no \"nothing\"");
  fails("nothing", "not_found", "layers");
  fails("triple.3", "not_found", "\"triple\" has no \"3\"");
  fails("triple.01", "not_found", "\"triple\" has no \"01\"");
  fails("triple.one", "not_found", "has no \"one\"");
  fails("triple.1.bias", "not_found", "\"triple.1\" has no \"bias\"");
  fails("triple.1.bias", "not_found", "weight, scale");
  fails("layers.3", "not_found", "no element \"3\"");
  fails("layers.-1", "not_found", "no element");
  fails("layers.18446744073709551616", "not_found", "no element");
  fails("heads.2", "not_found", "no element");
  fails("layers.", "not_found", "no element");
  fails("layers.1.", "not_found", "has no");
  fails("groups.b", "not_found", "no key");
  fails("groups.a.c", "not_found", "\"groups.a\" has no \"c\"");
  fails("tensors.l", "not_found", "no key");
  fails("tensors.l.0.weight.x", "unsupported", "is one array");
  fails("no", "not_found", "without a value");
  fails("no.weight", "not_found", "without a value");
  fails("which#0", "not_found", "alternative #1");
  fails("which#3", "not_found", "below #3");
  fails("which.weight", "not_found", "is a variant");
  fails("step.x", "not_found", "\"step\" has no parts");
  fails("note.x", "not_found", "\"note\" has no parts");
  fails("ints.0", "unsupported", "slice<T>(\"ints\"");
  fails("step#has", "not_found", "no parts");
  fails("rows.0", "unsupported", "\"rows\" is stored by column");
  fails("rows.id", "unsupported", "slice<T>");
  fails("ragged.0", "unsupported", "by column");
  fails("numbered.3", "not_found", "counted from 0");
  fails("counts.k", "unsupported", "by column");
  fails(".step", "schema_mismatch", "different");  // a dot in front changes nothing
  fails("tidemark#digests", "not_found", "has no");
}

TEST_CASE("a part of another type is refused with every path, from the root of the file") {
  struct other_net {
    std::vector<double> weight;
    std::optional<double> scale;
    int more = 0;
  };
  archive a = open(saved(world{}));
  other_net target{{9}, 1.0, 2};
  for (const bool is_read : {true, false}) {
    const std::string code = code_of([&] { is_read ? void(a.read<other_net>("layers.1")) : void(a.restore(target, "layers.1")); }, "layers.1.weight");
    CHECK(code == "schema_mismatch");
    CHECK(code_of([&] { is_read ? void(a.read<other_net>("layers.1")) : void(a.restore(target, "layers.1")); }, "layers.1.more") == "schema_mismatch");
  }
  CHECK(target.weight == std::vector<double>{9});
  CHECK(code_of([&] { static_cast<void>(a.read<int>("step")); }, "different             step") == "schema_mismatch");
  CHECK(code_of([&] { static_cast<void>(a.read<int>()); }, "(root)") == "schema_mismatch");
  CHECK(code_of([&] { static_cast<void>(a.read<std::vector<float>>("kept")); }, "kept") == "schema_mismatch");
}
