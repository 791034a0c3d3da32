"""A round is proven from the export as it was paired, whatever was corrected, changed or parted since."""

import json
import shutil
from collections.abc import Callable, Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from tests.tournament.service.stage import Stage
from tournament import event_file, store
from tournament.database import Database, open_file
from tournament.domain.model import Mode, Result, Way
from tournament.errors import FileBroken
from tournament.event_file.answers import judge_rounds, mended, with_result
from tournament.event_file.answers import repairs as ways_on
from tournament.event_file.documents import as_drawn
from tournament.event_file.proving import Proof, proofs_of
from tournament.service import (
    apart,
    disqualifications,
    entries,
    exports,
    merging,
    penalties,
    repairs,
    results,
    rounds,
    transfers,
)
from tournament.service.reasons import proof_of
from tournament.service.repairs import REPAIR, Mistake, Repair
from tournament.service.swaps import SWAP, Swap, Two


@pytest.fixture
def stage(embedded: Database) -> Stage:
    return Stage(embedded)


def text(stage: Stage) -> str:
    said: str = stage.look(exports.export)
    return said


def exported(stage: Stage) -> event_file.Event:
    event = event_file.parse_event_file(text(stage))
    assert event_file.parse_event_file(event_file.write_event_file(replace(event, written={}))) == event
    return event


def faults(event: event_file.Event) -> list[tuple[int, tuple[str, ...]]]:
    return [(proof.round, proof.faults) for proof in proofs_of(event) if proof.faults]


def turned(stage: Stage, number: int, table: int) -> results.Games:
    """What a table came to, the other way round."""
    seat = next(seat for seat in stage.seats(number) if seat.table_number == table)
    return results.Games(first=seat.games_second or 0, second=seat.games_first or 0)


def turn(stage: Stage, number: int, table: int) -> None:
    asked = results.Report(round=number, table=table, games=turned(stage, number, table))
    stage.do(results.CORRECT, asked)


def without_the_past(event: event_file.Event) -> event_file.Event:
    """As a file was that did not say what rounds were paired from."""
    return replace(event, as_paired={})


# two results of round 1 are turned round after round 2 was paired by them, one of them back after round 3 was
def test_every_round_is_proven_after_results_were_corrected_and_corrected_again(stage: Stage) -> None:
    stage.announce(9).play(2)
    before = exported(stage)
    turn(stage, 1, 1)
    turn(stage, 1, 2)
    stage.play(1)
    turn(stage, 1, 1)
    turn(stage, 2, 1)
    event = exported(stage)
    assert [proof.has_certificate for proof in proofs_of(event)] == [True] * 3
    assert faults(event) == []
    assert {number for number, _ in faults(without_the_past(event))} == {2, 3}
    assert faults(replace(before, draw="another one")) != []
    stood = event.as_paired[3].results
    assert set(stood) == {(1, 1), (2, 1)}
    assert stood[1, 1] != event.as_paired[2].results[1, 1]
    stage.assert_whole()


def test_a_correction_that_was_undone_is_as_if_it_had_never_been(stage: Stage) -> None:
    stage.announce(8).play(2)
    before = text(stage)
    turn(stage, 1, 1)
    stage.undo()
    assert text(stage) == before
    stage.assert_whole()


def test_every_round_is_proven_after_tables_were_changed_by_hand_and_by_a_repair(stage: Stage) -> None:
    stage.announce(8).play(1)
    drawn = stage.do(rounds.PAIR)
    seats = stage.seats(2)
    stage.do(SWAP, Swap(round=2, swaps=[Two(one=seats[0].first, other=seats[1].first)], even_so=True, reason="friends"))
    stage.do(rounds.PUBLISH)
    leaver = stage.seats(2)[2].first
    found = stage.look(lambda session, event: repairs.situation(session, event, Mistake(leaves=leaver)))
    stage.do(REPAIR, Repair(leaves=leaver, option=found.offered[0].option))
    event = exported(stage)
    assert faults(event) == []
    assert {2} == {number for number, _ in faults(without_the_past(event))}
    kept = event.as_paired[2].seats
    assert kept is not None
    assert {event_seat(seat) for seat in kept} == {(one.first, one.second, one.table) for one in drawn.seats}
    stage.assert_whole()


