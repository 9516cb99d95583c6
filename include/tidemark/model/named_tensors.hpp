// SPDX-License-Identifier: BSL-1.0
// model/named_tensors.hpp: tensors whose names, types and shapes are known only at run time, as part of a state (floor: model).
#ifndef TIDEMARK_MODEL_NAMED_TENSORS_HPP
#define TIDEMARK_MODEL_NAMED_TENSORS_HPP

#include <tidemark/core/error.hpp>
#include <tidemark/core/tensor.hpp>
#include <tidemark/model/array_ref.hpp>

#include <cstdint>
#include <cstring>
#include <map>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace tidemark {

/// Tensors by name, in the order of their names, each with its own bytes or a view of somebody else's. A load makes it hold what the
/// file holds; a restore writes into the views, whose names, types and shapes the file must have.
class named_tensors {
 public:
  class entry {
   public:
    dtype type() const noexcept { return type_; }
    const std::vector<std::uint64_t>& shape() const noexcept { return shape_; }
    bool is_view() const noexcept { return owned_ == nullptr && view_ != nullptr; }
    std::span<const std::byte> bytes() const noexcept { return {data(), size_}; }
    std::span<std::byte> bytes() noexcept { return {const_cast<std::byte*>(data()), size_}; }

   private:
    friend class named_tensors;
    const std::byte* data() const noexcept { return owned_ ? owned_.get() : view_; }

    dtype type_ = dtype::u8;
    std::vector<std::uint64_t> shape_{};
    std::size_t size_ = 0;
    std::unique_ptr<std::byte[]> owned_{};
    std::byte* view_ = nullptr;
  };
  using map_type = std::map<std::string, entry, std::less<>>;

  named_tensors() noexcept;
  named_tensors(named_tensors&&) noexcept;
  named_tensors& operator=(named_tensors&&) noexcept;
  /// Owned bytes are copied; views stay views.
  named_tensors(const named_tensors& other);
  named_tensors& operator=(const named_tensors& other);
  ~named_tensors();

  /// A tensor of zeros; one that is there under this name is replaced. Throws `error` (limit) where its bytes exceed the address space.
  entry& add(std::string name, dtype type, std::vector<std::uint64_t> shape);

  /// A copy of `values`. Without a shape it has one extent. Throws `error` (invalid_value) where the shape has another number of elements.
  template <class T>
    requires(!std::is_same_v<std::remove_cv_t<decltype(dtype_of<T>)>, detail::no_dtype>)
  entry& add(std::string name, std::span<const T> values, std::vector<std::uint64_t> shape = {}) {
    if (shape.empty()) shape = {values.size()};
    bool fits = true;
    if (detail::tensor_bytes(dtype_of<T>, shape, fits) != values.size_bytes() || !fits) {
      throw error({.code = errc::invalid_value, .tensor = std::move(name), .problem = "its shape has another number of elements than it is given"});
    }
    entry& made = add(std::move(name), dtype_of<T>, std::move(shape));
    if (!values.empty()) std::memcpy(made.owned_.get(), values.data(), values.size_bytes());
    return made;
  }

  /// The same of a vector or array.
  template <class R>
    requires(requires(const R& values) { std::span(values); })
  entry& add(std::string name, const R& values, std::vector<std::uint64_t> shape = {}) {
    const std::span all(values);
    return add(std::move(name), std::span<const typename decltype(all)::value_type>(all), std::move(shape));
  }

  /// A view of a dense array: saved from there, restored into it. Bytes of its own that are there under this name, as after a load, go
  /// into the array. Throws `error`: unsupported (not dense); invalid_value (what is there has another type or shape).
  template <class T, std::size_t Rank>
    requires(!std::is_same_v<std::remove_cv_t<decltype(dtype_of<T>)>, detail::no_dtype>)
  entry& view(std::string name, const array_ref<T, Rank>& array) {
    if (!array.is_dense()) throw error({.code = errc::unsupported, .tensor = std::move(name), .problem = "a view in named_tensors must be dense", .advice = "Make the array_ref itself a member of the state."});
    entry made;
    made.type_ = dtype_of<T>;
    made.shape_.assign(array.shape().begin(), array.shape().end());
    made.size_ = array.size() * sizeof(T);
    made.view_ = reinterpret_cast<std::byte*>(array.data());
    if (const auto old = entries_.find(name); old != entries_.end() && !old->second.is_view()) {
      if (old->second.type_ != made.type_ || old->second.shape_ != made.shape_) {
        throw error({.code = errc::invalid_value, .tensor = std::move(name), .problem = "there is a tensor of this name, of another type or shape than the view",
                     .expected = detail::shape_text(made.type_, made.shape_), .found = detail::shape_text(old->second.type_, old->second.shape_), .advice = "Erase it first if it is not wanted."});
      }
      if (made.size_ != 0) std::memcpy(made.view_, old->second.owned_.get(), made.size_);
    }
    return entries_.insert_or_assign(std::move(name), std::move(made)).first->second;
  }

  template <class T, std::size_t Extent>
  entry& view(std::string name, std::span<T, Extent> values) {
    return view(std::move(name), array_ref<T>(values.data(), {values.size()}));
  }

  /// The elements of the tensor `name`. Throws `error`: not_found, invalid_value (it has another type).
  template <class T>
  std::span<T> get(std::string_view name) {
    const auto all = std::as_const(*this).template get<T>(name);
    return {const_cast<T*>(all.data()), all.size()};
  }
  template <class T>
  std::span<const T> get(std::string_view name) const {
    const auto found = entries_.find(name);
    if (found == entries_.end()) throw error({.code = errc::not_found, .tensor = std::string(name), .problem = "there is no tensor of this name"});
    if (found->second.type_ != dtype_of<T>) {
      throw error({.code = errc::invalid_value, .tensor = std::string(name), .problem = "it has another element type", .expected = std::string(name_of(dtype_of<T>)), .found = std::string(name_of(found->second.type_))});
    }
    return {reinterpret_cast<const T*>(found->second.data()), found->second.size_ / sizeof(T)};
  }

  bool contains(std::string_view name) const;
  bool erase(std::string_view name);
  std::size_t size() const noexcept;
  bool empty() const noexcept;
  map_type::const_iterator begin() const noexcept;
  map_type::const_iterator end() const noexcept;
  map_type::iterator begin() noexcept;
  map_type::iterator end() noexcept;

 private:
  map_type entries_;
};

}  // namespace tidemark

#ifndef TIDEMARK_COMPILED
#include <tidemark/model/named_tensors.ipp>
#endif
#endif
