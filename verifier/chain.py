"""Holdings from nodes, none of which is trusted alone.

Every answer belongs to one block *hash*. Each read is a sandwich: the hash at that height is looked at before and
after, so a reorganisation in between is seen. A node that ignores block hashes is found out by asking it at one that no
block has, and is then asked by number. Answers are decoded strictly. Several endpoints must say the same: fewer than
the quorum, or one that differs, is no answer at all.

What an endpoint may do without spoiling the quorum is to be absent: unreachable, refusing, lagging behind the block or
without its state. What it may not do is to say something else.
"""

import re
import threading
import time
from binascii import unhexlify
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from itertools import chain
from typing import Final, TypeAlias, TypeVar

from eth_hash.auto import keccak

from verifier import erc1155
from verifier.addresses import to_checksum
from verifier.contracts import Answer, Call, Reverted, Transaction
from verifier.errors import (
    AnswerSuspicious,
    BlockReplaced,
    BlockUnavailable,
    CallReverted,
    ChainError,
    ChainUnreachable,
    CodeChanged,
    EndpointRefused,
    EndpointsAlike,
    EndpointsDisagree,
    NoContract,
    NotErc1155,
    QuorumMissed,
    WrongChain,
    counted,
)
from verifier.holdings import Address, Ask, Block, BlockHash, BlockTag
from verifier.rpc import TOO_LARGE, Asked, Exchange, Recorded

T = TypeVar("T")
Decoder: TypeAlias = Callable[[Sequence[object], range], Sequence[T]]
"""Logs as a node gives them, and the numbers of the blocks that they are of, to what they say.

Raises `verifier.erc1155.UnsoundAnswer` where no honest node gives that.
"""

DEVELOPMENT_CHAINS: Final = frozenset({1337, 31337})
"""Chain ids of Anvil, Hardhat and Ganache; they make a block only when there is something to put in it."""
STALE_AFTER: Final = 3600
"""Seconds: a `latest` block older than this is a node that lags, on any chain that people use."""
BLOCKS_PER_LOGS: Final = 2_000
"""Blocks whose logs are asked for at once. Halved where a node takes less."""
PAIRS_PER_CALL: Final = 12_000
"""Balances in one call: at 3.4 k gas each under the 50 M that geth grants a call. Halved where a node takes less."""

_AHEAD: Final = 900
"""Seconds that a chain's clock may be ahead of this machine's."""
_KEPT_BLOCKS: Final = 64

IMPLEMENTATION_SLOT: Final = "0x360894a13ba1a3210667c828492db98dca3e2076cc3735a920a3ca505d382bbc"
"""Where a proxy keeps the address of its code. Source: ERC-1967."""
BEACON_SLOT: Final = "0xa3f0ad74e5423aebfd80d3ef4346578335a9a72aeaee59ff6cb3582b35133d50"
"""Where a beacon proxy keeps the address of its beacon. Source: ERC-1967."""
_IMPLEMENTATION_CALL: Final = bytes.fromhex("5c60da1b")
"""`implementation()`, which a beacon answers."""
_NO_BLOCK: Final = BlockHash("0x" + "ba" * 32)
"""No block has this hash; a node that answers at it does not look at hashes."""

CALL_GAS: Final = 15_000_000
"""Gas of a call to any contract, the same on every endpoint, so that they agree on whether it was enough."""
CALLER: Final = to_checksum(keccak(b"Deckproof asks")[-20:])
"""Who asks a contract. Nobody has its key. Not the zero address, a node's default: some wallets skip their checks for a
sender that cannot be."""

_WORD: Final = 32
_HEADER_CAP: Final = 4 * 1024 * 1024
LOGS_WITHIN: Final = 20.0
"""Seconds for all the logs of a range: they are a hint, and whoever waits for balances does not wait for them."""
_LOGS_CAP: Final = 64 * 1024 * 1024
"""More than a full block can hold; for several blocks they may honestly be more, and fewer are asked for."""
_CODE_CAP: Final = 256 * 1024
_WORD_CAP: Final = 4096
_ANSWER_CAP: Final = 64 * 1024
"""Bytes of what an endpoint says of a call to any contract, or of a transaction."""
_QUANTITY = re.compile(r"0x[0-9a-fA-F]{1,16}", re.ASCII)
_HASH = re.compile(r"0x[0-9a-fA-F]{64}", re.ASCII)
_ADDRESS = re.compile(r"0x[0-9a-fA-F]{40}", re.ASCII)
_AMOUNT = re.compile(r"0x[0-9a-fA-F]{1,64}", re.ASCII)
_CALL: Final = "eth_call"

