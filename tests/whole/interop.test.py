#!/usr/bin/env python3
# SPDX-License-Identifier: BSL-1.0
# tests/whole/interop.test.py: our files in the official reader of safetensors, and its files in archive_view, for every dtype.
"""interop.test.py PROGRAM PYTHON: PROGRAM is the built interop.cpp, PYTHON one with numpy and safetensors, perhaps with torch."""
import json
import os
import pathlib
import struct
import subprocess
import sys
import tempfile
import unittest

if len(sys.argv) == 3:
    os.execv(sys.argv[2], [sys.argv[2], "-B", __file__, sys.argv[1]])  # -B: no __pycache__ in the source tree

import numpy
import safetensors
import safetensors.numpy

try:
    import torch
    import safetensors.torch
except ImportError as missing:
    torch = None
    print(f"the torch flavour is left out: {missing}")

PROGRAM = pathlib.Path(sys.argv[1]).resolve()
BITS = {"BOOL": 8, "F4": 4, "F6_E2M3": 6, "F6_E3M2": 6, "U8": 8, "I8": 8, "F8_E5M2": 8, "F8_E4M3": 8, "F8_E8M0": 8, "F8_E4M3FNUZ": 8, "F8_E5M2FNUZ": 8, "I16": 16,
        "U16": 16, "F16": 16, "BF16": 16, "I32": 32, "U32": 32, "F32": 32, "C64": 64, "F64": 64, "I64": 64, "U64": 64}
NUMPY = {"BOOL": "?", "U8": "u1", "I8": "i1", "I16": "<i2", "U16": "<u2", "F16": "<f2", "I32": "<i4", "U32": "<u4", "F32": "<f4", "C64": "<c8", "F64": "<f8",
         "I64": "<i8", "U64": "<u8"}
TORCH = {"BOOL": "bool", "U8": "uint8", "I8": "int8", "F8_E5M2": "float8_e5m2", "F8_E4M3": "float8_e4m3fn", "F8_E8M0": "float8_e8m0fnu",
         "F8_E4M3FNUZ": "float8_e4m3fnuz", "F8_E5M2FNUZ": "float8_e5m2fnuz", "I16": "int16", "U16": "uint16", "F16": "float16", "BF16": "bfloat16", "I32": "int32",
         "U32": "uint32", "F32": "float32", "C64": "complex64", "F64": "float64", "I64": "int64", "U64": "uint64"}


def run(*command):
    return subprocess.run([PROGRAM, *command], capture_output=True, text=True, encoding="utf-8", timeout=300)


def ours(path):
    """{name: (dtype, shape, bytes)} and the metadata as archive_view sees them; nothing where it refuses the file."""
    result = run("list", path)
    if result.returncode != 0:
        assert result.returncode == 1 and result.stderr.startswith("tidemark: cannot "), result.stderr
        return None
    tensors, metadata = {}, {}
    for line in result.stdout.splitlines():
        kind, name, *rest = line.split(" ")
        name = bytes.fromhex(name.strip("'")).decode()
        if kind == "metadata":
            metadata[name] = bytes.fromhex(rest[0].strip("'")).decode()
        else:
            tensors[name] = rest[0], [int(n) for n in rest[1].strip("[]").split(",") if n], bytes.fromhex(rest[2].strip("'"))
    return tensors, metadata


def theirs(content):
    """The same by the official reader."""
    try:
        return {name: (t["dtype"], list(t["shape"]), bytes(t["data"])) for name, t in safetensors.deserialize(content)}
    except safetensors.SafetensorError:
        return None


def file_of(header, data=b"", padding=b""):
    text = header if isinstance(header, bytes) else (header if isinstance(header, str) else json.dumps(header)).encode()
    return struct.pack("<Q", len(text) + len(padding)) + text + padding + data


def entry(dtype, shape, begin, end):
    return {"dtype": dtype, "shape": shape, "data_offsets": [begin, end]}


def counted(dtype, first, count):
    """The bytes of the numbers first, first + 1, ...: of types that numpy lacks, of their bits, as interop.cpp has them."""
    numbers = numpy.arange(first, first + count)
    if dtype == "C64" or dtype not in NUMPY or dtype == "F16":
        return numbers.astype({8: "u1", 16: "<u2", 64: "<u8"}[BITS[dtype]]).tobytes()
    return numbers.astype(NUMPY[dtype]).tobytes()


