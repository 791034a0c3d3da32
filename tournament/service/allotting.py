"""Allotting: who has the cards, by the ledger, given what was found at an epoch; and what is kept of it."""

import json
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from datetime import UTC, datetime
from typing import Final

from sqlmodel import Session

from tournament import store
from tournament.service import claimants, departures
from tournament.service.claimants import Claimant
from tournament.service.commands import text_of
from tournament.service.looks import Found
from tournament.service.readings import (
    allocation_rows,
    allocations_in,
    balances_of,
    histories,
    holding_row,
    least_kept,
    least_of,
    merged,
    reading_of,
    units_in,
)
from tournament.store import Elsewhere
from tournament.tables import AllocationRow, EventRow, HoldingRow, ShortfallRow
from verifier.coverage import Outcome
from verifier.delegation import Level
from verifier.holdings import Address, TokenId
from verifier.ledger import Allocation, Balances, Reading, Reservation, Share, Shortfall, Split, Stake, allocate
from verifier.transfers import reconcile

NOT_READ: Final = "a wallet could not be read at every block"


@dataclass(frozen=True, slots=True)
class Judged:
    """What is known of everybody who was judged, and what is to be kept of it."""

    outcomes: Mapping[int, Outcome]
    causes: Mapping[int, str]
    """Of those who are undetermined."""
    holdings: Sequence[HoldingRow] = ()
    allocations: Mapping[int, Sequence[Allocation]] = field(default_factory=dict)
    shortfalls: Mapping[int, Sequence[Shortfall]] = field(default_factory=dict)
    since: Mapping[tuple[int, str], int] = field(default_factory=dict)
    """When units were set aside first, by entry and wallet."""
    vaults: frozenset[Address] = frozenset()
    """Wallets that count only as far as they vouch for another."""
    is_late: bool = False
    """Whether a later epoch was read before."""


def judge(
    session: Session, event: EventRow, found: Found, *, still: Collection[int], decided: Collection[int]
) -> Judged:
    """Judge everybody who was asked about, with what the chain said.

    Args:
        session: to ask what other events have set aside.
        event: whose players.
        found: what the chain said.
        still: those whose list and wallets are what was asked about.
        decided: those of whom the epoch has said it meanwhile; they are left out.
    """
    asked = [one for entry, one in found.plan.claimants.items() if entry in still and entry not in decided]
    fit = [one for one in asked if not one.cause]
    before, now = _before(found), _known(found, fit)
    epochs: list[Balances] = [now] if found.plan.state.number == 1 else [before, now]
    stakes = {one.entry: Stake(one.entry, one.wallets, one.needs) for one in fit}
    splits = [*claimants.splits_of(store.wallets_of(session, event.id)), *_vouched(found, fit)]
    ours = store.allocations_of(session, event.id)
    elsewhere = found.elsewhere
    if elsewhere is None:
        elsewhere = store.reserved_elsewhere(session, event.id, collection_of(found))
    reserved = _reserved(elsewhere, ours)
    held = _held(ours, reserved)
    allotment = allocate(stakes.values(), epochs, splits=splits, reserved=reserved, held=held)
    later = store.newest_after(session, event.id, found.plan.state.number)
    set_aside = allotment
    if later is not None:  # what is gone by now is not set aside, whenever an epoch before is read
        set_aside = allocate(
            stakes.values(), [*epochs, balances_of(later)], splits=splits, reserved=reserved, held=held
        )
    outcomes = {entry: allotment.outcome(entry) for entry in stakes}
    outcomes |= {one.entry: Outcome.UNDETERMINED for one in asked if one.cause}
    causes = {one.entry: one.cause for one in asked if one.cause}
    unread = found.late_trouble or NOT_READ
    vaulted = {one.entry for one in fit if one.vaults} if found.vault_trouble else frozenset()
    causes |= {
        entry: found.vault_trouble if entry in vaulted else unread
        for entry in stakes
        if outcomes[entry] is Outcome.UNDETERMINED
    }
    lacking = [stakes[entry] for entry in stakes if outcomes[entry] is not Outcome.COVERED]
    return Judged(
        outcomes=dict(sorted(outcomes.items())),
        causes=causes,
        holdings=_holdings(event, found, before, stakes.values()),
        vaults=frozenset(vault for one in fit for vault in one.vaults),
        allocations={entry: set_aside.allocations(entry) for entry in stakes},
        is_late=later is not None,
        shortfalls=_shortfalls(session, event, replace(found, now=now), lacking, (splits, reserved, held)),
        since={(row.entry, row.wallet): row.since for row in ours},
    )


