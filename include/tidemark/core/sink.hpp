// SPDX-License-Identifier: BSL-1.0
// core/sink.hpp: the concepts of where an archive goes to and comes from (floor: core).
#ifndef TIDEMARK_CORE_SINK_HPP
#define TIDEMARK_CORE_SINK_HPP

#include <tidemark/core/error.hpp>

#include <concepts>
#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>

namespace tidemark {

/// What a finished save survives.
enum class durability : std::uint8_t {
  none,     ///< nothing promised: memory, or a sink that cannot know
  process,  ///< a kill of this process
  power,    ///< a power cut: data and directory entry were flushed
};

constexpr std::string_view name_of(durability level) noexcept {
  return level == durability::power ? "power" : level == durability::process ? "process" : "none";
}

/// One save under way. `write` appends; `commit` makes everything visible at once and says what it survives.
/// Destruction without `commit` leaves what was there before.
template <class W>
concept SinkWriter = requires(W& writer, std::span<const std::byte> bytes) {
  writer.write(bytes);
  { writer.commit() } -> std::same_as<durability>;
};

/// Where an archive goes: a value that opens a writer for a known number of bytes and has a name for messages.
template <class S>
concept Sink = requires(S& sink, const S& constant, std::uint64_t total_bytes) {
  { sink.open(total_bytes) } -> SinkWriter;
  { constant.name() } -> std::convertible_to<std::string>;
};

/// Where an archive comes from. `read` fills the whole span from `offset` or throws `error`; it may be called by
/// several threads at once. Reading past `size()` is an error of code `truncated`.
template <class S>
concept Source = requires(const S& source, std::uint64_t offset, std::span<std::byte> into) {
  { source.size() } -> std::convertible_to<std::uint64_t>;
  { source.name() } -> std::convertible_to<std::string>;
  source.read(offset, into);
};

/// A source whose bytes lie in memory already, so that nothing needs to be copied to be checked.
template <class S>
concept ContiguousSource = Source<S> && requires(const S& source) {
  { source.bytes() } -> std::convertible_to<std::span<const std::byte>>;
};

}  // namespace tidemark
#endif
