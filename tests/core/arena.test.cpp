// SPDX-License-Identifier: BSL-1.0
// core/arena.test.cpp: memory that is handed out in order and freed at once.
#include <tidemark/core/arena.hpp>

#include <doctest/doctest.h>

#include <memory>
#include <string>

using tidemark::detail::arena;

TEST_CASE("an arena aligns every object and keeps addresses, whatever the sizes asked for") {
  arena a;
  std::vector<std::pair<std::uint64_t*, std::uint64_t>> kept;
  for (std::uint64_t i = 0; i < 5000; ++i) {
    a.copy(std::string_view("abc").substr(0, i % 4));  // shifts the next object off its alignment
    kept.emplace_back(a.make<std::uint64_t>(i), i);
    if (i % 1000 == 0) a.allocate(std::size_t{3} << 20, 64);
  }
  for (const auto& [address, value] : kept) {
    REQUIRE(reinterpret_cast<std::uintptr_t>(address) % alignof(std::uint64_t) == 0);
    REQUIRE(*address == value);
  }
  for (std::size_t alignment = 1; alignment <= 4096; alignment *= 2) {
    REQUIRE(reinterpret_cast<std::uintptr_t>(a.allocate(1, alignment)) % alignment == 0);
  }
}

TEST_CASE("an arena destroys what it made, last first, once, also after it was moved") {
  std::string order;
  struct noted {
    std::string& text;
    char letter;
    noted(std::string& t, char l) : text(t), letter(l) {}
    ~noted() { text += letter; }
  };
  {
    arena first;
    first.make<noted>(order, 'a');
    arena second(std::move(first));
    second.make<noted>(order, 'b');
    arena third;
    third.make<noted>(order, 'z');
    third = std::move(second);
    CHECK(order == "z");
    third.make<noted>(order, 'c');
  }
  CHECK(order == "zcba");
}

TEST_CASE("an arena copies texts and numbers") {
  arena a;
  std::string text = "weights";
  const auto kept = a.copy(text);
  text = "changed";
  CHECK(kept == "weights");
  const std::uint64_t numbers[] = {1, 2, 3};
  const auto view = a.copy(std::span<const std::uint64_t>(numbers));
  CHECK(std::vector<std::uint64_t>(view.begin(), view.end()) == std::vector<std::uint64_t>{1, 2, 3});
  CHECK(a.copy(std::string_view{}).empty());
}
