#!/usr/bin/env python3
# SPDX-License-Identifier: BSL-1.0
# tests/whole/foreign_weights.test.py: what Python's safetensors writes loads by name, and what is exported opens there.
"""foreign_weights.test.py PROGRAM PYTHON: PROGRAM is the built foreign_weights.cpp, PYTHON one with numpy and safetensors."""
import os
import pathlib
import subprocess
import sys
import tempfile
import unittest

if len(sys.argv) == 3:
    os.execv(sys.argv[2], [sys.argv[2], "-B", __file__, sys.argv[1]])  # -B: no __pycache__ in the source tree

import numpy
import safetensors
from safetensors import deserialize, safe_open, serialize_file

PROGRAM = pathlib.Path(sys.argv.pop(1)).resolve()

# dtype in the file, as safetensors calls it when it writes, bytes of an element.
DTYPES = {"BOOL": ("bool", 1), "U8": ("uint8", 1), "I8": ("int8", 1), "U16": ("uint16", 2), "I16": ("int16", 2), "U32": ("uint32", 4),
          "I32": ("int32", 4), "U64": ("uint64", 8), "I64": ("int64", 8), "F16": ("float16", 2), "BF16": ("bfloat16", 2), "F32": ("float32", 4),
          "F64": ("float64", 8), "C64": ("complex64", 8), "F8_E4M3": ("float8_e4m3fn", 1), "F8_E5M2": ("float8_e5m2", 1)}
SHAPES = {"scalar": [], "vector": [5], "empty": [0, 7], "matrix": [2, 4, 3]}
ARRAYS = SHAPES.keys() - {"scalar"}


def content(seed):
    """Every dtype in every shape, with random bits; bools are 0 and 1."""
    draw = numpy.random.default_rng(seed)
    tensors = {}
    for dtype, (written, size) in DTYPES.items():
        for name, shape in SHAPES.items():
            count = int(numpy.prod(shape, dtype=int)) * size
            tensors[f"{dtype}.{name}"] = (written, shape, draw.integers(0, 2 if dtype == "BOOL" else 256, count, "u1").tobytes())
    return tensors


class ForeignWeights(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.file, self.exported = pathlib.Path(folder.name, "in"), pathlib.Path(folder.name, "out")

    def written(self, tensors):
        arrays = {name: numpy.frombuffer(data, "u1") for name, (_, _, data) in tensors.items()}  # what the addresses below point into

        def spec(name, dtype, shape, data):
            if hasattr(safetensors, "TensorSpec"):  # 0.8 and later
                return safetensors.TensorSpec(dtype=dtype, shape=shape, data_ptr=arrays[name].ctypes.data, data_len=len(data))
            return {"dtype": dtype, "shape": shape, "data": data}
        serialize_file({name: spec(name, *tensor) for name, tensor in tensors.items()}, self.file, {"format": "pt"})

    def run_program(self, *arguments):
        return subprocess.run([PROGRAM, *arguments], capture_output=True, text=True, timeout=60)

    def test_every_dtype_and_shape_loads_with_every_bit(self):
        for seed in range(20):
            tensors = content(seed)
            tensors["more"] = ("float32", [1], bytes(4))
            self.written(tensors)
            result = self.run_program(self.file)
            self.assertEqual((result.stderr, result.returncode), ("", 0))
            lines = result.stdout.splitlines()
            self.assertEqual(lines[:2], [f"filled {len(tensors) - 1}", "unused more"])
            del tensors["more"]
            self.assertEqual(dict(line.split(" ") for line in lines[2:]), {name: data.hex() for name, (_, _, data) in tensors.items()})

    def test_each_other_dtype_is_refused_in_the_place_of_each(self):
        tensors = content(1)
        for dtype, (_, size) in DTYPES.items():
            for other, (written, other_size) in DTYPES.items():
                if other == dtype or other_size != size:
                    continue
                name = f"{dtype}.vector"
                self.written({**tensors, name: (written, SHAPES["vector"], tensors[name][2])})
                result = self.run_program(self.file)
                self.assertEqual(result.returncode, 1, (dtype, other))
                self.assertIn(f"different             {name}", result.stderr)
                self.assertIn(f"{other} [5] there, {dtype} [any] here", result.stderr)

    def test_an_export_opens_in_python_with_every_array_and_nothing_else(self):
        tensors = content(7)
        self.written(tensors)
        self.assertEqual(self.run_program(self.file, self.exported).returncode, 0)
        arrays = {name: tensor for name, tensor in tensors.items() if name.partition(".")[2] in ARRAYS}
        with safe_open(self.exported, "numpy") as file:
            self.assertEqual(file.metadata(), {"format": "pt", "by": "tidemark"})
            self.assertEqual(set(file.keys()), arrays.keys())
            for name, (_, shape, data) in arrays.items():
                dtype, _, kind = name.partition(".")
                part = file.get_slice(name)
                self.assertEqual((part.get_dtype(), part.get_shape()), (dtype, {"vector": [5], "empty": [0], "matrix": [8, 3]}[kind]))
                if dtype in ("BF16", "F8_E4M3", "F8_E5M2"):  # NumPy has none; their bits are compared below
                    continue
                self.assertEqual(file.get_tensor(name).tobytes(), data)
        result = self.run_program(self.exported)  # the scalars are not there, and each is named
        self.assertEqual(result.returncode, 1)
        for dtype in DTYPES:
            self.assertIn(f"missing in the file   {dtype}.scalar ", result.stderr)
        back = {name: bytes(tensor["data"]) for name, tensor in deserialize(self.exported.read_bytes())}
        self.assertEqual(back, {name: data for name, (_, _, data) in arrays.items()})


if __name__ == "__main__":
    unittest.main()
