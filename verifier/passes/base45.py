"""Bytes as the letters that a QR code packs best: three of 45 for two bytes.

Source: RFC 9285.
"""

from typing import Final

LETTERS: Final = "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZ $%*+-./:"
"""Source: RFC 9285, table 1; ISO/IEC 18004, alphanumeric mode."""
_BASE: Final = len(LETTERS)
_VALUE: Final = {letter: value for value, letter in enumerate(LETTERS)}
_PAIR: Final = 3
"""Letters that two bytes take."""
_SINGLE: Final = 2
"""Letters that a last byte alone takes."""


class NotBase45(ValueError):
    """The text is the base45 of no bytes; the sentence says where."""


def encode(raw: bytes) -> str:
    """Three letters for two bytes, the lowest first; two for a last byte alone."""
    letters = []
    for at in range(0, len(raw) - 1, 2):
        number = raw[at] << 8 | raw[at + 1]
        letters += [LETTERS[number % _BASE], LETTERS[number // _BASE % _BASE], LETTERS[number // _BASE**2]]
    if len(raw) % 2:
        letters += [LETTERS[raw[-1] % _BASE], LETTERS[raw[-1] // _BASE]]
    return "".join(letters)


def decode(text: str) -> bytes:
    """The bytes of a text; each has exactly one.

    Raises:
        NotBase45: another letter, letters too few, or a group above what its bytes can hold.
    """
    strange = next((at for at, letter in enumerate(text) if letter not in _VALUE), None)
    if strange is not None:
        raise NotBase45(f"{text[strange]!a} at letter {strange + 1} is none of base45's")
    if len(text) % _PAIR == 1:
        raise NotBase45(f"{len(text)} letters are one too many or two too few")
    values = [_VALUE[letter] for letter in text]
    raw = bytearray()
    for at in range(0, len(values), _PAIR):
        group = values[at : at + _PAIR]
        size = len(group) - 1
        number = sum(value * _BASE**place for place, value in enumerate(group))
        if number >> 8 * size:
            raise NotBase45(
                f"the letters {text[at : at + _PAIR]!a} from letter {at + 1} stand for more than {size} bytes"
            )
        raw += number.to_bytes(size, "big")
    return bytes(raw)
