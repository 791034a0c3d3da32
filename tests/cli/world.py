"""Who owns what in the tests of the command line, and how a command ends."""

import json
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from eth_hash.auto import keccak

from games import library
from games.formats import Slot
from tests.tournament.server import Server
from tournament.service.decks import read_deck, rules_of
from verifier.addresses import to_checksum
from verifier.holdings import Address, TokenId


@dataclass(frozen=True)
class Ended:
    """How a command ended."""

    code: int
    out: str
    err: str

    @property
    def document(self) -> Any:
        return json.loads(self.out)


Deckproof = Callable[..., Ended]


ANN, BOB = (to_checksum(keccak(name)[:20]) for name in (b"ann", b"bob"))
EXAMPLE = next(iter(library.decks("cps").values()), "")


def slots_of(text: str) -> tuple[Slot, ...]:
    return read_deck(text, rules_of("cps")).slots


def owned(text: str, wallet: Address = ANN) -> dict[tuple[Address, TokenId], int]:
    """Just the cards of a decklist, in a wallet."""
    balances: dict[tuple[Address, TokenId], int] = {}
    for need in read_deck(text, rules_of("cps")).needs:
        balances[wallet, need.token_ids[0]] = need.units
    return balances


def url_of(server: Server) -> str:
    return f"http://127.0.0.1:{server.port}"


def started(ann: Deckproof) -> None:
    for words in (("event", "close"), ("event", "start")):
        assert ann(*words).code == 0


def bare(text: str) -> list[str]:
    """Lines without the blanks between columns."""
    return [" ".join(line.split()) for line in text.splitlines() if line.strip(" ─")]
