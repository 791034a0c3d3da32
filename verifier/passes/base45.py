"""Bytes as the letters that a QR code packs best: three of 45 for two bytes.

Source: RFC 9285.
"""

import struct
from typing import Final

LETTERS: Final = "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZ $%*+-./:"
"""Source: RFC 9285, table 1; ISO/IEC 18004, alphanumeric mode."""
_BASE: Final = len(LETTERS)
_NONE: Final = 0xFF
_VALUES: Final = bytes(LETTERS.find(chr(letter)) % 256 for letter in range(256))
"""The value of each letter, by its ASCII code; `_NONE` for what is no letter."""
_MOST_OF_TWO: Final = 0xFFFF
_MOST_OF_ONE: Final = 0xFF
_GROUP: Final = 3
"""Letters that two bytes take; a last byte alone takes one less."""


class NotBase45(ValueError):
    """The text is the base45 of no bytes; the sentence says where."""


def encode(raw: bytes) -> str:
    """Three letters for two bytes, the lowest first; two for a last byte alone."""
    pairs = struct.unpack_from(f">{len(raw) // 2}H", raw)
    letters = [LETTERS[n % _BASE] + LETTERS[n // _BASE % _BASE] + LETTERS[n // _BASE**2] for n in pairs]
    if len(raw) % 2:
        letters.append(LETTERS[raw[-1] % _BASE] + LETTERS[raw[-1] // _BASE])
    return "".join(letters)


def decode(text: str) -> bytes:
    """The bytes of a text; each has exactly one.

    Raises:
        NotBase45: another letter, letters too few, or a group above what its bytes can hold.
    """
    values = text.encode("ascii", "replace").translate(_VALUES)
    if (strange := values.find(_NONE)) >= 0:
        raise NotBase45(f"{text[strange]!a} at letter {strange + 1} is none of base45's")
    if len(text) % _GROUP == 1:
        raise NotBase45(f"{len(text)} letters are one too many or two too few")
    whole = len(text) - len(text) % _GROUP
    thirds = (values[place:whole:_GROUP] for place in range(_GROUP))
    pairs = [low + _BASE * middle + _BASE**2 * high for low, middle, high in zip(*thirds, strict=True)]
    if max(pairs, default=0) > _MOST_OF_TWO:
        at = _GROUP * next(at for at, number in enumerate(pairs) if number > _MOST_OF_TWO)
        raise NotBase45(f"{text[at : at + _GROUP]!a} from letter {at + 1} stands for more than two bytes hold")
    raw = struct.pack(f">{len(pairs)}H", *pairs)
    if whole == len(text):
        return raw
    last = values[-2] + _BASE * values[-1]
    if last > _MOST_OF_ONE:
        raise NotBase45(f"{text[whole:]!a} at the end stands for more than a byte holds")
    return raw + bytes([last])
