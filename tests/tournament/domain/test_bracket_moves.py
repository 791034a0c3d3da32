"""What a bracket accepts, what it refuses, and what a correction changes."""

import pytest

from tournament.domain import errors
from tournament.domain.bracket import (
    Bracket,
    DoubleLosses,
    Draws,
    Empty,
    Leaving,
    Left,
    Place,
    Redrawn,
    Reported,
    matches,
    places,
    ready,
    winner,
)
from tournament.domain.bracket_moves import Change, correct, disqualify, drop, redraw, report, start, undo, undo_line
from tournament.domain.bracket_plan import Form, MatchId
from tournament.domain.model import Ending, PlayerId, Result

EIGHT = tuple(PlayerId(name) for name in ("ann", "bob", "cat", "dan", "eve", "fay", "gus", "hal"))
ANN, BOB, CAT, DAN, EVE, FAY, GUS, HAL = EIGHT


def won_by(bracket: Bracket, *winners: PlayerId) -> Bracket:
    """Each of them wins the match that is ready for them, in turn."""
    for player in winners:
        match = next(match for match in ready(bracket) if player in match.seats)
        bracket = report(bracket, match.id, Result(2, 0) if match.seats[0] == player else Result(0, 2))
    return bracket


def first_round(bracket: Bracket) -> list[tuple[object, object]]:
    return [match.seats for match in matches(bracket)[:4]]


def seats(bracket: Bracket, match: str) -> tuple[object, object]:
    return next(found.seats for found in matches(bracket) if found.id == match)


# --- reports --------------------------------------------------------------------------------------------------------


def test_the_same_report_twice_changes_nothing() -> None:
    once = report(start(EIGHT), MatchId("M1.1"), Result(2, 1))
    assert report(once, MatchId("M1.1"), Result(2, 1)) == once


def test_another_report_is_refused_and_names_the_first() -> None:
    once = report(start(EIGHT), MatchId("M1.1"), Result(2, 1))
    with pytest.raises(errors.AlreadyReported, match="ann 2-1 hal"):
        report(once, MatchId("M1.1"), Result(1, 2))


def test_a_match_waits_for_its_players() -> None:
    with pytest.raises(errors.MatchNotReady, match=r"waits for the winner of M1.1 and the winner of M1.2"):
        report(start(EIGHT), MatchId("M2.1"), Result(2, 0))


def test_a_bye_takes_no_result() -> None:
    with pytest.raises(errors.MatchNotReady, match="decided: bye"):
        report(start(EIGHT[:7]), MatchId("M1.1"), Result(2, 0))


def test_an_unknown_match_is_refused() -> None:
    with pytest.raises(errors.MatchUnknown, match=r"'L1.1' is no match of a single elimination with 8 players"):
        report(start(EIGHT), MatchId("L1.1"), Result(2, 0))


@pytest.mark.parametrize("draws", [Draws.SUDDEN_DEATH, Draws.EXTRA_GAME])
def test_a_draw_is_refused_with_the_way_to_settle_it(draws: Draws) -> None:
    with pytest.raises(errors.DrawNotSettled, match=f"settle it by {draws}"):
        report(start(EIGHT, draws=draws), MatchId("M1.1"), Result(1, 1, 1))


def test_a_double_loss_is_refused_where_it_is_played_again() -> None:
    bracket = start(EIGHT, double_losses=DoubleLosses.REPLAY)
    with pytest.raises(errors.DoubleLossNotSettled):
        report(bracket, MatchId("M1.1"), Result(0, 0, 0, Ending.DOUBLE_LOSS))


def test_games_below_zero_are_refused() -> None:
    with pytest.raises(errors.ResultImpossible):
        report(start(EIGHT), MatchId("M1.1"), Result(2, -1))


def test_a_player_is_seeded_once() -> None:
    with pytest.raises(errors.SeededTwice, match="bob, ann"):
        start([BOB, ANN, BOB, ANN])


def test_one_player_is_no_bracket() -> None:
    with pytest.raises(errors.CutImpossible):
        start([ANN])


# --- leaving --------------------------------------------------------------------------------------------------------


def test_who_is_not_in_the_cut_cannot_leave_it() -> None:
    with pytest.raises(errors.NotInBracket, match="zoe"):
        drop(start(EIGHT), ANN, PlayerId("zoe"))


