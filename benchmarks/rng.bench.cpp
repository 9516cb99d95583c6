// SPDX-License-Identifier: BSL-1.0
// benchmarks/rng.bench.cpp: engines captured and put back, beside the text operators of the standard library.
#include <tidemark/rng.hpp>

#include <cstdio>
#include <exception>
#include <locale>
#include <random>
#include <sstream>
#include <stdexcept>
#include <string>

#include "harness.hpp"
#include "options.hpp"

namespace {

template <class E>
std::string text_of(const E& engine) {
  std::ostringstream out;
  out.imbue(std::locale::classic());
  out << engine;
  return out.str();
}

/// `discarded`: where in its block the engine stands, which its canonical state has to be wound back from.
template <class E>
void engine(const bench::options& o, const std::string& name, unsigned long long discarded, double bar) {
  if constexpr (requires(E& e) { tidemark::represent<E>::restore(e, tidemark::represent<E>::snapshot(e)); }) {
    using as_state = tidemark::represent<E>;
    E original(42);
    original.discard(discarded);
    E target(7);
    const auto state = as_state::snapshot(original);
    const std::string text = text_of(original);
    as_state::restore(target, state);
    if (!(target == original)) throw std::runtime_error(name + " did not come back");

    bench::race r(name + ", position " + std::to_string(discarded));
    r.short_row("snapshot", [&] {
      auto taken = as_state::snapshot(original);
      bench::keep(taken);
    });
    r.short_row("restore", [&] {
      as_state::restore(target, state);
      bench::keep(target);
    });
    r.short_row("operator<<", [&] {
      auto written = text_of(original);
      bench::keep(written);
    });
    r.short_row("operator<<, again", [&] {
      auto written = text_of(original);
      bench::keep(written);
    });
    r.short_row("operator>>", [&] {
      std::istringstream in(text);
      in.imbue(std::locale::classic());
      in >> target;
      bench::keep(target);
    });
    r.run(o.rounds * bench::race::short_rounds);
    bench::judge("rng." + name + "_snapshot_of_text", r.speedup("snapshot", "operator<<"), bench::side::at_least, bar, r.spread("operator<<", "operator<<, again"));
    bench::judge("rng." + name + "_restore_of_text", r.speedup("restore", "operator>>"), bench::side::at_least, bar);
  } else {
    bench::skip("rng." + name, "it has no representation in this version");
  }
}

void run(const bench::options& o) {
  engine<std::mt19937>(o, "mt19937", 100, 10);
  engine<std::mt19937_64>(o, "mt19937_64", 100, 10);
  engine<std::minstd_rand>(o, "minstd_rand", 100, 1);
  engine<std::ranlux24_base>(o, "ranlux24_base", 5, 1);
  engine<std::ranlux24>(o, "ranlux24", 5, 1);
  engine<std::ranlux48>(o, "ranlux48", 5, 1);
  engine<std::knuth_b>(o, "knuth_b", 5, 1);
}

}  // namespace

int main(int argc, char** argv) {
  try {
    run(bench::read_options(argc, argv));
  } catch (const std::exception& e) {
    std::fprintf(stderr, "%s\n", e.what());
    return 1;
  }
}
