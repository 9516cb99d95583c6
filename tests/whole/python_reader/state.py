# SPDX-License-Identifier: BSL-1.0
"""state.py: an archive's bytes as type, value and metadata, everything checked; and those as text, a line for each leaf."""
import json
from typing import Any, Iterator

import xxhash

from .container import read_container, require, verify
from .schema import SchemaParser, Type
from .values import Archive
from .results import Array, Hashed, Some

SHOWN = 8  # elements of an array or a sequence


def read_state(file: bytes) -> tuple[Type, Any, dict[str, str]]:
    """The type, the value and the metadata that an archive holds. Raises ValueError where it is damaged or no archive."""
    tensors, metadata = read_container(file)
    require("tidemark" in metadata, "it has no schema: it is a safetensors file of another writer")
    words = metadata["tidemark"].split(" ", 4)
    require(words[0] == "1", f"it is of format version {words[0]}; this program reads version 1")
    require(len(words) == 5 and words[1:3] == ["xxh3-128", "16777216"], "its metadata entry names digests that this format does not have")
    verify(tensors, metadata)
    root = SchemaParser(words[4]).parse()
    require(xxhash.xxh3_128_hexdigest(root.text.encode()) == words[3], "its schema does not match the digest beside it")
    archive = Archive(tensors)
    value = archive.value(root, "" if root.kind == "record" else "#root")
    require(not archive.unclaimed, f"{min(archive.unclaimed, default='')!r} is no part of its schema")
    return root, value, metadata


def show(value: Any) -> str:
    """A scalar or a text on one line; text that is not UTF-8 as hexadecimal digits."""
    if not isinstance(value, bytes):
        return json.dumps(value) if isinstance(value, bool) else str(value)
    try:
        return json.dumps(value.decode(), ensure_ascii=False)
    except UnicodeDecodeError:
        return f"0x{value.hex()}"


def show_array(array: Array) -> str:
    """Dtype, shape and the first elements."""
    first = array.first(SHOWN + 1)
    return " ".join([array.tensor.dtype, str(list(array.tensor.shape)), *map(show, first[:SHOWN]), *["..."] * (len(first) > SHOWN)])


def show_key(t: Type, key: Any) -> str:
    if t.kind in ("record", "tuple"):
        return "(" + ", ".join(show_key(child, member) for child, member in zip(t.children, key)) + ")"
    return "; ".join(line.removeprefix(" = ") for line in lines(t, key, ""))


def lines(t: Type, value: Any, path: str) -> Iterator[str]:
    """One for each leaf: its path, and what it holds."""
    t = t.content()
    if isinstance(value, Hashed):
        first, *others = lines(t, value.value, path)
        yield f"{first}, {value.buckets} buckets, load {value.load}"
        yield from others
    elif t.kind in ("scalar", "text"):
        yield f"{path} = {show(value)}"
    elif t.kind in ("array", "any"):
        yield f"{path} = {show_array(value)}"
    elif t.kind == "optional":
        yield from lines(t.children[0], value.value, f"{path}?") if isinstance(value, Some) else [f"{path} = none"]
    elif t.kind == "variant":
        index, alternative = value
        yield from lines(t.children[index], alternative, f"{path}#{index}")
    elif t.kind in ("record", "tuple"):
        if not value:
            yield f"{path} = empty"
        for child, step, member in zip(t.children, t.steps, value):
            yield from lines(child, member, f"{path}.{step}" if path else str(step))
    else:
        yield f"{path} = {t.kind} of {len(value)}"
        for i, item in enumerate(value[:SHOWN]):
            key, element = (show_key(t.children[0], item[0]), item[1]) if t.kind == "map" else (i, item)
            yield from lines(t.children[-1], element, f"{path}[{key}]")


def text_of(file: bytes) -> str:
    """The metadata and the state, readable and complete but for the ends of long arrays."""
    root, value, metadata = read_state(file)
    notes = [f"__metadata__.{key} = {json.dumps(text, ensure_ascii=False)}" for key, text in metadata.items() if key not in ("format", "tidemark")]
    return "".join(line + "\n" for line in [*notes, *(f"(root){line}" if line.startswith(" =") else line for line in lines(root, value, ""))])
