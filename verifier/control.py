"""Control: the sign-in text that we author, and proof that a wallet answered it.

The server writes the whole text (`Challenge.text`) and keeps it under its nonce; a browser returns the nonce and a
signature, never a text. ECDSA is tried first, always: an EIP-7702 account has code and an ordinary key. Then a contract
is asked at a pinned block (ERC-1271); one that is not deployed yet, after a deployment that nobody broadcasts
(ERC-6492). A wallet that cannot sign sends itself nothing, with the text's digest as data.

A contract is asked two things: whether it signed the text, and whether the same signature is good for a digest that
nobody signed. One that says yes to both says yes to everything, which proves nothing.

Signature bytes are never an identity: one signature has six encodings and more, and all of them prove the same control.

Source: EIP-4361, EIP-191, EIP-2098, EIP-155, ERC-1271, ERC-6492, EIP-7702.
"""

import json
import re
from binascii import unhexlify
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from datetime import UTC, datetime
from enum import StrEnum
from functools import cache
from importlib.resources import files
from typing import Final, NamedTuple

from eth_hash.auto import keccak

from verifier.addresses import parse_address
from verifier.contracts import FIRST_WALLET, WORD, Answer, Call, Contracts, Transaction, decode_wrapped, encode
from verifier.curve import ORDER, address_of, curve
from verifier.errors import (
    AddressUnreadable,
    AnswerSuspicious,
    ChainError,
    ChallengeUnfit,
    HashUnreadable,
    NoEndpoints,
    SignatureUnreadable,
    TransactionPending,
    WrongChain,
)
from verifier.holdings import Address, Block

TEXT_CAP: Final = 1024
"""Bytes of a text; what is longer no wallet shows in full."""
MOST_SECONDS: Final = 600
"""From a text's first moment to its last."""
SIGNATURE_CAP: Final = 8 * 1024
"""Bytes of a signature: that of a passkey behind a wallet that is to be deployed has two thousand."""
CLOCK_SLACK: Final = 120
"""Seconds that a block's time, or another machine's clock, may be behind ours."""

MAGIC: Final = bytes.fromhex("1626ba7e")
"""What a contract is asked with, and what it says yes with. Source: ERC-1271."""
WRAPPED: Final = bytes.fromhex("6492" * 16)
"""How the signature of a wallet that is not deployed ends. Source: ERC-6492."""

_YES: Final = MAGIC.ljust(WORD, b"\0")
"""Compared as the whole word: the precompile 0x04 answers what it was asked, which begins with the magic value."""
_NOBODYS: Final = b"Deckproof: nobody signed this"

_EIP191: Final = b"\x19Ethereum Signed Message:\n"
_COMPACT, _PLAIN = 64, 65
"""Bytes of an ECDSA signature: with the parity in the highest bit of s (EIP-2098), and with v behind."""
_BARE, _ELECTRUM, _CHAINED = range(2), range(27, 29), range(35, 256)
"""Values of v: the parity itself, from 27 as is customary, and from 35 with a chain's id in it (EIP-155)."""
_KEYED: Final = range(5)
"""Types of transactions that the sender's own key signs. Source: EIP-2718, and what refers to it. Chains have more,
whose senders they make up."""
_PROBE_WORDS: Final = 7

