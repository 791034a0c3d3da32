"""A mistake is mended in one step, in a way that was looked at; what is played stands, and all may read the change."""

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from tests.tournament.service.stage import Prepared, Stage
from tournament import event_file, store
from tournament.database import Database
from tournament.domain.errors import SeatHeld
from tournament.domain.model import PlayerId, players_at
from tournament.domain.repair import Mend
from tournament.errors import (
    EntryNotFound,
    EventFull,
    NotReported,
    OptionStale,
    ResultRefused,
    ScheduleClosed,
    StillPlaying,
    TableNotFound,
)
from tournament.event_file import answers
from tournament.service import clock, cut, entries, events, exports, reasons, results, rounds
from tournament.service.repairs import REPAIR, Correction, Mistake, Repair, Situation, situation
from tournament.service.results import Games
from tournament.service.swaps import SWAP, Swap, Two


@pytest.fixture(scope="module")
def prepared(sqlite: Path, tmp_path_factory: pytest.TempPathFactory) -> Prepared:
    """Eight players; the smaller number won every table of round 1, and round 2 is being played."""
    return Prepared.of(sqlite, tmp_path_factory.mktemp("prepared"), lambda stage: stage.announce(8).play(1).start())


@pytest.fixture
def stage(prepared: Prepared, tmp_path: Path) -> Iterator[Stage]:
    with prepared.copied(tmp_path) as stage:
        yield stage


def look(stage: Stage, **mistake: Any) -> Situation:
    found: Situation = stage.look(lambda session, event: situation(session, event, Mistake(**mistake)))
    return found


def take(stage: Stage, way: Mend, **mistake: Any) -> Any:
    found = look(stage, **mistake)
    option = next(offered.option for offered in found.offered if offered.way is way)
    return stage.do(REPAIR, Repair(**mistake, option=option, reason="found it"))


def met(stage: Stage, number: int = 2) -> set[frozenset[int | None]]:
    return {frozenset((seat.first, seat.second)) for seat in stage.seats(number)}


def correction(stage: Stage, table: int = 1) -> Correction:
    """Round 1, this table, was the other way round."""
    seat = next(seat for seat in stage.seats(1) if seat.table_number == table)
    return Correction(round=1, table=table, games=Games(first=seat.games_second or 0, second=seat.games_first or 0))


def exported(stage: Stage) -> event_file.Event:
    return event_file.parse_event_file(stage.look(exports.export))


# --- a wrong result


def test_the_ways_are_those_that_the_event_file_gives(stage: Stage) -> None:
    wrong = correction(stage)
    event = exported(stage)
    theirs = answers.repairs(answers.with_result(event, 1, 1, results.result_of(wrong.games)), playing=[2])
    ours = look(stage, correct=wrong, playing=[2]).options
    assert [(way.mend, set(way.after.seats), way.cost) for way in ours] == [
        (way.mend, set(way.after.seats), way.cost) for way in theirs
    ]
    assert len(ours) > 1


def test_looking_changes_nothing(stage: Stage) -> None:
    version, before = stage.version, stage.look(exports.export)
    look(stage, correct=correction(stage))
    assert (stage.version, stage.look(exports.export)) == (version, before)


def test_a_result_and_the_tables_change_in_one_command_that_names_the_ways_not_taken(stage: Stage) -> None:
    wrong, version = correction(stage), stage.version
    loser_now = next(seat for seat in stage.seats(1) if seat.table_number == 1)
    fact = take(stage, Mend.AS_GOOD, correct=wrong)
    assert stage.version == version + 1
    assert fact.option.way is Mend.AS_GOOD
    assert Mend.LEAVE in {other.way for other in fact.others}
    after = next(seat for seat in stage.seats(1) if seat.table_number == 1)
    assert (after.games_first, after.games_second) == (loser_now.games_second, loser_now.games_first)
    event = exported(stage)
    assert [(judged.faults, judged.is_best) for _, judged in answers.judge_rounds(event)] == [([], True)] * 2
    stage.assert_whole()


def test_leave_it_changes_the_result_and_no_table(stage: Stage) -> None:
    before = met(stage)
    fact = take(stage, Mend.LEAVE, correct=correction(stage))
    assert (fact.removed, fact.added, met(stage)) == ([], [], before)
    assert stage.look(lambda session, event: list(store.table_changes(session, event.id, 2))) == []


