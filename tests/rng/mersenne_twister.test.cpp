// SPDX-License-Identifier: BSL-1.0
// tests/rng/mersenne_twister.test.cpp: what a user of std::mt19937, std::mt19937_64 and their kin may rely on.
#include <tidemark/rng/mersenne_twister.hpp>

#include <doctest/doctest.h>
#include "resume.hpp"
#include "twisters.hpp"

#include <array>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <new>
#include <random>
#include <type_traits>

using namespace tidemark;
using detail::twister_path;

using namespace twisters;

TEST_CASE_TEMPLATE("a Mersenne twister resumes at every position of its block", E, std::mt19937, std::mt19937_64, tiny, narrow, wide_low, all_low, adjacent) {
  REQUIRE(detail::proved_path<E>() == twister_path::memory);  // else the fast way lies idle
  constexpr std::size_t n = E::state_size;
  E original(42);
  for (std::size_t drawn = 0; drawn <= 2 * n + 1; ++drawn, original()) resumes(original, twister_path::memory);
  for (const std::size_t generations : {10u, 1000u}) {
    E late(99);
    late.discard(generations * n - 1);
    for (int around = 0; around < 3; ++around, late()) resumes(late, twister_path::memory);
  }
}

TEST_CASE("a resumed mt19937 and mt19937_64 give the standard's 10000th number") {
  std::mt19937 a, a_resumed(1);
  a.discard(5000);
  resume::restore(a_resumed, resume::saved(a));
  a_resumed.discard(4999);
  CHECK(a_resumed() == 4123659995);
  std::mt19937_64 b, b_resumed(1);
  b.discard(5000);
  resume::restore(b_resumed, resume::saved(b));
  b_resumed.discard(4999);
  CHECK(b_resumed() == 9981545732273789042u);
}

TEST_CASE("saving draws nothing, and what is saved does not depend on the memory around it") {
  std::mt19937_64 engine(11), same(11);
  engine.discard(17);
  same.discard(17);
  const auto first = resume::saved(engine);
  CHECK(engine == same);
  for (const int fill : {0xAA, 0x55}) {
    alignas(std::mt19937_64) unsigned char room[sizeof(std::mt19937_64)];
    std::memset(room, fill, sizeof room);
    auto* placed = ::new (room) std::mt19937_64(11);
    placed->discard(17);
    CHECK(resume::saved(*placed) == first);
    placed->~mersenne_twister_engine();
  }
}

TEST_CASE_TEMPLATE("a state that no Mersenne twister has is refused, and the engine stays as it was", E, std::mt19937, std::mt19937_64, tiny, narrow, adjacent) {
  constexpr std::size_t n = E::state_size;
  using rule = detail::twister<E>;
  E engine(5);
  engine.discard(n + n / 2);
  const auto good = resume::saved(engine);
  REQUIRE(good.position == n / 2);
  for (const std::uint64_t position : {std::uint64_t{n}, std::uint64_t{n + 1}, std::uint64_t{1000000}, ~std::uint64_t{0}}) {
    auto bad = good;
    bad.position = position;
    CHECK(resume::refused_field(engine, bad) == "position");
  }
  if (rule::all != static_cast<typename rule::word>(~std::uint64_t{0})) {
    for (const std::size_t at : {std::size_t{0}, n / 2, n - 1}) {
      auto bad = good;
      bad.state[at] = static_cast<typename rule::word>(bad.state[at] | (rule::all + std::uint64_t{1}));
      CHECK(resume::refused_field(engine, bad) == "state");
    }
  }
  for (const std::uint64_t position : {std::uint64_t{0}, std::uint64_t{1}, std::uint64_t{n - 1}}) {
    auto zero = good;
    zero.state.fill(0);
    zero.position = position;
    CHECK(resume::refused_field(engine, zero) == "state");
    zero.state[position] = rule::low;  // on these bits nothing depends
    CHECK(resume::refused_field(engine, zero) == "state");
  }
}

TEST_CASE_TEMPLATE("a position that does not belong to the words is refused", E, std::mt19937, std::mt19937_64) {
  constexpr std::size_t n = E::state_size;
  E engine(5);
  engine.discard(n + n / 2);
  const auto good = resume::saved(engine);
  for (std::uint64_t position = 1; position < n; ++position) {  // at 0 there is no such redundancy
    auto bad = good;
    bad.position = position;
    REQUIRE(resume::refused_field(engine, bad) == (position == good.position ? "accepted" : "position"));
  }
}

TEST_CASE("a Mersenne twister is known by its parameters, not by its C++ type") {
  CHECK(represent<std::mt19937>::name() == "mt19937");
  CHECK(represent<std::mt19937_64>::name() == "mt19937_64");
  using in_32_bits = std::mersenne_twister_engine<std::uint32_t, 32, 624, 397, 31, 0x9908B0DF, 11, 0xFFFFFFFF, 7, 0x9D2C5680, 15, 0xEFC60000, 18, 1812433253>;
  CHECK(represent<in_32_bits>::name() == "mt19937");
  std::mt19937 from(4);
  from.discard(1000);
  in_32_bits to;
  resume::restore(to, resume::saved(from));
  for (int draw = 0; draw < 2000; ++draw) REQUIRE(to() == from());
  CHECK(represent<tiny>::name() == "mersenne_twister<31,5,2,7,1513827357,11,2147483647,7,489444992,15,1875247104,18,1812433253>");
}

namespace {
template <class E>
concept HasRepresentation = detail::Represented<E>;
using singular = std::mersenne_twister_engine<std::uint32_t, 32, 5, 2, 7, 0x1A3B2C1D, 11, 0xFFFFFFFF, 7, 0x9D2C5680, 15, 0xEFC60000, 18, 1812433253>;
using whole = std::mersenne_twister_engine<std::uint32_t, 32, 5, 5, 7, 0x9A3B2C1D, 11, 0xFFFFFFFF, 7, 0x9D2C5680, 15, 0xEFC60000, 18, 1812433253>;
using widest = std::mersenne_twister_engine<std::uint32_t, 32, 5, 2, 32, 0x9A3B2C1D, 11, 0xFFFFFFFF, 7, 0x9D2C5680, 15, 0xEFC60000, 18, 1812433253>;
static_assert(HasRepresentation<tiny> && !HasRepresentation<singular> && !HasRepresentation<whole> && !HasRepresentation<widest>);
static_assert(std::is_same_v<decltype(represent<std::mt19937>::type::state), std::array<std::uint32_t, 624>>);
static_assert(std::is_same_v<decltype(represent<std::mt19937_64>::type::state), std::array<std::uint64_t, 312>>);
}  // namespace
