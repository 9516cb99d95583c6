// SPDX-License-Identifier: BSL-1.0
// store/part.ipp: the definitions of part.hpp (floor: store).
#ifndef TIDEMARK_STORE_PART_IPP
#define TIDEMARK_STORE_PART_IPP

#include <tidemark/store/part.hpp>

#include <tidemark/archive/schema_layout.hpp>
#include <tidemark/core/linkage.hpp>

#include <algorithm>
#include <utility>

namespace tidemark::detail {

TIDEMARK_DETAIL_INLINE file_part part_finder::find(const schema& root) {
  const walk_name start(root.kind == kind::record);
  std::string_view rest = path_;
  if (!start.text().empty() && rest.starts_with(start.text())) rest.remove_prefix(start.text().size());
  steps_ = rest.empty() || rest[0] == '#' || rest[0] == '.' ? std::string(rest) : '.' + std::string(rest);
  auto found = go(root, std::string(start.text()), steps_);
  if (!found) throw error(failure_);
  return std::move(*found);
}

TIDEMARK_DETAIL_INLINE std::string part_finder::joined(const std::string& name, std::string_view step) {
  walk_name whole(true);
  const auto first = whole.member(name);
  const auto second = whole.member(step);
  return std::string(whole.text());
}

TIDEMARK_DETAIL_INLINE std::string_view part_finder::step_of(std::string_view rest) noexcept {
  const std::string_view step = rest.substr(1);
  return step.substr(0, step.find_first_of(".#"));
}

TIDEMARK_DETAIL_INLINE std::optional<std::uint64_t> part_finder::index_of(std::string_view digits) noexcept {
  if (digits.empty() || digits.size() > 18 || (digits.size() > 1 && digits[0] == '0')) return std::nullopt;
  std::uint64_t value = 0;
  for (const char c : digits) {
    if (c < '0' || c > '9') return std::nullopt;
    value = value * 10 + static_cast<std::uint64_t>(c - '0');
  }
  return value;
}

TIDEMARK_DETAIL_INLINE std::nullopt_t part_finder::fail(std::string_view rest, errc code, std::string problem, std::string advice) {
  const std::size_t done = steps_.size() - rest.size();
  if (failure_.problem.empty() || done > deepest_) {
    deepest_ = done;
    const std::string_view at = std::string_view(steps_).substr(0, done);
    const std::string place = at.empty() ? "the state" : '"' + shown(at.substr(at[0] == '.')) + '"';
    failure_ = {.code = code, .tensor = std::string(path_), .problem = place + ' ' + std::move(problem), .advice = std::move(advice)};
  }
  return std::nullopt;
}

TIDEMARK_DETAIL_INLINE std::nullopt_t part_finder::fail_step(std::string_view rest, const std::vector<std::string>& names) {
  std::string there;
  for (const std::string& name : names) {
    if (there.size() < 200) there += (there.empty() ? "" : ", ") + name;
  }
  return fail(rest, errc::not_found, "has no \"" + shown(rest.substr(rest[0] == '.')) + '"',
              there.empty() ? "It has no parts." : "It has: " + there + '.');
}

TIDEMARK_DETAIL_INLINE part_finder::result part_finder::go(const schema& s, const std::string& name, std::string_view rest) {
  if (rest.empty()) return end(s, name, rest);
  if (s.kind == kind::optional) return optional(s, name, rest);
  if (s.kind == kind::variant) return variant(s, name, rest);
  if (rest[0] != '.') return fail_step(rest, s.names);
  const std::string_view step = step_of(rest);
  const std::string_view after = rest.substr(1 + step.size());
  switch (s.kind) {
    case kind::record: {
      const auto at = std::find(s.names.begin(), s.names.end(), step);
      if (at == s.names.end()) return fail_step(rest, s.names);
      return go(s.children[static_cast<std::size_t>(at - s.names.begin())], joined(name, step), after);
    }
    case kind::tuple: {
      const auto index = index_of(step);
      if (!index || *index >= s.children.size()) return fail(rest, errc::not_found, "has no \"" + shown(step) + '"', "It has positions 0 to below " + std::to_string(s.children.size()) + '.');
      return go(s.children[static_cast<std::size_t>(*index)], joined(name, step), after);
    }
    case kind::sequence: return sequence(s, name, rest, step, after);
    case kind::map: return map(s, name, rest);
    case kind::array: return fail(rest, errc::unsupported, "is one array, which has no parts", "Read it whole, or some of its elements: slice<T>(\"" + name + "\", first, count).");
    case kind::opaque: return fail(rest, errc::unsupported, "is one run of bytes, which has no parts", "Read it whole.");
    default: return fail(rest, errc::not_found, "has no parts", "End the path here.");
  }
}

TIDEMARK_DETAIL_INLINE part_finder::result part_finder::sequence(const schema& s, const std::string& name, std::string_view rest, std::string_view step, std::string_view after) {
  const schema& element = s.children[0];
  if (!is_modular_schema(element)) return fail_column(rest);
  const auto index = index_of(step);
  const std::string place = joined(name, step);
  if (!index || !(s.extent != schema::any_size ? *index < s.extent : is_there(element, place))) {
    return fail(rest, errc::not_found, "has no element \"" + shown(step) + '"', "Elements are counted from 0.");
  }
  return with_sides(go(element, place, after), {name + "#size"});
}

TIDEMARK_DETAIL_INLINE part_finder::result part_finder::map(const schema& s, const std::string& name, std::string_view rest) {
  if (!is_named_map_schema(s)) {
    if (!is_modular_schema(s.children[1])) return fail_column(rest);
    const std::string_view step = step_of(rest);
    const std::string place = joined(name, step);
    if (!index_of(step) || !is_there(s.children[1], place)) return fail(rest, errc::not_found, "has no value \"" + shown(step) + '"', "The values of a map without text keys, or of a multimap, are counted from 0.");
    return with_sides(go(s.children[1], place, rest.substr(1 + step.size())), {name + "#keys", name + "#keys#offsets"});
  }
  const schema& value = s.children[1];
  const bool keep_dots = keeps_dots(value);
  const std::string_view keys = rest.substr(1);
  for (std::size_t length = 0; length <= keys.size(); ++length) {
    if (length < keys.size() && keys[length] != '.' && keys[length] != '#') continue;
    const std::string place = joined(name, escaped_key(unescaped(keys.substr(0, length)), keep_dots));
    if (!is_there(value, place)) continue;
    auto found = with_sides(go(value, place, keys.substr(length)), {name + "#keys", name + "#keys#offsets"});
    if (found) return found;
  }
  return fail(rest, errc::not_found, "has no key that \"" + shown(keys) + "\" begins with", "Keys are spelled as in the names of tensors: '#' is %23, '%' is %25.");
}

TIDEMARK_DETAIL_INLINE part_finder::result part_finder::optional(const schema& s, const std::string& name, std::string_view rest) {
  if (!has_value(name)) return fail(rest, errc::not_found, "is an optional without a value in this file", "Read it as a std::optional.");
  const schema& payload = s.children[0];
  return with_sides(go(payload, has_side_tensors_of(payload, false) ? name + "#item" : name, rest), {name + "#has"});
}

TIDEMARK_DETAIL_INLINE part_finder::result part_finder::variant(const schema& s, const std::string& name, std::string_view rest) {
  const std::string_view step = rest[0] == '#' ? step_of(rest) : std::string_view{};
  const auto index = index_of(step);
  if (!index || *index >= s.children.size()) {
    return fail(rest, errc::not_found, "is a variant and has no \"" + shown(rest) + '"', "Its alternatives are #0 to below #" + std::to_string(s.children.size()) + '.');
  }
  std::uint32_t active = 0;
  read_side(name + "#index", active);
  if (active != *index) return fail(rest, errc::not_found, "holds alternative #" + std::to_string(active) + " in this file", "Read the variant whole, or that alternative.");
  return with_sides(go(s.children[active], name + '#' + std::string(step), rest.substr(1 + step.size())), {name + "#index"});
}

TIDEMARK_DETAIL_INLINE part_finder::result part_finder::end(const schema& s, const std::string& name, std::string_view rest) {
  if (optionals(s) > optionals(here_)) return optional(s, name, rest);
  return file_part{&s, name};
}

TIDEMARK_DETAIL_INLINE std::nullopt_t part_finder::fail_column(std::string_view rest) {
  return fail(rest, errc::unsupported, "is stored by column, so that no value in it lies alone",
              "Read it whole, or elements of one column: slice<T>(name, first, count), with a name of tensors().");
}

TIDEMARK_DETAIL_INLINE part_finder::result part_finder::with_sides(result found, std::initializer_list<std::string> sides) {
  if (found) found->sides.insert(found->sides.end(), sides);
  return found;
}

TIDEMARK_DETAIL_INLINE std::size_t part_finder::optionals(const schema& s) noexcept {
  std::size_t levels = 0;
  for (const schema* at = &s; at->kind == kind::optional && at->tag.empty(); at = &at->children[0]) ++levels;
  return levels;
}

TIDEMARK_DETAIL_INLINE bool part_finder::has_value(const std::string& name) {
  bool has = false;
  read_side(name + "#has", has);
  return has;
}

TIDEMARK_DETAIL_INLINE bool part_finder::is_there(const schema& s, const std::string& name) const {
  switch (s.kind) {
    case kind::scalar:
    case kind::text:
    case kind::opaque:
    case kind::array: return has_tensor(name);
    case kind::optional: return has_tensor(name + "#has");
    case kind::variant: return has_tensor(name + "#index");
    case kind::record:
    case kind::tuple:
      for (std::size_t i = 0; i < s.children.size(); ++i) {
        if (is_there(s.children[i], joined(name, s.kind == kind::record ? s.names[i] : std::to_string(i)))) return true;
      }
      return false;
    default: break;  // of several tensors, of which none need be there: below such values the dots of keys are escaped, so a prefix tells
  }
  const auto& all = reader_.header().tensors;
  return std::any_of(all.begin(), all.end(), [&](const tensor_info& t) {
    return t.name.starts_with(name) && (t.name.size() == name.size() || t.name[name.size()] == '.' || t.name[name.size()] == '#');
  });
}

TIDEMARK_DETAIL_INLINE std::string part_finder::unescaped(std::string_view text) {
  const auto digit = [](char c) { return c >= '0' && c <= '9' ? c - '0' : c >= 'A' && c <= 'F' ? c - 'A' + 10 : c >= 'a' && c <= 'f' ? c - 'a' + 10 : -1; };
  std::string key;
  for (std::size_t i = 0; i < text.size(); ++i) {
    if (text[i] == '%' && i + 2 < text.size() && digit(text[i + 1]) >= 0 && digit(text[i + 2]) >= 0) {
      key += static_cast<char>(digit(text[i + 1]) * 16 + digit(text[i + 2]));
      i += 2;
    } else {
      key += text[i];
    }
  }
  return key;
}

TIDEMARK_DETAIL_INLINE file_part part_of(archive_reader& reader, const schema& file, std::string_view path, const schema& here) {
  return part_finder(reader, path, here).find(file);
}

TIDEMARK_DETAIL_INLINE std::vector<evolution_step> require_part(const file_part& part, const schema& here, std::string_view path) {
  evolution_plan plan = plan_evolution(here, *part.type);
  const auto full = [&](std::string& at) {
    if (!path.empty()) at = std::string(path) + (at == "(root)" ? "" : '.' + at);
  };
  for (auto& d : plan.refused) full(d.path);
  for (auto& s : plan.steps) full(s.path);
  require_accepted(plan, path.empty() ? "it" : "its part \"" + shown(path) + '"', "Read it with the program that has that version, or a newer one.",
                   "Read the part as the type that was saved, or give the type a new checkpoint_version; describe() lists what is in the file.");
  return std::move(plan.steps);
}

}  // namespace tidemark::detail
#endif
