// SPDX-License-Identifier: BSL-1.0
// archive/layout.test.cpp: what is a module, what is a row, what has side tensors.
#include <tidemark/archive/layout.hpp>

#include <doctest/doctest.h>

#include "samples.hpp"

using namespace tidemark::detail;
using namespace samples;

static_assert(layout_of<gauge> == category::record && std::is_same_v<stored<int>, int>);

// A record with an array of run-time size is a module; text does not make one.
static_assert(!is_modular<row>::value && is_modular<module_>::value && is_modular<record<std::vector<int>>>::value);
static_assert(!is_modular<record<std::string>>::value && !is_modular<record<std::array<std::array<int, 9>, 9>>>::value && !is_modular<gauge>::value);
static_assert(is_modular<record<std::map<int, int>>>::value && is_modular<record<std::optional<std::vector<int>>>>::value);
static_assert(is_modular<std::vector<std::vector<module_>>>::value && is_modular<std::optional<module_>>::value && is_modular<std::pair<std::string, std::vector<int>>>::value);
static_assert(!is_modular<std::vector<float>>::value && !is_modular<std::vector<std::vector<std::string>>>::value && !is_modular<std::map<int, row>>::value);

static_assert(is_named_map<std::map<std::string, std::vector<float>>> && is_named_map<std::map<std::string, module_>>);
static_assert(!is_named_map<std::map<int, module_>> && !is_named_map<std::map<std::string, row>> && !is_named_map<std::map<std::string, std::string>>);

static_assert(has_side_tensors<std::optional<int>, false>() && has_side_tensors<std::map<int, int>, false>() && has_side_tensors<std::variant<int>, false>());
static_assert(!has_side_tensors<std::string, false>() && has_side_tensors<std::string, true>());
static_assert(!has_side_tensors<std::vector<int>, false>() && has_side_tensors<std::vector<int>, true>());
static_assert(!has_side_tensors<std::vector<row>, false>() && has_side_tensors<std::vector<module_>, false>() && has_side_tensors<std::vector<std::string>, false>());
static_assert(!has_side_tensors<row, true>() && !has_side_tensors<int, true>() && has_side_tensors<std::array<std::string, 2>, false>());

static_assert(count_source_of<int>() == count_source::shape && count_source_of<std::string>() == count_source::offsets);
static_assert(count_source_of<row>() == count_source::shape && count_source_of<empty>() == count_source::size_tensor);
static_assert(count_source_of<record<empty>>() == count_source::shape && count_source_of<std::tuple<empty, empty>>() == count_source::size_tensor);
static_assert(count_source_of<std::array<row, 2>>() == count_source::shape && count_source_of<std::array<std::string, 2>>() == count_source::size_tensor);

TEST_CASE("the rules that decide names hold for types alone") { CHECK(element_bytes<double> == 8); }
