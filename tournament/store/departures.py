"""What left wallets between epochs, as logs say, and how far these were looked through."""

from collections.abc import Collection, Iterable, Sequence

from sqlalchemy import delete, exists, or_, update
from sqlalchemy.dialects import postgresql, sqlite
from sqlmodel import Session, col, select

from tournament.domain.announcement import Ownership
from tournament.store.asking import add_all, pages
from tournament.tables import DepartureRow, DiscrepancyRow, EpochRow, EventRow, LookoutRow


def departures_of(session: Session, event: str, entry: int | None = None) -> Sequence[DepartureRow]:
    """What left wallets of all entries, or of one, in the order of the chain."""
    query = select(DepartureRow).where(DepartureRow.event_id == event)
    if entry is not None:
        query = query.where(DepartureRow.entry == entry)
    order = (col(DepartureRow.block), col(DepartureRow.log), col(DepartureRow.token_id), col(DepartureRow.entry))
    return session.exec(query.order_by(*order)).all()


def add_departures(session: Session, event: str, rows: Iterable[DepartureRow]) -> None:
    """Add those that are new."""
    known = {_key(row) for row in departures_of(session, event)}
    new = {_key(row): row for row in rows if _key(row) not in known}
    add_all(session, DepartureRow, new.values())


def _key(row: DepartureRow) -> tuple[int, int, str, str, int]:
    return row.block, row.log, row.wallet, row.token_id, row.entry


def forget_departures(session: Session, event: str, *, after: int) -> None:
    """Forget what left in blocks after that one."""
    session.execute(delete(DepartureRow).where(col(DepartureRow.event_id) == event, col(DepartureRow.block) > after))


def discrepancies_of(session: Session, event: str) -> Sequence[DiscrepancyRow]:
    """Where balances and logs do not agree, by epoch."""
    query = select(DiscrepancyRow).where(DiscrepancyRow.event_id == event)
    return session.exec(query.order_by(col(DiscrepancyRow.epoch), col(DiscrepancyRow.wallet))).all()


def replace_discrepancies(session: Session, event: str, *, since: int, rows: Iterable[DiscrepancyRow]) -> None:
    """Forget those of an epoch and later ones, and add these."""
    session.execute(
        delete(DiscrepancyRow).where(col(DiscrepancyRow.event_id) == event, col(DiscrepancyRow.epoch) >= since)
    )
    add_all(session, DiscrepancyRow, list(rows))


def forget_moved(session: Session, event: str, entries: Collection[int], wallets: Collection[str]) -> None:
    """Forget what left these wallets, or what was set aside for these entries."""
    for some in pages(wallets):
        for table in (DepartureRow, DiscrepancyRow):
            session.execute(delete(table).where(col(table.event_id) == event, col(table.wallet).in_(some)))
    for page in pages(entries):
        session.execute(
            delete(DepartureRow).where(col(DepartureRow.event_id) == event, col(DepartureRow.entry).in_(page))
        )


# --- the lookout ------------------------------------------------------------------------------------------------------


def find_lookout(session: Session, event: str) -> LookoutRow | None:
    """How far an event's logs were looked through."""
    return session.get(LookoutRow, event)


def lock_lookout(session: Session, event: str) -> LookoutRow:
    """The same; nobody else may change it until this transaction ends."""
    query = select(LookoutRow).where(LookoutRow.event_id == event).with_for_update()
    found = session.exec(query).first()
    if found is not None:
        return found
    insert = postgresql.insert if session.get_bind().dialect.name == "postgresql" else sqlite.insert
    session.execute(insert(LookoutRow).values(**LookoutRow(event_id=event).model_dump()).on_conflict_do_nothing())
    return session.exec(query).one()


def free_lookouts(session: Session, *, now: str, leased: str) -> None:
    """Let events be looked at again that are leased beyond that time, or were looked at in times to come."""
    late = update(LookoutRow).where(or_(col(LookoutRow.leased_until) > leased, col(LookoutRow.looked_at) > leased))
    session.execute(late.values(leased_by=None, leased_until="", looked_at=now))


def watched_events(
    session: Session, *, phases: Collection[str], now: str, looked_before: str, limit: int
) -> Sequence[str]:
    """Events that go on, of which an epoch was read, and at which no lookout looked lately; the longest ago first."""
    is_read = exists().where(col(EpochRow.event_id) == col(EventRow.id), col(EpochRow.read).is_not(None))
    query = (
        select(EventRow.id)
        .join(LookoutRow, col(LookoutRow.event_id) == col(EventRow.id), isouter=True)
        .where(
            EventRow.ownership == Ownership.REQUIRED.value,
            col(EventRow.phase).in_(phases),
            is_read,
            or_(
                col(LookoutRow.event_id).is_(None),
                (col(LookoutRow.looked_at) < looked_before)
                & or_(col(LookoutRow.leased_by).is_(None), col(LookoutRow.leased_until) < now),
            ),
        )
        .order_by(col(LookoutRow.looked_at))
        .limit(limit)
    )
    return session.exec(query).all()
