"""Transfers of cards, as a collection's logs tell them: a trigger and an audit trail, never the truth.

A node that lags answers with an empty list and no error, and a contract can log what it likes. So what is *believed*
are balances at a block; transfers tell where to look, and which transaction moved what between two epochs. Whether they
are whole shows in the reconciliation: units at an epoch, plus what came, less what went, are the units at the next.

Source: ERC-1155 (`TransferSingle`, `TransferBatch`), the Solidity contract ABI specification.
"""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import NamedTuple

from verifier.chain import ChainHoldings
from verifier.holdings import Address, Block, TokenId
from verifier.ledger import Balances


class Transfer(NamedTuple):
    """Units of one token id that went from one wallet to another."""

    sender: Address
    """The zero address where copies were issued."""
    recipient: Address
    """The zero address where copies were burned."""
    token_id: TokenId
    units: int
    block: int
    """Its number."""
    transaction: str
    """Its hash."""
    log: int
    """Place of the log in the block; the transfers of one batch share it."""


def decode_logs(logs: Sequence[object], collection: Address) -> list[Transfer]:
    """Transfers in the order of the logs, ids of a batch in theirs, from `eth_getLogs` results.

    Strictly: a log of another contract, of another event, removed by a reorganisation, out of order, twice, or not the
    one encoding of its values makes all of them unbelievable.

    Raises:
        UnsoundAnswer: the first that is wrong, and in what.
    """
    raise NotImplementedError


def read_transfers(chain: ChainHoldings, after: Block, until: Block) -> list[Transfer]:
    """All transfers of the collection in the blocks after one and up to another, as a quorum of endpoints tell them.

    Both blocks are looked at before and after, so that a node which has not reached the last one, or stands on a fork,
    is found out. Ranges are halved where a node finds them too much.

    Raises:
        ChainError: nothing may be concluded; its leaf says why.
    """
    raise NotImplementedError


@dataclass(frozen=True, slots=True)
class Discrepancy:
    """Logs and balances that do not agree about a wallet: a finding."""

    wallet: Address
    token_id: TokenId
    before: int
    came: int
    went: int
    after: int
    """What was read; `before + came - went` would have been right."""


def reconcile(before: Balances, transfers: Iterable[Transfer], after: Balances) -> list[Discrepancy]:
    """Every wallet and token id, of those read at both epochs, for which `before + came - went` is not `after`."""
    raise NotImplementedError


def moves_of(transfers: Iterable[Transfer], watched: Balances) -> list[Transfer]:
    """Those that take units out of a watched wallet, of a token id that is watched there, in their order."""
    raise NotImplementedError
