"""Swiss events for tests, and what a round costs, said again in other words than the package's.

`History` is the outside view: players and rounds. It knows by itself who plays, who met whom and what a round costs, so
that it can judge what the package makes of them.
"""

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from hashlib import sha256
from itertools import combinations
from random import Random

import networkx as nx

from tournament.domain.model import Bye, ByeKind, Pairing, Player, PlayerId, Result, Round
from tournament.domain.pool import Pool, gather

Tables = tuple[frozenset[frozenset[PlayerId]], PlayerId | None]
"""Who meets whom, and who has the bye."""


def seeded(seed: int) -> Random:
    return Random(seed)


def names(count: int) -> list[PlayerId]:
    return [PlayerId(f"p{number:03}") for number in range(count)]


def entered(*ids: str, **facts: int) -> list[Player]:
    return [Player(id=PlayerId(name), name=name.title(), **facts) for name in ids]


def played(number: int, *tables: str) -> Round:
    """A round of tables like "ann-bob" and byes like "cat"."""
    seats = []
    for table, text in enumerate(tables, start=1):
        first, _, second = text.partition("-")
        seats.append(
            Pairing(table, PlayerId(first), PlayerId(second), Result(2, 0)) if second else Bye(PlayerId(first))
        )
    return Round(number, tuple(seats))


def tables_of(paired: Round) -> Tables:
    pairs = [seat for seat in paired.seats if isinstance(seat, Pairing)]
    byes = [seat.player for seat in paired.seats if isinstance(seat, Bye) and seat.kind is ByeKind.ODD]
    assert len(byes) <= 1
    return frozenset(frozenset((seat.first, seat.second)) for seat in pairs), byes[0] if byes else None


def said(paired: Round) -> set[str]:
    """The tables as text, "ann-bob" and "cat", each pair in the order of the alphabet."""
    pairs, bye = tables_of(paired)
    return {"-".join(sorted(pair)) for pair in pairs} | ({bye} if bye is not None else set())


def points_of(rounds: Iterable[Round]) -> dict[PlayerId, int]:
    """3 for a win and a bye, 1 for a draw."""
    points: dict[PlayerId, int] = {}
    for seat in (seat for former in rounds for seat in former.seats):
        if isinstance(seat, Bye):
            points[seat.player] = points.get(seat.player, 0) + 3
        elif seat.result is not None:
            won = (seat.result.first > seat.result.second) - (seat.result.first < seat.result.second)
            points[seat.first] = points.get(seat.first, 0) + {1: 3, 0: 1, -1: 0}[won]
            points[seat.second] = points.get(seat.second, 0) + {1: 0, 0: 1, -1: 3}[won]
    return points


@dataclass
class History:
    """An event so far; the next round is to be paired."""

    players: list[Player]
    rounds: list[Round] = field(default_factory=list)
    apart: list[tuple[PlayerId, PlayerId]] = field(default_factory=list)
    draw: str = "draw"
    given: Mapping[PlayerId, int] | None = None
    """Points that come from nowhere, instead of those of the rounds."""

    @property
    def number(self) -> int:
        return len(self.rounds) + 1

    @property
    def points(self) -> Mapping[PlayerId, int]:
        return points_of(self.rounds) if self.given is None else self.given

    @property
    def pool(self) -> Pool:
        return gather(self.players, self.rounds, self.points, number=self.number, apart=self.apart)

    def active(self) -> list[PlayerId]:
        """Who is to be paired: in, not out, without a bye of their own."""
        number = self.number
        return [
            player.id
            for player in self.players
            if player.entered_in <= number > player.awarded_byes
            and (player.dropped_after is None or player.dropped_after >= number)
        ]

    def meetings(self, one: PlayerId, other: PlayerId) -> int:
        seats = [seat for former in self.rounds for seat in former.seats if isinstance(seat, Pairing)]
        return sum({seat.first, seat.second} == {one, other} for seat in seats)

    def byes(self, player: PlayerId) -> int:
        return sum(isinstance(s, Bye) and s.player == player for former in self.rounds for s in former.seats)

    def result(self, paired: Round, rng: Random) -> None:
        """Play a round: wins and a few draws."""
        results = [Result(2, 0), Result(2, 1), Result(0, 2), Result(1, 2), Result(1, 1, 1)]
        seats = [replace(s, result=rng.choice(results)) if isinstance(s, Pairing) else s for s in paired.seats]
        self.rounds.append(Round(paired.number, tuple(seats)))


