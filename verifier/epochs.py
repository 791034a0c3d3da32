"""Epochs: everybody's holdings at one block that nobody chose.

    found = find_block(chain, manifest.block_rule.opening)   # the first block at or after the time
    settle(chain, found, manifest.block_rule)                # refuses with "not yet" while it may still be replaced
    epoch = read_epoch(chain, 1, found, asks)                # Epoch, or Undetermined with its cause
    still_canonical(chain, epoch)                            # later: is the block still on the chain?

An epoch is whole or it is not: one block, one batch, what every endpoint of a quorum said without contradiction. What
went wrong is a value with its cause, never a zero. What the endpoints said is kept as they said it.

Where nodes forget a block's state before it is final, the block is read at once and settled later: it is read by its
hash, and the hash is what settles.
"""

import threading
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace
from typing import Final

from verifier.chain import ChainHoldings, Contract
from verifier.errors import (
    AnswerSuspicious,
    BlockNotYet,
    BlockReplaced,
    BlockUnavailable,
    ChainError,
    CodeChanged,
    FinalityUnusable,
    QuorumMissed,
)
from verifier.holdings import Address, Ask, Block, TokenId
from verifier.ledger import Balances, Reading
from verifier.manifest import BlockRule
from verifier.rpc import Exchange

LONG: Final = 1_000
"""Blocks: a chain of this length without a final one but the first has a `finalized` tag that says nothing."""
STALLED: Final = 6 * 3600
"""Seconds: a finalized block older than this is none to wait for. Ethereum's is a quarter of an hour old."""


@dataclass(frozen=True, slots=True)
class Found:
    """The block of a rule, with the block before it, which shows that it is the first."""

    at: int
    """The time that was asked for; seconds since 1970, UTC."""
    block: Block
    """The first with a timestamp of `at` or later."""
    before: Block | None
    """Its parent, with an earlier timestamp; None: it is block 0."""


