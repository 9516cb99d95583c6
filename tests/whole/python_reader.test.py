#!/usr/bin/env python3
# SPDX-License-Identifier: BSL-1.0
# tests/whole/python_reader.test.py: what docs/format.md says is enough to read an archive without the library, and safetensors reads it too.
"""python_reader.test.py WRITER PYTHON: WRITER is the built write_samples.cpp, PYTHON one with numpy, safetensors and xxhash.

Two readers made from that page take part: the short one, examples/python/read_archive.py, verifies and shows the tensors; the whole
one, python_reader/, makes the state of them. python_reader.expected.txt holds the values that write_samples.cpp gives its states.
"""
import ast
import contextlib
import itertools
import json
import os
import pathlib
import random
import re
import subprocess
import sys
import tempfile
import unittest

if len(sys.argv) == 3:
    os.execv(sys.argv[2], [sys.argv[2], "-B", __file__, sys.argv[1]])  # -B: no __pycache__ in the source tree

import numpy
import xxhash
from safetensors import safe_open
from safetensors.numpy import load_file, save_file

HERE = pathlib.Path(__file__).resolve().parent
ROOT = HERE.parent.parent
WRITER = pathlib.Path(sys.argv[1]).resolve()
SHORT_READER = ROOT / "examples" / "python" / "read_archive.py"
sys.path[:0] = [str(HERE), str(SHORT_READER.parent)]
import read_archive
from python_reader import container, schema, state

X87_MINUS_3_25 = bytes(7) + b"\xd0\x00\xc0" + bytes(6)  # -1.625 * 2^1: a mantissa with its leading one, sign and exponent 16383 + 1, padding
X87_HALF = bytes(7) + b"\x80\xfe\x3f" + bytes(6)


def u64(n):
    return n.to_bytes(8, "little")


def i32(n):
    return n.to_bytes(4, "little", signed=True)


