// SPDX-License-Identifier: BSL-1.0
// sink/throttle.hpp: a sink that takes no more than so many bytes a second, so that a save leaves others their share (floor: sink).
#ifndef TIDEMARK_SINK_THROTTLE_HPP
#define TIDEMARK_SINK_THROTTLE_HPP

#include <tidemark/core/error.hpp>
#include <tidemark/core/sink.hpp>
#include <tidemark/sink/opened_writer.hpp>

#include <algorithm>
#include <chrono>
#include <concepts>
#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <thread>
#include <utility>

namespace tidemark {

/// Where a throttle takes its time from. `now` never goes back.
template <class P>
concept Pace = requires(const P& pace, std::chrono::nanoseconds span) {
  { pace.now() } -> std::convertible_to<std::chrono::nanoseconds>;
  pace.sleep(span);
};

/// The system's monotonic clock, and sleep.
struct steady_pace {
  std::chrono::nanoseconds now() const { return std::chrono::steady_clock::now().time_since_epoch(); }
  void sleep(std::chrono::nanoseconds span) const { std::this_thread::sleep_for(span); }
};

namespace detail {

/// A bucket of tokens, one a byte, that holds a tenth of a second's worth, at least one, and is full at first. It is kept as the one moment at which
/// it will be full again: that, not the length of each sleep, adds up, so a sleep that takes too long is made up for.
class token_bucket {
 public:
  using nanoseconds = std::chrono::nanoseconds;

  token_bucket(std::uint64_t bytes_per_second, nanoseconds now) noexcept : rate_(static_cast<double>(bytes_per_second)), held_((std::max)(0.1, 1 / rate_)), start_(now) {}

  /// The longest piece to pass on at once.
  std::size_t longest_piece() const noexcept { return static_cast<std::size_t>((std::clamp)(rate_ * held_, 1.0, 1048576.0)); }

  /// How long until `bytes` may go.
  nanoseconds wait(std::size_t bytes, nanoseconds now) const noexcept;

  void take(std::size_t bytes, nanoseconds now) noexcept { full_ = (std::max)(full_, since_start(now)) + static_cast<double>(bytes) / rate_; }

 private:
  double since_start(nanoseconds now) const noexcept { return std::chrono::duration<double>(now - start_).count(); }

  double rate_;
  double held_;  ///< seconds' worth
  nanoseconds start_;
  double full_ = 0;  ///< seconds after the start
};

}  // namespace detail

/// One save into a `throttle`.
template <class S, class P>
class throttle_writer {
 public:
  throttle_writer(S& sink, std::uint64_t total_bytes, std::uint64_t bytes_per_second, const P& pace)
      : inner_(sink, total_bytes), pace_(pace), bucket_(bytes_per_second, pace_.now()) {}

  /// Passes on in pieces, each when its time has come; the caller waits.
  void write(std::span<const std::byte> bytes) {
    inner_.run([&](auto& writer) {
      while (!bytes.empty()) {
        const auto piece = bytes.first((std::min)(bytes.size(), bucket_.longest_piece()));
        if (const auto span = bucket_.wait(piece.size(), pace_.now()); span > span.zero()) pace_.sleep(span);
        bucket_.take(piece.size(), pace_.now());
        writer.write(piece);
        bytes = bytes.subspan(piece.size());
      }
    });
  }

  durability commit() { return inner_.commit(); }

 private:
  detail::inner_writer<S> inner_;
  P pace_;
  detail::token_bucket bucket_;
};

/// Passes on at most `bytes_per_second`, and a tenth of a second's worth at once, or one byte where that is more.
///
///     tidemark::throttle{50'000'000, tidemark::atomic_file{"/shared/last.safetensors"}}
///
/// Time that the sink itself takes counts: where it is slower than the limit, nothing is waited for. Each save has a limit of its own.
/// The calling thread sleeps, never after the last byte. Throws `unsupported` for a limit of 0.
template <Sink S, Pace P = steady_pace>
class throttle {
 public:
  throttle(std::uint64_t bytes_per_second, S sink, P pace = {}) : sink_(std::move(sink)), rate_(bytes_per_second), pace_(std::move(pace)) {
    if (rate_ != 0) return;
    throw error({.code = errc::unsupported,
                 .file = sink_.name(),
                 .problem = "a limit of 0 bytes a second would let nothing pass, and a save would never end",
                 .expected = "1 or more",
                 .advice = "Leave the throttle out where there is no limit."});
  }

  throttle_writer<S, P> open(std::uint64_t total_bytes) { return {sink_, total_bytes, rate_, pace_}; }
  std::string name() const { return sink_.name(); }

  S& inner() noexcept { return sink_; }
  const S& inner() const noexcept { return sink_; }

 private:
  S sink_;
  std::uint64_t rate_;
  P pace_;
};

}  // namespace tidemark

#ifndef TIDEMARK_COMPILED
#include <tidemark/sink/throttle.ipp>
#endif
#endif
