"""Penalties: given, applied by the rules of results, corrected, withdrawn, never deleted."""

from typing import Any

import pytest

from tests.tournament.floor import Floor, playing
from tournament.database import Database
from tournament.domain.errors import ActionNotAllowed
from tournament.domain.infractions import PenaltyLevel
from tournament.errors import (
    EffectInForce,
    EffectRefused,
    EffectStands,
    EntryNotFound,
    PenaltyNotFound,
    PenaltyWithdrawn,
    RoundNotFound,
)
from tournament.service import entries, events, penalties, results, rounds, standings
from tournament.service.commands import Nothing
from tournament.service.penalties import CorrectPenalty, GivePenalty, PenaltyNumber, WithdrawPenalty
from tournament.service.results import Games

WARNING, GAME_LOSS, MATCH_LOSS, OUT = PenaltyLevel
OPEN = (None, None, None, None)


@pytest.fixture
def floor(common: Database) -> Floor:
    return playing(common)


def give(floor: Floor, entry: int, level: PenaltyLevel = WARNING, infraction: str = "slow-play", **more: Any) -> Any:
    return floor.does(penalties.GIVE, GivePenalty(entry=entry, infraction=infraction, level=level, **more))


def apply(floor: Floor, entry: int, level: PenaltyLevel, **more: Any) -> int:
    """Give and apply; the penalty's number."""
    number = int(give(floor, entry, level, **more)["penalty"])
    floor.does(penalties.APPLY, PenaltyNumber(penalty=number))
    return number


def take_back(floor: Floor, number: int) -> Any:
    return floor.does(penalties.TAKE_BACK, PenaltyNumber(penalty=number))


def withdraw(floor: Floor, number: int) -> Any:
    return floor.does(penalties.WITHDRAW, WithdrawPenalty(penalty=number, reason="not so"))


def effect(floor: Floor, number: int) -> penalties.Effect:
    with floor.database.reading() as session:
        return penalties.effect_of(session, floor.row(), penalties.load(session, floor.event, number))


# --- given, with the history


def test_a_penalty_says_where_it_was_given_by_whom_and_what_is_usual(floor: Floor) -> None:
    first, _ = floor.players(1)
    floor.judge("bea")
    given = floor.receipt(penalties.GIVE, GivePenalty(entry=first, infraction="Slow Play", level=WARNING), "bea")
    fact = given["fact"]
    assert (fact["code"], fact["infraction"], fact["round"], fact["table"]) == ("slow-play", "Slow play", 1, 1)
    assert (fact["nth"], fact["usual"], floor.penalty(1).given_by) == (1, "warning", "bea")


def test_the_second_warning_for_the_same_infraction_is_told_and_usually_a_game_loss(floor: Floor) -> None:
    first, second = floor.players(1)
    give(floor, first)
    give(floor, first, infraction="shuffling")
    give(floor, second)
    again = give(floor, first, infraction="SLOW  PLAY")
    assert (again["nth"], again["usual"]) == (2, "game loss")
    with floor.database.reading() as session:
        advice = penalties.advise(session, floor.row(), first, "slow-play")
    assert [row.number for row in advice.before] == [1, 4]
    assert [row.number for row in advice.history] == [1, 2, 4]
    assert advice.sentence.startswith("number 3 for this infraction (before: warning in round 1, warning in round 1)")


def test_words_of_a_judges_own_are_counted_like_a_name(floor: Floor) -> None:
    give(floor, 1, infraction="Wore a  silly hat")
    again = give(floor, 1, infraction="wore a silly HAT")
    assert (again["code"], again["nth"], again["usual"]) == ("", 2, None)


def test_a_withdrawn_penalty_is_not_counted(floor: Floor) -> None:
    give(floor, 1)
    withdraw(floor, 1)
    assert give(floor, 1)["nth"] == 1


def test_giving_a_penalty_changes_no_result(floor: Floor) -> None:
    first, _ = floor.players(1)
    floor.report(1, 2, 1)
    give(floor, first, MATCH_LOSS)
    give(floor, first, OUT, infraction="cheating")
    assert floor.result(1) == (2, 1, 0, "played")
    assert not floor.entry(first).disqualified


