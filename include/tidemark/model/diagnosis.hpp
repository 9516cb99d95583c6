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

template <class T, std::size_t Child>
constexpr void append_step(member_path& path) {
  const std::string_view dot = path.size == 0 ? "" : ".";
  if constexpr (category_of<T> == category::record) {
    path.append(dot);
#if defined(__CUDACC__)
    path.append(Child);  // nvcc's own front end spells member names wrong: positions are right everywhere
#else
    path.append(reflect::member_name<T, Child>());
#endif
  } else if constexpr (category_of<T> == category::tuple || category_of<T> == category::variant) {
    path.append(dot);
    path.append(Child);
  } else if constexpr (category_of<T> != category::represented) {
    path.append(category_of<T> == category::map && Child == 0 ? ".<key>" : ".*");
  }
}

/// The offending type, and the path to it, of a type that is not Checkpointable.
template <class Root, class T = Root, std::size_t Depth = 0>
struct offender : offender<Root, typename child_at<verdict_of<Root>.steps[Depth], children_of<T>>::type, Depth + 1> {};
template <class Root, class T, std::size_t Depth>
  requires(Depth == verdict_of<Root>.depth)
struct offender<Root, T, Depth> {
  using type = T;
};

template <class Root, class T, std::size_t Depth>
constexpr void append_steps(member_path& path) {
  if constexpr (Depth < verdict_of<Root>.depth) {
    append_step<T, verdict_of<Root>.steps[Depth]>(path);
    append_steps<Root, typename child_at<verdict_of<Root>.steps[Depth], children_of<T>>::type, Depth + 1>(path);
  }
}

template <class T>
inline constexpr member_path offender_path = [] {
  member_path path;
  append_steps<T, T, 0>(path);
  return path;
}();

/// Asserts one sentence for the reason; its arguments name the type that was asked for, the member, and the member's type.
template <class State, class MemberPath, class MemberType, refusal Reason>
struct is_no_state {
  static constexpr bool is(refusal r) { return Reason == r; }
  static_assert(!is(refusal::two_ways), "tidemark: this type says in two ways what its state is (represent<T>, snapshot() and restore(), use_cereal<T>); keep one of them");
  static_assert(!is(refusal::pointer), "tidemark: a raw pointer is not state; hold the value itself, in a container, or in std::optional");
  static_assert(!is(refusal::reference), "tidemark: a reference is not state; hold the value itself");
  static_assert(!is(refusal::c_array), "tidemark: a C array is not supported as state; use std::array, which has the same layout");
  static_assert(!is(refusal::constant), "tidemark: a const or volatile member cannot be restored; drop the qualifier, or make it static");
  static_assert(!is(refusal::function), "tidemark: a function is not state; save what it was made from and make it again");
  static_assert(!is(refusal::union_), "tidemark: a union does not say which member is alive; use std::variant");
  static_assert(!is(refusal::base), "tidemark: an aggregate with a base that has members cannot be reflected; make the base a member, or give the class snapshot() and restore(value)");
  static_assert(!is(refusal::bit_field), "tidemark: bit-fields cannot be reflected; use whole integers, or give the class snapshot() and restore(value)");
  static_assert(!is(refusal::anonymous_union), "tidemark: an anonymous union does not say which member is alive; use std::variant");
  static_assert(!is(refusal::too_many_members), "tidemark: more members than Boost.PFR can count; nest some of them in structs of their own");
  static_assert(!is(refusal::uncountable), "tidemark: the members cannot be counted (does one have a constructor that takes anything?); give the class snapshot() and restore(value)");
  static_assert(!is(refusal::recursive), "tidemark: a type that contains itself is not supported as state; hold the nodes in one vector and link them by index");
  static_assert(!is(refusal::not_default_constructible), "tidemark: this type is made anew on load, which needs a default and a move constructor; give it both");
  static_assert(!is(refusal::owning_pointer), "tidemark: a smart pointer is not supported as state; hold the value itself or std::optional, or specialise tidemark::represent; where cereal can store its target, include <tidemark/cereal.hpp> and opt the pointer in: use_cereal<T> = true");
  static_assert(!is(refusal::view), "tidemark: a view does not own what it shows; hold the container itself");
  static_assert(!is(refusal::wide_character), "tidemark: wchar_t differs between systems; use char16_t or char32_t");
  static_assert(!is(refusal::steady_clock), "tidemark: a time point of this clock means nothing in another process; store a duration, or a std::chrono::system_clock time point");
  static_assert(!is(refusal::unfit_scalar), "tidemark: this fundamental type has no element type in a file; use one of the standard arithmetic types up to 64 bits");
  static_assert(!is(refusal::unknown_class), "tidemark: this class has a constructor, a private member or a virtual function, and says nothing of its state; give it snapshot() and restore(value), or specialise tidemark::represent");
  static_assert(!is(refusal::half_snapshot), "tidemark: this class has one of snapshot() and restore(value), but not both as needed: snapshot() must be const, and restore must take what it returns");
  static_assert(!is(refusal::container), "tidemark: this container is not supported as state; hold a std::vector, std::array, std::string or std::map, or specialise tidemark::represent");
  static_assert(!is(refusal::atomic), "tidemark: an atomic is not supported as state; hold the plain value, or specialise tidemark::represent");
  static_assert(!is(refusal::distribution), "tidemark: this distribution keeps state that it does not show; use one of those that docs/rng.md lists, or make it anew and save its parameters");
  static_assert(!is(refusal::stateful_container), "tidemark: a container whose comparator holds values cannot be made anew; use a stateless comparator, or specialise tidemark::represent");
  static_assert(!is(refusal::cereal_functions), "tidemark: this type has cereal functions; include <tidemark/cereal.hpp> and opt in: template <> inline constexpr bool tidemark::use_cereal<T> = true");
  static constexpr bool value = Reason != refusal::none;
};

template <class T, std::size_t... I>
auto diagnosis_of(std::index_sequence<I...>) -> is_no_state<T, at<offender_path<T>.letters[I]...>, typename offender<T>::type, verdict_of<T>.reason>;

/// Called first by every public function that takes a state: silent for a Checkpointable one, one sentence for any other.
template <class T>
constexpr void require_checkpointable() {
  if constexpr (!Checkpointable<T>) {
    static_assert(decltype(diagnosis_of<T>(std::make_index_sequence<offender_path<T>.size>{}))::value);
  }
}

}  // namespace tidemark::detail
#endif
