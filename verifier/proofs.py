"""Balances proven from a block's state root, with no trust in any endpoint.

A node answers `eth_getProof` with nodes of a Merkle-Patricia trie. Each is named by its hash in the one before it,
and the first by the state root, which stands in the block's header (`verifier.headers`). So whoever believes a block's
hash needs to believe nobody about what a wallet held in it.

Which storage slot has a balance depends on how the contract was written. Collections on OpenZeppelin's `ERC1155`, such
as ours, keep `mapping(uint256 id => mapping(address => uint256))` in slot 0; the upgradeable ones keep it in
`UPGRADEABLE_BALANCES`. With another layout the proof is about other words of the storage, so a caller compares what it
proves with the balances that the contract itself told (`prove_told`). A word under such a hash that is not 0 shows that
the contract keeps a mapping of that form there: nobody can find another slot whose hash it is.

Nodes are kept once each, whatever number of proofs goes through them.

Source: Ethereum Yellow Paper, appendix D (trie); EIP-1186 (`eth_getProof`); Solidity, "Layout of State Variables in
Storage" (mappings); ERC-1967 (proxies).
"""

import threading
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field
from typing import Final

from eth_hash.auto import keccak

from verifier import rlp
from verifier.addresses import to_checksum
from verifier.chain import BEACON_SLOT, IMPLEMENTATION_SLOT
from verifier.erc1155 import MAX_UNITS
from verifier.errors import (
    AnswerSuspicious,
    BlockUnavailable,
    ChainError,
    ChainUnreachable,
    EndpointRefused,
    LayoutUnknown,
    NoContract,
)
from verifier.headers import Header
from verifier.holdings import Address, Ask, TokenId
from verifier.rpc import Asked

BALANCES: Final = 0
"""Slot of the balances in OpenZeppelin's `ERC1155`, and in whatever inherits from it first."""
UPGRADEABLE_BALANCES: Final = 0x88BE536D5240C274A3B1D3A1BE54482FD9CAA294F08C62A7CDE569F49A3C4500
"""The same in its `ERC1155Upgradeable`. Source: ERC-7201, `openzeppelin.storage.ERC1155`."""
LONGEST_NODE: Final = 600
"""Bytes of a trie node: a branch with sixteen hashes has 532."""
LAYOUTS: Final = (BALANCES, UPGRADEABLE_BALANCES, *range(1, 64))
"""Slots in which the mapping of balances is looked for."""
SLOTS_PER_QUESTION: Final = 100
"""geth answers for 1,024 at most; the answers grow to megabytes long before."""

EMPTY_TRIE: Final = keccak(b"\x80")
"""Root of a trie without a key."""

_PROBES: Final = 4
"""Balances by which the layout is found."""
_NO_CODE: Final = keccak(b"")
_WORD: Final = 32
_ANSWER_CAP: Final = 16 * 1024 * 1024
_BRANCH, _SHORT = 17, 2
"""Items of a branch; of a leaf or an extension."""
_ODD, _LEAF, _KINDS = 1, 2, 4
"""What the first nibble of a path says. Source: Yellow Paper, appendix C (hex prefix)."""
_PROXY_SLOTS: Final = (int(IMPLEMENTATION_SLOT, 16), int(BEACON_SLOT, 16))


class UnsoundProof(ValueError):
    """The nodes do not lead from the root to what is to be proven; the sentence says where they fail."""


@dataclass(frozen=True, slots=True)
class Account:
    """What the state says of an address."""

    nonce: int
    balance: int
    """wei."""
    storage_root: bytes
    code_hash: bytes
    """keccak-256 of the runtime code."""


@dataclass(frozen=True, slots=True)
class Proven:
    """Balances that follow from a state root."""

    code_hash: str
    """As `verifier.chain.Contract` has it: of a proxy, both hashes in one."""
    implementation: Address | None
    units: list[tuple[int, ...]]
    """For each ask, in the order of its token ids."""
    nodes: tuple[bytes, ...] = field(repr=False)
    """All that is needed to prove it again, in the order of their hashes."""


