// SPDX-License-Identifier: BSL-1.0
// store/archive_view.ipp: the definitions of archive_view.hpp (floor: store).
#ifndef TIDEMARK_STORE_ARCHIVE_VIEW_IPP
#define TIDEMARK_STORE_ARCHIVE_VIEW_IPP

#include <tidemark/store/archive_view.hpp>

#include <tidemark/core/linkage.hpp>

namespace tidemark {

template <class S>
std::unique_ptr<archive_view::opened> archive_view::open(S source) {
  auto made = std::make_unique<opened>();
  const auto kept = std::make_shared<const S>(std::move(source));
  made->source = kept;
  made->source_bytes = [](const void* s) { return std::span<const std::byte>(static_cast<const S*>(s)->bytes()); };
  made->name = kept->name();
  doing("open", [&] { return made->name; }, [&] { made->reader = std::make_unique<detail::archive_reader>(detail::source_ref(*kept)); });
  const auto& all = made->reader->header().tensors;
  made->is_checked.resize(all.size());
  for (const tensor_info& tensor : all) {
    if (tensor.name != detail::digests_name) made->tensors.push_back(tensor);
  }
  return made;
}

TIDEMARK_DETAIL_INLINE archive_view::archive_view(mapped_file file) : state_(open(std::move(file))) {}
TIDEMARK_DETAIL_INLINE archive_view::archive_view(memory bytes) : state_(open(std::move(bytes))) {}

TIDEMARK_DETAIL_INLINE const tensor_info* archive_view::find(std::string_view name) const noexcept {
  return name == detail::digests_name ? nullptr : state_->reader->header().find(name);
}

TIDEMARK_DETAIL_INLINE std::optional<schema> archive_view::stored_schema() const {
  const auto& identity = state_->reader->identity_entry();
  if (!identity) return std::nullopt;
  return in_file([&] { return detail::stored_schema(*identity); });
}

TIDEMARK_DETAIL_INLINE std::span<const std::byte> archive_view::bytes(std::string_view name) const {
  const tensor_info& tensor = get(name);
  const auto at = static_cast<std::size_t>(&tensor - state_->reader->header().tensors.data());
  if (!state_->is_checked[at]) {
    in_file([&] { state_->reader->check(tensor); });
    state_->is_checked[at] = true;
  }
  return state_->source_bytes(state_->source.get()).subspan(static_cast<std::size_t>(state_->reader->header().data_start + tensor.offset),
                                                            static_cast<std::size_t>(tensor.bytes));
}

TIDEMARK_DETAIL_INLINE const tensor_info& archive_view::get(std::string_view name) const {
  const tensor_info* tensor = find(name);
  if (tensor != nullptr) return *tensor;
  std::string alike;
  const std::string_view last = name.substr(name.rfind('.') + 1);
  for (const tensor_info& t : tensors()) {
    if (t.name.find(last) != std::string_view::npos && alike.size() < 200) alike += (alike.empty() ? "" : ", ") + std::string(t.name);
  }
  throw error({.code = errc::not_found, .action = "read", .file = state_->name, .tensor = std::string(name), .problem = "there is no tensor of this name",
               .advice = alike.empty() ? "tensors() lists all names." : "Names that are alike: " + alike + "."});
}

}  // namespace tidemark
#endif
