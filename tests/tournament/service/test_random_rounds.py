"""Random lives with all that rounds, clocks, repairs, the cut and undo can do: the log alone gives the tables."""

import random
from collections.abc import Callable
from contextlib import suppress
from typing import Any

import pytest

from tests.tournament.service.stage import Stage
from tournament import event_file, store
from tournament.database import Database
from tournament.domain.bracket import Leaving, ready
from tournament.domain.errors import TournamentError
from tournament.domain.lifecycle import Phase
from tournament.domain.model import Ending
from tournament.event_file.answers import judge_rounds
from tournament.event_file.proving import proofs_of
from tournament.service import apart, clock, cut, entries, exports, match_clocks, repairs, results, rounds
from tournament.service.repairs import REPAIR, Correction, Mistake, Repair
from tournament.service.swaps import SWAP, Move, Swap, Two

LIFE = 160
"""Commands, of which about a third is refused; enough for some rounds and a cut."""
PLAYERS = 7
ALWAYS = {"round.pair", "round.publish", "result.report", "command.undo", "cut.start", "cut.report", "round.swap"}


@pytest.mark.parametrize("seed", range(2))
def test_a_random_life_gives_the_same_tables_from_its_log(database: Database, seed: int) -> None:
    life = Life(Stage(database).announce(PLAYERS), random.Random(seed))
    for number in range(LIFE):
        life.something(number)
    life.stage.assert_whole()
    names = {row.name for row in life.stage.look(lambda session, event: list(store.read_log(session, event.id)))}
    assert names >= ALWAYS
    event = event_file.parse_event_file(life.stage.look(exports.export))
    assert event_file.parse_event_file(event_file.write_event_file(event)) == event
    assert len(judge_rounds(event)) == len(event.rounds)
    assert [(proof.round, proof.faults) for proof in proofs_of(event) if proof.faults] == []


