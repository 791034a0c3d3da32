"""The evidence of an event: whoever has the bundle checks everything again, and every change of it is found."""

import gzip
import json
import random
import shutil
from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace
from datetime import timedelta
from pathlib import Path
from typing import Any

import pytest

from collection.wallets import Wallet
from tests.tournament.auditing import Path_, bundle_of, changed_in_place, enter_signed, leaves
from tests.tournament.floor import Floor, playing
from tests.tournament.owning import CODES, DECK, FOO, World, cards, started, wallet
from tests.tournament.service.test_ownership_of_vaults import registry
from tests.verifier.signing import key_of, sign
from tournament.database import Database, open_file
from tournament.domain.infractions import PenaltyLevel
from tournament.errors import LogBroken, OwnershipUnproven
from tournament.service import (
    epochs,
    events,
    evidence,
    notes,
    pass_books,
    passes,
    penalties,
    privacy,
    wallets,
)
from tournament.service.chain import START, hash_of, line_of
from tournament.service.challenges import Site
from tournament.service.commands import Nothing
from tournament.service.reckoning import Check, State
from verifier.chain import Collection
from verifier.errors import EvidenceUnreadable
from verifier.evidence import as_written, parse_bundle
from verifier.testkit import lies

NAMES = ("ann", "bob", "cat", "dan")
ALL = {place: units for name in NAMES for place, units in cards(key_of(name).address).items()}
TOKEN = FOO.token_ids[0]
SECRET = "the judge's own words"


@pytest.fixture(scope="module")
def one(sqlite: Path, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Database]:
    path = tmp_path_factory.mktemp("one") / "deckproof.db"
    shutil.copy(sqlite, path)
    database = open_file(path)
    yield database
    database.close()


@pytest.fixture(scope="module")
def owned(one: Database) -> Iterator[World]:
    """Two rounds over two endpoints; bob sells a card between them. The tests only read it."""
    with started(one, nodes=2) as world:
        world.announce(quorum=2)
        world.wait(1, ALL)
        for name in NAMES:
            enter_signed(world, name, key_of(name))
        world.do(pass_books.OPEN)
        world.begin()
        world.read()
        world.do(passes.ISSUE_ALL)
        world.play()
        world.move(key_of("bob").address, wallet("a dealer"), TOKEN)
        world.play()
        world.do(events.FINISH)
        yield world


@pytest.fixture(scope="module")
def plain(one: Database) -> Floor:
    """An event that asks for no cards, with what judges do in it."""
    floor = playing(one, players=6)
    floor.judge("bea")
    floor.does(notes.WRITE, notes.WriteNote(text=SECRET), "bea")
    first, _ = floor.players(1)
    floor.report(1, 1, 1)
    given = penalties.GivePenalty(entry=first, infraction="slow-play", level=PenaltyLevel.GAME_LOSS, text=SECRET)
    number = int(floor.does(penalties.GIVE, given, "bea")["penalty"])
    floor.does(penalties.APPLY, penalties.PenaltyNumber(penalty=number), "bea")
    floor.play_on(1)
    floor.next_round()
    floor.play_on(2)
    floor.does(events.FINISH, Nothing())
    return floor


@pytest.fixture(scope="module")
def whole(owned: World) -> bytes:
    """The bundle for whoever is to check."""
    return bundle_of(owned)


@pytest.fixture(scope="module")
def public(owned: World) -> bytes:
    """The bundle for everybody."""
    return bundle_of(owned, everything=False)


@pytest.fixture(scope="module")
def bare(plain: Floor) -> bytes:
    """The bundle of the event without cards."""
    with plain.database.reading() as session:
        return evidence.write(session, plain.row(), CODES, everything=True)


def states(source: bytes) -> dict[str, State]:
    return {check.name: check.state for check in evidence.audit(source).checks}


def faults(source: bytes) -> list[str]:
    return [fault for check in evidence.audit(source).checks for fault in check.faults]


