# SPDX-License-Identifier: BSL-1.0
# tests/discover.py: lists the TEST_CASEs of a doctest executable as ctest tests, whatever their names hold.
"""discover.py <executable> <file to write> <label> [NAME=value ...]

doctest's own script loses names with commas, brackets or semicolons. Here a name is a CMake bracket argument, and a
character that doctest's filter gives a meaning is replaced by `?`, which matches any one character.
"""
import re
import subprocess
import sys

SECONDS = 600  # a case that takes longer hangs


def bracket(text):
    """`text` as a CMake bracket argument, with enough equals signs."""
    fence = "="
    while "]" + fence + "]" in text or text.endswith("]" + fence):
        fence += "="
    return f"[{fence}[{text}]{fence}]"


def main(executable, target, label, *environment):
    listing = subprocess.run([executable, "--list-test-cases", "--no-colors=true"], check=True, text=True, stdout=subprocess.PIPE).stdout
    names = [line for line in listing.splitlines() if line and not line.startswith("[doctest]") and set(line) != {"="}]
    folded = [name.casefold() for name in names]
    twice = sorted({name for name in names if folded.count(name.casefold()) > 1})
    if twice:
        sys.exit("two TEST_CASEs of one floor have the same name: " + "; ".join(twice))
    with open(target, "w", encoding="utf-8") as out:
        for name in names:
            test = bracket(f"{label}: {name}")
            pattern = re.sub(r'[,"\\*;\[\]]', "?", name)
            out.write(f"add_test({test} {bracket(executable)} {bracket('--test-case=' + pattern)} --no-intro=true)\n")
            # doctest succeeds when its filter matches nothing; here that is a failure.
            out.write(f"set_tests_properties({test} PROPERTIES LABELS {bracket(label)} TIMEOUT {SECONDS}"
                      f" FAIL_REGULAR_EXPRESSION {bracket('test cases: +0 ')}"
                      f" ENVIRONMENT {bracket(';'.join(environment))})\n")


if __name__ == "__main__":
    main(*sys.argv[1:])
