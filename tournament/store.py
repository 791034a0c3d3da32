"""Rows to domain values and back: the one module that asks the database.

No function here asks once a player or once a table; what is needed of an event comes in a fixed number of questions.
"""

import json
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import groupby
from operator import attrgetter, itemgetter
from typing import Any, Final, TypeAlias

from sqlalchemy import ColumnElement, Integer, String, bindparam, delete, func, insert, or_, tuple_, union_all, update
from sqlalchemy.exc import IntegrityError
from sqlmodel import Session, col, select

from tournament.domain.bracket import Bracket, DoubleLosses, Draws, Entry, Leaving, Left, Redrawn, Reported
from tournament.domain.bracket_plan import Form, MatchId
from tournament.domain.model import Bye, ByeKind, Ending, Pairing, Player, PlayerId, Result, Round, Seat
from tournament.domain.roles import Role
from tournament.errors import AccountTaken, Change
from tournament.tables import (
    AccountRow,
    BracketLineRow,
    BracketRow,
    CallRow,
    ClaimRow,
    DeckCheckRow,
    DeckDrawRow,
    EntryRow,
    EventRow,
    LogRow,
    NoteRow,
    NoteTextRow,
    PenaltyRow,
    RoundRow,
    SeatRow,
    SeedRow,
    SeriesEventRow,
    SeriesPersonRow,
    SeriesRow,
    SeriesStaffRow,
    StaffRow,
    Table,
    TableChangeRow,
    TokenRow,
)

MOST_CHANGES: Final = 20
"""Changes that a refusal tells; more is a reason to look again anyway."""
LOG_PAGE: Final = 500
"""Rows of a log that are in memory at a time."""


# What every command asks is built once; building it anew costs more than the database does.
_EVENT: Final = bindparam("event", type_=String)
_ACCOUNT_OF_TOKEN: Final = select(TokenRow.account).where(col(TokenRow.digest) == bindparam("digest", type_=String))
_COMMAND: Final = select(LogRow).where(
    col(LogRow.event_id) == _EVENT, col(LogRow.command) == bindparam("command", type_=String)
)
_LOCK: Final = select(EventRow).where(col(EventRow.id) == _EVENT).with_for_update()
_ROLES: Final = select(StaffRow.role).where(
    col(StaffRow.event_id) == _EVENT, col(StaffRow.account) == bindparam("account", type_=String)
)
_LAST_PUBLISHED: Final = select(func.max(RoundRow.number)).where(
    col(RoundRow.event_id) == _EVENT, col(RoundRow.published_at).is_not(None)
)
_TABLE: Final = select(SeatRow).where(
    col(SeatRow.event_id) == _EVENT,
    col(SeatRow.round) == bindparam("round", type_=Integer),
    col(SeatRow.table_number) == bindparam("table", type_=Integer),
)


_ROUND: Final = bindparam("round", type_=Integer)
_ENTRY: Final = bindparam("entry", type_=Integer)
_PLACES_OF: Final = (
    select(SeatRow.place).where(col(SeatRow.event_id) == _EVENT, col(SeatRow.round) == _ROUND, col(of) == _ENTRY)
    for of in (SeatRow.first, SeatRow.second)
)
_SEAT_OF: Final = select(SeatRow).where(  # two lookups, because SQLite reads the whole round for an OR
    col(SeatRow.event_id) == _EVENT, col(SeatRow.round) == _ROUND, col(SeatRow.place).in_(union_all(*_PLACES_OF))
)
_CLAIMS_BY: Final = select(ClaimRow).where(
    col(ClaimRow.event_id) == _EVENT,
    col(ClaimRow.round) == _ROUND,
    col(ClaimRow.entry).in_([bindparam("first", type_=Integer), bindparam("second", type_=Integer)]),
)
Numbered: TypeAlias = CallRow | PenaltyRow | DeckCheckRow | NoteRow
"""Rows that an event counts."""


class EventExists(Exception):
    """Another transaction made the event in the meantime."""


# --- accounts ---------------------------------------------------------------------------------------------------------


def find_account(session: Session, name: str) -> AccountRow | None:
    """The account of that name."""
    return session.get(AccountRow, name)


def save_account(session: Session, row: AccountRow) -> None:
    """Add an account. Raises: AccountTaken."""
    session.add(row)
    try:
        session.flush()
    except IntegrityError as error:
        raise AccountTaken(row.name) from error


def save_token(session: Session, row: TokenRow) -> None:
    """Add a token."""
    session.add(row)


def account_of_token(session: Session, digest: str) -> str | None:
    """Whose token it is."""
    return session.exec(_ACCOUNT_OF_TOKEN, params={"digest": digest}).first()


def delete_token(session: Session, digest: str) -> None:
    """Make a token worthless."""
    session.execute(delete(TokenRow).where(col(TokenRow.digest) == digest))


# --- the log ----------------------------------------------------------------------------------------------------------


def find_command(session: Session, event: str, command: str) -> LogRow | None:
    """The accepted command of that id."""
    return session.exec(_COMMAND, params={"event": event, "command": command}).first()


