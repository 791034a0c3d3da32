"""Vaults at an epoch: their units count as far as they vouch for a player's wallet, and are charged to the vault."""

from collections.abc import Iterator, Mapping
from datetime import timedelta

import pytest

from tests.tournament.owning import DECK, FOO, World, cards, started, wallet
from tournament import store
from tournament.database import Database
from tournament.service import epochs, events, looks
from tournament.service.shortfalls import lacks_of
from verifier.addresses import to_checksum
from verifier.delegation import CHECK_ALL, CHECK_CONTRACT, CHECK_ERC1155, REGISTRY
from verifier.holdings import Address, TokenId
from verifier.testkit.lying_node import Answerer, Lie
from verifier.testkit.scripted_chain import Question, Refusal

ANN, BOB, VAULT = (wallet(name) for name in ("ann", "bob", "a vault"))
TOKEN = FOO.token_ids[0]
ALL_CARDS = {need.token_ids[0]: need.units for need in DECK.needs}

Said = dict[tuple[Address, Address], Mapping[TokenId, int] | None]
"""By wallet and vault: units of each token id; None: everything."""


def registry(said: Said, *, answers: bool = True) -> Lie:
    """A node with a registry of delegations."""

    def lie(question: Question, honest: Answerer) -> object:
        asked = question.params[0] if question.params else None
        to = str(asked.get("to") if isinstance(asked, dict) else asked).lower()
        if to != REGISTRY.lower():
            return honest(question)
        if question.method == "eth_getCode":
            return "0x60"
        if not answers:
            raise Refusal(-32000, "try again later")
        words = [question.calldata[at : at + 32] for at in range(4, len(question.calldata), 32)]
        units = said.get(_pair(words), {})
        kind = question.calldata[:4]
        if kind == CHECK_ERC1155 and units is not None:
            found = units.get(TokenId(int.from_bytes(words[3], "big")), 0)
        else:
            assert kind in {CHECK_ALL, CHECK_CONTRACT}
            found = int(kind == CHECK_ALL and units is None)
        return "0x" + found.to_bytes(32, "big").hex()

    return lie


def _pair(words: list[bytes]) -> tuple[Address, Address]:
    return to_checksum(words[0][12:]), to_checksum(words[1][12:])


@pytest.fixture
def world(common: Database) -> Iterator[World]:
    with started(common) as world:
        yield world


def test_a_vault_counts_while_it_vouches_and_its_units_are_charged_to_the_vault(world: World) -> None:
    world.announce()
    world.wait(1, {**cards(VAULT), **cards(BOB)})
    for name in ("ann", "bob"):
        world.enter(name)
    world.link(1, VAULT, of=ANN)
    said: Said = {(ANN, VAULT): None}
    world.node.tell(registry(said))
    world.begin()
    fact = world.read()
    assert fact.covered == [1, 2]
    kept = world.look(lambda session, event: store.allocations_of(session, event.id))
    assert {(row.entry, row.wallet) for row in kept} == {(1, VAULT), (2, BOB)}
    [part] = looks.opened(world.look(lambda session, event: store.find_sealed(session, event.id, fact.digest)).text)
    assert part["vaults"] == [{"vault": VAULT, "wallet": ANN, "level": "vault", "units": {}}]
    assert len(part["registry"]) > 2
    world.node.tell(registry(said, answers=False))
    world.pair()
    world.wait()
    fact = world.read()
    assert fact.covered == [2]
    [undecided] = fact.undetermined
    assert undecided.entry == 1
    assert undecided.cause.startswith("of a vault it could not be found out what it vouches for")
    world.node.tell(registry({}))
    assert world.read().short == [1]
    lacks = world.look(lambda session, event: lacks_of(session, event, 1, for_staff=True))
    assert lacks[2][0].words == (
        f"{FOO.units} of {FOO.units} {FOO.card}: a vault of the player has more, and does not vouch for it"
    )
    world.assert_whole()


def test_a_vault_that_vouches_for_single_units_counts_for_no_more_than_these(world: World) -> None:
    world.announce()
    world.wait(1, cards(VAULT))
    world.enter("ann")
    world.link(1, VAULT, of=ANN)
    said: Said = {(ANN, VAULT): {**ALL_CARDS, TOKEN: FOO.units - 1}}
    world.node.tell(registry(said))
    world.wait(61)
    assert world.read().short == [1]
    [lack] = world.look(lambda session, event: lacks_of(session, event, 1, for_staff=True))[1]
    assert (lack.card, lack.missing) == (FOO.card, 1)
    said[ANN, VAULT] = ALL_CARDS
    world.close()
    world.do(epochs.OPEN)
    world.wait()
    assert world.read().covered == [1]


def test_two_delegates_of_one_vault_in_two_events_are_covered_once(world: World) -> None:
    world.announce()
    world.wait(1, cards(VAULT))
    world.enter("ann")
    world.link(1, VAULT, of=ANN)
    world.node.tell(registry({(ANN, VAULT): None, (BOB, VAULT): None}))
    world.wait(61)
    assert world.read().covered == [1]
    other = World(world.database, world.chain, world.node, world.nodes, now=world.now)
    other.announce(starts_at=(world.now + timedelta(hours=2)).isoformat())
    other.enter("bob")
    other.link(1, VAULT, of=BOB)
    other.wait(61)
    assert other.read().short == [1]
    world.now = other.now
    world.do(events.VOID, events.Void(reason="rain"))
