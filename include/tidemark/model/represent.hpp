// SPDX-License-Identifier: BSL-1.0
// model/represent.hpp: how a type that is no aggregate says what its state is (floor: model).
#ifndef TIDEMARK_MODEL_REPRESENT_HPP
#define TIDEMARK_MODEL_REPRESENT_HPP

#include <tidemark/core/error.hpp>
#include <tidemark/model/standard.hpp>

#include <algorithm>
#include <concepts>
#include <string>
#include <type_traits>
#include <utility>

namespace tidemark {

/// The state of a foreign type as a Checkpointable value. Specialise it:
/// ```
/// template <> struct tidemark::represent<my::engine> {
///   static std::string name() { return "my_engine"; }             // kept in the schema: no other type's state loads as this one's
///   static my_state snapshot(const my::engine&);                  // const; draws nothing, starts nothing
///   static void restore(my::engine&, my_state&&);                 // checks; throws tidemark::error (invalid_value) before it changes anything
/// };
/// ```
/// Both types need a default constructor: `tidemark::restore` first tries the value on a fresh object, so it calls `restore` twice.
template <class T>
struct represent {
  using unspecialised = void;
};

namespace detail {

template <class T>
concept Represented = !requires { typename represent<T>::unspecialised; };

/// A class with invariants: `snapshot() const` gives a Checkpointable value, `restore(value)` checks and takes one.
/// `static constexpr std::string_view checkpoint_name` may name it in the schema.
template <class T>
concept SnapshotClass = std::is_class_v<T> && requires(T& object, const T& constant) { object.restore(constant.snapshot()); };

template <class C, class R>
C owner_of_function(R (C::*)() const);
template <class C, class R>
C owner_of_function(R (C::*)() const noexcept);

/// A class whose state must fit something outside of the state, a file for example: `check_restore(value) const` throws where it does not.
/// `tidemark::restore` asks the object itself before anything of the whole state is touched; `restore(value)` must check all the same.
template <class T>
concept ChecksRestore = SnapshotClass<T> && requires(const T& object) { object.check_restore(object.snapshot()); };

/// Runs what compares a state with something outside of it: an error says so.
template <class F>
void looking_outside(F&& f) {
  amending(std::forward<F>(f), [](error_details& details) { details.is_outside = true; });
}

/// A class that has `snapshot` from a base, and more data than it: the more would be lost unseen.
template <class T>
concept InheritsSnapshot = SnapshotClass<T> && requires { owner_of_function(&T::snapshot); } && !std::is_same_v<decltype(owner_of_function(&T::snapshot)), T> &&
                           sizeof(T) != sizeof(decltype(owner_of_function(&T::snapshot)));

/// A class with one of the two functions, or with two that do not fit each other.
template <class T>
concept HalfSnapshot = std::is_class_v<T> && !SnapshotClass<T> &&
                       (requires(T& object) { object.snapshot(); } || requires { requires std::is_member_function_pointer_v<decltype(&T::restore)>; });

/// Classes of the standard library that the library itself represents.
template <class T>
concept RepresentedByStandard = Adaptor<T> || StandardPath<T>;

template <class T>
struct representation;

/// A path as text, its separators `/`. Where these are its own they stay as many as they are, which `generic_u8string` does not promise.
template <StandardPath T>
  requires(!Represented<T>)
struct representation<T> {
  using type = std::string;
  static std::string name() { return "path"; }
  static type snapshot(const T& path) {
    const auto text = T::preferred_separator == '/' ? path.u8string() : path.generic_u8string();
    return {reinterpret_cast<const char*>(text.data()), text.size()};
  }
  static void restore(T& path, type&& value) { path = T(std::u8string(reinterpret_cast<const char8_t*>(value.data()), value.size())); }
};

/// The container inside stack, queue and priority_queue, which is a protected member of each.
template <class T>
struct opened_adaptor : T {
  static auto& container(T& adaptor) noexcept { return adaptor.*(&opened_adaptor::c); }
  static const auto& container(const T& adaptor) noexcept { return adaptor.*(&opened_adaptor::c); }
  static const auto& order(const T& adaptor) noexcept { return adaptor.*(&opened_adaptor::comp); }
};

template <Adaptor T>
  requires(!Represented<T>)
struct representation<T> {
  using type = typename T::container_type;
  static constexpr bool is_heap = requires { typename T::value_compare; };
  static std::string name() { return is_heap ? "priority_queue" : requires(T& t) { t.front(); } ? "queue" : "stack"; }
  static const type& snapshot(const T& adaptor) { return opened_adaptor<T>::container(adaptor); }
  static void restore(T& adaptor, type&& value) {
    if constexpr (is_heap) {
      if (!std::is_heap(value.begin(), value.end(), opened_adaptor<T>::order(adaptor))) {
        throw error({.code = errc::invalid_value, .problem = "the elements of a priority queue do not stand in the order of its heap",
                     .advice = "It was saved with another comparison: build the queue anew from its elements."});
      }
    }
    opened_adaptor<T>::container(adaptor) = std::move(value);
  }
};

template <class T>
  requires Represented<T>
struct representation<T> {
  using type = std::remove_cvref_t<decltype(represent<T>::snapshot(std::declval<const T&>()))>;
  static std::string name() { return std::string(represent<T>::name()); }
  static type snapshot(const T& object) { return represent<T>::snapshot(object); }
  static void restore(T& object, type&& value) { represent<T>::restore(object, std::move(value)); }
};

template <class T>
  requires(!Represented<T> && SnapshotClass<T> && !Adaptor<T> && !StandardPath<T>)
struct representation<T> {
  using type = std::remove_cvref_t<decltype(std::declval<const T&>().snapshot())>;
  static std::string name() {
    if constexpr (requires { T::checkpoint_name; }) return std::string(T::checkpoint_name);
    else return {};
  }
  static type snapshot(const T& object) { return object.snapshot(); }
  static void restore(T& object, type&& value) {
    if constexpr (ChecksRestore<T>) looking_outside([&] { object.restore(std::move(value)); });
    else object.restore(std::move(value));
  }
};

}  // namespace detail
}  // namespace tidemark
#endif