def log_row(session: Session, event: str, sequence: int) -> LogRow:
    """The accepted command of that number; there is one."""
    return session.exec(select(LogRow).where(LogRow.event_id == event, LogRow.sequence == sequence)).one()


def read_log(session: Session, event: str, *, after: int = 0) -> Iterator[LogRow]:
    """The log in order, a page at a time."""
    while page := log_page(session, event, after=after, limit=LOG_PAGE):
        yield from page
        after = page[-1].sequence
        for row in page:
            session.expunge(row)


def log_page(session: Session, event: str, *, after: int, limit: int, name: str | None = None) -> Sequence[LogRow]:
    """So many rows of the log, from the one after `after`; only those of one kind of command, if it is named."""
    query = select(LogRow).where(LogRow.event_id == event, LogRow.sequence > after)
    if name is not None:
        query = query.where(LogRow.name == name)
    return session.exec(query.order_by(col(LogRow.sequence)).limit(limit)).all()


def changes_since(session: Session, event: str, version: int) -> list[Change]:
    """What was done after that version, the latest first; the first few of them."""
    rows = session.exec(
        select(LogRow.sequence, LogRow.name, LogRow.actor, LogRow.at)
        .where(LogRow.event_id == event, LogRow.sequence > version)
        .order_by(col(LogRow.sequence).desc())
        .limit(MOST_CHANGES)
    ).all()
    return [Change(*row) for row in rows]


def facts_named(session: Session, event: str, name: str) -> Sequence[tuple[int, str]]:
    """Sequence and fact of every command of that kind, in order."""
    query = select(LogRow.sequence, LogRow.fact).where(LogRow.event_id == event, LogRow.name == name)
    return session.exec(query.order_by(col(LogRow.sequence))).all()


def last_live(session: Session, event: str, *, gone: Collection[int], besides: str, before: int) -> int:
    """The last command before that sequence which is not gone and not of that kind; the first one always is there."""
    query = select(func.max(LogRow.sequence)).where(
        LogRow.event_id == event,
        LogRow.sequence < before,
        LogRow.name != besides,
        col(LogRow.sequence).not_in(gone),
    )
    return session.exec(query).one() or 0


# --- events -----------------------------------------------------------------------------------------------------------


def find_event(session: Session, event: str) -> EventRow | None:
    """The event of that id."""
    return session.get(EventRow, event)


def lock_event(session: Session, event: str) -> EventRow | None:
    """The same, and nobody else may change the event until this transaction ends."""
    return session.exec(_LOCK, params={"event": event}).first()


def add_event(session: Session, row: EventRow) -> None:
    """Add an event. Raises: EventExists."""
    session.add(row)
    try:
        session.flush()
    except IntegrityError as error:
        raise EventExists from error


@dataclass(frozen=True, kw_only=True)
class Wanted:
    """Which events of a list; None is any."""

    phase: str | None = None
    game: str | None = None
    archived: bool = False
    series: str | None = None
    words: str = ""
    """Folded as `EventRow.words`; all of it, anywhere."""
    since: str | None = None
    """First day by the venue's clock, as `2026-03-07`; an event that says no time is on no day."""
    until: str | None = None
    """The day after the last one."""


def list_events(
    session: Session,
    account: str | None,
    *,
    before: tuple[str, str] | None,
    limit: int,
    wanted: Wanted | None = None,
) -> Sequence[EventRow]:
    """Events that anybody may see, and those where the account is staff; the newest first.

    Args:
        session: to ask.
        account: who looks; None for anybody.
        before: time of creation and id of the last event already seen.
        limit: how many.
        wanted: which; those that are not archived if nothing is said.
    """
    own = select(StaffRow.event_id).where(StaffRow.account == account)
    query = select(EventRow).where(or_(col(EventRow.published).is_(True), col(EventRow.id).in_(own)))
    if before is not None:
        query = query.where(tuple_(col(EventRow.created_at), col(EventRow.id)) < before)
    query = query.where(*_of_those(wanted or Wanted()))
    return session.exec(query.order_by(col(EventRow.created_at).desc(), col(EventRow.id).desc()).limit(limit)).all()


def _of_those(wanted: Wanted) -> Iterator[ColumnElement[bool]]:
    yield col(EventRow.archived).is_(wanted.archived)
    if wanted.phase is not None:
        yield col(EventRow.phase) == wanted.phase
    if wanted.game is not None:
        yield col(EventRow.game) == wanted.game
    if wanted.series is not None:
        put = select(SeriesEventRow.event_id).where(SeriesEventRow.series_id == wanted.series)
        yield col(EventRow.id).in_(put)
    if wanted.words:
        yield col(EventRow.words).contains(wanted.words, autoescape=True)
    if wanted.since is not None:
        yield col(EventRow.starts_local) >= wanted.since
    if wanted.until is not None:
        yield col(EventRow.starts_local) < wanted.until


@dataclass(frozen=True)
class Entered:
    """How many are in an event."""

    here: int = 0
    """Entered and did not leave."""
    counted: int = 0
    """Those, and whoever left after playing: what rounds and cut are planned for."""
    byes: tuple[int, ...] = ()
    """Awarded byes of those who brought any."""


