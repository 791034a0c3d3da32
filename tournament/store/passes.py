"""Passes, the desks that look at them, and who came in."""

from collections.abc import Collection, Iterable, Sequence
from typing import Final, NamedTuple

from sqlalchemy import ColumnElement, and_, case, func, or_, update
from sqlmodel import Session, col, select

from tournament.store.asking import add_all, pages
from tournament.store.entries import IS_IN
from tournament.tables import DeckRow, EntryRow, PassBookRow, PassDeskRow, PassRow, PassSecretRow, ScanRow

_ENTRY_OF_PASS: Final = and_(
    col(EntryRow.event_id) == col(PassRow.event_id), col(EntryRow.number) == col(PassRow.entry)
)
_DECK_OF_PASS: Final = and_(col(DeckRow.event_id) == col(PassRow.event_id), col(DeckRow.entry) == col(PassRow.entry))
_IS_PLAYED: Final = func.coalesce(col(DeckRow.commitment), "") == func.coalesce(col(PassRow.deck), "")
"""The list of the pass is the one that counts."""
COUNTS: Final = and_(col(PassRow.revoked).is_(None), *IS_IN, _IS_PLAYED)
"""Of a pass: its player may come in by it."""


# --- secrets ----------------------------------------------------------------------------------------------------------


def find_pass_secret(session: Session, event: str, name: str) -> PassSecretRow | None:
    """A key of the event, by its address, or `tags`."""
    return session.get(PassSecretRow, (event, name))


def save_pass_secret(session: Session, row: PassSecretRow) -> None:
    """Keep a secret, if there is none of that name."""
    if find_pass_secret(session, row.event_id, row.name) is None:
        session.add(row)
        session.flush()


# --- passes -----------------------------------------------------------------------------------------------------------


class PassOf(NamedTuple):
    """A pass, with whose it is and what the entry plays."""

    row: PassRow
    entry: EntryRow
    deck: DeckRow | None


def find_pass_book(session: Session, event: str) -> PassBookRow | None:
    """Whether and how the event gives passes."""
    return session.get(PassBookRow, event)


def add_pass_book(session: Session, row: PassBookRow) -> None:
    """The event gives passes from now on."""
    session.add(row)
    session.flush()


def last_serial(session: Session, event: str) -> int:
    """The highest number that a pass has; 0 before the first."""
    return session.exec(select(func.max(PassRow.serial)).where(PassRow.event_id == event)).one() or 0


def add_passes(session: Session, rows: Iterable[PassRow]) -> None:
    """Add passes, however many."""
    add_all(session, PassRow, rows)


def find_pass(session: Session, event: str, serial: int) -> PassRow | None:
    """The pass of that number."""
    return session.get(PassRow, (event, serial))


def passes_numbered(session: Session, event: str, serials: Collection[int]) -> dict[int, PassRow]:
    """The passes of these numbers, as far as they are there.

    A desk's numbers may be of a foreign pass and far off; what lies between is as many rows as the event has passes.
    """
    if not serials:
        return {}
    span = col(PassRow.serial).between(min(serials), max(serials))
    rows = session.exec(select(PassRow).where(PassRow.event_id == event, span))
    wanted = frozenset(serials)
    return {row.serial: row for row in rows if row.serial in wanted}


def passes_of(
    session: Session, event: str, *, entry: int | None = None, after: int = 0, limit: int | None = None
) -> Sequence[PassOf]:
    """Passes that were not revoked, by number, of one entry or of all; they may still be worth nothing (`COUNTS`)."""
    query = (
        select(PassRow, EntryRow, DeckRow)
        .join(EntryRow, _ENTRY_OF_PASS)
        .join(DeckRow, _DECK_OF_PASS, isouter=True)
        .where(PassRow.event_id == event, PassRow.serial > after, col(PassRow.revoked).is_(None))
        .order_by(col(PassRow.serial))
        .limit(limit)
    )
    rows = session.exec(query if entry is None else query.where(PassRow.entry == entry)).all()
    return [PassOf(*row) for row in rows]


def all_passes(session: Session, event: str) -> Sequence[PassRow]:
    """Every pass that was ever made, by number."""
    return session.exec(select(PassRow).where(PassRow.event_id == event).order_by(col(PassRow.serial))).all()


def last_passes(session: Session, event: str) -> dict[int, PassRow]:
    """The newest pass of each entry that ever had one, whether it counts or not."""
    newest = select(func.max(PassRow.serial)).where(PassRow.event_id == event).group_by(col(PassRow.entry))
    query = select(PassRow).where(PassRow.event_id == event, col(PassRow.serial).in_(newest))
    return {row.entry: row for row in session.exec(query)}


def passes_ever(session: Session, event: str, entries: Collection[int]) -> Sequence[PassRow]:
    """Every pass that these entries ever had, by number."""
    query = select(PassRow).where(PassRow.event_id == event, col(PassRow.entry).in_(entries))
    return session.exec(query.order_by(col(PassRow.serial))).all()


def worthless_serials(session: Session, event: str) -> Sequence[int]:
    """Numbers of passes by which nobody may come in, ascending."""
    query = (
        select(PassRow.serial)
        .join(EntryRow, _ENTRY_OF_PASS)
        .join(DeckRow, _DECK_OF_PASS, isouter=True)
        .where(PassRow.event_id == event, ~COUNTS)
        .order_by(col(PassRow.serial))
    )
    return session.exec(query).all()


