"""The evidence of an event: whoever has the bundle checks everything again, and every change of it is found."""

import base64
import gzip
import json
import random
import shutil
import zlib
from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace
from datetime import timedelta
from pathlib import Path
from typing import Any

import pytest

from collection.wallets import Wallet
from tests.tournament.auditing import (
    Place,
    another,
    at,
    bundle_of,
    dotted,
    enter_signed,
    forged,
    kind_of,
    leaves,
    let_in,
    lists_in,
    retold,
    rows_of,
    with_others,
)
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
    scans,
    wallets,
)
from tournament.service.challenges import Site
from tournament.service.commands import Nothing
from tournament.service.reckoning import Check, State
from verifier.chain import Collection
from verifier.errors import EvidenceUnreadable
from verifier.evidence import as_written, parse_bundle
from verifier.records import RecordUnreadable, examine, parts_of
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
    """Two rounds over two endpoints, with proofs; bob sells a card between them. The tests only read it."""
    with started(one, nodes=2, proofs=True) as world:
        world.announce(quorum=2)
        world.wait(1, ALL)
        for name in NAMES:
            enter_signed(world, name, key_of(name))
        world.do(pass_books.OPEN)
        world.begin()
        world.read()
        world.do(passes.ISSUE_ALL)
        let_in(world, [1, 3], [2, 4, 1])
        world.do(scans.SETTLE, scans.Settle(entry=1, reason="she went out for a coffee"))
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
    assert done["scans"] == 2 + 3 + 1
    assert done["proofs"] >= 3 * sum(need.units > 0 for need in DECK.needs) * len(NAMES)
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
        **dict.fromkeys(("opened", "decks", "control", "blocks", "ownership", "scans"), State.PARTLY),
        "passes": State.NOT_ASKED,
        "exclusivity": State.NOT_ASKED,
        "proofs": State.NOT_ASKED,
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


def named(path: Place) -> str:
    """How a fault names the part of the bundle that holds the place."""
    part, *rest = path
    return f"{part}[{rest[0]}]" if rest and part in ("log", "opened", "passes") else str(part)


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
    lists = [number for number, one in enumerate(document["opened"]) if one["text"].startswith('{"title"')]
    assert len(lists) == len(NAMES)
    for number in lists:
        text = document["opened"][number]["text"]
        for other in _respelled(text):
            assert other != text
            document["opened"][number]["text"] = other
            faults = found_in(as_written(document).encode())
            assert any(fault.startswith(f"opened[{number}]") for fault in faults), other
        document["opened"][number]["text"] = text


def test_random_changes_are_all_found_and_named(whole: bytes, record_property: Callable[[str, object], None]) -> None:
    """Two hundred of a large event are in tests/journeys."""
    chance = random.Random(20260131)
    document = json.loads(whole)
    sections: dict[str, list[Place]] = {}
    for path in leaves(document):
        sections.setdefault(str(path[0]), []).append(path)
    caught = {"bytes": 0, "fields": 0}
    for _ in range(40):
        place = chance.randrange(len(whole))
        other = bytes([chance.choice([byte for byte in range(256) if byte != whole[place]])])
        assert found_in(whole[:place] + other + whole[place + 1 :]), f"byte {place} may be {other!r}"
        caught["bytes"] += 1
    for _ in range(40):
        path = chance.choice(sections[chance.choice(sorted(sections))])
        faults = found_in(as_written(with_others(document, {path: another(at(document, path), chance)})).encode())
        assert any(fault.startswith(named(path)) or path[0] == "format" for fault in faults), (path, faults)
        caught["fields"] += 1
    record_property("changes of a bundle that were found", json.dumps(caught))
    assert sum(caught.values()) == 80


def unfound(whole: bytes, changes: dict[Place, Any]) -> list[str]:
    """Changes that an audit does not find, or does not name.

    Those of the conclusions are made all at once, since each is named by its own place, and again alone if it was not.
    """
    document = json.loads(whole)
    conclusions = [path for path in changes if path[0] == "conclusions"]
    waiting = [path for path in changes if path[0] != "conclusions"]
    for start in range(0, len(conclusions), 40):
        those = {path: changes[path] for path in conclusions[start : start + 40]}
        faults = found_in(as_written(with_others(document, those)).encode())
        waiting += [path for path in those if not any(map(_names(path), faults))]
    return [
        dotted(path)
        for path in waiting
        if not any(map(_names(path), found_in(as_written(with_others(document, {path: changes[path]})).encode())))
    ]


