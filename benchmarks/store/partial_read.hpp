// SPDX-License-Identifier: BSL-1.0
// benchmarks/store/partial_read.hpp: one array of 1 MiB out of an archive of 4 GiB, verified, opening included.
#ifndef TIDEMARK_BENCHMARKS_STORE_PARTIAL_READ_HPP
#define TIDEMARK_BENCHMARKS_STORE_PARTIAL_READ_HPP

#include <tidemark/store.hpp>

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <map>
#include <memory>
#include <span>
#include <stdexcept>
#include <string>
#include <vector>

#include "../files.hpp"
#include "../harness.hpp"
#include "../options.hpp"

namespace bench {

struct stacked {
  std::map<std::string, std::vector<float>> layers;
};

inline constexpr std::size_t mebibyte_of_floats = mebibyte / sizeof(float);

inline std::string stacked_key(std::size_t i) { return "block." + std::to_string(i) + ".weight"; }

/// What `save` writes for a `stacked` of `count` arrays of 1 MiB, all from one array, so that it takes no 4 GiB of memory.
inline void write_stacked(const std::filesystem::path& file, std::size_t count, const std::vector<float>& array) {
  std::map<std::string, int> keys;
  for (std::size_t i = 0; i < count; ++i) keys.emplace(stacked_key(i), 0);
  std::string text;
  std::vector<std::uint64_t> offsets{0};
  for (const auto& [key, unused] : keys) offsets.push_back((text += key).size());
  tidemark::detail::save_plan plan;
  plan.add_bytes("layers#keys#offsets", tidemark::dtype::u64, tidemark::detail::extents(offsets.size()), 8, offsets.data());
  plan.add_bytes("layers#keys", tidemark::dtype::u8, tidemark::detail::extents(text.size()), 1, text.data());
  for (const auto& [key, unused] : keys) plan.add_bytes("layers." + key, tidemark::dtype::f32, tidemark::detail::extents(array.size()), 4, array.data());
  plan.finish();
  tidemark::detail::archive_layout layout(plan, tidemark::detail::full_metadata(tidemark::detail::identity_text_of<stacked>(), {}));
  const tidemark::progress_callback nobody;
  tidemark::detail::progress_meter meter(nobody, 0);
  const tidemark::atomic_file sink(file, {.durability = tidemark::durability::process});
  auto writer = sink.open(layout.bytes());
  layout.write([&](std::span<const std::byte> piece) { writer.write(piece); }, meter);
  writer.commit();
}

inline std::unique_ptr<float[]> read_at(const std::filesystem::path& file, std::uint64_t offset) {
  std::unique_ptr<float[]> array(new float[mebibyte_of_floats]);
  raw_file in(file, O_RDONLY);
  in.seek(offset);
  in.read(std::as_writable_bytes(std::span(array.get(), mebibyte_of_floats)));
  return array;
}

inline void partial_read(const options& o, const scratch_folder& folder) {
  const std::size_t count = o.is_quick ? 64 : 4096;
  const auto file = folder / "partial.safetensors";
  std::vector<float> array(mebibyte_of_floats);
  float next = 0;
  for (float& x : array) x = next += 0.25f;
  write_stacked(file, count, array);
  const std::string path = "layers." + stacked_key(count / 2);
  std::uint64_t offset = 0;
  {
    auto archive = tidemark::open(file);
    if (archive.read<std::vector<float>>(path) != array) throw std::runtime_error("the array did not come back");
    for (const auto& t : archive.tensors()) {
      if (t.name == path) offset = data_start(file) + t.offset;
    }
  }
  race r("one array of 1 MiB out of " + std::to_string(count) + ", opening included, from the page cache");
  r.row("open and read", [&] { return tidemark::open(file).read<std::vector<float>>(path); });
  r.row("open", [&] { return tidemark::open(file); });
  auto opened = tidemark::open(file);
  std::vector<float> target(mebibyte_of_floats);
  r.row("read from an open archive", [&] { return opened.read<std::vector<float>>(path); });
  r.row("restore from an open archive", [&] { opened.restore(target, path); });
  r.row("slice of 1 MiB from an open archive", [&] { return opened.slice<float>(path, 0, mebibyte_of_floats); });
  r.row("open, seek and read, unverified", [&] { return read_at(file, offset); });
  r.row("open, seek and read, unverified, again", [&] { return read_at(file, offset); });
  r.run(o.rounds);
  judge("store.partial_read_ms", r.minimum("open and read") * 1e3, side::at_most, 5,
        r.spread("open, seek and read, unverified", "open, seek and read, unverified, again"));
  std::filesystem::remove(file);
}

}  // namespace bench
#endif
