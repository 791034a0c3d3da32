"""A deck check that is over and a call that is closed give their table the time back, in the same command."""

from dataclasses import replace
from typing import Any

import pytest
from pydantic import ValidationError

from tests.tournament.floor import Floor, playing
from tournament.database import Database
from tournament.domain.lifecycle import Phase
from tournament.errors import CommandIdReused
from tournament.service import calls, clock, deck_checks, events, news, undo
from tournament.service.calls import CallNumber, CloseCall, JudgeCall
from tournament.service.commands import Ask, Nothing, run
from tournament.service.deck_checks import ChooseTable, DeckCheckNumber, FinishDeckCheck
from tournament.service.rounds import MOST_MINUTES
from tournament.store import log_lines, open_calls


@pytest.fixture
def floor(common: Database) -> Floor:
    return playing(common, 8)


def checked(floor: Floor, table: int = 2, *, seconds: int = 420, **said: Any) -> Any:
    """A deck check of a table, finished after so many seconds; the fact."""
    check = floor.does(deck_checks.CHOOSE, ChooseTable(table=table, reason="a marked sleeve"))["deck_check"]
    floor.does(deck_checks.START, DeckCheckNumber(deck_check=check))
    floor.wait(seconds=seconds)
    return floor.does(deck_checks.FINISH, FinishDeckCheck(deck_check=check, **said))


def ruled(floor: Floor, table: int = 2, *, seconds: int = 240, **said: Any) -> Any:
    """A call to a table, closed so many seconds after a judge came; the fact."""
    call = floor.does(calls.MAKE, JudgeCall(table=table))["call"]
    floor.does(calls.TAKE, CallNumber(call=call))
    floor.wait(seconds=seconds)
    return floor.does(calls.CLOSE, CloseCall(call=call, **said))


def extra(floor: Floor, table: int = 2) -> int:
    return floor.seat(table).extra_minutes


# seven minutes of a check and three to shuffle, then four of a call
def test_a_table_gets_the_time_of_a_check_and_of_a_call_at_once(floor: Floor) -> None:
    fact = checked(floor)
    assert (fact["minutes"], fact["round"], fact["table"], fact["extra_minutes"]) == (10, 1, 2, 10)
    assert extra(floor) == 10
    assert ruled(floor)["extra_minutes"] == 14
    assert (extra(floor), extra(floor, 1)) == (14, 0)
    assert floor.holds()


def test_a_judge_says_another_time_or_none(floor: Floor) -> None:
    assert checked(floor, minutes=5)["minutes"] == 5
    assert ruled(floor, minutes=0)["extra_minutes"] is None
    assert extra(floor) == 5
    with pytest.raises(ValidationError):
        FinishDeckCheck(deck_check=1, minutes=-1)
    with pytest.raises(ValidationError):
        CloseCall(call=1, minutes=MOST_MINUTES + 1)


def test_a_short_pause_gives_nothing(floor: Floor) -> None:
    assert ruled(floor, seconds=60)["extra_minutes"] is None
    assert extra(floor) == 0


def test_a_match_that_is_over_gets_no_time_and_is_told_what_it_was_due(floor: Floor) -> None:
    floor.report(2)
    fact = checked(floor)
    assert (fact["minutes"], fact["extra_minutes"]) == (10, None)
    assert extra(floor) == 0


def test_a_round_that_is_over_gets_no_time(floor: Floor) -> None:
    check = floor.does(deck_checks.CHOOSE, ChooseTable(table=2, reason="late"))["deck_check"]
    floor.does(deck_checks.START, DeckCheckNumber(deck_check=check))
    floor.play_on(1)
    floor.next_round()
    assert floor.row().phase == Phase.ROUND
    assert floor.does(deck_checks.FINISH, FinishDeckCheck(deck_check=check))["extra_minutes"] is None
    assert (floor.seat(2).extra_minutes, floor.seat(2, 2).extra_minutes) == (0, 0)


def test_a_check_that_somebody_forgot_to_finish_gives_a_day_at_most(floor: Floor) -> None:
    assert checked(floor, seconds=3 * 24 * 3600)["extra_minutes"] == MOST_MINUTES


def test_time_that_was_given_is_taken_away_by_hand_or_by_undoing(floor: Floor) -> None:
    checked(floor)
    floor.does(clock.EXTEND, clock.Extend(table=2, minutes=-4, reason="they had been shuffled"))
    assert extra(floor) == 6
    ruled(floor)
    for step, minutes in ((0, 6), (1, 6)):  # the time, then the closing itself
        ask = Ask(event=floor.event, who=lambda _: "ann", command=f"undo {step}", now=floor.now)
        undone = undo.Undo(sequence=floor.row().version - 2 * step, reason="the wrong call")
        undo.undo(floor.database, ask, undone)
        assert extra(floor) == minutes
    with floor.database.reading() as session:
        assert [call.closed_at for call in open_calls(session, floor.event)] == [None]
    assert floor.holds()


def test_everybody_is_told_of_the_time_and_staff_of_the_rest(floor: Floor) -> None:
    version = floor.row().version
    checked(floor, text="two sleeves are marked")
    with floor.database.reading() as session:
        lines = log_lines(session, floor.event, after=version, limit=50, with_facts_of=[*news.TOLD])
    told = {line.name: news.told(floor.event, line).public for line in lines}
    assert told[deck_checks.FINISH.name] is None
    clock_news = told[clock.EXTEND.name]
    assert clock_news is not None
    assert (clock_news.topics, clock_news.round, clock_news.table) == ([news.Topic.CLOCK], 1, 2)


def test_the_time_is_a_row_of_its_own_and_follows_from_a_published_log(floor: Floor) -> None:
    checked(floor)
    ruled(floor)
    floor.play_on(1)
    floor.does(events.FINISH, Nothing())
    assert "seat" not in floor.missing_in_public()


def test_sent_again_the_time_is_given_once_and_the_answer_is_the_same(floor: Floor) -> None:
    check = floor.does(deck_checks.CHOOSE, ChooseTable(table=2, reason="a look"))["deck_check"]
    floor.does(deck_checks.START, DeckCheckNumber(deck_check=check))
    ask = Ask(event=floor.event, who=lambda _: "ann", command="finish", now=floor.now)
    given = [run(floor.database, deck_checks.FINISH, ask, FinishDeckCheck(deck_check=check)) for _ in range(2)]
    assert given[0] == given[1]
    assert (given[0].tag, given[0].version) == (floor.row().version, floor.row().version - 1)
    assert extra(floor) == 3


def test_a_check_whose_time_cannot_be_written_down_is_not_finished(floor: Floor) -> None:
    check = floor.does(deck_checks.CHOOSE, ChooseTable(table=2, reason="a look"))["deck_check"]
    floor.does(deck_checks.START, DeckCheckNumber(deck_check=check))
    run_before = floor.row().version
    ask = Ask(event=floor.event, who=lambda _: "ann", command="taken.2", now=floor.now)
    run(floor.database, clock.EXTEND, ask, clock.Extend(table=1, minutes=1, reason="the same id"))
    with pytest.raises(CommandIdReused):
        run(floor.database, deck_checks.FINISH, replace(ask, command="taken"), FinishDeckCheck(deck_check=check))
    assert floor.row().version == run_before + 1
    assert extra(floor) == 0
