# SPDX-License-Identifier: BSL-1.0
"""values.py: named tensors and a type back into values: docs/format.md, "Values"."""
import math
from itertools import pairwise
from typing import Any

from .container import Tensor, require
from .packed import unpacked
from .results import Array, Hashed, Some, as_hashed, as_map
from .scalars import dtype_of, elements, require_values, trailing_extents
from .schema import Type, counter, escaped, has_side_tensors, keeps_dots, payload, step_name

BOOL = Type("scalar", [], "bool")


def cut(whole: Array, leading: int, offsets) -> list[Array]:
    """The parts of an array between offsets; its first `leading` extents count the elements that the offsets number."""
    t = whole.tensor
    size = len(t.data) // (math.prod(t.shape[:leading]) or 1)
    return [whole._replace(tensor=t._replace(shape=(b - a, *t.shape[leading:]), data=t.data[a * size:b * size])) for a, b in pairwise(offsets)]


class Archive:
    """The tensors of a file, asked for by name.

    Text is bytes; a record, tuple or sequence is a list; a map is a list of pairs; an absent optional is None; a variant is the
    index of its alternative and the value. Recursion follows the type, whose depth is bounded; that of packed values is bounded too.
    """

    def __init__(self, tensors: dict[str, Tensor]):
        self.tensors, self.unclaimed = tensors, set(tensors)
        self.most = max(1 << 20, sum(len(t.data) for t in tensors.values()))  # elements may take no bytes in the file

    def take(self, name: str, dtype: str, *shape: int | None) -> Tensor:
        """The tensor `name`, which must have this shape; None stands for any extent."""
        require(name in self.tensors, f"{name!r} is missing")
        self.unclaimed.discard(name)
        t = self.tensors[name]
        fits = t.dtype == dtype and len(t.shape) == len(shape) and all(want in (None, n) for want, n in zip(shape, t.shape))
        require(fits, f"{name!r} is {t.dtype} {list(t.shape)}, not {dtype} {list(shape)}")
        return t

    def number(self, name: str) -> int:
        return elements(self.take(name, "U64"), "u64")[0]

    def anything(self, name: str) -> Array:
        """A tensor of any dtype and shape."""
        require(name in self.tensors, f"{name!r} is missing")
        self.unclaimed.discard(name)
        found = Array(self.tensors[name], self.tensors[name].dtype.lower())
        require_values(found.tensor, found.code, name)
        return found

    def array(self, t: Type, name: str, *shape: int | None) -> Array:
        """Leaves `t`, as one tensor: `shape`, then their own extents."""
        while t.kind == "array":
            shape, t = (*shape, t.extent), t.children[0]
        found = Array(self.take(name, dtype_of(t.code), *shape, *trailing_extents(t.code)), t.code)
        require_values(found.tensor, t.code, name)
        return found

    def hashed(self, containers: list, name: str, *prefix: int) -> list[Hashed]:
        buckets = elements(self.take(f"{name}#buckets", "U64", *prefix), "u64")
        loads = elements(self.take(f"{name}#load", "F32", *prefix), "f32")
        return as_hashed(containers, buckets, loads, name)

    def value(self, t: Type, name: str) -> Any:
        """One value, alone."""
        if t.is_unordered:
            return self.hashed([self.ordered_value(t, name)], name)[0]
        return self.ordered_value(t, name)

    def ordered_value(self, t: Type, name: str) -> Any:
        if t.kind == "any":
            return self.anything(name)
        if t.kind == "packed":
            return unpacked(t, self.take(name, "U8", None).data, name)
        if t.kind == "scalar":
            return elements(*self.array(t, name))[0]
        if t.kind == "text":
            return bytes(self.take(name, "U8", None).data)
        if t.kind == "array":
            return self.array(t.children[0], name, *[t.extent] * t.rank)
        if t.kind == "optional":
            has, = elements(*self.array(BOOL, f"{name}#has"))
            inner = f"{name}#item" if has_side_tensors(t.children[0], in_column=False) else name
            return Some(self.value(t.children[0], inner)) if has else None
        if t.kind == "variant":
            index, = elements(self.take(f"{name}#index", "U32"), "u32")
            require(index < len(t.children), f"{name!r} holds alternative {index} of {len(t.children)}")
            return index, self.value(t.children[index], f"{name}#{index}")
        if t.kind == "sequence":
            return self.sequence(t, name)
        if t.kind == "map":
            return self.map(t, name)
        return [self.value(child, at) for child, at in t.members(name)]

    def sequence(self, t: Type, name: str) -> list:
        element = t.children[0]
        if element.is_modular:
            count = self.number(f"{name}#size") if t.is_ragged else t.extent
            require(count <= len(self.tensors), f"{name!r} asks for more elements than there are tensors")
            return [self.value(element, step_name(name, i)) for i in range(count)]
        return self.counted_column(element, name) if t.is_ragged else self.column(element, name, t.extent)

    def map(self, t: Type, name: str) -> list[tuple]:
        key, value = t.children
        keys = self.counted_column(key, f"{name}#keys")
        if key.kind == "text" and not key.tags and not t.is_multi and (value.is_modular or value.kind == "array" and value.is_ragged):
            keep = keeps_dots(value)
            return as_map(t, ((k, self.value(value, step_name(name, escaped(k, keep)))) for k in keys))
        if value.is_modular:
            return as_map(t, ((k, self.value(value, step_name(name, i))) for i, k in enumerate(keys)))
        return as_map(t, zip(keys, self.column(value, payload(name, value), len(keys))))

    def counted_column(self, t: Type, name: str) -> list:
        """A column that says itself how many values it has."""
        found = counter(t, name)
        if found is None:
            return self.column(t, name, self.number(f"{name}#size"))
        tensor = self.tensors.get(found[0])
        require(tensor is not None and len(tensor.shape) > 0 and tensor.shape[0] >= found[1], f"{found[0]!r} is missing or has no extent")
        return self.column(t, name, tensor.shape[0] - found[1])

    def column(self, t: Type, name: str, *prefix: int) -> list:
        """As many values as the product of `prefix`, leaf by leaf."""
        require(math.prod(prefix) <= self.most, f"{name!r} asks for more elements than the file has bytes")
        require(t.kind != "any" and t.rank == 1, f"{name!r} is a column of tensors of more extents than one")
        if t.is_unordered:
            return self.hashed(self.ordered_column(t, name, *prefix), name, *prefix)
        return self.ordered_column(t, name, *prefix)

    def ordered_column(self, t: Type, name: str, *prefix: int) -> list:
        count = math.prod(prefix)
        if t.kind == "scalar":
            return elements(*self.array(t, name, *prefix))
        if t.kind == "array" and not t.is_ragged:
            parts = cut(self.array(t, name, *prefix), len(prefix), range(count + 1))
            return [part._replace(tensor=part.tensor._replace(shape=part.tensor.shape[1:])) for part in parts]
        if t.kind == "optional":
            has = elements(*self.array(BOOL, f"{name}#has", *prefix))
            values = iter(self.column(t.children[0], payload(name, t.children[0]), sum(has)))
            return [Some(next(values)) if h else None for h in has]
        if t.kind == "variant":
            indices = elements(self.take(f"{name}#index", "U32", *prefix), "u32")
            require(all(i < len(t.children) for i in indices), f"{name!r} holds an alternative that there is not")
            values = [iter(self.column(child, f"{name}#{i}", indices.count(i))) for i, child in enumerate(t.children)]
            return [(i, next(values[i])) for i in indices]
        if t.kind in ("record", "tuple"):
            columns = [self.column(child, at, *prefix) for child, at in t.members(name)]
            return [[column[i] for column in columns] for i in range(count)]
        if t.kind == "sequence" and not t.is_ragged:
            flat = self.column(t.children[0], name, *prefix, t.extent)
            return [flat[i * t.extent:(i + 1) * t.extent] for i in range(count)]
        offsets = elements(self.take(f"{name}#offsets", "U64", count + 1), "u64")
        require(offsets[0] == 0 and all(a <= b for a, b in pairwise(offsets)), f"{name}#offsets do not rise from 0")
        if t.kind == "text":
            data = bytes(self.take(name, "U8", offsets[-1]).data)
            return [data[a:b] for a, b in pairwise(offsets)]
        if t.kind == "packed":
            data = self.take(name, "U8", offsets[-1]).data
            return [unpacked(t, data[a:b], name) for a, b in pairwise(offsets)]
        if t.kind == "array":
            return cut(self.array(t.children[0], name, offsets[-1]), 1, offsets)
        if t.kind == "sequence":
            items = self.counted_column(t.children[0], payload(name, t.children[0], with_count=True))
        else:
            keys = self.counted_column(t.children[0], f"{name}#keys")
            items = list(zip(keys, self.column(t.children[1], payload(name, t.children[1]), len(keys))))
        require(len(items) == offsets[-1], f"{name}#offsets end at {offsets[-1]}, not at {len(items)}")
        return [as_map(t, items[a:b]) if t.kind == "map" else items[a:b] for a, b in pairwise(offsets)]
