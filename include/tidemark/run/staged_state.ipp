// SPDX-License-Identifier: BSL-1.0
// run/staged_state.ipp: the definitions of staged_state.hpp (floor: run).
#ifndef TIDEMARK_RUN_STAGED_STATE_IPP
#define TIDEMARK_RUN_STAGED_STATE_IPP

#include <tidemark/run/staged_state.hpp>

#include <tidemark/core/error.hpp>
#include <tidemark/core/linkage.hpp>
#include <tidemark/store/task_threads.hpp>

#include <algorithm>
#include <cstring>
#include <utility>

namespace tidemark::detail {

TIDEMARK_DETAIL_INLINE void staged_state::take(save_plan plan, unsigned threads) {
  const auto bytes = static_cast<std::size_t>(plan.bytes());
  if (bytes > capacity_) {
    memory_.reset();  // never two at once
    memory_.reset(static_cast<std::byte*>(::operator new(bytes, std::align_val_t{alignment})));
    capacity_ = bytes;
  }
  plan_ = std::move(plan);
  tensors_.assign(plan_.tensors().begin(), plan_.tensors().end());
  cut();
  task_threads workers;
  workers.run(pieces_.size(), bytes < parallel_from ? 1 : threads, [&](auto next) {
    for (std::size_t i; (i = next()) < pieces_.size();) std::memcpy(pieces_[i].to, pieces_[i].from, pieces_[i].bytes);
  });
}

TIDEMARK_DETAIL_INLINE void staged_state::cut() {
  pieces_.clear();
  for (planned_tensor& t : tensors_) {
    std::byte* const to = memory_.get() + t.info.offset;
    const auto bytes = static_cast<std::size_t>(t.info.bytes);
    if (t.write != nullptr && bytes != 0) make(t, {to, bytes});
    for (std::size_t at = 0; t.write == nullptr && at < bytes; at += piece_bytes) {
      pieces_.push_back({to + at, static_cast<const std::byte*>(t.source) + at, (std::min)(piece_bytes, bytes - at)});
    }
    t.source = to;
    t.write = nullptr;
  }
}

TIDEMARK_DETAIL_INLINE void staged_state::make(const planned_tensor& t, bytes_span into) {
  const auto take = [](void* context, bytes_view made) {
    auto& left = *static_cast<bytes_span*>(context);
    if (made.size() > left.size()) fail();
    std::memcpy(left.data(), made.data(), made.size());
    left = left.subspan(made.size());
  };
  std::byte buffer[4096];
  output_stream out(buffer, take, &into);
  t.write(t.source, out);
  out.flush();
  if (!into.empty()) fail();
}

TIDEMARK_DETAIL_INLINE void staged_state::fail() {
  throw error({.code = errc::invalid_value, .problem = "the state changed while it was being copied", .advice = "Let no other thread change it until the call returns."});
}

}  // namespace tidemark::detail
#endif
