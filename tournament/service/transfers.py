"""An event that goes from one installation to another: its file is checked, and its log is carried out again here.

The log is the event; the rest of the file is for people and for programs that read no log. So the file is refused if
the two say different things, and what is taken over is what the log says. Accounts of elsewhere stay names: whoever
brings the event along becomes its organizer by a command (`event.adopt`), which also ends the roles that are in the
log, because an account of that name here may be somebody else's.

A log that holds says that nothing was changed since it was written. Who wrote it, only receipts can say.
"""

import json
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, replace
from hashlib import sha256
from typing import Any, Final

from pydantic import BaseModel, ConfigDict
from sqlalchemy.exc import DataError
from sqlmodel import Session

from tournament import event_file, store
from tournament.database import Database
from tournament.domain.model import Bye, Pairing, Result, Round, Seat
from tournament.errors import EventPresent, FileBroken, LogUnreadable
from tournament.service import exports, imports, standings
from tournament.service.chain import receipt_of, row_of, verify_chain
from tournament.service.commands import Ask, Receipt, obey, run
from tournament.service.derivation import UNDO, Rows, replayed, stored
from tournament.service.events import id_of
from tournament.service.kinds import KINDS
from tournament.service.series import MARK
from tournament.tables import PROJECTION, LogRow
from tournament.together import writes

_ONCE_MORE: Final = 2
_MOST_SHOWN: Final = 20


class Bring(BaseModel):
    """What is said beside the file."""

    model_config = ConfigDict(extra="forbid", frozen=True)

    origin: str = ""
    reason: str = ""


@dataclass(frozen=True)
class Carried:
    """An event's log, and what it makes."""

    log: Sequence[LogRow]
    rows: Rows

    @property
    def event(self) -> str:
        """The id."""
        return self.log[0].event_id

    @property
    def head(self) -> str:
        """The hash of the last row."""
        return self.log[-1].hash


def log_of(event: event_file.Event) -> list[LogRow]:
    """The rows of the log in an event's file.

    Raises:
        LogUnreadable: a row is none.
    """
    return [row_of(receipt, at=at) for at, receipt in enumerate(event.log, start=1)]


def faults_of(event: event_file.Event, *, receipts: Mapping[int, str] | None = None) -> list[str]:
    """Everything that is wrong with an event's file and its log, each with its row, or its round and table.

    Args:
        event: with a log.
        receipts: hashes that people kept, by sequence.

    Raises:
        LogUnreadable: a row is none, or this program cannot carry it out.
    """
    log = log_of(event)
    if faults := _faults_of_chain(log, receipts):
        return faults
    with _carried_out(log) as session:
        return _contradictions(event, _told(session, log))


def bring(database: Database, ask: Ask, source: bytes, said: Bring) -> Receipt:
    """Make an event of a file; `ask.event` is not looked at.

    A file with a log is the same event here: it keeps its id and its log, and goes on. A file without one makes a new
    event, with the players and the rounds of the file.

    Raises:
        EventFileUnreadable: with every fault.
        FileBroken, LogUnreadable: the log does not hold, or the file says something else.
        EventPresent: the event is here, with another log.
        NotCarried, ResultsMissing, ResultRefused: a file without a log has what an event here cannot have.
    """
    event = event_file.parse_event_file(source)
    if not event.log:
        with database.reading() as session:
            actor = ask.who(session)
        asked = imports.Import(digest=sha256(source).hexdigest(), content=imports.content_of(event), reason=said.reason)
        return run(database, imports.IMPORT, replace(ask, event=id_of(actor, ask.command)), asked)
    with database.reading() as session:
        ask.who(session)  # nobody has a log checked for nothing
    carried = _checked(event)
    here = replace(ask, event=carried.event, expected=None)
    for attempt in range(_ONCE_MORE):
        try:
            return database.together(here.event, lambda session: _settled(session, here, carried, said))
        except store.EventExists:  # two who bring the same at once: the second now finds it
            if attempt:
                raise
        except DataError as error:
            raise LogUnreadable(1, "it has a text or a number that the database here cannot hold") from error
    raise AssertionError


def _checked(event: event_file.Event) -> Carried:
    log = log_of(event)
    if faults := _faults_of_chain(log, None):
        raise FileBroken(faults)
    with _carried_out(log) as session:
        faults = _contradictions(event, _told(session, log))
        carried = Carried(log, stored(session, log[0].event_id))
    if faults:
        raise FileBroken(faults)
    return carried


def _settled(session: Session, ask: Ask, carried: Carried, said: Bring) -> Receipt:
    asked = imports.Adopt(origin=said.origin, rows=len(carried.log), head=carried.head, reason=said.reason)
    ask.who(session)
    if store.lock_event(session, ask.event) is None:
        writes(session)
        store.add_settled(session, PROJECTION, ask.event, carried.rows, carried.log)
        return obey(session, imports.ADOPT, ask, asked)
    if store.find_command(session, ask.event, ask.command) is not None:
        return obey(session, imports.ADOPT, ask, asked)
    return _present(session, carried)


def _present(session: Session, carried: Carried) -> Receipt:
    """The receipt of whoever brought this log along before, or of its last row where it was written."""
    page = store.log_page(session, carried.event, after=len(carried.log) - 1, limit=2)
    if not page or page[0].hash != carried.head:
        raise EventPresent(carried.event)
    row = page[-1] if page[-1].name == imports.ADOPT.name else page[0]
    return Receipt(row.event_id, row.sequence, receipt_of(row))


# --- what is wrong ----------------------------------------------------------------------------------------------------


