// SPDX-License-Identifier: BSL-1.0
// model/evolve_plan.hpp: compares a stored schema with the one of a type: what is done, and what cannot be (floor: model).
#ifndef TIDEMARK_MODEL_EVOLVE_PLAN_HPP
#define TIDEMARK_MODEL_EVOLVE_PLAN_HPP

#include <tidemark/model/schema.hpp>
#include <tidemark/model/schema_diff.hpp>

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace tidemark {

/// One thing that a load did because the file was written by an older version of a type.
struct evolution_step {
  enum class what : std::uint8_t {
    added,      ///< not in the file: has its default
    dropped,    ///< in the file only: skipped
    renamed,    ///< read from another place in the file
    converted,  ///< a number of another type, every stored value checked
    widened,    ///< a value that became optional, or an array of fixed size that became one of any
    migrated,   ///< left to the type's migrate function
  };
  what is = what::added;
  std::string path;    ///< in the type
  std::string detail;  ///< "from m", "i32 to i64", "version 1 to 2"

  friend bool operator==(const evolution_step&, const evolution_step&) = default;
};

constexpr std::string_view name_of(evolution_step::what w) noexcept {
  constexpr std::string_view names[] = {"added", "dropped", "renamed", "converted", "widened", "migrated"};
  return names[static_cast<std::size_t>(w)];
}

namespace detail {

/// What a number's code says: its sign and width; none for what is not a number that converts.
struct number_type {
  enum class family : std::uint8_t { boolean, signed_integer, unsigned_integer, floating };
  family is = family::boolean;
  std::uint8_t bytes = 1;

  friend bool operator==(const number_type&, const number_type&) = default;
};

std::optional<number_type> number_of(const schema& s);

/// Integers of one sign differ between machines (`long`, `size_t`): always taken, every value checked.
bool is_width_change(const number_type& a, const number_type& b);

/// What is done, and what is in the way.
struct evolution_plan {
  std::vector<evolution_step> steps{};
  std::vector<schema_difference> refused{};
  bool is_newer = false;  ///< the file has a newer version of a type; `refused` says of which
};

class evolution_planner {
 public:
  evolution_plan plan(const schema& here, const schema& file);

  /// Whether `file` can be read as `here` under a newer version.
  static bool fits(const schema& here, const schema& file);
  /// What the file has for the member of `top` at `at` (a dotted path), and where, in `from`: under its own name, unless that name was
  /// another's then; else where the rules say. Null where it has nothing.
  static const schema* source_of(const schema& top, const schema& file, const std::string& at, bool is_older, std::string& from);
  /// Whether members of the record at `at` lay elsewhere in the file.
  static bool is_renamed_into(const schema& top, const schema& file, const std::string& at);

 private:
  using what = evolution_step::what;

  static bool holds(const rename_rule& r, const schema& file);
  /// Follows the rules backwards, at most as many as there are.
  static const schema* source_of(const schema& top, const schema& file, std::string& from, int rules);

  void refuse(const schema& here, const schema& file, const std::string& path);
  void step(what is, const std::string& path, std::string detail);

  void compare(const schema& here, const schema& file, const std::string& path, bool is_older);

  void compare_records(const schema& here, const schema& file, const std::string& path);

  void compare_members(const schema& top, const schema& here, const schema& file, const std::string& prefix, const std::string& path, bool is_older,
                       std::vector<std::string>& used);

  void drop_unused(const schema& file, const std::string& prefix, const std::string& dot, bool is_older, const std::vector<std::string>& used);

  evolution_plan plan_;
};

}  // namespace detail

/// What reading a file of schema `file` as a type of schema `here` takes. O(n log n) without renames.
detail::evolution_plan plan_evolution(const schema& here, const schema& file);

namespace detail {

/// Whether `plan_evolution` has nothing to do.
bool is_as_it_was(const schema& here, const schema& file);

}  // namespace detail

}  // namespace tidemark

#ifndef TIDEMARK_COMPILED
#include <tidemark/model/evolve_plan.ipp>
#endif
#endif
