// SPDX-License-Identifier: BSL-1.0
// core/dtype.test.cpp: element types, their sizes and names.
#include <tidemark/core/dtype.hpp>

#include <doctest/doctest.h>

#include <string>

using namespace tidemark;

static_assert(dtype_of<bool> == dtype::boolean && dtype_of<float> == dtype::f32 && dtype_of<double> == dtype::f64);
static_assert(dtype_of<signed char> == dtype::i8 && dtype_of<unsigned char> == dtype::u8 && dtype_of<char> == dtype::u8);
static_assert(dtype_of<short> == dtype::i16 && dtype_of<unsigned short> == dtype::u16 && dtype_of<char16_t> == dtype::u16);
static_assert(dtype_of<int> == dtype::i32 && dtype_of<unsigned> == dtype::u32 && dtype_of<char32_t> == dtype::u32);
static_assert(dtype_of<long long> == dtype::i64 && dtype_of<unsigned long long> == dtype::u64);
static_assert(dtype_of<long> == (sizeof(long) == 8 ? dtype::i64 : dtype::i32));
static_assert(std::is_same_v<std::remove_cv_t<decltype(dtype_of<wchar_t>)>, detail::no_dtype>);
static_assert(std::is_same_v<std::remove_cv_t<decltype(dtype_of<long double>)>, detail::no_dtype>);
static_assert(std::is_same_v<std::remove_cv_t<decltype(dtype_of<int*>)>, detail::no_dtype>);

TEST_CASE("every dtype of safetensors has its name and size, and is found by its name") {
  // From the format's own documentation.
  const std::pair<const char*, std::size_t> known[] = {
      {"BOOL", 8}, {"F4", 4}, {"F6_E2M3", 6}, {"F6_E3M2", 6}, {"U8", 8}, {"I8", 8}, {"F8_E5M2", 8}, {"F8_E4M3", 8}, {"F8_E8M0", 8},
      {"F8_E4M3FNUZ", 8}, {"F8_E5M2FNUZ", 8}, {"I16", 16}, {"U16", 16}, {"F16", 16}, {"BF16", 16}, {"I32", 32}, {"U32", 32}, {"F32", 32},
      {"C64", 64}, {"F64", 64}, {"I64", 64}, {"U64", 64}};
  CHECK(std::size(known) == detail::dtype_rows.size());
  for (const auto& [name, bits] : known) {
    dtype found = dtype::boolean;
    REQUIRE(find_dtype(name, found));
    CHECK(name_of(found) == name);
    CHECK(bits_of(found) == bits);
    CHECK(size_of(found) == (bits + 7) / 8);
  }
  dtype untouched = dtype::f64;
  for (const char* wrong : {"", "f32", "F32 ", "F128", "BOOLEAN"}) CHECK_FALSE(find_dtype(wrong, untouched));
  CHECK(untouched == dtype::f64);
}