class Witness:
    """Trie nodes by their hashes, out of which any number of keys are looked up.

    Args:
        nodes: in any order; one that is there twice counts once.
    """

    def __init__(self, nodes: Iterable[bytes]) -> None:
        self._nodes = {keccak(node): node for node in nodes}
        self._decoded: dict[bytes, rlp.Item] = {}

    @property
    def unused(self) -> list[bytes]:
        """Hashes of nodes that nothing led to so far, in order."""
        return sorted(self._nodes.keys() - self._decoded.keys())

    @property
    def used(self) -> tuple[bytes, ...]:
        """The nodes that something led to, in the order of their hashes."""
        return tuple(self._nodes[name] for name in sorted(self._decoded))

    def account(self, state_root: bytes, address: Address) -> Account | None:
        """The account at an address; None: it is proven that there is none.

        Raises:
            UnsoundProof: a node on the way is missing, or is none.
        """
        found = self.value(state_root, keccak(bytes.fromhex(address[2:])))
        if found is None:
            return None
        try:
            nonce, balance, storage_root, code_hash = _list(rlp.decode(found), 4)
            account = Account(
                rlp.decode_number(nonce), rlp.decode_number(balance), _hash(storage_root), _hash(code_hash)
            )
        except ValueError as error:
            raise UnsoundProof(f"the account at {address} is none: {error}") from error
        return account

    def word(self, storage_root: bytes, slot: int) -> int:
        """The number in a storage slot; 0 where it is proven that nothing is there.

        Raises:
            UnsoundProof: a node on the way is missing, or is none.
        """
        found = self.value(storage_root, keccak(slot.to_bytes(_WORD, "big")))
        if found is None:
            return 0
        try:
            number = rlp.decode_number(rlp.decode(found))
        except ValueError as error:
            raise UnsoundProof(f"slot {slot:#x} has no number: {error}") from error
        if not 0 < number < 1 << 8 * _WORD:
            raise UnsoundProof(f"slot {slot:#x} has a number that no trie holds")
        return number

    def value(self, root: bytes, key: bytes) -> bytes | None:
        """What a trie has under a key of 32 bytes; None: it is proven that it has nothing there.

        Raises:
            UnsoundProof: a node on the way is missing, or is none.
        """
        if root == EMPTY_TRIE:
            return None
        node: rlp.Item = root
        path = key.hex()
        while node:
            items = self._node(node) if isinstance(node, bytes) else node
            if len(items) == _BRANCH and path:
                node, path = items[int(path[0], 16)], path[1:]
                continue
            part, is_leaf = _path(items)
            if is_leaf:
                return _value(items[1]) if part == path else None
            if not path.startswith(part):
                return None
            node, path = items[1], path[len(part) :]
        return None

    def _node(self, name: bytes) -> list[rlp.Item]:
        found = self._decoded.get(name)
        if found is None:
            if name not in self._nodes:
                raise UnsoundProof(f"the node 0x{name.hex()} is missing")
            try:
                found = self._decoded[name] = rlp.decode(self._nodes[name])
            except rlp.UnsoundRlp as error:
                raise UnsoundProof(f"the node 0x{name.hex()} is not RLP: {error}") from error
        if not isinstance(found, list):
            raise UnsoundProof(f"the node 0x{name.hex()} is no list")
        return found


def balance_slot(wallet: Address, token_id: TokenId, balances: int = BALANCES) -> int:
    """Where a contract keeps how many units of a token id a wallet has.

    Args:
        wallet: whose.
        token_id: of what.
        balances: the slot of the mapping from token ids to wallets to units.
    """
    inner = keccak(token_id.to_bytes(_WORD, "big") + balances.to_bytes(_WORD, "big"))
    return int.from_bytes(keccak(bytes.fromhex(wallet[2:]).rjust(_WORD, b"\0") + inner), "big")


