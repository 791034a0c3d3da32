"""Can I draw in? What a player needs for the cut.

In the last round the answer is exact; before it, `chances` estimates. Matches do not depend on each other, so the worst
that can happen is the sum of the worst of each match, and the cases are counted by multiplying small polynomials, one a
match. It goes by match points alone: a tie is taken to go against the player where "enough" is promised, and for the
player where "not enough" is; what lies between is up to tiebreaks. Tables that have reported count as they are, so the
answers sharpen while the round runs.

A case is one way in which the other open matches that matter can end: won by one, won by the other, drawn. Every case
counts the same, so a share of cases is not a chance. A double loss is no case; it never makes a promise wrong, because
it takes points from rivals.
"""

from bisect import bisect_left
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from enum import StrEnum
from functools import cache, reduce
from typing import NamedTuple, TypeAlias

from tournament.domain.errors import RoundMissing
from tournament.domain.model import Pairing, Player, PlayerId, Result, Round
from tournament.domain.presets import MTR_2026, Preset
from tournament.domain.results import Penalty
from tournament.domain.standings import has_come, match_points_of, still_in
from tournament.domain.tiebreaks import records_of, weighed


class OwnMatch(StrEnum):
    """How the player's own match ends, as it is said in a sentence."""

    WIN = "a win"
    DRAW = "a draw"
    LOSS = "a loss"
    OVER = "what is played"
    """The player has no open match: it has ended, or there was none."""


@dataclass(frozen=True, slots=True)
class Outlook:
    """Where one ending of the player's own match leads, by match points, whatever the others do."""

    own: OwnMatch
    match_points: int
    best_place: int
    """With every tie and every other match in the player's favour. Places are those of the players still in."""
    worst_place: int
    """With every tie and every other match against the player."""
    cases: int
    """In how many ways the other open matches can end; those that cannot matter here are left aside."""
    enough: int
    """In how many of them the player is in, whatever tiebreaks say."""
    too_little: int
    """In how many of them the player is out, whatever tiebreaks say."""

    @property
    def is_enough(self) -> bool:
        """The player is in, in every case."""
        return self.enough == self.cases

    @property
    def is_too_little(self) -> bool:
        """The player is out, in every case."""
        return self.too_little == self.cases

    @property
    def up_to_tiebreaks(self) -> int:
        """In how many cases tiebreaks decide."""
        return self.cases - self.enough - self.too_little

    @property
    def sentence(self) -> str:
        """The outlook as one says it to a player."""
        if self.is_enough:
            return f"{self.own} is enough whatever others do"
        if self.is_too_little:
            return f"{self.own} is not enough whatever others do"
        if not self.enough and not self.too_little:
            return f"{self.own} leaves it to tiebreaks whatever others do"
        return f"{self.own} is {self._in_cases()}"

    def _in_cases(self) -> str:
        missed = self.cases - self.enough
        if self.enough > missed and missed <= _COUNTED:
            return f"enough in every case but {missed} of {self.cases}{self._tiebreaks_in(missed)}"
        shares = {"enough": self.enough, "up to tiebreaks": self.up_to_tiebreaks, "not enough": self.too_little}
        first, *more = [f"{what} in {_share(count, self.cases)}" for what, count in shares.items() if count]
        return ", ".join([f"{first} of the cases", *more])

    def _tiebreaks_in(self, missed: int) -> str:
        if self.up_to_tiebreaks == missed:
            return ", and there tiebreaks decide"
        return f", and tiebreaks decide {self.up_to_tiebreaks} of those" if self.up_to_tiebreaks else ""


_PER_MILLE = 1000

_COUNTED = 999
"""Up to here cases are told as a number, beyond it as a share."""


def _share(part: int, whole: int) -> str:
    per_mille = (2 * _PER_MILLE * part + whole) // (2 * whole)
    if per_mille == 0:
        return "under 0.1 %"
    if per_mille == _PER_MILLE:
        return "over 99.9 %"
    return f"{per_mille // 10}.{per_mille % 10} %"


@dataclass(frozen=True, slots=True)
class Needs:
    """What a player needs to make the cut."""

    player: PlayerId
    cut: int
    outlooks: tuple[Outlook, ...]
    """A win, a draw and a loss; or one, where the player's match is over."""

    @property
    def can_draw_in(self) -> bool:
        """Whether a draw is enough whatever others do."""
        return any(outlook.own is OwnMatch.DRAW and outlook.is_enough for outlook in self.outlooks)

    @property
    def sentences(self) -> tuple[str, ...]:
        """What the player is told, the best ending first."""
        return tuple(outlook.sentence for outlook in self.outlooks)


