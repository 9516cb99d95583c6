// SPDX-License-Identifier: BSL-1.0
// rng/engine_text.hpp: the text operators of an engine, as numbers and under the classic locale (floor: rng).
#ifndef TIDEMARK_RNG_ENGINE_TEXT_HPP
#define TIDEMARK_RNG_ENGINE_TEXT_HPP

#include <charconv>
#include <cstdint>
#include <locale>
#include <sstream>
#include <string>
#include <vector>

namespace tidemark::detail {

/// The numbers that `engine` prints. A grouping global locale would print `3,107,752,595`, which no other locale reads.
template <class E>
std::vector<std::uint64_t> numbers_of(const E& engine) {
  std::ostringstream stream;
  stream.imbue(std::locale::classic());
  stream << engine;
  const std::string text = stream.str();
  std::vector<std::uint64_t> numbers;
  const char* at = text.data();
  const char* const end = at + text.size();
  while (at != end) {
    std::uint64_t number = 0;
    const auto [next, failure] = std::from_chars(at, end, number);
    if (failure == std::errc{}) numbers.push_back(number);
    at = failure == std::errc{} ? next : at + 1;
  }
  return numbers;
}

/// Makes `engine` what a stream of these numbers says; false, and `engine` unchanged, where it takes no such numbers.
template <class E>
bool read_numbers(E& engine, const std::vector<std::uint64_t>& numbers) {
  std::string text;
  for (const std::uint64_t number : numbers) text += std::to_string(number) + ' ';
  std::istringstream stream(text);
  stream.imbue(std::locale::classic());
  E read;  // a failed read leaves an engine of libstdc++ half overwritten
  stream >> read;
  if (stream.fail()) return false;
  engine = read;
  return true;
}

}  // namespace tidemark::detail
#endif
