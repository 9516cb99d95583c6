// SPDX-License-Identifier: BSL-1.0
// archive/repacked.hpp: the tensors of a value, repacked by its schema alone, beside the bytes that packing it gives.
#ifndef TIDEMARK_TESTS_ARCHIVE_REPACKED_HPP
#define TIDEMARK_TESTS_ARCHIVE_REPACKED_HPP

#include <tidemark/archive/repack.hpp>

#include <stdexcept>
#include <string>

#include "held_tensors.hpp"

namespace held {

inline std::string repacked(const schema& s, bool is_record, const tensors& all) {
  input in(all);
  decoder at{in, walk_name(is_record)};
  std::string bytes;
  repacker(at).append(bytes, s);
  if (!in.all_claimed()) throw std::logic_error("a tensor was not claimed");
  return bytes;
}

template <class T>
std::string repacked(const tensors& all) {
  return repacked(make_schema<T>(), layout_of<T> == category::record, all);
}

template <class T>
std::string packed(const T& value) {
  std::string bytes;
  pack(bytes, value);
  return bytes;
}

}  // namespace held
#endif