def fields_of(session: Session, events: Sequence[str]) -> Mapping[str, Entered]:
    """How many are in each of the events; of those who come after the first round, only that they are here."""
    is_here, was_here = col(EntryRow.dropped_after).is_(None), col(EntryRow.dropped_after) > 0
    counts = (col(EntryRow.entered_in) <= 1) & or_(is_here, was_here)
    rows = session.execute(
        select(EntryRow.event_id, EntryRow.awarded_byes, func.count().filter(is_here), func.count().filter(counts))
        .where(col(EntryRow.event_id).in_(events))
        .group_by(col(EntryRow.event_id), col(EntryRow.awarded_byes))
    ).all()
    found = {event: Entered() for event in events}
    for event, byes, here, counted in rows:
        known = found[event]
        brought = known.byes + (byes,) * counted if byes else known.byes
        found[event] = Entered(known.here + here, known.counted + counted, brought)
    return found


# --- staff ------------------------------------------------------------------------------------------------------------


def roles_of(session: Session, event: str, account: str) -> frozenset[Role]:
    """The roles of an account in an event."""
    return frozenset(map(Role, session.exec(_ROLES, params={"event": event, "account": account}).all()))


def staff_of(session: Session, event: str) -> Sequence[StaffRow]:
    """Everybody with a role, by name."""
    return session.exec(
        select(StaffRow).where(StaffRow.event_id == event).order_by(col(StaffRow.account), col(StaffRow.role))
    ).all()


def find_staff(session: Session, event: str, account: str, role: Role) -> StaffRow | None:
    """The role that an account holds, if it does."""
    return session.get(StaffRow, (event, account, role.value))


def add_staff(session: Session, row: StaffRow) -> None:
    """Give a role."""
    session.add(row)
    session.flush()


def delete_staff(session: Session, event: str, account: str, role: Role) -> None:
    """Take a role away."""
    session.execute(
        delete(StaffRow).where(
            col(StaffRow.event_id) == event, col(StaffRow.account) == account, col(StaffRow.role) == role.value
        )
    )


# --- entries ----------------------------------------------------------------------------------------------------------


def find_entry(session: Session, event: str, number: int) -> EntryRow | None:
    """The entry of that number."""
    return session.get(EntryRow, (event, number))


def entries_of(session: Session, event: str, *, after: int = 0, limit: int | None = None) -> Sequence[EntryRow]:
    """Entries by number, all of them or a page."""
    query = select(EntryRow).where(EntryRow.event_id == event, EntryRow.number > after).order_by(col(EntryRow.number))
    return session.exec(query if limit is None else query.limit(limit)).all()


def last_entry(session: Session, event: str) -> int:
    """The highest number given out; 0 before the first."""
    return session.exec(select(func.max(EntryRow.number)).where(EntryRow.event_id == event)).one() or 0


def entries_in(session: Session, event: str) -> int:
    """How many entered and did not leave."""
    query = select(func.count()).select_from(EntryRow)
    return session.exec(query.where(EntryRow.event_id == event, col(EntryRow.dropped_after).is_(None))).one()


def add_entries(session: Session, rows: Iterable[EntryRow]) -> None:
    """Add entries, however many, in one go."""
    _add_all(session, EntryRow, rows)


def players_of(session: Session, event: str) -> tuple[Player, ...]:
    """Everybody who entered, as the rules know them."""
    return tuple(map(player_from, entries_of(session, event)))


def player_from(row: EntryRow) -> Player:
    """An entry as the rules know it."""
    return Player(
        id=PlayerId(str(row.number)),
        name=row.name,
        entered_in=row.entered_in,
        dropped_after=row.dropped_after,
        table=row.fixed_table,
        awarded_byes=row.awarded_byes,
        disqualified=row.disqualified,
    )


# --- series -----------------------------------------------------------------------------------------------------------


def find_series(session: Session, series: str) -> SeriesRow | None:
    """The series of that id."""
    return session.get(SeriesRow, series)


def lock_series(session: Session, series: str) -> SeriesRow | None:
    """The same, and nobody else may change the series until this transaction ends."""
    return session.exec(select(SeriesRow).where(SeriesRow.id == series).with_for_update()).first()


def add_series(session: Session, row: SeriesRow) -> None:
    """Add a series. Raises: EventExists."""
    session.add(row)
    try:
        session.flush()
    except IntegrityError as error:
        raise EventExists from error


def list_series(
    session: Session,
    account: str | None,
    *,
    before: tuple[str, str] | None,
    limit: int,
    wanted: Wanted,
) -> Sequence[SeriesRow]:
    """Series that anybody may see, and those that the account organizes; the newest first, as `list_events`."""
    own = select(SeriesStaffRow.series_id).where(SeriesStaffRow.account == account)
    query = select(SeriesRow).where(or_(col(SeriesRow.published).is_(True), col(SeriesRow.id).in_(own)))
    query = query.where(col(SeriesRow.archived).is_(wanted.archived))
    if before is not None:
        query = query.where(tuple_(col(SeriesRow.created_at), col(SeriesRow.id)) < before)
    if wanted.game is not None:
        query = query.where(col(SeriesRow.game) == wanted.game)
    if wanted.words:
        query = query.where(col(SeriesRow.words).contains(wanted.words, autoescape=True))
    return session.exec(query.order_by(col(SeriesRow.created_at).desc(), col(SeriesRow.id).desc()).limit(limit)).all()


