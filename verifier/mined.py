"""Transactions that were mined: whose key signed one, and that it is in a block, computed from what nodes say of it.

A transaction's hash is keccak-256 of its encoding, which has the signature in it; so whoever has the fields needs
believe no node about who sent it. That it is in a block follows from the block's header: the encodings of all of its
transactions are a trie, whose root stands there.

Source: EIP-2718, 155, 2930, 1559, 4844, 7702 (the encodings); Ethereum Yellow Paper, 4.3 (the trie of transactions).
"""

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Final

from eth_hash.auto import keccak

from verifier import rlp, tries
from verifier.addresses import to_checksum
from verifier.curve import ORDER, address_of, curve
from verifier.errors import ChainError
from verifier.headers import Header
from verifier.holdings import Address
from verifier.proofs import UnsoundProof, Witness
from verifier.rpc import Asked

BLOCK_CAP: Final = 64 * 1024 * 1024
"""Bytes of a block with all of its transactions, as nodes write it."""

_WORD: Final = 32
_ADDRESS: Final = 20
_QUANTITY = re.compile(r"0x(0|[1-9a-f][0-9a-f]{0,63})", re.ASCII)
_BYTES = re.compile(r"0x([0-9a-f]{2})*", re.ASCII)
_NUMBER, _DATA, _TO, _ACCESS, _AUTHORIZED, _HASHES = "number", "data", "to", "access", "authorized", "hashes"
_FEES: Final = (("maxPriorityFeePerGas", _NUMBER), ("maxFeePerGas", _NUMBER))
_REST: Final = (("gas", _NUMBER), ("to", _TO), ("value", _NUMBER), ("input", _DATA))
_NONCE: Final = ("nonce", _NUMBER)
_CHAIN: Final = ("chainId", _NUMBER)
_LIST: Final = ("accessList", _ACCESS)
_KINDS: Final[Mapping[int, tuple[tuple[str, str], ...]]] = {
    0: (_NONCE, ("gasPrice", _NUMBER), *_REST),
    1: (_CHAIN, _NONCE, ("gasPrice", _NUMBER), *_REST, _LIST),
    2: (_CHAIN, _NONCE, *_FEES, *_REST, _LIST),
    3: (_CHAIN, _NONCE, *_FEES, *_REST, _LIST, ("maxFeePerBlobGas", _NUMBER), ("blobVersionedHashes", _HASHES)),
    4: (_CHAIN, _NONCE, *_FEES, *_REST, _LIST, ("authorizationList", _AUTHORIZED)),
}
"""What is signed, in its order, by the type of transaction; JSON names."""
_FIRST_CHAINED: Final = 35
"""From this v on, a transaction of before types names its chain. Source: EIP-155."""


class UnsoundTransaction(ValueError):
    """Not a transaction whose hash can be computed; the sentence says in what."""


@dataclass(frozen=True, slots=True)
class Signed:
    """A transaction, as its hash binds it."""

    hash: str
    kind: int
    chain_id: int | None
    """None: one of before EIP-155, good on every chain."""
    sender: Address
    """Whose key signed it; computed."""
    to: Address | None
    wei: int
    data: bytes
    encoded: bytes = field(repr=False)


@dataclass(frozen=True, slots=True)
class Place:
    """That a transaction is in a block."""

    index: int
    nodes: tuple[bytes, ...] = field(repr=False)
    """Of the trie of the block's transactions, on the way from its root; in the order of their hashes."""


def read_signed(answer: object) -> Signed:
    """The transaction in what a node answers to `eth_getTransactionByHash`; hash and sender are computed, not believed.

    Raises:
        UnsoundTransaction: a field is missing or unreadable, the type is not known, or no key signed it.
    """
    fields = answer if isinstance(answer, Mapping) else {}
    kind = _number(fields, "type") if fields.get("type") is not None else 0
    if kind not in _KINDS:
        raise UnsoundTransaction(f"transactions of type {kind:#x} are not known here")
    items = [_READ[form](fields, name) for name, form in _KINDS[kind]]
    v, r, s = (_number(fields, "v") if kind == 0 else _parity(fields)), _number(fields, "r"), _number(fields, "s")
    chain_id = None if kind == 0 and v < _FIRST_CHAINED else _chain_of(kind, v, fields)
    tail: list[rlp.Item] = [rlp.encode_number(chain_id), b"", b""] if kind == 0 and chain_id is not None else []
    envelope = bytes([kind]) if kind else b""
    encoded = envelope + rlp.encode([*items, *map(rlp.encode_number, (v, r, s))])
    return Signed(
        "0x" + keccak(encoded).hex(),
        kind,
        chain_id,
        _signer(
            keccak(envelope + rlp.encode([*items, *tail])), (v - _FIRST_CHAINED if v >= _FIRST_CHAINED else v), r, s
        ),
        None if fields.get("to") is None else to_checksum(_bytes(fields, "to", _ADDRESS)),
        _number(fields, "value"),
        _bytes(fields, "input"),
        encoded,
    )


def _chain_of(kind: int, v: int, fields: Mapping[str, object]) -> int:
    return (v - _FIRST_CHAINED) // 2 if kind == 0 else _number(fields, "chainId")


