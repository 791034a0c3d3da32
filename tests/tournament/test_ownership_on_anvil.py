"""Ownership in an event on a real chain: the collection of the demo world, its players and their cards."""

import json
import re
from collections.abc import Iterator
from datetime import UTC, datetime, timedelta
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest
from eth_hash.auto import keccak

from collection.anvil import Anvil
from collection.artefact import parse_artefact
from collection.demo import Player, build_world
from collection.demo import World as Demo
from collection.issuing import standing
from collection.transactions import Contract, Sender, creation
from collection.wallets import Wallet
from games import library
from tests.tournament.auditing import bundle_of, enter_signed
from tests.tournament.linking import name_vault
from tests.tournament.owning import World, wallet
from tests.tournament.service.test_passes_owned import now, sheet, signed, text
from tests.verifier.signing import ANN, artefact
from tests.verifier.test_on_anvil import modes
from tournament import store
from tournament.database import Database
from tournament.service import alerts, decks, departures, events, evidence, passes, rosters
from tournament.service.lookout import Lookout
from tournament.service.nodes import Nodes
from tournament.service.reckoning import State
from tournament.service.shortfalls import lacks_of
from tournament.tables import DeckRow, SealedRow, WalletRow
from verifier.chain import PAIRS_PER_CALL, Collection
from verifier.delegation import REGISTRY
from verifier.holdings import Address
from verifier.passes import check_pass
from verifier.rpc import Endpoint
from verifier.testkit import LyingNode, lies
from verifier.testkit.lying_node import Relay

pytestmark = pytest.mark.chain

ROOT = Path(__file__).parent.parent.parent
MANY = 512
STARTER = "cps"
SINGLES = library.decks(STARTER)["one-of-everything"]
"""51 cards of which the deck has one: everybody holds one of everything in the hostile collection when it is honest."""


@pytest.fixture(scope="module")
def demo(anvil_process: Anvil) -> Iterator[Demo]:
    with anvil_process.rolled_back():
        yield build_world(anvil_process)


@pytest.fixture
def here(anvil_process: Anvil, demo: Demo) -> Iterator[Demo]:
    """The demo world for one test."""
    with anvil_process.rolled_back():
        yield demo


class OnAnvil(World):
    """The same on Anvil."""

    anvil: Anvil

    def wait(self, minutes: float = 1, balances: object = None) -> None:  # noqa: ARG002
        self.now += timedelta(minutes=minutes)
        self.anvil.ask("evm_setNextBlockTimestamp", round(self.now.timestamp()))
        self.anvil.mine(2)

    def pass_on(self, sender: Wallet, recipient: Address, token: int) -> str:
        """A unit changes hands; the hash of the transaction."""
        cards = standing(Sender(self.anvil.endpoint, sender.signer()), self.deployment)
        call = cards.call("sell a card", "safeTransferFrom", sender.address, recipient, token, 1, b"")
        [receipt] = Sender(self.anvil.endpoint, sender.signer()).transact([call])
        return str(receipt.transaction)

    deployment: Any = None


def world_on(anvil: Anvil, url: str, database: Database, collection: Address) -> Iterator[OnAnvil]:
    with Endpoint(url) as endpoint:
        nodes = Nodes([endpoint], Collection(None, collection), stale_after=None)
        chain = SimpleNamespace(collection=collection, chain_id=anvil.chain_id)
        world = OnAnvil(database, chain, None, nodes)  # type: ignore[arg-type]
        head = anvil.ask("eth_getBlockByNumber", "latest", False)  # noqa: FBT003 - JSON-RPC knows no names
        assert isinstance(head, dict)
        world.now = datetime.fromtimestamp(int(head["timestamp"], 16) + 60, UTC)
        world.anvil = anvil
        yield world


@pytest.fixture
def relay(anvil_process: Anvil) -> Iterator[LyingNode]:
    with LyingNode(Relay(anvil_process.url)) as node:
        yield node


@pytest.fixture
def world(anvil_process: Anvil, here: Demo, relay: LyingNode, embedded: Database) -> Iterator[OnAnvil]:
    for world in world_on(anvil_process, relay.url, embedded, here.deployment.address):
        world.deployment = here.deployment
        starts = (world.now + timedelta(hours=2)).isoformat()
        world.announce(starts_at=starts, block_depth=1)
        yield world


def player(demo: Demo, name: str) -> Player:
    [found] = [one for one in demo.players if one.name == name]
    return found


def enter(world: World, one: Player) -> int:
    return world.enter(one.name, *(each.address for each in one.wallets), source=one.decklist)


def test_the_players_of_the_demo_world_are_told_apart_at_one_block(world: OnAnvil, here: Demo) -> None:
    legal = ["Paige Turner", "Bea Havior", "Twyla Purse", "Penny Short", "Stella Stranger", "Cash Flo"]
    numbers = {name: enter(world, player(here, name)) for name in legal}
    world.wait(61)
    fact = world.read()
    assert fact.covered == sorted(numbers[name] for name in ("Paige Turner", "Bea Havior", "Twyla Purse"))
    assert fact.short == sorted(numbers[name] for name in ("Penny Short", "Stella Stranger", "Cash Flo"))
    world.assert_whole()


