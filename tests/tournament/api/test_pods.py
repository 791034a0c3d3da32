"""A whole event at tables of four, over HTTP: announced, seated, reported by players and staff, corrected, exported."""

from typing import Any

from fastapi.testclient import TestClient

from tests.tournament.people import Desk
from tournament import event_file
from tournament.api.enclosures import enclosed
from tournament.database import Database
from tournament.event_file.proving import proofs_of
from tournament.service import news
from tournament.store import find_event


def of_player(desk: Desk, path: str, number: int) -> Desk:
    codes = desk.get(f"{path}/entries/codes")["codes"]
    return Desk(desk.client, next(one["token"] for one in codes if one["entry"] == number))


def there(seat: dict[str, Any]) -> list[int]:
    return [seat["first"], seat["second"], *seat["others"]]


def test_an_evening_at_tables_of_four(ann: Desk, database: Database, client: TestClient) -> None:
    path = ann.event("Tables of four", template="cgccg-family")
    ann.enter(path, *(f"Player {letter}" for letter in "ABCDEFGH"))
    one, other = ann.start(path)
    assert sorted(there(one) + there(other)) == list(range(1, 9))
    assert ann.get(f"{path}/rounds/1/missing")["missing"][0]["others"] == one["others"]
    assert ann.get(f"{path}/rounds/1/certificate")["proof"]["certain"] == "every seating was weighed, none is better"

    # the players of one table: one claims, two confirm, and the last one is late to look
    a, b, c, d = there(one)
    players = {number: of_player(ann, path, number) for number in (a, b, c, d)}
    mine = players[d].get(f"{path}/rounds/current/me")
    assert (mine["opponent"], [somebody["number"] for somebody in mine["opponents"]]) == (None, [a, b, c])
    claim = f"{path}/rounds/1/tables/{one['table']}/claim"
    places = {"places": [[a], sorted([b, c]), [d]]}
    number = players[a].post(claim, places)["sequence"]
    assert players[b].post(f"{claim}/confirm", {"claim": number})["fact"]["confirms"] is None
    assert players[c].post(claim, places)["fact"]["confirms"] is None
    mine = players[d].get(f"{path}/rounds/current/me")
    assert (mine["state"], mine["silent"], len(mine["others_claims"])) == ("one-sided", [d], 3)
    assert mine["others_claims"][0]["games"]["places"] == places["places"]
    assert ann.get(f"{path}/rounds/1/claims")["tables"][0]["silent"] == [d]
    assert players[d].post(f"{claim}/confirm", {"claim": number})["fact"]["confirms"] == number
    assert players[a].get(f"{path}/rounds/current/me")["result"] == {**places, "ending": "played"}

    # staff report the other one, wrongly, and correct it a round later
    result = f"{path}/rounds/1/tables/{other['table']}/result"
    e, f, g, h = there(other)
    refused = ann.ask("POST", result, {"games": {"first": 2, "second": 0}})
    assert (refused.status_code, refused.json()["type"]) == (422, "/problems/result-refused")
    assert ann.ask("POST", result, {"games": {"places": [[e], [f], [g]]}}).json()["faults"] == [f"{h} is not placed"]
    ann.post(result, {"games": {"places": [[e], [f], [g], [h]]}})
    assert ann.ask("POST", f"{path}/cut").json()["type"] in {
        "/problems/pods-without-cut",
        "/problems/action-not-allowed",
    }
    ann.start(path)
    right = {"games": {"places": [[h], [g], [f], [e]]}}
    refused = ann.ask("POST", f"{path}/rounds/1/tables/{other['table']}/repair", right)
    assert refused.json()["type"] == "/problems/pods-not-mended"
    assert ann.ask("PUT", result, right).status_code == 200
    version = ann.get(path)["version"]
    with database.reading() as session:
        row = find_event(session, path.removeprefix("/events/"))
        assert row is not None
        told = news.told(row.id, news.read_since(session, row.id, version - 1, limit=1)[0]).public
        assert told is not None
        assert told.games == {**right["games"], "ending": "played"}
        assert [one["number"] for one in enclosed(session, row, told)["players"]] == there(other)
    for seat in ann.get(f"{path}/rounds/2")["seats"]:
        ann.post(f"{path}/rounds/2/tables/{seat['table']}/result", {"games": {"places": [], "ending": "double loss"}})
    ann.post(f"{path}/rounds/close")
    lines = ann.get(f"{path}/standings")["standings"]
    assert {line["player"]: line["match_points"] for line in lines} == dict.fromkeys(range(1, 9), 0) | {a: 7, h: 7}
    ann.post(f"{path}/finish")
    event = event_file.parse_event_file(client.get(f"{path}/export").content)
    assert (event.pod_size, [proof.faults for proof in proofs_of(event)]) == (4, [(), ()])
    held = ann.get(f"{path}/entries/{h}/held")
    assert held["rounds"][0]["games"]["places"] == right["games"]["places"]
