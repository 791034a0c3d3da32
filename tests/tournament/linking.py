"""Players with keys, who sign what the server writes."""

from collections.abc import Mapping
from typing import Any

from collection.wallets import Wallet
from tests.tournament.owning import World
from tests.verifier.signing import key_of, sign
from tournament import store
from tournament.service import wallets
from tournament.service.challenges import Site
from tournament.service.commands import run
from tournament.service.nodes import Nodes
from tournament.service.wallets import ShareSaid
from tournament.tables import ChallengeRow
from verifier.contracts import Contracts
from verifier.control import Challenge

HOST = "play.example.com"


class Practice(Nodes):
    """A chain whose contracts answer from a table."""

    contracts: Contracts

    @classmethod
    def over(cls, contracts: Contracts) -> "Practice":
        made = cls()
        object.__setattr__(made, "contracts", contracts)
        return made

    def chain(self, *_: object, **__: object) -> Any:
        return self.contracts


def site(world: World, host: str = HOST) -> Site:
    return Site(host, "https", world.nodes)


def player(entry: int) -> str:
    return f"entry:{entry}"


def text_for(
    world: World, entry: int, address: str, shares: Mapping[int, Mapping[int, int]] | None = None, host: str = HOST
) -> Challenge:
    """What the server asks a wallet to sign."""
    said = None if shares is None else [ShareSaid(number, units) for number, units in shares.items()]
    return wallets.ask_text(world.database, world.ask(player(entry)), address, site(world, host), shares=said)


def signed(key: Wallet, challenge: Challenge) -> dict[str, str]:
    return {"nonce": challenge.nonce, "signature": "0x" + sign(key, challenge.digest).hex()}


def give(world: World, entry: int, answer: Mapping[str, str], *, host: str = HOST, **asked: Any) -> Any:
    """Link with an answer; the fact."""
    ask = world.ask(player(entry), **asked)
    return world.fact(wallets.link(world.database, ask, wallets.Link(entry=entry, **answer), site(world, host)))


def link(world: World, entry: int, key: Wallet) -> Any:
    return give(world, entry, signed(key, text_for(world, entry, key.address)))


def split(world: World, entry: int, key: Wallet, shares: Mapping[int, Mapping[int, int]], **asked: Any) -> Any:
    answer = signed(key, text_for(world, entry, key.address, shares))
    ask = world.ask(player(entry), **asked)
    return world.fact(wallets.split(world.database, ask, wallets.SplitAmong(entry=entry, **answer), site(world)))


def unlink(world: World, entry: int, commitment: str, who: str | None = None) -> Any:
    asked = wallets.Unlink(entry=entry, commitment=commitment)
    return world.fact(run(world.database, wallets.UNLINK, world.ask(who or player(entry)), asked))


def name_vault(world: World, entry: int, vault: str, wallet: str | None = None) -> Any:
    asked = wallets.NameVault(entry=entry, vault=vault, wallet=wallet)
    return world.fact(wallets.name_vault(world.database, world.ask(player(entry)), asked, site(world)))


def wallets_of(world: World, entry: int | None = None) -> list[store.LinkedWallet]:
    return list(world.look(lambda session, event: store.wallets_of(session, event.id, entry)))


def challenge_row(world: World, nonce: str) -> ChallengeRow | None:
    found: ChallengeRow | None = world.look(lambda session, _: store.find_challenge(session, nonce))
    return found


__all__ = ["key_of"]
