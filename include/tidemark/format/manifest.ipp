// SPDX-License-Identifier: BSL-1.0
// format/manifest.ipp: the definitions of manifest.hpp (floor: format).
#ifndef TIDEMARK_FORMAT_MANIFEST_IPP
#define TIDEMARK_FORMAT_MANIFEST_IPP

#include <tidemark/format/manifest.hpp>

#include <tidemark/core/digest.hpp>
#include <tidemark/core/linkage.hpp>
#include <tidemark/format/header_writer.hpp>

#include <rapidjson/reader.h>

#include <algorithm>
#include <utility>

namespace tidemark::detail {

TIDEMARK_DETAIL_INLINE bool is_flat_name(std::string_view name) noexcept {
  if (name.empty() || name.size() > 255 || name.front() == '.') return false;
  return std::all_of(name.begin(), name.end(), [](char c) {
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '-' || c == '_' || c == '.';
  });
}

TIDEMARK_DETAIL_INLINE std::string make_manifest(const std::vector<manifest_entry>& entries) {
  std::string out = "{\"tidemark\": ";
  append_number(out, std::uint64_t{format_version});
  out += ",\n\"files\": [";
  for (const manifest_entry& e : entries) {
    out += &e == entries.data() ? "\n{\"name\": " : ",\n{\"name\": ";
    append_json_string(out, e.name);
    out += ", \"bytes\": ";
    append_number(out, e.bytes);
    out += ", \"digest\": ";
    append_json_string(out, e.digest);
    out += e.is_shard ? ", \"shard\": true}" : ", \"shard\": false}";
  }
  out += ']';
  const std::string digest = to_hex(digest_of(bytes_of(out)));
  return out.append(manifest_digest_key).append(digest).append("\"}\n");
}

/// Accepts what `make_manifest` writes, members in any order within an entry.
class manifest_handler {
 public:
  explicit manifest_handler(std::vector<manifest_entry>& entries) : entries_(entries) {}

  std::uint64_t version() const noexcept { return version_; }

  bool StartObject() {
    if (depth_ == 0) return ++depth_ != 0;
    if (depth_ != 2 || !in_files_) return false;
    entries_.emplace_back();
    seen_ = 0;
    return ++depth_ != 0;
  }
  bool EndObject(rapidjson::SizeType) {
    if (depth_ == 3 && seen_ != 15) return false;
    if (depth_ == 1 && seen_root_ != 7) return false;
    return depth_-- != 0;
  }
  bool StartArray() {
    if (depth_ != 1 || key_ != "files") return false;
    in_files_ = true;
    return ++depth_ != 0;
  }
  bool EndArray(rapidjson::SizeType) {
    in_files_ = false;
    return depth_-- != 0;
  }
  bool Key(const char* text, rapidjson::SizeType length, bool) {
    key_.assign(text, length);
    const unsigned bit = key_ == "name" || key_ == "tidemark" ? 1 : key_ == "bytes" || key_ == "files" ? 2 : key_ == "digest" ? 4 : key_ == "shard" ? 8 : 0;
    unsigned& seen = depth_ == 1 ? seen_root_ : seen_;
    const bool belongs = depth_ == 1 ? key_ == "tidemark" || key_ == "files" || key_ == "digest" : key_ != "tidemark" && key_ != "files";
    if (bit == 0 || !belongs || (seen & bit) != 0) return false;
    seen |= bit;
    return true;
  }
  bool String(const char* text, rapidjson::SizeType length, bool) {
    if (depth_ == 1) return key_ == "digest";
    if (depth_ != 3) return false;
    if (key_ == "name") entries_.back().name.assign(text, length);
    else if (key_ == "digest") entries_.back().digest.assign(text, length);
    else return false;
    return true;
  }
  bool Bool(bool value) {
    if (depth_ != 3 || key_ != "shard") return false;
    entries_.back().is_shard = value;
    return true;
  }
  bool Uint(unsigned value) { return Uint64(value); }
  bool Uint64(std::uint64_t value) {
    if (depth_ == 1 && key_ == "tidemark") version_ = value;
    else if (depth_ == 3 && key_ == "bytes") entries_.back().bytes = value;
    else return false;
    return true;
  }
  bool Null() { return false; }
  bool Int(int) { return false; }
  bool Int64(std::int64_t) { return false; }
  bool Double(double) { return false; }
  bool RawNumber(const char*, rapidjson::SizeType, bool) { return false; }

 private:
  std::vector<manifest_entry>& entries_;
  std::string key_;
  int depth_ = 0;
  bool in_files_ = false;
  unsigned seen_ = 0, seen_root_ = 0;
  std::uint64_t version_ = 0;
};

TIDEMARK_DETAIL_INLINE std::vector<manifest_entry> parse_manifest(std::string text) {
  const auto fail = [](std::string problem) {
    throw error({.code = errc::corrupt, .problem = "the manifest " + std::move(problem), .advice = "The checkpoint is damaged, or was never finished. Take an older one."});
  };
  constexpr std::size_t digits = 32;
  const std::size_t tail = manifest_digest_key.size() + digits + 3;
  if (text.size() < tail) fail("ends too early");
  const std::string_view all = text, body = all.substr(0, all.size() - tail), end = all.substr(all.size() - tail);
  const std::string own = std::string(manifest_digest_key) + to_hex(digest_of(bytes_of(body))) + "\"}\n";
  if (end != own) fail("does not match its digest");

  std::vector<manifest_entry> entries;
  manifest_handler handler(entries);
  rapidjson::StringStream stream(text.c_str());
  rapidjson::Reader reader;
  const auto result = reader.Parse<rapidjson::kParseIterativeFlag | rapidjson::kParseValidateEncodingFlag>(stream, handler);
  if (handler.version() > format_version) {
    throw error({.code = errc::newer_version, .problem = "its manifest is of a newer format", .expected = "format version " + std::to_string(format_version) + " at most",
                 .found = std::to_string(handler.version()), .advice = "Read it with a newer release of tidemark, or its shards with any reader of safetensors."});
  }
  // A zero byte ends what RapidJSON reads, not the file.
  if (result.IsError() || stream.Tell() != text.size() || handler.version() == 0) fail("is not as the format prescribes");
  for (const manifest_entry& e : entries) {
    if (is_flat_name(e.name) && e.name != manifest_name) continue;
    throw error({.code = errc::unsafe_path, .problem = "the manifest names a file that is not followed", .expected = "a flat name of letters, digits, '-', '_' and '.'", .found = e.name});
  }
  std::vector<std::string_view> names(entries.size());
  std::transform(entries.begin(), entries.end(), names.begin(), [](const manifest_entry& e) { return std::string_view(e.name); });
  std::sort(names.begin(), names.end());
  if (const auto twice = std::adjacent_find(names.begin(), names.end()); twice != names.end()) fail("names \"" + std::string(*twice) + "\" twice");
  if (std::none_of(entries.begin(), entries.end(), [](const manifest_entry& e) { return e.is_shard; })) fail("lists no shard");
  return entries;
}

}  // namespace tidemark::detail
#endif
