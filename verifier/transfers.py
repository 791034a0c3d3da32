"""Transfers of cards, as a collection's logs tell them: a trigger and an audit trail, never the truth.

A node that lags answers with an empty list and no error, and a contract can log what it likes. So what is *believed*
are balances at a block; transfers tell where to look, and which transaction moved what between two epochs. Whether they
are whole shows in the reconciliation: units at an epoch, plus what came, less what went, are the units at the next.

Logs are decoded in a hundredth of the time that web3.py takes: almost every address, number and token id of a log was
seen before, so each is checked and decoded once and then looked up.

Source: ERC-1155 (`TransferSingle`, `TransferBatch`), the Solidity contract ABI specification.
"""

import re
from binascii import unhexlify
from collections import Counter
from collections.abc import Callable, Container, Iterable, Iterator, Sequence
from dataclasses import dataclass
from operator import itemgetter, length_hint
from typing import Any, Final, NamedTuple, TypeVar

from verifier.addresses import to_checksum
from verifier.chain import ChainHoldings
from verifier.erc1155 import TRANSFER_BATCH, TRANSFER_SINGLE, UnsoundAnswer
from verifier.holdings import Address, Block, TokenId
from verifier.ledger import Balances, Place

T = TypeVar("T")


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
    log: int
    """Place of the log in the block; the transfers of one batch share it."""
    transaction: str
    """Its hash."""


SINGLE: Final = "0x" + TRANSFER_SINGLE.hex()
BATCH: Final = "0x" + TRANSFER_BATCH.hex()

_WORD: Final = 32
_FIELDS = itemgetter("address", "topics", "data", "blockNumber", "logIndex", "transactionHash")
_ADDRESS = re.compile(r"0x[0-9a-fA-F]{40}", re.ASCII)
_WALLET = re.compile(r"0x0{24}[0-9a-f]{40}", re.ASCII)
_NUMBER = re.compile(r"0x(0|[1-9a-f][0-9a-f]{0,15})", re.ASCII)
_TWO_WORDS = re.compile(r"0x[0-9a-f]{128}", re.ASCII)
_WORDS = re.compile(r"0x([0-9a-f]{64})*", re.ASCII)


def decode_logs(logs: Sequence[object], collection: Address, blocks: range | None = None) -> list[Transfer]:
    """Transfers in the order of the logs, ids of a batch in theirs, from what `eth_getLogs` gives.

    Strictly: a log of another contract, of another event, removed by a reorganisation, out of order, twice, of a block
    that was not asked for, or not the one encoding of its values makes all of them unbelievable.

    Args:
        logs: as nodes give them.
        collection: whose logs they have to be.
        blocks: numbers of the blocks that were asked for; None: any.

    Raises:
        UnsoundAnswer: at the first that is wrong, with its place in the list, from 0.
    """
    transfers: list[Transfer] = []
    left = iter(logs)
    try:
        _decode(left, collection, blocks, transfers.append)
    except (KeyError, TypeError, ValueError) as error:
        problem = f"it has no {error}" if isinstance(error, KeyError) else str(error)
        raise UnsoundAnswer(f"log {len(logs) - length_hint(left) - 1}: {problem}") from error
    return transfers


def _decode(  # noqa: C901, PLR0912 - a call for each check would take as long as all of them
    logs: Iterator[Any], collection: Address, blocks: range | None, add: Callable[[Transfer], None]
) -> None:
    """One loop with its names looked up before, since a large event has a million logs."""
    wallet, number = _Known(_wallet).__getitem__, _Known(_number).__getitem__
    pair, made = _Known(_id_and_units).__getitem__, tuple.__new__
    ours = at = ""
    last_block, last_place = (-1, 0) if blocks is None else (blocks.start - 1, 0)
    for log in logs:
        address, (kind, operator, sender, recipient), data, block, place, transaction = _FIELDS(log)
        if address != ours:
            ours = _of(address, collection)
        if operator != sender:
            wallet(operator)
        at_place = number(place)
        if block == at:
            after = at_place > last_place
        else:
            after = number(block) > last_block
            at, last_block = block, number(block)
        if not after:
            raise UnsoundAnswer("it is not after the one before it")
        last_place = at_place
        if log.get("removed"):
            raise UnsoundAnswer("it was removed by a reorganisation")
        if len(unhexlify(transaction[2:])) != _WORD or transaction[:2] != "0x" or not transaction.islower():
            raise UnsoundAnswer(f"{transaction[:80]!a} is no hash of a transaction")
        if kind == SINGLE:
            token_id, units = pair(data)
            add(made(Transfer, (wallet(sender), wallet(recipient), token_id, units, last_block, at_place, transaction)))
        elif kind == BATCH:
            for token_id, units in _batch(data):
                add(Transfer(wallet(sender), wallet(recipient), token_id, units, last_block, at_place, transaction))
        else:
            raise UnsoundAnswer(f"it is of another event ({str(kind)[:80]!a})")
    if blocks is not None and last_block >= blocks.stop:
        raise UnsoundAnswer("it is of a block that was not asked for")


