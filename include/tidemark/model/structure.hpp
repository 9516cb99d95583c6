// SPDX-License-Identifier: BSL-1.0
// model/structure.hpp: which kind a type is and what it is made of (floor: model).
#ifndef TIDEMARK_MODEL_STRUCTURE_HPP
#define TIDEMARK_MODEL_STRUCTURE_HPP

#include <tidemark/model/array_ref.hpp>
#include <tidemark/model/cereal_functions.hpp>
#include <tidemark/model/kind.hpp>
#include <tidemark/model/member_list.hpp>
#include <tidemark/model/represent.hpp>
#include <tidemark/model/scalar.hpp>
#include <tidemark/model/standard.hpp>
#include <tidemark/reflect/members.hpp>

#include <array>
#include <concepts>
#include <cstddef>
#include <optional>
#include <string>
#include <string_view>
#include <tuple>
#include <type_traits>
#include <utility>
#include <variant>
#include <vector>

namespace tidemark {

class named_tensors;

namespace detail {

template <class... T>
struct type_list {
  static constexpr std::size_t size = sizeof...(T);
};

/// How the walk treats a type; refused types have no kind.
enum class category : std::uint8_t { refused, represented, scalar, text, array, sequence, set, map, optional, variant, tuple, record, packed, borrowed, tensors };

/// A scalar, or an array (of arrays ...) of scalars: memory of a fixed shape.
template <class T>
struct fixed_leaf {
  static constexpr bool is_leaf = Scalar<T>;
  using scalar = T;
  static constexpr std::array<std::uint64_t, 0> extents{};
  static constexpr std::size_t count = 1;
};

template <class E, std::size_t N>
  requires(fixed_leaf<E>::is_leaf)
struct fixed_leaf<E[N]> {
  static constexpr bool is_leaf = true;
  using scalar = typename fixed_leaf<E>::scalar;
  using inner = E;
  static constexpr auto extents = [] {
    std::array<std::uint64_t, fixed_leaf<E>::extents.size() + 1> all{N};
    for (std::size_t i = 0; i + 1 < all.size(); ++i) all[i + 1] = fixed_leaf<E>::extents[i];
    return all;
  }();
  static constexpr std::size_t length = N;
  static constexpr std::size_t count = N * fixed_leaf<E>::count;
};

template <class E, std::size_t N>
  requires(fixed_leaf<E>::is_leaf && N > 0)
struct fixed_leaf<std::array<E, N>> : fixed_leaf<E[N]> {};

template <class E>
  requires(fixed_leaf<E>::is_leaf)
struct fixed_leaf<std::array<E, 0>> {
  static constexpr bool is_leaf = true;
  using scalar = typename fixed_leaf<E>::scalar;
  using inner = E;
  static constexpr auto extents = [] {
    std::array<std::uint64_t, fixed_leaf<E>::extents.size() + 1> all{};
    for (std::size_t i = 0; i + 1 < all.size(); ++i) all[i + 1] = fixed_leaf<E>::extents[i];
    return all;
  }();
  static constexpr std::size_t length = 0;
  static constexpr std::size_t count = 0;
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

template <SequenceLike T>
struct builtin<T> {
  using element = typename T::value_type;
  static constexpr category is = fixed_leaf<element>::is_leaf ? category::array : category::sequence;
  using children = type_list<element>;
};

template <class E, std::size_t N>
struct builtin<E[N]> {
  static constexpr category is = fixed_leaf<E>::is_leaf ? category::array : category::sequence;
  static constexpr std::uint64_t extent = N;
  using element = E;
  using children = type_list<E>;
};

template <class E, std::size_t N>
struct builtin<std::array<E, N>> {
  static constexpr category is = fixed_leaf<E>::is_leaf ? category::array : category::sequence;
  static constexpr std::uint64_t extent = N;
  using element = E;
  using children = type_list<E>;
};

template <Bitset T>
struct builtin<T> {
  static constexpr category is = category::array;
  static constexpr std::uint64_t extent = T{}.size();
  using element = bool;
  using children = type_list<bool>;
};

/// An array whose memory the state does not own.
template <Borrowed T>
struct builtin<T> {
  using element = typename borrowed_array<T>::element;
  static constexpr category is = fixed_leaf<element>::is_leaf ? category::borrowed : category::refused;
  static constexpr std::size_t rank = borrowed_array<T>::rank;
  using children = type_list<element>;
};

template <>
struct builtin<named_tensors> {
  static constexpr category is = category::tensors;
  using children = type_list<>;
};

template <SetLike T>
struct builtin<T> {
  static constexpr category is = category::set;
  using key = typename T::key_type;
  using element = key;
  using children = type_list<key>;
};

template <MapLike T>
struct builtin<T> {
  static constexpr category is = category::map;
  using key = typename T::key_type;
  using mapped = typename T::mapped_type;
  using children = type_list<key, mapped>;
};

/// Whether a pointer to `E` owns an `E`, which is known only where that is complete.
template <class E>
consteval bool owns_one() {
  if constexpr (requires { sizeof(E); }) return !std::is_polymorphic_v<E> || std::is_final_v<E>;
  else return false;
}

template <UniquePointer T>
struct builtin<T> {
  using element = typename T::element_type;
  // Of a base class it may own anything: what a reset would make is not what was there.
  static constexpr category is = owns_one<element>() ? category::optional : category::refused;
  using children = std::conditional_t<owns_one<element>(), type_list<element>, type_list<>>;
};

template <Expected T>
struct builtin<T> {
  static constexpr category is = category::variant;
  using value = std::conditional_t<std::is_void_v<typename T::value_type>, std::monostate, typename T::value_type>;
  using children = type_list<value, typename T::error_type>;
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

/// A reflected aggregate.
template <class T, class Index = decltype(state_members<T>(std::make_index_sequence<reflect::member_count<T>()>{}))>
struct record_structure;
template <class T, std::size_t... I>
struct record_structure<T, std::index_sequence<I...>> {
  static constexpr category is = category::record;
  static constexpr std::array<std::size_t, sizeof...(I) + 1> positions{I...};
  static constexpr std::array<bool, sizeof...(I) + 1> is_const{std::is_const_v<reflect::member_type<T, I>>...};
  using children = type_list<std::remove_const_t<reflect::member_type<T, I>>...>;
  template <std::size_t C, class V>
  static auto& get(V& value) {
    using M = reflect::member_type<T, positions[C]>;
    return *static_cast<std::conditional_t<std::is_const_v<V>, const M, M>*>(const_cast<void*>(reflect::member_addresses(const_cast<T&>(value))[positions[C]]));
  }
  template <std::size_t C>
  static constexpr std::string_view name() { return reflect::member_name<T, positions[C]>(); }
};

/// A class that lists its members.
template <class T, class Index = std::make_index_sequence<std::tuple_size_v<decltype(T::checkpoint_members.all)>>>
struct listed_structure;
template <class T, std::size_t... I>
struct listed_structure<T, std::index_sequence<I...>> {
  static constexpr category is = category::record;
  static constexpr std::array<bool, sizeof...(I) + 1> is_const{std::is_const_v<typename listed_member<listed_type<T, I>>::type>...};
  using children = type_list<std::remove_const_t<typename listed_member<listed_type<T, I>>::type>...>;
  template <std::size_t C, class V>
  static constexpr auto& get(V& value) { return listed_member<listed_type<T, C>>::get(value, std::get<C>(T::checkpoint_members.all)); }
  template <std::size_t C>
  static constexpr std::string_view name() { return listed_name<T, C>(); }
};

// What the user says of a type comes before what the library knows of it.
template <class T>
consteval auto select_structure() {
  if constexpr (Represented<T> || SnapshotClass<T> || RepresentedByStandard<T>) {
    return std::type_identity<represented_structure<T>>{};
  } else if constexpr (use_cereal<T>) {
    return std::type_identity<refused_structure>{};  // its header is missing; stored otherwise, the format would depend on an include
  } else if constexpr (builtin<T>::is != category::refused || !std::is_class_v<T>) {
    return std::type_identity<builtin<T>>{};
  } else if constexpr (ListsMembers<T>) {
    return std::type_identity<listed_structure<T>>{};
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

/// What a type is made of, before it is asked whether it contains itself.
template <class T>
struct raw_structure : decltype(select_structure<T>())::type {};

template <class Target, class T, class... Outer>
consteval bool reaches();
template <class Target, class... Outer, class... C>
consteval bool any_reaches(type_list<C...>) {
  return ((std::is_same_v<Target, C> || reaches<Target, C, Outer...>()) || ...);
}
/// Whether a `T` holds a `Target` somewhere inside.
template <class Target, class T, class... Outer>
consteval bool reaches() {
  if constexpr ((std::is_same_v<T, Outer> || ...)) return false;
  else if constexpr (raw_structure<T>::is == category::record || raw_structure<T>::is == category::represented) return any_reaches<Target, T, Outer...>(typename raw_structure<T>::children{});
  else return any_reaches<Target, Outer...>(typename raw_structure<T>::children{});
}

/// A record that contains itself: its value is one run of bytes.
template <class T>
struct packed_structure : raw_structure<T> {
  static constexpr category is = category::packed;
};

template <class T>
consteval auto select_packed() {
  if constexpr (raw_structure<T>::is != category::record) return std::type_identity<raw_structure<T>>{};
  else if constexpr (reaches<T, T>()) return std::type_identity<packed_structure<T>>{};
  else return std::type_identity<raw_structure<T>>{};
}

/// What a type is made of. `children` are the types that a judgement, a schema and a walk descend into.
template <class T>
struct structure : decltype(select_packed<T>())::type {};

template <class T>
inline constexpr category category_of = structure<T>::is;

template <class T>
using children_of = typename structure<T>::children;

template <class T>
using element_of = typename structure<T>::element;

template <class T>
inline constexpr bool is_fixed_size = requires { structure<T>::extent; };

/// Whether member `I` of a record is const: it is saved, and compared where the others are restored.
template <class T, std::size_t I>
consteval bool is_const_child() {
  if constexpr (requires { structure<T>::is_const; }) return structure<T>::is_const[I];
  else return false;
}

/// Member `I` of a record, tuple or pair.
template <std::size_t I, class T>
constexpr auto& child(T& value) {
  using V = std::remove_const_t<T>;
  if constexpr (category_of<V> == category::record || category_of<V> == category::packed) return structure<V>::template get<I>(value);
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
  if constexpr (category_of<T> == category::record || category_of<T> == category::packed) {
    return structure<T>::template name<I>();
  } else {
    static const std::string position = std::to_string(I);
    return position;
  }
}

}  // namespace detail
}  // namespace tidemark
#endif
