"""The collection on a chain of this machine, with the cards of everybody in the demo."""

import os
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from datetime import datetime
from itertools import islice
from pathlib import Path
from typing import Final

from collection.anvil import Anvil, AnvilSettings, find_anvil, started_anvil
from collection.demo import STAFF, World, build_world
from collection.deployment import Deployment
from collection.issuing import Parcel, issue_calls, standing
from collection.transactions import Sender
from collection.wallets import development_wallets
from stage import cast
from stage.cast import Actor
from verifier.holdings import Address, TokenId

IN_A_BLOCK: Final = 20
"""Parcels that are issued at once."""


@dataclass(frozen=True)
class Cards:
    """The chain, and everybody who holds cards on it."""

    anvil: Anvil
    deployment: Deployment
    actors: Mapping[str, Actor]
    """By name."""

    def deal(self, wallet: Address, cards: Mapping[TokenId, int]) -> None:
        """Issue cards to a wallet."""
        _issue(self.anvil, self.deployment, [Parcel(wallet, Counter(cards))])


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