def organizers_of(session: Session, series: str) -> Sequence[SeriesStaffRow]:
    """Who organizes a series, by name."""
    query = select(SeriesStaffRow).where(SeriesStaffRow.series_id == series)
    return session.exec(query.order_by(col(SeriesStaffRow.account))).all()


def roles_in_series(session: Session, series: str, account: str) -> frozenset[Role]:
    """The roles of an account in a series."""
    found = session.get(SeriesStaffRow, (series, account))
    return frozenset() if found is None else frozenset({Role.ORGANIZER})


def series_events(session: Session, series: Sequence[str]) -> Sequence[SeriesEventRow]:
    """What is in the series, in the order in which it was put in."""
    query = select(SeriesEventRow).where(col(SeriesEventRow.series_id).in_(series))
    return session.exec(query.order_by(col(SeriesEventRow.put), col(SeriesEventRow.event_id))).all()


def series_with(session: Session, event: str) -> Sequence[str]:
    """Every series that an event is in, in order."""
    query = select(SeriesEventRow.series_id).where(SeriesEventRow.event_id == event)
    return session.exec(query.order_by(col(SeriesEventRow.series_id))).all()


def said_of_people(session: Session, series: str) -> Sequence[SeriesPersonRow]:
    """What the organizers of a series said of entries, the oldest first."""
    query = select(SeriesPersonRow).where(SeriesPersonRow.series_id == series)
    return session.exec(query.order_by(col(SeriesPersonRow.said), col(SeriesPersonRow.second_event))).all()


def save_row(session: Session, row: Table) -> None:
    """Add a row, or change the one of the same key."""
    session.merge(row)
    session.flush()


def delete_row(session: Session, row: Table) -> None:
    """Remove a row that was read."""
    session.delete(row)
    session.flush()


def events_named(session: Session, events: Sequence[str]) -> Sequence[EventRow]:
    """The events of those ids, as far as they are there, by when they start or were announced."""
    begin = func.coalesce(EventRow.starts_at, EventRow.created_at)
    return session.exec(select(EventRow).where(col(EventRow.id).in_(events)).order_by(begin, col(EventRow.id))).all()


def entries_named(session: Session, keys: Sequence[tuple[str, int]]) -> Sequence[EntryRow]:
    """The entries of those events and numbers, as far as they are there."""
    return session.exec(select(EntryRow).where(tuple_(col(EntryRow.event_id), col(EntryRow.number)).in_(keys))).all()


def played_in(session: Session, events: Sequence[str]) -> Mapping[str, tuple[tuple[Player, ...], tuple[Round, ...]]]:
    """The players and the published rounds of several events, in two questions for all of them."""
    entries = session.exec(
        select(EntryRow)
        .where(col(EntryRow.event_id).in_(events))
        .order_by(col(EntryRow.event_id), col(EntryRow.number))
    ).all()
    seats = session.exec(
        select(SeatRow)
        .join(
            RoundRow,
            (col(RoundRow.event_id) == col(SeatRow.event_id)) & (col(RoundRow.number) == col(SeatRow.round)),
        )
        .where(col(SeatRow.event_id).in_(events), col(RoundRow.published_at).is_not(None))
        .order_by(col(SeatRow.event_id), col(SeatRow.round), col(SeatRow.place))
    ).all()
    players = {event: tuple(map(player_from, rows)) for event, rows in groupby(entries, attrgetter("event_id"))}
    rounds = {
        event: tuple(
            Round(number, tuple(map(seat_from, of_round)))
            for number, of_round in groupby(of_event, attrgetter("round"))
        )
        for event, of_event in groupby(seats, attrgetter("event_id"))
    }
    return {event: (players.get(event, ()), rounds.get(event, ())) for event in events}


# --- rounds and seats -------------------------------------------------------------------------------------------------


def find_round(session: Session, event: str, number: int) -> RoundRow | None:
    """The round of that number, draft or not."""
    return session.get(RoundRow, (event, number))


def round_rows(session: Session, event: str) -> Sequence[RoundRow]:
    """Every round, draft or not, in order."""
    return session.exec(select(RoundRow).where(RoundRow.event_id == event).order_by(col(RoundRow.number))).all()


def last_published(session: Session, event: str) -> int:
    """The number of the latest published round; 0 before the first."""
    return session.exec(_LAST_PUBLISHED, params={"event": event}).one() or 0


