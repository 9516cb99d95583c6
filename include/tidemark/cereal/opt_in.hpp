// SPDX-License-Identifier: BSL-1.0
// cereal/opt_in.hpp: a type that says use_cereal<T> is stored as one blob that its cereal functions write (floor: cereal).
#ifndef TIDEMARK_CEREAL_OPT_IN_HPP
#define TIDEMARK_CEREAL_OPT_IN_HPP

#include <tidemark/cereal/input_archive.hpp>
#include <tidemark/model/cereal_functions.hpp>

#include <algorithm>

namespace tidemark {
namespace detail {

[[noreturn]] inline void fail_as_cereal(errc code, const ::cereal::Exception& e) {
  std::string text = e.what();
  std::replace(text.begin(), text.end(), '\n', ' ');
  throw error({.code = code, .problem = "cereal says: " + text});
}

}  // namespace detail

/// Every object has an archive of its own: pointers that are shared between two opted-in objects are not shared any more once loaded.
template <class T>
  requires use_cereal<T>
struct represent<T> {
  using stored_by_cereal = void;

  /// In the schema. A `checkpoint_name` tells one opted-in type from another there.
  static std::string name() {
    if constexpr (requires { std::string_view(T::checkpoint_name); }) return "cereal:" + std::string(std::string_view(T::checkpoint_name));
    else return "cereal";
  }

  /// Throws `error`: unsupported (what cereal refuses, as a polymorphic type that is not registered), limit (depth).
  static std::vector<std::byte> snapshot(const T& object) {
    require_functions();
    try {
      detail::cereal_writer archive;
      archive(object);
      return std::move(archive).finish();
    } catch (const ::cereal::Exception& e) {
      detail::fail_as_cereal(errc::unsupported, e);
    }
  }

  /// The whole blob is read into a fresh object first, which then takes the place of `object`: what the functions leave out has its default.
  /// Throws `error`: schema_mismatch (the functions read other than was written), invalid_value, newer_version, limit. `object` is then as it was.
  /// Only where `T` cannot be move-assigned is it read a second time, into `object`.
  static void restore(T& object, std::vector<std::byte>&& blob) {
    require_functions();
    try {
      T fresh = T();
      read(fresh, blob);
      if constexpr (std::is_move_assignable_v<T>) object = std::move(fresh);
      else read(object, blob);
    } catch (const ::cereal::Exception& e) {
      detail::fail_as_cereal(errc::invalid_value, e);
    }
  }

 private:
  static void read(T& object, detail::bytes_view blob) {
    detail::cereal_reader archive(blob);
    archive(object);
    archive.finish();
  }

  static constexpr void require_functions() {
    static_assert(::cereal::traits::is_output_serializable<T, detail::cereal_writer>::value &&
                      ::cereal::traits::is_input_serializable<T, detail::cereal_reader>::value,
                  "tidemark: this type says use_cereal<T>, but cereal finds no functions that both write and read it; "
                  "include the headers of cereal/types that it needs before it is saved");
  }
};

}  // namespace tidemark
#endif
