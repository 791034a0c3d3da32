"""The tiebreaks of a whole field at once, exactly: what `standings` ranks by.

One pass over the rounds makes a `Ledger`. In it a record is one integer of fixed columns, so that a match is added to
it in one step, and each different record is unpacked and rated once. A tiebreak of the field is a `Column`: integers
over one common denominator, summed round by round. Nothing is rounded, nothing is a float, and the rates are the
functions of `tiebreaks` themselves.
"""

from array import array
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import singledispatch
from math import lcm
from operator import add, mul

from tournament.domain.errors import PlayerTwice, PlayerUnknown
from tournament.domain.model import AnyRound, Bye, Pairing, Player, PlayerId, Pod, Result
from tournament.domain.presets import Preset
from tournament.domain.tiebreaks import (
    BYE_RECORD,
    Field,
    OpponentsMean,
    OpponentsMedian,
    OpponentsOpponentsMean,
    OpponentsSum,
    OwnRate,
    Points,
    Rate,
    Record,
    Rounded,
    SonnebornBerger,
    Tiebreak,
    dropped,
    missed,
    pod_record,
    records_of,
    weighed,
)

# --- one pass over the rounds ---------------------------------------------------------------------------------------

_COLUMN = 32
"""Bits for each count of a record; a million games in each of a thousand rounds stay below."""


@dataclass(frozen=True, slots=True)
class Meetings:
    """Whom everybody met once in a round, by position; `Ledger.nobody` for who met none."""

    met: "array[int]"
    halves: bytearray
    """What the player won of the match: 2 for all of it, 1 for a draw."""
    weight: int


@dataclass(frozen=True, slots=True)
class Ledger:
    """Everybody's record and opponents, by the player's position in `players`."""

    players: Sequence[Player]
    rounds: Sequence[AnyRound]
    preset: Preset
    index: Mapping[PlayerId, int]
    meetings: list[Meetings]
    """One for each round, and more for a round in which a player meets several."""
    kinds: list[Record]
    """Each different record once."""
    kind_of: list[int]
    """Which of them is whose."""

    @property
    def last(self) -> int:
        """Number of the last round; 0 before the first."""
        return self.rounds[-1].number if self.rounds else 0

    @property
    def nobody(self) -> int:
        """The position of no player."""
        return len(self.players)

    def each(self, points: Points) -> list[int]:
        """The points of everybody."""
        of_kind = [points(kind) for kind in self.kinds]
        return [of_kind[kind] for kind in self.kind_of]


def read(players: Sequence[Player], rounds: Sequence[AnyRound], preset: Preset) -> Ledger:
    """Everything the finished tables of the rounds say.

    Raises:
        PlayerUnknown: a round seats somebody who is not among the players.
        PlayerTwice: two players have one id.
        ResultImpossible: games below 0 or beyond counting.
    """
    index = {player.id: i for i, player in enumerate(players)}
    if len(index) < len(players):
        raise PlayerTwice(next(id_ for id_, times in Counter(player.id for player in players).items() if times > 1))
    sums = [_packed(Record(missed=missed(who, rounds), dropped=int(dropped(who, rounds)))) for who in players]
    meetings: list[Meetings] = []
    try:
        for played in rounds:
            parts, more = _read_round(played, preset.weight(played.number), index)
            sums = list(map(add, sums, parts))
            meetings.extend(more)
    except KeyError as error:
        raise PlayerUnknown(error.args[0]) from None
    number_of: dict[int, int] = {}
    kind_of = [number_of.setdefault(packed, len(number_of)) for packed in sums]
    return Ledger(players, rounds, preset, index, meetings, [_unpacked(packed) for packed in number_of], kind_of)


def _read_round(played: AnyRound, weight: int, index: Mapping[PlayerId, int]) -> tuple[list[int], list[Meetings]]:
    """Everybody's part of a round, packed, and whom they met. Every match of an event goes through this loop once."""
    nobody = len(index)
    parts = [0] * nobody
    meetings = [Meetings(array("i", [nobody]) * nobody, bytearray(nobody), weight)]
    met, halves = meetings[0].met, meetings[0].halves
    seen: dict[tuple[int, int, int, int], tuple[int, int, int, int]] = {}
    for seat in played.seats:
        if isinstance(seat, Pairing):
            result = seat.result
            if result is None:
                continue
            games = (result.first, result.second, result.drawn, id(result.ending))
            match = seen.get(games)
            if match is None:
                match = seen[games] = _packed_match(result, weight)
            first, second = index[seat.first], index[seat.second]
            if parts[first] or parts[second]:
                _seat_again(first, second, match, parts, meetings)
            else:
                met[first], met[second] = second, first
                parts[first], parts[second], halves[first], halves[second] = match
        elif isinstance(seat, Bye):
            parts[index[seat.player]] += _packed(weighed(BYE_RECORD, weight))
        elif seat.placing is not None:
            _read_pod(seat, index, parts, meetings)
    return parts, meetings


def _seat_again(
    first: int, second: int, match: tuple[int, int, int, int], parts: list[int], meetings: list[Meetings]
) -> None:
    """Add a match of somebody who has been in this round already."""
    (sheet,) = _free_sheets(meetings, (first, second))
    sheet.met[first], sheet.met[second] = second, first
    for_first, for_second, sheet.halves[first], sheet.halves[second] = match
    parts[first] += for_first
    parts[second] += for_second


