// SPDX-License-Identifier: BSL-1.0
// benchmarks/store/safetensors_peer.hpp: the Python safetensors library as a competitor, in a process that times itself.
#ifndef TIDEMARK_BENCHMARKS_STORE_SAFETENSORS_PEER_HPP
#define TIDEMARK_BENCHMARKS_STORE_SAFETENSORS_PEER_HPP

#include <cstdint>
#include <filesystem>
#include <memory>
#include <optional>
#include <stdexcept>
#include <string>
#include <vector>

#include "../child.hpp"
#include "../options.hpp"

namespace bench {

/// Holds a state of its own, as many arrays of as many bytes. Start-up and imports are not timed.
class safetensors_peer {
 public:
  /// With torch where some Python has it, else with numpy; nothing where none has safetensors.
  static std::unique_ptr<safetensors_peer> find(const options& o, std::uint64_t bytes) {
    std::vector<std::string> pythons{o.python};
    if (o.python.empty()) pythons = {(o.program.parent_path() / "../../venv/bin/python").lexically_normal().string(), "python3"};
    for (const char* flavour : {"torch", "numpy"}) {
      for (const std::string& python : pythons) {
        if (child_process({python, "-c", std::string("import safetensors.") + flavour}, true).wait() != 0) continue;
        return std::unique_ptr<safetensors_peer>(new safetensors_peer(python, flavour, bytes));
      }
    }
    return nullptr;
  }

  std::string name() const { return "safetensors." + flavour_ + ".save_file + fsync"; }

  /// Seconds of one save and an fsync of the file.
  double save(const std::filesystem::path& file) {
    process_.say(file.string());
    return process_.hear_number();
  }

 private:
  safetensors_peer(const std::string& python, const char* flavour, std::uint64_t bytes)
      : flavour_(flavour), process_({python, "-c", script, flavour, std::to_string(bytes / 64)}) {
    if (process_.hear() != "ready") throw std::runtime_error(name() + " did not start");
  }

  static constexpr const char* script = R"(
import os, sys, time
count = int(sys.argv[2])
if sys.argv[1] == "torch":
    import torch
    from safetensors.torch import save_file
    state = {chr(97 + i): torch.arange(count, dtype=torch.float32) + i for i in range(16)}
else:
    import numpy
    from safetensors.numpy import save_file
    state = {chr(97 + i): numpy.arange(count, dtype=numpy.float32) + numpy.float32(i) for i in range(16)}
print("ready", flush=True)
for line in sys.stdin:
    path = line.rstrip("\n")
    start = time.perf_counter()
    save_file(state, path)
    file = os.open(path, os.O_RDWR)
    os.fsync(file)
    os.close(file)
    print(time.perf_counter() - start, flush=True)
)";

  std::string flavour_;
  child_process process_;
};

}  // namespace bench
#endif
