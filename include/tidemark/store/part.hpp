// SPDX-License-Identifier: BSL-1.0
// store/part.hpp: finds a part of an archive by its path: what type it has in the file, and where its tensors lie (floor: store).
#ifndef TIDEMARK_STORE_PART_HPP
#define TIDEMARK_STORE_PART_HPP

#include <tidemark/archive/evolve.hpp>
#include <tidemark/archive/schema_layout.hpp>
#include <tidemark/model/schema_diff.hpp>
#include <tidemark/store/archive_reader.hpp>

#include <algorithm>
#include <cstdint>
#include <initializer_list>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace tidemark::detail {

/// A part of an archive.
struct file_part {
  const schema* type;
  std::string name;                  ///< what the names of its tensors begin with
  std::vector<std::string> sides{};  ///< tensors that the way to it has used: sizes, keys, whether, which
};

/// Follows a path through the schema of a file and the names of its tensors at once. Keys, elements and values that are there are
/// recognised by their tensors' names, which the header's digest covers; only `#has` and `#index` are read, and verified.
class part_finder {
 public:
  /// `here`: the type that the part will be read into; it says whether an optional at the end of the path is meant, or what it holds.
  part_finder(archive_reader& reader, std::string_view path, const schema& here) : reader_(reader), here_(here), path_(path) {}

  /// Throws `error`: not_found, unsupported (a path into a column), corrupt.
  file_part find(const schema& root) {
    const walk_name start(root.kind == kind::record);
    std::string_view rest = path_;
    if (!start.text().empty() && rest.starts_with(start.text())) rest.remove_prefix(start.text().size());
    steps_ = rest.empty() || rest[0] == '#' || rest[0] == '.' ? std::string(rest) : '.' + std::string(rest);
    auto found = go(root, std::string(start.text()), steps_);
    if (!found) throw error(failure_);
    return std::move(*found);
  }

 private:
  using result = std::optional<file_part>;

  static std::string joined(const std::string& name, std::string_view step) {
    walk_name whole(true);
    const auto first = whole.member(name);
    const auto second = whole.member(step);
    return std::string(whole.text());
  }

  /// The step at the start of `rest`, which begins with its dot: up to the next dot or '#'.
  static std::string_view step_of(std::string_view rest) noexcept {
    const std::string_view step = rest.substr(1);
    return step.substr(0, step.find_first_of(".#"));
  }

  /// A number as `walk_name::element` writes it.
  static std::optional<std::uint64_t> index_of(std::string_view digits) noexcept {
    if (digits.empty() || digits.size() > 18 || (digits.size() > 1 && digits[0] == '0')) return std::nullopt;
    std::uint64_t value = 0;
    for (const char c : digits) {
      if (c < '0' || c > '9') return std::nullopt;
      value = value * 10 + static_cast<std::uint64_t>(c - '0');
    }
    return value;
  }

  /// Of several ways to take a path, the one that leads furthest is explained.
  std::nullopt_t fail(std::string_view rest, errc code, std::string problem, std::string advice) {
    const std::size_t done = steps_.size() - rest.size();
    if (failure_.problem.empty() || done > deepest_) {
      deepest_ = done;
      const std::string_view at = std::string_view(steps_).substr(0, done);
      const std::string place = at.empty() ? "the state" : '"' + shown(at.substr(at[0] == '.')) + '"';
      failure_ = {.code = code, .tensor = std::string(path_), .problem = place + ' ' + std::move(problem), .advice = std::move(advice)};
    }
    return std::nullopt;
  }
  std::nullopt_t fail_step(std::string_view rest, const std::vector<std::string>& names) {
    std::string there;
    for (const std::string& name : names) {
      if (there.size() < 200) there += (there.empty() ? "" : ", ") + name;
    }
    return fail(rest, errc::not_found, "has no \"" + shown(rest.substr(rest[0] == '.')) + '"',
                there.empty() ? "It has no parts." : "It has: " + there + '.');
  }