_REVERTED: Final = 3
"""JSON-RPC code of geth and Anvil for a call that reverted."""
_INVALID_REQUEST: Final = -32600
"""What Anvil says of a body over 2 MB."""
_INVALID_PARAMS: Final = frozenset({-32602, _INVALID_REQUEST})
_RESOURCE_NOT_FOUND: Final = -32001
"""Source: EIP-1474."""
_TOO_MUCH = re.compile(
    r"out ?of ?gas|memory ?oog|gas ?(limit|cap|required|uint64)|exceeds? .*gas|too (large|big|long)|size (limit|exceed)"
    r"|exceeds? .*(size|limit|length)|entity too|payload|execution timeout|timed? ?out|intrinsic gas",
    re.IGNORECASE,
)
_NO_STATE = re.compile(
    r"missing trie node|header (for hash )?not found|state .*(not available|unavailable|pruned)|prune|historical"
    r"|block not found|unknown block|not found|could not find block|BlockOutOfRange|no state|archive|not canonical",
    re.IGNORECASE,
)
_OUT_OF_GAS = re.compile(r"out ?of ?gas|memory ?oog", re.IGNORECASE)
_REVERT = re.compile(
    r"revert|invalid opcode|invalid ?jump|stack (under|over)flow|InvalidFEOpcode|opcode", re.IGNORECASE
)


@dataclass(frozen=True, slots=True)
class Collection:
    """An ERC-1155 contract on one chain."""

    chain_id: int | None
    """None: whatever chain the endpoints serve, as long as it is the same."""
    address: Address
    code_hash: str | None = None
    """What `Contract.code_hash` must be; None: not compared."""


@dataclass(frozen=True, slots=True)
class Contract:
    """What runs at the collection's address in one block."""

    chain_id: int
    code_hash: str
    """keccak-256 of the runtime code; of a proxy, keccak-256 of its code hash followed by its implementation's, so that
    an exchanged implementation shows."""
    implementation: Address | None
    """Where an ERC-1967 proxy sends calls; None when it is no proxy."""


def code_hash_of(code: bytes, behind: bytes | None = None) -> str:
    """`Contract.code_hash` of a contract; `behind` is the code of the implementation, if it is a proxy."""
    return "0x" + keccak(code if behind is None else keccak(code) + keccak(behind)).hex()


