"""Other people's pairing engines behind one face, and a program that plays one event with one of them.

    python bench/engines.py ENGINE PLAYERS FIRST LAST SECONDS JUDGE      pairs these rounds, prints what it saw as JSON

A process of its own for each event: an engine that crashes or never ends harms nobody, and nobody finds the memory or
the caches as another one left them. Only the engine's own call is timed; what it wants to be told about the past is put
into its own form before, and its bookkeeping after the round is not counted either.
"""

import gc
import json
import random
import subprocess
import sys
import time
import warnings
from collections.abc import Callable, Sequence
from dataclasses import asdict, dataclass, field
from importlib import metadata
from typing import Any, Final, NamedTuple, TypeAlias

from events import DRAW, Event, Pairs, Quality

from tournament.domain.objective import Price
from tournament.domain.pairing import pair_round
from tournament.domain.pool import Pool

Paired: TypeAlias = tuple[Pairs, Sequence[int]]
Prepared: TypeAlias = tuple[Callable[[], Any], Callable[[Any], Paired]]
"""What is timed, and how its answer is read."""
Prepare: TypeAlias = Callable[[Event], Prepared]
"""Called before each round."""


class Unpaired(Exception):
    """The engine's round is none: somebody sits at two tables."""


# --- ours -----------------------------------------------------------------------------------------------------------


def _ours(_: int) -> Prepare:
    import rustworkx  # noqa: F401, PLC0415 - like the peers, which are imported before the first round too

    def prepare(event: Event) -> Prepared:
        pool = event.pool()
        return lambda: pair_round(pool, DRAW), event.numbers

    return prepare


# --- peers ----------------------------------------------------------------------------------------------------------


def _swisspair(_: int) -> Prepare:
    from swisspair import Player, create_matches  # noqa: PLC0415 - a peer, if it is there

    def prepare(event: Event) -> Prepared:
        order = _shuffled_by_points(event)
        players = [
            Player(
                id=str(player),
                points=event.points[player],
                rank=rank,
                can_get_bye=not event.byes[player],
                cannot_be_paired_against_ids={str(other) for other in event.met[player]},
            )
            for rank, player in enumerate(order, start=1)
        ]

        def read(matches: Any) -> Paired:  # noqa: ANN401 - the peer's
            pairs = [(int(match.p1.id), int(match.p2.id)) for match in matches if match.p2]
            return pairs, [int(match.p1.id) for match in matches if not match.p2]

        return lambda: create_matches(players), read

    return prepare


def _cardarena(players: int) -> Prepare:
    from cardarena_tournament_core import MatchupOutcome, Player, Swiss  # noqa: PLC0415 - a peer, if it is there

    order = random.Random(0).sample(range(players), players)  # noqa: S311 - no secret
    swiss = Swiss([Player(id=str(player), name=str(player)) for player in order])
    last: list[Any] = []

    def prepare(event: Event) -> Prepared:
        for done in last:
            for match in done.matchups:
                if match.player2 is not None:
                    one, other = int(match.player1.id), int(match.player2.id)
                    won = event.winner(one, other, event.number - 1)
                    match.outcome = {
                        None: MatchupOutcome.DRAW,
                        one: MatchupOutcome.PLAYER1_WINS,
                        other: MatchupOutcome.PLAYER2_WINS,
                    }[won]
            swiss.submit_results(done)

        def read(paired: Any) -> Paired:  # noqa: ANN401 - the peer's
            last[:] = [paired]
            pairs = [(int(m.player1.id), int(m.player2.id)) for m in paired.matchups if m.player2]
            return pairs, [int(m.player1.id) for m in paired.matchups if not m.player2]

        return swiss.pair, read

    return prepare