class Ours(unittest.TestCase):
    """Files of the library in the official reader."""

    def setUp(self):
        self.content = (FOLDER / "dtypes.safetensors").read_bytes()

    def test_of_every_dtype_that_a_state_can_have(self):
        tensors = theirs(self.content)
        for dtype in BITS.keys() - {"F4", "F6_E2M3", "F6_E3M2", "BOOL"}:
            name = dtype.lower()
            self.assertEqual(tensors[f"{name}.scalar"], (dtype, [], counted(dtype, 0, 1)), dtype)
            self.assertEqual(tensors[f"{name}.empty"], (dtype, [0], b""))
            self.assertEqual(tensors[f"{name}.row"], (dtype, [3], counted(dtype, 1, 3)))
            self.assertEqual(tensors[f"{name}.matrix"], (dtype, [2, 2], counted(dtype, 4, 4)))
        self.assertEqual(tensors["boolean.row"], ("BOOL", [3], b"\1\0\1"))
        self.assertEqual(tensors["boolean.matrix"], ("BOOL", [2, 2], b"\0\1\1\1"))
        listed, metadata = ours(FOLDER / "dtypes.safetensors")
        self.assertEqual(listed, {name: t for name, t in tensors.items() if name != "tidemark#digests"})
        self.assertEqual(metadata["step"], "5")

    def test_as_numpy_arrays(self):
        with safetensors.safe_open(FOLDER / "dtypes.safetensors", "numpy") as file:
            self.assertEqual(file.metadata()["format"], "pt")
            for dtype in NUMPY.keys() - {"BOOL", "F16", "C64"}:
                array = file.get_tensor(f"{dtype.lower()}.matrix")
                self.assertEqual((array.dtype, array.tolist()), (numpy.dtype(NUMPY[dtype]), [[4, 5], [6, 7]]), dtype)
                self.assertEqual(file.get_tensor(f"{dtype.lower()}.scalar").shape, ())
                self.assertEqual(file.get_tensor(f"{dtype.lower()}.empty").shape, (0,))

    @unittest.skipIf(torch is None, "there is no torch here")
    def test_as_torch_tensors(self):
        tensors = safetensors.torch.load_file(FOLDER / "dtypes.safetensors")
        for dtype, name in TORCH.items():
            tensor = tensors[("boolean" if dtype == "BOOL" else dtype.lower()) + ".matrix"]
            self.assertEqual((tensor.dtype, tuple(tensor.shape)), (getattr(torch, name), (2, 2)), dtype)
            if dtype != "BOOL":
                self.assertEqual(tensor.view(torch.uint8).numpy().tobytes(), counted(dtype, 4, 4), dtype)

    def test_with_hostile_names(self):
        path = FOLDER / "names.safetensors"
        tensors = theirs(path.read_bytes())
        with safetensors.safe_open(path, "numpy") as file:
            self.assertEqual(set(file.keys()), set(tensors))
        values = [name for name in tensors if name.startswith("#root.")]
        self.assertEqual(len(values), 21)
        self.assertEqual(len({tensors[name][2] for name in values}), 21)  # each has its own
        for name in ("a.b", "%23", "%25", "%2523", "%0A", "%00", "a%00b", "%7F", "%FF", "%C3", "\u00e9", "%ED%A0%80", '"', "\\", "", "/../../etc", "__metadata__",
                     "tidemark%23digests", "x" * 65536, "%FF" * 65536):
            self.assertIn("#root." + name, tensors)

    def test_are_still_verified_when_the_official_writer_has_saved_them_again(self):
        for name in ("dtypes", "names"):
            tensors = theirs((FOLDER / f"{name}.safetensors").read_bytes())
            with safetensors.safe_open(FOLDER / f"{name}.safetensors", "numpy") as file:
                metadata = file.metadata()
            again = FOLDER / "again"
            again.write_bytes(serialized(tensors, metadata))
            self.assertEqual(theirs(again.read_bytes()), tensors)
            result = run("verify", again)
            self.assertEqual((result.returncode, result.stderr), (0, ""), name)


# How safetensors.serialize spells dtypes.
SERIALIZED = {"BOOL": "bool", "U8": "uint8", "I8": "int8", "I16": "int16", "U16": "uint16", "F16": "float16", "BF16": "bfloat16", "I32": "int32", "U32": "uint32",
              "F32": "float32", "F64": "float64", "I64": "int64", "U64": "uint64", "C64": "complex64", "F8_E5M2": "float8_e5m2", "F8_E4M3": "float8_e4m3fn",
              "F8_E8M0": "float8_e8m0fnu", "F8_E4M3FNUZ": "float8_e4m3fnuz", "F8_E5M2FNUZ": "float8_e5m2fnuz"}


