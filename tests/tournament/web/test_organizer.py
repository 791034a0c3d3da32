"""Rooms of organizers, as they are sent: who may see them, what their forms do, what is said of faults."""

import json
import re
from dataclasses import dataclass
from html import unescape
from itertools import count

import pytest
from fastapi.testclient import TestClient
from httpx2 import Response

from tests.tournament.floor import Floor
from tests.tournament.people import account
from tests.tournament.web.world import HOSTILE, NOON, World, asking
from tournament.database import Database
from tournament.domain.announcement import CHANGEABLE
from tournament.domain.presets import PRESETS
from tournament.domain.templates import TEMPLATES
from tournament.service import entries, events
from tournament.service.preparations import Need
from tournament.web import announcement, words
from tournament.web.announcement import FIELDS, GROUPS

_KEYS = count()


@dataclass
class Person:
    """Somebody with a browser, as far as it sends headers."""

    site: TestClient
    name: str = "ann"

    def get(self, path: str) -> Response:
        return self.site.get(path, headers=self._headers())

    def text(self, path: str) -> str:
        answer = self.get(path)
        assert answer.status_code == 200, answer.text
        return plain(answer.text)

    def post(self, path: str, **typed: object) -> Response:
        typed.setdefault("key", f"organizer-{next(_KEYS)}")
        return self.site.post(path, data={name: str(said) for name, said in typed.items()}, headers=self._headers())

    def does(self, path: str, **typed: object) -> str:
        """Sends a form that is obeyed; where it leads."""
        answer = self.post(path, **typed)
        assert answer.status_code == 303, plain(answer.text)
        return str(answer.headers["location"])

    def refused(self, path: str, **typed: object) -> str:
        """Sends a form that is not obeyed; the page."""
        answer = self.post(path, **typed)
        assert answer.status_code >= 400, answer.headers["location"]
        return plain(answer.text)

    def form(self, path: str) -> dict[str, str]:
        """What the largest form of a page has in its fields."""
        return fields_of(self.get(path).text)

    def _headers(self) -> dict[str, str]:
        return {"Authorization": f"Bearer dp_{self.name}"} if self.name else {}


def plain(page: str) -> str:
    """A page without its tags."""
    return re.sub(r"\s+", " ", unescape(re.sub(r"<[^>]*>", " ", page)))


def fields_of(page: str) -> dict[str, str]:
    body = re.search(r'<form[^>]*class="org-announce".*?</form>', page, re.DOTALL)
    assert body is not None
    found: dict[str, str] = {}
    for tag in re.findall(r"<input[^>]*>", body[0]):
        named = dict(re.findall(r'(\w[\w-]*)="([^"]*)"', tag))
        if "name" in named and (named.get("type") != "checkbox" or "checked" in tag):
            found[named["name"]] = unescape(named.get("value", ""))
    for name, inner in re.findall(r'<textarea[^>]*name="(\w+)"[^>]*>(.*?)</textarea>', body[0], re.DOTALL):
        found[name] = unescape(inner)
    for name, inner in re.findall(r'<select[^>]*name="(\w+)"[^>]*>(.*?)</select>', body[0], re.DOTALL):
        chosen = re.search(r'value="([^"]*)" selected', inner)
        found[name] = unescape(chosen[1]) if chosen else ""
    return found


@pytest.fixture
def ann(site: TestClient) -> Person:
    return Person(site)


@pytest.fixture(scope="module")
def bea(seeded: Database, world: World) -> str:
    account("bea", seeded)
    return "bea"


@pytest.fixture
def event(seeded: Database, world: World) -> str:
    """A draft of ann's."""
    made = events.create(seeded, asking(), events.Create(name="Summer Cup", starts_at="2030-07-06T10:00"))  # type: ignore[arg-type]
    return made.event


def floor_of(seeded: Database, event: str) -> Floor:
    return Floor(seeded, event, now=NOON, ids=count(next(_KEYS) * 1000 + 50_000_000))


def rooms(event: str) -> list[str]:
    inside = (
        "",
        "/settings",
        "/players",
        "/players/roster",
        "/staff",
        "/texts",
        "/texts/results",
        "/files",
        "/webhooks",
    )
    return [f"/e/{event}/organize{room}" for room in inside]


# --- who --------------------------------------------------------------------------------------------------------------


def test_rooms_of_organizers_are_for_organizers(ann: Person, site: TestClient, event: str, bea: str) -> None:
    for room in rooms(event):
        assert ann.get(room).status_code == 200, room
        assert Person(site, bea).get(room).status_code in {303, 403, 404}, room
        assert Person(site, "").get(room).status_code in {303, 401}, room


