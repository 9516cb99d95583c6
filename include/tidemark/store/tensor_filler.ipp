// SPDX-License-Identifier: BSL-1.0
// store/tensor_filler.ipp: the definitions of tensor_filler.hpp (floor: store).
#ifndef TIDEMARK_STORE_TENSOR_FILLER_IPP
#define TIDEMARK_STORE_TENSOR_FILLER_IPP

#include <tidemark/store/tensor_filler.hpp>

#include <tidemark/core/linkage.hpp>

namespace tidemark::detail {

TIDEMARK_DETAIL_INLINE void mapped_input::copy(bytes_span to) noexcept {
  if (!to.empty()) std::memcpy(to.data(), take(to.size()), to.size());
}

TIDEMARK_DETAIL_INLINE tensor_filler::tensor_filler(const archive_view& view, const name_map& names) : view_(view), names_(names) {}

TIDEMARK_DETAIL_INLINE void tensor_filler::require_all_found() const {
  if (problems_.empty()) return;
  throw error({.code = errc::schema_mismatch, .problem = "its tensors do not fit the state:\n" + problems_,
               .advice = missing_ ? "Give a name_map where they are called otherwise: {{\"ours\", \"theirs\"}}. archive_view::tensors() lists what there is."
                                  : "Nothing is converted: hold the type that is in the file."});
}

TIDEMARK_DETAIL_INLINE void tensor_filler::fill() {
  for (const auto& compare : constants_) compare();
  carry_out(jobs_);
  for (const auto& swap : swaps_) swap();
}

TIDEMARK_DETAIL_INLINE std::vector<std::string> tensor_filler::unused() const {
  std::vector<const tensor_info*> used;
  for (const job& j : jobs_) used.push_back(j.tensor);
  std::sort(used.begin(), used.end(), std::less<>{});
  std::vector<std::string> names;
  for (const tensor_info& t : view_.tensors()) {
    if (!std::binary_search(used.begin(), used.end(), view_.find(t.name), std::less<>{})) names.emplace_back(t.name);
  }
  return names;
}

TIDEMARK_DETAIL_INLINE std::string tensor_filler::joined(const std::string& name, std::string_view step) { return name.empty() ? std::string(step) : name + '.' + std::string(step); }

TIDEMARK_DETAIL_INLINE void tensor_filler::report(std::string_view what, const std::string& name, const std::string& theirs, const std::string& what_is) {
  const std::string shown_name = shown(name.empty() ? "(root)" : name) + (theirs == name ? "" : " (there " + shown(theirs) + ')');
  if (problems_.size() < 100'000) problems_ += "  " + std::string(what) + shown_name + std::string(shown_name.size() < 30 ? 30 - shown_name.size() : 0, ' ') + "   " + what_is + '\n';
}

TIDEMARK_DETAIL_INLINE void tensor_filler::carry_out(std::span<const job> jobs) const {
  for (const job& j : jobs) j.check(view_.bytes(j.tensor->name));
  for (const job& j : jobs) {
    if (j.prepare) j.prepare();
  }
  for (const job& j : jobs) j.copy(view_.bytes(j.tensor->name));
}

TIDEMARK_DETAIL_INLINE bool tensor_filler::leaves_in(std::span<const std::uint64_t> shape, const extents& inner, std::uint64_t& count) {
  if (shape.size() < inner.rank || !std::equal(inner.at.begin(), inner.at.begin() + static_cast<std::ptrdiff_t>(inner.rank), shape.end() - static_cast<std::ptrdiff_t>(inner.rank))) return false;
  const auto outer = shape.first(shape.size() - inner.rank);
  bool fits = true;
  count = std::find(outer.begin(), outer.end(), 0) == outer.end() ? 1 : 0;
  for (const std::uint64_t extent : outer) count = multiply(count, extent, fits);
  return fits && (inner.count() != 0 || count <= max_empty_elements(1));
}

TIDEMARK_DETAIL_INLINE void tensor_filler::collect_tensors(named_tensors& all, const std::string& name) {
  if (all.empty()) {
    const std::string theirs = names_(name), prefix = theirs.empty() ? "" : theirs + '.';
    const auto made = std::make_shared<named_tensors>();
    for (const tensor_info& tensor : view_.tensors()) {
      if (!tensor.name.starts_with(prefix)) continue;
      auto& e = made->add(std::string(tensor.name.substr(prefix.size())), tensor.type, {tensor.shape.begin(), tensor.shape.end()});
      jobs_.push_back({view_.find(tensor.name), [](bytes_view) {}, {}, [target = &e, made](bytes_view bytes) {
        if (!bytes.empty()) std::memcpy(target->bytes().data(), bytes.data(), bytes.size());
      }});
    }
    swaps_.push_back([target = &all, made] { *target = std::move(*made); });
    return;
  }
  for (auto& [key, e] : all) {
    const std::string ours = joined(name, key), theirs = names_(ours);
    const tensor_info* tensor = view_.find(theirs);
    if (tensor == nullptr) {
      missing_ = true;
      report("missing in the file   ", ours, theirs, shape_text(e.type(), e.shape()));
    } else if (tensor->type != e.type() || !std::ranges::equal(tensor->shape, e.shape())) {
      report("different             ", ours, theirs, shape_text(tensor->type, tensor->shape) + " there, " + shape_text(e.type(), e.shape()) + " here");
    } else {
      jobs_.push_back({tensor, [](bytes_view) {}, {}, [target = &e](bytes_view bytes) {
        if (!bytes.empty()) std::memcpy(target->bytes().data(), bytes.data(), bytes.size());
      }});
    }
  }
}

}  // namespace tidemark::detail
#endif