_NONCE = re.compile(r"[0-9a-f]{32}", re.ASCII)
_DOMAIN = re.compile(r"([a-z0-9]([a-z0-9.-]{0,251}[a-z0-9])?|\[[0-9a-f:.]{2,45}\])(:[0-9]{1,5})?", re.ASCII)
_URI = re.compile(r"[a-z][a-z0-9+.-]*:[A-Za-z0-9._~:/?#\[\]@!$&'()*+,;=%-]+", re.ASCII)
_STATEMENT = re.compile(r"[A-Za-z0-9._~:/?#\[\]@!$&'()*+,;= -]+", re.ASCII)
"""Source: EIP-4361, `statement`: reserved and unreserved characters of URIs, and blanks."""
_NOT_STATED = re.compile(r"[^A-Za-z0-9._~:/?#\[\]@!$&'()*+,;= -]", re.ASCII)
_NAME = re.compile(r"[A-Za-z0-9._~-]{1,80}", re.ASCII)
_HASH = re.compile(r"0[xX][0-9a-fA-F]{64}", re.ASCII)
_TEXT = re.compile(
    r"(?P<domain>[^\n]+) wants you to sign in with your Ethereum account:\n"
    r"(?P<wallet>[^\n]+)\n\n(?P<statement>[^\n]+)\n\n"
    r"URI: (?P<uri>[^\n]+)\nVersion: 1\nChain ID: (?P<chain>[0-9]{1,19})\nNonce: (?P<nonce>[^\n]+)\n"
    r"Issued At: (?P<issued>[^\n]{20})\nExpiration Time: (?P<expires>[^\n]{20})"
    r"(?P<resources>\nResources:(\n- [^\n]+)+)?",
    re.ASCII,
)
_MOMENT: Final = "%Y-%m-%dT%H:%M:%SZ"
_LAST_MOMENT: Final = 250_000_000_000
"""Seconds since 1970: years have four digits until then."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Challenge:
    """What a wallet is asked to sign.

    Raises:
        ChallengeUnfit: a field that EIP-4361 or our limits do not allow; every fault.
    """

    domain: str
    """Host of the page that asks, and port where it is not the scheme's own; wallets compare it with the page."""
    wallet: Address
    statement: str
    """One line of ASCII: what is signed for, in words; `stated` makes any text fit."""
    uri: str
    """The page itself, on that domain."""
    chain_id: int
    nonce: str
    """32 lower-case hex digits; `new_nonce` makes one."""
    issued_at: int
    """Seconds since 1970, UTC."""
    expires_at: int
    """At most `MOST_SECONDS` later."""
    resources: tuple[str, ...] = ()
    """URIs; `resources` makes those that name event, deck and player."""

    def __post_init__(self) -> None:
        if faults := _faults(self):
            raise ChallengeUnfit(faults)

    @property
    def text(self) -> str:
        """What the wallet shows and signs. Source: EIP-4361."""
        lines = [
            f"{self.domain} wants you to sign in with your Ethereum account:",
            self.wallet,
            "",
            self.statement,
            "",
            f"URI: {self.uri}",
            "Version: 1",
            f"Chain ID: {self.chain_id}",
            f"Nonce: {self.nonce}",
            f"Issued At: {_moment(self.issued_at)}",
            f"Expiration Time: {_moment(self.expires_at)}",
        ]
        if self.resources:
            lines += ["Resources:", *(f"- {resource}" for resource in self.resources)]
        return "\n".join(lines)

    @property
    def digest(self) -> bytes:
        """The 32 bytes that a signature signs, and that a transaction carries."""
        return digest_of(self.text.encode())


class Method(StrEnum):
    """How control was proven."""

    SIGNATURE = "signature"
    """ECDSA, by the wallet's own key."""
    CONTRACT = "contract"
    """ERC-1271."""
    COUNTERFACTUAL = "counterfactual"
    """ERC-6492."""
    TRANSACTION = "transaction"


class ControlOutcome(StrEnum):
    """What is known of control."""

    PROVEN = "proven"
    NOT_PROVEN = "not proven"
    UNDETERMINED = "undetermined"


@dataclass(frozen=True, slots=True)
class ControlVerdict:
    """The answer to a challenge, judged."""

    challenge: Challenge
    outcome: ControlOutcome
    method: Method | None = None
    """Exactly when it is proven."""
    block: Block | None = None
    """At which a contract was asked, or in which the transaction was mined; None where no chain was needed."""
    reasons: tuple[str, ...] = ()
    """Why it is not proven, in sentences; empty otherwise."""
    trouble: ChainError | None = None
    """Why it is undetermined."""

    @property
    def proven(self) -> bool:
        """Whether the wallet answered."""
        return self.outcome is ControlOutcome.PROVEN


# --- the text


