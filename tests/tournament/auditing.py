"""Players with keys in an event that will be audited: they link wallets as they would, by a signature."""

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
