"""Departures: units that leave wallets in which they are set aside, as the collection's logs tell them.

Logs are a hint and an audit trail. They change no verdict and are in no log of an event: what counts is what everybody
holds at an epoch's block. They tell staff early that somebody will be short, and in which transaction it happened.
"""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Final

from sqlmodel import Session

from tournament import store
from tournament.database import Database
from tournament.domain.lifecycle import Phase
from tournament.errors import EndpointsMissing
from tournament.service import claimants, manifests
from tournament.service.commands import text_of
from tournament.service.nodes import Nodes, cause_of
from tournament.service.readings import units_in
from tournament.tables import AllocationRow, DepartureRow, DiscrepancyRow, EventRow, LookoutRow
from verifier.errors import BlockReplaced, ChainError
from verifier.holdings import Address, Block, BlockHash, TokenId
from verifier.transfers import Discrepancy, Transfer, departures, read_transfers

WATCHED: Final = frozenset({Phase.CHECK_IN, Phase.ROUND, Phase.BETWEEN_ROUNDS, Phase.CUT})
"""When anybody looks."""
EVERY: Final = timedelta(seconds=15)
"""Between two looks at one event."""
LEASE: Final = timedelta(seconds=120)


# --- at an epoch ------------------------------------------------------------------------------------------------------


def keep(session: Session, event: str, transfers: Iterable[Transfer], seen_at: str) -> None:
    """Keep what left places in which units are set aside for somebody."""
    holders = _holders(store.allocations_of(session, event))
    rows = [
        DepartureRow(
            event_id=event,
            block=one.block,
            log=one.log,
            wallet=one.sender,
            token_id=str(one.token_id),
            entry=entry,
            units=str(one.units),
            transaction=one.transaction,
            seen_at=seen_at,
        )
        for one in departures(transfers, holders)
        for entry in holders[one.sender, one.token_id]
    ]
    if rows:
        store.add_departures(session, event, _summed(rows))


def _holders(rows: Iterable[AllocationRow]) -> Mapping[tuple[Address, TokenId], list[int]]:
    found: dict[tuple[Address, TokenId], list[int]] = {}
    for row in rows:
        for token in units_in(row.units):
            found.setdefault((Address(row.wallet), token), []).append(row.entry)
    return found


def _summed(rows: Iterable[DepartureRow]) -> list[DepartureRow]:
    """A batch may name a token id twice."""
    found: dict[tuple[int, int, str, str, int], DepartureRow] = {}
    for row in rows:
        key = (row.block, row.log, row.wallet, row.token_id, row.entry)
        if key in found:
            found[key].units = str(int(found[key].units) + int(row.units))
        else:
            found[key] = row
    return list(found.values())


def keep_discrepancies(session: Session, event: str, epoch: int, found: Iterable[Discrepancy]) -> None:
    """Keep where what was held at the epoch before, and what came and went since, is not what is held now."""
    rows = [
        DiscrepancyRow(
            event_id=event,
            epoch=epoch,
            wallet=one.wallet,
            token_id=str(one.token_id),
            words=f"{one.before} before, {one.came} came, {one.went} went, and {one.after} are there",
        )
        for one in found
    ]
    store.replace_discrepancies(session, event, since=epoch, rows=rows)


def forget_since(session: Session, event: str, since: int) -> None:
    """Blocks from that epoch's on left the chain."""
    blocks = [row.block_number for row in store.epochs_of(session, event) if row.number < since and row.block_number]
    store.forget_departures(session, event, after=max(blocks, default=0))
    store.replace_discrepancies(session, event, since=since, rows=())
    if (lookout := store.find_lookout(session, event)) is not None:
        lookout.block_number = lookout.block_hash = lookout.block_time = None


# --- while the event goes on ------------------------------------------------------------------------------------------


def due(database: Database, now: datetime, *, limit: int) -> Sequence[str]:
    """Events at which somebody should look."""
    with database.reading() as session:
        return store.watched_events(
            session, phases=WATCHED, now=text_of(now), looked_before=text_of(now - EVERY), limit=limit
        )


