// SPDX-License-Identifier: BSL-1.0
// model/verdict.hpp: whether a type can be checkpointed through and through, and if not, which member is the reason (floor: model).
#ifndef TIDEMARK_MODEL_VERDICT_HPP
#define TIDEMARK_MODEL_VERDICT_HPP

#include <tidemark/model/structure.hpp>

#include <array>
#include <cstdint>
#include <string_view>
#include <type_traits>

namespace tidemark::detail {

/// Why a type is no state. Each has its sentence in model/diagnosis.hpp.
enum class refusal : std::uint8_t {
  none, two_ways, pointer, reference, constant, function, union_, base, bit_field, anonymous_union, too_many_members,
  uncountable, recursive, not_default_constructible, owning_pointer, view, wide_character, steady_clock, unfit_scalar, unknown_class,
  stateful_container, half_snapshot, container, atomic, standard_random, borrowed, borrowed_inside, cereal_functions, shared_pointer, any_value, callable, lock, thread, random_device, packed_members, inherited, transient_inside, incomparable, stuck_expected, address_key,
};

/// The first offender on the way down: which child of which child.
struct verdict {
  refusal reason = refusal::none;
  std::uint8_t depth = 0;
  std::array<std::uint16_t, 32> steps{};
};

template <class T>
concept OwningPointer = std::is_class_v<T> && requires(T& p) {
  typename T::element_type;
  p.get();
  static_cast<bool>(p);
};

template <class T>
concept View = std::is_class_v<T> && std::is_trivially_copyable_v<T> && requires(const T& v) {
  v.data();
  v.size();
};

template <class T>
concept OtherContainer = std::is_class_v<T> && requires(T& t) {
  typename T::value_type;
  t.begin();
  t.end();
};

/// An engine or a distribution of namespace std: all are named so, and nothing else is.
template <class T>
concept StandardRandom = standard_name<T>().ends_with("_engine") || standard_name<T>().ends_with("_distribution");

/// More than one of represent<T>, snapshot() and restore(), checkpoint_members, use_cereal.
template <class T>
inline constexpr bool says_it_twice = TwoWays<T> || (ListsMembers<T> && (Represented<T> || SnapshotClass<T> || use_cereal<T>));

template <class T>
consteval refusal refusal_of_reflection() {
  switch (reflect::defect_of<T>) {
    case reflect::defect::is_union: return refusal::union_;
    case reflect::defect::has_base_with_data: return refusal::base;
    case reflect::defect::has_bit_field: return refusal::bit_field;
    case reflect::defect::has_anonymous_union: return refusal::anonymous_union;
    case reflect::defect::has_reference: return refusal::reference;
    case reflect::defect::is_packed: return refusal::packed_members;
    case reflect::defect::too_many_members: return refusal::too_many_members;
    case reflect::defect::uncountable: return refusal::uncountable;
    default: return refusal::unknown_class;
  }
}

template <class T>
consteval refusal own_refusal() {
  if constexpr (std::is_reference_v<T>) return refusal::reference;
  else if constexpr (std::is_const_v<T> || std::is_volatile_v<T>) return refusal::constant;
  else if constexpr (std::is_function_v<std::remove_pointer_t<T>> || std::is_member_pointer_v<T>) return refusal::function;
  else if constexpr (std::is_pointer_v<T> || std::is_null_pointer_v<T>) return refusal::pointer;
  else if constexpr (std::is_union_v<T>) return refusal::union_;
  else if constexpr (std::is_same_v<T, wchar_t>) return refusal::wide_character;
  else if constexpr (!std::is_class_v<T>) return refusal::unfit_scalar;
  else if constexpr (says_it_twice<T>) return refusal::two_ways;
  else if constexpr (category_of<T> != category::refused) return refusal::none;
  else if constexpr (CerealWithoutHeader<T> || CerealFunctions<T>) return refusal::cereal_functions;
  else if constexpr (is_standard_named<T>("any")) return refusal::any_value;
  else if constexpr (is_standard_named<T>("function", "move_only_function", "reference_wrapper", "_Bind")) return refusal::callable;
  else if constexpr (is_standard_named<T>("shared_ptr", "weak_ptr")) return refusal::shared_pointer;
  else if constexpr (is_standard_named<T>("mutex", "recursive_mutex", "timed_mutex", "recursive_timed_mutex", "shared_mutex", "shared_timed_mutex", "condition_variable", "condition_variable_any", "once_flag", "unique_lock", "shared_lock", "lock_guard", "scoped_lock", "counting_semaphore", "latch", "barrier")) return refusal::lock;
  else if constexpr (is_standard_named<T>("thread", "jthread", "future", "shared_future", "promise", "packaged_task", "stop_source", "stop_token", "stop_callback")) return refusal::thread;
  else if constexpr (is_standard_named<T>("random_device")) return refusal::random_device;
  else if constexpr (TimePointLike<T>) return refusal::steady_clock;
  else if constexpr (OwningPointer<T>) return refusal::owning_pointer;
  else if constexpr (View<T>) return refusal::view;
  else if constexpr (HalfSnapshot<T>) return refusal::half_snapshot;
  else if constexpr (OtherContainer<T>) return refusal::container;
  else if constexpr (AtomicLike<T>) return refusal::atomic;
  else if constexpr (StandardRandom<T>) return refusal::standard_random;
  else return refusal_of_reflection<T>();
}

/// Whether the parts of this type are made by the library when it is loaded.
template <class T>
inline constexpr bool makes_elements =
    ((category_of<T> == category::array || category_of<T> == category::sequence) && !is_fixed_size<T>) || category_of<T> == category::set || category_of<T> == category::map || category_of<T> == category::optional ||
    category_of<T> == category::variant || category_of<T> == category::represented;

template <class T>
inline constexpr bool is_made_by_default = std::is_default_constructible_v<T> && std::is_move_constructible_v<T>;

template <class T>
consteval bool has_stateless_policies() {
  if constexpr (requires { typename T::key_compare; }) return std::is_empty_v<typename T::key_compare>;
  else if constexpr (requires { typename T::value_compare; typename T::container_type; }) return std::is_empty_v<typename T::value_compare>;
  else if constexpr (Unordered<T>) return std::is_empty_v<typename T::hasher> && std::is_empty_v<typename T::key_equal>;
  else return true;
}

/// Where an array that the program owns may stand: where its place is named and nothing has to make it.
template <class Parent>
consteval bool holds_in_place() {
  constexpr category is = category_of<Parent>;
  if constexpr (is == category::map) return category_of<typename structure<Parent>::key> == category::text && !Multiple<Parent> && !Unordered<Parent>;
  else return is == category::record || is == category::tuple;
}

/// Whether what stands in it before a restore is, place for place, what is stored.
template <class T>
consteval bool keeps_places() {
  constexpr category is = category_of<T>;
  return is != category::variant && is != category::optional && is != category::set && is != category::represented && !Unordered<T> && !Multiple<T>;
}

/// What may stand where a type stands: memory of the program, and const members, which are compared where they are.
struct place {
  bool takes_borrowed = false;
  bool takes_constants = true;
};

template <place At, class T, class... Outer>
consteval verdict judge();

/// What a const member may be: its values are compared one by one.
template <class T>
consteval bool is_comparable() {
  constexpr category is = category_of<T>;
  if constexpr (is == category::record || is == category::tuple) {
    return []<class... C>(type_list<C...>) { return (is_comparable<C>() && ...); }(children_of<T>{});
  } else {
    return is == category::scalar || is == category::text || is == category::array;
  }
}

template <place At, class Parent, std::size_t I, class T, class... Outer>
consteval verdict judge_child() {
  if constexpr (is_const_child<Parent, I>()) {
    if constexpr (!At.takes_constants) return {refusal::constant, 0, {}};
    constexpr verdict child = judge<place{false, false}, T, Outer...>();
    if (child.reason != refusal::none) return child;
    if constexpr (!is_comparable<T>()) return {refusal::incomparable, 0, {}};
    return {std::is_default_constructible_v<T> ? refusal::none : refusal::not_default_constructible, 0, {}};
  }
  verdict child = judge<At, T, Outer...>();
  if constexpr (category_of<T> == category::borrowed) {
    if (child.reason == refusal::none && !holds_in_place<Parent>()) child.reason = refusal::borrowed_inside;
  }
  if constexpr (makes_elements<Parent> && !std::is_const_v<T>) {
    if (child.reason == refusal::none && !is_made_by_default<T>) child.reason = refusal::not_default_constructible;
  }
  return child;
}

template <place At, class Parent, class... Outer, std::size_t... I, class... Children>
consteval verdict judge_children(std::index_sequence<I...>, type_list<Children...>) {
  verdict found;
  std::uint16_t index = 0;
  [[maybe_unused]] const auto visit = [&](verdict child) {
    if (found.reason == refusal::none && child.reason != refusal::none) {
      found.reason = child.reason;
      found.depth = static_cast<std::uint8_t>(child.depth < 31 ? child.depth + 1 : 31);
      found.steps[0] = index;
      for (std::size_t i = 0; i + 1 < found.depth; ++i) found.steps[i + 1] = child.steps[i];
    }
    ++index;
  };
  (visit(judge_child<At, Parent, I, Children, Outer...>()), ...);
  return found;
}

/// Whether the standard compares or hashes values of `T` by an address, which no load brings back.
template <class T>
consteval bool is_told_by_address() {
  if constexpr (UniquePointer<T>) return true;
  else if constexpr (category_of<T> == category::tuple || category_of<T> == category::optional || category_of<T> == category::variant || category_of<T> == category::sequence)
    return []<class... C>(type_list<C...>) { return (is_told_by_address<C>() || ...); }(children_of<T>{});
  else return false;
}

/// Whether a container keeps its elements in an order of addresses: with a comparator or hasher of your own, it does not.
template <class T>
consteval bool has_address_keys() {
  if constexpr (requires { typename T::key_compare; }) return is_standard<typename T::key_compare>() && is_told_by_address<typename T::key_type>();
  else if constexpr (requires { typename T::value_compare; typename T::container_type; }) return is_standard<typename T::value_compare>() && is_told_by_address<typename T::value_type>();
  else if constexpr (Unordered<T>) return is_standard<typename T::hasher>() && is_told_by_address<typename T::key_type>();
  else return false;
}

/// Of an expected: that its value can take the place of its error, and the other way; the standard asks for a move that cannot throw.
template <class T>
consteval bool can_change_outcome() {
  if constexpr (Expected<T>) {
    constexpr bool to_error = std::is_move_constructible_v<typename T::error_type> && std::is_assignable_v<T&, typename T::unexpected_type>;
    if constexpr (std::is_void_v<typename T::value_type>) return to_error;
    else return to_error && (std::is_nothrow_default_constructible_v<typename T::value_type> || std::is_assignable_v<T&, typename T::value_type>);
  } else {
    return true;
  }
}

template <place At, class T, class... Outer>
consteval verdict judge_children_of() {
  constexpr verdict children = judge_children<At, T, Outer...>(std::make_index_sequence<children_of<T>::size>{}, children_of<T>{});
  if constexpr (children.reason != refusal::none) return children;
  else return {can_change_outcome<T>() ? refusal::none : refusal::stuck_expected, 0, {}};
}

template <place At, class T, class... Outer>
consteval verdict judge() {
  if constexpr (std::is_const_v<T> || std::is_volatile_v<T> || category_of<T> == category::refused) {
    return {own_refusal<T>(), 0, {}};
  } else if constexpr (category_of<T> == category::borrowed && !At.takes_borrowed) {
    return {refusal::borrowed, 0, {}};
  } else if constexpr (category_of<T> == category::scalar || category_of<T> == category::text || category_of<T> == category::borrowed || category_of<T> == category::tensors) {
    return {};
  } else if constexpr ((std::is_same_v<T, Outer> || ...)) {
    if constexpr (category_of<T> == category::packed || ((category_of<Outer> == category::packed) || ...)) return {};
    else return {refusal::recursive, 0, {}};
  } else if constexpr (says_it_twice<T>) {
    return {refusal::two_ways, 0, {}};
  } else if constexpr (is_transient<T>) {
    return {refusal::transient_inside, 0, {}};  // as a member of a struct it was left out before it came here
  } else if constexpr (inherits_its_list<T>() || (InheritsSnapshot<T> && !Represented<T>)) {
    return {refusal::inherited, 0, {}};
  } else if constexpr (!has_stateless_policies<T>()) {
    return {refusal::stateful_container, 0, {}};
  } else if constexpr (has_address_keys<T>()) {
    return {refusal::address_key, 0, {}};
  } else if constexpr (category_of<T> == category::represented && !is_made_by_default<T>) {
    return {refusal::not_default_constructible, 0, {}};  // its value is tried on a fresh object before the real one is touched
  } else if constexpr (category_of<T> == category::record || category_of<T> == category::packed || category_of<T> == category::represented) {
    constexpr bool is_record = category_of<T> == category::record;
    return judge_children_of<place{At.takes_borrowed && is_record, At.takes_constants && is_record}, T, T, Outer...>();  // only a named type can contain itself
  } else {
    return judge_children_of<place{At.takes_borrowed && keeps_places<T>(), At.takes_constants && category_of<T> == category::tuple}, T, Outer...>();
  }
}

/// Of a state that is loaded: made anew.
template <class T>
inline constexpr verdict verdict_of = judge<place{false}, T>();

/// Of one that is saved, and restored in place.
template <class T>
inline constexpr verdict restorable_verdict_of = judge<place{true}, T>();

}  // namespace tidemark::detail
#endif