# Tensors as docs/format.md says they must be: dtype, and the elements, whose nesting is the shape.
TENSORS = {
    "scalars": {"yes": ("BOOL", True), "letter": ("U8", 65), "utf16": ("U16", 233), "utf32": ("U32", 127754), "f16": ("F16", 1.5),
                "paint": ("U8", 1), "wait": ("I64", 1500), "exact": ("F64", 0.25), "when": ("I64", 1700000000), "i64": ("I64", -9 * 10**18)},
    "arrays": {"text": ("U8", [*'café "x"\n'.encode()]), "none": ("F32", []), "bits": ("BOOL", [True, False, True]), "waits": ("I64", [5, 7]),
               "matrix": ("F64", [[1, 2, 3], [4, 5, 6]]), "pairs": ("I16", [[1, 2], [3, 4], [5, 6]])},
    "structures": {"present#has": ("BOOL", True), "present": ("I32", 7), "absent#has": ("BOOL", False), "inner_absent#has": ("BOOL", True),
                   "inner_absent#item#has": ("BOOL", False), "both_present#item": ("I32", 5), "part.weight": ("F32", [1, 2]),
                   "table#item#keys": ("I32", [4]), "table#item": ("F32", [0.5]), "choice#index": ("U32", 2), "choice#2.weight": ("F32", [9]),
                   "maybe_one_of#item#1": ("U16", 12), "triple.1": ("U8", [*b"two"]), "parts#item#size": ("U64", 1),
                   "parts#item.0.weight": ("F32", [1]), "voids#item#size": ("U64", 3), "way": ("F64", 42.5), "own.id": ("I32", 4)},
    "sequences": {"rows.id": ("I32", [1, 2, 3]), "rows.at": ("F32", [[0.5, 1], [1.5, 2], [2.5, 3]]), "rows.label": ("U8", [*b"accc"]),
                  "rows.label#offsets": ("U64", [0, 1, 1, 4]), "modules#size": ("U64", 2), "modules.1.weight": ("F32", [2, 3]),
                  "ragged": ("F32", [1, 2, 3]), "ragged#offsets": ("U64", [0, 2, 2, 3]), "lists#offsets": ("U64", [0, 2, 2, 3]),
                  "lists#item": ("U8", [*b"abc"]), "lists#item#offsets": ("U64", [0, 1, 2, 3]), "maybe#has": ("BOOL", [True, False, True]),
                  "maybe#item": ("U8", [*b"xz"]), "mixed#index": ("U32", [0, 1, 0]), "mixed#0": ("I32", [1, 2]), "mixed#1#offsets": ("U64", [0, 1]),
                  "maps#offsets": ("U64", [0, 2, 2, 3]), "maps#keys": ("U8", [*b"klm"]), "maps": ("I32", [1, 2, 3]), "nothings#size": ("U64", 5),
                  "nested_nothings#offsets": ("U64", [0, 2, 2]), "nested_nothings#item#size": ("U64", 2), "fixed_voids#size": ("U64", 1),
                  "fixed_voids#offsets": ("U64", [0, 2, 2]), "fixed_voids#item#size": ("U64", 2), "void_pairs#item#size": ("U64", 2),
                  "fixed#has": ("BOOL", [True, False, True]), "fixed": ("I32", [1, 3]), "sided#size": ("U64", 3), "plain": ("F32", [1.5, 2.5]),
                  "ragged_plain#offsets": ("U64", [0, 1, 1]), "ragged_plain": ("F32", [0.5]), "titles.id": ("I32", [8, 9])},
    "maps": {"state.layer.0.weight": ("F32", [1, 2]), "state.a%23b%25c%0A": ("F32", [3]), "state.%FF": ("F32", []), "state.": ("F32", [4]),
             "state.é": ("F32", [5]), "escaped.x%2Eat.at.weight": ("F32", [3]), "escaped.x.at.weight": ("F32", [1]), "deeps.k.1.v": ("F32", [1]),
             "lists.a%2Eb.0.weight": ("F32", [1]), "numbered.1.weight": ("F32", [2]), "numbered#keys": ("I32", [-5, 9]), "table": ("F64", [0.5, 1.5]),
             "grid#keys.1": ("I32", [1]), "words_of#keys": ("BOOL", [False, True]), "nested#item#item": ("F32", [1]),
             "lengths#item#offsets": ("U64", [0, 2, 2]), "lengths#item": ("F64", [1.5, 2.5]), "plain#item": ("F32", [1.5, 2.5]),
             "partly.x.scale": ("F32", 2), "partly.x%2Escale.values": ("F32", [3]), "by_parts#keys#item#index": ("U32", [[0, 1]])},
    "wide_numbers": {"raw": ("U8", 0xA5), "c128": ("F64", [0.1, -0.25]), "c128s": ("F64", [[[1, 2], [3, 4]], [[5, 6], [7, 8]], [[9, 10], [11, 12]]]),
                     "negative": ("U8", [*(-2**100 + 7).to_bytes(16, "little", signed=True)]), "huge": ("U8", [255] * 16), "counter": ("I32", -12),
                     "c160": ("U8", [*X87_MINUS_3_25, *X87_HALF]), "grid": ("U8", [[[3] + [0] * 15], [[4] + [0] * 15]]), "bits": ("BOOL", [False, True, True, False, True]),
                     "masks": ("BOOL", [[True, False], [False, True]])},
    "containers": {"numbers": ("I32", [1, 2, 3]), "bag": ("I32", [1, 2, 2]), "names#offsets": ("U64", [0, 1, 2]), "queue_of": ("I64", [5, 6, 7]),
                   "pixels.at": ("F32", [[2, 3], [5, 6]]), "layers#size": ("U64", 2), "layers.0.bias": ("F32", 0.5), "links": ("U8", [*b"onetwo"]), "utf16": ("U16", [0xE9, 97]),
                   "where": ("U8", [*b"run/last"]), "by_path.0.weight": ("F32", [1]), "depths": ("I32", [4, 5, 6]), "owned#has": ("BOOL", True), "owned": ("I32", 8),
                   "owned_pixels#has": ("BOOL", [True, False]), "owned_pixels.at": ("F32", [[2, 3]]), "many#keys": ("I32", [1, 1, 2]), "many_layers.1.weight": ("F32", [2]),
                   "many_arrays#item#offsets": ("U64", [0, 1, 3]), "columns": ("I32", [1, 2]), "square": ("F64", [[1, 2], [3, 4]]), "two_pixels.label": ("U8", [*b"ab"]),
                   "two_layers.1.bias": ("F32", 3), "letters": ("U8", [*b"ok\0\0"]), "words": ("U8", [*b"wv"])},
    "hashed": {"set": ("I32", [20, 10, 30]), "set#buckets": ("U64", 97), "set#load": ("F32", 0.5), "state.a.w": ("F32", [1, 2]), "state#buckets": ("U64", 97),
               "layers.l.0.bias": ("F32", 0.5), "numbered.0.weight": ("F32", [1]), "many#keys": ("I32", [8, 8, 9]), "many": ("F32", [1, 1, 2]), "many_layers.0.weight": ("F32", [4]),
               "sets#buckets": ("U64", [97, 97]), "sets#load": ("F32", [1, 4]), "sets#offsets": ("U64", [0, 2, 2]), "sets": ("I32", [2, 1]), "both#load": ("F32", [1, 3]),
               "named.n.m": ("I32", [5]), "named.n.m#buckets": ("U64", 97), "numbered_sets#item": ("I32", [8, 7]), "maybe#item#keys": ("I32", [1]),
               "maybe_set#item": ("I32", [9]), "maybe_set#item#load": ("F32", 1), "maybes#item#buckets": ("U64", [97]), "nested#item#buckets": ("U64", [97, 97]), "nested#item#item": ("U8", [*b"t"])},
    "trees": {"maybe": ("U8", [*u64(0), *u64(0), *i32(30)]), "maybe#has": ("BOOL", True), "named#item#offsets": ("U64", [0, 20, 112]), "numbered#item#offsets": ("U64", [0, 20]),
              "one_of#1": ("U8", [*u64(0), *u64(0), *i32(32)]), "two#offsets": ("U64", [0, 20, 40]), "table#item#offsets": ("U64", [0, 20]), "with.0": ("U8", [*u64(0), *u64(0), *i32(36)]),
              "many": ("U8", [*u64(0), *u64(0), *i32(10), *u64(1), *u64(1), *u64(0), *u64(0), *i32(13), *u64(0), *i32(12), *u64(1), *u64(4), *b"left", *u64(0), *u64(0), *i32(14), *i32(11)]),
              "layers.l.0.shape": ("U8", [*u64(0), *u64(0), *i32(40)]), "no_forks#offsets": ("U64", [0])},
    "classes": {"listed.grid": ("I16", [[1, 2, 3], [4, 5, 6]]), "listed.clocked.ticks": ("U64", 77), "many_listed.grid": ("I16", [[[1, 2, 3], [4, 5, 6]]] * 2),
                "skipping.kept_too": ("I32", 2), "many_transients.kept": ("F32", [1.5, 2.5]), "seconds.value": ("I32", [5, 6]), "tenths.1.values": ("F32", [2, 3]),
                "alone.extra.k.l": ("I32", [5]), "rows.part.weight#offsets": ("U64", [0, 2, 2]), "rows.part.bias#has": ("BOOL", [False, True]), "rows.extra#offsets": ("U64", [0, 2, 2]),
                "rows.extra#item": ("I32", [4, 5]), "named.values": ("F32", [7]), "maybe.values": ("F32", [8]), "inside.0.0.values": ("F32", [9]), "dated.values": ("U16", [1, 2, 3])},
    "borrowed": {"dense": ("F32", [[1, 2, 3], [4, 5, 6]]), "strided": ("F32", [[1, 5, 9], [2, 6, 10]]), "complexes": ("F64", [[[1, 2], [3, 4]]]), "pairs": ("I16", [[[[1, 2]]], [[[3, 4]]]]),
                 "parts.1.weight": ("F32", []), "named.a.b": ("F32", [10, 11, 12]), "named.every second": ("F32", [1, 3]), "extra.layer.0%23w": ("F32", [[1, 2], [3, 4]]),
                 "extra.scalar": ("I64", -5), "extra.nothing": ("F16", [[], [], []])},
    "root_tree": {"#root": ("U8", [*u64(1), *u64(1), *u64(0), *u64(0), *i32(3), *u64(0), *i32(2), *u64(1), *u64(4), *b"left", *u64(0), *u64(0), *i32(4), *i32(1)])},
    "root_hashed": {"#root": ("I32", [1]), "#root#keys": ("U8", [*b"k"]), "#root#buckets": ("U64", 97), "#root#load": ("F32", 1)},
    "root_named": {"#root.__metadata__": ("U8", [7, 8, 9]), "#root.x.y": ("F32", [1])},
    "odd_names": {"%5F_metadata__": ("U32", 5), "tidemark": ("U32", 6)},
    "root_scalar": {"#root": ("F64", 2.5)},
    "root_map": {"#root.a.b": ("F32", [1]), "#root.__metadata__": ("F32", [2])},
    "root_optional": {"#root#has": ("BOOL", True), "#root.id": ("I32", 1)},
}