class ChainHoldings:
    """Holdings as endpoints report them.

    Args:
        endpoints: at least one.
        collection: which contract; its chain id and code hash are checked on every endpoint.
        quorum: how many endpoints must give the same answer; more than half of them when not given.
        stale_after: seconds; None accepts a `latest` block of any age.
        now: seconds since 1970.
        on_progress: called with balances read and balances asked for, from any thread.

    Raises:
        EndpointsAlike: an endpoint is named twice, perhaps in two spellings.
        ValueError: a quorum that so many endpoints cannot reach.
    """

    def __init__(  # noqa: PLR0913 - what varies is passed in, by keyword
        self,
        endpoints: Sequence[Asked],
        collection: Collection,
        *,
        quorum: int | None = None,
        stale_after: float | None = STALE_AFTER,
        pairs_per_call: int = PAIRS_PER_CALL,
        now: Callable[[], float] = time.time,
        on_progress: Callable[[int, int], None] | None = None,
    ) -> None:
        majority = len(endpoints) // 2 + 1
        self.quorum = majority if quorum is None else quorum
        if not 1 <= self.quorum <= len(endpoints):
            raise ValueError(f"a quorum of {self.quorum} out of {len(endpoints)} endpoints cannot be reached")
        _refuse_alike(endpoints)
        self.collection = collection
        self._endpoints, self._pairs_per_call, self._on_progress = endpoints, pairs_per_call, on_progress
        self._readers = [_Reader(endpoint, collection, pairs_per_call, on_progress) for endpoint in endpoints]
        self._stale_after, self._now = stale_after, now
        self._found: dict[Block, tuple[Contract, list[_Reader]]] = {}
        """The contract in a block, and the endpoints that showed it; only they are asked for balances there."""

    def pin(self, tag: BlockTag, /) -> Block:
        """Find the block on a quorum of endpoints, and the collection in it.

        For a tag, the newest block that a quorum has reached.

        Raises:
            ChainError: nothing may be concluded; its leaf says why.
        """
        block = self._find(tag)
        self.inspect(block)
        return block

    def inspect(self, block: Block) -> Contract:
        """What runs at the collection's address in that block; asked once, since a block never changes.

        Raises:
            ChainError: another chain, no contract, not ERC-1155, other code; or nothing may be concluded.
        """
        return self._inspected(block)[0]

    def _inspected(self, block: Block) -> "tuple[Contract, list[_Reader]]":
        if block not in self._found:
            question = f"the contract at {self.collection.address}"
            answers = self._present(question, lambda reader: reader.contract(block), self._readers)
            while len(self._found) >= _KEPT_BLOCKS:
                del self._found[next(iter(self._found))]
            self._found[block] = _one(question, answers), [reader for reader, _ in answers]
        return self._found[block]

    def read(self, asks: Sequence[Ask], block: Block, /) -> list[tuple[int, ...]]:
        """Units for each ask, in the order of its token ids; all at this one block.

        Raises:
            ChainError: nothing may be concluded; its leaf says why.
        """
        readers = self._inspected(block)[1]
        question = f"the balances at block {block.number}"
        units = _one(question, self._present(question, lambda reader: reader.balances(asks, block), readers))
        ends = 0
        answers = []
        for ask in asks:
            answers.append(units[ends : ends + len(ask.token_ids)])
            ends += len(ask.token_ids)
        return answers

    def find(self, tag: BlockTag, /) -> Block:
        """The block that a tag, number or hash means, as `pin` finds it; the collection is not looked for.

        Raises:
            ChainError: nothing may be concluded; its leaf says why.
        """
        return self._find(tag)

    def logs(self, topics: Sequence[object], after: Block, until: Block, decode: "Decoder[T]") -> list[T]:
        """What the collection logged in the blocks after one and up to another, in their order.

        Args:
            topics: as `eth_getLogs` takes them.
            after: an earlier block.
            until: a block; both are looked at before and after, so that a node which has not got so far, or stands on
                a fork, is found out.
            decode: what nodes give as the logs of some of these blocks, to what they say.

        Raises:
            ChainError: nothing may be concluded; its leaf says why.
        """
        question = f"the logs of blocks {after.number + 1} to {until.number}"
        return list(self._agreed(question, lambda reader: reader.logs(topics, after, until, decode)))

    def header(self, block: Block) -> Mapping[str, object]:
        """The header of a block as the first of the endpoints that have it gives it: all that its hash is made from.

        Raises:
            ChainError: nothing may be concluded; its leaf says why.
        """
        question = f"the header of block {block.number}"
        return self._present(question, lambda reader: reader.header(block), self._readers)[0][1]

    def recorded(self, record: Callable[[Exchange], None], *, refusals: bool = False) -> "ChainHoldings":
        """The same endpoints under the same rules, asked anew; all that they answer is also given to `record`.

        Args:
            record: called after each answer, from any thread.
            refusals: whether what they refuse is given to it too.
        """
        return ChainHoldings(
            [Recorded(endpoint, record, refusals=refusals) for endpoint in self._endpoints],
            self.collection,
            quorum=self.quorum,
            stale_after=self._stale_after,
            pairs_per_call=self._pairs_per_call,
            now=self._now,
            on_progress=self._on_progress,
        )

    @property
    def endpoints(self) -> Sequence[Asked]:
        """Whom it asks, in their order."""
        return self._endpoints

    def chain_id(self) -> int:
        """The chain that all endpoints serve.

        Raises:
            ChainError: they serve different ones, or another than the collection's; or nothing may be concluded.
        """
        return self._agreed("the chain id", lambda reader: reader.chain_id())

    def code(self, address: Address, block: Block) -> bytes:
        """What runs at any address in that block; empty where nothing does.

        Raises:
            ChainError: nothing may be concluded; its leaf says why.
        """
        return self._agreed(f"the code at {address}", lambda reader: reader.code(address, block))

    def call(self, to: Address, data: bytes, block: Block) -> bytes:
        """What any contract answers in that block.

        Raises:
            CallReverted: it refuses.
            ChainError: nothing may be concluded; its leaf says why.
        """
        [answer] = self.calls([Call(to, data)], block)
        if isinstance(answer, Reverted):
            raise CallReverted(to, block.number)
        return answer

    def calls(self, calls: Sequence[Call], block: Block) -> list[Answer]:
        """What any contracts answer in that block, in the order of the calls; `Reverted` where one refuses.

        Raises:
            ChainError: nothing may be concluded; its leaf says why.
        """
        question = f"{len(calls)} calls at block {block.number}"
        return list(self._agreed(question, lambda reader: reader.answers(calls, block)))

    def transaction(self, transaction_hash: str) -> Transaction | None:
        """A transaction that was mined, in a block that is on the chain; None: no endpoint knows it as mined.

        Args:
            transaction_hash: `0x` and 64 lower-case hex digits.

        Raises:
            ChainError: nothing may be concluded; its leaf says why.
        """
        question = f"the transaction {transaction_hash}"
        answers = self._present(question, lambda reader: reader.transaction(transaction_hash), self._readers)
        known = [(reader, answer) for reader, answer in answers if answer is not None]
        if not known:
            return None
        if len(known) < self.quorum:
            unknowing = [f"{reader.name} does not know it as mined" for reader, answer in answers if answer is None]
            raise QuorumMissed(question, len(known), self.quorum, unknowing)
        return _one(question, known)

    def _find(self, tag: BlockTag) -> Block:
        if isinstance(tag, int) or tag.startswith("0x"):
            return self._agreed(f"block {tag}", lambda reader: reader.block(tag))
        heads = self._present(f"the {tag} block", lambda reader: reader.newest(tag), self._readers)
        self._refuse_wrong_time([newest for _, (_, newest) in heads])
        reached = sorted((block.number for _, (block, _) in heads), reverse=True)[self.quorum - 1]
        return self._agreed(f"block {reached}", lambda reader: reader.block(reached))

    def _refuse_wrong_time(self, newest: Sequence[Block]) -> None:
        """A chain's end is about now; if it is not, the node lags, or makes things up.

        The end is looked at for `safe` and `finalized` too, since a node that lags is as far behind with them.
        """
        block = sorted(newest, key=lambda block: block.timestamp, reverse=True)[self.quorum - 1]
        age = self._now() - block.timestamp
        if self._stale_after is None or -_AHEAD <= age <= self._stale_after:
            return
        if self._agreed("the chain id", lambda reader: reader.chain_id()) in DEVELOPMENT_CHAINS:
            return
        names = ", ".join(reader.name for reader in self._readers)
        problem = (
            f"its newest block is {age / 60:.0f} minutes old, so the node lags behind the chain; use another endpoint"
            if age > 0
            else "its newest block is from the future; check this machine's clock, or use another endpoint"
        )
        raise BlockUnavailable(names, str(block.number), problem)

    def _agreed(self, question: str, ask: "Callable[[_Reader], T]") -> T:
        """The one answer that a quorum of endpoints gave and no endpoint contradicted."""
        return _one(question, self._present(question, ask, self._readers))

    def _present(
        self, question: str, ask: "Callable[[_Reader], T]", readers: "Sequence[_Reader]"
    ) -> "list[tuple[_Reader, T]]":
        """Answers of the endpoints that gave one, at least a quorum."""
        answers: list[tuple[_Reader, T]] = []
        absent: list[ChainError] = []
        for reader, outcome in zip(readers, _outcomes(ask, readers), strict=True):
            if isinstance(outcome, ChainUnreachable | EndpointRefused | BlockUnavailable):
                absent.append(outcome)
            elif isinstance(outcome, ChainError):
                raise outcome
            else:
                answers.append((reader, outcome))
        if len(answers) >= self.quorum:
            return answers
        if len(self._readers) == 1:
            raise absent[0]
        raise QuorumMissed(question, len(answers), self.quorum, tuple(map(str, absent)))


