"""What is held about a player."""

from collections.abc import Collection, Iterable, Sequence

from sqlalchemy import or_
from sqlmodel import Session, col, select

from tournament.store.asking import OF_ROUND
from tournament.tables import (
    AllocationRow,
    BracketLineRow,
    CallRow,
    ClaimRow,
    DeckCheckRow,
    DeckRow,
    EntryRow,
    LogRow,
    NoteRow,
    NoteTextRow,
    PenaltyRow,
    RoundRow,
    SeatRow,
)


def merged_of(session: Session, event: str) -> dict[int, int]:
    """The entries that became part of others, by number, with what they became part of."""
    query = select(EntryRow.number, EntryRow.merged_into).where(
        EntryRow.event_id == event, col(EntryRow.merged_into).is_not(None)
    )
    return {number: into for number, into in session.exec(query).all() if into is not None}


def erased_in(session: Session, events: Collection[str]) -> frozenset[tuple[str, int]]:
    """The entries of these events, by event and number, whose names were erased."""
    query = select(EntryRow.event_id, EntryRow.number).where(
        col(EntryRow.event_id).in_(events), col(EntryRow.erased).is_not(None)
    )
    return frozenset((event, number) for event, number in session.exec(query).all())


def notes_of(session: Session, event: str) -> Sequence[NoteRow]:
    """Every note, by number, without what it says."""
    return session.exec(select(NoteRow).where(NoteRow.event_id == event).order_by(col(NoteRow.number))).all()


def calls_of(session: Session, event: str) -> Sequence[CallRow]:
    """Every call, by number."""
    return session.exec(select(CallRow).where(CallRow.event_id == event).order_by(col(CallRow.number))).all()


def seats_in(session: Session, event: str, rounds: Iterable[int]) -> Sequence[SeatRow]:
    """The tables of several rounds."""
    query = select(SeatRow).where(SeatRow.event_id == event, col(SeatRow.round).in_(sorted(set(rounds))))
    return session.exec(query.where(col(SeatRow.table_number).is_not(None))).all()


def texts_of_notes(session: Session, event: str, notes: Collection[int]) -> Sequence[NoteTextRow]:
    """Everything that these notes said, in order."""
    query = select(NoteTextRow).where(NoteTextRow.event_id == event, col(NoteTextRow.note).in_(notes))
    return session.exec(query.order_by(col(NoteTextRow.note), col(NoteTextRow.revision))).all()


def decks_numbered(session: Session, event: str, entries: Collection[int]) -> Sequence[DeckRow]:
    """What these entries handed in."""
    rows = session.exec(select(DeckRow).where(DeckRow.event_id == event)).all()
    return [row for row in rows if row.entry in entries]


def places_of(session: Session, event: str, entry: int) -> Sequence[SeatRow]:
    """Where a player sat in the published rounds, and the byes, in order."""
    query = (
        select(SeatRow)
        .join(
            RoundRow,
            OF_ROUND,
        )
        .where(
            SeatRow.event_id == event,
            col(RoundRow.published_at).is_not(None),
            or_(*(col(getattr(SeatRow, chair)) == entry for chair in SeatRow.CHAIRS)),
        )
    )
    return session.exec(query.order_by(col(SeatRow.round))).all()


def cut_of(session: Session, event: str, entry: int) -> Sequence[BracketLineRow]:
    """The matches of a player in the cut, in order."""
    query = select(BracketLineRow).where(
        BracketLineRow.event_id == event, or_(col(BracketLineRow.first) == entry, col(BracketLineRow.second) == entry)
    )
    return session.exec(query.order_by(col(BracketLineRow.line))).all()


def claims_by_entry(session: Session, event: str, entry: int) -> Sequence[ClaimRow]:
    """What a player claimed, in order."""
    query = select(ClaimRow).where(ClaimRow.event_id == event, ClaimRow.entry == entry)
    return session.exec(query.order_by(col(ClaimRow.round))).all()


def deck_checks_with(session: Session, event: str, entry: int) -> Sequence[DeckCheckRow]:
    """The deck checks of a player's tables, in order."""
    query = select(DeckCheckRow).where(
        DeckCheckRow.event_id == event,
        or_(*(col(getattr(DeckCheckRow, chair)) == entry for chair in DeckCheckRow.CHAIRS)),
    )
    return session.exec(query.order_by(col(DeckCheckRow.number))).all()


def penalties_given(session: Session, event: str, penalties: Collection[int]) -> Sequence[PenaltyRow]:
    """The penalties of these numbers."""
    query = select(PenaltyRow).where(PenaltyRow.event_id == event, col(PenaltyRow.number).in_(penalties))
    return session.exec(query).all()


def set_aside_for(session: Session, event: str, entry: int) -> Sequence[AllocationRow]:
    """What is set aside for an entry, by wallet."""
    query = select(AllocationRow).where(AllocationRow.event_id == event, AllocationRow.entry == entry)
    return session.exec(query.order_by(col(AllocationRow.wallet))).all()


def commands_by(session: Session, event: str, actors: Collection[str]) -> Sequence[LogRow]:
    """The accepted commands of these people, in order."""
    query = select(LogRow).where(LogRow.event_id == event, col(LogRow.actor).in_(actors))
    return session.exec(query.order_by(col(LogRow.sequence))).all()
