// SPDX-License-Identifier: BSL-1.0
// model/evolve_plan.ipp: the definitions of evolve_plan.hpp (floor: model).
#ifndef TIDEMARK_MODEL_EVOLVE_PLAN_IPP
#define TIDEMARK_MODEL_EVOLVE_PLAN_IPP

#include <tidemark/model/evolve_plan.hpp>

#include <tidemark/core/linkage.hpp>

#include <algorithm>
#include <utility>

namespace tidemark::detail {

TIDEMARK_DETAIL_INLINE std::optional<number_type> number_of(const schema& s) {
  using enum number_type::family;
  if (s.kind != kind::scalar || !s.tag.empty()) return std::nullopt;
  std::string_view code = s.code;
  if (code.starts_with("enum:")) code.remove_prefix(5);
  constexpr std::pair<std::string_view, number_type> all[] = {
      {"bool", {boolean, 1}}, {"i8", {signed_integer, 1}}, {"i16", {signed_integer, 2}}, {"i32", {signed_integer, 4}}, {"i64", {signed_integer, 8}},
      {"u8", {unsigned_integer, 1}}, {"u16", {unsigned_integer, 2}}, {"u32", {unsigned_integer, 4}}, {"u64", {unsigned_integer, 8}},
      {"f32", {floating, 4}}, {"f64", {floating, 8}}};
  for (const auto& [name, number] : all) {
    if (name == code) return number;
  }
  return std::nullopt;
}

TIDEMARK_DETAIL_INLINE bool is_width_change(const number_type& a, const number_type& b) {
  using enum number_type::family;
  return a.is == b.is && (a.is == signed_integer || a.is == unsigned_integer);
}

TIDEMARK_DETAIL_INLINE evolution_plan evolution_planner::plan(const schema& here, const schema& file) {
  compare(here, file, {}, false);
  return std::move(plan_);
}

TIDEMARK_DETAIL_INLINE bool evolution_planner::fits(const schema& here, const schema& file) {
  evolution_planner trial;
  trial.compare(here, file, {}, true);
  return trial.plan_.refused.empty();
}

TIDEMARK_DETAIL_INLINE const schema* evolution_planner::source_of(const schema& top, const schema& file, const std::string& at, bool is_older, std::string& from) {
  from = at;
  if (!is_older) return member_at(file, at);
  return source_of(top, file, from, static_cast<int>(top.renames.size()));
}

TIDEMARK_DETAIL_INLINE bool evolution_planner::is_renamed_into(const schema& top, const schema& file, const std::string& at) {
  return std::any_of(top.renames.begin(), top.renames.end(), [&](const rename_rule& r) {
    std::string from = r.to;
    return r.to.starts_with(at + '.') && source_of(top, file, from, static_cast<int>(top.renames.size())) != nullptr;
  });
}

TIDEMARK_DETAIL_INLINE bool evolution_planner::holds(const rename_rule& r, const schema& file) {
  return member_at(file, r.from) != nullptr && (r.since != 0 ? file.version < r.since : member_at(file, r.to) == nullptr);
}

TIDEMARK_DETAIL_INLINE const schema* evolution_planner::source_of(const schema& top, const schema& file, std::string& from, int rules) {
  const schema* own = member_at(file, from);
  const auto is_of_now = [&](const rename_rule& r) { return !(r.from == from && r.to != from && holds(r, file)); };
  for (const rename_rule& r : top.renames) {
    if (r.to == from && r.since != 0 && holds(r, file)) return from = r.from, member_at(file, from);
  }
  if (own != nullptr && std::all_of(top.renames.begin(), top.renames.end(), is_of_now)) return own;
  for (const rename_rule& r : top.renames) {
    if (r.to != from || rules == 0 || (r.since != 0 && file.version >= r.since)) continue;
    std::string before = r.from;
    const schema* found = holds(r, file) ? member_at(file, before) : member_at(file, before) == nullptr ? source_of(top, file, before, rules - 1) : nullptr;
    if (found != nullptr) return from = before, found;
  }
  return nullptr;
}

TIDEMARK_DETAIL_INLINE void evolution_planner::refuse(const schema& here, const schema& file, const std::string& path) {
  plan_.refused.push_back({schema_difference::what::different, path.empty() ? "(root)" : path, to_text(here), to_text(file)});
}

TIDEMARK_DETAIL_INLINE void evolution_planner::step(what is, const std::string& path, std::string detail) {
  plan_.steps.push_back({is, path.empty() ? "(root)" : path, std::move(detail)});
}

TIDEMARK_DETAIL_INLINE void evolution_planner::compare(const schema& here, const schema& file, const std::string& path, bool is_older) {
  if (here == file) return;
  const std::string dot = path.empty() ? "" : path + '.';
  const auto number_here = number_of(here), number_file = number_of(file);
  if (number_here && number_file) {
    if (!is_older && !is_width_change(*number_here, *number_file)) return refuse(here, file, path);
    if (here.code.starts_with("enum:") != file.code.starts_with("enum:") && !is_older) return refuse(here, file, path);
    return step(what::converted, path, file.code + " to " + here.code);
  }
  if (here.kind == kind::optional && file.kind != kind::optional && is_older && here.tag.empty()) {
    step(what::widened, path, to_text(file) + " to " + to_text(here));
    return compare(here.children[0], file, path, is_older);
  }
  if (here.tag != file.tag) return refuse(here, file, path);
  const bool are_lists = (here.kind == kind::array || here.kind == kind::sequence) && (file.kind == kind::array || file.kind == kind::sequence);
  if (are_lists) {
    if (here.rank != file.rank) return refuse(here, file, path);
    if (here.extent != file.extent) {
      if (!is_older || here.extent != schema::any_size) return refuse(here, file, path);
      step(what::widened, path, to_text(file) + " to " + to_text(here));
    }
    return compare(here.children[0], file.children[0], dot + '*', is_older);
  }
  if (here.kind != file.kind) return refuse(here, file, path);
  switch (here.kind) {
    case kind::record: return compare_records(here, file, path);
    case kind::opaque: return compare(here.children[0], file.children[0], path, is_older);
    case kind::optional: return compare(here.children[0], file.children[0], path, is_older);
    case kind::map:
      compare(here.children[0], file.children[0], dot + "<key>", is_older);
      return compare(here.children[1], file.children[1], dot + '*', is_older);
    case kind::variant:
    case kind::tuple: {
      const bool grew = here.kind == kind::variant && is_older && here.children.size() > file.children.size();
      if (here.children.size() != file.children.size() && !grew) return refuse(here, file, path);
      for (std::size_t i = 0; i < file.children.size(); ++i) compare(here.children[i], file.children[i], dot + std::to_string(i), is_older);
      return;
    }
    default: return refuse(here, file, path);
  }
}

TIDEMARK_DETAIL_INLINE void evolution_planner::compare_records(const schema& here, const schema& file, const std::string& path) {
  const std::string dot = path.empty() ? "" : path + '.';
  if (file.version > here.version) {
    plan_.is_newer = true;
    plan_.refused.push_back({schema_difference::what::different, path.empty() ? "(root)" : path, "version " + std::to_string(here.version), "version " + std::to_string(file.version)});
    return;
  }
  const bool is_older = file.version < here.version;
  if (is_older && here.migrates) step(what::migrated, path, "version " + std::to_string(file.version) + " to " + std::to_string(here.version));
  if (here.is_row != file.is_row && !is_older) return refuse(here, file, path);
  std::vector<std::string> used;
  compare_members(here, here, file, {}, path, is_older, used);
  drop_unused(file, {}, dot, is_older, used);
}

TIDEMARK_DETAIL_INLINE void evolution_planner::compare_members(const schema& top, const schema& here, const schema& file, const std::string& prefix, const std::string& path, bool is_older,
                     std::vector<std::string>& used) {
  const std::string dot = path.empty() ? "" : path + '.';
  for (std::size_t i = 0; i < here.children.size(); ++i) {
    const std::string at = prefix + here.names[i];
    const std::string full = dot + at;
    std::string from;
    const schema* stored = source_of(top, file, at, is_older, from);
    if (stored == nullptr) {
      if (!is_older) {
        plan_.refused.push_back({schema_difference::what::missing, full, to_text(here.children[i]), {}});
      } else if (here.children[i].kind == kind::record && is_renamed_into(top, file, at)) {
        compare_members(top, here.children[i], file, at + '.', path, is_older, used);  // made of members that lay elsewhere
      } else {
        step(what::added, full, to_text(here.children[i]));
      }
      continue;
    }
    used.push_back(from);
    if (from != at) step(what::renamed, full, "from " + from);
    if (is_older && top.migrates && !fits(here.children[i], *stored)) {
      step(what::added, full, to_text(here.children[i]) + ", stored as " + to_text(*stored) + ": left to migrate");
      continue;
    }
    compare(here.children[i], *stored, full, is_older);
  }
}

TIDEMARK_DETAIL_INLINE void evolution_planner::drop_unused(const schema& file, const std::string& prefix, const std::string& dot, bool is_older, const std::vector<std::string>& used) {
  for (std::size_t f = 0; f < file.children.size(); ++f) {
    const std::string at = prefix + file.names[f];
    if (std::find(used.begin(), used.end(), at) != used.end()) continue;
    const bool is_partly_used = std::any_of(used.begin(), used.end(), [&](const std::string& u) { return u.starts_with(at + '.'); });
    if (is_partly_used) drop_unused(file.children[f], at + '.', dot, is_older, used);
    else if (is_older) step(what::dropped, dot + at, to_text(file.children[f]));
    else plan_.refused.push_back({schema_difference::what::extra, dot + at, {}, to_text(file.children[f])});
  }
}

}  // namespace tidemark::detail

namespace tidemark {

TIDEMARK_DETAIL_INLINE detail::evolution_plan plan_evolution(const schema& here, const schema& file) { return detail::evolution_planner{}.plan(here, file); }

TIDEMARK_DETAIL_INLINE bool detail::is_as_it_was(const schema& here, const schema& file) {
  const evolution_plan plan = plan_evolution(here, file);
  return plan.steps.empty() && plan.refused.empty();
}

}  // namespace tidemark
#endif
