"""Epochs: everybody's holdings at one block that nobody chose.

    found = find_block(chain, manifest.block_rule.opening)   # the first block at or after the time
    settle(chain, found, manifest.block_rule)                # refuses with "not yet" while it may still be replaced
    epoch = read_epoch(chain, 1, found.block, asks)          # Epoch, or Undetermined with its cause
    still_canonical(chain, epoch)                            # later: is the block still on the chain?

An epoch is whole or it is not: one block, one batch, what every endpoint of a quorum said without contradiction. What
went wrong is a value with its cause, never a zero. What the endpoints said is kept as they said it.

Source of the rule: docs/guide/verification.md.
"""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass

from verifier.chain import ChainHoldings, Contract
from verifier.errors import ChainError
from verifier.holdings import Address, Ask, Block
from verifier.ledger import Balances
from verifier.manifest import BlockRule
from verifier.rpc import Exchange


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
    raise NotImplementedError


def settle(chain: ChainHoldings, found: Found, rule: BlockRule) -> None:
    """Make sure that nothing will replace the block: it is finalized, or as deep as the rule says.

    Raises:
        BlockNotYet: "not yet: …, expected about …".
        BlockReplaced: another block has its place; find it anew.
        ChainError: nothing may be concluded; also where the rule asks for a `finalized` tag that the chain does not
            have, or that says nothing.
    """
    raise NotImplementedError


@dataclass(frozen=True, slots=True)
class Finality:
    """What a chain's `finalized` tag is worth; whoever writes a manifest looks at it."""

    usable: bool
    reason: str
    """In words, when it is not."""
    behind: int
    """Seconds that the finalized block is behind the newest one; 0 when it is not usable."""


def look_at_finality(chain: ChainHoldings) -> Finality:
    """Whether a block rule may ask for `finalized` on this chain, or has to name a depth.

    Raises:
        ChainError: nothing may be concluded.
    """
    raise NotImplementedError


@dataclass(frozen=True, slots=True)
class Epoch:
    """What everybody held at one block."""

    number: int
    """Counted from 1."""
    block: Block
    contract: Contract
    asks: tuple[Ask, ...]
    """One a wallet."""
    answers: tuple[tuple[int, ...], ...]
    """In the order of the asks, units in the order of their token ids."""
    exchanges: tuple[Exchange, ...]
    """What every endpoint was asked and said: chain id, headers, code, balances, with the calldata."""

    @property
    def balances(self) -> Balances:
        """The same for the ledger."""
        raise NotImplementedError


@dataclass(frozen=True, slots=True)
class Undetermined:
    """An epoch that could not be read, which is nobody's shortfall."""

    number: int
    block: Block
    trouble: ChainError
    exchanges: tuple[Exchange, ...]


def read_epoch(chain: ChainHoldings, number: int, block: Block, asks: Iterable[Ask]) -> Epoch | Undetermined:
    """Read everybody at one block as one batch, chain id and code included. All of it or `Undetermined`.

    Asks of one wallet are put together, so that no balance is read twice.
    """
    raise NotImplementedError


def read_more(chain: ChainHoldings, epoch: Epoch, asks: Iterable[Ask]) -> Epoch | Undetermined:
    """The same epoch with more wallets, read at the same block: for late entries. What was read stays as it was.

    Nodes that keep no old state cannot answer that of an early epoch; an archive node can.
    """
    raise NotImplementedError


def still_canonical(chain: ChainHoldings, epoch: Epoch) -> bool:
    """Whether the epoch's block is still on the chain. If not, the epoch is void: find its block anew and read again.

    Raises:
        ChainError: nothing may be concluded.
    """
    raise NotImplementedError


def asks_of(needs_by_wallet: Iterable[tuple[Sequence[Address], Iterable[int]]]) -> Iterator[Ask]:
    """One ask a wallet, with every token id that anybody needs of it, in order of first mention."""
    raise NotImplementedError
