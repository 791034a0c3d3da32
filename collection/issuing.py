"""Deploying the card collection, publishing sets and issuing copies: what the publisher's desk does.

The rules (runs, allowances, roles) are the contract's; here is what makes them easy to keep. Each act checks first that
it talks to the right chain and the right code, foresees a refusal before anything is sent, and can be repeated after
an interruption: a set that is published already is recognised.
"""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import islice
from typing import Final

from eth_hash.auto import keccak

from collection.artefact import showdown_cards
from collection.deployment import Deployment
from collection.errors import (
    AdminDelayTooShort,
    PublishedOtherwise,
    RolesNotGrantable,
    RunMissing,
    SetHasGaps,
    StaffNotAppointed,
    TransactionError,
)
from collection.transactions import Call, Contract, Receipt, Sender, creation
from games.cards import CardSet
from games.metadata import set_root
from verifier.chain import DEVELOPMENT_CHAINS
from verifier.errors import ChainError, CodeChanged, NoContract, WrongChain
from verifier.holdings import Address, TokenId

USUAL_DELAY: Final = 2 * 24 * 60 * 60
"""Seconds between the two steps of handing over the admin's role."""
LEAST_DELAY: Final = 24 * 60 * 60
"""On a chain that others see: time to notice that the admin's key was stolen.

Source: contracts/script/DeployShowdownCards.s.sol."""
MOST_DELAY: Final = 2**48 - 1
"""Source: contracts/ShowdownCards.sol, the constructor's uint48."""
MOST_COPIES: Final = 2**32 - 1
"""Of one card. Source: contracts/IShowdownCards.sol, Run."""
IDS_PER_ISSUE: Final = 400
"""Token ids in one transaction: at 31,000 gas each (copies of a card that the wallet did not have), 12.4 million of the
16.8 million that it may use."""

_PLACEHOLDER: Final = "{id}"


@dataclass(frozen=True, slots=True, kw_only=True)
class Staff:
    """Whom the admin appoints; None: nobody for now."""

    publisher: Address | None = None
    issuer: Address | None = None
    pauser: Address | None = None

    def roles(self) -> tuple[tuple[str, Address], ...]:
        """The contract's name of each role that somebody gets, and who."""
        named = {"PUBLISHER_ROLE": self.publisher, "ISSUER_ROLE": self.issuer, "PAUSER_ROLE": self.pauser}
        return tuple((role, holder) for role, holder in named.items() if holder)


@dataclass(frozen=True, slots=True)
class Publication:
    """A set that is on the chain."""

    set_number: int
    root: bytes
    """32 bytes that commit to what its cards say."""
    receipt: Receipt | None
    """None: it was there before, the same in everything."""


@dataclass(frozen=True, slots=True)
class Parcel:
    """Copies for one wallet."""

    to: Address
    copies: Mapping[TokenId, int]
    """How many, by token id."""


# --- deploying ----------------------------------------------------------------------------------------------------


def deploy(
    sender: Sender, *, admin: Address | None = None, staff: Staff | None = None, admin_delay: int = USUAL_DELAY
) -> Deployment:
    """Deploy the card collection, and appoint its staff.

    Args:
        sender: pays, and gets no role unless it is the admin.
        admin: appoints and dismisses everyone else; the sender when not given.
        staff: whom to appoint.
        admin_delay: seconds between the two steps of handing over the admin's role.

    Raises:
        RolesNotGrantable: staff is to be appointed, and the sender is not the admin.
        AdminDelayTooShort: less than `LEAST_DELAY`, on a chain that others see.
        StaffNotAppointed: the collection stands, and what came after failed.
        OutcomeUnknown: the deployment was sent, and the endpoint gives no answer about it.
        TransactionError: the chain did not do it.
        ChainError: the endpoint gave no answer.
    """
    admin, staff = admin or sender.address, staff or Staff()
    if staff.roles() and admin != sender.address:
        raise RolesNotGrantable(sender.address, admin)
    if admin_delay < LEAST_DELAY and sender.chain_id not in DEVELOPMENT_CHAINS:
        raise AdminDelayTooShort(admin_delay, LEAST_DELAY, sender.chain_id)
    artefact = showdown_cards()
    (receipt,) = sender.transact([creation("deploy the collection", artefact, admin_delay, admin)])
    assert receipt.contract is not None  # noqa: S101 - of a creation that succeeded
    deployment = Deployment(sender.chain_id, receipt.contract, artefact.code_hash, receipt.block)
    try:
        appoint(sender, deployment, staff)
    except (TransactionError, ChainError) as error:
        raise StaffNotAppointed(deployment.address, deployment.block, str(error)) from error
    return deployment


def appoint(sender: Sender, deployment: Deployment, staff: Staff) -> list[Receipt]:
    """Give roles; for the admin.

    Raises:
        TransactionError: the chain did not do it.
        ChainError: the endpoint gave no answer, or the collection is not there.
    """
    cards = standing(sender, deployment)
    return sender.transact(
        [
            cards.call(
                f"make {holder} {role.removesuffix('_ROLE').lower()}", "grantRole", keccak(role.encode()), holder
            )
            for role, holder in staff.roles()
        ]
    )


def standing(sender: Sender, deployment: Deployment) -> Contract:
    """The collection, after making sure that it stands where the description says.

    Raises:
        WrongChain: the endpoint serves another chain.
        NoContract: nothing is deployed at the address.
        CodeChanged: something else is.
    """
    if sender.chain_id != deployment.chain_id:
        raise WrongChain(sender.endpoint.name, deployment.chain_id, sender.chain_id)
    code, block = sender.code_at(deployment.address)
    if not code:
        raise NoContract(sender.endpoint.name, deployment.address, block)
    found = "0x" + keccak(code).hex()
    if found != deployment.code_hash:
        raise CodeChanged(deployment.address, deployment.code_hash, found)
    return Contract(sender.endpoint, showdown_cards().abi, deployment.address)


