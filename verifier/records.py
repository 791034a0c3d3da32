"""Records: what every endpoint was asked and said for an epoch, kept as it was said and judged again later.

Nobody is asked here. The block's hash is computed from its header, the time of the block before shows that it was the
first of its rule, the code's hash is computed from the code, and the balances are decoded strictly from the answers of
each endpoint, of which a quorum must have said the same and none another thing.

What stands here is on purpose not the code that asked (`verifier.chain`): a mistake in one is not one in the other.
"""

import base64
import json
import zlib
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, field
from functools import lru_cache
from itertools import pairwise
from typing import Any, Final

from eth_hash.auto import keccak

from verifier import erc1155
from verifier.addresses import to_checksum
from verifier.chain import BEACON_SLOT, IMPLEMENTATION_SLOT, code_hash_of
from verifier.headers import Header, UnsoundHeader, parse_header
from verifier.holdings import Address, Block, TokenId
from verifier.ledger import Reading
from verifier.manifest import Manifest
from verifier.nesting import check_nesting
from verifier.proofs import UnsoundProof, Witness, balance_slot, prove_contract

MOST_BYTES: Final = 512 * 1024 * 1024
"""Of a record, unpacked."""
_WORD: Final = 32
_IMPLEMENTATION_CALL: Final = "0x5c60da1b"
_OF_BLOCKS: Final = ("eth_getBlockByHash", "eth_getBlockByNumber")
_OF_STATE: Final = ("eth_getCode", "eth_getStorageAt", "eth_call")
_TAGS: Final = ("latest", "safe", "finalized")
_SAID: Final = 20
"""Faults that are told of one part."""


class RecordUnreadable(ValueError):
    """Not a record."""


@dataclass(frozen=True, slots=True)
class Part:
    """What was asked and said for one epoch."""

    epoch: int
    number: int
    hash: str
    exchanges: Sequence[Mapping[str, Any]]
    """Each with endpoint (a number), method, params, result."""
    vaults: Sequence[Mapping[str, Any]] = ()
    """What each vault vouched for: vault, wallet, level (None: nothing), units by token id."""
    proof: Mapping[str, Any] | None = None
    """Of balances, from the block's state root: `slot` (of their mapping, 0x and hex digits without leading zeros) and
    `nodes` (of the trie, in the order of their hashes, each once and each of use). None: there is none."""
    unproven: str = ""
    """Why there is none, though it was wanted."""
    registry: Sequence[Mapping[str, Any]] = ()
    """What the registry of delegations was asked and said, as exchanges."""
    reserved: Sequence[Mapping[str, Any]] | None = None
    """What other events had set aside in wallets of this one when the epoch was judged: event, entry, wallet, units (by
    token id), since. None: the record is from before that was kept."""


@dataclass(frozen=True, slots=True)
class Examined:
    """What follows from a part."""

    epoch: int
    block: Block | None
    readings: Mapping[Address, Reading]
    faults: Sequence[str] = field(default=())
    """Everything that is wrong with it; with any, nothing follows."""
    proven: frozenset[tuple[Address, TokenId]] = frozenset()
    """Of which balances the state root says so too; the others are as so many endpoints said."""
    header: Header | None = None


def parts_of(record: str) -> list[Part]:
    """The parts of a record as it is kept: base64 of zlib of JSON. Raises: RecordUnreadable."""
    try:
        raw = _unpacked(record)
        check_nesting(raw)
        return [
            Part(
                part["epoch"],
                part["block"]["number"],
                part["block"]["hash"],
                list(map(_exchange, part["exchanges"])),
                part.get("vaults", ()),
                part.get("proof"),
                str(part.get("unproven", "")),
                list(map(_exchange, part.get("registry", ()))),
                part.get("reserved"),
            )
            for part in json.loads(raw)
        ]
    except RecordUnreadable:
        raise
    except (ValueError, KeyError, TypeError, AttributeError, zlib.error) as error:
        raise RecordUnreadable(f"it is no record of what endpoints said ({type(error).__name__}: {error})") from error


def _unpacked(record: str) -> bytes:
    unpacking = zlib.decompressobj()
    raw = unpacking.decompress(base64.b64decode(record, validate=True), MOST_BYTES)
    if not unpacking.eof or unpacking.unused_data:
        raise RecordUnreadable("it is cut short, too long, or something stands behind it")
    return raw


