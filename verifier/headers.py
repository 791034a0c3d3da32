"""A block's header, and its hash computed from it.

Whoever knows a block's hash need believe no node about what the header says: keccak-256 of the header's RLP is the
hash. So a header that hashes to it *is* the block's, with its number, time, parent and state root.

Fields of the forks up to Amsterdam are known. Each fork appends some, so a header is read by its first fifteen,
whatever comes behind them; the hash covers all.

What this is worth on chains other than Ethereum:

- Chains whose nodes are geth's children hash their headers by the same rule; blocks of OP Mainnet and Arbitrum One are
  among the tests. Some fields have a meaning of their own there (Arbitrum keeps the block of the chain below in
  `mixHash`), and what they answer beside the fields is not part of the header, and not looked at.
- Avalanche's C-Chain has fields of its own in the middle, chains of zkSync's kind hash something else, and Gnosis
  before the merge has other seals. Their headers are refused (`the fields hash to …`), and on them a block is only as
  good as the endpoints that name it.
- A header proves what its hash names. That the hash is a block of the chain is shown by blocks built on it, or by
  endpoints; not by arithmetic.

Source: Ethereum Yellow Paper, 4.3 (block header); EIP-1559, 4895, 4844, 4788, 7685, 7928 and 7843 (fields added since).
"""

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Final

from eth_hash.auto import keccak

from verifier import rlp
from verifier.holdings import Block, BlockHash

LONGEST: Final = 64 * 1024
"""Bytes of a header. Ethereum's have about 600; chains that keep their validators in it have a few thousand."""

_HASH: Final = 32
_QUANTITY = re.compile(r"0x(0|[1-9a-f][0-9a-f]{0,63})", re.ASCII)
_BYTES = re.compile(r"0x([0-9a-f]{2})*", re.ASCII)

_NUMBER: Final = -1
_ANY: Final = -2
_FIELDS: Final[tuple[tuple[str, int], ...]] = (
    ("parentHash", _HASH),
    ("sha3Uncles", _HASH),
    ("miner", 20),
    ("stateRoot", _HASH),
    ("transactionsRoot", _HASH),
    ("receiptsRoot", _HASH),
    ("logsBloom", 256),
    ("difficulty", _NUMBER),
    ("number", _NUMBER),
    ("gasLimit", _NUMBER),
    ("gasUsed", _NUMBER),
    ("timestamp", _NUMBER),
    ("extraData", _ANY),
    ("mixHash", _HASH),
    ("nonce", 8),
)
"""What every header has, in the order of its RLP: name in JSON, and the number of bytes."""
_APPENDED: Final[tuple[tuple[str, int], ...]] = (
    ("baseFeePerGas", _NUMBER),  # London
    ("withdrawalsRoot", _HASH),  # Shanghai
    ("blobGasUsed", _NUMBER),  # Cancun
    ("excessBlobGas", _NUMBER),
    ("parentBeaconBlockRoot", _HASH),
    ("requestsHash", _HASH),  # Prague; Osaka appends nothing
    ("blockAccessListHash", _HASH),  # Amsterdam
    ("slotNumber", _NUMBER),
)
"""What forks appended, in their order."""

_PARENT, _STATE_ROOT, _TRANSACTIONS, _NUMBER_AT, _TIMESTAMP = (
    [name for name, _ in _FIELDS].index(name)
    for name in ("parentHash", "stateRoot", "transactionsRoot", "number", "timestamp")
)
_LARGEST: Final = 2**63 - 1
"""Of a number or a time: more than any chain will have."""


@dataclass(eq=False)
class UnsoundHeader(ValueError):
    """Not a block header, or not the one of its hash."""

    faults: Sequence[str]
    """Each with the field it is about."""

    def __str__(self) -> str:
        return "; ".join(self.faults)


@dataclass(frozen=True, slots=True)
class Header:
    """What a block's hash was made of."""

    encoded: bytes = field(repr=False)
    """Its RLP."""
    block: Block
    """Number, hash and time; the hash is computed, not stated."""
    parent: BlockHash
    state_root: bytes
    """32 bytes, from which each account can be proven (`verifier.proofs`)."""
    transactions_root: bytes
    """32 bytes, from which each transaction can be proven (`verifier.mined`)."""


