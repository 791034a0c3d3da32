"""Check-in: who is here; and going on without whoever is not."""

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from tests.tournament.entering import Life, begun
from tournament import store
from tournament.domain.errors import ActionNotAllowed
from tournament.domain.roles import Role
from tournament.errors import NobodyCheckedIn, NotCheckedIn, NotPlaying, NotYours
from tournament.service import checkin, entries, events, rounds


@pytest.fixture
def life(sqlite: Path, tmp_path: Path) -> Iterator[Life]:
    with begun(sqlite, tmp_path) as life:
        yield life


def check_in(life: Life, *numbers: int) -> None:
    for number in numbers:
        life.do(checkin.CHECK_IN, entries.Leave(entry=number))


def seat_all(life: Life, **asked: bool) -> Any:
    return life.do(checkin.SEAT_ALL, checkin.SeatAll(**asked))


def here(life: Life) -> list[int]:
    return [row.number for row in life.of(store.here_of)]


# capacity 4: ann bob cat dan | eve fay gus      here: ann, dan, fay, gus


def test_who_is_not_here_is_dropped_and_who_waits_and_is_here_gets_the_place(life: Life) -> None:
    life.force(capacity=4, waitlist=True)
    life.enter("ann", "bob", "cat", "dan", "eve", "fay", "gus")
    life.do(events.CLOSE)
    check_in(life, 1, 4, 6, 7)
    with life.database.reading() as session:
        plan = checkin.planned(session, life.look(), checkin.SeatAll())
    assert seat_all(life) == plan.model_dump() == {"dropped": [2, 3], "promoted": [6, 7], "playing": 4}
    assert here(life) == [1, 4, 6, 7]
    seats = life.start()
    assert {seat[side] for seat in seats for side in ("first", "second")} == {1, 4, 6, 7}
    assert life.differences() == []


def test_who_comes_late_to_check_in_takes_the_place_back_while_there_is_one(life: Life) -> None:
    life.enter("ann", "bob", "cat")
    life.do(events.CLOSE)
    check_in(life, 1, 2)
    life.do(rounds.PAIR)
    seat_all(life)
    assert life.of(store.find_round, 1) is None
    life.do(entries.RETURN, entries.Return(entry=3))
    assert here(life) == [1, 2, 3]


def test_an_event_without_check_in_is_paired_as_it_is(life: Life) -> None:
    life.enter("ann", "bob")
    with pytest.raises(ActionNotAllowed):
        check_in(life, 1)
    life.do(events.CLOSE)
    with pytest.raises(NobodyCheckedIn, match="all 2 would be dropped"):
        seat_all(life)
    assert len(life.start()) == 1


def test_checking_in_again_is_the_same_and_checking_out_undoes_it(life: Life) -> None:
    desk = life.staff("dora", Role.DESK)
    life.enter("ann", "bob")
    life.do(events.CLOSE)
    first = life.receipt(checkin.CHECK_IN, entries.Leave(entry=1), desk)
    assert life.receipt(checkin.CHECK_IN, entries.Leave(entry=1)) == first
    check_in(life, 2)
    life.do(checkin.CHECK_OUT, entries.Leave(entry=1), desk)
    with pytest.raises(NotCheckedIn):
        life.do(checkin.CHECK_OUT, entries.Leave(entry=1))
    with pytest.raises(NotYours):
        life.do(checkin.SEAT_ALL, checkin.SeatAll(), desk)
    with pytest.raises(NotYours):
        life.do(checkin.CHECK_IN, entries.Leave(entry=1), "entry:1")
    assert seat_all(life)["dropped"] == [1]
    with pytest.raises(NotPlaying):
        check_in(life, 1)


def test_who_has_no_list_is_dropped_only_on_request_and_only_where_lists_are_required(life: Life) -> None:
    life.enter("ann", "bob")
    life.do(events.CLOSE)
    check_in(life, 1, 2)
    assert seat_all(life, without_list=True)["dropped"] == []
    life.force(decklist="required")
    assert seat_all(life)["dropped"] == []
    with pytest.raises(NobodyCheckedIn):
        seat_all(life, without_list=True)
