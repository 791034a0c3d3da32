"""Calls for a judge, deck checks, notes, and the judges' overview."""

from hashlib import sha256
from typing import Any

import pytest
from pydantic import ValidationError

from tests.tournament.floor import DRAW, Floor, playing
from tournament import store
from tournament.database import Database
from tournament.domain.errors import ActionNotAllowed
from tournament.errors import (
    CallNotFound,
    CallRefused,
    DeckCheckNotFound,
    DeckCheckRefused,
    NoTable,
    NoteChanged,
    NoteNotFound,
    NothingToCheck,
    NotYours,
    PenaltyNotFound,
    TableNotFound,
)
from tournament.service import calls, claims, deck_checks, judging, notes, penalties
from tournament.service.calls import CallNumber, CloseCall, JudgeCall
from tournament.service.deck_checks import (
    AmendDeckCheck,
    CallOffDeckCheck,
    ChooseTable,
    DeckCheckNumber,
    DrawTables,
    FinishDeckCheck,
)


@pytest.fixture
def floor(common: Database) -> Floor:
    """Six tables play; bea is a judge like ann."""
    floor = playing(common, players=12)
    floor.judge("bea")
    return floor


# --- calls


def queue(floor: Floor) -> list[tuple[int, str | None]]:
    with floor.database.reading() as session:
        return [(call.number, call.taken_by) for call in store.open_calls(session, floor.event)]


def call(floor: Floor, who: int | str, topic: str = "", table: int | None = None) -> Any:
    return floor.receipt(calls.MAKE, JudgeCall(topic=topic, table=table), who)


def test_a_player_calls_a_judge_to_the_own_table_and_a_repeated_tap_is_the_same_call(floor: Floor) -> None:
    first, second = floor.players(3)
    made = call(floor, first, "a rules question")
    assert (made["fact"]["table"], made["fact"]["round"], made["fact"]["entry"]) == (3, 1, first)
    assert call(floor, first) == call(floor, first, "a rules question", table=3) == made
    assert call(floor, first, "and slow play")["fact"]["call"] == 1
    assert call(floor, second)["fact"]["call"] == 2
    with pytest.raises(NoTable):
        call(floor, first, table=4)
    assert queue(floor) == [(1, None), (2, None)]


def test_staff_call_to_any_table_that_they_name(floor: Floor) -> None:
    assert call(floor, "bea", table=5)["fact"]["entry"] is None
    with pytest.raises(NoTable):
        call(floor, "bea")
    with pytest.raises(TableNotFound):
        call(floor, "bea", table=99)


def test_one_judge_takes_a_call_and_what_nobody_took_stands_first(floor: Floor) -> None:
    for table in (1, 2):
        call(floor, floor.players(table)[0])
    taken = floor.receipt(calls.TAKE, CallNumber(call=1), "bea")
    assert floor.receipt(calls.TAKE, CallNumber(call=1), "bea") == taken
    with pytest.raises(CallRefused) as refused:
        floor.does(calls.TAKE, CallNumber(call=1))
    assert "bea is on the way" in str(refused.value)
    assert queue(floor) == [(2, None), (1, "bea")]
    floor.does(calls.RELEASE, CallNumber(call=1), "bea")
    assert queue(floor) == [(1, None), (2, None)]
    with pytest.raises(NotYours):
        floor.does(calls.TAKE, CallNumber(call=1), floor.players(1)[0])


# Magic Tournament Rules 2.6: a match that is paused for more than one minute is given the time back.
@pytest.mark.parametrize(("seconds", "minutes"), [(60, 0), (61, 2), (240, 4)])
def test_a_closed_call_says_what_time_the_table_is_due(floor: Floor, seconds: int, minutes: int) -> None:
    call(floor, floor.players(1)[0])
    floor.wait(minutes=9)
    floor.does(calls.TAKE, CallNumber(call=1), "bea")
    floor.wait(seconds=seconds)
    assert floor.does(calls.CLOSE, CloseCall(call=1, ruling="legal"), "bea")["minutes"] == minutes
    assert queue(floor) == []
    with pytest.raises(CallRefused):
        floor.does(calls.CLOSE, CloseCall(call=1), "bea")


def test_a_player_withdraws_the_own_call_and_no_other(floor: Floor) -> None:
    first, second = floor.players(1)
    call(floor, first)
    with pytest.raises(CallNotFound):
        floor.does(calls.WITHDRAW, CallNumber(call=1), second)
    floor.does(calls.WITHDRAW, CallNumber(call=1), first)
    assert queue(floor) == []
    assert call(floor, first)["fact"]["call"] == 2
    assert floor.holds()


