#!/usr/bin/env python3
# SPDX-License-Identifier: BSL-1.0
# tests/house/floors_selftest.py: breaks every rule of floors.py once, in a scratch repository, and fails when that goes unseen.
import pathlib
import sys
import tempfile

import floors

SPDX = "// SPDX-License-Identifier: BSL-1.0\n"


def header(path, *body, guard=None):
    guard = guard or path.replace("/", "_").replace(".", "_").upper()
    return SPDX + f"// {path}: a header.\n#ifndef {guard}\n#define {guard}\n" + "".join(line + "\n" for line in body) + "#endif\n"


def defined_by(stem):
    return "", "#ifndef TIDEMARK_COMPILED", f"#include <tidemark/{stem}.ipp>", "#endif"


def definitions(stem, *body):
    return header(f"tidemark/{stem}.ipp", f"#include <tidemark/{stem}.hpp>", *body)


def good():
    """A repository that keeps every rule, as {path: text}; each floor includes what its row names."""
    tree = {
        "CMakeLists.txt": "# SPDX-License-Identifier: BSL-1.0\n# Builds.\nproject(tidemark VERSION 1.2.3)\n",
        "vcpkg.json": '{"version": "1.2.3"}\n',
        "conanfile.py": '# SPDX-License-Identifier: BSL-1.0\n# Packs.\nversion = "1.2.3"\n',
        "include/tidemark/tidemark.hpp": header("tidemark/tidemark.hpp", "#include <tidemark/run/a.hpp>"),
        "include/tidemark/store.hpp": header("tidemark/store.hpp", "#include <tidemark/store/a.hpp>"),
        "tests/store/b.test.cpp": SPDX + "// A test that includes its floor's facade.\n#include <tidemark/store.hpp>\n",
        "tests/whole/a.test.cpp": SPDX + "// A test across floors.\n#include <tidemark/tidemark.hpp>\n#include <tidemark/zstd/a.hpp>\n",
        "examples/a/a.cpp": SPDX + '// An example.\n#include <tidemark/tidemark.hpp>\n#include "a.hpp"\n#include <unistd.h>\n',
        "docs/a.md": "The root / and work/ and /worker and https://example.org/root/x are fine.\n",
    }
    for floor, row in floors.FLOORS.items():
        includes = [f"#include <tidemark/{below}/a.hpp>" for below in (["run"] if row is floors.ANY else row)]
        extra = {"reflect": "boost/pfr/core.hpp", "format": "rapidjson/reader.h", "sink": "unistd.h", "zstd": "zstd.h"}.get(floor, "vector")
        tree[f"include/tidemark/{floor}/a.hpp"] = header(f"tidemark/{floor}/a.hpp", *includes, f"#include <{extra}>", "// #include <tidemark/run/a.hpp>",
                                                         'inline auto raw = R"(', "#include <tidemark/run/a.hpp>", ')";')
        tree[f"tests/{floor}/a.test.cpp"] = SPDX + f"// Tests {floor}.\n#include <tidemark/{floor}/a.hpp>\n#include <doctest/doctest.h>\n#include \"support/a.hpp\"\n"
    tree["include/tidemark/core/version.hpp"] = header("tidemark/core/version.hpp", "inline constexpr library_version version{1, 2, 3};")
    tree["include/tidemark/core/linkage.hpp"] = header("tidemark/core/linkage.hpp", "#ifdef TIDEMARK_COMPILED", "#define TIDEMARK_DETAIL_INLINE", "#endif")
    tree["include/tidemark/core/digest.hpp"] = header("tidemark/core/digest.hpp", "#ifdef TIDEMARK_COMPILED", "extern template int f(int);", "#endif", *defined_by("core/digest"))
    tree["include/tidemark/core/digest.ipp"] = definitions("core/digest", "#include <xxhash.h>", "#ifdef TIDEMARK_COMPILED", "template int f(int);", "#endif")
    tree["include/tidemark/definitions.hpp"] = header("tidemark/definitions.hpp", "#include <tidemark/core/digest.ipp>")
    tree["tests/core/version.test.cpp"] = tree["tests/core/digest.test.cpp"] = tree["tests/core/linkage.test.cpp"] = SPDX + "// Tests.\n"
    return tree


