// SPDX-License-Identifier: BSL-1.0
// tests/main.cpp: doctest's main, compiled once and linked into every test executable.
#define DOCTEST_CONFIG_IMPLEMENT_WITH_MAIN
#include <doctest/doctest.h>