def test_whoever_has_the_bundle_checks_all_of_it_again(whole: bytes) -> None:
    found = evidence.audit(whole)
    assert faults(whole) == []
    assert {check.name: check.state for check in found.checks if check.state is not State.HOLDS} == {}
    assert found.holds
    done = {check.name: check.done for check in found.checks}
    assert (done["blocks"], done["ownership"], done["control"], done["decks"], done["passes"]) == (3, 12, 4, 4, 4)
    assert found.event["phase"] == "finished"


def test_an_event_without_cards_is_proven_too(bare: bytes) -> None:
    assert faults(bare) == []
    found = states(bare)
    assert evidence.audit(bare).holds
    assert {name for name, state in found.items() if state is State.HOLDS} == {
        *("form", "log", "opened", "results", "pairings", "standings", "conclusions")
    }
    assert SECRET not in bare.decode()


def test_what_is_personal_is_closed_to_everybody_else_and_the_results_still_follow(public: bytes) -> None:
    assert faults(public) == []
    found = states(public)
    assert evidence.audit(public).holds
    assert {name: state for name, state in found.items() if state is not State.HOLDS} == {
        **dict.fromkeys(("opened", "decks", "control", "blocks", "ownership"), State.PARTLY),
        "passes": State.NOT_ASKED,
        "exclusivity": State.NOT_ASKED,
    }
    text = public.decode()
    for name in NAMES:
        assert key_of(name).address not in text
    assert FOO.card not in {line[1] for one in parse_bundle(public).opened for line in _lines_in(one.text)}


def _lines_in(text: str) -> list[list[Any]]:
    return list(json.loads(text)["lines"]) if text.startswith("{") else []


def test_a_packed_bundle_is_the_same_bundle(bare: bytes) -> None:
    assert parse_bundle(gzip.compress(bare)) == parse_bundle(bare)
    with pytest.raises(EvidenceUnreadable, match="unpacked"):
        parse_bundle(gzip.compress(bare)[:-9])


# --- every change is found --------------------------------------------------------------------------------------------


def named(path: Path_) -> str:
    """How a fault names the part of the bundle that holds the place."""
    part, *rest = path
    return f"{part}[{rest[0]}]" if part in ("log", "opened", "passes") else str(part)


def found_in(source: bytes) -> list[str]:
    """Everything that an audit tells of a bundle, whether it can be read or not."""
    try:
        found = evidence.audit(source)
    except EvidenceUnreadable as error:
        return list(error.faults)
    assert found.holds == (not found.checks or not any(check.faults for check in found.checks))
    return [fault for check in found.checks for fault in check.faults]


def _respelled(text: str) -> Iterator[str]:
    """The same list, said otherwise."""
    said = json.loads(text)
    lines = said["lines"]
    count, name, *rest = next(line for line in lines if line[0] > 1)
    others = [line for line in lines if line[1] != name]
    for changed_ in (
        {"title": "Ours", "lines": lines},
        {"title": None, "lines": lines[::-1]},
        {"title": None, "lines": [[line[0], line[1].swapcase(), *line[2:]] for line in lines]},
        {"title": None, "lines": [[line[0], line[1], line[2].swapcase(), *line[3:]] for line in lines]},
        {"title": None, "lines": [*others, [count, name, *rest[:-2], "OPN", None]]},
        {"title": None, "lines": [*others, [count - 1, name, *rest], [1, name, *rest]]},
    ):
        yield json.dumps(changed_, ensure_ascii=False, separators=(",", ":"))
    yield text.replace(",", ", ", 1)


def test_a_list_is_opened_in_one_spelling_since_its_commitment_binds_no_other(whole: bytes) -> None:
    document = json.loads(whole)
    lists = [at for at, one in enumerate(document["opened"]) if one["text"].startswith('{"title"')]
    assert len(lists) == len(NAMES)
    for at in lists:
        text = document["opened"][at]["text"]
        for other in _respelled(text):
            assert other != text
            document["opened"][at]["text"] = other
            faults = found_in(as_written(document).encode())
            assert any(fault.startswith(f"opened[{at}]") for fault in faults), other
        document["opened"][at]["text"] = text