def new_nonce(chance: Callable[[int], bytes]) -> str:
    """128 bits of chance as 32 hex digits; `secrets.token_bytes` is such a source."""
    return chance(16).hex()


def stated(text: str, longest: int = 100) -> str:
    """Any text, such as an event's name, as what may stand in a statement; what may not is a full stop there."""
    plain = _NOT_STATED.sub(".", " ".join(text.split()))
    return plain if len(plain) <= longest else plain[: longest - 2] + ".."


def resources(
    *, event: str | None = None, deck: str | None = None, player: str | None = None, split: str | None = None
) -> tuple[str, ...]:
    """URIs that bind a text to an event, a deck's hash, a player and the hash of a split, as far as there are any.

    Raises:
        ValueError: a name that would have to be escaped.
    """
    named = {"event": event, "deck": deck, "player": player, "split": split}
    for value in named.values():
        if value is not None and not _NAME.fullmatch(value):
            raise ValueError(f"{value!a} does not fit into a URI as it is")
    return tuple(f"deckproof:{kind}/{value}" for kind, value in named.items() if value is not None)


def parse_challenge(text: str) -> Challenge:
    """Read a text that `Challenge.text` wrote; evidence keeps texts.

    Raises:
        ChallengeUnfit: it is not, byte for byte, a text that we author.
    """
    found = _TEXT.fullmatch(text) if len(text) <= TEXT_CAP else None
    if not found:
        raise ChallengeUnfit(["the text is not one that Deckproof writes: its lines are others"])
    try:
        challenge = Challenge(
            domain=found["domain"],
            wallet=Address(found["wallet"]),
            statement=found["statement"],
            uri=found["uri"],
            chain_id=int(found["chain"]),
            nonce=found["nonce"],
            issued_at=_seconds(found["issued"]),
            expires_at=_seconds(found["expires"]),
            resources=tuple(line[2:] for line in (found["resources"] or "").split("\n")[2:]),
        )
    except ValueError as error:
        raise ChallengeUnfit([f"a time in the text is none: {error}"]) from error
    if challenge.text != text:
        raise ChallengeUnfit(["the text is not byte for byte one that Deckproof writes"])
    return challenge


def digest_of(message: bytes) -> bytes:
    """What wallets sign for a message. Source: EIP-191, version 0x45."""
    return keccak(_EIP191 + str(len(message)).encode() + message)


def _faults(challenge: Challenge) -> list[str]:
    faults = [*_page_faults(challenge), *_wallet_faults(challenge.wallet), *_time_faults(challenge)]
    rules = (
        (_STATEMENT.fullmatch(challenge.statement), "the statement is not one line of letters that EIP-4361 allows"),
        (challenge.statement == challenge.statement.strip(), "the statement begins or ends with a blank"),
        (0 < challenge.chain_id < 2**63, f"there is no chain {challenge.chain_id}"),
        (_NONCE.fullmatch(challenge.nonce), "the nonce is not 32 lower-case hex digits, 128 bits of chance"),
    )
    faults += [fault for keeps, fault in rules if not keeps]
    faults += [f"the resource {each!a} is no URI" for each in challenge.resources if not _URI.fullmatch(each)]
    if faults:
        return faults
    size = len(challenge.text)
    return [f"the text has {size} bytes, and wallets show {TEXT_CAP} in full"] if size > TEXT_CAP else []


def _page_faults(challenge: Challenge) -> Iterator[str]:
    if not _DOMAIN.fullmatch(challenge.domain):
        yield f"the domain {challenge.domain!a} is no host, with or without a port, in lower case"
    page = rf"https?://{re.escape(challenge.domain)}([/?#]|$)"
    if not _URI.fullmatch(challenge.uri) or not re.match(page, challenge.uri):
        yield f"the URI {challenge.uri!a} is no page of {challenge.domain!a}"


def _wallet_faults(wallet: Address) -> Iterator[str]:
    try:
        if parse_address(wallet) != wallet:
            yield f"the wallet {wallet!a} is not written with its checksum"
        elif int(wallet, 16) < FIRST_WALLET:
            yield f"{wallet} is nobody's wallet: addresses that low belong to the chain itself"
    except AddressUnreadable as error:
        yield str(error)