def revoke_passes(  # noqa: PLR0913 - each is a column
    session: Session,
    event: str,
    *,
    sequence: int,
    at: int,
    why: str,
    entries: Collection[int] | None = None,
    since_epoch: int | None = None,
) -> None:
    """Make passes worthless that were not before: of these entries, or that rest on that epoch or a later one."""
    which: list[ColumnElement[bool]] = []
    if since_epoch is not None:
        which.append(col(PassRow.epoch) >= since_epoch)
    for theirs in [[]] if entries is None else [[col(PassRow.entry).in_(page)] for page in pages(entries)]:
        session.execute(
            update(PassRow)
            .where(col(PassRow.event_id) == event, col(PassRow.revoked).is_(None), *which, *theirs)
            .values(revoked=sequence, revoked_at=at, why_revoked=why)
            .execution_options(synchronize_session="fetch")
        )


# --- desks ------------------------------------------------------------------------------------------------------------


class DeskTally(NamedTuple):
    """What the server heard of a desk."""

    scans: int
    highest: int
    """Counter."""
    last_at: int
    """When the last player came in there; seconds since 1970."""
    heard: int
    """The sequence of the command that told of the last one."""


def pass_desks_of(session: Session, event: str) -> Sequence[PassDeskRow]:
    """Every desk, in the order in which they were enrolled."""
    query = select(PassDeskRow).where(PassDeskRow.event_id == event)
    return session.exec(query.order_by(col(PassDeskRow.enrolled), col(PassDeskRow.address))).all()


def add_pass_desk(session: Session, row: PassDeskRow) -> None:
    """Add a desk."""
    session.add(row)
    session.flush()


def desk_tallies(session: Session, event: str) -> dict[str, DeskTally]:
    """What was heard of each desk, by its address."""
    numbers = (func.max(ScanRow.counter), func.max(ScanRow.scanned_at), func.max(ScanRow.heard))
    query = (
        select(ScanRow.desk, func.count(), *numbers)  # type: ignore[call-overload]
        .where(ScanRow.event_id == event, col(ScanRow.counter).is_not(None))
        .group_by(col(ScanRow.desk))
    )
    return {desk: DeskTally(*(number or 0 for number in rest)) for desk, *rest in session.exec(query)}


# --- scans ------------------------------------------------------------------------------------------------------------

_OPEN: Final = func.sum(case((col(ScanRow.settled).is_(None), 1), else_=0))
_STRANGE: Final = func.sum(case((and_(col(ScanRow.settled).is_(None), col(ScanRow.doubt) != ""), 1), else_=0))


def last_scan(session: Session, event: str) -> int:
    """The highest number of a scan; 0 before the first."""
    return session.exec(select(func.max(ScanRow.number)).where(ScanRow.event_id == event)).one() or 0


def add_scans(session: Session, rows: Iterable[ScanRow]) -> None:
    """Add scans, however many."""
    add_all(session, ScanRow, rows)


def scans_of(
    session: Session, event: str, *, entries: Collection[int] | None = None, after: int = 0, limit: int | None = None
) -> Sequence[ScanRow]:
    """Scans by number: of these entries, or all."""
    query = select(ScanRow).where(ScanRow.event_id == event, ScanRow.number > after)
    query = query.order_by(col(ScanRow.number)).limit(limit)
    if entries is None:
        return session.exec(query).all()
    found = [row for page in pages(entries) for row in session.exec(query.where(col(ScanRow.entry).in_(page)))]
    return sorted(found, key=lambda row: row.number)[:limit]


def scans_known(session: Session, event: str, digests: Collection[str]) -> dict[str, int]:
    """Of scans of desks, by their digests, the sequence of the command that told of each that is known."""
    query = select(ScanRow.digest, ScanRow.heard).where(ScanRow.event_id == event, col(ScanRow.digest).in_(digests))
    return {str(digest): heard for digest, heard in session.exec(query)} if digests else {}


def unsettled_of(session: Session, event: str, *, playing: bool = False) -> Sequence[EntryRow]:
    """Entries that came in more than once or strangely, and of which nobody has said why, by number.

    Args:
        session: to ask.
        event: whose.
        playing: only those that have a place.
    """
    strange = (
        select(ScanRow.entry)
        .where(ScanRow.event_id == event, col(ScanRow.entry).is_not(None))
        .group_by(col(ScanRow.entry))
        .having(or_(and_(_OPEN > 0, func.count() > 1), _STRANGE > 0))
    )
    query = select(EntryRow).where(EntryRow.event_id == event, col(EntryRow.number).in_(strange))
    if playing:
        query = query.where(*IS_IN)
    return session.exec(query.order_by(col(EntryRow.number))).all()


def settle_scans(session: Session, event: str, numbers: Collection[int], sequence: int) -> None:
    """Staff have said what these scans were about."""
    session.execute(
        update(ScanRow)
        .where(col(ScanRow.event_id) == event, col(ScanRow.number).in_(numbers))
        .values(settled=sequence)
        .execution_options(synchronize_session="fetch")
    )


def move_scans(session: Session, event: str, entry: int, *, to: int) -> None:
    """How one entry came in is how another did: they are one person."""
    session.execute(
        update(ScanRow)
        .where(col(ScanRow.event_id) == event, col(ScanRow.entry) == entry)
        .values(entry=to)
        .execution_options(synchronize_session="fetch")
    )


def foreign_scans(session: Session, event: str) -> Sequence[ScanRow]:
    """Scans of passes that this server has not made, by number."""
    query = select(ScanRow).where(ScanRow.event_id == event, col(ScanRow.entry).is_(None))
    return session.exec(query.order_by(col(ScanRow.number))).all()
