"""An event through HTTP, from its announcement to the final standings."""

from fastapi.testclient import TestClient

from tests.tournament.people import Desk, games
from tournament.domain.model import Bye, Pairing, Player, PlayerId, Result, Round
from tournament.domain.standings import rank


def test_a_whole_swiss_event_is_played_and_its_standings_are_those_of_the_rules(ann: Desk, client: TestClient) -> None:
    path = ann.event(rounds=3)
    ann.enter(path, *"abcdefg")
    played = []
    for number in (1, 2, 3):
        ann.play(path, number)
        played.append(ann.get(f"{path}/rounds/{number}"))
    ann.post(f"{path}/finish")
    event = client.get(path).json()
    standings = client.get(f"{path}/standings").json()
    actions = ["edit the event", "correct a result", "archive the event"]
    assert (event["phase"], event["actions"], standings["after"]) == ("finished", actions, 3)
    players = [Player(id=PlayerId(str(n)), name=name) for n, name in enumerate("abcdefg", start=1)]
    rounds = [Round(one["number"], tuple(_seat(seat) for seat in one["seats"])) for one in played]
    expected = [(line.place, int(line.player), line.match_points) for line in rank(players, rounds)]
    assert [(line["place"], line["player"], line["match_points"]) for line in standings["standings"]] == expected
    for line in standings["standings"]:
        record = line["record"]
        assert 3 * (record["won"] + record["byes"]) + record["drawn"] == line["match_points"]
        assert (sum(record.values()), line["dropped"]) == (3, False)


def _seat(seat: dict) -> Pairing | Bye:  # type: ignore[type-arg]
    if seat["table"] is None:
        return Bye(PlayerId(str(seat["first"])))
    result = Result(seat["result"]["first"], seat["result"]["second"], seat["result"]["drawn"])
    return Pairing(seat["table"], PlayerId(str(seat["first"])), PlayerId(str(seat["second"])), result)


def test_the_draw_is_promised_at_once_and_told_at_the_end(ann: Desk, client: TestClient) -> None:
    path = ann.event()
    before = client.get(path).json()
    ann.post(f"{path}/void", {"reason": "the hall is flooded"})
    after = client.get(path).json()
    assert before["draw"] is None
    assert len(after["draw"]) == 64
    assert before["commitment"] == after["commitment"]


def test_nobody_but_staff_sees_an_event_before_it_is_published(ann: Desk, bea: Desk, client: TestClient) -> None:
    path = f"/events/{ann.post('/events', {'name': 'Secret'})['event']}"
    assert ann.ask("GET", path).status_code == 200
    assert bea.ask("GET", path).status_code == client.get(path).status_code == 404
    assert bea.ask("POST", f"{path}/publish").status_code == 404
    assert client.get("/events").json()["events"] == []
    assert len(ann.get("/events")["events"]) == 1


def test_nobody_but_staff_sees_a_draft(ann: Desk, client: TestClient) -> None:
    path = ann.event()
    ann.enter(path, "a", "b")
    ann.post(f"{path}/registration/close")
    ann.post(f"{path}/rounds")
    assert ann.ask("GET", f"{path}/rounds/1").status_code == 200
    assert client.get(f"{path}/rounds/1").status_code == 404
    assert client.get(f"{path}/rounds").json() == {"rounds": []}
    ann.post(f"{path}/rounds/publish")
    assert client.get(f"{path}/rounds/1").status_code == 200


def test_who_has_no_role_may_look_and_not_act(ann: Desk, bea: Desk, client: TestClient) -> None:
    path = ann.event()
    refused = bea.ask("POST", f"{path}/entries", {"name": "bea"})
    assert (refused.status_code, refused.json()["type"]) == (403, "/problems/not-yours")
    assert client.post(f"{path}/entries", json={"name": "x"}).status_code == 401
    ann.post(f"{path}/staff", {"account": "bea", "role": "desk"})
    assert bea.ask("POST", f"{path}/entries", {"name": "bea"}).status_code == 201
    assert bea.ask("POST", f"{path}/rounds").status_code == 403
    ann.post(f"{path}/staff/revoke", {"account": "bea", "role": "desk"})
    assert bea.ask("POST", f"{path}/entries", {"name": "cat"}).status_code == 403


def test_the_last_organizer_stays(ann: Desk) -> None:
    path = ann.event()
    refused = ann.ask("POST", f"{path}/staff/revoke", {"account": "ann", "role": "organizer"})
    assert refused.json()["type"] == "/problems/last-organizer"


def test_a_phase_forbids_what_does_not_belong_in_it(ann: Desk) -> None:
    path = ann.event()
    refused = ann.ask("POST", f"{path}/rounds")
    assert refused.status_code == 409
    assert refused.json()["detail"] == "cannot pair a round during registration"