# Headers that look healthy to a careless parser, for 8 bytes of data. Each begins as the good one does not.
GOOD = '{"a":{"dtype":"F32","shape":[2],"data_offsets":[0,8]}}'
BAD = {
    "a name twice": '{"a":{"dtype":"F32","shape":[1],"data_offsets":[0,4]},"a":{"dtype":"F32","shape":[1],"data_offsets":[4,8]}}',
    "a field twice": '{"a":{"dtype":"F32","dtype":"F32","shape":[2],"data_offsets":[0,8]}}',
    "__metadata__ twice": '{"__metadata__":{},"__metadata__":{},"a":{"dtype":"F32","shape":[2],"data_offsets":[0,8]}}',
    "a key of __metadata__ twice": '{"__metadata__":{"k":"1","k":"1"},"a":{"dtype":"F32","shape":[2],"data_offsets":[0,8]}}',
    "metadata that is no string": '{"__metadata__":{"k":1},"a":{"dtype":"F32","shape":[2],"data_offsets":[0,8]}}',
    "a field too many": '{"a":{"dtype":"F32","shape":[2],"data_offsets":[0,8],"b":[]}}',
    "a field too few": '{"a":{"dtype":"F32","data_offsets":[0,8]}}',
    "an unknown dtype": '{"a":{"dtype":"f32","shape":[2],"data_offsets":[0,8]}}',
    "a hole": '{"a":{"dtype":"F32","shape":[1],"data_offsets":[4,8]}}',
    "an overlap": '{"a":{"dtype":"F32","shape":[2],"data_offsets":[0,8]},"b":{"dtype":"F32","shape":[1],"data_offsets":[4,8]}}',
    "data beyond the end": '{"a":{"dtype":"F32","shape":[3],"data_offsets":[0,12]}}',
    "data that end early": '{"a":{"dtype":"F32","shape":[1],"data_offsets":[0,4]}}',
    "a shape that does not fit": '{"a":{"dtype":"F32","shape":[3],"data_offsets":[0,8]}}',
    "a shape that overflows": '{"a":{"dtype":"F32","shape":[9223372036854775809,2],"data_offsets":[0,8]}}',
    "offsets the wrong way": '{"a":{"dtype":"F32","shape":[2],"data_offsets":[8,0]}}',
    "three offsets": '{"a":{"dtype":"F32","shape":[2],"data_offsets":[0,8,8]}}',
    "a fraction": '{"a":{"dtype":"F32","shape":[2.0],"data_offsets":[0,8]}}',
    "a negative extent": '{"a":{"dtype":"F32","shape":[-2],"data_offsets":[0,8]}}',
    "minus nought": '{"a":{"dtype":"F32","shape":[2],"data_offsets":[-0,8]}}',
    "a bool for a number": '{"a":{"dtype":"F32","shape":[2,true],"data_offsets":[0,8]}}',
    "a huge number": '{"a":{"dtype":"F32","shape":[2],"data_offsets":[0,18446744073709551616]}}',
    "a huge extent beside 0": '{"a":{"dtype":"F32","shape":[2],"data_offsets":[0,8]},"b":{"dtype":"F32","shape":[0,18446744073709551616],"data_offsets":[8,8]}}',
    "half a surrogate pair": '{"\\ud800":{"dtype":"F32","shape":[2],"data_offsets":[0,8]}}',
    "a second value": GOOD + "{}",
    "an array": f"[{GOOD}]",
    "deep nesting": '{"a":' + "[" * 100000,
}


READERS = {"short": read_archive.read_archive, "whole": state.read_state}
NONE, BOTH = set(), {"short", "whole"}


def sample(name):
    return FOLDER / f"{name}.safetensors"


def names_in(lines):
    """The names in a tree as the short reader prints it, of the tensors, which have a value."""
    names, path = set(), []
    for line in lines:
        depth = (len(line) - len(line.lstrip(" "))) // 2
        step, _, value = line.strip().partition(" = ")
        step = ast.literal_eval(step) if step.startswith("'") else step
        path[depth:] = [step if depth == 0 or step.startswith("#") else "." + step]
        if value:
            names.add("".join(path))
    return names


def run(*command):
    return subprocess.run([str(word) for word in command], capture_output=True, text=True, encoding="utf-8", timeout=600)


def readers_of(file):
    """Which of the readers accept these bytes. Whatever else than these errors they throw is a failure of the test."""
    accepting = set()
    for name, read in READERS.items():
        with contextlib.suppress(ValueError, RecursionError):
            read(bytes(file))
            accepting.add(name)
    return accepting


def sealed(digests):
    """What `tidemark#digests` holds: the digest of all others, and those."""
    return xxhash.xxh3_128_digest(digests) + digests


def stored(digests):
    """The tensor `tidemark#digests` as it is to be."""
    return container.Tensor("U8", (len(digests) + 16,), sealed(digests))