def _exchange(said: Mapping[str, Any]) -> Mapping[str, Any]:
    if (
        not isinstance(said["endpoint"], int)
        or not isinstance(said["method"], str)
        or not isinstance(said["params"], list)
    ):
        raise RecordUnreadable("an exchange is an endpoint, a method, params and a result")
    return {**said, "result": said["result"]}


def examine(part: Part, manifest: Manifest, opening: int) -> Examined:
    """Judge a part again.

    Args:
        part: what was asked and said.
        manifest: what the event promised: chain, contract, how many endpoints must agree.
        opening: seconds since 1970; the block is the first one from then on.
    """
    header, faults = _block(part, opening)
    readings: Mapping[Address, Reading] = {}
    proven: frozenset[tuple[Address, TokenId]] = frozenset()
    if header is not None and not faults:
        endpoints = [
            _Endpoint(number, part, header.block, manifest)
            for number in sorted({one["endpoint"] for one in part.exchanges})
        ]
        faults = [f"endpoint {one.number}: {fault}" for one in endpoints for fault in one.faults]
        readings, more = _agreed(endpoints, manifest.quorum.agree)
        faults += more
        if part.proof is not None:
            proven, more = _proven(part.proof, header, manifest, endpoints)
            faults += more
    block = None if header is None else header.block
    if faults:
        return Examined(part.epoch, block, {}, faults[:_SAID])
    return Examined(part.epoch, block, readings, (), proven, header)


def _proven(
    said: Mapping[str, Any], header: Header, manifest: Manifest, endpoints: "Sequence[_Endpoint]"
) -> tuple[frozenset[tuple[Address, TokenId]], list[str]]:
    """Which balances the state root proves, and where endpoints said something else."""
    try:
        slot, nodes = _slot(said["slot"]), _nodes(said)
        witness, collection = Witness(nodes), manifest.collections[0]
        contract, account = prove_contract(witness, header, collection.address)
    except (ValueError, KeyError, TypeError, AttributeError) as error:
        return frozenset(), [f"the proof: {error}"]
    if contract != collection.code_hash:
        return frozenset(), [f"the proof: the code hashes to {contract}, and {collection.code_hash} was promised"]
    found: dict[tuple[Address, TokenId], int] = {}
    for pair in {pair: None for one in endpoints for pair in one.units}:
        with suppress(UnsoundProof):  # nodes of it are not there
            found[pair] = witness.word(account.storage_root, balance_slot(*pair, slot))
    if not any(units and units in {one.units.get(pair) for one in endpoints} for pair, units in found.items()):
        return frozenset(), [f"the proof: no balance but 0 shows that slot {said['slot']} is that of balances"]
    faults = [
        f"endpoint {one.number}: it said {one.units[pair]} units of token {pair[1]} in {pair[0]}, "
        f"and the state root proves {units}"
        for pair, units in found.items()
        for one in endpoints
        if one.units.get(pair, units) != units
    ]
    if not faults and witness.unused:
        faults.append(f"the proof: nothing leads to its node 0x{witness.unused[0].hex()}")
    return frozenset(found), faults


def _nodes(said: Mapping[str, Any]) -> list[bytes]:
    nodes = [_bytes(node) for node in said["nodes"]]
    if said.keys() != {"slot", "nodes"} or [f"0x{node.hex()}" for node in nodes] != said["nodes"]:
        raise ValueError("it has something that a proof has not")
    if any(one >= other for one, other in pairwise(map(keccak, nodes))):
        raise ValueError("its nodes are not in the order of their hashes, or one is there twice")
    return nodes


def _slot(said: object) -> int:
    if not isinstance(said, str) or hex(int(said, 16)) != said or int(said, 16) >> 8 * _WORD:
        raise ValueError("its slot is no number in hex digits")
    return int(said, 16)


