"""Ownership in events: what is promised, who has the cards at each epoch, and what becomes of who has not."""

from collections.abc import Iterator

import pytest

from tests.tournament.owning import DECK, FOO, World, cards, started, wallet
from tournament.database import Database
from tournament.errors import OwnershipUnproven
from tournament.service import decks
from verifier.manifest import parse_manifest

ANN, BOB, CAT, DAN = (wallet(name) for name in ("ann", "bob", "cat", "dan"))


@pytest.fixture
def world(embedded: Database) -> Iterator[World]:
    with started(embedded) as world:
        yield world


@pytest.fixture
def four(world: World) -> World:
    """Four players, all with their cards, at check-in."""
    world.announce()
    world.chain.mine({**cards(ANN), **cards(BOB), **cards(CAT), **cards(DAN)})
    for name in ("ann", "bob", "cat", "dan"):
        world.enter(name)
    world.begin()
    return world


def test_an_event_in_which_everybody_has_the_cards_is_sanctioned(four: World) -> None:
    assert four.play() == 1
    assert four.play() == 2
    assert [epoch.read is not None for epoch in four.epochs] == [True, True, True]
    assert four.outcomes(3) == dict.fromkeys((1, 2, 3, 4), "covered")
    from tournament.service import events

    assert four.sanction.met == "not yet"
    four.do(events.FINISH)
    assert four.sanction.met == "yes", four.sanction
    four.assert_whole()
