"""Pages as they are sent: what they say, to whom, with which headers."""

import re
from html import unescape

import pytest
from fastapi.testclient import TestClient

from tests.tournament.floor import Floor
from tests.tournament.people import account
from tests.tournament.web.world import HOSTILE, NOON, World, asking
from tournament.api import documents
from tournament.database import Database
from tournament.service import events
from tournament.service.commands import Nothing
from tournament.web import guide
from tournament.web.answers import CAREFUL


def addresses(world: World) -> dict[str, str]:
    """Every page that anybody may look at."""
    return {
        "events": "/",
        "event": f"/e/{world.upcoming}",
        "players": f"/e/{world.running}/players",
        "pairings": f"/e/{world.running}/pairings",
        "pairings by table": f"/e/{world.running}/pairings/2?by=table",
        "somebody found": f"/e/{world.running}/pairings?name=ann",
        "tables of several": f"/e/{world.pods}/pairings?by=table",
        "several by name": f"/e/{world.pods}/pairings",
        "certificate": f"/e/{world.running}/pairings/2/why",
        "standings": f"/e/{world.running}/standings",
        "opponents": f"/e/{world.finished}/standings?player=3",
        "bracket": f"/e/{world.finished}/bracket",
        "evidence": f"/e/{world.finished}/evidence",
        "register": f"/e/{world.upcoming}/register",
        "check": "/check",
        "series": f"/s/{world.series}",
        "problems": "/problems",
        "a problem": "/problems/stale-event",
        "rulings": "/rulings",
        "nothing": "/nothing-is-here",
    }


NAMES = tuple(addresses(World("", "", "", "", "", "", "")))


@pytest.mark.parametrize("name", NAMES)
def test_a_page_is_whole_careful_and_in_the_readers_language(site: TestClient, world: World, name: str) -> None:
    for language in ("en", "es"):
        answer = site.get(addresses(world)[name], headers={"Accept-Language": language})
        assert answer.status_code == (404 if name == "nothing" else 200), answer.text
        assert answer.headers["content-type"] == "text/html; charset=utf-8"
        assert {key: answer.headers[key] for key in CAREFUL} == CAREFUL
        assert f'<html lang="{language}"' in answer.text
        assert "Accept-Language" in answer.headers["vary"]
        assert not re.search(r"<script(?! src=)|<style|\sstyle=|\son\w+=", answer.text)


def test_a_program_is_answered_as_before(site: TestClient, world: World) -> None:
    assert site.get(f"/events/{world.running}").json()["name"] == "Spring Open"
    refused = site.get("/events/none")
    assert (refused.status_code, refused.headers["content-type"]) == (404, "application/problem+json")
    nothing = site.get("/nothing-is-here", headers={"Accept": "application/json"})
    assert nothing.json()["type"] == "/problems/path-not-found"
    wrong = site.request("PUT", "/health", json={})
    assert (wrong.status_code, wrong.json()["type"]) == (405, "/problems/method-not-allowed")


def test_a_page_is_kept_until_something_happens_and_is_another_one_in_another_language(
    site: TestClient, seeded: Database, world: World
) -> None:
    address = f"/e/{world.upcoming}"
    first = site.get(address)
    tag = first.headers["etag"].removeprefix("W/")
    assert site.get(address, headers={"If-None-Match": tag}).status_code == 304
    assert site.get(address, headers={"If-None-Match": tag, "Accept-Language": "es"}).status_code == 200
    Floor(seeded, world.upcoming).does(events.EDIT, events.Edit(venue="New Library"))
    after = site.get(address, headers={"If-None-Match": tag})
    assert after.status_code == 200
    assert "New Library" in after.text


def test_events_are_listed_by_when_they_are_on_either_database(database: Database) -> None:
    account("ann", database)
    for name, day in (("Later", "2026-05-01T10:00"), ("Sooner", "2026-04-01T10:00"), ("Elsewhere", "2026-03-01T10:00")):
        announced = events.Create(name=name, starts_at=day, venue="Peking" if name == "Elsewhere" else "Library")
        floor = Floor(database, events.create(database, asking(), announced).event, now=NOON)
        floor.ids = iter([name])  # type: ignore[list-item]
        floor.does(events.PUBLISH, Nothing())
    with database.reading() as session:
        upcoming = documents.agenda_of(session, None, "").upcoming
        found = documents.agenda_of(session, None, "pEk")
    assert [one.name for one in upcoming] == ["Elsewhere", "Sooner", "Later"]
    assert [one.name for one in (*found.running, *found.upcoming, *found.past)] == ["Elsewhere"]


def test_an_event_that_is_not_published_is_nowhere(site: TestClient, world: World) -> None:
    for below in ("", "/players", "/pairings", "/standings", "/bracket", "/evidence", "/register", "/event.ics"):
        assert site.get(f"/e/{world.draft}{below}").status_code == 404
    assert "Secret Plans" not in site.get("/").text
    assert "Secret Plans" in site.get("/", headers={"Authorization": "Bearer dp_ann"}).text


