"""A round that is being played, and people who do things in it, without HTTP."""

import json
from collections.abc import Iterator
from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta
from itertools import count
from typing import Any

from tournament import store
from tournament.database import Database
from tournament.service import audit, entries, events, publishing, results, rounds, staff
from tournament.service.chain import verify_chain
from tournament.service.commands import PLAYER, Arguments, Ask, Kind, Nothing, run
from tournament.service.derivation import derive, history_of, stored
from tournament.tables import AccountRow, EntryRow, EventRow, PenaltyRow, SeatRow

DRAW = "d" * 64
NOON = datetime(2026, 1, 31, 12, tzinfo=UTC)
_EVENTS = count()


@dataclass(eq=False)
class Floor:
    """An event; ann is its organizer."""

    database: Database
    event: str
    now: datetime = NOON
    ids: Iterator[int] = field(default_factory=count)

    def receipt(self, kind: Kind[Any, Any], arguments: Arguments, who: str | int = "ann") -> Any:
        """What came of a command of an account, or of a player."""
        actor = who if isinstance(who, str) else f"{PLAYER}{who}"
        ask = Ask(
            event=self.event, who=lambda _: actor, command=f"c{next(self.ids)}", now=self.now, chance=lambda: DRAW
        )
        return json.loads(run(self.database, kind, ask, arguments).body)

    def does(self, kind: Kind[Any, Any], arguments: Arguments, who: str | int = "ann") -> Any:
        """The fact."""
        return self.receipt(kind, arguments, who)["fact"]

    def wait(self, **time: float) -> None:
        self.now += timedelta(**time)

    def judge(self, account: str) -> None:
        """Somebody with an account is a judge."""
        with self.database.writing() as session:
            if store.find_account(session, account) is None:
                session.add(AccountRow(name=account, password="-", created_at="-"))
        self.does(staff.GRANT, staff.Grant(account=account, role="judge"))

    def next_round(self) -> int:
        """Pair and publish, more rounds than were announced if need be; the round's number."""
        self.does(rounds.PAIR, rounds.Pair(even_so=True))
        return int(self.does(rounds.PUBLISH, rounds.Publish())["round"])

    def report(self, table: int, first: int = 2, second: int = 0, number: int = 1) -> Any:
        games = results.Games(first=first, second=second)
        return self.receipt(results.REPORT, results.Report(round=number, table=table, games=games))

    def play_on(self, number: int) -> None:
        """The first player wins every table that still plays, and the round is closed."""
        with self.database.reading() as session:
            playing = store.tables_playing(session, self.event, number)
        for table in playing:
            self.report(table, number=number)
        self.does(rounds.CLOSE, Nothing())

    def seat(self, table: int, number: int = 1) -> SeatRow:
        with self.database.reading() as session:
            found = store.find_table(session, self.event, number, table)
        assert found is not None
        return found

    def players(self, table: int, number: int = 1) -> tuple[int, int]:
        seat = self.seat(table, number)
        return seat.first, seat.second or 0

    def result(self, table: int, number: int = 1) -> tuple[int | None, int | None, int | None, str | None]:
        seat = self.seat(table, number)
        return seat.games_first, seat.games_second, seat.drawn, seat.ending

    def entry(self, number: int) -> EntryRow:
        with self.database.reading() as session:
            return entries.load(session, self.event, number)

    def penalty(self, number: int) -> PenaltyRow:
        with self.database.reading() as session:
            found = store.find_penalty(session, self.event, number)
        assert found is not None
        return found

    def row(self) -> EventRow:
        with self.database.reading() as session:
            found = store.find_event(session, self.event)
        assert found is not None
        return found

    def holds(self) -> bool:
        """The tables are what the log makes them."""
        with self.database.reading() as session:
            breaks = audit.verify_log(session, self.event)
            return breaks == audit.differences(session, self.event) == []

    def missing_in_public(self) -> set[str]:
        """The tables that are not the same by the published log, in which rows are sealed."""
        with self.database.reading() as session:
            log = list(store.read_log(session, self.event))
            is_so = stored(session, self.event)
            lines = publishing.published(log)
            derived = derive(self.event, history_of(session, self.event)._replace(log=lines))
        assert not verify_chain(lines, version=len(log), head=log[-1].hash)
        return {name for name, rows in is_so.items() if rows != derived[name]}


def playing(database: Database, players: int = 4, **announced: Any) -> Floor:
    """An event whose first round is being played: ann's, with players 1 to so many."""
    floor = Floor(database, "")
    ask = Ask(event="", who=lambda _: "ann", command=f"create {next(_EVENTS)}", now=NOON, chance=lambda: DRAW)
    floor.event = events.create(database, ask, events.Create(name="Spring Open", **announced)).event
    for kind in (events.PUBLISH, events.OPEN):
        floor.does(kind, Nothing())
    for number in range(1, players + 1):
        floor.does(entries.ADD, entries.Add(name=f"p{number}"))
    floor.does(events.CLOSE, Nothing())
    floor.next_round()
    return floor
