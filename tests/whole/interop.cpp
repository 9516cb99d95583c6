// SPDX-License-Identifier: BSL-1.0
// whole/interop.cpp: what interop.test.py compares with the official reader of safetensors.
//
//   interop write FOLDER     dtypes.safetensors, names.safetensors
//   interop list PATH        each tensor as archive_view sees it: name in hexadecimal, dtype, shape, bytes in hexadecimal; then metadata
//   interop verify PATH      exit status 0, or 1 and the error
#include <tidemark/tidemark.hpp>

#include <array>
#include <cstdint>
#include <cstdio>
#include <map>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace {

template <tidemark::dtype Type, class Bits>
struct foreign {
  Bits bits{};
};

}  // namespace

template <tidemark::dtype Type, class Bits>
inline constexpr auto tidemark::dtype_of<foreign<Type, Bits>> = Type;

namespace {

using tidemark::dtype;

template <class T>
struct shapes {
  T scalar{};
  std::vector<T> empty;
  std::vector<T> row;
  std::vector<std::array<T, 2>> matrix;
};

/// Values 0, 1, 2, ... as numbers, or as bits where the type is only that.
template <class T>
shapes<T> counted() {
  shapes<T> s;
  unsigned next = 0;
  const auto value = [&next] {
    T v{};
    if constexpr (requires { v.bits; }) v.bits = static_cast<decltype(v.bits)>(next++);
    else v = static_cast<T>(next++);
    return v;
  };
  s.scalar = value();
  for (int i = 0; i < 3; ++i) s.row.push_back(value());
  for (int i = 0; i < 2; ++i) s.matrix.push_back({value(), value()});
  return s;
}

template <dtype Type>
using byte_of = foreign<Type, std::uint8_t>;

struct dtypes {
  shapes<bool> boolean;
  shapes<std::int8_t> i8 = counted<std::int8_t>();
  shapes<std::uint8_t> u8 = counted<std::uint8_t>();
  shapes<std::int16_t> i16 = counted<std::int16_t>();
  shapes<std::uint16_t> u16 = counted<std::uint16_t>();
  shapes<std::int32_t> i32 = counted<std::int32_t>();
  shapes<std::uint32_t> u32 = counted<std::uint32_t>();
  shapes<std::int64_t> i64 = counted<std::int64_t>();
  shapes<std::uint64_t> u64 = counted<std::uint64_t>();
  shapes<float> f32 = counted<float>();
  shapes<double> f64 = counted<double>();
  shapes<foreign<dtype::f16, std::uint16_t>> f16 = counted<foreign<dtype::f16, std::uint16_t>>();
  shapes<foreign<dtype::bf16, std::uint16_t>> bf16 = counted<foreign<dtype::bf16, std::uint16_t>>();
  shapes<byte_of<dtype::f8_e5m2>> f8_e5m2 = counted<byte_of<dtype::f8_e5m2>>();
  shapes<byte_of<dtype::f8_e4m3>> f8_e4m3 = counted<byte_of<dtype::f8_e4m3>>();
  shapes<byte_of<dtype::f8_e8m0>> f8_e8m0 = counted<byte_of<dtype::f8_e8m0>>();
  shapes<byte_of<dtype::f8_e4m3fnuz>> f8_e4m3fnuz = counted<byte_of<dtype::f8_e4m3fnuz>>();
  shapes<byte_of<dtype::f8_e5m2fnuz>> f8_e5m2fnuz = counted<byte_of<dtype::f8_e5m2fnuz>>();
  shapes<foreign<dtype::c64, std::uint64_t>> c64 = counted<foreign<dtype::c64, std::uint64_t>>();
};

std::map<std::string, std::vector<std::uint8_t>> hostile_names() {
  using namespace std::string_literals;
  std::map<std::string, std::vector<std::uint8_t>> all;
  for (const std::string& key : {"a"s, "a.b"s, "#"s, "%"s, "%23"s, "\n"s, "\0"s, "a\0b"s, "\x7f"s, "\xff"s, "\xc3"s, "\xc3\xa9"s, "\xed\xa0\x80"s, "\""s, "\\"s, ""s, "/../../etc"s,
                                 "__metadata__"s, "tidemark#digests"s, std::string(std::size_t{64} << 10, 'x'), std::string(std::size_t{64} << 10, '\xff')}) {
    all[key] = {static_cast<std::uint8_t>(all.size())};
  }
  return all;
}

std::string hexadecimal(std::span<const std::byte> bytes) {
  std::string text;
  for (const std::byte b : bytes) (text += "0123456789abcdef"[std::to_integer<unsigned>(b >> 4)]) += "0123456789abcdef"[std::to_integer<unsigned>(b & std::byte{15})];
  return text;
}
std::string hexadecimal(std::string_view text) { return hexadecimal(tidemark::detail::bytes_of(text)); }

void list(const std::string& path) {
  const tidemark::archive_view view(path);
  for (const auto& t : view.tensors()) {
    std::string shape;
    for (const std::uint64_t extent : t.shape) shape += (shape.empty() ? "" : ",") + std::to_string(extent);
    std::printf("tensor '%s' %s [%s] '%s'\n", hexadecimal(t.name).c_str(), std::string(name_of(t.type)).c_str(), shape.c_str(), hexadecimal(view.bytes(t.name)).c_str());
  }
  for (const auto& [key, value] : view.metadata()) std::printf("metadata '%s' '%s'\n", hexadecimal(key).c_str(), hexadecimal(value).c_str());
}

}  // namespace

int main(int argc, char** argv) {
  const std::string_view mode = argc == 3 ? argv[1] : "";
  try {
    if (mode == "write") {
      dtypes d;
      d.boolean.row = {true, false, true};
      d.boolean.matrix = {{false, true}, {true, true}};
      tidemark::save(d, std::string(argv[2]) + "/dtypes.safetensors", {.metadata = {{"step", "5"}}});
      tidemark::save(hostile_names(), std::string(argv[2]) + "/names.safetensors");
      return 0;
    }
    if (mode == "list") return list(argv[2]), 0;
    if (mode == "verify") return tidemark::verify(std::string(argv[2])).has_digests ? 0 : 1;
  } catch (const tidemark::error& e) {
    std::fprintf(stderr, "%s\n", e.what());
    return 1;
  }
  std::fprintf(stderr, "usage: interop write FOLDER | list PATH | verify PATH\n");
  return 2;
}