def test_two_hundred_random_changes_are_all_found_and_named(
    whole: bytes, record_property: Callable[[str, object], None]
) -> None:
    chance = random.Random(20260131)
    document = json.loads(whole)
    sections: dict[str, list[Path_]] = {}
    for path in leaves(document):
        sections.setdefault(str(path[0]), []).append(path)
    caught = {"bytes": 0, "fields": 0}
    for _ in range(100):
        at = chance.randrange(len(whole))
        other = bytes([chance.choice([byte for byte in range(256) if byte != whole[at]])])
        assert found_in(whole[:at] + other + whole[at + 1 :]), f"byte {at} may be {other!r}"
        caught["bytes"] += 1
    for _ in range(100):
        path = chance.choice(sections[chance.choice(sorted(sections))])
        with changed_in_place(document, path, chance):
            faults = found_in(as_written(document).encode())
        assert any(fault.startswith(named(path)) or path[0] == "format" for fault in faults), (path, faults)
        caught["fields"] += 1
    record_property("changes of a bundle that were found", json.dumps(caught))
    assert sum(caught.values()) == 200


@pytest.mark.parametrize(
    "spelling",
    [
        lambda text: text.replace(",", ", ", 1),
        lambda text: text.rstrip("\n"),
        lambda text: text + "\n",
        lambda text: " " + text,
        lambda text: text.replace('"version":1', '"version":1.0'),
        lambda text: text.replace('"format"', '"\\u0066ormat"', 1),
        lambda text: text.replace('"version":1}', '"version":1,"version":1}'),
    ],
)
def test_a_bundle_has_one_form_so_no_byte_of_it_means_nothing(bare: bytes, spelling: Callable[[str], str]) -> None:
    other = spelling(bare.decode()).encode()
    assert other != bare
    with pytest.raises(EvidenceUnreadable):
        parse_bundle(other)


# --- whoever runs the server can write any chain that holds -----------------------------------------------------------


def forged(source: bytes, change: Callable[[dict[str, Any]], object]) -> bytes:
    """The bundle after a change, with a chain that holds again."""
    document = json.loads(source)
    change(document)
    before = START
    for row in document["log"]:
        row["previous"] = before
        row["hash"] = before = hash_of(line_of(row))
    document["conclusions"]["event"]["head"] = before
    return as_written(document).encode()


def of(document: dict[str, Any], name: str, at: int = 0) -> dict[str, Any]:
    found: dict[str, Any] = [row for row in document["log"] if row["name"] == name][at]
    return found


def cover_bob(document: dict[str, Any]) -> None:
    fact = of(document, "epoch.read", 2)["fact"]
    fact["covered"], fact["short"] = sorted([*fact["covered"], *fact["short"]]), []
    for epoch in document["conclusions"]["ownership"]["epochs"]:
        for verdict in epoch["verdicts"].values():
            verdict["outcome"] = "covered"


def test_a_player_who_was_short_cannot_be_made_covered_by_whoever_runs_the_server(whole: bytes) -> None:
    found = faults(forged(whole, cover_bob))
    row = of(json.loads(whole), "epoch.read", 2)["sequence"] - 1
    assert f"log[{row}].fact: entry 2 is covered there, and short by the record" in found


def other_block(document: dict[str, Any]) -> None:
    of(document, "epoch.read")["fact"]["block"]["time"] -= 1


def other_rule(document: dict[str, Any]) -> None:
    of(document, "epoch.open")["fact"]["opens_at"] -= 3600


def other_result(document: dict[str, Any]) -> None:
    games = of(document, "result.report")["fact"]["games"]
    games["first"], games["second"] = games["second"], games["first"]


def other_key(document: dict[str, Any]) -> None:
    fact = of(document, "pass.issue-all")["fact"]
    fact["given"][0]["key"] = 2


def strange_wallet(document: dict[str, Any]) -> None:
    first, second = (of(document, "wallet.link", at)["fact"] for at in (0, 1))
    first["proof"], second["proof"] = second["proof"], first["proof"]


def not_legal(document: dict[str, Any]) -> None:
    of(document, "deck.hand-in")["fact"]["max_rating"] = None
    of(document, "deck.hand-in")["fact"]["is_legal"] = False


