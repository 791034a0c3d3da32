"""Cards that players prove, from the organizer's terminal, at a server that asks a chain."""

import time
from collections.abc import Iterator
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest

from collection.wallets import development_wallets
from tests.cli.world import EXAMPLE, Deckproof
from tests.tournament.people import account
from tests.tournament.server import Server, served
from tournament.database import open_file
from verifier.testkit import LyingNode, ScriptedChain

EARLY = 6
"""Seconds until cards are looked at first."""


@pytest.fixture(scope="module")
def chain() -> ScriptedChain:
    chain = ScriptedChain(started=round(time.time()) - 60)
    chain.mine()
    return chain


@pytest.fixture(scope="module")
def server(home: Path, chain: ScriptedChain) -> Iterator[Server]:
    database = open_file(home / "deckproof.db")
    database.upgrade()
    account("ann", database)
    database.close()
    with LyingNode(chain) as node:
        asked = {"DECKPROOF_RPC": node.url, "DECKPROOF_COLLECTION": chain.collection, "DECKPROOF_STALE_AFTER": "100000"}
        with served(f"sqlite:///{home}/deckproof.db", home, **asked) as server:
            yield server


def test_an_organizer_proves_cards_looks_who_is_undecided_and_lets_them_play(
    ann: Deckproof, chain: ScriptedChain
) -> None:
    opens = datetime.now(UTC) + timedelta(seconds=EARLY)
    announced = ("decklist=required", "ownership=required", f"ownership_at={opens.isoformat()}")
    fields = [word for one in announced for word in ("--set", one)]
    starts = (opens + timedelta(hours=1)).isoformat()
    made = ann("event", "create", "Spring Open", "--use", *fields, "--set", f"starts_at={starts}")
    assert made.code == 0, made.err
    for words in (("publish",), ("open",)):
        done = ann("event", *words)
        assert done.code == 0, done.err
    assert ann("event", "manifest").document["collections"][0]["address"] == chain.collection
    assert ann("entry", "add", "Ann", "Bob", "Cat", "Dan").code == 0
    Path("list.txt").write_text(EXAMPLE)
    for number in (1, 2, 3, 4):
        handed = ann("decklist", "hand-in", number, "list.txt")
        assert handed.code == 0, handed.err
    assert ann("event", "close").code == 0
    time.sleep(max(0.0, (opens - datetime.now(UTC)).total_seconds() + 1))
    chain.mine(seconds=max(12, round(time.time()) - chain.head.timestamp))
    proven = ann("event", "prove")
    assert proven.out.startswith(f"epoch 1 at block {chain.head.number}: 0 covered, 4 undetermined (1, 2, 3, 4)"), (
        proven.err
    )
    lights = ann("event", "ownership")
    assert (lights.code, lights.out.count("amber"), lights.out.count("no wallet is linked")) == (0, 4, 4)
    assert "epoch 1: undetermined (no wallet is linked)" in ann("event", "ownership", "2").out
    assert [ann("event", "allow", *words).code for words in ((), ("1",), ("1", "--everybody", "--reason", "x"))] == [
        2
    ] * 3
    allowed = ann("event", "allow", "1", "2", "3", "4", "--reason", "I saw the cards")
    assert allowed.out.startswith("4 players may play by a judge's word, in epoch 1"), allowed.err
    assert "let play by a judge" in ann("event", "ownership", "2").out
    opened = ann("event", "open-epoch")
    assert opened.out.startswith("epoch 2 opens round 1"), opened.err
    epochs = ann("event", "epochs")
    assert "not read" in epochs.out
    assert epochs.out.endswith("2 epochs\n")
    alerts = ann("event", "alerts")
    assert alerts.out.startswith("0 departures, 0 discrepancies")
    assert ann("event", "pair").code == 0
    chain.mine(seconds=max(12, round(time.time()) + 1 - chain.head.timestamp))
    refused = ann("event", "publish-round")
    assert (refused.code, "no wallet is linked" in refused.err) == (6, True), refused.err
    begun = ann("event", "publish-round", "--unproven", "--reason", "the venue has no network")
    assert begun.out.startswith("round 1 has begun"), begun.err
    play_the_cut(ann)


def play_the_cut(ann: Deckproof) -> None:
    """Of four, in an event whose cards nobody proves."""
    assert ann("event", "report", "1", "2-0").code == ann("event", "report", "2", "2-0").code == 0
    assert ann("event", "close-round").code == 0
    for_a_reason = ("--unproven", "--reason", "the venue has no network")
    cut = ann("event", "cut", "--top", "4", *for_a_reason)
    assert cut.code == 0, cut.err
    early = ann("event", "cut-round")
    assert (early.code, "without a result: M1.1, M1.2" in early.err) == (6, True), early.err
    assert ann("event", "report", "M1.1", "2-0").code == ann("event", "report", "M1.2", "2-0").code == 0
    assert "waits for `event cut-round` (2)" in ann("event", "bracket").out
    assert ann("event", "report", "M2.1", "2-0").code == 6
    begun = ann("event", "cut-round", *for_a_reason)
    assert "round 2 of the cut has begun, with 2 players in" in begun.out, begun.err
    assert "round 2 of the cut" in ann("event", "epochs").out
    assert ann("event", "report", "M2.1", "2-0").code == 0


def test_a_player_links_a_wallet_by_a_key_that_is_here(ann: Deckproof, monkeypatch: pytest.MonkeyPatch) -> None:
    starts = (datetime.now(UTC) + timedelta(hours=2)).isoformat()
    fields = ("--set", "decklist=required", "--set", "ownership=required", "--time-zone", "Europe/Berlin")
    made = ann("event", "create", "Autumn Open", "--use", *fields, "--starts-at", starts)
    assert made.code == 0, made.err
    assert [ann("event", word).code for word in ("publish", "open")] == [0, 0]
    assert ann("event", "edit", "--starts-at", starts).out.startswith("changed: starts_at")
    assert ann("entry", "add", "Ann").code == 0
    [code] = ann("entry", "codes", "--json").document["codes"]
    wallets = development_wallets(2)
    Path("own.key").write_text(wallets[1].key.hex())
    with monkeypatch.context() as patch:
        patch.setenv("DECKPROOF_TOKEN", code["token"])
        assert ann("wallet", "link").code == 2
        assert ann("wallet", "link", "0" * 32, "0x00", "--account", 0).code == 2
        for words in (("--account", 0), ("--key-file", "own.key")):
            linked = ann("wallet", "link", *words)
            assert (linked.code, "Link this wallet to entry 1 of Autumn Open." in linked.out) == (0, True), linked.err
            assert "the wallet serves Ann (1)" in linked.out
        listed = ann("wallet", "list", "--json").document["wallets"]
        asked = ann("wallet", "text", wallets[0].address, "--if-version", 1)
    assert sorted(one["address"] for one in listed) == sorted(wallet.address for wallet in wallets)
    assert "KeyError" not in asked.err
    nobody = ann("pass", "issue-all")
    assert (nobody.out[:21], "1 player has none" in nobody.err) == ("0 players got a pass ", True), nobody.err


def test_an_event_without_ownership_says_so(ann: Deckproof) -> None:
    assert ann("event", "create", "Friday", "--use").code == 0
    assert ann("event", "epochs").out == "0 epochs\n"
    assert ann("event", "ownership").out == "no epoch: registration is not open, or no ownership is required\n"
    assert ann("event", "prove").code == 6
    assert ann("event", "manifest").code == 6
