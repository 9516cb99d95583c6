// SPDX-License-Identifier: BSL-1.0
// core/error.hpp: the one exception of the library, which says what was done, where, what was expected, found, and what helps (floor: core).
#ifndef TIDEMARK_CORE_ERROR_HPP
#define TIDEMARK_CORE_ERROR_HPP

#include <cstdint>
#include <stdexcept>
#include <string>
#include <string_view>
#include <utility>

namespace tidemark {

/// What kind of failure an `error` reports; stable, to branch on.
enum class errc : std::uint8_t {
  not_found,        ///< the file, folder or tensor does not exist
  corrupt,          ///< a digest, or a rule of the format, does not hold
  truncated,        ///< the file ends before what its header promises
  schema_mismatch,  ///< the file holds another type than the one asked for
  newer_version,    ///< written by a later format than this library knows
  unsupported,      ///< valid, but not something this call can do
  io,               ///< the operating system refused; see `system()`
  no_space,         ///< the disk or the quota is full
  exists,           ///< the name is taken and may not be replaced
  unsafe_path,      ///< a symlink, device or other path that is not followed
  limit,            ///< more tensors, bytes or depth than the format or the library allows
  invalid_value,    ///< intact bytes that are no value of the type: a bool of 2, an index out of range
  commit_unknown,   ///< the new file is visible but its folder could not be synced
  partly_restored,  ///< `restore` had verified the file, then failed: the target holds a mixture
  partly_committed, ///< one of several sinks has committed, another has not; the message says which
  locked,           ///< another process writes there
  cancelled,        ///< the caller asked to stop
};

/// The name of a code, `"corrupt"` for `errc::corrupt`. Constant time.
constexpr std::string_view name_of(errc code) noexcept {
  switch (code) {
    case errc::not_found: return "not_found";
    case errc::corrupt: return "corrupt";
    case errc::truncated: return "truncated";
    case errc::schema_mismatch: return "schema_mismatch";
    case errc::newer_version: return "newer_version";
    case errc::unsupported: return "unsupported";
    case errc::io: return "io";
    case errc::no_space: return "no_space";
    case errc::exists: return "exists";
    case errc::unsafe_path: return "unsafe_path";
    case errc::limit: return "limit";
    case errc::invalid_value: return "invalid_value";
    case errc::commit_unknown: return "commit_unknown";
    case errc::partly_restored: return "partly_restored";
    case errc::partly_committed: return "partly_committed";
    case errc::locked: return "locked";
    case errc::cancelled: return "cancelled";
  }
  return "unknown";
}

/// The parts of an `error`; empty ones are left out of its message.
struct error_details {
  errc code = errc::io;
  std::string action = {};    ///< "load", "save", "verify": what the caller asked for
  std::string file = {};      ///< the path, or what else names the source or the sink
  std::string tensor = {};    ///< the tensor or field concerned
  std::string problem = {};   ///< one clause: what is wrong
  std::string expected = {};  ///< what should have been there
  std::string found = {};     ///< what was there
  std::string advice = {};    ///< what to do about it
  int system = 0;             ///< errno where the operating system refused, else 0
  bool is_outside = false;    ///< what was loaded is whole; what does not fit it lies outside: a log, an input
};

namespace detail {

/// Text that may come from a file, fit for a terminal and a log: no control characters, and not without end.
std::string shown(std::string_view text);

std::string message_of(const error_details& d);

}  // namespace detail

/// Every failure that the library reports. `what()` is a whole sentence or two for a person; the accessors serve programs.
/// Visible outside a shared library whatever the flags, so that it can be caught there by its type.
class [[gnu::visibility("default")]] error : public std::runtime_error {
 public:
  explicit error(error_details details) : std::runtime_error(detail::message_of(details)), details_(std::move(details)) {}

  errc code() const noexcept { return details_.code; }
  const std::string& file() const noexcept { return details_.file; }
  const std::string& tensor() const noexcept { return details_.tensor; }
  const std::string& expected() const noexcept { return details_.expected; }
  const std::string& found() const noexcept { return details_.found; }
  int system() const noexcept { return details_.system; }
  /// Whether another checkpoint would change nothing: a `check_restore` found that the state's surroundings do not fit this one.
  bool is_outside() const noexcept { return details_.is_outside; }
  const error_details& details() const noexcept { return details_; }

 private:
  error_details details_;
};

namespace detail {

/// Runs `f`; an `error` that leaves it says more: `add` is given its details first.
template <class F, class Add>
decltype(auto) amending(F&& f, Add&& add) {
  try {
    return std::forward<F>(f)();
  } catch (const error& e) {
    error_details details = e.details();
    add(details);
    throw error(std::move(details));
  }
}

}  // namespace detail
}  // namespace tidemark

#ifndef TIDEMARK_COMPILED
#include <tidemark/core/error.ipp>
#endif
#endif
