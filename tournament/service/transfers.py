"""An event that goes from one installation to another: its file is checked, and its log is carried out again here.

The log is the event; the rest of the file is for people and for programs that read no log. So the file is refused if
the two say different things, and what is taken over is what the log says. Accounts of elsewhere stay names: whoever
brings the event along becomes its organizer by a command (`event.adopt`), which also ends the roles that are in the
log, because an account of that name here may be somebody else's.

A log that holds says that nothing was changed since it was written. Who wrote it, only receipts can say.

A published log (`publishing`) is checked in the same way, and an event cannot go on from it.
"""

import json
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, replace
from typing import Any, Final

from pydantic import BaseModel, ConfigDict, Field, ValidationError
from sqlalchemy import BigInteger, Integer
from sqlalchemy.exc import DataError
from sqlmodel import Session

from tournament import event_file, store
from tournament.database import Database
from tournament.domain.bracket import Bracket
from tournament.domain.model import AnyRound, Bye, Pairing, Pod, Result, Seat
from tournament.errors import EventPresent, FileBroken, LogSealed, LogUnreadable
from tournament.service import exports, imports, standings
from tournament.service.announcing import faults_of_kept
from tournament.service.beside import ENTRY, Named, Subject, nameless
from tournament.service.chain import Line, Seal, line_of, receipt_of, verify_chain
from tournament.service.commands import NO_NUL, Ask, Receipt, is_erased, obey, run
from tournament.service.derivation import UNDO, History, Rows, name_of, replayed, stored
from tournament.service.events import id_of
from tournament.service.kinds import KINDS
from tournament.service.publishing import is_sealed
from tournament.service.series import MARK
from tournament.tables import PROJECTION, LogRow, SealedRow
from tournament.together import writes

_ONCE_MORE: Final = 2
_MOST_SHOWN: Final = 20
MOST_NUMBERED: Final = (1 << 31) - 1
"""What both databases hold as an integer."""


class Bring(BaseModel):
    """What is said beside the file."""

    model_config = ConfigDict(extra="forbid", frozen=True)

    origin: str = ""
    reason: str = ""


@dataclass(frozen=True)
class Carried:
    """An event's log, what is kept beside it, and what it makes."""

    log: Sequence[LogRow]
    kept: Sequence[SealedRow]
    rows: Rows

    @property
    def event(self) -> str:
        """The id."""
        return self.log[0].event_id

    @property
    def head(self) -> str:
        """The hash of the last row."""
        return self.log[-1].hash


def log_of(event: event_file.Event) -> list[Line]:
    """The rows of the log in an event's file; seals where it was published.

    Raises:
        LogUnreadable: a row is none.
    """
    return [line_of(document, at=at) for at, document in enumerate(event.log, start=1)]


def faults_of(event: event_file.Event, *, receipts: Mapping[int, str] | None = None) -> list[str]:
    """Everything that is wrong with an event's file and its log, each with its row, or its round and table.

    Args:
        event: with a log.
        receipts: hashes that people kept, by sequence.

    Raises:
        LogUnreadable: a row is none, or this program cannot carry it out.
    """
    log = log_of(event)
    if faults := faults_of_chain(log, receipts):
        return faults
    kept, faults = _kept_beside(event, log)
    with carried_out(log, kept) as session:
        told = _told(session, log, is_public=any(isinstance(line, Seal) for line in log))
        return [*faults, *_contradictions(event, told)]