# --- deck checks


def draw(floor: Floor, tables: int = 2, **more: Any) -> Any:
    return floor.does(deck_checks.DRAW, DrawTables(tables=tables, **more))


def lot(table: int, number: int) -> str:
    """By hand, as the guide writes it."""
    said = f"22:deckproof deck check 1,64:{DRAW},{len(str(number))}:{number},{len(str(table))}:{table},"
    return sha256(said.encode()).hexdigest()


def drawn(fact: Any) -> list[int]:
    return [check["table"] for check in fact["checks"]]


def test_drawn_tables_are_those_with_the_smallest_lots_and_a_second_draw_goes_on(floor: Floor) -> None:
    order = sorted(range(1, 7), key=lambda table: lot(table, 1))
    one = draw(floor, 2)
    other = draw(floor, 3)
    assert (drawn(one), one["without"], one["among"]) == (order[:2], [], None)
    assert (drawn(other), other["without"]) == (order[2:5], sorted(order[:2]))
    assert [check["deck_check"] for check in other["checks"]] == [3, 4, 5]


def test_a_table_that_has_finished_is_not_drawn(floor: Floor) -> None:
    for table in range(1, 6):
        floor.report(table)
    assert drawn(draw(floor, 6)) == [6]
    with pytest.raises(NothingToCheck):
        draw(floor)


def test_players_whose_deck_was_checked_are_passed_over_in_later_rounds_unless_asked_for(floor: Floor) -> None:
    called_off, made = draw(floor, 2)["checks"]
    floor.does(deck_checks.CALL_OFF, CallOffDeckCheck(deck_check=called_off["deck_check"], reason="no time"))
    floor.play_on(1)
    floor.next_round()
    again = [table for table in range(1, 7) if {made["first"], made["second"]} & set(floor.players(table, 2))]
    assert draw(floor, 1)["without"] == again
    everybody = draw(floor, 6, again=True)
    assert len(everybody["without"]) == 1
    assert len(drawn(everybody)) == 5
    assert floor.holds()


def test_with_top_only_tables_of_the_best_are_drawn(floor: Floor) -> None:
    with pytest.raises(NothingToCheck):
        draw(floor, 1, top=2)
    floor.play_on(1)
    floor.next_round()
    best = {floor.players(table)[0] for table in range(1, 7)}
    fact = draw(floor, 6, top=1)
    expected = [table for table in range(1, 7) if best & set(floor.players(table, 2))]
    assert fact["among"] == expected
    assert set(drawn(fact)) == set(expected) - set(fact["without"])


# Magic Tournament Rules 2.6: the time that the check took, and three minutes.
@pytest.mark.parametrize(("seconds", "minutes"), [(0, 3), (420, 10), (421, 11)])
def test_a_finished_check_gives_its_table_the_time_that_it_took_and_three_minutes(
    floor: Floor, seconds: int, minutes: int
) -> None:
    draw(floor, 1)
    with pytest.raises(DeckCheckRefused):
        floor.does(deck_checks.FINISH, FinishDeckCheck(deck_check=1))
    started = floor.receipt(deck_checks.START, DeckCheckNumber(deck_check=1), "bea")
    assert floor.receipt(deck_checks.START, DeckCheckNumber(deck_check=1), "bea") == started
    with pytest.raises(DeckCheckRefused):
        floor.does(deck_checks.START, DeckCheckNumber(deck_check=1))
    floor.wait(seconds=seconds)
    fact = floor.does(deck_checks.FINISH, FinishDeckCheck(deck_check=1))
    assert (fact["minutes"], fact["result"]) == (minutes, "fine")


