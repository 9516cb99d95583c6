# SPDX-License-Identifier: BSL-1.0
"""results.py: what the values of an archive are in Python, and what must hold of them: docs/format.md, "Order of keys"."""
import math
from itertools import pairwise
from typing import Any, NamedTuple

from .container import Tensor, require
from .scalars import elements, trailing_extents
from .schema import Type


class Array(NamedTuple):
    """Scalars in the shape of their tensor, not yet unpacked."""
    tensor: Tensor
    code: str

    def first(self, most: int) -> list:
        """At most that many of its elements."""
        t, own = self.tensor, len(trailing_extents(self.code))
        count = math.prod(t.shape[:len(t.shape) - own])
        some = min(count, most)
        return elements(t._replace(shape=(some, *t.shape[len(t.shape) - own:]), data=t.data[:len(t.data) // max(count, 1) * some]), self.code)


class Some(NamedTuple):
    """What an optional holds; it may be an optional itself."""
    value: Any


class Hashed(NamedTuple):
    """A hashed container: what it holds, in its order, its number of buckets, and its maximal load factor."""
    value: Any
    buckets: int
    load: float


def as_map(t: Type, pairs) -> list[tuple]:
    made = list(pairs)
    require(t.is_multi or all(a[0] != b[0] for a, b in pairwise(made)), "a map holds a key twice")
    return made


def as_hashed(containers: list, buckets, loads, name: str) -> list[Hashed]:
    """Raises ValueError where there are so many buckets that they would take the memory of who made them."""
    made = [Hashed(*each) for each in zip(containers, buckets, loads)]
    held = sum(c.tensor.shape[0] if isinstance(c, Array) else len(c) for c in containers)
    require(sum(h.buckets for h in made) <= 2**20 + 64 * (held + len(made)), f"{name}#buckets are far more than what lies in them")
    require(all(1 / 1024 <= h.load <= 1e18 for h in made), f"{name}#load is not between 1/1024 and 10^18")
    return made