def serialized(tensors, metadata):
    """What the official writer, the one below its flavours, makes of tensors as `theirs` gives them."""
    if not hasattr(safetensors, "TensorSpec"):  # before 0.8
        specs = {name: {"dtype": SERIALIZED[dtype], "shape": shape, "data": data} for name, (dtype, shape, data) in tensors.items()}
        return safetensors.serialize(specs, metadata)
    alive = {name: numpy.frombuffer(data + b"\0", "u1") for name, (_, _, data) in tensors.items()}
    specs = {name: safetensors.TensorSpec(dtype=SERIALIZED[dtype], shape=shape, data_ptr=alive[name].ctypes.data, data_len=len(data))
             for name, (dtype, shape, data) in tensors.items()}
    return bytes(safetensors.serialize(specs, metadata))


class Theirs(unittest.TestCase):
    """Files of the official writer, and any that its reader takes, in archive_view."""

    def test_from_numpy_of_every_dtype_and_shape(self):
        arrays = {}
        for dtype, spelled in NUMPY.items():
            for shape in ((), (0,), (3, 0), (5,), (2, 3), (2, 1, 2)):
                arrays[f"{dtype} {shape}"] = (numpy.arange(numpy.prod(shape, dtype=int)) % 2).astype(spelled).reshape(shape)
        path = FOLDER / "numpy.safetensors"
        for metadata in (None, {"k": "v", "\u00e9 \"\n": ""}):
            safetensors.numpy.save_file(arrays, path, metadata)
            tensors, found = ours(path)
            self.assertEqual(found, metadata or {})
            self.assertEqual(tensors, {name: (name.split(" ")[0], list(array.shape), array.tobytes()) for name, array in arrays.items()})

    @unittest.skipIf(torch is None, "there is no torch here")
    def test_from_torch_of_every_dtype_and_shape(self):
        tensors = {}
        for dtype, spelled in TORCH.items():
            for shape in ((), (0,), (3, 0), (5,), (2, 3), (2, 1, 2)):
                count = int(numpy.prod(shape, dtype=int))
                raw = torch.arange(count * BITS[dtype] // 8, dtype=torch.uint8) % 2
                tensors[f"{dtype} {shape}"] = raw.view(getattr(torch, spelled)).reshape(shape) if count else torch.empty(shape, dtype=getattr(torch, spelled))
        path = FOLDER / "torch.safetensors"
        safetensors.torch.save_file(tensors, path, {"format": "pt"})
        found, metadata = ours(path)
        self.assertEqual(metadata, {"format": "pt"})
        self.assertEqual(found.keys(), tensors.keys())
        for name, (dtype, shape, content) in found.items():
            self.assertEqual((dtype, shape), (name.split(" ")[0], list(tensors[name].shape)))
            self.assertEqual(content, bytes(i % 2 for i in range(len(content))))

    def check(self, what, content, expected=True):
        """Both take the file and see the same, or both refuse it."""
        path = FOLDER / "crafted"
        path.write_bytes(content)
        official, own = theirs(content), ours(path)
        self.assertEqual(official is not None, expected, what)
        self.assertEqual(own is not None, expected, what)
        if expected:
            self.assertEqual(own[0], official, what)

    def test_every_dtype_by_name_with_whole_bytes_and_without(self):
        for dtype, bits in BITS.items():
            self.check(dtype, file_of({"t": entry(dtype, [8], 0, bits)}, bytes(range(bits))))
            self.check(dtype, file_of({"t": entry(dtype, [2, 0], 0, 0)}))
            self.check(dtype, file_of({"t": entry(dtype, [8], 0, bits + 1)}, bytes(bits + 1)), False)
            self.check(dtype, file_of({"t": entry(dtype.lower(), [8], 0, bits)}, bytes(bits)), False)
            if bits % 8 != 0:
                self.check(dtype, file_of({"t": entry(dtype, [1], 0, 1)}, bytes(1)), False)

    def test_what_it_takes(self):
        two = {"b": entry("F32", [1], 4, 8), "a": entry("F32", [1], 0, 4)}
        for what, content in {
            "no tensors": file_of({}), "only metadata": file_of({"__metadata__": {"k": "v"}}), "metadata of nothing": file_of({"__metadata__": {}}),
            "an order that is not that of the offsets": file_of(two, b"aaaabbbb"), "metadata last": file_of({**two, "__metadata__": {"k": "v"}}, b"aaaabbbb"),
            "padding to 4096": file_of(two, b"aaaabbbb", b" " * (4096 - len(json.dumps(two)) - 8)), "no alignment": file_of(two, b"aaaabbbb", b" "),
            "spaces between": file_of(json.dumps(two, indent=3), b"aaaabbbb"), "other white space": file_of(json.dumps(two) + "\n\t\r ", b"aaaabbbb"),
            "fields in another order": file_of('{"a":{"data_offsets":[0,1],"shape":[],"dtype":"U8"}}', b"a"),
            "0-d": file_of({"s": entry("F64", [], 0, 8)}, bytes(8)), "many extents": file_of({"s": entry("U8", [1] * 20, 0, 1)}, b"s"),
            "empty ones between": file_of({"a": entry("U8", [1], 0, 1), "e": entry("F32", [0], 1, 1), "b": entry("U8", [1], 1, 2), "f": entry("I8", [5, 0], 2, 2)}, b"ab"),
            "names that are paths": file_of({"/../../etc/passwd": entry("U8", [1], 0, 1)}, b"x"), "an empty name": file_of({"": entry("U8", [1], 0, 1)}, b"x"),
            "names of any character": file_of({"\0\n\u00e9\U0001f30a\"\\\u202e": entry("U8", [1], 0, 1)}, b"x"), "a long name": file_of({"x" * 65536: entry("U8", [1], 0, 1)}, b"x"),
            "names not escaped": file_of(json.dumps({"\u00e9\U0001f30a": entry("U8", [1], 0, 1)}, ensure_ascii=False), b"x"),
        }.items():
            self.check(what, content)

    def test_what_it_refuses(self):
        one = {"a": entry("U8", [4], 0, 4)}
        good = json.dumps(one)
        for what, content in {
            "nothing": b"", "7 bytes": b"1234567", "a length beyond the file": struct.pack("<Q", 100) + b"{}", "a length of 2^64-1": b"\xff" * 8 + b"{}",
            "a header above the limit": struct.pack("<Q", 100_000_001) + b"{}", "padding of NUL": file_of(one, b"aaaa", b"\0" * 8), "no JSON": file_of("{", b""),
            "an array": file_of("[]"), "no UTF-8": file_of(b'{"\xff":{"dtype":"U8","shape":[0],"data_offsets":[0,0]}}'),
            "a byte missing": file_of(one, b"aaa"), "a byte too many": file_of(one, b"aaaaa"), "a hole first": file_of({"a": entry("U8", [3], 1, 4)}, b"aaaa"),
            "a hole": file_of({"a": entry("U8", [1], 0, 1), "b": entry("U8", [1], 2, 3)}, b"abc"), "an overlap": file_of({"a": entry("U8", [2], 0, 2), "b": entry("U8", [2], 1, 3)}, b"abc"),
            "the same place": file_of({"a": entry("U8", [2], 0, 2), "b": entry("U8", [2], 0, 2)}, b"ab"), "backwards": file_of({"a": entry("U8", [0], 4, 0)}, b"aaaa"),
            "another size": file_of({"a": entry("U8", [3], 0, 4)}, b"aaaa"), "an overflow": file_of({"a": entry("U8", [2**62, 4], 0, 0)}),
            "an overflow of bits": file_of({"a": entry("F64", [2**61], 0, 0)}), "a negative extent": file_of({"a": entry("U8", [-4], 0, 4)}, b"aaaa"),
            "a fraction": file_of(good.replace("[4]", "[4.0]"), b"aaaa"), "a huge extent": file_of({"a": entry("U8", [2**64], 0, 4)}, b"aaaa"),
            "no shape": file_of({"a": {"dtype": "U8", "data_offsets": [0, 4]}}, b"aaaa"), "an unknown dtype": file_of({"a": entry("F128", [4], 0, 64)}, bytes(64)),
            "metadata of numbers": file_of({"__metadata__": {"k": 1}}), "metadata that is text": file_of({"__metadata__": "k"}),
            "metadata twice": file_of('{"__metadata__":{},"__metadata__":{}}'), "two values": file_of("{}{}"),
        }.items():
            self.check(what, content, False)

    def test_ours_alone_refuses_what_would_be_lost(self):
        """Of two tensors of one name the official reader keeps the last; of unknown fields, nothing."""
        path = FOLDER / "crafted"
        path.write_bytes(file_of('{"a":{"dtype":"U8","shape":[1],"data_offsets":[0,1]},"a":{"dtype":"U8","shape":[1],"data_offsets":[0,1]}}', b"a"))
        self.assertIsNotNone(theirs(path.read_bytes()))
        self.assertIsNone(ours(path))
        path.write_bytes(file_of('{"a":{"dtype":"U8","shape":[1],"data_offsets":[0,1],"more":1}}', b"a"))
        self.assertIsNone(ours(path))
        path.write_bytes(file_of(" {}"))  # the format's description asks for a brace first; the reader does not
        self.assertIsNone(ours(path))


if __name__ == "__main__":
    with tempfile.TemporaryDirectory() as folder:
        FOLDER = pathlib.Path(folder)
        subprocess.run([PROGRAM, "write", folder], check=True)
        unittest.main(argv=sys.argv[:1])
