// SPDX-License-Identifier: BSL-1.0
// run/child_answer.ipp: the definitions of child_answer.hpp (floor: run).
#ifndef TIDEMARK_RUN_CHILD_ANSWER_IPP
#define TIDEMARK_RUN_CHILD_ANSWER_IPP

#include <tidemark/run/child_answer.hpp>

#include <tidemark/core/error.hpp>
#include <tidemark/core/linkage.hpp>

#include <algorithm>
#include <cstring>
#include <exception>

namespace tidemark::detail {

TIDEMARK_DETAIL_INLINE std::string text_fields::take() {
  std::string_view left = std::string_view(text_).substr(at_);
  const auto length = take_number(left);
  if (!length || left.empty() || *length > left.size() - 1) throw error({.code = errc::io, .problem = "the child process that was saving ended without an answer"});
  std::string field(left.substr(1, static_cast<std::size_t>(*length)));
  at_ = text_.size() - left.size() + 1 + field.size();
  return field;
}

TIDEMARK_DETAIL_INLINE std::uint64_t text_fields::take_count() {
  const std::string text = take();
  std::string_view left = text;
  return take_number(left).value_or(0);
}

TIDEMARK_DETAIL_INLINE std::string answer_of(function_ref<saved_checkpoint()> save) noexcept {
  text_fields answer;
  try {
    try {
      const saved_checkpoint saved = save();
      answer.add("saved").add(saved.step).add(saved.sequence).add(saved.path).add(saved.bytes).add(shortest_text(saved.seconds));
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

TIDEMARK_DETAIL_INLINE saved_checkpoint read_answer(std::string text) {
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

TIDEMARK_DETAIL_INLINE saved_checkpoint await_answer(child_process& child, const cancellation& cancel, function_ref<void()> on_failure) {
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
