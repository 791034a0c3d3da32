"""An event's life in any order of mishaps: what must hold after every step, and what a step must not change.

Every step goes through the event file: it is written, read again, and life goes on with what was read.
"""

from dataclasses import replace
from random import Random

import pytest
from hypothesis import HealthCheck, settings
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, initialize, invariant, precondition, rule

from tournament.domain.certificate import check_certificate, digest_of
from tournament.domain.errors import CutImpossible, NobodyToPair
from tournament.domain.faults import faults
from tournament.domain.model import Bye, Ending, Pairing, Player, PlayerId, Result, Round, players_at
from tournament.domain.presets import PRESETS, preset_named
from tournament.domain.repair import Option
from tournament.domain.results import Outcome, PointsTaken, contradictions, outcome
from tournament.domain.standings import match_points_of, still_in
from tournament.event_file import Event, parse_event_file, write_event_file
from tournament.event_file.answers import (
    certified_round,
    cut_of,
    mended,
    paired_round,
    pool_before,
    repairs,
    standing_in,
    standings_of,
    with_result,
    with_round,
    without,
)

MOST_PLAYERS = 9
MOST_ROUNDS = 6

RESULTS = st.sampled_from([Result(2, 0), Result(2, 1), Result(1, 2), Result(0, 2), Result(1, 1, 1)]) | st.builds(
    Result, st.integers(0, 2), st.integers(0, 2), st.integers(0, 3), st.sampled_from(Ending)
).filter(lambda result: not contradictions(result))
CHOICE = st.integers(0, 99)
"""Picks one of however many there are."""