def violations(folder, changes, exceptions=()):
    """(path, rule) of what is seen in the good repository at `folder` while `changes` are in it."""
    tree = good()
    for path, text in changes.items():
        pathlib.Path(folder, path).parent.mkdir(parents=True, exist_ok=True)
        pathlib.Path(folder, path).write_text(text)
    seen = [(path, rule) for path, _, rule, _ in floors.check(folder, dict(exceptions))]
    for path in changes:
        pathlib.Path(folder, path).write_text(tree[path]) if path in tree else pathlib.Path(folder, path).unlink()
    return seen


def core(*body):
    return {"include/tidemark/core/a.hpp": header("tidemark/core/a.hpp", *body)}


def included(floor, line):
    return {f"include/tidemark/{floor}/a.hpp": header(f"tidemark/{floor}/a.hpp", f"#include {line}")}


def breakages():
    """(rule, files that break it)."""
    for floor, row in floors.FLOORS.items():  # every edge that the table does not allow, one by one
        if row is not floors.ANY:
            for other in floors.FLOORS.keys() - floors.reachable(floor):
                yield "floor", included(floor, f"<tidemark/{other}/a.hpp>")
    yield "floor", {"tests/core/a.test.cpp": SPDX + "// A test.\n#include <tidemark/store/a.hpp>\n"}
    yield "floor", core("#include <tidemark/tidemark.hpp>")
    yield "floor", included("store", "<tidemark/store.hpp>")
    yield "floor", {"include/tidemark/store.hpp": header("tidemark/store.hpp", "#include <tidemark/run/a.hpp>")}
    yield "floor", {"tests/core/a.test.cpp": SPDX + "// A test.\n#include <tidemark/store.hpp>\n"}
    yield "floor", core("  #  include   <tidemark/run/a.hpp>  // spaced")
    yield "floor", core("#include \\", "<tidemark/run/a.hpp>")
    yield "floor", core("/* a comment before */ int n = 1'000; /* and */", "#include <tidemark/run/a.hpp>")
    yield "spelling", core('#include "../run/a.hpp"')
    yield "spelling", core('#include "tidemark/run/a.hpp"')
    yield "include", core("#include NAME")
    yield "missing", core("#include <tidemark/core/nowhere.hpp>")
    for line in ("<boost/pfr.hpp>", "<xxhash.h>", "<rapidjson/writer.h>", "<unistd.h>", "<sys/mman.h>", "<fcntl.h>", "<windows.h>", "<zstd.h>", "<fmt/core.h>"):
        yield "foreign", core(f"#include {line}")
    yield "foreign", included("reflect", "<boost/hana.hpp>")
    yield "foreign", included("sink", "<rapidjson/writer.h>")
    yield "foreign", included("format", "<xxhash.h>")
    yield "facade", {"include/tidemark/more.hpp": header("tidemark/more.hpp", "#include <tidemark/run/a.hpp>", "int x;")}
    yield "facade", {"include/tidemark/more.hpp": header("tidemark/more.hpp", "#include <vector>")}
    yield "guard", {"include/tidemark/core/a.hpp": header("tidemark/core/a.hpp", guard="TIDEMARK_A_HPP")}
    yield "guard", {"include/tidemark/core/a.hpp": SPDX + "// A header.\n#pragma once\n"}
    yield "guard", {"tests/support/a.hpp": SPDX + "// A helper.\n#pragma once\n"}
    yield "length", core(*["// more"] * floors.LINES)
    yield "conditional", core("#if 1", "#include <tidemark/core/version.hpp>", "#endif")
    yield "flag", core("#ifdef TIDEMARK_WITH_ZSTD", "#endif")
    yield "flag", core("#if __has_include(<zstd.h>)", "#endif")
    digest = "include/tidemark/core/digest"
    yield "flag", core("#ifdef TIDEMARK_COMPILED", "int f();", "#endif")
    yield "flag", core("#ifndef TIDEMARK_COMPILED", "extern template int f(int);", "#endif")
    yield "flag", {digest + ".ipp": definitions("core/digest", "#ifdef TIDEMARK_COMPILED", "int f() {}", "#endif")}
    yield "definitions", {digest + ".hpp": header("tidemark/core/digest.hpp")}
    yield "definitions", {digest + ".hpp": header("tidemark/core/digest.hpp", "#include <tidemark/core/digest.ipp>")}
    yield "definitions", {digest + ".ipp": header("tidemark/core/digest.ipp", "#include <vector>", "#include <tidemark/core/digest.hpp>")}
    yield "definitions", {"include/tidemark/definitions.hpp": header("tidemark/definitions.hpp")}
    yield "foreign", {digest + ".ipp": definitions("core/digest", "#include <unistd.h>")}
    yield "floor", {digest + ".ipp": definitions("core/digest", "#include <tidemark/run/a.hpp>")}
    yield "length", {digest + ".ipp": definitions("core/digest", *["// more"] * floors.LINES)}
    yield "guard", {digest + ".ipp": SPDX + "// Definitions.\n#include <tidemark/core/digest.hpp>\n"}
    yield "spdx", {digest + ".ipp": definitions("core/digest").replace(SPDX, "")}
    yield "untested", {"include/tidemark/core/b.hpp": header("tidemark/core/b.hpp")}
    yield "unknown", {"include/tidemark/attic/a.hpp": header("tidemark/attic/a.hpp"), "tests/attic/a.test.cpp": SPDX + "// A test.\n"}
    yield "spdx", {"tests/core/a.test.cpp": "// A test.\n"}
    yield "spdx", {"tests/core/a.test.cpp": ""}
    yield "spdx", {".ci/a": "#!/bin/sh\n# Runs.\n"}
    yield "spdx", {"CMakeLists.txt": "project(tidemark VERSION 1.2.3)\n"}
    yield "purpose", {"tests/core/a.test.cpp": SPDX + "#include <vector>\n"}
    yield "purpose", {"examples/a/b.py": "#!/usr/bin/env python3\n# SPDX-License-Identifier: BSL-1.0\nimport sys\n"}
    yield "purpose", {"examples/a/a.py": "# SPDX-License-Identifier: BSL-1.0\nprint()\n"}
    for folder in ("work", "root"):
        yield "machine", {"docs/a.md": f"see /{folder}/main\n"}
        yield "machine", {"CMakePresets.json": f'"/{folder}/x"\n'}
    yield "top", {"src/a.txt": ""}
    yield "version", {"vcpkg.json": '{"version": "1.2.4"}\n'}
    yield "version", {"conanfile.py": "# SPDX-License-Identifier: BSL-1.0\n# Packs.\n"}


def check(folder):
    for path, text in good().items():
        pathlib.Path(folder, path).parent.mkdir(parents=True, exist_ok=True)
        pathlib.Path(folder, path).write_text(text)
    failures, count = [], 0
    if seen := violations(folder, {}):
        failures.append(f"the repository that keeps every rule is refused: {seen}")
    for rule, files in breakages():
        count += 1
        rules = {r for _, r in violations(folder, files)}
        if rules != {rule}:
            failures.append(f"expected a violation of {rule} alone, found {rules or 'none'}, for {files}")
    path = "include/tidemark/core/a.hpp"
    excused = {("length", path): "generated"}
    if violations(folder, core(*["// more"] * floors.LINES), excused):
        failures.append("an exception excuses nothing")
    if violations(folder, {}, excused) != [(path, "exception")]:
        failures.append("a stale exception goes unseen")
    print("\n".join(failures[:10]) or f"{count} violations, each seen")
    return 1 if failures else 0


if __name__ == "__main__":
    with tempfile.TemporaryDirectory() as scratch:
        sys.exit(check(scratch))
