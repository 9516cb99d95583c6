// SPDX-License-Identifier: BSL-1.0
// format/header.ipp: the definitions of header.hpp, and the only place with RapidJSON's reader beside the manifest (floor: format).
#ifndef TIDEMARK_FORMAT_HEADER_IPP
#define TIDEMARK_FORMAT_HEADER_IPP

#include <tidemark/format/header.hpp>

#include <tidemark/core/linkage.hpp>
#include <tidemark/format/header_writer.hpp>

#include <rapidjson/reader.h>

#include <algorithm>
#include <cstddef>
#include <cstring>
#include <span>
#include <string>

namespace tidemark::detail {

TIDEMARK_DETAIL_INLINE const tensor_info* file_header::find(std::string_view name) const noexcept {
  const std::uint32_t at = index.find(tensors, name);
  return at == name_index::none ? nullptr : &tensors[at];
}

TIDEMARK_DETAIL_INLINE std::optional<std::string_view> file_header::meta(std::string_view key) const noexcept {
  for (const auto& [k, v] : metadata) {
    if (k == key) return v;
  }
  return std::nullopt;
}

/// A comparison in a few instructions: a reader makes five a tensor.
template <std::size_t N>
bool is_text(std::string_view text, const char (&literal)[N]) noexcept {
  return text.size() == N - 1 && std::memcmp(text.data(), literal, N - 1) == 0;
}

/// Receives the events of RapidJSON's reader and accepts what safetensors allows, nothing else.
class header_handler {
 public:
  explicit header_handler(file_header& header) : header_(header) {}

  std::string_view problem() const noexcept { return problem_; }

  bool StartObject() {
    switch (state_) {
      case state::start: state_ = state::root; return true;
      case state::metadata_value: state_ = state::metadata; return true;
      case state::tensor_value: state_ = state::tensor; return true;
      default: return refuse("an object where none belongs");
    }
  }
  bool Key(const char* text, rapidjson::SizeType length, bool) {
    const std::string_view key(text, length);
    switch (state_) {
      case state::root:
        if (is_text(key, "__metadata__")) {
          if (std::exchange(has_metadata_, true)) return refuse("__metadata__ appears twice");
          state_ = state::metadata_value;
          return true;
        }
        tensor_ = {};
        tensor_.name = key;
        seen_ = 0;
        state_ = state::tensor_value;
        return true;
      case state::metadata:
        for (const auto& [k, v] : header_.metadata) {
          if (k == key) return refuse("a key of __metadata__ appears twice");
        }
        if (header_.metadata.size() == max_metadata) return refuse("more than 4096 entries in __metadata__");
        header_.metadata.emplace_back(key, std::string_view{});
        state_ = state::metadata_text;
        return true;
      case state::tensor:
        if (is_text(key, "dtype")) return begin_field(1, state::dtype);
        if (is_text(key, "shape")) return begin_field(2, state::shape);
        if (is_text(key, "data_offsets")) return begin_field(4, state::offsets);
        return refuse("an entry with a field other than dtype, shape and data_offsets");
      default: return refuse("a key where none belongs");
    }
  }
  bool String(const char* text, rapidjson::SizeType length, bool) {
    const std::string_view value(text, length);
    if (state_ == state::metadata_text) {
      header_.metadata.back().second = value;
      state_ = state::metadata;
      return true;
    }
    if (state_ == state::dtype) {
      if (!find_dtype(value, tensor_.type)) return refuse("an unknown dtype");
      state_ = state::tensor;
      return true;
    }
    return refuse("a string where none belongs");
  }
  bool StartArray() {
    numbers_.clear();
    if (state_ == state::shape) state_ = state::shape_numbers;
    else if (state_ == state::offsets) state_ = state::offset_numbers;
    else return refuse("an array where none belongs");
    return true;
  }
  bool EndArray(rapidjson::SizeType) {
    if (state_ == state::shape_numbers) {
      tensor_.shape = header_.shapes.copy(std::span<const std::uint64_t>(numbers_));
    } else {
      if (numbers_.size() != 2 || numbers_[0] > numbers_[1]) return refuse("data_offsets other than a begin and an end");
      tensor_.offset = numbers_[0];
      tensor_.bytes = numbers_[1] - numbers_[0];
    }
    state_ = state::tensor;
    return true;
  }
  bool Uint(unsigned value) { return number(value); }
  bool Uint64(std::uint64_t value) { return number(value); }
  bool EndObject(rapidjson::SizeType) {
    if (state_ == state::tensor) {
      if (seen_ != 7) return refuse("an entry without one of dtype, shape and data_offsets");
      header_.tensors.push_back(tensor_);
      state_ = state::root;
    } else if (state_ == state::metadata) {
      state_ = state::root;
    } else {
      state_ = state::end;
    }
    return true;
  }
  bool Null() { return refuse("null"); }
  bool Bool(bool) { return refuse("a bool"); }
  bool Int(int) { return refuse("a negative number"); }
  bool Int64(std::int64_t) { return refuse("a negative number"); }
  bool Double(double) { return refuse("a number that is no 64-bit integer"); }
  bool RawNumber(const char*, rapidjson::SizeType, bool) { return refuse("a number out of place"); }

 private:
  enum class state : std::uint8_t {
    start, root, metadata_value, metadata, metadata_text, tensor_value, tensor, dtype, shape, shape_numbers, offsets, offset_numbers, end,
  };