def prove_balances(
    header: Header, collection: Address, asks: Sequence[Ask], nodes: Iterable[bytes], *, balances: int = BALANCES
) -> Proven:
    """Prove what each wallet held, out of trie nodes alone.

    Args:
        header: of the block, whose hash the caller believes.
        collection: the contract.
        asks: wallets and token ids.
        nodes: in any order; more than needed is not refused, and not in what is returned.
        balances: see `balance_slot`.

    Raises:
        UnsoundProof: they do not lead there; or there is no contract.
    """
    witness = Witness(nodes)
    code_hash, account = prove_contract(witness, header, collection)
    units = [
        tuple(
            _units(witness.word(account.storage_root, balance_slot(ask.wallet, token_id, balances)))
            for token_id in ask.token_ids
        )
        for ask in asks
    ]
    return Proven(code_hash, _implementation(witness, account), units, witness.used)


def prove_contract(witness: Witness, header: Header, address: Address) -> tuple[str, Account]:
    """Prove what runs at an address: its code hash, as `Proven` has it, and the account.

    Raises:
        UnsoundProof: the nodes do not lead there; or there is no contract.
    """
    account = witness.account(header.state_root, address)
    if account is None or account.code_hash == _NO_CODE:
        raise UnsoundProof(f"there is no contract at {address}")
    code_hash = account.code_hash
    if implementation := _implementation(witness, account):
        behind = witness.account(header.state_root, implementation)
        code_hash = keccak(code_hash + (behind.code_hash if behind else _NO_CODE))
    return "0x" + code_hash.hex(), account


def read_proven(  # noqa: PLR0913 - what varies is passed in, by keyword
    endpoint: Asked,
    header: Header,
    collection: Address,
    asks: Sequence[Ask],
    *,
    balances: int = BALANCES,
    on_progress: Callable[[int, int], None] | None = None,
) -> Proven:
    """Ask one endpoint to prove what each wallet held; what it answers is proven or refused.

    Args:
        endpoint: any; it need not be trusted.
        header: of the block.
        collection: the contract.
        asks: wallets and token ids.
        balances: see `balance_slot`.
        on_progress: called with slots read and slots asked for, from any thread.

    Raises:
        BlockUnavailable: the endpoint proves nothing at this block; many keep proofs for a few blocks only.
        AnswerSuspicious: what it answered does not prove it.
        NoContract: it proved that there is none.
        ChainError: it gave no answer.
    """
    slots = sorted({balance_slot(ask.wallet, token_id, balances) for ask in asks for token_id in ask.token_ids})
    questions = [(collection, part) for part in _parts([*_PROXY_SLOTS, *slots])]
    done, asked = 0, len(slots) + len(_PROXY_SLOTS)
    lock = threading.Lock()

    def ask(question: tuple[Address, Sequence[int]]) -> list[bytes]:
        nonlocal done
        found = _asked(endpoint, header, *question)
        with lock:
            done += len(question[1])
            if on_progress:
                on_progress(done, asked)
        return found

    with ThreadPoolExecutor(endpoint.connections) as pool:
        nodes = {node for answer in pool.map(ask, questions) for node in answer}
    try:
        witness = Witness(nodes)
        account = witness.account(header.state_root, collection)
        if account is None or account.code_hash == _NO_CODE:
            raise NoContract(endpoint.name, collection, header.block.number)
        if implementation := _implementation(witness, account):
            nodes.update(_asked(endpoint, header, implementation, ()))
        return prove_balances(header, collection, asks, nodes, balances=balances)
    except UnsoundProof as error:
        raise AnswerSuspicious(endpoint.name, "eth_getProof", str(error)) from error


@dataclass(frozen=True, slots=True)
class ProvenTold:
    """Balances that endpoints told, and that the state root proves."""

    slot: int
    """Of the mapping of balances; it was found by balances that were told."""
    nodes: tuple[bytes, ...] = field(repr=False)
    """As `Proven.nodes`."""


