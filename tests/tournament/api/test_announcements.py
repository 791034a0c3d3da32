"""What is announced, through HTTP: templates, edits, clones, lists, the registration code."""

from fastapi.testclient import TestClient

from tests.tournament.people import Desk
from tournament.api.edge.bodies import JSON
from tournament.domain.announcement import CHANGEABLE
from tournament.domain.templates import TEMPLATES
from tournament.service.commands import Nothing


def test_anybody_sees_the_templates_and_an_event_announced_from_one_shows_all_of_it(
    ann: Desk, client: TestClient
) -> None:
    templates = {one["name"]: one for one in client.get("/templates").json()["templates"]}
    assert list(templates) == list(TEMPLATES)
    said = {"template": "cps-official", "time_zone": "Europe/Berlin", "starts_at": "2026-03-07T10:00", "capacity": 64,
            "ownership": "none"}  # fmt: skip
    path = ann.event("Spring Open", **said)
    event = client.get(path).json()
    assert (templates["cps-official"]["announced"] | {"ownership": "none"}).items() <= event.items()
    assert (event["starts_at"], event["starts_local"]) == ("2026-03-07T09:00:00.000000Z", "2026-03-07T10:00:00+01:00")
    assert CHANGEABLE.keys() <= event.keys()
    assert "registration_code" not in event
    assert not {"game", "format", "draw"} & set(event["may_change"])
    assert (event["entered"], event["planned_rounds"], event["planned_cut"]) == (0, 0, 0)
    ann.enter(path, *"abcdefghi")
    event = client.get(path).json()
    assert (event["entered"], event["planned_rounds"], event["planned_cut"]) == (9, 5, 4)


def test_what_cannot_be_announced_is_told_with_its_place_and_the_nearest_names(ann: Desk) -> None:
    refused = ann.ask("POST", "/events", {"name": "x", "game": "cgcg", "template": "cps", "starts_at": "soon"}).json()
    assert {fault["at"]: fault["problem"] for fault in refused["faults"]}.keys() == {
        "body/game", "body/template", "body/starts_at",
    }  # fmt: skip
    assert "did you mean 'cgccg'" in refused["detail"]
    answer = ann.ask("POST", "/events", {"name": "x", "format": "onetake", "cut": "points"})
    assert (answer.status_code, answer.json()["type"]) == (422, "/problems/announcement-contradicts")
    assert [fault["field"] for fault in answer.json()["faults"]] == ["format", "cut_points"]
    assert "did you mean 'one-take'" in answer.json()["detail"]


def test_an_edit_is_refused_field_by_field_and_the_draw_is_no_field_of_it(ann: Desk) -> None:
    path = ann.event()
    refused = ann.ask("PATCH", path, {"game": "cgccg", "name": "Autumn Open"})
    assert (refused.status_code, refused.json()["type"]) == (409, "/problems/edit-refused")
    assert [fault["field"] for fault in refused.json()["faults"]] == ["game"]
    assert ann.get(path)["name"] == "Spring Open"
    for fixed in ("draw", "commitment", "id", "registration_code"):
        refused = ann.ask("PATCH", path, {fixed: "0" * 64})
        assert (refused.status_code, refused.json()["faults"][0]["at"]) == (422, f"body/{fixed}")


def test_staff_see_what_every_edit_changed(ann: Desk, client: TestClient) -> None:
    path = ann.event(venue="Hall")
    ann.ask("PATCH", path, {"venue": "Library", "reason": "the hall is flooded"})
    ann.enter(path, "a")
    ann.ask("PATCH", path, {"capacity": 8, "waitlist": True})
    first = ann.get(f"{path}/edits?limit=1")
    rest = ann.get(f"{path}/edits?after={first['next']}")
    [one], [two] = first["edits"], rest["edits"]
    assert (one["actor"], one["reason"]) == ("ann", "the hall is flooded")
    assert one["changes"] == {"venue": {"before": "Hall", "after": "Library"}}
    assert two["changes"] == {"capacity": {"before": None, "after": 8}, "waitlist": {"before": False, "after": True}}
    assert rest["next"] is None
    assert client.get(f"{path}/edits").status_code == 403


def test_a_clone_is_a_draft_at_a_place_of_its_own(ann: Desk, bea: Desk) -> None:
    path = ann.event(template="cps-league")
    again = ann.ask("POST", f"{path}/clone", {"name": "Night 2"}, key="again")
    other = ann.get(again.headers["location"])
    assert (again.status_code, other["name"], other["phase"], other["published"]) == (201, "Night 2", "draft", False)
    assert other["format"] == "one-take"
    assert other["commitment"] != ann.get(path)["commitment"]
    assert ann.ask("POST", f"{path}/clone", {"name": "Night 2"}, key="again").content == again.content
    assert bea.ask("POST", f"{path}/clone").status_code == 403


def test_a_void_event_says_why(ann: Desk) -> None:
    path = ann.event()
    for nothing in (None, {}, {"reason": " "}):
        assert ann.ask("POST", f"{path}/void", nothing).status_code == 422
    ann.post(f"{path}/void", {"reason": "the hall is flooded"})
    assert ann.get(path)["actions"] == ["archive the event"]
    assert ann.get(path)["may_change"] == []