def needs_in_last_round(
    players: Sequence[Player],
    rounds: Sequence[Round],
    cut: int,
    preset: Preset = MTR_2026,
    *,
    penalties: Iterable[Penalty] = (),
) -> dict[PlayerId, Needs]:
    """What everybody still in the event needs, when the last of these rounds is the last before the cut.

    Who has not come by then is no rival.

    Args:
        players: everybody who entered.
        rounds: all rounds, the running one last, its open tables without a result.
        cut: how many go on.
        preset: how matches are scored; its tiebreaks are not looked at.
        penalties: of these, match points taken away count.

    Raises:
        RoundMissing: there is no round.
        PlayerUnknown, PlayerTwice, ResultImpossible: as `rank` does.
    """
    if not rounds:
        raise RoundMissing("what a player needs")
    points = match_points_of(players, rounds, preset, penalties=penalties)
    number = rounds[-1].number
    contenders = {who.id: points[who.id] for who in players if still_in(who) and has_come(who, number)}
    race = _Race(contenders, open_matches(rounds[-1]), _endings(preset, number), cut)
    return {player: Needs(player, cut, race.outlooks(player)) for player in contenders}


def open_matches(running: Round) -> list[Pairing]:
    """The tables that have not reported."""
    return [seat for seat in running.seats if isinstance(seat, Pairing) and seat.result is None]


class _Ending(NamedTuple):
    """How a match ends for one of its players, and the points it brings to that one and to the other."""

    own: OwnMatch
    points: int
    others_points: int


