// SPDX-License-Identifier: BSL-1.0
// reflect/anything.hpp: placeholders that convert to a member's type, whatever it is; floor reflect.
#ifndef TIDEMARK_REFLECT_ANYTHING_HPP
#define TIDEMARK_REFLECT_ANYTHING_HPP

#include <string_view>
#include <type_traits>

namespace tidemark::reflect::detail {

/// Whether `U` is a union without a name, by the end of its name as g++, nvcc and clang spell it. Anonymous unions are such; they
/// cannot be decomposed.
template <class U>
consteval bool is_unnamed_union() {
  if constexpr (std::is_union_v<U>) {
    constexpr std::string_view text = __PRETTY_FUNCTION__;
    return text.ends_with("<unnamed union>]") || text.ends_with("<unnamed>]") || text.ends_with(")]");
  } else {
    return false;
  }
}

// They are never called: they stand in unevaluated initializers only. The `&&` makes them the better match than a member's own
// greedy `template <class U> member(const U&)`; that they cannot be copied keeps constrained greedy constructors out.
/// `uncopied` itself becomes nothing: only a greedy constructor takes it.
struct uncopied {
  uncopied() = default;
  uncopied(const uncopied&) = delete;
};

/// Becomes any value, in place: nothing is copied or moved, so that it may be immovable.
struct any_value : uncopied {
  template <class U>
  operator U() && noexcept;
};

/// Becomes an lvalue of any type: what a non-const reference needs, and what Boost.PFR asks with.
struct any_lvalue : uncopied {
  template <class U>
  operator U&() && noexcept;
};

/// Becomes any base of `T`.
template <class T>
struct any_base : uncopied {
  template <class U>
    requires(std::is_base_of_v<U, T> && !std::is_same_v<U, T>)
  operator U() && noexcept;
};

/// Becomes any base of `T` that holds data.
template <class T>
struct any_base_with_data : uncopied {
  template <class U>
    requires(std::is_base_of_v<U, T> && !std::is_same_v<U, T> && !std::is_empty_v<U>)
  operator U() && noexcept;
};

/// Becomes a base of `T` in two ways, so in none: only a greedy constructor that is no base's takes it.
template <class T>
struct twice_any_base : uncopied {
  template <class U>
    requires(std::is_base_of_v<U, T> && !std::is_same_v<U, T>)
  operator U() && noexcept;
  template <class U>
    requires(std::is_base_of_v<U, T> && !std::is_same_v<T, U>)
  operator U() && noexcept;
};

/// The same of bases that hold data.
template <class T>
struct twice_any_base_with_data : uncopied {
  template <class U>
    requires(std::is_base_of_v<U, T> && !std::is_same_v<U, T> && !std::is_empty_v<U>)
  operator U() && noexcept;
  template <class U>
    requires(std::is_base_of_v<U, T> && !std::is_same_v<T, U> && !std::is_empty_v<U>)
  operator U() && noexcept;
};

/// Becomes a union without a name. It also initializes a class with such a union at its front, whose braces then count as left out.
struct any_unnamed_union : uncopied {
  template <class U>
    requires(is_unnamed_union<U>())
  operator U() && noexcept;
};

/// Becomes a class with such a union at its front.
struct any_around_unnamed_union : uncopied {
  template <class U>
    requires(!is_unnamed_union<U>() && requires { U{any_unnamed_union()}; })
  operator U() && noexcept;
};

}  // namespace tidemark::reflect::detail
#endif