class Life(RuleBasedStateMachine):
    """A scorekeeper's evening."""

    event: Event

    @initialize(
        players=st.integers(1, 7),
        preset=st.sampled_from([name for name in PRESETS if name != "pods"]),
        draw=st.integers(0, 99),
    )
    def announce(self, players: int, preset: str, draw: int) -> None:
        self.event = Event(name="evening", game="any", draw=f"draw {draw}", preset=preset)
        for _ in range(players):
            self.enter(awarded_byes=0, table=None)
        if players > 3:
            self.keep(replace(self.event, apart=((PlayerId("p1"), PlayerId("p2")),)))

    # --- what people do -----------------------------------------------------------------------------------------------

    @precondition(lambda self: len(self.event.players) < MOST_PLAYERS)
    @rule(awarded_byes=st.sampled_from([0, 0, 0, 1]), table=st.sampled_from([None, None, 1, 3]))
    def enter(self, awarded_byes: int, table: int | None) -> None:
        """On time, or late: then for the next round."""
        number = len(self.event.players) + 1
        player = Player(
            id=PlayerId(f"p{number}"),
            name=f"Player {number}",
            entered_in=len(self.event.rounds) + 1,
            awarded_byes=awarded_byes,
            table=table,
        )
        self.keep(replace(self.event, players=(*self.event.players, player)))

    @precondition(lambda self: any(still_in(player) for player in self.event.players))
    @rule(choice=CHOICE)
    def drop(self, choice: int) -> None:
        """Who has played and leaves changes no standings; who leaves before the first match was never in them."""
        player = pick(choice, [player for player in self.event.players if still_in(player)])
        published = standings_of(self.event)
        self.change(player, dropped_after=len(self.event.rounds))
        if player.entered_in <= len(self.event.rounds):
            assert standings_of(self.event) == published

    @precondition(lambda self: any(player.dropped_after is not None for player in self.event.players))
    @rule(choice=CHOICE)
    def come_back(self, choice: int) -> None:
        player = pick(choice, [player for player in self.event.players if player.dropped_after is not None])
        missed = range(max(player.dropped_after + 1, player.entered_in), len(self.event.rounds) + 1)
        absent = (*self.event.absent.get(player.id, ()), *missed)
        self.event = replace(
            self.event, absent={**self.event.absent, player.id: absent} if absent else self.event.absent
        )
        self.change(player, dropped_after=None)

    @precondition(lambda self: not self.event.open_tables and len(self.event.rounds) < MOST_ROUNDS)
    @rule(seed=CHOICE)
    def pair(self, seed: int) -> None:
        try:
            paired, certificate = certified_round(self.event)
        except NobodyToPair:
            number = len(self.event.rounds) + 1
            assert not any(is_in(player, number) for player in self.event.players_in(number))
            return
        assert check_certificate(certificate, pool_before(self.event, paired.number), paired) == []
        assert paired == paired_round(self.event)
        assert digest_of(paired) == digest_of(paired_round(shuffled(self.event, Random(seed))))
        self.keep(with_round(self.event, paired))

    @precondition(lambda self: self.event.open_tables)
    @rule(choice=CHOICE, result=RESULTS)
    def report(self, choice: int, result: Result) -> None:
        number, table = pick(choice, self.event.open_tables)
        self.keep(with_result(self.event, number, table, result))

    @precondition(lambda self: self.event.rounds and len(self.event.rounds) < MOST_ROUNDS)
    @rule(results=st.lists(RESULTS, min_size=MOST_PLAYERS, max_size=MOST_PLAYERS), seed=CHOICE)
    def play_on(self, results: list[Result], seed: int) -> None:
        """Everybody reports, and the next round is paired."""
        for (number, table), result in zip(self.event.open_tables, results, strict=False):
            self.event = with_result(self.event, number, table, result)
        self.pair(seed)

    @precondition(lambda self: reported(self.event))
    @rule(choice=CHOICE, result=RESULTS)
    def correct(self, choice: int, result: Result) -> None:
        """A correction and its correction back are the identity; and a correction alone changes no table."""
        number, table, before = pick(choice, reported(self.event))
        corrected = with_result(self.event, number, table, result)
        back = with_result(corrected, number, table, before)
        assert back == self.event
        assert write_event_file(back) == write_event_file(self.event)
        assert standings_of(back) == standings_of(self.event)
        self.keep(corrected)

    @precondition(lambda self: self.event.rounds)
    @rule(choice=CHOICE, player=CHOICE)
    def sit_down_late(self, choice: int, player: int) -> None:
        """Into a round that is paired already."""
        number = self.event.rounds[-1].number
        away = [one for one in self.event.players if one.id not in seated(self.event.rounds[-1])]
        late = [one for one in away if one.dropped_after is None or one.dropped_after >= one.entered_in - 1]
        if late:
            one = pick(player, late)
            absent = {who: tuple(n for n in rounds if n != number) for who, rounds in self.event.absent.items()}
            there = replace(one, entered_in=min(one.entered_in, number), dropped_after=None)
            players = tuple(there if other is one else other for other in self.event.players)
            missed = (
                range(max((one.dropped_after or 0) + 1, one.entered_in), number)
                if one.dropped_after is not None
                else ()
            )
            absent[one.id] = (*absent.get(one.id, ()), *missed)
            self.mend(replace(self.event, players=players, absent={who: n for who, n in absent.items() if n}), choice)

    @precondition(lambda self: self.event.open_tables)
    @rule(choice=CHOICE, player=CHOICE)
    def drop_before_the_round(self, choice: int, player: int) -> None:
        """Somebody who has a table, and is not there."""
        current = self.event.rounds[-1]
        there = [p for seat in current.seats if isinstance(seat, Bye) or not seat.result for p in players_at(seat)]
        self.mend(without(self.event, pick(player, there)), choice)

    @precondition(lambda self: self.event.open_tables)
    @rule(choice=CHOICE, table=CHOICE)
    def repair(self, choice: int, table: int) -> None:
        """Whatever was corrected since the round was paired, with one table being played."""
        self.mend(self.event, choice, playing=[pick(table, self.event.open_tables)[1]])

    @precondition(lambda self: self.event.players)
    @rule(choice=CHOICE, points=st.integers(1, 3))
    def penalise(self, choice: int, points: int) -> None:
        player = pick(choice, self.event.players)
        given = PointsTaken(
            player=player.id, round=len(self.event.rounds), infraction="slow play", reason="again", points=points
        )
        self.keep(replace(self.event, penalties=(*self.event.penalties, given)))

    @precondition(lambda self: not self.event.open_tables)
    @rule(size=st.integers(2, MOST_PLAYERS + 1))
    def cut(self, size: int) -> None:
        here = [line for line in standings_of(self.event) if still_in(by_id(self.event)[line.player])]
        if size > len(here):
            with pytest.raises(CutImpossible):
                cut_of(self.event, size)
            return
        seeds = cut_of(self.event, size).seeds
        place = {line.player: line.place for line in here}
        assert len(set(seeds)) == size
        assert [place[seed] for seed in seeds] == sorted(place.values())[:size]

    # --- what always holds --------------------------------------------------------------------------------------------

    @invariant()
    def every_round_obeys_the_rules(self) -> None:
        for played in self.event.rounds:
            assert faults_of(self.event, played) == []

    @invariant()
    def nobody_has_two_places_in_a_round(self) -> None:
        for played in self.event.rounds:
            places = [player for seat in played.seats for player in players_at(seat)]
            assert len(places) == len(set(places))

    @invariant()
    def match_points_are_what_the_matches_gave(self) -> None:
        event = self.event
        points = match_points_of(event.players, event.rounds, preset_named(event.preset), penalties=event.penalties)
        given = sum(worth(seat, event.preset) for played in event.rounds for seat in played.seats)
        assert sum(points.values()) == given - sum(penalty.points for penalty in event.penalties)
        assert {line.player: line.match_points for line in standings_of(event)}.items() <= points.items()

    # --- helpers ------------------------------------------------------------------------------------------------------

    def keep(self, event: Event) -> None:
        """Write the event, read it again, and go on with what was read."""
        text = write_event_file(event)
        self.event = parse_event_file(text)
        assert self.event == event
        assert write_event_file(self.event) == text

    def change(self, player: Player, *, dropped_after: int | None) -> None:
        changed = replace(player, dropped_after=dropped_after)
        self.keep(replace(self.event, players=tuple(changed if p.id == player.id else p for p in self.event.players)))

    def mend(self, event: Event, choice: int, playing: list[int] | None = None) -> None:
        """Each way to go on leaves the standing tables alone and is a legal round; take one."""
        current = event.rounds[-1]
        standing = standing_in(current, playing or ())
        options = repairs(event, playing or ())
        assert options
        for option in options:
            after = mended(event, option, playing or ())
            assert faults_of(after, option.after) == []
            assert kept(current, standing) <= set(option.after.seats)
            assert_changes(current, option)
        self.keep(mended(event, pick(choice, options), playing or ()))


