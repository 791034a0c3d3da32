"""A league through HTTP: two nights, one table."""

from fastapi.testclient import TestClient

from tests.tournament.people import Desk


def night(ann: Desk, *players: str, **said: object) -> str:
    """The id of a finished event."""
    path = ann.event("Night", **said)
    ann.enter(path, *players)
    ann.play(path, 1)
    ann.post(f"{path}/finish")
    return path.removeprefix("/events/")


def league(ann: Desk, **points: object) -> str:
    made = ann.ask("POST", "/series", {"name": "Spring League", "points": points}, key="league")
    assert made.status_code == 201, made.text
    ann.post(f"{made.headers['location']}/publish")
    return str(made.headers["location"])


def test_a_league_of_two_nights_has_one_table_with_what_each_night_gave(ann: Desk, client: TestClient) -> None:
    path = league(ann, by_place=[5, 3], shared_place="split", best=2)
    one, two = night(ann, "Ann", "Bob"), night(ann, "ann", "Cat")
    ann.post(f"{path}/events", {"event": one})
    ann.post(f"{path}/events", {"event": two, "multiplier": "1.5"})
    assert client.get(path).json()["events"] == [
        {"event": one, "multiplier": "1"},
        {"event": two, "multiplier": "3/2"},
    ]
    shown = client.get(f"{path}/standings").json()
    assert [(event["event"], event["phase"], event["counts"]) for event in shown["events"]] == [
        (one, "finished", True),
        (two, "finished", True),
    ]
    [of_ann] = [line for line in shown["standings"] if line["name"] == "ann"]
    assert [(given["event"], given["entry"]) for given in of_ann["contributions"]] == [(one, 1), (two, 1)]
    by_place = {(one, 1): "5", (one, 2): "3", (two, 1): "15/2", (two, 2): "9/2"}
    for line in shown["standings"]:
        for given in line["contributions"]:
            assert given["points"] == by_place[given["event"], given["place"]]
    assert [
        event["id"] for event in client.get(f"/events?series={path.removeprefix('/series/')}").json()["events"]
    ] == [
        two,
        one,
    ]
    ann.post(f"{path}/events/{two}/take")
    assert len(client.get(f"{path}/standings").json()["events"]) == 1


def test_a_reader_of_a_table_gets_304_until_the_series_or_one_of_its_events_changes(
    ann: Desk, client: TestClient
) -> None:
    path = league(ann, participation=1)
    event = night(ann, "Ann", "Bob")
    ann.post(f"{path}/events", {"event": event})

    def status(tag: str) -> int:
        return client.get(f"{path}/standings", headers={"If-None-Match": tag}).status_code

    first = client.get(f"{path}/standings").headers["etag"]
    assert status(first) == 304
    ann.ask("PUT", f"/events/{event}/rounds/1/tables/1/result", {"games": {"first": 0, "second": 2}})
    ann.ask("PATCH", f"/events/{event}", {"name": "Night 1"})
    second = client.get(f"{path}/standings")
    assert (status(first), status(second.headers["etag"])) == (200, 304)
    assert second.json()["events"][0]["name"] == "Night 1"
    ann.ask("PATCH", path, {"points": {"participation": 2}})
    assert status(second.headers["etag"]) == 200


def test_ambiguous_names_are_listed_until_an_organizer_says_who_is_who(ann: Desk, client: TestClient) -> None:
    path = league(ann, participation=1)
    one, two = night(ann, "Ann Lee", "Bob"), night(ann, "Ann Lee", "ANN LEE")
    for event in (one, two):
        ann.post(f"{path}/events", {"event": event})
    [ambiguous] = client.get(f"{path}/standings").json()["ambiguous"]
    assert set(ambiguous["names"]) == {"Ann Lee", "ANN LEE"}
    assert len(ambiguous["persons"]) == 3
    said = {"entries": [{"event": one, "entry": 1}, {"event": two, "entry": 1}], "verdict": "one person"}
    assert client.post(f"{path}/people", json=said).status_code == 401
    ann.post(f"{path}/people", said)
    assert client.get(f"{path}/standings").json()["ambiguous"] == []
    wrong = {**said, "entries": [{"event": one, "entry": 1}, {"event": two, "entry": 2}]}
    refused = ann.ask("POST", f"{path}/people", wrong)
    assert (refused.status_code, refused.json()["pairs"]) == (409, [[f"{two}/1", f"{two}/2"]])
    twice = {**said, "entries": [{"event": one, "entry": 1}] * 2}
    assert ann.ask("POST", f"{path}/people", twice).status_code == 422


