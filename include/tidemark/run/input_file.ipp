// SPDX-License-Identifier: BSL-1.0
// run/input_file.ipp: the definitions of input_file.hpp (floor: run).
#ifndef TIDEMARK_RUN_INPUT_FILE_IPP
#define TIDEMARK_RUN_INPUT_FILE_IPP

#include <tidemark/run/input_file.hpp>

#include <tidemark/core/error.hpp>
#include <tidemark/core/linkage.hpp>

namespace tidemark {

TIDEMARK_DETAIL_INLINE input_file::input_file(const std::string& path, bool is_of_all) : is_(detail::fingerprint_input(path, is_of_all)), is_given_(true) {}

TIDEMARK_DETAIL_INLINE void input_file::check() const {
  if (!is_.path.empty()) require_same(detail::fingerprint_input(is_.path, is_.is_of_all), is_);
}

TIDEMARK_DETAIL_INLINE void input_file::check_restore(const input_file_state& from) const {
  if (!is_given_ || from.path.empty()) return;
  require_same(from.is_of_all == is_.is_of_all ? is_ : detail::fingerprint_input(is_.path, from.is_of_all), from);
}

TIDEMARK_DETAIL_INLINE void input_file::restore(const input_file_state& from) {
  check_restore(from);
  if (!is_given_) is_ = from;
}

TIDEMARK_DETAIL_INLINE void input_file::require_same(const input_file_state& here, const input_file_state& saved) {
  if (here.size == saved.size && here.digest == saved.digest) return;
  const auto text = [](const input_file_state& f) { return f.path + " of " + std::to_string(f.size) + " bytes with digest " + f.digest; };
  throw error({.code = errc::invalid_value,
               .problem = "the input " + here.path + " is not the one that the run has read so far",
               .expected = text(saved),
               .found = text(here),
               .advice = "Give it the file of that content, wherever it lies now, or start a new run."});
}

}  // namespace tidemark
#endif
