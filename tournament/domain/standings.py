"""The standings after any round: places, match points and tiebreaks, computed afresh from the finished rounds.

What a player is ranked by is one integer, its digits the points and the tiebreaks of `columns`. So nothing is rounded
and nothing is a float: unrounded floats split true ties by their last bit, and put most of a large field into another
order.

Who is tied shares a place, and the next place is left out: 1, 2, 2, 4. `settle` lets the public draw decide instead.
"""

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from fractions import Fraction
from itertools import groupby, permutations

from tournament.domain.columns import Column, Ledger, column, read
from tournament.domain.draw import draw_lots
from tournament.domain.model import AnyRound, Pairing, Player, PlayerId, Pod, PodRound, Round
from tournament.domain.presets import MTR_2026, BetweenTwo, Preset
from tournament.domain.results import Penalty, PointsTaken
from tournament.domain.tiebreaks import Field, Record, record


@dataclass(frozen=True, slots=True)
class Standing:
    """One line of the standings."""

    place: int
    player: PlayerId
    match_points: int
    tiebreaks: Mapping[str, Fraction]
    """By name, in the order in which they count. "head_to_head" is 1 where it put the player above the one rival."""
    record: Record = field(default_factory=Record)
    """What the player's rounds came to."""


def rank(
    players: Sequence[Player],
    rounds: Sequence[AnyRound],
    preset: Preset = MTR_2026,
    *,
    penalties: Iterable[Penalty] = (),
) -> tuple[Standing, ...]:
    """The standings after the given rounds, the first place first; tied players by id.

    Players who dropped keep their place. The disqualified are not in it, and everybody below them moves up; whoever met
    them keeps the match. Nor is anybody in it who has not come yet, or left before the own first round: so neither
    coming late nor leaving changes standings already published.

    Args:
        players: everybody who entered, in any order.
        rounds: Swiss rounds in the order played; tables without a result are not looked at.
        preset: what counts, and in which order.
        penalties: of these, match points taken away count from the round they were given in.

    Raises:
        PlayerUnknown: a round seats somebody who is not among the players.
        PlayerTwice: two players have one id.
        ResultImpossible: games below 0 or beyond counting.
    """
    ledger = read(players, rounds, preset)
    points = _points(ledger, penalties)
    keys, digits = _keys(points, {name: column(tiebreak, ledger) for name, tiebreak in preset.tiebreaks.items()})
    order = sorted((i for i, who in enumerate(players) if _is_listed(who, ledger.last)), key=lambda i: players[i].id)
    order.sort(key=keys.__getitem__, reverse=True)
    if preset.if_two_tied is not None:
        keys = _part_pairs(order, keys, ledger, preset.if_two_tied)
        digits = (*digits, _Digit("head_to_head", 2, 0, 1))
        order.sort(key=keys.__getitem__, reverse=True)
    return tuple(_lines(order, keys, ledger, points, digits))


def match_points_of(
    players: Sequence[Player],
    rounds: Sequence[AnyRound],
    preset: Preset = MTR_2026,
    *,
    penalties: Iterable[Penalty] = (),
) -> dict[PlayerId, int]:
    """The match points of everybody, listed or not, as `rank` counts them."""
    ledger = read(players, rounds, preset)
    return dict(zip(ledger.index, _points(ledger, penalties), strict=True))


def still_in(player: Player) -> bool:
    """Whether the player can take a place of the cut: who dropped or was disqualified leaves it to others."""
    return player.dropped_after is None and not player.disqualified


def definition(player: PlayerId, players: Sequence[Player], rounds: Sequence[AnyRound], preset: Preset) -> Standing:
    """The player's line as the rule books say it, without a place; what `rank` is tested against."""
    field = Field({who.id: who for who in players}, rounds, preset.weight)
    tiebreaks = {name: tiebreak(player, field) for name, tiebreak in preset.tiebreaks.items()}
    own = record(player, field)
    return Standing(0, player, preset.points(own), tiebreaks, own)


def settle(standings: Sequence[Standing], draw: str) -> tuple[Standing, ...]:
    """The same standings with every shared place decided by the public draw, so that no two places are equal.

    Tied players stand in the order of their lots of round 0, which nobody is paired in.
    """
    lots = draw_lots(draw, 0, [line.player for line in standings])
    ordered = sorted(standings, key=lambda line: (line.place, lots[line.player]))
    return tuple(replace(line, place=place) for place, line in enumerate(ordered, start=1))


