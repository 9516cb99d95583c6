// SPDX-License-Identifier: BSL-1.0
// store/tensor_filler.hpp: walks a value, finds a tensor for each of its leaves, and fills all of them or none (floor: store).
#ifndef TIDEMARK_STORE_TENSOR_FILLER_HPP
#define TIDEMARK_STORE_TENSOR_FILLER_HPP

#include <tidemark/archive/borrowed.hpp>
#include <tidemark/archive/const_member.hpp>
#include <tidemark/archive/encode_columns.hpp>
#include <tidemark/archive/keyed.hpp>
#include <tidemark/archive/leaves.hpp>
#include <tidemark/store/archive_view.hpp>
#include <tidemark/store/name_map.hpp>

#include <algorithm>
#include <concepts>
#include <cstdint>
#include <cstring>
#include <functional>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <type_traits>
#include <utility>
#include <vector>

namespace tidemark::detail {

/// Bytes that lie in memory, read as a stream of leaves.
struct mapped_input {
  const std::byte* at;

  const std::byte* take(std::size_t n) noexcept { return std::exchange(at, at + n); }
  void skip(std::size_t n) noexcept { at += n; }
  void copy(bytes_span to) noexcept;
};

/// In three steps, so that an error leaves the target alone: all names are looked up, all memory is made, all bytes are copied.
class tensor_filler {
 public:
  tensor_filler(const archive_view& view, const name_map& names);

  template <class T>
  void collect(T& value, const std::string& name) {
    constexpr category is = category_of<T>;
    if constexpr (is == category::represented || is == category::packed || is == category::set) {
      static_assert(is != category::represented && is != category::packed && is != category::set,
                    "tidemark: load_tensors fills numbers, text, arrays and what is made of them; a set, a struct that contains itself, and a class that hands out its state as another value, are no tensors: "
                    "fill a struct without it");
    } else if constexpr (is == category::scalar) {
      find<T>(name, names_(name), 1, [target = std::addressof(value)](bytes_view bytes) {
        mapped_input in{bytes.data()};
        read_leaf<T>(in, target);
      });
    } else if constexpr (is == category::text) {
      find<unsigned char>(name, names_(name), any_count, [target = std::addressof(value)](bytes_view bytes) { target->assign(reinterpret_cast<const char*>(bytes.data()), bytes.size()); },
                          [target = std::addressof(value)](std::uint64_t count) { target->reserve(static_cast<std::size_t>(count)); });
    } else if constexpr (is == category::array) {
      collect_array(value, name, names_(name));
    } else if constexpr (is == category::borrowed) {
      collect_borrowed(value, name);
    } else if constexpr (is == category::tensors) {
      collect_tensors(value, name);
    } else if constexpr (is == category::map) {
      collect_map(value, name);
    } else if constexpr (is == category::sequence) {
      std::size_t index = 0;
      for (auto& element : value) collect(element, joined(name, std::to_string(index++)));
    } else if constexpr (is == category::optional) {
      if (value) collect(*value, name);
    } else if constexpr (is == category::variant) {
      for_each_child_type<T>([&]<std::size_t I, class A>(std::integral_constant<std::size_t, I>, std::type_identity<A>) {
        if (alternative_index(value) == I) collect(alternative<I>(value), name);
      });
    } else {
      for_each_child_type<T>([&]<std::size_t I, class M>(std::integral_constant<std::size_t, I>, std::type_identity<M>) {
        if constexpr (is_const_child<T, I>()) collect_constant<M>(child<I>(value), joined(name, child_name<T, I>()));
        else collect(child<I>(value), joined(name, child_name<T, I>()));
      });
    }
  }

  void require_all_found() const;

  /// Verifies and makes memory first; from the first byte that is copied on, nothing can fail.
  void fill();

  std::uint64_t filled() const noexcept { return jobs_.size(); }

  std::vector<std::string> unused() const;

 private:
  static constexpr std::uint64_t any_count = UINT64_MAX;

  struct job {
    const tensor_info* tensor;
    std::function<void(bytes_view)> check;
    std::function<void()> prepare;
    std::function<void(bytes_view)> copy;
  };

  void carry_out(std::span<const job> jobs) const;

  /// A const member is read aside, and compared before anything is filled.
  template <class M>
  void collect_constant(const M& here, const std::string& name) {
    const auto stored = std::make_shared<aside<M>>();
    const std::size_t first = jobs_.size();
    collect(**stored, name);
    constants_.push_back([this, &here, name, stored, first, count = jobs_.size() - first] {
      carry_out(std::span(jobs_).subspan(first, count));
      at_place(name, [&] { require_same_constant<M>(here, **stored); });
    });
  }

  static std::string joined(const std::string& name, std::string_view step);

  /// The number of leaves of extents `inner` that a shape holds; false where it does not end with them.
  static bool leaves_in(std::span<const std::uint64_t> shape, const extents& inner, std::uint64_t& count);

  void report(std::string_view what, const std::string& name, const std::string& theirs, const std::string& what_is);

  template <class E>
  void find(const std::string& name, const std::string& theirs, std::uint64_t wanted, std::function<void(bytes_view)> copy, std::function<void(std::uint64_t)> prepare = {}) {
    const extents inner = leaf_shape<E>(extents{});
    const auto here = [&] {
      std::string text = shape_text(leaf_traits<E>::type, inner.view());
      if (wanted != 1) text.insert(text.find('[') + 1, (wanted == any_count ? "any" : std::to_string(wanted)) + (inner.rank == 0 ? "" : ", "));
      return text;
    };
    const tensor_info* tensor = view_.find(theirs);
    if (tensor == nullptr) {
      missing_ = true;
      return report("missing in the file   ", name, theirs, here());
    }
    std::uint64_t count = 0;
    if (tensor->type != leaf_traits<E>::type || !leaves_in(tensor->shape, inner, count) || (wanted != any_count && count != wanted)) {
      return report("different             ", name, theirs, shape_text(tensor->type, tensor->shape) + " there, " + here() + " here");
    }
    std::function<void()> make;
    if (prepare) make = [prepare = std::move(prepare), count] { prepare(count); };
    jobs_.push_back({tensor, check_of<E>(*tensor, count), std::move(make), std::move(copy)});
  }

