// SPDX-License-Identifier: BSL-1.0
// store/name_map.hpp: how the tensors of another program are called (floor: store).
#ifndef TIDEMARK_STORE_NAME_MAP_HPP
#define TIDEMARK_STORE_NAME_MAP_HPP

#include <tidemark/core/error.hpp>

#include <algorithm>
#include <cstddef>
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
  name_map(std::initializer_list<std::pair<std::string, std::string>> rules) {
    for (const auto& [ours, theirs] : rules) {
      rule r{steps_of(ours), steps_of(theirs)};
      const auto stars = [](const std::vector<std::string>& steps) { return std::count(steps.begin(), steps.end(), "*"); };
      if (stars(r.theirs) > stars(r.ours)) {
        throw error({.code = errc::unsupported, .action = "map names", .problem = "the rule from \"" + ours + "\" to \"" + theirs + "\" has more * on the right than on the left"});
      }
      const auto shorter = [&](const rule& other) { return other.ours.size() < r.ours.size(); };
      rules_.insert(std::find_if(rules_.begin(), rules_.end(), shorter), std::move(r));
    }
  }

  /// `function(ours)` gives theirs.
  template <class F>
    requires(!std::is_same_v<std::remove_cvref_t<F>, name_map> && std::is_invocable_r_v<std::string, F&, std::string_view>)
  name_map(F function) : function_(std::move(function)) {}

  /// Linear in the number of rules.
  std::string operator()(std::string_view ours) const {
    if (function_) return function_(ours);
    const auto steps = steps_of(ours);
    for (const rule& r : rules_) {
      std::vector<std::string> stars;
      if (!matches(r, steps, stars)) continue;
      std::string theirs;
      std::size_t next = 0;
      const auto add = [&](const std::string& step) { (theirs += theirs.empty() ? "" : ".") += step; };
      for (const std::string& step : r.theirs) add(step == "*" ? stars[next++] : step);
      for (std::size_t i = r.ours.size(); i < steps.size(); ++i) add(steps[i]);
      return theirs;
    }
    return std::string(ours);
  }

 private:
  struct rule {
    std::vector<std::string> ours, theirs;
  };

  static std::vector<std::string> steps_of(std::string_view name) {
    std::vector<std::string> steps;
    while (!name.empty()) {
      const std::size_t dot = (std::min)(name.find('.'), name.size());
      steps.emplace_back(name.substr(0, dot));
      name.remove_prefix((std::min)(dot + 1, name.size()));
    }
    return steps;
  }

  static bool matches(const rule& r, const std::vector<std::string>& steps, std::vector<std::string>& stars) {
    if (r.ours.size() > steps.size()) return false;
    for (std::size_t i = 0; i < r.ours.size(); ++i) {
      if (r.ours[i] == "*") stars.push_back(steps[i]);
      else if (r.ours[i] != steps[i]) return false;
    }
    return true;
  }

  std::vector<rule> rules_;  // the longest first
  std::function<std::string(std::string_view)> function_;
};

}  // namespace tidemark
#endif
