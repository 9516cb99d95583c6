#!/usr/bin/env python3
# SPDX-License-Identifier: BSL-1.0
# tests/house/snippets_selftest.py <compiler> [flag ...]: a page that is right passes, and each way of being wrong is seen.
import pathlib
import sys
import tempfile

import snippets


def page(mark, language, code, tail=""):
    return (f"<!-- {mark} -->\n\n" if mark else "") + f"```{language}\n{code}\n```\n{tail}"


HELLO = page("", "cpp", '#include <cstdio>\n#include <fstream>\nint main() { std::ofstream{"left"} << 5; std::puts("hello"); }')
DECLARES = page("snippet: compile", "cpp", "#include <string>\nstruct thing { int n = 3; };")
RIGHT = {  # page: blocks that run
    HELLO: 1,
    HELLO + page("output", "text", "hello"): 2,
    HELLO + page("snippet: run", "python", 'print(open("left").read())') + page("output", "text", "5"): 3,
    DECLARES + page("snippet: run", "cpp", "#include <cstdio>\nthing t; std::puts(std::to_string(t.n).c_str());") + page("output", "text", "3"): 3,
    DECLARES + page("snippet: run", "cpp", 'std::ofstream{"n"} << thing{}.n;\n#include <fstream>') + page("snippet: run", "python", 'print(open("n").read())') + page("output", "text", "3")
    + page("snippet: run", "cpp", "return thing{}.n - 3;"): 5,
    page("not compiled: it is a sketch", "cpp", "auto x = ...;") + page("", "sh", "make test") + page("", "", "plain"): 0,
}
WRONG = [
    page("", "cpp", "int x;"),
    page("", "c++", "int x;"),
    page("", "python", "print(1)"),
    page("not compiled:", "cpp", "int x;"),
    page("snippet: complie", "cpp", "int x;"),
    page("", "cpp", "int main() { return undeclared; }"),
    page("", "cpp", "int main() { return 1; }"),
    page("snippet: compile", "cpp", "struct { broken;"),
    page("snippet: run", "cpp", "return 1;"),
    DECLARES + page("snippet: run", "cpp", "return thing{}.n - 2;") + page("snippet: run", "cpp", "return thing{}.n - 3;"),
    page("snippet: run", "cpp", "thing t;\nreturn t.n - 3;") + DECLARES + page("snippet: run", "cpp", "return thing{}.n - 3;"),  # declared too late
    page("snippet: run with no_such_component", "cpp", "return 0;"),
    page("snippet: run", "python", "raise SystemExit(1)"),
    HELLO + page("output", "text", "goodbye"),
    page("output", "text", "nothing before"),
]


def main(*compiler):
    failures = []
    with tempfile.TemporaryDirectory() as folder:  # a facade of one line: this tests snippets.py, not the library
        pathlib.Path(folder, "tidemark").mkdir()
        pathlib.Path(folder, "tidemark/tidemark.hpp").write_text("#include <string>\n")
        compiler = [*compiler[:1], "-I" + folder, *compiler[1:]] if "ccache" not in compiler[0] else [*compiler[:2], "-I" + folder, *compiler[2:]]
        for text, expected in RIGHT.items():
            seen, ran = snippets.check_page(text, sys.executable, compiler)
            if seen or ran != expected:
                failures.append(f"refused, or {ran} instead of {expected} ran: {text}\n{seen}")
        for text in WRONG:
            if len(snippets.check_page(text, sys.executable, compiler)[0]) != 1:
                failures.append(f"unseen: {text}")
    print("\n".join(failures) or f"{len(RIGHT)} right pages pass, {len(WRONG)} wrong ones do not")
    return 1 if failures else 0


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
