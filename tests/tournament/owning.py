"""An event whose players prove their cards, over a chain in memory that a node serves."""

import json
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from itertools import count
from typing import Any

from eth_hash.auto import keccak
from sqlalchemy import text
from sqlmodel import Session

from games import library
from tournament import store
from tournament.database import Database
from tournament.domain.announcement import Decklist, Ownership
from tournament.service import (
    audit,
    checkin,
    cut,
    cut_rounds,
    decklists,
    decks,
    entries,
    epochs,
    events,
    manifests,
    openings,
    ownership,
    results,
    rounds,
)
from tournament.service.codes import Codes
from tournament.service.commands import Ask, Kind, Nothing, Receipt, run
from tournament.service.kinds import KINDS
from tournament.service.nodes import Nodes
from tournament.tables import EpochRow, EventRow, SealedRow, VerdictRow, WalletRow
from verifier.addresses import to_checksum
from verifier.chain import Collection
from verifier.holdings import Address, TokenId
from verifier.rpc import Endpoint, Patience
from verifier.testkit import LyingNode, Move, ScriptedChain

NOON = datetime(2026, 1, 31, 12, tzinfo=UTC)
START = "2026-01-31T14:00Z"
"""Of the event; cards are looked at for the first time an hour before."""
CODES = Codes("a secret of thirty-two characters")
LIST = next(iter(library.decks("cps").values()))
DECK = decks.read_deck(LIST, decks.rules_of("cps"))
_NUMBERS = count()
"""Of commands, of all events: the id of an event hangs on that of its first command."""
HASTY = Patience(deadline=60, timeout=20, attempts=2, first_pause=0.001, longest_pause=0.002)


def wallet(name: str) -> Address:
    return to_checksum(keccak(name.encode())[:20])


def cards(owner: Address, *, but: Mapping[str, int] | None = None) -> dict[tuple[Address, TokenId], int]:
    """All cards of the list; of some, so many fewer."""
    fewer = but or {}
    return {(owner, need.token_ids[0]): need.units - fewer.get(need.card, 0) for need in DECK.needs}


FOO = DECK.needs[0]
"""A card of the list."""


