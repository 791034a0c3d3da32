"""A roster: the entries of an event as a table for spreadsheets, read into an event and written from one.

Columns, in any order; only `name` has to be there: `name`, `fixed_table`, `awarded_byes`, `apart` (a word of your
choice: whoever has the same one is kept apart). Commas, semicolons or tabulators part them. What a roster has that is
only written (`number`, `place`, `left_after`, …) is not read, so that a written roster enters the same players
elsewhere.

A spreadsheet takes a cell that begins with = + - or @ for a formula; such a cell is written with an apostrophe in
front, which is taken off again in reading. Source: OWASP, "CSV Injection".
"""

import csv
import io
from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import combinations
from typing import ClassVar, Final, Literal

from pydantic import BaseModel, ConfigDict, Field, ValidationError
from sqlmodel import Session

from tournament import store
from tournament.database import Database
from tournament.domain.amounts import counted
from tournament.domain.errors import FileUnreadable
from tournament.domain.lifecycle import Action
from tournament.errors import EntriesFault, EntriesUnreadable
from tournament.interchange.building import decoded
from tournament.interchange.results_csv import guarded, unguarded
from tournament.service import places
from tournament.service.apart import MOST_APART
from tournament.service.beside import ENTRY, Kept, Place, Subject, nameless
from tournament.service.commands import Arguments, Ask, Fact, Kind, Receipt, Scene, run
from tournament.service.entries import DESK, MOST_BYES, MOST_NUMBER, next_number
from tournament.service.names import PlayerName
from tournament.tables import DeckRow, EntryRow, EventRow, LogRow
from verifier.decklist import fold

MOST_BYTES: Final = 8 << 20
MOST_LINES: Final = 50_000
LONGEST_GROUP: Final = 100
_FORMAT: Final = "a roster"
READ: Final = ("name", "fixed_table", "awarded_byes", "apart")
WRITTEN: Final = (
    "number",
    *READ,
    "entered_in",
    "place",
    "left_after",
    "disqualified",
    "checked_in",
    "list",
)
"""Columns of a written roster. `place`: yes, waiting, or void (merged into another). `list`: legal, draft, none."""
Duplicates = Literal["refuse", "accept"]


class Line(BaseModel):
    """A player of a roster."""

    model_config = ConfigDict(extra="forbid", frozen=True, str_strip_whitespace=True)

    line: int = Field(exclude=True)
    name: PlayerName
    fixed_table: int | None = Field(default=None, ge=1, le=MOST_NUMBER)
    awarded_byes: int = Field(default=0, ge=0, le=MOST_BYES)
    apart: str = Field(default="", max_length=LONGEST_GROUP)


class Import(Arguments):
    """Enter everybody of a roster, or nobody."""

    unlogged: ClassVar[frozenset[str]] = frozenset({"lines", "faults"})

    duplicates: Duplicates
    lines: tuple[Line, ...]
    faults: tuple[EntriesFault, ...]


class Player(BaseModel):
    """A player who is in, with what is not usual."""

    model_config = ConfigDict(extra="forbid", frozen=True)

    name: Kept
    fixed_table: int | None = Field(default=None, exclude_if=lambda table: table is None)
    awarded_byes: int = Field(default=0, exclude_if=lambda byes: byes == 0)


class Imported(Fact):
    """Everybody of a roster is in; who comes after the last place waits for one."""

    beside: ClassVar[tuple[Place, ...]] = (
        Place(
            path=("players", "*", "name"),
            of=lambda fact, at: Subject(ENTRY, fact["first"] + at),
            gone=nameless,
        ),
    )

    first: int = Field(description="the number of the first; the others follow")
    entered_in: int
    places: int = Field(description="how many have a place; the others wait")
    players: list[Player]
    apart: list[tuple[int, int]] = Field(description="pairs of numbers that are kept apart, the smaller first")
    alike: list[tuple[int, int]] = Field(
        description="a new number, and the first other one whose name is the same but for case, accents of writing "
        "and spaces: perhaps the same person"
    )


# --- reading ----------------------------------------------------------------------------------------------------------


def enter(database: Database, ask: Ask, content: bytes, duplicates: Duplicates, *, reason: str = "") -> Receipt:
    """Enter everybody of a roster, in one command.

    Raises:
        EntriesUnreadable: nobody was entered; every fault with its line.
    """
    lines, faults = parse_roster(content)
    asked = Import.model_construct(duplicates=duplicates, lines=lines, faults=faults, reason=reason)
    return run(database, IMPORT, ask, asked)


