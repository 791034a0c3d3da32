"""Passes over HTTP: from the keys to round 1."""

import json
import time
from pathlib import Path
from typing import Any

from tests.tournament.people import Desk
from tournament.service.scans import MOST_SCANS
from verifier.passes import (
    DeskKey,
    SigningKey,
    brief,
    chain_faults,
    open_desk,
    parse_payload,
    parse_terms,
    prepare,
    read_revocations,
    read_sheet,
    write_scan,
)
from verifier.passes.picture import svg


def opened(ann: Desk, *names: str) -> str:
    """An event that gives passes, in check-in."""
    path = ann.event()
    ann.post(f"{path}/passes/keys")
    ann.enter(path, *names)
    ann.post(f"{path}/registration/close")
    return path


def player(ann: Desk, path: str, number: int) -> Desk:
    return Desk(ann.client, ann.get(f"{path}/entries/{number}/code")["token"])


def test_from_a_players_pass_to_round_1_over_two_desks_without_a_network(ann: Desk, tmp_path: Path) -> None:
    path = opened(ann, *"abcd")
    for number in (1, 2, 3, 4):
        player(ann, path, number).post(f"{path}/entries/{number}/pass")
    desks = []
    for name in ("north door", "south door"):
        desk = prepare(tmp_path / name, read_sheet(ann.get(f"{path}/passes/sheet")))
        ann.post(f"{path}/passes/desks", {"address": desk.address, "name": name})
        desks.append(desk)
    text = {number: ann.get(f"{path}/entries/{number}/pass")["text"] for number in (1, 2, 3, 4)}
    now = int(time.time())
    assert [desks[0].admit(text[number], now).problems for number in (1, 2)] == [(), ()]
    assert [desks[1].admit(text[number], now).problems for number in (2, 3)] == [(), ()]
    for desk in desks:
        told = {"scans": [write_scan(one) for one in desk.unsynced]}
        fact = ann.post(f"{path}/passes/scans/sync", told)["fact"]
        desk.have_synced(max(one["counter"] for one in fact["scans"]))
        desk.close()
    assert open_desk(tmp_path / "north door", looking=True).unsynced == []
    assert ann.get(f"{path}/check-in")["checked_in"] == 3
    (found,) = ann.get(f"{path}/passes/unsettled")["players"]
    assert (found["entry"], [words.partition(" at ")[0] for words in found["scans"]]) == (
        2,
        ["north door", "south door"],
    )
    refused = ann.ask("POST", f"{path}/rounds", {})
    assert (refused.status_code, refused.json()["type"]) == (409, "/problems/scans-unsettled")
    assert all(word in refused.json()["detail"] for word in ("b (2)", "north door", "south door"))
    ann.post(f"{path}/entries/2/scans/settle", {"reason": "a copy, sent away"})
    assert ann.post(f"{path}/rounds", {})["fact"]["round"] == 1
    assert {desk["name"]: desk["scans"] for desk in ann.get(f"{path}/passes/desks")["desks"]} == {
        "north door": 2,
        "south door": 2,
    }
    assert ann.get(f"{path}/log/check")["holds"]


def test_the_server_lets_a_player_in_and_refuses_a_copy_with_the_reasons(ann: Desk) -> None:
    path = opened(ann, "ann")
    made = ann.post(f"{path}/entries/1/pass")
    came = ann.post(f"{path}/passes/scans", {"text": made["entry_pass"]["text"]})
    assert (came["name"], came["ownership"], came["bound"]) == ("ann", "ownership not looked at", False)
    assert ann.get(f"{path}/entries/1")["checked_in"]
    again = ann.ask("POST", f"{path}/passes/scans", {"text": made["entry_pass"]["text"]})
    assert (again.status_code, again.json()["entry"]) == (409, 1)
    assert [one["mark"] for one in again.json()["findings"]] == ["good"] * 5 + ["bad", "good"]


def test_the_picture_is_what_the_pass_says(ann: Desk) -> None:
    path = opened(ann, "ann")
    text = ann.post(f"{path}/entries/1/pass")["entry_pass"]["text"]
    drawn = ann.ask("GET", f"{path}/entries/1/pass/picture")
    assert (drawn.headers["content-type"], drawn.headers["cache-control"]) == ("image/svg+xml", "no-store")
    assert drawn.content == svg(text)


def test_a_pass_is_shown_to_its_player_and_kept_by_nobody_on_the_way(ann: Desk) -> None:
    path = opened(ann, *"ab")
    ann.post(f"{path}/entries/1/pass")
    own = player(ann, path, 1).ask("GET", f"{path}/entries/1/pass")
    assert (own.status_code, own.headers["cache-control"]) == (200, "no-store")
    assert player(ann, path, 2).ask("GET", f"{path}/entries/1/pass").status_code == 403
    assert player(ann, path, 2).ask("POST", f"{path}/entries/1/pass").status_code == 403


def test_revocations_are_as_of_now_and_believed_by_the_keys_that_were_promised(ann: Desk) -> None:
    path = opened(ann, *"ab")
    for number in (1, 2):
        ann.post(f"{path}/entries/{number}/pass")
    promised = parse_terms(ann.get(f"{path}/passes/keys")["terms"])

    def known() -> Any:
        said = read_revocations(ann.client.get(f"{path}/passes/revocations").json())
        return brief(said, event_id=promised.event_id, chain_id=promised.chain_id, keys=promised.keys)

    assert known().revoked == frozenset()
    assert abs(known().as_of - time.time()) < 60
    ann.post(f"{path}/entries/2/pass/revoke", {"reason": "lost"})
    assert known().revoked == {2}
    ann.post(f"{path}/passes/keys/rotate", {"reason": "a stolen laptop"})
    assert [key["in_use"] for key in ann.get(f"{path}/passes/keys")["keys"]] == [False, True, False, False]
    assert known().signed_by == 1


def test_a_pass_that_was_made_is_told_again_to_whoever_asks_again_with_the_same_id(ann: Desk) -> None:
    path = opened(ann, "ann")
    first = ann.ask("POST", f"{path}/entries/1/pass", {}, key="mine")
    ann.post(f"{path}/entries/1/pass/revoke", {"reason": "lost"})
    second = ann.ask("POST", f"{path}/entries/1/pass", {}, key="mine")
    assert second.json()["receipt"] == first.json()["receipt"]
    assert second.json()["entry_pass"]["standing"] == "revoked"


def test_as_many_scans_as_may_be_told_at_once_fit_into_a_body(ann: Desk) -> None:
    path = opened(ann, "ann")
    text = ann.post(f"{path}/entries/1/pass")["entry_pass"]["text"]
    desk, last = DeskKey(SigningKey(b"\x0b" * 32), 0), None
    ann.post(f"{path}/passes/desks", {"address": desk.key.address, "name": "north door"})
    made = []
    for _ in range(MOST_SCANS + 1):
        last = desk.scan(parse_payload(text).signed, 253_402_300_799, last)
        made.append(last)
    body = [write_scan(one) for one in made]
    assert len(json.dumps({"scans": body[:-1]})) < 256 * 1024
    assert ann.ask("POST", f"{path}/passes/scans/sync", {"scans": body}).status_code == 422
    ann.post(f"{path}/passes/scans/sync", {"scans": body[:-1]})
    event_id = parse_terms(ann.get(f"{path}/passes/keys")["terms"]).event_id
    assert chain_faults(made, event_id=event_id, chain_id=0) == []
    assert len(ann.get(f"{path}/passes/scans?limit=200")["scans"]) == 200