@dataclass
class World:
    """The event, its organizer ann, and the chain. The same clock goes in both."""

    database: Database
    chain: ScriptedChain
    node: LyingNode
    nodes: Nodes
    event: str = ""
    now: datetime = NOON

    # --- time and the chain

    def wait(self, minutes: float = 1, balances: Mapping[tuple[Address, TokenId], int] | None = None) -> None:
        """Time passes; a block is mined at the end of it."""
        self.now += timedelta(minutes=minutes)
        self.chain.mine(balances, seconds=round(60 * minutes))

    def move(self, sender: Address, recipient: Address, token: TokenId, units: int = 1) -> None:
        """Units change hands, a minute later."""
        self.now += timedelta(minutes=1)
        self.chain.mine(moves=[Move(sender, recipient, token, units)], seconds=60)

    # --- commands

    def ask(self, who: str = "ann", *, key: str | None = None, version: int | None = None) -> Ask:
        number = next(_NUMBERS)
        return Ask(
            event=self.event,
            who=lambda _: who,
            command=key or f"a command with number {number}",
            now=self.now,
            expected=version,
            codes=CODES,
            chance=lambda: keccak(f"{self.event}/{number}".encode()).hex(),
        )

    def do(self, kind: Kind[Any, Any], arguments: Any = None, who: str = "ann", **asked: Any) -> Any:
        given = kind.arguments() if arguments is None else arguments
        return self.fact(run(self.database, kind, self.ask(who, **asked), given))

    def fact(self, receipt: Receipt) -> Any:
        said = json.loads(receipt.body)
        return KINDS[said["name"]].fact.model_validate(said["fact"])

    def create(self, **announced: Any) -> "World":
        usual = {
            "decklist": Decklist.REQUIRED,
            "ownership": Ownership.REQUIRED,
            "collection": self.chain.collection,
            "starts_at": START,
        }
        asked = events.Create(name="Spring Open", **{**usual, **announced})
        self.event = events.create(self.database, self.ask(), asked).event
        self.do(events.PUBLISH)
        return self

    def open(self, who: str = "ann", **asked: Any) -> Any:
        return self.fact(manifests.open_registration(self.database, self.ask(who, **asked), Nothing(), self.nodes))

    def announce(self, **announced: Any) -> "World":
        """An event with open registration."""
        self.create(**announced).open()
        return self

    def enter(self, name: str, *wallets: Address, source: str = LIST) -> int:
        """A player with a list and wallets; one named after the player if none is given."""
        number: int = self.do(entries.ADD, entries.Add(name=name)).entry
        decklists.hand_in(self.database, self.ask(), decklists.HandIn(entry=number, decklist=source))
        for one in wallets or (wallet(name),):
            self.link(number, one)
        return number

    def link(
        self, entry: int, address: Address, share: Mapping[int, int] | None = None, *, of: Address | None = None
    ) -> None:
        """As if a wallet had been linked, or a vault named for one."""
        vouches_for = None if of is None else keccak(f"{entry}/{of}".encode()).hex()
        digest, shared = keccak(f"{entry}/{address}".encode()).hex(), None
        with self.database.writing() as session:
            store.save_sealed(session, SealedRow(event_id=self.event, digest=digest, salt="-", text=address))
            if share is not None:
                shared = keccak(f"share/{entry}/{address}".encode()).hex()
                said = json.dumps({str(token): units for token, units in share.items()})
                store.save_sealed(session, SealedRow(event_id=self.event, digest=shared, salt="-", text=said))
            session.add(
                WalletRow(
                    event_id=self.event,
                    entry=entry,
                    commitment=digest,
                    linked=1,
                    share=shared,
                    vouches_for=vouches_for,
                )
            )

    def close(self) -> None:
        self.do(events.CLOSE)

    def read(self, who: str = "ann", epoch: int | None = None, **asked: Any) -> Any:
        """Ask the chain; the fact."""
        ask = self.ask(who, **asked)
        return self.fact(epochs.read(self.database, ask, epochs.Read(epoch=epoch), self.nodes))

    def pair(self) -> Any:
        return self.fact(openings.pair(self.database, self.ask(), rounds.Pair(even_so=True)))

    def publish(self, **asked: Any) -> Any:
        return self.fact(openings.publish(self.database, self.ask(), rounds.Publish(**asked), self.nodes))

    def start_cut(self, **asked: Any) -> Any:
        return self.fact(openings.start_cut(self.database, self.ask(), cut.StartCut(**asked), self.nodes))

    def begin_cut_round(self, **asked: Any) -> Any:
        ask = cut_rounds.BeginCutRound(**asked)
        return self.fact(openings.begin_cut_round(self.database, self.ask(), ask, self.nodes))

    def match(self, name: str, first: int = 2, second: int = 0, kind: Kind[Any, Any] = cut.REPORT) -> Any:
        """A match of the cut ends."""
        return self.do(kind, kind.arguments(match=name, games=results.Games(first=first, second=second)))

    def begin(self) -> None:
        """Past the first look at cards, at check-in, everybody is here."""
        self.wait(90)
        self.close()
        for number in self.look(lambda session, event: store.numbers_in(session, event.id)):
            self.do(checkin.CHECK_IN, entries.Leave(entry=number))

    def play(self, *, balances: Mapping[tuple[Address, TokenId], int] | None = None) -> int:
        """A round in which the smaller number wins; cards may change hands before its epoch opens."""
        self.wait(1, balances)
        number: int = self.pair().round
        self.wait()
        self.publish()
        self.results(number)
        return number

    def results(self, number: int) -> None:
        for seat in self.look(lambda session, event: store.seats_of(session, event.id, number)):
            if seat.table_number is not None:
                first, second = (2, 0) if seat.first < seat.second else (0, 2)
                games = results.Games(first=first, second=second)
                self.do(results.REPORT, results.Report(round=number, table=seat.table_number, games=games))
        self.do(rounds.CLOSE)

    # --- looking

    def look(self, question: Any) -> Any:
        with self.database.reading() as session:
            event = store.find_event(session, self.event)
            assert event is not None
            return question(session, event)

    @property
    def row(self) -> EventRow:
        found: EventRow = self.look(lambda _, event: event)
        return found

    @property
    def epochs(self) -> list[EpochRow]:
        return list(self.look(lambda session, event: store.epochs_of(session, event.id)))

    def verdicts(self, epoch: int) -> dict[int, VerdictRow]:
        return dict(self.look(lambda session, event: store.verdicts_at(session, event.id, epoch)))

    def outcomes(self, epoch: int) -> dict[int, str]:
        return {entry: verdict.outcome for entry, verdict in self.verdicts(epoch).items()}

    @property
    def sanction(self) -> ownership.Sanction:
        found: ownership.Sanction = self.look(lambda session, event: ownership.sanctions_of(session, [event])[event.id])
        return found

    @property
    def in_log(self) -> str:
        with self.database.reading() as session:
            rows = session.connection().execute(
                text("SELECT command, arguments, fact, reason FROM log WHERE event_id = :event"), {"event": self.event}
            )
            return "\n".join("\n".join(row) for row in rows)

    def assert_whole(self) -> None:
        """The log holds, and the tables are what it makes them, but for wallets, which were linked without it."""

        def faults(session: Session, event: EventRow) -> list[str]:
            breaks = list(map(str, audit.verify_log(session, event.id)))
            differences = [
                str(one)
                for one in audit.differences(session, event.id)
                if one.table not in {"wallet", "sealed"} and one.stored.keys() != {"basis"}
            ]
            return breaks + differences

        assert self.look(faults) == []


@contextmanager
def started(database: Database, *, nodes: int = 1, proofs: bool = False) -> Iterator[World]:
    """A chain and a server that asks it, through so many endpoints; balances are proven too if it is said."""
    collection = wallet(f"the collection of world {next(_NUMBERS)}")
    chain = ScriptedChain(started=round(NOON.timestamp()), collection=collection, proves=proofs)
    with LyingNode(chain) as node:
        others = [LyingNode(chain) for _ in range(nodes - 1)]
        running = [node, *(one.__enter__() for one in others)]
        endpoints = [Endpoint(one.url, patience=HASTY) for one in running]
        try:
            usual = Collection(None, chain.collection)
            yield World(database, chain, node, Nodes(endpoints, usual, stale_after=None, proofs=proofs))
        finally:
            for endpoint in endpoints:
                endpoint.close()
            for one in others:
                one.__exit__(None, None, None)
