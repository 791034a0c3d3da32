"""Signed statements as JSON, read back strictly: every member, no other, and each exactly of its type.

    {"eventId": "0x…", …, "serial": 17, "signature": "0x…"}

Bytes are `0x` and hex digits in lower case, numbers are numbers, lists are lists.
"""

import re
from collections.abc import Callable, Iterator, Mapping
from typing import Final, TypeVar

from verifier.curve import SIGNATURE
from verifier.errors import StatementUnreadable
from verifier.passes.typed import Struct, Value, room_of

T = TypeVar("T")

_SIGNATURE: Final = "signature"
_HEX = re.compile(r"0x(?:[0-9a-f]{2})*", re.ASCII)
_LIST: Final = "[]"
_BITS: Final = 8


def write_statement(values: Mapping[str, Value], signature: bytes) -> dict[str, object]:
    """A statement of any type with its signature."""
    said: dict[str, object] = {
        name: "0x" + value.hex() if isinstance(value, bytes) else list(value) if isinstance(value, tuple) else value
        for name, value in values.items()
    }
    return {**said, _SIGNATURE: "0x" + signature.hex()}


def read_statement(kind: Struct, document: object, make: Callable[[Mapping[str, Value], bytes], T]) -> T:
    """What `write_statement` wrote.

    Args:
        kind: what it must be.
        document: of JSON.
        make: the value, from members that have the right types.

    Raises:
        StatementUnreadable: with everything that is wrong; also where `make` raises a ValueError.
    """
    if not isinstance(document, dict):
        raise StatementUnreadable(kind.name, ["it is no object with members"])
    kinds = {field.name: field.kind for field in kind.fields} | {_SIGNATURE: f"bytes{SIGNATURE}"}
    if faults := [*_faults(kinds, document)]:
        raise StatementUnreadable(kind.name, faults)
    values = {name: _value(document[name]) for name in kinds if name != _SIGNATURE}
    try:
        return make(values, _bytes(document[_SIGNATURE]))
    except ValueError as error:
        raise StatementUnreadable(kind.name, [str(error)]) from error


def _faults(kinds: Mapping[str, str], document: Mapping[object, object]) -> Iterator[str]:
    for name, kind in kinds.items():
        if name not in document:
            yield f"{name} is missing"
        elif kind.endswith(_LIST):
            value, each = document[name], kind.removesuffix(_LIST)
            if not isinstance(value, list) or not all(_fits(each, one) for one in value):
                yield f"{name} has to be a list of {each}"
        elif not _fits(kind, document[name]):
            yield f"{name} has to be {kind}, and is {document[name]!a:.80}"
    yield from (f"{name!a:.80} is no member of it" for name in document if name not in kinds)


def _fits(kind: str, value: object) -> bool:
    if kind.startswith("uint"):
        return type(value) is int and 0 <= value < 1 << _BITS * room_of(kind)
    size = SIGNATURE if kind == f"bytes{SIGNATURE}" else room_of(kind)
    return isinstance(value, str) and len(value) == 2 + 2 * size and bool(_HEX.fullmatch(value))


def _value(said: object) -> Value:
    if isinstance(said, list):
        return tuple(said)
    return said if isinstance(said, int) else _bytes(said)


def _bytes(said: object) -> bytes:
    return bytes.fromhex(str(said)[2:])
