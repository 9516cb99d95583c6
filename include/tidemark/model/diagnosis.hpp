// SPDX-License-Identifier: BSL-1.0
// model/diagnosis.hpp: says at compile time which member of which type is no state, why, and what to do (floor: model).
#ifndef TIDEMARK_MODEL_DIAGNOSIS_HPP
#define TIDEMARK_MODEL_DIAGNOSIS_HPP

#include <tidemark/model/checkpointable.hpp>

#include <array>
#include <cstddef>
#include <string_view>
#include <utility>

namespace tidemark::detail {

/// The path of a member, letter by letter: a compiler prints it, with the type of the member, in the lines around the message.
template <char... Letters>
struct at {};

template <std::size_t I, class List>
struct child_at;
template <std::size_t I, class First, class... Rest>
struct child_at<I, type_list<First, Rest...>> : child_at<I - 1, type_list<Rest...>> {};
template <class First, class... Rest>
struct child_at<0, type_list<First, Rest...>> {
  using type = First;
};

struct member_path {
  std::array<char, 256> letters{};
  std::size_t size = 0;

  constexpr void append(std::string_view text) {
    for (const char c : text) {
      if (size < letters.size()) letters[size++] = c;
    }
  }
  constexpr void append(std::size_t number) {
    char digits[20]{};
    std::size_t n = 0;
    do digits[n++] = static_cast<char>('0' + number % 10);
    while ((number /= 10) != 0);
    while (n-- > 0) append(std::string_view(&digits[n], 1));
  }
};

template <class... C>
consteval bool has_volatile_child(type_list<C...>) {
  return (std::is_volatile_v<C> || ...);
}

template <class T, std::size_t Child>
constexpr void append_step(member_path& path) {
  const std::string_view dot = path.size == 0 ? "" : ".";
  if constexpr (category_of<T> == category::record || category_of<T> == category::packed) {
    path.append(dot);
#if defined(__CUDACC__)
    path.append(Child);  // nvcc's own front end spells member names wrong: positions are right everywhere
#else
    if constexpr (has_volatile_child(children_of<T>{})) path.append(Child);  // g++ reads no name beside one
    else path.append(structure<T>::template name<Child>());
#endif
  } else if constexpr (category_of<T> == category::tuple || category_of<T> == category::variant) {
    path.append(dot);
    path.append(Child);
  } else if constexpr (category_of<T> != category::represented) {
    path.append(category_of<T> == category::map && Child == 0 ? ".<key>" : ".*");
  }
}

/// The offending type, and the path to it, of a type that `Found` is about.
template <verdict Found, class T, std::size_t Depth = 0>
struct offender : offender<Found, typename child_at<Found.steps[Depth], children_of<T>>::type, Depth + 1> {};
template <verdict Found, class T, std::size_t Depth>
  requires(Depth == Found.depth)
struct offender<Found, T, Depth> {
  using type = T;
};

template <verdict Found, class T, std::size_t Depth>
constexpr void append_steps(member_path& path) {
  if constexpr (Depth < Found.depth) {
    append_step<T, Found.steps[Depth]>(path);
    append_steps<Found, typename child_at<Found.steps[Depth], children_of<T>>::type, Depth + 1>(path);
  }
}

template <verdict Found, class T>
inline constexpr member_path offender_path = [] {
  member_path path;
  append_steps<Found, T, 0>(path);
  return path;
}();

/// Asserts one sentence for the reason; its arguments name the type that was asked for, the member, and the member's type.
template <class State, class MemberPath, class MemberType, refusal Reason>
struct is_no_state {
  static constexpr bool is(refusal r) { return Reason == r; }
  static_assert(!is(refusal::two_ways), "tidemark: this type says in two ways what its state is (represent<T>, snapshot()/restore(), checkpoint_members, use_cereal<T>); keep one of them");
  static_assert(!is(refusal::pointer), "tidemark: a raw pointer is not state; hold the value itself, in a container, or in std::optional");
  static_assert(!is(refusal::reference), "tidemark: a reference is not state; hold the value itself");
  static_assert(!is(refusal::constant), "tidemark: a const or volatile value cannot be restored here (const members are compared where a struct stands in the state itself, not in a container, an optional or a variant); drop the qualifier, or make it static");
  static_assert(!is(refusal::incomparable), "tidemark: a const member is compared on load, and can be a number, text, an array of numbers, or a struct or tuple of these without const members; drop the const");
  static_assert(!is(refusal::function), "tidemark: a function is not state; save what it was made from and make it again");
  static_assert(!is(refusal::union_), "tidemark: a union does not say which member is alive; use std::variant");
  static_assert(!is(refusal::base), "tidemark: an aggregate with a base that has members cannot be reflected; make the base a member, or list both in a public checkpoint_members");
  static_assert(!is(refusal::bit_field), "tidemark: bit-fields, and members of packed structs, cannot be reflected; use whole integers, or give the class snapshot() and restore(value)");
  static_assert(!is(refusal::anonymous_union), "tidemark: an anonymous union does not say which member is alive; use std::variant");
  static_assert(!is(refusal::too_many_members), "tidemark: more members than Boost.PFR can count; nest some of them in structs of their own");
  static_assert(!is(refusal::uncountable), "tidemark: the members cannot be counted (does one have a constructor that takes anything?); list them in a public checkpoint_members, or give the class snapshot() and restore(value)");
  static_assert(!is(refusal::recursive), "tidemark: this class represents itself by a value that contains it again; represent it by what it is made of");
  static_assert(!is(refusal::not_default_constructible), "tidemark: this type is made anew on load, which needs a default and a move constructor; give it both");
  static_assert(!is(refusal::owning_pointer), "tidemark: this smart pointer does not say what it owns (an array, or any class derived from a base); hold the value itself, std::unique_ptr of a final type, std::vector or std::variant, or specialise tidemark::represent");
  static_assert(!is(refusal::shared_pointer), "tidemark: a shared pointer is not state, since who shares it is lost; hold the value itself or a std::unique_ptr, or, where cereal can store its target, include <tidemark/cereal.hpp> and opt the pointer in: use_cereal<T> = true");
  static_assert(!is(refusal::packed_members), "tidemark: the members of a packed struct lie where no reference may be bound to them; drop the packing, or give the class snapshot() and restore(value)");
  static_assert(!is(refusal::inherited), "tidemark: this class has checkpoint_members or snapshot() from a base alone, and what it adds itself would be lost; give it a list of its own, with tidemark::base<B> in it, or its own snapshot() and restore(value)");
  static_assert(!is(refusal::transient_inside), "tidemark: transient leaves out a member of a struct; inside a container, optional, tuple or variant it has no meaning: put it into a struct");
  static_assert(!is(refusal::any_value), "tidemark: std::any may hold anything; use std::variant of what it does hold");
  static_assert(!is(refusal::callable), "tidemark: a function object is not state; save what it was made from and make it again");
  static_assert(!is(refusal::lock), "tidemark: a mutex, lock or condition is not state; keep it in tidemark::transient, or name it in checkpoint_skip");
  static_assert(!is(refusal::thread), "tidemark: a thread or future is not state; keep it in tidemark::transient, or name it in checkpoint_skip, and start it again");
  static_assert(!is(refusal::random_device), "tidemark: std::random_device has no state to restore; seed an engine from it once, and save the engine");
  static_assert(!is(refusal::view), "tidemark: a read-only view shows what it does not own and cannot restore; hold the container itself, or a std::span or tidemark::array_ref of values that are not const");
  static_assert(!is(refusal::wide_character), "tidemark: wchar_t differs between systems; use char16_t or char32_t");
  static_assert(!is(refusal::steady_clock), "tidemark: a time point of this clock means nothing in another process; store a duration, or a std::chrono::system_clock time point");
  static_assert(!is(refusal::unfit_scalar), "tidemark: this fundamental type has no element type in a file; use one of the standard arithmetic types up to 64 bits");
  static_assert(!is(refusal::unknown_class), "tidemark: this class has a constructor, a private member or a virtual function, and says nothing of its state; list its members in a public checkpoint_members, or give it snapshot() and restore(value), or specialise tidemark::represent");
  static_assert(!is(refusal::half_snapshot), "tidemark: this class has one of snapshot() and restore(value), but not both as needed: snapshot() must be const, and restore must take what it returns");
  static_assert(!is(refusal::container), "tidemark: this container is not supported as state; say tidemark::as_sequence of it if it has resize(n), hold a container of the standard library, or specialise tidemark::represent");
  static_assert(!is(refusal::atomic), "tidemark: this atomic holds no plain number; hold the value itself, or specialise tidemark::represent");
  static_assert(!is(refusal::standard_random), "tidemark: of the engines and distributions of the standard library, those that docs/rng.md lists are state, where <tidemark/rng.hpp> is included; use one of them, or make this one anew and save its seed or parameters");
  static_assert(!is(refusal::stateful_container), "tidemark: a container whose comparator or hasher holds values cannot be made anew; use a stateless one, or specialise tidemark::represent");
  static_assert(!is(refusal::address_key), "tidemark: the elements of this container are ordered or hashed by the addresses that they hold (unique_ptr), and loaded ones have others; give it a comparator or hasher of what they point to, or hold the values themselves");
  static_assert(!is(refusal::stuck_expected), "tidemark: neither the value nor the error of this std::expected is sure to move without an exception, so it cannot change from one to the other; use std::variant");
  static_assert(!is(refusal::borrowed), "tidemark: memory that the program owns (array_ref, span) is restored in place and cannot be loaded; use restore, or hold a container");
  static_assert(!is(refusal::borrowed_inside), "tidemark: memory that the program owns (array_ref, span) must be a member of a record or tuple, or a value of an ordered map from text; give it a struct of its own");
  static_assert(!is(refusal::cereal_functions), "tidemark: this type has cereal functions; include <tidemark/cereal.hpp> and opt in: template <> inline constexpr bool tidemark::use_cereal<T> = true");
  static constexpr bool value = Reason != refusal::none;
};

template <verdict Found, class T, std::size_t... I>
auto diagnosis_of(std::index_sequence<I...>) -> is_no_state<T, at<offender_path<Found, T>.letters[I]...>, typename offender<Found, T>::type, Found.reason>;

/// Called first by every public function that makes a state: silent for a Checkpointable one, one sentence for any other.
template <class T>
constexpr void require_checkpointable() {
  if constexpr (!Checkpointable<T>) {
    static_assert(decltype(diagnosis_of<verdict_of<T>, T>(std::make_index_sequence<offender_path<verdict_of<T>, T>.size>{}))::value);
  }
}

/// The same for a state that is saved, or restored in place.
template <class T>
constexpr void require_restorable() {
  if constexpr (!Restorable<T>) {
    static_assert(decltype(diagnosis_of<restorable_verdict_of<T>, T>(std::make_index_sequence<offender_path<restorable_verdict_of<T>, T>.size>{}))::value);
  }
}

}  // namespace tidemark::detail
#endif