def find_block(chain: ChainHoldings, at: int) -> Found:
    """The first block with that timestamp or a later one, by binary search; a reorganisation may still replace it.

    Every header is one that a quorum of endpoints agree on. Whoever asks, once the block is settled, finds the same.

    Raises:
        BlockNotYet: there is none yet.
        ChainError: nothing may be concluded; its leaf says why.
    """
    high = chain.find("latest")
    if high.timestamp < at:
        before = chain.find(max(0, high.number - 1))
        problem = f"the newest block, {high.number}, is {at - high.timestamp} s before the time"
        raise BlockNotYet(at, problem, max(at, 2 * high.timestamp - before.timestamp))
    low, step = high, 1
    while low.timestamp >= at:
        if low.number == 0:
            return Found(at, low, None)
        high, low = low, _between(chain, max(0, low.number - step), None, low)
        step *= 2
    while high.number - low.number > 1:
        middle = _between(chain, (low.number + high.number) // 2, low, high)
        if middle.timestamp < at:
            low = middle
        else:
            high = middle
    return Found(at, high, low)


def _between(chain: ChainHoldings, number: int, low: Block | None, high: Block) -> Block:
    found = chain.find(number)
    if found.timestamp > high.timestamp or (low and found.timestamp < low.timestamp):
        problem = f"its timestamp {found.timestamp} is not between those of the blocks around it"
        raise AnswerSuspicious("the endpoints", f"block {number}", problem)
    return found


def settle(chain: ChainHoldings, found: Found, rule: BlockRule) -> None:
    """Make sure that nothing will replace the block: it is finalized, or as deep as the rule says.

    Raises:
        BlockNotYet: "not yet: …, expected about …".
        BlockReplaced: another block has its place; find it anew.
        FinalityUnusable: the rule waits for a finalized block, and the chain has none or one that says nothing.
        ChainError: nothing may be concluded; its leaf says why.
    """
    if rule.depth is None:
        _refuse_not_final(chain, found)
    else:
        _refuse_not_deep(chain, found, rule.depth)
    for block in (found.before, found.block):
        if block is not None:
            _refuse_replaced(chain, block)


def _refuse_not_final(chain: ChainHoldings, found: Found) -> None:
    finality = look_at_finality(chain)
    if finality.block is None:
        raise FinalityUnusable(finality.problem)
    if finality.block.number < found.block.number:
        problem = f"block {found.block.number} is not final; the newest final one is {finality.block.number}"
        raise BlockNotYet(found.at, problem, found.block.timestamp + finality.behind)


def _refuse_not_deep(chain: ChainHoldings, found: Found, depth: int) -> None:
    newest = chain.find("latest")
    deep = newest.number - found.block.number
    if deep < depth:
        first, last = (found.block, newest) if deep > 0 else (found.before or found.block, found.block)
        pace = (last.timestamp - first.timestamp) / max(1, last.number - first.number)
        problem = f"block {found.block.number} has {max(0, deep)} blocks on top of it, and needs {depth}"
        raise BlockNotYet(found.at, problem, round(newest.timestamp + (depth - deep) * pace))


def _refuse_replaced(chain: ChainHoldings, block: Block) -> None:
    now = chain.find(block.number)
    if now.hash != block.hash:
        raise BlockReplaced("the chain", block.number, block.hash, now.hash)


@dataclass(frozen=True, slots=True)
class Finality:
    """What a chain's `finalized` tag is worth; whoever writes a manifest looks at it."""

    block: Block | None
    """The newest final block; None: the tag is missing or says nothing, so a block rule has to name a depth."""
    behind: int
    """Seconds that it is behind the newest block; 0 without one."""
    problem: str
    """Why the tag is not usable; empty where it is."""


def look_at_finality(chain: ChainHoldings) -> Finality:
    """Whether a block rule may wait for `finalized` on this chain, or has to name a depth.

    A tag that is ahead of the newest block is refused as suspicious. One that is always the newest block is taken at
    its word: there are chains whose blocks are final at once.

    Raises:
        ChainError: nothing may be concluded; its leaf says why.
    """
    newest = chain.find("latest")
    try:
        final = chain.find("finalized")
    except (BlockUnavailable, QuorumMissed) as error:
        return Finality(None, 0, f"there is none ({error})")
    behind = max(0, newest.timestamp - final.timestamp)
    if final.number == 0 and newest.number >= LONG:
        return Finality(None, 0, f"the newest final block is block 0 of {newest.number}")
    if behind > STALLED:
        return Finality(None, 0, f"the newest final block, {final.number}, is {behind // 3600} hours old")
    return Finality(final, behind, "")


@dataclass(frozen=True, slots=True)
class Epoch:
    """What everybody held at one block."""

    number: int
    """Counted from 1."""
    found: Found
    contract: Contract
    asks: tuple[Ask, ...]
    answers: tuple[tuple[int, ...], ...]
    """In the order of the asks, units in the order of their token ids."""
    exchanges: tuple[Exchange, ...]
    """What every endpoint was asked and said: chain id, headers, code, balances, with the calldata."""

    @property
    def block(self) -> Block:
        """The block that it is all about."""
        return self.found.block

    @property
    def balances(self) -> Balances:
        """The same for the ledger."""
        held: dict[Address, Mapping[TokenId, int]] = {}
        for ask, units in zip(self.asks, self.answers, strict=True):
            reading = Reading(ask.token_ids, units)
            held[ask.wallet] = {**held[ask.wallet], **reading} if ask.wallet in held else reading
        return held


@dataclass(frozen=True, slots=True)
class Undetermined:
    """An epoch that could not be read, which is nobody's shortfall."""

    number: int
    found: Found
    trouble: ChainError
    exchanges: tuple[Exchange, ...]
    """What the endpoints said until then."""


def read_epoch(chain: ChainHoldings, number: int, found: Found, asks: Iterable[Ask]) -> Epoch | Undetermined:
    """Read everybody at one block as one batch, chain id and code included. All of it or `Undetermined`.

    Asks of one wallet are put together, so that no balance is read twice.
    """
    together = _together(asks)
    record = _Record()
    recorded = chain.recorded(record)
    try:
        if found.before is not None:
            recorded.header(found.before)
        contract = recorded.inspect(found.block)
        answers = recorded.read(together, found.block)
        recorded.header(found.block)
    except ChainError as trouble:
        return Undetermined(number, found, trouble, record.exchanges)
    return Epoch(number, found, contract, together, tuple(answers), record.exchanges)


def read_more(chain: ChainHoldings, epoch: Epoch, asks: Iterable[Ask]) -> Epoch | Undetermined:
    """The same epoch with more wallets, read at the same block: for late entries. What was read stays as it was.

    Nodes that keep no old state cannot answer that of an early epoch; an archive node can.
    """
    known = epoch.balances
    wanted = [Ask(ask.wallet, tuple(i for i in ask.token_ids if i not in known.get(ask.wallet, ()))) for ask in asks]
    more = read_epoch(chain, epoch.number, epoch.found, [ask for ask in wanted if ask.token_ids])
    if isinstance(more, Undetermined):
        return more
    if more.contract != epoch.contract:
        trouble = CodeChanged(chain.collection.address, epoch.contract.code_hash, more.contract.code_hash)
        return Undetermined(epoch.number, epoch.found, trouble, more.exchanges)
    return replace(
        epoch,
        asks=epoch.asks + more.asks,
        answers=epoch.answers + more.answers,
        exchanges=epoch.exchanges + more.exchanges,
    )


def still_canonical(chain: ChainHoldings, epoch: Epoch) -> bool:
    """Whether the epoch's block is still on the chain. If not, the epoch is void: find its block anew and read again.

    Raises:
        ChainError: nothing may be concluded.
    """
    return chain.find(epoch.block.number).hash == epoch.block.hash


def _together(asks: Iterable[Ask]) -> tuple[Ask, ...]:
    """One ask a wallet, in the order of first mention."""
    wanted: dict[Address, tuple[TokenId, ...]] = {}
    for ask in asks:
        known = wanted.get(ask.wallet)
        wanted[ask.wallet] = ask.token_ids if known is None else tuple(dict.fromkeys(known + ask.token_ids))
    return tuple(Ask(wallet, token_ids) for wallet, token_ids in wanted.items())


class _Record:
    """Keeps what endpoints said, from many threads; data that several said is kept once."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._exchanges: list[Exchange] = []
        self._data: dict[bytes, bytes] = {}

    def __call__(self, exchange: Exchange) -> None:
        with self._lock:
            self._exchanges.append(
                replace(exchange, params=tuple(map(self._once, exchange.params)), result=self._once(exchange.result))
            )

    @property
    def exchanges(self) -> tuple[Exchange, ...]:
        with self._lock:
            return tuple(self._exchanges)

    def _once(self, value: object) -> object:
        if isinstance(value, bytes):
            return self._data.setdefault(value, value)
        if isinstance(value, dict):
            return {key: self._once(each) for key, each in value.items()}
        return value
