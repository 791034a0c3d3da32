"""Manifests, epochs, verdicts; and beside the log what wallets held."""

from collections.abc import Collection, Iterable, Mapping, Sequence
from typing import Final

from sqlalchemy import delete, func, insert, update
from sqlmodel import Session, col, select

from tournament.store.asking import add_all
from tournament.tables import (
    AllocationRow,
    EpochRow,
    HoldingRow,
    ManifestRow,
    ShortfallRow,
    VerdictRow,
)


def find_manifest(session: Session, event: str) -> ManifestRow | None:
    """What the event promised."""
    return session.get(ManifestRow, event)


def add_manifest(session: Session, row: ManifestRow) -> None:
    """Add what an event promises."""
    session.add(row)


# --- epochs -----------------------------------------------------------------------------------------------------------


def add_epoch(session: Session, row: EpochRow) -> None:
    """Add an epoch."""
    session.add(row)


def find_epoch(session: Session, event: str, number: int) -> EpochRow | None:
    """The epoch of that number."""
    return session.get(EpochRow, (event, number))


def epochs_of(session: Session, event: str) -> Sequence[EpochRow]:
    """Every epoch, in order."""
    return session.exec(select(EpochRow).where(EpochRow.event_id == event).order_by(col(EpochRow.number))).all()


# --- verdicts ---------------------------------------------------------------------------------------------------------


def verdicts_at(session: Session, event: str, epoch: int) -> Mapping[int, VerdictRow]:
    """Every verdict of an epoch, by the number of the entry."""
    rows = session.exec(select(VerdictRow).where(VerdictRow.event_id == event, VerdictRow.epoch == epoch)).all()
    return {row.entry: row for row in rows}


def verdicts_of(session: Session, event: str, entry: int) -> Sequence[VerdictRow]:
    """What was found of an entry at each epoch, in order."""
    query = select(VerdictRow).where(VerdictRow.event_id == event, VerdictRow.entry == entry)
    return session.exec(query.order_by(col(VerdictRow.epoch))).all()


def tallies_of(session: Session, event: str) -> Mapping[int, Mapping[str, int]]:
    """How many of each outcome there are, by epoch."""
    query = select(VerdictRow.epoch, VerdictRow.outcome, func.count()).where(VerdictRow.event_id == event)
    found: dict[int, dict[str, int]] = {}
    for epoch, outcome, count in session.exec(query.group_by(col(VerdictRow.epoch), col(VerdictRow.outcome))):
        found.setdefault(epoch, {})[outcome] = count
    return found


def add_verdicts(session: Session, event: str, epoch: int, rows: Iterable[VerdictRow]) -> None:
    """Add verdicts of an epoch, each instead of an older one of the same entry."""
    rows = list(rows)
    for part in _parts([row.entry for row in rows]):
        session.execute(
            delete(VerdictRow).where(
                col(VerdictRow.event_id) == event, col(VerdictRow.epoch) == epoch, col(VerdictRow.entry).in_(part)
            )
        )
    add_all(session, VerdictRow, rows)


def override_verdicts(session: Session, event: str, epoch: int, entries: Collection[int], sequence: int) -> None:
    """Let these entries play by the word of a judge."""
    for part in _parts(sorted(entries)):
        session.execute(
            update(VerdictRow)
            .where(col(VerdictRow.event_id) == event, col(VerdictRow.epoch) == epoch, col(VerdictRow.entry).in_(part))
            .values(overridden=sequence)
        )


def forget_verdicts(session: Session, event: str, *, since: int) -> None:
    """Forget what was found at an epoch and all later ones."""
    session.execute(delete(VerdictRow).where(col(VerdictRow.event_id) == event, col(VerdictRow.epoch) >= since))


def forget_verdict(session: Session, event: str, epoch: int, entry: int) -> None:
    """Forget what was found of an entry at an epoch: what it rests on has changed."""
    session.execute(
        delete(VerdictRow).where(
            col(VerdictRow.event_id) == event, col(VerdictRow.epoch) == epoch, col(VerdictRow.entry) == entry
        )
    )


_PART: Final = 20_000
"""Numbers in one statement; every database takes so many."""


def _parts(numbers: Sequence[int]) -> Iterable[Sequence[int]]:
    return (numbers[at : at + _PART] for at in range(0, len(numbers), _PART))


# --- what wallets held ------------------------------------------------------------------------------------------------


def holdings_at(session: Session, event: str, epoch: int) -> Mapping[str, str]:
    """What every wallet held at an epoch, as it is kept, by address."""
    query = select(HoldingRow.wallet, HoldingRow.units).where(HoldingRow.event_id == event, HoldingRow.epoch == epoch)
    return dict(session.exec(query).all())


def least_before(session: Session, event: str, epoch: int) -> Mapping[str, str]:
    """The least that every wallet held at any epoch before that one, as it is kept, by address."""
    newest = (
        select(HoldingRow.wallet, func.max(HoldingRow.epoch).label("epoch"))
        .where(HoldingRow.event_id == event, HoldingRow.epoch < epoch)
        .group_by(col(HoldingRow.wallet))
        .subquery()
    )
    query = (
        select(HoldingRow.wallet, HoldingRow.least)
        .join(newest, (col(HoldingRow.wallet) == newest.c.wallet) & (col(HoldingRow.epoch) == newest.c.epoch))
        .where(HoldingRow.event_id == event)
    )
    return dict(session.exec(query).all())


def holdings_of(session: Session, event: str, wallets: Collection[str]) -> Sequence[HoldingRow]:
    """What these wallets held at each epoch, in order."""
    query = select(HoldingRow).where(HoldingRow.event_id == event, col(HoldingRow.wallet).in_(wallets))
    return session.exec(query.order_by(col(HoldingRow.epoch), col(HoldingRow.wallet))).all()


def replace_holdings(session: Session, event: str, epoch: int, rows: Sequence[HoldingRow]) -> None:
    """Keep what wallets held at an epoch, each instead of what was kept of it before."""
    _delete_wallets(session, event, epoch, [row.wallet for row in rows])
    add_all(session, HoldingRow, rows)


def forget_holdings(session: Session, event: str, *, since: int) -> None:
    """Forget what wallets held at an epoch and all later ones, and what they lacked."""
    for table in (HoldingRow, ShortfallRow):
        session.execute(delete(table).where(col(table.event_id) == event, col(table.epoch) >= since))


def _delete_wallets(session: Session, event: str, epoch: int, wallets: Sequence[str]) -> None:
    for at in range(0, len(wallets), _PART):
        session.execute(
            delete(HoldingRow).where(
                col(HoldingRow.event_id) == event,
                col(HoldingRow.epoch) == epoch,
                col(HoldingRow.wallet).in_(wallets[at : at + _PART]),
            )
        )