  result go(const schema& s, const std::string& name, std::string_view rest) {
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

  result sequence(const schema& s, const std::string& name, std::string_view rest, std::string_view step, std::string_view after) {
    const schema& element = s.children[0];
    if (!is_modular_schema(element)) return fail_column(rest);
    const auto index = index_of(step);
    const std::string place = joined(name, step);
    if (!index || !(s.extent != schema::any_size ? *index < s.extent : is_there(element, place))) {
      return fail(rest, errc::not_found, "has no element \"" + shown(step) + '"', "Elements are counted from 0.");
    }
    return with_sides(go(element, place, after), {name + "#size"});
  }

  /// A key may hold dots: the shortest one that leads somewhere is meant. `%2E` in the path is a dot of the key in any case.
  result map(const schema& s, const std::string& name, std::string_view rest) {
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

  result optional(const schema& s, const std::string& name, std::string_view rest) {
    if (!has_value(name)) return fail(rest, errc::not_found, "is an optional without a value in this file", "Read it as a std::optional.");
    const schema& payload = s.children[0];
    return with_sides(go(payload, has_side_tensors_of(payload, false) ? name + "#item" : name, rest), {name + "#has"});
  }

  result variant(const schema& s, const std::string& name, std::string_view rest) {
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

  result end(const schema& s, const std::string& name, std::string_view rest) {
    if (optionals(s) > optionals(here_)) return optional(s, name, rest);
    return file_part{&s, name};
  }

  std::nullopt_t fail_column(std::string_view rest) {
    return fail(rest, errc::unsupported, "is stored by column, so that no value in it lies alone",
                "Read it whole, or elements of one column: slice<T>(name, first, count), with a name of tensors().");
  }

  static result with_sides(result found, std::initializer_list<std::string> sides) {
    if (found) found->sides.insert(found->sides.end(), sides);
    return found;
  }

  static std::size_t optionals(const schema& s) noexcept {
    std::size_t levels = 0;
    for (const schema* at = &s; at->kind == kind::optional && at->tag.empty(); at = &at->children[0]) ++levels;
    return levels;
  }

  template <class T>
  void read_side(const std::string& name, T& value) {
    decoder<archive_reader> at{reader_, walk_name(true)};
    const auto scope = at.name.member(name);
    decode<T>(at, &value);
  }
  bool has_value(const std::string& name) {
    bool has = false;
    read_side(name + "#has", has);
    return has;
  }

  bool has_tensor(std::string_view name) const noexcept { return reader_.header().find(name) != nullptr; }

  /// Whether a value that can lie at a key or an index, so one that always leaves a tensor, lies at `name`.
  bool is_there(const schema& s, const std::string& name) const {
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

  /// The key that a path spells; a '%' without two hexadecimal digits behind it is itself.
  static std::string unescaped(std::string_view text) {
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

  archive_reader& reader_;
  const schema& here_;
  std::string_view path_;
  std::string steps_;
  std::size_t deepest_ = 0;
  error_details failure_;
};

/// The part at `path`: names of members, positions in tuples, indices of modules, keys of named maps and `#i` for the alternative `i`
/// of a variant, as in the names of tensors. Throws `error`: not_found, unsupported, corrupt.
inline file_part part_of(archive_reader& reader, const schema& file, std::string_view path, const schema& here) {
  return part_finder(reader, path, here).find(file);
}

/// What reading the part as a newer version of its type takes. Throws `error`: schema_mismatch, with a line for each path, from the root
/// of the file, at which the part and the type differ; newer_version.
inline std::vector<evolution_step> require_part(const file_part& part, const schema& here, std::string_view path) {
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

/// A `T` from the tensors of a part that is of its schema, or, where `target` is null, only checked.
template <class T>
void decode_part(archive_reader& reader, const file_part& part, T* target) {
  decoder<archive_reader> at{reader, walk_name(true)};
  const auto scope = at.name.member(part.name);
  decode<T>(at, target);
}

/// The same of a part that an older version of the type stored, into a fresh object.
template <class T>
void evolve_part(archive_reader& reader, const file_part& part, T& fresh) {
  decoder<archive_reader> at{reader, walk_name(true)};
  const auto scope = at.name.member(part.name);
  evolve(at, schema_of<T>(), *part.type, fresh);
}

/// Before a part is restored: the extents of memory of the program are the stored ones.
template <class T>
void require_part_fits(archive_reader& reader, const file_part& part, const T& target) {
  decoder<archive_reader> at{reader, walk_name(true)};
  const auto scope = at.name.member(part.name);
  require_fit(at, target);
  require_accepted(at, target);
}

}  // namespace tidemark::detail
#endif
