"""Shapes of JSON documents that strangers bring: what is right at each place, and every fault with its path.

A shape is an object of shapes with exactly these keys, an array of one shape (`Many`), an object with any keys
(`Keyed`), or a check of a value.
"""

import json
import re
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass
from typing import Any, Final, TypeAlias

from verifier.addresses import parse_address
from verifier.errors import AddressUnreadable

LARGEST: Final = 2**53 - 1
"""Of whole numbers: what every JSON parser reads exactly."""
_EXAMPLE: Final = "0x5aAeb6053F3E94C9b9A09f33669435E7Ef1BeAed"
_SHOWN: Final = 80
"""Characters of a wrong value that a fault repeats."""


@dataclass(frozen=True, slots=True)
class ShapeFault:
    """One thing that is wrong with a document: a finding."""

    path: str
    """Where: `collections[0].code_hash`; empty for the whole document."""
    problem: str
    """What is there, and what would be right."""

    def __str__(self) -> str:
        return f"{self.path}: {self.problem}" if self.path else self.problem


def canonical(document: object) -> str:
    """The one way to write a document of whole numbers, strings, arrays and objects. Source: RFC 8785.

    Raises:
        ValueError: a number that JSON has not.
    """
    return json.dumps(document, sort_keys=True, separators=(",", ":"), ensure_ascii=False, allow_nan=False)


Check: TypeAlias = Callable[[Any], str | None]
"""A JSON value to what would be right; None where it is."""
Shape: TypeAlias = "Mapping[str, Shape] | Many | Keyed | Check"


@dataclass(frozen=True, slots=True)
class Many:
    """An array."""

    each: "Shape"
    least: int
    most: int


@dataclass(frozen=True, slots=True)
class Keyed:
    """An object with keys of any name."""

    key: Check
    each: "Shape"


def whole(least: int, most: int = LARGEST) -> Check:
    """A whole number in a range."""

    def right(value: object) -> str | None:
        if isinstance(value, int) and not isinstance(value, bool) and least <= value <= most:
            return None
        return f"a whole number from {least} to {most}"

    return right


def or_null(check: Check) -> Check:
    """What the check says, or nothing."""
    return lambda value: None if value is None else f"null, or {check(value)}" if check(value) else None


def like(pattern: str, right: str) -> Check:
    """A text of that pattern."""
    whole_text = re.compile(pattern, re.ASCII)
    return lambda value: None if isinstance(value, str) and whole_text.fullmatch(value) else right


def one_of(words: Iterable[str]) -> Check:
    """One of these texts."""
    words = tuple(words)
    return lambda value: None if value in words else f"one of {', '.join(words)}"


def address(value: object) -> str | None:
    """An address in EIP-55 form."""
    try:
        found = parse_address(value) if isinstance(value, str) else None
    except AddressUnreadable as error:
        return error.right
    return None if found == value else f"an address with its checksum, like {found or _EXAMPLE}"


def faults_of(path: str, shape: Shape, value: object) -> Iterator[ShapeFault]:
    """Everything in which a value is not of a shape; the path is where it stands."""
    if isinstance(shape, Many):
        yield from _many_faults(path, shape, value)
    elif isinstance(shape, Keyed):
        yield from _keyed_faults(path, shape, value)
    elif isinstance(shape, Mapping):
        if not isinstance(value, dict):
            yield ShapeFault(path, f"{shown(value)}, where an object with {', '.join(shape)} is right")
            return
        for key in dict.fromkeys([*shape, *value]):
            inside = f"{path}.{key}".lstrip(".") if key in shape else path
            if key not in shape:
                yield ShapeFault(path, f"an unknown key, {shown(key)}; those known are {', '.join(shape)}")
            elif key not in value:
                yield ShapeFault(inside, "it is missing")
            else:
                yield from faults_of(inside, shape[key], value[key])
    elif (right := shape(value)) is not None:
        yield ShapeFault(path, f"{shown(value)}, where {right} is right")


def _many_faults(path: str, shape: Many, value: object) -> Iterator[ShapeFault]:
    if not isinstance(value, list) or not shape.least <= len(value) <= shape.most:
        found = f"{len(value)} of them" if isinstance(value, list) else shown(value)
        yield ShapeFault(path, f"{found}, where an array of {shape.least} to {shape.most} is right")
    for place, each in enumerate(value[: shape.most] if isinstance(value, list) else ()):
        yield from faults_of(f"{path}[{place}]", shape.each, each)


def _keyed_faults(path: str, shape: Keyed, value: object) -> Iterator[ShapeFault]:
    if not isinstance(value, dict):
        yield ShapeFault(path, f"{shown(value)}, where an object is right")
        return
    for key, each in value.items():
        if (right := shape.key(key)) is not None:
            yield ShapeFault(path, f"the key {shown(key)}, where {right} is right")
        yield from faults_of(f"{path}[{shown(key)}]", shape.each, each)


def shown(value: object) -> str:
    """Foreign JSON, safe to print and short."""
    text = json.dumps(value)
    return text if len(text) <= _SHOWN else f"{text[: _SHOWN - 1]}…"
