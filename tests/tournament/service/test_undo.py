"""The last command is taken back as if it had never been given; and an undoing is a command like any other."""

from collections.abc import Iterator
from dataclasses import replace
from itertools import count
from pathlib import Path

import pytest

from tests.tournament.conftest import account
from tests.tournament.service.stage import Prepared, Stage
from tournament import store
from tournament.database import Database
from tournament.domain.lifecycle import Phase
from tournament.domain.roles import Role
from tournament.errors import NotYours, StaleEvent, UndoRefused
from tournament.service import cut, entries, events, results, rounds, staff, swaps, undo
from tournament.service.derivation import dead
from tournament.store import rows_of
from tournament.tables import PROJECTION, EventRow


@pytest.fixture(scope="module")
def prepared(sqlite: Path, tmp_path_factory: pytest.TempPathFactory) -> Prepared:
    """Four players, round 1 is being played."""
    return Prepared.of(sqlite, tmp_path_factory.mktemp("prepared"), lambda stage: stage.announce(4).start())


@pytest.fixture
def stage(prepared: Prepared, tmp_path: Path) -> Iterator[Stage]:
    with prepared.copied(tmp_path) as stage:
        yield stage


def tables(stage: Stage) -> list[object]:
    """Everything that is so, but for the version and what hangs on it."""
    with stage.database.reading() as session:
        rows = {table: rows_of(session, table, stage.event) for table in PROJECTION}
    for row in rows[EventRow]:
        del row["version"], row["head"]
    return [rows[table] for table in PROJECTION]


def test_a_command_that_is_undone_leaves_the_tables_as_they_were(database: Database) -> None:
    # a result, a close, a drop, an entry, a draft, a change of it, a publication
    stage = Stage(database).announce(4)
    one, two = stage.start()
    before = []
    for step in (
        lambda: stage.report(one),
        lambda: stage.report(two, 1, 2),
        lambda: stage.do(rounds.CLOSE),
        lambda: stage.do(entries.DROP, entries.Leave(entry=4)),
        lambda: stage.do(entries.ADD, entries.Add(name="late")),
        lambda: stage.do(rounds.PAIR),
        lambda: stage.do(swaps.SWAP, swaps.Swap(round=2, moves=[swaps.Move(table=1, to=2)], reason="stairs")),
        lambda: stage.do(rounds.PUBLISH, rounds.Publish(minutes=50)),
    ):
        before.append((stage.version + 1, tables(stage)))
        step()
    for sequence, expected in reversed(before):
        stage.undo(sequence)
        assert tables(stage) == expected
    stage.assert_whole()


def test_undoing_an_undoing_has_the_command_again(stage: Stage) -> None:
    (one, _), reported = stage.seats(1), stage.version + 1
    stage.report(one)
    after = tables(stage)
    taken = stage.undo()
    again = stage.undo()
    assert (taken.sequence, taken.command, taken.again) == (reported, reported, False)
    assert (again.sequence, again.command, again.again) == (reported + 1, reported, True)
    assert tables(stage) == after
    stage.undo()
    assert stage.seats(1)[0].ending is None
    stage.assert_whole()


def test_after_an_undoing_life_goes_on(stage: Stage) -> None:
    one, two = stage.seats(1)
    stage.report(one, 0, 2)
    stage.undo()
    stage.report(one, 2, 0)
    stage.report(two)
    stage.do(rounds.CLOSE)
    assert stage.seats(1)[0].games_first == 2
    stage.assert_whole()


def test_a_phase_is_taken_back_with_the_command_that_led_to_it(stage: Stage) -> None:
    published = stage.version
    assert stage.undo(published).phase is Phase.CHECK_IN
    assert stage.row.phase == Phase.CHECK_IN
    assert stage.look(lambda session, event: store.find_round(session, event.id, 1)).published_at is None


