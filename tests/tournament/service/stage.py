"""An event at the level of the services: what somebody does, one command after another, a minute apart."""

import shutil
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta
from itertools import count
from pathlib import Path
from typing import Any

from sqlmodel import Session

from tournament import store
from tournament.database import Database, open_file
from tournament.domain.model import Ending
from tournament.service import audit, cut, entries, events, results, rounds, undo
from tournament.service.commands import Arguments, Ask, Kind, Receipt, run
from tournament.service.derivation import UNDO
from tournament.service.kinds import KINDS
from tournament.tables import EventRow, SeatRow

NOON = datetime(2026, 1, 31, 12, tzinfo=UTC)


@dataclass(frozen=True)
class Prepared:
    """An event that many tests begin with, played once."""

    path: Path
    event: str
    now: datetime

    @classmethod
    def of(cls, template: Path, folder: Path, play: Callable[["Stage"], object]) -> "Prepared":
        """Play it, in a copy of a database of the present shape."""
        path = folder / "prepared.db"
        shutil.copy(template, path)
        database = open_file(path)
        stage = Stage(database)
        play(stage)
        with database.engine.connect() as connection:
            connection.connection.execute("PRAGMA wal_checkpoint(TRUNCATE)")
        database.close()
        return cls(path, stage.event, stage.now)

    @contextmanager
    def copied(self, folder: Path) -> Iterator["Stage"]:
        """The event in a database of its own."""
        shutil.copy(self.path, folder / "copy.db")
        database = open_file(folder / "copy.db")
        yield Stage(database, self.event, self.now, count(10_000))
        database.close()


@dataclass
class Stage:
    """An event, and whoever gives its commands."""

    database: Database
    event: str = ""
    now: datetime = NOON
    numbers: Any = field(default_factory=lambda: count(1))

    def ask(self, who: str = "ann", *, version: int | None = None) -> Ask:
        self.now += timedelta(minutes=1)
        return Ask(
            event=self.event,
            who=lambda _: who,
            command=f"c{next(self.numbers)}",
            now=self.now,
            expected=version,
            chance=lambda: "d" * 64,
        )

    def do(self, kind: Kind[Any, Any], arguments: Arguments | None = None, who: str = "ann") -> Any:
        """Give a command; its fact."""
        receipt = run(self.database, kind, self.ask(who), arguments or kind.arguments())
        return self.fact(receipt)

    def undo(self, sequence: int | None = None, who: str = "ann", reason: str = "by mistake") -> Any:
        """Take a command back, the last one if none is named; the fact."""
        asked = undo.Undo(sequence=sequence or self.version, reason=reason)
        return self.fact(undo.undo(self.database, self.ask(who), asked))

    def fact(self, receipt: Receipt) -> Any:
        with self.database.reading() as session:
            row = store.log_row(session, self.event, receipt.version)
            fact = undo.Undone if row.name == UNDO else KINDS[row.name].fact
            return fact.model_validate_json(row.fact)

    def announce(self, players: int = 8, **announced: Any) -> "Stage":
        """A published event at check-in."""
        asked = events.Create(name="Spring Open", **announced)
        self.event = events.create(self.database, self.ask(), asked).event
        self.do(events.PUBLISH)
        self.do(events.OPEN)
        for number in range(1, players + 1):
            self.do(entries.ADD, entries.Add(name=f"p{number}"))
        self.do(events.CLOSE)
        return self

    def start(self, **paired: Any) -> list[SeatRow]:
        """Pair and publish, more rounds than were announced if need be; the seats."""
        number = self.do(rounds.PAIR, rounds.Pair(**{"even_so": True} | paired)).round
        self.do(rounds.PUBLISH)
        return self.seats(number)

    def play(self, times: int = 1) -> "Stage":
        """Rounds in which the smaller number wins every table."""
        for _ in range(times):
            for seat in self.start():
                if seat.table_number is not None:
                    self.report(seat, *((2, 0) if seat.first < (seat.second or 0) else (0, 2)))
            self.do(rounds.CLOSE)
        return self

    def report(self, seat: SeatRow, first: int = 2, second: int = 0, drawn: int = 0) -> Any:
        games = results.Games(first=first, second=second, drawn=drawn)
        return self.do(results.REPORT, results.Report(round=seat.round, table=seat.table_number or 0, games=games))

    def in_cut(self, match: str, first: int = 2, second: int = 0, ending: Ending = Ending.PLAYED) -> Any:
        """Report a match of the cut."""
        games = results.Games(first=first, second=second, ending=ending)
        return self.do(cut.REPORT, cut.Report(match=match, games=games))

    def look(self, question: Callable[[Session, EventRow], Any]) -> Any:
        with self.database.reading() as session:
            event = store.find_event(session, self.event)
            assert event is not None
            return question(session, event)

    def seats(self, number: int) -> list[SeatRow]:
        return list(self.look(lambda session, event: store.seats_of(session, event.id, number)))

    @property
    def row(self) -> EventRow:
        found: EventRow = self.look(lambda _, event: event)
        return found

    @property
    def version(self) -> int:
        return self.row.version

    def assert_whole(self) -> None:
        """The log holds, and the tables are what it makes them."""
        assert self.look(lambda session, event: audit.verify_log(session, event.id)) == []
        assert self.look(lambda session, event: audit.differences(session, event.id)) == []