def forged(name, change, digest_tensor=stored):
    """The sample, changed, with digests that are right again: what damage would not give, but another writer could."""
    tensors, metadata = container.read_container(sample(name).read_bytes())
    del tensors[container.DIGESTS]
    change(tensors, metadata)
    digests = xxhash.xxh3_128_digest(container.header_content(tensors, metadata))
    digests += b"".join(xxhash.xxh3_128_digest(t.data) for _, t in sorted(tensors.items(), key=lambda item: item[0].encode()) if len(t.data) > 0)
    header, data = {"__metadata__": metadata}, b""
    for tensor, (dtype, shape, content) in {**tensors, container.DIGESTS: digest_tensor(digests)}.items():
        header[tensor] = {"dtype": dtype, "shape": shape, "data_offsets": [len(data), len(data) + len(content)]}
        data += content
    text = json.dumps(header).encode()
    return len(text).to_bytes(8, "little") + text + data


def tensor(name, dtype, elements):
    """A change that puts a tensor in the place of another, or beside them."""
    numpy_types = {"BOOL": "u1", "U8": "u1", "U16": "<u2", "I32": "<i4", "U32": "<u4", "U64": "<u8", "F32": "<f4", "F64": "<f8"}
    array = numpy.array(elements, numpy_types[dtype])
    return lambda tensors, _: tensors.update({name: container.Tensor(dtype, array.shape, array.tobytes())})


def entry(old, new):
    """A change of the metadata entry `tidemark`; with another schema, its digest is made anew."""
    def change(_, metadata):
        words = metadata["tidemark"].replace(old, new).split(" ", 4)
        if old in metadata["tidemark"].split(" ", 4)[4]:
            with contextlib.suppress(ValueError):
                words[3] = xxhash.xxh3_128_hexdigest(schema.SchemaParser(words[4]).parse().text.encode())
        metadata["tidemark"] = " ".join(words)
    return change


def packed_as(type_text, content):
    """An archive of one packed value."""
    def change(tensors, metadata):
        tensor("#root", "U8", [*content])(tensors, metadata)
        entry(metadata["tidemark"].split(" ", 4)[4], type_text)(tensors, metadata)
    return forged("root_tree", change)


# Archives whose tensors are as the digests say, and not as the schema says: the sample, and what is changed. The short reader knows no schema.
FORGED = {
    "a tensor is missing": ("small", lambda tensors, _: tensors.pop("name")),
    "a tensor too many": ("small", tensor("more", "F32", [1])),
    "a value for an absent optional": ("small", tensor("best", "F32", 1)),
    "another dtype": ("small", tensor("weights", "U32", [1, 2])),
    "another shape": ("small", tensor("weights", "F32", [[1, 2]])),
    "a scalar in one dimension": ("small", tensor("step", "U64", [3])),
    "a bool of 2": ("small", tensor("best#has", "BOOL", 2)),
    "an alternative too high": ("structures", tensor("nil#index", "U32", 2)),
    "one too high in a column": ("sequences", tensor("mixed#index", "U32", [0, 1, 2])),
    "offsets that do not begin with 0": ("sequences", tensor("ragged#offsets", "U64", [1, 2, 2, 3])),
    "offsets that fall": ("sequences", tensor("ragged#offsets", "U64", [0, 3, 2, 3])),
    "offsets beyond the end": ("sequences", tensor("ragged#offsets", "U64", [0, 2, 2, 4])),
    "no offsets at all": ("sequences", tensor("ragged#offsets", "U64", [])),
    "more elements than bytes": ("sequences", tensor("nothings#size", "U64", 2**62)),
    "more modules than tensors": ("sequences", tensor("modules#size", "U64", 2**62)),
    "one key twice": ("maps", tensor("table#keys", "U32", [1, 1])),
    "one key twice, as text": ("maps", tensor("maybe#keys", "U8", [*b"nn"])),
    "bits in the padding of a long double": ("arrays", tensor("wide", "U8", [[0] * 15 + [1]] * 2)),
    "more buckets than belong": ("hashed", tensor("set#buckets", "U64", 2**20 + 64 * 4 + 1)),
    "more buckets than belong, in a column": ("hashed", tensor("sets#buckets", "U64", [2**20, 64 * 4 + 1])),
    "a load factor of nothing": ("hashed", tensor("set#load", "F32", 0)),
    "a load factor that is no number": ("hashed", tensor("set#load", "F32", float("nan"))),
    "buckets of another shape": ("hashed", tensor("set#buckets", "U64", [97])),
    "one hashed key twice": ("hashed", tensor("texts#keys", "I32", [2, 2])),
    "a bool of 2 in a tensor of any type": ("borrowed", tensor("extra.scalar", "BOOL", 2)),
    "a tensor of any type too few": ("borrowed", lambda tensors, _: tensors.pop("extra.view")),
    "an array of three extents instead of two": ("borrowed", tensor("dense", "F32", [[[1, 2, 3], [4, 5, 6]]])),
    "bits in the padding of a complex long double": ("wide_numbers", tensor("c160", "U8", [*X87_MINUS_3_25, *X87_HALF[:15], 1])),
    "a 128-bit integer of 8 bytes": ("wide_numbers", tensor("negative", "U8", [0] * 8)),
    "a complex number of three": ("wide_numbers", tensor("c128", "F64", [1, 2, 3])),
    "packed bytes that end early": ("trees", tensor("maybe", "U8", [0] * 19)),
    "packed bytes that go on": ("trees", tensor("maybe", "U8", [0] * 21)),
    "packed children without end": ("trees", tensor("maybe", "U8", [255] * 8 + [0] * 12)),
    "a packed map with one key twice": ("trees", tensor("maybe", "U8", [*u64(0), *u64(2), *(u64(1) + b"k" + bytes(20)) * 2, *i32(1)])),
    "a packed type of no record": ("root_tree", entry("!{value:i32,children:[^0],named:<text,^0>}", "![^0]")),
    "a reference to no packed type": ("root_tree", entry("[^0]", "[^1]")),
    "a reference outside of a packed type": ("small", entry("?f64", "?^0")),
    "any tensor outside of a map": ("small", entry("?f64", "?*")),
    "any tensor as a key": ("borrowed", entry("extra:<text,*>", "extra:<*,text>")),
    "a column of arrays of two extents": ("containers", entry("utf16:[char16]", "utf16:[[char16;*,*]]")),
    "one star": ("borrowed", entry("dense:[f32;*,*]", "dense:[f32;*]")),
    "17 stars": ("borrowed", entry("dense:[f32;*,*]", "dense:[f32;" + ",".join("*" * 17) + "]")),
    "two extents of what is no number": ("small", entry("?f64", "[text;*,*]")),
    "version 1 written": ("classes", entry("second:{value:i32}/2", "second:{value:i32}/1")),
    "a version with a zero in front": ("classes", entry("second:{value:i32}/2", "second:{value:i32}/02")),
    "a version of 2^32": ("classes", entry("second:{value:i32}/2", "second:{value:i32}/4294967296")),
    "rows that are no record": ("classes", entry("second:{value:i32}/2", "second:#i32")),
    "modules for what is in rows": ("classes", entry("dated:[@dated=#{", "dated:[@dated={")),
    "rows for what is in modules": ("classes", entry("tenths:[@tenth={", "tenths:[@tenth=#{")),
    "a multi map that is none": ("containers", entry("many:@multi=<", "many:<")),
    "a hashed map that is none": ("hashed", entry("texts:@unordered=<", "texts:<")),
    "a complex number of integers": ("small", entry("?f64", "?complex:i32")),
    "an unknown code": ("small", entry("?f64", "?f65")),
    "another schema digest": ("small", entry("5561", "5562")),
    "a schema that ends too early": ("small", entry("f64}", "f64")),
    "a schema that goes on": ("small", entry("f64}", "f64}}")),
    "a schema with a name twice": ("small", entry("step:u64,", "step:u64,step:u64,")),
    "a schema of 200 levels": ("small", entry("?f64", "?" * 200 + "f64")),
    "a schema with a space": ("small", entry("?f64", "@a b=?f64")),
    "a schema with a bad tag": ("small", entry("?f64", "@a\"b=?f64")),
}