def test_tables_that_somebody_wanted_so_can_be_left_too(stage: Stage) -> None:
    # a rematch made by hand: the rules would mend it, and leaving it is still a way
    one = stage.seats(2)[0]
    (former,) = (two - {one.first} for two in met(stage, 1) if one.first in two)
    again = Two(one=one.second or 0, other=min(former, default=0) or 0)
    stage.do(SWAP, Swap(round=2, swaps=[again], even_so=True, reason="show match"))
    found = look(stage, correct=correction(stage))
    assert (found.offered[0].way, found.offered[0].changes) == (Mend.LEAVE, 0)
    assert found.offered[0].cost["rematches"] > [] == found.offered[1].cost["rematches"]
    assert [way.way for way in look(stage, leaves=one.first).offered if way.way is Mend.LEAVE] == []


def test_tables_that_have_reported_or_are_being_played_stand(stage: Stage) -> None:
    one, two, *_ = stage.seats(2)
    stage.report(one)
    fact = take(stage, Mend.AGAIN, correct=correction(stage), playing=[2])
    kept = {seat.table_number: (seat.first, seat.second, seat.stood) for seat in stage.seats(2)}
    assert (kept[1], kept[2]) == ((one.first, one.second, True), (two.first, two.second, True))
    assert fact.stood == [1, 2]
    assert exported(stage).stood == {2: (1, 2)}


def test_everybody_reads_what_changed_and_what_else_there_was(stage: Stage) -> None:
    take(stage, Mend.AS_GOOD, correct=correction(stage))
    (change,) = stage.look(lambda session, event: list(store.table_changes(session, event.id, 2)))
    assert change.how == Mend.AS_GOOD
    assert change.because.startswith("round 1, table 1 was ")
    assert {"changes": 0, "way": "leave it"} in json.loads(change.change)["others"]
    assert reasons.sentence_of(change).startswith(
        "changed (change as few tables as make it as good as pairing again): "
    )


def test_a_way_that_is_none_any_more_is_refused(stage: Stage) -> None:
    wrong = correction(stage)
    shown = look(stage, correct=wrong)
    again = shown.offered[-1]
    broken_up = shown.options[-1].removed[0]
    seat = next(seat for seat in stage.seats(2) if seat.table_number == broken_up.table)  # type: ignore[union-attr]
    stage.report(seat)
    with pytest.raises(OptionStale):
        stage.do(REPAIR, Repair(correct=wrong, option=again.option))


def test_a_way_that_is_still_one_is_taken_although_others_reported_meanwhile(stage: Stage) -> None:
    wrong = correction(stage)
    shown = look(stage, correct=wrong)
    as_good = next(at for at, way in enumerate(shown.offered) if way.way is Mend.AS_GOOD)
    kept = {seat.table for seat in shown.options[as_good].removed}  # type: ignore[union-attr]
    seat = next(seat for seat in stage.seats(2) if seat.table_number not in kept)
    leave = next(way for way in shown.offered if way.way is Mend.LEAVE)
    stage.report(seat)
    assert stage.do(REPAIR, Repair(correct=wrong, option=leave.option)).option.way is Mend.LEAVE


def test_a_digest_is_of_one_mistake(stage: Stage) -> None:
    leave = look(stage).offered[0]
    with pytest.raises(OptionStale):
        stage.do(REPAIR, Repair(correct=correction(stage), option=leave.option))


def test_what_is_corrected_has_to_be_there_and_possible(stage: Stage) -> None:
    two = Games(first=2, second=0)
    for wrong, refusal in (
        (Correction(round=1, table=9, games=two), TableNotFound),
        (Correction(round=9, table=1, games=two), TableNotFound),
        (Correction(round=2, table=1, games=two), NotReported),
        (Correction(round=1, table=1, games=Games(first=9, second=9)), ResultRefused),
    ):
        with pytest.raises(refusal):
            look(stage, correct=wrong)
    with pytest.raises(TableNotFound):
        look(stage, playing=[9])


def test_between_rounds_no_table_can_change(stage: Stage) -> None:
    for seat in stage.seats(2):
        stage.report(seat)
    stage.do(rounds.CLOSE)
    found = look(stage, correct=correction(stage))
    assert (found.current, found.offered) == (None, ())


def test_what_was_corrected_without_a_look_is_mended_afterwards(stage: Stage) -> None:
    wrong = correction(stage)
    stage.do(results.CORRECT, results.Report(round=1, table=1, games=wrong.games))
    assert len(look(stage).offered) > 1
    take(stage, Mend.AS_GOOD)
    assert [judged.is_best for _, judged in answers.judge_rounds(exported(stage))] == [True, True]


# --- somebody gone, somebody late


def test_who_left_before_playing_is_out_of_the_round(stage: Stage) -> None:
    gone = stage.seats(2)[0].first
    fact = take(stage, Mend.LEAVE, leaves=gone)
    assert (fact.entry.entry, fact.entry.dropped_after) == (gone, 1)
    assert all(gone not in two for two in met(stage))
    assert [judged.faults for _, judged in answers.judge_rounds(exported(stage))] == [[], []]
    stage.assert_whole()


