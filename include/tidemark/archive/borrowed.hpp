// SPDX-License-Identifier: BSL-1.0
// archive/borrowed.hpp: arrays that the program owns and tensors known only at run time, saved and restored in place (floor: archive).
#ifndef TIDEMARK_ARCHIVE_BORROWED_HPP
#define TIDEMARK_ARCHIVE_BORROWED_HPP

#include <tidemark/archive/decode_columns.hpp>
#include <tidemark/archive/encode_columns.hpp>
#include <tidemark/model/named_tensors.hpp>

#include <algorithm>
#include <cstdint>
#include <cstring>
#include <memory>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace tidemark::detail {

template <class T>
concept ThroughBlocks = Borrowed<T> && requires(T& a) {
  a.read;
  a.write;
};

/// The extents of the tensor of a borrowed array: its own, then those of its elements.
template <class T>
extents borrowed_shape(const T& array) {
  extents shape;
  for (const std::uint64_t e : borrowed_array<T>::shape(array)) shape = shape.with(e);
  return leaf_shape<element_of<T>>(shape);
}

/// Calls `f(E&)` for each element, the last extent running fastest.
template <class T, class F>
void for_each_borrowed(const T& array, F&& f) {
  if constexpr (requires { array.strides(); }) {
    std::array<std::size_t, T::rank> at{};
    for (std::size_t left = array.size(); left > 0; --left) {
      std::ptrdiff_t offset = 0;
      for (std::size_t i = 0; i < T::rank; ++i) offset += static_cast<std::ptrdiff_t>(at[i]) * array.strides()[i];
      f(array.data()[offset]);
      for (std::size_t i = T::rank; i-- > 0;) {
        if (++at[i] < array.shape()[i]) break;
        at[i] = 0;
      }
    }
  } else {
    for (auto& e : array) f(e);
  }
}

template <class T>
bool is_dense(const T& array) {
  if constexpr (requires { array.is_dense(); }) return array.is_dense();
  else return true;
}

/// An array behind functions that are not there cannot be reached.
template <class T>
void require_functions(std::string_view name, const T& array) {
  if (!array.read || !array.write) throw error({.code = errc::invalid_value, .tensor = std::string(name), .problem = "an array_blocks has no read or no write function"});
}

template <class T>
void encode_borrowed(save_plan& plan, walk_name& name, const T& array) {
  using E = element_of<T>;
  const extents shape = borrowed_shape(array);
  constexpr dtype type = leaf_traits<E>::type;
  if constexpr (ThroughBlocks<T>) {
    static_assert(is_direct_leaf<E>, "tidemark: array_blocks holds numbers that lie in memory as in a file");
    require_functions(name.text(), array);
    plan.add_made(name.text(), type, shape, element_bytes<scalar_of<E>>, [source = &array](output_stream& out) {
      std::uint64_t left = leaf_bytes<E>;
      for (const std::size_t e : source->shape) left *= e;
      std::vector<std::byte> block(static_cast<std::size_t>(std::min<std::uint64_t>(left, std::uint64_t{1} << 20)));
      for (std::uint64_t offset = 0; left > 0;) {
        const bytes_span piece = bytes_span(block).first(static_cast<std::size_t>(std::min<std::uint64_t>(left, block.size())));
        source->read(offset, piece);
        out.write(piece);
        offset += piece.size();
        left -= piece.size();
      }
    });
  } else {
    if constexpr (is_direct_leaf<E>) {
      if (is_dense(array)) return plan.add_bytes(name.text(), type, shape, element_bytes<scalar_of<E>>, array.data());
    }
    plan.add_made(name.text(), type, shape, element_bytes<scalar_of<E>>,
                  [source = &array](output_stream& out) { for_each_borrowed(*source, [&](const E& e) { write_leaf<E>(out, e); }); });
  }
}

/// The tensor of a borrowed array, of the extents of `array`.
template <class T>
const tensor_info& require_extents(decoder& at, const T& array) {
  const tensor_info& tensor = at.require(leaf_traits<element_of<T>>::type);
  const extents wanted = borrowed_shape(array);
  if (!std::ranges::equal(tensor.shape, wanted.view())) {
    at.fail("it has other extents than the memory that it is restored into", shape_text(tensor.type, wanted.view()), shape_text(tensor.type, tensor.shape), errc::schema_mismatch);
  }
  return tensor;
}

template <class T>
void decode_borrowed(decoder& at, T* target) {
  using E = element_of<T>;
  if (target == nullptr) {
    const tensor_info& tensor = at.require(leaf_traits<E>::type);
    if (!leaf_traits<E>::is_checked) return at.in.defer_check(tensor);
    input_stream stream = at.in.open(tensor);
    for (std::uint64_t left = tensor.bytes; left > 0; left -= leaf_bytes<E>) {
      if (!read_leaf<E>(stream, static_cast<E*>(nullptr))) at.fail_value(stream, scalar_traits<scalar_of<E>>::code());
    }
    return stream.finish();
  }
  const tensor_info& tensor = require_extents(at, *target);
  if constexpr (ThroughBlocks<T>) {
    input_stream stream = at.in.open(tensor);
    for (std::uint64_t offset = 0; offset < tensor.bytes;) {
      const bytes_view piece = stream.some(std::min<std::uint64_t>(tensor.bytes - offset, std::uint64_t{1} << 20));
      target->write(offset, piece);
      offset += piece.size();
    }
    stream.finish();
  } else {
    if constexpr (is_direct_leaf<E> && !leaf_traits<E>::is_checked) {
      if (is_dense(*target)) return at.in.defer_copy(tensor, {reinterpret_cast<std::byte*>(target->data()), static_cast<std::size_t>(tensor.bytes)});
    }
    input_stream stream = at.in.open(tensor);
    for_each_borrowed(*target, [&](E& e) {
      if (!read_leaf<E>(stream, std::addressof(e))) at.fail_value(stream, scalar_traits<scalar_of<E>>::code());
    });
    stream.finish();
  }
}

