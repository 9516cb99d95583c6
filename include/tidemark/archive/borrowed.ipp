// SPDX-License-Identifier: BSL-1.0
// archive/borrowed.ipp: the definitions of borrowed.hpp (floor: archive).
#ifndef TIDEMARK_ARCHIVE_BORROWED_IPP
#define TIDEMARK_ARCHIVE_BORROWED_IPP

#include <tidemark/archive/borrowed.hpp>

#include <tidemark/core/linkage.hpp>

namespace tidemark::detail {

TIDEMARK_DETAIL_INLINE void encode_tensors(save_plan& plan, walk_name& name, const named_tensors& all) {
  gathered_texts& keys = plan.keep(gathered_texts{});
  for (const auto& [key, e] : all) keys.add(key);
  add_gathered_keys(plan, name, keys);
  for (const auto& [key, e] : all) {
    const auto scope = name.key(key, true);
    extents shape;
    for (const std::uint64_t extent : e.shape()) shape = shape.with(extent);
    plan.add_bytes(name.text(), e.type(), shape, static_cast<std::uint8_t>(size_of(e.type())), e.bytes().data());
  }
}

TIDEMARK_DETAIL_INLINE void decode_tensors(decoder& at, named_tensors* target) {
  if (target == nullptr) return for_each_stored(at, [&](const std::string&, const tensor_info& tensor) { at.in.defer_check(tensor); });
  std::vector<std::string> stored;
  for_each_stored(at, [&](const std::string& key, const tensor_info& tensor) {
    const auto found = std::find_if(target->begin(), target->end(), [&](const auto& e) { return e.first == key; });
    const bool fits = found != target->end() && found->second.type() == tensor.type && std::ranges::equal(found->second.shape(), tensor.shape);
    auto& e = fits ? found->second : target->add(key, tensor.type, {tensor.shape.begin(), tensor.shape.end()});
    if (at.aside == 0) {
      at.in.defer_copy(tensor, e.bytes());
    } else {
      input_stream stream = at.in.open(tensor);
      stream.copy(e.bytes());
      stream.finish();
    }
    stored.push_back(key);
  });
  for (auto e = target->begin(); e != target->end();) {
    const std::string name = (e++)->first;
    if (!std::binary_search(stored.begin(), stored.end(), name)) target->erase(name);
  }
}

}  // namespace tidemark::detail
#endif
