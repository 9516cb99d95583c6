// SPDX-License-Identifier: BSL-1.0
// benchmarks/store/python_peer.hpp: what Python saves arrays with, as a competitor in a process that times itself.
#ifndef TIDEMARK_BENCHMARKS_STORE_PYTHON_PEER_HPP
#define TIDEMARK_BENCHMARKS_STORE_PYTHON_PEER_HPP

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
class python_peer {
 public:
  /// safetensors.torch where some Python has it, else safetensors.numpy; nothing where none has safetensors.
  static std::unique_ptr<python_peer> safetensors(const options& o, std::uint64_t bytes) {
    auto found = find(o, bytes, "safetensors.torch");
    return found ? std::move(found) : find(o, bytes, "safetensors.numpy");
  }
  /// torch.save, where some Python has torch.
  static std::unique_ptr<python_peer> torch(const options& o, std::uint64_t bytes) { return find(o, bytes, "torch"); }

  std::string name() const { return module_ + (module_ == "torch" ? ".save + fsync" : ".save_file + fsync"); }

  /// Seconds of one save and an fsync of the file.
  double save(const std::filesystem::path& file) {
    process_.say(file.string());
    return process_.hear_number();
  }

 private:
  static std::unique_ptr<python_peer> find(const options& o, std::uint64_t bytes, const std::string& module) {
    std::vector<std::string> pythons{o.python};
    if (o.python.empty()) pythons = {(o.program.parent_path() / "../../venv/bin/python").lexically_normal().string(), "python3"};
    for (const std::string& python : pythons) {
      if (child_process({python, "-c", "import " + module}, true).wait() == 0) return std::unique_ptr<python_peer>(new python_peer(python, module, bytes));
    }
    return nullptr;
  }

  python_peer(const std::string& python, const std::string& module, std::uint64_t bytes)
      : module_(module), process_({python, "-c", script, module, std::to_string(bytes / 64)}) {
    if (process_.hear() != "ready") throw std::runtime_error(name() + " did not start");
  }

  static constexpr const char* script = R"(
import os, sys, time
module, count = sys.argv[1], int(sys.argv[2])
if module == "safetensors.numpy":
    import numpy
    from safetensors.numpy import save_file
    state = {chr(97 + i): numpy.arange(count, dtype=numpy.float32) + numpy.float32(i) for i in range(16)}
else:
    import torch
    if module == "torch":
        save_file = torch.save
    else:
        from safetensors.torch import save_file
    state = {chr(97 + i): torch.arange(count, dtype=torch.float32) + i for i in range(16)}
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

  std::string module_;
  child_process process_;
};

}  // namespace bench
#endif