def test_what_somebody_typed_is_text_and_nothing_else(site: TestClient, world: World) -> None:
    for below in ("", "/players", "/pairings", "/pairings?by=table", "/standings?player=1", "/pairings/1/why"):
        page = site.get(f"/e/{world.hostile}{below}").text
        assert "<svg onload" not in page
        assert "<script>" not in page
    players = unescape(site.get(f"/e/{world.hostile}/players").text)
    assert [name for name in HOSTILE if f'<bdi class="name">{name}</bdi>' not in players] == []


def test_what_is_typed_to_find_somebody_is_only_text_too(site: TestClient, world: World) -> None:
    page = site.get(f"/e/{world.running}/pairings", params={"name": '"><script>alert(1)</script>'})
    assert "<script>" not in page.text
    assert "Nobody is called that." in page.text


def test_a_name_is_found_however_it_is_typed(site: TestClient, world: World) -> None:
    page = site.get(f"/e/{world.running}/pairings", params={"name": "ANN  ex"}).text
    (answers,) = re.findall(r'<tbody class="answers">(.*?)</tbody>', page, re.DOTALL)
    assert re.findall(r'<th scope="row"><bdi class="name">(.*?)</bdi>', answers) == ["Ann Example"]


def test_a_table_of_several_is_told_with_everybodys_place(site: TestClient, world: World) -> None:
    page = site.get(f"/e/{world.pods}/pairings?by=table").text
    over, plays = re.findall(r'<ul class="chairs">(.*?)</ul>', page, re.DOTALL)
    assert re.findall(r'<span class="place">(\d)</span>', over) == ["1", "2", "3", "3"]
    assert plays.count('<bdi class="name">') == 4
    assert "place" not in plays


def test_the_whole_list_is_one_page_for_printing(site: TestClient, world: World) -> None:
    page = site.get(f"/e/{world.running}/standings?page=0").text
    assert page.count('<th scope="row">') == 16


def test_a_times_zone_is_the_events(site: TestClient, world: World) -> None:
    page = site.get(f"/e/{world.upcoming}").text
    assert '<time datetime="2026-10-03T08:00:00Z">Sat 3 Oct 2026, 10:00 CEST</time>' in page
    spanish = site.get(f"/e/{world.upcoming}", headers={"Accept-Language": "es-MX, en;q=0.5"}).text
    assert '<time datetime="2026-10-03T08:00:00Z">sáb 3 oct 2026, 10:00 CEST</time>' in spanish


def test_a_calendar_gets_the_event(site: TestClient, world: World) -> None:
    answer = site.get(f"/e/{world.upcoming}/event.ics")
    assert answer.headers["content-type"] == "text/calendar; charset=utf-8"
    assert "DTSTART:20261003T080000Z\r\n" in answer.text
    assert "DESCRIPTION:Bring your deck and a friend.\\n\\nFood" in answer.text
    assert max(len(line.encode()) for line in answer.text.split("\r\n")) <= 75


# --- files ------------------------------------------------------------------------------------------------------------


def test_files_have_their_hash_in_the_name_and_are_kept_for_ever(site: TestClient) -> None:
    page = site.get("/").text
    files = re.findall(r'"(/static/[^"#]+)', page)
    assert {file.rpartition(".")[2] for file in files} == {"css", "js", "svg"}
    for file in set(files):
        answer = site.get(file)
        assert answer.headers["cache-control"] == "public, max-age=31536000, immutable"
        assert re.fullmatch(r"/static/\w+\.[0-9a-f]{10}\.\w+", file)
    assert site.get("/static/app.css").status_code == 404
    assert site.get("/static/..%2fassets.py").status_code == 404


# --- choices and forms ------------------------------------------------------------------------------------------------


def sent(site: TestClient, address: str, **typed: str) -> object:
    return site.post(address, data=typed)


def test_look_and_language_are_chosen_without_javascript(site: TestClient, world: World) -> None:
    back = f"/e/{world.running}/pairings?by=table"
    answer = site.post("/look", data={"look": "dark", "back": back})
    assert (answer.status_code, answer.headers["location"]) == (303, back)
    site.post("/look", data={"language": "es", "back": "/"})
    page = site.get("/").text
    assert '<html lang="es" data-look="dark">' in page


@pytest.mark.parametrize(
    "back", ["https://evil.example/", "//evil.example", "/\\evil.example", "javascript:alert(1)", "/a\r\nX: y", ""]
)
def test_a_choice_leads_back_to_our_own_pages_alone(site: TestClient, back: str) -> None:
    assert site.post("/look", data={"look": "dark", "back": back}).headers["location"] == "/"


