"""Events and lists of them."""

from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Final

from sqlalchemy import ColumnElement, Connection, func, or_, tuple_
from sqlalchemy.exc import IntegrityError
from sqlmodel import Session, col, select

from tournament.store.asking import EVENT, row_from
from tournament.store.entries import HAD_A_PLACE
from tournament.tables import AccountRow, EntryRow, EventRow, RoundRow, SeriesEventRow, StaffRow

DAY: Final = len("2026-01-31")
"""Characters of a time that name the day."""
_LOCK: Final = select(EventRow).where(col(EventRow.id) == EVENT).with_for_update()
_HELD: Final = "events held"
_PUBLISHED_VERSION: Final = select(EventRow.version).where(col(EventRow.id) == EVENT, col(EventRow.published).is_(True))


class EventExists(Exception):
    """Another transaction made the event in the meantime."""


def versions_of(session: Session, events: Collection[str]) -> dict[str, int]:
    """The versions of those of the events that there are."""
    query = select(EventRow.id, EventRow.version).where(col(EventRow.id).in_(events))
    return dict(session.exec(query).all())


def find_event(session: Session, event: str) -> EventRow | None:
    """The event of that id."""
    return session.get(EventRow, event)


def published_version(session: Session, event: str) -> int | None:
    """The version of an event that anybody may see."""
    found = row_from(session, _PUBLISHED_VERSION, event=event)
    return None if found is None else int(found.version)


def version_for_visitors(connection: Connection, event: str) -> int | None:
    """The same, asked without a session."""
    found = connection.execute(_PUBLISHED_VERSION, {"event": event}).first()
    return None if found is None else int(found.version)


def lock_event(session: Session, event: str) -> EventRow | None:
    """The same, and nobody else may change the event until this transaction ends. So it is read once."""
    held: dict[str, EventRow] = session.info.setdefault(_HELD, {})
    if event not in held:
        found = session.exec(_LOCK, params={"event": event}).first()
        if found is None:
            return None
        held[event] = found
    return held[event]


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


def agenda(  # noqa: PLR0913 - whose, which, and which page of them
    session: Session,
    account: str | None,
    phases: Collection[str],
    *,
    words: str = "",
    latest_first: bool = False,
    skip: int = 0,
    limit: int,
) -> Sequence[EventRow]:
    """Events in these phases that are not archived and that the account may see, by when they start.

    Args:
        session: to ask.
        account: who looks; None for anybody.
        phases: of the events.
        words: of the name or venue, folded.
        latest_first: the latest first, else the next one.
        skip: so many of them are left out.
        limit: how many.
    """
    own = select(StaffRow.event_id).where(StaffRow.account == account)
    begin = func.coalesce(EventRow.starts_at, EventRow.created_at)
    query = select(EventRow).where(
        or_(col(EventRow.published).is_(True), col(EventRow.id).in_(own)),
        col(EventRow.phase).in_(phases),
        *_of_those(Wanted(words=words)),
    )
    order = (begin.desc(), col(EventRow.id).desc()) if latest_first else (begin, col(EventRow.id))
    return session.exec(query.order_by(*order).offset(skip).limit(limit)).all()


def events_of_staff(session: Session, account: str, *, archived: bool, limit: int) -> Sequence[EventRow]:
    """Events where the account is staff, the latest first."""
    own = select(StaffRow.event_id).where(StaffRow.account == account)
    begin = func.coalesce(EventRow.starts_at, EventRow.created_at)
    query = select(EventRow).where(col(EventRow.id).in_(own), col(EventRow.archived).is_(archived))
    return session.exec(query.order_by(begin.desc(), col(EventRow.id).desc()).limit(limit)).all()


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
    published: int = 0
    """Rounds that were published, as announced or beyond it."""


def fields_of(session: Session, events: Sequence[str]) -> Mapping[str, Entered]:
    """How many are in each of the events, late ones only as being here, and how many rounds were published."""
    is_here, was_here = col(EntryRow.dropped_after).is_(None), col(EntryRow.dropped_after) > 0
    counts = (col(EntryRow.entered_in) <= 1) & or_(is_here, was_here)
    rows = session.execute(
        select(EntryRow.event_id, EntryRow.awarded_byes, func.count().filter(is_here), func.count().filter(counts))
        .where(col(EntryRow.event_id).in_(events), *HAD_A_PLACE)
        .group_by(col(EntryRow.event_id), col(EntryRow.awarded_byes))
    ).all()
    published = session.execute(
        select(RoundRow.event_id, func.max(RoundRow.number))
        .where(col(RoundRow.event_id).in_(events), col(RoundRow.published_at).is_not(None))
        .group_by(col(RoundRow.event_id))
    ).all()
    found = {event: Entered() for event in events} | {event: Entered(published=last) for event, last in published}
    for event, byes, here, counted in rows:
        known = found[event]
        brought = known.byes + (byes,) * counted if byes else known.byes
        found[event] = Entered(known.here + here, known.counted + counted, brought, known.published)
    return found


def events_named(session: Session, events: Sequence[str]) -> Sequence[EventRow]:
    """The events of those ids, as far as they are there, by when they start or were announced."""
    begin = func.coalesce(EventRow.starts_at, EventRow.created_at)
    return session.exec(select(EventRow).where(col(EventRow.id).in_(events)).order_by(begin, col(EventRow.id))).all()


def all_events(session: Session) -> Sequence[tuple[str, str, int]]:
    """Id, name and version of every event, in the order of the ids."""
    return session.exec(select(EventRow.id, EventRow.name, EventRow.version).order_by(col(EventRow.id))).all()


def counts(session: Session) -> tuple[int, int]:
    """How many accounts and events there are."""
    return tuple(session.exec(select(func.count()).select_from(table)).one() for table in (AccountRow, EventRow))  # type: ignore[return-value]
