// SPDX-License-Identifier: BSL-1.0
// core/cancellation.hpp: how a caller stops what is under way: any stop token, or a question that is asked again and again (floor: core).
#ifndef TIDEMARK_CORE_CANCELLATION_HPP
#define TIDEMARK_CORE_CANCELLATION_HPP

#include <tidemark/core/error.hpp>

#include <concepts>
#include <functional>
#include <utility>

namespace tidemark {

/// Made from a `std::stop_token`, or anything else that has `stop_requested()`, or a function that says whether to stop. Without one it
/// never does. It may be asked by several threads at once, and so must be what it is made from.
class cancellation {
 public:
  cancellation() = default;

  template <class Token>
    requires requires(const Token& token) { { token.stop_requested() } -> std::convertible_to<bool>; }
  cancellation(Token token) : is_requested_([token = std::move(token)] { return bool(token.stop_requested()); }) {}

  template <std::predicate Question>
  cancellation(Question question) : is_requested_(std::move(question)) {}

  bool requested() const { return is_requested_ && is_requested_(); }

  /// Throws `error` (cancelled) where a stop was requested.
  void check() const;

 private:
  std::function<bool()> is_requested_;
};

}  // namespace tidemark

#ifndef TIDEMARK_COMPILED
#include <tidemark/core/cancellation.ipp>
#endif
#endif