@pytest.mark.parametrize(
    ("change", "check", "words"),
    [
        (other_block, "blocks", "its block is"),
        (other_rule, "blocks", "so it is not the first"),
        (other_result, "pairings", ""),
        (other_key, "passes", "not by the event's key 2"),
        (strange_wallet, "control", "the text was for"),
        (not_legal, "decks", "by its format it is True"),
    ],
)
def test_what_the_server_claims_is_held_against_the_evidence(
    whole: bytes, change: Callable[[dict[str, Any]], object], check: str, words: str
) -> None:
    found = {one.name: one for one in evidence.audit(forged(whole, change)).checks}
    assert found[check].state is State.FAILS
    assert any(words in fault for fault in found[check].faults), found[check].faults


def test_a_log_that_does_not_hold_is_no_ground_for_a_bundle(one: Database, plain: Floor) -> None:
    row = plain.row()
    row.head = "0" * 64
    with one.reading() as session, pytest.raises(LogBroken):
        evidence.write(session, row, CODES, everything=True)


# --- what can happen to an event --------------------------------------------------------------------------------------


def split_signed(world: World, entry: int, key: Wallet, others: Sequence[int]) -> None:
    """The wallet serves several entries with a whole list each."""
    units = {need.token_ids[0]: need.units for need in DECK.needs}
    shares = [wallets.ShareSaid(number, dict(units)) for number in (entry, *others)]
    site, who = Site("play.example.com", "https", world.nodes), f"entry:{entry}"
    challenge = wallets.ask_text(world.database, world.ask(who), key.address, site, shares=shares)
    answer = {"nonce": challenge.nonce, "signature": "0x" + sign(key, challenge.digest).hex()}
    wallets.split(world.database, world.ask(who), wallets.SplitAmong(entry=entry, **answer), site)


def test_an_audit_follows_an_event_through_all_that_happens_to_it(one: Database) -> None:
    family, late = key_of("a family"), key_of("eve")
    with started(one) as world:
        world.announce()
        twice = {place: 2 * units for place, units in cards(family.address).items()}
        there = {**ALL, **twice, **cards(late.address)}
        world.wait(1, there)
        for name in ("ann", "bob"):
            enter_signed(world, name, key_of(name))
        parent, child = enter_signed(world, "fay"), enter_signed(world, "gil")
        split_signed(world, parent, family, [child])
        world.begin()
        first = world.read()
        depth = world.chain.head.number - first.block.number + 2
        world.chain.reorganise(depth, {**there, (key_of("bob").address, TOKEN): 0})
        world.chain.mine(seconds=round(world.now.timestamp()) - world.chain.head.timestamp)
        assert world.read().short == [2]
        world.play()
        eve = enter_signed(world, "eve", late)
        world.wait(2)
        world.pair()
        world.wait()
        world.node.tell(lies.prunes(world.chain, kept=3))
        with pytest.raises(OwnershipUnproven):
            world.publish()
        world.do(epochs.OVERRIDE, epochs.Override(entries=[eve], reason="her wallet is on the projector"))
        world.publish()
        world.node.be_honest()
        world.results(2)
        assert world.read().covered == [eve]
        world.do(events.FINISH)
        source = bundle_of(world)
    found = evidence.audit(source)
    assert [fault for check in found.checks for fault in check.faults] == []
    done = {check.name: (check.done, check.closed) for check in found.checks}
    assert done["blocks"] == (5, 0)
    assert done["ownership"] == (4 + 4 + 4 + 5 + 1, 0)
    notes_of = {check.name: check.notes for check in found.checks}
    assert ", epoch 1 for late players: 0 endpoints showed the contract, and 1 must" in notes_of["blocks"][0]
    assert {one["entry"] for one in found.bundle.conclusions["ownership"]["allocations"]} == {1, 2, 3, 4, 5}


