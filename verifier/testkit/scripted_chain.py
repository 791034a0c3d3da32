"""An honest node of a chain in memory, with one ERC-1155 collection on it.

It knows just what the verifier asks: chain id, headers, code, storage, `eth_call` of `balanceOfBatch` and
`supportsInterface`, each at a block number, hash or tag; and the collection's logs. If it is told to, its headers have
the root of a state in which OpenZeppelin's contract keeps these balances, and it answers `eth_getProof`.
"""

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from itertools import groupby
from typing import Final, TypeAlias

from eth_hash.auto import keccak

from verifier import erc1155, rlp, tries
from verifier.addresses import to_checksum
from verifier.headers import header_of
from verifier.holdings import Address, Block, BlockHash, TokenId
from verifier.proofs import Witness, balance_slot

COLLECTION: Final = to_checksum(keccak(b"a collection")[:20])
"""Where the scripted collection stands, unless another address is given."""
CODE: Final = bytes.fromhex("6080604052")
"""Stands for the collection's runtime code; nobody runs it."""

NOBODY: Final = to_checksum(bytes(20))
"""Where issued copies come from and burned ones go. Source: ERC-1155."""

_WORD: Final = 32
_ERC165_ID: Final = bytes.fromhex("01ffc9a7")

Balances: TypeAlias = Mapping[tuple[Address, TokenId], int]
Behaviour: TypeAlias = Callable[[bytes, Balances], bytes]
"""Calldata and the balances at the block to return data; raises `Reverted`."""


@dataclass(frozen=True, slots=True)
class Question:
    """One JSON-RPC request, as the node sees it."""

    method: str
    params: tuple[object, ...]

    @property
    def calldata(self) -> bytes:
        """The data of an `eth_call`; empty for anything else."""
        call = self.params[0] if self.method == "eth_call" and self.params else None
        data = call.get("data") if isinstance(call, dict) else None
        return bytes.fromhex(data[2:]) if isinstance(data, str) else b""

    @property
    def asks_balances(self) -> bool:
        """It is a call of `balanceOfBatch`."""
        return self.calldata.startswith(erc1155.BALANCE_OF_BATCH)

    @property
    def balances_asked(self) -> int:
        """How many balances it asks for; 0 when it is no call of `balanceOfBatch`."""
        return _word(self.calldata[4:], 2) if self.asks_balances else 0


@dataclass(eq=False)
class Refusal(Exception):
    """The node answers with a JSON-RPC error."""

    code: int
    message: str
    data: object = None


@dataclass(eq=False)
class Reverted(Exception):
    """The contract reverts, with this data."""

    data: bytes = b""


@dataclass(frozen=True, slots=True)
class Move:
    """Units of one token id that go from one wallet to another; issued from `NOBODY`, or burned to it."""

    sender: Address
    recipient: Address
    token_id: TokenId
    units: int


@dataclass(frozen=True)
class _State:
    """What is true after a block."""

    balances: dict[tuple[Address, TokenId], int] = field(default_factory=dict)
    code: dict[Address, bytes] = field(default_factory=dict)
    storage: dict[tuple[Address, int], bytes] = field(default_factory=dict)
    logs: tuple[dict[str, object], ...] = ()
    """Of this block alone."""


def erc1155_behaviour(calldata: bytes, balances: Balances) -> bytes:
    """What an honest collection answers."""
    selector, body = calldata[:4], calldata[4:]
    if selector == erc1155.SUPPORTS_INTERFACE:
        return (body[:4] in (erc1155.ERC1155_ID, _ERC165_ID)).to_bytes(_WORD, "big")
    if selector != erc1155.BALANCE_OF_BATCH:
        raise Reverted
    wallets, token_ids = (_array_at(body, _word(body, place)) for place in (0, 1))
    if len(wallets) != len(token_ids):
        raise Reverted
    return encode_array(
        [
            balances.get((to_checksum(wallet.to_bytes(20, "big")), TokenId(token_id)), 0)
            for wallet, token_id in zip(wallets, token_ids, strict=True)
        ]
    )


def encode_array(values: list[int]) -> bytes:
    """Return data that is one array of numbers."""
    return b"".join(value.to_bytes(_WORD, "big") for value in (_WORD, len(values), *values))


