#!/usr/bin/env python3
# SPDX-License-Identifier: BSL-1.0
# tests/house/consume.py: configures, builds and runs the stranger's project in consumer/ from a fresh build folder.
"""consume.py <build folder> [cmake option ...]"""
import pathlib
import shutil
import subprocess
import sys

source = pathlib.Path(__file__).resolve().parent / "consumer"
build, *options = sys.argv[1:]
shutil.rmtree(build, ignore_errors=True)
for command in (["cmake", "-S", source, "-B", build, *options], ["cmake", "--build", build], ["./consumer"], ["./consumer_compiled"]):
    if command == ["./consumer_compiled"] and not pathlib.Path(build, command[0]).exists():
        continue
    code = subprocess.run(command, cwd=build if command[0].startswith("./") else None).returncode
    if code:
        sys.exit(f"failed with {code}: {' '.join(map(str, command))}")