def bring(database: Database, ask: Ask, source: bytes, said: Bring) -> Receipt:
    """Make an event of a file; `ask.event` is not looked at.

    A file with a log is the same event here: it keeps its id and its log, and goes on. A file without one makes a new
    event, with the players and the rounds of the file.

    Raises:
        EventFileUnreadable: with every fault.
        FileBroken, LogUnreadable: the log does not hold, or the file says something else.
        LogSealed: the log was published, so the event cannot go on from it.
        EventPresent: the event is here, with another log.
        NotCarried, ResultsMissing, ResultRefused: a file without a log has what an event here cannot have.
    """
    event = event_file.parse_event_file(source)
    if not event.log:
        with database.reading() as session:
            actor = ask.who(session)
        asked = imports.Import(content=imports.content_of(event), reason=said.reason)
        return run(database, imports.IMPORT, replace(ask, event=id_of(actor, ask.command)), asked)
    with database.reading() as session:
        ask.who(session)  # nobody has a log checked for nothing
    carried = _checked(event)
    here = replace(ask, event=carried.event, expected=None)
    for attempt in range(_ONCE_MORE):
        try:
            given = database.together(here.event, lambda session: _settled(session, here, carried, said))
        except store.EventExists:  # two who bring the same at once: the second now finds it
            if attempt:
                raise
        except DataError as error:
            raise LogUnreadable(1, "it has a text or a number that the database here cannot hold") from error
        else:
            database.bell.ring(given.event)
            return given
    raise AssertionError


def _checked(event: event_file.Event) -> Carried:
    lines = log_of(event)
    log = [line for line in lines if isinstance(line, LogRow)]
    if len(log) < len(lines):
        raise LogSealed(len(lines) - len(log))
    if faults := faults_of_chain(log, None):
        raise FileBroken(faults)
    kept, faults = _kept_beside(event, log)
    with carried_out(log, kept) as session:
        faults += _contradictions(event, _told(session, log))
        carried = Carried(log, kept, stored(session, log[0].event_id))
        _check_livable(session, carried)
    if faults:
        raise FileBroken(faults)
    return carried


def _settled(session: Session, ask: Ask, carried: Carried, said: Bring) -> Receipt:
    asked = imports.Adopt(origin=said.origin, rows=len(carried.log), head=carried.head, reason=said.reason)
    ask.who(session)
    if store.lock_event(session, ask.event) is None:
        writes(session)
        store.add_settled(session, PROJECTION, ask.event, carried.rows, carried.log)
        store.add_sealed(session, carried.kept)
        store.know_wallets(session, carried.event)
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


def _check_livable(session: Session, carried: Carried) -> None:
    """Refuse what no command could have made, and what would be in the way of every later one.

    Facts are not decided again, so a forged one may say anything that its shape allows: a time zone that is none, a
    number that one database holds and the other does not.

    Raises:
        LogUnreadable: with the first of it.
    """
    event = store.find_event(session, carried.event)
    assert event is not None  # noqa: S101 - `_told` has found it
    if faults := faults_of_kept(event):
        raise LogUnreadable(1, f"what is announced cannot be so: {'; '.join(faults)}")
    for table in PROJECTION:
        whole = {column.name for column in table.__table__.columns if isinstance(column.type, Integer)}  # type: ignore[attr-defined]
        large = {column.name for column in table.__table__.columns if isinstance(column.type, BigInteger)}  # type: ignore[attr-defined]
        for row in carried.rows[name_of(table)]:
            for name in whole - large:
                if row[name] is not None and abs(row[name]) > MOST_NUMBERED:
                    raise LogUnreadable(
                        1, f"{name} of a row of {name_of(table)} is {row[name]}, which is no number of an event"
                    )


# --- what is wrong ----------------------------------------------------------------------------------------------------


def faults_of_chain(log: Sequence[Line], receipts: Mapping[int, str] | None) -> list[str]:
    """Where a log does not hold, or is not the log of one event, each with its row."""
    breaks = verify_chain(log, version=len(log), head=log[-1].hash if log else "", receipts=receipts)
    if breaks:
        return list(map(str, breaks))
    rows = [line for line in log if isinstance(line, LogRow)]
    others = [row.sequence for row in rows if row.event_id != rows[0].event_id]
    first: dict[str, int] = {}
    twice = [row for row in rows if first.setdefault(row.command, row.sequence) != row.sequence]
    return [f"row {number} is of another event than row 1" for number in others[:_MOST_SHOWN]] + [
        f"row {row.sequence} has the command id of row {first[row.command]}" for row in twice[:_MOST_SHOWN]
    ]


class _Kept(BaseModel):
    """What is kept beside a log, as a file has it. Without salt and text it was erased."""

    model_config = ConfigDict(extra="forbid", frozen=True)

    digest: str = Field(pattern="^[0-9a-f]{64}$")
    salt: str = Field(pattern="^([0-9a-f]{64})?$")
    text: str = Field(max_length=exports.LONGEST_KEPT, pattern=NO_NUL)


