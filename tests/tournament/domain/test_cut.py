"""Rounds to play, who is in the cut, and where everybody ends."""

from collections.abc import Mapping

import pytest

from tournament.domain.bracket import Place, ready
from tournament.domain.bracket_moves import disqualify, report, start
from tournament.domain.cut import (
    Cut,
    Schedule,
    Tie,
    cut_by_points,
    cut_to,
    cut_to_with_ties,
    final_places,
    players_counted,
    recommended,
    settled_places,
)
from tournament.domain.errors import CutImpossible
from tournament.domain.model import PlayerId, Result
from tournament.domain.standings import Standing, settle

ANN, BOB, CAT, DAN, EVE, FAY = (PlayerId(name) for name in ("ann", "bob", "cat", "dan", "eve", "fay"))
DRAW = "seed of the event"


def standings(points: Mapping[PlayerId, int]) -> list[Standing]:
    """Best first; equal points are a tie on everything."""
    order = sorted(points, key=lambda player: (-points[player], player))
    return [Standing(1 + sum(more > points[who] for more in points.values()), who, points[who], {}) for who in order]


# place   1    2    2    4    4    6
# player  ann  bob  cat  dan  eve  fay
# points  15   12   12   9    9    0
FIELD = standings({ANN: 15, BOB: 12, CAT: 12, DAN: 9, EVE: 9, FAY: 0})


# --- how many rounds ------------------------------------------------------------------------------------------------

# Magic Tournament Rules, appendix E, both ends of each line
APPENDIX_E = [
    (5, Schedule(0, 5)),
    (8, Schedule(0, 8)),
    (9, Schedule(5, 4)),
    (16, Schedule(5, 4)),
    (17, Schedule(5, 8)),
    (32, Schedule(5, 8)),
    (33, Schedule(6, 8)),
    (64, Schedule(6, 8)),
    (65, Schedule(7, 8)),
    (128, Schedule(7, 8)),
    (129, Schedule(8, 8)),
    (226, Schedule(8, 8)),
    (227, Schedule(9, 8)),
    (409, Schedule(9, 8)),
    (410, Schedule(10, 8)),
    (20_000, Schedule(10, 8)),
]


@pytest.mark.parametrize(("players", "schedule"), APPENDIX_E)
def test_rounds_follow_appendix_e(players: int, schedule: Schedule) -> None:
    assert recommended(players) == schedule


def test_awarded_byes_count_as_the_players_they_stand_for() -> None:
    # 20 players, three of whom bring 1, 2 and 3 byes: 17 + 2 + 4 + 8
    assert players_counted(20, [1, 2, 3]) == 31
    assert players_counted(20, [0, 0]) == 20
    assert recommended(20, [1, 2, 3, 3]) == recommended(38) == Schedule(6, 8)


# --- who is in ------------------------------------------------------------------------------------------------------


def test_seeds_follow_the_standings() -> None:
    assert cut_to(3, FIELD, draw=DRAW).seeds[0] == ANN
    assert set(cut_to(3, FIELD, draw=DRAW).seeds) == {ANN, BOB, CAT}


def test_a_tie_at_the_line_is_said_aloud() -> None:
    cut = cut_to(2, FIELD, draw=DRAW)
    second, third = (line.player for line in settle(FIELD, DRAW)[1:3])
    assert cut == Cut((ANN, second), (Tie(2, (second,), (third,)),))
    assert cut.at_the_line is cut.ties[0]
    assert (
        str(cut.at_the_line) == f"place 2 is shared by {second}, {third}; the draw decides that {third} missed the cut"
    )
    named = cut.ties[0].told(lambda player: f"<{player}>")
    assert named == f"place 2 is shared by <{second}>, <{third}>; the draw decides that <{third}> missed the cut"


def test_a_tie_inside_the_cut_is_said_too() -> None:
    cut = cut_to(3, FIELD, draw=DRAW)
    assert cut.at_the_line is None
    assert [(tie.place, set(tie.seeded), tie.left_out) for tie in cut.ties] == [(2, {BOB, CAT}, ())]
    assert str(cut.ties[0]).endswith("the draw decides their seeds")


def test_the_draw_decides_and_not_the_name() -> None:
    seconds = {cut_to(2, FIELD, draw=f"draw {number}").seeds[1] for number in range(20)}
    assert seconds == {BOB, CAT}


def test_a_cut_without_ties_has_nothing_to_say() -> None:
    assert cut_to(3, standings({ANN: 3, BOB: 2, CAT: 1, DAN: 0}), draw=DRAW) == Cut((ANN, BOB, CAT), ())


