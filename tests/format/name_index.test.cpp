// SPDX-License-Identifier: BSL-1.0
// format/name_index.test.cpp: names are found, and ordered by their bytes.
#include <tidemark/format/name_index.hpp>

#include <doctest/doctest.h>

#include <algorithm>
#include <random>
#include <set>
#include <string>
#include <vector>

using namespace tidemark;
using namespace tidemark::detail;

namespace {

std::vector<tensor_info> named(const std::vector<std::string>& names) {
  std::vector<tensor_info> tensors;
  for (const auto& name : names) tensors.push_back({.name = name, .shape = {}});
  return tensors;
}

}  // namespace

TEST_CASE("every name is found where it was put, others are not, and a second one of the same name is refused") {
  std::vector<std::string> names{""};
  for (int i = 0; i < 5000; ++i) names.push_back("layers." + std::to_string(i) + ".weight");
  const auto tensors = named(names);
  name_index index(tensors.size());
  for (std::uint32_t i = 0; i < tensors.size(); ++i) REQUIRE(index.insert(tensors, i));
  for (std::uint32_t i = 0; i < tensors.size(); ++i) {
    REQUIRE(index.find(tensors, names[i]) == i);
    REQUIRE_FALSE(index.insert(tensors, i));
    REQUIRE(index.find(tensors, names[i] + "x") == name_index::none);
  }
  CHECK(name_index{}.find(tensors, "layers.1.weight") == name_index::none);
}

TEST_CASE("the order is that of the bytes, whatever the names share and whatever bytes they have") {
  std::mt19937 random{3};
  for (int round = 0; round < 300; ++round) {
    std::set<std::string> unique;
    const std::string shared(random() % 12, 'p');
    for (int i = 0; i < 60; ++i) {
      std::string name = shared;
      for (std::size_t n = random() % 14; n-- > 0;) name += static_cast<char>(random() % 3 == 0 ? random() % 256 : 'a' + random() % 2);
      unique.insert(name);
    }
    std::vector<std::string> names(unique.begin(), unique.end());
    std::shuffle(names.begin(), names.end(), random);
    std::vector<std::string> sorted;
    for (const auto at : order_by_name(named(names))) sorted.push_back(names[at]);
    REQUIRE(std::equal(sorted.begin(), sorted.end(), unique.begin(), unique.end()));
  }
  CHECK(order_by_name({}).empty());
}