# --- what a round costs ---------------------------------------------------------------------------------------------


def lot_of(draw: str, number: int, player: PlayerId) -> bytes:
    """As the guide tells a third party to compute it."""
    parts = ["deckproof pairing 1", draw, str(number), player]
    return sha256(b"".join(str(len(part.encode())).encode() + b":" + part.encode() + b"," for part in parts)).digest()


class Scale:
    """The objective for one field, asked table by table."""

    def __init__(
        self,
        points: Mapping[PlayerId, int],
        lots: Mapping[PlayerId, bytes],
        times: Callable[[PlayerId, PlayerId], int],
        apart: Iterable[tuple[PlayerId, PlayerId]],
        had: Callable[[PlayerId], int],
    ) -> None:
        self.players, self.points, self.lots = list(points), points, lots
        self.order = sorted(points, key=lambda player: (-points[player], lots[player]))
        self.place = {player: place for place, player in enumerate(self.order)}
        self.times = {frozenset(pair): times(*pair) for pair in combinations(points, 2)}
        self.apart = set(map(frozenset, apart))
        self.had = {player: had(player) for player in points}

    @classmethod
    def of(cls, history: History) -> "Scale":
        players = history.active()
        points = {player: history.points.get(player, 0) for player in players}
        lots = {player: lot_of(history.draw, history.number, player) for player in players}
        return cls(points, lots, history.meetings, history.apart, history.byes)

    @classmethod
    def of_pool(cls, pool: Pool, lots: Mapping[PlayerId, bytes]) -> "Scale":
        """Of a field without a past that anybody played."""
        times = lambda one, other: pool.met.get(one, {}).get(other, 0)  # noqa: E731
        apart = [(one, other) for one, others in pool.apart.items() for other in others]
        return cls(pool.points, lots, times, apart, lambda player: pool.byes.get(player, 0))

    def worth(self, pairs: Iterable[frozenset[PlayerId]], bye: PlayerId | None) -> tuple[object, ...]:
        """Levels 2 to 5."""
        pairs = list(pairs)
        return (
            [sum(self.times[pair] == often for pair in pairs) for often in range(9, 0, -1)],
            sum(pair in self.apart for pair in pairs),
            0 if bye is None else self.had[bye],
            0 if bye is None else self.points[bye],
            sum(self.gap(pair) ** 2 for pair in pairs),
        )

    def tie(self, pairs: Iterable[frozenset[PlayerId]], bye: PlayerId | None) -> tuple[object, ...]:
        """Levels 6 to 8."""
        pairs = list(pairs)
        across = [sorted(self.place[player] for player in pair) for pair in pairs if self.gap(pair)]
        partner: dict[PlayerId, float] = {}
        for one, other in map(tuple, pairs):
            partner[one], partner[other] = self.place[other], self.place[one]
        if bye is not None:
            partner[bye] = 0.5 + max(self.place[p] for p in self.players if self.points[p] == self.points[bye])
        return (
            sum(lower - upper for upper, lower in across),
            sum(self.number(pair) for pair in pairs if self.gap(pair)),
            [partner[player] for player in self.order if partner[player] > self.place[player]],
        )

    def gap(self, pair: frozenset[PlayerId]) -> int:
        one, other = pair
        return abs(self.points[one] - self.points[other])

    def number(self, pair: frozenset[PlayerId]) -> int:
        one, other = (int.from_bytes(self.lots[player][:8], "big") for player in pair)
        return one * other % (2**40 - 87)

    def edges(self, *, with_order: bool) -> list[tuple[int, int, int]]:
        """All levels as one number on the edges of the whole field; the bye is the vertex after the last player.

        Level 8 takes a digit for each player, the first one's the highest: numbers of any size.
        """
        size = len(self.order)
        base = 2 * size + 3
        order = base**size if with_order else 1
        number = order * 2**40 * size
        place = number * size * size
        gap = place * size * (max(self.points.values()) - min(self.points.values()) + 1) ** 2
        had = gap * (max(self.points.values()) - min(self.points.values()) + 1)
        apart = had * (max(self.had.values()) + 1)
        worth = {0: 0} | {often: apart * size**often for often in range(1, 9)}
        edges = []
        for i, j in combinations(range(size), 2):
            pair = frozenset((self.order[i], self.order[j]))
            cost = worth[self.times[pair]] + apart * (pair in self.apart) + place * self.gap(pair) ** 2
            if self.gap(pair):
                cost += number * (j - i) + order * self.number(pair)
            edges.append((i, j, cost + (2 * j * base ** (size - 1 - i) if with_order else 0)))
        for i, player in enumerate(self.order if size % 2 else []):
            last = max(self.place[p] for p in self.players if self.points[p] == self.points[player])
            cost = had * self.had[player] + gap * (self.points[player] - min(self.points.values()))
            edges.append((i, size, cost + ((2 * last + 1) * base ** (size - 1 - i) if with_order else 0)))
        return edges


