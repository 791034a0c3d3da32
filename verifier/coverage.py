"""Does what the wallets hold cover what the deck needs?

A need is a card with every token id that stands for it (printings, soulbound copies); any of them counts, and a unit
counts once. Wallets add up. Several needs of one card are summed.
"""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from enum import StrEnum
from itertools import chain
from typing import Final

from verifier.errors import NeedsOverlap
from verifier.holdings import Address, Ask, Holding, TokenId

LARGEST_TOKEN_ID: Final = 2**256 - 1
"""Source: ERC-1155."""


class Outcome(StrEnum):
    """What a verdict says."""

    COVERED = "covered"
    SHORT = "short"
    UNDETERMINED = "undetermined"


@dataclass(frozen=True, slots=True)
class Need:
    """So many units of a card, in any of its token ids.

    Raises:
        ValueError: less than one unit, no token id, or one that no contract can have.
    """

    card: str
    token_ids: tuple[TokenId, ...]
    units: int

    def __post_init__(self) -> None:
        if self.units < 1 or not self.token_ids or min(self.token_ids) < 0 or max(self.token_ids) > LARGEST_TOKEN_ID:
            raise ValueError(f"nobody can need {self.units} units of {self.card!r} in token ids {self.token_ids}")


@dataclass(frozen=True, slots=True)
class Line:
    """A need beside what is held of it."""

    need: Need
    holdings: tuple[Holding, ...]
    """Where the units are, in the order of the need's token ids, then of the wallets."""

    @property
    def held(self) -> int:
        """Units in all wallets; may exceed the need."""
        return sum(holding.units for holding in self.holdings)

    @property
    def missing(self) -> int:
        """Units that no wallet has; 0 where the need is covered."""
        return max(0, self.need.units - self.held)


@dataclass(frozen=True, slots=True)
class Coverage:
    """Needs compared with holdings, in the order of the needs.

    The lines are made when they are looked at: most decks of a large event are covered, and nobody looks.
    """

    needs: tuple[Need, ...]
    units: Mapping[Address, Mapping[TokenId, int]] = field(hash=False)
    """Those held, by wallet and token id. Numbers rather than `Holding`s: with a million of them, Python would spend
    half its time on finding out that none is garbage."""

    @property
    def lines(self) -> tuple[Line, ...]:
        """Every need beside what is held of it."""
        return tuple(Line(need, tuple(self._holdings(need))) for need in self.needs)

    @property
    def shortfalls(self) -> tuple[Line, ...]:
        """The lines with units missing."""
        return tuple(line for line in self.lines if line.missing)

    @property
    def covered(self) -> bool:
        """Nothing is missing."""
        wallets = tuple(self.units.values())
        for need in self.needs:
            missing = need.units
            for token_id in need.token_ids:
                for units in wallets:
                    missing -= units.get(token_id, 0)
            if missing > 0:
                return False
        return True

    def _holdings(self, need: Need) -> Iterator[Holding]:
        for token_id in need.token_ids:
            for wallet, units in self.units.items():
                if units.get(token_id):
                    yield Holding(wallet, token_id, units[token_id])


def sum_needs(needs: Iterable[Need]) -> tuple[Need, ...]:
    """One need for each card, in the order of first mention; needs of the same token ids are summed.

    Raises:
        NeedsOverlap: two different cards share a token id, so one unit could count for both.
    """
    summed: dict[tuple[TokenId, ...], Need] = {}
    for need in needs:
        ids = need.token_ids if len(need.token_ids) == 1 else tuple(sorted(set(need.token_ids)))
        known = summed.get(ids)
        if known is not None:
            summed[ids] = Need(known.card, ids, known.units + need.units)
        else:
            summed[ids] = need if ids == need.token_ids else Need(need.card, ids, need.units)
    _refuse_overlap(summed.values())
    return tuple(summed.values())


def _refuse_overlap(needs: Iterable[Need]) -> None:
    owner: dict[TokenId, Need] = {}
    for need in needs:
        for token_id in need.token_ids:
            if owner.setdefault(token_id, need) is not need:
                raise NeedsOverlap(owner[token_id].card, need.card, token_id)


def asks_for(needs: Sequence[Need], wallets: Iterable[Address]) -> list[Ask]:
    """What to ask so that `cover` can answer: every token id of every need, once for each wallet named."""
    token_ids = tuple(dict.fromkeys(chain.from_iterable([need.token_ids for need in needs])))
    return [Ask(wallet, token_ids) for wallet in dict.fromkeys(wallets)]


def cover_answers(needs: tuple[Need, ...], asks: Sequence[Ask], answers: Iterable[tuple[int, ...]]) -> Coverage:
    """Compare needs, as `sum_needs` gives them, with what was answered when `asks_for` them were asked."""
    pairs = zip(asks, answers, strict=True)
    return Coverage(needs, {ask.wallet: dict(zip(ask.token_ids, answer, strict=True)) for ask, answer in pairs})


def cover(needs: Iterable[Need], holdings: Iterable[Holding]) -> Coverage:
    """Compare needs with holdings.

    A holding said twice counts once: a wallet named twice does not own twice as much.

    Raises:
        NeedsOverlap: two different cards share a token id.
    """
    units: dict[Address, dict[TokenId, int]] = {}
    for holding in holdings:
        if holding.wallet not in units:
            units[holding.wallet] = {}
        units[holding.wallet][holding.token_id] = holding.units
    return Coverage(sum_needs(needs), units)