def has_come(player: Player, last: int) -> bool:
    """Whether the player has entered by the round of that number, which may be 0, and did not leave before playing."""
    left_before_playing = player.dropped_after is not None and player.dropped_after < player.entered_in
    return player.entered_in <= max(last, 1) and not left_before_playing


def _is_listed(player: Player, last: int) -> bool:
    return not player.disqualified and has_come(player, last)


def _points(ledger: Ledger, penalties: Iterable[Penalty]) -> list[int]:
    """Match points less those taken away; no tiebreak looks at the latter, so no opponent pays for a penalty."""
    taken: Counter[PlayerId] = Counter()
    for penalty in penalties:
        if isinstance(penalty, PointsTaken) and penalty.round <= ledger.last:
            taken[penalty.player] += penalty.points
    return [own - taken[who.id] for own, who in zip(ledger.each(ledger.preset.points), ledger.players, strict=True)]


# --- one integer that everything is ranked by -----------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class _Digit:
    """A tiebreak's place in the integer: the value is (digit + least) / denominator."""

    name: str
    base: int
    least: int
    denominator: int


@dataclass(slots=True, eq=False)
class _Values(Mapping[str, Fraction]):
    """A player's tiebreaks, taken out of the integer when somebody looks."""

    key: int
    digits: tuple[_Digit, ...]

    def __getitem__(self, name: str) -> Fraction:
        rest = self.key
        for digit in reversed(self.digits):
            rest, value = divmod(rest, digit.base)
            if digit.name == name:
                return Fraction(value + digit.least, digit.denominator)
        raise KeyError(name)

    def __iter__(self) -> Iterator[str]:
        return (digit.name for digit in self.digits)

    def __len__(self) -> int:
        return len(self.digits)

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Mapping) and list(self.items()) == list(other.items())

    def __hash__(self) -> int:
        return hash(tuple(self.items()))

    def __repr__(self) -> str:
        return repr({name: str(value) for name, value in self.items()})


_PAIR = 2


def _keys(points: list[int], columns: Mapping[str, Column]) -> tuple[list[int], tuple[_Digit, ...]]:
    """For everybody the points and the tiebreaks as digits of one integer, and how to read it."""
    keys, digits = points, []
    for name, of in columns.items():
        least, most = min(of.values, default=0), max(of.values, default=0)
        base = most - least + 1
        keys = [key * base + value - least for key, value in zip(keys, of.values, strict=True)]
        digits.append(_Digit(name, base, least, of.denominator))
    return keys, tuple(digits)


def _part_pairs(order: Sequence[int], keys: list[int], ledger: Ledger, between: BetweenTwo) -> list[int]:
    """The keys with one more digit: 1 for whoever is ahead of the one player tied with."""
    parted = [2 * key for key in keys]
    players = ledger.players
    pairs = [pair for _, tied in groupby(order, key=keys.__getitem__) if len(pair := list(tied)) == _PAIR]
    met = [(one, other) for one, other in pairs if any(of.met[one] == other for of in ledger.meetings)]
    rival = {players[i].id: players[j].id for pair in met for i, j in permutations(pair)}
    matches = _matches_against(rival, ledger.rounds) if rival else {}
    by_id = {who.id: who for who in players}
    for one, rounds in matches.items():
        field = Field(by_id, rounds, ledger.preset.weight)
        parted[ledger.index[one]] += between(one, rival[one], field) > between(rival[one], one, field)
    return parted


def _matches_against(rival: Mapping[PlayerId, PlayerId], rounds: Sequence[AnyRound]) -> dict[PlayerId, list[AnyRound]]:
    """For each of these players the rounds against the rival, without the other tables."""
    against: dict[PlayerId, list[AnyRound]] = {one: [] for one in rival}
    for played in rounds:
        for seat in played.seats:
            match seat:
                case Pairing() if rival.get(seat.first) == seat.second:
                    against[seat.first].append(Round(played.number, (seat,)))
                    against[seat.second].append(Round(played.number, (seat,)))
                case Pod():
                    for one in seat.players:
                        if rival.get(one) in seat.players:
                            against[one].append(PodRound(played.number, (seat,)))
                case _:
                    pass
    return against


def _lines(
    order: Sequence[int], keys: list[int], ledger: Ledger, points: list[int], digits: tuple[_Digit, ...]
) -> Iterator[Standing]:
    place, above = 0, None
    for row, i in enumerate(order, start=1):
        if keys[i] != above:
            place, above = row, keys[i]
        kind = ledger.kinds[ledger.kind_of[i]]
        yield Standing(place, ledger.players[i].id, points[i], _Values(keys[i], digits), kind)
