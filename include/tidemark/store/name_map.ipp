// SPDX-License-Identifier: BSL-1.0
// store/name_map.ipp: the definitions of name_map.hpp (floor: store).
#ifndef TIDEMARK_STORE_NAME_MAP_IPP
#define TIDEMARK_STORE_NAME_MAP_IPP

#include <tidemark/store/name_map.hpp>

#include <tidemark/core/linkage.hpp>

#include <algorithm>
#include <cstddef>

namespace tidemark {

TIDEMARK_DETAIL_INLINE name_map::name_map(std::initializer_list<std::pair<std::string, std::string>> rules) {
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

TIDEMARK_DETAIL_INLINE std::string name_map::operator()(std::string_view ours) const {
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

TIDEMARK_DETAIL_INLINE std::vector<std::string> name_map::steps_of(std::string_view name) {
  std::vector<std::string> steps;
  while (!name.empty()) {
    const std::size_t dot = (std::min)(name.find('.'), name.size());
    steps.emplace_back(name.substr(0, dot));
    name.remove_prefix((std::min)(dot + 1, name.size()));
  }
  return steps;
}

TIDEMARK_DETAIL_INLINE bool name_map::matches(const rule& r, const std::vector<std::string>& steps, std::vector<std::string>& stars) {
  if (r.ours.size() > steps.size()) return false;
  for (std::size_t i = 0; i < r.ours.size(); ++i) {
    if (r.ours[i] == "*") stars.push_back(steps[i]);
    else if (r.ours[i] != steps[i]) return false;
  }
  return true;
}

}  // namespace tidemark
#endif
