"""Multi-player tables: how many, who sits together, what is wrong with a seating, what a placing is worth.

Three to six players at a table. No rule book says who sits together, so what follows is ours, and a seating is judged
in this order: byes; players who have met; pairs whom the organizer keeps apart; players who were at an uneven table
before and are at one again; squared differences of points at a table; points at uneven tables (the short table is for
the lowest); then the public draw.
`Proof` says how far that is certain. Nothing about a seating depends on the order in which the players are given.
"""

from collections import Counter
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from enum import StrEnum
from fractions import Fraction
from itertools import combinations, combinations_with_replacement
from math import lcm
from types import MappingProxyType

from tournament.domain.amounts import counted
from tournament.domain.draw import draw_lots
from tournament.domain.errors import PlacingUnreadable, PlayersUnseatable
from tournament.domain.model import Bye, ByeKind, PlayerId, Pod, PodRound, PodSeat, players_at
from tournament.domain.pairing import number_tables
from tournament.domain.pod_search import EXACT_UP_TO, Tables, Weights, exact, improve, weigh

SEATS = range(3, 7)
"""How many players a table may have."""

USUAL = 4
"""Seats of a table where nothing else is said."""


@dataclass(frozen=True, slots=True)
class Layout:
    """How many seats the tables of an event have."""

    usual: int = USUAL
    allowed: frozenset[int] = frozenset()
    """Every size a table may have, if the organizer wants no other; whom they cannot hold has a bye. Empty: any size
    that avoids byes."""

    @property
    def sizes(self) -> frozenset[int]:
        """The sizes that a table may have."""
        return self.allowed | {self.usual} if self.allowed else frozenset(SEATS)


FOURS = Layout()
"""Tables of four, and of three where they do not come out even."""


# --- how many tables ------------------------------------------------------------------------------------------------


def table_sizes(players: int, layout: Layout = FOURS) -> tuple[int, ...]:
    """The tables for so many players, the uneven ones last; who is not at them has a bye.

    As few byes as possible, then as few uneven tables. Uneven tables are one seat short (at tables of three: one seat
    longer); only if that leaves somebody over, one seat longer, and then any size: 5 players at tables of 4 are one
    table of five, not a table and a bye.

    Raises:
        PlayersUnseatable: no table of an allowed size can be filled, or a size is not from 3 to 6.
    """
    if players < min(layout.sizes) or layout.usual not in SEATS or not layout.sizes <= set(SEATS):
        raise PlayersUnseatable(players, tuple(sorted(layout.sizes)))
    tiers = [set(layout.sizes)] if layout.allowed else _tiers(layout.usual)
    return max((_fullest(players, layout.usual, tier) for tier in tiers), key=sum)


def _tiers(usual: int) -> list[set[int]]:
    """Sizes to try, the wanted ones first."""
    short, long = {usual - 1, usual} & set(SEATS), {usual, usual + 1} & set(SEATS)
    return [short if len(short) > 1 else long, short | long, set(SEATS)]


