// SPDX-License-Identifier: BSL-1.0
// fuzz/view_target.hpp: a file that may be anything, verified and opened tensor by tensor.
#ifndef TIDEMARK_TESTS_FUZZ_VIEW_TARGET_HPP
#define TIDEMARK_TESTS_FUZZ_VIEW_TARGET_HPP

#include "forge.hpp"
#include "load_target.hpp"
#include "outcome.hpp"

#include <cstdint>
#include <span>
#include <string>
#include <vector>

namespace fuzz {

/// Besides ours, files of other writers: no metadata, no digests, every dtype, 0-d, empty, padded.
inline std::vector<bytes> view_seeds() {
  std::vector<bytes> seeds = load_seeds();
  archive foreign;
  for (std::size_t i = 0; i < tidemark::detail::dtype_rows.size(); ++i) {
    tensor t{"t" + std::to_string(i), static_cast<tidemark::dtype>(i), {2, 4}, {}};
    t.content.resize(tidemark::detail::dtype_rows[i].bits, std::byte{1});
    foreign.tensors.push_back(t);
  }
  foreign.tensors.push_back({"scalar", tidemark::dtype::f32, {}, bytes(4)});
  foreign.tensors.push_back({"empty", tidemark::dtype::f32, {3, 0}, {}});
  std::vector<tidemark::tensor_info> infos;
  std::uint64_t end = 0;
  for (const tensor& t : foreign.tensors) {
    infos.push_back({t.name, t.type, t.shape, end, t.content.size()});
    end += t.content.size();
  }
  const std::string header = tidemark::detail::make_header(infos, {});
  bytes file(tidemark::detail::bytes_of(header).begin(), tidemark::detail::bytes_of(header).end());
  for (const tensor& t : foreign.tensors) file.insert(file.end(), t.content.begin(), t.content.end());
  seeds.push_back(file);
  seeds.push_back(put_together(foreign));
  return seeds;
}

template <class T>
void look_at(const tidemark::archive_view& view, const tidemark::tensor_info& t) {
  static_cast<void>(outcome([&] { require(view.values<T>(t.name).size() * sizeof(T) == t.bytes, "another number of values"); }));
}

/// A header costs at most this much memory for each of its bytes: about 50 characters make a tensor of 150 bytes.
inline constexpr std::int64_t view_bytes_per_byte = 24;

inline void view_input(std::span<const std::byte> input) {
  // The bytes of a memory are its own: they are counted once more.
  const auto limit = static_cast<std::int64_t>(input.size()) * view_bytes_per_byte + (std::int64_t{64} << 10);
  const tidemark::memory source{input};
  tidemark::load_report report;
  // Verifying takes a buffer of 1 MiB a thread.
  const auto refusal = within(limit + (1 << 20), [&] { return outcome([&] { report = tidemark::verify(source, {.threads = 1}); }); });
  within(limit, [&] {
    const auto not_opened = outcome([&] {
      const tidemark::archive_view view{tidemark::memory{input}};
      bool is_sound = true;
      std::uint64_t total = 0;
      for (const tidemark::tensor_info& t : view.tensors()) {
        require(view.find(t.name) != nullptr && view.contains(t.name), "a tensor that cannot be found");
        const auto damage = outcome([&] {
          const auto content = view.bytes(t.name);
          require(content.size() == t.bytes, "another number of bytes");
          if (!content.empty()) tidemark::detail::digest_of(content);  // touches each
        });
        is_sound = is_sound && !damage;
        total += t.bytes;
        switch (t.type) {
          case tidemark::dtype::boolean: look_at<bool>(view, t); break;
          case tidemark::dtype::u8: look_at<std::uint8_t>(view, t); break;
          case tidemark::dtype::i16: look_at<std::int16_t>(view, t); break;
          case tidemark::dtype::f32: look_at<float>(view, t); break;
          case tidemark::dtype::f64: look_at<double>(view, t); break;
          case tidemark::dtype::u64: look_at<std::uint64_t>(view, t); break;
          default: static_cast<void>(outcome([&] { static_cast<void>(view.elements<std::uint32_t>(t.name)); }));
        }
      }
      require(total <= input.size(), "more bytes than the file has");
      const auto no_schema = outcome([&] { static_cast<void>(view.stored_schema()); });
      static_cast<void>(view.metadata());
      static_cast<void>(view.metadata("format"));
      require(view.find("tidemark#digests") == nullptr, "the digests are no tensor of the state");
      require((is_sound && !no_schema) == !refusal, "verify and the view do not agree");
    });
    if (not_opened) require(refusal.has_value(), "verified, but not to be opened");
  });
}

}  // namespace fuzz
#endif
