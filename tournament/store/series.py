"""Series, and what their events gave."""

from collections.abc import Mapping, Sequence
from itertools import groupby
from operator import attrgetter

from sqlalchemy import or_, tuple_
from sqlalchemy.exc import IntegrityError
from sqlmodel import Session, col, select

from tournament.domain.model import AnyRound, Player
from tournament.domain.roles import Role
from tournament.store.asking import OF_ROUND
from tournament.store.entries import HAD_A_PLACE, player_from
from tournament.store.events import EventExists, Wanted
from tournament.store.rounds import round_from
from tournament.tables import EntryRow, RoundRow, SeatRow, SeriesEventRow, SeriesPersonRow, SeriesRow, SeriesStaffRow


def all_series(session: Session) -> Sequence[tuple[str, str, int]]:
    """Id, name and version of every series, in the order of the ids."""
    return session.exec(select(SeriesRow.id, SeriesRow.name, SeriesRow.version).order_by(col(SeriesRow.id))).all()


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


def played_in(session: Session, events: Sequence[str]) -> Mapping[str, tuple[tuple[Player, ...], tuple[AnyRound, ...]]]:
    """The players and the published rounds of several events, in two questions for all of them."""
    entries = session.exec(
        select(EntryRow)
        .where(col(EntryRow.event_id).in_(events), *HAD_A_PLACE)
        .order_by(col(EntryRow.event_id), col(EntryRow.number))
    ).all()
    seats = session.exec(
        select(SeatRow)
        .join(
            RoundRow,
            OF_ROUND,
        )
        .where(col(SeatRow.event_id).in_(events), col(RoundRow.published_at).is_not(None))
        .order_by(col(SeatRow.event_id), col(SeatRow.round), col(SeatRow.place))
    ).all()
    players = {event: tuple(map(player_from, rows)) for event, rows in groupby(entries, attrgetter("event_id"))}
    rounds = {
        event: tuple(round_from(number, list(of_round)) for number, of_round in groupby(of_event, attrgetter("round")))
        for event, of_event in groupby(seats, attrgetter("event_id"))
    }
    return {event: (players.get(event, ()), rounds.get(event, ())) for event in events}