def test_a_form_of_another_site_is_refused(site: TestClient, world: World) -> None:
    for address in ("/look", "/check", f"/e/{world.upcoming}/register"):
        for headers in ({"Sec-Fetch-Site": "cross-site"}, {"Sec-Fetch-Site": "", "Origin": "https://evil.example"}):
            refused = site.post(address, data={"name": "Mallory"}, headers=headers)
            assert refused.status_code == 403
            assert refused.headers["content-type"] == "text/html; charset=utf-8"


def test_a_form_takes_no_json_and_the_api_takes_no_form(site: TestClient, world: World) -> None:
    assert site.post(f"/e/{world.upcoming}/register", json={"name": "Mallory"}).status_code == 415
    assert site.post(f"/events/{world.upcoming}/registrations", data={"name": "Mallory"}).status_code == 415


def test_a_player_registers_by_a_form_and_twice_is_once(site: TestClient, world: World) -> None:
    address = f"/e/{world.upcoming}/register"
    key = re.findall(r'name="key" value="([^"]+)"', site.get(address).text)[0]
    empty = site.post(address, data={"key": key, "name": " "})
    assert empty.status_code == 422
    assert 'aria-invalid="true"' in empty.text
    assert f'value="{key}"' in empty.text
    done = site.post(address, data={"key": key, "name": "Zoë Last"})
    assert done.status_code == 201
    (code,) = re.findall(r"<code>([0-9A-Z-]{14})</code>", done.text)
    header = done.text.partition("<main")[0]
    assert "Zoë Last" in header
    assert "Sign in" not in header
    assert code in site.post(address, data={"key": key, "name": "Zoë Last"}).text
    assert done.headers["cache-control"] == "no-store"
    assert site.get(f"/e/{world.upcoming}/players").text.count('class="name">Zoë Last<') == 1
    assert site.get(f"/events/{world.upcoming}/entries/me").json()["entry"]["name"] == "Zoë Last"


def test_a_refusal_stands_above_the_form_with_what_was_typed(site: TestClient, world: World) -> None:
    refused = site.post(f"/e/{world.running}/register", data={"key": "a" * 24, "name": "Too Late"})
    assert refused.status_code == 409
    assert 'role="alert"' in refused.text
    assert 'value="Too Late"' in refused.text
    spanish = {"Accept-Language": "es"}
    refused = site.post(f"/e/{world.running}/register", data={"key": "b" * 24, "name": "Too Late"}, headers=spanish)
    assert ">La fase del torneo no permite la acción<" in refused.text
    assert re.search(r'<p lang="en">\w', refused.text)


def test_what_is_said_once_is_said_once_and_only_in_our_words(site: TestClient) -> None:
    waiting = "WyJ3YWl0aW5nIiwgeyJuYW1lIjogIjxiPiJ9XQ=="  # ["waiting", {"name": "<b>"}]
    first = site.get("/", headers={"Cookie": f"said={waiting}"})
    assert "Every place is taken, &lt;b&gt;." in first.text
    assert 'said=""; expires=' in first.headers["set-cookie"].lower()
    for forged in ("WyJvd24gd29yZHMiLCB7fV0=", "nonsense", "WyJ3YWl0aW5nIiwge31d"):
        assert 'class="said"' not in site.get("/", headers={"Cookie": f"said={forged}"}).text


# --- the guide on the site --------------------------------------------------------------------------------------------


def test_every_type_of_a_problem_leads_to_a_page(site: TestClient) -> None:
    found = guide.problems()
    assert len(found) > 200
    assert "path-not-found" in found
    page = site.get("/problems/decklist-unreadable").text
    assert "What to do." in page
    assert '.md"' not in "".join(one.body for one in found.values())
    assert site.get("/problems/none-such").status_code == 404


def test_rulings_are_without_the_names_of_tests(site: TestClient) -> None:
    page = site.get("/rulings").text
    assert "A limit on the card wins." in page
    assert "test_" not in page


# --- whose cookie is worth nothing any more ---------------------------------------------------------------------------


def test_a_cookie_that_is_worth_nothing_is_dropped_and_the_page_is_shown(site: TestClient, world: World) -> None:
    for address in ("/", f"/e/{world.running}/pairings?by=table"):
        kept = {"Cookie": "deckproof=dpb_of-yesterday"}
        answer = site.get(address, headers=kept)
        assert (answer.status_code, answer.headers["location"]) == (303, address)
        assert answer.headers["set-cookie"].startswith('deckproof=""; ')


def test_a_bug_is_a_page_that_tells_nothing(site: TestClient, world: World, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(guide, "page", lambda _: 1 / 0)
    answer = site.get("/rulings")
    assert answer.status_code == 500
    assert "Our fault" in answer.text
    assert "division" not in answer.text
