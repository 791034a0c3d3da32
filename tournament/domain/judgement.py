"""An organizer's own tables beside the engine's: what is wrong, what it costs, and where they differ."""

from collections.abc import Sequence
from dataclasses import dataclass

from tournament.domain.certificate import odd_byes, pairs_of
from tournament.domain.faults import Fault, faults, notes
from tournament.domain.model import Names, Player, PlayerId, Round
from tournament.domain.objective import Cost, cost_of
from tournament.domain.pairing import pair_round
from tournament.domain.pool import Pool

Table = tuple[PlayerId, ...]
"""The two who meet, or the one who has the bye, by id."""


@dataclass(frozen=True, slots=True)
class Judgement:
    """What is to be said about a round that somebody made by hand."""

    faults: list[Fault]
    notes: list[Fault]
    cost: Cost | None
    """None: somebody is seated who is not in the round, so that it has no price."""
    best: Cost
    only_here: tuple[Table, ...]
    """Tables that the engine would not make, the bye's holder alone."""
    only_engine: tuple[Table, ...]

    @property
    def is_best(self) -> bool:
        """Whether no round is better on levels 1 to 5; the tables may still be others."""
        return not self.faults and self.cost == self.best


def judge(  # noqa: PLR0913 - what varies is passed in, by keyword
    proposal: Round,
    players: Sequence[Player],
    rounds: Sequence[Round],
    pool: Pool,
    *,
    draw: str,
    drawn: Round | None = None,
    name: Names = str,
) -> Judgement:
    """Judge a round, and show the engine's beside it.

    Args:
        proposal: the round; its number says which of the others came before it.
        players: everybody who entered.
        rounds: the event's rounds.
        pool: who is to be paired in that round (`gather`).
        draw: the event's public draw.
        drawn: the round that its rule gives, if that is another one than the best.
        name: what the sentences call a player.
    """
    apart = [(one, other) for one, others in pool.apart.items() for other in others]
    engine = pair_round(pool, draw) if drawn is None else drawn
    here, there = _tables(proposal), _tables(engine)
    known = all(player in pool.points for table in here for player in table)
    return Judgement(
        faults=faults(proposal, players, rounds, apart=apart, name=name),
        notes=notes(proposal, players, rounds, apart=apart, name=name),
        cost=cost_of(pool, pairs_of(proposal), odd_byes(proposal)) if known else None,
        best=cost_of(pool, pairs_of(engine), odd_byes(engine)),
        only_here=tuple(table for table in here if table not in there),
        only_engine=tuple(table for table in there if table not in here),
    )


def _tables(paired: Round) -> list[Table]:
    tables: list[Table] = [(min(pair), max(pair)) for pair in pairs_of(paired)]
    return tables + [(player,) for player in odd_byes(paired)]
