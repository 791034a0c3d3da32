"""An event through the services, without a server."""

from datetime import UTC, datetime
from typing import Any

from tournament.database import Database
from tournament.service import entries, events
from tournament.service.codes import Codes
from tournament.service.commands import Ask, run
from tournament.settings import Settings

CODES = Codes(Settings().secret.get_secret_value())


class Evening:
    """Somebody who gives commands, without a server."""

    def __init__(self, database: Database, who: str = "ann", event: str = "") -> None:
        self.database, self.who, self.event, self.version, self.number = database, who, event, 0, 0

    def ask(self) -> Ask:
        self.number += 1
        now = datetime(2026, 1, 31, 12, tzinfo=UTC)
        return Ask(event=self.event, who=lambda _: self.who, command=f"{self.who}{self.number}", now=now, codes=CODES)

    def does(self, kind: Any, arguments: Any = None) -> "Evening":
        self.version = run(self.database, kind, self.ask(), arguments or kind.arguments()).version
        return self

    def begins(self, name: str = "Spring Open", *, published: bool = True) -> "Evening":
        given = events.create(self.database, self.ask(), events.Create(name=name))
        self.event, self.version = given.event, given.version
        if published:
            self.does(events.PUBLISH)
        return self.does(events.OPEN)

    def enters(self, *names: str) -> "Evening":
        for name in names:
            self.does(entries.ADD, entries.Add(name=name))
        return self
