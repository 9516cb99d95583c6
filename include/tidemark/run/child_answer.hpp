// SPDX-License-Identifier: BSL-1.0
// run/child_answer.hpp: what a forked child that saves tells its parent, as text (floor: run).
#ifndef TIDEMARK_RUN_CHILD_ANSWER_HPP
#define TIDEMARK_RUN_CHILD_ANSWER_HPP

#include <tidemark/core/cancellation.hpp>
#include <tidemark/core/error.hpp>
#include <tidemark/run/saved_checkpoint.hpp>
#include <tidemark/sink/child_process.hpp>

#include <algorithm>
#include <cstdint>
#include <cstring>
#include <exception>
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
  std::string take() {
    std::string_view left = std::string_view(text_).substr(at_);
    const auto length = take_number(left);
    if (!length || left.empty() || *length > left.size() - 1) throw error({.code = errc::io, .problem = "the child process that was saving ended without an answer"});
    std::string field(left.substr(1, static_cast<std::size_t>(*length)));
    at_ = text_.size() - left.size() + 1 + field.size();
    return field;
  }
  std::uint64_t take_count() {
    const std::string text = take();
    std::string_view left = text;
    return take_number(left).value_or(0);
  }

  const std::string& text() const noexcept { return text_; }

 private:
  std::string text_;
  std::size_t at_ = 0;
};

/// Runs `save` and puts what comes of it into text; throws nothing.
template <class Save>
std::string answer_of(Save&& save) noexcept {
  text_fields answer;
  try {
    try {
      const saved_checkpoint saved = save();
      answer.add("saved").add(saved.step).add(saved.sequence).add(saved.path).add(saved.bytes).add(number_text(saved.seconds));
      answer.add(static_cast<std::uint64_t>(saved.level)).add(std::string_view(reinterpret_cast<const char*>(saved.digest.bytes.data()), saved.digest.bytes.size()));
    } catch (const error& e) {
      const error_details& d = e.details();
      answer = {};
      answer.add("error").add(static_cast<std::uint64_t>(d.code)).add(static_cast<std::uint64_t>(d.system));
      for (const std::string* part : {&d.action, &d.file, &d.tensor, &d.problem, &d.expected, &d.found, &d.advice}) answer.add(*part);
    } catch (const std::exception& e) {
      answer = {};
      answer.add("exception").add(e.what());
    } catch (...) {
      answer = {};
      answer.add("exception").add("an exception of another type");
    }
    return answer.text();
  } catch (...) {
    return {};  // no memory even for the answer: an empty one is told as such
  }
}

/// The other end: what the child saved, or the error that it met. Throws that error.
inline saved_checkpoint read_answer(std::string text) {
  text_fields answer(std::move(text));
  const std::string kind = answer.take();
  if (kind == "saved") {
    saved_checkpoint saved;
    saved.step = answer.take_count();
    saved.sequence = answer.take_count();
    saved.path = answer.take();
    saved.bytes = answer.take_count();
    static_cast<void>(parse_number(answer.take(), saved.seconds));
    saved.level = static_cast<durability>(answer.take_count());
    const std::string digest = answer.take();
    std::memcpy(saved.digest.bytes.data(), digest.data(), (std::min)(digest.size(), saved.digest.bytes.size()));
    return saved;
  }
  if (kind == "error") {
    error_details d;
    d.code = static_cast<errc>(answer.take_count());
    d.system = static_cast<int>(answer.take_count());
    for (std::string* part : {&d.action, &d.file, &d.tensor, &d.problem, &d.expected, &d.found, &d.advice}) *part = answer.take();
    throw error(std::move(d));
  }
  throw error({.code = errc::invalid_value, .action = "save", .problem = "user code threw while the state was saved in a child process: " + answer.take()});
}

/// What `child` has saved. One that `cancel` asks to stop is killed, and its answer counts if it was done by then. Throws the error of
/// either, after `on_failure()`, for which the child has ended.
template <class OnFailure>
saved_checkpoint await_answer(child_process& child, const cancellation& cancel, OnFailure&& on_failure) {
  std::exception_ptr stopped;
  child.watch([&] {
    try {
      cancel.check();
    } catch (...) {
      stopped = std::current_exception();
    }
    return !stopped;
  });
  try {
    return read_answer(child.answer());
  } catch (const error&) {
    on_failure();
    if (stopped) std::rethrow_exception(stopped);
    throw;
  }
}

}  // namespace tidemark::detail
#endif