def results_by_ending(preset: Preset, number: int) -> dict[OwnMatch, Result]:
    """How a match of the round can end, with as many games as the round weighs; two games may end one all."""
    games = preset.weight(number)
    return {
        OwnMatch.WIN: Result(games, 0),
        OwnMatch.DRAW: Result(games // 2, games // 2, games % 2),
        OwnMatch.LOSS: Result(0, games),
    }


def _endings(preset: Preset, number: int) -> tuple[_Ending, ...]:
    weight = preset.weight(number)
    return tuple(
        _Ending(own, *(preset.points(weighed(part, weight)) for part in records_of(result)))
        for own, result in results_by_ending(preset, number).items()
    )


class _Match(NamedTuple):
    """The points of an open match's players, seen from the side of the first of them."""

    own: int
    other: int


_OUT_OF_THE_RACE = -(10**9)
"""Points of a player who dropped: below every threshold, whatever is added."""

_Ways: TypeAlias = tuple[int, ...]
"""At k: in how many ways exactly k players get there."""


class _Spread(NamedTuple):
    """How many players reach a threshold."""

    least: int
    most: int
    ways: _Ways
    """Up to the cut and no further; more players than that are all the same."""

    def plus(self, more: int) -> "_Spread":
        """With one player more who reaches it for certain, or one fewer."""
        ways = (0,) * more + self.ways[max(0, -more) :]
        return _Spread(self.least + more, self.most + more, ways)


class _Race:
    """In how many ways the open matches let how many players reach so many points.

    Matches with the same points on both sides are alike, and seen from one threshold nearly all are: so there are few
    different polynomials, and each is multiplied out once.
    """

    def __init__(
        self, points: Mapping[PlayerId, int], matches: Sequence[Pairing], endings: tuple[_Ending, ...], cut: int
    ) -> None:
        self._points, self._endings, self._cut = points, endings, cut
        self._match_of: dict[PlayerId, _Match] = {}
        for match in matches:
            first, second = (points.get(player, _OUT_OF_THE_RACE) for player in (match.first, match.second))
            self._match_of[match.first] = _Match(first, second)
            self._match_of[match.second] = _Match(second, first)
        self._alike = Counter(self._match_of[match.first] for match in matches)
        self._settled = sorted(own for player, own in points.items() if player not in self._match_of)
        self._memo_outlooks, self._memo_ways = cache(self._outlooks_of), cache(self._ways_at)
        self._memo_matches, self._memo_spread = cache(self._matches_at), cache(self._spread_at)
        self._memo_mattering = cache(self._mattering_at)

    def outlooks(self, player: PlayerId) -> tuple[Outlook, ...]:
        """A win, a draw and a loss; or what is played already."""
        match = self._match_of.get(player)
        if match is not None:
            return self._memo_outlooks(match)
        own = self._points[player]
        itself_not = self._memo_spread(own, None).plus(-1)
        return (self._outlook(OwnMatch.OVER, own, None, itself_not, self._memo_spread(own + 1, None)),)

    def _outlooks_of(self, match: _Match) -> tuple[Outlook, ...]:
        return tuple(self._outlook_of(match, ending) for ending in self._endings)

    def _outlook_of(self, match: _Match, ending: _Ending) -> Outlook:
        own, other = match.own + ending.points, match.other + ending.others_points
        tied = self._memo_spread(own, self._memo_ways(match, own)).plus(other >= own)
        ahead = self._memo_spread(own + 1, self._memo_ways(match, own + 1)).plus(other > own)
        return self._outlook(ending.own, own, match, tied, ahead)

    def _outlook(self, own: OwnMatch, points: int, match: _Match | None, tied: _Spread, ahead: _Spread) -> Outlook:
        """An outlook from how many others are at least level, and how many are ahead; `match` is the own one."""
        others = self._alike.total() - (match is not None)
        mattering = self._memo_mattering(points) - (match is not None and self._matters(match, points))
        cases, idle = len(self._endings) ** mattering, len(self._endings) ** (others - mattering)
        return Outlook(
            own=own,
            match_points=points,
            best_place=1 + ahead.least,
            worst_place=1 + tied.most,
            cases=cases,
            enough=sum(tied.ways[: self._cut]) // idle,
            too_little=cases - sum(ahead.ways[: self._cut]) // idle,
        )

    def _mattering_at(self, points: int) -> int:
        """How many open matches decide, for a player with so many points, who is level or ahead."""
        return sum(times for match, times in self._alike.items() if self._matters(match, points))

    def _matters(self, match: _Match, points: int) -> bool:
        return any(len(_reachable(self._memo_ways(match, threshold))) > 1 for threshold in (points, points + 1))

    def _ways_at(self, match: _Match, threshold: int) -> _Ways:
        """In how many of its endings none, one and both of a match's players reach the threshold."""
        reached = [
            (match.own + ending.points >= threshold) + (match.other + ending.others_points >= threshold)
            for ending in self._endings
        ]
        return reached.count(0), reached.count(1), reached.count(2)

    def _matches_at(self, threshold: int) -> Counter[_Ways]:
        """The open matches by what they do at a threshold."""
        matches: Counter[_Ways] = Counter()
        for match, times in self._alike.items():
            matches[self._memo_ways(match, threshold)] += times
        return matches

    def _spread_at(self, threshold: int, without: _Ways | None) -> _Spread:
        """How many players reach the threshold; one match that does `without` is left out."""
        matches = self._memo_matches(threshold) - Counter([] if without is None else [without])
        settled = len(self._settled) - bisect_left(self._settled, threshold)
        least = settled + sum(times * min(_reachable(ways)) for ways, times in matches.items())
        most = settled + sum(times * max(_reachable(ways)) for ways, times in matches.items())
        length = self._cut + 1
        if least >= length:
            return _Spread(least, most, (0,) * length)
        powers = [_power(ways, times, length) for ways, times in matches.items()]
        return _Spread(least, most, reduce(_times, powers, _one(settled, length)))


def _reachable(ways: _Ways) -> list[int]:
    return [players for players, count in enumerate(ways) if count]


def _one(at: int, length: int) -> _Ways:
    return tuple(int(players == at) for players in range(length))


def _times(left: _Ways, right: _Ways) -> _Ways:
    """The product of two polynomials of the left one's length, cut off there."""
    product = [0] * len(left)
    for i, ways in enumerate(left):
        if ways:
            for j, more in enumerate(right[: len(left) - i]):
                product[i + j] += ways * more
    return tuple(product)


def _power(ways: _Ways, exponent: int, length: int) -> _Ways:
    """The polynomial multiplied by itself so many times, cut off at the length."""
    power, base = _one(0, length), (*ways, *(0,) * length)[:length]
    while exponent:
        if exponent % 2:
            power = _times(power, base)
        base, exponent = _times(base, base), exponent // 2
    return power
