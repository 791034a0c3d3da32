"""Bytes to JSON, strictly: what most readers let pass in silence is noted as a fault.

Two values for one key, NaN, a byte order mark: each is a file that two programs read in two ways. The text is read by
the standard library's fast reader; only if something is wrong, a second and slower look finds the lines.
"""

import codecs
import json
import re
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from typing import Final, TypeAlias

from tournament.event_file.model import MOST_BYTES, FileRule
from verifier.nesting import DEEPEST, NestedTooDeep, check_nesting

Path: TypeAlias = tuple[str | int, ...]
"""Keys and indices from the top of the document."""

_MARKS: Final = (
    (codecs.BOM_UTF32_LE, "UTF-32"),  # before UTF-16, whose mark is the first half of this one
    (codecs.BOM_UTF32_BE, "UTF-32"),
    (codecs.BOM_UTF16_LE, "UTF-16"),
    (codecs.BOM_UTF16_BE, "UTF-16"),
)
_FEW_BRACKETS: Final = 100_000
_LETTERS_EACH: Final = 10
"""An event file has more than twice as many for each bracket. Empty ones need 50 times their length in memory."""
_MOST_DIGITS: Final = 4300
"""Python reads no longer whole number from a text."""


class NotReadable(Exception):
    """The bytes are no JSON document at all, so there is nothing to go on with; never leaves the package."""

    def __init__(self, rule: FileRule, message: str, line: int | None = None) -> None:
        super().__init__(message)
        self.rule, self.message, self.line = rule, message, line


class Doubled(dict[str, object]):
    """An object in which keys stood twice; the last value of each counts."""

    twice: tuple[str, ...] = ()


class NotANumber:
    """NaN or an infinity, which JSON does not have."""

    def __init__(self, word: str) -> None:
        self.word = word


def text_of(source: bytes) -> tuple[str, bool]:
    """The text, and whether a byte order mark stood before it.

    Raises:
        NotReadable: too long, or not UTF-8.
    """
    if len(source) > MOST_BYTES:
        raise NotReadable(FileRule.SIZE, f"has more than {MOST_BYTES:,} bytes, and no event file does")
    for mark, name in _MARKS:
        if source.startswith(mark):
            raise NotReadable(FileRule.ENCODING, f"is {name}; save it as UTF-8")
    marked = source.startswith(codecs.BOM_UTF8)
    try:
        return source.removeprefix(codecs.BOM_UTF8).decode(), marked
    except UnicodeDecodeError as error:
        line = error.object.count(b"\n", 0, error.start) + 1
        wrong = f"byte 0x{error.object[error.start]:02x} is not UTF-8; save the file as UTF-8"
        raise NotReadable(FileRule.ENCODING, wrong, line) from error


def document_of(text: str) -> object:
    """The JSON document; objects are `dict`, or `Doubled` where a key stood twice.

    Raises:
        NotReadable: not JSON, or nested too deeply.
    """
    try:
        check_nesting(text)
        if text.count("{") + text.count("[") > _FEW_BRACKETS + len(text) // _LETTERS_EACH:
            raise NotReadable(FileRule.SIZE, "has more brackets than an event file of that length")
        return json.loads(text, object_pairs_hook=_object, parse_constant=NotANumber)
    except NestedTooDeep as error:
        raise NotReadable(FileRule.DEPTH, f"has more than {DEEPEST} brackets inside each other") from error
    except json.JSONDecodeError as error:
        said = error.msg[:1].lower() + error.msg[1:]
        raise NotReadable(FileRule.JSON, f"is not JSON: {said} (column {error.colno})", error.lineno) from error
    except ValueError as error:
        digits = re.search(rf"\d{{{_MOST_DIGITS + 1}}}", text)
        line = text.count("\n", 0, digits.start()) + 1 if digits else None
        raise NotReadable(FileRule.RANGE, f"has a number of more than {_MOST_DIGITS:,} digits", line) from error


def pointer(path: Path) -> str:
    """The path as a JSON Pointer. Source: RFC 6901."""
    return "".join(f"/{str(step).replace('~', '~0').replace('/', '~1')}" for step in path)


def lines_of(text: str, paths: Iterable[Path]) -> dict[Path, int]:
    """The line of each path in a JSON text, from 1, in the order of the text.

    A member stands where its key does, the last one if there are two. A path that is not in the text is left out.
    """
    wanted: _Tree = {}
    for path in paths:
        tree = wanted
        for step in path:
            tree = tree.setdefault(step, {})
    found: dict[Path, int] = {}
    _walk(text, _skip(text, 0), wanted, (), found)
    return {(): 1} | dict(zip(found, _lines_at(text, found.values()), strict=True))


_Tree: TypeAlias = "dict[str | int, _Tree]"

_SPACE = re.compile(r"[ \t\r\n]*")
_DECODER = json.JSONDecoder()


def _walk(text: str, at: int, wanted: _Tree, path: Path, found: dict[Path, int]) -> int:
    """Note where the wanted members or items of the value at that position stand; gives the position after it."""
    if text[at] not in "[{":
        return _DECODER.raw_decode(text, at)[1]
    is_list, at, index = text[at] == "[", _skip(text, at + 1), 0
    while text[at] not in "]}":
        begin, step = at, index
        if not is_list:
            step, at = _DECODER.raw_decode(text, at)
            at = _skip(text, _skip(text, at) + 1)
        if step in wanted:
            found.pop((*path, step), None)
            found[*path, step] = begin
        inner = wanted.get(step)
        at = _walk(text, at, inner, (*path, step), found) if inner else _DECODER.raw_decode(text, at)[1]
        at = _skip(text, at)
        at = _skip(text, at + 1) if text[at] == "," else at
        index += 1
    return at + 1


def _skip(text: str, at: int) -> int:
    space = _SPACE.match(text, at)
    return space.end() if space else at


def _lines_at(text: str, positions: Iterable[int]) -> Iterator[int]:
    """Lines of positions that grow."""
    line, counted = 1, 0
    for position in positions:
        line += text.count("\n", counted, position)
        counted = position
        yield line


def _object(pairs: Sequence[tuple[str, object]]) -> dict[str, object]:
    members = dict(pairs)
    if len(members) == len(pairs):
        return members
    doubled = Doubled(members)
    doubled.twice = tuple(key for key, times in Counter(key for key, _ in pairs).items() if times > 1)
    return doubled