def every_round(players: Sequence[PlayerId]) -> Iterator[Tables]:
    """All ways to pair them, with every holder of the bye if they are odd."""
    if len(players) % 2:
        for holder in players:
            for pairs in _every_pairing([player for player in players if player != holder]):
                yield frozenset(pairs), holder
    else:
        for pairs in _every_pairing(list(players)):
            yield frozenset(pairs), None


def _every_pairing(players: Sequence[PlayerId]) -> Iterator[list[frozenset[PlayerId]]]:
    if not players:
        yield []
        return
    for at in range(1, len(players)):
        for rest in _every_pairing([*players[1:at], *players[at + 1 :]]):
            yield [frozenset((players[0], players[at])), *rest]


def best_of_all(history: History) -> Tables:
    """The best round, by looking at every one."""
    scale = Scale.of(history)
    best: list[Tables] = []
    least: tuple[object, ...] | None = None
    for tables in every_round(scale.players):
        worth = scale.worth(*tables)
        if least is None or worth < least:
            least, best = worth, []
        if worth == least:
            best.append(tables)
    return min(best, key=lambda tables: scale.tie(*tables))


def by_networkx(vertices: int, edges: Sequence[tuple[int, int, int]]) -> list[tuple[int, int]] | None:
    """A second matching solver, in Python's numbers of any size."""
    graph = nx.Graph()
    graph.add_nodes_from(range(vertices))
    graph.add_weighted_edges_from((one, other, -cost) for one, other, cost in edges)
    matched = nx.max_weight_matching(graph, maxcardinality=True)
    return None if 2 * len(matched) < vertices else sorted((min(pair), max(pair)) for pair in matched)


# --- made-up events -------------------------------------------------------------------------------------------------