def _kept_beside(event: event_file.Event, log: Sequence[Line]) -> tuple[list[SealedRow], list[str]]:
    """What a file has of what is kept beside its log, and what of it is not what the log says."""
    rows = [line for line in log if isinstance(line, LogRow)]
    binding = {one.digest: KINDS[row.name] for row in rows if row.name in KINDS for one in _named(row)}
    kept: dict[str, SealedRow] = {}
    faults: list[str] = []
    for at, said in enumerate(event.kept, start=1):
        try:
            row = SealedRow(event_id=event_of(log), **_Kept.model_validate(said).model_dump())
        except ValidationError as error:
            fault = error.errors()[0]
            faults.append(f"kept {at}: {'/'.join(map(str, fault['loc']))}: {fault['msg']}")
            continue
        if row.digest not in binding:
            faults.append(f"kept {at}: no row of the log has the digest {row.digest}")
        elif row.digest in kept:
            faults.append(f"kept {at}: the digest {row.digest} is there twice")
        elif not is_erased(row) and not binding[row.digest].holds(row):
            faults.append(f"kept {at}: it is not what the log is bound to")
        else:
            kept[row.digest] = row
    return list(kept.values()), faults[:_MOST_SHOWN]


def _named(row: LogRow) -> list[Named]:
    """Raises: LogUnreadable."""
    try:
        return list(KINDS[row.name].named(row.fact)) if KINDS[row.name].keeps else []
    except (ValueError, KeyError, TypeError, AttributeError) as error:
        raise LogUnreadable(row.sequence, f"it cannot be carried out ({type(error).__name__}: {error})") from error


@contextmanager
def carried_out(
    log: Sequence[Line], kept: Sequence[SealedRow], *, watch: Callable[[Session, Any, LogRow], None] | None = None
) -> Iterator[Session]:
    """An empty database in which everything was done that a log from elsewhere says.

    Args:
        log: that holds.
        kept: what is kept beside it and is known.
        watch: as `derivation.replayed` has it.

    Raises:
        LogUnreadable: it cannot be carried out.
    """
    event = event_of(log)
    for line in log:
        if isinstance(line, LogRow):
            _look_at(log, line)
        elif not is_sealed(line.name):
            raise LogUnreadable(line.sequence, f"it is sealed, and {line.name!r} is no kind of command that may be")
    at = 0

    def tell(sequence: int) -> None:
        nonlocal at
        at = sequence

    texts = {row.digest: row.text for row in kept if not is_erased(row)}
    try:
        with replayed(event, History(log, lambda _: texts), tell=tell, watch=watch) as session:
            yield session
    except LogUnreadable:
        raise
    except Exception as error:
        # Nobody has checked what a log from elsewhere says, so anything may come of it.
        raise LogUnreadable(at, f"it cannot be carried out ({type(error).__name__}: {error})") from error


def event_of(log: Sequence[Line]) -> str:
    """The event whose log it is. Raises: LogUnreadable."""
    first = log[0]
    if isinstance(first, Seal):
        raise LogUnreadable(1, "the command that makes an event is never sealed")
    if first.event_id.startswith(MARK):
        raise LogUnreadable(1, f"{first.event_id} is the id of a series, and this is an event")
    return first.event_id


def _look_at(log: Sequence[Line], row: LogRow) -> None:
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


def _look_at_undoing(log: Sequence[Line], row: LogRow) -> None:
    """An undoing names a row before it, and never the one that makes the event. Raises: LogUnreadable."""
    try:
        undone = json.loads(row.fact)["sequence"]
    except (ValueError, KeyError, TypeError, RecursionError) as error:
        raise LogUnreadable(row.sequence, "it does not say which command it undoes") from error
    named = log[undone - 1] if type(undone) is int and 1 < undone < row.sequence else None
    if named is None or named.name == imports.ADOPT.name:
        raise LogUnreadable(row.sequence, f"it undoes row {undone!r}, which cannot be undone there")


