"""Results as a table for spreadsheets: one line a match or bye, in the order played.

Columns, in any order: `stage` (swiss or cut), `round`, `table`, `first_id`, `first_name`, `second_id`, `second_name`,
`first_wins`, `second_wins`, `drawn`, `ending`. A match without wins is open. A line without second player is a bye, its
ending `bye` or `awarded bye`. Commas or semicolons part the columns; others than these are not read. Names are those of
a player's first line.

A spreadsheet takes a cell that begins with = + - or @ for a formula. So such a text (and one that begins with an
apostrophe before such a sign) gets an apostrophe in front, which is taken off again in reading.

Lost in writing: the name of the event, the order of the players, players without a match, late entries, drops, fixed
tables, awarded byes to come, divisions, places of the cut. Everything about a match is kept.
"""

import csv
import io
import re
from collections.abc import Iterator, Mapping, Sequence
from itertools import pairwise

from tournament.domain.amounts import counted
from tournament.domain.errors import EventUnwritable, FaultAt, FileUnreadable
from tournament.domain.model import Bye, ByeKind, Ending, Player, PlayerId, Result, Round, Seat
from tournament.domain.tiebreaks import MOST_GAMES
from tournament.interchange.building import EventBuilder, check_writable, decoded, lost_in_text, one_line
from tournament.interchange.event import Event, Reading, Writing

FORMAT = "results as CSV"

COLUMNS = (
    "stage",
    "round",
    "table",
    "first_id",
    "first_name",
    "second_id",
    "second_name",
    "first_wins",
    "second_wins",
    "drawn",
    "ending",
)

SWISS, CUT = "swiss", "cut"
BYES = {"bye": ByeKind.ODD, "awarded bye": ByeKind.AWARDED}

_DANGEROUS = re.compile(r"'*[=+\-@\uff1d\uff0b\uff0d\uff20]")
"""Also in the wide forms that a Japanese spreadsheet takes for the same."""


# --- reading --------------------------------------------------------------------------------------------------------


def parse_csv(content: bytes | str) -> Reading:
    """Read a table of results; the event has no name then.

    Raises:
        FileUnreadable: not such a table; every fault with its line and column.
    """
    event = EventBuilder(FORMAT)
    for line, row in _rows(decoded(content, FORMAT, or_latin=True)):
        _read_row(event, row, f"line {line}")
    return event.finish()


def _rows(text: str) -> Iterator[tuple[int, dict[str, str]]]:
    """The lines below the header, as texts by column; empty ones are left out."""
    header, _, _ = text.partition("\n")
    reader = csv.reader(io.StringIO(text, newline=""), delimiter=";" if ";" in header else ",", strict=True)
    try:
        columns = [name.strip().lower() for name in next(reader, [])]
        if missing := [name for name in COLUMNS if columns.count(name) != 1]:
            problem = f"has not each of these columns once: {', '.join(missing)}"
            raise FileUnreadable(FORMAT, [FaultAt("line 1", problem)])
        for row in reader:
            if any(cell.strip() for cell in row):
                yield reader.line_num, _by_column(columns, row, reader.line_num)
    except csv.Error as error:
        raise FileUnreadable(FORMAT, [FaultAt(f"line {reader.line_num}", f"is not CSV: {error}")]) from error


def _by_column(columns: Sequence[str], row: Sequence[str], line: int) -> dict[str, str]:
    if len(row) != len(columns):
        problem = f"has {counted(len(row), 'cell')} under {counted(len(columns), 'column')}"
        raise FileUnreadable(FORMAT, [FaultAt(f"line {line}", problem)])
    return {name: cell.strip() for name, cell in zip(columns, row, strict=True)}


def _read_row(event: EventBuilder, row: Mapping[str, str], place: str) -> None:
    if row["stage"] not in {SWISS, CUT}:
        event.fault(f"{place}, stage", f"is {row['stage'][:20]!r}; {SWISS} or {CUT} belongs there")
    number = event.number(row["round"], f"{place}, round", least=1)
    players = [_read_player(event, row, side, place) for side in ("first", "second")]
    if number is None or not event.open_round(number, place, elimination=row["stage"] == CUT):
        return
    if row["ending"] in BYES:
        _read_bye(event, number, row, place)
    elif None not in players:
        table = event.number(row["table"], f"{place}, table") if row["table"] else None
        event.pairing(number, table, (players[0] or "", players[1] or ""), _result(event, row, place), place)
    else:
        event.fault(place, "has one player, and its ending is not bye or awarded bye")


