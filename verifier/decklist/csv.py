"""CSV: a table with a header row, as spreadsheets and collection sites write it.

The header names the columns, in any order and under the usual names; columns that say nothing of the list (condition,
price) are passed over. A comma, a semicolon or a tabulator parts the cells. There is no place for a title.

A spreadsheet runs a cell that begins with `=`, `+`, `-` or `@`. Such a cell is written with an apostrophe before it,
and so is one that already begins with apostrophes before such a sign; reading takes exactly one away, so nothing is
lost.

Source: RFC 4180; OWASP, CSV Injection.
"""

import csv
from collections.abc import Iterator, Sequence
from io import StringIO

from verifier.decklist.draft import Draft
from verifier.decklist.fields import Wrong
from verifier.decklist.fold import fold
from verifier.decklist.model import Decklist

_COLUMNS: dict[str, tuple[str, ...]] = {
    "count": ("count", "quantity", "qty", "amount", "copies"),
    "name": ("name", "card", "card name", "cardname"),
    "section": ("section", "board", "zone", "category"),
    "set": ("set", "set code", "setcode", "edition", "edition code", "expansion"),
    "number": ("number", "collector number", "collectornumber", "card number", "no", "no."),
}
_COLUMN_OF = {word: column for column, words in _COLUMNS.items() for word in words}
_NEEDED = frozenset({"count", "name"})
_DELIMITERS = (",", ";", "\t")
_FORMULA_SIGNS = tuple("=+-@\uff1d\uff0b\uff0d\uff20")
"""Also full-width, which spreadsheets in East Asian locales run too."""

_RIGHT_HEADER = Wrong("the first row does not name the columns", "a first row such as count,name,section,set,number")


def parse(text: str, draft: Draft) -> None:
    """Read a table with a header row."""
    declared, body, skipped = _declared_delimiter(text)
    delimiter = declared or _delimiter_of(_first_line(body))
    rows = _rows(body, delimiter, skipped, draft)
    at, header = next(rows, (1, []))
    columns = [_COLUMN_OF.get(_spoken(cell)) for cell in header]
    named = [column for column in columns if column]
    if not set(named) >= _NEEDED:
        raise draft.stop(at, delimiter.join(header), _RIGHT_HEADER)
    if twice := [column for column in _COLUMNS if named.count(column) > 1]:
        raise draft.stop(at, delimiter.join(header), Wrong(f"two columns for the {twice[0]}", "one column for each"))
    for line, row in rows:
        _read_row(line, row, columns, delimiter, draft)


def write(decklist: Decklist) -> str:
    """A table with one row for each line of the list."""
    table = StringIO()
    writer = csv.writer(table, lineterminator="\n")
    writer.writerow(_COLUMNS)
    for line in decklist.lines:
        cells = (line.count, line.name, line.section, line.set_code, line.number)
        writer.writerow(["" if cell is None else _guarded(str(cell)) for cell in cells])
    return table.getvalue()


def is_table(text: str) -> bool:
    """Does the first line name the columns of a table?"""
    _, body, _ = _declared_delimiter(text)
    header = _first_line(body)
    return any(_named(header, delimiter) >= _NEEDED for delimiter in _DELIMITERS)


def _read_row(at: int, row: Sequence[str], columns: Sequence[str | None], delimiter: str, draft: Draft) -> None:
    shown = delimiter.join(row)
    if len(row) > len(columns):
        wrong = f"{len(row)} cells under {len(columns)} columns"
        draft.fault(at, shown, Wrong(wrong, 'a name that holds the separator in quotes: 1,"Frump, Ronald"'))
        return
    cells = {column: _unguarded(cell.strip()) for column, cell in zip(columns, row, strict=False) if column}
    draft.card(
        at,
        shown,
        count=cells.get("count", ""),
        name=cells.get("name", ""),
        section=draft.section(at, cells.get("section", "")),
        set_code=cells.get("set", ""),
        number=cells.get("number", ""),
    )


def _rows(text: str, delimiter: str, skipped: int, draft: Draft) -> Iterator[tuple[int, list[str]]]:
    """Rows that are not blank, each with the line on which it starts."""
    reader = csv.reader(StringIO(text, newline=""), delimiter=delimiter, skipinitialspace=True, strict=True)
    at = skipped + 1
    try:
        for row in reader:
            if any(cell.strip() for cell in row):
                yield at, row
            at = skipped + reader.line_num + 1
    except csv.Error as error:
        raise draft.stop(
            at, "", Wrong(f"not a row of a table: {error}", 'quotes doubled inside quotes: "a ""b"" c"')
        ) from error


def _declared_delimiter(text: str) -> tuple[str, str, int]:
    """The delimiter that a spreadsheet announces as `sep=;` in the first line, the rest, and the lines taken."""
    first, _, rest = text.partition("\n")
    sign = first.strip(" ").lower().removeprefix("sep=")
    if first.strip(" ").lower().startswith("sep=") and sign in _DELIMITERS:
        return sign, rest, 1
    return "", text, 0


def _first_line(text: str) -> str:
    return next((line for line in text.split("\n") if line.strip()), "")


def _delimiter_of(header: str) -> str:
    return max(_DELIMITERS, key=lambda delimiter: len(_named(header, delimiter)))


def _named(header: str, delimiter: str) -> set[str]:
    cells = (_spoken(cell.strip().strip('"')) for cell in header.split(delimiter))
    return {_COLUMN_OF[cell] for cell in cells if cell in _COLUMN_OF}


def _spoken(cell: str) -> str:
    return fold(cell.replace("_", " "))


def _guarded(cell: str) -> str:
    return f"'{cell}" if cell.lstrip("'").startswith(_FORMULA_SIGNS) else cell


def _unguarded(cell: str) -> str:
    return cell.removeprefix("'") if cell.lstrip("'").startswith(_FORMULA_SIGNS) else cell