# Infraction Procedure Guide 1.2: between rounds, a loss is for the player's next match.
def test_a_loss_that_is_given_between_rounds_is_for_the_next_match(floor: Floor) -> None:
    floor.play_on(1)
    assert give(floor, 1, WARNING)["round"] == 1
    loss = give(floor, 1, MATCH_LOSS)
    assert (loss["round"], loss["table"]) == (2, None)
    with pytest.raises(EffectRefused):
        floor.does(penalties.APPLY, PenaltyNumber(penalty=loss["penalty"]))
    floor.does(rounds.PAIR, rounds.Pair())
    with pytest.raises(EffectRefused):
        floor.does(penalties.APPLY, PenaltyNumber(penalty=loss["penalty"]))
    floor.does(rounds.PUBLISH, rounds.Publish())
    assert floor.does(penalties.APPLY, PenaltyNumber(penalty=loss["penalty"]))["table"]["round"] == 2


def test_a_penalty_is_of_a_player_and_a_round_that_there_is(floor: Floor) -> None:
    with pytest.raises(EntryNotFound):
        give(floor, 99)
    with pytest.raises(RoundNotFound):
        give(floor, 1, round=3)
    with pytest.raises(PenaltyNotFound):
        floor.does(penalties.APPLY, PenaltyNumber(penalty=1))


# --- applied


def test_a_game_loss_is_added_to_the_games_that_the_table_reported(floor: Floor) -> None:
    first, _ = floor.players(1)
    number = give(floor, first, GAME_LOSS)["penalty"]
    assert "still plays" in effect(floor, number).why_not
    with pytest.raises(EffectRefused):
        floor.does(penalties.APPLY, PenaltyNumber(penalty=number))
    floor.report(1, 1, 1)
    before_and_after = effect(floor, number).table
    assert before_and_after is not None
    assert (before_and_after.before, before_and_after.after) == (Games(first=1, second=1), Games(first=1, second=2))
    applied = floor.receipt(penalties.APPLY, PenaltyNumber(penalty=number))
    assert floor.result(1) == (1, 2, 0, "played")
    assert floor.receipt(penalties.APPLY, PenaltyNumber(penalty=number)) == applied
    assert floor.holds()


def test_a_game_loss_that_makes_a_result_impossible_is_not_applied_and_the_reason_told(floor: Floor) -> None:
    first, _ = floor.players(1)
    floor.report(1, 2, 1)
    number = give(floor, first, GAME_LOSS)["penalty"]
    with pytest.raises(EffectRefused) as refused:
        floor.does(penalties.APPLY, PenaltyNumber(penalty=number))
    assert "2-2: both players cannot have won a best of 3" in refused.value.why


def test_a_match_loss_ends_the_match_and_open_claims_with_it(floor: Floor) -> None:
    first, _ = floor.players(1)
    apply(floor, first, MATCH_LOSS)
    assert floor.result(1) == (0, 2, 0, "penalty")
    floor.report(2)
    floor.does(rounds.CLOSE, Nothing())
    with floor.database.reading() as session:
        _, lines = standings.after(session, floor.row())
    assert {int(line.player): line.match_points for line in lines}[first] == 0


def test_match_losses_of_both_are_a_double_loss(floor: Floor) -> None:
    first, second = floor.players(1)
    apply(floor, first, MATCH_LOSS)
    apply(floor, second, MATCH_LOSS)
    assert floor.result(1)[3] == "double loss"
    third = give(floor, second, MATCH_LOSS)["penalty"]
    assert "have lost already" in effect(floor, third).why_not


def test_a_match_loss_is_put_into_a_closed_round_and_discards_a_draft(floor: Floor) -> None:
    first, _ = floor.players(1)
    floor.play_on(1)
    floor.does(rounds.PAIR, rounds.Pair())
    apply(floor, first, MATCH_LOSS, round=1)
    assert floor.result(1) == (1, 2, 0, "penalty")
    floor.does(rounds.PAIR, rounds.Pair())
    assert floor.holds()


