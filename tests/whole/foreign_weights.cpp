// SPDX-License-Identifier: BSL-1.0
// tests/whole/foreign_weights.cpp: loads what Python's safetensors has written, says what it found, and exports it again.
#include <tidemark/store.hpp>

#include <array>
#include <cstdint>
#include <cstdio>
#include <cstring>
#include <string>
#include <vector>

namespace {

/// A number that the program only carries: its bits.
template <class Bits, tidemark::dtype Type>
struct carried {
  Bits bits{};
};
using f16 = carried<std::uint16_t, tidemark::dtype::f16>;
using bf16 = carried<std::uint16_t, tidemark::dtype::bf16>;
using f8_e4m3 = carried<std::uint8_t, tidemark::dtype::f8_e4m3>;
using f8_e5m2 = carried<std::uint8_t, tidemark::dtype::f8_e5m2>;
using c64 = carried<std::uint64_t, tidemark::dtype::c64>;

}  // namespace

template <class Bits, tidemark::dtype Type>
inline constexpr auto tidemark::dtype_of<carried<Bits, Type>> = Type;

namespace {

template <class E>
struct shapes {
  E scalar{};
  std::vector<E> vector, empty;
  std::vector<std::array<E, 3>> matrix;
};

struct weights {
  shapes<bool> BOOL;
  shapes<std::uint8_t> U8;
  shapes<std::int8_t> I8;
  shapes<std::uint16_t> U16;
  shapes<std::int16_t> I16;
  shapes<std::uint32_t> U32;
  shapes<std::int32_t> I32;
  shapes<std::uint64_t> U64;
  shapes<std::int64_t> I64;
  shapes<f16> F16;
  shapes<bf16> BF16;
  shapes<float> F32;
  shapes<double> F64;
  shapes<c64> C64;
  shapes<f8_e4m3> F8_E4M3;
  shapes<f8_e5m2> F8_E5M2;
};

template <class E>
void print(const char* name, const char* shape, const E* elements, std::size_t count) {
  std::printf("%s.%s ", name, shape);
  for (std::size_t i = 0; i < count * sizeof(E); ++i) std::printf("%02x", reinterpret_cast<const unsigned char*>(elements)[i]);
  std::printf("\n");
}

template <class E>
void print(const char* name, const shapes<E>& s) {
  print(name, "scalar", &s.scalar, 1);
  if constexpr (std::is_same_v<E, bool>) {
    const std::vector<char> bytes(s.vector.begin(), s.vector.end());
    print(name, "vector", bytes.data(), bytes.size());
  } else {
    print(name, "vector", s.vector.data(), s.vector.size());
  }
  std::printf("%s.empty %s\n", name, s.empty.empty() ? "" : "not empty");
  print(name, "matrix", s.matrix.data(), s.matrix.size());
}

}  // namespace

int main(int argc, char** argv) {
  if (argc < 2) return 2;
  try {
    weights w;
    const auto report = tidemark::load_tensors(tidemark::archive_view(argv[1]), w);
    std::printf("filled %llu\n", static_cast<unsigned long long>(report.filled));
    for (const auto& name : report.unused) std::printf("unused %s\n", name.c_str());
    print("BOOL", w.BOOL);
    print("U8", w.U8);
    print("I8", w.I8);
    print("U16", w.U16);
    print("I16", w.I16);
    print("U32", w.U32);
    print("I32", w.I32);
    print("U64", w.U64);
    print("I64", w.I64);
    print("F16", w.F16);
    print("BF16", w.BF16);
    print("F32", w.F32);
    print("F64", w.F64);
    print("C64", w.C64);
    print("F8_E4M3", w.F8_E4M3);
    print("F8_E5M2", w.F8_E5M2);
    if (argc > 2) tidemark::export_weights(w, argv[2], {.metadata = {{"by", "tidemark"}}});
    return 0;
  } catch (const tidemark::error& e) {
    std::fprintf(stderr, "%s\n", e.what());
    return 1;
  }
}
