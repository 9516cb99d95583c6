// SPDX-License-Identifier: BSL-1.0
// model/schema_diff.ipp: the definitions of schema_diff.hpp (floor: model).
#ifndef TIDEMARK_MODEL_SCHEMA_DIFF_IPP
#define TIDEMARK_MODEL_SCHEMA_DIFF_IPP

#include <tidemark/model/schema_diff.hpp>

#include <tidemark/core/linkage.hpp>

#include <algorithm>
#include <cstddef>

namespace tidemark::detail {

TIDEMARK_DETAIL_INLINE void append_differences(std::vector<schema_difference>& out, const schema& here, const schema& file, const std::string& path) {
  const auto differ = [&] {
    out.push_back({schema_difference::what::different, path.empty() ? "(root)" : path, to_text(here), to_text(file)});
  };
  const std::string dot = path.empty() ? "" : path + '.';
  if (here.kind != file.kind || here.code != file.code || here.tag != file.tag || here.extent != file.extent || here.rank != file.rank || here.version != file.version || here.is_row != file.is_row) return differ();
  if (here.kind == kind::array) return here == file ? void() : differ();
  if (here.kind == kind::record) {
    std::vector<std::size_t> by_name(file.names.size());
    for (std::size_t i = 0; i < by_name.size(); ++i) by_name[i] = i;
    std::sort(by_name.begin(), by_name.end(), [&](std::size_t a, std::size_t b) { return file.names[a] < file.names[b]; });
    std::vector<bool> is_matched(file.names.size());
    for (std::size_t i = 0; i < here.children.size(); ++i) {
      const auto at = std::lower_bound(by_name.begin(), by_name.end(), here.names[i],
                                       [&](std::size_t f, const std::string& name) { return file.names[f] < name; });
      if (at == by_name.end() || file.names[*at] != here.names[i]) {
        out.push_back({schema_difference::what::missing, dot + here.names[i], to_text(here.children[i]), {}});
      } else {
        is_matched[*at] = true;
        append_differences(out, here.children[i], file.children[*at], dot + here.names[i]);
      }
    }
    for (std::size_t f = 0; f < file.children.size(); ++f) {
      if (!is_matched[f]) out.push_back({schema_difference::what::extra, dot + file.names[f], {}, to_text(file.children[f])});
    }
    return;
  }
  if (here.children.size() != file.children.size()) return differ();
  for (std::size_t i = 0; i < here.children.size(); ++i) {
    const bool is_positional = here.kind == kind::tuple || here.kind == kind::variant;
    const std::string step = here.kind == kind::optional ? "" : is_positional ? std::to_string(i)
                             : here.kind == kind::map && i == 0 ? "<key>" : "*";
    append_differences(out, here.children[i], file.children[i], step.empty() ? path : dot + step);
  }
}

}  // namespace tidemark::detail

namespace tidemark {

TIDEMARK_DETAIL_INLINE std::vector<schema_difference> differences(const schema& here, const schema& file) {
  std::vector<schema_difference> all;
  detail::append_differences(all, here, file, {});
  return all;
}

TIDEMARK_DETAIL_INLINE std::string to_text(const std::vector<schema_difference>& all) {
  std::size_t width = 0;
  for (const auto& d : all) width = (std::max)(width, d.path.size());
  width = (std::min<std::size_t>)(width, 40);
  std::string text;
  for (const auto& d : all) {
    const auto pad = std::string(d.path.size() < width ? width - d.path.size() : 0, ' ') + "   ";
    switch (d.is) {
      case schema_difference::what::missing: text += "  missing in the file   " + d.path + pad + d.here + '\n'; break;
      case schema_difference::what::extra: text += "  only in the file      " + d.path + pad + d.file + '\n'; break;
      case schema_difference::what::different:
        text += "  different             " + d.path + pad + d.file + " there, " + d.here + " here\n";
        break;
    }
  }
  return text;
}

}  // namespace tidemark
#endif