def _refuse_alike(endpoints: Sequence[Asked]) -> None:
    known: dict[object, Asked] = {}
    for endpoint in endpoints:
        first = known.setdefault(endpoint.identity, endpoint)
        if first is not endpoint:
            raise EndpointsAlike(first.name, endpoint.name)


def _one(question: str, answers: "Sequence[tuple[_Reader, T]]") -> T:
    """The answer that all gave."""
    first = answers[0][1]
    if any(answer != first for _, answer in answers[1:]):
        raise EndpointsDisagree(question, [(reader.name, _brief(answer)) for reader, answer in answers])
    return first


def _outcomes(ask: "Callable[[_Reader], T]", readers: "Sequence[_Reader]") -> "Iterable[T | ChainError]":
    """What each reader answers or is refused, in their order, asked at the same time."""

    def outcome(reader: "_Reader") -> T | ChainError:
        try:
            return ask(reader)
        except ChainError as error:
            return error

    if len(readers) == 1:
        return [outcome(readers[0])]
    with ThreadPoolExecutor(len(readers)) as pool:
        return list(pool.map(outcome, readers))


def _brief(answer: object) -> str:
    said: str
    match answer:
        case Block():
            said = answer.hash
        case Contract():
            said = f"code {answer.code_hash} on chain {answer.chain_id}"
        case Transaction():
            said = f"from {answer.sender} in block {answer.block.hash}"
        case bytes():
            said = f"{counted(len(answer), 'byte')} (digest {_digest(answer)})"
        case tuple() if all(isinstance(each, int) for each in answer):
            said = f"{counted(sum(answer), 'unit')} in all (digest {_digest(repr(answer).encode())})"
        case tuple():
            said = f"answers with digest {_digest(repr(answer).encode())}"
        case _:
            said = str(answer)
    return said


