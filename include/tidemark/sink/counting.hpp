// SPDX-License-Identifier: BSL-1.0
// sink/counting.hpp: a sink that passes everything on and counts it, for a caller who reads along (floor: sink).
#ifndef TIDEMARK_SINK_COUNTING_HPP
#define TIDEMARK_SINK_COUNTING_HPP

#include <tidemark/core/sink.hpp>
#include <tidemark/sink/opened_writer.hpp>

#include <atomic>
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <utility>

namespace tidemark {

/// Counts that copies share: the caller keeps one, a sink holds another, however deep it lies in others. Any thread may read.
class sink_counts {
 public:
  sink_counts();

  std::uint64_t bytes() const noexcept { return shared_->bytes; }    ///< taken by the sink, in saves that came to nothing too
  std::uint64_t writes() const noexcept { return shared_->writes; }  ///< calls that took them
  std::uint64_t saves() const noexcept { return shared_->saves; }    ///< committed
  /// Spent in the sink's `open`, `write` and `commit`, also where they failed.
  double seconds() const noexcept;

 private:
  template <class S>
  friend class counting_writer;

  struct totals {
    std::atomic<std::uint64_t> bytes = 0, writes = 0, saves = 0;
    std::atomic<std::int64_t> nanoseconds = 0;
  };

  /// Adds the time of its life.
  class stopwatch {
   public:
    explicit stopwatch(const sink_counts& counts) noexcept;
    stopwatch(const stopwatch&) = delete;
    stopwatch& operator=(const stopwatch&) = delete;
    ~stopwatch();

   private:
    const sink_counts& counts_;
    std::chrono::steady_clock::time_point start_;
  };

  std::shared_ptr<totals> shared_;
};

/// One save into a `counting`.
template <class S>
class counting_writer {
 public:
  counting_writer(S& sink, std::uint64_t total_bytes, const sink_counts& counts) : counts_(counts), inner_(opened(sink, total_bytes, counts_)) {}

  void write(std::span<const std::byte> bytes) {
    const sink_counts::stopwatch watch(counts_);
    inner_.run([&](auto& writer) { writer.write(bytes); });
    counts_.shared_->bytes += bytes.size();
    ++counts_.shared_->writes;
  }

  durability commit() {
    const sink_counts::stopwatch watch(counts_);
    const durability reached = inner_.commit();
    ++counts_.shared_->saves;
    return reached;
  }

 private:
  static detail::inner_writer<S> opened(S& sink, std::uint64_t total_bytes, const sink_counts& counts) {
    const sink_counts::stopwatch watch(counts);
    return {sink, total_bytes};
  }

  sink_counts counts_;
  detail::inner_writer<S> inner_;
};

/// Passes every byte on and counts bytes, writes, saves and seconds.
///
///     tidemark::sink_counts disk;
///     tidemark::save(state, tidemark::tee{tidemark::counting{tidemark::atomic_file{path}, disk}, tidemark::memory{}});
///     std::cout << disk.bytes() << " bytes in " << disk.seconds() << " s\n";
///
/// Copies count together. Costs two readings of the clock for each write.
template <Sink S>
class counting {
 public:
  explicit counting(S sink, sink_counts counts = {}) : sink_(std::move(sink)), counts_(std::move(counts)) {}

  counting_writer<S> open(std::uint64_t total_bytes) { return {sink_, total_bytes, counts_}; }
  std::string name() const { return sink_.name(); }

  const sink_counts& counts() const noexcept { return counts_; }
  S& inner() noexcept { return sink_; }
  const S& inner() const noexcept { return sink_; }

 private:
  S sink_;
  sink_counts counts_;
};

}  // namespace tidemark

#ifndef TIDEMARK_COMPILED
#include <tidemark/sink/counting.ipp>
#endif
#endif
