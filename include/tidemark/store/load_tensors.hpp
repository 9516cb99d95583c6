// SPDX-License-Identifier: BSL-1.0
// store/load_tensors.hpp: a struct filled by name from the safetensors file of any program (floor: store).
#ifndef TIDEMARK_STORE_LOAD_TENSORS_HPP
#define TIDEMARK_STORE_LOAD_TENSORS_HPP

#include <tidemark/store/archive_view.hpp>
#include <tidemark/store/failures.hpp>
#include <tidemark/store/name_map.hpp>
#include <tidemark/store/tensor_filler.hpp>

#include <cstdint>
#include <string>
#include <vector>

namespace tidemark {

struct tensors_report {
  std::uint64_t filled = 0;            ///< values of the state that a tensor was found for
  std::vector<std::string> unused{};   ///< tensors of the file that nothing has asked for, in file order
  bool has_digests = false;            ///< false: nothing could be verified
};

/// Fills `state` with the tensors of any safetensors file, by name: a member `m` of a member `n` is `n.m`, element 3 of a sequence is
/// `name.3`, the value at a key `name.key`, and `names` says what they are called in the file, where that differs.
///
/// The structure is the state's own, and stays: sequences have the size, maps the keys, optionals and variants the value that is there,
/// and each value in them must be in the file. Only arrays take the size of their tensor, and an empty map from text to arrays takes
/// every tensor below its name. The dtype must be that of the C++ type, nothing is converted; of the shape, the last extents must be
/// those of the elements (`std::array`), the others count together: F32 [4, 3] fills a vector<float> of 12, row by row, a
/// vector<array<float, 3>> of 4, and a std::array<float, 12>. A scalar takes one element of any shape, text the bytes of a U8.
///
/// Everything is checked before anything is touched, and against the digests where the file has any. Tensors that nothing asks for are
/// reported, not refused. Linear; memory beyond the state: about 200 bytes a tensor. The file is mapped: see `mapped_file`.
/// Throws `error`: schema_mismatch, with a line for each name that is missing, or of another dtype or shape; corrupt; invalid_value (a
/// bool of 2); no_space; and what `names` throws.
template <class T>
tensors_report load_tensors(const archive_view& view, T& state, const name_map& names = {}) {
  static_assert(!std::is_const_v<T>, "tidemark: load_tensors fills its target, and this one is const");
  detail::require_restorable<std::remove_const_t<T>>();
  if constexpr (Restorable<T>) return detail::doing("load tensors from", [&] { return view.name(); }, [&] {
    detail::tensor_filler filler(view, names);
    filler.collect(state, {});
    filler.require_all_found();
    filler.fill();
    return tensors_report{filler.filled(), filler.unused(), view.has_digests()};
  });
}

}  // namespace tidemark
#endif