# The like that any reader must accept.
UNHARMED = {
    "as many buckets as may be": ("hashed", tensor("set#buckets", "U64", 2**20 + 64 * 4)),
    "the same in a column": ("hashed", tensor("sets#buckets", "U64", [2**20, 64 * 4])),
    "a load factor of 1/1024": ("hashed", tensor("set#load", "F32", 1 / 1024)),
    "equal keys in a multi map": ("containers", tensor("many#keys", "I32", [2, 2, 2])),
    "equal elements in what may be a multiset": ("containers", tensor("numbers", "I32", [1, 1, 1])),
    "a tag around a packed type": ("root_tree", entry("!{", "@a=!@b={")),
    "a tag that is like another": ("maps", entry("state:<", "state:@multiplex=<")),
    "a tag around a mark": ("hashed", entry("set:@", "set:@outer=@")),
    "a tensor of any type of another type": ("borrowed", tensor("extra.scalar", "U16", [[1, 2]])),
    "the highest version": ("classes", entry("second:{value:i32}/2", "second:{value:i32}/4294967295")),
    "16 extents": ("root_matrix", lambda tensors, metadata: (tensor("#root", "F32", numpy.zeros([1] * 16))(tensors, metadata), entry("*,*", ",".join("*" * 16))(tensors, metadata))),
    "a packed map": ("trees", tensor("maybe", "U8", [*u64(0), *u64(2), *(u64(1) + b"k" + bytes(20)), *(u64(1) + b"l" + bytes(20)), *i32(1)])),
}

# Archives that no reader may accept, though what they say of themselves is consistent.
FORGED_ENTRY = {
    "another version": ("small", entry("1 xxh3", "2 xxh3")),
    "another digest": ("small", entry("xxh3-128", "xxh3-64")),
    "another block size": ("small", entry("16777216", "4096")),
    "no word for the schema": ("small", lambda _, metadata: metadata.update(tidemark=metadata["tidemark"].rpartition(" ")[0])),
    "no entry": ("small", lambda _, metadata: metadata.pop("tidemark")),
}

