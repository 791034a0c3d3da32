"""Does what the wallets hold cover what the deck needs?

A need is a card with every token id that stands for it (printings, soulbound copies); any of them counts, and a unit
counts once. Wallets add up. Several needs of one card are summed.
"""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from verifier.errors import NeedsOverlap
from verifier.holdings import Address, Ask, Holding, TokenId


@dataclass(frozen=True, slots=True)
class Need:
    """So many units of a card, in any of its token ids."""

    card: str
    token_ids: tuple[TokenId, ...]
    units: int


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
    """Needs compared with holdings, in the order of the needs."""

    lines: tuple[Line, ...]

    @property
    def shortfalls(self) -> tuple[Line, ...]:
        """The lines with units missing."""
        return tuple(line for line in self.lines if line.missing)

    @property
    def covered(self) -> bool:
        """Nothing is missing."""
        return not self.shortfalls


def sum_needs(needs: Iterable[Need]) -> tuple[Need, ...]:
    """One need for each card, in the order of first mention; needs of the same token ids are summed.

    Raises:
        NeedsOverlap: two different cards share a token id, so one unit could count for both.
    """
    summed: dict[tuple[TokenId, ...], Need] = {}
    owner: dict[TokenId, Need] = {}
    for need in needs:
        ids = tuple(sorted(set(need.token_ids)))
        known = summed.get(ids)
        if known is None:
            for token_id in ids:
                if token_id in owner:
                    raise NeedsOverlap(owner[token_id].card, need.card, token_id)
                owner[token_id] = need
        summed[ids] = Need(need.card if known is None else known.card, ids, need.units + (known.units if known else 0))
    return tuple(summed.values())


def asks_for(needs: Sequence[Need], wallets: Iterable[Address]) -> list[Ask]:
    """What to ask so that `cover` can answer: every token id of every need, once for each wallet named."""
    token_ids = tuple(dict.fromkeys(token_id for need in needs for token_id in need.token_ids))
    return [Ask(wallet, token_ids) for wallet in dict.fromkeys(wallets)]


def cover(needs: Iterable[Need], holdings: Iterable[Holding]) -> Coverage:
    """Compare needs with holdings.

    A holding said twice counts once: a wallet named twice does not own twice as much.

    Raises:
        NeedsOverlap: two different cards share a token id.
    """
    by_id: dict[TokenId, dict[Address, Holding]] = {}
    for holding in holdings:
        by_id.setdefault(holding.token_id, {})[holding.wallet] = holding
    return Coverage(
        tuple(
            Line(
                need,
                tuple(found for token_id in need.token_ids for found in by_id.get(token_id, {}).values()),
            )
            for need in sum_needs(needs)
        )
    )
