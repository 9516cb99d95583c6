// SPDX-License-Identifier: BSL-1.0
// model/evolution.hpp: how a type states its version, and takes what older versions of it stored (floor: model).
#ifndef TIDEMARK_MODEL_EVOLUTION_HPP
#define TIDEMARK_MODEL_EVOLUTION_HPP

#include <cstdint>
#include <string_view>
#include <type_traits>

namespace tidemark {

/// A member that was elsewhere in an older version. Paths begin at the type and run through records:
/// `static constexpr tidemark::renamed_path renamed[] = {{"m", "momentum"}, {"lr", "optimizer.rate"}};` lists those of all versions.
struct renamed_path {
  std::string_view from;  ///< in the file
  std::string_view to;    ///< here
};

/// For types that cannot state it themselves: specialise it with `checkpoint_version`, `renamed` and `migrate` as static members.
template <class T>
struct evolution {
  using unspecialised = void;
};

class stored_record;

/// Whether a record of `T` is stored by column even where it holds arrays of run-time size: for very many of them.
template <class T>
inline constexpr bool as_rows = false;

namespace detail {

/// The class in which `T` states its evolution: itself, or the specialisation.
template <class T>
using evolution_of = std::conditional_t<requires { typename evolution<T>::unspecialised; }, T, evolution<T>>;

template <class T>
consteval std::uint32_t version_of() {
  if constexpr (requires { std::uint32_t{evolution_of<T>::checkpoint_version}; }) return evolution_of<T>::checkpoint_version;
  else return 1;
}

template <class T>
concept Migrates = requires(T& value, const stored_record& old) { evolution_of<T>::migrate(value, old); };

}  // namespace detail

}  // namespace tidemark
#endif
