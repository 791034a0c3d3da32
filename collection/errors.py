"""What the collection's tools refuse or cannot do.

CollectionError
├── AnvilError               no local chain
│   ├── AnvilNotFound            there is no Anvil to start
│   ├── AnvilNotStartable        the file named is not a program
│   ├── AnvilNotStarted          it ended, or gave no sign of life within the deadline
│   ├── PortTaken                the port asked for is in use
│   └── SnapshotGone             the chain cannot go back: the snapshot was used up
├── KeyUnreadable            not a private key
├── DeploymentUnreadable     not a deployment description
├── DeploymentNotSaved       the collection stands, and its description could not be written to a file
├── AdminDelayTooShort       handing over the admin's role would take less than a day on a public chain
├── RolesNotGrantable        the signer does not become admin, so it cannot appoint anyone
├── StaffNotAppointed        the collection stands, and has no staff yet
├── SetHasGaps               the numbers of a card set do not run from 1 without a gap
├── RunMissing               a card of the set was given no print run
├── PublishedOtherwise       the set is on the chain already, and is not this one
└── TransactionError         the chain did not do what was asked
    ├── ArgumentsUnfit           the contract's function cannot be called with these figures
    ├── ContractRefused          the contract said no, by name
    ├── TransactionFailed        it was mined and failed without a name
    ├── TransactionTooLarge      it needs more gas than one transaction may use
    ├── FundsMissing             the signer cannot pay for it
    ├── PartlySent               of several, some are on their way and the others are not
    └── NotMined                 it was sent and is in no block yet

ChainError (the verifier's)
└── OutcomeUnknown           transactions were sent, and the chain gives no answer about them

Trouble with the endpoint itself (unreachable, another chain, no contract there) is the verifier's `ChainError`: it is
the same fact with the same sentence, and has one name. The leaf here is what such trouble is once something was sent.
None of them knows HTTP statuses or exit codes.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from verifier.errors import ChainError

NO_OUTPUT = "it printed nothing"
_FEW = 3
"""So many of a long list are told in a sentence; the error has them all."""


class CollectionError(Exception):
    """The collection's tools refused, or could not do what was asked."""


def _few(items: Sequence[str], separator: str) -> str:
    """The first of a list, and how many more there are."""
    told = separator.join(items[:_FEW])
    return f"{told}{separator}and {len(items) - _FEW} more" if len(items) > _FEW else told


def look_up_first(transactions: Sequence[str], contract: str | None) -> str:
    """What to do about transactions, by their hashes, of which one of them may make a contract at an address."""
    place = f" (the contract will be at {contract})" if contract else ""
    return f"sent, outcome unknown; do not repeat before looking them up: {', '.join(transactions)}{place}"


# --- a local chain ------------------------------------------------------------------------------------------------


class AnvilError(CollectionError):
    """There is no local chain."""


@dataclass(eq=False)
class AnvilNotFound(AnvilError):
    """There is no Anvil to start."""

    looked: tuple[str, ...]
    """Where it was looked for."""

    def __str__(self) -> str:
        return (
            f"Anvil was not found (looked in {', '.join(self.looked)}); install it with "
            "`npm install @foundry-rs/anvil`, or name the program in DECKPROOF_ANVIL"
        )


@dataclass(eq=False)
class AnvilNotStartable(AnvilError):
    """The file named as Anvil is not a program."""

    path: str
    problem: str

    def __str__(self) -> str:
        return f"{self.path} cannot be started as Anvil: {self.problem}; name the program itself, or nothing at all"


@dataclass(eq=False)
class AnvilNotStarted(AnvilError):
    """Anvil ended, or gave no sign of life within the deadline."""

    path: str
    problem: str
    output: str
    """The last of what it printed."""

    def __str__(self) -> str:
        return f"{self.path} did not become a chain: {self.problem}; {_said(self.output)}"


@dataclass(eq=False)
class PortTaken(AnvilError):
    """The port asked for is in use."""

    port: int

    def __str__(self) -> str:
        return f"port {self.port} is in use by another program; end that one, or name another port"


@dataclass(eq=False)
class SnapshotGone(AnvilError):
    """The chain cannot go back to the snapshot."""

    snapshot: str

    def __str__(self) -> str:
        return (
            f"the chain cannot go back to snapshot {self.snapshot}: reverting to it, or to an older one, uses it up; "
            "take a new one"
        )


def _said(output: str) -> str:
    return f"it printed:\n{output}" if output.strip() else NO_OUTPUT


# --- what is handed in --------------------------------------------------------------------------------------------


@dataclass(eq=False)
class KeyUnreadable(CollectionError):
    """Not a private key."""

    problem: str
    """Says nothing of what the key is."""

    def __str__(self) -> str:
        return f"that is not a private key: {self.problem}; a key is 0x and 64 hex digits"


@dataclass(eq=False)
class DeploymentUnreadable(CollectionError):
    """Not a deployment description."""

    source: str
    problem: str

    def __str__(self) -> str:
        return f"{self.source} does not describe a deployment: {self.problem}; `deckproof chain deploy` writes one"


@dataclass(eq=False)
class DeploymentNotSaved(CollectionError):
    """The collection stands, and its description could not be written to a file."""

    path: str
    problem: str
    chain_id: int
    address: str
    code_hash: str
    block: int

    def __str__(self) -> str:
        return (
            f"{self.path} could not be written ({self.problem}), and the collection was deployed all the same: it is "
            f"{self.address} on chain {self.chain_id}, block {self.block}; deploy no other, and note the address"
        )


