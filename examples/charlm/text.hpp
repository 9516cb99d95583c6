// SPDX-License-Identifier: BSL-1.0
// examples/charlm/text.hpp: a text as symbols of its own alphabet, and the windows a model is trained on.
#ifndef TIDEMARK_EXAMPLES_CHARLM_TEXT_HPP
#define TIDEMARK_EXAMPLES_CHARLM_TEXT_HPP

#include <cstddef>
#include <cstdint>
#include <fstream>
#include <iterator>
#include <set>
#include <span>
#include <stdexcept>
#include <string>
#include <vector>

namespace charlm {

/// Characters that the model sees before the one it predicts.
inline constexpr std::size_t context = 16;

/// `context` symbols, and the one that follows them.
struct window {
  std::span<const std::uint8_t, context> before;
  std::uint8_t next;
};

/// A text whose characters are indices into `alphabet`, its distinct bytes in ascending order.
struct text {
  std::string alphabet;
  std::vector<std::uint8_t> symbols;

  /// How many windows the text has, one a character that has `context` characters before it.
  std::size_t windows() const { return symbols.size() - context; }

  window operator[](std::size_t first) const {
    return {std::span{symbols}.subspan(first).first<context>(), symbols[first + context]};
  }
};

/// Where `character` stands in `alphabet`; the first symbol stands in for a character that is not there.
inline std::uint8_t symbol_of(char character, const std::string& alphabet) {
  const auto at = alphabet.find(character);
  return at == std::string::npos ? std::uint8_t{0} : static_cast<std::uint8_t>(at);
}

/// Reads a file of any bytes. Throws `std::runtime_error` when there is none, or when it is too short for two windows.
inline text read_text(const std::string& path) {
  std::ifstream file{path, std::ios::binary};
  if (!file) throw std::runtime_error{"cannot read the text " + path + ": no such file, or no permission"};
  const std::string bytes{std::istreambuf_iterator<char>{file}, {}};
  if (bytes.size() < context + 2)
    throw std::runtime_error{"the text " + path + " has " + std::to_string(bytes.size()) + " bytes; at least " +
                             std::to_string(context + 2) + " are needed"};
  const std::set<unsigned char> distinct{bytes.begin(), bytes.end()};
  text result{.alphabet = {distinct.begin(), distinct.end()}, .symbols = {}};
  result.symbols.reserve(bytes.size());
  for (const char character : bytes) result.symbols.push_back(symbol_of(character, result.alphabet));
  return result;
}

}  // namespace charlm
#endif
