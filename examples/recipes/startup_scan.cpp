// SPDX-License-Identifier: BSL-1.0
// examples/recipes/startup_scan.cpp: what lies in the folder of a run, as a table at the start; then the newest whole one is resumed.
//   startup_scan FOLDER [STEP]   trains to that step, then damages its newest checkpoint, for the next start to find
#include <tidemark/tidemark.hpp>

#include <cstdint>
#include <filesystem>
#include <fstream>
#include <iomanip>
#include <iostream>
#include <random>
#include <stdexcept>
#include <string>
#include <vector>

struct training {
  std::uint64_t step = 0;
  std::vector<float> weight = std::vector<float>(5000);
  std::mt19937_64 engine{2024};
  std::normal_distribution<float> noise{0, 1e-3f};
};

void train_step(training& t) {
  for (float& w : t.weight) w += t.noise(t.engine);
  ++t.step;
}

// Reads every byte and compares it with its digest; {.reads_data = false} reads headers only, for folders of terabytes.
void print_table(const std::string& folder) {
  std::cout << std::left << std::setw(10) << "state" << std::setw(8) << "step" << std::setw(10) << "bytes" << std::setw(8) << "age" << '\n';
  for (const tidemark::scanned_checkpoint& c : tidemark::scan(folder)) {
    const std::string age = std::to_string(static_cast<int>(c.age_seconds)) + " s";
    std::cout << std::setw(10) << name_of(c.state) << std::setw(8) << c.step << std::setw(10) << c.bytes << std::setw(8) << age;
    for (const auto& [metric, value] : c.metrics) std::cout << metric << ' ' << value << ' ';
    if (c.state != tidemark::checkpoint_state::valid) std::cout << (c.tensor.empty() ? c.path : "damaged in " + c.tensor);
    std::cout << '\n';
  }
}

// Only for show: a bit of the weights turns, as on a disk that grows old.
void damage(const std::filesystem::path& file) {
  std::fstream bytes(file, std::ios::in | std::ios::out | std::ios::binary);
  const auto middle = static_cast<std::streamoff>(std::filesystem::file_size(file) / 2);
  const char turned = static_cast<char>(bytes.seekg(middle).get() ^ 1);
  bytes.seekp(middle).put(turned);
}

int main(int count, char** words) try {
  if (count < 2) throw std::invalid_argument("startup_scan FOLDER [STEP]");
  const std::string folder = words[1];
  const std::uint64_t last = count > 2 ? std::stoull(words[2]) : 500;
  if (std::filesystem::exists(folder)) print_table(folder);

  training state;
  tidemark::checkpointer run{folder, {.every_steps = 100, .keep_last = 3}};
  // Throws where there are checkpoints and none is whole: a training that begins anew must be your decision.
  if (const auto at = run.resume(state)) {
    for (const auto& passed_over : at->skipped) std::cout << "passed over step " << passed_over.step << ":\n" << passed_over.reason << '\n';
    std::cout << "resumed at step " << at->step << '\n';
  }
  while (state.step < last) {
    train_step(state);
    const double loss = 1 / static_cast<double>(state.step);
    if (run.tick(state, state.step, {{"loss", loss}}).stop) break;
  }
  run.finish(state);
  std::cout << "state " << to_hex(tidemark::fingerprint(state)) << '\n';
  damage(tidemark::scan(folder).front().path);  // the newest comes first
} catch (const std::exception& e) {
  std::cerr << e.what() << '\n';
  return 1;
}
