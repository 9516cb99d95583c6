# SPDX-License-Identifier: BSL-1.0
"""container.py: the tensors and the metadata of a file, checked: docs/format.md, "The container", "The digests"."""
import json
import math
from typing import NamedTuple

import xxhash

BITS = {"BOOL": 8, "F4": 4, "F6_E2M3": 6, "F6_E3M2": 6, "U8": 8, "I8": 8, "F8_E5M2": 8, "F8_E4M3": 8, "F8_E8M0": 8, "F8_E4M3FNUZ": 8,
        "F8_E5M2FNUZ": 8, "I16": 16, "U16": 16, "F16": 16, "BF16": 16, "I32": 32, "U32": 32, "F32": 32, "C64": 64, "F64": 64, "I64": 64, "U64": 64}
DIGESTS = "tidemark#digests"
BLOCK = 16 << 20


class Tensor(NamedTuple):
    dtype: str
    shape: tuple[int, ...]
    data: memoryview


def require(condition: bool, problem: str) -> None:
    if not condition:
        raise ValueError(problem)


def natural(digits: str) -> int:
    require(digits.isascii() and digits.isdecimal() and len(digits) <= 20 and int(digits) < 2**64, f"{digits[:24]} stands where a natural number below 2^64 belongs")
    return int(digits)


def distinct(pairs: list) -> dict:
    require(len(dict(pairs)) == len(pairs), "the header holds a name twice")
    return dict(pairs)


def require_entry(name: str, entry: object) -> None:
    problem = f"the header's entry for {name!r} is not dtype, shape and data_offsets"
    require(type(entry) is dict and entry.keys() == {"dtype", "shape", "data_offsets"}, problem)
    require(type(entry["dtype"]) is str and entry["dtype"] in BITS, f"the dtype of {name!r} is unknown")
    for numbers in entry["shape"], entry["data_offsets"]:
        require(type(numbers) is list and all(type(n) is int for n in numbers), problem)
    require(len(entry["data_offsets"]) == 2, problem)


def read_container(file: bytes) -> tuple[dict[str, Tensor], dict[str, str]]:
    """Tensors by name, and the metadata. Raises ValueError unless every byte of `file` is where it belongs."""
    length = int.from_bytes(file[:8], "little")
    require(2 <= length <= min(100_000_000, len(file) - 8) and file[8:9] == b"{", "the file has no whole safetensors header")
    header = json.loads(file[8:8 + length].decode(), object_pairs_hook=distinct, parse_int=natural, parse_float=natural, parse_constant=natural)
    metadata = header.pop("__metadata__", {})
    require(type(metadata) is dict and all(type(value) is str for value in metadata.values()), "__metadata__ maps to more than strings")
    for name, entry in header.items():
        require_entry(name, entry)
    tensors, end, data = {}, 0, memoryview(file)[8 + length:]
    for name, entry in sorted(header.items(), key=lambda item: item[1]["data_offsets"]):
        begin, stop = entry["data_offsets"]
        bits = math.prod(entry["shape"]) * BITS[entry["dtype"]]
        require(begin == end and 8 * (stop - begin) == bits, f"the data of {name!r} do not follow those before, or do not fit its shape")
        tensors[name], end = Tensor(entry["dtype"], tuple(entry["shape"]), data[begin:stop]), stop
    require(end == len(data), "the file does not end where its data do")
    return tensors, metadata


def header_content(tensors: dict[str, Tensor], metadata: dict[str, str]) -> bytes:
    """What the header's digest covers, whatever the order and the spelling of its JSON."""
    def number(n: int) -> bytes:
        return n.to_bytes(8, "little")

    def text(s: str) -> bytes:
        return number(len(s.encode())) + s.encode()

    parts = [number(len(tensors))]
    for name in sorted(tensors, key=str.encode):
        t = tensors[name]
        parts += [text(name), text(t.dtype), number(len(t.shape)), *map(number, t.shape)]
    parts.append(number(len(metadata)))
    for key in sorted(metadata, key=str.encode):
        parts += [text(key), text(metadata[key])]
    return b"".join(parts)


def verify(tensors: dict[str, Tensor], metadata: dict[str, str]) -> None:
    """Compares every digest. Raises ValueError at the first that differs. Removes the digest tensor from `tensors`."""
    require(DIGESTS in tensors, f"its digest tensor, {DIGESTS}, is gone")
    stored = tensors.pop(DIGESTS)
    require(stored.dtype == "U8" and len(stored.shape) == 1, "the digest tensor has another shape")
    require(stored.data[:16] == xxhash.xxh3_128_digest(stored.data[16:]), "the digests do not match the digest over themselves")
    require(stored.data[16:32] == xxhash.xxh3_128_digest(header_content(tensors, metadata)), "the header does not match its digest")
    at = 32
    for name in sorted(tensors, key=str.encode):
        data = tensors[name].data
        for begin in range(0, len(data), BLOCK):
            digest = xxhash.xxh3_128_digest(data[begin:begin + BLOCK])
            require(stored.data[at:at + 16] == digest, f"block {begin // BLOCK + 1} of {name!r} does not match its digest")
            at += 16
    require(at == len(stored.data), "the digest tensor holds more digests than there are blocks")