def parse_roster(content: bytes) -> tuple[tuple[Line, ...], tuple[EntriesFault, ...]]:
    """The players of a roster, and everything that is wrong in it."""
    lines: list[Line] = []
    faults: list[EntriesFault] = []
    if len(content) > MOST_BYTES:
        return (), (EntriesFault(0, "", f"has {len(content):,} bytes; at most {MOST_BYTES:,} are read"),)
    try:
        for number, cells in _cells(decoded(content, _FORMAT, or_latin=True)):
            if isinstance(cells, str):
                faults.append(EntriesFault(number, "", cells))
            else:
                _read(number, cells, lines, faults)
    except FileUnreadable as error:
        faults.extend(EntriesFault(0, "", fault.problem) for fault in error.faults)
    if not (lines or faults):
        faults.append(EntriesFault(0, "", "names nobody"))
    return tuple(lines), tuple(faults)


def _cells(text: str) -> Iterator[tuple[int, Mapping[str, str] | str]]:
    """Each line's number with its cells by column, or with what is wrong; empty lines are left out."""
    header, _, _ = text.partition("\n")
    delimiter = next((sign for sign in ("\t", ";") if sign in header), ",")
    reader = csv.reader(io.StringIO(text, newline=""), delimiter=delimiter, strict=True)
    try:
        columns = [cell.strip().lower() for cell in next(reader, [])]
        wrong = [*_wrong_columns(columns)]
        yield from ((1, problem) for problem in wrong)
        for row in [] if wrong else reader:
            if any(map(str.strip, row)):
                yield reader.line_num, _by_column(columns, row)
            if reader.line_num > MOST_LINES:
                yield 0, f"has more than {MOST_LINES:,} lines"
                return
    except csv.Error as error:
        yield reader.line_num, f"is not CSV: {error}"


def _wrong_columns(columns: Sequence[str]) -> Iterator[str]:
    if "name" not in columns:
        yield "has no column name; the first line names the columns"
    for column in dict.fromkeys(columns):
        if columns.count(column) > 1:
            yield f"has the column {column[:40]!r} twice"
        if column not in WRITTEN:
            yield f"has a column {column[:40]!r}; the columns are {', '.join(READ)}"


def _by_column(columns: Sequence[str], row: Sequence[str]) -> Mapping[str, str] | str:
    if len(row) != len(columns):
        return f"has {counted(len(row), 'cell')} under {counted(len(columns), 'column')}"
    return {name: unguarded(cell.strip()) for name, cell in zip(columns, row, strict=True) if name in READ}


def _read(number: int, cells: Mapping[str, str], lines: list[Line], faults: list[EntriesFault]) -> None:
    filled = {name: cell for name, cell in cells.items() if cell or name == "name"}
    try:
        lines.append(Line.model_validate({"line": number, **filled}))
    except ValidationError as error:
        faults.extend(
            EntriesFault(number, str(one["loc"][0]), f"{_shown(cells, one['loc'][0])}{one['msg']}")
            for one in error.errors(include_url=False, include_context=False)
        )


def _shown(cells: Mapping[str, str], column: object) -> str:
    said = cells.get(str(column), "")
    return f"{said[:40]!r}: " if said else ""


# --- entering ---------------------------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Foreseen:
    """What entering a roster would come to."""

    imported: Imported
    """As if nothing were wrong."""
    faults: Sequence[EntriesFault]
    """Everything that is, in the order of the lines; not empty: nobody would be entered."""


def foresee(session: Session, event: EventRow, content: bytes, duplicates: Duplicates) -> Foreseen:
    """What entering a roster would come to. Nothing is changed."""
    return _foreseen(session, event, parse_roster(content), duplicates)


def _foreseen(
    session: Session,
    event: EventRow,
    read: tuple[Sequence[Line], Sequence[EntriesFault]],
    duplicates: Duplicates,
) -> Foreseen:
    lines, faults = read
    first = next_number(session, event.id)
    alike, apart, free = _alike(session, event, lines, first), _pairs(lines, first), places.free(session, event)
    found = [*faults, *_full(event, lines, free), *_too_many(session, event, apart)]
    if duplicates == "refuse":
        found += _repeated(lines, alike, first)
    imported = Imported(
        first=first,
        entered_in=store.last_published(session, event.id) + 1,
        places=min(len(lines), free),
        players=[
            Player(name=line.name, fixed_table=line.fixed_table, awarded_byes=line.awarded_byes) for line in lines
        ],
        apart=apart,
        alike=alike,
    )
    return Foreseen(imported, sorted(found, key=lambda fault: fault.line))


def _decide(scene: Scene, asked: Import) -> Imported:
    foreseen = _foreseen(scene.session, scene.event, (asked.lines, asked.faults), asked.duplicates)
    if foreseen.faults:
        raise EntriesUnreadable(foreseen.faults)
    return foreseen.imported


def _alike(session: Session, event: EventRow, lines: Sequence[Line], first: int) -> list[tuple[int, int]]:
    known: dict[str, int] = {}
    for row in store.entries_of(session, event.id):
        if row.merged_into is None:
            known.setdefault(fold(row.name), row.number)
    found = []
    for number, line in enumerate(lines, start=first):
        before = known.setdefault(fold(line.name), number)
        if before != number:
            found.append((number, before))
    return found


