// SPDX-License-Identifier: BSL-1.0
// openssl/sha256_sink.hpp: a sink that passes everything on and gives the SHA-256 of what was committed (floor: openssl).
#ifndef TIDEMARK_OPENSSL_SHA256_SINK_HPP
#define TIDEMARK_OPENSSL_SHA256_SINK_HPP

#include <tidemark/core/sink.hpp>
#include <tidemark/openssl/sha256_hasher.hpp>
#include <tidemark/sink/opened_writer.hpp>

#include <cstddef>
#include <cstdint>
#include <memory>
#include <mutex>
#include <span>
#include <string>
#include <utility>

namespace tidemark {

/// The digest of the last save that was committed. Copies share it: the caller keeps one, a sink holds another. Any thread may read.
class sha256_digest {
 public:
  /// 64 lower-case hexadecimal digits, as `sha256sum` prints them; empty before the first commit.
  std::string hex() const {
    const std::lock_guard lock(shared_->mutex);
    return shared_->hex;
  }

 private:
  template <class S>
  friend class sha256_writer;

  struct text {
    std::mutex mutex;
    std::string hex;
  };

  void set(std::string hex) const {
    const std::lock_guard lock(shared_->mutex);
    shared_->hex.swap(hex);
  }

  std::shared_ptr<text> shared_ = std::make_shared<text>();
};

/// One save into a `sha256`.
template <class S>
class sha256_writer {
 public:
  sha256_writer(S& sink, std::uint64_t total_bytes, sha256_digest digest) : digest_(std::move(digest)), inner_(sink, total_bytes) {}

  void write(std::span<const std::byte> bytes) {
    inner_.run([&](auto& writer) {
      hasher_.update(bytes);  // first: it brings the bytes into the cache, from where the sink takes them
      writer.write(bytes);
    });
  }

  durability commit() {
    std::string hex = inner_.run([&](auto&) { return hasher_.finish(); });
    const durability reached = inner_.commit();
    digest_.set(std::move(hex));
    return reached;
  }

 private:
  sha256_digest digest_;
  detail::sha256_hasher hasher_;
  detail::inner_writer<S> inner_;
};

/// Passes every byte on, and gives the SHA-256 of the file once it is committed, for those who must hand one over.
///
///     tidemark::sha256 file{tidemark::atomic_file{"last.safetensors"}};
///     tidemark::save(state, file);
///     std::cout << file.digest().hex() << "  " << file.name() << '\n';     // a line for sha256sum -c
///
/// It digests what passes here: put it inside a `zstd` for the compressed file, around it for the plain one. Hashes in the calling
/// thread. To see damage it is not needed: an archive has digests of its own.
template <Sink S>
class sha256 {
 public:
  explicit sha256(S sink, sha256_digest digest = {}) : sink_(std::move(sink)), digest_(std::move(digest)) {}

  sha256_writer<S> open(std::uint64_t total_bytes) { return {sink_, total_bytes, digest_}; }
  std::string name() const { return sink_.name(); }

  const sha256_digest& digest() const noexcept { return digest_; }
  S& inner() noexcept { return sink_; }
  const S& inner() const noexcept { return sink_; }

 private:
  S sink_;
  sha256_digest digest_;
};

}  // namespace tidemark
#endif
