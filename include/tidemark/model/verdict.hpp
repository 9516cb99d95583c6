// SPDX-License-Identifier: BSL-1.0
// model/verdict.hpp: whether a type can be checkpointed through and through, and if not, which member is the reason (floor: model).
#ifndef TIDEMARK_MODEL_VERDICT_HPP
#define TIDEMARK_MODEL_VERDICT_HPP

#include <tidemark/model/structure.hpp>

#include <array>
#include <cstdint>
#include <type_traits>

namespace tidemark::detail {

/// Why a type is no state. Each has its sentence in model/diagnosis.hpp.
enum class refusal : std::uint8_t {
  none, two_ways, pointer, reference, c_array, constant, function, union_, base, bit_field, anonymous_union, too_many_members,
  uncountable, recursive, not_default_constructible, owning_pointer, view, wide_character, steady_clock, unfit_scalar, unknown_class,
  stateful_container, half_snapshot, container, atomic, distribution,
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

template <class T>
concept AtomicLike = std::is_class_v<T> && requires(T& t) {
  t.load();
  t.store(t.load());
};

template <class T>
concept DistributionLike = std::is_class_v<T> && requires(T& t) {
  typename T::param_type;
  typename T::result_type;
  t.reset();
};

template <class T>
consteval refusal refusal_of_reflection() {
  switch (reflect::defect_of<T>) {
    case reflect::defect::is_union: return refusal::union_;
    case reflect::defect::has_base_with_data: return refusal::base;
    case reflect::defect::has_bit_field: return refusal::bit_field;
    case reflect::defect::has_anonymous_union: return refusal::anonymous_union;
    case reflect::defect::has_reference: return refusal::reference;
    case reflect::defect::too_many_members: return refusal::too_many_members;
    case reflect::defect::uncountable: return refusal::uncountable;
    default: return refusal::unknown_class;
  }
}

template <class T>
consteval refusal own_refusal() {
  if constexpr (std::is_reference_v<T>) return refusal::reference;
  else if constexpr (std::is_const_v<T> || std::is_volatile_v<T>) return refusal::constant;
  else if constexpr (std::is_array_v<T>) return refusal::c_array;
  else if constexpr (std::is_function_v<std::remove_pointer_t<T>> || std::is_member_pointer_v<T>) return refusal::function;
  else if constexpr (std::is_pointer_v<T> || std::is_null_pointer_v<T>) return refusal::pointer;
  else if constexpr (std::is_union_v<T>) return refusal::union_;
  else if constexpr (std::is_same_v<T, wchar_t>) return refusal::wide_character;
  else if constexpr (!std::is_class_v<T>) return refusal::unfit_scalar;
  else if constexpr (Represented<T> && SnapshotClass<T>) return refusal::two_ways;
  else if constexpr (category_of<T> != category::refused) return refusal::none;
  else if constexpr (TimePointLike<T>) return refusal::steady_clock;
  else if constexpr (OwningPointer<T>) return refusal::owning_pointer;
  else if constexpr (View<T>) return refusal::view;
  else if constexpr (HalfSnapshot<T>) return refusal::half_snapshot;
  else if constexpr (OtherContainer<T>) return refusal::container;
  else if constexpr (AtomicLike<T>) return refusal::atomic;
  else if constexpr (DistributionLike<T>) return refusal::distribution;
  else return refusal_of_reflection<T>();
}

/// Whether the parts of this type are made by the library when it is loaded.
template <class T>
inline constexpr bool makes_elements =
    category_of<T> == category::sequence || category_of<T> == category::map || category_of<T> == category::optional ||
    category_of<T> == category::variant || category_of<T> == category::represented;

template <class T>
inline constexpr bool is_made_by_default = std::is_default_constructible_v<T> && std::is_move_constructible_v<T>;

template <class T>
consteval bool has_stateless_policies() {
  if constexpr (requires { typename T::key_compare; }) return std::is_empty_v<typename T::key_compare>;
  else return true;
}

template <class T, class... Outer>
consteval verdict judge();

template <class Parent, class T, class... Outer>
consteval verdict judge_child() {
  verdict child = judge<T, Outer...>();
  if constexpr (makes_elements<Parent> && !std::is_const_v<T>) {
    if (child.reason == refusal::none && !is_made_by_default<T>) child.reason = refusal::not_default_constructible;
  }
  return child;
}

template <class Parent, class... Outer, class... Children>
consteval verdict judge_children(type_list<Children...>) {
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
  (visit(judge_child<Parent, Children, Outer...>()), ...);
  return found;
}

template <class T, class... Outer>
consteval verdict judge() {
  if constexpr (std::is_const_v<T> || std::is_volatile_v<T> || category_of<T> == category::refused) {
    return {own_refusal<T>(), 0, {}};
  } else if constexpr (category_of<T> == category::scalar || category_of<T> == category::text) {
    return {};
  } else if constexpr ((std::is_same_v<T, Outer> || ...)) {
    return {refusal::recursive, 0, {}};
  } else if constexpr (Represented<T> && SnapshotClass<T>) {
    return {refusal::two_ways, 0, {}};
  } else if constexpr (category_of<T> == category::represented && !is_made_by_default<T>) {
    return {refusal::not_default_constructible, 0, {}};  // its value is tried on a fresh object before the real one is touched
  } else if constexpr (!has_stateless_policies<T>()) {
    return {refusal::stateful_container, 0, {}};
  } else if constexpr (category_of<T> == category::record || category_of<T> == category::represented) {
    return judge_children<T, T, Outer...>(children_of<T>{});  // only a named type can contain itself
  } else {
    return judge_children<T, Outer...>(children_of<T>{});
  }
}

template <class T>
inline constexpr verdict verdict_of = judge<T>();

}  // namespace tidemark::detail
#endif
