#!/usr/bin/env python3
# SPDX-License-Identifier: BSL-1.0
# benchmarks/compile.py: what including the library costs a compiler, beside cereal's binary archive of the same struct.
"""compile.py [--rounds N] [--compiler g++] [include folder]

Processor time of -std=c++20 -O0 -c for programs of ten and of fifty members; minima of N shuffled rounds after one to warm up. Rows that
say "compiled" are what a source file of a program costs that links tidemark::compiled; the others are header-only. One line a bar: MET or
SHORT, name, value, bar. The baseline runs twice.
"""
import argparse
import pathlib
import random
import resource
import subprocess
import sys
import tempfile

MEMBERS = [("std::uint64_t", "step"), ("double", "rate"), ("float", "beta"), ("bool", "done"), ("std::string", "name"),
           ("std::vector<float>", "weights"), ("std::vector<double>", "moments"), ("std::int32_t", "epoch"),
           ("std::vector<std::uint8_t>", "mask"), ("float", "epsilon")]
USE = 'void run() { state s; tidemark::save(s, "f"); s = tidemark::load<state>("f"); tidemark::restore(s, "f"); }\n'


def struct(count, inside=""):
    names = [(MEMBERS[i % 10][0], f"{MEMBERS[i % 10][1]}{i}") for i in range(count)]
    return "struct state {\n" + "".join(f"  {t} {n}{{}};\n" for t, n in names) + inside.replace("ALL", ", ".join(n for _, n in names)) + "};\n"


def programs():
    cereal = ("#include <cereal/archives/binary.hpp>\n#include <cereal/types/string.hpp>\n#include <cereal/types/vector.hpp>\n"
              "#include <cstdint>\n#include <sstream>\n" + struct(10, "  template <class A> void serialize(A& a) { a(ALL); }\n") +
              "void run() { state s; std::stringstream f; { cereal::BinaryOutputArchive a(f); a(s); } cereal::BinaryInputArchive b(f); b(s); }\n")
    return {"cereal": cereal, "cereal, again": cereal + "// again\n",
            "declare": "#include <tidemark/checkpointable.hpp>\n#include <cstdint>\n#include <string>\n#include <vector>\n" + struct(10) +
                       "static_assert(tidemark::Checkpointable<state>);\n",
            "store": "#include <tidemark/store.hpp>\n" + struct(10) + USE,
            "store of 50": "#include <tidemark/store.hpp>\n" + struct(50) + USE,
            "facade": "#include <tidemark/tidemark.hpp>\n" + struct(10) + USE}


# What tidemark::compiled adds to the flags of who links it.
COMPILED = "#define TIDEMARK_COMPILED\n"


def main():
    options = argparse.ArgumentParser()
    options.add_argument("--rounds", type=int, default=15)
    options.add_argument("--compiler", default="g++")
    options.add_argument("include", nargs="?", default=str(pathlib.Path(__file__).resolve().parent.parent / "include"))
    options = options.parse_args()
    best = {}
    with tempfile.TemporaryDirectory() as folder:
        sources = {}
        texts = programs()
        texts.update({f"{name}, compiled": COMPILED + texts[name] for name in ("declare", "store", "store of 50", "facade")})
        texts["the library"] = COMPILED + "#include <tidemark/definitions.hpp>\n"  # once a program
        for name, text in texts.items():
            sources[name] = pathlib.Path(folder) / (name.replace(" ", "_").replace(",", "") + ".cpp")
            sources[name].write_text(text)
        for round_ in range(options.rounds + 1):
            names = list(sources)
            random.shuffle(names)
            for name in names:
                before = resource.getrusage(resource.RUSAGE_CHILDREN)
                done = subprocess.run([options.compiler, "-std=c++20", "-O0", "-I" + options.include, "-c", sources[name], "-o", "/dev/null"])
                after = resource.getrusage(resource.RUSAGE_CHILDREN)
                if done.returncode:
                    print(f"SKIPPED compile: {options.compiler} does not compile the program \"{name}\"")
                    return 0 if name.startswith("cereal") else 1
                took = after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime
                if round_:
                    best[name] = min(best.get(name, took), took)
    print(f"-- {options.compiler} -O0, processor seconds of one file ({options.rounds} rounds)")
    for name, took in best.items():
        print(f"   {name:40} min {took:7.2f} s")
    apart = 100 * abs(best["cereal"] / best["cereal, again"] - 1)
    for name, value, bar in [("declare_to_cereal", best["declare"] / best["cereal"], 0.9),
                             ("store_to_cereal", best["store, compiled"] / best["cereal"], 1.7),
                             ("facade_to_cereal", best["facade, compiled"] / best["cereal"], 2.5),
                             ("50_members_to_10", best["store of 50, compiled"] / best["store, compiled"], 2),
                             ("header_only_store_to_cereal", best["store"] / best["cereal"], 1.7),
                             ("header_only_facade_to_cereal", best["facade"] / best["cereal"], 2.5),
                             ("header_only_50_members_to_10", best["store of 50"] / best["store"], 2)]:
        print(f"{'MET' if value <= bar else 'SHORT'} compile.{name} {value:.3f} {bar}  # at most; cereal twice: {apart:.1f} % apart")
    return 0


sys.exit(main())