def _before(found: Found) -> dict[Address, Reading]:
    """What can be counted by the epochs before: of late wallets, what they had at the first one."""
    least = dict(found.plan.least)
    for wallet, first in found.first.items():
        least[wallet] = merged(first, least.get(wallet))
    return least


# --- vaults -----------------------------------------------------------------------------------------------------------


def _known(found: Found, fit: Iterable[Claimant]) -> Mapping[Address, Reading]:
    """What was read now, but of vaults of which nobody knows what they vouch for."""
    silent = {vault for one in fit for vault in one.vaults if vault not in found.authorities}
    return {wallet: reading for wallet, reading in found.now.items() if wallet not in silent} if silent else found.now


def _vouched(found: Found, fit: Iterable[Claimant]) -> list[Split]:
    """Vaults that vouch for some of what they have, or for nothing any more: the rest is nobody's."""
    return [
        Split(authority.delegation.vault, (Share(one.entry, authority.units),))
        for one in fit
        for vault in sorted(one.vaults)
        if (authority := found.authorities.get(vault)) is not None
        and authority.level not in {Level.VAULT, Level.COLLECTION}
    ]


# --- what other events have set aside ---------------------------------------------------------------------------------


def _reserved(elsewhere: Iterable[Elsewhere], ours: Iterable[AllocationRow]) -> list[Reservation]:
    """A reservation is younger if units of the wallet and token id were set aside here before."""
    first: dict[tuple[str, TokenId], int] = {}
    for row in ours:
        for token in units_in(row.units):
            first[row.wallet, token] = min(row.since, first.get((row.wallet, token), row.since))
    return [
        Reservation(
            wallet=Address(one.wallet),
            token_id=token,
            units=units,
            holder=holder_of(one.event, one.entry),
            since=one.since,
            younger=one.since > first.get((one.wallet, token), one.since),
        )
        for one in elsewhere
        for token, units in units_in(one.units).items()
    ]


def collection_of(found: Found) -> str:
    """Of which collection units are set aside, as it is kept."""
    manifest = found.plan.manifest
    return f"{manifest.chain_id} {manifest.collections[0].address}"


def holder_of(event: str, entry: int) -> str:
    """Who has units, as it is kept: names are looked up for whoever may know them."""
    return f"{event} {entry}"


def _held(ours: Iterable[AllocationRow], reserved: Iterable[Reservation]) -> list[Allocation]:
    """What this event had set aside before, of what others have a part of."""
    wallets = {reservation.wallet for reservation in reserved if reservation.younger}
    return [one for row in ours if row.wallet in wallets for one in allocations_in(row)]


# --- what is kept -----------------------------------------------------------------------------------------------------


def _holdings(
    event: EventRow, found: Found, before: Mapping[Address, Reading], stakes: Iterable[Stake]
) -> list[HoldingRow]:
    """What the wallets of those who were judged held."""
    judged = {wallet for stake in stakes for wallet in stake.wallets}
    number = found.plan.state.number
    rows = []
    for wallet, now in found.now.items():
        if wallet in judged:
            least = now if number == 1 else least_of(before.get(wallet), now)
            rows.append(holding_row(event.id, number, wallet, now, least))
    return rows


