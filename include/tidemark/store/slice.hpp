// SPDX-License-Identifier: BSL-1.0
// store/slice.hpp: some rows of one tensor, of which only the blocks that they lie in are read and verified (floor: store).
#ifndef TIDEMARK_STORE_SLICE_HPP
#define TIDEMARK_STORE_SLICE_HPP

#include <tidemark/model/scalar.hpp>
#include <tidemark/store/archive_reader.hpp>
#include <tidemark/store/load.hpp>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <span>
#include <string>
#include <vector>

namespace tidemark::detail {

/// Rows of a tensor as bytes of it.
struct row_range {
  std::uint64_t offset = 0;
  std::uint64_t bytes = 0;
};

inline std::uint64_t row_count(const tensor_info& t) noexcept { return t.shape.empty() ? 1 : t.shape[0]; }
inline std::uint64_t row_bytes(const tensor_info& t) noexcept { return row_count(t) == 0 ? 0 : t.bytes / row_count(t); }

/// A scalar is one row. Throws `error`: schema_mismatch, limit.
template <class T>
row_range rows_of(const tensor_info& t, std::uint64_t first, std::uint64_t count) {
  static_assert(Scalar<T>, "tidemark: a slice holds numbers");
  static_assert(scalar_traits<T>::trailing == 0, "tidemark: a slice holds numbers that a dtype holds");
  if (t.type != scalar_traits<T>::type) {
    throw error({.code = errc::schema_mismatch, .tensor = std::string(t.name), .problem = "its elements are of another type",
                 .expected = std::string(name_of(scalar_traits<T>::type)), .found = shape_text(t.type, t.shape)});
  }
  const std::uint64_t rows = row_count(t);
  if (first > rows || count > rows - first) {
    throw error({.code = errc::limit, .tensor = std::string(t.name), .problem = "the slice goes beyond the end",
                 .expected = "rows below " + std::to_string(rows), .found = std::to_string(count) + " from row " + std::to_string(first)});
  }
  return {first * row_bytes(t), count * row_bytes(t)};
}

/// Verifies the blocks that `rows` touch and gives the bytes of the rows to `take`, in order, before the block around them is verified.
template <class Take>
void read_rows(archive_reader& reader, const tensor_info& t, const row_range& rows, Take&& take) {
  if (rows.bytes == 0) return;
  const std::uint64_t start = rows.offset / block_bytes;
  const std::uint64_t end = rows.offset + rows.bytes;
  input_stream stream = reader.open(t, start);
  stream.skip(rows.offset - start * block_bytes);
  for (std::uint64_t left = rows.bytes; left != 0;) {
    const bytes_view piece = stream.some(left);
    take(piece);
    left -= piece.size();
  }
  stream.skip((std::min)(blocks_of(end) * block_bytes, t.bytes) - end);  // the rest of the last block: its digest covers all of it
}

template <class T>
[[noreturn]] void fail_element(const tensor_info& t, std::uint64_t at) {
  throw error({.code = errc::invalid_value, .tensor = std::string(t.name), .problem = "element " + std::to_string(at) + " of the slice is no value of its type",
               .expected = scalar_traits<T>::code()});
}

template <class T>
std::vector<T> sliced(archive_reader& reader, const tensor_info& t, const row_range& rows) {
  using traits = scalar_traits<T>;
  std::vector<T> all;
  all.reserve(static_cast<std::size_t>(rows.bytes / traits::file_bytes));
  std::uint64_t invalid = UINT64_MAX;
  read_rows(reader, t, rows, [&](bytes_view piece) {  // whole elements: pieces and blocks are multiples of 8 bytes
    if constexpr (traits::is_direct && !traits::is_checked) {
      const std::size_t before = all.size();
      all.resize(before + piece.size() / traits::file_bytes);
      std::memcpy(all.data() + before, piece.data(), piece.size());
    } else {
      for (; !piece.empty(); piece = piece.subspan(traits::file_bytes)) {
        T value{};
        if (!traits::decode(piece.data(), value)) invalid = (std::min<std::uint64_t>)(invalid, all.size());
        all.push_back(value);
      }
    }
  });
  if (invalid != UINT64_MAX) fail_element<T>(t, invalid);  // only now: damage is the better explanation
  return all;
}

/// Verified first, then read again into place.
template <class T>
void slice_into(archive_reader& reader, const tensor_info& t, std::uint64_t first, std::span<T> into) {
  using traits = scalar_traits<T>;
  const std::uint64_t row = row_bytes(t) / traits::file_bytes;
  if (row == 0 ? !into.empty() : into.size() % row != 0) {
    throw error({.code = errc::unsupported, .tensor = std::string(t.name), .problem = "the memory for the slice ends inside a row",
                 .expected = "a multiple of " + std::to_string(row) + " elements", .found = std::to_string(into.size())});
  }
  const row_range rows = rows_of<T>(t, first, row == 0 ? 0 : into.size() / row);
  if constexpr (traits::is_direct && !traits::is_checked) {
    read_rows(reader, t, rows, [](bytes_view) {});
    second_pass([&] {
      auto* to = reinterpret_cast<std::byte*>(into.data());
      read_rows(reader, t, rows, [&](bytes_view piece) {
        std::memcpy(to, piece.data(), piece.size());
        to += piece.size();
      });
    });
  } else {
    const auto all = sliced<T>(reader, t, rows);
    std::copy(all.begin(), all.end(), into.begin());
  }
}

}  // namespace tidemark::detail
#endif
