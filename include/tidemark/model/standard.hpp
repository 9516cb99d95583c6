// SPDX-License-Identifier: BSL-1.0
// model/standard.hpp: the standard library's classes, recognised by their names or by what they offer, so that none of their headers is included (floor: model).
#ifndef TIDEMARK_MODEL_STANDARD_HPP
#define TIDEMARK_MODEL_STANDARD_HPP

#include <tidemark/reflect/names.hpp>

#include <concepts>
#include <cstddef>
#include <string_view>
#include <type_traits>

namespace tidemark {

/// A user's container as a sequence of its elements: `template <> inline constexpr bool tidemark::as_sequence<my::list<float>> = true;`
/// It needs value_type, begin(), end(), size(), resize(n) and a default constructor, and keeps elements in the order it is given them.
template <class T>
inline constexpr bool as_sequence = false;

namespace detail {

/// Of a class: whether it is one of namespace std. A stranger's class may offer the same members and mean something else by them.
template <class T>
consteval bool is_standard() {
  return reflect::type_text<T>().starts_with("std::");
}

/// The name of a class of namespace std, without that, its arguments, and a namespace of the library's own before it (`_V2`): "deque",
/// "chrono::duration". Empty for any other type.
template <class T>
consteval std::string_view standard_name() {
  if constexpr (std::is_class_v<T> && is_standard<T>()) {
    std::string_view name = reflect::type_text<T>().substr(5);
    if (name.ends_with('>')) name = name.substr(0, name.find('<'));
    while (name.starts_with('_') && name.find("::") != std::string_view::npos) name.remove_prefix(name.find("::") + 2);
    return name;
  } else {
    return {};
  }
}

/// Whether `T` is a class of namespace std of one of these names, whatever its arguments.
template <class T, class... Names>
consteval bool is_standard_named(Names... names) {
  return ((standard_name<T>() == std::string_view(names)) || ...);
}

template <class T>
concept Keyed = std::is_class_v<T> && requires(T& t) {
  typename T::key_type;
  typename T::value_type;
  typename T::node_type;
  t.begin();
} && is_standard<T>();

template <class T>
concept MapLike = Keyed<T> && requires { typename T::mapped_type; };

template <class T>
concept SetLike = Keyed<T> && !MapLike<T>;

/// Hashed: the order of iteration depends on the number of buckets and on what was inserted when.
template <class T>
concept Unordered = Keyed<T> && requires { typename T::hasher; };

/// Equal keys may stand side by side.
template <class T>
concept Multiple = Keyed<T> && requires(T& t, const typename T::value_type& value) {
  { t.insert(value) } -> std::same_as<typename T::iterator>;
};

template <class T>
concept ResizableSequence = std::is_class_v<T> && requires(T& t, std::size_t n) {
  typename T::value_type;
  t.resize(n);
} && !requires { typename T::key_type; };

/// deque, list, forward_list, valarray, strings of wide characters; and what the user declares to be like them.
template <class T>
concept SequenceLike = ResizableSequence<T> && (as_sequence<T> || is_standard<T>());

template <class T>
concept Bitset = std::is_class_v<T> && requires(const T& t, std::size_t i) {
  t.to_ullong();
  t.test(i);
  t.count();
} && is_standard<T>();

/// unique_ptr of one object, with the standard deleter or another without state.
template <class T>
concept UniquePointer = std::is_class_v<T> && requires(T& p) {
  typename T::element_type;
  requires std::is_empty_v<typename T::deleter_type>;
  *p;
  p.release();
  p.reset();
} && is_standard<T>() && is_standard<typename T::deleter_type>();

template <class T>
concept Expected = std::is_class_v<T> && requires {
  typename T::unexpected_type;
  typename T::error_type;
  typename T::value_type;
} && is_standard<T>();

/// stack, queue, priority_queue.
template <class T>
concept Adaptor = std::is_class_v<T> && requires(T& t) {
  typename T::container_type;
  t.pop();
  t.empty();
} && is_standard<T>();

template <class T>
concept StandardPath = std::is_class_v<T> && requires(const T& p) {
  typename T::string_type;
  T::preferred_separator;
  p.generic_u8string();
} && is_standard<T>();

}  // namespace detail
}  // namespace tidemark
#endif
