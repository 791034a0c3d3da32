"""Hearings: what endpoints said of a contract wallet, of a transaction and of vaults, kept and judged again later.

Nobody is asked. A block's hash is computed from its header; the questions are made again from what the wallet was to
answer, and the answers of each endpoint to just these questions are taken; a quorum must have said the same, and none
another thing. A transaction's sender and hash are computed, and its place in the block is proven where that was kept.

What stands here is on purpose not the code that asked (`verifier.control`, `verifier.delegation`).
"""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Final, TypeVar

from verifier.chain import CALLER, DEVELOPMENT_CHAINS, STALE_AFTER
from verifier.contracts import encode
from verifier.control import CLOCK_SLACK, MAGIC, WRAPPED, Challenge, Method, nobodys_digest, probe, unwrapped
from verifier.delegation import (
    CHECK_ALL,
    CHECK_CONTRACT,
    CHECK_ERC1155,
    REGISTRY,
    RIGHTS,
    Authority,
    Delegation,
    Level,
)
from verifier.headers import Header, UnsoundHeader, parse_header
from verifier.holdings import Address, Block, TokenId
from verifier.manifest import Manifest
from verifier.mined import Place, UnsoundTransaction, is_there, read_signed
from verifier.proofs import UnsoundProof

_WORD: Final = 32
_YES: Final = MAGIC.ljust(_WORD, b"\0")
_ONE: Final = (1).to_bytes(_WORD, "big")
_LONG: Final = _WORD.to_bytes(_WORD, "big")
_DEPLOYED, _FIRST, _SECOND, _WORDS = 0, 1, 4, 7
"""Of what the probe answers: whether there is a wallet now, and where three words of each question begin."""
_AHEAD: Final = 900
"""Seconds that a block may be later than the command that looked at it: clocks differ."""
T = TypeVar("T")


class Unheard(ValueError):
    """What was kept does not show it; the sentence says why."""


@dataclass(frozen=True, slots=True)
class Heard:
    """What follows from a hearing."""

    faults: Sequence[str] = ()
    block: Block | None = None
    open_: str = ""
    """What of it nobody can tell from this; empty where all of it was judged."""


# --- wallets ----------------------------------------------------------------------------------------------------------


def judge_wallet(challenge: Challenge, kept: Mapping[str, Any], *, agree: int, at: int) -> Heard:
    """Judge again how a contract wallet, or a wallet by a transaction, answered.

    Args:
        challenge: the text that was answered.
        kept: `method`, `signature` or `transaction`, `block`, and what endpoints said of it: `exchanges`, `place`.
        agree: how many endpoints must have said the same.
        at: when the link was made; seconds since 1970.

    Raises:
        ValueError, KeyError, TypeError: it is no such thing.
    """
    try:
        header = _header_of(kept["exchanges"], kept["block"])
        _refuse_later(header.block, at)
        if kept["method"] == Method.TRANSACTION:
            return _by_transaction(challenge, kept, header, agree)
        _refuse_old(challenge, header.block)
        said = [_Said(kept["exchanges"], number, header.block) for number in _numbers(kept["exchanges"])]
        judge = _of_contract if kept["method"] == Method.CONTRACT else _of_deployment
        answers = [answer for one in said if (answer := judge(challenge, bytes.fromhex(kept["signature"][2:]), one))]
        first, second = _agreed(answers, agree, "of the wallet")
    except Unheard as error:
        return Heard([str(error)])
    if first != _YES:
        return Heard(["the contract did not say that it signed this"], header.block)
    if second == _YES:
        return Heard(["the contract said of anything that it signed it"], header.block)
    return Heard((), header.block)


def _refuse_later(block: Block, at: int) -> None:
    if block.timestamp > at + _AHEAD:
        raise Unheard(f"its block is of {block.timestamp}, after the link")


def _refuse_old(challenge: Challenge, block: Block) -> None:
    """A wallet is asked as it is now: it may have had other owners."""
    if challenge.chain_id not in DEVELOPMENT_CHAINS and block.timestamp < challenge.issued_at - STALE_AFTER:
        raise Unheard(f"it was asked at a block of {block.timestamp}, long before the text")


def _of_contract(challenge: Challenge, signature: bytes, said: "_Said") -> tuple[bytes, bytes] | None:
    """What it said of the text, and of what nobody signed; None: the endpoint was absent."""
    if not said.code(challenge.wallet) or said.chain != challenge.chain_id:
        return None
    inner = signature
    if signature.endswith(WRAPPED):
        inner = _inside(signature)[2]
    first, second = (said.call(challenge.wallet, question) for question in _questions(challenge, inner))
    return None if first is None or second is None else (first, second)


