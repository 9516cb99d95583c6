// SPDX-License-Identifier: BSL-1.0
// benchmarks/store/small_state.hpp: a state of a few KiB to memory and back, where the fixed costs are all there is.
#ifndef TIDEMARK_BENCHMARKS_STORE_SMALL_STATE_HPP
#define TIDEMARK_BENCHMARKS_STORE_SMALL_STATE_HPP

#include <tidemark/rng.hpp>
#include <tidemark/store.hpp>

#include <array>
#include <cstdint>
#include <random>
#include <stdexcept>
#include <vector>

#include "../harness.hpp"
#include "../options.hpp"
#include "durable_save.hpp"

namespace bench {

/// 50 fields, an engine and three arrays: the counters and settings of a training loop.
struct small_state {
  std::uint64_t step = 0, epoch = 0, batch = 0, shard = 0, seed = 42, tokens_seen = 0, samples_seen = 0, restarts = 0, skipped = 0, saves = 0;
  std::uint64_t validation_step = 0, patience = 5, bad_epochs = 0, warmup_steps = 1000, decay_steps = 100000, world_size = 1, rank = 0;
  std::uint64_t accumulated = 0, overflow_steps = 0, growth_interval = 2000;
  double learning_rate = 1e-3, loss = 0, best_loss = 1e9, smoothed_loss = 0, gradient_norm = 0, loss_scale = 65536, elapsed_seconds = 0;
  double data_seconds = 0, accuracy = 0, best_accuracy = 0, perplexity = 0, throughput = 0;
  float beta1 = 0.9f, beta2 = 0.999f, epsilon = 1e-8f, weight_decay = 0.01f, dropout = 0.1f, clip = 1, momentum = 0.9f, temperature = 1;
  std::int32_t layers = 12, heads = 8, width = 512, vocabulary = 256, context = 1024, precision = 16;
  bool is_warm = false, is_frozen = false, has_converged = false, uses_amp = true;
  std::mt19937_64 engine{42};
  std::vector<double> losses = std::vector<double>(64, 0.5);
  std::vector<float> rates = std::vector<float>(32, 0.1f);
  std::array<std::int32_t, 16> histogram{};

  friend bool operator==(const small_state&, const small_state&) = default;
};

inline void small_state_in_memory(const options& o) {
  small_state state;
  state.engine.discard(100);
  tidemark::memory memory;
  tidemark::save(state, memory);
  if (!(tidemark::load<small_state>(memory) == state)) throw std::runtime_error("the state did not come back");
  const tidemark::memory kept(memory.bytes());

  race r("50 fields, an mt19937_64 and three small arrays: " + std::to_string(kept.size()) + " bytes in memory");
  const auto save = [&] { tidemark::save(state, memory); };
  const auto load = [&] {
    auto loaded = tidemark::load<small_state>(kept);
    keep(loaded);
  };
  r.short_row("tidemark::save", save);
  r.short_row("tidemark::save, again", save);
  r.short_row("tidemark::load", load);
  r.short_row("tidemark::load, again", load);
  r.short_row("tidemark::restore", [&] { tidemark::restore(state, kept); });
  if (o.parts) {
    const auto open = [&] {
      const tidemark::detail::archive_reader reader{tidemark::detail::source_ref(kept)};
      keep(reader);
    };
    r.short_row("part: plan", [&] {
      auto plan = tidemark::detail::plan_of(state);
      keep(plan);
    });
    r.short_row("part: plan and layout", [&] {
      const auto plan = tidemark::detail::plan_of(state);
      tidemark::detail::archive_layout layout(plan, tidemark::detail::full_metadata(tidemark::detail::identity_text_of<small_state>(), {}));
      keep(layout);
    });
    r.short_row("part: save to nowhere", [&] { tidemark::save(state, forgetful_sink{}); });
    r.short_row("part: parse of the library", [&] {
      auto header = tidemark::detail::read_header(kept.size(), [&](std::uint64_t offset, std::span<std::byte> into) { kept.read(offset, into); });
      keep(header);
    });
    r.short_row("part: open (header, digests)", open);
    r.short_row("part: schema of the type", [&] {
      auto schema = tidemark::schema_of<small_state>();
      keep(schema);
    });
    r.short_row("part: verify", [&] { tidemark::verify(kept, {.threads = 1}); });
    r.short_row("part: construct", [&] {
      small_state fresh;
      keep(fresh);
    });
    r.short_row("part: engine's snapshot", [&] {
      auto engine = tidemark::represent<std::mt19937_64>::snapshot(state.engine);
      keep(engine);
    });
  }
  r.run(o.rounds * race::short_rounds);
  judge("store.small_save_us", r.minimum("tidemark::save") * 1e6, side::at_most, 10, r.spread("tidemark::save", "tidemark::save, again"));
  judge("store.small_load_us", r.minimum("tidemark::load") * 1e6, side::at_most, 25, r.spread("tidemark::load", "tidemark::load, again"));
}

}  // namespace bench
#endif