def _block(part: Part, opening: int) -> tuple[Header | None, list[str]]:
    headers, faults = _headers(part)
    found = headers.get(part.hash)
    if found is None:
        return None, faults or [f"no header of it hashes to {part.hash}"]
    if found.block.number != part.number:
        faults.append(f"its block is {part.number}, and the header of {part.hash} says {found.block.number}")
    if found.block.timestamp < opening:
        faults.append(f"its block is of {found.block.timestamp}, before {opening}")
    before = headers.get(found.parent)
    if before is None and found.block.number > 0:
        faults.append("the header of the block before it is not there, so it may not be the first")
    elif before is not None and before.block.timestamp >= opening:
        faults.append(f"the block before it is of {before.block.timestamp}, so it is not the first from {opening} on")
    return found, faults


def _headers(part: Part) -> tuple[dict[str, Header], list[str]]:
    """Each header that an endpoint gave, by the hash that it has; and what is wrong with them."""
    headers: dict[str, Header] = {}
    faults = []
    for one in part.exchanges:
        if one["method"] not in _OF_BLOCKS or one["result"] is None:
            continue
        try:
            header = parse_header(one["result"])
        except UnsoundHeader as error:
            faults.append(f"endpoint {one['endpoint']}, a header: {error}")
            continue
        headers[header.block.hash] = header
        if not _is_asked(one, header.block):
            faults.append(f"endpoint {one['endpoint']} gave block {header.block.number}, and was asked for another")
        if header.block.number == part.number and header.block.hash != part.hash:
            faults.append(f"endpoint {one['endpoint']} has another block {part.number}: {header.block.hash}")
    return headers, faults


def _is_asked(one: Mapping[str, Any], block: Block) -> bool:
    """Whether a header is the one that was asked for."""
    by_hash = one["method"] == "eth_getBlockByHash"
    places = (block.hash,) if by_hash else (hex(block.number), *_TAGS)
    return one["params"] in [[place, False] for place in places]


class _Endpoint:
    """What one endpoint said of the contract and of balances at the block."""

    def __init__(self, number: int, part: Part, block: Block, manifest: Manifest) -> None:
        self.number = number
        self.faults: list[str] = []
        self.units: dict[tuple[Address, TokenId], int] = {}
        self._block, self._manifest = block, manifest
        self._codes: dict[str, bytes] = {}
        self._words: dict[tuple[str, str], bytes] = {}
        self._beacon: bytes | None = None
        self._interfaces: dict[bytes, bool] = {}
        self._chains: set[object] = set()
        for one in part.exchanges:
            if one["endpoint"] == number:
                self._hear(one["method"], one["params"], one["result"])
        self.is_whole = bool(self._chains) and self._judge_contract()

    def _hear(self, method: str, params: Sequence[Any], result: object) -> None:
        try:
            if method == "eth_chainId":
                self._chains.add(result)
            elif method in _OF_STATE:
                if self._is_there(params[-1]):
                    self._hear_at_block(method, params, _bytes(result))
            elif method not in _OF_BLOCKS:
                self.faults.append(f"{method!a} is not asked for an epoch")
        except (ValueError, KeyError, TypeError, IndexError, AttributeError) as error:
            self.faults.append(f"its answer to {method} cannot be read: {error}")

    def _is_there(self, where: object) -> bool:
        """Whether it was asked at the block itself. Source: EIP-1898."""
        return where in ({"blockHash": self._block.hash, "requireCanonical": True}, hex(self._block.number))

    def _hear_at_block(self, method: str, params: Sequence[Any], said: bytes) -> None:
        if method == "eth_getCode":
            self._codes[_lower(params[0])] = said
        elif method == "eth_getStorageAt":
            self._words[_lower(params[0]), str(params[1])] = said
        else:
            self._hear_call(_lower(params[0]["to"]), params[0]["data"], said)

    def _hear_call(self, to: str, data: str, said: bytes) -> None:
        if data == _IMPLEMENTATION_CALL:
            self._beacon = said
            return
        if to != _lower(self._manifest.collections[0].address):
            return
        calldata = _bytes(data)
        if calldata == erc1155.supports_interface(calldata[4:8]):
            self._interfaces[calldata[4:8]] = erc1155.decode_bool(said)
        elif calldata.startswith(erc1155.BALANCE_OF_BATCH):
            pairs = decode_asked(calldata)
            for pair, units in zip(pairs, erc1155.decode_balances(said, len(pairs)), strict=True):
                if self.units.setdefault(pair, units) != units:
                    self.faults.append(f"it says two things of token {pair[1]} in {pair[0]}")

    def _judge_contract(self) -> bool:
        """Whether it showed the contract; what is wrong with it are faults."""
        manifest = self._manifest
        if self._chains != {hex(manifest.chain_id)}:
            self.faults.append(f"it serves chain {', '.join(map(str, self._chains))}, not {manifest.chain_id}")
        address = _lower(manifest.collections[0].address)
        found = self._code_hash(address)
        if found is None or not self._interfaces.keys() >= {erc1155.ERC1155_ID, erc1155.NO_INTERFACE_ID}:
            return False
        if found != manifest.collections[0].code_hash:
            self.faults.append(f"the code hashes to {found}, and {manifest.collections[0].code_hash} was promised")
        if not self._interfaces[erc1155.ERC1155_ID] or self._interfaces[erc1155.NO_INTERFACE_ID]:
            self.faults.append("the contract does not say that it is an ERC-1155 collection")
        return True

    def _code_hash(self, address: str) -> str | None:
        """As `verifier.chain.Contract.code_hash`; None where it was not shown."""
        code, words = self._codes.get(address), self._words
        if not code or (address, IMPLEMENTATION_SLOT) not in words:
            return None
        implementation = words[address, IMPLEMENTATION_SLOT][-20:]
        if not any(implementation):
            if (address, BEACON_SLOT) not in words:
                return None
            if not any(words[address, BEACON_SLOT]):
                return code_hash_of(code)
            implementation = (self._beacon or b"")[-20:]
        behind = self._codes.get("0x" + implementation.hex())
        return None if behind is None else code_hash_of(code, behind)