def _time_faults(challenge: Challenge) -> Iterator[str]:
    if not 0 <= challenge.issued_at < _LAST_MOMENT:
        yield f"{challenge.issued_at} is no time at which a text is issued"
    if not 0 < challenge.expires_at - challenge.issued_at <= MOST_SECONDS:
        yield f"it has to expire within {MOST_SECONDS} seconds after it is issued"


def _moment(seconds: int) -> str:
    return datetime.fromtimestamp(seconds, UTC).strftime(_MOMENT)


def _seconds(moment: str) -> int:
    return int(datetime.strptime(moment, _MOMENT).replace(tzinfo=UTC).timestamp())


# --- a signature


def parse_signature(text: str) -> bytes:
    """A signature as browsers return it: hex digits behind 0x. Empty is one, of contracts that keep what was signed.

    Raises:
        SignatureUnreadable: it is something else, or too long.
    """
    digits = text[2:] if text[:2] in ("0x", "0X") else ""
    if not digits and text not in ("0x", "0X"):
        raise SignatureUnreadable("it does not begin with 0x")
    if len(digits) > 2 * SIGNATURE_CAP:
        raise SignatureUnreadable(f"it has {len(digits) // 2} bytes, and at most {SIGNATURE_CAP} are taken")
    try:
        return unhexlify(digits)
    except ValueError as error:
        raise SignatureUnreadable("it is not pairs of hex digits") from error


def recover(digest: bytes, signature: bytes) -> Address | None:
    """The wallet whose key made an ECDSA signature, in whichever of its encodings; None: it is none."""
    found = _points(signature)
    if found is None or not all(0 < number < ORDER for number in found[1:]):
        return None
    parity, r, s = found
    points = b"".join(number.to_bytes(WORD, "big") for number in (r, s))
    try:
        return address_of(curve().recover(digest, points + bytes([parity])))
    except ValueError:
        return None


def _points(signature: bytes) -> tuple[int, int, int] | None:
    """Parity, r and s."""
    r, s = (int.from_bytes(signature[at : at + WORD], "big") for at in (0, WORD))
    if len(signature) == _COMPACT:
        return s >> 255, r, s & (1 << 255) - 1
    if len(signature) != _PLAIN:
        return None
    v = signature[-1]
    for values in (_BARE, _ELECTRUM, _CHAINED):
        if v in values:
            return (v - values.start) % 2, r, s
    return None


def verify_signature(
    challenge: Challenge,
    signature: bytes,
    *,
    now: float,
    contracts: Contracts | None = None,
    block: Block | None = None,
) -> ControlVerdict:
    """Judge a signature.

    Args:
        challenge: as it was kept under the nonce.
        signature: as the browser returned it.
        now: seconds since 1970.
        contracts: where to ask a contract wallet; None: there are no endpoints, and only ECDSA can prove.
        block: at which; the newest one when not given.
    """
    if untimely := _untimely(challenge, now):
        return _not_proven(challenge, untimely)
    signer = recover(challenge.digest, signature)
    if signer == challenge.wallet:
        return ControlVerdict(challenge, ControlOutcome.PROVEN, Method.SIGNATURE)
    if contracts is None:
        return _undetermined(challenge, NoEndpoints(challenge.wallet))
    try:
        _refuse_other_chain(challenge, contracts)
        block = block or contracts.find("latest")
        return _by_contract(challenge, signature, signer, contracts, block)
    except ChainError as trouble:
        return _undetermined(challenge, trouble, block)


