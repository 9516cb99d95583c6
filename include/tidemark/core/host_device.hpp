// SPDX-License-Identifier: BSL-1.0
// core/host_device.hpp: the one attribute that lets nvcc call a function on both sides (floor: core).
#ifndef TIDEMARK_CORE_HOST_DEVICE_HPP
#define TIDEMARK_CORE_HOST_DEVICE_HPP

// Internal: not part of the interface. Expands to nothing outside nvcc.
#if defined(__CUDACC__)
#define TIDEMARK_DETAIL_HOST_DEVICE __host__ __device__
#else
#define TIDEMARK_DETAIL_HOST_DEVICE
#endif

#endif