def test_a_judge_of_the_event_is_no_organizer(site: TestClient, seeded: Database, event: str, bea: str) -> None:
    floor_of(seeded, event).judge(bea)
    for room in rooms(event):
        assert Person(site, bea).get(room).status_code == 403, room
    assert "Summer Cup" in Person(site, bea).text("/organize")
    assert Person(site, bea).post(f"/e/{event}/organize/do/publish").status_code == 403


def test_rooms_are_in_spanish_too(site: TestClient, event: str) -> None:
    headers = {"Authorization": "Bearer dp_ann", "Accept-Language": "es"}
    for room in [
        *rooms(event),
        "/organize",
        "/organize/new",
        "/organize/new/cps-official",
        "/s",
        "/s/new",
        "/check-up",
    ]:
        page = site.get(room, headers=headers)
        assert page.status_code == 200
        assert '<html lang="es"' in page.text


# --- a new event ------------------------------------------------------------------------------------------------------


def test_the_form_has_every_field_that_may_be_announced() -> None:
    assert FIELDS.keys() - {"mode"} == CHANGEABLE.keys()
    assert {choice for choice, _ in FIELDS["preset"].choices} == PRESETS.keys()
    assert announcement.TEMPLATES.keys() == TEMPLATES.keys()
    assert len([one for _, fields in GROUPS for one in fields]) == len(FIELDS)
    assert words.NEEDS.keys() == {need.value for need in Need}


@pytest.mark.parametrize("template", TEMPLATES)
def test_every_template_is_a_form_that_needs_a_name_only(ann: Person, template: str) -> None:
    typed = ann.form(f"/organize/new/{template}")
    made = ann.does(f"/organize/new/{template}", **{**typed, "name": "By template"})
    given = ann.get(f"/events/{made.split('/')[2]}").json()
    assert given["template"] == template
    for field, value in TEMPLATES[template].announced.items():
        assert given[field] == value, field


def test_times_are_by_the_clock_of_the_venue_and_sent_twice_is_once(ann: Person) -> None:
    typed = ann.form("/organize/new/cps-evening") | {
        "name": "Twice <b>",
        "time_zone": "America/New_York",
        "starts_at": "2030-01-05T18:30",
        "capacity": "32",
        "waitlist": "",
    }
    first, second = (ann.does("/organize/new/cps-evening", **typed) for _ in range(2))
    assert first == second
    given = ann.get(f"/events/{first.split('/')[2]}").json()
    assert (given["starts_at"], given["capacity"]) == ("2030-01-05T23:30:00.000000Z", 32)
    assert given["waitlist"] is False


def test_fields_that_are_hidden_are_not_sent_and_stay_what_they_were_or_none(ann: Person) -> None:
    typed = ann.form("/organize/new/cps-official") | {"name": "Hidden", "ownership": "none", "cut": "none"}
    for field, one in FIELDS.items():
        if one.when:
            typed.pop(field, None)
    given = ann.get(f"/events/{ann.does('/organize/new/cps-official', **typed).split('/')[2]}").json()
    assert (given["cut_minutes"], given["check_in_minutes"], given["cut"]) == (None, 60, "none")


def test_every_fault_stands_beside_its_field_and_what_was_typed_stays(ann: Person) -> None:
    typed = ann.form("/organize/new/blank") | {"name": "Faulty", "cut": "size", "capacity": "many", "rounds": "0"}
    answer = ann.post("/organize/new/blank", **typed)
    assert answer.status_code == 422
    for field in ("capacity", "rounds"):
        assert re.search(rf'id="f-{field}"[^>]*aria-invalid="true"', answer.text), field
    typed |= {"capacity": "8", "rounds": "", "closes_at": "2030-01-01T10:00", "opens_at": "2030-01-02T10:00"}
    answer = ann.post("/organize/new/blank", **typed)
    assert "so it needs a size" in plain(answer.text)
    assert 'value="Faulty"' in answer.text
    assert answer.text.count('aria-invalid="true"') == 2
    assert ann.post("/organize/new/blank", **{**typed, "time_zone": "Mars/Olympus"}).status_code == 422
    assert ann.get("/organize/new/no-such").status_code == 404


# --- the steps --------------------------------------------------------------------------------------------------------


