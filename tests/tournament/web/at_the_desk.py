"""An event at whose door players queue with passes, for tests of the desk's pages."""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from datetime import UTC, datetime
from secrets import token_hex
from typing import Any

from tests.tournament.people import account
from tests.tournament.web.browsing import PASSWORD, QUICK
from tests.tournament.web.world import asking
from tournament import store
from tournament.database import Database
from tournament.service import entries, events, pass_books, passes, scans, staff
from tournament.service.codes import Codes
from tournament.service.commands import Ask, Kind, Nothing, run
from tournament.settings import Settings
from verifier.passes import Shown, SignedPass, write_payload

CODES = Codes(Settings().secret.get_secret_value())
GUESTS = (
    "Ann Example", "Bob Builder", "Cleo Marín", "Dan Óskarsson", "Eve Nakamura", "Finn O'Brien", "Pia Wójcik",
    "Ole Bø", "Jo Li", "Kofi Mensah", "<svg onload=alert(1)>", "محمد عبد الرحمن", "W" * 60,
)  # fmt: skip


@dataclass(eq=False)
class Hall:
    """The event; ann organizes it, and it is now."""

    database: Database
    event: str = ""

    def ask(self) -> Ask:
        return replace(asking(self.event), now=datetime.now(UTC), chance=lambda: token_hex(32))

    def does(self, kind: Kind[Any, Any], arguments: Any = None, *, at: datetime | None = None) -> Any:
        ask = self.ask() if at is None else replace(self.ask(), now=at)
        return run(self.database, kind, ask, Nothing() if arguments is None else arguments)

    def announce(self, *, guests: Sequence[str] = GUESTS, gives: bool = True, **announced: Any) -> "Hall":
        """Open check-in for these players, each with a pass."""
        said = {"name": "Door Open", "venue": "Library", "rounds": 5, "entry_fee": "12 €, at the desk", **announced}
        self.event = events.create(self.database, self.ask(), events.Create(**said)).event
        self.does(events.PUBLISH)
        self.does(events.OPEN)
        for name in guests:
            self.does(entries.ADD, entries.Add(name=name))
        if gives:
            self.does(pass_books.OPEN)
            self.does(passes.ISSUE_ALL, passes.IssueAll())
        self.does(events.CLOSE)
        return self

    def account(self, name: str) -> dict[str, str]:
        """What somebody with an account of that name shows; it is made if there is none."""
        with self.database.reading() as session:
            is_known = store.find_account(session, name) is not None
        if not is_known:
            account(name, self.database, hashed=QUICK.hash(PASSWORD))
        return {"Authorization": f"Bearer dp_{name}"}

    def staff(self, name: str, role: str) -> dict[str, str]:
        """What somebody with that role shows."""
        token = self.account(name)
        self.does(staff.GRANT, staff.Grant(account=name, role=role))
        return token

    def signed(self, entry: int) -> SignedPass:
        """A player's pass."""
        with self.database.reading() as session:
            (one,) = store.passes_of(session, self.event, entry=entry)
            return passes.signed(session, CODES, one.row)

    def text(self, entry: int) -> str:
        """What a scanner reads of it."""
        return write_payload(Shown(self.signed(entry)))

    def is_here(self, entry: int) -> bool:
        with self.database.reading() as session:
            return entries.load(session, self.event, entry).checked_in is not None

    def scans(self, entry: int) -> int:
        """How often the server heard that a player came in."""
        with self.database.reading() as session:
            return len(store.scans_of(session, self.event, entries=[entry]))

    def unsettled(self) -> list[int]:
        with self.database.reading() as session:
            event = store.find_event(session, self.event)
            assert event is not None
            return [row.number for row, _ in scans.unsettled(session, event)]
