"""Pairing rounds: against its own beginning, over many seeds, beside other people's engines, and mending a round."""

import tracemalloc
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from random import Random
from statistics import median
from typing import Final

from engines import ENGINES, Seen, Stretch, play_apart
from events import DRAW, Event
from measuring import Times, interleaved
from reporting import Flaws, Measure, NotMeasured, Row, Target

from rows import Bench
from tournament.domain.draw import draw_lots
from tournament.domain.faults import faults
from tournament.domain.model import Pairing, Player, Result, Round
from tournament.domain.objective import in_order
from tournament.domain.pairing import pair_round
from tournament.domain.pool import Pool, gather
from tournament.domain.repair import repair
from tournament.domain.standings import match_points_of

MANY: Final = 20_000
ROUNDS: Final = 15
FASTER: Final = Measure.FASTER


def one_round(bench: Bench) -> Iterator[Row]:
    """The last round of a long event in a large field, against the hash and sort that it begins with."""
    event = Event(bench.players(MANY), 1).play_by_ours(bench.last(ROUNDS) - 1)
    half = Event(event.players // 2, 2).play_by_ours(bench.last(ROUNDS) - 1)
    pool, half_pool, players = event.pool(), half.pool(), event.entered()
    rounds, points = event.history(), dict(pool.points)
    assert faults(pair_round(pool, DRAW), players, rounds) == []
    times = interleaved(
        {
            "ours": lambda: pair_round(pool, DRAW),
            "half": lambda: pair_round(half_pool, DRAW),
            "sorting": lambda: in_order(pool.points, draw_lots(DRAW, pool.number, pool.points)),
            "gathered": lambda: pair_round(gather(players, rounds, points, number=pool.number), DRAW),
        },
        rounds=bench.rounds(15),
    )
    size = f"{event.players:,} players, round {pool.number}"
    for what, ours, targets in (
        ("pair one round", "ours", (Target(Measure.TIMES, 4), Target(Measure.SECONDS, 0.15))),
        ("the same, from the bare rounds", "gathered", ()),
    ):
        yield Row(
            what=what,
            size=size,
            ours=times[ours],
            reference="hash and sort alone",
            against=times["sorting"],
            targets=targets,
        )
    yield Row(
        what="growth of pairing",
        size=f"{half.players:,} to {event.players:,} players, round {pool.number}",
        ours=times["ours"],
        reference="half as many players",
        against=times["half"],
        targets=(Target(Measure.TIMES, 2.3),),
    )
    for what, action in (
        ("memory to pair one round", lambda: pair_round(pool, DRAW)),
        (
            "the same, from the bare rounds",
            lambda: pair_round(gather(players, rounds, points, number=pool.number), DRAW),
        ),
    ):
        yield Row(
            what=what,
            size=size,
            ours=Times((_megabytes(action),)),
            unit="MB",
            reference="tracemalloc, its peak above what was there",
            targets=(Target(Measure.MEGABYTES, 10),),
        )


def _megabytes(action: Callable[[], object]) -> float:
    action()
    tracemalloc.start()
    try:
        before, _ = tracemalloc.get_traced_memory()
        tracemalloc.reset_peak()
        action()
        return (tracemalloc.get_traced_memory()[1] - before) / 1e6
    finally:
        tracemalloc.stop()


# --- many seeds -----------------------------------------------------------------------------------------------------

_FIELDS: Final = ((2000, 15, 3, 0.1), (1000, 15, 6, 0.4), (256, 9, 30, 0.1), (64, 6, 100, 0.005))
"""Players, rounds, events, and the most that the slowest round may take. Rounds as the rules' appendix E has them for
the small fields; every second event has one player less, so that there is a bye."""


def many_seeds(bench: Bench) -> Iterator[Row]:
    """Every round of many events. What counts is the slowest."""
    for many, last, events, worst in _FIELDS:
        players = bench.small(many)
        pools = [pool for seed in range(bench.sample(events)) for pool in _pools(players - seed % 2, seed, last)]
        yield Row(
            what="pair a round, whatever the seed",
            size=f"{players:,} players, {len(pools)} rounds of {bench.sample(events)} events",
            ours=_each(pools),
            reference="each round thrice, its median",
            targets=(Target(Measure.WORST, worst), Target(Measure.SECONDS, 0.005)),
        )


def _pools(players: int, seed: int, rounds: int) -> Iterator[Pool]:
    event = Event(players, seed)
    for _ in range(rounds):
        yield event.kept_pool()
        event.play_by_ours(1)


def _each(pools: Sequence[Pool]) -> Times:
    """The median of three for each pool; the three are apart, so that one disturbance does not hit all of them."""
    passes = [
        interleaved({"ours": lambda pool=pool: pair_round(pool, DRAW)}, rounds=1, warmups=0)["ours"]
        for _ in range(3)
        for pool in pools
    ]
    seen = range(len(pools))
    return Times(
        tuple(median(passes[i + k * len(pools)].seconds[0] for k in range(3)) for i in seen),
        tuple(median(passes[i + k * len(pools)].cpu[0] for k in range(3)) for i in seen),
    )


# --- beside other people's engines ----------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class _Race:
    """One field paired by several engines, each meeting what its own rounds made of it."""

    players: int
    first: int
    last: int
    rounds: int
    """How often the whole race is run."""
    budget: float
    """Seconds of pairing after which a peer begins no other round."""
    peers: dict[str, tuple[Target, ...]]


_RACES: Final = (
    _Race(20_000, 1, 15, 2, 12, {"swisspair": (Target(FASTER, 5),)}),
    _Race(20_000, 1, 15, 1, 12, {"cardarena": (Target(FASTER, 30),)}),
    _Race(10_000, 1, 15, 2, 4, {"swisspair": (), "cardarena": ()}),
    _Race(2_000, 1, 15, 1, 2, {"swisspair": (), "cardarena": (), "caissify casual": ()}),
    _Race(256, 1, 15, 5, 3, {"swisspair": (), "cardarena": (), "caissify casual": ()}),
    _Race(256, 1, 15, 2, 3, {"py4swiss Dutch": ()}),
    _Race(64, 1, 6, 2, 2, {"py4swiss Dutch": (), "caissify Dutch": ()}),
    _Race(1000, 8, 15, 2, 5, {"whole-field rustworkx": (Target(FASTER, 1000),)}),
    _Race(256, 8, 15, 2, 3, {"whole-field rustworkx": (), "whole-field networkx": ()}),
)


def whole_events(bench: Bench) -> Iterator[Row | NotMeasured]:
    """Whole events, beside the engines that PyPI has."""
    for race in _RACES:
        last = min(race.last, race.first + 2) if bench.quick else race.last
        yield from _race(
            bench, replace(race, players=bench.small(race.players), last=last, rounds=1 if bench.quick else race.rounds)
        )


def _race(bench: Bench, race: _Race) -> Iterator[Row | NotMeasured]:
    bench.say(f"events of {race.players:,} players")
    seen: dict[str, list[Seen]] = {"ours": []}
    here = [name for name in race.peers if ENGINES[name].installed]
    rng, lasts = Random(0), {}  # noqa: S311 - no secret
    for _ in range(race.rounds):
        for name in rng.sample(["ours", *here], len(here) + 1):
            tried = seen.setdefault(name, [])
            if any(each.problem for each in tried):
                continue
            # a peer that spent its budget stops at the same round in every race
            last = lasts.get(name, race.last)
            budget = race.budget if name != "ours" and not tried else 3 * race.budget
            tried.append(play_apart(name, Stretch(race.players, race.first, last), budget, judge=not tried))
            lasts[name] = race.first + len(tried[0].seconds) - 1
    for name, targets in race.peers.items():
        what = f"pair an event, beside {name}"
        if name not in here:
            yield NotMeasured(what, f"not installed: {ENGINES[name].package}")
        elif problem := next((each.problem for each in [*seen["ours"], *seen[name]] if each.problem), None):
            yield NotMeasured(what, f"{race.players:,} players: {problem}")
        else:
            yield _beside(race, name, targets, seen)


def _beside(race: _Race, name: str, targets: tuple[Target, ...], seen: dict[str, list[Seen]]) -> Row:
    done = len(seen[name][0].seconds)
    cut = f", stopped after {race.budget:g} s" if race.first + done <= race.last else ""
    return Row(
        what="pair an event",
        size=f"{race.players:,} players, rounds {race.first}-{race.first + done - 1}{cut}",
        ours=_summed(seen["ours"], done),
        reference=ENGINES[name].title,
        against=_summed(seen[name], done),
        targets=targets,
        our_flaws=_flaws(seen["ours"][0]),
        flaws=_flaws(seen[name][0]),
    )


def _summed(seen: Sequence[Seen], done: int) -> Times:
    return Times(tuple(sum(each.seconds[:done]) for each in seen), tuple(sum(each.cpu[:done]) for each in seen))


def _flaws(seen: Seen) -> Flaws:
    quality = seen.quality
    return Flaws(rematches=quality.rematches, excess=quality.excess, left_out=quality.left_out)


# --- after a mistake ------------------------------------------------------------------------------------------------

_CASES: Final = 8


def smallest_repair(bench: Bench) -> Iterator[Row]:
    """A result turns out wrong when the next round is published: all ways to go on, against pairing it again."""
    cases = [_wrong_result(bench.small(2000), seed) for seed in range(bench.sample(_CASES))]
    for case in cases:
        for option in repair(case.pool, DRAW, case.current, case.standing):
            assert faults(option.after, case.players, case.rounds, standing=case.standing) == []
    times = interleaved(
        {
            "ours": lambda: [repair(case.pool, DRAW, case.current, case.standing) for case in cases],
            "again": lambda: [pair_round(case.pool, DRAW) for case in cases],
        },
        rounds=bench.rounds(9),
    )
    yield Row(
        what="smallest repair after a wrong result",
        size=f"{len(cases)} rounds of {len(cases[0].players):,} players",
        ours=times["ours"],
        reference="pairing the round again",
        against=times["again"],
        targets=(Target(Measure.TIMES, 5),),
    )


@dataclass(frozen=True, slots=True)
class _Case:
    pool: Pool
    """After the correction."""
    current: Round
    """As published before it."""
    standing: frozenset[int]
    players: list[Player]
    rounds: list[Round]


def _wrong_result(players: int, seed: int) -> _Case:
    """A win of round 7 was the other player's, round 8 is published; with every second seed half of it is played."""
    event = Event(players, seed).play_by_ours(7)
    current = pair_round(event.pool(), DRAW)
    rounds, entered = event.history(), event.entered()
    last = rounds.pop()
    won = [seat for seat in last.seats if isinstance(seat, Pairing) and seat.result and not seat.result.drawn]
    wrong = won[seed * len(won) // (_CASES + 1)]
    assert wrong.result
    right = replace(wrong, result=Result(wrong.result.second, wrong.result.first))
    rounds.append(Round(last.number, tuple(right if seat is wrong else seat for seat in last.seats)))
    pool = gather(entered, rounds, match_points_of(entered, rounds), number=event.number)
    return _Case(pool, current, frozenset(range(1, seed % 2 * players // 4 + 1)), entered, rounds)


ROWS: tuple[Callable[[Bench], Iterator[Row | NotMeasured]], ...] = (
    one_round,
    many_seeds,
    whole_events,
    smallest_repair,
)