def look(  # noqa: PLR0913 - by keyword
    database: Database, event: str, nodes: Nodes, now: datetime, *, lookout: str, looked_before: datetime | None = None
) -> bool:
    """Look through the logs since the last time; False if another one is at it, or there is nothing to look at.

    Args:
        database: whose event.
        event: its id.
        nodes: the chain.
        now: the time.
        lookout: who looks.
        looked_before: not if somebody looked since then, while this one was on the way; None: all the same.
    """
    with database.writing() as session:
        row = store.lock_lookout(session, event)
        if row.leased_by not in {None, lookout} and row.leased_until >= text_of(now):
            return False
        if looked_before is not None and row.looked_at >= text_of(looked_before):
            return False
        row.leased_by, row.leased_until = lookout, text_of(now + LEASE)
        start = _start(session, event, row)
        manifest = manifests.manifest_of(session, event)
    found: Sequence[Transfer] = ()
    until, trouble, is_replaced = None, "", False
    try:
        if start is not None:
            chain = manifests.reader_of(manifest, nodes)
            until = chain.find("latest")
            found = read_transfers(chain, start, until) if until.number > start.number else ()
    except (ChainError, EndpointsMissing) as error:
        until, trouble, is_replaced = None, cause_of(error), isinstance(error, BlockReplaced)
    with database.writing() as session:
        row = store.lock_lookout(session, event)
        if row.leased_by != lookout or start != _start(session, event, row):
            return False  # it took too long, or an epoch was read or voided meanwhile
        row.leased_by, row.looked_at, row.trouble = None, text_of(now), trouble
        if is_replaced:
            _start_anew(session, event, row)
        elif until is not None and start is not None and until.number > start.number:
            row.block_number, row.block_hash, row.block_time = until.number, until.hash, until.timestamp
            keep(session, event, found, text_of(now))
    return start is not None


def _start(session: Session, event: str, row: LookoutRow) -> Block | None:
    """The block after which logs are looked through: where the last look ended, or the newest epoch that was read."""
    if row.block_number is not None and row.block_hash is not None and row.block_time is not None:
        return Block(row.block_number, BlockHash(row.block_hash), row.block_time)
    return _newest_block(session, event)


def _newest_block(session: Session, event: str) -> Block | None:
    blocks = [
        Block(epoch.block_number, BlockHash(epoch.block_hash), epoch.block_time)
        for epoch in store.epochs_of(session, event)
        if epoch.block_number is not None and epoch.block_hash is not None and epoch.block_time is not None
    ]
    return blocks[-1] if blocks else None


def _start_anew(session: Session, event: str, row: LookoutRow) -> None:
    """The block of the last look left the chain; what was seen since the newest epoch may never have been."""
    block = _newest_block(session, event)
    store.forget_departures(session, event, after=block.number if block else 0)
    row.block_number = row.block_hash = row.block_time = None


# --- what staff see ---------------------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Alert:
    """Units that left."""

    row: DepartureRow
    name: str
    card: str
    """Empty where the list does not need it any more."""
    since_epoch: int
    """The newest epoch before it."""


@dataclass(frozen=True, slots=True)
class Alerts:
    """What staff see."""

    lookout: LookoutRow | None
    alerts: Sequence[Alert]
    discrepancies: Sequence[DiscrepancyRow]


def alerts_of(session: Session, event: EventRow) -> Alerts:
    """What left, with names and cards, and where balances and logs do not agree."""
    left = left_of(session, event)
    return Alerts(store.find_lookout(session, event.id), left, store.discrepancies_of(session, event.id))


def left_of(session: Session, event: EventRow, entry: int | None = None) -> Sequence[Alert]:
    """What left wallets of all entries, or of one, in the order of the chain."""
    rows = store.departures_of(session, event.id, entry)
    entries = sorted({row.entry for row in rows})
    names = store.names_of(session, event.id, entries) if entries else {}
    epochs = [(one.number, one.block_number) for one in store.epochs_of(session, event.id) if one.block_number]
    cards = {
        (entry, token): need.card
        for entry, one in (claimants.claimants_of(session, event, entries) if entries else {}).items()
        for need in one.needs
        for token in need.token_ids
    }
    return [
        Alert(
            row,
            names.get(row.entry, ""),
            cards.get((row.entry, TokenId(int(row.token_id))), ""),
            max((number for number, block in epochs if block < row.block), default=0),
        )
        for row in rows
    ]
