"""From what was uploaded or pasted to text with one kind of line end."""

import codecs

from verifier.decklist.fields import Wrong, shown
from verifier.decklist.model import DecklistUnreadable, unreadable

MOST_TEXT_BYTES = 8_192
"""A list as plain text, in UTF-8; twenty times a tournament list."""

MOST_MARKUP_BYTES = 131_072
"""A list in a syntax with names, quotes or tags around each value. Whatever fits the limit of text fits this one in
every syntax: a byte takes at most 6 as `&quot;`, and a line's tags or keys with its section less than 300."""

_BYTE_ORDER_MARKS = (
    (codecs.BOM_UTF8, "utf-8"),
    (codecs.BOM_UTF32_LE, "utf-32-le"),  # before UTF-16, whose mark is the first half of this one
    (codecs.BOM_UTF32_BE, "utf-32-be"),
    (codecs.BOM_UTF16_LE, "utf-16-le"),
    (codecs.BOM_UTF16_BE, "utf-16-be"),
)
_WIDEST = 4
"""Bytes that UTF-32 spends where UTF-8 spends one."""


def text_of(source: str | bytes) -> str:
    """The text, without byte order mark, each line ended by a line feed alone.

    Raises:
        DecklistUnreadable: far too long for any syntax, or not text in UTF-8, UTF-16 or UTF-32.
    """
    limit = MOST_MARKUP_BYTES * (_WIDEST if isinstance(source, bytes) else 1) + _WIDEST
    if len(source) > limit:
        raise too_long(len(source), MOST_MARKUP_BYTES)
    text = _decoded(source) if isinstance(source, bytes) else _without_surrogates(source)
    return text.removeprefix("\ufeff").replace("\r\n", "\n").replace("\r", "\n")


def check_size(text: str, most_bytes: int) -> None:
    """Refuse a text that is longer than its syntax may be."""
    size = len(text.encode())
    if size > most_bytes:
        raise too_long(size, most_bytes)


def too_long(size: int, most_bytes: int) -> DecklistUnreadable:
    """The refusal of a list of so many bytes."""
    return unreadable(0, "", Wrong(f"it has {size:,} bytes", f"at most {most_bytes:,} bytes"))


def _decoded(source: bytes) -> str:
    for mark, encoding in _BYTE_ORDER_MARKS:
        if source.startswith(mark):
            return _decoded_as(encoding, source.removeprefix(mark))
    if b"\0" in source:
        raise unreadable(
            0, "", Wrong("it holds zero bytes, as UTF-16 without its byte order mark does", "the list saved as UTF-8")
        )
    return _decoded_as("utf-8", source)


def _decoded_as(encoding: str, source: bytes) -> str:
    try:
        return source.decode(encoding)
    except UnicodeDecodeError as error:
        before = source[: error.start].decode(encoding, "replace")
        wrong = f"byte 0x{source[error.start]:02X} at position {error.start + 1} is not {encoding.upper()}"
        line = before.count("\n") + 1
        raise unreadable(line, shown(before.rpartition("\n")[2]), Wrong(wrong, "the list saved as UTF-8")) from error


def _without_surrogates(source: str) -> str:
    try:
        source.encode()
    except UnicodeEncodeError as error:
        wrong = f"half a character at position {error.start + 1} (U+{ord(source[error.start]):04X})"
        line = source.count("\n", 0, error.start) + 1
        raise unreadable(line, "", Wrong(wrong, "text in whole characters")) from error
    return source