def prove_told(
    endpoints: Sequence[Asked],
    header: Header,
    collection: Address,
    told: Mapping[Address, Mapping[TokenId, int]],
    wanted: Sequence[Ask],
) -> ProvenTold:
    """Have what endpoints told of balances proven by the first of them that can.

    Args:
        endpoints: that agreed about the balances.
        header: of the block.
        collection: the contract.
        told: units by wallet and token id.
        wanted: what of them is to be proven.

    Raises:
        AnswerSuspicious: it is proven that they told something else than is so; or their proofs are none.
        LayoutUnknown: where the contract keeps balances is not found.
        BlockUnavailable, ChainUnreachable, EndpointRefused, NoContract: none of them proves anything there.
    """
    failed: ChainError | None = None
    for endpoint in endpoints:
        try:
            slot = find_layout(endpoint, header, collection, told)
            proven = read_proven(endpoint, header, collection, wanted, balances=slot)
        except (AnswerSuspicious, BlockUnavailable, ChainUnreachable, EndpointRefused) as error:
            failed = failed or error
            continue
        for ask, units in zip(wanted, proven.units, strict=True):
            for token_id, count in zip(ask.token_ids, units, strict=True):
                if told[ask.wallet][token_id] != count:
                    names = ", ".join(one.name for one in endpoints)
                    problem = (
                        f"{told[ask.wallet][token_id]} units of token {token_id} in {ask.wallet}, "
                        f"and the state root of block {header.block.number} proves {count}"
                    )
                    raise AnswerSuspicious(names, "balanceOfBatch", problem)
        return ProvenTold(slot, proven.nodes)
    if failed is None:
        raise ValueError("no endpoint was given")
    raise failed