def _faults_of_chain(log: Sequence[LogRow], receipts: Mapping[int, str] | None) -> list[str]:
    breaks = verify_chain(log, version=len(log), head=log[-1].hash if log else "", receipts=receipts)
    if breaks:
        return list(map(str, breaks))
    others = [row.sequence for row in log if row.event_id != log[0].event_id]
    first: dict[str, int] = {}
    twice = [row for row in log if first.setdefault(row.command, row.sequence) != row.sequence]
    return [f"row {number} is of another event than row 1" for number in others[:_MOST_SHOWN]] + [
        f"row {row.sequence} has the command id of row {first[row.command]}" for row in twice[:_MOST_SHOWN]
    ]


@contextmanager
def _carried_out(log: Sequence[LogRow]) -> Iterator[Session]:
    """An empty database in which everything was done that a log from elsewhere says. Raises: LogUnreadable."""
    if log[0].event_id.startswith(MARK):
        raise LogUnreadable(1, f"{log[0].event_id} is the id of a series, and this is an event")
    for row in log:
        _look_at(log, row)
    at = 0

    def tell(sequence: int) -> None:
        nonlocal at
        at = sequence

    try:
        with replayed(log[0].event_id, log, tell=tell) as session:
            yield session
    except LogUnreadable:
        raise
    except Exception as error:
        # Nobody has checked what a log from elsewhere says, so anything may come of it.
        raise LogUnreadable(at, f"it cannot be carried out ({type(error).__name__}: {error})") from error


def _look_at(log: Sequence[LogRow], row: LogRow) -> None:
    """Raises: LogUnreadable."""
    if "\x00" in row.reason or "\\u0000" in row.arguments + row.fact:
        raise LogUnreadable(row.sequence, "it has the character U+0000, which no database can hold")
    if row.name == UNDO:
        _look_at_undoing(log, row)
        return
    if row.name not in KINDS:
        raise LogUnreadable(row.sequence, f"there is no command {row.name!r}; a newer program may have it")
    begins, creates = row.sequence == 1, KINDS[row.name].creates
    if begins != creates and row.name != imports.ADOPT.name:
        raise LogUnreadable(row.sequence, "an event begins with the command that makes it, and has one such")


def _look_at_undoing(log: Sequence[LogRow], row: LogRow) -> None:
    """An undoing names a row before it, and never the one that makes the event. Raises: LogUnreadable."""
    try:
        undone = json.loads(row.fact)["sequence"]
    except (ValueError, KeyError, TypeError, RecursionError) as error:
        raise LogUnreadable(row.sequence, "it does not say which command it undoes") from error
    if type(undone) is not int or not 1 < undone < row.sequence or log[undone - 1].name == imports.ADOPT.name:
        raise LogUnreadable(row.sequence, f"it undoes row {undone!r}, which cannot be undone there")


def _told(session: Session, log: Sequence[LogRow]) -> event_file.Event:
    """What the carried out log says, told as a file. Standings can be computed of it."""
    event = store.find_event(session, log[0].event_id)
    if event is None:
        raise LogUnreadable(1, "it makes no event")
    standings.after(session, event)
    return exports.exported(session, event)


def _contradictions(event: event_file.Event, told: event_file.Event) -> list[str]:
    """Where a file says something else than its log: of players their names, of rounds everything."""
    found = [
        *_compared("the name", event.name, told.name),
        *_compared("the draw", event.draw, told.draw),
        *_compared("the preset", event.preset, told.preset),
        *_compared("the mode", str(event.mode) if _says(event, "mode") else str(told.mode), str(told.mode)),
    ]
    names, others = ({player.id: player.name for player in one.players} for one in (event, told))
    for player in sorted(names.keys() | others.keys()):
        found += _compared(f"player {player}", names.get(player), others.get(player))
    rounds, played = ({one.number: _places(one) for one in each.rounds} for each in (event, told))
    for number in sorted(rounds.keys() | played.keys()):
        one, other = rounds.get(number, {}), played.get(number, {})
        for place in sorted(one.keys() | other.keys()):
            found += _compared(f"round {number}, {place}", one.get(place), other.get(place))
    found += _of_pairing(event, told)
    return found[:_MOST_SHOWN]


def _of_pairing(event: event_file.Event, told: event_file.Event) -> Iterator[str]:
    """How rounds were paired and from what, as far as the file says it; one of an older program does not."""
    for number in event.as_paired.keys() | event.certificates.keys() | event.ways.keys():
        if number not in {played.number for played in told.rounds}:
            continue
        if number in event.ways:
            yield from _compared(f"round {number}, its pairing", str(event.ways[number]), str(told.way_of(number)))
        if event.as_paired.get(number, told.as_paired.get(number)) != told.as_paired.get(number):
            yield f"round {number}: the file says otherwise than its log what it was paired from"
        if event.certificates.get(number, told.certificates.get(number)) != told.certificates.get(number):
            yield f"round {number}: the certificate is another one than in the log"


def _says(event: event_file.Event, field: str) -> bool:
    about = event.written.get("event")
    return isinstance(about, dict) and field in about


def _compared(what: str, said: Any, logged: Any) -> list[str]:  # noqa: ANN401 - texts, or nothing
    if said == logged:
        return []
    one, other = ("nothing" if value is None else repr(value) for value in (said, logged))
    return [f"{what}: the file says {one}, its log {other}"]


def _places(played: Round) -> dict[str, str]:
    return dict(_place(seat) for seat in played.seats)


def _place(seat: Seat) -> tuple[str, str]:
    match seat:
        case Bye():
            return f"bye of {seat.player}", seat.kind.value
        case Pairing():
            return f"table {seat.table}", f"{seat.first} and {seat.second}, {_result(seat.result)}"


def _result(result: Result | None) -> str:
    return "open" if result is None else f"{result.first}-{result.second}-{result.drawn} {result.ending}"
