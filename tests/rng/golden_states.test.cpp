// SPDX-License-Identifier: BSL-1.0
// tests/rng/golden_states.test.cpp: states mean the same under every standard library, and the same as elsewhere.
#include <tidemark/rng/mersenne_twister.hpp>

#include <doctest/doctest.h>
#include "golden_states.hpp"
#include "resume.hpp"

#include <random>
#include <vector>

using namespace tidemark;

namespace {

template <class E>
void is_as_written_down(const std::vector<golden::row>& rows) {
  for (const golden::row& row : rows) {
    CAPTURE(row.drawn);
    E engine(42);
    engine.discard(row.drawn);
    const auto state = resume::saved(engine);
    CHECK(state.position == row.position);
    CHECK(state.state.front() == row.words[0]);
    CHECK(state.state[row.position] == row.words[1]);
    CHECK(state.state.back() == row.words[2]);
    CHECK(golden::hash(state.state) == row.state);
    E resumed(7);
    resume::restore(resumed, state);
    std::vector<typename detail::twister<E>::word> following;
    for (std::size_t draw = 0; draw < 3 * E::state_size; ++draw) following.push_back(static_cast<typename detail::twister<E>::word>(resumed()));
    CHECK(following.front() == row.next);
    CHECK(golden::hash(following) == row.following);
  }
}

}  // namespace

TEST_CASE("an mt19937 is saved as the words that the standard defines, whatever the library holds") {
  is_as_written_down<std::mt19937>(golden::mt19937);
}

TEST_CASE("an mt19937_64 is saved as the words that the standard defines, whatever the library holds") {
  is_as_written_down<std::mt19937_64>(golden::mt19937_64);
}

TEST_CASE_TEMPLATE("a state that another library wrote gives that library's numbers", E, std::mt19937, std::mt19937_64) {
  for (const golden::row& row : std::is_same_v<E, std::mt19937> ? golden::mt19937 : golden::mt19937_64) {
    CAPTURE(row.drawn);
    const auto state = golden::stepped<E>(42, row.drawn);
    REQUIRE(golden::hash(state.state) == row.state);
    E resumed(7), here(42);
    resumed.discard(100);
    resume::restore(resumed, state);
    here.discard(row.drawn);
    CHECK(resumed == here);
    std::vector<typename detail::twister<E>::word> following;
    for (std::size_t draw = 0; draw < 3 * E::state_size; ++draw) following.push_back(static_cast<typename detail::twister<E>::word>(resumed()));
    CHECK(golden::hash(following) == row.following);
  }
}
