// SPDX-License-Identifier: BSL-1.0
// tests/format/read_index.hpp: a shard index as RapidJSON reads it. Its document.h is no C++ to clang 19.
#ifndef TIDEMARK_TESTS_FORMAT_READ_INDEX_HPP
#define TIDEMARK_TESTS_FORMAT_READ_INDEX_HPP

#include <rapidjson/reader.h>

#include <cstdint>
#include <optional>
#include <string>
#include <utility>
#include <vector>

/// What stands in it, in its order.
struct index_content {
  std::uint64_t total_size = 0;
  std::vector<std::pair<std::string, std::string>> weight_map;
};

/// Takes an object of `metadata` and `weight_map` only.
struct index_handler : rapidjson::BaseReaderHandler<rapidjson::UTF8<>, index_handler> {
  index_content content;
  std::vector<std::string> path;  // the key in each object that is open

  bool Default() { return false; }
  bool StartObject() { return path.emplace_back(), path.size() <= 2; }
  bool EndObject(rapidjson::SizeType) { return path.pop_back(), true; }
  bool Key(const char* text, rapidjson::SizeType size, bool) { return path.back().assign(text, size), true; }
  bool String(const char* text, rapidjson::SizeType size, bool) {
    if (path.size() != 2 || path[0] != "weight_map") return false;
    content.weight_map.emplace_back(path[1], std::string(text, size));
    return true;
  }
  bool Uint(unsigned value) { return Uint64(value); }
  bool Uint64(std::uint64_t value) {
    content.total_size = value;
    return path == std::vector<std::string>{"metadata", "total_size"};
  }
};

/// Nothing where it is no JSON, or another.
inline std::optional<index_content> read_index(const std::string& text) {
  index_handler handler;
  rapidjson::StringStream stream(text.c_str());
  if (rapidjson::Reader().Parse<rapidjson::kParseValidateEncodingFlag>(stream, handler).IsError()) return std::nullopt;
  return handler.content;
}

#endif
