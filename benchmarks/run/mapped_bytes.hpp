// SPDX-License-Identifier: BSL-1.0
// benchmarks/run/mapped_bytes.hpp: memory of which the system is told how it will be used.
#ifndef TIDEMARK_BENCHMARKS_RUN_MAPPED_BYTES_HPP
#define TIDEMARK_BENCHMARKS_RUN_MAPPED_BYTES_HPP

#include <sys/mman.h>

#include <cstddef>
#include <cstring>
#include <new>

namespace bench {

class mapped_bytes {
 public:
  /// `advice` is one of madvise(2), given before the first write to any page.
  mapped_bytes(std::size_t size, int advice) : size_(size), bytes_(::mmap(nullptr, size, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0)) {
    if (bytes_ == MAP_FAILED) throw std::bad_alloc();
    is_advised_ = ::madvise(bytes_, size, advice) == 0;
    std::memset(bytes_, 1, size);
  }
  mapped_bytes(const mapped_bytes&) = delete;
  mapped_bytes& operator=(const mapped_bytes&) = delete;
  ~mapped_bytes() { ::munmap(bytes_, size_); }

  std::byte* get() const noexcept { return static_cast<std::byte*>(bytes_); }
  std::size_t size() const noexcept { return size_; }
  bool is_advised() const noexcept { return is_advised_; }

 private:
  std::size_t size_;
  void* bytes_;
  bool is_advised_ = false;
};

}  // namespace bench
#endif
