// SPDX-License-Identifier: BSL-1.0
// store/schema_layout.test.cpp: what a schema says of the layout is what the type says.
#include <tidemark/store/schema_layout.hpp>

#include <tidemark/archive/layout.hpp>
#include <tidemark/model/schema_of.hpp>
#include <tidemark/model/schema_text.hpp>

#include <doctest/doctest.h>

#include <map>
#include <optional>
#include <variant>

#include "trainer.hpp"

using namespace tidemark;
using namespace tidemark::detail;

namespace {

struct nothing {};
struct row {
  int id = 0;
  std::string label;
};
struct wrapped {
  std::vector<row> snapshot() const { return {}; }
  void restore(std::vector<row>) {}
};
struct net {
  std::vector<float> weight;
  std::optional<row> info;
};

template <class T>
void check_one() {
  // As a file has it: through its text.
  const schema s = parse_schema(to_text(schema_of<T>()));
  CAPTURE(to_text(s));
  CHECK(schema_layout::has_runtime_array(s) == has_runtime_array<T>::value);
  CHECK(schema_layout::is_modular(s) == is_modular<T>::value);
  CHECK(schema_layout::is_plain_vector(s) == is_plain_vector<T>);
  CHECK(schema_layout::counter(s) == count_source_of<T>());
  CHECK(schema_layout::has_side_tensors(s, false) == has_side_tensors<T, false>());
  CHECK(schema_layout::has_side_tensors(s, true) == has_side_tensors<T, true>());
  if constexpr (category_of<T> == category::map) CHECK(schema_layout::is_named_map(s) == is_named_map<T>);
}

template <class T, int Depth>
void check_around() {
  check_one<T>();
  if constexpr (Depth > 0) {
    check_around<std::vector<T>, Depth - 1>();
    check_around<std::array<T, 2>, Depth - 1>();
    check_around<std::optional<T>, Depth - 1>();
    check_around<std::map<std::string, T>, Depth - 1>();
    check_around<std::map<int, T>, 0>();
    check_around<std::pair<nothing, T>, Depth - 1>();
    check_around<std::variant<std::monostate, std::pair<T, int>>, 0>();
  }
}

}  // namespace

TEST_CASE("a schema says of the layout what its type says, for every kind around every kind") {
  check_around<float, 2>();
  check_around<std::string, 2>();
  check_around<nothing, 2>();
  check_around<row, 2>();
  check_around<net, 2>();
  check_around<wrapped, 2>();
  check_one<trainer>();
  check_one<std::map<float, net>>();
}
