"""Looks at the chain for an epoch: what has to be asked, and what was found. No transaction is open meanwhile.

The block is the first one from the epoch's time on, once it is settled as the manifest says. Everybody is read there as
one batch. Wallets and token ids that were not read at earlier epochs, because somebody came late, are read at the first
epoch's block too: what was not there cannot be counted.
"""

import base64
import json
import logging
import zlib
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Final

from sqlmodel import Session

from tournament import store
from tournament.errors import EpochNotFound
from tournament.service import claimants, manifests, ownership
from tournament.service.claimants import Claimant
from tournament.service.nodes import Nodes, as_kept, cause_of
from tournament.service.readings import as_readings, balances_of, units_in
from tournament.store import Elsewhere
from tournament.tables import EpochRow, EventRow
from verifier.chain import ChainHoldings
from verifier.coverage import Outcome
from verifier.delegation import Authority, read_authorities
from verifier.epochs import Epoch, Undetermined, find_block, read_epoch, settle
from verifier.errors import AnswerSuspicious, BlockNotYet, ChainError
from verifier.headers import Header, UnsoundHeader, parse_header
from verifier.holdings import Address, Ask, Block, BlockHash, TokenId
from verifier.ledger import Reading
from verifier.manifest import Manifest
from verifier.proofs import prove_told
from verifier.rpc import Exchange
from verifier.transfers import Transfer, read_transfers

_LEVEL: Final = 6
_LOG: Final = logging.getLogger(__name__)


@dataclass(frozen=True, slots=True)
class State:
    """What an epoch's row said when the chain was asked."""

    number: int
    read: int | None
    voided: int
    block: Block | None

    @classmethod
    def of(cls, row: EpochRow) -> "State":
        """As the row says."""
        return cls(row.number, row.read, row.voided, block_of(row))


@dataclass(frozen=True, slots=True)
class Plan:
    """What is asked for an epoch."""

    event: str
    version: int
    manifest: Manifest
    opens_at: int
    state: State
    earlier: tuple[State, ...]
    """Epochs before it that were read."""
    claimants: Mapping[int, Claimant]
    """Who is to be judged."""
    bases: Mapping[int, str]
    """What that rests on (`ownership.bases_of`)."""
    asks: tuple[Ask, ...]
    late: tuple[Ask, ...]
    """What is asked at the block of the first epoch."""
    least: Mapping[Address, Reading]
    """What can be counted of each wallet by the epochs before."""


@dataclass(frozen=True, slots=True)
class Found:
    """What the chain said."""

    plan: Plan
    block: Block | None = None
    trouble: str = ""
    """Why nothing was found out, for everybody to read."""
    late_trouble: str = ""
    """The same of the first epoch's block."""
    void: int | None = None
    """The first epoch whose block is on the chain no more."""
    now: Mapping[Address, Reading] = field(default_factory=dict)
    first: Mapping[Address, Reading] = field(default_factory=dict)
    """What late wallets had at the first epoch."""
    authorities: Mapping[Address, Authority] = field(default_factory=dict)
    """What each vault vouched for at the epoch's block; of one that is missing it could not be found out."""
    vault_trouble: str = ""
    """Why it could not."""
    transfers: Sequence[Transfer] | None = None
    """Of the wallets that were asked about, since the epoch before; None: there was none, or no logs were to be had."""
    record: str = ""
    """What the endpoints said, to be kept."""
    elsewhere: Sequence[Elsewhere] | None = None
    """What other events have set aside, where that is known already; None: it is looked up."""


def block_of(row: EpochRow) -> Block | None:
    """The block of an epoch that was read."""
    if row.block_number is None or row.block_hash is None or row.block_time is None:
        return None
    return Block(row.block_number, BlockHash(row.block_hash), row.block_time)


# --- what to ask ------------------------------------------------------------------------------------------------------


