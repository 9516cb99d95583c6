# SPDX-License-Identifier: BSL-1.0
"""scalars.py: elements of tensors as Python values: docs/format.md, "Scalars"."""
import math
import struct

from .container import Tensor, require

FORMATS = {"BOOL": "?", "U8": "B", "I8": "b", "U16": "H", "I16": "h", "F16": "e", "U32": "I", "I32": "i", "F32": "f", "U64": "Q", "I64": "q",
           "F64": "d"}
SPELLED = {"bool": "BOOL", "byte": "U8", "char": "U8", "char8": "U8", "char16": "U16", "char32": "U32"}  # other codes are the dtype in lower case
LONG_DOUBLES = {"f80": (16, 10), "f128": (16, 16), "f64x2": (16, 16), "f64l": (8, 8)}  # U8 with a last extent, and how many bytes of it are used
WIDE = {"i128": True, "u128": False}  # U8 with a last extent of 16; whether they have a sign


def number_code(code: str) -> str:
    """Of a `complex:`, `enum:`, `duration:` or `system_time:`, the number that it is."""
    return code.split(":")[1] if ":" in code else code


def dtype_of(code: str) -> str:
    number = number_code(code)
    if code == "complex:f32":
        return "C64"
    return "U8" if number in LONG_DOUBLES or number in WIDE else SPELLED.get(number, number.upper())


def is_complex(code: str) -> bool:
    return code.startswith("complex:")


def trailing_extents(code: str) -> tuple:
    """A long double, a 128-bit integer or a complex number takes a last extent."""
    number = number_code(code)
    if number in LONG_DOUBLES:
        return (LONG_DOUBLES[number][0] * (2 if is_complex(code) else 1),)
    return (16,) if number in WIDE else (2,) if is_complex(code) and dtype_of(code) != "C64" else ()


def require_values(t: Tensor, code: str, name: str) -> None:
    """Not all bits are a value."""
    if t.dtype == "BOOL":
        require(max(t.data, default=0) <= 1, f"{name!r} holds a bool other than 0 and 1")
    size, used = LONG_DOUBLES.get(number_code(code), (0, 0))
    require(not any(any(t.data[i::size]) for i in range(used, size)), f"{name!r} has padding other than 0")


def elements(t: Tensor, code: str) -> list:
    """The elements, in order, as numbers; a long double as a hexadecimal literal, which is exact; two of them as a pair."""
    number = number_code(code)
    if number in WIDE:
        return [int.from_bytes(t.data[i:i + 16], "little", signed=WIDE[number]) for i in range(0, len(t.data), 16)]
    if number in LONG_DOUBLES:
        size = LONG_DOUBLES[number][0]
        parts = [long_double(number, bytes(t.data[i:i + size])) for i in range(0, len(t.data), size)]
        return [f"({real}, {imaginary})" for real, imaginary in zip(parts[::2], parts[1::2])] if is_complex(code) else parts
    if is_complex(code) and t.dtype != "C64":
        parts = elements(t, number)
        return [complex(*pair) for pair in zip(parts[::2], parts[1::2])]
    if t.dtype == "BF16":
        return [struct.unpack("<f", b"\0\0" + t.data[i:i + 2])[0] for i in range(0, len(t.data), 2)]
    if t.dtype == "C64":
        return [complex(*pair) for pair in struct.iter_unpack("<ff", t.data)]
    return list(struct.unpack(f"<{math.prod(t.shape)}{FORMATS.get(t.dtype, 'B')}", t.data))  # an F8 as its bits


def long_double(number: str, raw: bytes) -> str:
    if number != "f80":
        return "0x" + raw[::-1].hex()
    mantissa, exponent = struct.unpack("<QH", raw[:10])
    sign, exponent = "-" if exponent >> 15 else "", exponent & 0x7FFF
    if exponent == 0x7FFF:
        return f"{sign}inf" if mantissa << 1 & 2**64 - 1 == 0 else "nan"
    return f"{sign}0x{mantissa:x}p{max(exponent, 1) - 16446}"
