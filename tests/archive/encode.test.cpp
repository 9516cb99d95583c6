// SPDX-License-Identifier: BSL-1.0
// archive/encode.test.cpp: the names, dtypes and shapes of a state, as docs/format.md says.
#include <tidemark/archive/encode.hpp>

#include <doctest/doctest.h>

#include "held_tensors.hpp"
#include "samples.hpp"

using namespace samples;

TEST_CASE("members are tensors of their own names, scalars without extents, arrays with their shape") {
  struct state {
    std::uint64_t step = 3;
    std::vector<float> weights = {1, 2};
    struct {
      std::vector<float> m = {1};
      float lr = 0.5f;
      bool on = true;
    } optimizer;
    std::array<std::array<double, 3>, 2> matrix{};
    std::vector<std::array<float, 4>> table = std::vector<std::array<float, 4>>(5);
    std::vector<bool> bits = {true, false, true};
    std::string name = "abc";
    long double wide = 1;
    gauge level;
    std::tuple<int, std::string> pair = {1, "x"};
  };
  CHECK(held::listing(held::encode(state{})) ==
        "wide U8 [16]\nstep U64 []\nmatrix F64 [2, 3]\nweights F32 [2]\noptimizer.m F32 [1]\noptimizer.lr F32 []\ntable F32 [5, 4]\n"
        "level.level I32 []\npair.0 I32 []\noptimizer.on BOOL []\nbits BOOL [3]\nname U8 [3]\nlevel.marks U8 [2]\npair.1 U8 [1]\n");
}

TEST_CASE("modules are named one by one, and so are arrays and modules in a map with text keys") {
  struct state {
    std::vector<module_> layers = std::vector<module_>(2);
    std::map<std::string, std::vector<float>> dict{{"fc.0.weight", {1, 2}}, {"b#", {}}};
    std::map<std::string, module_> named{{"a.b", {}}};
    std::map<int, module_> numbered{{-4, {}}};
    std::array<module_, 1> fixed{};
    std::optional<module_> absent;
    std::vector<std::vector<module_>> nested{{}, {{}}};
  };
  const std::string list = held::listing(held::encode(state{}));
  for (const char* line : {"layers#size U64 []", "layers.0.weight F32 [0]", "layers.1.table F64 [0, 2]", "layers.1.info.name U8 [1]", "dict.fc.0.weight F32 [2]",
                           "dict.b%23 F32 [0]", "dict#keys U8 [13]", "dict#keys#offsets U64 [3]", "named.a%2Eb.weight F32 [0]", "numbered#keys I32 [1]",
                           "numbered.0.weight F32 [0]", "fixed.0.weight F32 [0]", "absent#has BOOL []", "nested#size U64 []", "nested.0#size U64 []", "nested.1.0.weight F32 [0]"}) {
    CAPTURE(line);
    CHECK(("\n" + list).find("\n" + std::string(line) + "\n") != std::string::npos);
  }
  CHECK(list.find("fixed#size") == std::string::npos);
  CHECK(list.find("absent.") == std::string::npos);
}

TEST_CASE("an absent optional and the alternatives that a variant does not hold leave only their side tensor") {
  using choice = std::variant<int, std::string, std::vector<float>>;
  CHECK(held::listing(held::encode(choice{5})) == "#root#index U32 []\n#root#0 I32 []\n");
  CHECK(held::listing(held::encode(choice{std::vector<float>{1, 2}})) == "#root#index U32 []\n#root#2 F32 [2]\n");
  CHECK(held::listing(held::encode(std::optional<int>{})) == "#root#has BOOL []\n");
  CHECK(held::listing(held::encode(std::optional<int>{4})) == "#root I32 []\n#root#has BOOL []\n");
  CHECK(held::listing(held::encode(std::optional<std::optional<int>>{std::optional<int>{}})) == "#root#has BOOL []\n#root#item#has BOOL []\n");
}

TEST_CASE("a root that is no record is called #root") {
  CHECK(held::listing(held::encode(7)) == "#root I32 []\n");
  CHECK(held::listing(held::encode(std::vector<float>{1})) == "#root F32 [1]\n");
  CHECK(held::listing(held::encode(std::map<std::string, std::vector<float>>{{"a", {1}}})) == "#root#keys#offsets U64 [2]\n#root.a F32 [1]\n#root#keys U8 [1]\n");
  CHECK(held::listing(held::encode(gauge{})) == "level I32 []\nmarks U8 [2]\n");
  CHECK(held::listing(held::encode(empty{})) == "");
}

TEST_CASE("bytes are the little-endian values") {
  struct state {
    std::uint16_t a = 0x0102;
    float b = 1;
    std::vector<std::uint32_t> c = {1, 0x01020304};
    bool d = true;
    char e = 'x';
  };
  const auto all = held::encode(state{});
  const auto bytes = [&](const char* name) {
    for (const auto& t : all) {
      if (t.name == name) return t.bytes;
    }
    return std::string("missing");
  };
  CHECK(bytes("a") == "\x02\x01");
  CHECK(bytes("b") == std::string("\0\0\x80\x3f", 4));
  CHECK(bytes("c") == std::string("\1\0\0\0\4\3\2\1", 8));
  CHECK(bytes("d") == "\1");
  CHECK(bytes("e") == "x");
}

TEST_CASE("a variant that lost its value in a failed assignment is refused") {
  struct bomb {
    int x = 0;
    bomb() = default;
    bomb(const bomb&) { throw 1; }
    bomb& operator=(const bomb&) = default;
    int snapshot() const { return x; }
    void restore(int v) { x = v; }
  };
  std::variant<int, bomb> v{1};
  const bomb b;
  try {
    v.emplace<1>(b);
  } catch (int) {
  }
  REQUIRE(v.valueless_by_exception());
  CHECK_THROWS_AS(held::encode(v), tidemark::error);
  std::vector<std::variant<int, bomb>> many(1);
  try {
    many[0].emplace<1>(b);
  } catch (int) {
  }
  CHECK_THROWS_AS(held::encode(many), tidemark::error);
}

TEST_CASE("nothing large is copied: arrays are planned where they lie") {
  std::vector<std::vector<float>> many(3);
  struct state {
    std::vector<float> weights = {1, 2};
    std::array<double, 4> fixed{};
    std::string text = "a text that is long enough to lie outside the string itself";
  } s;
  const auto plan = tidemark::detail::plan_of(s);
  for (const auto& t : plan.tensors()) {
    CHECK((t.write == nullptr));
    CHECK(t.source == (t.info.name == "weights" ? static_cast<const void*>(s.weights.data()) : t.info.name == "fixed" ? static_cast<const void*>(s.fixed.data()) : s.text.data()));
  }
}