def _repeated(lines: Sequence[Line], alike: Sequence[tuple[int, int]], first: int) -> Iterator[EntriesFault]:
    for number, before in alike:
        same = f"line {lines[before - first].line}" if before >= first else f"number {before}"
        said = f"{lines[number - first].name!r} is {same} already; if it is somebody else, accept duplicates"
        yield EntriesFault(lines[number - first].line, "name", said)


def _full(event: EventRow, lines: Sequence[Line], free: int) -> Iterator[EntriesFault]:
    if len(lines) > free and not event.waitlist:
        said = f"names {counted(len(lines), 'player')}, with room for {free:,}; raise the capacity, or let players wait"
        yield EntriesFault(0, "", said)


def _pairs(lines: Sequence[Line], first: int) -> list[tuple[int, int]]:
    """As many pairs as are too many, at most."""
    groups: defaultdict[str, list[int]] = defaultdict(list)
    for number, line in enumerate(lines, start=first):
        if line.apart:
            groups[fold(line.apart)].append(number)
    pairs: list[tuple[int, int]] = []
    for group in groups.values():
        for pair in combinations(group, 2):
            pairs.append(pair)
            if len(pairs) > MOST_APART:
                return pairs
    return sorted(pairs)


def _too_many(session: Session, event: EventRow, pairs: Sequence[tuple[int, int]]) -> Iterator[EntriesFault]:
    if pairs and store.apart_in(session, event.id) + len(pairs) > MOST_APART:
        said = f"an event keeps at most {MOST_APART:,} pairs of players apart; make the groups smaller"
        yield EntriesFault(0, "apart", said)


def _apply(session: Session, event: EventRow, row: LogRow, fact: Imported) -> None:
    usual = EntryRow(event_id=event.id, number=0, name="", entered_at=row.at, entered_in=fact.entered_in)
    store.add_entries_like(
        session,
        usual,
        (
            {
                "number": fact.first + at,
                "name": player.name,
                "fixed_table": player.fixed_table,
                "awarded_byes": player.awarded_byes,
                "waiting": None if at < fact.places else row.sequence,
            }
            for at, player in enumerate(fact.players)
        ),
    )
    store.add_apart(session, event.id, fact.apart, row.sequence)
    store.delete_drafts(session, event.id)


def _is_same(asked: Import, fact: Imported) -> bool:
    named = [(player.name, player.fixed_table, player.awarded_byes) for player in fact.players]
    lines = [(line.name, line.fixed_table, line.awarded_byes) for line in asked.lines]
    return not asked.faults and lines == named and _pairs(asked.lines, fact.first) == fact.apart


IMPORT: Final = Kind(
    name="entry.import",
    arguments=Import,
    fact=Imported,
    roles=DESK,
    actions=(Action.ENTER, Action.ENTER_LATE),
    decide=_decide,
    apply=_apply,
    same=_is_same,
)
KINDS: Final = (IMPORT,)


# --- writing ----------------------------------------------------------------------------------------------------------


def write_roster(session: Session, event: str) -> bytes:
    """The roster of an event: every entry, by number."""
    decks, groups = store.decks_of(session, event), _groups(session, event)
    out = io.StringIO()
    writer = csv.writer(out, lineterminator="\r\n")
    writer.writerow(WRITTEN)
    for row in store.entries_of(session, event):
        writer.writerow(
            (
                row.number,
                guarded(row.name),
                _cell(row.fixed_table),
                row.awarded_byes,
                groups.get(row.number, ""),
                row.entered_in,
                "void" if row.merged_into else "waiting" if row.waiting else "yes",
                _cell(row.dropped_after),
                _yes(row.disqualified),
                _yes(row.checked_in is not None),
                _listed(decks.get(row.number)),
            )
        )
    return b"\xef\xbb\xbf" + out.getvalue().encode()


def _groups(session: Session, event: str) -> dict[int, str]:
    """A word for each player who is kept apart from somebody, if whoever shares it is kept apart and nobody else is."""
    away: defaultdict[int, set[int]] = defaultdict(set)
    for pair in store.apart_rows(session, event):
        away[pair.one].add(pair.other)
        away[pair.other].add(pair.one)
    whole = {number: min(others | {number}) for number, others in away.items()}
    return {
        number: f"group {least}"
        for number, least in whole.items()
        if all(away[other] | {other} == away[number] | {number} for other in away[number])
    }


def _listed(row: DeckRow | None) -> str:
    if row is None or not (row.commitment or row.draft):
        return "none"
    return "legal" if row.commitment else "draft"


def _cell(value: int | None) -> str:
    return "" if value is None else str(value)


def _yes(is_so: bool) -> str:  # noqa: FBT001 - one cell
    return "yes" if is_so else ""