@dataclass(eq=False)
class AdminDelayTooShort(CollectionError):
    """Handing over the admin's role would take too short a time."""

    seconds: int
    least: int
    chain_id: int

    def __str__(self) -> str:
        return (
            f"{self.seconds} seconds to hand over the admin's role is too short on chain {self.chain_id}: a stolen key "
            f"must be noticed in that time; give at least {self.least} seconds"
        )


@dataclass(eq=False)
class RolesNotGrantable(CollectionError):
    """The signer does not become admin, so it cannot appoint anyone."""

    signer: str
    admin: str

    def __str__(self) -> str:
        return (
            f"{self.signer} deploys for the admin {self.admin}, and only the admin appoints publisher, issuer and "
            "pauser; deploy without them, and let the admin grant the roles"
        )


@dataclass(eq=False)
class StaffNotAppointed(CollectionError):
    """The collection stands, and has no staff yet."""

    address: str
    block: int
    problem: str

    def __str__(self) -> str:
        return (
            f"the collection was deployed at {self.address} in block {self.block}, and its staff could not be "
            f"appointed: {self.problem}; deploy no other, and let the admin grant the roles"
        )


@dataclass(eq=False)
class SetHasGaps(CollectionError):
    """The numbers of a card set do not run from 1 without a gap."""

    code: str
    numbers: tuple[int, ...]
    """The first numbers that are missing."""

    def __str__(self) -> str:
        return (
            f"set {self.code} has no card {', '.join(map(str, self.numbers))}: the contract numbers the cards of a set "
            "from 1 without gaps"
        )


@dataclass(eq=False)
class RunMissing(CollectionError):
    """A card of the set was given no print run."""

    code: str
    cards: tuple[str, ...]

    def __str__(self) -> str:
        return (
            f"set {self.code} cannot be published without a print run for {_few(self.cards, ', ')}; a run has 1 to "
            "4294967295 copies and never changes"
        )


@dataclass(eq=False)
class PublishedOtherwise(CollectionError):
    """The set is on the chain already, and is not this one."""

    set_number: int
    differences: tuple[str, ...]

    def __str__(self) -> str:
        return (
            f"set {self.set_number} was published before and is another one: {_few(self.differences, '; ')}; "
            "a set is published once and for ever, so give this one a new number"
        )


# --- transactions -------------------------------------------------------------------------------------------------


class TransactionError(CollectionError):
    """The chain did not do what was asked."""


@dataclass(eq=False)
class ArgumentsUnfit(TransactionError):
    """The contract's function cannot be called with these figures."""

    action: str
    problem: str

    def __str__(self) -> str:
        return f"the contract has no way to {self.action}: {self.problem}"


@dataclass(eq=False)
class ContractRefused(TransactionError):
    """The contract said no, by name."""

    action: str
    """What was tried, as words that follow "to": `publish set 1`."""
    name: str
    """The contract's own name for the refusal: `AlreadyPublished`."""
    fields: Mapping[str, object]
    sentence: str

    def __str__(self) -> str:
        return f"the contract refused to {self.action}: {self.sentence} ({self.name})"


@dataclass(eq=False)
class TransactionFailed(TransactionError):
    """The transaction was mined and failed without a name."""

    action: str
    transaction: str
    problem: str

    def __str__(self) -> str:
        return f"to {self.action} failed in transaction {self.transaction}: {self.problem}"


@dataclass(eq=False)
class TransactionTooLarge(TransactionError):
    """The transaction needs more gas than one may use."""

    action: str
    gas: int
    most: int

    def __str__(self) -> str:
        return (
            f"to {self.action} takes {self.gas} gas, and one transaction may use {self.most} (EIP-7825); "
            "ask for less at a time"
        )


@dataclass(eq=False)
class FundsMissing(TransactionError):
    """The signer cannot pay for the transaction."""

    action: str
    signer: str
    wei: int
    """What it has."""

    def __str__(self) -> str:
        return f"{self.signer} cannot pay to {self.action}: it has {self.wei} wei; send it some of the chain's own coin"


@dataclass(eq=False)
class PartlySent(TransactionError):
    """Of several transactions, the first are on their way and the others are not."""

    sent: int
    asked: int
    last: str
    """What the last one that was sent does."""
    problem: str
    transactions: tuple[str, ...]
    """Hashes of all that may have reached a node."""

    def __str__(self) -> str:
        return (
            f"of {self.asked} transactions {self.sent} went out, the last to {self.last}, and then no more: "
            f"{self.problem}; {look_up_first(self.transactions, None)}; repeat what is left, not everything"
        )


@dataclass(eq=False)
class NotMined(TransactionError):
    """The transaction was sent and is in no block yet."""

    action: str
    """Of the first."""
    transactions: tuple[str, ...]
    """Hashes of all that are in no block."""
    seconds: float
    contract: str | None = None
    """The contract that it will have made."""

    def __str__(self) -> str:
        return (
            f"to {self.action} was sent as transaction {self.transactions[0]} and is in no block after "
            f"{self.seconds:g} s; {look_up_first(self.transactions, self.contract)}"
        )


@dataclass(eq=False)
class OutcomeUnknown(ChainError):
    """Transactions were sent, and the chain gives no answer about them."""

    action: str
    """Of the first."""
    transactions: tuple[str, ...]
    """Their hashes: of all that may have reached a node and are not known to be mined."""
    problem: str
    contract: str | None = None
    """The contract that they will have made."""

    def __str__(self) -> str:
        return f"to {self.action}: {look_up_first(self.transactions, self.contract)}; {self.problem}"