def test_a_warning_changes_nothing(floor: Floor) -> None:
    give(floor, 1)
    with pytest.raises(EffectRefused):
        floor.does(penalties.APPLY, PenaltyNumber(penalty=1))


def test_who_has_a_bye_loses_no_match(common: Database) -> None:
    floor = playing(common, players=3)
    bye = next(n for n in (1, 2, 3) if n not in floor.players(1))
    number = give(floor, bye, MATCH_LOSS)["penalty"]
    assert "no table" in effect(floor, number).why_not


# Infraction Procedure Guide 1.1: who is disqualified loses the current match and is dropped.
def test_a_disqualified_player_loses_the_running_match_and_is_out(floor: Floor) -> None:
    first, _ = floor.players(1)
    number = apply(floor, first, OUT, infraction="cheating")
    assert floor.result(1) == (0, 2, 0, "penalty")
    assert (floor.entry(first).disqualified, floor.entry(first).dropped_after) == (True, 1)
    floor.report(2)
    floor.does(rounds.CLOSE, Nothing())
    floor.next_round()
    with floor.database.reading() as session:
        _, lines = standings.after(session, floor.row())
    assert first not in {int(line.player) for line in lines}
    assert first not in floor.players(1, 2)
    floor.does(results.CORRECT, results.Report(round=1, table=1, games=Games(first=2, second=1)))
    take_back(floor, number)
    assert (floor.entry(first).disqualified, floor.entry(first).dropped_after) == (False, None)
    assert floor.holds()


def test_a_match_that_was_over_stays_when_a_player_is_disqualified(floor: Floor) -> None:
    first, _ = floor.players(1)
    floor.report(1, 2, 0)
    apply(floor, first, OUT, infraction="theft")
    assert floor.result(1) == (2, 0, 0, "played")
    again = give(floor, first, OUT)["penalty"]
    assert "disqualified already" in effect(floor, again).why_not


def test_a_disqualification_that_is_taken_back_gives_back_an_earlier_drop(floor: Floor) -> None:
    first, _ = floor.players(1)
    floor.does(entries.DROP, entries.Leave(entry=first))
    floor.play_on(1)
    floor.next_round()
    number = apply(floor, first, OUT)
    assert floor.entry(first).dropped_after == 1
    take_back(floor, number)
    assert (floor.entry(first).disqualified, floor.entry(first).dropped_after) == (False, 1)


# --- corrected and withdrawn


@pytest.mark.parametrize("before", [None, (1, 1), (2, 1)])
def test_a_match_loss_that_is_taken_back_gives_the_table_what_it_had(
    floor: Floor, before: tuple[int, int] | None
) -> None:
    first, _ = floor.players(1)
    reported = floor.report(1, *before)["sequence"] if before else None
    had = floor.result(1)
    number = apply(floor, first, MATCH_LOSS)
    taken_back = take_back(floor, number)
    assert (floor.result(1), floor.seat(1).reported, taken_back["stands"]) == (had, reported, False)
    withdraw(floor, number)
    assert (floor.penalty(number).applied, floor.penalty(number).withdrawn is not None) == (None, True)
    assert floor.holds()


def test_a_penalty_that_is_applied_is_not_withdrawn_before_its_effect_is_taken_back(floor: Floor) -> None:
    first, _ = floor.players(1)
    number = apply(floor, first, MATCH_LOSS)
    milder = CorrectPenalty(penalty=number, level=WARNING, reason="milder")
    with pytest.raises(EffectInForce, match="then withdraw it"):
        withdraw(floor, number)
    with pytest.raises(EffectInForce, match="then change its level"):
        floor.does(penalties.CORRECT, milder)
    take_back(floor, number)
    with pytest.raises(EffectRefused, match="nothing to take back"):
        take_back(floor, number)
    floor.does(penalties.CORRECT, milder)
    assert (floor.result(1), floor.penalty(number).level) == (OPEN, WARNING)


