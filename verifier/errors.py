"""What the verifier refuses or cannot read.

VerifierError
├── DecklistUnreadable   the text is not a decklist; every fault with its line (stands in `decklist`)
├── SyntaxNotKnown       no decklist syntax has this name (stands in `decklist`)
├── NeedsOverlap         two needs share a token id, so one unit could count for both
├── AddressUnreadable    not an address, or one with a wrong checksum, or a name that is not looked up
├── AddressesUnreadable  several of them
├── BlockTagUnreadable   not a block number, block hash or tag
├── PassUnreadable       not the text of a DeckPass
├── PassVersionNotKnown  a DeckPass in a form that this program does not read
├── StatementUnreadable  not the document of a signed pass, scan or list of revocations
├── TermsUnreadable      neither a manifest nor a list of an event's keys
├── SheetUnreadable      not what a server gives a desk
├── DeskFolderUnusable   a desk's folder that is not there, damaged, in use, or of another event
├── RevocationsUntrusted the list of revocations is not signed by whoever may sign it now
├── HolderKeyUnreadable  not the public key of a player's device
├── EndpointUnreadable   not the URL of a JSON-RPC endpoint
├── EndpointsAlike       two endpoints are one, so they cannot confirm each other
├── ChallengeUnfit       a text to be signed breaks EIP-4361 or our limits; every fault
├── SignatureUnreadable  not a signature in hex digits
├── HashUnreadable       not a transaction's hash
├── LedgerUnsound        a wallet would count for two entries, or a split contradicts itself
├── ManifestUnreadable   not a manifest, or not a sound one; every fault with its place
├── EvidenceUnreadable   not an evidence bundle, or not in its one form; every fault with its place
└── ChainError           the chain gave no answer that may be believed
    ├── ChainUnreachable     no endpoint answered within the deadline
    ├── QuorumMissed         too few endpoints answered
    ├── EndpointRefused      an endpoint answered with a JSON-RPC error
    ├── AnswerSuspicious     an answer that no honest node and contract give
    ├── LayoutUnknown        where a contract keeps balances is not found
    ├── EndpointsDisagree    endpoints gave different answers to one question
    ├── WrongChain           the endpoint serves another chain
    ├── NoContract           nothing is deployed at the address
    ├── NotErc1155           a contract is there, and it is not an ERC-1155 collection
    ├── CodeChanged          the contract's code is not the code that was expected
    ├── BlockUnavailable     the block is in the future, pruned or unknown
    ├── CallReverted         a contract refused a question
    ├── NoEndpoints          a contract wallet has to be asked, and no endpoint is known
    ├── TransactionPending   a transaction is not mined, or not final
    ├── BlockNotYet          the block of a time is not there yet, or may still be replaced
    ├── FinalityUnusable     the chain's `finalized` tag is missing or says nothing
    └── BlockReplaced        the block left the chain while it was read (a reorganisation)

A deck that is not owned is not here: that is a verdict, a value. Each leaf is a fact with fields; its sentence says
what is wrong, where, and what would be right. None of them knows HTTP statuses or exit codes.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import UTC, datetime


def counted(number: int, what: str) -> str:
    """So many of something: `1 byte`, `2 bytes`."""
    return f"{number:,} {what}" if number == 1 else f"{number:,} {what}s"


class VerifierError(Exception):
    """The verifier refused, or could not read what it was given."""


@dataclass(eq=False)
class NeedsOverlap(VerifierError):
    """Two cards claim one token id."""

    card: str
    other: str
    token_id: int

    def __str__(self) -> str:
        return (
            f"token id {self.token_id} stands for both {self.card!r} and {self.other!r}; "
            "a token id stands for one card, or its units would count twice"
        )


@dataclass(eq=False)
class AddressUnreadable(VerifierError):
    """Not a wallet or contract address."""

    text: str
    problem: str
    right: str

    def __str__(self) -> str:
        return f"{self.text!a} is not an address: {self.problem}; {self.right}"


@dataclass(eq=False)
class AddressesUnreadable(VerifierError):
    """Several addresses are unreadable."""

    faults: Sequence[str]

    def __str__(self) -> str:
        return "\n".join(self.faults)


@dataclass(eq=False)
class BlockTagUnreadable(VerifierError):
    """Not a block number, block hash or tag."""

    text: str

    def __str__(self) -> str:
        return (
            f"{self.text!a} is not a block: write a number (1234 or 0x4d2), a hash (0x and 64 hex digits), "
            "`latest`, `safe` or `finalized`"
        )


@dataclass(eq=False)
class PassUnreadable(VerifierError):
    """Not the text of a DeckPass."""

    problem: str

    def __str__(self) -> str:
        return f"this is no DeckPass: {self.problem}"


@dataclass(eq=False)
class PassVersionNotKnown(VerifierError):
    """A DeckPass in a form that this program does not read."""

    version: int
    known: int

    def __str__(self) -> str:
        return f"the pass has version {self.version}, and this program reads version {self.known}; use a newer program"


@dataclass(eq=False)
class StatementUnreadable(VerifierError):
    """Not the document of a signed statement."""

    kind: str
    """What it should be: `DeckPass`, `Scan` or `Revocations`."""
    faults: Sequence[str]

    def __str__(self) -> str:
        return f"this is no signed {self.kind}: {'; '.join(self.faults)}"


@dataclass(eq=False)
class TermsUnreadable(VerifierError):
    """Neither a manifest nor the keys of an event."""

    faults: Sequence[str]

    def __str__(self) -> str:
        return f"these are no keys of an event: {'; '.join(self.faults)}"


@dataclass(eq=False)
class SheetUnreadable(VerifierError):
    """Not what a server gives a desk."""

    faults: Sequence[str]

    def __str__(self) -> str:
        return f"this is not what a desk needs: {'; '.join(self.faults)}; fetch it again from the event's server"


@dataclass(eq=False)
class DeskFolderUnusable(VerifierError):
    """A desk's folder that cannot be worked with."""

    path: str
    problem: str
    right: str

    def __str__(self) -> str:
        return f"{self.path}: {self.problem}; {self.right}"


