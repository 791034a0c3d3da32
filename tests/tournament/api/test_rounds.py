"""Rounds, their clock, changes and repairs, the cut and undo through HTTP: who sees what, and when."""

from concurrent.futures import ThreadPoolExecutor

from fastapi.testclient import TestClient

from tests.tournament.people import Desk, games
from tournament.event_file import parse_event_file
from tournament.event_file.answers import places_of


def drafted(ann: Desk, *names: str, **announced: object) -> str:
    """An event with a draft of round 1."""
    path = ann.event(**announced)
    ann.enter(path, *names)
    ann.post(f"{path}/registration/close")
    ann.post(f"{path}/rounds")
    return path


def test_the_certificate_is_for_staff_until_the_round_is_published_and_never_tells_the_draw_too_early(
    ann: Desk, client: TestClient
) -> None:
    path = drafted(ann, "a", "b", "c")
    of_staff = ann.get(f"{path}/rounds/1/certificate")
    assert client.get(f"{path}/rounds/1/certificate").status_code == 404
    assert len(of_staff["draw"]) == 64
    ann.post(f"{path}/rounds/publish")
    public = client.get(f"{path}/rounds/1/certificate")
    assert of_staff["draw"] not in public.text
    assert public.json() == {**of_staff, "draw": None}
    assert "nobody meets again" in public.json()["words"]
    ann.post(f"{path}/void", {"reason": "flooded"})
    assert client.get(f"{path}/rounds/1/certificate").json()["draw"] == of_staff["draw"]


def test_a_change_by_hand_is_public_with_its_reason_once_the_round_is(ann: Desk, client: TestClient) -> None:
    path = drafted(ann, *"abcd")
    seats = ann.get(f"{path}/rounds/1")["seats"]
    change = {"swaps": [{"one": seats[0]["first"], "other": seats[1]["first"]}], "reason": "brothers"}
    ann.post(f"{path}/rounds/1/swap", change)
    assert ann.ask("POST", f"{path}/rounds/1/swap", {**change, "reason": ""}).status_code == 422
    for place in ("changes", "missing"):
        assert client.get(f"{path}/rounds/1/{place}").status_code == 404
    ann.post(f"{path}/rounds/publish")
    told = client.get(f"{path}/rounds/1/changes").json()
    assert (told["changes"][0]["because"], told["changes"][0]["how"]) == ("brothers", "by hand")
    assert told["gone"] == [{name: seat[name] for name in ("table", "first", "second", "bye")} for seat in seats]
    assert client.get(f"{path}/rounds/1").json()["changed"] == 1
    certificate = client.get(f"{path}/rounds/1/certificate").json()
    assert (certificate["as_paired"], "afterwards tables were changed once" in certificate["words"][-1]) == (
        False,
        True,
    )


def test_a_clock_is_told_in_instants_and_the_missing_tables_with_theirs(ann: Desk, client: TestClient) -> None:
    path = drafted(ann, *"abcde")
    ann.post(f"{path}/rounds/publish", {"minutes": 50})
    ann.post(f"{path}/clock/extend", {"table": 2, "minutes": 5, "reason": "deck check"})
    one, two = (client.get(f"{path}/rounds/1") for _ in range(2))
    assert one.content == two.content
    clock = one.json()["clock"]
    assert (clock["length_s"], clock["paused_at"], clock["left_s"]) == (3000, None, None)
    ann.report(path, 1, 1)
    missing = client.get(f"{path}/rounds/1/missing").json()
    assert (missing["tables"], [table["table"] for table in missing["missing"]]) == (2, [2])
    assert clock["started_at"] < clock["ends_at"] < missing["missing"][0]["ends_at"]
    ann.post(f"{path}/clock/pause")
    assert client.get(f"{path}/rounds/1").json()["clock"]["ends_at"] is None
    assert client.post(f"{path}/clock/resume").status_code == 401