def plan(session: Session, event: EventRow, named: int | None) -> Plan:
    """What to ask for an epoch. If of everybody it is known, it is only asked whether the block is still there.

    Args:
        session: to read.
        event: whose epoch.
        named: its number; None: the oldest that was not read, else the newest, for whoever is undecided in it.

    Raises:
        EpochNotFound: there is none of that number.
        ManifestNotFound: the event has promised nothing yet.
    """
    manifest = manifests.manifest_of(session, event.id)
    rows = store.epochs_of(session, event.id)
    row = _target(rows, named)
    players = claimants.players_of(session, event, row)
    everybody = claimants.claimants_of(session, event, players)
    if row.read is None:
        judged = everybody
    else:
        decided = decided_in(session, event.id, row)
        judged = {entry: one for entry, one in everybody.items() if entry not in decided}
    asks = _asks(everybody.values(), judged.values())
    least = balances_of(store.least_before(session, event.id, row.number))
    return Plan(
        event=event.id,
        version=event.version,
        manifest=manifest,
        opens_at=row.opens_at,
        state=State.of(row),
        earlier=tuple(State.of(one) for one in rows if one.number < row.number and one.read is not None),
        claimants=judged,
        bases=ownership.bases_of(session, event.id),
        asks=asks,
        late=() if row.number == 1 else tuple(_late(asks, least)),
        least=least,
    )


def decided_in(session: Session, event: str, epoch: EpochRow) -> frozenset[int]:
    """Of whom an epoch says whether they have their cards, by the list and the wallets that they have now."""
    return frozenset(
        entry
        for entry, verdict in ownership.verdicts_now(session, event, epoch).items()
        if verdict.outcome != Outcome.UNDETERMINED
    )


def _target(rows: Sequence[EpochRow], named: int | None) -> EpochRow:
    if named is not None:
        found = next((row for row in rows if row.number == named), None)
        if found is None:
            raise EpochNotFound(named)
        return found
    return next((row for row in rows if row.read is None and row.overridden is None), rows[-1])


def _asks(everybody: Iterable[Claimant], judged: Iterable[Claimant]) -> tuple[Ask, ...]:
    """One ask for each wallet of those who are judged, with all that anybody needs of it.

    They are in the order of the addresses, so the order tells nothing of whose wallet it is.
    """
    wanted = frozenset(wallet for one in judged if not one.cause for wallet in one.wallets)
    token_ids: dict[Address, dict[TokenId, None]] = {wallet: {} for wallet in sorted(wanted)}
    for one in everybody:
        needed = dict.fromkeys(token for need in one.needs for token in need.token_ids)
        for wallet in one.wallets:
            if wallet in wanted:
                token_ids[wallet].update(needed)
    return tuple(Ask(wallet, tuple(tokens)) for wallet, tokens in token_ids.items() if tokens)


def _late(asks: Iterable[Ask], least: Mapping[Address, Reading]) -> Iterable[Ask]:
    """What of the asks was never read before."""
    for ask in asks:
        known = least.get(ask.wallet)
        if known is not None and known.token_ids == ask.token_ids:
            continue
        missing = ask.token_ids if known is None else tuple(token for token in ask.token_ids if token not in known)
        if missing:
            yield Ask(ask.wallet, missing)


# --- asking -----------------------------------------------------------------------------------------------------------


def look(planned: Plan, nodes: Nodes) -> Found:
    """Ask the chain.

    Raises:
        BlockNotYet: the block is not there yet, or may still be replaced.
        EndpointsMissing, ChainBusy: this server cannot ask.
    """
    chain = manifests.reader_of(planned.manifest, nodes)
    try:
        with nodes.for_staff.take(planned.event):
            return _look(planned, chain, proofs=nodes.proofs)
    except BlockNotYet:
        raise
    except ChainError as error:
        return _in_trouble(planned, error)


