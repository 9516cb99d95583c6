// SPDX-License-Identifier: BSL-1.0
// core/linkage.hpp: where the functions of the .ipp files are compiled: in each source file that uses them, or once (floor: core).
#ifndef TIDEMARK_CORE_LINKAGE_HPP
#define TIDEMARK_CORE_LINKAGE_HPP

// Without TIDEMARK_COMPILED the library is header-only: a header includes its .ipp, and what that defines is inline. With it, which the
// CMake target tidemark::compiled gives to all who link it, headers only declare, and tidemark/definitions.hpp defines, in one source file.
#ifdef TIDEMARK_COMPILED
#define TIDEMARK_DETAIL_INLINE
#else
#define TIDEMARK_DETAIL_INLINE inline
#endif

#endif
