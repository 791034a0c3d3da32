"""Recursive Length Prefix, the encoding of headers and of trie nodes, by hand and strict.

The package of the same name takes a fifth of a second to import and brings half of web3.py along; here it is the
oracle of the tests.

Source: Ethereum Yellow Paper, appendix B.
"""

from collections.abc import Sequence
from typing import Final, TypeAlias

Item: TypeAlias = bytes | list["Item"]
"""What RLP knows: bytes, and lists of items."""

DEEPEST: Final = 16
"""Lists inside each other; a trie node with its embedded children has three."""

_SHORT: Final = 0x80
_LIST: Final = 0xC0
_LONG: Final = 55
"""Bytes up to which a length stands in the prefix itself."""


class UnsoundRlp(ValueError):
    """The bytes are not the one encoding of an item; the sentence says in what."""


def encode(item: bytes | Sequence[bytes | Sequence[object]]) -> bytes:
    """The one encoding of an item."""
    if isinstance(item, bytes):
        return item if len(item) == 1 and item[0] < _SHORT else _prefix(len(item), _SHORT) + item
    body = b"".join(encode(each) for each in item)  # type: ignore[arg-type]  # recursive
    return _prefix(len(body), _LIST) + body


def decode(encoded: bytes) -> Item:
    """The item that these bytes encode, and nothing but they.

    Raises:
        UnsoundRlp: cut off, followed by more, longer than need be, or nested too deep.
    """
    item, end = _item(encoded, 0, len(encoded), DEEPEST)
    if end != len(encoded):
        raise UnsoundRlp(f"{len(encoded) - end} bytes follow the item")
    return item


def encode_number(number: int) -> bytes:
    """A number as RLP has it: big-endian without leading zeros, nothing for 0. Not yet encoded as an item."""
    return number.to_bytes((number.bit_length() + 7) // 8, "big")


def decode_number(item: Item) -> int:
    """A number from its bytes.

    Raises:
        UnsoundRlp: a list, or with leading zeros.
    """
    if not isinstance(item, bytes) or item[:1] == b"\0":
        raise UnsoundRlp("a number has leading zeros" if isinstance(item, bytes) else "a list where a number belongs")
    return int.from_bytes(item, "big")


def _prefix(length: int, kind: int) -> bytes:
    if length <= _LONG:
        return bytes([kind + length])
    number = encode_number(length)
    return bytes([kind + _LONG + len(number)]) + number


def _item(encoded: bytes, start: int, end: int, deepest: int) -> tuple[Item, int]:
    """The item that starts there, and where it ends."""
    if start >= end:
        raise UnsoundRlp("it ends where an item should start")
    first = encoded[start]
    if first < _SHORT:
        return encoded[start : start + 1], start + 1
    kind = _LIST if first >= _LIST else _SHORT
    body, length = _extent(encoded, start, end, first - kind)
    if body + length > end:
        raise UnsoundRlp(f"it is cut off: an item of {length} bytes has {end - body}")
    if kind == _SHORT:
        if length == 1 and encoded[body] < _SHORT:
            raise UnsoundRlp("one byte is written longer than need be")
        return encoded[body : body + length], body + length
    if not deepest:
        raise UnsoundRlp(f"lists are nested over {DEEPEST} deep")
    items: list[Item] = []
    at = body
    while at < body + length:
        item, at = _item(encoded, at, body + length, deepest - 1)
        items.append(item)
    return items, at


def _extent(encoded: bytes, start: int, end: int, size: int) -> tuple[int, int]:
    """Where the body starts, and how long it is."""
    if size <= _LONG:
        return start + 1, size
    digits = encoded[start + 1 : min(end, start + 1 + size - _LONG)]
    if len(digits) < size - _LONG:
        raise UnsoundRlp("it is cut off in the middle of a length")
    length = int.from_bytes(digits, "big")
    if digits[0] == 0 or length <= _LONG:
        raise UnsoundRlp("a length is written longer than need be")
    return start + 1 + len(digits), length
