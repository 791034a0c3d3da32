"""Players' claims, and what judges do."""

import json
from collections.abc import Collection, Sequence
from itertools import groupby
from operator import attrgetter
from typing import Final, TypeAlias

from sqlalchemy import Integer, bindparam, func, update
from sqlmodel import Session, col, select

from tournament.store.asking import EVENT, ROUND
from tournament.store.rounds import AnySeat
from tournament.tables import CallRow, ClaimRow, DeckCheckRow, DeckDrawRow, NoteRow, NoteTextRow, PenaltyRow, SeatRow

_CLAIMS_BY: Final = select(ClaimRow).where(
    col(ClaimRow.event_id) == EVENT,
    col(ClaimRow.round) == ROUND,
    col(ClaimRow.entry).in_([bindparam(chair, type_=Integer) for chair in SeatRow.CHAIRS]),
)
Numbered: TypeAlias = CallRow | PenaltyRow | DeckCheckRow | NoteRow
"""Rows that an event counts."""


def move_judging(session: Session, event: str, entry: int, *, to: int) -> None:
    """What judges have of an entry becomes another's: calls, penalties, notes."""
    for table in (CallRow, PenaltyRow, NoteRow):
        session.execute(update(table).where(col(table.event_id) == event, col(table.entry) == entry).values(entry=to))


def last_number(session: Session, table: type[Numbered], event: str) -> int:
    """The highest number that an event has given out in a table; 0 before the first."""
    numbers = col(table.number)
    return session.exec(select(func.max(numbers)).where(col(table.event_id) == event)).one() or 0


def claims_by(session: Session, event: str, seat: AnySeat) -> dict[int, ClaimRow]:
    """What those at a table claim of it, by their numbers."""
    there = {chair: getattr(seat, chair) for chair in SeatRow.CHAIRS}
    found = session.exec(_CLAIMS_BY, params={"event": event, "round": seat.round, **there}).all()
    at = (seat.table_number, seat.first, seat.second)
    return {
        claim.entry: claim
        for claim in found
        if (claim.table_number, claim.first, claim.second) == at and _is_of(claim, seat)
    }


def _is_of(claim: ClaimRow, seat: AnySeat) -> bool:
    """Whether those sit there whom the claim places; at a table of two `first` and `second` say so."""
    if seat.third is None or claim.placing is None:
        return seat.third is None and claim.placing is None
    return {player for place in json.loads(claim.placing) for player in place} == set(seat.players)


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
    found = session.exec(query.order_by(col(ClaimRow.table_number), col(ClaimRow.claimed))).all()
    return [(seat, claim) for seat, claim in found if _is_of(claim, seat)]


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