def test_a_series_is_seen_by_its_organizers_until_it_is_published(ann: Desk, bea: Desk, client: TestClient) -> None:
    path = ann.ask("POST", "/series", {"name": "Secret"}, key="s").headers["location"]
    assert client.get(path).status_code == bea.ask("GET", path).status_code == 404
    assert client.get("/series").json()["series"] == []
    ann.post(f"{path}/organizers", {"account": "bea"})
    assert bea.get(f"{path}/organizers") == {"organizers": ["ann", "bea"]}
    bea.post(f"{path}/publish")
    assert client.get(path).json()["name"] == "Secret"
    assert client.get(f"{path}/organizers").status_code == client.get(f"{path}/log").status_code == 403
    ann.post(f"{path}/organizers/revoke", {"account": "bea"})
    assert bea.ask("POST", f"{path}/archive").status_code == 403
    ann.post(f"{path}/archive")
    assert client.get("/series").json()["series"] == []
    assert [one["name"] for one in client.get("/series?archived=true&text=SECRET").json()["series"]] == ["Secret"]
    ann.post(f"{path}/unarchive")


def test_series_are_listed_in_pages_and_by_game_and_words(ann: Desk, client: TestClient) -> None:
    for number, game in enumerate(["cps", None, "cgccg"], start=1):
        made = ann.post("/series", {"name": f"League {number}", "game": game})
        ann.post(f"/series/{made['event']}/publish")
    first = client.get("/series?limit=2").json()
    rest = client.get(f"/series?limit=2&before={first['next']}").json()
    assert [one["name"] for one in (*first["series"], *rest["series"])] == ["League 3", "League 2", "League 1"]
    assert [one["name"] for one in client.get("/series?game=cgccg").json()["series"]] == ["League 3"]
    assert [one["name"] for one in client.get("/series?text=league%202").json()["series"]] == ["League 2"]


def test_the_log_of_a_series_is_read_and_checked_like_an_events(ann: Desk) -> None:
    path = league(ann)
    ann.ask("PATCH", path, {"name": "Autumn League"})
    log = ann.get(f"{path}/log?limit=2")
    assert [(one["name"], one["phase"], one["event"]) for one in log["receipts"]] == [
        ("series.create", "", path.removeprefix("/series/")),
        ("series.publish", "", path.removeprefix("/series/")),
    ]
    assert ann.get(f"{path}/log?after={log['next']}")["receipts"][0]["previous"] == log["receipts"][-1]["hash"]
    assert ann.get(f"{path}/log/check") == {"holds": True, "version": 3, "breaks": [], "differences": []}


def test_what_is_wrong_with_a_scheme_is_told_with_its_place(ann: Desk) -> None:
    points = {"by_place": [1, -1], "per_match_point": 0.5, "best": 0, "colour": "red"}
    refused = ann.ask("POST", "/series", {"name": "x", "game": "cpss", "points": points}).json()
    assert {fault["at"] for fault in refused["faults"]} == {
        "body/game", "body/points/by_place/1", "body/points/per_match_point", "body/points/best", "body/points/colour",
    }  # fmt: skip


def test_a_player_organizes_no_series_and_an_unknown_one_is_not_there(ann: Desk, client: TestClient) -> None:
    assert client.post("/series", json={"name": "x"}).status_code == 401
    assert ann.ask("POST", "/series/s-nowhere/publish").status_code == 404
    assert client.get("/series/%00").status_code == 422
    assert ann.ask("POST", "/series/s-nowhere/events", {"event": "\x00"}).status_code == 422
    assert ann.ask("POST", "/series/s-nowhere/events/%00/take").status_code == 422
    assert ann.ask("POST", f"/series/s-nowhere/events/{'x' * 300}/take").status_code == 404
    assert client.get("/series/s-nowhere/standings").json()["type"] == "/problems/series-not-found"
