#!/usr/bin/env python3
# SPDX-License-Identifier: BSL-1.0
# tests/house/one_header.py: the compile lines of README.md, "One header", hold where there is nothing of tidemark but that header.
"""one_header.py <root> [folder of a dependency's headers ...]"""
import os
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile

root, *folders = sys.argv[1:]
elsewhere = ":".join(folder for folder in folders if folder != "/usr/include")
environment = {**os.environ, **({"CPATH": elsewhere} if elsewhere else {})}
section = re.search(r"^### One header$(.*?)^#", pathlib.Path(root, "README.md").read_text(encoding="utf-8"), re.M | re.S)
lines = re.findall(r"^    (.+)$", section[1], re.M) if section else []
if not any(line.startswith("g++ ") for line in lines):
    sys.exit("README.md has no compile line under `### One header`")
with tempfile.TemporaryDirectory() as scratch:
    for path in ("single_include/tidemark/tidemark.hpp", "examples/quickstart.cpp"):
        pathlib.Path(scratch, path).parent.mkdir(parents=True)
        shutil.copy(pathlib.Path(root, path), pathlib.Path(scratch, path))
    for line in lines:
        subprocess.run(line, shell=True, check=True, cwd=scratch, env=environment)
