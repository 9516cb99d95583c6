// SPDX-License-Identifier: BSL-1.0
// run/input_file.hpp: a file that a run reads, as a member of the state: a resumed run refuses to go on with another one (floor: run).
#ifndef TIDEMARK_RUN_INPUT_FILE_HPP
#define TIDEMARK_RUN_INPUT_FILE_HPP

#include <tidemark/core/digest.hpp>
#include <tidemark/core/error.hpp>
#include <tidemark/sink/file_ops.hpp>
#include <tidemark/sink/file_source.hpp>
#include <tidemark/sink/path.hpp>

#include <cstdint>
#include <string>
#include <string_view>
#include <utility>

namespace tidemark {

/// How much of a file its fingerprint is taken of.
enum class input_part : std::uint8_t {
  all,   ///< every byte
  ends,  ///< the size, the first MiB and the last: for files too large to read at each start; a change in between is not seen
};

/// All that a checkpoint holds of an `input_file`.
struct input_file_state {
  std::string path;
  std::uint64_t size = 0;
  std::string digest;      ///< XXH3-128 in hexadecimal
  bool is_of_all = true;   ///< else of both ends
};

namespace detail {

template <class Ops = file_ops>
input_file_state fingerprint_input(const std::string& path, bool is_of_all, Ops ops = {}) {
  constexpr std::uint64_t end = std::uint64_t{1} << 20;
  const basic_file_source<Ops> source(path, std::move(ops));
  hasher hash;
  if (is_of_all || source.size() <= 2 * end) {
    hash_bytes(hash, source, 0, source.size());
  } else {
    hash_bytes(hash, source, 0, end);
    hash_bytes(hash, source, source.size() - end, source.size());
  }
  return {path, source.size(), to_hex(hash.finish()), is_of_all};
}

}  // namespace detail

/// Names an input and remembers what was in it.
///
///     struct training { tidemark::input_file corpus{"corpus.txt"}; ... };
///
/// A restore compares the file at the path that this object was given with the fingerprint in the checkpoint, before anything of the state
/// is touched (as a member of records and tuples; in containers, optionals and variants when its turn comes). The path may differ, the
/// content may not. One made by `load`, by a restore from an older version of the type, or without a path, takes the stored path and
/// fingerprint: call `check`.
/// Copies are cheap and independent; nothing is kept open.
class input_file {
 public:
  static constexpr std::string_view checkpoint_name = "input_file";

  input_file() = default;

  /// Reads the file, or its ends. Linear; 1 MiB. Throws `not_found`, `unsafe_path`, `io`, `truncated`.
  template <detail::PathLike P>
  explicit input_file(const P& path, input_part part = input_part::all)
      : input_file(detail::path_text(path), part == input_part::all) {}

  const std::string& path() const noexcept { return is_.path; }
  std::uint64_t size() const noexcept { return is_.size; }
  /// XXH3-128 of the part, in hexadecimal.
  const std::string& digest() const noexcept { return is_.digest; }

  /// Reads the file again: throws `invalid_value` where it has changed, or as the constructor. Nothing without a path.
  void check() const;

  input_file_state snapshot() const { return is_; }

  /// Throws `invalid_value` unless the file that this object was given is the one of the checkpoint.
  void check_restore(const input_file_state& from) const;

  /// Keeps the path that it was given, if any; `check_restore` comes first.
  void restore(const input_file_state& from);

 private:
  input_file(const std::string& path, bool is_of_all);

  static void require_same(const input_file_state& here, const input_file_state& saved);

  input_file_state is_;
  bool is_given_ = false;
};

}  // namespace tidemark

#ifndef TIDEMARK_COMPILED
#include <tidemark/run/input_file.ipp>
#endif
#endif