def test_a_card_that_is_sold_between_rounds_is_missed_in_the_next_one(world: OnAnvil, here: Demo) -> None:
    paige, chip = (player(here, name) for name in ("Paige Turner", "Chip Munny"))
    for one in (paige, chip):
        enter(world, one)
    world.wait(61)
    world.close()
    world.play()
    assert world.outcomes(2) == {1: "covered", 2: "covered"}
    deck = decks.read_deck(paige.decklist, decks.rules_of(STARTER))
    need = deck.needs[-1]
    world.pass_on(paige.wallets[0], chip.wallets[0].address, need.token_ids[0])
    world.play()
    assert world.outcomes(3) == {1: "short", 2: "covered"}
    [lack] = world.look(lambda session, event: lacks_of(session, event, 1, for_staff=True))[3]
    gone, _, transaction = lack.words.partition(", transaction ")
    assert gone == f"1 of {need.units} {need.card}: gone between round 1 and 2 (between epoch 2 and 3)"
    assert re.fullmatch("0x[0-9a-f]{64}", transaction)


def test_the_evidence_of_an_event_on_a_real_chain_is_checked_from_the_file_and_by_asking_again(
    world: OnAnvil, here: Demo
) -> None:
    paige, chip = (player(here, name) for name in ("Paige Turner", "Chip Munny"))
    for one in (paige, chip):
        enter_signed(world, one.name, *one.wallets, source=one.decklist)
    world.wait(61)
    world.close()
    world.play()
    token = decks.read_deck(paige.decklist, decks.rules_of(STARTER)).needs[-1].token_ids[0]
    world.pass_on(paige.wallets[0], chip.wallets[0].address, token)
    world.play()
    world.do(events.FINISH)
    found = evidence.audit(bundle_of(world))
    assert [fault for check in found.checks for fault in check.faults] == []
    assert {check.name: check.done for check in found.checks if check.name in ("blocks", "ownership")} == {
        "blocks": 3,
        "ownership": 6,
    }
    chain = world.nodes.chain(Collection(None, here.deployment.address), 1)
    assert evidence.ask_chain(found, chain).state is State.HOLDS


def test_a_reorganisation_voids_what_was_read_in_the_blocks_that_are_gone(
    world: OnAnvil, here: Demo, anvil_process: Anvil
) -> None:
    paige, chip = (player(here, name) for name in ("Paige Turner", "Chip Munny"))
    for one in (paige, chip):
        enter(world, one)
    snapshot = anvil_process.snapshot()
    world.wait(61)
    first = world.read()
    anvil_process.revert(snapshot)
    token = decks.read_deck(paige.decklist, decks.rules_of(STARTER)).needs[0].token_ids[0]
    world.pass_on(paige.wallets[0], chip.wallets[0].address, token)
    world.wait(1)
    again = world.read()
    assert (first.covered, again.covered, again.short) == ([1, 2], [2], [1])
    assert again.block.hash != first.block.hash
    assert world.epochs[0].voided == 1
    world.assert_whole()


def test_a_reorganisation_after_check_in_voids_the_epoch_and_who_still_has_the_cards_gets_another_pass(
    world: OnAnvil, here: Demo, anvil_process: Anvil
) -> None:
    paige, chip = (player(here, name) for name in ("Paige Turner", "Chip Munny"))
    for one in (paige, chip):
        enter(world, one)
    snapshot = anvil_process.snapshot()
    world.wait(61)
    world.close()
    assert world.read().covered == [1, 2]
    world.do(passes.ISSUE_ALL)
    briefing = sheet(world).briefing
    old = [text(world, serial) for serial in (1, 2)]
    assert all(check_pass(one, briefing, used={}, at=now(world)).good for one in old)
    anvil_process.revert(snapshot)
    token = decks.read_deck(paige.decklist, decks.rules_of(STARTER)).needs[0].token_ids[0]
    world.pass_on(paige.wallets[0], chip.wallets[0].address, token)
    world.wait(1)
    world.read()
    assert world.outcomes(1) == {1: "short", 2: "covered"}
    newest = world.look(lambda session, event: store.last_passes(session, event.id))
    known = sheet(world).briefing
    assert (newest[2].serial > 2, world.epochs[0].voided) == (True, 1)
    assert [check_pass(one, known, used={}, at=now(world)).good for one in old] == [False, False]
    again = check_pass(text(world, newest[2].serial), known, used={}, at=now(world))
    assert again.good
    assert signed(world, newest[2].serial).deck_pass.epoch_block == world.epochs[0].block_number
    world.assert_whole()


