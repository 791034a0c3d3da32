"""What a player's chances are before the last round is paired: the event, played to its end many times over.

Nobody knows who will meet whom, so there is nothing to prove; `clinch` proves it in the last round. Each share comes
with its standard error, and the same random source gives the same shares.
"""

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from itertools import groupby
from math import sqrt
from random import Random
from typing import TypeAlias

from tournament.domain.clinch import OwnMatch, open_matches, results_by_ending
from tournament.domain.errors import PlayerUnknown
from tournament.domain.model import Bye, Player, PlayerId, Result, Round, Seat
from tournament.domain.presets import MTR_2026, Preset
from tournament.domain.results import Penalty
from tournament.domain.standings import Standing, rank, still_in

PairNext: TypeAlias = Callable[[Sequence[Player], Sequence[Round], Random], Round]
"""Pairs the next round of players and finished rounds; what it draws, it draws from the random source."""

DRAWN_MATCHES = Fraction(1, 25)
"""Share of matches that end drawn when nobody knows better."""


@dataclass(frozen=True, slots=True)
class Chance:
    """How often a player made the cut when the own next match ended that way."""

    own: OwnMatch
    made: int
    events: int
    """How many events were played to the end."""

    @property
    def share(self) -> Fraction:
        """The estimate."""
        return Fraction(self.made, self.events)

    @property
    def standard_error(self) -> float:
        """Of the share, for display. Half an event is added either way (Jeffreys), so 0 and 1 have an error too."""
        share = (self.made + 0.5) / (self.events + 1)
        return sqrt(share * (1 - share) / self.events)

    @property
    def sentence(self) -> str:
        """The chance as one says it to a player."""
        error = f"± {100 * self.standard_error:.1f} %"
        return f"with {self.own} {float(100 * self.share):.1f} % {error}, of {self.events} events played to the end"


def simulate(  # noqa: PLR0913 - what varies is passed in, by keyword
    player: PlayerId,
    players: Sequence[Player],
    rounds: Sequence[Round],
    *,
    planned: int,
    cut: int,
    pair: PairNext,
    rng: Random,
    events: int = 200,
    drawn: Fraction = DRAWN_MATCHES,
    preset: Preset = MTR_2026,
    penalties: Iterable[Penalty] = (),
) -> tuple[Chance, ...]:
    """How likely the player makes the cut after a win, a draw and a loss in the next match.

    Every other match is a toss between equals, a share of them drawn; winners lose no game; nobody drops. A shared
    place that the line runs through goes to those who share it by lot. The same `rng` gives the same answer.

    Args:
        player: who asks; in the race.
        players: everybody who entered.
        rounds: all rounds so far; the last one may have open tables.
        planned: rounds before the cut.
        cut: how many go on.
        pair: pairs a round.
        rng: where results, lots and pairings come from.
        events: how many to play, for each of the three.
        drawn: share of drawn matches.
        preset: how the event is ranked.
        penalties: of these, match points taken away count.

    Raises:
        PlayerUnknown: nobody has that id, or a round seats somebody who never entered.
    """
    if all(who.id != player for who in players):
        raise PlayerUnknown(player)
    penalties = tuple(penalties)
    chances = []
    for own in _next_match(player, rounds, planned):
        made = 0
        for _ in range(events):
            played = _play_on(players, rounds, planned, pair, _Toss(rng, drawn, preset, {player: own}))
            standings = rank(players, played, preset, penalties=penalties)
            made += _makes_the_cut(player, standings, {who.id for who in players if still_in(who)}, cut, rng)
        chances.append(Chance(own, made, events))
    return tuple(chances)


def _next_match(player: PlayerId, rounds: Sequence[Round], planned: int) -> tuple[OwnMatch, ...]:
    """The endings to ask about: three, or none where the player has no match any more."""
    now_playing = any(player in (match.first, match.second) for match in open_matches(rounds[-1])) if rounds else False
    return (OwnMatch.WIN, OwnMatch.DRAW, OwnMatch.LOSS) if now_playing or len(rounds) < planned else (OwnMatch.OVER,)


@dataclass(slots=True)
class _Toss:
    """Ends open matches by lot, but a player's first one as it is asked."""

    rng: Random
    drawn: Fraction
    preset: Preset
    asked: dict[PlayerId, OwnMatch]

    def finish(self, running: Round) -> Round:
        """The round with a result at every table."""
        results = results_by_ending(self.preset, running.number)
        return replace(running, seats=tuple(self._seat(seat, results) for seat in running.seats))

    def _seat(self, seat: Seat, results: Mapping[OwnMatch, Result]) -> Seat:
        if isinstance(seat, Bye) or seat.result is not None:
            return seat
        if seat.first in self.asked:
            return replace(seat, result=results[self.asked.pop(seat.first)])
        if seat.second in self.asked:
            return replace(seat, result=results[_MIRRORED[self.asked.pop(seat.second)]])
        if self.rng.random() < self.drawn:
            return replace(seat, result=results[OwnMatch.DRAW])
        return replace(seat, result=results[self.rng.choice((OwnMatch.WIN, OwnMatch.LOSS))])


_MIRRORED = {OwnMatch.WIN: OwnMatch.LOSS, OwnMatch.DRAW: OwnMatch.DRAW, OwnMatch.LOSS: OwnMatch.WIN}


def _play_on(
    players: Sequence[Player], rounds: Sequence[Round], planned: int, pair: PairNext, toss: _Toss
) -> list[Round]:
    played = [*rounds[:-1], *(toss.finish(running) for running in rounds[-1:])]
    while len(played) < planned:
        played.append(toss.finish(pair(players, played, toss.rng)))
    return played


def _makes_the_cut(
    player: PlayerId, standings: Iterable[Standing], contenders: set[PlayerId], cut: int, rng: Random
) -> bool:
    above = 0
    for _, lines in groupby(standings, key=lambda line: line.place):
        tied = [line.player for line in lines if line.player in contenders]
        if player in tied:
            return rng.randrange(len(tied)) < cut - above
        above += len(tied)
    return False
