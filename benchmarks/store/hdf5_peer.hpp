// SPDX-License-Identifier: BSL-1.0
// benchmarks/store/hdf5_peer.hpp: the arrays of a large state as datasets of an HDF5 file, where libhdf5 is there.
#ifndef TIDEMARK_BENCHMARKS_STORE_HDF5_PEER_HPP
#define TIDEMARK_BENCHMARKS_STORE_HDF5_PEER_HPP

#if defined(TIDEMARK_BENCHMARKS_HDF5)
#include <filesystem>
#include <stdexcept>
#include <string>

#include <hdf5.h>

#include "../files.hpp"
#include "large_state.hpp"

namespace bench {

inline void save_as_hdf5(large_state& state, const std::filesystem::path& path) {
  const auto require = [](auto result) {
    if (result < 0) throw std::runtime_error("HDF5 does not save the state");
    return result;
  };
  const hid_t file = require(H5Fcreate(path.c_str(), H5F_ACC_EXCL, H5P_DEFAULT, H5P_DEFAULT));
  char name[] = "a";
  for (const std::vector<float>* array : arrays_of(state)) {
    const hsize_t extent = array->size();
    const hid_t space = require(H5Screate_simple(1, &extent, nullptr));
    const hid_t set = require(H5Dcreate2(file, name, H5T_IEEE_F32LE, space, H5P_DEFAULT, H5P_DEFAULT, H5P_DEFAULT));
    require(H5Dwrite(set, H5T_NATIVE_FLOAT, H5S_ALL, H5S_ALL, H5P_DEFAULT, array->data()));
    require(H5Dclose(set));
    require(H5Sclose(space));
    ++name[0];
  }
  require(H5Fclose(file));
  raw_file(path, O_RDWR).sync();
}

}  // namespace bench
#endif
#endif