def rounds_of(session: Session, event: str, *, only: int | None = None) -> tuple[Round, ...]:
    """Every round that is published, or the one of that number, published or draft."""
    query = select(SeatRow).where(SeatRow.event_id == event)
    if only is None:
        query = query.join(
            RoundRow,
            (col(RoundRow.event_id) == col(SeatRow.event_id)) & (col(RoundRow.number) == col(SeatRow.round)),
        ).where(col(RoundRow.published_at).is_not(None))
    else:
        query = query.where(SeatRow.round == only)
    rows = session.exec(query.order_by(col(SeatRow.round), col(SeatRow.place))).all()
    return tuple(Round(number, tuple(map(seat_from, seats))) for number, seats in groupby(rows, attrgetter("round")))


def save_round(session: Session, row: RoundRow, seats: Iterable[SeatRow]) -> None:
    """Add a round with all its seats, in one go."""
    session.add(row)
    session.flush()
    _add_all(session, SeatRow, seats)


def delete_drafts(session: Session, event: str) -> None:
    """Forget a round that is paired and not published."""
    drafts = session.exec(
        select(RoundRow).where(RoundRow.event_id == event, col(RoundRow.published_at).is_(None))
    ).all()
    for draft in drafts:
        session.execute(
            delete(TableChangeRow).where(
                col(TableChangeRow.event_id) == event, col(TableChangeRow.round) == draft.number
            )
        )
        session.execute(delete(SeatRow).where(col(SeatRow.event_id) == event, col(SeatRow.round) == draft.number))
        session.delete(draft)
    session.flush()


def find_table(session: Session, event: str, number: int, table: int) -> SeatRow | None:
    """A table of a round."""
    return session.exec(_TABLE, params={"event": event, "round": number, "table": table}).first()


def seats_of(session: Session, event: str, number: int) -> Sequence[SeatRow]:
    """Every table and bye of a round, in the order in which it was paired."""
    query = select(SeatRow).where(SeatRow.event_id == event, SeatRow.round == number)
    return session.exec(query.order_by(col(SeatRow.place))).all()


def tables_at(session: Session, event: str, number: int, tables: Collection[int]) -> Sequence[SeatRow]:
    """These tables of a round."""
    if len(tables) == 1:
        only = find_table(session, event, number, *tables)
        return [] if only is None else [only]
    return [seat for seat in seats_of(session, event, number) if seat.table_number in tables]


def tables_playing(session: Session, event: str, number: int) -> Sequence[int]:
    """Tables of a round that have no result yet, in order."""
    numbers = session.exec(
        select(SeatRow.table_number)
        .where(
            SeatRow.event_id == event,
            SeatRow.round == number,
            col(SeatRow.table_number).is_not(None),
            col(SeatRow.ending).is_(None),
        )
        .order_by(col(SeatRow.table_number))
    ).all()
    return [number for number in numbers if number is not None]


def seat_from(row: SeatRow) -> Seat:
    """A seat as the rules know it."""
    if row.table_number is None or row.second is None:
        return Bye(PlayerId(str(row.first)), ByeKind(row.bye or ByeKind.ODD))
    return Pairing(row.table_number, PlayerId(str(row.first)), PlayerId(str(row.second)), result_from(row))


def result_from(row: SeatRow) -> Result | None:
    """The result of a table; None while it plays."""
    if row.ending is None:
        return None
    return Result(row.games_first or 0, row.games_second or 0, row.drawn or 0, Ending(row.ending))


# --- players' reports, and what judges do -----------------------------------------------------------------------------


def last_number(session: Session, table: type[Numbered], event: str) -> int:
    """The highest number that an event has given out in a table; 0 before the first."""
    numbers = col(table.number)
    return session.exec(select(func.max(numbers)).where(col(table.event_id) == event)).one() or 0


def current_round(session: Session, event: str) -> RoundRow | None:
    """The latest published round, closed or not."""
    query = select(RoundRow).where(RoundRow.event_id == event, col(RoundRow.published_at).is_not(None))
    return session.exec(query.order_by(col(RoundRow.number).desc()).limit(1)).first()


def seat_of(session: Session, event: str, number: int, entry: int) -> SeatRow | None:
    """Where a player sits in a round, or the player's bye."""
    return session.exec(_SEAT_OF, params={"event": event, "round": number, "entry": entry}).first()


def names_of(session: Session, event: str, entries: Iterable[int | None]) -> dict[int, str]:
    """The names of players by their numbers."""
    numbers = {entry for entry in entries if entry is not None}
    query = select(EntryRow.number, EntryRow.name).where(EntryRow.event_id == event, col(EntryRow.number).in_(numbers))
    return dict(session.exec(query).all()) if numbers else {}


def claims_by(session: Session, event: str, seat: SeatRow) -> dict[int, ClaimRow]:
    """What the two at a table claim of it, by their numbers."""
    found = session.exec(
        _CLAIMS_BY, params={"event": event, "round": seat.round, "first": seat.first, "second": seat.second}
    ).all()
    at = (seat.table_number, seat.first, seat.second)
    return {claim.entry: claim for claim in found if (claim.table_number, claim.first, claim.second) == at}


def find_claim(session: Session, event: str, number: int, entry: int) -> ClaimRow | None:
    """What a player claims in a round."""
    return session.get(ClaimRow, (event, number, entry))


