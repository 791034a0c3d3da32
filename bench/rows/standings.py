"""The standings of a large field, against the same in plain fractions."""

from collections.abc import Iterator
from dataclasses import replace
from typing import Final

import naive
from events import Event
from measuring import interleaved
from reporting import Measure, Row, Target

from rows import Bench
from tournament.domain.presets import MTR_2026
from tournament.domain.standings import rank
from tournament.domain.tiebreaks import OpponentsOpponentsMean, match_win_rate

FOUR: Final = replace(
    MTR_2026, name="four", tiebreaks={**MTR_2026.tiebreaks, "oomw": OpponentsOpponentsMean(match_win_rate)}
)
"""The rule book's three tiebreaks and the opponents' opponents'."""


def standings(bench: Bench) -> Iterator[Row]:
    """Four tiebreaks of everybody, exact."""
    event = Event(bench.players(20_000), 1).play_by_ours(bench.last(15))
    half = Event(event.players // 2, 2).play_by_ours(bench.last(15))
    players, rounds, half_players, half_rounds = event.entered(), event.history(), half.entered(), half.history()
    ours = [(line.player, line.match_points, tuple(line.tiebreaks.values())) for line in rank(players, rounds, FOUR)]
    assert ours == naive.standings(players, rounds)
    times = interleaved(
        {
            "ours": lambda: rank(players, rounds, FOUR),
            "half": lambda: rank(half_players, half_rounds, FOUR),
            "naive": lambda: naive.standings(players, rounds),
        },
        rounds=bench.rounds(7),
        warmups=0,
    )
    yield Row(
        what="standings with four tiebreaks",
        size=f"{event.players:,} players, {len(rounds)} rounds",
        ours=times["ours"],
        reference="the same in plain fractions",
        against=times["naive"],
        targets=(Target(Measure.SECONDS, 0.35),),
    )
    yield Row(
        what="growth of standings",
        size=f"{half.players:,} to {event.players:,} players, {len(rounds)} rounds",
        ours=times["ours"],
        reference="half as many players",
        against=times["half"],
        targets=(Target(Measure.TIMES, 2.3),),
    )


ROWS = (standings,)
