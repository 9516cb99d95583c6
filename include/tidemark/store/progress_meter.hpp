// SPDX-License-Identifier: BSL-1.0
// store/progress_meter.hpp: counts bytes from several threads and tells the caller about once a MiB (floor: store).
#ifndef TIDEMARK_STORE_PROGRESS_METER_HPP
#define TIDEMARK_STORE_PROGRESS_METER_HPP

#include <tidemark/store/report.hpp>

#include <cstdint>
#include <mutex>

namespace tidemark::detail {

class progress_meter {
 public:
  progress_meter(const progress_callback& callback, std::uint64_t total) : callback_(callback), total_(total) {}

  void add(std::uint64_t bytes);

  /// The last call, with everything done; later ones do nothing.
  void finish();

 private:
  static constexpr std::uint64_t step = std::uint64_t{1} << 20;

  void tell();

  const progress_callback& callback_;
  std::uint64_t total_;
  std::uint64_t done_ = 0;
  std::uint64_t told_ = 0;
  bool is_finished_ = false;
  std::mutex mutex_;
};

}  // namespace tidemark::detail

#ifndef TIDEMARK_COMPILED
#include <tidemark/store/progress_meter.ipp>
#endif
#endif