def claims_of(session: Session, event: str, number: int, *, settled: bool = True) -> Sequence[tuple[SeatRow, ClaimRow]]:
    """The claims of a round with their tables, in the order of the tables; with or without those that have a result."""
    query = (
        select(SeatRow, ClaimRow)
        .join(
            SeatRow,
            (col(SeatRow.event_id) == col(ClaimRow.event_id))
            & (col(SeatRow.round) == col(ClaimRow.round))
            & (col(SeatRow.table_number) == col(ClaimRow.table_number))
            & (col(SeatRow.first) == col(ClaimRow.first))
            & (col(SeatRow.second) == col(ClaimRow.second)),
        )
        .where(ClaimRow.event_id == event, ClaimRow.round == number)
    )
    if not settled:
        query = query.where(col(SeatRow.ending).is_(None))
    return session.exec(query.order_by(col(ClaimRow.table_number), col(ClaimRow.claimed))).all()


def find_call(session: Session, event: str, number: int) -> CallRow | None:
    """The call of that number."""
    return session.get(CallRow, (event, number))


def call_page(session: Session, event: str, *, after: int, limit: int) -> Sequence[CallRow]:
    """So many calls, open and closed, from the one after `after`."""
    query = select(CallRow).where(CallRow.event_id == event, CallRow.number > after)
    return session.exec(query.order_by(col(CallRow.number)).limit(limit)).all()


def open_call_of(session: Session, event: str, entry: int) -> CallRow | None:
    """The call of a player that is not closed."""
    query = select(CallRow).where(CallRow.event_id == event, CallRow.entry == entry, col(CallRow.closed_at).is_(None))
    return session.exec(query.order_by(col(CallRow.number).desc()).limit(1)).first()


def open_calls(session: Session, event: str) -> Sequence[CallRow]:
    """Calls that are not closed: those that nobody took first, then by their age."""
    query = select(CallRow).where(CallRow.event_id == event, col(CallRow.closed_at).is_(None))
    return session.exec(query.order_by(col(CallRow.taken_at).is_not(None), col(CallRow.number))).all()


def find_penalty(session: Session, event: str, number: int) -> PenaltyRow | None:
    """The penalty of that number."""
    return session.get(PenaltyRow, (event, number))


def penalties_of(
    session: Session, event: str, *, entry: int | None = None, number: int | None = None
) -> Sequence[PenaltyRow]:
    """Penalties in the order in which they were given, withdrawn ones too; of one player or one round, or all."""
    query = select(PenaltyRow).where(PenaltyRow.event_id == event)
    if entry is not None:
        query = query.where(PenaltyRow.entry == entry)
    if number is not None:
        query = query.where(PenaltyRow.round == number)
    return session.exec(query.order_by(col(PenaltyRow.number))).all()


def penalty_page(session: Session, event: str, *, entry: int | None, after: int, limit: int) -> Sequence[PenaltyRow]:
    """So many penalties, from the one after `after`; of one player, or all."""
    query = select(PenaltyRow).where(PenaltyRow.event_id == event, PenaltyRow.number > after)
    if entry is not None:
        query = query.where(PenaltyRow.entry == entry)
    return session.exec(query.order_by(col(PenaltyRow.number)).limit(limit)).all()


def link_penalties(session: Session, event: str, deck_check: int, numbers: Collection[int]) -> None:
    """These penalties came out of a deck check."""
    query = select(PenaltyRow).where(PenaltyRow.event_id == event, col(PenaltyRow.number).in_(numbers))
    for row in session.exec(query).all():
        row.deck_check = deck_check


def find_deck_check(session: Session, event: str, number: int) -> DeckCheckRow | None:
    """The deck check of that number."""
    return session.get(DeckCheckRow, (event, number))


def deck_checks_of(session: Session, event: str, *, number: int | None = None) -> Sequence[DeckCheckRow]:
    """The deck checks of an event, or of one round, by number."""
    query = select(DeckCheckRow).where(DeckCheckRow.event_id == event)
    if number is not None:
        query = query.where(DeckCheckRow.round == number)
    return session.exec(query.order_by(col(DeckCheckRow.number))).all()


def open_deck_checks(session: Session, event: str) -> Sequence[DeckCheckRow]:
    """The deck checks that are not finished, by number."""
    query = select(DeckCheckRow).where(DeckCheckRow.event_id == event, col(DeckCheckRow.finished_at).is_(None))
    return session.exec(query.order_by(col(DeckCheckRow.number))).all()


def deck_draws_of(session: Session, event: str) -> Sequence[DeckDrawRow]:
    """The draws for deck checks, in order."""
    query = select(DeckDrawRow).where(DeckDrawRow.event_id == event)
    return session.exec(query.order_by(col(DeckDrawRow.sequence))).all()


def note_texts(session: Session, event: str, note: int) -> Sequence[NoteTextRow]:
    """Everything that a note said, the first first; nothing if there is no such note."""
    query = select(NoteTextRow).where(NoteTextRow.event_id == event, NoteTextRow.note == note)
    return session.exec(query.order_by(col(NoteTextRow.revision))).all()


