// SPDX-License-Identifier: BSL-1.0
// core/environment.hpp: refuses, with a sentence, compilers and targets on which an archive would not mean what it says.
#ifndef TIDEMARK_CORE_ENVIRONMENT_HPP
#define TIDEMARK_CORE_ENVIRONMENT_HPP

#if defined(_MSVC_LANG)
#if _MSVC_LANG < 202002L
#error "tidemark needs C++20: compile with /std:c++20 or later"
#endif
#elif __cplusplus < 202002L
#error "tidemark needs C++20: compile with -std=c++20 or later"
#endif

#if defined(__clang__)
#if __clang_major__ < 14 && !defined(__apple_build_version__)
#error "tidemark needs clang 14 or later"
#endif
#elif defined(__GNUC__)
#if __GNUC__ < 12
#error "tidemark needs g++ 12 or later"
#endif
#endif

#if defined(__BYTE_ORDER__) && __BYTE_ORDER__ != __ORDER_LITTLE_ENDIAN__
#error "tidemark archives are little-endian and written straight from memory: big-endian targets are not supported"
#endif

#include <climits>
#include <limits>

static_assert(CHAR_BIT == 8, "tidemark: a byte must have 8 bits");
// Not is_iec559: -ffast-math denies it, and trainers use that flag; the bits are the same.
static_assert(sizeof(float) == 4 && std::numeric_limits<float>::radix == 2 && std::numeric_limits<float>::digits == 24,
              "tidemark: float must be IEEE 754 binary32");
static_assert(sizeof(double) == 8 && std::numeric_limits<double>::radix == 2 && std::numeric_limits<double>::digits == 53,
              "tidemark: double must be IEEE 754 binary64");

#endif