# --- publishing ---------------------------------------------------------------------------------------------------


def publish(
    sender: Sender, deployment: Deployment, card_set: CardSet, *, uri: str, runs: Mapping[int, int]
) -> Publication:
    """Publish a set, once and for ever; for the publisher. Doing it again finds it done.

    Args:
        sender: has the publisher's role.
        deployment: which collection.
        card_set: its root on the chain is `games.metadata.set_root`.
        uri: where the metadata of each card is, with `{id}` in place of its token id.
        runs: how many copies of each card there may ever be, by the card's number.

    Raises:
        SetHasGaps: the contract numbers cards from 1 without gaps.
        RunMissing: a card has no run, or not one that the contract can count.
        PublishedOtherwise: a set of this number is there and differs; says in what.
        TransactionError: the chain did not do it.
        ChainError: the endpoint gave no answer, or the collection is not there.
    """
    caps, root = _caps(card_set, runs), set_root(card_set)
    cards, number = standing(sender, deployment), card_set.number
    if cards.ask("published", number):
        if differences := tuple(_differences(cards, card_set, uri, caps)):
            raise PublishedOtherwise(number, differences)
        return Publication(number, root, None)
    (receipt,) = sender.transact([cards.call(f"publish set {number}", "publish", number, root, uri, caps)])
    return Publication(number, root, receipt)


def _caps(card_set: CardSet, runs: Mapping[int, int]) -> list[int]:
    """Print runs in the order of the cards' numbers."""
    numbers = {printing.number for printing in card_set.printings}
    missing = sorted(set(range(1, max(numbers, default=0) + 1)) - numbers)
    if missing:
        raise SetHasGaps(card_set.code, tuple(missing[:3]))
    without = [str(p) for p in card_set.printings if not 1 <= runs.get(p.number, 0) <= MOST_COPIES]
    if without:
        raise RunMissing(card_set.code, tuple(without))
    return [runs[number] for number in sorted(numbers)]


def _differences(cards: Contract, card_set: CardSet, uri: str, caps: Sequence[int]) -> Iterator[str]:
    """What of the published set is not as it would be published now."""
    if cards.ask("rootOf", card_set.number) != set_root(card_set):
        yield "its cards say something else (another root)"
    count, *_ = cards.ask("totals", card_set.number)
    if count != len(caps):
        yield f"its cards are {count}, not {len(caps)}"
    token_ids = sorted(printing.token_id for printing in card_set.printings)[:count]
    if (found := cards.ask("uri", token_ids[0])) != uri:
        yield f"its metadata is at {found}, not {uri}"
    for token_id, cap in zip(token_ids, caps, strict=False):
        found, *_ = cards.ask("run", token_id)
        if found != cap:
            yield f"the run of token id {token_id} is {found}, not {cap}"


# --- issuing ------------------------------------------------------------------------------------------------------


def allow(sender: Sender, deployment: Deployment, issuer: Address, set_number: int, copies: int) -> Receipt:
    """Say how many copies of a set an issuer may issue, over all time; for the publisher.

    Raises:
        TransactionError: the chain did not do it.
        ChainError: the endpoint gave no answer, or the collection is not there.
    """
    cards = standing(sender, deployment)
    action = f"allow {issuer} {'1 copy' if copies == 1 else f'{copies} copies'} of set {set_number}"
    (receipt,) = sender.transact([cards.call(action, "allow", issuer, set_number, copies)])
    return receipt


def issue(sender: Sender, deployment: Deployment, parcels: Iterable[Parcel]) -> list[Receipt]:
    """Issue copies, one transaction for each wallet, or several where one could not hold them; for an issuer.

    Not all or nothing: a refusal that is foreseen stops everything, but parcels that exhaust a run or the allowance
    between them fail one by one.

    Raises:
        TransactionError: of the first that failed.
        ChainError: the endpoint gave no answer, or the collection is not there.
    """
    return sender.transact(issue_calls(standing(sender, deployment), parcels))


def hand_over(sender: Sender, deployment: Deployment, to: Address, copies: Mapping[TokenId, int]) -> Receipt:
    """Send copies of the sender's own to another wallet, all of them or none.

    Raises:
        TransactionError: the chain did not do it, such as for more copies than there are, or soulbound ones.
        ChainError: the endpoint gave no answer, or the collection is not there.
    """
    cards, ids, many = standing(sender, deployment), sorted(copies), sum(copies.values())
    action = f"send {'1 copy' if many == 1 else f'{many} copies'} to {to}"
    units = [copies[token_id] for token_id in ids]
    (receipt,) = sender.transact([cards.call(action, "safeBatchTransferFrom", sender.address, to, ids, units, b"")])
    return receipt


def issue_calls(cards: Contract, parcels: Iterable[Parcel]) -> list[Call]:
    """The transactions that issue the parcels, each under the gas that one may use."""
    return [
        cards.call(_action(parcel.to, sum(part.values())), "issue", parcel.to, [*part], [*part.values()], b"")
        for parcel in parcels
        for part in _parts(parcel.copies)
    ]


def _action(to: Address, copies: int) -> str:
    return f"issue 1 copy to {to}" if copies == 1 else f"issue {copies} copies to {to}"


def _parts(copies: Mapping[TokenId, int]) -> Iterator[dict[TokenId, int]]:
    ids = iter(sorted(copies))
    while part := {token_id: copies[token_id] for token_id in islice(ids, IDS_PER_ISSUE)}:
        yield part
