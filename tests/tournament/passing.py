"""Passes and desks of an event, as the services see them."""

import json
from datetime import timedelta
from typing import Any

from tests.tournament.entering import CODES, NOON, Life
from tournament import store
from tournament.database import Database
from tournament.service import pass_desks, passes, scans
from tournament.service.codes import Codes
from verifier.passes import DeskKey, Sheet, Shown, SignedPass, SignedScan, SigningKey, write_payload, write_scan

NOW = int(NOON.timestamp())


def give(life: Life, entry: int, who: str = "ann", *, hours: float = 0, **wanted: Any) -> dict[str, Any]:
    """The fact of a pass that is made."""
    given: dict[str, Any] = life.do(passes.ISSUE, passes.Issue(entry=entry, **wanted), who, hours=hours)["given"]
    return given


def signed(life: Life, serial: int, codes: Codes = CODES) -> SignedPass:
    with life.database.reading() as session:
        return passes.signed(session, codes, passes.numbered(session, life.event, serial).row)


def text(life: Life, serial: int) -> str:
    """What a scanner reads."""
    return write_payload(Shown(signed(life, serial)))


def sheet(life: Life, *, hours: float = 0) -> Sheet:
    with life.database.reading() as session:
        return pass_desks.sheet(session, life.look(), CODES, NOON + timedelta(hours=hours))


def standing(life: Life, serial: int) -> str:
    with life.database.reading() as session:
        return passes.standing(passes.numbered(session, life.event, serial))


class FarDesk:
    """A desk without a network, whose scans the server hears of later."""

    def __init__(self, life: Life, name: str, number: int) -> None:
        self.life, self.name = life, name
        self.key = DeskKey(SigningKey(bytes([number]) * 32), 0)
        self.scans: list[SignedScan] = []

    def enrol(self, who: str = "ann") -> "FarDesk":
        self.life.do(pass_desks.ENROL, pass_desks.Enrol(address=self.key.key.address, name=self.name), who)
        return self

    def admit(self, serial: int, *, minutes: float = 0) -> SignedScan:
        at = NOW + int(60 * minutes)
        made = self.key.scan(signed(self.life, serial), at, self.scans[-1] if self.scans else None)
        self.scans.append(made)
        return made

    def sync(self, *only: SignedScan, who: str = "ann", hours: float = 0) -> dict[str, Any]:
        said = [write_scan(one) for one in only or self.scans]
        fact: dict[str, Any] = self.life.do(scans.SYNC, scans.Sync(scans=said), who, hours=hours)
        return fact


def secrets_in(database: Database) -> str:
    """Everything that is kept, as one text."""
    with database.reading() as session:
        rows = session.connection().exec_driver_sql("SELECT name, encrypted FROM pass_secret")
        return json.dumps([list(row) for row in rows])


def unsettled(life: Life) -> list[int]:
    return [row.number for row in life.of(store.unsettled_of)]