def test_a_wrong_result_is_corrected_with_the_tables_in_one_command(ann: Desk, bea: Desk, client: TestClient) -> None:
    path = ann.event()
    ann.enter(path, *"abcdefgh")
    ann.play(path, 1)
    before = ann.start(path)
    right = games(0, 2)
    ways = ann.post(f"{path}/rounds/1/tables/1/repair", right)
    assert [way["way"] for way in ways["options"]][:2] == [
        "leave it",
        "change as few tables as make it as good as pairing again",
    ]
    assert bea.ask("POST", f"{path}/rounds/1/tables/1/repair", right).status_code == 403
    chosen = ways["options"][1]
    version = ann.get(path)["version"]
    receipt = ann.ask("PUT", f"{path}/rounds/1/tables/1/result", {**right, "option": chosen["option"]}).json()
    assert (receipt["name"], receipt["sequence"]) == ("round.repair", version + 1)
    assert "leave it" in [other["way"] for other in receipt["fact"]["others"]]
    assert client.get(f"{path}/rounds/1").json()["seats"][0]["result"]["second"] == 2
    after = client.get(f"{path}/rounds/2").json()["seats"]
    assert sum(seat not in before for seat in after) == chosen["changes"]
    assert client.get(f"{path}/rounds/2/changes").json()["changes"][0]["added"] == chosen["added"]
    again = ann.ask("PUT", f"{path}/rounds/1/tables/1/result", {**right, "option": chosen["option"]})
    assert again.json() == receipt
    stale = ann.ask("PUT", f"{path}/rounds/1/tables/1/result", {**games(1, 2), "option": chosen["option"]})
    assert (stale.status_code, stale.json()["type"]) == (409, "/problems/option-stale")
    gone = after[0]["first"]
    option = ann.post(f"{path}/rounds/repair/preview", {"leaves": gone})["options"][0]
    ann.post(f"{path}/rounds/repair", {"leaves": gone, "option": option["option"], "reason": "ill"})
    assert "ill" not in client.get(f"{path}/rounds/2/changes").text
    assert ann.get(f"{path}/log/check")["holds"]


def test_a_cut_is_played_through_and_the_export_gives_the_same_places(ann: Desk, client: TestClient) -> None:
    path = ann.event(rounds=1)
    ann.enter(path, *"abcdef")
    assert client.get(f"{path}/cut").json()["type"] == "/problems/cut-not-found"
    ann.play(path, 1)
    preview = ann.post(f"{path}/cut/preview", {"top": 4})
    ann.post(f"{path}/cut", {"top": 4, "form": "single elimination with third-place match"})
    cut = client.get(f"{path}/cut").json()
    seeds = [seed["player"] for seed in cut["seeds"]]
    assert (cut["seeds"], cut["ties"]) == (preview["seeds"], preview["ties"])
    assert cut["matches"][0] == {
        "match": "M1.1",
        "part": "main bracket",
        "round": "semifinals",
        "cut_round": 1,
        "first": {"player": seeds[0], "seed": 1, "winner_of": None, "loser_of": None},
        "second": {"player": seeds[3], "seed": 4, "winner_of": None, "loser_of": None},
        "ready": True,
        "waiting": False,
        "clock": None,
        "extra_minutes": 0,
        "ends_at": None,
        "outcome": None,
        "winner_to": "M2.1",
        "loser_to": "3RD",
    }
    ann.post(f"{path}/cut/clock/start", {"minutes": 60})
    ann.post(f"{path}/cut/matches/M1.1/extend", {"minutes": 5, "reason": "deck check"})
    timed = client.get(f"{path}/cut").json()["matches"]
    assert [match["extra_minutes"] for match in timed[:2]] == [5, 0]
    assert timed[0]["ends_at"] > timed[1]["ends_at"] == timed[0]["clock"]["ends_at"]
    assert ann.post(f"{path}/cut/clock/pause")["fact"]["matches"] == ["M1.1", "M1.2"]
    ann.post(f"{path}/cut/clock/resume", {"matches": ["M1.1"]})
    assert ann.post(f"{path}/cut/clock/adjust", {"seconds": -60})["fact"]["length_s"] == {"M1.1": 3540, "M1.2": 3540}
    for match in ("M1.1", "M1.2", "M2.1"):
        ann.post(f"{path}/cut/matches/{match}/result", games(2, 0))
    unseen = ann.ask("PUT", f"{path}/cut/matches/M1.1/result", games(0, 2))
    assert (unseen.status_code, unseen.json()["type"]) == (409, "/problems/correction-unseen")
    seen = ann.post(f"{path}/cut/matches/M1.1/correction", games(0, 2))
    assert seen["seen"] == unseen.json()["seen"]
    assert ann.ask("PUT", f"{path}/cut/matches/M1.1/result", {**games(0, 2), "seen": seen["seen"]}).status_code == 200
    ann.post(f"{path}/cut/leave", {"players": [seeds[2]], "why": "disqualified"})
    assert client.get(f"{path}/places").json()["complete"] is False
    ann.post(f"{path}/cut/matches/M2.1/result", games(2, 1))
    ann.post(f"{path}/finish")
    places = client.get(f"{path}/places").json()
    event = parse_event_file(client.get(f"{path}/export").content)
    assert places["complete"] is True
    assert places["places"][0]["players"] == [seeds[3]]
    assert [(one["first"], one["last"], one["players"]) for one in places["places"]] == [
        (place.first, place.last, list(map(int, place.players))) for place in places_of(event)
    ]
    assert ann.get(f"{path}/log/check")["holds"]