def _caissify(system: str) -> Callable[[int], Prepare]:
    def engine(players: int) -> Prepare:
        from caissify_pairings import generate_pairings  # noqa: PLC0415 - a peer, if it is there

        order = random.Random(0).sample(range(players), players)  # noqa: S311 - no secret
        rating = {player: 1000 + at for at, player in enumerate(order)}
        colours: list[list[str]] = [[] for _ in range(players)]
        floats: list[list[str]] = [[] for _ in range(players)]

        def prepare(event: Event) -> Prepared:
            told = [
                {
                    "id": player,
                    "name": str(player),
                    "score": float(event.points[player]),
                    "rating": rating[player],
                    "starting_number": rating[player] - 999,
                    "color_hist": list(colours[player]),
                    "float_history": list(floats[player]),
                    "bye_count": event.byes[player],
                }
                for player in range(players)
            ]
            met = {pair for pairs, _ in event.played for pair in pairs}

            def read(found: Any) -> Paired:  # noqa: ANN401 - the peer's
                pairs = [(p["white_id"], p["black_id"]) for p in found if p["black_id"] is not None]
                byes = [p["white_id"] for p in found if p["black_id"] is None]
                for one, other in pairs:
                    gap = event.points[one] - event.points[other]
                    colours[one].append("white")
                    colours[other].append("black")
                    floats[one].append("down" if gap > 0 else "up" if gap else "none")
                    floats[other].append("up" if gap > 0 else "down" if gap else "none")
                return pairs, byes

            def pair() -> object:
                return generate_pairings(
                    system=system, players=told, previous_pairings=met, round_number=event.number, total_rounds=99
                )

            return pair, read

        return prepare

    return engine


def _py4swiss(players: int) -> Prepare:
    from py4swiss.engines import DutchEngine  # noqa: PLC0415 - a peer, if it is there
    from py4swiss.trf import ParsedTrf  # noqa: PLC0415
    from py4swiss.trf.codes import PlayerCode  # noqa: PLC0415
    from py4swiss.trf.results import (  # noqa: PLC0415
        ColorToken,
        ResultToken,
        RoundResult,
        ScoringPointSystem,
        ScoringPointSystemCode,
    )
    from py4swiss.trf.sections import PlayerSection, XSection  # noqa: PLC0415

    system = ScoringPointSystem()
    for code, points in (("W", 30), ("D", 10), ("L", 0), ("PAB", 30)):
        system.apply_code(ScoringPointSystemCode(code), points)
    results: list[list[Any]] = [[] for _ in range(players)]

    def prepare(event: Event) -> Prepared:
        for pairs, byes in event.played[-1:]:
            for white, black in pairs:
                won = event.winner(white, black, event.number - 1)
                for player, other, colour in ((white, black, ColorToken.WHITE), (black, white, ColorToken.BLACK)):
                    token = ResultToken.DRAW if won is None else ResultToken.WIN if won == player else ResultToken.LOSS
                    results[player].append(RoundResult(id=other + 1, color=colour, result=token))
            for player in byes:
                bye = ResultToken.PAIRING_ALLOCATED_BYE
                results[player].append(RoundResult(id=0, color=ColorToken.BYE_OR_NOT_PAIRED, result=bye))
        trf = ParsedTrf(
            player_sections=[
                PlayerSection(
                    code=PlayerCode.PLAYER,
                    starting_number=player + 1,
                    points_times_ten=10 * event.points[player],
                    rank=player + 1,
                    results=results[player],
                )
                for player in range(players)
            ],
            x_section=XSection(number_of_rounds=99, scoring_point_system=system),
        )

        def read(found: Any) -> Paired:  # noqa: ANN401 - the peer's
            pairs = [(p.white - 1, p.black - 1) for p in found if p.black]
            return pairs, [p.white - 1 for p in found if not p.black]

        return lambda: DutchEngine.generate_pairings(trf), read

    return prepare


# --- one matching of the whole field, with our objective as its price -------------------------------------------------


def priced(pool: Pool) -> list[tuple[int, int, int]]:
    """A price for every table that there could be, and for the bye: levels 1 to 5 as one number."""
    price, players = Price.of(pool), list(pool.points)
    tables = [
        (i, j, price.table(pool, players[i], players[j]))
        for i in range(len(players))
        for j in range(i + 1, len(players))
    ]
    if len(players) % 2:
        tables += [(i, len(players), price.bye(pool, player)) for i, player in enumerate(players)]
    return tables


def whole_rustworkx(pool: Pool) -> list[tuple[int, int]]:
    """One matching of everybody by rustworkx."""
    import rustworkx  # noqa: PLC0415 - takes a while

    graph = rustworkx.PyGraph()
    graph.add_nodes_from(range(len(pool.points) + len(pool.points) % 2))
    graph.add_edges_from([(one, other, -cost) for one, other, cost in priced(pool)])
    return list(rustworkx.max_weight_matching(graph, max_cardinality=True, weight_fn=int))


def whole_networkx(pool: Pool) -> list[tuple[int, int]]:
    """The same by networkx."""
    import networkx as nx  # noqa: PLC0415 - takes a while

    graph = nx.Graph()
    graph.add_weighted_edges_from((one, other, -cost) for one, other, cost in priced(pool))
    return list(nx.max_weight_matching(graph, maxcardinality=True))


