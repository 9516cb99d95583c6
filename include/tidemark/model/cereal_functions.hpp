// SPDX-License-Identifier: BSL-1.0
// model/cereal_functions.hpp: whether a class has functions for cereal, and whether it wants to be stored by them (floor: model).
#ifndef TIDEMARK_MODEL_CEREAL_FUNCTIONS_HPP
#define TIDEMARK_MODEL_CEREAL_FUNCTIONS_HPP

#include <tidemark/model/represent.hpp>

#include <type_traits>

namespace tidemark {

/// Whether `T` is stored by its cereal functions, as one blob. Specialise it next to the type, and include <tidemark/cereal.hpp> where it
/// is saved: `template <> inline constexpr bool tidemark::use_cereal<my::type> = true;`
/// Without it a class with cereal functions is refused: including a header never changes what a file holds.
template <class T>
inline constexpr bool use_cereal = false;

namespace detail {

// Found without cereal's headers, so that the answer is the same in every file of a program. A namespace of its own: the archive that is
// shown to a class's functions brings no function named save or load into the look-up, and those around it are hidden.
namespace cereal_probing {

void serialize() = delete;
void save() = delete;
void load() = delete;
void save_minimal() = delete;

struct archive {
  using is_loading = std::true_type;
  using is_saving = std::false_type;
  template <class... T>
  archive& operator()(T&&...);
  template <class T>
  archive& operator&(T&&);
  template <class T>
  archive& operator<<(T&&);
  template <class T>
  archive& operator>>(T&&);
};

struct names {
  int serialize, save, save_minimal;
};

// A name that both bases have is ambiguous: seen without calling anything, and private ones too.
template <class T>
struct twice_named : T, names {};

template <class T>
concept Derivable = std::is_class_v<T> && !std::is_final_v<T> && std::is_destructible_v<T>;

// One function that is no template takes a path, a stream, or an archive that is not ours.
template <class T>
concept MemberSerialize =
    (Derivable<T> && !requires { &twice_named<T>::serialize; } && !requires { typename std::void_t<decltype(&T::serialize)>; } &&
     !requires(T& t) { t.serialize(); }) ||
    (std::is_final_v<T> && (requires(T& t, archive& a) { t.serialize(a); } || requires(T& t, archive& a) { t.serialize(a, 0u); }));

template <class T>
concept MemberSaveMinimal =
    Derivable<T> && !requires { &twice_named<T>::save_minimal; } && !requires { typename std::void_t<decltype(&T::save_minimal)>; };

template <class T>
concept MemberSaveAndLoad =
    Derivable<T> && !requires { &twice_named<T>::save; } && !requires { typename std::void_t<decltype(&T::save)>; } &&
    ((requires(T& t, archive& a) { t.save(a); t.load(a); } && !requires(T& t, archive& a) { t.save(static_cast<archive&&>(a)); }) ||
     requires(T& t, archive& a) { t.save(a, 0u); t.load(a, 0u); });

template <class T>
concept FreeFunctions = requires(archive& a, T& t) { serialize(a, t); } || requires(archive& a, T& t) { serialize(a, t, 0u); } ||
                        requires(archive& a, const T& from, T& to) { save(a, from); load(a, to); } ||
                        requires(archive& a, const T& from, T& to) { save(a, from, 0u); load(a, to, 0u); } ||
                        requires(archive& a, const T& from) { save_minimal(a, from); } ||
                        requires(archive& a, const T& from) { save_minimal(a, from, 0u); };

}  // namespace cereal_probing

/// A class with `serialize`, `save` and `load`, or `save_minimal`, as a member or found by its namespace, versioned or not.
/// Only declarations are looked at. But save, load and free functions whose return type is deduced are compiled for an archive that takes
/// everything, and so is serialize of a final class.
template <class T>
concept CerealFunctions = std::is_class_v<T> && (cereal_probing::MemberSerialize<T> || cereal_probing::MemberSaveMinimal<T> ||
                                                 cereal_probing::MemberSaveAndLoad<T> || cereal_probing::FreeFunctions<T>);

/// Opted in, but <tidemark/cereal.hpp> is not included here.
template <class T>
concept CerealWithoutHeader = use_cereal<T> && !Represented<T>;

/// Two of the ways in which a class says itself what its state is.
template <class T>
concept TwoWays = (Represented<T> && SnapshotClass<T>) || (use_cereal<T> && (SnapshotClass<T> || (Represented<T> && !requires {
                                                             typename represent<T>::stored_by_cereal;
                                                           })));

}  // namespace detail
}  // namespace tidemark
#endif