def _by_contract(
    challenge: Challenge, signature: bytes, signer: Address | None, contracts: Contracts, block: Block
) -> ControlVerdict:
    wrapping = unwrapped(signature) if signature.endswith(WRAPPED) else None
    if isinstance(wrapping, str):
        return _not_proven(challenge, wrapping, block)
    if contracts.code(challenge.wallet, block):
        questions = _questions(challenge, wrapping.signature if wrapping else signature)
        answers = contracts.calls([Call(challenge.wallet, question) for question in questions], block)
        return _judged(challenge, Method.CONTRACT, block, *answers)
    if wrapping:
        return _by_deployment(challenge, wrapping, contracts, block)
    if signer is None:
        problem = "the signature is none that a key makes"
    else:
        problem = f"the signature is by {signer}; choose the account {challenge.wallet} in the wallet"
    return _not_proven(challenge, f"{problem}, and at {challenge.wallet} there is no contract to be asked", block)


class Wrapping(NamedTuple):
    """What is inside the signature of a wallet that is not deployed. Source: ERC-6492."""

    factory: Address
    deployment: bytes
    signature: bytes


def unwrapped(signature: bytes) -> "Wrapping | str":
    """What is inside the signature of a wallet that is not deployed, or why that cannot be asked."""
    try:
        wrapping = Wrapping(*decode_wrapped(signature[: -len(WRAPPED)]))
    except ValueError:
        return "the signature ends as that of a wallet that is not deployed, and is not wrapped as ERC-6492 says"
    if int(wrapping.factory, 16) < FIRST_WALLET:
        return f"no factory of wallets stands at {wrapping.factory}"
    return wrapping


def _questions(challenge: Challenge, signature: bytes) -> tuple[bytes, bytes]:
    """Whether the wallet signed this; and whether the same signature does for what nobody signed."""
    digests = (int.from_bytes(digest, "big") for digest in (challenge.digest, nobodys_digest(challenge)))
    first, second = (MAGIC + encode(digest, signature) for digest in digests)
    return first, second


def nobodys_digest(challenge: Challenge) -> bytes:
    """What nobody signed, and another thing for each text."""
    return keccak(_NOBODYS + challenge.digest)


def _by_deployment(challenge: Challenge, wrapping: Wrapping, contracts: Contracts, block: Block) -> ControlVerdict:
    """Deploy, ask and throw away, in one call; what the signer would have called happens nowhere."""
    questions = _questions(challenge, wrapping.signature)
    creation = probe() + encode(challenge.wallet, wrapping.factory, wrapping.deployment, *questions)
    [answer] = contracts.calls([Call(None, creation)], block)
    if not isinstance(answer, bytes):
        return _not_proven(challenge, "the deployment uses up all gas, or refuses", block)
    if len(answer) != _PROBE_WORDS * WORD:
        problem = f"it is {len(answer)} bytes long, and seven words were asked for"
        raise AnswerSuspicious("the chain", "the signature of a wallet that is not deployed", problem)
    words = [answer[at : at + WORD] for at in range(0, len(answer), WORD)]
    if not any(words[0]):
        problem = f"what the signature carries does not deploy a wallet at {challenge.wallet}"
        return _not_proven(challenge, problem, block)
    # Of an answer that is not exactly a word, nothing is compared.
    answers = (words[at + 2] if (words[at], words[at + 1]) == _WHOLE else b"" for at in (1, 4))
    return _judged(challenge, Method.COUNTERFACTUAL, block, *answers)


_WHOLE: Final = (encode(1), encode(WORD))
"""A question that succeeded, and was answered with exactly one word."""


@cache
def probe() -> bytes:
    """Creation code that deploys a wallet and asks it, `contracts/WalletProbe.sol`."""
    text = (files("verifier") / "artefacts" / "WalletProbe.json").read_text(encoding="utf-8")
    return bytes.fromhex(json.loads(text)["bytecode"][2:])


def _judged(challenge: Challenge, method: Method, block: Block, signed: Answer, nobodys: Answer) -> ControlVerdict:
    if signed != _YES:
        return _not_proven(challenge, f"the contract at {challenge.wallet} does not say that it signed this", block)
    if nobodys == _YES:
        problem = f"the contract at {challenge.wallet} says of anything that it signed it, so its word proves nothing"
        return _not_proven(challenge, problem, block)
    return ControlVerdict(challenge, ControlOutcome.PROVEN, method, block)


# --- a transaction