def _read_pod(pod: Pod, index: Mapping[PlayerId, int], parts: list[int], meetings: list[Meetings]) -> None:
    """Add the pod to everybody's part; each meets the next player, the next but one, and so on round the table."""
    seated = [index[player] for player in pod.players]
    sheets = _free_sheets(meetings, seated)
    for chair, one in enumerate(seated):
        part = pod_record(pod.players[chair], pod)
        parts[one] += _packed(weighed(part, meetings[0].weight))
        for sheet, other in zip(sheets, seated[chair + 1 :] + seated[:chair], strict=True):
            sheet.met[one] = other
            sheet.halves[one] = _halves(part)


def _free_sheets(meetings: list[Meetings], seated: Sequence[int]) -> list[Meetings]:
    """As many sheets as these players meet others each, in none of which one of them has met anybody yet."""
    nobody = len(meetings[0].met)
    used = sum(any(sheet.met[one] != nobody for one in seated) for sheet in meetings)
    while len(meetings) < used + len(seated) - 1:
        meetings.append(Meetings(array("i", [nobody]) * nobody, bytearray(nobody), meetings[0].weight))
    return meetings[used : used + len(seated) - 1]


def _packed_match(result: Result, weight: int) -> tuple[int, int, int, int]:
    first, second = records_of(result)
    return _packed(weighed(first, weight)), _packed(weighed(second, weight)), _halves(first), _halves(second)


def _halves(part: Record) -> int:
    return 2 * part.wins + part.draws


def _packed(counts: Record) -> int:
    return sum(count << _COLUMN * column for column, count in enumerate(counts))


def _unpacked(packed: int) -> Record:
    mask = (1 << _COLUMN) - 1
    return Record._make(packed >> _COLUMN * column & mask for column in range(len(Record._fields)))


# --- columns: one tiebreak of everybody, over a common denominator --------------------------------------------------


@dataclass(frozen=True, slots=True)
class Column:
    """The numerators of everybody's value, by position."""

    values: list[int]
    denominator: int


@singledispatch
def column(tiebreak: Tiebreak, ledger: Ledger) -> Column:
    """The tiebreak of everybody. One that has no fast form is asked of everybody, one by one."""
    field = Field({who.id: who for who in ledger.players}, ledger.rounds, ledger.preset.weight)
    values = [tiebreak(who.id, field) for who in ledger.players]
    common = lcm(*(value.denominator for value in values))
    return Column([value.numerator * (common // value.denominator) for value in values], common)


@column.register
def _(tiebreak: OwnRate, ledger: Ledger) -> Column:
    return _own(tiebreak.rate, ledger)


@column.register
def _(tiebreak: OpponentsMean, ledger: Ledger) -> Column:
    return _mean(_own(tiebreak.rate, ledger), ledger)


@column.register
def _(tiebreak: OpponentsOpponentsMean, ledger: Ledger) -> Column:
    return _mean(_mean(_own(tiebreak.rate, ledger), ledger), ledger)


@column.register
def _(tiebreak: Rounded, ledger: Ledger) -> Column:
    exact = column(tiebreak.tiebreak, ledger)
    unit, twice = 10**tiebreak.places, 2 * exact.denominator
    return Column([(2 * value * unit + exact.denominator) // twice for value in exact.values], unit)


@column.register
def _(tiebreak: OpponentsSum, ledger: Ledger) -> Column:
    return Column(_sum(ledger.each(tiebreak.points), ledger), 1)


@column.register
def _(tiebreak: OpponentsMedian, ledger: Ledger) -> Column:
    worth = ledger.each(tiebreak.points)
    opponents: list[list[int]] = [[] for _ in worth]
    for of in ledger.meetings:
        for points_of, other in zip(opponents, of.met, strict=True):
            if other != ledger.nobody:
                points_of.extend([worth[other]] * of.weight)
    return Column([sum(sorted(points_of)[1:-1]) for points_of in opponents], 1)


@column.register
def _(tiebreak: SonnebornBerger, ledger: Ledger) -> Column:
    worth = [*ledger.each(tiebreak.points), 0]
    sums = [0] * len(ledger.players)
    for of in ledger.meetings:
        won = map(mul, of.halves, map(worth.__getitem__, of.met))
        sums = list(map(add, sums, _times(of.weight, won)))
    return Column(sums, 2)


def _own(rate: Rate, ledger: Ledger) -> Column:
    of_kind = [rate(kind) for kind in ledger.kinds]
    common = lcm(*(value.denominator for value in of_kind))
    numerators = [value.numerator * (common // value.denominator) for value in of_kind]
    return Column([numerators[kind] for kind in ledger.kind_of], common)


def _mean(of: Column, ledger: Ledger) -> Column:
    sums = _sum(of.values, ledger)
    common = lcm(*(kind.met for kind in ledger.kinds if kind.met))
    shares = ledger.each(lambda kind: common // kind.met if kind.met else 0)
    return Column(list(map(mul, sums, shares)), of.denominator * common)


def _sum(values: list[int], ledger: Ledger) -> list[int]:
    """For everybody, the sum of the values of those they met, as often as the rounds weigh."""
    worth = [*values, 0]
    sums = [0] * len(values)
    for of in ledger.meetings:
        sums = list(map(add, sums, _times(of.weight, map(worth.__getitem__, of.met))))
    return sums


def _times(weight: int, values: Iterable[int]) -> Iterable[int]:
    return values if weight == 1 else (weight * value for value in values)