def _read_player(event: EventBuilder, row: Mapping[str, str], side: str, place: str) -> str | None:
    player = event.text(unguarded(row[f"{side}_id"]), f"{place}, {side}_id")
    if player and not event.knows(player):
        event.add_player(player, unguarded(row[f"{side}_name"]), f"{place}, {side}_id")
    return player or None


def _read_bye(event: EventBuilder, number: int, row: Mapping[str, str], place: str) -> None:
    player = PlayerId(one_line(unguarded(row["first_id"])))
    if row["second_id"] or row["first_wins"] or row["second_wins"] or row["drawn"]:
        event.fault(place, "is a bye and has a second player or games")
    else:
        event.bye(number, player, place, Bye(player, BYES[row["ending"]]))


def _result(event: EventBuilder, row: Mapping[str, str], place: str) -> Result | None:
    cells = {name: row[name] for name in ("first_wins", "second_wins", "drawn")}
    if not any(cells.values()) and not row["ending"]:
        return None
    counts = [event.number(cell or "0", f"{place}, {name}") for name, cell in cells.items()]
    for name, games in zip(cells, counts, strict=True):
        if games is not None and games > MOST_GAMES:
            event.fault(f"{place}, {name}", f"is {games}; at most {MOST_GAMES} games are counted")
    try:
        ending = Ending(row["ending"] or Ending.PLAYED)
    except ValueError:
        event.fault(
            f"{place}, ending", f"is {row['ending'][:20]!r}; one of {', '.join([*Ending, *BYES])} belongs there"
        )
        return None
    first, second, drawn = (count or 0 for count in counts)
    return Result(first, second, drawn, ending)


def unguarded(cell: str) -> str:
    """A cell as it was before `guarded`."""
    return cell[1:] if cell.startswith("'") and _DANGEROUS.match(cell) else cell


# --- writing --------------------------------------------------------------------------------------------------------


def render_csv(event: Event) -> Writing:
    """Write a table of results, and say what it cannot hold.

    Raises:
        EventUnwritable: not an event that could be read back, or a round without a match before another round.
    """
    check_writable(event, FORMAT)
    in_order = (*event.rounds, *event.cut)
    if empty := [round_.number for round_, _ in pairwise(in_order) if not round_.seats]:
        raise EventUnwritable(FORMAT, [f"round {number} has no match, and would be missing" for number in empty])
    names = {player.id: one_line(player.name) for player in event.players}
    out = io.StringIO()
    writer = csv.writer(out, lineterminator="\n")
    writer.writerow(COLUMNS)
    for stage, rounds in ((SWISS, event.rounds), (CUT, event.cut)):
        for round_ in rounds:
            writer.writerows((stage, round_.number, *_cells(seat, names)) for seat in round_.seats)
    return Writing(out.getvalue(), tuple(_lost(event)))


def _cells(seat: Seat, names: Mapping[PlayerId, str]) -> tuple[str | int, ...]:
    if isinstance(seat, Bye):
        ending = next(word for word, kind in BYES.items() if kind is seat.kind)
        return ("", *_named(seat.player, names), "", "", "", "", "", ending)
    players = (*_named(seat.first, names), *_named(seat.second, names))
    if seat.result is None:
        return (seat.table, *players, "", "", "", "")
    return (seat.table, *players, seat.result.first, seat.result.second, seat.result.drawn, seat.result.ending)


def _named(player: PlayerId, names: Mapping[PlayerId, str]) -> tuple[str, str]:
    return guarded(one_line(player)), guarded(names[player])


def guarded(text: str) -> str:
    """A text as a cell that no spreadsheet takes for a formula."""
    return f"'{text}" if _DANGEROUS.match(text) else text


def _lost(event: Event) -> Iterator[str]:
    yield from lost_in_text(event)
    if event.name:
        yield "the name of the event is not written"
    seated = {player: None for round_ in (*event.rounds, *event.cut) for player in _who(round_)}
    for player in event.players:
        if player.id not in seated:
            yield f"player {player.id}: is in no round and not written"
        elif player != Player(id=player.id, name=player.name):
            yield f"player {player.id}: late entry, drop, fixed table and awarded byes are not written"
    for round_ in (*event.rounds, *event.cut):
        if not round_.seats:
            yield f"round {round_.number}: has no match yet and is not written"
    if event.divisions or event.cut_places:
        yield "divisions and places of the cut are not written"
    if list(seated) != [player.id for player in event.players if player.id in seated]:
        yield "the order of the players becomes that of their first matches"


def _who(round_: Round) -> Iterator[PlayerId]:
    for seat in round_.seats:
        yield from (seat.player,) if isinstance(seat, Bye) else (seat.first, seat.second)
