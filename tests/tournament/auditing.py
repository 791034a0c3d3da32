"""Players with keys in an event that will be audited: they link wallets as they would, by a signature. And changes."""

import random
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

from collection.wallets import Wallet
from tests.tournament.owning import CODES, LIST, World
from tests.verifier.signing import sign
from tournament.service import decklists, entries, evidence, wallets
from tournament.service.challenges import Site


def link_signed(world: World, entry: int, key: Wallet) -> None:
    """A text of the server's, and a signature."""
    site, who = Site("play.example.com", "https", world.nodes), f"entry:{entry}"
    challenge = wallets.ask_text(world.database, world.ask(who), key.address, site)
    answer = {"nonce": challenge.nonce, "signature": "0x" + sign(key, challenge.digest).hex()}
    wallets.link(world.database, world.ask(who), wallets.Link(entry=entry, **answer), site)


def enter_signed(world: World, name: str, *keys: Wallet, source: str = LIST) -> int:
    """A player with a list, and wallets that were linked by signatures."""
    number: int = world.do(entries.ADD, entries.Add(name=name)).entry
    decklists.hand_in(world.database, world.ask(), decklists.HandIn(entry=number, decklist=source))
    for key in keys:
        link_signed(world, number, key)
    return number


def bundle_of(world: World, *, everything: bool = True) -> bytes:
    """The evidence of the event."""
    found: bytes = world.look(lambda session, event: evidence.write(session, event, CODES, everything=everything))
    return found


# --- changes of a document --------------------------------------------------------------------------------------------

Path_ = tuple[str | int, ...]


def leaves(value: Any, path: Path_ = ()) -> Iterator[Path_]:
    """Where a document has values that hold no others."""
    if isinstance(value, dict | list) and value:
        for key, each in value.items() if isinstance(value, dict) else enumerate(value):
            yield from leaves(each, (*path, key))
    else:
        yield path


@contextmanager
def changed_in_place(document: Any, path: Path_, chance: random.Random) -> Iterator[None]:
    """Meanwhile the document has another value there."""
    holder = document
    for key in path[:-1]:
        holder = holder[key]
    before = holder[path[-1]]
    holder[path[-1]] = _another(before, chance)
    try:
        yield
    finally:
        holder[path[-1]] = before


def _another(value: Any, chance: random.Random) -> Any:
    match value:
        case bool():
            return not value
        case int():
            return value + chance.choice((-1, 1, 1000))
        case str() if value:
            at = chance.randrange(len(value))
            return value[:at] + chance.choice([c for c in "0123456789abcdefXYZ" if c != value[at]]) + value[at + 1 :]
        case "":
            return "x"
        case None:
            return chance.choice((0, "", False))
        case _:
            return None