class ScriptedChain:
    """A chain in memory. Block 0 is empty, but for the collection's code.

    Args:
        chain_id: as `eth_chainId` answers.
        collection: where the collection stands.
        behaviour: what the collection answers to calls; an honest one by default.
        started: timestamp of block 0; each block is twelve seconds later than the one before.
        finality: how many blocks the `finalized` one is behind the newest.
        proves: whether it has a state root in each header, and proofs.
        slot: where the collection keeps balances then.
    """

    def __init__(  # noqa: PLR0913 - what a chain may be like, by keyword
        self,
        *,
        chain_id: int = 31337,
        collection: Address = COLLECTION,
        behaviour: Behaviour = erc1155_behaviour,
        started: int = 1_700_000_000,
        finality: int = 0,
        proves: bool = False,
        slot: int = 0,
    ) -> None:
        self.chain_id = chain_id
        self.finality = finality
        self.collection = collection
        self.behaviour = behaviour
        self._proves, self._slot = proves, slot
        self._nodes: dict[bytes, list[bytes]] = {}
        """Of the tries of states, by their roots."""
        self._headers: dict[BlockHash, dict[str, object]] = {}
        state = _State(code={collection: CODE})
        self._blocks = [self._made(0, "0x" + bytes(_WORD).hex(), started, 0, state)]
        self._states = {self._blocks[0].hash: state}
        self._mined = 0

    @property
    def head(self) -> Block:
        """The newest block."""
        return self._blocks[-1]

    @property
    def history(self) -> dict[Block, Balances]:
        """What the collection says at each block, oldest first."""
        return {block: self._states[block.hash].balances for block in self._blocks}

    def mine(
        self,
        balances: Balances | None = None,
        *,
        code: Mapping[Address, bytes] | None = None,
        storage: Mapping[tuple[Address, int], bytes] | None = None,
        moves: Sequence[Move] = (),
        seconds: int = 12,
    ) -> Block:
        """Add a block in which these balances, codes and storage words are new; everything else stays.

        Args:
            balances: they are there, without a log.
            code: what runs at addresses.
            storage: words, by address and slot.
            moves: transfers, after that; one log for one, and a batch for several in a row between the same wallets.
            seconds: how much later it is than the block before.
        """
        self._mined += 1
        parent = self.head
        before = self._states[parent.hash]
        held = {**before.balances, **(balances or {})}
        for move in moves:
            for wallet, units in ((move.sender, -move.units), (move.recipient, move.units)):
                if wallet != NOBODY:
                    held[wallet, move.token_id] = held.get((wallet, move.token_id), 0) + units
        state = _State(held, {**before.code, **(code or {})}, {**before.storage, **(storage or {})})
        block = self._made(parent.number + 1, parent.hash, parent.timestamp + seconds, self._mined, state)
        self._states[block.hash] = replace(state, logs=tuple(_logs_of(moves, block, self.collection)))
        self._blocks.append(block)
        return block

    def reorganise(self, depth: int = 1, balances: Balances | None = None) -> Block:
        """Replace the newest blocks by as many others, the first of which brings these balances; and add one more."""
        del self._blocks[-depth:]
        self.mine(balances)
        for _ in range(depth):
            self.mine()
        return self.head

    def answer(self, question: Question) -> object:
        """The honest answer.

        Raises:
            Refusal: as a node refuses.
        """
        method, params = question.method, question.params
        if method in ("eth_chainId", "eth_blockNumber"):
            return hex(self.chain_id if method == "eth_chainId" else self.head.number)
        if method in ("eth_getBlockByNumber", "eth_getBlockByHash"):
            return self._header(self._find(params[0]))
        if method == "eth_getLogs":
            return self._logs(params[0])
        if method == "eth_call":
            return self._call(params[0], self._state(params[1]))
        return self._answer_of_state(method, params)

    def _answer_of_state(self, method: str, params: Sequence[object]) -> object:
        if method == "eth_getCode":
            return _hex(self._state(params[1]).code.get(_address(params[0]), b""))
        if method == "eth_getStorageAt":
            slot = int(str(params[1]), 16)
            return _hex(self._state(params[2]).storage.get((_address(params[0]), slot), bytes(_WORD)))
        if method == "eth_getProof" and self._proves:
            self._state(params[2])
            where = params[2]["blockHash"] if isinstance(params[2], dict) else params[2]
            return self._proof(_address(params[0]), params[1], self._find(where))
        raise Refusal(-32601, f"the method {method} does not exist")

    def _call(self, call: object, state: _State) -> object:
        fields = call if isinstance(call, dict) else {}
        if "to" not in fields:
            raise Refusal(-32000, "there is no machine here that could run creation code")
        to = _address(fields["to"])
        if to not in state.code:
            return "0x"
        if to != self.collection:
            raise Refusal(3, "execution reverted", "0x")
        try:
            return _hex(self.behaviour(bytes.fromhex(str(fields.get("data", "0x"))[2:]), state.balances))
        except Reverted as reverted:
            raise Refusal(3, "execution reverted", _hex(reverted.data)) from reverted

    def _tries(self, state: _State) -> tuple[bytes, list[bytes]]:
        """The root of a state, and the nodes of all of its tries."""
        nodes: list[bytes] = []
        accounts = {}
        for address in state.code.keys() | {address for address, _ in state.storage}:
            words = {slot: int.from_bytes(word, "big") for (of, slot), word in state.storage.items() if of == address}
            if address == self.collection:
                words |= {balance_slot(*place, self._slot): units for place, units in state.balances.items()}
            storage, more = tries.build(
                {
                    keccak(slot.to_bytes(_WORD, "big")): rlp.encode(rlp.encode_number(word))
                    for slot, word in words.items()
                    if word
                }
            )
            accounts[keccak(bytes.fromhex(address[2:]))] = rlp.encode(
                [b"\1", b"", storage, keccak(state.code.get(address, b""))]
            )
            nodes += more
        root, more = tries.build(accounts)
        return root, nodes + more

    def _proof(self, address: Address, slots: object, block: Block | None) -> object:
        """All nodes of the words in the proof of the first: nobody asks which are whose."""
        root = bytes.fromhex(str(self._headers[block.hash]["stateRoot"])[2:]) if block else b""
        witness = Witness(self._nodes[root])
        account = witness.account(root, address)
        of_account = witness.used
        asked = slots if isinstance(slots, list) else []
        if account is not None:
            for slot in asked:
                witness.word(account.storage_root, int(str(slot), 16))
        storage = [{"key": slot, "proof": [] if at else list(map(_hex, witness.used))} for at, slot in enumerate(asked)]
        return {"address": address, "accountProof": list(map(_hex, of_account)), "storageProof": storage}

    def _made(self, number: int, parent: str, timestamp: int, mined: int, state: _State) -> Block:
        """A block whose header hashes to its hash."""
        root, nodes = self._tries(state) if self._proves else (bytes(_WORD), [])
        self._nodes[root] = nodes
        fields: dict[str, object] = {
            **_HEADER,
            "stateRoot": _hex(root),
            "parentHash": parent,
            "number": hex(number),
            "timestamp": hex(timestamp),
            "nonce": _hex(mined.to_bytes(8, "big")),
        }
        block = header_of(fields).block
        self._headers[block.hash] = {**fields, "hash": block.hash, "transactions": []}
        return block

    def _header(self, block: Block | None) -> object:
        return None if block is None else dict(self._headers[block.hash])

    def _logs(self, where: object) -> object:
        wanted = where if isinstance(where, dict) else {}
        first, last = (self._find(wanted.get(end)) for end in ("fromBlock", "toBlock"))
        if first is None:
            return []
        blocks = self._blocks[first.number : last.number + 1 if last else None]
        return [
            log
            for block in blocks
            for log in self._states[block.hash].logs
            if _address(wanted.get("address")) == self.collection
        ]

    def _state(self, where: object) -> _State:
        tag = where.get("blockHash") if isinstance(where, dict) else where
        block = self._find(tag)
        if block is None:
            raise Refusal(-32001, "Resource not found")
        return self._states[block.hash]

    def _find(self, tag: object) -> Block | None:
        if tag == "finalized":
            return self._blocks[max(0, self.head.number - self.finality)]
        if tag in ("latest", "pending", "safe"):
            return self.head
        if not isinstance(tag, str) or not tag.startswith("0x"):
            raise Refusal(-32602, f"invalid argument: {tag!r} is not a block")
        by_hash = len(tag) == 2 + 2 * _WORD
        found = [b for b in self._blocks if (b.hash == tag if by_hash else b.number == int(tag, 16))]
        return found[0] if found else None