# Digest tensors of another form, each with the digest of itself.
FORGED_DIGESTS = {
    "another dtype": lambda digests: stored(digests)._replace(dtype="I8"),
    "two dimensions": lambda digests: stored(digests)._replace(shape=(len(digests) // 16 + 1, 16)),
    "one too many": lambda digests: stored(digests + digests[-16:]),
    "one too few": lambda digests: stored(digests[:-16]),
    "half a digest too many": lambda digests: stored(digests + digests[-8:]),
    "another order": lambda digests: stored(digests[:16] + digests[32:48] + digests[16:32] + digests[48:]),
    "the header's last": lambda digests: stored(digests[16:] + digests[:16]),
    "the halves the other way round": lambda digests: stored(b"".join(digests[i + 8:i + 16] + digests[i:i + 8] for i in range(0, len(digests), 16))),
    "nothing": lambda _: container.Tensor("U8", (0,), b""),
    "a digest of itself only": lambda _: stored(b""),
    "zeros": lambda digests: container.Tensor("U8", (len(digests) + 16,), bytes(len(digests) + 16)),
}


class PythonReaders(unittest.TestCase):
    def test_the_whole_one_gives_the_values_that_were_saved(self):
        sections = re.split(r"^== (\w+)\n", (HERE / "python_reader.expected.txt").read_text(encoding="utf-8"), flags=re.M)[1:]
        expected = dict(zip(sections[::2], sections[1::2]))
        self.assertEqual(expected.keys(), {path.stem for path in FOLDER.glob("*.safetensors")})
        for name, text in expected.items():
            with self.subTest(name):
                self.assertEqual(state.text_of(sample(name).read_bytes()), text)

    def test_the_short_one_prints_every_tensor_of_every_sample(self):
        for path in sorted(FOLDER.glob("*.safetensors")):
            with self.subTest(path.stem):
                tensors, metadata = container.read_container(path.read_bytes())
                result = run(sys.executable, "-B", "-X", "utf8", SHORT_READER, path)
                self.assertEqual((result.stderr, result.returncode), ("", 0))
                lines = result.stdout.splitlines()
                self.assertEqual(lines[:len(metadata)], [f"__metadata__[{key!r}] = {text!r}" for key, text in metadata.items()])
                self.assertEqual(names_in(lines[len(metadata):]), tensors.keys() - {container.DIGESTS})

    def test_the_short_one_prints_values(self):
        lines = run(sys.executable, "-B", "-X", "utf8", SHORT_READER, sample("structures")).stdout.splitlines()
        expected = ["both_present", "  #has = true", "  #item = 5", "    #has = true", "choice", "  #2", "    bias = 3.0", "      #has = true",
                    "    weight = F32 [1] 9.0", "  #index = 2"]
        at = lines.index(expected[0])
        self.assertEqual(lines[at:at + len(expected)], expected)
        lines = run(sys.executable, "-B", "-X", "utf8", SHORT_READER, sample("arrays")).stdout.splitlines()
        for line in ["bits = BOOL [3] true false true", "bytes = U8 [3] 255 0 122", "matrix = F64 [2, 3] 1.0 2.0 3.0 4.0 5.0 6.0", "none = F32 [0]",
                     "text = " + repr('caf\u00e9 "x"\n')]:
            self.assertIn(line, lines)
        lines = run(sys.executable, "-B", SHORT_READER, sample("scalars")).stdout.splitlines()
        self.assertEqual({line for line in state.text_of(sample("scalars").read_bytes()).splitlines() if not line.startswith("f80")}.difference(lines), set())
        self.assertIn("two = U8 [16777221]" + 8 * " 7" + " ...", run(sys.executable, "-B", SHORT_READER, sample("blocks")).stdout)

    def test_the_short_one_is_short(self):
        lines = SHORT_READER.read_text(encoding="utf-8").splitlines()
        self.assertLessEqual(len(lines), 120)
        self.assertLessEqual(max(map(len, lines)), 120)
        imported = {name for line in lines for name in re.findall(r"^(?:import|from) (\w+)", line)}
        self.assertEqual(imported - sys.stdlib_module_names, {"xxhash"})

    def test_reads_the_whole_state_of_an_engine(self):
        words = [42]  # std::mt19937_64{42}: the recurrence of the C++ standard, [rand.eng.mers]
        for i in range(1, 312):
            words.append((6364136223846793005 * (words[-1] ^ words[-1] >> 62) + i) % 2**64)
        tensors, _ = container.read_container(sample("trainer").read_bytes())
        self.assertEqual(tensors["rng.state"].data, numpy.array(words, "<u8").tobytes())

    def test_refuse_flipped_bits(self):
        draw = random.Random(20240601)
        for name in sorted(TENSORS.keys() - {"arrays"} | {"small", "trainer", "nothing"}):
            original = sample(name).read_bytes()
            self.assertEqual(readers_of(original), BOTH)
            for position in draw.sample(range(8 * len(original)), 400):
                damaged = bytearray(original)
                damaged[position // 8] ^= 1 << position % 8
                self.assertEqual(readers_of(damaged), NONE, f"{name}: byte {position // 8}, bit {position % 8}")

    def test_refuse_a_flipped_bit_in_each_block_of_a_long_tensor(self):
        for from_end in (-1, -5, -6, -container.BLOCK):
            damaged = bytearray(sample("blocks").read_bytes())
            damaged[from_end - 4 * 16] ^= 1  # the digests are four: their own, the header's, and two of blocks
            self.assertEqual(readers_of(damaged), NONE, from_end)

    def test_of_all_bits_only_the_case_of_an_escape_in_the_header_is_covered_by_no_digest(self):
        original = sample("arrays").read_bytes()
        accepted = []
        for position in range(8 * len(original)):
            damaged = bytearray(original)
            damaged[position // 8] ^= 1 << position % 8
            if accepting := readers_of(damaged):
                accepted.append((bytes(original[position // 8 - 5:position // 8 + 1]), position % 8, accepting))
        self.assertEqual(accepted, [(rb"\u001b", 5, BOTH)])

    def test_of_all_exchanges_of_words_only_those_that_move_white_space_are_covered_by_no_digest(self):
        original = sample("small").read_bytes()
        words = [original[i:i + 8] for i in range(0, len(original), 8)]
        for i, j in itertools.combinations(range(len(words)), 2):
            exchanged = words.copy()
            exchanged[i], exchanged[j] = words[j], words[i]
            self.assertEqual(readers_of(b"".join(exchanged)), BOTH if words[i] == words[j] else NONE, (i, j))
        spaced = original.replace(b"]}}  ", b"]}  }")
        self.assertEqual((len(spaced), readers_of(spaced)), (len(original), BOTH))
        self.assertEqual(state.text_of(spaced), state.text_of(original))
        (FOLDER / "spaced").write_bytes(spaced)
        self.assertEqual(run(WRITER, "verify", FOLDER / "spaced").stdout, "verified\n")

    def test_refuse_cut_and_longer_files(self):
        original = sample("small").read_bytes()
        for length in range(len(original)):
            self.assertEqual(readers_of(original[:length]), NONE, length)
        self.assertEqual(readers_of(original + b"\0"), NONE)

    def test_the_short_one_says_in_one_line_what_is_wrong(self):
        damaged = FOLDER / "damaged"
        whole = sample("small").read_bytes()
        for what, file in {"empty": b"", "cut": whole[:-1], "flipped": whole[:512] + b"\1" + whole[513:], "no JSON": whole[:8] + b"{{" + whole[10:]}.items():
            with self.subTest(what):
                damaged.write_bytes(file)
                result = run(sys.executable, "-B", SHORT_READER, damaged)
                self.assertEqual((result.returncode, result.stdout, result.stderr.count("\n")), (1, "", 1))
                self.assertTrue(result.stderr.startswith(f"{damaged}: "), result.stderr)
        self.assertEqual(run(sys.executable, "-B", SHORT_READER, FOLDER / "nothing here").returncode, 1)

    def test_refuse_content_that_no_state_has_though_its_digests_are_right(self):
        self.assertEqual(readers_of(forged("small", lambda *_: None)), BOTH)
        self.assertEqual(readers_of(forged("sequences", tensor("ragged#offsets", "U64", [0, 0, 1, 3]))), BOTH)
        self.assertEqual(readers_of(forged("small", entry("f64", "@tag=f64"))), BOTH)
        for what, (name, change) in FORGED.items():
            self.assertEqual(readers_of(forged(name, change)), {"short"}, what)
        for what, (name, change) in UNHARMED.items():
            self.assertEqual(readers_of(forged(name, change)), BOTH, what)
        for what, (name, change) in FORGED_ENTRY.items():
            file = forged(name, change)
            self.assertEqual(readers_of(file), NONE, what)
            (FOLDER / "crafted").write_bytes(file)  # the library's verify takes any file with digests, of other writers too
            self.assertEqual(run(WRITER, "verify", FOLDER / "crafted").returncode, 0 if what == "no entry" else 1, what)

    def test_reads_what_is_as_deep_as_it_may_be_and_no_more(self):
        tensors, _ = container.read_container((FOLDER / "deepest").read_bytes())
        made = u64(0) + u64(0) + i32(250)
        for value in range(249, 0, -1):
            made = u64(1) + made + u64(0) + i32(value)
        self.assertEqual(tensors["#root"].data, made)
        _, node, _ = state.read_state((FOLDER / "deepest").read_bytes())
        for depth in range(1, 251):
            self.assertEqual((node[0], len(node[1]), node[2]), (depth, int(depth < 250), []))
            node = node[1][0] if node[1] else None
        words = [(u64(0), u64(0)), (u64(0), u64(1) + u64(1) + b"w"), (u64(1) + u64(0) + u64(0), u64(0))]  # of the 250th node: none, a word, a node
        for (children, own), accepting in zip(words, (BOTH, BOTH, {"short"})):
            wordy = children + own
            for _ in range(249):
                wordy = u64(1) + wordy + u64(0)
            self.assertEqual(readers_of(packed_as("!{children:[^0],words:[text]}", wordy)), accepting)
        deeper = u64(1) + made + u64(0) + i32(0)
        self.assertEqual(readers_of(forged("root_tree", tensor("#root", "U8", [*made]))), BOTH)
        self.assertEqual(readers_of(forged("root_tree", tensor("#root", "U8", [*deeper]))), {"short"})

    def test_refuse_packed_bytes_that_are_no_value(self):
        for type_text, good, bad in [("?i8", b"\1\5", b"\2\5"), ("bool", b"\1", b"\2"), ("[bool;2]", b"\0\1", b"\0\2"), ("(i8|u8|)", b"\1\0\0\0\5", b"\2\0\0\0\5"),
                                     ("f80", X87_HALF, bytes(15) + b"\1"), ("<i8,i8>", u64(1) + b"\1\2", u64(2) + b"\1\2\1\2"), ("@multi=<i8,i8>", u64(2) + b"\1\2\1\2", u64(2) + b"\1\2"),
                                     ("@unordered=[i8]", u64(5) + b"\0\0\x80\x3f" + u64(1) + b"\1", u64(2**20 + 129) + b"\0\0\x80\x3f" + u64(1) + b"\1"),
                                     ("[();3]", b"", b"\0"), ("[()]", u64(2**20), u64(2**20 + 1)), ("[text;2]", u64(1) + b"a" + u64(0), u64(2) + u64(1) + b"a" + u64(0))]:
            with self.subTest(type_text):
                self.assertEqual(readers_of(packed_as(f"!{{a:?^0,b:{type_text}}}", b"\0" + good)), BOTH)
                self.assertEqual(readers_of(packed_as(f"!{{a:?^0,b:{type_text}}}", b"\0" + bad)), {"short"})

    def test_refuse_digests_of_another_form_as_the_library_does(self):
        crafted = FOLDER / "crafted"
        for what, form in {"good": stored, **FORGED_DIGESTS}.items():
            with self.subTest(what):
                file = forged("small", lambda *_: None, form)
                crafted.write_bytes(file)
                self.assertEqual(readers_of(file), BOTH if what == "good" else NONE)
                self.assertEqual(run(WRITER, "verify", crafted).returncode, 0 if what == "good" else 1)

    def test_are_as_strict_about_headers_as_the_library(self):
        crafted = FOLDER / "crafted"
        for what, header in {"nothing": GOOD, **BAD}.items():
            with self.subTest(what):
                file = len(header).to_bytes(8, "little") + header.encode() + bytes(8)
                crafted.write_bytes(file)
                library = run(WRITER, "verify", crafted)
                for reader in (container, read_archive):
                    if header == GOOD:
                        reader.header_content(*reader.read_container(file))
                    else:
                        self.assertRaises((ValueError, RecursionError), lambda: reader.header_content(*reader.read_container(file)))
                self.assertEqual((library.returncode, library.stdout), (1, "no digests\n" if header == GOOD else ""))


    def test_refuse_a_length_that_is_none(self):
        for length in (0, 1, 3, 100_000_001, 2**63, 2**64 - 1):
            for read in (container.read_container, read_archive.read_container):
                read((2).to_bytes(8, "little") + b"{}")
                self.assertRaises(ValueError, read, length.to_bytes(8, "little") + b"{}")


class OfficialReader(unittest.TestCase):
    def test_finds_the_tensors_that_the_format_prescribes(self):
        for name, tensors in TENSORS.items():
            with safe_open(sample(name), "numpy") as file:
                for tensor, (dtype, elements) in tensors.items():
                    with self.subTest(f"{name}: {tensor}"):
                        self.assertEqual(file.get_slice(tensor).get_dtype(), dtype)
                        self.assertEqual(file.get_tensor(tensor).tolist(), elements)

    def test_sees_the_same_names_shapes_and_bytes_as_ours(self):
        for path in FOLDER.glob("*.safetensors"):
            ours, metadata = container.read_container(path.read_bytes())
            with safe_open(path, "numpy") as file:
                self.assertEqual(file.metadata(), metadata)
                self.assertEqual(file.metadata()["format"], "pt")
                self.assertEqual(set(file.keys()), set(ours))
                for name, t in ours.items():
                    self.assertEqual((file.get_slice(name).get_dtype(), tuple(file.get_slice(name).get_shape())), (t.dtype, t.shape))
                    self.assertEqual(file.get_tensor(name).tobytes(), t.data)

    def test_a_file_that_it_saves_again_with_its_metadata_still_verifies(self):
        again, differing = FOLDER / "again", 0
        for path in sorted(FOLDER.glob("*.safetensors")):
            with self.subTest(path.stem):
                tensors = load_file(path)
                with safe_open(path, "numpy") as file:
                    metadata = file.metadata()
                save_file(tensors, again, metadata=metadata)
                differing += again.read_bytes() != path.read_bytes()
                verified = run(WRITER, "verify", again)
                self.assertEqual((verified.stdout, verified.stderr, verified.returncode), ("verified\n", "", 0))
                ours, theirs = state.text_of(path.read_bytes()), state.text_of(again.read_bytes())
                self.assertEqual(sorted(theirs.splitlines()), sorted(ours.splitlines()))  # it keeps no order of the metadata
                self.assertEqual(read_archive.read_archive(again.read_bytes())[1], metadata)
        self.assertGreater(differing, 10)

    def test_a_file_that_it_saves_again_otherwise_is_refused(self):
        tensors, again = load_file(sample("small")), FOLDER / "again"
        with safe_open(sample("small"), "numpy") as file:
            metadata = file.metadata()
        changed = {
            "a value": ({**tensors, "weights": tensors["weights"] * 2}, metadata),
            "a name": ({("gewicht" if name == "weights" else name): tensor for name, tensor in tensors.items()}, metadata),
            "a shape": ({**tensors, "weights": tensors["weights"].reshape(1, 2)}, metadata),
            "one tensor less": ({name: tensor for name, tensor in tensors.items() if name != "weights"}, metadata),
            "one tensor more": ({**tensors, "more": tensors["weights"]}, metadata),
            "more metadata": (tensors, {**metadata, "note": "mine"}),
            "no metadata": (tensors, None),
            "no digests": ({name: tensor for name, tensor in tensors.items() if name != container.DIGESTS}, metadata),
        }
        for what, (those, that) in changed.items():
            with self.subTest(what):
                save_file(those, again, metadata=that)
                self.assertEqual(readers_of(again.read_bytes()), NONE)
                self.assertNotEqual(run(WRITER, "verify", again).returncode, 0)


class Document(unittest.TestCase):
    def test_dumps_the_file_that_is_written(self):
        dumped = bytearray()
        for line in (ROOT / "docs" / "format.md").read_text(encoding="utf-8").splitlines():
            if match := re.match(r"([0-9a-f]{8})  ((?:[0-9a-f]{2} )*[0-9a-f]{2})(?:  .*)?$", line):
                self.assertEqual(int(match[1], 16), len(dumped), line)
                dumped += bytes.fromhex(match[2])
        self.assertEqual(dumped, sample("small").read_bytes())

    def test_spells_out_what_the_digests_of_that_file_cover(self):
        page = (ROOT / "docs" / "format.md").read_text(encoding="utf-8")
        stream = re.search(r"stream of (\d+) bytes:\n\n```text\n(.*?)```", page, re.S)
        content = b""
        for number, text in re.findall(r'u64 (\d+)|text "([^"]*)"', stream[2]):
            content += int(number).to_bytes(8, "little") if number else len(text.encode()).to_bytes(8, "little") + text.encode()
        tensors, metadata = container.read_container(sample("small").read_bytes())
        digests = tensors.pop(container.DIGESTS).data
        self.assertEqual(content, container.header_content(tensors, metadata))
        self.assertEqual(len(content), int(stream[1]))
        self.assertEqual(xxhash.xxh3_128_digest(content), digests[16:32])
        page = " ".join(page.split())
        self.assertIn(f"`{digests[16:32].hex()}`", page)
        self.assertIn(f"`{metadata['tidemark']}`", page)
        sorted_text = re.search(r"the schema's digest is that of `(.*?)`", page)[1]
        self.assertEqual(xxhash.xxh3_128_hexdigest(sorted_text.encode()), metadata["tidemark"].split()[3])

    def test_shows_schemas_and_tensors_that_exist(self):
        page = (ROOT / "docs" / "format.md").read_text(encoding="utf-8")
        files = [container.read_container(path.read_bytes()) for path in FOLDER.glob("*.safetensors")]
        table = page.split("Examples, each from")[1].split("\n\n")[1].splitlines()[2:]
        self.assertGreater(len(table), 17)
        for row in table:
            types, listed, and_more = re.fullmatch(r"\| (`.*?) \| (`.*?)(, \.\.\.)? \|", row).groups()
            members = [text.replace("\\|", "|") for text in re.findall(r"`([^`]+)`", types)]
            for member in members:
                name = member.partition(":")[0]
                found = [tensors for tensors, metadata in files if re.search("[{,]" + re.escape(member) + "[,}]", metadata["tidemark"])]
                self.assertEqual(len(found), 1, member)
                shown = {at: (dtype, shape) for at, dtype, shape in re.findall(r"`([^`]+)`(?: ([A-Z0-9]+) (\[[0-9, ]*\]))?", listed) if re.match(re.escape(name) + "([.#]|$)", at)}
                there = {at for at in found[0] if re.match(re.escape(name) + "([.#]|$)", at)}
                (self.assertLess if and_more else self.assertEqual)(shown.keys(), there, member)
                for at, (dtype, shape) in shown.items():
                    if dtype:
                        self.assertEqual((dtype, shape), (found[0][at].dtype, str(list(found[0][at].shape))), at)


if __name__ == "__main__":
    with tempfile.TemporaryDirectory() as folder:
        FOLDER = pathlib.Path(folder)
        subprocess.run([WRITER, "write", folder], check=True)
        unittest.main(argv=sys.argv[:1])
