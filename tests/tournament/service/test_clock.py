"""A round's clock is instants: when it began, how long it stood still, when it ends."""

from collections.abc import Iterator
from datetime import timedelta
from pathlib import Path

import pytest

from tests.tournament.service.stage import Prepared, Stage
from tournament import store
from tournament.domain.errors import ActionNotAllowed
from tournament.errors import ClockRefused, TableNotFound, TableReported
from tournament.service import clock, events, rounds
from tournament.service.commands import text_of
from tournament.tables import RoundRow


@pytest.fixture(scope="module")
def prepared(sqlite: Path, tmp_path_factory: pytest.TempPathFactory) -> Prepared:
    """Four players, round 1 is drafted."""
    return Prepared.of(sqlite, tmp_path_factory.mktemp("prepared"), lambda stage: stage.announce(4).do(rounds.PAIR))


@pytest.fixture
def stage(prepared: Prepared, tmp_path: Path) -> Iterator[Stage]:
    with prepared.copied(tmp_path) as stage:
        yield stage


def row(stage: Stage) -> RoundRow:
    found: RoundRow = stage.look(lambda session, event: store.find_round(session, event.id, 1))
    return found


def after(stage: Stage, **time: int) -> str:
    """An instant, from the last command on."""
    return text_of(stage.now + timedelta(**time))


def test_a_clock_starts_with_the_round(stage: Stage) -> None:
    stage.do(rounds.PUBLISH, rounds.Publish(minutes=50))
    assert clock.ends_at(row(stage)) == after(stage, minutes=50)
    assert clock.ends_at(row(stage), 5) == after(stage, minutes=55)


def test_the_events_length_of_a_round_is_the_usual_one(stage: Stage) -> None:
    with stage.database.writing() as session:
        store.find_event(session, stage.event).round_minutes = 35  # type: ignore[union-attr]
    stage.do(rounds.PUBLISH)
    assert (row(stage).length_s, row(stage).started_at) == (35 * 60, after(stage))


def test_a_clock_may_wait_until_somebody_starts_it(stage: Stage) -> None:
    stage.do(rounds.PUBLISH, rounds.Publish(minutes=50, start_clock=False))
    assert (row(stage).length_s, row(stage).started_at, clock.ends_at(row(stage))) == (3000, None, None)
    stage.do(clock.START)
    assert clock.ends_at(row(stage)) == after(stage, minutes=50)
    with pytest.raises(ClockRefused, match="began at"):
        stage.do(clock.START)


def test_a_round_without_a_clock_gets_one_with_its_minutes(stage: Stage) -> None:
    stage.do(rounds.PUBLISH)
    for kind in (clock.START, clock.PAUSE, clock.RESUME):
        with pytest.raises(ClockRefused):
            stage.do(kind)
    with pytest.raises(ClockRefused, match="no length"):
        stage.do(clock.ADJUST, clock.Adjust(seconds=60))
    stage.do(clock.START, clock.Start(minutes=40))
    assert clock.ends_at(row(stage)) == after(stage, minutes=40)


def test_a_pause_moves_the_end_by_as_long_as_it_was(stage: Stage) -> None:
    # minute 0 begins · 1 stops with 49 left · 2 goes on · 3 stops · 4 goes on
    stage.do(rounds.PUBLISH, rounds.Publish(minutes=50))
    began = stage.now
    stage.do(clock.PAUSE)
    assert (clock.ends_at(row(stage)), clock.left_s(row(stage))) == (None, 49 * 60)
    with pytest.raises(ClockRefused, match="stands still"):
        stage.do(clock.PAUSE)
    stage.now -= timedelta(minutes=1)
    stage.do(clock.RESUME)
    stage.do(clock.PAUSE)
    assert clock.left_s(row(stage)) == 48 * 60
    stage.do(clock.RESUME)
    assert (row(stage).paused_s, clock.left_s(row(stage))) == (120, None)
    assert clock.ends_at(row(stage)) == text_of(began + timedelta(minutes=52))
    with pytest.raises(ClockRefused, match="runs already"):
        stage.do(clock.RESUME)
    stage.assert_whole()


def test_the_whole_round_gets_more_time_or_less(stage: Stage) -> None:
    stage.do(rounds.PUBLISH, rounds.Publish(minutes=50))
    began = stage.now
    stage.do(clock.ADJUST, clock.Adjust(seconds=90))
    stage.do(clock.ADJUST, clock.Adjust(seconds=-30))
    assert clock.ends_at(row(stage)) == text_of(began + timedelta(minutes=51))
    with pytest.raises(ClockRefused, match="would run"):
        stage.do(clock.ADJUST, clock.Adjust(seconds=-3100))


def test_a_table_that_plays_gets_extra_minutes(stage: Stage) -> None:
    stage.do(rounds.PUBLISH, rounds.Publish(minutes=50))
    one, two = stage.seats(1)
    assert one.table_number is not None
    stage.do(clock.EXTEND, clock.Extend(table=one.table_number, minutes=5, reason="deck check"))
    stage.do(clock.EXTEND, clock.Extend(table=one.table_number, minutes=-2, reason="was quicker"))
    assert [seat.extra_minutes for seat in stage.seats(1)] == [3, 0]
    stage.report(two)
    for table, refusal in ((two.table_number, TableReported), (9, TableNotFound)):
        with pytest.raises(refusal):
            stage.do(clock.EXTEND, clock.Extend(table=table or 0, minutes=5, reason="judge call"))
    with pytest.raises(ClockRefused):
        stage.do(clock.EXTEND, clock.Extend(table=one.table_number, minutes=-4, reason="slip"))
    stage.assert_whole()


def test_no_clock_runs_between_rounds(stage: Stage) -> None:
    stage.do(events.REOPEN)
    with pytest.raises(ActionNotAllowed, match="cannot run the clock"):
        stage.do(clock.START, clock.Start(minutes=5))