def test_a_command_is_undone_and_had_again(ann: Desk, client: TestClient) -> None:
    path = drafted(ann, *"abcd")
    published = ann.post(f"{path}/rounds/publish")["sequence"]
    undone = ann.post(f"{path}/undo", {"sequence": published, "reason": "too early"})
    assert (undone["fact"]["name"], undone["phase"]) == ("round.publish", "check-in")
    assert client.get(f"{path}/rounds/1").status_code == 404
    again = ann.post(f"{path}/undo", {"sequence": undone["sequence"], "reason": "it was time"})
    assert (again["fact"]["again"], client.get(f"{path}/rounds/1").status_code) == (True, 200)
    ann.report(path, 1, 1)
    refused = ann.ask("POST", f"{path}/undo", {"sequence": published, "reason": "too late"})
    assert (refused.status_code, refused.json()["type"]) == (409, "/problems/undo-refused")
    assert [change["name"] for change in refused.json()["changes"]] == ["result.report"]
    assert client.post(f"{path}/undo", json={"sequence": published, "reason": "x"}).status_code == 401
    assert ann.get(f"{path}/log/check")["holds"]


def test_of_two_scorekeepers_who_change_a_draft_and_publish_it_at_one_version_one_wins(ann: Desk, bea: Desk) -> None:
    path = drafted(ann, *"abcd")
    ann.post(f"{path}/staff", {"account": "bea", "role": "scorekeeper"})
    seats, version = ann.get(f"{path}/rounds/1")["seats"], ann.get(path)["version"]
    change = {"swaps": [{"one": seats[0]["first"], "other": seats[1]["first"]}], "reason": "brothers"}
    with ThreadPoolExecutor(2) as pool:
        asked = [
            pool.submit(ann.ask, "POST", f"{path}/rounds/1/swap", change, version=version),
            pool.submit(bea.ask, "POST", f"{path}/rounds/publish", version=version),
        ]
        won, lost = sorted((one.result() for one in asked), key=lambda answer: answer.status_code)
    assert (won.status_code, lost.status_code, lost.json()["type"]) == (200, 409, "/problems/stale-event")
    assert [change["name"] for change in lost.json()["changes"]] == [won.json()["name"]]


def test_every_way_that_a_match_ends_can_be_entered(ann: Desk, client: TestClient) -> None:
    # Magic Tournament Rules 2.4: an intentional draw is 0-0-3 in a best of three, who concedes has lost 2-0 or 2-1
    path = ann.event()
    ann.enter(path, *"abcdefghijkl")
    ann.start(path)
    said = [
        ("intentional draw", 0, 0, 3),
        ("concession", 2, 1, 0),
        ("no-show", 0, 2, 0),
        ("double loss", 0, 0, 0),
        ("penalty", 2, 0, 0),
        ("played", 1, 1, 1),
    ]
    for table, (ending, first, second, drawn) in enumerate(said, start=1):
        body = {"games": {"first": first, "second": second, "drawn": drawn, "ending": ending}}
        ann.post(f"{path}/rounds/1/tables/{table}/result", body)
    ann.post(f"{path}/rounds/close")
    points = [line["match_points"] for line in client.get(f"{path}/standings").json()["standings"]]
    assert sorted(points) == [0, 0, 0, 0, 0, 1, 1, 1, 1, 3, 3, 3]