def test_a_verdict_that_rests_on_what_another_event_set_aside_is_closed_and_not_passed_over(one: Database) -> None:
    with started(one) as world:
        world.announce()
        world.wait(1, ALL)
        enter_signed(world, "ann", key_of("ann"))
        world.wait(61)
        assert world.read().covered == [1]
        other = replace(world, event="").announce(starts_at=(world.now + timedelta(hours=2)).isoformat())
        enter_signed(other, "ann", key_of("ann"))
        other.wait(61)
        assert other.read().short == [1]
        source = bundle_of(other)
    found = evidence.audit(source)
    check = next(check for check in found.checks if check.name == "ownership")
    assert (check.state, check.closed, check.faults) == (State.PARTLY, 1, [])
    assert check.notes == ["entry 1 at epoch 1: short by what other events had set aside"]
    document = json.loads(source)
    document["reserved"] = []
    assert any("entry 1 is short there, and covered by the record" in fault for fault in found_in(_written(document)))
    document["reserved"] = [{**json.loads(source)["reserved"][0], "entry": 2}]
    assert "reserved[0]: nobody was short there" in found_in(_written(document))


def _written(document: dict[str, Any]) -> bytes:
    return as_written(document).encode()


def test_a_verdict_that_rests_on_a_vault_is_closed_and_follows_from_what_it_vouched_for(one: Database) -> None:
    vault, key = wallet("a vault"), key_of("ann")
    with started(one) as world:
        world.announce()
        world.wait(1, cards(vault))
        entry = enter_signed(world, "ann", key)
        world.node.tell(registry({(key.address, vault): None}))
        site = Site("play.example.com", "https", world.nodes)
        asked = wallets.NameVault(entry=entry, vault=vault)
        wallets.name_vault(world.database, world.ask(f"entry:{entry}"), asked, site)
        world.wait(61)
        assert world.read().covered == [entry]
        source = bundle_of(world)
    found = {check.name: check for check in evidence.audit(source).checks}
    assert [fault for check in found.values() for fault in check.faults] == []
    assert (found["ownership"].state, found["ownership"].closed) == (State.PARTLY, 1)
    assert found["ownership"].notes == ["entry 1 at epoch 1: covered, if the vaults vouched as the record says"]


def test_what_a_player_had_erased_stays_closed(one: Database) -> None:
    with started(one) as world:
        world.announce()
        world.wait(1, ALL)
        for name in ("ann", "bob"):
            enter_signed(world, name, key_of(name))
        world.begin()
        world.play()
        world.do(events.FINISH)
        world.do(privacy.ERASE, privacy.Erase(entry=2, reason="she asked"))
        source = bundle_of(world)
    found = evidence.audit(source)
    assert found.holds
    assert key_of("bob").address not in source.decode()
    closed = {check.name: check.closed for check in found.checks if check.closed}
    assert (closed["control"], closed["decks"], closed["ownership"]) == (1, 1, 2)


# --- a chain is asked again -------------------------------------------------------------------------------------------


def asked(world: World, source: bytes) -> Check:
    """What the first of the endpoints says today."""
    nodes = replace(world.nodes, endpoints=world.nodes.endpoints[:1])
    return evidence.ask_chain(evidence.audit(source), nodes.chain(Collection(None, world.chain.collection), 1))


def test_a_chain_that_is_asked_again_says_the_same(owned: World, whole: bytes, public: bytes) -> None:
    for source in (whole, public):
        found = asked(owned, source)
        assert (found.state, found.done, found.faults) == (State.HOLDS, 3, [])


def test_a_node_that_has_forgotten_the_state_is_no_proof_against_it(owned: World, whole: bytes) -> None:
    owned.node.tell(lies.prunes(owned.chain, 0))
    try:
        found = asked(owned, whole)
    finally:
        owned.node.be_honest()
    assert (found.state, found.closed, found.faults) == (State.PARTLY, 3, [])
    assert "epoch 1: " in found.notes[0]


def test_a_bundle_of_another_chain_is_found_by_asking(owned: World, one: Database, whole: bytes) -> None:
    with started(one) as other:
        other.wait(300)
        assert other.chain.head.hash != owned.chain.head.hash
        found = evidence.ask_chain(
            evidence.audit(whole), other.nodes.chain(Collection(None, other.chain.collection), 1)
        )
    assert found.state is State.FAILS
    assert "the first block of its rule is" in found.faults[0]
