"""Clocks of the cut: of each match its own, and more time for a single one."""

from collections.abc import Iterator
from datetime import timedelta
from pathlib import Path
from typing import Any

import pytest

from tests.tournament.service.stage import Prepared, Stage
from tournament import store
from tournament.api.schemas import CutDocument
from tournament.domain.errors import ActionNotAllowed, MatchUnknown
from tournament.errors import CutNotFound, MatchClockRefused
from tournament.service import brackets, cut, events, results
from tournament.service.commands import text_of
from tournament.service.match_clocks import (
    ADJUST,
    EXTEND,
    PAUSE,
    RESUME,
    START,
    AdjustMatches,
    ExtendMatch,
    OfMatches,
    StartMatches,
)


@pytest.fixture(scope="module")
def prepared(sqlite: Path, tmp_path_factory: pytest.TempPathFactory) -> Prepared:
    """Four players in a cut, an hour for each of its rounds."""

    def play(stage: Stage) -> None:
        stage.announce(4, cut_minutes=60).play(1)
        stage.do(cut.START, cut.StartCut(top=4))

    return Prepared.of(sqlite, tmp_path_factory.mktemp("prepared"), play)


@pytest.fixture
def stage(prepared: Prepared, tmp_path: Path) -> Iterator[Stage]:
    with prepared.copied(tmp_path) as stage:
        yield stage


def match(stage: Stage, name: str) -> Any:
    """A match as everybody sees it."""

    def document(session: Any, event: Any) -> CutDocument:
        row = store.find_bracket(session, event.id)
        assert row is not None
        clocks = store.match_clocks_of(session, event.id)
        return CutDocument.of(row, brackets.load(session, event.id), store.bracket_lines(session, event.id), clocks)

    return next(one for one in stage.look(document).matches if one.match == name)


def after(stage: Stage, **time: int) -> str:
    """An instant, from the last command on."""
    return text_of(stage.now + timedelta(**time))


def extend(stage: Stage, name: str, minutes: int) -> Any:
    return stage.do(EXTEND, ExtendMatch(match=name, minutes=minutes, reason="deck check"))


# semifinals M1.1 and M1.2, then the final M2.1
def test_matches_that_can_be_played_begin_together_and_others_when_their_players_are_known(
    stage: Stage,
) -> None:
    fact = stage.do(START)
    assert ([one.match for one in fact.matches], fact.length_s) == (["M1.1", "M1.2"], 3600)
    assert match(stage, "M1.1").ends_at == match(stage, "M1.2").ends_at == after(stage, minutes=60)
    assert match(stage, "M2.1").clock is None
    with pytest.raises(MatchClockRefused, match="cannot begin before its players are known"):
        stage.do(START, StartMatches(matches=["M2.1"]))
    stage.in_cut("M1.1")
    stage.in_cut("M1.2")
    fact = stage.do(START, StartMatches(minutes=90))
    assert [one.match for one in fact.matches] == ["M2.1"]
    assert match(stage, "M2.1").ends_at == after(stage, minutes=90)
    with pytest.raises(MatchClockRefused, match="no match waits for its clock"):
        stage.do(START)
    stage.assert_whole()


def test_a_match_gets_more_time_and_no_other_does(stage: Stage) -> None:
    stage.do(START)
    fact = extend(stage, "M1.2", 8)
    assert (fact.match, fact.extra_minutes) == ("M1.2", 8)
    ends = match(stage, "M1.1").ends_at
    assert (match(stage, "M1.2").extra_minutes, match(stage, "M1.1").extra_minutes) == (8, 0)
    assert match(stage, "M1.2").clock.ends_at == ends
    assert match(stage, "M1.2").ends_at > ends
    assert extend(stage, "M1.2", -3).extra_minutes == 5
    with pytest.raises(MatchClockRefused, match="cannot have -1 extra minutes"):
        extend(stage, "M1.2", -6)
    stage.in_cut("M1.2")
    with pytest.raises(MatchClockRefused, match=r"M1\.2 has ended"):
        extend(stage, "M1.2", 1)
    assert match(stage, "M1.2").extra_minutes == 5
    stage.assert_whole()


