// SPDX-License-Identifier: BSL-1.0
// model/evolution.hpp: how a type states its version, and takes what older versions of it stored (floor: model).
#ifndef TIDEMARK_MODEL_EVOLUTION_HPP
#define TIDEMARK_MODEL_EVOLUTION_HPP

#include <tidemark/model/member_list.hpp>

#include <cstdint>
#include <string_view>
#include <tuple>
#include <type_traits>

namespace tidemark {

/// A member that was elsewhere in an older version. Paths begin at the type and run through records:
/// `static constexpr tidemark::renamed_path renamed[] = {{"m", "momentum"}, {"lr", "optimizer.rate"}};` lists those of all versions; a
/// chain of them is followed. A rule holds for files that have `from` and not yet `to`; where a name went to something else, or two
/// changed places, say since which version: `{"a", "b", 3}, {"b", "a", 3}`.
struct renamed_path {
  std::string_view from;    ///< in the file
  std::string_view to;      ///< here
  std::uint32_t since = 0;  ///< the version that renamed it: the rule holds for all files of an older one, and for no others
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

/// Whether `Own` has a version that it did not just inherit from one of its listed bases.
template <class Own, class Base>
consteval bool is_inherited_from() {
  if constexpr (std::is_same_v<Own, Base> || !requires { &Base::checkpoint_version; }) return false;
  else return static_cast<const void*>(&Own::checkpoint_version) == static_cast<const void*>(&Base::checkpoint_version);
}
template <class Own, class... P>
consteval bool declares_version(const std::tuple<P...>*) {
  return !(is_inherited_from<Own, typename listed_base<P, Own>::type>() || ...);
}

/// Whether the evolution that `T` states is its own: a base's is the base's.
template <class T>
consteval bool has_evolution() {
  using E = evolution_of<T>;
  if constexpr (!requires { std::uint32_t{E::checkpoint_version}; }) return false;
  else if constexpr (ListsMembers<E>) return declares_version<E>(static_cast<const std::remove_cvref_t<decltype(E::checkpoint_members.all)>*>(nullptr));
  else return true;
}

template <class T>
consteval std::uint32_t version_of() {
  if constexpr (has_evolution<T>()) return evolution_of<T>::checkpoint_version;
  else return 1;
}

template <class T>
concept CallsMigrate = requires(T& value, const stored_record& old) { evolution_of<T>::migrate(value, old); };
template <class T>
concept NamesMigrate = requires { &evolution_of<T>::migrate; };

template <class T>
inline constexpr bool migrates = [] {
  if constexpr (!has_evolution<T>()) return false;
  else return CallsMigrate<T>;
}();
template <class T>
concept Migrates = migrates<T>;

}  // namespace detail

}  // namespace tidemark
#endif