  bool refuse(std::string_view problem) {
    problem_ = problem;
    return false;
  }
  bool begin_field(unsigned bit, state next) {
    if ((seen_ & bit) != 0) return refuse("an entry with a field twice");
    seen_ |= bit;
    state_ = next;
    return true;
  }
  bool number(std::uint64_t value) {
    if (state_ != state::shape_numbers && state_ != state::offset_numbers) return refuse("a number where none belongs");
    numbers_.push_back(value);
    return true;
  }

  file_header& header_;
  state state_ = state::start;
  bool has_metadata_ = false;
  unsigned seen_ = 0;
  tensor_info tensor_;
  std::vector<std::uint64_t> numbers_;
  std::string_view problem_;
};

/// Sorted by offset, the tensors must follow each other without a gap, each of the size of its shape, and end with the file.
inline void require_layout(file_header& header) {
  const auto by_offset = [](const tensor_info& a, const tensor_info& b) {
    return a.offset != b.offset ? a.offset < b.offset : a.bytes < b.bytes;
  };
  if (!std::is_sorted(header.tensors.begin(), header.tensors.end(), by_offset)) {
    std::sort(header.tensors.begin(), header.tensors.end(), by_offset);
  }
  header.index = name_index(header.tensors.size());
  std::uint64_t end = 0;
  for (std::uint32_t i = 0; i < header.tensors.size(); ++i) {
    const tensor_info& t = header.tensors[i];
    const auto fail = [&](std::string problem, std::string expected = {}, std::string found = {}) {
      throw error({.code = errc::corrupt, .tensor = std::string(t.name), .problem = std::move(problem), .expected = std::move(expected), .found = std::move(found)});
    };
    bool fits = true;
    const std::uint64_t bytes = tensor_bytes(t.type, t.shape, fits);
    if (!fits) fail("its shape, " + shape_text(t.type, t.shape) + ", has no whole number of bytes below 2^64");
    if (bytes != t.bytes) fail("its data_offsets do not fit its shape, " + shape_text(t.type, t.shape), std::to_string(bytes) + " bytes", std::to_string(t.bytes));
    if (t.offset != end) {
      fail(t.offset > end ? "there is a hole before its data" : "its data overlap those of the tensor before it", std::to_string(end), std::to_string(t.offset));
    }
    end += t.bytes;
    if (!header.index.insert(header.tensors, i)) fail("its name appears twice in the header");
  }
  if (end > header.data_bytes) {
    throw error({.code = errc::truncated,
                 .problem = "the file ends before the data that its header lists",
                 .expected = std::to_string(header.data_start + end) + " bytes",
                 .found = std::to_string(header.data_start + header.data_bytes),
                 .advice = "The file was cut short, or is still being written. Take an older checkpoint."});
  }
  if (end < header.data_bytes) {
    throw error({.code = errc::corrupt,
                 .problem = "the file goes on after the data that its header lists",
                 .expected = std::to_string(header.data_start + end) + " bytes",
                 .found = std::to_string(header.data_start + header.data_bytes)});
  }
}

TIDEMARK_DETAIL_INLINE file_header read_header(std::uint64_t file_bytes, function_ref<void(std::uint64_t offset, bytes_span into)> read) {
  const auto foreign = [](std::string found) {
    return error({.code = errc::corrupt,
                  .problem = "this is no safetensors file",
                  .expected = "a header length below 100000000, then '{'",
                  .found = std::move(found)});
  };
  if (file_bytes < 8) {
    throw error({.code = errc::truncated,
                 .problem = file_bytes == 0 ? "the file is empty" : "the file ends within its first 8 bytes",
                 .expected = "at least 8 bytes",
                 .found = std::to_string(file_bytes)});
  }
  std::byte prefix[8];
  read(0, bytes_span(prefix));
  const auto length = load_as<std::uint64_t>(prefix);
  if (length > max_header_bytes || length < 2) throw foreign("a length of " + std::to_string(length));
  if (length > file_bytes - 8) {
    throw error({.code = errc::truncated,
                 .problem = "the file ends within its header",
                 .expected = std::to_string(length + 8) + " bytes",
                 .found = std::to_string(file_bytes)});
  }
  file_header header;
  header.data_start = 8 + length;
  header.data_bytes = file_bytes - header.data_start;
  header.text = std::unique_ptr<char[]>(new char[length + 1]);
  read(8, bytes_span(reinterpret_cast<std::byte*>(header.text.get()), static_cast<std::size_t>(length)));
  header.text[length] = '\0';
  if (header.text[0] != '{') throw foreign("another first byte of the header");
  header.tensors.reserve(static_cast<std::size_t>(std::min<std::uint64_t>(length / 64, 1u << 16)));
  if (const std::size_t valid = utf8_prefix({header.text.get(), static_cast<std::size_t>(length)}); valid != length) {
    throw error({.code = errc::corrupt, .problem = "its header is not UTF-8, at byte " + std::to_string(8 + valid)});
  }

  header_handler handler(header);
  rapidjson::InsituStringStream stream(header.text.get());
  rapidjson::Reader reader;
  // It descends as deep as the handler lets it: the handler refuses what lies below an entry's arrays.
  const auto result = reader.Parse<rapidjson::kParseInsituFlag>(stream, handler);
  if (result.IsError() || stream.Tell() != length) {
    throw error({.code = errc::corrupt,
                 .problem = "its header is not as safetensors prescribes, at byte " + std::to_string(8 + (result.IsError() ? result.Offset() : stream.Tell())),
                 .found = std::string(handler.problem().empty() ? "no well-formed JSON" : handler.problem())});
  }
  require_layout(header);
  return header;
}

}  // namespace tidemark::detail
#endif