def _shortfalls(
    session: Session,
    event: EventRow,
    found: Found,
    stakes: Sequence[Stake],
    others: tuple[Sequence[Split], Sequence[Reservation], Sequence[Allocation]],
) -> Mapping[int, Sequence[Shortfall]]:
    """What is missing, with what became of it since the first epoch."""
    if not stakes:
        return {}
    wallets = sorted({wallet for stake in stakes for wallet in stake.wallets})
    number = found.plan.state.number
    epochs = histories(store.holdings_of(session, event.id, wallets), number)
    for wallet in wallets:
        if wallet in found.now:
            epochs[-1][Address(wallet)] = found.now[Address(wallet)]
        if wallet in found.first:
            epochs[0][Address(wallet)] = merged(found.first[Address(wallet)], epochs[0].get(Address(wallet)))
    splits, reserved, held = others
    allotment = allocate(stakes, epochs, splits=splits, reserved=reserved, held=held)
    return {int(entry): missing for entry, missing in allotment.shortfalls.items()}


def keep(session: Session, found: Found, judged: Judged, *, gone: Collection[int], at: int) -> None:
    """Keep what the log does not get.

    Args:
        session: to write.
        found: what the chain said.
        judged: what came of it.
        gone: who is dropped for it; nothing is set aside for them.
        at: seconds since 1970.
    """
    event, number = found.plan.event, found.plan.state.number
    if found.transfers is not None:
        departures.keep(session, event, found.transfers, text_of(datetime.fromtimestamp(at, UTC)))
        before = {Address(row.wallet): reading_of(row.token_ids, row.units) for row in _last(session, found)}
        differing = reconcile(before, found.transfers, found.now)
        departures.keep_discrepancies(session, event, number, differing)
    store.replace_holdings(session, event, number, judged.holdings)
    if judged.is_late:
        least = {
            row.wallet: {int(token): units for token, units in least_kept(row.token_ids, row.least).items()}
            for row in judged.holdings
        }
        store.lower_least(session, event, number, least)
    if found.first:
        store.replace_holdings(session, event, 1, _late_rows(session, found))
    everybody = None if found.plan.state.read is None else judged.outcomes.keys()
    set_aside = [one for entry, those in judged.allocations.items() if entry not in gone for one in those]
    usual = AllocationRow(event_id=event, entry=0, wallet="", collection=collection_of(found), units="", since=at)
    rows = allocation_rows(usual, set_aside)
    for row in rows:
        row.since = min(at, judged.since.get((row.entry, row.wallet), at))
    store.replace_allocations(session, event, everybody, rows)
    store.let_go(session, event, usual.collection, {row.wallet for row in rows}, since=at + 1)
    lacked = [
        ShortfallRow(event_id=event, epoch=number, entry=entry, text=packed(missing, judged.vaults))
        for entry, missing in judged.shortfalls.items()
    ]
    store.replace_shortfalls(session, event, number, judged.outcomes.keys(), lacked)


def _last(session: Session, found: Found) -> Sequence[HoldingRow]:
    """What was held at the epoch before."""
    return store.holdings_at(session, found.plan.event, found.plan.earlier[-1].number)


def _late_rows(session: Session, found: Found) -> list[HoldingRow]:
    event, wallets = found.plan.event, sorted(found.first)
    [known] = histories(store.holdings_of(session, event, wallets), 1)
    both = ((Address(wallet), merged(found.first[Address(wallet)], known.get(Address(wallet)))) for wallet in wallets)
    return [holding_row(event, 1, wallet, now, now) for wallet, now in both]


def packed(missing: Iterable[Shortfall], vaults: Collection[Address] = ()) -> str:
    """Shortfalls as they are kept; of vaults, with that word."""
    said = [
        {
            "card": one.need.card,
            "needed": one.need.units,
            "missing": one.missing,
            "since": one.since,
            "unread": one.unread,
            "trails": [
                {
                    "wallet": trail.wallet,
                    "token_id": trail.token_id,
                    "units": trail.units,
                    "share": trail.share,
                    "counted": trail.counted,
                    **({"vault": True} if trail.wallet in vaults else {}),
                    "reserved": [
                        {"holder": other.holder, "units": other.units, "since": other.since}
                        for other in trail.reservations
                    ],
                }
                for trail in one.trails
            ],
        }
        for one in missing
    ]
    return json.dumps(said, ensure_ascii=False, separators=(",", ":"))
