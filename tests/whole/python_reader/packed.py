# SPDX-License-Identifier: BSL-1.0
"""packed.py: a value that lies in one run of bytes: docs/format.md, "Packed values"."""
import math
from typing import Any

from .container import BITS, Tensor, require
from .results import Array, Some, as_hashed, as_map
from .scalars import dtype_of, elements, require_values, trailing_extents
from .schema import Type

MOST_LEVELS = 500  # of values in one another
MOST_ELEMENTS = 1 << 20  # that take no bytes


def unpacked(t: Type, data: memoryview, name: str) -> Any:
    """The value of the packed type `t`. Raises ValueError unless it is these bytes, all of them."""
    run = Run(data, name)
    made = run.value(t, 0)
    require(run.at == len(data), f"{name!r} goes on after its value, byte {run.at} of {len(data)}")
    return made


class Run:
    """Bytes, read from the front."""

    def __init__(self, data: memoryview, name: str):
        self.data, self.name, self.at = data, name, 0

    def take(self, size: int) -> memoryview:
        require(size <= len(self.data) - self.at, f"{self.name!r} ends within a value, byte {self.at}")
        self.at += size
        return self.data[self.at - size:self.at]

    def number(self, size: int) -> int:
        return int.from_bytes(self.take(size), "little")

    def count(self) -> int:
        n = self.number(8)
        require(n <= max(MOST_ELEMENTS, len(self.data)), f"{self.name!r} asks for {n} elements")
        return n

    def array(self, t: Type, *shape: int) -> Array:
        """Leaves `t` of that many extents."""
        while t.kind == "array":
            shape, t = (*shape, t.extent), t.children[0]
        shape, dtype = (*shape, *trailing_extents(t.code)), dtype_of(t.code)
        made = Array(Tensor(dtype, shape, self.take(math.prod(shape) * BITS[dtype] // 8)), t.code)
        require_values(made.tensor, t.code, self.name)
        return made

    def value(self, t: Type, level: int) -> Any:
        """One value, within `level` others. No more than one frame of Python for each level."""
        require(level <= MOST_LEVELS, f"{self.name!r} has more than {MOST_LEVELS} levels")
        t = t.content()
        if t.is_unordered:
            buckets, load = self.number(8), elements(Tensor("F32", (1,), self.take(4)), "f32")
        if t.kind == "scalar":
            return elements(*self.array(t))[0]
        if t.kind == "text":
            return bytes(self.take(self.count()))
        if t.kind == "optional":
            has = self.number(1)
            require(has <= 1, f"{self.name!r} holds a bool of {has}")
            return Some(self.value(t.children[0], level + 1)) if has else None
        if t.kind == "variant":
            index = self.number(4)
            require(index < len(t.children), f"{self.name!r} holds alternative {index} of {len(t.children)}")
            return index, self.value(t.children[index], level + 1)
        if t.kind in ("record", "tuple"):
            order = range(len(t.children))
            made = [None] * len(order)
            for i in sorted(order, key=lambda i: t.steps[i].encode()) if t.kind == "record" else order:
                made[i] = self.value(t.children[i], level + 1)
            return made
        if t.kind == "array":
            made = self.array(t.children[0], self.count() if t.is_ragged else t.extent)
        else:
            made = []
            for _ in range(t.extent if t.extent is not None else self.count()):
                first = self.value(t.children[0], level + 1)
                made.append((first, self.value(t.children[1], level + 1)) if t.kind == "map" else first)
            made = as_map(t, made) if t.kind == "map" else made
        return as_hashed([made], [buckets], load, self.name)[0] if t.is_unordered else made
