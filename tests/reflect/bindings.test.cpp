// SPDX-License-Identifier: BSL-1.0
// reflect/bindings.test.cpp: every number of members is bound, the last of them too.
#include <tidemark/reflect/bindings.hpp>

#include <doctest/doctest.h>

#include <array>
#include <utility>

using namespace tidemark::reflect::detail;

TEST_CASE("a visit gives the members in order, by reference, for every number of them") {
  [&]<std::size_t... N>(std::index_sequence<N...>) {
    const auto check = [&]<std::size_t Count>(std::integral_constant<std::size_t, Count>) {
      std::array<int, Count + 1> values{};  // structured bindings take arrays apart as they do aggregates
      const int* last = bindings<Count + 1>::visit(values, [](auto&... member) {
        const int* address = nullptr;
        ((address = &member), ...);
        return address;
      });
      CHECK(last == &values.back());
    };
    (check(std::integral_constant<std::size_t, N>{}), ...);
  }(std::make_index_sequence<most_bindings>{});
}