def _whole(matching: Callable[[Pool], list[tuple[int, int]]]) -> Callable[[int], Prepare]:
    def engine(players: int) -> Prepare:
        def read(found: Any) -> Paired:  # noqa: ANN401 - the peer's
            pairs = [(min(pair), max(pair)) for pair in found]
            return [p for p in pairs if p[1] < players], [one for one, other in pairs if other == players]

        def prepare(event: Event) -> Prepared:
            pool = event.pool()
            return lambda: matching(pool), read

        return prepare

    return engine


def _shuffled_by_points(event: Event) -> list[int]:
    order = list(range(event.players))
    random.Random(event.number).shuffle(order)  # noqa: S311 - no secret
    return sorted(order, key=event.points.__getitem__, reverse=True)


@dataclass(frozen=True, slots=True)
class Engine:
    """A way to pair rounds."""

    name: str
    package: str
    """As PyPI calls it; empty: ours."""
    begin: Callable[[int], Prepare]
    """Called once an event, with the number of players."""

    @property
    def title(self) -> str:
        """Its name, with the version."""
        return f"{self.name} {metadata.version(self.package)}" if self.package else self.name

    @property
    def installed(self) -> bool:
        """Whether it is there."""
        try:
            return not self.package or bool(metadata.version(self.package))
        except metadata.PackageNotFoundError:
            return False


ENGINES: Final = {
    engine.name: engine
    for engine in (
        Engine("ours", "", _ours),
        Engine("swisspair", "swisspair", _swisspair),
        Engine("cardarena", "cardarena-tournament-core", _cardarena),
        Engine("caissify casual", "caissify-pairings", _caissify("casual")),
        Engine("caissify Dutch", "caissify-pairings", _caissify("dutch")),
        Engine("py4swiss Dutch", "py4swiss", _py4swiss),
        Engine("whole-field rustworkx", "rustworkx", _whole(whole_rustworkx)),
        Engine("whole-field networkx", "networkx", _whole(whole_networkx)),
    )
}


# --- one event ------------------------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Seen:
    """What came of one event."""

    seconds: list[float] = field(default_factory=list)
    """Of pairing each of its rounds."""
    cpu: list[float] = field(default_factory=list)
    quality: Quality = field(default_factory=Quality)
    problem: str | None = None
    """Why it did not come to its end."""


class Stretch(NamedTuple):
    """Some rounds of an event."""

    players: int
    first: int
    last: int


def play(engine: str, stretch: Stretch, budget: float, *, judge: bool) -> Seen:
    """Play an event here and now, and begin no round after so many seconds of pairing; ours pairs those before."""
    players, first, last = stretch
    event, prepare = Event(players, players).play_by_ours(first - 1), ENGINES[engine].begin(players)
    seen = Seen()
    for _ in range(first, last + 1):
        pair, read = prepare(event)
        gc.collect()
        started, started_cpu = time.perf_counter(), time.process_time()
        found = pair()
        seen.seconds.append(time.perf_counter() - started)
        seen.cpu.append(time.process_time() - started_cpu)
        pairs, byes = read(found)
        seated = [player for table in pairs for player in table] + list(byes)
        if len(set(seated)) < len(seated):
            raise Unpaired
        if judge:
            seen.quality.add(event, pairs, byes)
        if sum(seen.seconds) > budget:
            break
        event.play(pairs, byes)
    return seen


def play_apart(engine: str, stretch: Stretch, budget: float, *, judge: bool) -> Seen:
    """Play an event in a process of its own; four times the budget, and something to begin with, is the end of it."""
    command = [sys.executable, __file__, engine, *map(str, (*stretch, budget, int(judge)))]
    at_most = 60 + 4 * budget
    try:
        done = subprocess.run(command, check=False, capture_output=True, timeout=at_most)  # noqa: S603 - ourselves
    except subprocess.TimeoutExpired:
        return Seen(problem=f"not done after {at_most:g} s")
    if done.returncode:
        last_words = done.stderr.decode(errors="replace").strip().splitlines() or [f"code {done.returncode}"]
        return Seen(problem=f"crashed: {last_words[-1]}"[:160])
    seen = json.loads(done.stdout.splitlines()[-1])
    return Seen(**{**seen, "quality": Quality(**seen["quality"])})


if __name__ == "__main__":
    warnings.simplefilter("ignore")
    name, *numbers = sys.argv[1:]
    print(json.dumps(asdict(play(name, Stretch(*map(int, numbers[:3])), float(numbers[3]), judge=numbers[4] == "1"))))