def parse_transaction_hash(text: str) -> str:
    """A transaction's hash as wallets show it, in lower case.

    Raises:
        HashUnreadable: it is something else.
    """
    text = text.strip()
    if not _HASH.fullmatch(text):
        raise HashUnreadable(text if len(text) <= TEXT_CAP // 10 else text[:100] + "...")
    return text.lower()


def verify_transaction(
    challenge: Challenge, transaction_hash: str, *, contracts: Contracts, depth: int | None = None
) -> ControlVerdict:
    """Judge a transaction that the wallet sent to itself: no value, and the challenge's digest as data.

    It must have been mined between the challenge's two times, in a block that is final by now; while it is not, the
    verdict is undetermined. The digest stands for the nonce: a transaction is public before its sender has come back
    with it, and who read a bare nonce there could answer in the sender's place.

    Args:
        challenge: as it was kept under the nonce.
        transaction_hash: `0x` and 64 lower-case hex digits.
        contracts: where to ask.
        depth: blocks after which one counts as final, on chains whose nodes have no usable `finalized`.
    """
    try:
        _refuse_other_chain(challenge, contracts)
        found = contracts.transaction(transaction_hash)
        if found is None:
            trouble = TransactionPending(transaction_hash, "no endpoint knows it as mined; try again in a minute")
            return _undetermined(challenge, trouble)
        if reasons := tuple(_transaction_faults(challenge, found)):
            return ControlVerdict(challenge, ControlOutcome.NOT_PROVEN, block=found.block, reasons=reasons)
        final = contracts.find("finalized").number if depth is None else contracts.find("latest").number - depth
    except ChainError as trouble:
        return _undetermined(challenge, trouble)
    if found.block.number > final:
        problem = (
            f"it is in block {found.block.number}, and the chain is final up to block {final}; "
            "try again later, which on Ethereum is about a quarter of an hour"
        )
        return _undetermined(challenge, TransactionPending(transaction_hash, problem), found.block)
    return ControlVerdict(challenge, ControlOutcome.PROVEN, Method.TRANSACTION, found.block)


def _transaction_faults(challenge: Challenge, found: Transaction) -> Iterator[str]:
    if found.sender != challenge.wallet:
        yield f"the transaction is from {found.sender}, and not from {challenge.wallet}"
    if found.to != challenge.wallet:
        yield f"the transaction goes to {found.to or 'a new contract'}, and has to go to the wallet itself"
    if found.wei:
        yield f"the transaction carries {found.wei} wei, and has to carry none"
    if found.data != challenge.digest:
        yield f"the transaction's data is not 0x{challenge.digest.hex()}"
    if found.kind not in _KEYED:
        yield f"the transaction is of type {found.kind:#x}, which no key signs"
    if not challenge.issued_at - CLOCK_SLACK <= found.block.timestamp <= challenge.expires_at:
        yield (
            f"the transaction was mined at {_moment(found.block.timestamp)}, and the text counts from "
            f"{_moment(challenge.issued_at)} to {_moment(challenge.expires_at)}; begin again"
        )


# --- verdicts


def _untimely(challenge: Challenge, now: float) -> str | None:
    if now > challenge.expires_at:
        return f"the text expired at {_moment(challenge.expires_at)}; begin again"
    if now < challenge.issued_at - CLOCK_SLACK:
        return f"the text counts from {_moment(challenge.issued_at)} on; is a clock wrong?"
    return None


def _refuse_other_chain(challenge: Challenge, contracts: Contracts) -> None:
    found = contracts.chain_id()
    if found != challenge.chain_id:
        raise WrongChain("the chain that is asked", challenge.chain_id, found)


def _not_proven(challenge: Challenge, reason: str, block: Block | None = None) -> ControlVerdict:
    return ControlVerdict(challenge, ControlOutcome.NOT_PROVEN, block=block, reasons=(reason,))


def _undetermined(challenge: Challenge, trouble: ChainError, block: Block | None = None) -> ControlVerdict:
    return ControlVerdict(challenge, ControlOutcome.UNDETERMINED, block=block, trouble=trouble)