def note_page(
    session: Session, event: str, *, entry: int | None, after: int, limit: int
) -> Sequence[tuple[NoteRow, Sequence[NoteTextRow]]]:
    """So many notes, from the one after `after`, with everything they said; on one player, or all."""
    query = select(NoteRow).where(NoteRow.event_id == event, NoteRow.number > after)
    if entry is not None:
        query = query.where(NoteRow.entry == entry)
    notes = session.exec(query.order_by(col(NoteRow.number)).limit(limit)).all()
    texts = session.exec(
        select(NoteTextRow)
        .where(NoteTextRow.event_id == event, col(NoteTextRow.note).in_([note.number for note in notes]))
        .order_by(col(NoteTextRow.note), col(NoteTextRow.revision))
    ).all()
    said = {note: list(some) for note, some in groupby(texts, attrgetter("note"))}
    return [(note, said[note.number]) for note in notes]


def save(session: Session, row: Table) -> None:
    """Add a row that nothing hangs on yet."""
    session.add(row)


# --- a round that changes ---------------------------------------------------------------------------------------------


def replace_seats(
    session: Session, event: str, number: int, *, removed: Collection[int], added: Iterable[SeatRow]
) -> None:
    """Put other seats in the places of a round that these had."""
    session.execute(
        delete(SeatRow).where(
            col(SeatRow.event_id) == event, col(SeatRow.round) == number, col(SeatRow.place).in_(removed)
        )
    )
    _add_all(session, SeatRow, added)


def mark_stood(session: Session, event: str, number: int, tables: Collection[int]) -> None:
    """Note that these tables stood while others changed."""
    session.execute(
        update(SeatRow)
        .where(col(SeatRow.event_id) == event, col(SeatRow.round) == number, col(SeatRow.table_number).in_(tables))
        .values(stood=True)
    )


def stood_of(session: Session, event: str) -> dict[int, tuple[int, ...]]:
    """The tables that stood while others changed, by round."""
    rows = session.exec(
        select(SeatRow.round, SeatRow.table_number)
        .where(SeatRow.event_id == event, col(SeatRow.stood).is_(True), col(SeatRow.table_number).is_not(None))
        .order_by(col(SeatRow.round), col(SeatRow.table_number))
    ).all()
    tables = ((number, table) for number, table in rows if table is not None)
    return {number: tuple(table for _, table in some) for number, some in groupby(tables, itemgetter(0))}


def add_table_change(session: Session, row: TableChangeRow) -> None:
    """Note a change of tables."""
    session.add(row)
    session.flush()


def table_changes(session: Session, event: str, number: int) -> Sequence[TableChangeRow]:
    """What was changed of a round after it was paired, in order."""
    return session.exec(
        select(TableChangeRow)
        .where(TableChangeRow.event_id == event, TableChangeRow.round == number)
        .order_by(col(TableChangeRow.sequence))
    ).all()


# --- the cut ----------------------------------------------------------------------------------------------------------


def find_bracket(session: Session, event: str) -> BracketRow | None:
    """How the cut is played, if there is one."""
    return session.get(BracketRow, event)


def bracket_of(session: Session, event: str) -> Bracket | None:
    """The cut as the rules know it."""
    row = find_bracket(session, event)
    if row is None:
        return None
    seeds = session.exec(select(SeedRow.entry).where(SeedRow.event_id == event).order_by(col(SeedRow.seed))).all()
    return Bracket(
        seeds=tuple(PlayerId(str(entry)) for entry in seeds),
        form=Form(row.form),
        draws=Draws(row.draws),
        double_losses=DoubleLosses(row.double_losses),
        log=tuple(map(line_from, bracket_lines(session, event))),
    )


def bracket_lines(session: Session, event: str) -> Sequence[BracketLineRow]:
    """What happened in the cut, in order."""
    return session.exec(
        select(BracketLineRow).where(BracketLineRow.event_id == event).order_by(col(BracketLineRow.line))
    ).all()


def line_from(row: BracketLineRow) -> Entry:
    """A line of the cut as the rules know it."""
    if row.redrawn is not None:
        return Redrawn(row.redrawn)
    if row.match_id is None:
        return Left(tuple(PlayerId(str(entry)) for entry in json.loads(row.gone or "[]")), Leaving(row.why or ""))
    result = Result(row.games_first or 0, row.games_second or 0, row.drawn or 0, Ending(row.ending or Ending.PLAYED))
    return Reported(MatchId(row.match_id), PlayerId(str(row.first)), PlayerId(str(row.second)), result)


def add_bracket(session: Session, row: BracketRow, seeds: Iterable[SeedRow]) -> None:
    """Lay out a cut."""
    session.add(row)
    session.flush()
    _add_all(session, SeedRow, seeds)


def last_line(session: Session, event: str) -> int:
    """The number of the last line of the cut; 0 before the first."""
    return session.exec(select(func.max(BracketLineRow.line)).where(BracketLineRow.event_id == event)).one() or 0


def find_line(session: Session, event: str, line: int) -> BracketLineRow | None:
    """A line of the cut."""
    return session.get(BracketLineRow, (event, line))


