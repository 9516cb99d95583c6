// SPDX-License-Identifier: BSL-1.0
// store/export_weights.hpp: the arrays of a state as a plain safetensors file, for programs that load weights and nothing else (floor: store).
#ifndef TIDEMARK_STORE_EXPORT_WEIGHTS_HPP
#define TIDEMARK_STORE_EXPORT_WEIGHTS_HPP

#include <tidemark/store/save.hpp>

#include <cstdint>
#include <functional>
#include <string>
#include <string_view>
#include <type_traits>
#include <utility>

namespace tidemark {

struct export_options {
  metadata_list metadata{};  ///< UTF-8; the key "format" is taken
  /// Which arrays are written; all where it is empty. `tensor_info::offset` means nothing yet.
  std::function<bool(const tensor_info&)> keep{};
  tidemark::progress_callback progress{};
};

namespace detail {

template <class T>
void export_arrays(save_plan& plan, walk_name& name, const T& value, const export_options& options);

/// As a state_dict names it. A key keeps its dots; two tensors of one name are refused later.
template <class T>
void export_map(save_plan& plan, walk_name& name, const T& map, const export_options& options) {
  std::uint64_t index = 0;
  for (const auto& entry : map) {
    const auto scope = [&] {
      if constexpr (category_of<typename structure<T>::key> == category::text) return name.key(entry.first, true);
      else return name.element(index);
    }();
    ++index;
    export_arrays(plan, name, entry.second, options);
  }
}

/// Whether the caller wants this array. Throws where it would have no name.
template <class E>
bool is_kept(const walk_name& name, const extents& shape, const export_options& options) {
  using traits = leaf_traits<E>;
  if (options.keep && !options.keep({name.text(), traits::type, shape.view(), 0, shape.count() * traits::file_bytes})) return false;
  if (name.text().empty()) {
    throw error({.code = errc::unsupported, .problem = "an array that is the whole state has no name", .advice = "Put it into a struct: the member's name will be its name."});
  }
  return true;
}

/// Adds the arrays of `value`: those of modules, and what lies alone. Scalars, text and rows are bookkeeping and stay out.
template <class T>
void export_arrays(save_plan& plan, walk_name& name, const T& value, const export_options& options) {
  constexpr category is = category_of<T>;
  if constexpr (is == category::represented) {
    export_arrays(plan, name, plan.keep(at_place(name.text(), [&] { return representation<T>::snapshot(value); })), options);
  } else if constexpr (is == category::array) {
    using traits = leaf_traits<element_of<T>>;
    if constexpr (traits::trailing == 0) {  // a long double has no dtype
      if (is_kept<element_of<T>>(name, leaf_shape<element_of<T>>(extents(count_of(value))), options)) encode_array(plan, name, value);
    }
  } else if constexpr (is == category::borrowed) {
    if constexpr (leaf_traits<element_of<T>>::trailing == 0) {
      if (is_kept<element_of<T>>(name, borrowed_shape(value), options)) encode_borrowed(plan, name, value);
    }
  } else if constexpr (is == category::tensors) {
    for (const auto& [key, e] : value) {
      const auto scope = name.key(key, true);
      if (options.keep && !options.keep({name.text(), e.type(), e.shape(), 0, e.bytes().size()})) continue;
      extents shape;
      for (const std::uint64_t extent : e.shape()) shape = shape.with(extent);
      plan.add_bytes(name.text(), e.type(), shape, static_cast<std::uint8_t>(size_of(e.type())), e.bytes().data());
    }
  } else if constexpr (is == category::sequence) {
    if constexpr (has_runtime_array<element_of<T>>::value) {
      std::uint64_t index = 0;
      for (const auto& element : value) {
        const auto scope = name.element(index++);
        export_arrays(plan, name, element, options);
      }
    }
  } else if constexpr (is == category::map) {
    export_map(plan, name, value, options);
  } else if constexpr (is == category::optional) {
    if (value) export_arrays(plan, name, *value, options);
  } else if constexpr (is == category::variant) {
    for_each_child_type<T>([&]<std::size_t I, class A>(std::integral_constant<std::size_t, I>, std::type_identity<A>) {
      if (alternative_index(value) == I) export_arrays(plan, name, alternative<I>(value), options);
    });
  } else if constexpr (is == category::record || is == category::tuple) {
    for_each_child_type<T>([&]<std::size_t I, class M>(std::integral_constant<std::size_t, I>, std::type_identity<M>) {
      const auto scope = name.member(child_name<T, I>());
      export_arrays(plan, name, child<I>(value), options);
    });
  }
}

metadata_list export_metadata(const metadata_list& extra);

}  // namespace detail

/// Writes the arrays of `state` as a plain safetensors file with `format: pt`, named as in a state_dict: what safetensors.torch and
/// transformers load without an unexpected key. It leaves out the schema, the digests, side tensors, scalars, text, sequences of rows,
/// and arrays of long double; it cannot be loaded as a checkpoint, but `load_tensors` reads it. Optionals and variants add nothing to
/// a name; the keys of maps keep their dots, and keys that are no text are counted from 0. All arrays count, also those of optimizers and random engines:
/// export the member that is the model, or say which with `options.keep`.
/// Linear in the state; memory and commit as `save`. Throws `error`: what the sink throws; unsupported (two arrays of one name, a
/// state that is one array, metadata that cannot be written); limit.
template <class T, class S>
  requires Sink<std::remove_cvref_t<S>>
save_report export_weights(const T& state, S&& sink, const export_options& options = {}) {
  detail::require_restorable<T>();
  detail::require_kept<S>();
  if constexpr (Restorable<T>) return detail::saving("export", [&] { return std::string(sink.name()); }, [&] {
    detail::save_plan plan;
    detail::walk_name name(true);
    detail::export_arrays(plan, name, state, options);
    plan.finish();
    detail::archive_layout layout(plan, detail::export_metadata(options.metadata), detail::digests::left_out);
    return detail::write_layout(layout, plan.tensors().size(), sink, options.progress, {});
  });
}

/// The same to the file at `path`, atomically and durably, as `save`.
template <class T, class Path>
  requires(!Sink<std::remove_cvref_t<Path>> && std::is_constructible_v<atomic_file, const Path&>)
save_report export_weights(const T& state, const Path& path, const export_options& options = {}) {
  return export_weights(state, atomic_file{path}, options);
}

}  // namespace tidemark

#ifndef TIDEMARK_COMPILED
#include <tidemark/store/export_weights.ipp>
#endif
#endif
