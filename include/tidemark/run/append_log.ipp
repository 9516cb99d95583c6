// SPDX-License-Identifier: BSL-1.0
// run/append_log.ipp: the definitions of append_log.hpp (floor: run).
#ifndef TIDEMARK_RUN_APPEND_LOG_IPP
#define TIDEMARK_RUN_APPEND_LOG_IPP

#include <tidemark/run/append_log.hpp>

#include <tidemark/core/bytes.hpp>
#include <tidemark/core/digest.hpp>
#include <tidemark/core/linkage.hpp>

#include <utility>

namespace tidemark {

TIDEMARK_DETAIL_INLINE void append_log::write(std::string_view line) {
  if (file_ == nullptr) reopen();
  if (at_.position != file_->end()) {
    throw error({.code = errc::unsupported,
                 .file = file_->path(),
                 .problem = "this is a copy of a log that has gone on",
                 .expected = "its end at " + std::to_string(at_.position),
                 .found = std::to_string(file_->end()),
                 .advice = "Write to the one that went on, or restore this one from a checkpoint."});
  }
  line_.assign(line).push_back('\n');
  file_->append(detail::bytes_of(line_));
  at_.position = file_->end();
}

TIDEMARK_DETAIL_INLINE void append_log::clear() {
  if (file_ == nullptr && at_.path.empty()) return;
  if (file_ == nullptr) file_ = std::make_shared<detail::append_file<file_ops>>(at_.path);
  file_->cut(0);
  at_ = {at_.path, 0, {}};
}

TIDEMARK_DETAIL_INLINE append_log_state append_log::snapshot() const {
  if (file_ == nullptr) return at_;
  file_->sync();
  return {at_.path, at_.position, to_hex(file_->digest_before(at_.position))};
}

TIDEMARK_DETAIL_INLINE void append_log::check_restore(const append_log_state& from) const {
  if (file_ != nullptr && !from.path.empty()) require_same(*file_, from);
}

TIDEMARK_DETAIL_INLINE void append_log::restore(const append_log_state& from) {
  if (file_ == nullptr) {
    at_ = from;
    return;
  }
  check_restore(from);
  if (from.path.empty()) return;
  file_->cut(from.position);
  at_.position = from.position;
}

TIDEMARK_DETAIL_INLINE void append_log::reopen() {
  if (at_.path.empty()) {
    throw error(
        {.code = errc::unsupported, .problem = "this log has no file", .advice = "Make it with a path: append_log{\"run/log.txt\"}."});
  }
  auto file = std::make_shared<detail::append_file<file_ops>>(at_.path);
  require_same(*file, at_);
  file->cut(at_.position);
  file_ = std::move(file);
}

TIDEMARK_DETAIL_INLINE void append_log::require_same(const detail::append_file<file_ops>& file, const append_log_state& from) {
  const std::string where = file.path() == from.path ? "" : " (" + from.path + " when it was saved)";
  const std::string found = to_hex(file.digest_before(from.position));
  if (found == from.digest) return;
  throw error({.code = errc::invalid_value,
               .problem = "the log " + file.path() + where + " is not the one that was saved: other bytes stand before position " +
                          std::to_string(from.position),
               .expected = "digest " + from.digest,
               .found = found,
               .advice = "Put the log of this run back. Without it: restore into a log without a file, append_log{}, and give that a new one afterwards. Nothing was cut."});
}

}  // namespace tidemark
#endif