@dataclass(eq=False)
class RevocationsUntrusted(VerifierError):
    """A list of revocations that may not be believed."""

    problem: str

    def __str__(self) -> str:
        return f"this list of revocations is not to be believed: {self.problem}; fetch it again from the event's server"


@dataclass(eq=False)
class HolderKeyUnreadable(VerifierError):
    """Not the public key of a player's device."""

    problem: str

    def __str__(self) -> str:
        return (
            f"this is no holder key: {self.problem}; right would be a P-256 public key as WebCrypto exports it (`raw`: "
            "65 bytes that begin with 04), or its compressed form of 33 bytes"
        )


@dataclass(eq=False)
class EndpointUnreadable(VerifierError):
    """Not the URL of a JSON-RPC endpoint."""

    text: str
    problem: str

    def __str__(self) -> str:
        return f"{self.text!a} is not a JSON-RPC endpoint: {self.problem}; write it like http://127.0.0.1:8545"


@dataclass(eq=False)
class EndpointsAlike(VerifierError):
    """Two endpoints are one."""

    first: str
    second: str

    def __str__(self) -> str:
        return f"{self.first} and {self.second} are the same endpoint, which cannot confirm itself; name it once"


@dataclass(eq=False)
class LedgerUnsound(VerifierError):
    """A wallet would count for two entries."""

    faults: Sequence[str]

    def __str__(self) -> str:
        return "\n".join(self.faults)


@dataclass(eq=False)
class ManifestUnreadable(VerifierError):
    """Not the manifest of an event."""

    faults: Sequence[str]
    """Each with its place in the document, what is there and what would be right."""

    def __str__(self) -> str:
        return "\n".join(self.faults)


@dataclass(eq=False)
class EvidenceUnreadable(VerifierError):
    """Not the evidence bundle of an event."""

    faults: Sequence[str]
    """Each with its path in the document, what is there and what would be right."""

    def __str__(self) -> str:
        return "\n".join(self.faults)


@dataclass(eq=False)
class ChallengeUnfit(VerifierError):
    """Not a text that wallets are asked to sign."""

    faults: Sequence[str]

    def __str__(self) -> str:
        return "\n".join(self.faults)


@dataclass(eq=False)
class SignatureUnreadable(VerifierError):
    """Not a signature."""

    problem: str

    def __str__(self) -> str:
        return f"the signature cannot be read: {self.problem}; it is 0x and pairs of hex digits, as the wallet gave it"


@dataclass(eq=False)
class HashUnreadable(VerifierError):
    """Not the hash of a transaction."""

    text: str

    def __str__(self) -> str:
        return f"{self.text!a} is not a transaction's hash: it is 0x and 64 hex digits, as the wallet shows it"


class ChainError(VerifierError):
    """The chain gave no answer that may be believed."""


@dataclass(eq=False)
class ChainUnreachable(ChainError):
    """No endpoint answered within the deadline."""

    endpoint: str
    problem: str
    attempts: int
    retry_after: float | None = None
    """Seconds after which the endpoint asked to be tried again."""

    def __str__(self) -> str:
        tries = counted(self.attempts, "attempt")
        later = f"; it asks to be tried again in {self.retry_after:.0f} s" if self.retry_after else ""
        return f"{self.endpoint} gave no answer in {tries}: {self.problem}{later}"


@dataclass(eq=False)
class QuorumMissed(ChainError):
    """Too few endpoints answered."""

    question: str
    answered: int
    needed: int
    reasons: Sequence[str]
    """Why each of the others did not."""

    def __str__(self) -> str:
        silent = "; ".join(self.reasons)
        return f"only {self.answered} of the {self.needed} endpoints needed answered about {self.question}: {silent}"


@dataclass(eq=False)
class EndpointRefused(ChainError):
    """An endpoint answered with a JSON-RPC error."""

    endpoint: str
    method: str
    code: int
    message: str
    data: object = None

    def __str__(self) -> str:
        return f"{self.endpoint} refused {self.method}: {self.message} (code {self.code})"


