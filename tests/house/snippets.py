#!/usr/bin/env python3
# SPDX-License-Identifier: BSL-1.0
# tests/house/snippets.py: compiles and runs the code of a page of the docs; a block that is neither run nor excused is a failure.
"""snippets.py <page.md> <python> <compiler> [flag ...]

What a block is, the nearest comment above it says (blank lines between do not matter); every ```cpp block is one of these:
  (no comment)                  a whole program, it holds `int main`: compiled and run
  <!-- snippet: compile -->     declarations: compiled, and kept in front of the page's later `compile` and `run` blocks
  <!-- snippet: run -->         statements: put into main() behind the kept declarations, compiled and run
  <!-- snippet: run with zstd -->  the same, linked with an optional component's library; left alone where that is missing
  <!-- not compiled: why -->    left alone
`compile` and `run` blocks see <tidemark/tidemark.hpp> and `using namespace std::literals`; their own #includes move to the top.
A ```python block is `snippet: run` or `not compiled`. A ```text block below `<!-- output -->` is what the program before it prints, exactly.
All blocks of a page run in one empty folder, in order: a later one may read what an earlier one wrote.
"""
import pathlib
import re
import subprocess
import sys
import tempfile

BLOCK = re.compile(r"(?:<!--\s*(?P<mark>[^>]*?)\s*-->[ \t]*\n\s*)?^(?P<fence>`{3,}|~{3,})(?P<language>[\w+-]*)[^\n]*\n(?P<code>.*?)^(?P=fence)[ \t]*$", re.S | re.M)
CPP = {"cpp", "c++", "cxx", "cc"}
COMPONENTS = {"zstd": ("zstd.h", "-lzstd"), "openssl": ("openssl/evp.h", "-lcrypto")}  # what a component includes, and is linked with


class Failure(Exception):
    pass


def program(kept, statements):
    """One translation unit: the includes of all parts, the declarations, and a main()."""
    parts = [*kept, statements]
    includes = [line for part in parts for line in part.splitlines() if line.startswith("#include")]
    bodies = ["\n".join(line for line in part.splitlines() if not line.startswith("#include")) for part in parts]
    return "\n".join(["#include <tidemark/tidemark.hpp>", *includes, "using namespace std::literals;", *bodies[:-1], "int main() {", bodies[-1], "}", ""])


def execute(command, folder, what):
    result = subprocess.run(command, cwd=folder, text=True, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, timeout=600)
    if result.returncode:
        raise Failure(f"{what} failed with {result.returncode}\n{result.stdout}")
    return result.stdout


def with_precompiled(compiler, scratch):
    """The compiler with <tidemark/tidemark.hpp> precompiled, if it is g++, which takes it where a program begins with it."""
    at = next((i for i, flag in enumerate(compiler) if str(flag).startswith("-I") and pathlib.Path(flag[2:], "tidemark/tidemark.hpp").exists()), None)
    if at is None or not any(pathlib.Path(part).name.startswith("g++") for part in compiler[:2]):
        return compiler
    folder = pathlib.Path(scratch, "precompiled")
    (folder / "tidemark").mkdir(parents=True)
    made = subprocess.run([*compiler, "-x", "c++-header", pathlib.Path(compiler[at][2:], "tidemark/tidemark.hpp"), "-o", folder / "tidemark/tidemark.hpp.gch"],
                          stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    return compiler if made.returncode else [*compiler[:at], f"-I{folder}", *compiler[at:]]


def check_page(text, python, compiler):
    """Failures as (line, message), and how many blocks ran."""
    failures, ran, kept, printed = [], 0, [], None
    with tempfile.TemporaryDirectory() as scratch:
        if text.count("```cpp") > 3:
            compiler = with_precompiled(compiler, scratch)
        folder = pathlib.Path(scratch, "page")
        folder.mkdir()

        def has(component):
            found = subprocess.run([*compiler, "-E", "-x", "c++", "-"], input=f"#include <{COMPONENTS[component][0]}>", text=True, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
            return found.returncode == 0

        def run_cpp(code, link=True, libraries=()):
            source, binary = pathlib.Path(scratch, "snippet.cpp"), pathlib.Path(scratch, "snippet")
            source.write_text(code, encoding="utf-8")
            if not link:
                return execute([*compiler, "-fsyntax-only", source], folder, "compiling")
            execute([*compiler, "-o", binary, source, *libraries], folder, "compiling")
            return execute([binary], folder, "running")

        for block in BLOCK.finditer(text):
            mark, language, code = block["mark"] or "", block["language"], block["code"]
            line = text.count("\n", 0, block.start("fence")) + 1
            try:
                if mark == "output":
                    if printed is None or printed.strip() != code.strip():
                        raise Failure(f"the page says\n{code}but the block before prints\n{printed}")
                elif language not in CPP | {"python"} or re.match(r"not compiled: \S", mark):
                    continue
                elif language == "python" and mark == "snippet: run":
                    printed = execute([python, "-c", code], folder, "running")
                elif language in CPP and mark == "snippet: compile":
                    kept.append(code)
                    printed = run_cpp(program(kept, ""), link=False)
                elif language in CPP and mark == "snippet: run":
                    printed = run_cpp(program(kept, code))
                elif language in CPP and (component := mark.removeprefix("snippet: run with ")) in COMPONENTS:
                    printed = None
                    if not has(component):
                        continue
                    printed = run_cpp(program(kept, code), libraries=COMPONENTS[component][1:])
                elif language in CPP and re.search(r"\bint main\b", code):
                    printed = run_cpp(code)
                else:
                    raise Failure("neither a program nor marked; snippets.py says how to mark it")
                ran += 1
            except (Failure, OSError, subprocess.TimeoutExpired) as error:
                failures.append((line, str(error)))
    return failures, ran


if __name__ == "__main__":
    page, python, *compiler = sys.argv[1:]
    failures, ran = check_page(pathlib.Path(page).read_text(encoding="utf-8"), python, compiler)
    for line, message in failures:
        print(f"{page}:{line}: {message}")
    print(f"{ran} blocks compiled or ran, {len(failures)} failures")
    sys.exit(1 if failures else 0)
