// SPDX-License-Identifier: BSL-1.0
// fuzz/forge.hpp: an archive taken apart and put together again with digests that are right: what a hostile writer could hand in.
#ifndef TIDEMARK_TESTS_FUZZ_FORGE_HPP
#define TIDEMARK_TESTS_FUZZ_FORGE_HPP

#include <tidemark/model/schema_text.hpp>
#include <tidemark/store.hpp>

#include <algorithm>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <tuple>
#include <utility>
#include <vector>

namespace fuzz {

using bytes = std::vector<std::byte>;

struct tensor {
  std::string name;
  tidemark::dtype type = tidemark::dtype::u8;
  std::vector<std::uint64_t> shape;
  bytes content;

  friend bool operator==(const tensor&, const tensor&) = default;
};

/// All tensors but the one of the digests, in file order, and the metadata.
struct archive {
  std::vector<tensor> tensors;
  tidemark::metadata_list metadata;
};

/// The parts of a file, nothing where its header is refused.
inline std::optional<archive> taken_apart(std::span<const std::byte> file) {
  const tidemark::memory source{file};
  archive parts;
  try {
    const auto header = tidemark::detail::read_header(source.size(), [&](std::uint64_t offset, std::span<std::byte> into) { source.read(offset, into); });
    for (const auto& t : header.tensors) {
      if (t.name == tidemark::detail::digests_name) continue;
      const auto content = file.subspan(static_cast<std::size_t>(header.data_start + t.offset), static_cast<std::size_t>(t.bytes));
      parts.tensors.push_back({std::string(t.name), t.type, {t.shape.begin(), t.shape.end()}, {content.begin(), content.end()}});
    }
    for (const auto& [key, value] : header.metadata) parts.metadata.emplace_back(key, value);
  } catch (const tidemark::error&) {
    return std::nullopt;
  }
  return parts;
}

/// The entry `tidemark` with the digest that its schema has, where it has one.
inline std::string sealed_identity(const std::string& text) {
  try {
    const auto id = tidemark::detail::parse_identity(text);
    const std::size_t at = text.size() - id.schema_text.size() - 1 - id.schema_digest.size();
    std::string sealed = text;
    sealed.replace(at, id.schema_digest.size(), to_hex(tidemark::digest_of(tidemark::parse_schema(id.schema_text))));
    return sealed;
  } catch (const tidemark::error&) {
    return text;
  }
}

/// The file of these parts, with right offsets and digests, whatever else is wrong with it.
inline bytes put_together(archive parts) {
  using namespace tidemark::detail;
  for (auto& [key, value] : parts.metadata) {
    if (key == identity_key) value = sealed_identity(value);
  }
  std::vector<tidemark::tensor_info> infos;
  std::uint64_t end = 0;
  for (const tensor& t : parts.tensors) {
    infos.push_back({t.name, t.type, t.shape, end, t.content.size()});
    end += t.content.size();
  }
  const auto order = order_by_name(infos);
  digest_table digests(infos, order);
  digests.header() = header_digest(infos, order, parts.metadata);
  for (std::size_t i = 0; i < infos.size(); ++i) {
    if (!parts.tensors[i].content.empty()) digests.block(i, 0) = tidemark::detail::digest_of(bytes_view(parts.tensors[i].content));
  }
  digests.seal();
  const std::uint64_t extent = digests.bytes();
  infos.push_back({digests_name, tidemark::dtype::u8, {&extent, 1}, end, extent});
  const std::string header = make_header(infos, parts.metadata);
  bytes file;
  const auto append = [&](bytes_view piece) { file.insert(file.end(), piece.begin(), piece.end()); };
  append(bytes_of(header));
  for (const tensor& t : parts.tensors) append(t.content);
  append(std::as_const(digests).view());
  return file;
}

/// The tensors in the order of their names: what two archives of one state have in common.
inline std::vector<tensor> by_name(archive parts) {
  std::sort(parts.tensors.begin(), parts.tensors.end(), [](const tensor& a, const tensor& b) { return a.name < b.name; });
  return std::move(parts.tensors);
}

template <class T>
bytes saved_bytes(const T& state, const tidemark::save_options& options = {}) {
  tidemark::memory m;
  tidemark::save(state, m, options);
  return m.release();
}

}  // namespace fuzz
#endif
