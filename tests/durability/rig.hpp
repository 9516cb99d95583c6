// SPDX-License-Identifier: BSL-1.0
// durability/rig.hpp: a scenario on a real filesystem: its folder, what was promised, and what must hold afterwards.
#ifndef TIDEMARK_TESTS_DURABILITY_RIG_HPP
#define TIDEMARK_TESTS_DURABILITY_RIG_HPP

#include "scenarios.hpp"
#include "sink/scratch.hpp"

#include <atomic>
#include <filesystem>
#include <string>
#include <vector>

#include <sys/mman.h>

namespace durability {

/// What a process promised, readable by its parent after it was killed.
class promises {
 public:
  promises() : at_(static_cast<numbers*>(::mmap(nullptr, sizeof(numbers), PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0))) {
    new (at_) numbers{};
  }
  promises(const promises&) = delete;
  ~promises() { ::munmap(at_, sizeof(numbers)); }

  void reset(int version) { at_->begun = at_->acknowledged = version; }
  int begun() const { return at_->begun; }
  int acknowledged() const { return at_->acknowledged; }
  progress record() const {
    numbers* const to = at_;
    return {[to](int v) { to->begun = v; }, [to](int v) { to->acknowledged = v; }};
  }

 private:
  struct numbers {
    std::atomic<int> begun{0}, acknowledged{0};
  };
  numbers* at_;
};

/// Empty where a reader finds a version that was promised or begun, whole.
inline std::string fault_in(const scenario& s, const std::string& folder, int acknowledged, int begun) {
  real_system system;
  watch by{.lacks = s.lacks};
  const found at = s.read(ops(system, by), folder);
  if (!at.defect.empty()) return at.defect;
  if (at.oldest >= acknowledged && at.newest <= begun) return {};
  return "version " + std::to_string(at.oldest) + " to " + std::to_string(at.newest) + " was found where " + std::to_string(acknowledged) +
         " was acknowledged and " + std::to_string(begun) + " begun";
}

/// Names that a save made and never committed, and what was thrown away and not removed.
inline std::size_t orphans_in(const std::string& folder) {
  std::size_t count = 0;
  for (const auto& entry : std::filesystem::recursive_directory_iterator(folder)) {
    const std::string name = entry.path().filename().string();
    count += tidemark::detail::is_staging_name(name) || name.starts_with(".trash.");
  }
  return count;
}

inline void empty_folder(const std::string& folder) {
  // Listed first: what a listing shows is not certain while its folder changes.
  std::vector<std::filesystem::path> all;
  for (const auto& entry : std::filesystem::directory_iterator(folder)) all.push_back(entry.path());
  for (const auto& path : all) std::filesystem::remove_all(path);
}

/// The calls that a scenario makes when nothing fails, but those that the filesystem lacks.
inline std::vector<call> calls_of(const scenario& s, const std::string& folder) {
  empty_folder(folder);
  real_system system;
  watch plain{.lacks = s.lacks};
  s.prepare(ops(system, plain), folder);
  std::vector<call> made;
  watch by{.lacks = s.lacks};
  by.after = [&](const call& c) { made.push_back(c); };
  s.run(ops(system, by), folder, {});
  empty_folder(folder);
  return made;
}

}  // namespace durability
#endif
