#!/usr/bin/env python3
# SPDX-License-Identifier: BSL-1.0
"""read_archive.py FILE: verifies every digest of a tidemark archive, then prints metadata and a tree of the tensors.
Made from docs/format.md alone. Exit status 1, and one line on stderr, where the file is damaged or no archive."""
import json
import math
import os
import re
import struct
import sys

from xxhash import xxh3_128_digest

# Bits of an element, and the format by which `struct` shows it; of those that it does not know, their bits.
DTYPES = {"BOOL": (8, "?"), "U8": (8, "B"), "I8": (8, "b"), "I16": (16, "h"), "U16": (16, "H"), "I32": (32, "i"),
          "U32": (32, "I"), "I64": (64, "q"), "U64": (64, "Q"), "F16": (16, "e"), "BF16": (16, "H"), "F32": (32, "f"),
          "F64": (64, "d"), "C64": (64, "2f"), "F4": (4, "B"), "F6_E2M3": (6, "B"), "F6_E3M2": (6, "B"),
          **dict.fromkeys(("F8_E5M2", "F8_E4M3", "F8_E8M0", "F8_E4M3FNUZ", "F8_E5M2FNUZ"), (8, "B"))}
BLOCK = 16 << 20  # bytes of a tensor that share a digest
SHOWN = 8  # elements of an array


def require(condition, problem):
    if not condition:
        raise ValueError(problem)


def distinct(pairs):
    require(len(dict(pairs)) == len(pairs), "its header holds a name twice")
    return dict(pairs)


def natural(digits):
    return int(digits) if digits.isdecimal() else None  # None: a sign, a fraction or an exponent


def read_container(file):
    """{name: (dtype, shape, data)} and the metadata. Raises ValueError unless every byte is where it belongs."""
    length = int.from_bytes(file[:8], "little")
    require(2 <= length <= min(100_000_000, len(file) - 8) and file[8:9] == b"{", "it has no whole safetensors header")
    header = json.loads(file[8:8 + length].decode(), object_pairs_hook=distinct,
                        parse_int=natural, parse_float=natural, parse_constant=natural)
    metadata = header.pop("__metadata__", {})
    require(type(metadata) is dict and all(type(text) is str for text in metadata.values()), "its metadata are no text")
    entries = []
    for name, entry in header.items():
        match entry:
            case {"dtype": str(dtype), "shape": [*shape], "data_offsets": [begin, stop]} if len(entry) == 3:
                are_numbers = all(type(n) is int and n < 2**64 for n in (*shape, begin, stop))
                require(dtype in DTYPES and are_numbers, f"the dtype or a number of {name!r} is none")
                entries.append((begin, stop, name, dtype, shape))
            case _:
                raise ValueError(f"the header's entry for {name!r} is not dtype, shape and data_offsets")
    tensors, end, data = {}, 0, memoryview(file)[8 + length:]
    for begin, stop, name, dtype, shape in sorted(entries):
        require(begin == end, f"there is a hole or an overlap before the data of {name!r}")
        require(8 * (stop - begin) == math.prod(shape) * DTYPES[dtype][0], f"the data of {name!r} do not fit its shape")
        tensors[name], end = (dtype, shape, data[begin:stop]), stop
    require(end == len(data), f"its header lists {end} bytes of data, and it has {len(data)}")
    return tensors, metadata


def header_content(tensors, metadata):
    """What the header's digest covers. Python sorts texts as their UTF-8 bytes sort."""
    parts = [len(tensors)]
    for name, (dtype, shape, _) in sorted(tensors.items()):
        parts += [name, dtype, len(shape), *shape]
    parts += [len(metadata), *(text for entry in sorted(metadata.items()) for text in entry)]
    u64 = struct.Struct("<Q").pack
    return b"".join(u64(p) if type(p) is int else u64(len(p.encode())) + p.encode() for p in parts)


def read_archive(file):
    """The same, every digest compared, and without the tensor of the digests."""
    tensors, metadata = read_container(file)
    words = metadata.get("tidemark", "").split(" ", 4)
    require(words[:3] == ["1", "xxh3-128", str(BLOCK)] and len(words) == 5, "it is no tidemark archive of version 1")
    dtype, shape, stored = tensors.pop("tidemark#digests", ("", [], b""))
    require(dtype == "U8" and len(shape) == 1, "its digests are gone")
    require(stored[:16] == xxh3_128_digest(stored[16:]), "its digests do not match the digest over themselves")
    require(stored[16:32] == xxh3_128_digest(header_content(tensors, metadata)), "its header does not match its digest")
    blocks = [(name, at) for name, (_, _, data) in sorted(tensors.items()) for at in range(0, len(data), BLOCK)]
    require(len(stored) == 32 + 16 * len(blocks), "it does not have one digest for each block")
    for i, (name, at) in enumerate(blocks, start=2):
        is_intact = stored[16 * i:16 * i + 16] == xxh3_128_digest(tensors[name][2][at:at + BLOCK])
        require(is_intact, f"the block of {name!r} that begins at its byte {at} does not match its digest")
    return tensors, metadata


def show(dtype, shape, data):
    """A scalar or a text as its value; an array as dtype, shape and first elements."""
    if dtype == "U8" and len(shape) == 1 and len(data) < 4096 and not re.search(rb"[\0-\x08\x0e-\x1f\x7f]", data):
        return repr(bytes(data).decode(errors="surrogateescape"))
    element = struct.Struct("<" + DTYPES[dtype][1])
    values = [str(n).lower() for each in element.iter_unpack(data[:SHOWN * element.size]) for n in each]
    return " ".join([dtype, str(shape), *values, *["..."] * (math.prod(shape) > SHOWN)] if shape else values)


def print_tree(tensors):
    """One line for each step of a name, below the step before it; side tensors, `#has` and the like, come first."""
    paths = {name: re.split(r"\.|(?<=.)(?=#)", name) for name in tensors}
    above = []
    for name, path in sorted(paths.items(), key=lambda item: [(len(s) * s.isdecimal(), s) for s in item[1]]):
        for depth in range(len(os.path.commonprefix([above, path])), len(path)):
            step = path[depth] if re.fullmatch(r"\S+", path[depth]) and path[depth].isprintable() else repr(path[depth])
            print("  " * depth + step + (f" = {show(*tensors[name])}" if depth == len(path) - 1 else ""))
        above = path


if __name__ == "__main__":
    if len(sys.argv) != 2:
        sys.exit(__doc__)
    try:
        with open(sys.argv[1], "rb") as archive:
            all_tensors, all_metadata = read_archive(archive.read())
    except (OSError, ValueError, RecursionError) as problem:
        sys.exit(f"{sys.argv[1]}: {problem}")
    for key, text in all_metadata.items():
        print(f"__metadata__[{key!r}] = {text!r}")
    print_tree(all_tensors)
