"""What an event file answers: rounds, standings, judgements, repairs."""

from dataclasses import replace
from random import Random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tournament.domain.bracket_moves import report, start
from tournament.domain.bracket_plan import MatchId
from tournament.domain.errors import NobodyToPair, ResultsMissing, RoundMissing, SeatHeld, TableUnknown
from tournament.domain.model import Bye, Pairing, Player, PlayerId, Result, Round, players_at
from tournament.domain.results import PointsTaken
from tournament.event_file import Event, parse_event_file, write_event_file
from tournament.event_file.answers import (
    cut_of,
    judge_rounds,
    mended,
    paired_round,
    places_of,
    points_before,
    repairs,
    standings_of,
    with_result,
    without,
)
from tournament.event_file.simulation import simulate

ANN, BOB, CAT, DAN = (PlayerId(name) for name in ("ann", "bob", "cat", "dan"))
FOUR = tuple(Player(id=player, name=player) for player in (ANN, BOB, CAT, DAN))
# ann and cat won
ROUND_1 = Round(1, (Pairing(1, ANN, BOB, Result(2, 0)), Pairing(2, CAT, DAN, Result(2, 0))))
# ann and cat meet, bob and dan meet
ROUND_2 = Round(2, (Pairing(1, ANN, CAT), Pairing(2, BOB, DAN)))


def event(*rounds: Round, players: tuple[Player, ...] = FOUR) -> Event:
    return Event(name="event", game="any", draw="draw", players=players, rounds=rounds)


def meetings(paired: Round) -> set[frozenset[PlayerId]]:
    return {frozenset(players_at(seat)) for seat in paired.seats}


# --- pairing


def test_winners_meet_winners() -> None:
    assert meetings(paired_round(event(ROUND_1))) == {frozenset({ANN, CAT}), frozenset({BOB, DAN})}


def test_what_came_after_a_round_does_not_change_it() -> None:
    assert paired_round(event(ROUND_1, ROUND_2), 2) == paired_round(event(ROUND_1))


def test_who_sits_a_round_out_is_not_in_it_and_is_in_the_next() -> None:
    away = replace(event(ROUND_1), absent={DAN: (2,)})
    second = paired_round(away)
    assert DAN not in {player for seat in second.seats for player in players_at(seat)}
    finished = with_result(replace(away, rounds=(ROUND_1, second)), 2, 1, Result(2, 0))
    assert DAN in {player for seat in paired_round(finished).seats for player in players_at(seat)}
    assert [judgement.faults for _, judgement in judge_rounds(finished)] == [[], []]


def test_points_taken_away_count_from_the_round_after() -> None:
    taken = PointsTaken(player=ANN, round=1, infraction="x", reason="y", points=3)
    punished = replace(event(ROUND_1), penalties=(taken,))
    assert points_before(punished, 1)[ANN] == 0
    assert points_before(punished, 2)[ANN] == 0
    assert standings_of(punished)[0].player == CAT


def test_a_round_waits_for_every_result_before_it() -> None:
    with pytest.raises(ResultsMissing) as refused:
        paired_round(event(ROUND_1, ROUND_2))
    assert list(refused.value.tables) == [(2, 1), (2, 2)]
    with pytest.raises(ResultsMissing):
        cut_of(event(ROUND_1, ROUND_2), 2)


def test_without_players_there_is_no_round() -> None:
    with pytest.raises(NobodyToPair):
        paired_round(event(players=()))


# --- mistakes


def test_another_result_changes_its_table_and_nothing_else() -> None:
    corrected = with_result(event(ROUND_1, ROUND_2), 1, 2, Result(0, 2))
    assert corrected.rounds == (replace(ROUND_1, seats=(ROUND_1.seats[0], Pairing(2, CAT, DAN, Result(0, 2)))), ROUND_2)


@pytest.mark.parametrize(("number", "table"), [(1, 3), (0, 1), (3, 1), (-1, 1)])
def test_a_table_that_is_not_there_has_no_result(number: int, table: int) -> None:
    with pytest.raises(TableUnknown):
        with_result(event(ROUND_1, ROUND_2), number, table, Result(2, 0))