class _Known(dict[str, T]):
    """Texts that were decoded before."""

    def __init__(self, decode: Callable[[str], T]) -> None:
        super().__init__()
        self._decode = decode

    def __missing__(self, text: str) -> T:
        value = self[text] = self._decode(text)
        return value


def _of(address: str, collection: Address) -> str:
    if not _ADDRESS.fullmatch(address) or address.lower() != collection.lower():
        raise UnsoundAnswer(f"it is of another contract ({address[:80]!a})")
    return address


def _wallet(topic: str) -> Address:
    if not _WALLET.fullmatch(topic):
        raise UnsoundAnswer(f"{topic[:80]!a} is no address in a topic")
    return to_checksum(bytes.fromhex(topic[-40:]))


def _number(text: str) -> int:
    if not _NUMBER.fullmatch(text):
        raise UnsoundAnswer(f"{text[:80]!a} is no number")
    return int(text, 16)


def _id_and_units(data: str) -> tuple[TokenId, int]:
    if not _TWO_WORDS.fullmatch(data):
        raise UnsoundAnswer("its data is not a token id and units")
    return TokenId(int(data[2:66], 16)), int(data[66:], 16)


def _batch(data: str) -> Iterator[tuple[TokenId, int]]:
    """Source: Solidity contract ABI specification, two dynamic arrays."""
    if not _WORDS.fullmatch(data):
        raise UnsoundAnswer("its data is not whole words")
    raw = bytes.fromhex(data[2:])
    words = [int.from_bytes(raw[start : start + _WORD], "big") for start in range(0, len(raw), _WORD)]
    many = len(words) // 2 - 2
    if len(words) % 2 or many < 0 or words[:3] != [2 * _WORD, (3 + many) * _WORD, many] or words[3 + many] != many:
        raise UnsoundAnswer("its data is not two arrays of one length")
    return zip(map(TokenId, words[3 : 3 + many]), words[4 + many :], strict=True)


def read_transfers(chain: ChainHoldings, after: Block, until: Block) -> list[Transfer]:
    """All transfers of the collection in the blocks after one and up to another, as a quorum of endpoints tell them.

    Both blocks are looked at before and after, so that a node which has not reached the last one, or stands on a fork,
    is found out. Ranges are halved where a node finds them too much.

    Raises:
        ChainError: nothing may be concluded; its leaf says why.
    """
    address = chain.collection.address
    return chain.logs([[SINGLE, BATCH]], after, until, lambda logs, blocks: decode_logs(logs, address, blocks))


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
    came: dict[Address, Counter[TokenId]] = {}
    went: dict[Address, Counter[TokenId]] = {}
    for transfer in transfers:
        for wallet, moved in ((transfer.recipient, came), (transfer.sender, went)):
            if wallet in before:
                moved.setdefault(wallet, Counter())[transfer.token_id] += transfer.units
    return [
        Discrepancy(wallet, token_id, units, come, gone, after[wallet][token_id])
        for wallet, reading in before.items()
        if wallet in after and (wallet in came or wallet in went or reading != after[wallet])
        for token_id, units in reading.items()
        if token_id in after[wallet]
        for come, gone in [(came.get(wallet, _NONE)[token_id], went.get(wallet, _NONE)[token_id])]
        if units + come - gone != after[wallet][token_id]
    ]


_NONE: Final[Counter[TokenId]] = Counter()


def departures(transfers: Iterable[Transfer], watched: Container[Place]) -> list[Transfer]:
    """Those that take units away from a watched wallet and token id, in their order."""
    return [
        transfer
        for transfer in transfers
        if transfer.units and transfer.sender != transfer.recipient and (transfer.sender, transfer.token_id) in watched
    ]
