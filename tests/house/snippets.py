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
import collections
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


def parted(code):
    """The #include lines of `code`, and the rest with a blank line for each of them."""
    lines = code.splitlines()
    return [line for line in lines if line.startswith("#include")], "\n".join("" if line.startswith("#include") else line for line in lines)


def program(kept, statements):
    """One translation unit: the includes of all parts, the declarations, and a main()."""
    parts = [parted(code) for code in (*kept, statements)]
    includes = [line for lines, _ in parts for line in lines]
    return "\n".join(["#include <tidemark/tidemark.hpp>", *includes, "using namespace std::literals;", *(body for _, body in parts[:-1]), "int main() {", parts[-1][1], "}", ""])


def program_of(blocks):
    """One translation unit of all blocks, in their order: it runs the one whose line it is called with. One compilation instead of many."""
    parts = [(block, *parted(block.code)) for block in blocks]
    text = ["#include <tidemark/tidemark.hpp>", "#include <cstdlib>", *(line for _, lines, _ in parts for line in lines), "using namespace std::literals;"]
    for block, _, body in parts:
        text += [body] if block.mark == "snippet: compile" else [f"static int block_at_{block.line}() {{", body, "return 0;", "}"]
    cases = [f"case {block.line}: return block_at_{block.line}();" for block in blocks if block.mark == "snippet: run"]
    return "\n".join([*text, "int main(int, char** argv) {", "switch (std::atoi(argv[1])) {", *cases, "default: return 2;", "}", "}", ""])


def execute(command, folder, what):
    result = subprocess.run(command, cwd=folder, text=True, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, timeout=900)
    if result.returncode:
        raise Failure(f"{what} failed with {result.returncode}\n{result.stdout}")
    return result.stdout


Block = collections.namedtuple("Block", "mark language code line")


def check_page(text, python, compiler):
    """Failures as (line, message), and how many blocks ran."""
    failures, ran, kept, printed = [], 0, [], None
    blocks = [Block(found["mark"] or "", found["language"], found["code"], text.count("\n", 0, found.start("fence")) + 1) for found in BLOCK.finditer(text)]
    with tempfile.TemporaryDirectory() as scratch:
        folder, together = pathlib.Path(scratch, "page"), pathlib.Path(scratch, "together")
        folder.mkdir()

        def build(code, binary, *libraries):
            source = pathlib.Path(scratch, "snippet.cpp")
            source.write_text(code, encoding="utf-8")
            execute([*compiler, "-o", binary, source, *libraries], folder, "compiling")

        def run_cpp(code, *libraries):
            binary = pathlib.Path(scratch, "snippet")
            build(code, binary, *libraries)
            return execute([binary], folder, "running")

        def has(component):
            found = subprocess.run([*compiler, "-E", "-x", "c++", "-"], input=f"#include <{COMPONENTS[component][0]}>", text=True, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
            return found.returncode == 0

        grouped = [block for block in blocks if block.language in CPP and block.mark in ("snippet: compile", "snippet: run")]
        if len(grouped) > 1:
            try:
                build(program_of(grouped), together)
            except Failure:
                together.unlink(missing_ok=True)  # each alone, to see which it is
        for block in blocks:
            mark, language, code = block.mark, block.language, block.code
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
                    printed = "" if together.exists() else run_cpp(program(kept, ""))
                elif language in CPP and mark == "snippet: run":
                    printed = execute([together, str(block.line)], folder, "running") if together.exists() else run_cpp(program(kept, code))
                elif language in CPP and (component := mark.removeprefix("snippet: run with ")) in COMPONENTS:
                    printed = None
                    if not has(component):
                        continue
                    printed = run_cpp(program(kept, code), *COMPONENTS[component][1:])
                elif language in CPP and re.search(r"\bint main\b", code):
                    printed = run_cpp(code)
                else:
                    raise Failure("neither a program nor marked; snippets.py says how to mark it")
                ran += 1
            except (Failure, OSError, subprocess.TimeoutExpired) as error:
                failures.append((block.line, str(error)))
    return failures, ran


if __name__ == "__main__":
    page, python, *compiler = sys.argv[1:]
    failures, ran = check_page(pathlib.Path(page).read_text(encoding="utf-8"), python, compiler)
    for line, message in failures:
        print(f"{page}:{line}: {message}")
    print(f"{ran} blocks compiled or ran, {len(failures)} failures")
    sys.exit(1 if failures else 0)
