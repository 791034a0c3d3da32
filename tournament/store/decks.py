"""Decks, and players kept apart."""

from collections.abc import Collection, Iterable, Sequence

from sqlalchemy import delete, func, insert
from sqlmodel import Session, col, select

from tournament.domain.model import PlayerId
from tournament.store.entries import IS_IN
from tournament.tables import ApartRow, DeckRow, EntryRow, FormerApartRow


def find_deck(session: Session, event: str, entry: int) -> DeckRow | None:
    """What an entry handed in."""
    return session.get(DeckRow, (event, entry))


def decks_of(session: Session, event: str, *, first: int = 0, last: int | None = None) -> dict[int, DeckRow]:
    """What entries handed in, all of them or those from one number to another; by the entry's number."""
    query = select(DeckRow).where(DeckRow.event_id == event, DeckRow.entry >= first)
    rows = session.exec(query if last is None else query.where(DeckRow.entry <= last)).all()
    return {row.entry: row for row in rows}


def add_deck(session: Session, row: DeckRow) -> None:
    """Add what an entry handed in."""
    session.add(row)


def move_deck(session: Session, event: str, entry: int, to: int) -> None:
    """Give one entry what another handed in, instead of its own."""
    moved = session.get_one(DeckRow, (event, entry))
    if (own := find_deck(session, event, to)) is not None:
        session.delete(own)
    session.delete(moved)
    session.flush()
    session.add(DeckRow(**moved.model_dump() | {"entry": to}))


def without_list(session: Session, event: str) -> Sequence[tuple[EntryRow, DeckRow | None]]:
    """Who has a place and neither a legal list nor leave to play without one, by number."""
    join = (col(DeckRow.event_id) == col(EntryRow.event_id)) & (col(DeckRow.entry) == col(EntryRow.number))
    query = select(EntryRow, DeckRow).join(DeckRow, join, isouter=True)
    missing = (col(DeckRow.commitment).is_(None), col(DeckRow.waived).is_(None))
    return session.exec(query.where(EntryRow.event_id == event, *IS_IN, *missing).order_by(col(EntryRow.number))).all()


def apart_of(session: Session, event: str) -> tuple[tuple[PlayerId, PlayerId], ...]:
    """Pairs of players who are kept apart, as the rules know them."""
    return tuple((PlayerId(str(row.one)), PlayerId(str(row.other))) for row in apart_rows(session, event))


def former_apart(session: Session, event: str) -> Sequence[FormerApartRow]:
    """Pairs that were kept apart while rounds were paired, and are no longer."""
    query = select(FormerApartRow).where(FormerApartRow.event_id == event)
    order = (col(FormerApartRow.one), col(FormerApartRow.other), col(FormerApartRow.until))
    return session.exec(query.order_by(*order)).all()


def apart_rows(session: Session, event: str) -> Sequence[ApartRow]:
    """The same as rows."""
    return session.exec(
        select(ApartRow).where(ApartRow.event_id == event).order_by(col(ApartRow.one), col(ApartRow.other))
    ).all()


def apart_in(session: Session, event: str) -> int:
    """How many pairs are kept apart."""
    return session.exec(select(func.count()).select_from(ApartRow).where(ApartRow.event_id == event)).one()


def find_apart(session: Session, event: str, one: int, other: int) -> ApartRow | None:
    """The pair, if it is kept apart; numbers in either order."""
    return session.get(ApartRow, (event, min(one, other), max(one, other)))


def add_apart(session: Session, event: str, pairs: Iterable[tuple[int, int]], since: int) -> None:
    """Keep pairs apart; each only once, the smaller number first."""
    values = [{"event_id": event, "one": one, "other": other, "since": since} for one, other in pairs]
    if values:
        session.execute(insert(ApartRow), values)


def delete_apart(session: Session, event: str, pairs: Collection[tuple[int, int]], *, until: int | None = None) -> None:
    """No longer keep pairs apart.

    Args:
        session: to write.
        event: whose pairs.
        pairs: the smaller number first.
        until: the sequence of the command, if rounds were paired with them apart, so that it is kept in mind.
    """
    for one, other in pairs:
        known = find_apart(session, event, one, other)
        if until is not None and known is not None:
            session.add(FormerApartRow(event_id=event, one=one, other=other, until=until, since=known.since))
        _delete_pair(session, event, one, other)


def _delete_pair(session: Session, event: str, one: int, other: int) -> None:
    session.execute(
        delete(ApartRow).where(col(ApartRow.event_id) == event, col(ApartRow.one) == one, col(ApartRow.other) == other)
    )