def _look(planned: Plan, chain: ChainHoldings, *, proofs: bool) -> Found:
    for state in planned.earlier:
        if state.block is not None and chain.find(state.block.number).hash != state.block.hash:
            return Found(planned, void=state.number)
    found = find_block(chain, planned.opens_at)
    if planned.state.block not in (None, found.block):
        return Found(planned, void=planned.state.number)
    if not planned.claimants and planned.state.read is not None:
        return Found(planned, block=found.block)
    settle(chain, found, planned.manifest.block_rule)
    epoch = read_epoch(chain, planned.state.number, found, planned.asks)
    if isinstance(epoch, Undetermined):
        return _in_trouble(planned, epoch.trouble)
    proven = [_prove(planned, chain, epoch)] if proofs else []
    vouched = _read_vaults(planned, chain, found.block)
    late = _read_late(planned, chain)
    if proofs and isinstance(late, Epoch):
        proven.append(_prove(planned, chain, late))
    late_trouble = ""
    if isinstance(late, Undetermined):
        _LOG.warning("event %s, epoch 1 for late players: %s", planned.event, late.trouble)
        late_trouble = cause_of(late.trouble)
    return Found(
        planned,
        block=found.block,
        late_trouble=late_trouble,
        now=as_readings(epoch.balances),
        first=as_readings(late.balances) if isinstance(late, Epoch) else {},
        authorities=vouched.authorities,
        transfers=_read_transfers(planned, chain, found.block),
        vault_trouble=vouched.trouble,
        record=_record([epoch, late], vouched, proven),
    )


def _read_transfers(planned: Plan, chain: ChainHoldings, block: Block) -> Sequence[Transfer] | None:
    """What came and went since the epoch before. Logs are a hint: without them the epoch is as good."""
    before = planned.earlier[-1].block if planned.earlier else None
    if before is None or before.number > block.number:
        return None
    if before == block:
        return ()
    wallets = {ask.wallet for ask in planned.asks}
    try:
        found = read_transfers(chain, before, block)
    except ChainError as error:
        _LOG.warning("event %s, epoch %d, transfers: %s", planned.event, planned.state.number, error)
        return None
    return [one for one in found if one.sender in wallets or one.recipient in wallets]


@dataclass(frozen=True, slots=True)
class _Vouched:
    """What the registry of delegations said."""

    authorities: Mapping[Address, Authority] = field(default_factory=dict)
    trouble: str = ""
    exchanges: Sequence[Exchange] = ()


def _read_vaults(planned: Plan, chain: ChainHoldings, block: Block) -> _Vouched:
    """What vaults vouch for at the block. Trouble with the registry is that of players with a vault alone."""
    asked = [one for player in planned.claimants.values() if not player.cause for one in player.delegations]
    if not asked:
        return _Vouched()
    exchanges: list[Exchange] = []
    collection = chain.collection.address
    try:
        found = read_authorities(asked, chain.recorded(exchanges.append), block, collection=collection)
    except ChainError as error:
        _LOG.warning("event %s, epoch %d, vaults: %s", planned.event, planned.state.number, error)
        return _Vouched(trouble=f"of a vault it could not be found out what it vouches for: {cause_of(error)}")
    return _Vouched({one.delegation.vault: one for one in found}, exchanges=exchanges)


def _read_late(planned: Plan, chain: ChainHoldings) -> Epoch | Undetermined | None:
    first = planned.manifest.block_rule.opening
    return read_epoch(chain, 1, find_block(chain, first), planned.late) if planned.late else None


# --- proofs -----------------------------------------------------------------------------------------------------------


def _prove(planned: Plan, chain: ChainHoldings, epoch: Epoch) -> Mapping[str, object]:
    """What the record has of proofs: the proof of what counts, or why there is none. An epoch is as good without.

    Raises:
        AnswerSuspicious: it is proven that the endpoints told something else than is so; or their proofs are none.
    """
    told = as_readings(epoch.balances)
    wanted = tuple(counted_of(planned.claimants.values(), told))
    try:
        found = prove_told(chain.endpoints, _header_of(epoch), chain.collection.address, told, wanted)
    except UnsoundHeader:
        return {"unproven": "the chain hashes other fields of its headers"}
    except AnswerSuspicious:
        raise
    except ChainError as error:
        _LOG.warning("event %s, epoch %d, proofs: %s", planned.event, planned.state.number, error)
        return {"unproven": cause_of(error)}
    return {"proof": {"slot": hex(found.slot), "nodes": ["0x" + node.hex() for node in found.nodes]}}


def _header_of(epoch: Epoch) -> Header:
    """The header that an endpoint gave. Raises: UnsoundHeader."""
    told = (
        one.result
        for one in epoch.exchanges
        if one.method == "eth_getBlockByHash"
        and isinstance(one.result, dict)
        and one.result["hash"] == epoch.block.hash
    )
    return parse_header(next(told))


