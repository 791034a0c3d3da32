"""Is a wallet covered for a deck? Asked by anybody, of the endpoints and the collection that this server has.

Nothing is written down. Unlike at an event, nobody has to show that the wallet is theirs: holdings are public.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import date
from typing import Annotated

from pydantic import Field, StringConstraints, field_validator

from games.formats import Violation
from tournament.errors import EndpointsMissing
from tournament.service import decks
from tournament.service.commands import NO_NUL, Arguments
from tournament.service.decks import Deck
from tournament.service.nodes import Nodes, cause_of
from verifier.addresses import parse_address
from verifier.check import Claim, Verdict, check_deck
from verifier.errors import AddressUnreadable, ChainError
from verifier.holdings import Address

LONGEST_LIST = 100_000
"""Characters of a decklist."""
LONGEST_WALLETS = 2_000
MOST_WALLETS = 20
"""Of one question; each costs the endpoints as much as a deck."""


class Question(Arguments):
    """A deck, and the wallets that are to hold it together."""

    wallets: Annotated[str, StringConstraints(min_length=1, max_length=LONGEST_WALLETS, pattern=NO_NUL)]
    """With blanks, commas or lines between them."""
    decklist: Annotated[str, StringConstraints(min_length=1, max_length=LONGEST_LIST, pattern=NO_NUL)]
    game: str = Field(default="cps", max_length=40)

    @property
    def addresses(self) -> tuple[Address, ...]:
        """The wallets, each once."""
        return tuple(dict.fromkeys(map(parse_address, self.wallets.replace(",", " ").split())))

    @field_validator("wallets")
    @classmethod
    def _are_addresses(cls, wallets: str) -> str:
        """Raises: ValueError: with every fault."""
        texts = wallets.replace(",", " ").split()
        if len(texts) > MOST_WALLETS:
            raise ValueError(f"at most {MOST_WALLETS} wallets are looked at in one question")
        faults = [str(fault) for fault in map(_fault, texts) if fault is not None]
        if faults:
            raise ValueError("; ".join(faults))
        return wallets


@dataclass(frozen=True)
class Answer:
    """What was found."""

    deck: Deck
    violations: Sequence[Violation]
    verdict: Verdict
    cause: str
    """Why it is undetermined, in words for everybody; empty if it is not."""


def can_ask(nodes: Nodes) -> bool:
    """Whether this server has anybody to ask, and something to ask about."""
    return nodes.usual is not None and nodes.count > 0


def answer(nodes: Nodes, asked: Question, today: date) -> Answer:
    """Read the deck, judge it, and ask the chain.

    Args:
        nodes: endpoints and the collection.
        asked: what somebody wants to know.
        today: some cards are banned from a day on.

    Raises:
        UnknownGame: no such game.
        DecklistUnreadable: with every fault.
        EndpointsMissing: this server has nobody to ask.
    """
    deck = decks.read_deck(asked.decklist, decks.rules_of(asked.game))
    if nodes.usual is None:
        raise EndpointsMissing(1, 0)
    verdict = check_deck(Claim(asked.addresses, deck.needs), nodes.chain(nodes.usual))
    cause = cause_of(verdict.trouble) if isinstance(verdict.trouble, ChainError) else ""
    return Answer(deck, deck.violations(on=today), verdict, cause)


def _fault(text: str) -> AddressUnreadable | None:
    try:
        parse_address(text)
    except AddressUnreadable as fault:
        return fault
    return None
