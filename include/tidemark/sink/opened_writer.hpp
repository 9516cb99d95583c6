// SPDX-License-Identifier: BSL-1.0
// sink/opened_writer.hpp: the writer of another sink on the heap, where it can be given up early and need not be movable (floor: sink).
#ifndef TIDEMARK_SINK_OPENED_WRITER_HPP
#define TIDEMARK_SINK_OPENED_WRITER_HPP

#include <tidemark/core/error.hpp>
#include <tidemark/core/sink.hpp>

#include <cstdint>
#include <memory>
#include <string>
#include <utility>

namespace tidemark::detail {

template <class S>
using writer_of = decltype(std::declval<S&>().open(std::uint64_t{}));

template <class S>
std::unique_ptr<writer_of<S>> open_writer(S& sink, std::uint64_t total_bytes) {
  return std::unique_ptr<writer_of<S>>(new writer_of<S>(sink.open(total_bytes)));
}

/// For a writer that has committed or failed. `name` is that of its sink.
[[noreturn]] void refuse_finished(const std::string& name);

/// The writer that a sink which passes bytes on holds: given up at the first failure, so that nothing can be committed after it.
template <class S>
class inner_writer {
 public:
  inner_writer(S& sink, std::uint64_t total_bytes) : name_(sink.name()), writer_(open_writer(sink, total_bytes)) {}

  const std::string& name() const noexcept { return name_; }

  void require_open() const {
    if (!writer_) refuse_finished(name_);
  }

  /// Runs `f(writer)`; an exception ends the save.
  template <class F>
  decltype(auto) run(F&& f) {
    require_open();
    try {
      return std::forward<F>(f)(*writer_);
    } catch (...) {
      abandon();
      throw;
    }
  }

  durability commit() {
    const durability reached = run([](auto& writer) { return writer.commit(); });
    abandon();
    return reached;
  }

  void abandon() noexcept { writer_.reset(); }

 private:
  std::string name_;
  std::unique_ptr<writer_of<S>> writer_;
};

}  // namespace tidemark::detail

#ifndef TIDEMARK_COMPILED
#include <tidemark/sink/opened_writer.ipp>
#endif
#endif