# bob won round 1 after all: ann and dan have none, bob and cat three points
#   table 1: ann - cat   ->   ann - dan
#   table 2: bob - dan   ->   bob - cat
def test_a_wrong_result_offers_to_stay_and_to_pair_the_right_ones() -> None:
    corrected = with_result(event(ROUND_1, ROUND_2), 1, 1, Result(0, 2))
    stay, *others = repairs(corrected)
    assert (stay.after, stay.added, stay.removed) == (ROUND_2, (), ())
    assert [meetings(option.after) for option in others] == [{frozenset({ANN, DAN}), frozenset({BOB, CAT})}]
    assert mended(corrected, others[0]).rounds[0] == corrected.rounds[0]


def test_a_table_that_is_played_stands() -> None:
    corrected = with_result(event(ROUND_1, ROUND_2), 1, 1, Result(0, 2))
    assert [option.after for option in repairs(corrected, playing=[1])] == [ROUND_2]


# dan is not there: bob has the bye, and table 1 stood
def test_tables_that_stood_are_noted_where_others_changed() -> None:
    gone = without(event(ROUND_1, ROUND_2), DAN, [1])
    [option] = repairs(gone, playing=[1])
    after = mended(gone, option, [1])
    assert after.rounds[-1].seats == (Pairing(1, ANN, CAT), Bye(BOB))
    assert after.stood == {2: (1,)}
    assert parse_event_file(write_event_file(after)) == after


# in round 2 everybody has met before; it could have been avoided, unless both tables stood
def test_a_table_that_stood_is_not_judged() -> None:
    again = event(ROUND_1, Round(2, (Pairing(1, ANN, BOB), Pairing(2, CAT, DAN))))
    faults = [[fault.table for fault in judgement.faults] for _, judgement in judge_rounds(again)]
    assert faults == [[], [1, 2]]
    stood = replace(again, stood={2: (1, 2)})
    assert [judgement.faults for _, judgement in judge_rounds(stood)] == [[], []]


def test_who_has_no_place_or_is_playing_cannot_be_taken_out() -> None:
    with pytest.raises(SeatHeld):
        without(event(ROUND_1), DAN)
    with pytest.raises(SeatHeld):
        without(event(ROUND_1, ROUND_2), DAN, playing=[2])
    with pytest.raises(SeatHeld):
        without(event(ROUND_1, ROUND_2), PlayerId("zed"))
    with pytest.raises(RoundMissing):
        without(event(), DAN)
    with pytest.raises(RoundMissing):
        repairs(event())


# --- simulation


@given(players=st.integers(1, 20), rounds=st.integers(1, 6), seed=st.integers(0, 999))
def test_a_simulated_event_is_fair_and_finished(players: int, rounds: int, seed: int) -> None:
    played = simulate(players, rounds, Random(seed), draw="draw")
    assert len(played.players) == players
    assert [round_.number for round_ in played.rounds] == list(range(1, rounds + 1))
    assert played.open_tables == ()
    for _, judgement in judge_rounds(played):
        assert judgement.is_best
        assert judgement.only_here == judgement.only_engine == ()


# --- final places


def test_final_places_are_those_of_the_cut_and_the_standings_below_it() -> None:
    # after round 1 ann and cat have won; dan, seeded below, beats ann in a cut of three
    cut = start((ANN, CAT, DAN))
    cut = report(cut, MatchId("M1.2"), Result(0, 2))
    cut = report(cut, MatchId("M2.1"), Result(0, 2))
    places = [(place.first, place.last, place.players) for place in places_of(replace(event(ROUND_1), cut=cut))]
    assert places == [(1, 1, (DAN,)), (2, 2, (ANN,)), (3, 3, (CAT,)), (4, 4, (BOB,))]


def test_final_places_without_a_cut_are_the_standings_with_shared_places_as_ranges() -> None:
    places = [(place.first, place.last, place.players) for place in places_of(event(ROUND_1))]
    assert places == [(1, 2, (ANN, CAT)), (3, 4, (BOB, DAN))]
