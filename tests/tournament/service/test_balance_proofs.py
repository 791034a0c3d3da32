"""Balances proven from the state root: kept at epochs, judged by whoever has the bundle, or asked for years later."""

import json
import shutil
from collections.abc import Callable, Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from eth_hash.auto import keccak

from cli.main import main
from tests.tournament.auditing import bundle_of, enter_signed, retold, rows_of
from tests.tournament.owning import FOO, World, cards, started
from tests.verifier.signing import key_of
from tournament.database import Database, open_file
from tournament.service import evidence
from tournament.service.looks import counted_of
from tournament.service.reckoning import Check, State
from verifier import erc1155
from verifier.testkit import lies
from verifier.testkit.lying_node import Answerer, Lie
from verifier.testkit.scripted_chain import Question, Refusal

NAMES = ("ann", "bob")
ALL = {place: units for name in NAMES for place, units in cards(key_of(name).address).items()}
TOKEN = FOO.token_ids[0]


@pytest.fixture(scope="module")
def one(sqlite: Path, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Database]:
    path = tmp_path_factory.mktemp("proofs") / "deckproof.db"
    shutil.copy(sqlite, path)
    database = open_file(path)
    yield database
    database.close()


def begun(world: World) -> World:
    """Two players, of whom bob lacks a card; the first epoch may be read."""
    world.announce()
    world.wait(1, ALL | {(key_of("bob").address, TOKEN): 0})
    for name in NAMES:
        enter_signed(world, name, key_of(name))
    world.wait(61)
    return world


@pytest.fixture(scope="module")
def proven(one: Database) -> Iterator[World]:
    with started(one, proofs=True) as world:
        fact = begun(world).read()
        assert (fact.covered, fact.short) == ([1], [2])
        yield world


@pytest.fixture(scope="module")
def told(one: Database) -> Iterator[World]:
    """The same without proofs, of a chain that could have given them."""
    with started(one, proofs=True) as world:
        world.nodes = replace(world.nodes, proofs=False)
        begun(world).read()
        yield world


def checks(source: bytes) -> dict[str, Check]:
    return {check.name: check for check in evidence.audit(source).checks}


def invents(units: int) -> Lie:
    """A node that adds units to the first balance that it is asked for."""

    def lie(question: Question, honest: Answerer) -> object:
        answer = honest(question)
        if not question.asks_balances:
            return answer
        count = question.balances_asked
        balances = erc1155.decode_balances(bytes.fromhex(str(answer)[2:]), count)
        return "0x" + b"".join(n.to_bytes(32, "big") for n in (32, count, balances[0] + units, *balances[1:])).hex()

    return lie


def no_proofs(question: Question, honest: Answerer) -> object:
    if question.method == "eth_getProof":
        raise Refusal(-32000, "distance to target block exceeds maximum proof window")
    return honest(question)


def test_all_units_that_count_are_proven_and_of_a_card_that_is_short_that_there_are_none(proven: World) -> None:
    found = checks(bundle_of(proven))["proofs"]
    assert (found.state, found.faults) == (State.HOLDS, [])
    [note] = found.notes
    assert note.startswith(f"epoch 1: {found.done} balances by the state root")
    document = evidence.document(evidence.audit(bundle_of(proven)))
    of_bob = next(one for one in document["balances"] if one["wallet"] == key_of("bob").address)
    assert {str(token) for token in FOO.token_ids} <= set(of_bob["by_state_root"])


def test_only_what_counts_is_proven(proven: World) -> None:
    # Of a card of which there are enough, other printings that the wallet has not are left out.
    kept = evidence.audit(bundle_of(proven)).reckoned.looked[0]
    zeros = [(who, token) for who, held in kept.readings.items() for token, units in held.items() if not units]
    assert len(zeros) > 50
    asked = {(ask.wallet, token) for ask in counted_of([], kept.readings) for token in ask.token_ids}  # type: ignore[arg-type]
    assert asked == {(who, token) for who, held in kept.readings.items() for token, units in held.items() if units}


def test_a_bundle_without_proofs_says_that_endpoints_told_it(told: World) -> None:
    found = checks(bundle_of(told))["proofs"]
    assert (found.state, found.done) == (State.NOT_ASKED, 0)
    assert found.notes[0].endswith("balances as 1 endpoint said")


def test_balances_of_a_bundle_without_proofs_are_proven_years_later(told: World) -> None:
    found = evidence.audit(bundle_of(told))
    check = evidence.prove_now(found, told.nodes.endpoints)
    rows = sum(len(held) for held in found.reckoned.looked[0].readings.values())
    assert (check.state, check.done, check.faults) == (State.HOLDS, rows, [])
    assert all(not one["by_endpoints"] for one in evidence.document(found)["balances"])


def test_a_node_that_has_forgotten_the_state_proves_nothing_and_is_no_proof_against_it(told: World) -> None:
    told.node.tell(no_proofs)
    try:
        check = evidence.prove_now(evidence.audit(bundle_of(told)), told.nodes.endpoints)
    finally:
        told.node.be_honest()
    assert (check.state, check.faults) == (State.PARTLY, [])
    assert "proof window" in check.notes[0]


def test_a_node_whose_balances_differ_from_its_proof_ends_the_epoch(one: Database, caplog: Any) -> None:
    with started(one, proofs=True) as world:
        begun(world)
        world.node.tell(invents(1))
        fact = world.read()
        assert fact.block is None
        assert fact.trouble == "an endpoint gave an answer that no honest node and contract give"
        assert f"{world.node.url}" in caplog.text
        assert "and the state root of block" in caplog.text
        world.node.be_honest()
        assert world.read().covered == [1]


