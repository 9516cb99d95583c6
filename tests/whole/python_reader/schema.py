# SPDX-License-Identifier: BSL-1.0
"""schema.py: the type tree from its text, and what its shape says of names and columns: docs/format.md, "The schema", "Values"."""
import re

from .container import BITS, natural, require
from .scalars import LONG_DOUBLES, WIDE


NUMBER = "|".join(["bool|byte|char|char8|char16|char32", *WIDE, *LONG_DOUBLES, *(dtype.lower() for dtype, bits in BITS.items() if bits >= 8)])
CODE = re.compile(rf"(enum:)?({NUMBER})|complex:({'|'.join(['f32', 'f64', *LONG_DOUBLES])})|(duration|system_time):({NUMBER}):\d+/\d+", re.ASCII)
MOST_EXTENTS = 16


class Type:
    """A node of the tree. `extent`: the fixed size of an array or sequence, None where it has none. `text`: what the digest covers.

    `rank`: how many extents of an array vary. `packed`: of an inner type, the one around that it is.
    """

    def __init__(self, kind: str, children: list["Type"], text: str, steps=(), extent: int | None = None, rank: int = 1, is_row: bool = False):
        self.kind, self.children, self.text, self.steps, self.extent, self.rank = kind, children, text, steps, extent, rank
        self.tags, self.code, self.packed = [], text if kind == "scalar" else "", None
        self.is_ragged = kind in ("array", "sequence") and extent is None
        self.is_leaf = kind == "scalar" or kind == "array" and not self.is_ragged
        self.has_runtime_array = kind == "map" or self.is_ragged or kind != "packed" and any(child.has_runtime_array for child in children)
        if kind == "packed" or is_row:
            self.is_modular = False
        elif kind in ("record", "tuple"):
            self.is_modular = self.has_runtime_array
        else:
            self.is_modular = kind == "any" or any(child.is_modular for child in children)

    def content(self) -> "Type":
        """Of a packed or inner type what is packed, else itself."""
        return self.packed.content() if self.kind == "inner" else self.children[0] if self.kind == "packed" else self

    @property
    def is_unordered(self) -> bool:
        """A hashed container, which has `#buckets` and `#load`."""
        return self.kind in ("array", "sequence", "map") and self.tags[-1:] in (["unordered"], ["unordered_multi"])

    @property
    def is_multi(self) -> bool:
        """A map whose keys may be equal."""
        return self.kind == "map" and self.tags[-1:] in (["multi"], ["unordered_multi"])

    def members(self, name: str) -> list[tuple["Type", str]]:
        """The members of a record or tuple at `name`, each with its own name."""
        return [(child, step_name(name, step)) for child, step in zip(self.children, self.steps)]


def step_name(name: str, step: object) -> str:
    return f"{name}.{step}" if name else "%5F_metadata__" if step == "__metadata__" else str(step)


def counter(t: Type, name: str) -> tuple[str, int] | None:
    """The tensor whose first extent, less the number, counts the values of a column of `t` at `name`; None: it is `name#size`."""
    if t.kind in ("record", "tuple"):
        return next(filter(None, (counter(child, at) for child, at in t.members(name))), None)
    if t.is_leaf:
        return name, 0
    if t.kind == "sequence" and not t.is_ragged:
        found = counter(t.children[0], name)
        return found if found and found[1] == 0 else None
    return {"optional": (f"{name}#has", 0), "variant": (f"{name}#index", 0)}.get(t.kind, (f"{name}#offsets", 1))


def has_side_tensors(t: Type, in_column: bool) -> bool:
    """Whether a `t` at some name has tensors `name#...`, so that inside another structure it moves to `name#item`."""
    if t.kind in ("optional", "variant", "map") or t.is_unordered:
        return True
    if t.kind in ("text", "packed", "array"):
        return in_column and not t.is_leaf
    if t.kind != "sequence":
        return False
    element = t.children[0]
    if element.is_modular and not in_column:
        return t.is_ragged
    return t.is_ragged and (in_column or counter(element, "") is None) or has_side_tensors(element, in_column=True)


def payload(name: str, t: Type, with_count: bool = False) -> str:
    """Where the column of what a structure at `name` holds lies; `with_count`: and its `#size`, if it has no counter."""
    return f"{name}#item" if has_side_tensors(t, in_column=True) or with_count and counter(t, "") is None else name


def keeps_dots(value: Type) -> bool:
    """Whether the dots of the keys of a map to `value` stay as they are."""
    def paths(t: Type, path: str) -> list[str | None]:
        if t.kind in ("scalar", "text", "array", "packed", "any"):
            return [path]
        if t.kind == "optional":
            return [path, *paths(t.children[0], path)]
        if t.kind in ("record", "tuple"):
            return [p for child, step in zip(t.children, t.steps) for p in paths(child, f"{path}.{step}")]
        return [None]

    all_paths = paths(value, "")
    return None not in all_paths and not any(a != b and a.endswith(b) for a in all_paths for b in all_paths)