def faults_of(event: Event, played: Round) -> list[str]:
    players, stood = event.players_in(played.number), event.stood.get(played.number, ())
    found = faults(played, players, event.rounds, apart=event.apart, standing=stood)
    return [fault.sentence for fault in found]


def pick(choice: int, some):  # type: ignore[no-untyped-def]  # noqa: ANN001, ANN201 - of anything, one
    return some[choice % len(some)]


def is_in(player: Player, number: int) -> bool:
    return player.entered_in <= number and (player.dropped_after is None or player.dropped_after >= number)


def by_id(event: Event) -> dict[PlayerId, Player]:
    return {player.id: player for player in event.players}


def seated(played: Round) -> set[PlayerId]:
    return {player for seat in played.seats for player in players_at(seat)}


def reported(event: Event) -> list[tuple[int, int, Result]]:
    return [
        (played.number, seat.table, seat.result)
        for played in event.rounds
        for seat in played.seats
        if isinstance(seat, Pairing) and seat.result
    ]


def kept(current: Round, standing: set[int]) -> set[Pairing | Bye]:
    return {seat for seat in current.seats if isinstance(seat, Pairing) and seat.table in standing}


def assert_changes(current: Round, option: Option) -> None:
    """What is told as removed and added is the difference; who sits on which side of a table is none."""
    before, after = ({place(seat) for seat in played.seats} for played in (current, option.after))
    assert set(map(place, option.removed)) == before - after
    assert set(map(place, option.added)) == after - before


def place(seat: Pairing | Bye) -> tuple[int | None, frozenset[PlayerId]]:
    return (None if isinstance(seat, Bye) else seat.table, frozenset(players_at(seat)))


def shuffled(event: Event, rng: Random) -> Event:
    """The same content in another order, and without what its author wrote beside it."""
    players = rng.sample(event.players, len(event.players))
    rounds = [replace(played, seats=tuple(rng.sample(played.seats, len(played.seats)))) for played in event.rounds]
    return replace(event, players=tuple(players), rounds=tuple(rounds), written={})


def worth(seat: Pairing | Bye, preset: str) -> int:
    """Match points that a place of a round gives to both players together.

    3 and 0, 1 and 1, or nothing after a double loss; 3 for a bye. Netrunner counts games: 3 for each won, 1 and 1 for
    each drawn, and a bye wins both.
    """
    if isinstance(seat, Bye):
        return 6 if preset == "netrunner" else 3
    if seat.result is None or outcome(seat.result) is Outcome.NOBODY:
        return 0
    if preset == "netrunner":
        return 3 * (seat.result.first + seat.result.second) + 2 * seat.result.drawn
    return 2 if outcome(seat.result) is Outcome.DRAW else 3


Life.TestCase.settings = settings(
    max_examples=100, stateful_step_count=30, deadline=None, suppress_health_check=[HealthCheck.too_slow]
)
test_life = Life.TestCase
