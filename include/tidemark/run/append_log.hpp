// SPDX-License-Identifier: BSL-1.0
// run/append_log.hpp: a text or CSV log as a member of the state: a resumed run goes on in it where the checkpoint was (floor: run).
#ifndef TIDEMARK_RUN_APPEND_LOG_HPP
#define TIDEMARK_RUN_APPEND_LOG_HPP

#include <tidemark/core/error.hpp>
#include <tidemark/sink/append_file.hpp>
#include <tidemark/sink/file_ops.hpp>
#include <tidemark/sink/path.hpp>

#include <array>
#include <charconv>
#include <concepts>
#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <type_traits>

namespace tidemark {

/// All that a checkpoint holds of an `append_log`.
struct append_log_state {
  std::string path;
  std::uint64_t position = 0;  ///< bytes of the file that belong to the checkpoint
  std::string digest;          ///< XXH3-128, in hexadecimal, of the last 4 KiB of them
};

namespace detail {

/// One field of a CSV row (RFC 4180): quoted where it must be; numbers in the shortest form that reads back as the same.
template <class F>
void append_field(std::string& row, const F& field) {
  if constexpr (std::is_same_v<F, bool>) {
    row += field ? "true" : "false";
  } else if constexpr (std::is_arithmetic_v<F> && !std::is_same_v<F, char>) {
    std::array<char, 128> text;
    row.append(text.data(), std::to_chars(text.data(), text.data() + text.size(), field).ptr);
  } else {
    const std::string_view text = [&] {
      if constexpr (std::is_same_v<F, char>) return std::string_view(&field, 1);
      else return std::string_view(field);
    }();
    const bool has_edge = !text.empty() && (text.front() == ' ' || text.back() == ' ');
    if (!has_edge && text.find_first_of(",\"\r\n") == std::string_view::npos) {
      row += text;
      return;
    }
    row += '"';
    for (const char c : text) row.append(c == '"' ? 2 : 1, c);
    row += '"';
  }
}

}  // namespace detail

/// What a column of `append_log::row` may be.
template <class F>
concept LogField = std::is_arithmetic_v<F> || std::convertible_to<const F&, std::string_view>;

/// Appends lines to a file. As a member of a state its position is saved, and a restore cuts the file back to it, so that no line comes
/// twice.
///
///     struct training { std::uint64_t step = 0; tidemark::append_log log{"run/loss.csv"}; };
///     state.log.row(state.step, loss);
///
/// Give it its path before the restore: the file there is compared with the checkpoint before anything of the state is touched (as a
/// member of records and tuples; in containers, optionals and variants when its turn comes), and then cut. One made by `load`, by a
/// restore from an older version of the type, or without a path, takes the stored path, and is compared and cut at its first line.
///
/// A copy stands for the log as it was: both go on to the same file, and the first of them that writes is the log from then on; the other
/// can
/// still be saved, but not written (`unsupported`). One writer, one thread at a time.
class append_log {
 public:
  static constexpr std::string_view checkpoint_name = "append_log";

  /// Has no file: writing throws (`unsupported`).
  append_log() = default;

  /// Goes on at the end of the file at `path`, which is created where it is not there. Throws `not_found` (no folder), `unsafe_path`, `io`.
  template <detail::PathLike P>
  explicit append_log(const P& path) : at_{detail::path_text(path), 0, {}} {
    file_ = std::make_shared<detail::append_file<file_ops>>(at_.path);
    at_.position = file_->end();
  }

  const std::string& path() const noexcept { return at_.path; }
  /// Bytes of the file.
  std::uint64_t position() const noexcept { return at_.position; }

  /// Appends `line` and a line feed by one call of the system, so that others see whole lines. Synced by the next save, not before.
  /// Throws `no_space` or `io`: then nothing of the line is there.
  void write(std::string_view line);

  /// A line of CSV: numbers, bools and texts, with commas between them and quotes where they are needed.
  template <LogField... F>
    requires(sizeof...(F) > 0)
  void row(const F&... fields) {
    std::string text;
    ((detail::append_field(text, fields), text += ','), ...);
    text.pop_back();
    write(text);
  }

  /// Empties the file: a run that begins anew, though an earlier one was killed before its first checkpoint. Throws `io`, and as `write`.
  void clear();

  /// Puts all lines on the disk, because a checkpoint must not outlive what it counts. One fsync where lines have come since the last.
  /// Throws `io`, `truncated` (others have cut the file): then the save fails.
  append_log_state snapshot() const;

  /// Throws `truncated` or `invalid_value`, and touches nothing, unless the file begins with what the checkpoint counts.
  void check_restore(const append_log_state& from) const;

  /// Becomes the log of the checkpoint, under the path that this one has; `check_restore` comes first. A checkpoint of a log without a file
  /// leaves the file as it is.
  void restore(const append_log_state& from);

 private:
  void reopen();

  static void require_same(const detail::append_file<file_ops>& file, const append_log_state& from);

  std::shared_ptr<detail::append_file<file_ops>> file_;
  append_log_state at_;  ///< without a file: what was restored; with one: path and position
  std::string line_;
};

}  // namespace tidemark

#ifndef TIDEMARK_COMPILED
#include <tidemark/run/append_log.ipp>
#endif
#endif
