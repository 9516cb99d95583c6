#!/usr/bin/env python3
# SPDX-License-Identifier: BSL-1.0
# tests/house/shared_error.py: a shared library that hides what it is made of still throws errors that its users catch by their type.
"""shared_error.py <build folder> <compile command ...>

The type information of `tidemark::error` is exported; nothing else of the library is. Then the two objects are linked, and one catches
what the other throws.
"""
import pathlib
import re
import shutil
import subprocess
import sys

build, compile_ = pathlib.Path(sys.argv[1]), sys.argv[2:]
shutil.rmtree(build, ignore_errors=True)
build.mkdir(parents=True)
(build / "library.cpp").write_text("""#include <tidemark/store.hpp>
struct state { int step = 1; };
__attribute__((visibility("default"))) void save_nowhere() { tidemark::save(state{}, "no/such/folder"); }
""")
(build / "program.cpp").write_text("""#include <tidemark/core/error.hpp>
void save_nowhere();
int main() {
  try {
    save_nowhere();
  } catch (const tidemark::error& e) {
    return e.code() == tidemark::errc::not_found ? 0 : 2;
  } catch (...) {
  }
  return 1;
}
""")


def run(*command):
    done = subprocess.run(command, cwd=build, text=True, stdout=subprocess.PIPE)
    if done.returncode:
        sys.exit(f"failed with {done.returncode}: {' '.join(map(str, command))}")
    return done.stdout


run(*compile_, "-fPIC", "-fvisibility=hidden", "-shared", "library.cpp", "-o", "liblibrary.so")
exported = [line.split()[2] for line in run("nm", "-D", "--defined-only", "liblibrary.so").splitlines()]
if "_ZTIN8tidemark5errorE" not in exported:
    sys.exit("the type of tidemark::error is hidden: where types are compared by address, it is not caught")
others = [name for name in exported if re.match(r"_ZT?.?NK?8tidemark(?!5error)", name)]
if others:
    sys.exit(f"the library exports {others[0]} and {len(others) - 1} more of tidemark")
run(*compile_, "-fvisibility=hidden", "program.cpp", "-L.", "-llibrary", "-Wl,-rpath,.", "-o", "program")
run("./program")
