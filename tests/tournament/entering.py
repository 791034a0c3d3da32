"""An event and the people who enter it, as the services see them."""

import json
import shutil
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta
from itertools import count
from pathlib import Path
from typing import Any

from sqlalchemy import text

from tests.tournament.people import account
from tournament.database import Database, open_file
from tournament.domain.roles import Role
from tournament.service import audit, entries, events, results, rounds, staff
from tournament.service.codes import Codes
from tournament.service.commands import Ask, Kind, run
from tournament.store import find_event
from tournament.tables import EventRow

NOON = datetime(2026, 1, 31, 12, tzinfo=UTC)
CODES = Codes("a secret of thirty-two characters")


@dataclass
class Life:
    """An event, its organizer ann, and whoever else acts."""

    database: Database
    event: str = ""
    forced: frozenset[str] = frozenset()
    """Columns of the event that were set without a command."""
    _numbers: Iterator[int] = field(default_factory=count)

    def ask(self, who: str = "ann", *, key: str | None = None, hours: float = 0) -> Ask:
        salt = next(self._numbers)
        return Ask(
            event=self.event,
            who=lambda _: who,
            command=key or f"a command with number {salt}",
            now=NOON + timedelta(hours=hours),
            codes=CODES,
            chance=lambda: f"{salt:064x}",
        )

    def do(self, kind: Kind[Any, Any], arguments: Any = None, who: str = "ann", **asked: Any) -> Any:
        """The fact."""
        return json.loads(self.receipt(kind, arguments, who, **asked))["fact"]

    def receipt(self, kind: Kind[Any, Any], arguments: Any = None, who: str = "ann", **asked: Any) -> bytes:
        given = kind.arguments() if arguments is None else arguments
        return run(self.database, kind, self.ask(who, **asked), given).body

    def announce(self, *, opened: bool = True, **fields: object) -> "Life":
        known = {name: value for name, value in fields.items() if name in events.Create.model_fields}
        self.event = events.create(self.database, self.ask(), events.Create(name="Spring Open", **known)).event  # type: ignore[arg-type]
        self.do(events.PUBLISH)
        if opened:
            self.do(events.OPEN)
        self.force(**{name: value for name, value in fields.items() if name not in known})
        return self

    def force(self, **columns: object) -> None:
        """Let the event be as if it had been announced so, whatever its phase."""
        if columns:
            assigned = ", ".join(f"{name} = :{name}" for name in columns)
            with self.database.writing() as session:
                session.connection().execute(text(f"UPDATE event SET {assigned}"), columns)
        self.forced |= columns.keys()

    def enter(self, *names: str) -> list[int]:
        return [self.do(entries.ADD, entries.Add(name=name))["entry"] for name in names]

    def staff(self, name: str, role: Role) -> str:
        account(name, self.database)
        self.do(staff.GRANT, staff.Grant(account=name, role=role))
        return name

    def start(self) -> list[dict[str, Any]]:
        """Pair and publish a round, more than were announced if need be; its seats."""
        seats: list[dict[str, Any]] = self.do(rounds.PAIR, rounds.Pair(even_so=True))["seats"]
        self.do(rounds.PUBLISH)
        return seats

    def play(self, number: int) -> None:
        """The first player wins every table."""
        for seat in self.start():
            if seat["table"] is not None:
                games = results.Games(first=2, second=0)
                self.do(results.REPORT, results.Report(round=number, table=seat["table"], games=games))
        self.do(rounds.CLOSE)

    def look(self) -> EventRow:
        with self.database.reading() as session:
            row = find_event(session, self.event)
            assert row is not None
            return row

    def of(self, question: Any, *words: Any) -> Any:
        """What the store answers about the event."""
        with self.database.reading() as session:
            return question(session, self.event, *words)

    def in_log(self) -> str:
        """The whole log as one text."""
        with self.database.reading() as session:
            rows = session.connection().execute(text("SELECT command, arguments, fact, reason FROM log"))
            return "\n".join("\n".join(row) for row in rows)

    def differences(self) -> list[str]:
        """What the log gives otherwise, but for what was set without a command."""
        with self.database.reading() as session:
            found = audit.differences(session, self.event)
        return [str(one) for one in found if not (one.table == "event" and one.stored.keys() <= self.forced)]


@contextmanager
def begun(template: Path, folder: Path, **fields: object) -> Iterator[Life]:
    """An event in an SQLite file, where the kind of database does not matter."""
    path = folder / "deckproof.db"
    shutil.copy(template, path)
    database = open_file(path)
    try:
        yield Life(database).announce(**fields)  # type: ignore[arg-type]
    finally:
        database.close()