void encode_tensors(save_plan& plan, walk_name& name, const named_tensors& all);

/// Calls `f(key, tensor)` for the stored tensors, in the order of their names.
template <class F>
void for_each_stored(decoder& at, F&& f) {
  const auto keys = [&] {
    const auto scope = at.name.side("keys");
    return decode_keys<std::string>(at, stored_count<std::string>(at));
  }();
  require_keys<std::map<std::string, int>>([&](std::string problem) { at.fail(std::move(problem), {}, {}, errc::invalid_value); }, keys, 0, keys.size());
  for (const auto& key : keys) {
    const auto scope = at.name.key(key.value, true);
    const tensor_info* tensor = at.in.find(at.name.text());
    if (tensor == nullptr) at.fail("it is missing");
    f(key.value, *tensor);
  }
}

void decode_tensors(decoder& at, named_tensors* target);

/// Whether a value may hold memory whose extents a file must have.
template <class T, class... Outer>
consteval bool holds_borrowed();
template <class... Outer, class... C>
consteval bool any_holds_borrowed(type_list<C...>) {
  return (holds_borrowed<C, Outer...>() || ...);
}
template <class T, class... Outer>
consteval bool holds_borrowed() {
  constexpr category is = category_of<T>;
  if constexpr (is == category::borrowed || is == category::tensors) return true;
  else if constexpr (is == category::packed || is == category::represented || is == category::variant || is == category::optional) return false;
  else return any_holds_borrowed<Outer...>(children_of<T>{});
}

/// Before a restore touches anything: the extents of all that the program owns are the stored ones. Throws `error` (schema_mismatch).
template <class T>
void require_fit(decoder& at, const T& target) {
  constexpr category is = category_of<T>;
  if constexpr (!holds_borrowed<T>()) {
    return;
  } else if constexpr (is == category::borrowed) {
    if constexpr (ThroughBlocks<T>) require_functions(at.name.text(), target);
    static_cast<void>(require_extents(at, target));
  } else if constexpr (is == category::tensors) {
    std::vector<std::string> stored;
    for_each_stored(at, [&](const std::string& key, const tensor_info& tensor) {
      stored.push_back(key);
      const auto found = std::find_if(target.begin(), target.end(), [&](const auto& e) { return e.first == key; });
      if (found == target.end() || !found->second.is_view()) return;
      if (found->second.type() != tensor.type || !std::ranges::equal(found->second.shape(), tensor.shape)) {
        at.fail("it has another type or other extents than the view that it is restored into", shape_text(found->second.type(), found->second.shape()),
                shape_text(tensor.type, tensor.shape), errc::schema_mismatch);
      }
    });
    for (const auto& [key, e] : target) {
      if (!e.is_view() || std::binary_search(stored.begin(), stored.end(), key)) continue;
      const auto scope = at.name.key(key, true);
      at.fail("a view is to be restored from it, and it is not in the file", {}, {}, errc::schema_mismatch);
    }
  } else if constexpr (is == category::map) {
    using K = typename structure<T>::key;
    const auto keys = [&] {
      const auto scope = at.name.side("keys");
      return decode_keys<K>(at, stored_count<K>(at));
    }();
    const auto less = target.key_comp();
    const bool is_same = std::equal(keys.begin(), keys.end(), target.begin(), target.end(),
                                    [&](const auto& key, const auto& e) { return !less(key.value, e.first) && !less(e.first, key.value); });
    if (!is_same) at.fail("its map has other keys than the one whose values hold memory of the program", {}, {}, errc::schema_mismatch);
    std::uint64_t index = 0;
    for (const auto& [key, value] : target) {
      const auto scope = [&] {
        if constexpr (is_named_map<T>) return at.name.key(keys[index].value, keeps_dots_of<typename structure<T>::mapped>());
        else return at.name.element(index);
      }();
      require_fit<typename structure<T>::mapped>(at, value);
      ++index;
    }
  } else if constexpr (is == category::record || is == category::tuple) {
    for_each_child_type<T>([&]<std::size_t I, class M>(std::integral_constant<std::size_t, I>, std::type_identity<M>) {
      const auto scope = at.name.member(child_name<T, I>());
      require_fit<M>(at, child<I>(target));
    });
  } else {
    if constexpr (!is_fixed_size<T>) {
      const auto scope = at.name.side("size");
      if (at.number() != count_of(target)) at.fail("it has another number of elements than the sequence whose elements hold memory of the program", {}, {}, errc::schema_mismatch);
    }
    std::uint64_t index = 0;
    for (const auto& e : target) {
      const auto scope = at.name.element(index++);
      require_fit<element_of<T>>(at, e);
    }
  }
}

}  // namespace tidemark::detail

#ifndef TIDEMARK_COMPILED
#include <tidemark/archive/borrowed.ipp>
#endif
#endif