def test_a_card_that_leaves_while_a_round_is_played_is_an_alert_at_once_and_told_at_the_next_epoch(
    world: OnAnvil, here: Demo
) -> None:
    paige, chip = (player(here, name) for name in ("Paige Turner", "Chip Munny"))
    for one in (paige, chip):
        enter(world, one)
    world.wait(61)
    world.close()
    world.play()
    need = decks.read_deck(paige.decklist, decks.rules_of(STARTER)).needs[-1]
    gone = world.pass_on(paige.wallets[0], chip.wallets[0].address, need.token_ids[0])
    Lookout(world.database, world.nodes, now=lambda: world.now).round()
    [alert] = world.look(departures.alerts_of).alerts
    assert (alert.row.entry, alert.card, alert.row.transaction, alert.since_epoch) == (1, need.card, gone, 2)
    [told] = world.look(lambda session, event: list(store.log_of(session, event.id, [alerts.TELL.name])))
    assert json.loads(told.fact) == {"epoch": 2, "entries": [1]}
    world.play()
    [lack] = world.look(lambda session, event: lacks_of(session, event, 1, for_staff=False))[3]
    assert lack.words.endswith(f"(between epoch 2 and 3), transaction {gone}")
    assert world.look(departures.alerts_of).discrepancies == []


def test_cards_in_a_vault_count_at_an_epoch_while_the_registry_of_the_chain_says_so(
    world: OnAnvil, here: Demo, anvil_process: Anvil
) -> None:
    paige, chip = (player(here, name) for name in ("Paige Turner", "Chip Munny"))
    anvil_process.ask("anvil_setCode", REGISTRY, "0x" + artefact("PracticeRegistry").runtime.hex())
    registry = Contract(anvil_process.endpoint, artefact("PracticeRegistry").abi, REGISTRY)

    def vouch(*, enable: bool) -> None:
        sender = Sender(anvil_process.endpoint, paige.wallets[0].signer())
        sender.transact(
            [registry.call("say", "delegateContract", ANN.address, here.deployment.address, b"\0" * 32, enable)]
        )

    number = enter_signed(world, "Paige Turner", ANN, source=paige.decklist)
    enter(world, chip)
    vouch(enable=True)
    name_vault(world, number, paige.wallets[0].address)
    world.wait(61)
    world.close()
    world.play()
    assert world.outcomes(2) == {1: "covered", 2: "covered"}
    vouch(enable=False)
    world.play()
    assert world.outcomes(3) == {1: "short", 2: "covered"}
    lacks = world.look(lambda session, event: lacks_of(session, event, 1, for_staff=False))[3]
    assert all(lack.words.endswith("a vault of the player has more, and does not vouch for it") for lack in lacks)


def test_a_node_that_is_away_and_comes_back_loses_nothing(world: OnAnvil, here: Demo, relay: LyingNode) -> None:
    enter(world, player(here, "Paige Turner"))
    world.wait(61)
    relay.tell(lies.drops(10**9))
    assert world.read().trouble == "no endpoint answered in time"
    relay.be_honest()
    assert world.read().covered == [1]


def test_the_epoch_of_512_players_is_one_batch(
    anvil_process: Anvil, here: Demo, funded_wallets: tuple[Wallet, ...], relay: LyingNode, embedded: Database
) -> None:
    artefact = parse_artefact((ROOT / "tests" / "artefacts" / "HostileCollection.json").read_text())
    sender = Sender(anvil_process.endpoint, funded_wallets[0].signer())
    [receipt] = sender.transact([creation("deploy", artefact, modes().index("Honest"))])
    assert receipt.contract
    for world in world_on(anvil_process, relay.url, embedded, receipt.contract):
        world.announce(starts_at=(world.now + timedelta(hours=2)).isoformat(), block_depth=1)
        fill(world, MANY)
        world.wait(61)
        before = relay.count("eth_call")
        fact = world.read()
        assert len(fact.covered) == MANY
        batches = relay.count("eth_call") - before
        pairs = MANY * 2 * 51
        assert batches <= -(-pairs // PAIRS_PER_CALL) + 3  # two questions for interfaces, one for block hashes


def fill(world: World, players: int) -> None:
    """Players with a list and a wallet each, as if each had handed in and linked it."""
    names = "\n".join(["name", *(f"player {number}" for number in range(players))])
    rosters.enter(world.database, world.ask(), names.encode(), "refuse")
    text = decks.packed(decks.read_deck(SINGLES, decks.rules_of(STARTER)).decklist)
    with world.database.writing() as session:
        for number in range(1, players + 1):
            listed, linked = (keccak(f"{world.event}/{what}/{number}".encode()).hex() for what in ("list", "wallet"))
            store.save_sealed(session, SealedRow(event_id=world.event, digest=listed, salt="-", text=text))
            address = wallet(f"player {number}")
            store.save_sealed(session, SealedRow(event_id=world.event, digest=linked, salt="-", text=address))
            session.add(DeckRow(event_id=world.event, entry=number, commitment=listed, listed=1))
            session.add(WalletRow(event_id=world.event, entry=number, commitment=linked, linked=1))
