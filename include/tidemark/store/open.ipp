// SPDX-License-Identifier: BSL-1.0
// store/open.ipp: the definitions of open.hpp (floor: store).
#ifndef TIDEMARK_STORE_OPEN_IPP
#define TIDEMARK_STORE_OPEN_IPP

#include <tidemark/store/open.hpp>

#include <tidemark/core/linkage.hpp>
#include <tidemark/store/failures.hpp>
#include <tidemark/store/progress_meter.hpp>
#include <tidemark/store/stopwatch.hpp>

namespace tidemark {

TIDEMARK_DETAIL_INLINE std::vector<std::string_view> archive::unclaimed() const {
  std::vector<std::string_view> names;
  const auto& all = reader_->header().tensors;
  for (std::size_t i = 0; i < all.size(); ++i) {
    if (!reader_->claims()[i] && all[i].name != detail::digests_name) names.push_back(all[i].name);
  }
  return names;
}

TIDEMARK_DETAIL_INLINE void archive::require_all_claimed() const {
  const auto names = unclaimed();
  if (names.empty()) return;
  std::string list;
  for (std::size_t i = 0; i < names.size() && i < 100; ++i) ((list += "  ") += detail::shown(names[i])) += '\n';
  if (names.size() > 100) list += "  and " + std::to_string(names.size() - 100) + " more\n";
  throw error({.code = errc::schema_mismatch, .action = "finish with", .file = name_,
               .problem = "nothing has read " + std::to_string(names.size()) + " of its tensors:\n" + list,
               .advice = "Read the parts that they belong to, or do not ask for all."});
}

TIDEMARK_DETAIL_INLINE std::vector<tensor_info> archive::tensors() const {
  std::vector<tensor_info> all;
  all.reserve(reader_->header().tensors.size());
  for (const tensor_info& t : reader_->header().tensors) {
    if (t.name != detail::digests_name) all.push_back(t);
  }
  return all;
}

TIDEMARK_DETAIL_INLINE std::string archive::describe() const {
  std::string text;
  if (schema_) detail::describe(text, *schema_, {});
  else for (const tensor_info& t : tensors()) text += "  " + detail::shown(t.name) + std::string(t.name.size() < 30 ? 31 - t.name.size() : 1, ' ') + detail::shape_text(t.type, t.shape) + '\n';
  return text;
}

TIDEMARK_DETAIL_INLINE std::optional<digest128> archive::fingerprint() const {
  if (!schema_) return std::nullopt;
  const auto& header = reader_->header();
  auto order = detail::order_by_name(header.tensors);
  std::erase_if(order, [&](std::uint32_t i) { return header.tensors[i].name == detail::digests_name; });
  metadata_list own{{"format", "pt"}, {std::string(detail::identity_key), std::string(*header.meta(detail::identity_key))}};
  detail::digest_table table = reader_->digests().table();
  table.header() = detail::header_digest(header.tensors, order, own);
  return table.own();
}

TIDEMARK_DETAIL_INLINE archive::attempt::~attempt() {
  if (has_succeeded_) return;
  reader_.claims().swap(before_);
  reader_.drop_deferred();
}

TIDEMARK_DETAIL_INLINE std::uint64_t archive::bytes_below(std::string_view name) const {
  std::uint64_t sum = 0;
  for (const tensor_info& t : reader_->header().tensors) {
    if (t.name.starts_with(name) && t.name != detail::digests_name) sum += t.bytes;
  }
  return sum;
}

TIDEMARK_DETAIL_INLINE load_report archive::in_part(const char* action, const schema& here, std::string_view path, const load_options& options, unsigned passes,
                                                    detail::function_ref<void(const detail::file_part&, bool is_older, detail::progress_meter&)> f) {
  return detail::doing(action, [&] { return name_; }, [&] {
    const detail::stopwatch watch;
    const std::uint64_t checked_before = reader_->blocks_checked();
    attempt trying(*reader_);
    if (!schema_) {
      throw error({.code = errc::unsupported, .problem = "it has no schema: it is a safetensors file of another writer",
                   .advice = "Fill a struct from its tensors with tidemark::load_tensors, or read them by name with tidemark::archive_view."});
    }
    reader_->require_no_shard();
    const detail::file_part part = detail::part_of(*reader_, *schema_, path, here);
    auto steps = detail::require_part(part, here, path);
    detail::progress_meter meter(options.progress, options.progress ? bytes_below(part.name) * passes : 0);
    f(part, !steps.empty(), meter);
    meter.finish();
    for (const std::string& side : part.sides) reader_->find(side);
    trying.succeed();
    load_report report;
    reader_->fill(report);
    report.blocks -= checked_before;
    report.evolution = std::move(steps);
    report.seconds = watch.seconds();
    if (options.report != nullptr) *options.report = report;
    return report;
  });
}

TIDEMARK_DETAIL_INLINE void archive::in_slice(std::string_view tensor, detail::function_ref<void(const tensor_info&)> f) {
  detail::doing("read", [&] { return name_; }, [&] {
    attempt trying(*reader_);
    const tensor_info* t = tensor == detail::digests_name ? nullptr : reader_->find(tensor);
    if (t == nullptr) {
      throw error({.code = errc::not_found, .tensor = std::string(tensor), .problem = "there is no tensor of this name", .advice = "tensors() lists all names."});
    }
    f(*t);
    trying.succeed();
  });
}

}  // namespace tidemark
#endif
