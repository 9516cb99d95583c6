// SPDX-License-Identifier: BSL-1.0
// The program's second object as CUDA: nvcc compiles the library, and a kernel beside it.
#include "second.cpp"

__global__ void fill(float* to) { to[threadIdx.x] = 1.0f; }
