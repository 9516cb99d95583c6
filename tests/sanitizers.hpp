// SPDX-License-Identifier: BSL-1.0
// tests/sanitizers.hpp: what a build is watched by, for tests that cost too much under it or that its runtime disturbs.
#ifndef TIDEMARK_TESTS_SANITIZERS_HPP
#define TIDEMARK_TESTS_SANITIZERS_HPP

namespace scratch {

#if defined(__has_feature)
#define TIDEMARK_TESTS_HAS(what) __has_feature(what)
#else
#define TIDEMARK_TESTS_HAS(what) 0
#endif

#if defined(__SANITIZE_THREAD__) || TIDEMARK_TESTS_HAS(thread_sanitizer)
inline constexpr bool watches_threads = true;
#else
inline constexpr bool watches_threads = false;
#endif
#if defined(__SANITIZE_ADDRESS__) || TIDEMARK_TESTS_HAS(address_sanitizer) || TIDEMARK_TESTS_HAS(memory_sanitizer)
inline constexpr bool watches_memory = true;
#else
inline constexpr bool watches_memory = false;
#endif

#undef TIDEMARK_TESTS_HAS

inline constexpr bool is_sanitized = watches_threads || watches_memory;

}  // namespace scratch
#endif
