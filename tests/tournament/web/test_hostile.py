"""What no page of ours sends: broken headers, cookies and addresses, keys without end. Nothing of it is our fault."""

import re
from base64 import urlsafe_b64encode
from typing import Any

import pytest
from fastapi.testclient import TestClient

from tests.tournament.web.at_the_desk import Hall
from tests.tournament.web.world import World
from tournament import store
from tournament.database import Database
from tournament.web import forms
from tournament.web.site import PAGES


@pytest.fixture(scope="module")
def hall(seeded: Database, world: World) -> Hall:
    return Hall(seeded).announce(guests=("Ann Example", "Bob Builder"), gives=False)


@pytest.mark.parametrize("referer", ["http://[", "//[", "http://testserver/\\[", "\\", "http://[::1"])
def test_a_refused_form_is_refused_whatever_page_it_says_to_come_from(
    site: TestClient, world: World, referer: str
) -> None:
    answer = site.post(f"/e/{world.running}/control/enter", data={"line": "1 1"}, headers={"Referer": referer})
    assert answer.status_code == 403


@pytest.mark.parametrize("place", ["//[", "http://[", "/\\[", "\\\\[", "//evil.example", "/\\evil.example"])
def test_a_place_that_is_no_address_leads_to_the_first_page(site: TestClient, place: str) -> None:
    assert site.get("/sign-in", params={"next": place}).status_code == 200
    assert site.post("/look", data={"look": "dark", "back": place}).headers["location"] == "/"


@pytest.mark.parametrize("event", ["%E2%82%AC", "a%0D%0AX-Mine:%201", "%F0%9F%92%A9", "..%2F.."])
@pytest.mark.parametrize("below", ["control/enter", "control/step/pair", "desk/scan", "desk/worker.js"])
def test_an_id_that_is_none_breaks_no_header(site: TestClient, event: str, below: str) -> None:
    answer = site.get(f"/e/{event}/{below}")
    assert answer.status_code < 500
    assert "x-mine" not in answer.headers
    assert answer.headers.get("location", "/").isascii()


@pytest.mark.parametrize(
    "said",
    [b"[" * 2_000, b"[" * 30_000, b'["signed-in", [1]]', b"1", b"null", b'["signed-in", {"name": {"a": 1}}]', b"\xff",
     b'["desk-entered", {}]'],
)  # fmt: skip
def test_a_cookie_that_is_not_ours_says_nothing(site: TestClient, said: bytes) -> None:
    answer = site.get("/", headers={"Cookie": f"said={urlsafe_b64encode(said).decode()}; look=;; language=%C3%A9"})
    assert answer.status_code == 200


def test_keys_have_an_end(site: TestClient, hall: Hall) -> None:
    """PostgreSQL indexes no text of any length; so no form makes one of a command's id."""
    head = hall.account("ann")
    for place, typed in {
        "desk/players/1/check-in": {},
        "control/players/1/drop": {},
        "judge/do/note": {"text": "a note", "entry": "1"},
        "organize/players/1/do/return": {},
    }.items():
        answer = site.post(f"/e/{hall.event}/{place}", data={"key": "k" * 100_000, **typed}, headers=head)
        assert answer.status_code < 500, place
    with hall.database.reading() as session:
        rows = store.log_page(session, hall.event, after=0, limit=1_000)
        assert max(len(row.command) for row in rows) <= forms.LONGEST_KEY + 40


def test_whoever_registers_without_a_key_is_somebody_new(site: TestClient, seeded: Database, world: World) -> None:
    place = f"/e/{world.upcoming}/register"
    codes = []
    for name in ("Keyless Kim", "Keyless Kai"):
        answer = site.post(place, data={"name": name})
        assert answer.status_code == 201, answer.text
        codes.append(re.findall(r"[0-9A-Z]{4}-[0-9A-Z]{4}-[0-9A-Z]{4}", answer.text)[0])
        site.cookies.clear()
    assert codes[0] != codes[1]


def test_a_second_person_registers_with_the_form_of_the_first(site: TestClient, world: World) -> None:
    """On one phone, after the back button: the key is used up, so the page has another one."""
    place = f"/e/{world.upcoming}/register"
    typed = {"name": "Family Fay", "key": "family-family-family"}
    first = site.post(place, data=typed)
    assert first.status_code == 201, re.sub(r"<[^>]+>|\s+", " ", first.text)
    site.cookies.clear()
    refused = site.post(place, data={**typed, "name": "Family Flo"})
    assert refused.status_code == 422
    (key,) = re.findall(r'name="key" value="([^"]+)"', refused.text)
    assert key != typed["key"]
    assert site.post(place, data={"name": "Family Flo", "key": key}).status_code == 201


def _posts() -> list[str]:
    """Addresses that take forms."""
    found: dict[str, set[str]] = {}

    def walk(router: Any) -> None:
        for route in router.routes:
            if hasattr(route, "original_router"):
                walk(route.original_router)
            else:
                found.setdefault(route.path, set()).update(route.methods)

    for module in PAGES:
        walk(module.router)
    return sorted(path for path, methods in found.items() if "POST" in methods)


def test_every_address_that_a_form_is_sent_to_leads_a_reader_on(site: TestClient, world: World, hall: Hall) -> None:
    """Whoever loads the page of a refusal again, or chooses another language there, is on the page above."""
    head, given = hall.account("ann"), {"event": world.running, "series": world.series}
    for path in _posts():
        place = re.sub(r"\{(\w+)(:\w+)?\}", lambda found: given.get(found[1], "1"), path)
        led = site.get(place, headers=head)
        assert led.status_code in {200, 303, 403, 404}, (place, led.status_code)  # 403: she does not play
        if led.status_code == 303 and "/sign-in" not in led.headers["location"]:
            assert place.startswith(led.headers["location"].partition("#")[0]), (place, led.headers["location"])


def test_an_answer_to_a_form_says_that_it_is_one(site: TestClient, hall: Hall) -> None:
    """News do not take a refusal away: `page.js` asks for no page that was sent."""
    head = hall.account("ann")
    refused = site.post(f"/e/{hall.event}/judge/do/take-call", data={"call": "7"}, headers=head)
    assert refused.status_code in {404, 409, 422}
    assert "data-answer" in refused.text.partition(">")[0] + refused.text[:400]
    assert "data-answer" not in site.get(f"/e/{hall.event}/judge", headers=head).text[:400]
