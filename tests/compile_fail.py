# SPDX-License-Identifier: BSL-1.0
# tests/compile_fail.py: a source that must not compile does not, with the message that it expects; without MUST_FAIL it does.
"""compile_fail.py <source.fail.cpp> <compiler> [flag ...]

The source holds `// expect: text` for every text that the compiler must print, `// unless: pattern of the compiler's version (why)`
where one cannot say it, `// with: flag ...` where it needs more flags, and keeps its one offending line in #ifdef MUST_FAIL:
so it is known that nothing else is wrong with it.
"""
import pathlib
import re
import subprocess
import sys

source, *compiler = sys.argv[1:]
text = pathlib.Path(source).read_text(encoding="utf-8")
version = subprocess.run([*compiler, "--version"], text=True, stdout=subprocess.PIPE).stdout
for unless in re.findall(r"^// unless: (.+?) \((.+)\)$", text, re.M):
    if re.search(unless[0], version):
        print("skipped:", unless[1])
        sys.exit(77)
compiler += " ".join(re.findall(r"^// with: (.+)$", text, re.M)).split()
expected = re.findall(r"^// expect: (.+)$", text, re.M)
twin = subprocess.run([*compiler, "-fsyntax-only", source], text=True, stdout=subprocess.PIPE, stderr=subprocess.STDOUT)
failing = subprocess.run([*compiler, "-fsyntax-only", "-DMUST_FAIL", source], text=True, stdout=subprocess.PIPE, stderr=subprocess.STDOUT)
if not expected:
    sys.exit("no `// expect: text`")
if twin.returncode:
    sys.exit("does not compile without MUST_FAIL\n" + twin.stdout)
if not failing.returncode:
    sys.exit("compiles with MUST_FAIL")
# Compilers break lines and quote differently; white space and quotes are not compared.
printed = re.sub(r"[\s'\"‘’`]+", " ", failing.stdout)
for wanted in expected:
    if re.sub(r"[\s'\"‘’`]+", " ", wanted).strip() not in printed:
        sys.exit(f"does not print: {wanted}\nbut\n{failing.stdout}")