def test_what_others_did_since_has_to_be_undone_first(stage: Stage) -> None:
    published = stage.version
    stage.report(stage.seats(1)[0])
    with pytest.raises(UndoRefused, match=r"it is not the last; .* the latest: result.report by ann") as refused:
        stage.undo(published)
    assert [change.name for change in refused.value.changes] == ["result.report"]
    stage.undo()
    stage.undo(published)
    assert stage.row.phase == Phase.CHECK_IN


def test_what_is_undone_is_not_undone_again_and_not_had_again_after_others(stage: Stage) -> None:
    one, two = stage.seats(1)
    stage.report(one)
    reported = stage.version
    stage.undo()
    undoing = stage.version
    with pytest.raises(UndoRefused, match="undone already"):
        stage.undo(reported)
    stage.report(two)
    with pytest.raises(UndoRefused, match="not the last"):
        stage.undo(undoing)


def test_nothing_is_undone_that_does_not_exist_and_an_event_is_never_unmade(stage: Stage) -> None:
    with pytest.raises(UndoRefused, match="the log ends with"):
        stage.undo(stage.version + 1)
    other = Stage(stage.database, numbers=count(1000))
    other.event = events.create(other.database, other.ask(), events.Create(name="other")).event
    with pytest.raises(UndoRefused, match=r"event\.create is never undone"):
        other.undo(1)


def test_a_command_of_a_kind_that_lasts_is_never_undone(stage: Stage, monkeypatch: pytest.MonkeyPatch) -> None:
    stage.report(stage.seats(1)[0])
    monkeypatch.setitem(undo.KINDS, "result.report", replace(results.REPORT, lasting=True))  # type: ignore[arg-type]
    with pytest.raises(UndoRefused, match="never undone"):
        stage.undo()


def test_whoever_may_give_a_command_may_undo_it_and_an_organizer_may_anyway(stage: Stage) -> None:
    for name in ("ann", "desk", "judge"):
        account(name, stage.database)
    stage.do(staff.GRANT, staff.Grant(account="desk", role=Role.DESK))
    stage.do(staff.GRANT, staff.Grant(account="judge", role=Role.JUDGE))
    stage.do(entries.DROP, entries.Leave(entry=4))
    stage.undo(who="desk")
    stage.report(stage.seats(1)[0])
    with pytest.raises(NotYours):
        stage.undo(who="desk")
    stage.undo(who="judge")
    stage.report(stage.seats(1)[0])
    stage.undo(who="ann")


def test_the_same_undoing_sent_again_is_the_same_receipt(stage: Stage) -> None:
    stage.report(stage.seats(1)[0])
    ask, asked = stage.ask(), undo.Undo(sequence=stage.version, reason="slip")
    first, again = (undo.undo(stage.database, ask, asked) for _ in range(2))
    assert first.body == again.body
    assert stage.version == first.version


def test_an_undoing_of_a_version_that_is_past_is_stale(stage: Stage) -> None:
    before = stage.version
    stage.report(stage.seats(1)[0])
    with pytest.raises(StaleEvent):
        undo.undo(stage.database, stage.ask(version=before), undo.Undo(sequence=stage.version, reason="slip"))


def test_a_cut_that_was_started_by_mistake_is_unmade(embedded: Database) -> None:
    stage = Stage(embedded).announce(8).play(1)
    before = tables(stage)
    stage.do(cut.START, cut.StartCut(top=4))
    stage.in_cut("M1.1")
    stage.undo()
    stage.undo(stage.version - 2)
    assert tables(stage) == before
    stage.assert_whole()


def test_an_event_that_was_finished_by_mistake_goes_on(stage: Stage) -> None:
    for seat in stage.seats(1):
        stage.report(seat)
    stage.do(rounds.CLOSE)
    stage.do(events.FINISH)
    assert stage.undo().phase is Phase.BETWEEN_ROUNDS
    stage.play()


def test_dead_rows_are_those_whose_undoing_is_alive() -> None:
    # 3 undoes 2, 4 undoes 3, 5 undoes 4: 2 is dead; 7 undoes 6
    assert dead({3: 2, 4: 3, 5: 4, 7: 6}) == {4, 2, 6}
    assert dead({}) == frozenset()
