"""What commands ask and write without the ORM is what the ORM would have asked and written."""

import asyncio
from collections.abc import Iterator
from itertools import count
from typing import Any

import pytest
from sqlalchemy import event as hooks

from tests.tournament.entering import Life
from tournament import store
from tournament.database import Database
from tournament.service import events, results
from tournament.service.commands import obey, run_soon
from tournament.tables import SeatRow

_NUMBERS = count()
"""Of commands, of all events: the id of an event hangs on that of its first command."""
WON = results.Games(first=2, second=0)
LOST = results.Games(first=0, second=2)


@pytest.fixture
def life(common: Database) -> Life:
    life = Life(common, _numbers=_NUMBERS).announce()
    life.enter("Ann", "Bea", "Cat", "Dan")
    life.do(events.CLOSE)
    life.start()
    return life


def report(table: int, games: results.Games = WON) -> results.Report:
    return results.Report(round=1, table=table, games=games)


@pytest.fixture
def asked(life: Life) -> Iterator[list[str]]:
    said: list[str] = []

    def note(_: Any, __: Any, statement: str, *___: Any) -> None:
        said.append(" ".join(statement.split()))

    hooks.listen(life.database.engine, "before_cursor_execute", note)
    yield said
    hooks.remove(life.database.engine, "before_cursor_execute", note)


def test_commands_that_share_a_transaction_read_the_event_once_and_each_moves_it_on(
    life: Life, asked: list[str]
) -> None:
    before = life.look()
    asked.clear()
    with life.database.writing() as session:
        first, second = (obey(session, results.REPORT, life.ask(), report(table)) for table in (1, 2))
        held = store.lock_event(session, life.event)
        assert held is not None
        assert (held.version, held.name) == (second.version, before.name)
    assert [first.version, second.version] == [before.version + 1, before.version + 2]
    assert sum("FROM event " in one for one in asked) == 1
    assert life.look().version == second.version
    assert life.differences() == []


def test_a_seat_that_was_read_before_shows_the_result_that_was_put(life: Life) -> None:
    with life.database.writing() as session:
        seat = store.find_table(session, life.event, 1, 1)
        assert isinstance(seat, SeatRow)
        seat.extra_minutes = 7
        given = obey(session, results.REPORT, life.ask(), report(1, LOST))
        assert (seat.games_first, seat.games_second, seat.ending, seat.reported) == (0, 2, "played", given.version)
    (seen,) = life.of(lambda session, event: store.look_at_tables(session, event, 1, [1]))
    assert (seen.games_first, seen.games_second, seen.reported, seen.extra_minutes) == (0, 2, given.version, 7)


def test_what_is_seen_of_a_seat_is_what_its_row_has(life: Life) -> None:
    life.do(results.REPORT, report(2))
    rows = life.of(lambda session, event: store.seats_of(session, event, 1))
    seen = life.of(lambda session, event: store.look_at_tables(session, event, 1, [1, 2]))
    shown = [{name: getattr(seat, name) for name in SeatRow.model_fields} for seat in seen]
    assert shown == [row.model_dump() for row in rows]
    assert {seat.last for seat in seen} == {1}


def test_whoever_waits_on_the_event_loop_gets_the_same_receipt_for_the_same_command(life: Life) -> None:
    ask = life.ask(key="one and the same")

    async def twice() -> list[bytes]:
        given = await asyncio.gather(
            *(run_soon(life.database, results.REPORT, ask, report(1)) for _ in range(2)),
        )
        return [one.body for one in given]

    first, second = asyncio.run(twice())
    assert first == second == life.receipt(results.REPORT, report(1), key="one and the same")