def _told(session: Session, log: Sequence[Line], *, is_public: bool = False) -> event_file.Event:
    """What the carried out log says, told as a file. Standings can be computed of it."""
    event = store.find_event(session, event_of(log))
    if event is None:
        raise LogUnreadable(1, "it makes no event")
    standings.after(session, event)
    return exports.exported(session, event, with_penalties=not is_public)


def _contradictions(event: event_file.Event, told: event_file.Event) -> list[str]:
    """Where a file says something else than its log: of what was announced, the players, the rounds and the cut."""
    found = [
        *_compared("the name", event.name, told.name),
        *_compared("the game", event.game, told.game),
        *_compared("the draw", event.draw, told.draw),
        *_compared("the preset", event.preset, told.preset),
        *_compared("who is kept apart", sorted(event.apart), sorted(told.apart)),
        *_compared("players at a table", event.pod_size, told.pod_size),
        *_compared("the mode", str(event.mode) if _says(event, "mode") else str(told.mode), str(told.mode)),
    ]
    players, others = ({player.id: player for player in one.players} for one in (event, told))
    for player in sorted(players.keys() | others.keys()):
        one, other = players.get(player), others.get(player)
        if not (one and other and other.name == nameless(Subject(ENTRY, int(player)))):  # the log tells it no more
            found += _compared(f"player {player}", one and one.name, other and other.name)
        if one and other:
            for name in _OF_PLAYER:
                found += _compared(f"player {player}, {name}", getattr(one, name), getattr(other, name))
            found += _compared(f"player {player}, absent", *(each.absent.get(player, ()) for each in (event, told)))
    rounds, played = ({one.number: _places(one) for one in each.played} for each in (event, told))
    for number in sorted(rounds.keys() | played.keys()):
        places, others_places = rounds.get(number, {}), played.get(number, {})
        for place in sorted(places.keys() | others_places.keys()):
            found += _compared(f"round {number}, {place}", places.get(place), others_places.get(place))
        found += _compared(f"round {number}, stood", *(each.stood.get(number, ()) for each in (event, told)))
    return [*found, *_of_pairing(event, told), *_of_cut(event.cut, told.cut)][:_MOST_SHOWN]


def _of_pairing(event: event_file.Event, told: event_file.Event) -> Iterator[str]:
    """How rounds were paired and from what, as far as the file says it; one of an older program does not."""
    for number in event.as_paired.keys() | event.certificates.keys() | event.ways.keys():
        if number not in {played.number for played in told.played}:
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


_OF_PLAYER: Final = ("entered_in", "dropped_after", "table", "awarded_byes", "disqualified")


def _of_cut(said: Bracket | None, logged: Bracket | None) -> list[str]:
    if said is None or logged is None:
        return _compared("the cut", *(one and f"of {len(one.seeds)}" for one in (said, logged)))
    found = []
    for name in ("form", "draws", "double_losses", "seeds"):
        found += _compared(f"the cut, {name}", getattr(said, name), getattr(logged, name))
    for number in range(max(len(said.log), len(logged.log))):
        one, other = (each.log[number] if number < len(each.log) else None for each in (said, logged))
        found += _compared(f"the cut, line {number + 1}", one, other)
    return found


def _compared(what: str, said: Any, logged: Any) -> list[str]:  # noqa: ANN401 - texts, or nothing
    if said == logged:
        return []
    one, other = ("nothing" if value is None else repr(value) for value in (said, logged))
    return [f"{what}: the file says {one}, its log {other}"]


def _places(played: AnyRound) -> dict[str, str]:
    return dict(_place(seat) for seat in played.seats)


def _place(seat: Seat | Pod) -> tuple[str, str]:
    match seat:
        case Bye():
            return f"bye of {seat.player}", seat.kind.value
        case Pairing():
            return f"table {seat.table}", f"{seat.first} and {seat.second}, {_result(seat.result)}"
        case Pod():
            said = "open" if seat.placing is None else f"{' > '.join(map(' = '.join, seat.placing))} {seat.ending}"
            return f"table {seat.table}", f"{' and '.join(seat.players)}, {said}"


def _result(result: Result | None) -> str:
    return "open" if result is None else f"{result.first}-{result.second}-{result.drawn} {result.ending}"
