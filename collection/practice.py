"""A small collection to test against: deployed, one set published, nothing issued yet."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Final

from collection.anvil import Anvil
from collection.deployment import Deployment
from collection.issuing import Parcel, Staff, allow, deploy, issue, publish
from collection.transactions import Sender
from collection.wallets import Wallet, development_wallets
from games.cards import Card, CardSet, Printing
from verifier.chain import ChainHoldings, Collection
from verifier.coverage import Need
from verifier.holdings import Address, TokenId

STAFF: Final = 4
"""So many of the development wallets, the first ones, are the collection's staff."""
RUN: Final = 100
"""Copies of each card that there may ever be."""
URI: Final = "https://cards.example/practice/{id}.json"

_NAMES: Final = (
    "Ann Thology",
    "Bill Board",
    "Cat Alogue",
    "Dee Jay",
    "Ed Itorial",
    "Flo Chart",
    "Gus Tation",
    "Hal Ogen",
)
_NUMBER, _CODE = 1, "PRA"


@dataclass(frozen=True, slots=True)
class PracticeCollection:
    """The collection, and the wallets of everybody who has a role in it."""

    anvil: Anvil
    deployment: Deployment
    card_set: CardSet
    admin: Wallet
    publisher: Wallet
    issuer: Wallet
    """May issue every copy of every card."""
    pauser: Wallet

    def sender(self, wallet: Wallet) -> Sender:
        """What sends transactions of that wallet."""
        return Sender(self.anvil.endpoint, wallet.signer())

    def issue(self, to: Address, copies: Mapping[int, int]) -> None:
        """Give a wallet copies: how many, by the number of the card, from 1.

        Raises:
            TransactionError: the contract refused.
        """
        token_ids = {printing.number: printing.token_id for printing in self.card_set.printings}
        parcel = Parcel(to, {TokenId(token_ids[number]): count for number, count in copies.items()})
        issue(self.sender(self.issuer), self.deployment, [parcel])

    def need(self, number: int, units: int = 1) -> Need:
        """That a deck holds so many copies of the card with that number."""
        (printing,) = (one for one in self.card_set.printings if one.number == number)
        return Need(printing.card.name, tuple(map(TokenId, printing.token_ids)), units)

    def holdings(self) -> ChainHoldings:
        """What wallets hold of it; `verifier.check.check_deck` asks this."""
        known = self.deployment
        return ChainHoldings([self.anvil.endpoint], Collection(known.chain_id, known.address, known.code_hash))


def practice_set() -> CardSet:
    """Eight cards, numbered from 1."""
    cards = (Card(name, "Influencer") for name in _NAMES)
    printings = tuple(Printing(card, _NUMBER, _CODE, number) for number, card in enumerate(cards, start=1))
    return CardSet("practice", _NUMBER, _CODE, "Practice", printings)


def practice_collection(anvil: Anvil) -> PracticeCollection:
    """Deploy the collection and publish the set."""
    admin, publisher, issuer, pauser = development_wallets(STAFF)
    card_set = practice_set()
    staff = Staff(publisher=publisher.address, issuer=issuer.address, pauser=pauser.address)
    deployment = deploy(Sender(anvil.endpoint, admin.signer()), staff=staff, admin_delay=0)
    as_publisher = Sender(anvil.endpoint, publisher.signer())
    runs = {printing.number: RUN for printing in card_set.printings}
    publish(as_publisher, deployment, card_set, uri=URI, runs=runs)
    allow(as_publisher, deployment, issuer.address, card_set.number, sum(runs.values()))
    return PracticeCollection(anvil, deployment, card_set, admin, publisher, issuer, pauser)