def _agreed(endpoints: Sequence[_Endpoint], agree: int) -> tuple[dict[Address, Reading], list[str]]:
    """What a quorum of endpoints said without contradiction, by wallet; and what is wrong with that."""
    whole = [one for one in endpoints if one.is_whole]
    if len(whole) < agree:
        return {}, [f"{len(whole)} endpoints showed the contract, and {agree} must"]
    said: Counter[tuple[Address, TokenId]] = Counter()
    units: dict[tuple[Address, TokenId], int] = {}
    faults = []
    for one in whole:
        for pair, count in one.units.items():
            said[pair] += 1
            if units.setdefault(pair, count) != count:
                faults.append(f"endpoints disagree about token {pair[1]} in {pair[0]}")
    faults += [
        f"{many} of {agree} endpoints told of token {pair[1]} in {pair[0]}"
        for pair, many in said.items()
        if many < agree
    ]
    return dict(_by_wallet(units)), faults


def _by_wallet(units: Mapping[tuple[Address, TokenId], int]) -> Iterator[tuple[Address, Reading]]:
    found: dict[Address, dict[TokenId, int]] = {}
    for (wallet, token_id), count in units.items():
        found.setdefault(wallet, {})[token_id] = count
    for wallet, held in sorted(found.items()):
        yield wallet, Reading(tuple(held), tuple(held.values()))


def decode_asked(calldata: bytes) -> list[tuple[Address, TokenId]]:
    """Whom and what a call of `balanceOfBatch` asks about. Raises: ValueError: not the one encoding of it."""
    words = [int.from_bytes(calldata[at : at + _WORD], "big") for at in range(4, len(calldata), _WORD)]
    count = words[2]
    if (
        (len(calldata) - 4) % _WORD
        or words[:3] != [2 * _WORD, (3 + count) * _WORD, count]
        or len(words) != 4 + 2 * count
        or words[3 + count] != count
    ):
        raise ValueError("the call is not two arrays of one length")
    wallets: Iterable[int] = words[3 : 3 + count]
    return [(_wallet(wallet), TokenId(token)) for wallet, token in zip(wallets, words[4 + count :], strict=True)]


@lru_cache(maxsize=1 << 16)
def _wallet(number: int) -> Address:
    return to_checksum(number.to_bytes(20, "big"))


def _bytes(said: object) -> bytes:
    if not isinstance(said, str) or not said.startswith("0x"):
        raise ValueError("it is no bytes in hex digits")
    return bytes.fromhex(said[2:])


def _lower(address: object) -> str:
    return str(address).lower()
