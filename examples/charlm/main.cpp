// SPDX-License-Identifier: BSL-1.0
// examples/charlm/main.cpp: a character language model that can be killed at any moment. Read `train` first.
#include "inspect.hpp"
#include "options.hpp"
#include "parts.hpp"
#include "selftest.hpp"
#include "text.hpp"
#include "trainer.hpp"

#include <tidemark/tidemark.hpp>

#include <cstddef>
#include <exception>
#include <filesystem>
#include <iostream>
#include <span>
#include <stdexcept>
#include <string>
#include <string_view>

namespace charlm {

void require_text(const trainer& state, const text& corpus, const options& chosen) {
  if (state.alphabet != corpus.alphabet || state.order.size() != corpus.windows())
    throw std::runtime_error{chosen.checkpoint + chosen.run + " was trained on another text than " + chosen.text};
}

void make_step(trainer& state, const text& corpus) {
  train_step(state, corpus);
  if (state.count.step % 10 == 0) std::cout << "step " << state.count.step << " loss " << state.losses.back() << std::endl;
}

/// One file, which each save replaces.
void train_into_file(trainer& state, const text& corpus, const options& chosen) {
  if (std::filesystem::exists(chosen.checkpoint)) {
    state = tidemark::load<trainer>(chosen.checkpoint);
    std::cout << "resumed at step " << state.count.step << std::endl;
  }
  require_text(state, corpus, chosen);
  for (auto left = chosen.at_most; state.count.step < chosen.steps && left > 0; --left) {
    make_step(state, corpus);
    if (state.count.step % chosen.save_every == 0) tidemark::save(state, chosen.checkpoint);
  }
  tidemark::save(state, chosen.checkpoint);
}

/// A folder of checkpoints, the newest three.
void train_into_folder(trainer& state, const text& corpus, const options& chosen) {
  tidemark::checkpointer run{chosen.run, {.every_steps = chosen.save_every,
                                          .keep_last = 3,
                                          .background = chosen.background,
                                          .catch_signals = true}};
  if (const auto at = run.resume(state)) {
    for (const auto& passed_over : at->skipped) std::cout << "passed over step " << passed_over.step << ":\n" << passed_over.reason << '\n';
    std::cout << "resumed at step " << at->step << std::endl;
  }
  require_text(state, corpus, chosen);
  for (auto left = chosen.at_most; state.count.step < chosen.steps && left > 0; --left) {
    make_step(state, corpus);
    if (run.tick(state, state.count.step, {{"loss", state.losses.back()}}).stop) break;
  }
  run.finish(state);
}

/// Trains, from the last checkpoint where there is one, else from the start.
void train(const options& chosen) {
  const text corpus = read_text(chosen.text);
  trainer state = fresh_trainer(corpus.alphabet, corpus.windows(), chosen.steps);
  if (chosen.run.empty()) train_into_file(state, corpus, chosen);
  else train_into_folder(state, corpus, chosen);
}

/// The newest whole checkpoint of a run as a file of its own. Needs no lock: the run may go on meanwhile.
void take_newest(const std::string& folder, const std::string& file) {
  trainer state;
  if (!tidemark::resume(state, folder)) throw std::runtime_error{"there is no checkpoint in " + folder};
  tidemark::save(state, file);
}

constexpr std::string_view usage = R"(usage:
  charlm train --text FILE (--checkpoint FILE | --run FOLDER [--background off|staged|fork])
               [--steps N] [--save-every N] [--at-most N]
                               train to step N, or for --at-most N steps; resumes where there is a checkpoint
  charlm show CHECKPOINT       what it holds, and what the model writes
  charlm compare A B           0 when the files are byte-equal and the losses bit-equal, else 1
  charlm newest FOLDER OUT     the newest whole checkpoint of a run, as a file
  charlm drop PART IN OUT      a copy that lost one part: model, optimizer, scheduler, counters, rng, data,
                               spare (the number that the normal distribution keeps back), or nothing
  charlm selftest              gradients against central differences
)";

/// Returns the exit status: 0, or 1 where a comparison or a self-test failed.
int run(std::span<char* const> arguments) {
  const std::string_view command = arguments.empty() ? "" : arguments[0];
  if (command == "train") {
    train(parse_options(arguments.subspan(1)));
    return 0;
  }
  if (command == "show" && arguments.size() == 2) {
    show(tidemark::load<trainer>(arguments[1]), std::cout);
    return 0;
  }
  if (command == "newest" && arguments.size() == 3) {
    take_newest(arguments[1], arguments[2]);
    return 0;
  }
  if (command == "compare" && arguments.size() == 3) return compare(arguments[1], arguments[2], std::cout) ? 0 : 1;
  if (command == "drop" && arguments.size() == 4) {
    auto state = tidemark::load<trainer>(arguments[2]);
    lose(state, arguments[1]);
    tidemark::save(state, arguments[3]);
    return 0;
  }
  if (command == "selftest" && arguments.size() == 1) return selftest(std::cout) ? 0 : 1;
  throw usage_error{"which command?"};
}

}  // namespace charlm

int main(int count, char** arguments) {
  try {
    return charlm::run(std::span{arguments, static_cast<std::size_t>(count)}.subspan(1));
  } catch (const charlm::usage_error& error) {
    std::cerr << "charlm: " << error.what() << '\n' << charlm::usage;
    return 2;
  } catch (const tidemark::error& error) {
    std::cerr << error.what() << '\n';
    return 3;
  } catch (const std::exception& error) {
    std::cerr << "charlm: " << error.what() << '\n';
    return 4;
  }
}
