"""CSV: a table with a header row, as spreadsheets and collection sites write it.

The header names the columns, in any order and under the usual names. Columns that are known to say nothing of the list
(condition, price) are passed over; any other is a fault, because it may hold a count or a section. A comma, a semicolon
or a tabulator parts the cells. There is no place for a title.

A spreadsheet runs a cell that begins with `=`, `+`, `-` or `@`. Such a cell is written with an apostrophe before it,
and so is one that already begins with apostrophes before such a sign; reading takes exactly one away, so nothing is
lost.

Source: RFC 4180; OWASP, CSV Injection.
"""

import csv
from collections.abc import Iterator, Sequence
from io import StringIO

from verifier.decklist.draft import Draft
from verifier.decklist.fields import Wrong, shown
from verifier.decklist.fold import fold
from verifier.decklist.model import Decklist
from verifier.errors import counted

_COLUMNS: dict[str, tuple[str, ...]] = {
    "count": ("count", "quantity", "qty", "amount", "copies"),
    "name": ("name", "card", "card name", "cardname"),
    "section": ("section", "board", "zone", "category"),
    "set": ("set", "set code", "setcode", "edition", "edition code", "expansion"),
    "number": ("number", "collector number", "collectornumber", "card number", "no", "no."),
}
_COLUMN_OF = {word: column for column, words in _COLUMNS.items() for word in words}
_PASSED_OVER = frozenset(
    (  # noqa: SIM905 - a column a line would fill the page
        "condition|language|foil|finish|printing|rarity|price|note|notes|comment|comments|tags|set name|edition name|"
        # Deckbox
        "tradelist count|signed|artist proof|altered art|misprint|promo|textless|printing id|printing note|my price|"
        # Moxfield
        "last modified|alter|proxy|purchase price|"
        # ManaBox
        "manabox id|scryfall id|altered|purchase price currency|binder name|binder type|"
        # Dragon Shield
        "folder name|trade quantity|price bought|date bought|low|mid|market|avg|trend|"
        # TCGplayer
        "simple name|product id|sku|"
        # Magic Online; its "Sideboarded" says where a card stands and is no such column
        "id #|collector #|premium|annotation"
    ).split("|")
)
_NAMELESS = ""
"""The column of an empty cell in the header; spreadsheets write some to the right of a table."""

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
    columns = [_column(cell) for cell in header]
    named = [column for column in columns if column]
    if not set(named) >= _NEEDED:
        raise draft.stop(at, delimiter.join(header), _RIGHT_HEADER)
    if twice := [column for column in _COLUMNS if named.count(column) > 1]:
        raise draft.stop(at, delimiter.join(header), Wrong(f"two columns for the {twice[0]}", "one column for each"))
    _check_columns(at, header, draft)
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


def _check_columns(at: int, header: Sequence[str], draft: Draft) -> None:
    for cell in header:
        spoken = _spoken(cell)
        if spoken and spoken not in _COLUMN_OF and spoken not in _PASSED_OVER:
            right = f"one of {', '.join(_COLUMNS)}, or the table without this column"
            draft.fault(at, cell, Wrong(f"the column '{shown(cell)}' is not known", right))


def _read_row(at: int, row: Sequence[str], columns: Sequence[str | None], delimiter: str, draft: Draft) -> None:
    said = delimiter.join(row)
    if len(row) > len(columns):
        wrong = f"{counted(len(row), 'cell')} under {counted(len(columns), 'column')}"
        draft.fault(at, said, Wrong(wrong, 'a name that holds the separator in quotes: 1,"Frump, Ronald"'))
        return
    if any(cell.strip() and column == _NAMELESS for cell, column in zip(row, columns, strict=False)):
        draft.fault(at, said, Wrong("a cell stands in a column without a name", "each column named in the first row"))
    cells = {column: _unguarded(cell.strip()) for column, cell in zip(columns, row, strict=False) if column}
    draft.card(
        at,
        said,
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


def _column(cell: str) -> str | None:
    """What the column is read as; None if it is not."""
    spoken = _spoken(cell)
    return _COLUMN_OF.get(spoken) if spoken else _NAMELESS


def _spoken(cell: str) -> str:
    return fold(cell.replace("_", " "))


def _guarded(cell: str) -> str:
    return f"'{cell}" if cell.lstrip("'").startswith(_FORMULA_SIGNS) else cell


def _unguarded(cell: str) -> str:
    return cell.removeprefix("'") if cell.lstrip("'").startswith(_FORMULA_SIGNS) else cell