def _digest(data: bytes) -> str:
    return keccak(data).hex()[:8]


class _Reader:
    """One endpoint, asked about one collection. What it says is checked in form, not in truth."""

    def __init__(
        self,
        endpoint: Asked,
        collection: Collection,
        pairs_per_call: int,
        on_progress: Callable[[int, int], None] | None,
    ) -> None:
        self.name = endpoint.name
        self._endpoint, self._collection = endpoint, collection
        self._pairs = pairs_per_call
        self._blocks_per_logs = BLOCKS_PER_LOGS
        self._by_number: dict[str, bool] = {}
        """For each method that was tried: the node does not look at block hashes."""
        self._on_progress = on_progress or (lambda _done, _asked: None)

    # --- blocks

    def block(self, tag: BlockTag) -> Block:
        """The block with that number or hash, or at that tag."""
        by_hash = isinstance(tag, str) and tag.startswith("0x")
        method = "eth_getBlockByHash" if by_hash else "eth_getBlockByNumber"
        where = hex(tag) if isinstance(tag, int) else tag
        try:
            answer = self._endpoint.ask(method, [where, False], cap=_HEADER_CAP)
        except EndpointRefused as error:
            problem = f"it refuses ({error.message}); name a block by its number, or use `latest`"
            raise BlockUnavailable(self.name, str(tag), problem) from error
        if answer is None:
            raise BlockUnavailable(self.name, str(tag), self._why_absent(tag))
        found = self._header(answer, method)
        if isinstance(tag, int) and found.number != tag:
            raise AnswerSuspicious(self.name, method, f"it is block {found.number}, not {tag}")
        if by_hash and found.hash != tag:
            raise AnswerSuspicious(self.name, method, f"it is block {found.hash}, not {tag}")
        if by_hash and self.block(found.number).hash != tag:
            problem = "it is not on the chain: another block has its place"
            raise BlockUnavailable(self.name, str(tag), problem)
        return found

    def newest(self, tag: BlockTag) -> tuple[Block, Block]:
        """The block at a tag, and the newest one, which it must not be ahead of."""
        found = self.block(tag)
        newest = found if tag == "latest" else self.block("latest")
        if newest.number < found.number:
            problem = f"its {tag} block {found.number} is ahead of its latest one"
            raise AnswerSuspicious(self.name, f"the {tag} block", problem)
        return found, newest

    def _why_absent(self, tag: BlockTag) -> str:
        if isinstance(tag, int):
            latest = self.block("latest").number
            if tag > latest:
                return f"it is in the future (or the node lags): the newest block there is {latest}"
            return "it has been pruned or never was; use an archive endpoint or a newer block"
        if tag.startswith("0x"):
            return "it knows no block with this hash; check the hash and the chain"
        return f"it has no {tag} block; name a block by its number, or use `latest`"

    def _header(self, answer: object, method: str) -> Block:
        fields = answer if isinstance(answer, dict) else {}
        number, block_hash, timestamp = (fields.get(key) for key in ("number", "hash", "timestamp"))
        if not (
            isinstance(number, str)
            and _QUANTITY.fullmatch(number)
            and isinstance(block_hash, str)
            and _HASH.fullmatch(block_hash)
            and isinstance(timestamp, str)
            and _QUANTITY.fullmatch(timestamp)
        ):
            raise AnswerSuspicious(self.name, method, "it is not a block header with number, hash and timestamp")
        return Block(int(number, 16), BlockHash(block_hash.lower()), int(timestamp, 16))

    def _still_there(self, block: Block) -> None:
        """One slice of the sandwich."""
        try:
            found = self.block(block.number)
        except BlockUnavailable as error:
            if self.block("latest").number < block.number:
                raise
            raise BlockReplaced(self.name, block.number, block.hash, "") from error
        if found.hash != block.hash:
            raise BlockReplaced(self.name, block.number, block.hash, found.hash)

    # --- the contract

    def chain_id(self) -> int:
        """The chain that the endpoint serves, which must be the collection's."""
        answer = self._endpoint.ask("eth_chainId", [], cap=_WORD_CAP)
        if not isinstance(answer, str) or not _QUANTITY.fullmatch(answer):
            raise AnswerSuspicious(self.name, "eth_chainId", "it is not a number")
        found, expected = int(answer, 16), self._collection.chain_id
        if expected not in (None, found):
            raise WrongChain(self.name, expected or 0, found)
        return found

    def contract(self, block: Block) -> Contract:
        """What runs at the collection's address, checked against what was expected of it."""
        chain_id = self.chain_id()
        self._still_there(block)
        address = self._collection.address
        code = self._code(address, block)
        if not code:
            raise NoContract(self.name, address, block.number)
        implementation = self._implementation(block)
        code_hash = code_hash_of(code, self._code(implementation, block) if implementation else None)
        if self._collection.code_hash not in (None, code_hash):
            raise CodeChanged(address, self._collection.code_hash or "", code_hash)
        self._refuse_other_interfaces(block)
        self._still_there(block)
        return Contract(chain_id, code_hash, implementation)

    def _refuse_other_interfaces(self, block: Block) -> None:
        """Source: ERC-165, "How to Detect if a Contract Implements ERC-165"."""
        address = self._collection.address
        for interface, expected in ((erc1155.ERC1155_ID, True), (erc1155.NO_INTERFACE_ID, False)):
            data = erc1155.supports_interface(interface)
            try:
                answer = erc1155.decode_bool(self._call(address, data, block, cap=_WORD_CAP))
            except EndpointRefused as error:
                if _is_revert(error) or _TOO_MUCH.search(error.message):
                    raise NotErc1155(self.name, address, "it does not answer supportsInterface") from error
                raise
            except erc1155.UnsoundAnswer as error:
                raise NotErc1155(
                    self.name, address, f"its answer to supportsInterface is no boolean ({error})"
                ) from error
            if answer is not expected:
                problem = "it says that it does not support the interface" if expected else "it claims every interface"
                raise NotErc1155(self.name, address, problem)

    def _code(self, address: Address, block: Block) -> bytes:
        return self._bytes("eth_getCode", [address], block, _CODE_CAP)

    def _implementation(self, block: Block) -> Address | None:
        """Where the collection sends calls, if it is a proxy. Source: ERC-1967."""
        address = self._collection.address
        implementation = self._address_in(
            self._bytes("eth_getStorageAt", [address, IMPLEMENTATION_SLOT], block, _WORD_CAP)
        )
        if implementation:
            return implementation
        beacon = self._address_in(self._bytes("eth_getStorageAt", [address, BEACON_SLOT], block, _WORD_CAP))
        if not beacon:
            return None
        return self._address_in(self._call(beacon, _IMPLEMENTATION_CALL, block, cap=_WORD_CAP))

    def _address_in(self, word: bytes) -> Address | None:
        if len(word) != _WORD:
            raise AnswerSuspicious(
                self.name, "eth_getStorageAt", f"it is {counted(len(word), 'byte')} long, and a word has {_WORD}"
            )
        return to_checksum(word[-20:]) if any(word[-20:]) else None

    # --- balances

    def balances(self, asks: Sequence[Ask], block: Block) -> tuple[int, ...]:
        """The balances of all asks one after the other, between two looks at the block."""
        asked = sum(len(ask.token_ids) for ask in asks)
        if not asked:
            return ()
        self._still_there(block)
        done = 0
        lock = threading.Lock()

        def read(chunk: list[Ask]) -> tuple[int, ...]:
            nonlocal done
            units = self._balances(chunk, block)
            with lock:
                done += len(units)
                self._on_progress(done, asked)
            return units

        chunks = list(_chunks(asks, self._pairs))
        if len(chunks) == 1:
            units = read(chunks[0])
        else:
            with ThreadPoolExecutor(self._endpoint.connections) as pool:
                units = tuple(chain.from_iterable(pool.map(read, chunks)))
        self._still_there(block)
        return units

    def _balances(self, asks: list[Ask], block: Block) -> tuple[int, ...]:
        """One call, or halves of it where the node finds it too much."""
        count = sum(len(ask.token_ids) for ask in asks)
        if count > self._pairs and count > 1:  # another thread learnt a smaller limit meanwhile
            return self._in_halves(asks, block)
        question = f"balanceOfBatch of {count}"
        try:
            answer = self._call(
                self._collection.address,
                erc1155.balance_of_batch(asks),
                block,
                cap=_WORD_CAP + 2 * 32 * (count + 2),
            )
            return erc1155.decode_balances(answer, count)
        except erc1155.UnsoundAnswer as error:
            raise AnswerSuspicious(self.name, question, str(error)) from error
        except EndpointRefused as error:
            if _is_too_much(error) and count > 1:
                self._pairs = max(1, min(self._pairs, count - count // 2))
                return self._in_halves(asks, block)
            if error.code not in (TOO_LARGE, _INVALID_REQUEST) and (_is_too_much(error) or _is_revert(error)):
                problem = f"the contract fails for a question that every collection answers ({error.message})"
                raise AnswerSuspicious(self.name, question, problem) from error
            raise

    def _in_halves(self, asks: list[Ask], block: Block) -> tuple[int, ...]:
        return tuple(chain.from_iterable(self._balances(half, block) for half in _halves(asks)))

    # --- logs

    def header(self, block: Block) -> Mapping[str, object]:
        """The header as the endpoint gives it, if it is that block's."""
        answer = self._endpoint.ask("eth_getBlockByHash", [block.hash, False], cap=_HEADER_CAP)
        if answer is None:
            raise BlockUnavailable(self.name, block.hash, self._why_absent(block.hash))
        if self._header(answer, "eth_getBlockByHash") != block or not isinstance(answer, dict):
            raise AnswerSuspicious(self.name, "eth_getBlockByHash", f"it is another block than {block.hash}")
        return answer

    def logs(self, topics: Sequence[object], after: Block, until: Block, decode: "Decoder[T]") -> tuple[T, ...]:
        """The logs of a range, between two looks at both of its ends."""
        self._still_there(after)
        self._still_there(until)
        found: list[T] = []
        first, asked, end = after.number + 1, 0, time.monotonic() + LOGS_WITHIN
        while first <= until.number:
            if asked and time.monotonic() > end:
                problem = (
                    f"up to block {first - 1} its logs took {LOGS_WITHIN:.0f} seconds, and they go on to {until.number}"
                )
                raise ChainUnreachable(self.name, problem, asked)
            asked += 1
            last = min(until.number, first + self._blocks_per_logs - 1)
            answer = self._logs(topics, first, last)
            if answer is None:
                self._blocks_per_logs = (last - first + 1) // 2
                continue
            try:
                found += decode(answer, range(first, last + 1))
            except erc1155.UnsoundAnswer as error:
                raise AnswerSuspicious(self.name, f"the logs of blocks {first} to {last}", str(error)) from error
            first = last + 1
        self._still_there(until)
        self._still_there(after)
        return tuple(found)

    def _logs(self, topics: Sequence[object], first: int, last: int) -> "list[object] | None":
        """None: the endpoint finds so many blocks too much."""
        method = "eth_getLogs"
        where = {
            "address": self._collection.address,
            "topics": topics,
            "fromBlock": hex(first),
            "toBlock": hex(last),
        }
        try:
            answer = self._endpoint.ask(method, [where], cap=_LOGS_CAP)
        except (EndpointRefused, AnswerSuspicious) as error:
            if last > first and not (isinstance(error, AnswerSuspicious) and error.longer_than is None):
                return None
            raise
        if not isinstance(answer, list):
            raise AnswerSuspicious(self.name, method, "it is not a list of logs")
        return answer

    # --- any contract

    def code(self, address: Address, block: Block) -> bytes:
        """What runs at an address, between two looks at the block."""
        self.chain_id()
        self._still_there(block)
        code = self._code(address, block)
        self._still_there(block)
        return code

    def answers(self, calls: Sequence[Call], block: Block) -> tuple[Answer, ...]:
        """What is said to each call, between two looks at the block."""
        self.chain_id()
        self._still_there(block)
        if _CALL not in self._by_number:  # asked of nobody, since a refusal by a contract would not tell
            harmless = {"to": CALLER, "data": b""}
            self._by_number[_CALL] = not self._looks_at_hashes(_CALL, [harmless], _WORD_CAP)
        if len(calls) == 1:
            answers: tuple[Answer, ...] = (self._answer(calls[0], block),)
        else:
            with ThreadPoolExecutor(self._endpoint.connections) as pool:
                answers = tuple(pool.map(lambda call: self._answer(call, block), calls))
        self._still_there(block)
        return answers

    def _answer(self, call: Call, block: Block) -> Answer:
        question = {"from": CALLER, "to": call.to, "gas": hex(CALL_GAS), "data": call.data}
        asked = {name: value for name, value in question.items() if value is not None}
        try:
            return self._bytes(_CALL, [asked], block, _ANSWER_CAP)
        except EndpointRefused as error:
            if _is_revert(error) or _OUT_OF_GAS.search(error.message):
                return Reverted()
            raise

    def transaction(self, transaction_hash: str) -> Transaction | None:
        """A mined transaction; None: it is not known, or waits."""
        self.chain_id()
        method = "eth_getTransactionByHash"
        answer = self._endpoint.ask(method, [transaction_hash], cap=_ANSWER_CAP)
        if answer is None:
            return None
        fields = answer if isinstance(answer, dict) else {}
        if fields.get("blockHash") is None and fields.get("hash") == transaction_hash:
            return None
        kind, value = (fields.get(key) for key in ("type", "value"))
        sender, to, block_hash = (fields.get(key) for key in ("from", "to", "blockHash"))
        if not (
            fields.get("hash") == transaction_hash
            and _fits(_QUANTITY, kind or "0x0")
            and _fits(_AMOUNT, value)
            and _fits(_ADDRESS, sender)
            and (to is None or _fits(_ADDRESS, to))
            and _fits(_HASH, block_hash)
        ):
            raise AnswerSuspicious(self.name, method, "it is not the transaction that was asked for")
        try:
            data = _unhex(fields.get("input"))
        except ValueError as error:
            raise AnswerSuspicious(self.name, method, "its data is not hexadecimal bytes") from error
        return Transaction(
            hash=transaction_hash,
            kind=int(str(kind or "0x0"), 16),
            sender=to_checksum(bytes.fromhex(str(sender)[2:])),
            to=None if to is None else to_checksum(bytes.fromhex(str(to)[2:])),
            wei=int(str(value), 16),
            data=data,
            block=self.block(BlockHash(str(block_hash).lower())),
        )

    # --- at a block

    def _call(self, to: Address, data: bytes, block: Block, *, cap: int) -> bytes:
        return self._bytes(_CALL, [{"to": to, "data": data}], block, cap)

    def _bytes(self, method: str, params: list[object], block: Block, cap: int) -> bytes:
        """What the endpoint answers at exactly this block."""
        if method not in self._by_number:
            self._by_number[method] = not self._looks_at_hashes(method, params, cap)
        where = hex(block.number) if self._by_number[method] else _at_hash(block.hash)
        try:
            answer = self._endpoint.ask(method, [*params, where], cap=cap)
        except EndpointRefused as error:
            if _NO_STATE.search(error.message) or error.code == _RESOURCE_NOT_FOUND:
                problem = (
                    f"its state is gone or not there yet ({error.message}); use an archive endpoint or a newer block"
                )
                raise BlockUnavailable(self.name, str(block.number), problem) from error
            raise
        try:
            return _unhex(answer)
        except ValueError as error:
            raise AnswerSuspicious(self.name, method, "it is not hexadecimal bytes") from error

    def _looks_at_hashes(self, method: str, params: list[object], cap: int) -> bool:
        """Whether the node refuses this very question at a block that does not exist.

        Only the refusal of one that looked counts. Any other error proves nothing, and is passed on.
        """
        try:
            self._endpoint.ask(method, [*params, _at_hash(_NO_BLOCK)], cap=cap)
        except EndpointRefused as error:
            if error.code == _RESOURCE_NOT_FOUND or _NO_STATE.search(error.message):
                return True
            if error.code in _INVALID_PARAMS:
                return False
            raise
        return False


def _at_hash(block_hash: BlockHash) -> dict[str, object]:
    """Source: EIP-1898."""
    return {"blockHash": block_hash, "requireCanonical": True}


def _unhex(answer: object) -> bytes:
    """Bytes from `0x` and pairs of hex digits. `unhexlify` takes nothing else, where `bytes.fromhex` takes blanks.

    Raises:
        ValueError: it is something else.
    """
    if not isinstance(answer, str) or not answer.startswith("0x"):
        raise ValueError(answer)
    return unhexlify(answer[2:])


def _fits(shape: "re.Pattern[str]", value: object) -> bool:
    return isinstance(value, str) and shape.fullmatch(value) is not None


def _is_too_much(error: EndpointRefused) -> bool:
    if error.code in (TOO_LARGE, _INVALID_REQUEST) or _TOO_MUCH.search(error.message):
        return True
    return _is_revert(error) and error.data in (None, "", "0x")


def _is_revert(error: EndpointRefused) -> bool:
    return error.code == _REVERTED or bool(_REVERT.search(error.message))


def _chunks(asks: Sequence[Ask], pairs: int) -> Iterator[list[Ask]]:
    """Asks in their order, in lists of at most so many pairs of wallet and token id; a long ask is cut."""
    chunk: list[Ask] = []
    room = pairs
    for ask in asks:
        ids = ask.token_ids
        while len(ids) > room:
            if len(ids) <= pairs or not room:  # does not fit here, may fit in the next
                yield chunk
            else:
                yield [*chunk, Ask(ask.wallet, ids[:room])]
                ids = ids[room:]
            chunk, room = [], pairs
        if ids:
            chunk.append(Ask(ask.wallet, ids))
            room -= len(ids)
    if chunk:
        yield chunk


def _halves(asks: list[Ask]) -> tuple[list[Ask], list[Ask]]:
    if len(asks) > 1:
        middle = len(asks) // 2
        return asks[:middle], asks[middle:]
    ask = asks[0]
    middle = len(ask.token_ids) // 2
    return [Ask(ask.wallet, ask.token_ids[:middle])], [Ask(ask.wallet, ask.token_ids[middle:])]
