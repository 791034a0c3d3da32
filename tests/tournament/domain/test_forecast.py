"""What is certain before the start, and the round robin that is proposed then."""

from itertools import combinations

import pytest

from tests.tournament.domain.swiss import event, names, said
from tournament.domain.forecast import forecast
from tournament.domain.model import Bye, Pairing, PlayerId
from tournament.domain.objective import cost_of
from tournament.domain.pairing import pair_round
from tournament.domain.round_robin import berger, round_robin, scheduled


def test_seven_players_and_six_rounds_may_need_a_rematch_from_round_5() -> None:
    told = forecast(7, 6)
    assert (told.free_of_rematches_to, told.rematch_certain_from, told.second_bye_certain_from) == (4, None, None)
    assert told.sentences == (
        "7 players, 6 rounds: no rematch is needed up to round 4, later one may be",
        "7 players, 6 rounds: in a round robin, 7 rounds, everybody meets everybody once",
    )


def test_eight_rounds_of_seven_players_are_certain_to_repeat_themselves() -> None:
    told = forecast(7, 8)
    assert (told.rematch_certain_from, told.second_bye_certain_from) == (8, 8)
    assert "7 players, 8 rounds: a rematch is certain in round 8" in told.sentences


def test_five_rounds_of_sixteen_players_need_no_warning() -> None:
    assert forecast(16, 5).sentences == ()


def test_an_even_field_has_no_byes() -> None:
    assert forecast(6, 9).second_bye_certain_from is None
    assert forecast(6, 9).rematch_certain_from == 6


@pytest.mark.parametrize("players", range(2, 15))
def test_the_rounds_that_are_promised_come_without_a_rematch(players: int) -> None:
    promised = forecast(players, 2 * players)
    for seed in range(6):
        for history, paired in event(players, players + 1, seed, lambda h: pair_round(h.pool, h.draw)):
            pairs = [(seat.first, seat.second) for seat in paired.seats if isinstance(seat, Pairing)]
            rematches = cost_of(history.pool, pairs, []).rematches
            if history.number <= promised.free_of_rematches_to:
                assert rematches == ()
            if history.number == promised.rematch_certain_from:
                assert rematches != ()
                break


EIGHT_TO_ROUND_4 = "1-8 2-7 3-6 4-5 | 8-5 6-4 7-3 1-2 | 2-8 3-1 4-7 5-6 | 8-6 7-5 1-4 2-3"


# FIDE Handbook C.05, annex 1: the tables for 4, 6 and 8 players
@pytest.mark.parametrize(
    ("players", "rounds"),
    [
        (4, "1-4 2-3 | 4-3 1-2 | 2-4 3-1"),
        (6, "1-6 2-5 3-4 | 6-4 5-3 1-2 | 2-6 3-1 4-5 | 6-5 1-4 2-3 | 3-6 4-2 5-1"),
        (8, f"{EIGHT_TO_ROUND_4} | 3-8 4-2 5-1 6-7 | 8-7 1-6 2-5 3-4 | 4-8 5-3 6-2 7-1"),
    ],
)
def test_a_round_robin_is_bergers(players: int, rounds: str) -> None:
    ours = " | ".join(" ".join(f"{one}-{other}" for one, other in pairs) for pairs in berger(players))
    assert ours == rounds
    assert berger(players - 1) == berger(players)


@pytest.mark.parametrize("players", range(2, 20))
def test_everybody_meets_everybody_once_and_has_at_most_one_bye(players: int) -> None:
    rounds = round_robin(names(players), "draw")
    seats = [seat for played in rounds for seat in played.seats]
    met = [frozenset((seat.first, seat.second)) for seat in seats if isinstance(seat, Pairing)]
    assert sorted(map(sorted, met)) == sorted(map(sorted, combinations(names(players), 2)))
    byes = [seat.player for seat in seats if isinstance(seat, Bye)]
    assert sorted(byes) == (names(players) if players % 2 else [])
    assert [played.number for played in rounds] == list(range(1, len(rounds) + 1))


def test_the_draw_gives_the_numbers_of_a_round_robin() -> None:
    one, two = round_robin(names(8), "one"), round_robin(names(8), "two")
    assert said(one[0]) != said(two[0])
    assert round_robin(names(8)[::-1], "one") == one


def test_a_scheduled_round_is_the_one_of_the_round_robin() -> None:
    players = names(6)
    for number, planned in enumerate(round_robin(players, "seed"), start=1):
        assert scheduled(players, set(), number, "seed") == planned


def test_whoever_would_meet_a_player_who_left_has_a_bye_and_two_who_left_have_nothing() -> None:
    players = names(6)
    for number, planned in enumerate(round_robin(players, "seed"), start=1):
        gone = set(players[:2])
        played = scheduled(players, gone, number, "seed")
        met = [{seat.first, seat.second} for seat in planned.seats if isinstance(seat, Pairing)]
        idle = {player for two in met if len(two & gone) == 1 for player in two - gone}
        assert {seat.player for seat in played.seats if isinstance(seat, Bye)} == idle
        assert {frozenset((s.first, s.second)) for s in played.seats if isinstance(s, Pairing)} == {
            frozenset(two) for two in met if not two & gone
        }


def test_a_scheduled_round_keeps_fixed_tables() -> None:
    players = names(4)
    for number in (1, 2, 3):
        seats = scheduled(players, set(), number, "seed", tables={PlayerId(players[0]): 7}).seats
        assert {s.table for s in seats if isinstance(s, Pairing) and players[0] in (s.first, s.second)} == {7}
