// SPDX-License-Identifier: BSL-1.0
// model/schema_of.test.cpp: the schema of a C++ type.
#include <tidemark/model/schema_of.hpp>

#include <doctest/doctest.h>

#include <map>

#include <chrono>
#include <string>

using namespace tidemark;

namespace {

struct circle {
  static constexpr std::string_view checkpoint_name = "circle";
  double size;
};
struct square {
  static constexpr std::string_view checkpoint_name = "square";
  double size;
};
struct disc {
  double size;
};
struct plate {
  double size;
};
class counter {
 public:
  static constexpr std::string_view checkpoint_name = "counter.1";
  disc snapshot() const { return {}; }
  void restore(disc) {}
};
template <int Which>
class reserved {  // a name by which files tell a hashed container from a list
 public:
  static constexpr std::string_view checkpoint_name = Which == 0 ? "unordered" : Which == 1 ? "multi" : "unordered_multi";
  std::vector<int> snapshot() const { return {}; }
  void restore(std::vector<int>) {}
};
struct everything {
  std::uint64_t step;
  bool flag;
  std::string name;
  std::vector<float> weights;
  std::array<std::array<float, 3>, 2> matrix;
  std::vector<disc> rows;
  std::map<std::string, std::vector<double>> dict;
  std::optional<std::pair<int, char>> maybe;
  std::variant<circle, square> shape;
  counter engine;
  std::chrono::milliseconds elapsed;
};
struct as_long {
  long a;
  unsigned long b;
};
struct as_long_long {
  std::conditional_t<sizeof(long) == 8, long long, int> a;
  std::conditional_t<sizeof(long) == 8, unsigned long long, unsigned> b;
};

}  // namespace

TEST_CASE("a schema has kinds and names of every part, and no C++ type name") {
  CHECK(to_text(schema_of<everything>()) ==
        "{step:u64,flag:bool,name:text,weights:[f32],matrix:[[f32;3];2],rows:[{size:f64}],dict:<text,[f64]>,maybe:?(i32,char,),"
        "shape:(@circle={size:f64}|@square={size:f64}|),engine:@counter.1={size:f64},elapsed:duration:i64:1/1000}");
  CHECK(schema_of<as_long>() == schema_of<as_long_long>());
}

TEST_CASE("alternatives that a file could not tell apart are refused, with the way out") {
  CHECK_NOTHROW(schema_of<std::variant<circle, square>>());
  CHECK_NOTHROW(schema_of<std::variant<std::monostate, int, float>>());
  try {
    schema_of<std::variant<disc, plate>>();
    FAIL("accepted");
  } catch (const error& e) {
    CHECK(e.code() == errc::unsupported);
    CHECK(std::string(e.what()).find("checkpoint_name") != std::string::npos);
  }
  CHECK_THROWS_AS((schema_of<std::variant<int, int>>()), error);
}

TEST_CASE("no class can call itself what marks a container") {
  CHECK_THROWS_AS(schema_of<reserved<0>>(), error);
  CHECK_THROWS_AS(schema_of<reserved<1>>(), error);
  CHECK_THROWS_AS(schema_of<std::vector<reserved<2>>>(), error);
}

TEST_CASE("a description has a line for each member") {
  const std::string text = describe<everything>();
  for (const char* line : {"  step                           u64\n", "  weights                        [f32]\n", "  rows.*.size ", "  dict.* ", "  shape.#1.size ", "  maybe.1 "}) {
    CAPTURE(line);
    CHECK(text.find(line) != std::string::npos);
  }
}
