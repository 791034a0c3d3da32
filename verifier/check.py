"""The verdict: does a deck's owner hold every copy of every card, at one block?

Three answers, never two. *Covered* and *short* are said only of what was read and believed; anything that goes wrong
between here and the chain is *undetermined*, with its reason, and never passes.
"""

from collections.abc import Sequence
from dataclasses import dataclass

from verifier.addresses import parse_address
from verifier.coverage import Coverage, Need, Outcome, asks_for, cover_answers, sum_needs
from verifier.errors import ChainError
from verifier.holdings import Address, Block, BlockTag, Holdings

__all__ = ["Claim", "Outcome", "Verdict", "check_deck", "check_decks"]


@dataclass(frozen=True, slots=True)
class Claim:
    """A player's wallets, and what the deck needs of them together.

    Wallets are compared as addresses: one that is named twice, in whatever case, is one wallet.

    Raises:
        AddressUnreadable: a wallet is no address.
    """

    wallets: tuple[Address, ...]
    needs: tuple[Need, ...]

    def __post_init__(self) -> None:
        object.__setattr__(self, "wallets", tuple(dict.fromkeys(map(parse_address, self.wallets))))


@dataclass(frozen=True, slots=True)
class Verdict:
    """The answer to a claim, with everything it rests on."""

    claim: Claim
    outcome: Outcome
    block: Block | None
    """None when no block could be agreed on."""
    coverage: Coverage | None
    """None exactly when the outcome is undetermined."""
    trouble: ChainError | None
    """Why it is undetermined."""


def check_deck(claim: Claim, holdings: Holdings, at: BlockTag = "latest") -> Verdict:
    """Judge one claim at one block.

    Raises:
        NeedsOverlap: two cards claim one token id.
    """
    return check_decks([claim], holdings, at)[0]


def check_decks(claims: Sequence[Claim], holdings: Holdings, at: BlockTag = "latest") -> list[Verdict]:
    """Judge many claims at the same one block, in one read; verdicts in the order of the claims.

    Raises:
        NeedsOverlap: two cards of one claim share a token id.
    """
    summed = [sum_needs(claim.needs) for claim in claims]
    asks = [asks_for(needs, claim.wallets) for needs, claim in zip(summed, claims, strict=True)]
    block = None
    try:
        block = holdings.pin(at)
        answers = iter(holdings.read([ask for own in asks for ask in own], block))
    except ChainError as trouble:
        return [Verdict(claim, Outcome.UNDETERMINED, block, None, trouble) for claim in claims]
    verdicts = []
    for claim, needs, own in zip(claims, summed, asks, strict=True):
        coverage = cover_answers(needs, own, [next(answers) for _ in own])
        outcome = Outcome.COVERED if coverage.covered else Outcome.SHORT
        verdicts.append(Verdict(claim, outcome, block, coverage, None))
    return verdicts
