"""A match: who won it, whether its result can be, and what a judge changes in it."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tournament.domain.model import Ending, Pairing, PlayerId, Result
from tournament.domain.results import (
    GameLoss,
    MatchFormat,
    MatchLoss,
    Outcome,
    Penalty,
    PointsTaken,
    ResultRule,
    check_result,
    contradictions,
    double_loss,
    first_absent,
    first_concedes,
    intentional_draw,
    outcome,
    penalised,
    second_absent,
    second_concedes,
    winner,
)

ANN, BOB, CAT = PlayerId("ann"), PlayerId("bob"), PlayerId("cat")
BEST_OF_3 = MatchFormat.BEST_OF_3


def broken(result: Result, match_format: MatchFormat = BEST_OF_3) -> set[ResultRule]:
    return {fault.rule for fault in check_result(result, match_format)}


@pytest.mark.parametrize(
    "result",
    [
        Result(2, 0, 0, Ending.INTENTIONAL_DRAW),
        Result(0, 0, 0, Ending.CONCESSION),
        Result(1, 1, 0, Ending.PENALTY),
        Result(1, 1, 0, Ending.NO_SHOW),
        Result(2, 1, 0, Ending.NO_SHOW),
        Result(2, 0, 1, Ending.NO_SHOW),
    ],
)
def test_games_that_say_something_else_than_the_ending_cannot_be(result: Result) -> None:
    assert contradictions(result)
    assert all(broken(result, match_format) for match_format in MatchFormat)


@given(
    st.builds(Result, st.integers(0, 3), st.integers(0, 3), st.integers(0, 2), st.sampled_from(Ending)),
    st.sampled_from(MatchFormat),
)
def test_what_can_be_in_a_format_contradicts_nothing(result: Result, match_format: MatchFormat) -> None:
    assert broken(result, match_format) or not contradictions(result)


def match(result: Result | None) -> Pairing:
    return Pairing(1, ANN, BOB, result)


def game_loss(player: PlayerId, number: int = 1) -> GameLoss:
    return GameLoss(player=player, round=number, infraction="tardiness", reason="came four minutes late")


def match_loss(player: PlayerId, number: int = 1) -> MatchLoss:
    return MatchLoss(player=player, round=number, infraction="outside assistance", reason="asked a friend")


# --- who won --------------------------------------------------------------------------------------------------------


def test_more_games_win_the_match() -> None:
    assert outcome(Result(2, 1)) is Outcome.FIRST
    assert outcome(Result(0, 1, 1)) is Outcome.SECOND


def test_level_games_draw_the_match() -> None:
    assert outcome(Result(1, 1, 1)) is Outcome.DRAW
    assert outcome(Result(0, 0, 1)) is Outcome.DRAW


def test_a_double_loss_is_nobodys_whatever_the_games_were() -> None:
    assert outcome(Result(2, 0, 0, Ending.DOUBLE_LOSS)) is Outcome.NOBODY


def test_the_winner_is_named_and_there_may_be_none() -> None:
    assert winner(match(Result(2, 0))) == ANN
    assert winner(match(Result(1, 2))) == BOB
    assert winner(match(Result(1, 1, 1))) is None
    assert winner(match(double_loss())) is None
    assert winner(match(None)) is None


# --- results that are not played out --------------------------------------------------------------------------------


# Magic Tournament Rules 2.4: 0-0-3, unless games were played; who concedes with a game won loses 2-1.
def test_an_intentional_draw_draws_every_game() -> None:
    assert intentional_draw(BEST_OF_3) == Result(0, 0, 3, Ending.INTENTIONAL_DRAW)
    assert outcome(intentional_draw(BEST_OF_3)) is Outcome.DRAW


def test_who_concedes_keeps_the_games_won() -> None:
    assert second_concedes(Result(0, 1), BEST_OF_3) == Result(2, 1, 0, Ending.CONCESSION)
    assert first_concedes(Result(0, 0), BEST_OF_3) == Result(0, 2, 0, Ending.CONCESSION)


def test_who_concedes_a_match_already_won_keeps_one_game_less_than_wins_it() -> None:
    assert first_concedes(Result(2, 0), BEST_OF_3) == Result(1, 2, 0, Ending.CONCESSION)


def test_the_absent_lose_without_a_game() -> None:
    assert second_absent(MatchFormat.BEST_OF_5) == Result(3, 0, 0, Ending.NO_SHOW)
    assert first_absent(MatchFormat.BEST_OF_1) == Result(0, 1, 0, Ending.NO_SHOW)


@pytest.mark.parametrize("match_format", MatchFormat)
def test_every_result_made_here_is_possible(match_format: MatchFormat) -> None:
    made = [
        intentional_draw(match_format),
        second_concedes(Result(0, 0), match_format),
        first_concedes(Result(match_format.wins_needed, 0), match_format),
        second_absent(match_format),
        first_absent(match_format),
        double_loss(),
    ]
    assert [check_result(result, match_format) for result in made] == [[]] * len(made)


# --- is it possible? ------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("match_format", "result"),
    [
        (MatchFormat.BEST_OF_1, Result(1, 0)),
        (MatchFormat.BEST_OF_1, Result(0, 0, 1)),
        (MatchFormat.BEST_OF_1, Result(0, 1, 4)),
        (MatchFormat.BEST_OF_3, Result(2, 1)),
        (MatchFormat.BEST_OF_3, Result(1, 0)),
        (MatchFormat.BEST_OF_3, Result(1, 0, 1)),
        (MatchFormat.BEST_OF_3, Result(2, 1, 7)),
        (MatchFormat.BEST_OF_5, Result(3, 2)),
        (MatchFormat.BEST_OF_5, Result(2, 2, 1)),
        (MatchFormat.BEST_OF_3, Result(1, 1, 3, Ending.INTENTIONAL_DRAW)),
    ],
)
def test_a_match_may_have_drawn_games_and_may_run_out_of_time(match_format: MatchFormat, result: Result) -> None:
    assert check_result(result, match_format) == []


def test_nobody_wins_more_games_than_a_match_has() -> None:
    assert broken(Result(3, 0)) == {ResultRule.NOBODY_WINS_TOO_OFTEN}
    assert broken(Result(2, 0), MatchFormat.BEST_OF_1) == {ResultRule.NOBODY_WINS_TOO_OFTEN}


def test_two_players_cannot_both_finish() -> None:
    assert broken(Result(2, 2)) == {ResultRule.ONE_PLAYER_FINISHES}


def test_a_match_without_a_game_needs_its_ending() -> None:
    assert broken(Result(0, 0)) == {ResultRule.SOMETHING_WAS_PLAYED}


def test_an_intentional_draw_is_level_and_has_games() -> None:
    assert broken(Result(1, 0, 0, Ending.INTENTIONAL_DRAW)) == {ResultRule.A_DRAW_IS_LEVEL}
    assert broken(Result(0, 0, 0, Ending.INTENTIONAL_DRAW)) == {ResultRule.A_DRAW_HAS_DRAWN_GAMES}


def test_a_match_decided_off_the_table_is_recorded_as_won() -> None:
    assert broken(Result(1, 0, 0, Ending.CONCESSION)) == {ResultRule.A_DECIDED_MATCH_IS_WON}
    assert broken(Result(1, 0, 0, Ending.NO_SHOW)) == {ResultRule.A_DECIDED_MATCH_IS_WON}


def test_the_absent_win_no_game() -> None:
    assert broken(Result(2, 1, 0, Ending.NO_SHOW)) == {ResultRule.THE_ABSENT_WIN_NOTHING}


def test_every_fault_is_told_at_once() -> None:
    assert broken(Result(4, 3, -1, Ending.NO_SHOW)) == {
        ResultRule.GAMES_ARE_COUNTED,
        ResultRule.NOBODY_WINS_TOO_OFTEN,
        ResultRule.ONE_PLAYER_FINISHES,
        ResultRule.THE_ABSENT_WIN_NOTHING,
    }


def test_a_fault_says_what_was_reported_and_what_would_be_right() -> None:
    (fault,) = check_result(Result(3, 1), BEST_OF_3)
    assert fault.sentence == "3-1: a best of 3 ends with the game won as number 2"


GAMES = st.integers(-1, 4)


@given(GAMES, GAMES, GAMES, st.sampled_from(Ending), st.sampled_from(MatchFormat))
def test_a_possible_result_is_possible_from_the_other_side(
    first: int, second: int, drawn: int, ending: Ending, match_format: MatchFormat
) -> None:
    assert broken(Result(first, second, drawn, ending), match_format) == broken(
        Result(second, first, drawn, ending), match_format
    )


# --- penalties ------------------------------------------------------------------------------------------------------


def test_a_game_loss_is_a_game_won_by_the_opponent() -> None:
    assert penalised(match(Result(2, 0)), [game_loss(ANN)], number=1, match_format=BEST_OF_3).result == Result(2, 1)


def test_an_open_match_stays_open_after_a_game_loss() -> None:
    assert penalised(match(None), [game_loss(ANN)], number=1, match_format=BEST_OF_3).result is None


def test_a_match_loss_ends_the_match_at_once() -> None:
    assert penalised(match(None), [match_loss(ANN)], number=1, match_format=BEST_OF_3).result == Result(
        0, 2, 0, Ending.PENALTY
    )


def test_a_match_loss_leaves_the_games_that_were_won() -> None:
    assert penalised(match(Result(2, 0)), [match_loss(ANN)], number=1, match_format=BEST_OF_3).result == Result(
        1, 2, 0, Ending.PENALTY
    )


def test_a_match_won_and_then_lost_by_penalty_is_lost_two_to_one() -> None:
    assert penalised(match(Result(0, 2)), [match_loss(BOB)], number=1, match_format=BEST_OF_3).result == Result(
        2, 1, 0, Ending.PENALTY
    )


def test_a_match_loss_of_both_is_a_double_loss() -> None:
    lost = penalised(match(Result(1, 1)), [match_loss(ANN), match_loss(BOB)], number=1, match_format=BEST_OF_3)
    assert lost.result == Result(1, 1, 0, Ending.DOUBLE_LOSS)


def test_penalties_of_others_of_other_rounds_and_of_points_leave_the_match() -> None:
    taken = PointsTaken(player=ANN, round=1, infraction="bribery", reason="offered a card", points=3)
    others: list[Penalty] = [game_loss(CAT), match_loss(CAT), game_loss(ANN, 2), match_loss(BOB, 2), taken]
    assert penalised(match(Result(2, 0)), others, number=1, match_format=BEST_OF_3) == match(Result(2, 0))


@pytest.mark.parametrize("lost", [[ANN], [BOB], [ANN, BOB]])
def test_a_match_decided_by_penalty_is_possible(lost: list[PlayerId]) -> None:
    penalties = [match_loss(player) for player in lost]
    result = penalised(match(Result(1, 1, 2)), penalties, number=1, match_format=BEST_OF_3).result
    assert result is not None
    assert check_result(result, BEST_OF_3) == []
