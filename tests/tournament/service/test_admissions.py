"""Passes and scans in the evidence: whoever let somebody in, when and by which pass, is judged again without a desk."""

import json
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

from tests.tournament.auditing import forged, rows_of
from tests.tournament.entering import CODES, Life, begun
from tests.tournament.passing import NOW, FarDesk, give, text
from tournament.domain.roles import Role
from tournament.service import events, evidence, pass_books, passes, rounds, scans
from tournament.service.reckoning import Check, State


@pytest.fixture(scope="module")
def life(sqlite: Path, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Life]:
    """Six players. Two came in at two desks or by an old pass, which a judge settled; then round 1 began."""
    with begun(sqlite, tmp_path_factory.mktemp("door")) as life:
        life.enter(*"abcdef")
        life.do(pass_books.OPEN)
        life.do(passes.ISSUE_ALL, passes.IssueAll())
        life.do(events.CLOSE)
        life.do(scans.SCAN, scans.Show(text=text(life, 1)))
        north, south = (FarDesk(life, name, number).enrol() for number, name in ((11, "north"), (12, "south")))
        give(life, 4, anew=True)
        for desk, serial, minutes in ((north, 2, 1), (north, 3, 2), (south, 3, 3), (south, 4, 10), (north, 5, 11)):
            desk.admit(serial, minutes=minutes)
        life.do(passes.REVOKE, passes.About(entry=6, reason="it was lost"))
        for desk in (north, south):
            desk.sync(hours=1)
        judge = life.staff("jo", Role.JUDGE)
        for entry in (3, 4):
            life.do(scans.SETTLE, scans.Settle(entry=entry, reason="the doors were far apart"), judge)
        life.do(rounds.PAIR, rounds.Pair(even_so=True))
        life.do(rounds.PUBLISH, rounds.Publish())
        yield life


@pytest.fixture(scope="module")
def source(life: Life) -> bytes:
    with life.database.reading() as session:
        return evidence.write(session, life.look(), CODES, everything=True)


def checks(source: bytes) -> dict[str, Check]:
    return {check.name: check for check in evidence.audit(source).checks}


def test_every_scan_and_pass_is_judged_again(source: bytes) -> None:
    found = checks(source)
    assert [fault for check in found.values() for fault in check.faults] == []
    assert (found["scans"].state, found["scans"].done, found["scans"].notes) == (State.HOLDS, 1 + 5 + 2, [])
    assert (found["passes"].state, found["passes"].done) == (State.HOLDS, 7)


def test_rows_about_scans_are_sealed_for_everybody_else_and_counted(life: Life) -> None:
    with life.database.reading() as session:
        found = checks(evidence.write(session, life.look(), CODES, everything=False))
    assert (found["scans"].state, found["scans"].done, found["scans"].closed) == (State.PARTLY, 0, 5)


def fact(document: dict[str, Any], name: str, at: int = 0) -> dict[str, Any]:
    found: dict[str, Any] = [row for row in document["log"] if row["name"] == name][at]["fact"]
    return found


def of_sync(change: Callable[[dict[str, Any]], None], scan: int = 0, at: int = 0) -> Callable[[dict[str, Any]], None]:
    return lambda document: change(fact(document, "pass.sync", at)["scans"][scan])


def put(**fields: object) -> Callable[[dict[str, Any]], None]:
    return lambda said: said.update(fields)


def another(name: str) -> Callable[[dict[str, Any]], None]:
    return lambda said: said.update({name: said[name][:-1] + ("0" if said[name][-1] != "0" else "1")})


def in_fact(name: str, change: Callable[[dict[str, Any]], None], at: int = 0) -> Callable[[dict[str, Any]], None]:
    return lambda document: change(fact(document, name, at))


def given(change: Callable[[dict[str, Any]], None]) -> Callable[[dict[str, Any]], None]:
    return lambda document: change(fact(document, "pass.issue-all")["given"][0])


def without(name: str) -> Callable[[dict[str, Any]], None]:
    """The rows of a kind are left out, and those behind them move up."""

    def change(document: dict[str, Any]) -> None:
        document["log"] = [row for row in document["log"] if row["name"] != name]
        for number, row in enumerate(document["log"], start=1):
            row["sequence"] = number

    return change