def test_a_penalty_that_was_taken_back_may_be_applied_again(floor: Floor) -> None:
    first, _ = floor.players(1)
    number = apply(floor, first, MATCH_LOSS)
    take_back(floor, number)
    floor.does(penalties.APPLY, PenaltyNumber(penalty=number))
    assert floor.result(1) == (0, 2, 0, "penalty")
    take_back(floor, number)
    assert floor.result(1) == OPEN


def test_a_result_that_was_changed_since_stays_and_that_is_told(floor: Floor) -> None:
    first, _ = floor.players(1)
    number = apply(floor, first, MATCH_LOSS)
    games = Games(first=2, second=1)
    floor.does(results.CORRECT, results.Report(round=1, table=1, games=games))
    assert take_back(floor, number)["stands"] is True
    assert floor.result(1) == (2, 1, 0, "played")


def test_two_match_losses_taken_back_in_either_order_leave_the_table_open(floor: Floor) -> None:
    for first, second in (floor.players(1), floor.players(2)[::-1]):
        table = floor.penalty(give(floor, first)["penalty"]).table_number or 0
        one, other = apply(floor, first, MATCH_LOSS), apply(floor, second, MATCH_LOSS)
        take_back(floor, one)
        assert floor.result(table)[3] == "double loss"
        take_back(floor, other)
        assert floor.result(table) == OPEN
    assert floor.holds()


def test_a_table_of_a_closed_round_is_not_opened_by_taking_back(floor: Floor) -> None:
    first, _ = floor.players(1)
    number = apply(floor, first, MATCH_LOSS)
    floor.play_on(1)
    with pytest.raises(EffectStands):
        take_back(floor, number)
    floor.does(results.CORRECT, results.Report(round=1, table=1, games=Games(first=2, second=1)))
    take_back(floor, number)
    assert floor.result(1) == (2, 1, 0, "played")


def test_a_penalty_with_another_level_is_taken_back_and_applied_anew(floor: Floor) -> None:
    first, _ = floor.players(1)
    floor.report(1, 1, 1)
    number = apply(floor, first, MATCH_LOSS, infraction="tardiness")
    milder = CorrectPenalty(penalty=number, level=GAME_LOSS, text="four minutes late", reason="not ten minutes late")
    take_back(floor, number)
    corrected = floor.receipt(penalties.CORRECT, milder)
    assert floor.result(1) == (1, 1, 0, "played")
    assert floor.receipt(penalties.CORRECT, milder) == corrected
    floor.does(penalties.APPLY, PenaltyNumber(penalty=number))
    assert (floor.result(1), floor.penalty(number).text) == ((1, 2, 0, "played"), "four minutes late")
    assert floor.holds()


def test_a_corrected_name_leaves_the_effect_alone(floor: Floor) -> None:
    first, _ = floor.players(1)
    number = apply(floor, first, MATCH_LOSS, infraction="bribery")
    floor.does(penalties.CORRECT, CorrectPenalty(penalty=number, infraction="collusion", reason="no money"))
    assert (floor.penalty(number).code, floor.penalty(number).infraction) == ("", "collusion")
    assert floor.result(1) == (0, 2, 0, "penalty")


def test_a_withdrawn_penalty_stays_withdrawn(floor: Floor) -> None:
    give(floor, 1, MATCH_LOSS)
    assert withdraw(floor, 1) == withdraw(floor, 1)
    with pytest.raises(PenaltyWithdrawn):
        floor.does(penalties.CORRECT, CorrectPenalty(penalty=1, text="x", reason="y"))
    with pytest.raises(EffectRefused):
        floor.does(penalties.APPLY, PenaltyNumber(penalty=1))
    assert floor.penalty(1).why_withdrawn == "not so"


def test_after_the_event_a_penalty_may_be_taken_back_and_withdrawn_and_none_given(floor: Floor) -> None:
    first, _ = floor.players(1)
    floor.report(1, 2, 1)
    number = apply(floor, first, MATCH_LOSS)
    floor.play_on(1)
    floor.does(events.FINISH, Nothing())
    with pytest.raises(ActionNotAllowed):
        give(floor, first)
    take_back(floor, number)
    withdraw(floor, number)
    assert floor.result(1) == (2, 1, 0, "played")
    assert floor.holds()