def event_seat(seat: Any) -> tuple[int, int | None, int | None]:
    return int(seat.first), int(seat.second), seat.table


# 1 and 2 are kept apart in round 1, 3 and 4 from round 2 on
def test_every_round_is_proven_by_who_was_kept_apart_when_it_was_paired(stage: Stage) -> None:
    stage.announce(4)
    stage.do(apart.ADD, apart.PairApart(one=1, other=2))
    stage.play(1)
    stage.do(apart.ADD, apart.PairApart(one=3, other=4))
    stage.do(apart.ADD, apart.PairApart(one=1, other=3))
    stage.play(1)
    stage.do(apart.REMOVE, apart.PairApart(one=1, other=2))
    stage.do(apart.REMOVE, apart.PairApart(one=1, other=3))
    event = exported(stage)
    assert (event.as_paired[1].apart, event.as_paired[1].not_apart) == ((("1", "2"),), (("3", "4"),))
    assert (event.as_paired[2].apart, event.as_paired[2].not_apart) == ((("1", "2"), ("1", "3")), ())
    assert faults(event) == []
    stage.assert_whole()


# somebody leaves and comes back, comes late, brings byes along by a merge, is disqualified, is penalised and pardoned
def test_every_round_is_proven_whoever_came_and_went_and_whatever_judges_did(stage: Stage) -> None:
    stage.announce(7).play(1)
    stage.do(entries.DROP, entries.Leave(entry=3))
    late = stage.do(entries.ADD, entries.Add(name="late")).entry
    double = stage.do(entries.ADD, entries.Add(name="p1")).entry
    stage.do(entries.EDIT, entries.Edit(entry=1, fixed_table=3))
    stage.do(merging.MERGE, merging.Merge(entry=1, void=double, reason="one person"))
    stage.play(1)
    stage.do(entries.RETURN, entries.Return(entry=3))
    given = penalties.GivePenalty(entry=2, infraction="x", level="match loss", text="late", round=1)
    number = stage.do(penalties.GIVE, given).penalty
    stage.do(penalties.APPLY, penalties.PenaltyNumber(penalty=number))
    stage.play(1)
    stage.do(penalties.TAKE_BACK, penalties.PenaltyNumber(penalty=number))
    stage.start()
    stage.do(disqualifications.DISQUALIFY, disqualifications.Disqualify(entry=late, reason="lied"))
    event = exported(stage)
    assert faults(event) == []
    assert 3 in event.as_paired
    stage.assert_whole()


def test_a_round_by_seeds_is_proven_by_the_seeds(stage: Stage) -> None:
    stage.announce(6).start(seeds=[4, 1, 3, 2, 6, 5])
    event = exported(stage)
    assert (event.ways, event.as_paired[1].seeds) == ({1: Way.FOLD}, ("4", "1", "3", "2", "6", "5"))
    assert proofs_of(event) == [Proof(1, Way.FOLD, has_certificate=False, faults=())]
    assert [as_drawn(judgement) for _, judgement in judge_rounds(event)] == [True]
    wrong = replace(event, as_paired={1: event_file.AsPaired(seeds=("1", "2", "3", "4", "5", "6"))})
    assert "the order of the seeds gives a table to 1 and 4" in faults(wrong)[0][1]
    assert "does not have the seeds" in faults(replace(event, as_paired={}))[0][1][0]


# 5 leaves after round 1, and whoever would meet 5 has a bye
def test_a_round_robin_is_told_and_proven_by_its_schedule(stage: Stage) -> None:
    stage.announce(5, mode="round-robin").play(1)
    stage.do(entries.DROP, entries.Leave(entry=5))
    stage.play(3)
    event = exported(stage)
    assert (event.mode, event.ways, json.loads(text(stage))["event"]["mode"]) == (Mode.ROUND_ROBIN, {}, "round-robin")
    assert faults(event) == []
    assert [(judgement.faults, as_drawn(judgement)) for _, judgement in judge_rounds(event)] == [([], True)] * 4
    swiss = replace(event, mode=Mode.SWISS)
    assert {number for number, _ in faults(swiss)}


