// SPDX-License-Identifier: BSL-1.0
// store/plan.hpp: what a save would write, without writing it (floor: store).
#ifndef TIDEMARK_STORE_PLAN_HPP
#define TIDEMARK_STORE_PLAN_HPP

#include <tidemark/store/failures.hpp>
#include <tidemark/store/save.hpp>

#include <cstdint>
#include <string>
#include <vector>

namespace tidemark {

struct planned_entry {
  std::string name;
  dtype type = dtype::u8;
  std::vector<std::uint64_t> shape{};
  std::uint64_t bytes = 0;
};

struct archive_plan {
  std::vector<planned_entry> tensors{};  ///< in file order, without the digests
  std::uint64_t file_bytes = 0;          ///< exactly what `save` would write, without metadata of the caller
};

/// The tensors that `save(state, ...)` would write. Linear in their number and in the rows of the state.
/// Throws what `save` would before it opens its sink: limit, unsupported.
template <class T>
archive_plan plan(const T& state) {
  detail::require_restorable<T>();
  if constexpr (Restorable<T>) return detail::doing("plan a save", [] { return std::string{}; }, [&] {
    const detail::save_plan plan = detail::plan_of(state);
    const detail::archive_layout layout(plan, detail::full_metadata(detail::identity_text_of<T>(), {}));
    archive_plan result{.file_bytes = layout.bytes()};
    result.tensors.reserve(plan.tensors().size());
    for (const auto& t : plan.tensors()) {
      result.tensors.push_back({std::string(t.info.name), t.info.type, {t.info.shape.begin(), t.info.shape.end()}, t.info.bytes});
    }
    return result;
  });
}

/// A line for each tensor, for people.
std::string to_text(const archive_plan& plan);

}  // namespace tidemark

#ifndef TIDEMARK_COMPILED
#include <tidemark/store/plan.ipp>
#endif
#endif
