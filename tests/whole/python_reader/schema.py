# SPDX-License-Identifier: BSL-1.0
"""schema.py: the type tree from its text, and what its shape says of names and columns: docs/format.md, "The schema", "Values"."""
from .container import natural, require


class Type:
    """A node of the tree. `extent`: the fixed size of an array or sequence, None where it has none. `text`: what the digest covers."""

    def __init__(self, kind: str, children: list["Type"], text: str, steps=(), extent: int | None = None):
        self.kind, self.children, self.text, self.steps, self.extent = kind, children, text, steps, extent
        self.tag, self.code = "", text if kind == "scalar" else ""
        self.is_ragged = kind in ("array", "sequence") and extent is None
        self.is_leaf = kind == "scalar" or kind == "array" and not self.is_ragged
        self.has_runtime_array = kind == "map" or self.is_ragged or any(child.has_runtime_array for child in children)
        self.is_modular = self.has_runtime_array if kind in ("record", "tuple") else any(child.is_modular for child in children)

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
    if t.kind in ("optional", "variant", "map"):
        return True
    if t.kind == "text" or t.kind == "array":
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
        if t.kind in ("scalar", "text", "array"):
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
        self.text, self.at = text, 0

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
        tag = ""
        while self.take("@"):
            word = self.word("={}@\"\\")
            require(max(word) <= "~", "the schema has a tag that is not ASCII")
            tag += f"@{word}="
            self.need("=")
        made = self.untagged(depth + 1)
        made.tag, made.text = tag, tag + made.text
        return made

    def untagged(self, depth: int) -> Type:
        if self.take("["):
            element = self.type(depth)
            extent = natural(self.word("]")) if self.take(";") else None
            self.need("]")
            kind = "array" if element.is_leaf and not element.tag else "sequence"
            return Type(kind, [element], f"[{element.text}]" if extent is None else f"[{element.text};{extent}]", extent=extent)
        if self.take("<"):
            key = self.type(depth)
            self.need(",")
            value = self.type(depth)
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
        if self.take("{"):
            fields = {}
            while not self.take("}"):
                if fields:
                    self.need(",")
                name = self.word(":{}[]<>(),|?")
                require(name not in fields, f"the schema names {name!r} twice")
                self.need(":")
                fields[name] = self.type(depth)
            text = "{" + ",".join(f"{name}:{fields[name].text}" for name in sorted(fields, key=str.encode)) + "}"
            return Type("record", list(fields.values()), text, list(fields))
        code = self.word("{}[]<>(),|;?@=")
        return Type("text" if code == "text" else "scalar", [], code)