def counted_of(players: Iterable[Claimant], told: Mapping[Address, Reading]) -> Iterable[Ask]:
    """Which balances verdicts hang on: all that are not 0; and of a card of which there are too few, the zeros too."""
    needed: dict[tuple[Address, TokenId], None] = {
        (wallet, token): None for wallet, read in told.items() for token, units in read.as_dict().items() if units
    }
    for one in players:
        for need in one.needs:
            places = [
                (wallet, token) for token in need.token_ids for wallet in one.wallets if token in told.get(wallet, ())
            ]
            if sum(told[wallet][token] for wallet, token in places) < need.units:
                needed |= dict.fromkeys(places)
    by_wallet: dict[Address, list[TokenId]] = {}
    for wallet, token in sorted(needed):
        by_wallet.setdefault(wallet, []).append(token)
    return (Ask(wallet, tuple(tokens)) for wallet, tokens in by_wallet.items())


def _in_trouble(planned: Plan, error: ChainError) -> Found:
    _LOG.warning("event %s, epoch %d: %s", planned.event, planned.state.number, error)
    return Found(planned, trouble=cause_of(error))


# --- what is kept -----------------------------------------------------------------------------------------------------


def opened(record: str) -> Any:  # noqa: ANN401 - JSON
    """A record as JSON. Raises: ValueError."""
    return json.loads(zlib.decompress(base64.b64decode(record)))


def _record(
    read: Iterable[Epoch | Undetermined | None], vouched: _Vouched, proven: Iterable[Mapping[str, object]]
) -> str:
    """What every endpoint was asked and said, by epoch; endpoints are numbered, since they are the operator's.

    What vaults vouched for is in the first, beside what the registry said of it; in each, the proof of its balances.
    """
    parts: list[dict[str, object]] = [
        {
            "epoch": one.number,
            "block": {"number": one.found.block.number, "hash": one.found.block.hash},
            "exchanges": as_kept(one.exchanges),
        }
        for one in read
        if one is not None
    ]
    for part, more in zip(parts, proven, strict=False):
        part.update(more)
    if vouched.authorities:
        parts[0]["vaults"] = [_said_of(one) for one in vouched.authorities.values()]
        parts[0]["registry"] = as_kept(vouched.exchanges)
    return _packed(parts)


def _packed(parts: object) -> str:
    text = json.dumps(parts, separators=(",", ":"), sort_keys=True)
    return base64.b64encode(zlib.compress(text.encode(), _LEVEL)).decode()


def with_reserved(record: str, elsewhere: Sequence[Elsewhere]) -> str:
    """The record with what other events had set aside when the epoch was judged: verdicts hang on it too."""
    if not elsewhere:
        return record
    parts = opened(record)
    parts[0]["reserved"] = [
        {
            "event": one.event,
            "entry": one.entry,
            "wallet": one.wallet,
            "units": {str(token): units for token, units in units_in(one.units).items()},
            "since": one.since,
        }
        for one in sorted(elsewhere, key=lambda one: (one.wallet, one.event, one.entry))
    ]
    return _packed(parts)


def elsewhere_in(reserved: Iterable[Mapping[str, Any]]) -> list[Elsewhere]:
    """What is kept as the ledger takes it. Raises: ValueError, KeyError, TypeError, AttributeError."""
    found = [
        Elsewhere(
            str(one["event"]),
            int(one["entry"]),
            str(one["wallet"]),
            " ".join(f"{int(token)}:{int(units)}" for token, units in one["units"].items()),
            int(one["since"]),
        )
        for one in reserved
    ]
    if any(len(one) != len(_RESERVED) or one.keys() != _RESERVED for one in reserved):
        raise ValueError(f"units that were set aside have {', '.join(sorted(_RESERVED))}")
    return found


_RESERVED: Final = {"event", "entry", "wallet", "units", "since"}


def _said_of(authority: Authority) -> dict[str, object]:
    return {
        "vault": authority.delegation.vault,
        "wallet": authority.delegation.wallet,
        "level": authority.level,
        "units": {str(token): units for token, units in authority.units.items()},
    }
