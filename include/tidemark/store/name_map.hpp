// SPDX-License-Identifier: BSL-1.0
// store/name_map.hpp: how the tensors of another program are called (floor: store).
#ifndef TIDEMARK_STORE_NAME_MAP_HPP
#define TIDEMARK_STORE_NAME_MAP_HPP

#include <tidemark/core/error.hpp>

#include <functional>
#include <initializer_list>
#include <string>
#include <string_view>
#include <type_traits>
#include <utility>
#include <vector>

namespace tidemark {

/// From the names of a struct's members to those in a file. By default they are equal.
///
/// A rule `{ours, theirs}` renames a name and everything below it: `{"head", "lm_head"}` makes `lm_head.weight` of `head.weight`, and
/// `{"", "model"}` puts `model.` in front. A step `*` stands for any one step, and gives it to the `*`s of `theirs` in order:
/// `{"layers.*.attention", "h.*.attn"}`. The rule with the most steps is taken, of equal ones the first; then no other.
class name_map {
 public:
  name_map() = default;

  /// Throws `error` (unsupported) where `theirs` of a rule has more `*`s than `ours`.
  name_map(std::initializer_list<std::pair<std::string, std::string>> rules);

  /// `function(ours)` gives theirs.
  template <class F>
    requires(!std::is_same_v<std::remove_cvref_t<F>, name_map> && std::is_invocable_r_v<std::string, F&, std::string_view>)
  name_map(F function) : function_(std::move(function)) {}

  /// Linear in the number of rules.
  std::string operator()(std::string_view ours) const;

 private:
  struct rule {
    std::vector<std::string> ours, theirs;
  };

  static std::vector<std::string> steps_of(std::string_view name);

  static bool matches(const rule& r, const std::vector<std::string>& steps, std::vector<std::string>& stars);

  std::vector<rule> rules_;  // the longest first
  std::function<std::string(std::string_view)> function_;
};

}  // namespace tidemark

#ifndef TIDEMARK_COMPILED
#include <tidemark/store/name_map.ipp>
#endif
#endif
