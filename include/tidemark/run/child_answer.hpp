// SPDX-License-Identifier: BSL-1.0
// run/child_answer.hpp: what a forked child that saves tells its parent, as text (floor: run).
#ifndef TIDEMARK_RUN_CHILD_ANSWER_HPP
#define TIDEMARK_RUN_CHILD_ANSWER_HPP

#include <tidemark/core/cancellation.hpp>
#include <tidemark/core/function_ref.hpp>
#include <tidemark/run/saved_checkpoint.hpp>
#include <tidemark/sink/child_process.hpp>

#include <cstdint>
#include <string>
#include <string_view>
#include <utility>

namespace tidemark::detail {

/// Texts one behind the other, each with its length before it: what a child tells its parent.
class text_fields {
 public:
  text_fields() = default;
  explicit text_fields(std::string text) : text_(std::move(text)) {}

  text_fields& add(std::string_view field) {
    text_.append(std::to_string(field.size())).append(1, ':').append(field);
    return *this;
  }
  text_fields& add(std::uint64_t number) { return add(std::to_string(number)); }

  /// The next one. Throws where there is none.
  std::string take();
  std::uint64_t take_count();

  const std::string& text() const noexcept { return text_; }

 private:
  std::string text_;
  std::size_t at_ = 0;
};

/// Runs `save` and puts what comes of it into text; throws nothing.
std::string answer_of(function_ref<saved_checkpoint()> save) noexcept;

/// The other end: what the child saved, or the error that it met. Throws that error.
saved_checkpoint read_answer(std::string text);

/// What `child` has saved. One that `cancel` asks to stop is killed, and its answer counts if it was done by then. Throws the error of
/// either, after `on_failure()`, for which the child has ended.
saved_checkpoint await_answer(child_process& child, const cancellation& cancel, function_ref<void()> on_failure);

}  // namespace tidemark::detail

#ifndef TIDEMARK_COMPILED
#include <tidemark/run/child_answer.ipp>
#endif
#endif
