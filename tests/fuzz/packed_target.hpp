// SPDX-License-Identifier: BSL-1.0
// fuzz/packed_target.hpp: bytes that may be a packed value, unpacked as four types, and passed over by a schema that may be anything too.
#ifndef TIDEMARK_TESTS_FUZZ_PACKED_TARGET_HPP
#define TIDEMARK_TESTS_FUZZ_PACKED_TARGET_HPP

#include "evolve_target.hpp"
#include "mutate_schema.hpp"
#include "types_target.hpp"

#include <array>
#include <cstdint>
#include <list>
#include <map>
#include <optional>
#include <set>
#include <span>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

namespace fuzz {

/// Every kind but what is unordered.
struct packed_state {
  std::vector<bool> flags;
  std::vector<long double> wide;
  std::list<std::variant<std::string, std::int32_t, std::optional<bool>>> choices;
  std::map<std::string, std::vector<std::array<std::int16_t, 3>>> table;
  std::set<double> numbers;
  std::multimap<std::int32_t, samples::row> pairs;
  std::vector<samples::empty> nothing;
  std::vector<std::vector<samples::empty>> nothings;
  samples::gauge level;
  std::vector<ranged> modes;
  tidemark::named_tensors extra;
  std::unique_ptr<packed_state> next;
};

inline packed_state sample_packed(int levels = 2) {
  packed_state s;
  s.flags = {true, false};
  s.wide = {1.5L};
  s.choices = {std::string("a"), 5, std::optional<bool>{true}, std::optional<bool>{}};
  s.table = {{"k", {{1, 2, 3}}}, {"l", {}}};
  s.numbers = {-1, 0.5};
  s.pairs = {{1, {}}, {1, {}}};
  s.nothing.resize(3);
  s.nothings.resize(2);
  s.level.level = 5;
  s.modes = {ranged::low, ranged::high};
  s.extra.add("t", tidemark::dtype::i16, {2, 1});
  if (levels > 0) s.next = std::make_unique<packed_state>(sample_packed(levels - 1));
  return s;
}

/// What the first byte of an input asks for.
enum class packed_as : std::uint8_t { state, unordered_tree, older_tree, newer_tree, schema };

inline bytes packed_input_of(packed_as kind, std::string_view content) {
  bytes all{static_cast<std::byte>(kind)};
  const auto raw = tidemark::detail::bytes_of(content);
  all.insert(all.end(), raw.begin(), raw.end());
  return all;
}
/// A schema behind its length (two bytes), then the bytes that it is to explain.
inline bytes schema_input_of(std::string_view schema, std::string_view content) {
  std::string both{static_cast<char>(schema.size() & 0xff), static_cast<char>(schema.size() >> 8)};
  return packed_input_of(packed_as::schema, (both += schema) += content);
}

template <class T>
std::string packed_bytes_of(const T& value) {
  std::string out;
  tidemark::detail::pack(out, value);
  return out;
}

inline std::vector<bytes> packed_seeds() {
  std::vector<bytes> seeds{packed_input_of(packed_as::state, packed_bytes_of(sample_packed())), packed_input_of(packed_as::unordered_tree, packed_bytes_of(sample_tree(3))),
                           packed_input_of(packed_as::older_tree, packed_bytes_of(older_tree(3))), packed_input_of(packed_as::newer_tree, packed_bytes_of(older_tree(2)))};
  for (const std::string_view hostile : hostile_types) {
    seeds.push_back(schema_input_of("{a:u8,b:" + std::string(hostile) + ",c:text}", std::string("\1\2\0\0\0\0\0\0\0ab\1\0\0\0\0\0\0\0c", 20)));
  }
  seeds.push_back(schema_input_of(to_text(tidemark::detail::make_schema<packed_state>().children[0]), packed_bytes_of(sample_packed(0))));
  return seeds;
}

/// A container that is unordered may have 1024 buckets to spare: 8 KiB for its 20 bytes; a row that is nothing in the bytes is 1 KiB of defaults for 8.
inline constexpr std::int64_t packed_bytes_per_byte = 2048;

template <class T>
void unpack_whole(std::string_view content, const tidemark::schema& file, T& value) {
  static const tidemark::schema here = tidemark::detail::make_schema<T>();
  tidemark::detail::packed_bytes in{tidemark::detail::bytes_of(content)};
  tidemark::detail::unpack<T>(in, {&file, &here}, value);
  if (!in.left.empty()) tidemark::detail::packed_bytes::fail("there are bytes after its end");
}

template <class T, class Written = T>
bool unpack_as(std::string_view content, bool is_exact) {
  static const tidemark::schema file = tidemark::detail::make_schema<Written>(), own = tidemark::detail::make_schema<T>();
  T value{};
  if (outcome([&] { unpack_whole(content, file, value); })) return false;
  std::string again;
  if (const auto unsaved = outcome([&] { again = packed_bytes_of(value); })) {
    require(*unsaved == tidemark::errc::limit, "what was unpacked cannot be packed");
    return true;
  }
  require(!is_exact || again == content, "what was unpacked is not what was packed");
  T other{};
  unpack_whole(again, own, other);
  require(packed_bytes_of(other) == again, "what was packed is unpacked as another value");
  return true;
}

inline bool read_by_schema(std::string_view content) {
  if (content.size() < 2) return false;
  const std::size_t size = static_cast<unsigned char>(content[0]) + 256U * static_cast<unsigned char>(content[1]);
  if (size > content.size() - 2) return false;
  tidemark::schema s;
  if (outcome([&] { s = tidemark::parse_schema(content.substr(2, size)); })) return false;
  tidemark::detail::packed_bytes in{tidemark::detail::bytes_of(content.substr(2 + size))};
  const auto start = in;
  if (outcome([&] { tidemark::detail::skip_packed(in, {&s, nullptr}, 0); })) return false;
  require(in.left.size() <= start.left.size(), "more was passed over than there is");
  if (s.kind != tidemark::kind::record) return true;
  auto members = start;
  const tidemark::stored_record record(s, nullptr, members, 0);
  require(members.left.size() == in.left.size(), "the members are not the record");
  const auto read = [&](const std::string& path) {
    require(record.has(path), "a member that is not there");
    const auto as = [&]<class U>(std::type_identity<U>) { return outcome([&] { static_cast<void>(record.read<U>(path)); }); };
    as(std::type_identity<std::int64_t>{});
    as(std::type_identity<double>{});
    as(std::type_identity<std::string>{});
    as(std::type_identity<std::vector<std::optional<double>>>{});
    as(std::type_identity<std::vector<std::vector<std::string>>>{});
    as(std::type_identity<std::map<std::string, std::vector<float>>>{});
    as(std::type_identity<std::unordered_set<std::int32_t>>{});
    as(std::type_identity<tidemark::named_tensors>{});
    as(std::type_identity<std::vector<newer_types::row>>{});
  };
  for (std::size_t i = 0; i < s.names.size() && i < 8; ++i) {
    if (s.names[i].find('.') == std::string::npos) read(s.names[i]);
  }
  return true;
}

inline bool packed_input(std::span<const std::byte> input) {
  if (input.empty()) return false;
  const std::string_view content = tidemark::detail::text_of(input.subspan(1));
  const auto limit = static_cast<std::int64_t>(input.size()) * packed_bytes_per_byte + (64 << 10);
  return within(limit, [&] {
    switch (static_cast<packed_as>(std::to_integer<unsigned>(input[0]) % 5)) {
      case packed_as::state: return unpack_as<packed_state>(content, true);
      case packed_as::unordered_tree: return unpack_as<tree>(content, false);
      case packed_as::older_tree: return unpack_as<older_types::tree>(content, false);
      case packed_as::newer_tree: return unpack_as<newer_types::tree, older_types::tree>(content, false);
      default: return read_by_schema(content);
    }
  });
}

}  // namespace fuzz
#endif
