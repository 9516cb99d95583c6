// SPDX-License-Identifier: BSL-1.0
// run/run_record.hpp: what a run's folder holds, kept up to date save by save.
#include <tidemark/run/run_record.hpp>
#include <tidemark/store/save.hpp>

#include <doctest/doctest.h>
#include <sink/scratch.hpp>

#include <cstdint>
#include <filesystem>
#include <fstream>
#include <string>
#include <vector>

namespace fs = std::filesystem;
using namespace tidemark;
using opened_folder = detail::run_folder<file_ops>;
using record = detail::run_record<file_ops>;

namespace {

saved_checkpoint put(const opened_folder& run, std::uint64_t step, std::uint64_t sequence) {
  const std::string path = run.path_of(detail::to_text({.sequence = sequence, .step = step}) + ".safetensors");
  save(std::vector<double>{1, 2, 3}, path);
  return {.step = step, .sequence = sequence, .path = path};
}

std::string files_of(const opened_folder& run) {
  std::string files;
  for (const auto& c : run.checkpoints()) files += c.file.substr(0, c.file.find('.')) + ' ';
  return files;
}

}  // namespace

TEST_CASE("numbers are given once, also to saves that fail, and go on behind the highest in the folder") {
  const scratch::folder place;
  const opened_folder run({}, place / "run", true);
  put(run, 5, 41);
  record kept(run, {}, {});
  CHECK(kept.next_sequence() == 42);
  CHECK(kept.next_sequence() == 43);
  kept.add(put(run, 6, 43), {});
  CHECK(kept.next_sequence() == 44);
}

TEST_CASE("after a save `latest` names it and what no rule keeps is gone") {
  const scratch::folder place;
  const opened_folder run({}, place / "run", true);
  record kept(run, {.keep_last = 2}, {});
  for (std::uint64_t i = 1; i <= 4; ++i) kept.add(put(run, 10 * i, i), {});
  CHECK(files_of(run) == "step-30-3 step-40-4 ");
  CHECK(scratch::content(place / "run/latest") == "step-40-4.safetensors\n");
}

TEST_CASE("one that may not be durable is neither counted, named nor removed; one that turns out damaged, too") {
  const scratch::folder place;
  const opened_folder run({}, place / "run", true);
  record kept(run, {.keep_last = 1}, {});
  kept.add(put(run, 1, 1), {});
  kept.add_uncertain(put(run, 2, 2), {});
  CHECK(files_of(run) == "step-1-1 step-2-2 ");
  CHECK(scratch::content(place / "run/latest") == "step-1-1.safetensors\n");
  kept.mark_damaged(1);
  kept.add(put(run, 3, 3), {});
  CHECK(files_of(run) == "step-1-1 step-2-2 step-3-3 ");
  kept.add(put(run, 4, 4), {});
  CHECK(files_of(run) == "step-1-1 step-2-2 step-4-4 ");
  CHECK(scratch::code_of([&] { kept.pin(1, true); }) == "not_found");
}

TEST_CASE("rules that keep nothing are refused before anything is removed") {
  const scratch::folder place;
  const opened_folder run({}, place / "run", true);
  put(run, 1, 1);
  CHECK(scratch::code_of([&] { record kept(run, {.keep_last = 0}, {}); }) == "invalid_value");
  CHECK(files_of(run) == "step-1-1 ");
}

TEST_CASE("a `latest` that cannot be written is an error, and the checkpoint stays") {
  const scratch::folder place;
  const opened_folder run({}, place / "run", true);
  fs::create_directory(place / "run/latest");
  record kept(run, {.keep_last = 1}, {});
  kept.add_uncertain(put(run, 1, 1), {});
  CHECK(scratch::code_of([&] { kept.add(put(run, 2, 2), {}); }) == "unsafe_path");
  CHECK(files_of(run) == "step-1-1 step-2-2 ");
}

TEST_CASE("a `latest` that cannot be written says that the checkpoint is whole, and what no rule keeps goes all the same") {
  for (const char* what : {"folder", "link"}) {
    const scratch::folder place;
    const opened_folder run({}, place / "run", true);
    if (what == std::string_view("folder")) fs::create_directory(place / "run/latest");
    else fs::create_symlink("step-1-1.safetensors", place / "run/latest");
    record kept(run, {.keep_last = 2}, {});
    for (std::uint64_t i = 1; i <= 4; ++i) {
      const auto failure = scratch::failure_of([&] { kept.add(put(run, i, i), {}); });
      REQUIRE(failure);
      CHECK(failure->code() == errc::unsafe_path);
      CHECK(std::string(failure->what()).find("whole") != std::string::npos);
      CHECK(std::string(failure->what()).find("follow_symlink") == std::string::npos);
    }
    CHECK(files_of(run) == "step-3-3 step-4-4 ");  // a full disk would stay full
  }
}

TEST_CASE("letting go of a step lets go of every checkpoint of it, also where a newer one was never pinned") {
  const scratch::folder place;
  const opened_folder run({}, place / "run", true);
  record kept(run, {.keep_last = 2}, {});
  kept.add(put(run, 5, 1), {});
  kept.pin(5, true);
  kept.add(put(run, 5, 2), {});
  kept.pin(5, false);
  CHECK(scratch::content(place / "run/pinned") == "");
  kept.add(put(run, 6, 3), {});
  CHECK(files_of(run) == "step-5-2 step-6-3 ");
}

TEST_CASE("a list of pins of any length is read whole, or refused: half of it would let the other half be deleted") {
  const scratch::folder place;
  const opened_folder run({}, place / "run", true);
  record(run, {.keep_last = 2}, {}).add(put(run, 1, 1), {});
  std::string list;
  while (list.size() < 3'000'000) list += "step-7-" + std::to_string(list.size()) + ".safetensors\n";
  std::ofstream(place / "run/pinned") << list << "step-1-1.safetensors\n";
  record kept(run, {.keep_last = 1}, {});
  kept.add(put(run, 2, 2), {});
  kept.add(put(run, 3, 3), {});
  CHECK(files_of(run) == "step-1-1 step-3-3 ");
  fs::resize_file(place / "run/pinned", std::uintmax_t{1} << 33);
  CHECK(scratch::code_of([&] { record again(run, {.keep_last = 1}, {}); }) == "limit");
  CHECK(files_of(run) == "step-1-1 step-3-3 ");
}