@pytest.mark.parametrize(
    ("check", "change", "words"),
    [
        ("scans", of_sync(put(scanned_at=NOW + 61)), "it has another digest"),
        ("scans", of_sync(another("signature")), "its desk has not signed it"),
        ("scans", of_sync(another("previous"), 1), "it has another digest"),
        ("scans", of_sync(put(counter=9)), "it has another digest"),
        ("scans", of_sync(put(entry=6)), "it is by a pass of another entry than 6"),
        ("scans", of_sync(put(serial=5)), "it is by a pass of another entry than 2"),
        ("scans", of_sync(another("deck_pass")), "this server has made no such pass"),
        ("scans", of_sync(put(doubt="the pass had been revoked before")), "and '' follows"),
        ("scans", of_sync(put(doubt=""), 1, 1), "and 'the pass had been revoked before' follows"),
        ("scans", of_sync(another("desk")), "no desk"),
        ("scans", of_sync(put(echo=1)), "other scans of the server are repeated"),
        ("scans", in_fact("pass.sync", put(checked_in=[2])), "others are checked in"),
        ("scans", in_fact("pass.settle", put(scans=[])), "it settles scans []"),
        ("scans", in_fact("pass.settle", put(entry=2)), "entry 2 was not unsettled"),
        ("scans", without("pass.settle"), "round 1 began though entry 3 was unsettled"),
        ("scans", in_fact("pass.scan", put(serial=2)), "there was no pass 2 of entry 1"),
        ("scans", in_fact("pass.scan", put(scanned_at=NOW + 1)), "it says that it was at"),
        ("scans", in_fact("pass.scan", put(desk="0x5aAeb6053F3E94C9b9A09f33669435E7Ef1BeAed")), "no desk"),
        ("passes", given(put(policy=1)), "was known"),
        ("passes", given(put(key=2)), "is by key 2"),
        ("passes", given(put(issued_at=NOW - 5)), "key 1 signed at"),
        ("passes", given(put(not_after=NOW + 99 * 86400)), "which no pass is"),
        ("passes", given(put(serial=50)), "pass 50 should have been 1"),
        ("passes", given(put(entry=50)), "there was not"),
        ("passes", given(put(deck="1" * 64)), "was known"),
        ("passes", in_fact("pass.issue", put(entry=5)), "is given to entry 5"),
        ("passes", in_fact("pass.revoke", put(serials=[5])), "those of entry 6 are [6]"),
    ],
)
def test_what_the_server_says_of_passes_and_scans_is_held_against_them(
    source: bytes, check: str, change: Callable[[dict[str, Any]], None], words: str
) -> None:
    found = checks(forged(source, change))
    assert any(words in fault for fault in found[check].faults), (found[check].faults, found["results"].faults)


def test_a_tag_that_is_not_there_leaves_a_scan_closed(source: bytes) -> None:
    document = json.loads(source)
    document["passes"] = []
    found = checks(json.dumps(document, sort_keys=True, separators=(",", ":"), ensure_ascii=False).encode() + b"\n")
    assert (found["scans"].done, found["scans"].closed, found["scans"].faults) == (3, 5, [])


def test_what_a_desk_did_wrong_is_told_and_is_no_fault_of_the_evidence(sqlite: Path, tmp_path: Path) -> None:
    with begun(sqlite, tmp_path) as life:
        life.enter("ann", "bob", "cat")
        life.do(pass_books.OPEN)
        life.do(passes.ISSUE_ALL, passes.IssueAll())
        desk = FarDesk(life, "north", 11).enrol()
        desk.admit(1, minutes=-60)
        desk.admit(2)
        desk.admit(3)
        desk.sync(desk.scans[0], desk.scans[2], hours=1)
        with life.database.reading() as session:
            found = checks(evidence.write(session, life.look(), CODES, everything=True))["scans"]
    assert (found.state, found.done) == (State.HOLDS, 2)
    assert found.notes[0].endswith("let pass 1 in at a time at which it was not good")
    assert any("scan 2 of desk" in note or "scan 3 of desk" in note for note in found.notes[1:])


def test_rows_are_found_by_their_kind(source: bytes) -> None:
    assert len(rows_of(source, "pass.sync")) == 2
