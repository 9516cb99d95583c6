// SPDX-License-Identifier: BSL-1.0
// benchmarks/store/many_tensors.hpp: 100,000 tensors of 1 KiB, where the header is what costs.
#ifndef TIDEMARK_BENCHMARKS_STORE_MANY_TENSORS_HPP
#define TIDEMARK_BENCHMARKS_STORE_MANY_TENSORS_HPP

#include <tidemark/store.hpp>

#include <rapidjson/reader.h>

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <map>
#include <span>
#include <stdexcept>
#include <string>
#include <vector>

#include "../files.hpp"
#include "../harness.hpp"
#include "../options.hpp"
#include "durable_save.hpp"

namespace bench {

/// As in a state_dict: a node to walk to and a key to compare for each tensor.
using tensor_map = std::map<std::string, std::vector<float>>;

/// As a program holds its layers.
struct layer {
  std::vector<float> attention_weight, attention_bias, norm_weight, norm_bias;

  friend bool operator==(const layer&, const layer&) = default;
};
using layer_list = std::vector<layer>;

inline void make_many(tensor_map& state, std::size_t count) {
  constexpr const char* parts[] = {".attention.weight", ".attention.bias", ".norm.weight", ".norm.bias"};
  for (std::size_t i = 0; i < count; ++i) state.emplace("layers." + std::to_string(i / 4) + parts[i % 4], std::vector<float>(256, static_cast<float>(i)));
}

inline void make_many(layer_list& state, std::size_t count) {
  for (std::size_t i = 0; i < count / 4; ++i) {
    const std::vector<float> kibibyte(256, static_cast<float>(i));
    state.push_back({kibibyte, kibibyte, kibibyte, kibibyte});
  }
}

struct ignores_everything : rapidjson::BaseReaderHandler<rapidjson::UTF8<>, ignores_everything> {};

inline void parse_with_rapidjson(const std::string& header) {
  rapidjson::Reader reader;
  ignores_everything handler;
  rapidjson::StringStream stream(header.c_str());
  if (reader.Parse(stream, handler).IsError()) throw std::runtime_error("the header is no JSON");
}

inline void write_once(std::span<const std::byte> bytes, const std::filesystem::path& file) {
  raw_file(file, O_WRONLY | O_CREAT | O_EXCL).write(bytes);
}

template <class State>
void many_tensors(const options& o, const scratch_folder& folder, const std::string& as) {
  const std::size_t count = o.is_quick ? 2000 : 100'000;
  State state;
  make_many(state, count);
  const auto file = folder / "many.safetensors";
  const auto raw = folder / "many.raw";
  const auto kept = folder / "many.kept.safetensors";
  tidemark::save(state, kept);
  if (tidemark::load<State>(kept) != state) throw std::runtime_error("the state did not come back");
  std::vector<std::byte> bytes(static_cast<std::size_t>(std::filesystem::file_size(kept)));
  raw_file(kept, O_RDONLY).read(bytes);
  const std::string header(reinterpret_cast<const char*>(bytes.data()) + 8, static_cast<std::size_t>(data_start(kept) - 8));
  State target = state;
  const tidemark::memory memory(bytes);
  const auto remove = [](std::filesystem::path path) { return [path] { std::filesystem::remove(path); }; };

  race r(std::to_string(count) + " tensors of 1 KiB as " + as + ", on tmpfs, header of " + std::to_string(header.size() >> 10) + " KiB");
  r.row("tidemark::save", [&] { tidemark::save(state, file); }, remove(file));
  r.row("tidemark::load", [&] { return tidemark::load<State>(kept, {.threads = 2}); });
  r.row("write loop", [&] { write_once(bytes, raw); }, remove(raw));
  r.row("write loop, again", [&] { write_once(bytes, raw); }, remove(raw));
  r.row("RapidJSON parses the header", [&] { parse_with_rapidjson(header); });
  if (o.parts) {
    r.row("part: plan", [&] { return tidemark::detail::plan_of(state); });
    r.row("part: plan and layout", [&] {
      const auto plan = tidemark::detail::plan_of(state);
      tidemark::detail::archive_layout layout(plan, tidemark::detail::full_metadata(tidemark::detail::identity_text_of<State>(), {}));
      keep(layout);
    });
    r.row("part: save to nowhere", [&] { tidemark::save(state, forgetful_sink{}); });
    r.row("part: parse of the library", [&] {
      return tidemark::detail::read_header(memory.size(), [&](std::uint64_t offset, std::span<std::byte> into) { memory.read(offset, into); });
    });
    r.row("part: open (header, digests)", [&] {
      const tidemark::detail::archive_reader reader{tidemark::detail::source_ref(memory)};
      keep(reader);
    });
    r.row("part: verify", [&] { tidemark::verify(memory, {.threads = 1}); });
    r.row("part: copy of the state", [&] { return State(state); });
    r.row("part: restore", [&] { tidemark::restore(target, kept, {.threads = 2}); });
    r.row("part: load from memory", [&] { return tidemark::load<State>(memory, {.threads = 2}); });
  }
  r.run(o.rounds);
  const double reference = r.minimum("write loop") + r.minimum("RapidJSON parses the header");
  judge("store.many_" + as + "_save_to_write_and_parse", r.minimum("tidemark::save") / reference, side::at_most, 2, r.spread("write loop", "write loop, again"));
  judge("store.many_" + as + "_load_to_write_and_parse", r.minimum("tidemark::load") / reference, side::at_most, 3, r.spread("write loop", "write loop, again"));
}

}  // namespace bench
#endif