@dataclass(eq=False)
class AnswerSuspicious(ChainError):
    """An answer that no honest node and contract give."""

    endpoint: str
    question: str
    problem: str
    longer_than: int | None = None
    """Bytes that it should have had at most, where it has more."""

    def __str__(self) -> str:
        return f"SUSPICIOUS answer of {self.endpoint} to {self.question}: {self.problem}; nothing is concluded from it"


@dataclass(eq=False)
class LayoutUnknown(ChainError):
    """Where a contract keeps balances is not found, so nothing about them is proven from a state root."""

    address: str

    def __str__(self) -> str:
        return (
            f"where {self.address} keeps balances is not found: no slot that is known has what it tells, so it keeps "
            "them in another way; leave proofs out"
        )


@dataclass(eq=False)
class EndpointsDisagree(ChainError):
    """Endpoints gave different answers to one question."""

    question: str
    answers: Sequence[tuple[str, str]]
    """Endpoint and a short form of what it answered."""

    def __str__(self) -> str:
        said = ", ".join(f"{endpoint} says {answer}" for endpoint, answer in self.answers)
        return f"the endpoints disagree about {self.question}: {said}; one of them is wrong, and no majority is taken"


@dataclass(eq=False)
class WrongChain(ChainError):
    """The endpoint serves another chain."""

    endpoint: str
    expected: int
    found: int

    def __str__(self) -> str:
        return (
            f"{self.endpoint} serves chain {self.found}, and the collection is on chain {self.expected}; "
            f"use an endpoint of chain {self.expected}"
        )


@dataclass(eq=False)
class NoContract(ChainError):
    """Nothing is deployed at the address."""

    endpoint: str
    address: str
    block: int

    def __str__(self) -> str:
        return (
            f"there is no contract at {self.address} in block {self.block} of {self.endpoint}; "
            "check the collection's address, the chain and the block"
        )


@dataclass(eq=False)
class NotErc1155(ChainError):
    """A contract that is not an ERC-1155 collection."""

    endpoint: str
    address: str
    problem: str

    def __str__(self) -> str:
        return (
            f"the contract at {self.address} is not an ERC-1155 collection: {self.problem}; "
            "check the collection's address"
        )


@dataclass(eq=False)
class CodeChanged(ChainError):
    """The contract's code is not the code that was expected."""

    address: str
    expected: str
    found: str

    def __str__(self) -> str:
        return (
            f"the contract at {self.address} runs other code than expected: {self.found} instead of "
            f"{self.expected}; somebody replaced it, or the address is a copy's"
        )


@dataclass(eq=False)
class BlockUnavailable(ChainError):
    """The block is in the future, pruned or unknown."""

    endpoint: str
    block: str
    problem: str

    def __str__(self) -> str:
        return f"{self.endpoint} cannot answer at block {self.block}: {self.problem}"


@dataclass(eq=False)
class BlockReplaced(ChainError):
    """The block left the chain while it was read."""

    endpoint: str
    number: int
    expected: str
    found: str

    def __str__(self) -> str:
        return (
            f"block {self.number} was {self.expected} and is now {self.found or 'gone'} on {self.endpoint} "
            "(a reorganisation); verify again at a newer block"
        )


@dataclass(eq=False)
class BlockNotYet(ChainError):
    """The block of a time is not settled yet."""

    at: int
    """The time that the block is for. Seconds since 1970, UTC."""
    problem: str
    expected: int
    """When it may be tried again, about. Seconds since 1970, UTC."""

    def __str__(self) -> str:
        return f"not yet: {self.problem}; expected about {_clock(self.expected)}"


@dataclass(eq=False)
class FinalityUnusable(ChainError):
    """The chain's `finalized` tag is missing or says nothing."""

    problem: str

    def __str__(self) -> str:
        return (
            f"the block rule waits for a finalized block, and {self.problem}; "
            "on such a chain a manifest names a depth instead"
        )


def _clock(seconds: int) -> str:
    return datetime.fromtimestamp(seconds, UTC).strftime("%Y-%m-%d %H:%M:%S UTC")


@dataclass(eq=False)
class CallReverted(ChainError):
    """A contract refused a question."""

    address: str
    block: int

    def __str__(self) -> str:
        return f"the contract at {self.address} refuses the question in block {self.block}"


@dataclass(eq=False)
class NoEndpoints(ChainError):
    """A contract wallet cannot be asked."""

    wallet: str

    def __str__(self) -> str:
        return (
            f"the key of {self.wallet} did not sign this; if it is a contract, it cannot be asked whether it agrees, "
            "since no endpoint is set (DECKPROOF_RPC)"
        )


@dataclass(eq=False)
class TransactionPending(ChainError):
    """The transaction is not final yet."""

    transaction: str
    problem: str

    def __str__(self) -> str:
        return f"the transaction {self.transaction} does not count yet: {self.problem}"