def test_a_match_without_a_clock_may_have_more_time_and_keeps_it_when_it_begins(stage: Stage) -> None:
    extend(stage, "M1.1", 5)
    assert (match(stage, "M1.1").clock, match(stage, "M1.1").extra_minutes) == (None, 5)
    stage.do(START, StartMatches(matches=["M1.1"]))
    assert match(stage, "M1.1").ends_at == after(stage, minutes=65)
    assert match(stage, "M1.2").clock is None


def test_clocks_stand_still_and_go_on_all_of_them_or_one(stage: Stage) -> None:
    stage.do(START)
    stage.do(PAUSE, OfMatches(matches=["M1.1"]))
    assert match(stage, "M1.1").ends_at is None
    assert match(stage, "M1.1").clock.left_s == 59 * 60
    with pytest.raises(MatchClockRefused, match=r"M1\.1 stands still since"):
        stage.do(PAUSE, OfMatches(matches=["M1.1"]))
    assert stage.do(PAUSE).matches == ["M1.2"]
    assert stage.do(RESUME).paused_s == {"M1.1": 180, "M1.2": 60}
    with pytest.raises(MatchClockRefused, match="no match has a clock that stands still"):
        stage.do(RESUME)
    with pytest.raises(MatchClockRefused, match=r"M1\.2 runs already"):
        stage.do(RESUME, OfMatches(matches=["M1.2"]))
    assert match(stage, "M1.1").clock.paused_s == 180
    stage.assert_whole()


def test_clocks_are_put_right(stage: Stage) -> None:
    with pytest.raises(MatchClockRefused, match="no match has a clock"):
        stage.do(ADJUST, AdjustMatches(seconds=60))
    stage.do(START, StartMatches(matches=["M1.1"]))
    assert stage.do(ADJUST, AdjustMatches(seconds=-600)).length_s == {"M1.1": 3000}
    with pytest.raises(MatchClockRefused, match=r"M1\.2 has not begun"):
        stage.do(ADJUST, AdjustMatches(seconds=60, matches=["M1.2"]))
    with pytest.raises(MatchClockRefused, match="would run -600 seconds"):
        stage.do(ADJUST, AdjustMatches(seconds=-3600))


# whoever wins M1.1 meets whoever wins M1.2; then M1.1 had another winner after all
def test_a_clock_is_of_the_two_who_play_and_of_nobody_who_plays_the_match_after_a_correction(stage: Stage) -> None:
    stage.in_cut("M1.1")
    stage.in_cut("M1.2")
    stage.do(START)
    extend(stage, "M2.1", 5)
    assert match(stage, "M2.1").extra_minutes == 5
    right = cut.Report(match="M1.1", games=results.Games(first=0, second=2))
    seen = stage.look(lambda session, event: cut.seen_of(cut.correction_of(session, event, right))).seen
    stage.do(cut.CORRECT, cut.Correct(match="M1.1", games=right.games, seen=seen))
    assert (match(stage, "M2.1").clock, match(stage, "M2.1").extra_minutes) == (None, 0)
    stage.do(START)
    assert (match(stage, "M2.1").ends_at, match(stage, "M2.1").extra_minutes) == (after(stage, minutes=60), 0)
    stage.assert_whole()


def test_what_is_no_match_or_no_cut_has_no_clock(stage: Stage) -> None:
    with pytest.raises(MatchUnknown):
        extend(stage, "M9.9", 5)
    with pytest.raises(MatchUnknown):
        stage.do(START, StartMatches(matches=["W1.1"]))
    other = Stage(stage.database, numbers=stage.numbers).announce(2)
    with pytest.raises(ActionNotAllowed, match="cannot time matches of the cut"):
        other.do(START)
    with pytest.raises(CutNotFound):
        other.look(lambda session, event: brackets.load(session, event.id))


def test_an_untimed_cut_needs_its_minutes(stage: Stage) -> None:
    stage.do(events.EDIT, events.Edit(cut_minutes=None))
    with pytest.raises(MatchClockRefused, match="needs a length; name the minutes"):
        stage.do(START)
    assert stage.do(START, StartMatches(minutes=45)).length_s == 2700


def test_a_command_on_a_clock_is_undone_like_any_other(stage: Stage) -> None:
    stage.do(START)
    extend(stage, "M1.1", 5)
    stage.undo()
    assert match(stage, "M1.1").extra_minutes == 0
    stage.assert_whole()