def find_layout(
    endpoint: Asked, header: Header, collection: Address, told: Mapping[Address, Mapping[TokenId, int]]
) -> int:
    """In which slot a contract keeps the mapping of balances: the one with the balances that it told.

    Where none is right, one of the usual slots that has numbers there is taken: then what was told is not so.

    Raises:
        LayoutUnknown: none of `LAYOUTS` has anything there; nothing can be said of what is 0 everywhere.
        AnswerSuspicious, BlockUnavailable, ChainUnreachable, EndpointRefused: the endpoint does not prove it.
    """
    pairs = [(wallet, token_id, units) for wallet, held in told.items() for token_id, units in held.items()]
    some = [pair for pair in pairs if pair[2]] or pairs
    probes = some[:: max(1, len(some) // _PROBES)][:_PROBES]
    for layouts in (LAYOUTS[:2], LAYOUTS[2:]):
        slots = {
            balance_slot(wallet, token_id, layout): (layout, units)
            for layout in layouts
            for wallet, token_id, units in probes
        }
        words = _words(endpoint, header, collection, list(slots))
        right = [layout for slot, (layout, units) in slots.items() if words[slot] and words[slot] == units]
        wrong = [layout for slot, (layout, _) in slots.items() if 0 < words[slot] <= MAX_UNITS]
        if found := right or (wrong if layouts == LAYOUTS[:2] else []):
            slot: int = max(found, key=found.count)
            return slot
    raise LayoutUnknown(collection)


def _words(endpoint: Asked, header: Header, collection: Address, slots: Sequence[int]) -> dict[int, int]:
    """What stands in slots of a contract, proven."""
    words: dict[int, int] = {}
    for part in _parts(slots):
        witness = Witness(_asked(endpoint, header, collection, part))
        account = witness.account(header.state_root, collection)
        if account is None:
            raise NoContract(endpoint.name, collection, header.block.number)
        try:
            words |= {slot: witness.word(account.storage_root, slot) for slot in part}
        except UnsoundProof as error:
            raise AnswerSuspicious(endpoint.name, "eth_getProof", str(error)) from error
    return words


def proof_nodes(answer: object) -> list[bytes]:
    """All trie nodes in what a node answers to `eth_getProof`, in its order.

    What it says beside them (balance, code hash, values) is not looked at: the nodes say it too, and prove it.

    Raises:
        UnsoundProof: it is no such answer.
    """
    fields = answer if isinstance(answer, Mapping) else {}
    storage = fields.get("storageProof")
    if not isinstance(storage, list) or not all(isinstance(each, Mapping) for each in storage):
        raise UnsoundProof("it has no storageProof")
    nodes = []
    for proof in (fields.get("accountProof"), *(each.get("proof") for each in storage)):
        if not isinstance(proof, list):
            raise UnsoundProof("a proof is no list of nodes")
        nodes += [_unhex(node) for node in proof]
    return nodes


def _asked(endpoint: Asked, header: Header, address: Address, slots: Sequence[int]) -> list[bytes]:
    """The nodes that an endpoint gives for an account and its slots at a block.

    Slots are asked for with all their digits: Anvil takes no odd number of them.
    """
    keys = [f"{slot:#066x}" for slot in slots]
    refused: EndpointRefused | None = None
    for where in ({"blockHash": header.block.hash, "requireCanonical": True}, hex(header.block.number)):
        try:
            answer = endpoint.ask("eth_getProof", [address, keys, where], cap=_ANSWER_CAP)
            nodes = proof_nodes(answer)
            Witness(nodes).account(header.state_root, address)
        except EndpointRefused as error:
            refused = error
        except UnsoundProof as error:
            problem = f"{error}, so it is of another block or made up"
            if not isinstance(where, dict):
                raise AnswerSuspicious(endpoint.name, "eth_getProof", problem) from error
        else:
            return nodes
    if refused is None:
        raise AssertionError
    problem = f"it proves nothing there ({refused.message}); use an endpoint that keeps proofs of old blocks"
    raise BlockUnavailable(endpoint.name, str(header.block.number), problem) from refused


def _parts(slots: Sequence[int]) -> Iterator[Sequence[int]]:
    for start in range(0, len(slots), SLOTS_PER_QUESTION):
        yield slots[start : start + SLOTS_PER_QUESTION]


def _implementation(witness: Witness, account: Account) -> Address | None:
    """Where the contract sends calls, if it is a proxy of ERC-1967.

    Raises:
        UnsoundProof: through a beacon, which keeps the address of the code where only its own code knows.
    """
    implementation, beacon = (witness.word(account.storage_root, slot) for slot in _PROXY_SLOTS)
    if implementation:
        return to_checksum(implementation.to_bytes(_WORD, "big")[-20:])
    if beacon:
        raise UnsoundProof("the contract is a proxy with a beacon, and only its code knows where it keeps the address")
    return None


def _units(number: int) -> int:
    if number > MAX_UNITS:
        raise UnsoundProof(f"a balance is above {MAX_UNITS}, more than any card was printed: another storage layout?")
    return number


def _path(items: list[rlp.Item]) -> tuple[str, bool]:
    """The nibbles of a leaf or extension, and whether it is a leaf."""
    if len(items) != _SHORT:
        raise UnsoundProof(f"a node on the way has {len(items)} items, or the path ends in it")
    digits = items[0].hex() if isinstance(items[0], bytes) else ""
    flag = int(digits[:1] or "f", 16)
    if flag >= _KINDS or (not flag & _ODD and digits[1] != "0"):
        raise UnsoundProof("a node's path has no form")
    part, is_leaf = digits[1 if flag & _ODD else 2 :], bool(flag & _LEAF)
    if not (part or is_leaf):
        raise UnsoundProof("an extension has no path")
    return part, is_leaf


def _value(item: rlp.Item) -> bytes:
    if not isinstance(item, bytes) or not item:
        raise UnsoundProof("a leaf has no value")
    return item


def _list(item: rlp.Item, size: int) -> list[rlp.Item]:
    if not isinstance(item, list) or len(item) != size:
        raise ValueError(f"it is not a list of {size}")
    return item


def _hash(item: rlp.Item) -> bytes:
    if not isinstance(item, bytes) or len(item) != _WORD:
        raise ValueError(f"a hash has {_WORD} bytes")
    return item


def _unhex(node: object) -> bytes:
    if not isinstance(node, str) or not node.startswith("0x") or len(node) > 2 + 2 * LONGEST_NODE:
        raise UnsoundProof("a node is not 0x and hex digits, or longer than any")
    try:
        return bytes.fromhex(node[2:])
    except ValueError as error:
        raise UnsoundProof("a node is not hex digits") from error
