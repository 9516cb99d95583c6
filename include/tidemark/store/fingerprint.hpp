// SPDX-License-Identifier: BSL-1.0
// store/fingerprint.hpp: a digest of a value without a file, equal where the files would be (floor: store).
#ifndef TIDEMARK_STORE_FINGERPRINT_HPP
#define TIDEMARK_STORE_FINGERPRINT_HPP

#include <tidemark/store/failures.hpp>
#include <tidemark/store/save.hpp>

#include <string>

namespace tidemark {

/// XXH3-128 over the schema, and the name, dtype, shape and block digests of every tensor that `save(state, ...)` would write: what a
/// file without metadata of the caller has as the first 16 bytes of `tidemark#digests`, so `open(path).fingerprint()` of that file.
/// Equal for two values if and only if the files would be equal, but for a collision; it finds damage and divergence, not forgery.
/// Linear in the state, in this thread; nothing is written and no array is copied; memory: 1 KiB a tensor and the values of `snapshot()`.
/// Throws what `save` would before it opens its sink: limit, unsupported, invalid_value.
template <class T>
[[nodiscard]] digest128 fingerprint(const T& state) {
  detail::require_restorable<T>();
  if constexpr (Restorable<T>) return detail::doing("fingerprint a state", [] { return std::string{}; }, [&] {
    const detail::save_plan plan = detail::plan_of(state);
    detail::archive_layout layout(plan, detail::full_metadata(detail::identity_text_of<T>(), {}));
    return layout.digest();
  });
}

}  // namespace tidemark
#endif