def test_a_step_with_a_reason_that_cannot_be_is_refused_and_not_made(ann: Person, event: str) -> None:
    for step in ("publish", "open", "archive"):
        assert ann.post(f"/e/{event}/organize/do/{step}", reason="x" * 5_000).status_code == 422
    assert "not published" in ann.text(f"/e/{event}/organize")


def test_an_event_goes_from_draft_to_the_archive(ann: Person, event: str) -> None:
    here = f"/e/{event}/organize"
    page = ann.text(here)
    assert "Nobody but staff sees the event yet." in page
    assert "Where it is Settings" in page
    assert ann.does(f"{here}/do/publish") == here
    ann.does(f"{here}/do/unpublish")
    ann.does(f"{here}/do/publish")
    ann.does(f"{here}/do/open")
    assert "At least two players" in ann.text(here)
    ann.does(f"{here}/do/close")
    assert "To the control room" in ann.text(here)
    ann.does(f"{here}/do/reopen")
    assert "Nothing was done: it needs a reason." in ann.refused(f"{here}/do/void")
    ann.does(f"{here}/do/void", reason="the roof leaks")
    ann.does(f"{here}/do/archive")
    assert event not in ann.get("/organize").text
    assert event in ann.get("/organize?archived=true").text
    assert ann.post(f"{here}/do/publish").status_code == 409
    assert ann.post(f"{here}/do/nonsense").status_code == 404


def test_an_event_is_announced_again_with_all_its_times(ann: Person, event: str) -> None:
    ann.does(
        f"/e/{event}/organize/settings", **ann.form(f"/e/{event}/organize/settings") | {"closes_at": "2030-07-06T09:00"}
    )
    again = ann.does(f"/e/{event}/organize/do/clone", name="Summer Cup II", starts_at="2030-08-03T10:00", do="clone")
    given = ann.get(f"/events/{again.split('/')[2]}").json()
    assert (given["name"], given["closes_at"]) == ("Summer Cup II", "2030-08-03T09:00:00.000000Z")


def test_what_is_still_to_do_is_told(ann: Person, seeded: Database, event: str) -> None:
    here = f"/e/{event}/organize"
    form = ann.form(f"{here}/settings")
    ann.does(f"{here}/settings", **form | {"decklist": "required", "venue": "Hall", "ownership": "required"})
    page = ann.text(here)
    assert "The server can ask the chain Check-up" in page
    assert "neither the event nor this server names one" in page
    ann.does(f"{here}/settings", **ann.form(f"{here}/settings") | {"ownership": "none"})
    ann.does(f"{here}/do/publish")
    ann.does(f"{here}/do/open")
    floor = floor_of(seeded, event)
    for name in ("Ada", "ADA", "Ben"):
        floor.does(entries.ADD, entries.Add(name=name))
    page = ann.text(here)
    assert "3 players have none" in page
    assert "Entries that may be one person" in page


def test_the_registration_code_is_shown_and_replaced(ann: Person, event: str) -> None:
    here = f"/e/{event}/organize"
    ann.does(f"{here}/settings", **ann.form(f"{here}/settings") | {"registration": "code"})
    (first,) = re.findall(r'id="registration-code" readonly value="([^"]+)"', ann.get(here).text)
    ann.does(f"{here}/do/code")
    assert first not in ann.get(here).text


# --- settings ---------------------------------------------------------------------------------------------------------


def test_an_edit_names_what_was_changed_and_nothing_else(ann: Person, event: str) -> None:
    here = f"/e/{event}/organize/settings"
    form = ann.form(here)
    assert ann.does(here, **form) == f"/e/{event}/organize"
    assert ann.get(f"/events/{event}/edits").json()["edits"] == []
    ann.does(here, **form | {"venue": "Town hall", "reason": "at last"})
    (edit,) = ann.get(f"/events/{event}/edits").json()["edits"]
    assert edit["changes"] == {"venue": {"before": "", "after": "Town hall"}}
    assert edit["reason"] == "at last"
    ann.does(here, **ann.form(here) | {"venue": "", "time_zone": "Europe/Berlin"})
    given = ann.get(f"/events/{event}").json()
    assert (given["venue"], given["starts_local"]) == ("", "2030-07-06T10:00:00+02:00")


