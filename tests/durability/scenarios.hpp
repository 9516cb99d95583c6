// SPDX-License-Identifier: BSL-1.0
// durability/scenarios.hpp: the saves that are proved, each as three functions over any Ops: what is there before, the saves, what a reader finds.
#ifndef TIDEMARK_TESTS_DURABILITY_SCENARIOS_HPP
#define TIDEMARK_TESTS_DURABILITY_SCENARIOS_HPP

#include "calls.hpp"
#include "sanitizers.hpp"

#include <cstdint>
#include <cstdlib>
#include <functional>
#include <map>
#include <string>
#include <vector>

namespace durability {

/// What a save does for whoever watches: version 0 is none, each save writes the next one.
struct progress {
  std::function<void(int)> begin = [](int) {};        ///< from here the version may be found
  std::function<void(int)> acknowledge = [](int) {};  ///< from here it, or a newer one, must be
};

/// The versions that a reader finds (the same, unless several places are read), each compared bit for bit with what was saved as such; and what is
/// wrong, if anything.
struct found {
  int oldest = 0, newest = 0;
  std::string defect = {};
};

struct scenario {
  std::string name;
  int before = 0;                                     ///< the version that `prepare` leaves
  std::function<void(const ops&, const std::string&)> prepare;
  std::function<void(const ops&, const std::string&, const progress&)> run;
  std::function<found(const ops&, const std::string&)> read;
  std::map<std::string, int> lacks = {};              ///< what the filesystem cannot do
  bool is_durable = true;                             ///< a power cut is survived
  int threads = 1;                                    ///< that write at once: the order of the calls then differs from run to run
  bool sweeps = false;                                ///< reading it for a resume removes what a killed save left
  bool forks = false;                                 ///< a child process does the work, which a disk in memory would not see
  int spare_syncs = 0;                                ///< syncs that no disk of the model needs
};

/// Throws nothing: a scenario ends in success, or in the error that it met. `folder` exists.
const std::vector<scenario>& scenarios();

/// Many saves of one run, with a look after each.
struct soak_run {
  std::string name;
  std::function<void(const std::string& folder, int saves, const std::function<void(int)>& after)> run;
};
const std::vector<soak_run>& soak_runs();

/// A run that saves, prunes, ends, begins again and resumes, on and on; checks that it resumes at what was promised.
/// Style 0: files, 1: shards, 2: files by a thread, 3: files by a child process. Returns only where that failed.
void run_on_and_on(const std::string& folder, int style, int promised, const progress& to);
inline constexpr int run_styles = 4;
found newest_in_run(const ops& calls, const std::string& folder);

/// A number from the environment, so that a larger campaign needs no other program.
inline std::size_t setting(const char* name, std::size_t otherwise) {
  const char* const text = std::getenv(name);
  return text == nullptr || *text == '\0' ? otherwise : static_cast<std::size_t>(std::strtoull(text, nullptr, 10));
}

inline constexpr std::size_t slowdown = scratch::is_sanitized ? 10 : 1;

}  // namespace durability
#endif