def _signer(digest: bytes, v: int, r: int, s: int) -> Address:
    """Source: EIP-2 (s in the lower half); v is 0 or 1, 27 or 28, or what is left of a chained one."""
    parity = (v + 1) % 2 if v in (27, 28) else v % 2
    if not 0 < r < ORDER or not 0 < s <= ORDER // 2:
        raise UnsoundTransaction("its signature is none")
    try:
        points = b"".join(number.to_bytes(_WORD, "big") for number in (r, s))
        return address_of(curve().recover(digest, points + bytes([parity])))
    except ValueError as error:
        raise UnsoundTransaction("its signature is none") from error


# --- in which block ---------------------------------------------------------------------------------------------------


def find_place(endpoints: Sequence[Asked], header: Header, transaction_hash: str) -> Place | None:
    """Where in a block a transaction is, with the nodes that prove it; None: no endpoint's answer comes to it.

    The block is asked for with all of its transactions, and their trie is built again. A type of transaction that is
    not known here (chains have such) makes that impossible, which takes nothing from the transaction itself.
    """
    for endpoint in endpoints:
        try:
            answer = endpoint.ask("eth_getBlockByHash", [header.block.hash, True], cap=BLOCK_CAP)
            found = _place(answer, header, transaction_hash)
        except (ChainError, UnsoundTransaction):
            continue
        if found is not None:
            return found
    return None


def _place(answer: object, header: Header, transaction_hash: str) -> Place | None:
    listed = answer.get("transactions") if isinstance(answer, Mapping) else None
    signed = [read_signed(each) for each in listed] if isinstance(listed, list) else []
    root, nodes = tries.build(tries.listed([one.encoded for one in signed]))
    index = next((at for at, one in enumerate(signed) if one.hash == transaction_hash), None)
    if index is None or root != header.transactions_root:
        return None
    witness = Witness(nodes)
    witness.value(root, tries.key_of(index))
    return Place(index, witness.used)


def is_there(place: Place, header: Header, encoded: bytes) -> bool:
    """Whether a transaction of that encoding is at that place of the block, by these nodes and no others.

    Raises:
        UnsoundProof: they do not lead there, or some lead nowhere.
    """
    witness = Witness(place.nodes)
    found = witness.value(header.transactions_root, tries.key_of(place.index))
    if place.nodes != witness.used:
        raise UnsoundProof("its nodes are not those on the way, each once, in the order of their hashes")
    return found == encoded


# --- fields -----------------------------------------------------------------------------------------------------------


def _number(fields: Mapping[str, object], name: str) -> int:
    value = fields.get(name)
    if not isinstance(value, str) or not _QUANTITY.fullmatch(value.lower()):
        raise UnsoundTransaction(f"its {name} is no quantity (0x and hex digits without leading zeros)")
    return int(value, 16)


def _parity(fields: Mapping[str, object]) -> int:
    """0 or 1; some nodes say it as v alone."""
    found = _number(fields, "yParity" if fields.get("yParity") is not None else "v")
    if found > 1:
        raise UnsoundTransaction("its yParity is neither 0 nor 1")
    return found


def _bytes(fields: Mapping[str, object], name: str, size: int | None = None) -> bytes:
    value = fields.get(name)
    if not isinstance(value, str) or not _BYTES.fullmatch(value.lower()):
        raise UnsoundTransaction(f"its {name} is not bytes (0x and pairs of hex digits)")
    found = bytes.fromhex(value[2:])
    if size is not None and len(found) != size:
        raise UnsoundTransaction(f"its {name} has {len(found)} bytes, not {size}")
    return found


def _to(fields: Mapping[str, object], name: str) -> rlp.Item:
    return b"" if fields.get(name) is None else _bytes(fields, name, _ADDRESS)


def _rows(fields: Mapping[str, object], name: str) -> list[Mapping[str, object]]:
    value = fields.get(name)
    if not isinstance(value, list) or not all(isinstance(each, Mapping) for each in value):
        raise UnsoundTransaction(f"its {name} is no list of objects")
    return value


def _access(fields: Mapping[str, object], name: str) -> rlp.Item:
    return [[_bytes(each, "address", _ADDRESS), _hashes(each, "storageKeys")] for each in _rows(fields, name)]


def _hashes(fields: Mapping[str, object], name: str) -> rlp.Item:
    value = fields.get(name)
    if not isinstance(value, list):
        raise UnsoundTransaction(f"its {name} is no list")
    return [_bytes({name: each}, name, _WORD) for each in value]


def _authorized(fields: Mapping[str, object], name: str) -> rlp.Item:
    return [
        [
            rlp.encode_number(_number(each, "chainId")),
            _bytes(each, "address", _ADDRESS),
            rlp.encode_number(_number(each, "nonce")),
            rlp.encode_number(_parity(each)),
            rlp.encode_number(_number(each, "r")),
            rlp.encode_number(_number(each, "s")),
        ]
        for each in _rows(fields, name)
    ]


_READ: Final = {
    _NUMBER: lambda fields, name: rlp.encode_number(_number(fields, name)),
    _DATA: _bytes,
    _TO: _to,
    _ACCESS: _access,
    _HASHES: _hashes,
    _AUTHORIZED: _authorized,
}