def test_whoever_edits_what_another_edited_sees_it_and_loses_nothing(ann: Person, event: str) -> None:
    here = f"/e/{event}/organize/settings"
    mine, theirs = ann.form(here), ann.form(here)
    ann.does(here, **theirs | {"capacity": "64", "venue": "Their hall"})
    answer = ann.post(here, **mine | {"venue": "My hall", "entry_fee": "5 €"})
    assert answer.status_code == 200
    page = plain(answer.text)
    assert "Somebody changed the event meanwhile" in page
    assert "ann changed “Places”: — → 64" in page
    again = fields_of(answer.text)
    assert (again["venue"], again["entry_fee"], again["capacity"]) == ("My hall", "5 €", "64")
    assert again["key"] != mine["key"]
    ann.does(here, **again)
    given = ann.get(f"/events/{event}").json()
    assert (given["venue"], given["entry_fee"], given["capacity"]) == ("My hall", "5 €", 64)


def test_players_who_enter_meanwhile_do_not_keep_an_edit_back(ann: Person, seeded: Database, event: str) -> None:
    here = f"/e/{event}/organize/settings"
    form = ann.form(here)
    ann.does(f"/e/{event}/organize/do/open")
    floor_of(seeded, event).does(entries.ADD, entries.Add(name="Ada"))
    ann.does(here, **form | {"venue": "Hall"})


def test_what_is_fixed_is_told_with_its_reason_and_not_asked(ann: Person, world: World) -> None:
    here = f"/e/{world.running}/organize/settings"
    form = ann.form(here)
    assert "venue" in form
    assert form.keys().isdisjoint({"game", "starts_at", "best_of", "ownership"})
    assert "because players play by it" in ann.text(here)
    forged = ann.refused(here, **form | {"rounds": "2"})
    assert "rounds are published" in forged


# --- players ----------------------------------------------------------------------------------------------------------

TABLE = "name,awarded_byes,apart\nAda Ångström,1,club\nBen Bø,,club\n"


def test_a_roster_is_looked_at_with_all_its_faults_and_entered_whole(ann: Person, event: str) -> None:
    here = f"/e/{event}/organize/players"
    ann.does(f"/e/{event}/organize/do/open")
    bad = ann.post(f"{here}/roster", table="name,fixed_table\n,3\nAda,many\nAda,1\n", do="look").text
    assert "nobody was entered" in plain(bad)
    assert plain(bad).count("line ") >= 2
    assert "Ada,many" in bad
    seen = plain(ann.post(f"{here}/roster", table=TABLE, do="look").text)
    assert "2 players would be entered" in seen
    assert "1 pair is kept apart." in seen
    assert ann.get(f"/events/{event}").json()["entered"] == 0
    key = f"roster-{next(_KEYS)}"
    for _ in range(2):
        assert ann.does(f"{here}/roster", table=TABLE, do="enter", key=key) == here
    assert ann.get(f"/events/{event}").json()["entered"] == 2
    page = ann.text(here)
    assert "1 Ada Ångström \u2013 2 Ben Bø" in page
    assert "nobody was entered" in ann.refused(f"{here}/roster", table=TABLE, do="enter")


def test_entries_are_corrected_merged_and_kept_apart(ann: Person, seeded: Database, event: str) -> None:
    here = f"/e/{event}/organize/players"
    ann.does(f"/e/{event}/organize/do/open")
    floor = floor_of(seeded, event)
    for name in ("Ada", "Ben", "ada"):
        floor.does(entries.ADD, entries.Add(name=name))
    ann.does(f"{here}/1/do/edit", name="Ada L.", fixed_table="3", awarded_byes="1")
    given = ann.get(f"/events/{event}/entries/1").json()
    assert (given["name"], given["fixed_table"], given["awarded_byes"]) == ("Ada L.", 3, 1)
    ann.does(f"{here}/1/do/edit", name="Ada", fixed_table="", awarded_byes="1")
    assert ann.get(f"/events/{event}/entries/1").json()["fixed_table"] is None
    assert "Perhaps one person twice 1 Ada · 3 ada" in ann.text(here)
    ann.does(f"{here}/1/do/merge", void="3")
    assert "part of another entry" in ann.text(f"{here}/3")
    ann.does(f"{here}/apart", one="1", other="2")
    ann.does(f"{here}/apart", one="1", other="2", do="remove")
    assert "not kept apart from oneself" in ann.refused(f"{here}/apart", one="1", other="1")
    ann.does(f"{here}/2/do/withdraw", reason="ill")
    ann.does(f"{here}/2/do/return")
    assert ann.get(f"{here}/99").status_code == 404


