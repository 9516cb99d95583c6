// SPDX-License-Identifier: BSL-1.0
// model/structure.hpp: which kind a type is and what it is made of (floor: model).
#ifndef TIDEMARK_MODEL_STRUCTURE_HPP
#define TIDEMARK_MODEL_STRUCTURE_HPP

#include <tidemark/model/cereal_functions.hpp>
#include <tidemark/model/kind.hpp>
#include <tidemark/model/represent.hpp>
#include <tidemark/model/scalar.hpp>
#include <tidemark/reflect/members.hpp>

#include <array>
#include <cstddef>
#include <map>
#include <optional>
#include <string>
#include <tuple>
#include <type_traits>
#include <utility>
#include <variant>
#include <vector>

namespace tidemark::detail {

template <class... T>
struct type_list {
  static constexpr std::size_t size = sizeof...(T);
};

/// How the walk treats a type; refused types have no kind.
enum class category : std::uint8_t { refused, represented, scalar, text, array, sequence, map, optional, variant, tuple, record };

/// A scalar, or std::array (of std::array ...) of scalars: memory of a fixed shape.
template <class T>
struct fixed_leaf {
  static constexpr bool is_leaf = Scalar<T>;
  using scalar = T;
  static constexpr std::array<std::uint64_t, 0> extents{};
  static constexpr std::size_t count = 1;
};

template <class E, std::size_t N>
  requires(fixed_leaf<E>::is_leaf)
struct fixed_leaf<std::array<E, N>> {
  static constexpr bool is_leaf = true;
  using scalar = typename fixed_leaf<E>::scalar;
  static constexpr auto extents = [] {
    std::array<std::uint64_t, fixed_leaf<E>::extents.size() + 1> all{N};
    for (std::size_t i = 0; i + 1 < all.size(); ++i) all[i + 1] = fixed_leaf<E>::extents[i];
    return all;
  }();
  static constexpr std::size_t count = N * fixed_leaf<E>::count;
};

/// The types of the standard library that the walk knows.
template <class T>
struct builtin {
  static constexpr category is = Scalar<T> ? category::scalar : category::refused;
  using children = type_list<>;
};

template <class Traits, class Allocator>
struct builtin<std::basic_string<char, Traits, Allocator>> {
  static constexpr category is = category::text;
  using children = type_list<>;
};

template <class E, class Allocator>
struct builtin<std::vector<E, Allocator>> {
  static constexpr category is = fixed_leaf<E>::is_leaf ? category::array : category::sequence;
  static constexpr bool is_fixed = false;
  using element = E;
  using children = type_list<E>;
};

template <class E, std::size_t N>
struct builtin<std::array<E, N>> {
  static constexpr category is = fixed_leaf<E>::is_leaf ? category::array : category::sequence;
  static constexpr bool is_fixed = true;
  static constexpr std::uint64_t extent = N;
  using element = E;
  using children = type_list<E>;
};

template <class K, class V, class Compare, class Allocator>
struct builtin<std::map<K, V, Compare, Allocator>> {
  static constexpr category is = category::map;
  using key = K;
  using mapped = V;
  using children = type_list<K, V>;
};

template <class E>
struct builtin<std::optional<E>> {
  static constexpr category is = category::optional;
  using element = E;
  using children = type_list<E>;
};

template <class... A>
struct builtin<std::variant<A...>> {
  static constexpr category is = category::variant;
  using children = type_list<A...>;
};

template <class... E>
struct builtin<std::tuple<E...>> {
  static constexpr category is = category::tuple;
  using children = type_list<E...>;
};

template <class A, class B>
struct builtin<std::pair<A, B>> {
  static constexpr category is = category::tuple;
  using children = type_list<A, B>;
};

template <>
struct builtin<std::monostate> {
  static constexpr category is = category::tuple;
  using children = type_list<>;
};

template <class T>
struct represented_structure {
  static constexpr category is = category::represented;
  using children = type_list<typename representation<T>::type>;
};

struct refused_structure {
  static constexpr category is = category::refused;
  using children = type_list<>;
};

template <class T, class Index = std::make_index_sequence<reflect::member_count<T>()>>
struct record_structure;
template <class T, std::size_t... I>
struct record_structure<T, std::index_sequence<I...>> {
  static constexpr category is = category::record;
  using children = type_list<reflect::member_type<T, I>...>;
};

// What the user says of a type comes before what the library knows of it.
template <class T>
consteval auto select_structure() {
  if constexpr (Represented<T> || SnapshotClass<T>) {
    return std::type_identity<represented_structure<T>>{};
  } else if constexpr (use_cereal<T>) {
    return std::type_identity<refused_structure>{};  // its header is missing; stored otherwise, the format would depend on an include
  } else if constexpr (builtin<T>::is != category::refused || !std::is_class_v<T>) {
    return std::type_identity<builtin<T>>{};
  } else if constexpr (HalfSnapshot<T>) {
    return std::type_identity<builtin<T>>{};  // refused: as a plain record it would be restored around its own functions
  } else if constexpr (CerealFunctions<T>) {
    return std::type_identity<refused_structure>{};  // it says itself what its state is, and has not been asked
  } else if constexpr (reflect::defect_of<T> == reflect::defect::none) {
    return std::type_identity<record_structure<T>>{};
  } else {
    return std::type_identity<builtin<T>>{};
  }
}

/// What a type is made of. `children` are the types that a judgement, a schema and a walk descend into.
template <class T>
struct structure : decltype(select_structure<T>())::type {};

template <class T>
inline constexpr category category_of = structure<T>::is;

template <class T>
using children_of = typename structure<T>::children;

template <class T>
using element_of = typename structure<T>::element;

template <class T>
inline constexpr bool is_fixed_size = requires { structure<T>::extent; };

/// Member `I` of a record, tuple or pair.
template <std::size_t I, class T>
constexpr auto& child(T& value) {
  if constexpr (category_of<std::remove_const_t<T>> == category::record) return std::get<I>(reflect::tie(value));
  else return std::get<I>(value);
}

/// Calls `f(index_constant, type_identity<Child>)` for each of the types that `T` is made of.
template <class T, class F>
constexpr void for_each_child_type(F&& f) {
  [&]<std::size_t... I, class... C>(std::index_sequence<I...>, type_list<C...>) {
    (f(std::integral_constant<std::size_t, I>{}, std::type_identity<C>{}), ...);
  }(std::make_index_sequence<children_of<T>::size>{}, children_of<T>{});
}

/// The name under which a member lies: of a record its own, of a tuple its position.
template <class T, std::size_t I>
std::string_view child_name() {
  if constexpr (category_of<T> == category::record) {
    return reflect::member_name<T, I>();
  } else {
    static const std::string position = std::to_string(I);
    return position;
  }
}

}  // namespace tidemark::detail
#endif