def _logs_of(moves: Sequence[Move], block: Block, collection: Address) -> Iterator[dict[str, object]]:
    """Source: ERC-1155, events."""
    batches = [list(batch) for _, batch in groupby(moves, key=lambda move: (move.sender, move.recipient))]
    for place, batch in enumerate(batches):
        sender, recipient = batch[0].sender, batch[0].recipient
        token_ids, units = [move.token_id for move in batch], [move.units for move in batch]
        single = len(batch) == 1
        data = (
            [*token_ids, *units] if single else [64, 96 + 32 * len(batch), len(batch), *token_ids, len(batch), *units]
        )
        signature = erc1155.TRANSFER_SINGLE if single else erc1155.TRANSFER_BATCH
        yield {
            "address": collection.lower(),
            "topics": [
                _hex(signature),
                *(_hex(bytes.fromhex(of[2:]).rjust(_WORD, b"\0")) for of in (sender, sender, recipient)),
            ],
            "data": _hex(b"".join(value.to_bytes(_WORD, "big") for value in data)),
            "blockNumber": hex(block.number),
            "blockHash": block.hash,
            "transactionHash": _hash_of(block.hash.encode(), block.number, place),
            "transactionIndex": hex(place),
            "logIndex": hex(place),
            "removed": False,
        }


_HEADER: Final[Mapping[str, object]] = {
    **dict.fromkeys(
        ("sha3Uncles", "stateRoot", "transactionsRoot", "receiptsRoot", "mixHash"), "0x" + bytes(_WORD).hex()
    ),
    "miner": NOBODY,
    "logsBloom": "0x" + bytes(256).hex(),
    **dict.fromkeys(("difficulty", "gasLimit", "gasUsed"), "0x0"),
    "extraData": "0x",
}
"""What is the same in every header."""


def _hash_of(parent: bytes, number: int, salt: int) -> BlockHash:
    return BlockHash("0x" + keccak(b"%s/%d/%d" % (parent, number, salt)).hex())


def _address(text: object) -> Address:
    return to_checksum(bytes.fromhex(str(text)[2:]))


def _hex(data: bytes) -> str:
    return "0x" + data.hex()


def _word(body: bytes, place: int) -> int:
    return int.from_bytes(body[place * _WORD : (place + 1) * _WORD], "big")


def _array_at(body: bytes, offset: int) -> list[int]:
    start = offset // _WORD
    return [_word(body, start + 1 + i) for i in range(_word(body, start))]