def _names(path: Place) -> Callable[[str], bool]:
    """Whether a fault names a place: in the conclusions just this, elsewhere the part that is bound as one."""
    if path[0] == "format":
        return lambda fault: fault.startswith("it is no evidence of an event")
    place = dotted(path) if path[0] == "conclusions" else named(path)
    return lambda fault: fault.startswith(place)


def one_of_each(paths: Iterator[Place], chance: random.Random) -> list[Place]:
    """One place of each kind. Cards are keys of the catalogue, and one kind."""
    kinds: dict[str, list[Place]] = {}
    for path in paths:
        kinds.setdefault("catalogue" if path[0] == "catalogue" else kind_of(path), []).append(path)
    return [chance.choice(places) for places in kinds.values()]


def test_of_every_kind_of_value_a_change_is_found_and_named(
    whole: bytes, record_property: Callable[[str, object], None]
) -> None:
    chance, document = random.Random(5), json.loads(whole)
    places = one_of_each(leaves(document), chance)
    assert unfound(whole, {path: another(at(document, path), chance) for path in places}) == []
    record_property("kinds of values in a bundle", len(places))
    assert len(places) > 200


def test_no_text_may_be_in_other_letters_nor_any_list_in_another_order(
    whole: bytes, record_property: Callable[[str, object], None]
) -> None:
    chance, document = random.Random(6), json.loads(whole)
    texts = {path: at(document, path) for path in one_of_each(leaves(document), chance)}
    made = 0
    for change in (str.swapcase, lambda text: text[::-1], lambda text: f"{text} "):
        changes = {path: change(text) for path, text in texts.items() if isinstance(text, str) and change(text) != text}
        assert unfound(whole, changes) == []
        made += len(changes)
    lists = [path for path in one_of_each(lists_in(document), chance) if path != ("log",)]
    assert unfound(whole, {path: at(document, path)[::-1] for path in lists}) == []
    assert found_in(as_written({**document, "log": document["log"][::-1]}).encode())
    record_property("other letters and orders that were found", made + len(lists))


def test_what_is_opened_may_be_in_no_other_spelling(whole: bytes) -> None:
    document, made = json.loads(whole), 0
    for number, one in enumerate(document["opened"]):
        text = one["text"]
        if text.startswith('{"title"'):
            continue  # lists, above
        if text.startswith("{"):
            said = json.loads(text)
            others = {json.dumps(said), json.dumps(said, indent=1), text.replace(":", ": ", 1)}
        elif len(text) > 1000:
            others = {base64.b64encode(zlib.compress(zlib.decompress(base64.b64decode(text)), 1)).decode(), text + "\n"}
        else:
            others = {text.upper(), text.lower(), f"{text}\u200b", f"{text} "} - {text}
        for other in others:
            assert unfound(whole, {("opened", number, "text"): other}) == [], text[:80]
            made += 1
    assert made > 30


_FREE = {"*.exchanges.*.endpoint of eth_getBlockByHash", "*.exchanges.*.endpoint of eth_getBlockByNumber"}
"""Whoever gave a header, it is what it hashes to."""


def test_of_every_kind_of_value_that_endpoints_said_a_change_is_found_whoever_made_it(whole: bytes) -> None:
    # By whoever runs the server, with all digests made anew; so it is looked at what follows from the record alone.
    chance, row = random.Random(7), rows_of(whole, "epoch.read")[0]
    fact = json.loads(whole)["log"][row]["fact"]
    manifest = evidence.audit(whole).reckoned.manifest
    assert manifest is not None
    [text] = [one.text for one in parse_bundle(whole).opened if one.digest == fact["digest"]]
    said = json.loads(zlib.decompress(base64.b64decode(text)))

    def follows(record: Any) -> Any:
        try:
            packed = base64.b64encode(zlib.compress(json.dumps(record).encode())).decode()
            found = examine(parts_of(packed)[0], manifest, manifest.block_rule.opening)
        except RecordUnreadable as error:
            return str(error)
        return found.epoch, found.block, found.faults, {who: read.as_dict() for who, read in found.readings.items()}

    kinds: dict[str, list[Place]] = {}
    for path in leaves(said):
        of = f" of {at(said, path[:3])['method']}" if "exchanges" in path else ""
        kinds.setdefault(kind_of(path) + of, []).append(path)
    honest = follows(said)
    assert honest[2] == ()
    survivors = {
        kind
        for kind, places in kinds.items()
        for path in chance.sample(places, min(3, len(places)))
        if follows(with_others(said, {path: another(at(said, path), chance)})) == honest
    }
    assert survivors <= _FREE
    assert len(kinds) > 60