def _fullest(players: int, usual: int, sizes: set[int]) -> tuple[int, ...]:
    """Tables of these sizes with the fewest byes, then the fewest uneven tables, then those nearest to the usual."""
    others = sorted(sizes - {usual})
    uneven = [extra for many in range(2 * usual) for extra in combinations_with_replacement(others, many)]
    fitting = [extra for extra in uneven if sum(extra) <= players]
    best = min(
        fitting,
        key=lambda extra: (
            (players - sum(extra)) % usual,
            len(extra),
            sum((size - usual) ** 2 for size in extra),
            extra,
        ),
    )
    return (usual,) * ((players - sum(best)) // usual) + tuple(reversed(best))


# --- who sits together ----------------------------------------------------------------------------------------------


class Proof(StrEnum):
    """How certain it is that no seating is better."""

    EXACT = "every seating was weighed, none is better"
    NO_REPEATS = "nobody meets again, so no seating has fewer repeats"
    BEST_FOUND = "the best of those tried"


@dataclass(frozen=True, slots=True)
class Repeat:
    """Two players who sit together and have met before."""

    first: PlayerId
    second: PlayerId
    times: int
    """Earlier rounds at one table."""


@dataclass(frozen=True, slots=True)
class Seating:
    """A round of pods, and what can be said for it."""

    round: PodRound
    repeats: tuple[Repeat, ...]
    again_uneven: tuple[PlayerId, ...]
    """Who is at a table of another than the usual size, and was before."""
    proof: Proof
    together: tuple[tuple[PlayerId, PlayerId], ...] = ()
    """Pairs at one table whom the organizer wanted to keep apart."""

    def __str__(self) -> str:
        sizes = Counter(len(seat.players) for seat in self.round.seats if isinstance(seat, Pod))
        tables = " and ".join(f"{count} of {size}" for size, count in sorted(sizes.items(), reverse=True))
        byes = len(odd_byes(self.round))
        counted = f"round {self.round.number}: tables: {tables}; byes: {byes}; repeats: {len(self.repeats)}"
        return f"{counted} ({self.proof})"


def seat_round(  # noqa: PLR0913 - by keyword
    players: Collection[PlayerId],
    rounds: Sequence[PodRound],
    points: Mapping[PlayerId, int | Fraction],
    *,
    draw: str,
    layout: Layout = FOURS,
    apart: Mapping[PlayerId, Collection[PlayerId]] = MappingProxyType({}),
    awarded: Sequence[PlayerId] = (),
    tables: Mapping[PlayerId, int] = MappingProxyType({}),
) -> Seating:
    """Seat the next round.

    Args:
        players: everybody who plays it.
        rounds: the rounds before, in order.
        points: so far; who is not in it has none.
        draw: the public draw of the event.
        layout: seats of the tables.
        apart: whom the organizer keeps each player from, both ways.
        awarded: who brings a bye along for this round; none of the players.
        tables: fixed tables. Of two at one table who have one, the smaller number counts.

    Raises:
        PlayersUnseatable: no table of an allowed size can be filled.
    """
    number = rounds[-1].number + 1 if rounds else 1
    sizes = table_sizes(len(set(players)), layout)
    lots = draw_lots(draw, number, set(players))
    order = sorted(lots, key=lambda player: (-points.get(player, 0), lots[player]))
    byes = _byes(order, rounds, points, len(order) - sum(sizes))
    seated = [player for player in order if player not in byes]
    found, proof = _tables(_weights(seated, rounds, points, layout.usual, apart), sizes, _Numbers(draw, number))
    groups = [tuple(seated[place] for place in places) for places in sorted(map(sorted, found))]
    numbers = number_tables(groups, {player: table for player, table in tables.items() if player in lots})
    pods = tuple(Pod(table, group) for table, group in zip(numbers, groups, strict=True))
    brought = (Bye(player, ByeKind.AWARDED) for player in awarded)
    played = PodRound(number, (*pods, *(Bye(player) for player in byes), *brought))
    again = _again_uneven(pods, rounds, layout.usual)
    return Seating(played, repeats(pods, rounds), again, proof, together(pods, apart))


def odd_byes(played: PodRound) -> list[PlayerId]:
    """Who has a bye because the tables left somebody over."""
    return [seat.player for seat in played.seats if isinstance(seat, Bye) and seat.kind is ByeKind.ODD]


def together(
    seats: Iterable[PodSeat], apart: Mapping[PlayerId, Collection[PlayerId]]
) -> tuple[tuple[PlayerId, PlayerId], ...]:
    """Pairs who sit together and are to be kept apart; each once, in the order of the tables."""
    return tuple(pair for seat in seats for pair in _pairs(seat) if pair[1] in apart.get(pair[0], ()))


def repeats(seats: Iterable[PodSeat], rounds: Sequence[PodRound]) -> tuple[Repeat, ...]:
    """Pairs who sit together and have met in the rounds before; each pair once, in the order of the tables."""
    met = Counter(pair for played in rounds for seat in played.seats for pair in _pairs(seat))
    return tuple(
        Repeat(first, second, met[first, second])
        for seat in seats
        for first, second in _pairs(seat)
        if met[first, second]
    )


def _pairs(seat: PodSeat) -> Iterator[tuple[PlayerId, PlayerId]]:
    """Everybody who meets there, each pair in one order."""
    return combinations(sorted(seat.players), 2) if isinstance(seat, Pod) else iter(())


def _again_uneven(pods: Iterable[Pod], rounds: Sequence[PodRound], usual: int) -> tuple[PlayerId, ...]:
    before = uneven_seats(rounds, usual)
    return tuple(player for pod in pods if len(pod.players) != usual for player in pod.players if before[player])


def uneven_seats(rounds: Sequence[PodRound], usual: int) -> Counter[PlayerId]:
    """How often everybody sat at a table of another than the usual size."""
    pods = (seat for played in rounds for seat in played.seats if isinstance(seat, Pod))
    return Counter(player for pod in pods if len(pod.players) != usual for player in pod.players)


def _byes(
    order: Sequence[PlayerId], rounds: Sequence[PodRound], points: Mapping[PlayerId, int | Fraction], count: int
) -> list[PlayerId]:
    """Who has had the fewest, then the fewest points, then the first of the draw."""
    had = Counter(seat.player for played in rounds for seat in played.seats if isinstance(seat, Bye))
    return sorted(order, key=lambda player: (had[player], points.get(player, 0)))[:count]


def _weights(
    order: Sequence[PlayerId],
    rounds: Sequence[PodRound],
    points: Mapping[PlayerId, int | Fraction],
    usual: int,
    apart: Mapping[PlayerId, Collection[PlayerId]],
) -> Weights:
    number = {player: place for place, player in enumerate(order)}
    met: list[dict[int, int]] = [{} for _ in order]
    for played in rounds:
        for seat in played.seats:
            if isinstance(seat, Pod):
                _add_meetings(met, [number[player] for player in seat.players if player in number])
    before = uneven_seats(rounds, usual)
    kept = [frozenset(number[other] for other in apart.get(player, ()) if other in number) for player in order]
    return weigh(
        _whole([points.get(player, 0) for player in order]), met, [before[player] for player in order], usual, kept
    )


def _add_meetings(met: list[dict[int, int]], table: Sequence[int]) -> None:
    for one in table:
        for other in table:
            if one != other:
                met[one][other] = met[one].get(other, 0) + 1


def _whole(points: Sequence[int | Fraction]) -> list[int]:
    """The same distances in whole numbers from 0."""
    scale = lcm(*(Fraction(value).denominator for value in points))
    least = min(points)
    return [int((value - least) * scale) for value in points]


def _tables(weights: Weights, sizes: Sequence[int], numbers: "_Numbers") -> tuple[Tables, Proof]:
    found = improve(weights, sizes, numbers.below)
    if len(weights.points) <= EXACT_UP_TO:
        return exact(weights, sizes, found), Proof.EXACT
    return found, Proof.BEST_FOUND if weights.repeats(weights.total(found)) else Proof.NO_REPEATS


class _Numbers:
    """Numbers that anybody can draw again: the lots of "kick 1", "kick 2", … in the round, as big-endian integers."""

    def __init__(self, draw: str, number: int) -> None:
        self._draw, self._number, self._count = draw, number, 0

    def below(self, end: int) -> int:
        self._count += 1
        (lot,) = draw_lots(self._draw, self._number, [PlayerId(f"kick {self._count}")]).values()
        return int.from_bytes(lot) % end


# --- what is wrong with a seating -----------------------------------------------------------------------------------


class PodRule(StrEnum):
    """What a round of pods has to obey."""

    SEATED_ONCE = "everybody is seated once"
    ONLY_THOSE_WHO_PLAY = "only those who play are seated"
    TABLES_DIFFER = "every table has its own number"
    SIZES_ARE_ALLOWED = "tables have an allowed number of seats"
    NO_BYE_TOO_MANY = "no more byes than the tables leave over"
    BYES_GO_ROUND = "nobody has a second bye while others have had none"
    AWARDED_BYES = "who brought a bye along has it, and nobody else"
    PLACING_IS_COMPLETE = "a placing names everybody at the table once"


@dataclass(frozen=True, slots=True)
class PodFault:
    """A rule that a round of pods breaks, and a sentence for whoever made it."""

    rule: PodRule
    sentence: str


def pod_faults(
    proposed: PodRound,
    active: Collection[PlayerId],
    rounds: Sequence[PodRound],
    layout: Layout = FOURS,
    *,
    awarded: Collection[PlayerId] = (),
) -> list[PodFault]:
    """List every rule that a round of pods breaks; an empty list is a legal round.

    Repeats are no fault (`repeats`), and neither are pairs who are to be kept apart (`together`).

    Args:
        proposed: the round.
        active: everybody who plays it, those with an awarded bye too.
        rounds: the rounds before, in order.
        layout: seats of the tables.
        awarded: who brings a bye along for this round.
    """
    return [
        *_seated_once(proposed, active),
        *_awarded_byes(proposed, awarded),
        *_only_those_who_play(proposed, active),
        *_tables_differ(proposed),
        *_sizes_are_allowed(proposed, layout.sizes),
        *_no_bye_too_many(proposed, len(set(active) - set(awarded)), layout),
        *_byes_go_round(proposed, set(active) - set(awarded), rounds),
        *(fault for seat in proposed.seats if isinstance(seat, Pod) for fault in check_placing(seat)),
    ]


def check_placing(pod: Pod) -> list[PodFault]:
    """List what is wrong with the placing of a pod; nothing is wrong with an open one, or with a loss for all."""
    if not pod.placing:
        return []
    named = Counter(player for shared in pod.placing for player in shared)
    wrong = {player for player in {*named, *pod.players} if named[player] != 1 or player not in pod.players}
    empty = ["a place that nobody has"] if not all(pod.placing) else []
    problems = [f"{player} {_how_named(player, named, pod)}" for player in sorted(wrong)] + empty
    return [PodFault(PodRule.PLACING_IS_COMPLETE, f"table {pod.table}: {problem}") for problem in problems]


def _how_named(player: PlayerId, named: Mapping[PlayerId, int], pod: Pod) -> str:
    if player not in pod.players:
        return "is placed and does not sit there"
    return "is not placed" if not named[player] else "is placed more than once"


def _seated_once(proposed: PodRound, active: Collection[PlayerId]) -> Iterator[PodFault]:
    seated = Counter(player for seat in proposed.seats for player in players_at(seat))
    for player in sorted({*active, *seated}):
        if seated[player] != 1:
            how = "has no seat" if not seated[player] else f"is seated {seated[player]} times"
            yield PodFault(PodRule.SEATED_ONCE, f"{player} {how}")


def _only_those_who_play(proposed: PodRound, active: Collection[PlayerId]) -> Iterator[PodFault]:
    for stranger in sorted({player for seat in proposed.seats for player in players_at(seat)} - set(active)):
        yield PodFault(PodRule.ONLY_THOSE_WHO_PLAY, f"{stranger} does not play this round")


def _tables_differ(proposed: PodRound) -> Iterator[PodFault]:
    tables = Counter(seat.table for seat in proposed.seats if isinstance(seat, Pod))
    for table, times in sorted(tables.items()):
        if times > 1:
            yield PodFault(PodRule.TABLES_DIFFER, f"{times} pods are at table {table}")


def _sizes_are_allowed(proposed: PodRound, allowed: Collection[int]) -> Iterator[PodFault]:
    wanted = ", ".join(map(str, sorted(allowed)))
    for seat in proposed.seats:
        if isinstance(seat, Pod) and len(seat.players) not in allowed:
            sentence = f"table {seat.table} has {counted(len(seat.players), 'player')}; a table has {wanted}"
            yield PodFault(PodRule.SIZES_ARE_ALLOWED, sentence)


def _no_bye_too_many(proposed: PodRound, players: int, layout: Layout) -> Iterator[PodFault]:
    byes = len(odd_byes(proposed))
    if byes and byes > (fewest := _fewest_byes(players, layout)):
        yield PodFault(PodRule.NO_BYE_TOO_MANY, f"{counted(byes, 'bye')} where {fewest} would do")


def _fewest_byes(players: int, layout: Layout) -> int:
    try:
        return players - sum(table_sizes(players, layout))
    except PlayersUnseatable:
        return players


def _byes_go_round(proposed: PodRound, active: Collection[PlayerId], rounds: Sequence[PodRound]) -> Iterator[PodFault]:
    had = Counter(seat.player for played in rounds for seat in played.seats if isinstance(seat, Bye))
    now = odd_byes(proposed)
    fewest = min((had[player] for player in active if player not in now), default=0)
    for player in now:
        if had[player] > fewest:
            yield PodFault(PodRule.BYES_GO_ROUND, f"{player} has had {had[player]} byes and others {fewest}")


def _awarded_byes(proposed: PodRound, awarded: Collection[PlayerId]) -> Iterator[PodFault]:
    have = {seat.player for seat in proposed.seats if isinstance(seat, Bye) and seat.kind is ByeKind.AWARDED}
    for player in sorted(have ^ set(awarded)):
        how = "has an awarded bye and brought none along" if player in have else "brought a bye along and has none"
        yield PodFault(PodRule.AWARDED_BYES, f"{player} {how}")


# --- what a placing is worth ----------------------------------------------------------------------------------------


class Scale(StrEnum):
    """How the placing at a table becomes points. `usual` is n, whatever the size of the table."""

    WIN_OR_DRAW = "win or draw"
    """2n-1 alone in front, 1 for those together in front, 0 for everybody else; two players would have 3, 1, 0.

    A win brings the same at every table, so that rates of points won compare. A player's chance of a win at a full
    table brings 2-1/n points, more than the draw's 1, so that playing on is worth it. It is easier to win at a short
    table: that is why a seating hands those round.
    """
    LADDER = "ladder"
    """Every place counts: from 2n-1 for the first of a full table down by 2 to 1 for the last.

    A table of s seats starts at n+s-1 and goes down by 2 as well, so that the mean is n at every table and nobody gains
    or loses by the size. Tied players have the mean of their places, exactly. Ours; 7-5-3-1 is in use for four.
    """


def placing_points(pod: Pod, scale: Scale, usual: int = USUAL) -> dict[PlayerId, Fraction]:
    """What each player of a finished pod gets; nothing, if the placing is () (everybody lost).

    Raises:
        PlacingUnreadable: the pod is open, or its placing does not name everybody once.
    """
    if problems := ["it has no placing"] if pod.placing is None else [f.sentence for f in check_placing(pod)]:
        raise PlacingUnreadable(pod.table, problems)
    worth = dict.fromkeys(pod.players, Fraction(0))
    for ahead, shared in _with_ahead(pod.placing or ()):
        worth |= dict.fromkeys(shared, _worth(scale, usual, len(pod.players), ahead, len(shared)))
    return worth


def bye_points(usual: int = USUAL) -> Fraction:
    """What a bye is worth in either scale: a win at a full table."""
    return Fraction(2 * usual - 1)


def total_points(rounds: Iterable[PodRound], scale: Scale, usual: int = USUAL) -> dict[PlayerId, Fraction]:
    """Points of everybody who was seated, over the finished pods.

    Raises:
        PlacingUnreadable: a placing does not name everybody once.
    """
    totals: dict[PlayerId, Fraction] = {}
    for seat in (seat for played in rounds for seat in played.seats):
        for player, won in _seat_points(seat, scale, usual).items():
            totals[player] = totals.get(player, Fraction(0)) + won
    return totals


def _seat_points(seat: PodSeat, scale: Scale, usual: int) -> dict[PlayerId, Fraction]:
    if isinstance(seat, Bye):
        return {seat.player: bye_points(usual)}
    return dict.fromkeys(seat.players, Fraction(0)) if seat.placing is None else placing_points(seat, scale, usual)


def _with_ahead(placing: Iterable[tuple[PlayerId, ...]]) -> Iterator[tuple[int, tuple[PlayerId, ...]]]:
    ahead = 0
    for shared in placing:
        yield ahead, shared
        ahead += len(shared)


def _worth(scale: Scale, usual: int, seats: int, ahead: int, sharing: int) -> Fraction:
    """Points of each of `sharing` players with `ahead` better ones at their table."""
    if scale is Scale.WIN_OR_DRAW:
        return Fraction(0 if ahead else 1 if sharing > 1 else 2 * usual - 1)
    first, last = (usual + seats - 1 - 2 * place for place in (ahead, ahead + sharing - 1))
    return Fraction(first + last, 2)
