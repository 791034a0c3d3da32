"""The evidence of an event: whoever has the bundle checks everything again, and every change of it is found."""

import gzip
import json
import random
import shutil
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

from collection.wallets import Wallet
from tests.tournament.floor import Floor, playing
from tests.tournament.owning import CODES, FOO, LIST, World, cards, started, wallet
from tests.verifier.signing import key_of, sign
from tournament.database import Database, open_file
from tournament.domain.infractions import PenaltyLevel
from tournament.errors import LogBroken
from tournament.service import (
    decklists,
    entries,
    events,
    evidence,
    notes,
    passes,
    penalties,
    wallets,
)
from tournament.service.chain import START, hash_of, line_of
from tournament.service.challenges import Site
from tournament.service.commands import Nothing
from tournament.service.reckoning import State
from verifier.errors import EvidenceUnreadable
from verifier.evidence import canonical, parse_bundle

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


def link(world: World, entry: int, key: Wallet) -> None:
    """As a player does: a text of the server's, and a signature."""
    site, who = Site("play.example.com", "https", world.nodes), f"entry:{entry}"
    challenge = wallets.ask_text(world.database, world.ask(who), key.address, site)
    answer = {"nonce": challenge.nonce, "signature": "0x" + sign(key, challenge.digest).hex()}
    wallets.link(world.database, world.ask(who), wallets.Link(entry=entry, **answer), site)


def enter(world: World, name: str) -> int:
    number: int = world.do(entries.ADD, entries.Add(name=name)).entry
    decklists.hand_in(world.database, world.ask(), decklists.HandIn(entry=number, decklist=LIST))
    link(world, number, key_of(name))
    return number


@pytest.fixture(scope="module")
def owned(one: Database) -> Iterator[World]:
    """Two rounds over two endpoints; bob sells a card between them. The tests only read it."""
    with started(one, nodes=2) as world:
        world.announce(quorum=2)
        world.wait(1, ALL)
        for name in NAMES:
            enter(world, name)
        world.do(passes.OPEN)
        world.begin()
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


def written(world: World, *, everything: bool) -> bytes:
    found: bytes = world.look(lambda session, event: evidence.write(session, event, CODES, everything=everything))
    return found


@pytest.fixture(scope="module")
def whole(owned: World) -> bytes:
    """The bundle for whoever is to check."""
    return written(owned, everything=True)


@pytest.fixture(scope="module")
def public(owned: World) -> bytes:
    """The bundle for everybody."""
    return written(owned, everything=False)


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
        **dict.fromkeys(("opened", "decks", "control", "blocks", "ownership", "passes"), State.PARTLY),
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

Path_ = tuple[str | int, ...]


def leaves(value: Any, path: Path_ = ()) -> Iterator[Path_]:
    """Where a document has values that hold no others."""
    if isinstance(value, dict | list) and value:
        for key, each in value.items() if isinstance(value, dict) else enumerate(value):
            yield from leaves(each, (*path, key))
    else:
        yield path


def changed(document: Any, path: Path_, chance: random.Random) -> Any:
    """The document with another value there."""
    whole = json.loads(json.dumps(document))
    holder = whole
    for key in path[:-1]:
        holder = holder[key]
    holder[path[-1]] = _another(holder[path[-1]], chance)
    return whole


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
        faults = found_in(canonical(changed(document, path, chance)).encode())
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
    return canonical(document).encode()


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