def test_of_every_kind_of_value_that_a_wallet_answered_a_change_is_found_whoever_made_it(whole: bytes) -> None:
    chance, row = random.Random(8), rows_of(whole, "wallet.link")[0]
    for field in ("text", "nonce", "method", "signature", "block"):

        def changed(said: Any, field: str = field) -> Any:
            return {**said, field: another(said[field], chance)}

        assert found_in(retold(whole, row, changed, key="proof")), field
    assert found_in(retold(whole, row, lambda said: {**said, "by": "ann"}, key="proof"))


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


def test_a_verdict_that_rests_on_what_another_event_set_aside_is_closed_until_its_evidence_is_there(
    one: Database,
) -> None:
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
        source, first = bundle_of(other), bundle_of(world)
    assert parse_bundle(source).reserved == []
    check = _ownership(source)
    assert (check.state, check.closed, check.faults) == (State.PARTLY, 1, [])
    assert check.notes == ["entry 1 at epoch 1: by what other events had set aside, as the record says"]
    check = _ownership(source, first)
    assert (check.state, check.done, check.notes) == (State.HOLDS, 1, [])
    assert _ownership(source, forged(first, _other_result)).state is State.PARTLY  # which does not hold itself
    [row] = rows_of(source, "epoch.read")
    check = _ownership(retold(source, row, _less_reserved), first)
    assert "had not set these units aside for its entry 1" in check.faults[0]
    for change, words in (
        (_nothing_reserved, "entry 1 is short there, and covered by the record"),
        (_strangely_reserved, "units that were set aside have"),
    ):
        assert any(words in fault for fault in _ownership(retold(source, row, change)).faults)
    document = json.loads(source)
    document["reserved"] = [
        {"epoch": 1, "entry": 1, "wallet": key_of("ann").address, "token_id": str(TOKEN), "units": 1}
    ]
    assert _ownership(retold(_written(document), row, _not_said)).closed == 1  # as records were written before
    document["reserved"][0]["entry"] = 2
    assert "reserved[0]: nobody was short there" in found_in(_written(document))


def _ownership(source: bytes, *beside: bytes) -> Check:
    return next(check for check in evidence.audit(source, beside).checks if check.name == "ownership")


def _other_result(document: dict[str, Any]) -> None:
    document["conclusions"]["event"]["name"] = "another"


def _less_reserved(parts: Any) -> Any:
    units = parts[0]["reserved"][0]["units"]
    units[next(iter(units))] += 1
    return parts


def _nothing_reserved(parts: Any) -> Any:
    parts[0]["reserved"] = []
    return parts


def _strangely_reserved(parts: Any) -> Any:
    parts[0]["reserved"][0]["why"] = "because"
    return parts


def _not_said(parts: Any) -> Any:
    del parts[0]["reserved"]
    return parts


def _written(document: dict[str, Any]) -> bytes:
    return as_written(document).encode()


def test_a_verdict_that_rests_on_a_vault_follows_from_what_the_registry_answered(one: Database) -> None:
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
    assert (found["ownership"].state, found["ownership"].done) == (State.HOLDS, 1)
    [row] = rows_of(source, "epoch.read")
    for change, check, words in (
        (answers_no, "ownership", "the vault"),
        (vouches_for_less, "ownership", f"the vault {vault} is said to vouch otherwise than the registry answered"),
        (no_registry_there, "ownership", "0 endpoints told of the vault"),
        (truer_than_true, "ownership", "where true or false is asked for"),
    ):
        faults = {one.name: one.faults for one in evidence.audit(retold(source, row, change)).checks}[check]
        assert any(words in fault for fault in faults), (words, faults)
    without = {one.name: one for one in evidence.audit(retold(source, row, not_kept)).checks}["ownership"]
    assert (without.state, without.closed, without.faults) == (State.PARTLY, 1, [])
    assert without.notes == ["entry 1 at epoch 1: covered, if the vaults vouched as the record says"]


def _calls(parts: Any) -> Iterator[Any]:
    return (one for one in parts[0]["registry"] if one["method"] == "eth_call" and len(one["result"]) == 66)


def answers_no(parts: Any) -> Any:
    for one in _calls(parts):
        one["result"] = "0x" + "00" * 32
    return parts


def truer_than_true(parts: Any) -> Any:
    for one in _calls(parts):
        one["result"] = "0x" + "00" * 31 + "02"
    return parts


def vouches_for_less(parts: Any) -> Any:
    parts[0]["vaults"][0]["level"] = "collection"
    return parts


def no_registry_there(parts: Any) -> Any:
    for one in parts[0]["registry"]:
        if one["method"] == "eth_getCode":
            one["result"] = "0x"
    return parts


def not_kept(parts: Any) -> Any:
    del parts[0]["registry"]
    return parts


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