def test_two_who_left_one_after_the_other_leave_one_table_with_the_two_left_over(stage: Stage) -> None:
    one, two, *_ = stage.seats(2)
    take(stage, Mend.LEAVE, leaves=one.first)
    found = look(stage, leaves=two.first)
    assert found.offered[0].way is Mend.FEWEST
    take(stage, Mend.FEWEST, leaves=two.first)
    assert [judged.faults for _, judged in answers.judge_rounds(exported(stage))] == [[], []]
    assert sum(seat.bye is not None for seat in stage.seats(2)) == 0


def test_a_late_player_and_one_who_came_back_sit_down_in_the_round(stage: Stage) -> None:
    late = stage.do(entries.ADD, entries.Add(name="late")).entry
    fact = take(stage, Mend.LEAVE, sits_down=late)
    assert (fact.entry.entered_in, [seat.first for seat in stage.seats(2) if seat.bye]) == (2, [late])
    gone = stage.seats(2)[0].first
    stage.do(entries.DROP, entries.Leave(entry=gone))
    with pytest.raises(SeatHeld, match="in it already"):
        look(stage, sits_down=gone)
    with pytest.raises(EntryNotFound):
        look(stage, sits_down=99)
    stage.assert_whole()


def test_who_is_not_in_the_round_stays_out_of_it_unless_named(stage: Stage) -> None:
    # 9 came late, for the next round: no way to go on seats 9
    stage.do(entries.ADD, entries.Add(name="late"))
    for option in look(stage, correct=correction(stage)).options:
        assert PlayerId("9") not in {player for seat in option.after.seats for player in players_at(seat)}


def test_nobody_is_taken_from_a_table_that_is_played(stage: Stage) -> None:
    one, two, *_ = stage.seats(2)
    stage.report(one)
    with pytest.raises(SeatHeld, match="leaves after the round"):
        look(stage, leaves=one.first)
    with pytest.raises(SeatHeld, match="leaves after the round"):
        look(stage, leaves=two.first, playing=[two.table_number])
    with stage.database.writing() as session:
        store.find_entry(session, stage.event, two.first).disqualified = True  # type: ignore[union-attr]
    with pytest.raises(StillPlaying):
        look(stage, sits_down=two.first)


def test_one_mistake_is_mended_at_a_time(stage: Stage) -> None:
    with pytest.raises(ValueError, match="one mistake after the other"):
        Mistake(leaves=1, sits_down=2)


def test_in_a_round_robin_who_was_to_meet_somebody_gone_has_a_bye(embedded: Database) -> None:
    stage = Stage(embedded).announce(5, mode="round-robin")
    one, *_ = stage.start()
    take(stage, Mend.LEAVE, leaves=one.first)
    assert {seat.first for seat in stage.seats(1) if seat.bye} > {one.second}
    stage.assert_whole()
    late = stage.do(entries.ADD, entries.Add(name="late")).entry
    with pytest.raises(ScheduleClosed):
        look(stage, sits_down=late)


def test_extra_minutes_go_with_the_pairing_they_were_for(stage: Stage) -> None:
    one, *_ = stage.seats(2)
    stage.do(clock.EXTEND, clock.Extend(table=one.table_number or 0, minutes=5, reason="deck check"))
    fact = take(stage, Mend.LEAVE, leaves=one.first)
    assert all(seat.place != one.place or seat.extra_minutes == 0 for seat in stage.seats(2))
    assert [seat.first for seat in fact.removed] == [one.first]


def test_a_correction_after_the_rounds_leaves_the_cut_as_it_was_seeded(embedded: Database) -> None:
    stage = Stage(embedded).announce(4).play(1)
    stage.do(cut.START, cut.StartCut(top=2))
    assert look(stage, correct=correction(stage)).offered == ()


# capacity 8: one leaves before playing, somebody comes late, and the one who left wants to sit down again
def test_nobody_who_left_sits_down_beyond_the_capacity(stage: Stage) -> None:
    gone = stage.seats(2)[0].first
    stage.do(events.EDIT, events.Edit(capacity=8))
    take(stage, Mend.LEAVE, leaves=gone)
    assert look(stage, sits_down=gone).offered
    stage.do(entries.ADD, entries.Add(name="late"))
    with pytest.raises(EventFull, match="take the player back"):
        look(stage, sits_down=gone)
    stage.do(entries.RETURN, entries.Return(entry=gone, even_so=True))
    assert look(stage, sits_down=gone).offered
