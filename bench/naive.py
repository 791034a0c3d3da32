"""Standings as somebody writes them down from the rule book: exact fractions, one dictionary after the other.

No more naive than that: every player's record and rates are computed once. It knows matches and byes, no drops.
"""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from fractions import Fraction

from tournament.domain.model import Pairing, Player, PlayerId, Pod, Round

_LEAST = Fraction(33, 100)


@dataclass
class _Past:
    points: int = 0
    rounds: int = 0
    game_points: int = 0
    games: int = 0
    opponents: list[PlayerId] = field(default_factory=list)


def standings(players: Sequence[Player], rounds: Iterable[Round]) -> list[tuple[PlayerId, int, tuple[Fraction, ...]]]:
    """Player, points and omw, gw, ogw, oomw, the first place first."""
    past = {player.id: _Past() for player in players}
    for played in rounds:
        for seat in played.seats:
            if isinstance(seat, Pairing):
                assert seat.result
                won, lost, drawn = seat.result.first, seat.result.second, seat.result.drawn
                for player, other, mine, theirs in (
                    (seat.first, seat.second, won, lost),
                    (seat.second, seat.first, lost, won),
                ):
                    of = past[player]
                    of.points += 3 if mine > theirs else 1 if mine == theirs else 0
                    of.rounds += 1
                    of.game_points += 3 * mine + drawn
                    of.games += mine + theirs + drawn
                    of.opponents.append(other)
            else:
                assert not isinstance(seat, Pod)
                of = past[seat.player]
                of.points, of.rounds, of.game_points, of.games = (
                    of.points + 3,
                    of.rounds + 1,
                    of.game_points + 6,
                    of.games + 2,
                )
    match_rate = {player: _rate(of.points, of.rounds) for player, of in past.items()}
    game_rate = {player: _rate(of.game_points, of.games) for player, of in past.items()}
    opponents = {player: _mean([match_rate[other] for other in of.opponents]) for player, of in past.items()}
    lines = [
        (
            player,
            of.points,
            (
                opponents[player],
                game_rate[player],
                _mean([game_rate[other] for other in of.opponents]),
                _mean([opponents[other] for other in of.opponents]),
            ),
        )
        for player, of in sorted(past.items())
    ]
    return sorted(lines, key=lambda line: line[1:], reverse=True)


def _rate(points: int, played: int) -> Fraction:
    return max(_LEAST, Fraction(points, 3 * played)) if played else _LEAST


def _mean(values: Sequence[Fraction]) -> Fraction:
    return sum(values, Fraction(0)) / len(values) if values else Fraction(0)