def test_nobody_leaves_twice_but_a_drop_can_become_a_disqualification() -> None:
    bracket = drop(start(EIGHT), ANN)
    with pytest.raises(errors.AlreadyLeft, match="ann"):
        drop(bracket, ANN)
    assert disqualify(bracket, ANN).log == (Left((ANN,), Leaving.DROPPED), Left((ANN,), Leaving.DISQUALIFIED))
    with pytest.raises(errors.AlreadyLeft):
        drop(disqualify(start(EIGHT), ANN), ANN)


def test_a_player_named_twice_leaves_once() -> None:
    assert drop(start(EIGHT), ANN, ANN) == drop(start(EIGHT), ANN)


# --- drawing a round anew -------------------------------------------------------------------------------------------


def test_the_highest_ranked_remaining_player_has_the_bye_after_a_redraw() -> None:
    # Magic Tournament Rules 2.10; cat (3) drops before the quarterfinals, the seven others stand as a cut to seven
    bracket = redraw(drop(start(EIGHT), CAT))
    assert first_round(bracket) == [(ANN, Empty.NOBODY), (EVE, FAY), (BOB, HAL), (DAN, GUS)]


def test_a_redraw_is_the_cut_that_the_remaining_players_would_have_been() -> None:
    bracket = redraw(drop(start(EIGHT), BOB, GUS, EVE))
    assert first_round(bracket) == first_round(start([ANN, CAT, DAN, FAY, HAL]))


def test_a_later_round_is_drawn_anew_among_those_who_reached_it() -> None:
    # semifinals ann-dan, bob-cat; dan drops: ann has the bye already. bob drops: so has cat, and ann meets dan
    bracket = drop(won_by(start(EIGHT), ANN, BOB, CAT, DAN), BOB)
    bracket = redraw(bracket)
    assert seats(bracket, "M2.1") == (ANN, Empty.NOBODY)
    assert seats(bracket, "M2.2") == (CAT, DAN)
    assert places(won_by(bracket, DAN, ANN)) == (
        Place(1, 1, (ANN,)),
        Place(2, 2, (DAN,)),
        Place(3, 4, (BOB, CAT)),
        Place(5, 8, EIGHT[4:]),
    )


def test_a_round_that_has_begun_is_not_drawn_anew() -> None:
    with pytest.raises(errors.RedrawRefused, match="has begun"):
        redraw(drop(won_by(start(EIGHT), ANN), BOB))


def test_a_round_that_nobody_left_is_not_drawn_anew() -> None:
    with pytest.raises(errors.RedrawRefused, match="nobody who belongs to round 1 has left"):
        redraw(start(EIGHT))
    again = redraw(drop(start(EIGHT), CAT))
    with pytest.raises(errors.RedrawRefused, match="nobody"):
        redraw(again)


def test_double_elimination_is_not_drawn_anew() -> None:
    with pytest.raises(errors.RedrawRefused, match="double elimination"):
        redraw(drop(start(EIGHT, form=Form.DOUBLE), CAT))


def test_nothing_is_drawn_anew_at_the_end() -> None:
    with pytest.raises(errors.RedrawRefused, match="no round is to come"):
        redraw(won_by(start([ANN, BOB]), ANN))


# --- corrections ----------------------------------------------------------------------------------------------------


def test_a_correction_lists_what_must_be_played_again() -> None:
    # hal beat ann, was written down the other way; ann has beaten dan since and leads the final against bob
    bracket = won_by(start(EIGHT), ANN, DAN, BOB, CAT, ANN, BOB)
    correction = correct(bracket, MatchId("M1.1"), Result(1, 2))
    assert correction.replay == (Change(MatchId("M2.1"), (ANN, DAN), (HAL, DAN)),)
    assert correction.moved == (Change(MatchId("M3.1"), (ANN, BOB), (Empty.OPEN, BOB)),)
    assert [str(change) for change in correction.replay] == ["M2.1: was ann - dan, is now hal - dan"]
    assert [match.id for match in ready(correction.bracket)] == ["M2.1"]


def test_a_correction_of_the_score_alone_changes_no_match() -> None:
    bracket = won_by(start(EIGHT), ANN, DAN, ANN)
    correction = correct(bracket, MatchId("M1.1"), Result(2, 1))
    assert (correction.replay, correction.moved) == ((), ())


