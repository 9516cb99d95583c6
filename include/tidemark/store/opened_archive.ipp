// SPDX-License-Identifier: BSL-1.0
// store/opened_archive.ipp: the definitions of opened_archive.hpp (floor: store).
#ifndef TIDEMARK_STORE_OPENED_ARCHIVE_IPP
#define TIDEMARK_STORE_OPENED_ARCHIVE_IPP

#include <tidemark/store/opened_archive.hpp>

#include <tidemark/core/linkage.hpp>
#include <tidemark/store/identity.hpp>

#include <algorithm>
#include <string>
#include <utility>

namespace tidemark::detail {

TIDEMARK_DETAIL_INLINE digest_table read_digests(const source_ref& source, std::uint64_t start, const file_header& header) {
  const tensor_info* stored = header.find(digests_name);
  if (stored == nullptr) return {};
  auto order = order_by_name(header.tensors);
  std::erase(order, static_cast<std::uint32_t>(stored - header.tensors.data()));
  digest_table table(header.tensors, order);
  const auto fail = [](std::string problem, std::string expected = {}, std::string found = {}) {
    throw error({.code = errc::corrupt, .tensor = std::string(digests_name), .problem = std::move(problem), .expected = std::move(expected), .found = std::move(found),
                 .advice = "The file is damaged. Take an older checkpoint."});
  };
  if (stored->type != dtype::u8 || stored->shape.size() != 1 || stored->bytes != table.bytes()) {
    fail("it has another shape", "U8 [" + std::to_string(table.bytes()) + ']', shape_text(stored->type, stored->shape));
  }
  source.read(start + header.data_start + stored->offset, table.view());
  if (!table.is_sealed()) fail("the digests do not match the digest over themselves");
  if (header_digest(header.tensors, order, header.metadata) != table.header()) fail("the header (names, dtypes, shapes, metadata) does not match its digest");
  return table;
}

TIDEMARK_DETAIL_INLINE opened_file open_file(const source_ref& source, std::uint64_t start, std::uint64_t bytes) {
  opened_file file{read_header(bytes, [&](std::uint64_t offset, bytes_span into) { source.read(start + offset, into); }), {}};
  const auto text = file.header.meta(identity_key);
  if (text) static_cast<void>(parse_identity(*text));
  file.digests = read_digests(source, start, file.header);
  if (text && file.digests.empty()) {
    throw error({.code = errc::corrupt, .tensor = std::string(digests_name), .problem = "the digests are gone", .advice = "The file is damaged. Take an older checkpoint."});
  }
  return file;
}

TIDEMARK_DETAIL_INLINE void require_shard(const opened_file& shard, const source_part& part, const file_header& first, std::size_t i, std::size_t count) {
  const auto fail = [&](std::string problem, std::string expected = {}, std::string found = {}) {
    throw error({.code = errc::corrupt, .file = part.name, .problem = std::move(problem), .expected = std::move(expected), .found = std::move(found),
                 .advice = "A file of another checkpoint was put there, or it is damaged. Take an older checkpoint."});
  };
  const std::string place = std::to_string(i + 1) + '/' + std::to_string(count);
  if (shard.digests.empty()) fail("the shard has no digests");
  if (const std::string own = to_hex(shard.digests.own()); own != part.digest) fail("the shard is not the one that the manifest tells of", part.digest, own);
  if (const auto said = shard.header.meta(shard_key); said != place) fail("the shard is another one than its name says", place, std::string(said.value_or("none")));
  const auto differs = [&](const auto& entry) { return entry.first != shard_key && first.meta(entry.first) != entry.second; };
  if (shard.header.metadata.size() != first.metadata.size() || std::any_of(shard.header.metadata.begin(), shard.header.metadata.end(), differs)) {
    fail("the shard's metadata are not those of the first shard");
  }
}

TIDEMARK_DETAIL_INLINE opened_archive open_shards(const source_ref& source) {
  const auto& parts = source.parts();
  opened_archive all;
  std::vector<digest_table> tables;
  std::size_t count = 0;
  hasher of_all;
  for (std::size_t i = 0; i < parts.size(); ++i) {
    const auto open_shard = [&] {
      opened_file shard = open_file(source, parts[i].start, parts[i].bytes);
      require_shard(shard, parts[i], i == 0 ? shard.header : all.shards.front(), i, parts.size());
      return shard;
    };
    opened_file shard = amending(open_shard, [&](error_details& details) {
      if (details.file.empty()) details.file = parts[i].name;
    });
    count += shard.header.tensors.size() - 1;
    of_all.update(shard.digests.own().bytes);
    all.shards.push_back(std::move(shard.header));
    tables.push_back(std::move(shard.digests));
  }
  file_header& header = all.header;
  header.tensors.reserve(count);
  header.index = name_index(count);
  for (const auto& entry : all.shards.front().metadata) {
    if (entry.first != shard_key) header.metadata.push_back(entry);
  }
  for (std::size_t i = 0; i < parts.size(); ++i) {
    for (tensor_info t : all.shards[i].tensors) {
      if (t.name == digests_name) continue;
      t.offset += parts[i].start + all.shards[i].data_start;
      header.tensors.push_back(t);
      header.data_bytes += t.bytes;
      if (!header.index.insert(header.tensors, static_cast<std::uint32_t>(header.tensors.size() - 1))) {
        throw error({.code = errc::corrupt, .file = parts[i].name, .tensor = std::string(t.name), .problem = "two shards hold a tensor of this name"});
      }
    }
  }
  digest_table digests(header.tensors, order_by_name(header.tensors));
  std::size_t next = 0;
  for (std::size_t i = 0; i < parts.size(); ++i) {
    for (std::size_t k = 0; k < all.shards[i].tensors.size(); ++k) {
      const tensor_info& t = all.shards[i].tensors[k];
      if (t.name == digests_name) continue;
      for (std::uint64_t block = 0; block < blocks_of(t.bytes); ++block) digests.block(next, block) = std::as_const(tables[i]).block(k, block);
      ++next;
    }
  }
  all.digests = file_digests(std::move(digests), parts);
  all.digest = of_all.finish();
  return all;
}

TIDEMARK_DETAIL_INLINE opened_archive open_archive(const source_ref& source) {
  if (!source.parts().empty()) return open_shards(source);
  opened_file file = open_file(source, 0, source.size());
  if (file.digests.empty()) return {std::move(file.header), {}};
  const digest128 own = file.digests.own();
  return {std::move(file.header), file_digests(std::move(file.digests)), own};
}

}  // namespace tidemark::detail
#endif
