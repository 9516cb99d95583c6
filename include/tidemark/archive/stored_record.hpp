// SPDX-License-Identifier: BSL-1.0
// archive/stored_record.hpp: a record as an older version of its type stored it, for migrate functions (floor: archive).
#ifndef TIDEMARK_ARCHIVE_STORED_RECORD_HPP
#define TIDEMARK_ARCHIVE_STORED_RECORD_HPP

#include <tidemark/archive/pack.hpp>
#include <tidemark/model/schema.hpp>

#include <cstdint>
#include <functional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace tidemark {
namespace detail {

/// A packed type and those around it, innermost first.
struct packed_frame {
  const schema* record = nullptr;
  const packed_frame* around = nullptr;
};

/// What `^k` refers to.
const packed_frame* enclosing(const schema& reference, const packed_frame* around);

/// A tensor that says itself what it is.
struct any_tensor {
  dtype type = dtype::u8;
  std::vector<std::uint64_t> shape{};
  bytes_view bytes{};
};

any_tensor take_any_tensor(packed_bytes& in);

/// Passes over one value of schema `at`. Linear in its bytes.
void skip_packed(packed_bytes& in, packed_frame at, int depth);

}  // namespace detail

/// What `migrate(T& value, const tidemark::stored_record& old)` is given: the record as it was stored, every member under its name then.
class stored_record {
 public:
  /// The version that stored it.
  std::uint32_t version() const noexcept { return record_->version; }
  const schema& type() const noexcept { return *record_; }
  /// `path` runs through records: "optimizer.rate".
  bool has(std::string_view path) const { return detail::member_at(*record_, path) != nullptr; }

  /// The stored member as a `U`, whose kind it must be of; numbers convert where the value survives. Linear in the record's bytes.
  /// Throws `error`: not_found, schema_mismatch, invalid_value.
  template <class U>
  U read(std::string_view path) const;

  /// A record in packed bytes, which are passed over, or one whose members `fetch(path, storage)` brings as such.
  stored_record(const schema& record, const detail::packed_frame* around, detail::packed_bytes& in, int depth);
  stored_record(const schema& record, std::function<void(std::string_view path, std::string& storage)> fetch);
  stored_record(const stored_record&) = delete;
  stored_record& operator=(const stored_record&) = delete;
  ~stored_record();

  /// The packed bytes of a member that is there; `storage` may hold them.
  detail::bytes_view bytes_of_member(std::string_view path, std::string& storage) const;

 private:
  static std::vector<detail::bytes_view> members_of(const schema& record, const detail::packed_frame* around, detail::packed_bytes& in, int depth);

  const schema* record_;
  const detail::packed_frame* around_ = nullptr;
  std::vector<detail::bytes_view> members_{};
  std::function<void(std::string_view, std::string&)> fetch_{};
};

}  // namespace tidemark

#ifndef TIDEMARK_COMPILED
#include <tidemark/archive/stored_record.ipp>
#endif
#endif