def add_line(session: Session, row: BracketLineRow) -> None:
    """Add a line to the cut."""
    session.add(row)
    session.flush()


def delete_lines(session: Session, event: str, lines: Collection[int]) -> None:
    """Take lines of the cut away."""
    session.execute(
        delete(BracketLineRow).where(col(BracketLineRow.event_id) == event, col(BracketLineRow.line).in_(lines))
    )


# --- whole tables -----------------------------------------------------------------------------------------------------


def rows_of(session: Session, table: type[Table], event: str) -> list[dict[str, Any]]:
    """Every row that an event, or another stream, has in a table, by key."""
    key = key_of(table)
    at = table.__table__.c[key[0]]  # type: ignore[attr-defined]
    rows = session.execute(select(table.__table__).where(at == event)).mappings()  # type: ignore[attr-defined]
    return sorted(map(dict, rows), key=lambda row: [row[name] for name in key])


def key_of(table: type[Table]) -> list[str]:
    """The columns of a table's key."""
    return [column.name for column in table.__table__.primary_key]  # type: ignore[attr-defined]


def change_rows(
    session: Session,
    tables: Sequence[type[Table]],
    before: dict[str, list[dict[str, Any]]],
    after: dict[str, list[dict[str, Any]]],
) -> None:
    """Write what differs between the rows that an event has and those that it should have, and nothing else.

    A row that others hang on is updated where it stands; another one is written anew, so that two rows may exchange
    what only one of them may have.

    Args:
        session: to write.
        tables: parents first.
        before: rows by the name of the table, as they are.
        after: as they should be.
    """
    parents = {key.column.table for table in tables for key in table.__table__.foreign_keys}  # type: ignore[attr-defined]
    come: list[tuple[Any, list[dict[str, Any]]]] = []
    for kind in reversed(tables):
        table, key = kind.__table__, key_of(kind)  # type: ignore[attr-defined]
        is_so, should = ({tuple(row[k] for k in key): row for row in rows[table.name]} for rows in (before, after))
        other = {at for at in is_so.keys() & should.keys() if is_so[at] != should[at]}
        anew = set() if table in parents else other
        at = [table.c[name] == bindparam(f"key_{name}") for name in key]
        for rows, statement in (((is_so.keys() - should.keys()) | anew, delete(table)), (other - anew, update(table))):
            changes = [
                {f"key_{name}": value for name, value in zip(key, found, strict=True)}
                | (should[found] if statement.is_update else {})
                for found in sorted(rows)
            ]
            if changes:
                session.connection().execute(statement.where(*at), changes)
        come.append((table, [should[found] for found in sorted((should.keys() - is_so.keys()) | anew)]))
    for table, rows_to_come in reversed(come):
        if rows_to_come:
            session.connection().execute(insert(table), rows_to_come)


def replace_rows(
    session: Session, tables: Sequence[type[Table]], event: str, rows: dict[str, list[dict[str, Any]]]
) -> None:
    """Put these rows in place of what an event has in the tables.

    Args:
        session: to write.
        tables: parents first.
        event: whose rows.
        rows: by the name of the table.
    """
    for table in reversed(tables):
        at = next(iter(table.__table__.primary_key))  # type: ignore[attr-defined]
        session.execute(delete(table).where(at == event))
    for table in tables:
        if rows[table.__table__.name]:  # type: ignore[attr-defined]
            session.execute(insert(table), rows[table.__table__.name])  # type: ignore[attr-defined]


# --- events from elsewhere --------------------------------------------------------------------------------------------


def add_settled(
    session: Session,
    tables: Sequence[type[Table]],
    event: str,
    rows: dict[str, list[dict[str, Any]]],
    log: Iterable[LogRow],
) -> None:
    """Add a whole event with its log. Raises: EventExists."""
    try:
        replace_rows(session, tables, event, rows)
        _add_all(session, LogRow, log)
    except IntegrityError as error:
        raise EventExists from error


def delete_all_staff(session: Session, event: str) -> None:
    """Take every role of an event away."""
    session.execute(delete(StaffRow).where(col(StaffRow.event_id) == event))


def all_events(session: Session) -> Sequence[tuple[str, str, int]]:
    """Id, name and version of every event, in the order of the ids."""
    return session.exec(select(EventRow.id, EventRow.name, EventRow.version).order_by(col(EventRow.id))).all()


def all_series(session: Session) -> Sequence[tuple[str, str, int]]:
    """Id, name and version of every series, in the order of the ids."""
    return session.exec(select(SeriesRow.id, SeriesRow.name, SeriesRow.version).order_by(col(SeriesRow.id))).all()


def counts(session: Session) -> tuple[int, int]:
    """How many accounts and events there are."""
    return tuple(session.exec(select(func.count()).select_from(table)).one() for table in (AccountRow, EventRow))  # type: ignore[return-value]


def _add_all(session: Session, table: type[Table], rows: Iterable[Table]) -> None:
    values = [row.model_dump() for row in rows]
    if values:
        session.execute(insert(table), values)