def test_a_list_is_unlocked_with_a_reason(ann: Person, seeded: Database, event: str) -> None:
    here = f"/e/{event}/organize"
    ann.does(f"{here}/settings", **ann.form(f"{here}/settings") | {"decklist": "required"})
    ann.does(f"{here}/do/open")
    floor = floor_of(seeded, event)
    floor.does(entries.ADD, entries.Add(name="Ada"))
    ann.does(f"{here}/do/close")
    assert "Nothing was done: it needs a reason." in ann.refused(f"{here}/players/1/do/unlock")
    ann.does(f"{here}/players/1/do/unlock", reason="a card was misspelt")
    assert "list unlocked" in ann.text(f"{here}/players/1")
    ann.does(f"{here}/players/1/do/waive", reason="a beginner")
    assert "plays without a list" in ann.text(f"{here}/players/1")


def test_hostile_names_are_letters_here_too(ann: Person, world: World) -> None:
    page = ann.get(f"/e/{world.hostile}/organize/players").text
    assert not re.search(r"<(svg onload|script>alert)", page)
    for number in range(1, len(HOSTILE) + 1):
        page = ann.get(f"/e/{world.hostile}/organize/players/{number}").text
        assert not re.search(r"<(svg onload|script>alert)", page)
    assert "<b>Hostile" not in ann.get(f"/e/{world.hostile}/organize/texts/results").text


def test_the_waiting_list_is_in_line(ann: Person, seeded: Database, event: str) -> None:
    here = f"/e/{event}/organize"
    ann.does(f"{here}/settings", **ann.form(f"{here}/settings") | {"capacity": "2", "waitlist": "yes"})
    ann.does(f"{here}/do/open")
    floor = floor_of(seeded, event)
    for name in ("Ada", "Ben", "Zoe", "Cleo"):
        floor.does(entries.ADD, entries.Add(name=name))
    page = ann.text(f"{here}/players?state=waiting")
    assert page.index("Zoe") < page.index("Cleo")
    assert "Ada" not in page
    assert "waits, 1 in line" in page
    assert "place" in ann.refused(f"{here}/players/4/do/promote")


# --- staff ------------------------------------------------------------------------------------------------------------


def test_roles_are_given_and_taken_and_invitations_have_a_link(ann: Person, event: str, bea: str) -> None:
    here = f"/e/{event}/organize/staff"
    ann.does(f"{here}/do/grant", account=bea, role="judge")
    assert "bea judge" in ann.text(here)
    ann.does(f"{here}/do/revoke", account=bea, role="judge")
    assert "is the only organizer" in ann.refused(f"{here}/do/revoke", account="ann", role="organizer")
    ann.does(f"{here}/do/invite", role="desk", uses="2", hours="24")
    page = ann.get(here).text
    (link,) = re.findall(r'readonly value="http://testserver(/invitations/[^"]+)"', page)
    assert re.fullmatch(rf"/invitations/{event}-1-[0-9A-Z-]{{14}}", link)
    assert "<svg" in page
    ann.does(f"{here}/do/withdraw", invitation="1")
    assert link not in ann.get(here).text
    assert "This number is too large." in ann.refused(f"{here}/do/invite", role="desk", uses="999", hours="24")


# --- texts, files, webhooks -------------------------------------------------------------------------------------------


def text_in(page: str) -> str:
    (found,) = re.findall(r'<textarea id="body"[^>]*>(.*?)</textarea>', page, re.DOTALL)
    return unescape(found)


def test_texts_have_the_facts_of_the_event_in_the_language_that_is_chosen(ann: Person, event: str) -> None:
    here = f"/e/{event}/organize"
    name = "Tom & Jerry's <Cup>"
    form = ann.form(f"{here}/settings")
    ann.does(f"{here}/settings", **form | {"name": name, "venue": "Hall & Bar", "registration": "code"})
    english = ann.get(f"{here}/texts/invitation").text
    assert f"you are invited to {name}." in text_in(english)
    assert f"http://testserver/e/{event}/register" in text_in(english)
    assert "Sat 6 Jul 2030, 10:00 UTC" in text_in(english)
    assert "Tom%20%26%20Jerry%27s%20%3CCup%3E" in english
    assert not text_in(english).startswith("\n")
    spanish = ann.get(f"{here}/texts/invitation?language=es").text
    assert f"te invitamos a {name}." in text_in(spanish)
    assert '<html lang="en"' in spanish
    assert ann.get(f"{here}/texts/nothing").status_code == 404


