// SPDX-License-Identifier: BSL-1.0
// model/array_ref.hpp: arrays whose memory the program already owns: saved from where they lie and restored into it (floor: model).
#ifndef TIDEMARK_MODEL_ARRAY_REF_HPP
#define TIDEMARK_MODEL_ARRAY_REF_HPP

#include <array>
#include <cstddef>
#include <cstdint>
#include <span>
#include <type_traits>

namespace tidemark {

/// `Rank` extents of numbers at `data`: `array_ref{weights, {rows, columns}}`. Strides count elements; without them the array is
/// dense, its last extent running fastest. Restored only where the stored extents are these. Owns nothing: the memory must
/// outlive it. A default one is an array of no elements.
template <class T, std::size_t Rank = 1>
class array_ref {
 public:
  static_assert(Rank > 0 && !std::is_const_v<T>, "tidemark: an array_ref has at least one extent and shows memory that can be restored");
  using element_type = T;
  using extents_type = std::array<std::size_t, Rank>;
  using strides_type = std::array<std::ptrdiff_t, Rank>;
  static constexpr std::size_t rank = Rank;

  constexpr array_ref() = default;
  constexpr array_ref(T* data, const extents_type& shape) noexcept : data_(data), shape_(shape), strides_(dense_strides()) {}
  constexpr array_ref(T* data, const extents_type& shape, const strides_type& strides) noexcept : data_(data), shape_(shape), strides_(strides) {}
  constexpr array_ref(T* data, const std::size_t (&shape)[Rank]) noexcept : array_ref(data, std::to_array(shape)) {}
  constexpr array_ref(T* data, const std::size_t (&shape)[Rank], const std::ptrdiff_t (&strides)[Rank]) noexcept
      : array_ref(data, std::to_array(shape), std::to_array(strides)) {}

  constexpr T* data() const noexcept { return data_; }
  constexpr const extents_type& shape() const noexcept { return shape_; }
  constexpr const strides_type& strides() const noexcept { return strides_; }
  constexpr std::size_t size() const noexcept {
    std::size_t n = 1;
    for (const std::size_t e : shape_) n *= e;
    return n;
  }
  constexpr bool is_dense() const noexcept { return strides_ == dense_strides(); }

 private:
  constexpr strides_type dense_strides() const noexcept {
    strides_type all{};
    std::ptrdiff_t step = 1;
    for (std::size_t i = Rank; i-- > 0;) {
      all[i] = step;
      step *= static_cast<std::ptrdiff_t>(shape_[i]);
    }
    return all;
  }

  T* data_ = nullptr;
  extents_type shape_{};
  strides_type strides_ = dense_strides();
};

template <class T, std::size_t Rank>
array_ref(T*, const std::size_t (&)[Rank]) -> array_ref<T, Rank>;
template <class T, std::size_t Rank>
array_ref(T*, const std::size_t (&)[Rank], const std::ptrdiff_t (&)[Rank]) -> array_ref<T, Rank>;

namespace detail {

template <class T>
struct borrowed_array {
  static constexpr bool is = false;
};
template <class T, std::size_t Rank>
struct borrowed_array<array_ref<T, Rank>> {
  static constexpr bool is = true;
  using element = T;
  static constexpr std::size_t rank = Rank;
  static std::array<std::uint64_t, Rank> shape(const array_ref<T, Rank>& a) {
    std::array<std::uint64_t, Rank> all{};
    for (std::size_t i = 0; i < Rank; ++i) all[i] = a.shape()[i];
    return all;
  }
};
template <class T, std::size_t Extent>
  requires(!std::is_const_v<T>)
struct borrowed_array<std::span<T, Extent>> {
  static constexpr bool is = true;
  using element = T;
  static constexpr std::size_t rank = 1;
  static std::array<std::uint64_t, 1> shape(const std::span<T, Extent>& a) { return std::array<std::uint64_t, 1>{{a.size()}}; }  // nvcc loses braces of `return {..}`
};

/// An array of memory that is not the state's own.
template <class T>
concept Borrowed = borrowed_array<T>::is;

}  // namespace detail
}  // namespace tidemark
#endif