def test_an_event_is_hidden_and_put_away(ann: Desk, client: TestClient) -> None:
    path = ann.event()
    ann.post(f"{path}/unpublish")
    assert client.get(path).status_code == 404
    ann.post(f"{path}/publish")
    ann.enter(path, "a")
    assert ann.ask("POST", f"{path}/unpublish").json()["type"] == "/problems/players-entered"
    ann.post(f"{path}/void", {"reason": "flooded"})
    ann.post(f"{path}/archive")
    assert client.get("/events").json()["events"] == []
    assert [event["archived"] for event in client.get("/events?archived=true").json()["events"]] == [True]
    ann.post(f"{path}/unarchive")
    assert len(client.get("/events").json()["events"]) == 1


def test_a_list_is_of_what_was_asked_for(ann: Desk, client: TestClient) -> None:
    ann.event("Night 1", venue="Große Halle", starts_at="2026-03-07T19:00")
    ann.event("Night 2", starts_at="2026-03-08T19:00")
    ann.event("Comics", game="cgccg")

    def named(query: str) -> list[str]:
        answer = client.get(f"/events?{query}")
        assert answer.status_code == 200, answer.text
        return [event["name"] for event in answer.json()["events"]]

    assert named("text=GROSSE%20halle") == ["Night 1"]
    assert named("from=2026-03-07&to=2026-03-07") == ["Night 1"]
    assert named("from=2026-03-08") == ["Night 2"]
    assert named("to=9999-12-31") == ["Night 2", "Night 1"]
    assert named("game=cgccg&phase=registration") == ["Comics"]
    assert named("phase=between%20rounds") == named("series=s-nowhere") == []
    for wrong in ("text=%00", "game=%00", "series=%00", "phase=open", "from=soon", "archived=maybe"):
        assert client.get(f"/events?{wrong}").status_code == 422, wrong


def test_only_staff_see_the_registration_code_and_no_log_has_it(ann: Desk, client: TestClient) -> None:
    path = ann.event(registration="code")
    first = ann.get(f"{path}/registration/code")
    assert client.get(f"{path}/registration/code").status_code == 403
    assert ann.post(f"{path}/registration/code")["fact"] == {"generation": 2}
    second = ann.get(f"{path}/registration/code")
    assert first["code"] != second["code"]
    assert ((first["generation"]), second["generation"]) == (1, 2)
    log = ann.ask("GET", f"{path}/log").text
    assert not {first["code"], second["code"]} & set(log.split('"'))
    assert ann.get(f"{path}/log/check")["holds"]


def test_the_description_of_the_api_has_examples_of_announcements(client: TestClient) -> None:
    schemas = client.get("/openapi.json").json()["components"]["schemas"]
    assert {one["template"] for one in schemas["Create"]["examples"]} <= TEMPLATES.keys()
    assert not [
        field for field, shape in schemas["Edit"]["properties"].items() if "default" in shape and field != "reason"
    ]
    assert schemas["Create"]["required"] == ["name"]
    assert "required" not in schemas["Edit"]


def test_a_reason_that_no_database_keeps_is_unreadable(ann: Desk) -> None:
    path = ann.event()
    for command, said in (("PATCH", path), ("POST", f"{path}/void"), ("POST", f"{path}/publish")):
        assert ann.ask(command, said, {"reason": "a\x00b"}).status_code == 422
    assert ann.ask("GET", "/events/%00").status_code == ann.ask("POST", "/events/%00/clone").status_code == 422


def test_no_reason_of_a_command_has_what_a_terminal_obeys(ann: Desk, client: TestClient) -> None:
    """Whichever way it comes: a route with a reason of its own would let it into the log, or fail."""
    described = client.get("/openapi.json").json()
    shapes = described["components"]["schemas"]
    wanted = Nothing.model_json_schema()["properties"]["reason"]["pattern"]
    found = []
    for path, ways in described["paths"].items():
        for way, said in ways.items():
            body = said.get("requestBody", {}).get("content", {}).get("application/json", {}).get("schema", {})
            names = [one["$ref"].rpartition("/")[2] for one in (body, *body.get("anyOf", ())) if "$ref" in one]
            asked = [shapes[name].get("properties", {}).get("reason") for name in names]
            asked += [one["schema"] for one in said.get("parameters", ()) if one.get("name") in {"reason", "origin"}]
            found += [(way, path, shape.get("pattern")) for shape in asked if shape]
    assert len(found) > 100
    assert [one for one in found if one[-1] != wanted] == []
    path = ann.event()
    ann.enter(path, *"abcd")
    ann.start(path)
    swap = {"swaps": [{"one": 1, "other": 2}], "reason": "\x1b[31m"}
    for command, said in (("rounds/1/swap", swap), ("publish", {"reason": "\x9b31m"})):
        assert ann.ask("POST", f"{path}/{command}", said).status_code == 422
    for way in (f"{path}/entries/import?reason=%1b", "/events/import?reason=%1b", "/events/import?origin=%1b"):
        headers = {"Authorization": f"Bearer {ann.token}", "Content-Type": "text/csv" if "entries" in way else JSON}
        assert client.post(way, content="name\nAnn" if "entries" in way else "{}", headers=headers).status_code == 422