def escaped(key: bytes, keep_dots: bool) -> str:
    text = key.decode(errors="surrogateescape")  # a byte 0xXX that is no UTF-8 becomes U+DCXX
    special = "#%\x7f" + ("" if keep_dots else ".")
    return "".join(f"%{ord(c) & 0xFF:02X}" if c < " " or c in special or "\udc80" <= c <= "\udcff" else c for c in text)


class SchemaParser:
    """Recursive descent over the grammar in docs/format.md."""

    def __init__(self, text: str):
        self.text, self.at, self.packed = text, 0, []  # packed: the types around that are

    def parse(self) -> Type:
        made = self.type(0)
        require(self.at == len(self.text), f"the schema goes on after its end, byte {self.at}")
        return made

    def take(self, mark: str) -> bool:
        found = self.text.startswith(mark, self.at)
        self.at += found
        return found

    def need(self, mark: str) -> None:
        require(self.take(mark), f"the schema has no {mark!r} at character {self.at}")

    def word(self, stops: str) -> str:
        begin = self.at
        while self.at < len(self.text) and self.text[self.at] not in stops:
            self.at += 1
        require(self.at > begin and min(self.text[begin:self.at]) > " ", f"the schema has no name at character {begin}")
        return self.text[begin:self.at]

    def type(self, depth: int) -> Type:
        require(depth <= 100, "the schema has more than 100 levels")
        tags = []
        while self.take("@"):
            tags.append(self.word("={}@\"\\"))
            require(max(tags[-1]) <= "~", "the schema has a tag that is not ASCII")
            self.need("=")
        made = self.untagged(depth + 1)
        made.tags, made.text = tags, "".join(f"@{tag}=" for tag in tags) + made.text
        return made

    def number(self, stops: str) -> int:
        word = self.word(stops)
        require(word[0] != "0" or word == "0", f"the schema has {word} for a number")
        return natural(word)

    def extents(self) -> tuple[int | None, int]:
        """What stands behind the element of an array or a sequence: its extent, or none, and how many there are."""
        if not self.take(";"):
            return None, 1
        if not self.take("*"):
            return self.number("]"), 1
        rank = 1
        while self.take(","):
            self.need("*")
            rank += 1
        require(1 < rank <= MOST_EXTENTS, f"the schema has an array of {rank} extents that vary")
        return None, rank

    def untagged(self, depth: int) -> Type:
        if self.take("["):
            element = self.type(depth)
            extent, rank = self.extents()
            self.need("]")
            kind = "array" if element.is_leaf and not element.tags else "sequence"
            require(rank == 1 or kind == "array", "the schema has a sequence of several extents")
            behind = ";" + ",".join("*" * rank) if rank > 1 else "" if extent is None else f";{extent}"
            return Type(kind, [element], f"[{element.text}{behind}]", extent=extent, rank=rank)
        if self.take("<"):
            key = self.type(depth)
            self.need(",")
            value = Type("any", [], "*") if self.take("*") else self.type(depth)
            self.need(">")
            return Type("map", [key, value], f"<{key.text},{value.text}>")
        if self.take("?"):
            value = self.type(depth)
            return Type("optional", [value], f"?{value.text}")
        if self.take("("):
            children, mark = [], ""
            while not self.take(")"):
                children.append(self.type(depth))
                mark = mark or ("|" if self.text.startswith("|", self.at) else ",")
                self.need(mark)
            text = "(" + "".join(child.text + mark for child in children) + ")"
            return Type("variant" if mark == "|" else "tuple", children, text, range(len(children)))
        if self.take("!"):
            self.packed.append(Type("packed", [], ""))
            content = self.type(depth)
            require(content.kind == "record", "the schema packs what is no record")
            made = self.packed.pop()
            made.children, made.text = [content], f"!{content.text}"
            return made
        if self.take("^"):
            level = self.number("{}[]<>(),|;?@=!#")
            require(level < len(self.packed), f"the schema has ^{level} within {len(self.packed)} packed types")
            made = Type("inner", [], f"^{level}")
            made.packed = self.packed[-1 - level]
            return made
        if self.text.startswith(("{", "#"), self.at):
            return self.record(depth)
        code = self.word("{}[]<>(),|;?@=!#")
        require(code == "text" or CODE.fullmatch(code) is not None, f"the schema has the unknown code {code!r}")
        return Type("text" if code == "text" else "scalar", [], code)

    def record(self, depth: int) -> Type:
        is_row, fields, version = self.take("#"), {}, ""
        self.need("{")
        while not self.take("}"):
            if fields:
                self.need(",")
            name = self.word(":{}[]<>(),|?!/")
            require(name not in fields, f"the schema names {name!r} twice")
            self.need(":")
            fields[name] = self.type(depth)
        if self.take("/"):
            number = self.number("{}[]<>(),|;?@=!#")
            require(number != 1 and number < 2**32, f"the schema has a version {number}")
            version = f"/{number}"
        text = "#" * is_row + "{" + ",".join(f"{name}:{fields[name].text}" for name in sorted(fields, key=str.encode)) + "}" + version
        return Type("record", list(fields.values()), text, list(fields), is_row=is_row)
