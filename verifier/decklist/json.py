"""JSON: our own syntax, which holds everything a decklist holds.

    {
      "format": "deckproof-decklist",
      "version": 1,
      "title": "Frump and friends",
      "lines": [
        {"count": 1, "name": "Ronald Frump", "section": "Media Tyrant", "set": "STR", "number": 4}
      ]
    }

`title`, `section`, `set` and `number` may be left out or null. A key that is not listed here is refused: a misspelt one
would otherwise be lost in silence. A later version will have another number; this reader refuses it.
"""

import json
from collections import Counter
from collections.abc import Iterator, Mapping
from difflib import get_close_matches

from verifier.decklist.draft import Draft
from verifier.decklist.fields import Wrong
from verifier.decklist.model import Decklist, Line

FORMAT = "deckproof-decklist"
VERSION = 1

_LIST_KEYS = ("format", "version", "title", "lines")
_LINE_KEYS = ("count", "name", "section", "set", "number")
_DEEPEST = 8
"""Arrays and objects inside each other; the syntax needs 3, and Python's parser survives about a thousand."""

_ENTRY_DEPTH = 3


def parse(text: str, draft: Draft) -> None:
    """Read a list in our own syntax."""
    entries_at = _entry_lines(text, draft)
    root = _load(text, draft)
    if not isinstance(root, dict) or root.get("format") != FORMAT:
        raise draft.stop(1, "", Wrong("it is not a Deckproof list", f'an object with "format": "{FORMAT}"'))
    if _number(root, "version") != str(VERSION):
        raise draft.stop(1, "", Wrong("its version is not known", f'"version": {VERSION}'))
    _check_keys(1, root, _LIST_KEYS, draft)
    draft.title(1, _text(1, root, "title", draft))
    entries = root.get("lines")
    if not isinstance(entries, list):
        raise draft.stop(1, "", Wrong("it has no lines", '"lines": [{"count": 1, "name": "Ronald Frump"}]'))
    at = 1
    for entry in entries:
        if isinstance(entry, dict):
            at = next(entries_at, at)
            _read_entry(at, entry, draft)
        else:
            draft.fault(at, json.dumps(entry), Wrong("a line is not an object", '{"count": 1, "name": "Ronald Frump"}'))


def write(decklist: Decklist) -> str:
    """A list in our own syntax, one entry on each line."""
    head = {"format": FORMAT, "version": VERSION, **({"title": decklist.title} if decklist.title else {})}
    return "\n".join(
        [
            "{",
            *(f"  {_dumped(key)}: {_dumped(value)}," for key, value in head.items()),
            '  "lines": [',
            ",\n".join("    " + _dumped(_entry(line)) for line in decklist.lines),
            "  ]",
            "}",
            "",
        ]
    )


def _read_entry(at: int, entry: Mapping[str, object], draft: Draft) -> None:
    _check_keys(at, entry, _LINE_KEYS, draft)
    draft.card(
        at,
        _dumped(entry),
        count=_number(entry, "count"),
        name=_text(at, entry, "name", draft),
        section=draft.section(at, _text(at, entry, "section", draft)),
        set_code=_text(at, entry, "set", draft),
        number=_number(entry, "number"),
    )


def _entry(line: Line) -> dict[str, object]:
    values = (line.count, line.name, line.section, line.set_code, line.number)
    return {key: value for key, value in zip(_LINE_KEYS, values, strict=True) if value is not None}


def _number(entry: Mapping[str, object], key: str) -> str:
    """The number as JSON writes it: `true`, `1.5` and `"4"` keep what makes them no whole number."""
    value = entry.get(key)
    return "" if value is None else json.dumps(value)


def _text(at: int, holder: Mapping[str, object], key: str, draft: Draft) -> str:
    value = holder.get(key)
    if value is None or isinstance(value, str):
        return value or ""
    draft.fault(at, json.dumps(value), Wrong(f'"{key}" is not a text', f'"{key}": "…" in quotes'))
    return ""


def _check_keys(at: int, holder: Mapping[str, object], known: tuple[str, ...], draft: Draft) -> None:
    for key in holder:
        if key not in known:
            near = get_close_matches(key, known, n=1) if len(key) <= max(map(len, known)) * 2 else []
            draft.fault(at, key, Wrong("this key is not known", f"one of {', '.join(near or known)}"))


def _load(text: str, draft: Draft) -> object:
    def unique(pairs: list[tuple[str, object]]) -> dict[str, object]:
        holder = dict(pairs)
        if len(holder) < len(pairs):
            twice = Counter(key for key, _ in pairs).most_common(1)[0][0]
            raise draft.stop(0, twice, Wrong("this key stands twice in one object", "each key once"))
        return holder

    def refuse(constant: str) -> object:
        raise draft.stop(0, constant, Wrong("this is not a number in JSON", "a whole number"))

    try:
        return json.loads(text, object_pairs_hook=unique, parse_constant=refuse)
    except json.JSONDecodeError as error:
        wrong = f"not JSON at column {error.colno}: {error.msg}"
        raise draft.stop(error.lineno, "", Wrong(wrong, "JSON as Deckproof exports it")) from error
    except ValueError as error:  # a number of thousands of digits
        raise draft.stop(0, "", Wrong(f"not JSON that can be read: {error}", "a whole number")) from error


def _entry_lines(text: str, draft: Draft) -> Iterator[int]:
    """The line on which each entry starts; the standard parser tells neither lines nor depth before it is too late."""
    found: list[int] = []
    line, depth, quoted, escaped = 1, 0, False, False
    for char in text:
        if char == "\n":
            line += 1
        if quoted:
            quoted = escaped or char != '"'
            escaped = char == "\\" and not escaped
        elif char == '"':
            quoted = True
        elif char in "[{":
            depth += 1
            if depth > _DEEPEST:
                raise draft.stop(line, "", Wrong(f"more than {_DEEPEST} brackets inside each other", "3 at most"))
            if char == "{" and depth == _ENTRY_DEPTH:
                found.append(line)
        elif char in "]}":
            depth -= 1
    return iter(found)


def _dumped(value: object) -> str:
    return json.dumps(value, ensure_ascii=False)