def test_a_correction_and_its_correction_back_are_the_identity() -> None:
    bracket = won_by(start(EIGHT), ANN, DAN)
    there = correct(bracket, MatchId("M1.1"), Result(0, 2)).bracket
    assert correct(there, MatchId("M1.1"), Result(2, 0)).bracket == bracket


def test_a_correction_in_the_main_bracket_reaches_the_lower_one() -> None:
    # ann beat dan and bob beat cat; then bob beat ann and dan beat cat. Was it dan who beat ann?
    bracket = won_by(start(EIGHT[:4], form=Form.DOUBLE), ANN, BOB, BOB, DAN)
    correction = correct(bracket, MatchId("M1.1"), Result(0, 2))
    assert correction.replay == (
        Change(MatchId("M2.1"), (ANN, BOB), (DAN, BOB)),
        Change(MatchId("L1.1"), (DAN, CAT), (ANN, CAT)),
    )


def test_only_a_reported_match_can_be_corrected() -> None:
    with pytest.raises(errors.MatchNotReady, match="no result to correct"):
        correct(start(EIGHT), MatchId("M1.1"), Result(2, 0))


def test_a_correction_obeys_the_same_rules_as_a_report() -> None:
    with pytest.raises(errors.DrawNotSettled):
        correct(won_by(start(EIGHT), ANN), MatchId("M1.1"), Result(1, 1))


def test_an_accidental_drop_is_taken_back_with_what_followed_from_it() -> None:
    # bob's drop gave gus the walkover, and gus has beaten cat since
    bracket = won_by(drop(start(EIGHT), BOB), CAT, GUS)
    correction = undo(bracket, Left((BOB,), Leaving.DROPPED))
    assert correction.replay == (Change(MatchId("M2.2"), (GUS, CAT), (Empty.OPEN, CAT)),)
    assert seats(correction.bracket, "M1.3") == (BOB, GUS)


def test_a_report_is_taken_back() -> None:
    once = report(start(EIGHT), MatchId("M1.1"), Result(2, 0))
    assert undo(once, Reported(MatchId("M1.1"), ANN, HAL, Result(2, 0))).bracket == start(EIGHT)


def test_a_redraw_is_taken_back() -> None:
    dropped = drop(start(EIGHT), CAT)
    correction = undo(redraw(dropped), Redrawn(1))
    assert correction.bracket == dropped
    assert [change.match for change in correction.moved] == ["M1.2", "M1.3", "M1.4"]


def test_a_redraw_without_anybody_gone_leaves_the_round_as_it_was() -> None:
    dropped = redraw(drop(start(EIGHT), CAT))
    assert first_round(undo(dropped, Left((CAT,), Leaving.DROPPED)).bracket) == first_round(start(EIGHT))


def test_of_two_lines_that_read_alike_the_one_that_is_named_is_taken_back() -> None:
    # cat leaves and round 1 is drawn anew; then bob leaves and it is drawn anew once more
    first = redraw(drop(start(EIGHT), CAT))
    second = redraw(drop(first, BOB))
    assert second.log[1] == second.log[3]
    assert undo_line(second, 3).bracket == drop(first, BOB)
    assert undo_line(second, 1).bracket.log == (*first.log[:1], *second.log[2:])
    with pytest.raises(errors.NothingToUndo):
        undo_line(second, 4)


def test_what_was_never_entered_cannot_be_taken_back() -> None:
    with pytest.raises(errors.NothingToUndo):
        undo(start(EIGHT), Redrawn(1))


def test_a_correction_before_a_redraw_draws_the_round_again() -> None:
    # semifinals without bob: ann bye, cat-dan. In truth hal had beaten ann: cat bye, dan-hal
    bracket = redraw(drop(won_by(start(EIGHT), ANN, BOB, CAT, DAN), BOB))
    bracket = correct(won_by(bracket, DAN), MatchId("M1.1"), Result(0, 2)).bracket
    assert (seats(bracket, "M2.1"), seats(bracket, "M2.2")) == ((CAT, Empty.NOBODY), (DAN, HAL))
    assert winner(won_by(bracket, HAL, CAT)) == CAT