def test_a_node_that_hides_every_balance_is_found_out_by_its_proof(one: Database, caplog: Any) -> None:
    with started(one, proofs=True) as world:
        begun(world)
        world.node.tell(lies.invents(0))
        assert world.read().trouble
        assert "SUSPICIOUS answer" in caplog.text


def test_an_epoch_is_as_good_where_no_endpoint_has_proofs(one: Database) -> None:
    with started(one, proofs=True) as world:
        begun(world)
        world.node.tell(no_proofs)
        assert world.read().covered == [1]
        [note] = checks(bundle_of(world))["proofs"].notes
        assert note.endswith("1 endpoint said (the state of block 2 is gone, or not there yet)")


def test_a_lie_in_a_bundle_without_proofs_is_named_when_balances_are_proven(one: Database) -> None:
    with started(one, proofs=True) as world:
        world.nodes = replace(world.nodes, proofs=False)
        begun(world)
        world.node.tell(invents(3))
        world.read()
        world.node.be_honest()
        found = evidence.audit(bundle_of(world))
        check = evidence.prove_now(found, world.nodes.endpoints)
    [fault] = check.faults
    assert fault.startswith("epoch 1: 4 units of token ")
    assert fault.endswith("and the state root of block 2 proves 1")


# --- what whoever runs the server may have written --------------------------------------------------------------------


def first_units(part: Any) -> None:
    """One endpoint said one unit more of the first balance that is not 0."""
    said = next(
        each
        for each in part["exchanges"]
        if each["method"] == "eth_call" and each["params"][0]["data"].startswith("0x" + erc1155.BALANCE_OF_BATCH.hex())
    )
    words = [said["result"][2:][at : at + 64] for at in range(0, len(said["result"]) - 2, 64)]
    at = next(at for at, word in enumerate(words[2:], 2) if int(word, 16))
    words[at] = f"{int(words[at], 16) + 1:064x}"
    said["result"] = "0x" + "".join(words)


def change_node(part: Any) -> None:
    part["proof"]["nodes"][3] = part["proof"]["nodes"][3][:-1] + "f"


def drop_account(part: Any) -> None:
    nodes = part["proof"]["nodes"]
    leaf = next(node for node in nodes if wallet_key(part) in node)
    nodes.remove(leaf)


def wallet_key(_: Any) -> str:
    return keccak(bytes.fromhex("6080604052")).hex()


def reverse(part: Any) -> None:
    part["proof"]["nodes"].reverse()


def twice(part: Any) -> None:
    part["proof"]["nodes"].insert(0, part["proof"]["nodes"][0])


def capitals(part: Any) -> None:
    part["proof"]["nodes"][0] = "0x" + part["proof"]["nodes"][0][2:].upper()


def strange_node(part: Any) -> None:
    more = next("0x" + (b"%d" % n).hex() for n in range(9999) if keccak(b"%d" % n)[0] == 0xFF)
    part["proof"]["nodes"].append(more)


def other_slot(part: Any) -> None:
    part["proof"]["slot"] = "0x1"


def long_slot(part: Any) -> None:
    part["proof"]["slot"] = "0x00"


def more_fields(part: Any) -> None:
    part["proof"]["by"] = "ann"


@pytest.mark.parametrize(
    ("change", "words"),
    [
        (first_units, "and the state root proves"),
        (change_node, "the proof: "),
        (drop_account, "the proof: the node 0x"),
        (reverse, "not in the order of their hashes"),
        (twice, "not in the order of their hashes"),
        (capitals, "something that a proof has not"),
        (strange_node, "nothing leads to its node"),
        (other_slot, "no balance but 0 shows that slot 0x1 is that of balances"),
        (long_slot, "no number in hex digits"),
        (more_fields, "something that a proof has not"),
    ],
)
def test_a_proof_that_was_changed_by_whoever_runs_the_server_proves_nothing(
    proven: World, change: Callable[[Any], None], words: str
) -> None:
    source = bundle_of(proven)
    [row] = rows_of(source, "epoch.read")

    def changed(parts: Any) -> Any:
        change(parts[0])
        return parts

    found = checks(retold(source, row, changed))
    assert any(words in fault for fault in found["blocks"].faults), found["blocks"].faults
    assert all(fault.startswith("opened[") for fault in found["blocks"].faults)


def test_a_proof_that_was_taken_out_leaves_what_endpoints_said(proven: World) -> None:
    source = bundle_of(proven)

    def without(parts: Any) -> Any:
        del parts[0]["proof"]
        return parts

    found = checks(retold(source, rows_of(source, "epoch.read")[0], without))
    assert (found["blocks"].state, found["proofs"].state) == (State.HOLDS, State.NOT_ASKED)


def test_the_command_line_says_which_balances_are_proven_and_by_whom_the_others_were_told(
    told: World, tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("DECKPROOF_STALE_AFTER", "2000000")
    file = tmp_path / "all.evidence"
    file.write_bytes(bundle_of(told))

    def typed(*words: object) -> tuple[int, str]:
        monkeypatch.setattr("sys.argv", ["deckproof", "audit", str(file), *map(str, words)])
        with pytest.raises(SystemExit) as ended:
            main()
        return int(ended.value.code or 0), capsys.readouterr().out

    code, out = typed()
    assert (code, "balances as 1 endpoint said" in out) == (0, True)
    code, out = typed("--rpc", told.node.url, "--proofs", "--json")
    document = json.loads(out)
    assert code == 0
    assert document["checks"][-1]["name"] == "chain proofs"
    assert document["checks"][-1]["state"] == "holds"
    assert all(one["by_state_root"] and not one["by_endpoints"] for one in document["balances"])
    assert typed("--proofs")[0] == 2