def test_everybody_tied_with_the_last_can_be_let_in() -> None:
    cut = cut_to_with_ties(4, FIELD, draw=DRAW)
    assert set(cut.seeds) == {ANN, BOB, CAT, DAN, EVE}
    assert cut.at_the_line is None


def test_before_the_cut_those_who_left_are_replaced() -> None:
    assert set(cut_to(3, FIELD, draw=DRAW, gone=[ANN]).seeds) < {BOB, CAT, DAN, EVE}
    assert set(cut_to_with_ties(3, FIELD, draw=DRAW, gone=[ANN]).seeds) == {BOB, CAT, DAN, EVE}


def test_a_cut_by_points_takes_everybody_who_has_them() -> None:
    assert set(cut_by_points(12, FIELD, draw=DRAW).seeds) == {ANN, BOB, CAT}
    assert set(cut_by_points(10, FIELD, draw=DRAW, gone=[CAT]).seeds) == {ANN, BOB}
    assert len(cut_by_points(0, FIELD, draw=DRAW).seeds) == 6


@pytest.mark.parametrize("size", [-1, 0, 1, 7])
def test_a_cut_larger_than_the_field_or_smaller_than_two_is_refused(size: int) -> None:
    for cut in (cut_to, cut_to_with_ties):
        with pytest.raises(CutImpossible, match=f"cannot cut to {size} players? with 6 in the field"):
            cut(size, FIELD, draw=DRAW)


def test_a_cut_by_points_that_only_one_player_has_is_refused() -> None:
    with pytest.raises(CutImpossible):
        cut_by_points(13, FIELD, draw=DRAW)


# --- where everybody ends -------------------------------------------------------------------------------------------


def test_a_player_disqualified_from_the_cut_lets_the_next_one_move_up_a_place() -> None:
    # Infraction Procedure Guide 1.1: disqualified in the quarterfinals; the former ninth does not join, but is eighth
    swiss = standings({PlayerId(f"p{number}"): 30 - number for number in range(1, 11)})
    bracket = disqualify(start(cut_to(8, swiss, draw=DRAW).seeds), PlayerId("p5"))
    while to_play := ready(bracket):
        bracket = report(bracket, to_play[0].id, Result(2, 0))
    places = final_places(bracket, swiss)
    assert places[-2:] == (Place(8, 8, (PlayerId("p9"),)), Place(9, 9, (PlayerId("p10"),)))
    assert PlayerId("p5") not in {player for place in places for player in place.players}


def test_those_outside_follow_in_the_order_of_the_standings() -> None:
    # cut to two: ann beats bob; cat, dan and eve follow, fay is disqualified
    bracket = report(start([ANN, BOB]), ready(start([ANN, BOB]))[0].id, Result(2, 1))
    assert final_places(bracket, FIELD, disqualified=[FAY]) == (
        Place(1, 1, (ANN,)),
        Place(2, 2, (BOB,)),
        Place(3, 3, (CAT,)),
        Place(4, 5, (DAN, EVE)),
    )


# cut to four: ann beats dan, and nothing else is played; bob and cat are still in their semifinal
def test_whose_place_an_event_that_is_over_left_open_shares_the_places_that_are_left() -> None:
    bracket = start([ANN, BOB, CAT, DAN])
    assert settled_places(bracket, FIELD)[0] == Place(1, 4, (ANN, BOB, CAT, DAN))
    bracket = report(bracket, ready(bracket)[0].id, Result(2, 0))
    assert settled_places(bracket, FIELD) == (Place(1, 4, (ANN, BOB, CAT, DAN)), *final_places(bracket, FIELD))
    bracket = report(bracket, ready(bracket)[0].id, Result(2, 0))
    assert settled_places(bracket, FIELD)[:2] == (Place(1, 2, (ANN, BOB)), Place(3, 4, (CAT, DAN)))
    bracket = report(bracket, ready(bracket)[0].id, Result(0, 2))
    assert settled_places(bracket, FIELD) == final_places(bracket, FIELD)


def test_nobody_who_was_disqualified_from_an_unfinished_cut_shares_a_place() -> None:
    bracket = disqualify(start([ANN, BOB, CAT, DAN]), DAN)
    places = settled_places(bracket, FIELD)
    assert places[0] == Place(1, 3, (ANN, BOB, CAT))
    assert DAN not in {player for place in places for player in place.players}


def test_places_outside_are_known_while_the_cut_is_played() -> None:
    assert final_places(start([ANN, BOB]), FIELD)[0] == Place(3, 3, (CAT,))