def test_a_late_entry_plays_from_the_next_round_and_a_drop_no_more(ann: Desk) -> None:
    path = ann.event()
    a, b, c, d = ann.enter(path, "a", "b", "c", "d")
    seats = ann.start(path)
    late = ann.post(f"{path}/entries", {"name": "late"})["fact"]
    ann.post(f"{path}/entries/{a}/drop")
    for seat in seats:
        ann.report(path, 1, seat["table"])
    ann.post(f"{path}/rounds/close")
    seated = {player for seat in ann.start(path) for player in (seat["first"], seat["second"])} - {None}
    assert late["entered_in"] == 2
    assert seated == {b, c, d, late["entry"]}
    assert ann.get(f"{path}/entries/{a}")["dropped_after"] == 1


def test_a_player_who_returns_is_paired_again(ann: Desk) -> None:
    path = ann.event()
    a, *_ = ann.enter(path, "a", "b", "c", "d")
    ann.play(path, 1)
    ann.post(f"{path}/entries/{a}/drop")
    assert ann.ask("POST", f"{path}/entries/{a}/drop").json()["type"] == "/problems/not-playing"
    ann.post(f"{path}/entries/{a}/return")
    assert a in {player for seat in ann.start(path) for player in (seat["first"], seat["second"])}


def test_what_changes_the_field_discards_a_draft(ann: Desk) -> None:
    path = ann.event()
    a, *_ = ann.enter(path, "a", "b", "c")
    ann.post(f"{path}/registration/close")
    ann.post(f"{path}/rounds")
    ann.post(f"{path}/entries/{a}/drop")
    refused = ann.ask("POST", f"{path}/rounds/publish")
    assert (refused.status_code, refused.json()["type"]) == (409, "/problems/draft-missing")


def test_a_round_with_tables_that_play_is_not_closed_and_the_tables_are_named(ann: Desk) -> None:
    path = ann.event()
    ann.enter(path, *"abcd")
    ann.start(path)
    ann.report(path, 1, 2)
    assert ann.ask("POST", f"{path}/rounds/close").json()["tables"] == [[1, 1]]


def test_a_result_that_cannot_be_so_is_refused_with_every_reason(ann: Desk) -> None:
    path = ann.event()
    ann.enter(path, "a", "b")
    ann.start(path)
    refused = ann.ask("POST", f"{path}/rounds/1/tables/1/result", games(3, 3))
    assert refused.status_code == 422
    assert len(refused.json()["faults"]) == 2


def test_a_correction_and_its_correction_back_leave_the_standings_as_they_were(ann: Desk) -> None:
    path = ann.event()
    ann.enter(path, *"abcd")
    ann.play(path, 1)
    before = ann.get(f"{path}/standings")
    ann.ask("PUT", f"{path}/rounds/1/tables/1/result", games(0, 2))
    between = ann.get(f"{path}/standings")
    ann.ask("PUT", f"{path}/rounds/1/tables/1/result", games(2, 0))
    assert between != before == ann.get(f"{path}/standings")


def test_a_full_event_takes_nobody_until_somebody_leaves(ann: Desk) -> None:
    path = ann.event(capacity=2)
    a, _ = ann.enter(path, "a", "b")
    assert ann.ask("POST", f"{path}/entries", {"name": "c"}).json()["capacity"] == 2
    ann.post(f"{path}/entries/{a}/drop")
    assert ann.ask("POST", f"{path}/entries", {"name": "c"}).status_code == 201


def test_a_name_that_nobody_sees_whole_is_refused_as_in_an_event_file(ann: Desk) -> None:
    path = ann.event()
    for letter in "\x9b\u200b\u202e\u2028":
        for refused in (
            ann.ask("POST", f"{path}/entries", {"name": f"Eve{letter}n"}),
            ann.ask("POST", "/events", {"name": f"Op{letter}en"}),
        ):
            assert refused.status_code == 422
            assert "which no reader would see" in refused.text


def test_lists_come_in_pages(ann: Desk) -> None:
    for name in "xyz":
        ann.event(name)
    path = ann.event("last")
    ann.enter(path, *"abc")
    first = ann.get("/events?limit=3")
    rest = ann.get(f"/events?limit=3&before={first['next']}")
    assert [event["name"] for event in first["events"] + rest["events"]] == ["last", "z", "y", "x"]
    assert rest["next"] is None
    page = ann.get(f"{path}/entries?limit=2")
    assert ([entry["name"] for entry in page["entries"]], page["next"]) == (["a", "b"], 2)
    assert [entry["name"] for entry in ann.get(f"{path}/entries?limit=2&after=2")["entries"]] == ["c"]


def test_a_reader_who_has_the_version_gets_304(ann: Desk, client: TestClient) -> None:
    path = ann.event()
    tag = client.get(f"{path}/standings").headers["etag"]
    again = client.get(f"{path}/standings", headers={"If-None-Match": tag})
    ann.enter(path, "a")
    later = client.get(f"{path}/standings", headers={"If-None-Match": tag})
    assert (again.status_code, again.content, later.status_code) == (304, b"", 200)
