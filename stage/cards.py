"""The collection on a chain of this machine, with the cards of everybody in the demo."""

import os
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from datetime import datetime
from itertools import islice
from pathlib import Path
from typing import Final

from collection.anvil import Anvil, AnvilSettings, find_anvil, started_anvil
from collection.demo import GAME, STAFF, World, build_world
from collection.deployment import Deployment
from collection.issuing import Parcel, issue_calls, standing
from collection.transactions import Sender
from collection.wallets import development_wallets
from stage import cast
from stage.cast import Actor
from tournament.service import decks
from verifier.chain import ChainHoldings, Collection
from verifier.check import Claim, Outcome, check_decks
from verifier.decklist import DecklistUnreadable
from verifier.holdings import TokenId

IN_A_BLOCK: Final = 20
"""Parcels that are issued at once."""


@dataclass(frozen=True)
class Cards:
    """The chain, and everybody who holds cards on it."""

    anvil: Anvil
    deployment: Deployment
    actors: Mapping[str, Actor]
    """By name."""

    @property
    def collection(self) -> Collection:
        """As whoever asks the chain names it."""
        known = self.deployment
        return Collection(known.chain_id, known.address, known.code_hash)

    def lacking(self) -> Mapping[str, Mapping[TokenId, int]]:
        """What lists that can be read lack now, by the name of the player."""
        claims = {}
        for one in self.actors.values():
            with suppress(DecklistUnreadable):
                deck = decks.read_deck(one.decklist, decks.rules_of(GAME))
                claims[one.name] = Claim(tuple(wallet.address for wallet in one.wallets), deck.needs)
        found = check_decks([*claims.values()], ChainHoldings([self.anvil.endpoint], self.collection))
        return {
            name: {line.need.token_ids[0]: line.missing for line in verdict.coverage.lines if line.missing}
            for name, verdict in zip(claims, found, strict=True)
            if verdict.outcome is Outcome.SHORT and verdict.coverage
        }

    def buy(self, name: str) -> int:
        """Issue what a player's list lacks; how many copies."""
        missing = self.lacking().get(name, {})
        if missing:
            parcel = Parcel(self.actors[name].wallets[0].address, Counter(missing))
            _issue(self.anvil, self.deployment, [parcel])
        return sum(missing.values())


@contextmanager
def dealt(named: Path | None, started: datetime) -> Iterator[Cards]:
    """A chain that began at some time, with the demo world on it, and cards for all the others.

    Raises:
        CollectionError: there is no Anvil, or it does not start.
    """
    program = find_anvil(named, environ=os.environ, start=Path.cwd())
    began = ("--timestamp", str(round(started.timestamp())))
    with started_anvil(program, AnvilSettings(accounts=cast.ACCOUNTS, more=began)) as anvil:
        world = build_world(anvil)
        others = cast.others()
        _deal(anvil, world, others)
        actors = {one.name: one for one in (*cast.of_the_world(world), *others)}
        yield Cards(anvil, world.deployment, actors)


def _deal(anvil: Anvil, world: World, others: Iterable[Actor]) -> None:
    parcels = iter([Parcel(one.wallets[0].address, Counter(cast.needs_of(one.decklist))) for one in others])
    while some := [*islice(parcels, IN_A_BLOCK)]:
        _issue(anvil, world.deployment, some)


def _issue(anvil: Anvil, deployment: Deployment, parcels: Sequence[Parcel]) -> None:
    issuer = Sender(anvil.endpoint, development_wallets(STAFF)[-1].signer())
    calls = issue_calls(standing(issuer, deployment), parcels)
    with anvil.one_block():
        sent = issuer.send(calls)
    issuer.settle(sent)