class Life:
    """Mostly what comes next, now and then anything at all."""

    def __init__(self, stage: Stage, rng: random.Random) -> None:
        self.stage, self.rng = stage, rng

    def something(self, number: int) -> None:
        steps = self.onwards(number) if self.rng.random() < 0.6 else self.anything()
        with suppress(TournamentError):
            self.rng.choice(steps)()

    def onwards(self, number: int) -> list[Callable[[], Any]]:
        do = self.stage.do
        match Phase(self.stage.row.phase):
            case Phase.ROUND:
                playing = [seat for seat in self.now() if seat.table_number is not None and seat.ending is None]
                return [lambda: self.report(self.rng.choice(playing))] if playing else [self.pair]
            case Phase.CUT:
                return [self.in_cut]
            case _ if number > LIFE * 0.7:
                return [lambda: do(cut.START, cut.StartCut(top=self.rng.choice([2, 4, 5])))]
            case _:
                publish = rounds.Publish(minutes=50, start_clock=self.rng.random() < 0.8)
                return [self.pair, self.swap, lambda: do(rounds.PUBLISH, publish)]

    def anything(self) -> list[Callable[[], Any]]:
        do, one = self.stage.do, self.rng.randint(1, PLAYERS + 2)
        games = self.games()
        table = self.rng.randint(1, 3)
        return [
            self.swap,
            self.mend,
            self.mend,
            self.undo,
            self.undo,
            lambda: do(clock.START, clock.Start(minutes=40)),
            lambda: do(clock.PAUSE),
            lambda: do(clock.RESUME),
            lambda: do(clock.ADJUST, clock.Adjust(seconds=self.rng.randint(-90, 300))),
            lambda: do(clock.EXTEND, clock.Extend(table=table, minutes=5, reason="deck check")),
            lambda: do(entries.ADD, entries.Add(name="late", awarded_byes=self.rng.choice([0, 0, 3]))),
            lambda: do(entries.DROP, entries.Leave(entry=one)),
            lambda: do(entries.RETURN, entries.Return(entry=one)),
            lambda: do(rounds.CLOSE),
            lambda: do(rounds.REOPEN),
            lambda: do(apart.ADD, apart.PairApart(one=one, other=table)),
            lambda: do(apart.REMOVE, apart.PairApart(one=one, other=table)),
            lambda: do(results.CORRECT, results.Report(round=self.rng.randint(1, 3), table=table, games=games)),
            lambda: do(cut.CORRECT, self.correct("M1.1")),
            lambda: do(cut.CORRECT, self.correct("M2.1")),
            lambda: do(cut.LEAVE, cut.Leave(players=[one], why=self.rng.choice(list(Leaving)))),
            lambda: do(cut.REDRAW),
            lambda: do(match_clocks.START, match_clocks.StartMatches(minutes=60)),
            lambda: do(match_clocks.EXTEND, match_clocks.ExtendMatch(match="M1.1", minutes=5, reason="deck check")),
            lambda: do(match_clocks.PAUSE),
            lambda: do(match_clocks.RESUME),
            lambda: do(match_clocks.ADJUST, match_clocks.AdjustMatches(seconds=60)),
            self.take_back,
        ]

    def pair(self) -> None:
        self.stage.do(rounds.PAIR, rounds.Pair(even_so=True))

    def now(self) -> list[Any]:
        number = self.stage.look(lambda session, event: store.last_published(session, event.id))
        return self.stage.seats(number)

    def games(self) -> results.Games:
        first, second, ending = self.rng.choice(
            [(2, 0, Ending.PLAYED), (1, 2, Ending.PLAYED), (0, 2, Ending.NO_SHOW), (0, 0, Ending.DOUBLE_LOSS)]
        )
        return results.Games(first=first, second=second, ending=ending)

    def report(self, seat: Any) -> None:
        asked = results.Report(round=seat.round, table=seat.table_number, games=self.games())
        self.stage.do(results.REPORT, asked)

    def swap(self) -> None:
        number = self.stage.look(lambda session, event: len(store.round_rows(session, event.id)))
        two = [Two(one=self.rng.randint(1, PLAYERS), other=self.rng.randint(1, PLAYERS))]
        moves = [Move(table=1, to=self.rng.randint(1, 5))] if self.rng.random() < 0.4 else []
        asked = Swap(round=max(1, number), swaps=two, moves=moves, even_so=self.rng.random() < 0.8, reason="because")
        self.stage.do(SWAP, asked)

    def mend(self) -> None:
        one, table = self.rng.randint(1, PLAYERS + 2), self.rng.randint(1, 3)
        mistake: dict[str, Any] = self.rng.choice(
            [
                {"leaves": one},
                {"sits_down": one},
                {"correct": Correction(round=self.rng.randint(1, 3), table=table, games=self.games())},
                {},
            ]
        )
        found = self.stage.look(lambda session, event: repairs.situation(session, event, Mistake(**mistake)))
        if found.offered:
            option = self.rng.choice(found.offered).option
            self.stage.do(REPAIR, Repair(**mistake, option=option))

    def in_cut(self) -> None:
        playing = ready(self.stage.look(lambda session, event: store.bracket_of(session, event.id)))
        if playing:
            self.stage.in_cut(self.rng.choice(playing).id, *self.rng.choice([(2, 0), (1, 2)]))

    def correct(self, match: str) -> cut.Correct:
        asked = cut.Report(match=match, games=results.Games(first=self.rng.choice([0, 2]), second=1))
        seen = self.stage.look(lambda session, event: cut.seen_of(cut.correction_of(session, event, asked)))
        return cut.Correct(**asked.model_dump(), seen=seen.seen)

    def take_back(self) -> None:
        line = self.rng.randint(1, 4)
        seen = self.stage.look(lambda session, event: cut.seen_of(cut.without_line(session, event, line)))
        self.stage.do(cut.TAKE_BACK, cut.TakeBack(line=line, seen=seen.seen))

    def undo(self) -> None:
        if self.stage.row.phase != Phase.CHECK_IN or self.rng.random() < 0.3:
            self.stage.undo(self.stage.version - self.rng.choice([0, 0, 0, 1]))