def test_penalties_are_linked_to_the_check_they_came_out_of(floor: Floor) -> None:
    floor.does(deck_checks.CHOOSE, ChooseTable(table=4, reason="a marked sleeve"))
    floor.does(deck_checks.START, DeckCheckNumber(deck_check=1))
    player = floor.players(4)[0]
    for more in ({"deck_check": 1}, {}):
        floor.does(
            penalties.GIVE, penalties.GivePenalty(entry=player, infraction="marked-cards", level="warning", **more)
        )
    finish = FinishDeckCheck(deck_check=1, problem=True, text="two sleeves", penalties=[2])
    floor.does(deck_checks.FINISH, finish)
    assert [floor.penalty(number).deck_check for number in (1, 2)] == [1, 1]
    with pytest.raises(PenaltyNotFound):
        floor.does(deck_checks.AMEND, AmendDeckCheck(deck_check=1, penalties=[9], reason="typed too fast"))
    amended = floor.does(deck_checks.AMEND, AmendDeckCheck(deck_check=1, text="one sleeve", reason="counted again"))
    assert (amended["result"], amended["minutes"]) == ("fine", 3)
    with pytest.raises(DeckCheckRefused):
        floor.does(deck_checks.FINISH, finish)
    assert floor.holds()


def test_a_deck_check_is_of_a_table_that_there_is_and_while_a_round_is_played(floor: Floor) -> None:
    with pytest.raises(TableNotFound):
        floor.does(deck_checks.CHOOSE, ChooseTable(table=77, reason="x"))
    with pytest.raises(DeckCheckNotFound):
        floor.does(deck_checks.START, DeckCheckNumber(deck_check=1))
    draw(floor, 1)
    with pytest.raises(DeckCheckRefused):
        floor.does(deck_checks.AMEND, AmendDeckCheck(deck_check=1, reason="x"))
    floor.play_on(1)
    with pytest.raises(ActionNotAllowed):
        draw(floor)


# --- notes


def test_a_note_is_amended_and_what_it_said_is_kept(floor: Floor) -> None:
    floor.does(notes.WRITE, notes.WriteNote(text="asked twice", entry=3))
    floor.does(notes.WRITE, notes.WriteNote(text="the clock stopped"))
    floor.does(notes.AMEND, notes.AmendNote(note=1, text="asked three times", revision=1, reason="again"), "bea")
    with pytest.raises(NoteChanged):
        floor.does(notes.AMEND, notes.AmendNote(note=1, text="asked once", revision=1))
    with floor.database.reading() as session:
        [(note, said)] = store.note_page(session, floor.event, entry=3, after=0, limit=9)
    assert (note.number, [(one.text, one.by) for one in said]) == (
        1,
        [("asked twice", "ann"), ("asked three times", "bea")],
    )
    assert floor.holds()


def test_a_note_is_about_what_there_is(floor: Floor) -> None:
    fact = floor.does(notes.WRITE, notes.WriteNote(text="a spilled drink", table=2))
    assert (fact["round"], fact["table"], fact["entry"]) == (1, 2, None)
    with pytest.raises(TableNotFound):
        floor.does(notes.WRITE, notes.WriteNote(text="x", table=99))
    with pytest.raises(NoteNotFound):
        floor.does(notes.AMEND, notes.AmendNote(note=9, text="x", revision=1))
    with pytest.raises(ValidationError):
        notes.WriteNote(text=" ")
    with pytest.raises(NotYours):
        floor.does(notes.WRITE, notes.WriteNote(text="x"), 1)


# --- the overview


def test_the_overview_has_everything_that_waits_for_a_judge(floor: Floor) -> None:
    first, second = floor.players(1)
    for player in (first, second):
        floor.does(claims.MAKE, claims.MakeClaim(round=1, table=1, mine=2), player)
    floor.does(claims.MAKE, claims.MakeClaim(round=1, table=2, mine=2), floor.players(2)[0])
    call(floor, floor.players(3)[0])
    call(floor, "bea", table=4)
    floor.does(deck_checks.CHOOSE, ChooseTable(table=5, reason="x"))
    floor.does(penalties.GIVE, penalties.GivePenalty(entry=second, infraction="minor", level="warning"))
    with floor.database.reading() as session:
        seen = judging.overview(session, floor.row())
    assert [table.seat.table_number for table in seen.disagreements] == [1]
    assert (seen.round, seen.one_sided) == (1, 1)
    assert [one.table_number for one in seen.calls] == [3, 4]
    assert [check.table_number for check in seen.deck_checks] == [5]
    assert [penalty.entry for penalty in seen.penalties] == [second]
    assert set(seen.names) == {first, second, floor.players(3)[0], *floor.players(5)}


def test_the_overview_of_an_event_without_a_round_is_empty(common: Database) -> None:
    floor = playing(common)
    with floor.database.reading() as session:
        row = floor.row()
        row.id = "nowhere"
        assert judging.overview(session, row) == judging.Overview(0, [], 0, [], [], [], {})