  /// Whether every leaf is a value of its type; asking for the bytes has verified them.
  template <class E>
  static std::function<void(bytes_view)> check_of(const tensor_info& tensor, std::uint64_t count) {
    if constexpr (!leaf_traits<E>::is_checked) {
      return [](bytes_view) {};
    } else {
      return [&tensor, count](bytes_view bytes) {
        mapped_input in{bytes.data()};
        for (std::uint64_t i = 0; i < count; ++i) {
          if (read_leaf<E>(in, static_cast<E*>(nullptr))) continue;
          throw error({.code = errc::invalid_value, .tensor = std::string(tensor.name), .problem = "element " + std::to_string(i) + " is no value of its type",
                       .expected = scalar_traits<scalar_of<E>>::code()});
        }
      };
    }
  }

  template <class T>
  static void copy_array(T& target, bytes_view bytes) {
    using E = element_of<T>;
    if constexpr (is_direct_leaf<E> && !leaf_traits<E>::is_checked && is_contiguous<T>) {
      if (!bytes.empty()) std::memcpy(static_cast<void*>(contiguous(target)), bytes.data(), bytes.size());
    } else {
      mapped_input in{bytes.data()};
      for_each_slot(target, [&](E& element) { read_leaf<E>(in, std::addressof(element)); });
    }
  }

  template <class T>
  void collect_array(T& value, const std::string& name, const std::string& theirs) {
    using E = element_of<T>;
    if constexpr (is_fixed_size<T>) {
      find<E>(name, theirs, structure<T>::extent, [target = std::addressof(value)](bytes_view bytes) { copy_array(*target, bytes); });
    } else {
      const auto size = std::make_shared<std::size_t>(0);
      find<E>(name, theirs, any_count,
              [target = std::addressof(value), size](bytes_view bytes) {
                resize_to(*target, *size);  // within what was reserved, where the container can
                copy_array(*target, bytes);
              },
              [target = std::addressof(value), size](std::uint64_t count) {
                *size = static_cast<std::size_t>(count);
                if constexpr (requires { target->reserve(*size); }) target->reserve(*size);
              });
    }
  }

  /// Memory of the program: of exactly these extents.
  template <class T>
  void collect_borrowed(T& value, const std::string& name) {
    using E = element_of<T>;
    const std::string theirs = names_(name);
    const extents wanted = borrowed_shape(value);
    const tensor_info* tensor = view_.find(theirs);
    if (tensor == nullptr) {
      missing_ = true;
      return report("missing in the file   ", name, theirs, shape_text(leaf_traits<E>::type, wanted.view()));
    }
    if (tensor->type != leaf_traits<E>::type || !std::ranges::equal(tensor->shape, wanted.view())) {
      return report("different             ", name, theirs, shape_text(tensor->type, tensor->shape) + " there, " + shape_text(leaf_traits<E>::type, wanted.view()) + " here");
    }
    const std::uint64_t count = leaf_bytes<E> == 0 ? 0 : tensor->bytes / leaf_bytes<E>;
    jobs_.push_back({tensor, check_of<E>(*tensor, count), {}, [target = std::addressof(value)](bytes_view bytes) {
      mapped_input in{bytes.data()};
      if constexpr (ThroughBlocks<T>) target->write(0, bytes);
      else for_each_borrowed(*target, [&](E& e) { read_leaf<E>(in, std::addressof(e)); });
    }});
  }

  /// Those that are there, of exactly their types and shapes; where none are, every tensor below the name.
  void collect_tensors(named_tensors& all, const std::string& name);

  template <class T>
  void collect_map(T& map, const std::string& name) {
    using K = typename structure<T>::key;
    using V = typename structure<T>::mapped;
    static_assert(category_of<K> == category::text || std::integral<K>, "tidemark: load_tensors finds the values of a map by their keys, which must be text or integers");
    if constexpr (category_of<K> == category::text && category_of<V> == category::array && !is_fixed_size<V>) {
      if (map.empty()) return collect_all_below(map, name);
    }
    for (auto& [key, value] : map) {
      if constexpr (category_of<K> == category::text) collect(value, joined(name, key));
      else collect(value, joined(name, std::to_string(key)));
    }
  }

  /// The map is made aside, and takes the place of the empty one.
  template <class T>
  void collect_all_below(T& map, const std::string& name) {
    const std::string theirs = names_(name);
    const std::string prefix = theirs.empty() ? "" : theirs + '.';
    const auto made = std::make_shared<T>(empty_like(map));
    for (const tensor_info& tensor : view_.tensors()) {
      if (!tensor.name.starts_with(prefix)) continue;
      const std::string key(tensor.name.substr(prefix.size()));
      collect_array((*made)[key], joined(name, key), std::string(tensor.name));
    }
    swaps_.push_back([target = &map, made] { target->swap(*made); });
  }

  const archive_view& view_;
  const name_map& names_;
  std::vector<job> jobs_;
  std::vector<std::function<void()>> swaps_, constants_;
  std::string problems_;
  bool missing_ = false;
};

}  // namespace tidemark::detail

#ifndef TIDEMARK_COMPILED
#include <tidemark/store/tensor_filler.ipp>
#endif
#endif