def tangled_history(seed: int, most: int = 10) -> History:
    """A few players with any past: late, dropped, awarded byes, kept apart, rematches at will, points of any kind."""
    rng = seeded(seed)
    ids = rng.sample(names(most + 4), rng.randint(1, most))
    rounds_done = rng.choice([0, 1, 2, 3, 4, 5, 7])
    players = [
        Player(
            id=name,
            name=name,
            entered_in=rng.choice([1, 1, 1, 1, rng.randint(1, rounds_done + 1)]),
            dropped_after=rng.choice([None] * 9 + [rng.randint(0, rounds_done + 1)]),
            awarded_byes=rng.choice([0] * 9 + [rng.randint(1, rounds_done + 1)]),
        )
        for name in ids
    ]
    history = History(players, draw=f"draw {seed}")
    history.apart = [pair for pair in combinations(ids, 2) if rng.random() < rng.choice([0, 0, 0.1, 0.3])]
    for _ in range(rounds_done):
        here = history.active()
        rng.shuffle(here)
        seats = [Pairing(at // 2 + 1, here[at], here[at + 1]) for at in range(0, len(here) - 1, 2)]
        byes = [Bye(here[-1])] if len(here) % 2 else []
        history.result(Round(history.number, (*seats, *byes)), rng)
    scores = rng.choice([None, None, [0, 3, 6, 9], [0, 1], [-2, 5, 17, 18], list(range(12))])
    if scores is not None:
        history.given = {name: rng.choice(scores) for name in ids}
    return history


def event(
    players: int, rounds: int, seed: int, pair: Callable[[History], Round], apart: int = 0, drops: float = 0.0
) -> Iterator[tuple[History, Round]]:
    """Play an event; before each round is played, its history and its tables."""
    rng = seeded(seed)
    ids = names(players)
    history = History([Player(id=name, name=name) for name in ids], draw=f"event {seed}")
    history.apart = [tuple(rng.sample(ids, 2)) for _ in range(apart)]
    for number in range(1, rounds + 1):
        paired = pair(history)
        yield history, paired
        history.result(paired, rng)
        history.players = [
            replace(p, dropped_after=number) if p.dropped_after is None and rng.random() < drops else p
            for p in history.players
        ]


def acquainted_pool(seed: int) -> Pool:
    """Up to 18 players, most equals of whom have met."""
    rng = seeded(seed)
    ids = names(rng.randint(6, 18))
    groups = rng.randint(2, 7)
    scores = rng.sample(range(2 * groups), groups)
    points = {player: rng.choice(scores) for player in ids}
    met: dict[PlayerId, dict[PlayerId, int]] = {player: {} for player in ids}
    for one, other in combinations(ids, 2):
        if rng.random() < (0.75 if points[one] == points[other] else rng.choice([0.2, 0.5])):
            met[one][other] = met[other][one] = 1
    return Pool(number=4, points=points, met=met)


def crowded_pool(seed: int) -> tuple[Pool, Mapping[PlayerId, bytes]]:
    """Two crowded groups, with a few players above, between and below; these have met one another, and of the crowds
    those who stand next to them."""
    rng = seeded(seed)
    crowd = rng.choice([(14, 20), (18, 30)])
    sizes = [rng.choice([0, 1, 2, 3, 4]) if k % 2 == 0 else rng.randint(*crowd) for k in range(5)]
    ids = names(sum(sizes))
    lots = {player: bytes([at]) + rng.randbytes(31) for at, player in enumerate(ids)}
    steps = rng.choice([(12, 10, 9, 7, 6), (9, 6, 5, 4, 0), (4, 3, 2, 1, 0)])
    points = dict(zip(ids, (score for score, size in zip(steps, sizes, strict=True) for _ in range(size)), strict=True))
    few = [player for player in ids if points[player] in {steps[0], steps[2], steps[4]}]
    met: dict[PlayerId, dict[PlayerId, int]] = {player: {} for player in ids}
    most = rng.choice([1, 2, 2, 3])
    nearest = sorted(
        ((one, other) for one in few for other in ids if one != other),
        key=lambda pair: abs(ids.index(pair[0]) - ids.index(pair[1])) + rng.choice([0, 3, 9]),
    )
    for one, other in [*nearest, *zip(ids, rng.sample(ids, len(ids)), strict=True)]:
        if one != other and len(met[one]) < most > len(met[other]) and rng.random() < rng.choice([0.4, 0.9]):
            met[one][other] = met[other][one] = 1
    often = rng.choice([0, 0.5, 0.95])
    byes = dict.fromkeys((player for player in ids if rng.random() < often), 1)
    return Pool(number=4, points=points, met=met, byes=byes), lots