def _of_deployment(challenge: Challenge, signature: bytes, said: "_Said") -> tuple[bytes, bytes] | None:
    if said.code(challenge.wallet) != b"" or said.chain != challenge.chain_id:
        return None
    factory, deployment, inner = _inside(signature)
    creation = probe() + encode(challenge.wallet, factory, deployment, *_questions(challenge, inner))
    answer = said.call(None, creation)
    if answer is None:
        return None
    words = [answer[start : start + _WORD] for start in range(0, len(answer), _WORD)]
    if len(answer) != _WORDS * _WORD or not any(words[_DEPLOYED]):
        raise Unheard("what the signature carries did not deploy the wallet")
    first, second = (
        words[start + 2] if (words[start], words[start + 1]) == (_ONE, _LONG) else b"" for start in (_FIRST, _SECOND)
    )
    return first, second


def _inside(signature: bytes) -> tuple[Address, bytes, bytes]:
    found = unwrapped(signature)
    if isinstance(found, str):
        raise Unheard(found)
    return found.factory, found.deployment, found.signature


def _questions(challenge: Challenge, signature: bytes) -> list[bytes]:
    padded = signature.ljust(-(-len(signature) // _WORD) * _WORD, b"\0")
    tail = (2 * _WORD).to_bytes(_WORD, "big") + len(signature).to_bytes(_WORD, "big") + padded
    return [MAGIC + digest + tail for digest in (challenge.digest, nobodys_digest(challenge))]


def _by_transaction(challenge: Challenge, kept: Mapping[str, Any], header: Header, agree: int) -> Heard:
    block, answers = header.block, [one["result"] for one in kept["exchanges"] if one["method"] == _TRANSACTION]
    if len(_numbers(kept["exchanges"])) < agree or len(answers) < agree:
        raise Unheard(f"{len(answers)} endpoints told of the transaction, and {agree} must")
    faults = []
    for answer in answers:
        try:
            found = read_signed(answer)
        except UnsoundTransaction as error:
            raise Unheard(f"the transaction: {error}") from error
        faults += [
            problem
            for problem, holds in (
                (f"it hashes to {found.hash}, not to {kept['transaction']}", found.hash == kept["transaction"]),
                (f"its key is that of {found.sender}", found.sender == challenge.wallet),
                (f"it goes to {found.to}, not to the wallet itself", found.to == challenge.wallet),
                (f"it carries {found.wei} wei", not found.wei),
                ("its data is not the text's digest", found.data == challenge.digest),
                (f"it is for chain {found.chain_id}", found.chain_id in (None, challenge.chain_id)),
                (f"it says that it was in block {answer.get('blockHash')}", answer.get("blockHash") == block.hash),
            )
            if not holds
        ]
    if not challenge.issued_at - CLOCK_SLACK <= block.timestamp <= challenge.expires_at:
        faults.append(f"its block is of {block.timestamp}, and the text was good until {challenge.expires_at}")
    place = kept.get("place")
    if place is None:
        return Heard(faults, block, "that the transaction was in that block, endpoints say")
    try:
        nodes = tuple(bytes.fromhex(node[2:]) for node in place["nodes"])
        if place != {"index": place["index"], "nodes": ["0x" + node.hex() for node in nodes]}:
            faults.append("its place has something that a place has not")
        if not is_there(Place(place["index"], nodes), header, read_signed(answers[0]).encoded):
            faults.append("another transaction is at its place in the block")
    except UnsoundProof as error:
        faults.append(f"its place in the block: {error}")
    return Heard(faults, block)


_TRANSACTION: Final = "eth_getTransactionByHash"


# --- vaults -----------------------------------------------------------------------------------------------------------


def hear_vaults(
    exchanges: Sequence[Mapping[str, Any]], block: Block, delegations: Iterable[Delegation], manifest: Manifest
) -> Mapping[Address, Authority]:
    """What each vault vouched for at the block, by what the registry answered to each endpoint.

    Raises:
        Unheard: it does not follow.
        ValueError, KeyError, TypeError: it is no such thing.
    """
    said = [_Said(exchanges, number, block) for number in _numbers(exchanges)]
    present = [one for one in said if one.chain == manifest.chain_id and one.code(REGISTRY)]
    collection = manifest.collections[0].address
    return {
        one.vault: _agreed(
            [answer for heard in present if (answer := _authority(one, heard, block, collection))],
            manifest.quorum.agree,
            f"of the vault {one.vault}",
        )
        for one in delegations
    }


def _authority(one: Delegation, said: "_Said", block: Block, collection: Address) -> Authority | None:
    """What one endpoint said of a vault; None: it was absent."""
    parties = encode(one.wallet, one.vault)
    wide, narrow = (
        said.number(REGISTRY, question)
        for question in (CHECK_ALL + parties + RIGHTS, CHECK_CONTRACT + parties + encode(collection) + RIGHTS)
    )
    if wide is None or narrow is None:
        return None
    if max(wide, narrow) > 1:
        raise Unheard(f"the registry says {max(wide, narrow)} of {one.vault}, where true or false is asked for")
    if wide or narrow:
        return Authority(one, block, Level.VAULT if wide else Level.COLLECTION, {})
    units: dict[TokenId, int] = {}
    for token in one.token_ids:
        found = said.number(REGISTRY, CHECK_ERC1155 + parties + encode(collection, token) + RIGHTS)
        if found is None:
            return None
        if found:
            units[token] = found
    return Authority(one, block, Level.TOKENS if units else None, units)


# --- what endpoints said ----------------------------------------------------------------------------------------------


class _Said:
    """What one endpoint said at a block."""

    def __init__(self, exchanges: Sequence[Mapping[str, Any]], number: int, block: Block) -> None:
        own = [one for one in exchanges if one["endpoint"] == number]
        chains = {one["result"] for one in own if one["method"] == "eth_chainId"}
        self.chain = int(chains.pop(), 16) if len(chains) == 1 else None
        self._codes: dict[str, bytes] = {}
        self._calls: dict[tuple[str | None, str], bytes] = {}
        for one in own:
            if one["params"][-1:] not in ([{"blockHash": block.hash, "requireCanonical": True}], [hex(block.number)]):
                continue
            if one["method"] == "eth_getCode":
                self._put(self._codes, one["params"][0].lower(), _data(one["result"]))
            elif one["method"] == "eth_call":
                self._put(self._calls, _asked(one["params"]), b"" if "refused" in one else _data(one["result"]))

    @staticmethod
    def _put(into: "dict[T, bytes]", key: T, said: bytes) -> None:
        if into.setdefault(key, said) != said:
            raise Unheard("an endpoint said two things to one question")

    def code(self, address: Address) -> bytes | None:
        """What runs there; None: it was not said."""
        return self._codes.get(address.lower())

    def call(self, to: Address | None, data: bytes) -> bytes | None:
        """What is answered; nothing where the contract refused. None: it was not asked, or not so."""
        return self._calls.get((None if to is None else to.lower(), "0x" + data.hex()))

    def number(self, to: Address, data: bytes) -> int | None:
        """The one word that is answered."""
        answer = self.call(to, data)
        if answer is not None and len(answer) != _WORD:
            raise Unheard(f"{to} answered {len(answer)} bytes, where one word is asked for")
        return None if answer is None else int.from_bytes(answer, "big")


def _asked(params: Sequence[Any]) -> tuple[str | None, str]:
    """Whom and what a call asks, if it asks as we ask: as nobody, and of the chain as it is."""
    call = params[0]
    if len(params) != 2 or call.keys() - {"from", "to", "gas", "data"} or call.get("from", CALLER) != CALLER:  # noqa: PLR2004
        raise Unheard("a contract was asked in another way than contracts are asked")
    to = call.get("to")
    return None if to is None else to.lower(), call["data"]


def _agreed(answers: "Sequence[T]", agree: int, what: str) -> T:
    if len(answers) < agree:
        raise Unheard(f"{len(answers)} endpoints told {what}, and {agree} must")
    if any(answer != answers[0] for answer in answers):
        raise Unheard(f"endpoints disagree {what}")
    return answers[0]


def _header_of(exchanges: Sequence[Mapping[str, Any]], block: Mapping[str, Any]) -> Header:
    """The header that hashes to the block's hash."""
    for one in exchanges:
        if one["method"] in ("eth_getBlockByHash", "eth_getBlockByNumber") and isinstance(one["result"], Mapping):
            try:
                header = parse_header(one["result"])
            except UnsoundHeader as error:
                raise Unheard(f"a header: {error}") from error
            found = header.block
            if found.hash == block["hash"]:
                if block != {"number": found.number, "hash": found.hash, "time": found.timestamp}:
                    raise Unheard(f"its block is {block}, and the header says {found}")
                return header
    raise Unheard(f"no header of it hashes to {block['hash']}")


def _numbers(exchanges: Sequence[Mapping[str, Any]]) -> list[int]:
    return sorted({one["endpoint"] for one in exchanges})


def _data(said: object) -> bytes:
    if not isinstance(said, str) or not said.startswith("0x"):
        raise ValueError("it is no bytes in hex digits")
    return bytes.fromhex(said[2:])