def test_a_made_up_certificate_is_found_out(stage: Stage) -> None:
    stage.announce(6).play(2)
    event = exported(stage)
    certificate = dict(event.certificates[2])
    for wrong in (
        certificate | {"lots": 1},
        certificate | {"digest": "00"},
        certificate | {"cost": {}},
        certificate | {"bound": "none"},
        {},
        certificate | {"round": "two"},
        certificate | {"floats": [{"players": 3, "sentence": None}]},
    ):
        made_up = replace(event, certificates={**event.certificates, 2: wrong})
        assert [number for number, _ in faults(made_up)] == [2], wrong


# --- elsewhere


@pytest.fixture
def there(sqlite: Path, tmp_path: Path) -> Iterator[Database]:
    database = open_file(Path(shutil.copy(sqlite, tmp_path / "there.db")))
    yield database
    database.close()


def bring(stage: Stage, there: Database, said: Any) -> str:
    return transfers.bring(there, stage.ask("eve"), json.dumps(said).encode(), transfers.Bring()).event


def full(stage: Stage) -> Any:
    return json.loads(stage.look(lambda session, event: exports.export(session, event, log=True)))


Change = Callable[[Any], object]


@pytest.mark.parametrize(
    ("change", "why"),
    [
        (lambda said: said["rounds"][1]["certificate"].update(lots=-1), "the certificate is another one"),
        (lambda said: said["rounds"][1]["as_paired"]["results"].pop(), "says otherwise than its log"),
        (lambda said: said["rounds"][0].update(pairing="fold"), "its pairing"),
        (lambda said: said["event"].update(mode="round-robin"), "the mode"),
    ],
    ids=["certificate", "results", "pairing", "mode"],
)
def test_a_file_that_says_otherwise_than_its_log_what_rounds_were_paired_from_is_refused(
    stage: Stage, there: Database, change: Change, why: str
) -> None:
    stage.announce(4).play(2)
    turn(stage, 1, 1)
    said = full(stage)
    change(said)
    with pytest.raises(FileBroken, match=why):
        bring(stage, there, said)


def test_a_file_of_a_program_that_told_less_is_taken_and_tells_it_here(stage: Stage, there: Database) -> None:
    stage.announce(4, mode="round-robin").play(1)
    said = full(stage)
    del said["event"]["mode"]
    bring(stage, there, said)
    assert exported(Stage(there, stage.event, stage.now)).mode is Mode.ROUND_ROBIN


def test_a_round_robin_goes_on_from_a_file_without_a_log(stage: Stage, there: Database) -> None:
    stage.announce(5, mode="round-robin").play(2)
    moved = Stage(there, bring(stage, there, json.loads(text(stage))), stage.now, stage.numbers)
    assert (moved.row.mode, moved.seats(2)[0].first) == ("round-robin", stage.seats(2)[0].first)
    moved.do(rounds.PAIR, who="eve")
    stage.do(rounds.PAIR)
    assert [(one.first, one.second) for one in moved.seats(3)] == [(one.first, one.second) for one in stage.seats(3)]
    moved.assert_whole()


def test_a_repair_of_the_file_keeps_in_mind_what_stood(stage: Stage) -> None:
    stage.announce(8).play(1).start()
    said = turned(stage, 1, 1)
    event = with_result(exported(stage), 1, 1, Result(said.first, said.second))
    assert faults(event) == []
    option = ways_on(event)[-1]
    assert option.added
    after = mended(event, option)
    assert faults(after) == []
    assert faults(without_the_past(after)) != []


def test_the_certificate_of_the_file_is_the_one_of_the_document(stage: Stage) -> None:
    stage.announce(5).play(1)
    row = stage.look(lambda session, event: store.find_round(session, event.id, 1))
    assert exported(stage).certificates[1] == proof_of(row)
