// SPDX-License-Identifier: BSL-1.0
// store/export_weights.test.cpp: a plain safetensors file of the arrays, under the names of a state_dict, and nothing else.
#include <tidemark/store/export_weights.hpp>

#include <doctest/doctest.h>

#include <tidemark/store/archive_view.hpp>
#include <tidemark/store/load_tensors.hpp>

#include <array>
#include <cstdlib>
#include <fstream>
#include <map>
#include <optional>
#include <tuple>
#include <variant>

#include "trainer.hpp"

using namespace tidemark;

namespace {

struct linear {
  std::vector<std::array<float, 2>> weight{{1, 2}, {3, 4}};
  std::optional<std::vector<float>> bias;
};
struct row {
  int id = 1;
  std::array<float, 2> at{};
};
class sealed {
 public:
  struct stored {
    std::vector<float> values{1};
    int count = 2;
  };
  stored snapshot() const { return {}; }
  void restore(stored) {}
};
struct net {
  std::vector<linear> layers{linear{}, linear{{{5, 6}}, std::vector<float>{7}}};
  std::map<std::string, std::vector<double>> named{{"a.b", {1}}, {"c", {}}};
  std::map<std::string, std::array<float, 2>> fixed{{"x", {1, 2}}};
  std::map<int, linear> numbered{{4, {}}};
  std::variant<int, linear> which = linear{};
  std::optional<std::map<std::string, linear>> table = std::map<std::string, linear>{{"k", {}}};
  std::vector<std::vector<std::int8_t>> ragged{{1}, {2, 3}};
  std::tuple<std::vector<std::uint16_t>, int> both{{1, 2}, 3};
  std::array<bool, 3> mask{true, false, true};
  std::vector<bool> flags{true};
  sealed inner;
  std::vector<long double> wide{1};
  std::vector<row> rows{{}};
  std::vector<int> none;
  std::string note = "text";
  std::vector<std::string> words{"a"};
  double loss = 0.5;
};

template <class T>
std::map<std::string, std::string> exported(const T& state, const export_options& options = {}) {
  memory m;
  const save_report report = export_weights(state, m, options);
  CHECK(report.bytes == m.size());
  const archive_view view(m);
  CHECK_FALSE(view.has_digests());
  CHECK_FALSE(view.stored_schema());
  CHECK(view.metadata("format") == "pt");
  CHECK(report.tensors == view.tensors().size());
  std::map<std::string, std::string> all;
  for (const auto& t : view.tensors()) all[std::string(t.name)] = detail::shape_text(t.type, t.shape);
  return all;
}

std::string code_of(auto f) {
  try {
    f();
    return "none";
  } catch (const error& e) {
    CHECK(std::string(e.what()).starts_with("tidemark: cannot export memory: "));
    return std::string(name_of(e.code()));
  }
}

}  // namespace

TEST_CASE("arrays of every kind of place are there under the names of a state_dict; nothing else is") {
  const std::map<std::string, std::string> expected{
      {"layers.0.weight", "F32 [2, 2]"}, {"layers.1.weight", "F32 [1, 2]"}, {"layers.1.bias", "F32 [1]"}, {"named.a.b", "F64 [1]"}, {"named.c", "F64 [0]"},
      {"fixed.x", "F32 [2]"}, {"numbered.0.weight", "F32 [2, 2]"}, {"which.weight", "F32 [2, 2]"}, {"table.k.weight", "F32 [2, 2]"}, {"ragged.0", "I8 [1]"},
      {"ragged.1", "I8 [2]"}, {"both.0", "U16 [2]"}, {"mask", "BOOL [3]"}, {"flags", "BOOL [1]"}, {"inner.values", "F32 [1]"}, {"none", "I32 [0]"}};
  CHECK(exported(net{}) == expected);
}

TEST_CASE("roots without a name: maps and sequences give theirs to their parts, an array has none") {
  CHECK(exported(std::map<std::string, std::vector<float>>{{"a.b", {1}}}) == std::map<std::string, std::string>{{"a.b", "F32 [1]"}});
  CHECK(exported(std::vector<linear>(1)) == std::map<std::string, std::string>{{"0.weight", "F32 [2, 2]"}});
  CHECK(exported(5).empty());
  memory m;
  CHECK(code_of([&] { export_weights(std::vector<float>{1}, m); }) == "unsupported");
}

TEST_CASE("the caller chooses arrays, and metadata but the library's own") {
  const auto kept = exported(net{}, {.metadata = {{"by", "me"}}, .keep = [](const tensor_info& t) { return t.type == dtype::f64 && t.bytes == 8 && t.name == "named.a.b"; }});
  CHECK(kept == std::map<std::string, std::string>{{"named.a.b", "F64 [1]"}});
  memory m;
  for (const char* key : {"format", "tidemark"}) CHECK(code_of([&] { export_weights(net{}, m, {.metadata = {{key, "x"}}}); }) == "unsupported");
  CHECK(m.bytes().empty());
}

TEST_CASE("two arrays of one name are refused") {
  struct deep {
    linear at;
    std::vector<float> weight;
  };
  memory m;
  CHECK(code_of([&] { export_weights(std::map<std::string, deep>{{"x", {}}, {"x.at", {}}}, m); }) == "unsupported");
}

TEST_CASE("what was exported comes back by load_tensors, and from a file") {
  const folder f;
  net state;
  state.layers[0].weight = {{9, 8}};
  const auto path = f.path / "weights.safetensors";
  CHECK(export_weights(state, path).level == durability::power);
  std::vector<linear> layers(2);
  layers[1].bias.emplace();
  load_tensors(archive_view(path), layers, {{"", "layers"}});
  CHECK(layers[0].weight == state.layers[0].weight);
  CHECK(layers[1].bias == state.layers[1].bias);
}

TEST_CASE("the bytes of an export begin where the header says, at a multiple of 64, and end with the file") {
  memory m;
  struct two {
    std::vector<std::uint8_t> bytes{1, 2, 3};
    std::vector<double> numbers{4};
  };
  export_weights(two{}, m);
  const archive_view view(m);
  CHECK(view.elements<double>("numbers")[0] == 4);
  CHECK(view.elements<std::uint8_t>("bytes")[2] == 3);
  CHECK(m.size() % 64 == 11);
}
