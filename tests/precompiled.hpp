// SPDX-License-Identifier: BSL-1.0
// tests/precompiled.hpp: the headers of others that many tests include, parsed once a build. None of our own: theirs are the warnings we want.
#ifndef TIDEMARK_TESTS_PRECOMPILED_HPP
#define TIDEMARK_TESTS_PRECOMPILED_HPP

#include <algorithm>
#include <array>
#include <atomic>
#include <bitset>
#include <chrono>
#include <cmath>
#include <complex>
#include <deque>
#include <filesystem>
#include <forward_list>
#include <fstream>
#include <functional>
#include <list>
#include <locale>
#include <map>
#include <memory>
#include <mutex>
#include <numeric>
#include <optional>
#include <queue>
#include <random>
#include <set>
#include <span>
#include <sstream>
#include <stack>
#include <string>
#include <system_error>
#include <thread>
#include <tuple>
#include <unordered_map>
#include <unordered_set>
#include <valarray>
#include <variant>
#include <vector>

#include <boost/pfr/core.hpp>
#include <doctest/doctest.h>
#include <rapidjson/reader.h>

#define XXH_INLINE_ALL
#include <xxhash.h>

#endif