def test_the_text_with_the_results_names_the_best(ann: Person, world: World) -> None:
    text = text_in(ann.get(f"/e/{world.finished}/organize/texts/results").text)
    places = re.findall(r"^(\d)\. (.+)$", text, re.MULTILINE)
    assert [place for place, _ in places][:2] == ["1", "2"]
    assert len(places) == 8


def test_standings_and_files_of_other_programs_are_downloaded(ann: Person, world: World) -> None:
    here = f"/e/{world.finished}/organize/files"
    table = ann.get(f"{here}/standings")
    assert table.headers["content-type"].startswith("text/csv")
    lines = table.text.removeprefix("\ufeff").splitlines()
    assert lines[0] == "place,number,name,match_points,omw,gw,ogw"
    assert len(lines) == 17
    for kind in ("tdf", "nrtm", "trf", "csv"):
        answer = ann.get(f"{here}/{kind}")
        assert answer.status_code == 200
        assert "attachment" in answer.headers["content-disposition"]
    assert json.loads(ann.get(f"{here}/nrtm").text)["players"]
    assert ann.get(f"{here}/nothing").status_code == 404
    assert ann.get(f"/e/{world.pods}/organize/files/csv").status_code == 409


def test_an_event_goes_through_a_file(ann: Person, world: World) -> None:
    file = ann.get(f"/events/{world.finished}/export").text
    seen = plain(ann.post("/organize/import", file=file, do="look").text)
    assert "Winter Cup" in seen
    assert "16 players · 3 rounds · with final rounds" in seen
    assert "not an event file" in ann.refused("/organize/import", file='{"version": 1}', do="bring")
    running = ann.get(f"/events/{world.running}/export").text
    made = ann.does("/organize/import", file=running, do="bring", origin="elsewhere")
    assert ann.get(f"/events/{made.split('/')[2]}").json()["name"] == "Spring Open"


def test_a_webhook_tells_its_secret_once(ann: Person, event: str) -> None:
    here = f"/e/{event}/organize/webhooks"
    assert "Choose one at least." in ann.refused(here, url="https://example.org/in")
    page = ann.post(here, url="https://example.org/in", **{"topic result": "yes"}).text
    assert "whsec_" in page
    assert "whsec_" not in ann.get(here).text
    assert "example.org" in ann.text(here)
    ann.does(f"{here}/1/do/ping")
    assert "ping" in ann.text(here)
    assert "whsec_" in ann.post(f"{here}/1/do/rotate").text
    ann.does(f"{here}/1/do/remove")
    assert "Nobody is told anything yet." in ann.text(here)
    assert ann.post(f"{here}/1/do/ping").status_code == 404


# --- series -----------------------------------------------------------------------------------------------------------


def test_a_series_is_made_filled_and_published(ann: Person, site: TestClient, event: str, bea: str) -> None:
    faulty = ann.post("/s/new", name="League", by_place="ten", participation="1")
    assert faulty.status_code == 422
    here = ann.does("/s/new", name="League <b>", by_place="10 7 5", participation="2", best="3", shared_place="split")
    series = here.removesuffix("/organize")
    assert Person(site, bea).get(here).status_code == 404
    assert Person(site, "").get(series).status_code == 404
    ann.does(f"/e/{event}/organize/do/publish")
    ann.does(f"{here}/put", event=event, multiplier="3/2")
    ann.does(f"{here}/publish")
    assert "Summer Cup" in Person(site, "").text(series)
    assert "League <b>" in Person(site, "").text("/s?q=league")
    assert Person(site, bea).get(here).status_code == 403
    ann.does(f"{here}/edit", name="League", by_place="3 2 1", participation="0", best="")
    points = ann.get(f"/series/{series.removeprefix('/s/')}").json()["points"]
    assert (points["by_place"], points["best"]) == ([3, 2, 1], None)
    ann.does(f"{here}/grant", account=bea)
    ann.does(f"{here}/revoke", account=bea)
    ann.does(f"{here}/take", event=event)
    ann.does(f"{here}/archive")
    assert ann.post(f"{here}/nonsense").status_code == 404


def test_who_is_who_is_said_in_a_series(ann: Person, world: World) -> None:
    here = f"/s/{world.series}/organize"
    entries_ = f"{world.running}~1 {world.finished}~1"
    ann.does(f"{here}/put", event=world.running)
    ann.does(f"{here}/put", event=world.finished)
    ann.does(f"{here}/say", entries=entries_, verdict="one person")
    ann.does(f"{here}/say", entries=entries_, verdict="by name")
    for one in (world.running, world.finished):
        ann.does(f"{here}/take", event=one)
