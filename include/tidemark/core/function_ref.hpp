// SPDX-License-Identifier: BSL-1.0
// core/function_ref.hpp: a callable behind one type, not owned, so that what calls it is compiled once (floor: core).
#ifndef TIDEMARK_CORE_FUNCTION_REF_HPP
#define TIDEMARK_CORE_FUNCTION_REF_HPP

#include <memory>
#include <type_traits>

namespace tidemark::detail {

template <class Signature>
class function_ref;

/// Refers to a callable, which must outlive it. Two pointers.
template <class R, class... Args>
class function_ref<R(Args...)> {
 public:
  template <class F>
    requires(!std::is_same_v<std::remove_cvref_t<F>, function_ref>)
  function_ref(F&& f) noexcept  // NOLINT(google-explicit-constructor): a parameter of this type takes a lambda
      : callable_(const_cast<void*>(static_cast<const void*>(std::addressof(f)))),
        call_([](void* callable, Args... args) -> R { return (*static_cast<std::remove_reference_t<F>*>(callable))(static_cast<Args&&>(args)...); }) {}

  R operator()(Args... args) const { return call_(callable_, static_cast<Args&&>(args)...); }

 private:
  void* callable_;
  R (*call_)(void*, Args...);
};

}  // namespace tidemark::detail
#endif
