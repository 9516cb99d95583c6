// SPDX-License-Identifier: BSL-1.0
// tests/durability/model.test.cpp: every disk that a power cut may leave shows, to the real reader, the old checkpoint or the new one.
#include <doctest/doctest.h>
#include "disk_model.hpp"
#include "scenarios.hpp"

#include <algorithm>
#include <array>
#include <atomic>
#include <condition_variable>
#include <map>
#include <mutex>
#include <string>
#include <vector>

using namespace durability;

namespace {

/// Holds the first sync of each of several threads back until all have come to theirs, so that most is not durable at one time.
class gathering_disk : public disk {
 public:
  explicit gathering_disk(int threads) : missing_(threads) {}
  std::atomic<bool> gathers{false};

  int fsync(int file) override {
    if (gathers) {
      std::unique_lock lock(waiting_);
      if (missing_ > 0 && --missing_ == 0) all_are_there_.notify_all();
      all_are_there_.wait(lock, [&] { return missing_ <= 0; });
    }
    return disk::fsync(file);
  }

 private:
  int missing_;
  std::mutex waiting_;
  std::condition_variable all_are_there_;
};

recording recorded(const scenario& s) {
  gathering_disk memory(s.threads);
  watch by{.lacks = s.lacks};
  const ops calls(memory, by);
  s.prepare(calls, "/");
  recording result{.before = memory.now(), .after = {}, .events = {}};
  memory.records = true;
  memory.gathers = s.threads > 1;
  memory.note(event::kind::begin, s.before);
  memory.note(event::kind::acknowledge, s.before);
  s.run(calls, "/", {[&](int v) { memory.note(event::kind::begin, v); }, [&](int v) { memory.note(event::kind::acknowledge, v); }});
  result.events = memory.events;
  result.after = memory.now();
  return result;
}

using content = std::array<std::uint64_t, 2>;

/// Opens disks as a program that starts after the power cut, each content once.
class examiner {
 public:
  explicit examiner(const scenario& s) : s_(&s) {}

  /// Empty where the reader finds a version from `oldest` to `newest`, whole.
  std::string fault_of(const image& disk_content, int oldest, int newest) {
    const content key = content_of(disk_content);
    auto known = seen_.find(key);
    if (known == seen_.end()) {
      disk memory(disk_content);
      watch by{.lacks = s_->lacks};
      known = seen_.emplace(key, s_->read(ops(memory, by), "/")).first;
    }
    const found& at = known->second;
    if (!at.defect.empty()) return at.defect;
    if (at.oldest >= oldest && at.newest <= newest) return {};
    return "version " + std::to_string(at.oldest) + (at.newest == at.oldest ? "" : " and " + std::to_string(at.newest)) + " was found where " +
           std::to_string(oldest) + " was acknowledged and " + std::to_string(newest) + " begun";
  }

  std::size_t states() const { return seen_.size(); }

 private:
  const scenario* s_;
  std::map<content, found> seen_;
};

/// The first fault after each number of calls, from the last backwards; empty where there is none.
std::string fault_after_any_call(const recording& of, examiner& by, std::size_t pieces, std::size_t limit) {
  for (std::size_t made = of.events.size(); made >= 2; --made) {  // the first two say what is there before
    const crash at(of, made, pieces);
    std::string fault;
    at.for_each(limit, [&](const image& left) {
      fault = by.fault_of(left, at.oldest(), at.newest());
      return fault.empty();
    });
    if (!fault.empty()) return "after " + std::to_string(made) + " changes: " + fault;
  }
  return {};
}

bool is_durable(const scenario& s) { return s.is_durable && !s.forks; }

}  // namespace

TEST_CASE("every disk that a power cut may leave after any call of a save shows the old checkpoint or the new one, and an acknowledged one is there") {
  const std::size_t limit = setting("TIDEMARK_STATES", 100000 / slowdown), pieces = setting("TIDEMARK_PIECES", slowdown > 1 ? 3 : 8);
  std::size_t states = 0;
  for (const scenario& s : scenarios()) {
    if (!is_durable(s)) continue;
    CAPTURE(s.name);
    const recording of = recorded(s);
    examiner by(s);
    // To resume a run takes ten times as long as to open a file.
    CHECK(fault_after_any_call(of, by, s.sweeps ? std::min<std::size_t>(pieces, 4) : pieces, s.sweeps ? limit / 10 : limit) == "");
    MESSAGE(s.name << ": " << of.events.size() << " changes, " << by.states() << " different disks");
    states += by.states();
  }
  MESSAGE(states << " different disks opened");
  if (limit >= 100000 && pieces >= 8) CHECK(states >= 100000);
}

TEST_CASE("the model sees what each sync of each save is for") {
  for (const scenario& s : scenarios()) {
    if (!is_durable(s)) continue;
    CAPTURE(s.name);
    const recording whole = recorded(s);
    examiner by(s);
    int syncs = 0, needed = 0;
    for (std::size_t i = 0; i < whole.events.size(); ++i) {
      if (whole.events[i].what != event::kind::sync) continue;
      recording weaker = whole;
      weaker.events.erase(weaker.events.begin() + static_cast<std::ptrdiff_t>(i));
      ++syncs;
      needed += !fault_after_any_call(weaker, by, 2, 2000).empty();
    }
    CHECK(needed >= 2);
    CHECK(needed == syncs - s.spare_syncs);
  }
}

TEST_CASE("the model sees that a save of level process does not survive a power cut") {
  for (const scenario& s : scenarios()) {
    if (s.is_durable || s.forks) continue;
    CAPTURE(s.name);
    examiner by(s);
    CHECK(fault_after_any_call(recorded(s), by, 2, 2000) != "");
  }
}
