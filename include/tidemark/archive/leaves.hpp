// SPDX-License-Identifier: BSL-1.0
// archive/leaves.hpp: scalars and fixed arrays of scalars as bytes, one value at a time (floor: archive).
#ifndef TIDEMARK_ARCHIVE_LEAVES_HPP
#define TIDEMARK_ARCHIVE_LEAVES_HPP

#include <tidemark/core/stream.hpp>
#include <tidemark/model/access.hpp>

#include <cstddef>
#include <memory>

namespace tidemark::detail {

template <class E>
using scalar_of = typename fixed_leaf<E>::scalar;

template <class E>
using leaf_traits = scalar_traits<scalar_of<E>>;

/// The bytes of an `E` in memory are its bytes in a file.
template <class E>
inline constexpr bool is_direct_leaf = leaf_traits<E>::is_direct && sizeof(E) == fixed_leaf<E>::count * leaf_traits<E>::file_bytes;

template <class E>
inline constexpr std::size_t leaf_bytes = fixed_leaf<E>::count * leaf_traits<E>::file_bytes;

template <class E>
void write_leaf(output_stream& out, const E& value) {
  if constexpr (fixed_leaf<E>::count == 0) {
    return;
  } else if constexpr (is_direct_leaf<E>) {
    if constexpr (Scalar<E>) out.put(value);
    else out.write({reinterpret_cast<const std::byte*>(std::addressof(value)), sizeof(E)});
  } else if constexpr (Scalar<E>) {
    std::byte encoded[scalar_traits<E>::file_bytes];
    scalar_traits<E>::encode(value, encoded);
    out.write(encoded);
  } else {
    for (const auto& inner : value) write_leaf(out, inner);
  }
}

/// Reads an `E` from `in`, checking it; false where the bytes are no value. `to` may be null: then they are only checked.
template <class E, class Input>
bool read_leaf(Input& in, E* to) {
  if constexpr (fixed_leaf<E>::count == 0) {
    return true;
  } else if constexpr (Scalar<E>) {
    E scratch{};
    return scalar_traits<E>::decode(in.take(scalar_traits<E>::file_bytes), to ? *to : scratch);
  } else if constexpr (is_direct_leaf<E> && !leaf_traits<E>::is_checked) {
    if (to) in.copy({reinterpret_cast<std::byte*>(to), sizeof(E)});
    else in.skip(sizeof(E));
    return true;
  } else {
    bool is_valid = true;
    for (std::size_t i = 0; i < fixed_leaf<E>::length; ++i) {
      is_valid = read_leaf<typename fixed_leaf<E>::inner>(in, to ? std::addressof((*to)[i]) : nullptr) && is_valid;
    }
    return is_valid;
  }
}

}  // namespace tidemark::detail
#endif
