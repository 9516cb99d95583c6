// SPDX-License-Identifier: BSL-1.0
// model/schema_text.hpp: reads a schema from its text, which comes from a file and may be anything (floor: model).
#ifndef TIDEMARK_MODEL_SCHEMA_TEXT_HPP
#define TIDEMARK_MODEL_SCHEMA_TEXT_HPP

#include <tidemark/core/error.hpp>
#include <tidemark/model/schema.hpp>

#include <cstdint>
#include <string>
#include <string_view>

namespace tidemark {
namespace detail {

/// A recursive-descent parser whose depth and number of types are limited, and with them its memory.
class schema_parser {
 public:
  explicit schema_parser(std::string_view text) : text_(text) {}

  schema parse();

 private:
  static constexpr std::size_t max_types = 100'000;
  static constexpr std::size_t max_rank = 16;

  [[noreturn]] void fail(std::string_view expected) const;

  bool next_is(char c) const { return at_ < text_.size() && text_[at_] == c; }
  bool take(char c);
  void require(char c);
  /// Everything up to the first of `stops`, at least one character, no space or control character.
  std::string word(std::string_view stops);
  std::uint64_t number();

  static bool is_leaf(const schema& s);

  schema type(int depth);

  /// `^0` is the type that the innermost `!` packs, `^1` that of the next one around it.
  void require_enclosing(const std::string& code) const;

  std::string_view text_;
  std::size_t at_ = 0;
  std::size_t types_ = 0;
  std::size_t packed_ = 0;
};

}  // namespace detail

/// The schema that `text` spells. Linear in its length. Throws `error` (corrupt) where it spells none.
inline schema parse_schema(std::string_view text) { return detail::schema_parser(text).parse(); }

}  // namespace tidemark

#ifndef TIDEMARK_COMPILED
#include <tidemark/model/schema_text.ipp>
#endif
#endif
