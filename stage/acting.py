"""Commands at given moments: what people do before somebody opens the demo.

Everything is a command of the services, with the same checks as from a page; only the clock is ours. The chain has the
same clock, so a day that ended an hour ago looks as one that did.
"""

import json
from collections.abc import Sequence
from dataclasses import dataclass, field
from datetime import datetime, timedelta
from hashlib import sha256
from typing import Any, Final

from collection.anvil import Anvil
from collection.wallets import Wallet
from stage.cast import DESK, ORGANIZER, SCOREKEEPER, STAFF_ROLES, Actor
from tournament import store
from tournament.database import Database
from tournament.domain.bracket import ready
from tournament.service import (
    accounts,
    cut,
    cut_rounds,
    decklists,
    epochs,
    events,
    manifests,
    openings,
    passes,
    registrations,
    results,
    rounds,
    scans,
    staff,
    wallets,
)
from tournament.service.challenges import Site
from tournament.service.codes import Codes, Purpose
from tournament.service.commands import PLAYER, VISITOR, Arguments, Ask, Kind, Nothing, Receipt, run
from tournament.service.nodes import Nodes
from verifier.control import digest_of
from verifier.curve import Digest, SigningKey
from verifier.decklist import DecklistUnreadable
from verifier.passes import Shown, write_payload

ON_TOP: Final = 1
"""Blocks on top of an epoch's block after which it counts as final; a chain of one machine is never reorganized."""


@dataclass
class Server:
    """Where the commands go: a database, a chain, and the address that wallets are asked at."""

    database: Database
    anvil: Anvil
    nodes: Nodes
    codes: Codes
    domain: str
    """Host and port of the pages."""
    now: datetime
    asked: int = 0
    """Commands so far, by which each has another id."""

    def wait_until(self, moment: datetime) -> None:
        """Time passes, and blocks are mined at the end of it."""
        self.now = max(self.now, moment)
        head = self.anvil.ask("eth_getBlockByNumber", "latest", False)  # noqa: FBT003 - JSON-RPC knows no names
        newest = int(head["timestamp"], 16) if isinstance(head, dict) else 0
        self.anvil.ask("evm_setNextBlockTimestamp", max(round(self.now.timestamp()), newest + 1))
        self.anvil.mine(1 + ON_TOP)

    def wait(self, minutes: float) -> None:
        """The same by the clock."""
        self.wait_until(self.now + timedelta(minutes=minutes))

    def ask(self, event: str, who: str) -> Ask:
        """Somebody's command. The draws hang on its number alone, so every demo has the same pairings."""
        self.asked += 1
        number = self.asked
        draws = iter(range(1 << 30))
        return Ask(
            event=event,
            who=lambda _: who,
            command=f"command {number:06} of the demo",
            now=self.now,
            codes=self.codes,
            chance=lambda: sha256(f"demo {number} {next(draws)}".encode()).hexdigest(),
        )


