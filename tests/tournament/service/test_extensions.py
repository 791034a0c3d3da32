"""A deck check that is over and a call that is closed give their table the time back, in the same command."""

import shutil
from collections.abc import Iterator
from dataclasses import replace
from datetime import timedelta
from pathlib import Path
from typing import Any

import pytest
from pydantic import ValidationError

from tests.tournament.floor import Floor, playing
from tests.tournament.service.stage import Stage
from tournament.database import Database, open_file
from tournament.domain.errors import MatchUnknown
from tournament.domain.lifecycle import Phase
from tournament.errors import CommandIdReused, CutNotFound, MatchClockRefused, NoTable
from tournament.service import calls, clock, cut, deck_checks, events, news, undo
from tournament.service.calls import CallNumber, CloseCall, JudgeCall
from tournament.service.commands import Ask, Nothing, run
from tournament.service.deck_checks import ChooseTable, DeckCheckNumber, FinishDeckCheck
from tournament.service.rounds import MOST_MINUTES
from tournament.store import bracket_of, find_match_clock, log_lines, open_calls


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


# --- the cut


@pytest.fixture
def cut_of_two(sqlite: Path, tmp_path: Path) -> Iterator[Stage]:
    """Numbers 1 and 2 play M1.1; 3 and 4 are out."""
    database = open_file(Path(shutil.copy(sqlite, tmp_path / "cut.db")))
    stage = Stage(database).announce(4, rounds=2).play(2)
    stage.do(cut.START, cut.StartCut(top=2))
    yield stage
    database.close()


def extra_in(stage: Stage, match: str = "M1.1") -> int | None:
    row = stage.look(lambda session, event: find_match_clock(session, event.id, match))
    return None if row is None else row.extra_minutes


def test_a_match_of_the_cut_gets_the_time_of_a_call_and_of_a_check_at_once(cut_of_two: Stage) -> None:
    stage = cut_of_two
    first, second = sorted(stage.look(lambda session, event: bracket_of(session, event.id).seeds)[:2])
    made = stage.do(calls.MAKE, JudgeCall(topic="a rules question"), f"entry:{first}")
    assert (made.match, made.table, {made.first, made.second}) == ("M1.1", 0, {int(first), int(second)})
    stage.do(calls.TAKE, CallNumber(call=1))
    stage.now += timedelta(minutes=2)  # and the minute in which it is closed
    closed = run(stage.database, calls.CLOSE, stage.ask(), CloseCall(call=1))
    fact = stage.fact(closed)
    assert (fact.match, fact.table, fact.minutes, fact.extra_minutes) == ("M1.1", None, 3, 3)
    assert extra_in(stage) == 3
    stage.do(deck_checks.CHOOSE, ChooseTable(match="M1.1", reason="the final"))
    stage.do(deck_checks.START, DeckCheckNumber(deck_check=1))
    checked = stage.fact(run(stage.database, deck_checks.FINISH, stage.ask(), FinishDeckCheck(deck_check=1)))
    assert (checked.match, checked.minutes, checked.extra_minutes) == ("M1.1", 4, 7)
    assert extra_in(stage) == 7
    stage.assert_whole()


def test_in_the_cut_a_judge_is_called_to_a_match_that_is_played(cut_of_two: Stage) -> None:
    stage = cut_of_two
    out = next(number for number in (1, 2, 3, 4) if f"{number}" not in seeds_of(stage))
    with pytest.raises(NoTable):
        stage.do(calls.MAKE, JudgeCall(), f"entry:{out}")
    with pytest.raises(NoTable):
        stage.do(calls.MAKE, JudgeCall())
    with pytest.raises(MatchUnknown):
        stage.do(calls.MAKE, JudgeCall(match="M9.9"))
    assert stage.do(calls.MAKE, JudgeCall(match="M1.1")).entry is None
    stage.in_cut("M1.1")
    with pytest.raises(MatchClockRefused):
        stage.do(calls.MAKE, JudgeCall(match="M1.1"))
    assert stage.fact(run(stage.database, calls.CLOSE, stage.ask(), CloseCall(call=1, minutes=5))).extra_minutes is None
    with pytest.raises(MatchClockRefused):
        stage.do(deck_checks.CHOOSE, ChooseTable(match="M1.1", reason="late"))


def seeds_of(stage: Stage) -> list[str]:
    return list(map(str, stage.look(lambda session, event: bracket_of(session, event.id).seeds)))


def test_without_a_cut_there_is_no_match_to_call_a_judge_to(floor: Floor) -> None:
    with pytest.raises(CutNotFound):
        floor.does(calls.MAKE, JudgeCall(match="M1.1"))
    for asked in ({}, {"table": 1, "match": "M1.1"}):
        with pytest.raises(ValidationError):
            ChooseTable(reason="which?", **asked)
