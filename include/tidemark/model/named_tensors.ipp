// SPDX-License-Identifier: BSL-1.0
// model/named_tensors.ipp: the definitions of named_tensors.hpp (floor: model).
#ifndef TIDEMARK_MODEL_NAMED_TENSORS_IPP
#define TIDEMARK_MODEL_NAMED_TENSORS_IPP

#include <tidemark/model/named_tensors.hpp>

#include <tidemark/core/linkage.hpp>

namespace tidemark {

TIDEMARK_DETAIL_INLINE named_tensors::named_tensors() noexcept = default;
TIDEMARK_DETAIL_INLINE named_tensors::named_tensors(named_tensors&&) noexcept = default;
TIDEMARK_DETAIL_INLINE named_tensors& named_tensors::operator=(named_tensors&&) noexcept = default;
TIDEMARK_DETAIL_INLINE named_tensors::~named_tensors() = default;

TIDEMARK_DETAIL_INLINE named_tensors::named_tensors(const named_tensors& other) {
  for (const auto& [name, e] : other.entries_) {
    entry& made = e.is_view() ? entries_[name] : add(name, e.type_, e.shape_);
    if (e.is_view()) made.type_ = e.type_, made.shape_ = e.shape_, made.size_ = e.size_, made.view_ = e.view_;
    else if (e.size_ != 0) std::memcpy(made.owned_.get(), e.owned_.get(), e.size_);
  }
}

TIDEMARK_DETAIL_INLINE named_tensors& named_tensors::operator=(const named_tensors& other) { return *this = named_tensors(other); }

TIDEMARK_DETAIL_INLINE bool named_tensors::contains(std::string_view name) const { return entries_.contains(name); }
TIDEMARK_DETAIL_INLINE std::size_t named_tensors::size() const noexcept { return entries_.size(); }
TIDEMARK_DETAIL_INLINE bool named_tensors::empty() const noexcept { return entries_.empty(); }
TIDEMARK_DETAIL_INLINE named_tensors::map_type::const_iterator named_tensors::begin() const noexcept { return entries_.begin(); }
TIDEMARK_DETAIL_INLINE named_tensors::map_type::const_iterator named_tensors::end() const noexcept { return entries_.end(); }
TIDEMARK_DETAIL_INLINE named_tensors::map_type::iterator named_tensors::begin() noexcept { return entries_.begin(); }
TIDEMARK_DETAIL_INLINE named_tensors::map_type::iterator named_tensors::end() noexcept { return entries_.end(); }

TIDEMARK_DETAIL_INLINE bool named_tensors::erase(std::string_view name) {
  const auto found = entries_.find(name);
  if (found == entries_.end()) return false;
  entries_.erase(found);
  return true;
}

TIDEMARK_DETAIL_INLINE named_tensors::entry& named_tensors::add(std::string name, dtype type, std::vector<std::uint64_t> shape) {
  bool fits = true;
  const std::uint64_t bytes = detail::tensor_bytes(type, shape, fits);
  if (!fits || bytes > SIZE_MAX / 2) throw error({.code = errc::limit, .tensor = std::move(name), .problem = "the tensor ends inside a byte, or is larger than the address space"});
  entry made;
  made.type_ = type;
  made.shape_ = std::move(shape);
  made.size_ = static_cast<std::size_t>(bytes);
  made.owned_.reset(new std::byte[made.size_ + 1]());
  return entries_.insert_or_assign(std::move(name), std::move(made)).first->second;
}

}  // namespace tidemark
#endif
