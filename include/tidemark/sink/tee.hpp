// SPDX-License-Identifier: BSL-1.0
// sink/tee.hpp: one save into several sinks, of which all commit or the caller is told which did (floor: sink).
#ifndef TIDEMARK_SINK_TEE_HPP
#define TIDEMARK_SINK_TEE_HPP

#include <tidemark/core/error.hpp>
#include <tidemark/core/sink.hpp>
#include <tidemark/sink/opened_writer.hpp>

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <exception>
#include <memory>
#include <span>
#include <string>
#include <tuple>
#include <type_traits>
#include <utility>

namespace tidemark {

/// One save into several sinks. Destroyed without `commit`, or after a failed write, it leaves all of them as they were.
template <class... S>
class tee_writer {
 public:
  tee_writer(std::tuple<S...>& sinks, std::uint64_t total_bytes)
      : names_(std::apply([](const S&... each) { return std::array<std::string, sizeof...(S)>{std::string(each.name())...}; }, sinks)),
        // Braces: opened from the first to the last. One that cannot be opened takes those before it along.
        writers_(std::apply([&](S&... each) { return writers{detail::open_writer(each, total_bytes)...}; }, sinks)) {}

  /// Appends to each. The first that fails ends the save of all, and its error passes through.
  void write(std::span<const std::byte> bytes) {
    require_open();
    try {
      std::apply([&](auto&... each) { (each->write(bytes), ...); }, writers_);
    } catch (...) {
      abandon();
      throw;
    }
  }

  /// Commits each, from the first to the last, and returns the lowest level. The first that fails is the last that is tried: where no
  /// other had committed, its own error passes through; else the error is `partly_committed` and names them all.
  durability commit() {
    require_open();
    durability lowest = durability::power;
    std::size_t committed = 0;
    try {
      std::apply([&](auto&... each) { ((lowest = (std::min)(lowest, each->commit()), ++committed), ...); }, writers_);
    } catch (const error& e) {
      abandon();
      if (committed == 0 && (e.code() != errc::commit_unknown || sizeof...(S) == 1)) throw;
      fail(committed, e.details());
    } catch (const std::exception& e) {
      abandon();
      if (committed == 0) throw;
      fail(committed, {.problem = e.what()});
    } catch (...) {
      abandon();
      if (committed == 0) throw;
      fail(committed, {.problem = "an exception of another type"});
    }
    abandon();
    return lowest;
  }

 private:
  using writers = std::tuple<std::unique_ptr<detail::writer_of<S>>...>;

  void require_open() const {
    if (!std::get<0>(writers_)) detail::refuse_finished(joined(0, sizeof...(S), " and "));
  }

  void abandon() noexcept {
    std::apply([](auto&... each) { (each.reset(), ...); }, writers_);
  }

  std::string joined(std::size_t first, std::size_t last, const char* between) const {
    std::string all;
    for (std::size_t i = first; i < last; ++i) (all += i == first ? "" : between) += names_[i];
    return all;
  }

  /// The sink at `failed` did not commit as it should; those before it did, those behind it were not asked to.
  [[noreturn]] void fail(std::size_t failed, const error_details& why) const {
    const bool is_unknown = why.code == errc::commit_unknown;
    std::string problem = "only a part of the sinks has committed\n";
    const auto line = [&](const char* state, const std::string& which) { problem += std::string("  ") + state + which + '\n'; };
    if (failed != 0) line("committed       ", joined(0, failed, ", "));
    line(is_unknown ? "unknown         " : "not committed   ", names_[failed] + ": " + why.problem);
    if (failed + 1 != sizeof...(S)) line("not committed   ", joined(failed + 1, sizeof...(S), ", ") + ": not tried");
    std::string advice = "What has not committed is as it was before: keep the older checkpoint there, and save again.";
    if (is_unknown) advice += " The unknown one is visible, but a power cut may take it back.";
    if (!why.advice.empty()) advice += ' ' + why.advice;
    throw error({.code = failed == 0 ? errc::commit_unknown : errc::partly_committed,
                 .file = joined(0, sizeof...(S), " and "),
                 .problem = std::move(problem),
                 .advice = std::move(advice),
                 .system = why.system});
  }

  std::array<std::string, sizeof...(S)> names_;
  writers writers_;
};

/// Several sinks as one: every byte goes to each, and one save commits them all, in order.
///
///     tidemark::tee{tidemark::atomic_file{"/fast/last.safetensors"}, tidemark::atomic_file{"/safe/last.safetensors"}}
///
/// (The qualified name: the C library has a function `tee`, which a `using namespace` would make it ambiguous with.)
/// Sinks cannot commit at one instant: a failure, or a kill, between two commits leaves the first new and the others old, each whole.
/// So put first the one that is read first. Memory and descriptors: those of the sinks together. Writes one after another.
template <class... S>
class tee {
  static_assert(sizeof...(S) > 0, "tidemark: a tee holds at least one sink");

 public:
  explicit tee(S... sinks)
    requires(Sink<S> && ...)
      : sinks_(std::move(sinks)...) {}

  tee_writer<S...> open(std::uint64_t total_bytes) { return {sinks_, total_bytes}; }

  /// "a and b".
  std::string name() const {
    std::string all;
    const auto add = [&](const std::string& name) { (all += all.empty() ? "" : " and ") += name; };
    std::apply([&](const S&... each) { (add(each.name()), ...); }, sinks_);
    return all;
  }

  /// The sink at place `I`, to read what a `memory` holds for example.
  template <std::size_t I>
  auto& get() noexcept {
    return std::get<I>(sinks_);
  }
  template <std::size_t I>
  const auto& get() const noexcept {
    return std::get<I>(sinks_);
  }

 private:
  std::tuple<S...> sinks_;
};

}  // namespace tidemark
#endif