@dataclass
class Stage:
    """One event, and what people do there."""

    server: Server
    event: str = ""
    entries: dict[str, int] = field(default_factory=dict)
    """Number by name."""

    # --- commands

    def ask(self, who: str = ORGANIZER) -> Ask:
        """Somebody's command about this event."""
        return self.server.ask(self.event, who)

    def do(self, kind: Kind[Any, Any], arguments: Arguments | None = None, who: str = ORGANIZER) -> Any:  # noqa: ANN401
        """The fact, as the log has it."""
        return _fact(run(self.server.database, kind, self.ask(who), arguments or kind.arguments()))

    def look(self, question: Any, *arguments: Any) -> Any:  # noqa: ANN401 - whatever the store is asked
        """What a function of the store says of the event."""
        with self.server.database.reading() as session:
            return question(session, self.event, *arguments)

    # --- the event

    def announce(self, name: str, template: str, **announced: object) -> "Stage":
        """Announced, published, with its staff."""
        asked = events.Create(name=name, template=template, **announced)  # type: ignore[arg-type]
        self.event = events.create(self.server.database, self.ask(), asked).event
        for account, role in STAFF_ROLES.items():
            self.do(staff.GRANT, staff.Grant(account=account, role=role))
        self.do(events.PUBLISH)
        return self

    def open(self) -> None:
        """Registration opens; the chain is asked what the collection is."""
        manifests.open_registration(self.server.database, self.ask(), Nothing(), self.server.nodes)

    def enter(self, actor: Actor, *, links: bool = True) -> int:
        """Somebody registers, hands in the list, and signs with every wallet."""
        database = self.server.database
        entered = registrations.register(database, self.ask(VISITOR), registrations.Register(name=actor.name))
        self.entries[actor.name] = entered.entry
        me = f"{PLAYER}{entered.entry}"
        try:
            decklists.hand_in(database, self.ask(me), decklists.HandIn(entry=entered.entry, decklist=actor.decklist))
        except DecklistUnreadable:
            return entered.entry  # such a list is refused, as it would be by the page
        if links:
            for wallet in actor.wallets:
                self.link(entered.entry, wallet)
        return entered.entry

    def link(self, entry: int, wallet: Wallet) -> None:
        """A wallet signs what the server writes."""
        server, me = self.server, f"{PLAYER}{entry}"
        site = Site(server.domain, "http", server.nodes)
        text = wallets.ask_text(server.database, self.ask(me), wallet.address, site)
        signature = "0x" + SigningKey(bytes(wallet.key)).sign(Digest(text.digest)).hex()
        answer = wallets.Link(entry=entry, nonce=text.nonce, signature=signature)
        wallets.link(server.database, self.ask(me), answer, site)

    def read(self, nodes: Nodes | None = None) -> Any:  # noqa: ANN401
        """The chain is asked who has the cards; the fact."""
        ask = self.ask(SCOREKEEPER)
        return _fact(epochs.read(self.server.database, ask, epochs.Read(), nodes or self.server.nodes))

    # --- the door

    def give_passes(self) -> None:
        """To everybody who may have one and has none."""
        self.do(passes.ISSUE_ALL)

    def come_in(self, entries_: Sequence[int]) -> None:
        """They show their passes at the desk, one after the other."""
        for number in entries_:
            if text := self.pass_of(number):
                self.do(scans.SCAN, scans.Show(text=text), DESK)
                self.server.now += timedelta(seconds=9)

    def pass_of(self, entry: int) -> str:
        """The text of somebody's pass; empty for whoever has none."""
        with self.server.database.reading() as session:
            found = store.passes_of(session, self.event, entry=entry)
            return write_payload(Shown(passes.signed(session, self.server.codes, found[0].row))) if found else ""

    def code_of(self, entry: int) -> str:
        """What acts for an entry, as it stands on paper."""
        return self.server.codes.code(Purpose.ENTRY, self.event, entry, registrations.FIRST)

    # --- rounds

    def begin_round(self) -> int:
        """Pair, wait for the block, publish; whoever is short is dropped first, and then it is paired again."""
        server = self.server
        openings.pair(server.database, self.ask(SCOREKEEPER), rounds.Pair())
        server.wait(1)
        self.read()
        openings.pair(server.database, self.ask(SCOREKEEPER), rounds.Pair())
        done = openings.publish(server.database, self.ask(SCOREKEEPER), rounds.Publish(), server.nodes)
        return int(_fact(done)["round"])

    def seat(self, number: int, table: int) -> Any:  # noqa: ANN401
        """Who plays at a table."""
        return next(one for one in self.look(store.seats_of, number) if one.table_number == table)

    def report(self, number: int, tables: Sequence[int], who: str = SCOREKEEPER) -> None:
        """Results of some tables; which, hangs on the players alone."""
        for seat in self.look(store.seats_of, number):
            if seat.table_number in tables:
                first, second, drawn = score_of(seat.first, seat.second, number)
                games = results.Games(first=first, second=second, drawn=drawn)
                self.do(results.REPORT, results.Report(round=number, table=seat.table_number, games=games), who)
                self.server.now += timedelta(seconds=20)

    def play_round(self) -> int:
        """A whole one."""
        number = self.begin_round()
        self.server.wait(15)
        self.report(number, self.look(store.tables_playing, number))
        self.do(rounds.CLOSE, who=SCOREKEEPER)
        self.server.wait(4)
        return number

    # --- the cut

    def start_cut(self) -> None:
        """Its epoch opens, its block comes, and it is started."""
        ask = self.ask(SCOREKEEPER)
        self.do(epochs.OPEN, who=SCOREKEEPER)
        self.server.wait(1)
        openings.start_cut(self.server.database, ask, cut.StartCut(), self.server.nodes)

    def play_matches(self, most: int = 99) -> None:
        """So many matches of the cut that wait for nothing, in their order."""
        for match in ready(self.look(store.bracket_of))[:most]:
            first, second, _ = score_of(*match.seats, number=0)
            games = results.Games(first=max(first, 2 if first == second else 0), second=second)
            self.do(cut.REPORT, cut.Report(match=match.id, games=games), SCOREKEEPER)
            self.server.wait(10)

    def begin_cut_round(self) -> None:
        """The same for a later round of it."""
        self.do(epochs.OPEN, who=SCOREKEEPER)
        self.server.wait(1)
        ask = self.ask(SCOREKEEPER)
        openings.begin_cut_round(self.server.database, ask, cut_rounds.BeginCutRound(), self.server.nodes)


def score_of(first: object, second: object, number: int) -> tuple[int, int, int]:
    """A result that hangs on who plays whom: games of the first, of the second, drawn."""
    chance = sha256(f"{first} {second} {number}".encode()).digest()[0]
    return ((2, 0, 0), (2, 1, 0), (1, 2, 0), (0, 2, 0), (2, 1, 0), (2, 0, 0), (1, 2, 0), (1, 1, 1))[chance % 8]


def signature_of(wallet: Wallet, text: str) -> str:
    """What a wallet answers to a text."""
    return "0x" + SigningKey(bytes(wallet.key)).sign(Digest(digest_of(text.encode()))).hex()


def accounts_for(database: Database, now: datetime, names: Sequence[str], password: str) -> None:
    """Accounts with a password that everybody may know."""
    for name in names:
        accounts.create(database, name, password, now=now)


def _fact(receipt: Receipt) -> Any:  # noqa: ANN401 - facts are of many kinds
    return json.loads(receipt.body)["fact"]
