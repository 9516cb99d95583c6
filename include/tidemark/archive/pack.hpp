// SPDX-License-Identifier: BSL-1.0
// archive/pack.hpp: a value as one run of bytes, which its schema alone explains: for types that contain themselves (floor: archive).
#ifndef TIDEMARK_ARCHIVE_PACK_HPP
#define TIDEMARK_ARCHIVE_PACK_HPP

#include <tidemark/archive/buckets.hpp>
#include <tidemark/archive/layout.hpp>
#include <tidemark/archive/leaves.hpp>
#include <tidemark/core/bytes.hpp>
#include <tidemark/core/error.hpp>
#include <tidemark/model/named_tensors.hpp>

#include <array>
#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <type_traits>
#include <utility>
#include <vector>

namespace tidemark::detail {

// Scalars as in a tensor; text, sequences and maps behind their number of elements (u64); an optional behind 0 or 1, a variant
// behind its index (u32); the members of a record in the order of their names' bytes, so that their order in C++ does not matter.
// docs/format.md, "Packed values".

/// How deep values may lie in one another inside a packed one: each level takes a stack frame.
inline constexpr int max_packed_depth = 500;

inline void append_bytes(std::string& out, const void* bytes, std::size_t size) { out.append(static_cast<const char*>(bytes), size); }

inline void append_count(std::string& out, std::uint64_t value) { append_bytes(out, &value, sizeof value); }

template <class E>
void append_leaf(std::string& out, const E& value) {
  if constexpr (fixed_leaf<E>::count == 0) {
    return;
  } else if constexpr (is_direct_leaf<E>) {
    append_bytes(out, std::addressof(value), sizeof(E));
  } else if constexpr (Scalar<E>) {
    std::byte encoded[scalar_traits<E>::file_bytes];
    scalar_traits<E>::encode(value, encoded);
    append_bytes(out, encoded, sizeof encoded);
  } else {
    for (const auto& inner : value) append_leaf(out, inner);
  }
}

/// Positions in the order of their names. O(n log n).
std::vector<std::size_t> positions_by_name(std::span<const std::string_view> names);

/// The positions of a record's members in the order of their names.
template <class T>
const std::vector<std::size_t>& members_by_name() {
  static const auto order = []<std::size_t... I>(std::index_sequence<I...>) {
    return positions_by_name(std::array<std::string_view, sizeof...(I)>{child_name<T, I>()...});
  }(std::make_index_sequence<children_of<T>::size>{});
  return order;
}

void append_text(std::string& out, std::string_view text);

/// A tensor of which only the file knows the type and the shape: these, then its bytes.
void append_tensor(std::string& out, dtype type, std::span<const std::uint64_t> shape, bytes_view bytes);

[[noreturn]] void fail_packed_depth();

/// Elements that take no bytes cost memory all the same: so much of it for those of one container, which has 8 bytes for their number.
inline constexpr std::uint64_t max_packed_empty_bytes = 1024;

template <class E>
constexpr bool are_few_empty(std::uint64_t count) noexcept { return count <= max_packed_empty_bytes / sizeof(E); }

/// What a load would refuse is refused when it is saved.
template <class T>
void require_unpackable(const T& value) {
  [[maybe_unused]] const auto fail = [](std::string problem, std::string advice) {
    throw error({.code = errc::limit, .problem = std::move(problem) + ", inside a value that contains itself: a load could not tell them from a hostile number", .advice = std::move(advice)});
  };
  if constexpr (Unordered<T>) {
    std::uint64_t spare = spare_packed_buckets;
    if (!take_buckets(spare, value.bucket_count(), 1, count_of(value)) || !(value.max_load_factor() >= min_load_factor)) {
      fail("an unordered container with " + std::to_string(value.bucket_count()) + " buckets for " + std::to_string(count_of(value)) + " elements",
           "Call rehash(0) before the save, and keep its max_load_factor above 1/1024.");
    }
  }
  [[maybe_unused]] const auto require_few = [&]<class E>(std::type_identity<E>) {
    if constexpr (takes_no_bytes<E>()) {
      if (!are_few_empty<E>(count_of(value))) fail(std::to_string(count_of(value)) + " elements that take no bytes in a file", "Save their number instead.");
    }
  };
  if constexpr (category_of<T> == category::map) require_few(std::type_identity<typename structure<T>::key>{});
  else if constexpr (!is_fixed_size<T>) require_few(std::type_identity<element_of<T>>{});
}

/// Appends `value` to `out`. Throws `error`: limit (deeper than `max_packed_depth`, or what `unpack` would not believe), unsupported
/// (a valueless variant).
template <class T>
void pack(std::string& out, const T& value, int depth = 0) {
  constexpr category is = category_of<T>;
  if (depth > max_packed_depth) fail_packed_depth();
  if constexpr (is == category::represented) {
    pack<typename representation<T>::type>(out, representation<T>::snapshot(value), depth + 1);
  } else if constexpr (fixed_leaf<T>::is_leaf) {
    append_leaf<T>(out, value);
  } else if constexpr (is == category::text) {
    append_count(out, value.size());
    append_bytes(out, value.data(), value.size());
  } else if constexpr (is == category::array || is == category::sequence || is == category::set || is == category::map) {
    require_unpackable(value);
    if constexpr (Unordered<T>) {
      append_count(out, value.bucket_count());
      const float load = value.max_load_factor();
      append_bytes(out, &load, sizeof load);
    }
    if constexpr (!is_fixed_size<T>) append_count(out, count_of(value));
    if constexpr (is == category::map) {
      for (const auto& [key, mapped] : value) {
        pack<typename structure<T>::key>(out, key, depth + 1);
        pack<typename structure<T>::mapped>(out, mapped, depth + 1);
      }
    } else {
      for_each_element(value, [&](const element_of<T>& e) { pack<element_of<T>>(out, e, depth + 1); });
    }
  } else if constexpr (is == category::optional) {
    out += static_cast<bool>(value) ? '\1' : '\0';
    if (value) pack<element_of<T>>(out, *value, depth + 1);
  } else if constexpr (is == category::variant) {
    if (is_valueless(value)) throw error({.code = errc::unsupported, .problem = "a variant is valueless, so it has no state to save", .advice = "Assign it a value first."});
    const auto index = static_cast<std::uint32_t>(alternative_index(value));
    append_bytes(out, &index, sizeof index);
    for_each_child_type<T>([&]<std::size_t I, class A>(std::integral_constant<std::size_t, I>, std::type_identity<A>) {
      if (alternative_index(value) == I) pack<A>(out, alternative<I>(value), depth + 1);
    });
  } else if constexpr (is == category::tensors) {
    append_count(out, value.size());
    for (const auto& [name, e] : value) {
      append_text(out, name);
      append_tensor(out, e.type(), e.shape(), e.bytes());
    }
  } else if constexpr (is == category::tuple) {
    for_each_child_type<T>([&]<std::size_t I, class M>(std::integral_constant<std::size_t, I>, std::type_identity<M>) { pack<M>(out, child<I>(value), depth + 1); });
  } else {
    for (const std::size_t next : members_by_name<T>()) {
      for_each_child_type<T>([&]<std::size_t I, class M>(std::integral_constant<std::size_t, I>, std::type_identity<M>) {
        if (I == next) pack<M>(out, child<I>(value), depth + 1);
      });
    }
  }
}

/// Where a packed value is read from: never past its end.
struct packed_bytes {
  bytes_view left;
  std::uint64_t elements = left.size();     ///< that containers may still ask for: each takes a byte of its own
  std::uint64_t* spare_buckets = nullptr;   ///< of the archive; null: `spare_packed_buckets` for each container

  const std::byte* take(std::uint64_t n);
  std::uint64_t count() { return load_as<std::uint64_t>(take(8)); }
  std::string_view text();

  [[noreturn]] static void fail(std::string problem, std::string expected = {}, std::string found = {}, errc code = errc::corrupt);
};

}  // namespace tidemark::detail

#ifndef TIDEMARK_COMPILED
#include <tidemark/archive/pack.ipp>
#endif
#endif