def decode_header(encoded: bytes) -> Header:
    """The header of these bytes, as a bundle keeps it or `debug_getRawHeader` gives it.

    Raises:
        UnsoundHeader: not RLP, or not a header's.
    """
    if len(encoded) > LONGEST:
        raise UnsoundHeader([f"it has {len(encoded)} bytes, and no header has more than {LONGEST}"])
    try:
        items = rlp.decode(encoded)
    except rlp.UnsoundRlp as error:
        raise UnsoundHeader([f"it is not RLP: {error}"]) from error
    if not isinstance(items, list) or len(items) < len(_FIELDS):
        raise UnsoundHeader([f"a header is a list of at least {len(_FIELDS)} fields"])
    faults: list[str] = []
    for (name, size), item in zip(_FIELDS, items, strict=False):
        if not isinstance(item, bytes):
            faults.append(f"{name} is a list")
        elif size >= 0 and len(item) != size:
            faults.append(f"{name} has {len(item)} bytes, not {size}")
        elif size == _NUMBER and item[:1] == b"\0":
            faults.append(f"{name} has leading zeros")
    if not faults:
        faults += [
            f"{_FIELDS[at][0]} is larger than any chain's"
            for at in (_NUMBER_AT, _TIMESTAMP)
            if int.from_bytes(_bytes(items[at]), "big") > _LARGEST
        ]
    if faults:
        raise UnsoundHeader(faults)
    number, timestamp = (int.from_bytes(_bytes(items[at]), "big") for at in (_NUMBER_AT, _TIMESTAMP))
    return Header(
        encoded,
        Block(number, BlockHash("0x" + keccak(encoded).hex()), timestamp),
        BlockHash("0x" + _bytes(items[_PARENT]).hex()),
        _bytes(items[_STATE_ROOT]),
        _bytes(items[_TRANSACTIONS]),
    )


def parse_header(answer: object) -> Header:
    """The header in what a node answers to `eth_getBlockByNumber` or `eth_getBlockByHash`.

    Every field that a fork appended and the answer has is taken; one that it has not, in front of one that it has, is
    empty, as in geth. Whether that was right is told by the hash, which has to be the one that the answer states.

    Raises:
        UnsoundHeader: fields that are missing or unreadable, all of them; or they hash to another hash than stated.
    """
    faults: list[str] = []
    items = _items(answer, faults)
    stated = _item(answer if isinstance(answer, Mapping) else {}, "hash", _HASH, faults)
    if faults:
        raise UnsoundHeader(faults)
    header = decode_header(rlp.encode(items))
    if header.block.hash != "0x" + stated.hex():
        wrong = (
            f"the fields hash to {header.block.hash}, and it says 0x{stated.hex()}: they were changed, "
            "or this chain hashes other fields"
        )
        raise UnsoundHeader([wrong])
    return header


def header_of(fields: object) -> Header:
    """The header that fields make, whatever hash is stated beside them.

    Raises:
        UnsoundHeader: fields that are missing or unreadable, all of them.
    """
    faults: list[str] = []
    items = _items(fields, faults)
    if faults:
        raise UnsoundHeader(faults)
    return decode_header(rlp.encode(items))


def _items(answer: object, faults: list[str]) -> list[rlp.Item]:
    fields = answer if isinstance(answer, Mapping) else {}
    items: list[rlp.Item] = [_item(fields, name, size, faults) for name, size in _FIELDS]
    known = [at for at, (name, _) in enumerate(_APPENDED, start=1) if fields.get(name) is not None]
    for name, size in _APPENDED[: max(known, default=0)]:
        items.append(b"" if fields.get(name) is None else _item(fields, name, size, faults))
    return items


def _item(fields: Mapping[str, object], name: str, size: int, faults: list[str]) -> bytes:
    """The bytes of a field; if it has none, a fault."""
    value = fields.get(name)
    if value is None:
        faults.append(f"{name} is missing")
    elif not isinstance(value, str):
        faults.append(f"{name} is no text")
    elif size == _NUMBER:
        if _QUANTITY.fullmatch(value.lower()):
            return rlp.encode_number(int(value, 16))
        faults.append(f"{name} is no quantity (0x and hex digits without leading zeros)")
    elif len(value) > 2 * LONGEST or not _BYTES.fullmatch(value.lower()):
        faults.append(f"{name} is not bytes (0x and pairs of hex digits)")
    elif size not in (_ANY, len(value) // 2 - 1):
        faults.append(f"{name} has {len(value) // 2 - 1} bytes, not {size}")
    else:
        return bytes.fromhex(value[2:])
    return b""


def _bytes(item: rlp.Item) -> bytes:
    return item if isinstance(item, bytes) else b""
