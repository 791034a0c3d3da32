"""Signing in and out, the own account, invitations, and the menu of rooms."""

import json
import re
from dataclasses import replace
from datetime import UTC, datetime
from typing import Any

import pyotp
import pytest
from fastapi.testclient import TestClient
from playwright.sync_api import Browser

from tests.tournament.people import account
from tests.tournament.web.browsing import PASSWORD, PHONE, QUICK, Server, reading, signed_in, unusable
from tests.tournament.web.world import World, asking
from tournament import store
from tournament.database import Database
from tournament.domain.roles import Role
from tournament.service import invitations, sign_ins, staff
from tournament.service.codes import Codes, Purpose
from tournament.service.commands import run
from tournament.service.invitations import Invite
from tournament.service.sign_ins import Proof
from tournament.settings import Settings
from tournament.web import paths, rooms
from tournament.web.browsers import called

CODES = Codes(Settings().secret.get_secret_value())


@pytest.fixture(scope="module")
def people(seeded: Database, world: World) -> World:
    """Accounts of this module, each with a role at the running event."""
    for name, role in (("jo-judge", Role.JUDGE), ("desk-dee", Role.DESK), ("beam", Role.DISPLAY), ("nell", None)):
        account(name, seeded, hashed=QUICK.hash(PASSWORD))
        if role is not None:
            run(seeded, staff.GRANT, asking(world.running), staff.Grant(account=name, role=role))  # type: ignore[arg-type]
    return world


def enter(site: TestClient, name: str, then: str = "/", **typed: str) -> Any:
    return site.post("/sign-in", data={"account": name, "password": PASSWORD, "next": then, **typed})


def code_of(event: str, number: int) -> str:
    return CODES.code(Purpose.ENTRY, event, number, 1)


def invited(database: Database, event: str, role: Role, **asked: int) -> str:
    """The address of a new invitation."""
    made = run(database, invitations.INVITE, replace(asking(event), now=datetime.now(UTC)), Invite(role=role, **asked))  # type: ignore[arg-type]
    number = json.loads(made.body)["fact"]["invitation"]
    return paths.invitation(event, number, invitations.code_of(CODES, event, number))


# --- signing in -------------------------------------------------------------------------------------------------------


def test_a_page_that_is_not_for_everybody_leads_to_sign_in_and_back(site: TestClient, people: World) -> None:
    led = site.get("/my-account/password")
    assert (led.status_code, led.headers["location"]) == (303, "/sign-in?next=/my-account/password")
    assert "you are led there" in site.get(led.headers["location"]).text
    done = enter(site, "nell", "/my-account/password")
    assert (done.status_code, done.headers["location"]) == (303, "/my-account/password")
    page = site.get("/my-account/password")
    assert page.status_code == 200
    assert "You are signed in as nell." in page.text


def test_who_is_signed_in_stands_on_every_page_also_on_kept_ones(site: TestClient, people: World) -> None:
    kept = f"/e/{people.running}/pairings"
    assert "<bdi>nell</bdi>" not in site.get(kept).text
    enter(site, "nell")
    for address in ("/", "/rulings", kept, f"/s/{people.series}", "/nothing-is-here", f"/e/{people.upcoming}/register"):
        site.cookies.delete("said")
        assert "<bdi>nell</bdi>" in site.get(address).text, address
    site.post("/sign-out", data={})
    assert "<bdi>nell</bdi>" not in site.get(kept).text


def test_a_wrong_password_is_refused_with_the_name_kept_and_no_password(site: TestClient, people: World) -> None:
    refused = site.post("/sign-in", data={"account": "nell", "password": "wrong but long", "next": "/check"})
    assert refused.status_code == 401
    assert 'role="alert"' in refused.text
    assert 'value="nell"' in refused.text
    assert "wrong but long" not in refused.text
    assert 'name="next" value="/check"' in refused.text
    assert 'aria-invalid="true"' in site.post("/sign-in", data={"account": "no such name!", "password": "x"}).text


def test_too_many_tries_are_told_with_the_time_to_wait(site: TestClient, people: World) -> None:
    for _ in range(11):
        refused = site.post("/sign-in", data={"account": "nobody-here", "password": "wrong but long"})
    assert refused.status_code == 429
    assert refused.headers["retry-after"] == re.findall(r"Try again in (\d+) seconds", refused.text)[0]


@pytest.mark.parametrize("then", ["https://evil.example/", "//evil.example", "/\\evil.example", "javascript:alert(1)"])
def test_signing_in_leads_to_our_own_pages_alone(site: TestClient, people: World, then: str) -> None:
    assert enter(site, "nell", then).headers["location"] == "/"
    assert "evil" not in site.get("/sign-in", params={"next": then}).text.split("<footer")[0]


def test_a_second_factor_is_asked_for_after_the_password_which_is_not_typed_again(
    site: TestClient, seeded: Database, people: World
) -> None:
    account("totp-tom", seeded, hashed=QUICK.hash(PASSWORD))
    enter(site, "totp-tom")
    begun = site.post("/my-account/second-factor", data={"password": PASSWORD})
    assert "<svg" in begun.text
    (secret,) = re.findall(r"<code>([A-Z2-7]{32})</code>", begun.text)
    wrong = site.post("/my-account/second-factor/confirm", data={"code": "12"})
    assert wrong.status_code == 401
    on = site.post("/my-account/second-factor/confirm", data={"code": pyotp.TOTP(secret).now()})
    recovery = re.findall(r"<code>([0-9A-Z-]{19})</code>", on.text)
    assert len(recovery) == 10
    site.post("/sign-out", data={})
    half = enter(site, "totp-tom")
    assert half.status_code == 200
    assert PASSWORD not in half.text
    assert "The password is right" in half.text
    (carried,) = re.findall(r'name="carried" value="([^"]+)"', half.text)
    typed = {"account": "totp-tom", "carried": carried, "next": "/my-account"}
    assert "12345" not in site.post("/sign-in", data=typed | {"code": "12345"}).text
    assert site.post("/sign-in", data=typed | {"account": "nell", "code": recovery[0]}).status_code == 422
    done = site.post("/sign-in", data=typed | {"code": recovery[0]})
    assert (done.status_code, done.headers["location"]) == (303, "/my-account")
    assert "9 recovery codes are left" in site.get("/my-account").text
    off = site.post("/my-account/second-factor/change", data={"password": PASSWORD, "code": recovery[1], "want": "off"})
    assert off.headers["location"] == "/my-account"
    assert enter(site, "totp-tom").status_code == 303


def test_what_is_carried_is_good_for_five_minutes(seeded: Database, site: TestClient) -> None:
    door = site.app.state.door  # type: ignore[attr-defined]
    now = datetime(2026, 3, 7, tzinfo=UTC)
    carried = sign_ins.half(door, Proof(account="nell", password="secret words", network="n", now=now))
    assert sign_ins.password_in(door, "nell", carried, now) == "secret words"
    assert sign_ins.password_in(door, "nell", carried, now + sign_ins.HALF_LASTS) is None
    assert sign_ins.password_in(door, "ann", carried, now) is None


def test_another_sites_page_signs_nobody_in_or_out(site: TestClient, people: World) -> None:
    enter(site, "nell")
    for address in ("/sign-in", "/sign-out", "/my-account/sign-out", f"/e/{people.running}/code"):
        data = {"account": "nell", "password": PASSWORD, "number": "1", "code": code_of(people.running, 1)}
        refused = site.post(address, data=data, headers={"Sec-Fetch-Site": "cross-site"})
        assert refused.status_code == 403
        assert "set-cookie" not in refused.headers
    assert "<bdi>nell</bdi>" in site.get("/").text


def test_a_form_that_was_sent_without_being_signed_in_says_so(site: TestClient, people: World) -> None:
    page = site.post(
        "/my-account/password",
        data={"old": "x", "new": "y"},
        headers={"Referer": "http://testserver/my-account/password"},
    )
    assert page.status_code == 401
    assert "What you sent was not done" in page.text
    assert 'href="/sign-in?next=/my-account/password"' in page.text


# --- players ----------------------------------------------------------------------------------------------------------


def test_a_player_signs_in_by_number_and_code(site: TestClient, people: World) -> None:
    address, event = f"/e/{people.running}/code", people.running
    wrong = site.post(address, data={"number": "3", "code": "7KQ2-M4XA-09ZT"})
    assert wrong.status_code == 401
    assert 'value="7KQ2-M4XA-09ZT"' in wrong.text
    assert 'aria-invalid="true"' in site.post(address, data={"number": "three", "code": "x"}).text
    done = site.post(address, data={"number": "3", "code": code_of(event, 3).lower().replace("-", " ")})
    assert (done.status_code, done.headers["location"]) == (303, f"/e/{event}/me")
    assert "<bdi>Cleo Marín</bdi>" in site.get("/").text
    again = site.post(address, data={"number": "3", "code": code_of(event, 3), "next": f"/e/{event}/me/table"})
    assert again.headers["location"] == f"/e/{event}/me/table"


def test_a_code_leads_to_pages_of_its_event_alone(site: TestClient, people: World) -> None:
    typed = {"number": "3", "code": code_of(people.running, 3), "next": f"/e/{people.finished}/me"}
    assert site.post(f"/e/{people.running}/code", data=typed).headers["location"] == f"/e/{people.running}/me"


def test_sign_in_tells_players_where_their_door_is(site: TestClient, people: World) -> None:
    page = site.get("/sign-in", params={"next": f"/e/{people.running}/me"}).text
    assert f'href="/e/{people.running}/code?next=/e/{people.running}/me"' in page


# --- the menu ---------------------------------------------------------------------------------------------------------


def menu(page: str) -> list[str]:
    found = re.findall(r'<nav class="rooms".*?</nav>', page, re.DOTALL)
    return [re.sub(r"^/e/\w+", "", path) for path in re.findall(r'href="([^"]+)"', "".join(found))]


@pytest.mark.parametrize(
    ("name", "expected"),
    [
        ("ann", ["/desk", "/control", "/judge", "/organize", "/screen", "/print"]),
        ("jo-judge", ["/judge", "/print"]),
        ("desk-dee", ["/desk", "/print"]),
        ("beam", ["/screen"]),
        ("nell", []),
    ],
)
def test_the_menu_has_the_rooms_of_the_roles(site: TestClient, people: World, name: str, expected: list[str]) -> None:
    enter(site, name)
    assert menu(site.get(f"/e/{people.running}").text) == expected
    assert menu(site.get(f"/e/{people.upcoming}").text) == (expected if name == "ann" else [])


def test_a_players_table_comes_first_during_a_round(site: TestClient, people: World) -> None:
    assert menu(site.get(f"/e/{people.running}").text) == []
    for event, expected in ((people.running, ["/me/table", "/me"]), (people.finished, ["/me", "/me/table"])):
        site.post(f"/e/{event}/code", data={"number": "3", "code": code_of(event, 3)})
        assert menu(site.get(f"/e/{event}").text) == expected
    assert menu(site.get(f"/e/{people.running}").text) == []


def test_every_role_begins_somewhere() -> None:
    assert rooms.FIRST.keys() == set(Role) - {Role.PLAYER, Role.VISITOR}


# --- the account ------------------------------------------------------------------------------------------------------


def test_a_password_is_changed_by_whoever_knows_the_old_one(site: TestClient, seeded: Database, people: World) -> None:
    account("pia-pass", seeded, hashed=QUICK.hash(PASSWORD))
    enter(site, "pia-pass")
    fresh = "violet anvil seventeen moons"
    assert site.post("/my-account/password", data={"old": "no", "new": fresh}).status_code == 401
    assert site.post("/my-account/password", data={"old": PASSWORD, "new": "short"}).status_code == 422
    done = site.post("/my-account/password", data={"old": PASSWORD, "new": fresh, "sign_out": "true"})
    assert (done.status_code, done.headers["location"]) == (303, "/my-account")
    assert enter(site, "pia-pass").status_code == 401
    assert enter(site, "pia-pass", password=fresh).status_code == 303


def test_browsers_and_tokens_are_listed_and_ended(site: TestClient, seeded: Database, people: World) -> None:
    account("bo-list", seeded, hashed=QUICK.hash(PASSWORD))
    firefox = "Mozilla/5.0 (X11; Linux x86_64; rv:128.0) Gecko/20100101 Firefox/128.0"
    site.post("/sign-in", data={"account": "bo-list", "password": PASSWORD}, headers={"User-Agent": firefox})
    site.cookies.clear()
    enter(site, "bo-list")
    page = site.get("/my-account").text
    assert "Firefox, Linux" in page
    (other,) = re.findall(r'action="(/my-account/browsers/\w+/sign-out)"', page)
    assert site.post(other, data={}).headers["location"] == "/my-account"
    assert "Firefox, Linux" not in site.get("/my-account").text
    made = site.post(
        "/my-account/token", data={"password": PASSWORD, "label": "<b>laptop", "kind": "read", "days": "3"}
    )
    (token,) = re.findall(r"<code>(dp_[^<]+)</code>", made.text)
    assert site.get("/events", headers={"Authorization": f"Bearer {token}"}).status_code == 200
    listed = site.get("/my-account").text
    assert "&lt;b&gt;laptop" in listed
    last = re.findall(r'action="(/my-account/tokens/\w+/revoke)"', listed)[-1]
    assert site.post(last, data={}).headers["location"] == "/my-account"
    assert "laptop" not in site.get("/my-account").text.split("Tokens of programs")[1].replace("at the desk", "")
    site.post("/my-account/sign-out", data={})
    assert site.get("/my-account").headers["location"] == "/sign-in?next=/my-account"


def test_a_browser_is_called_as_its_owner_knows_it() -> None:
    iphone = "Mozilla/5.0 (iPhone; CPU iPhone OS 17_0 like Mac OS X) AppleWebKit/605 Version/17.0 Mobile Safari/604.1"
    assert called(iphone) == "Safari, iPhone"
    assert called("") == "?"
    assert called("curl/8.1") == "curl/8.1"


# --- invitations ------------------------------------------------------------------------------------------------------


def test_an_invitation_is_accepted_with_a_new_account(site: TestClient, seeded: Database, people: World) -> None:
    address = invited(seeded, people.draft, Role.JUDGE)
    offered = site.get(address)
    assert "Secret Plans" in offered.text
    assert "you answer calls" in offered.text
    short = site.post(address, data={"account": "new-judge", "password": "short"})
    assert short.status_code == 422
    assert 'value="new-judge"' in short.text
    done = site.post(address, data={"account": "new-judge", "password": PASSWORD})
    assert (done.status_code, done.headers["location"]) == (303, f"/e/{people.draft}")
    assert menu(site.get(f"/e/{people.draft}").text) == ["/judge", "/print"]
    assert "You have this role." in site.get(address).text
    site.cookies.clear()
    assert "It cannot be accepted any more." in site.get(address).text
    assert site.post(address, data={"account": "late-judge", "password": PASSWORD}).status_code == 409
    with seeded.reading() as session:
        assert store.find_account(session, "late-judge") is None


def test_an_invitation_is_accepted_by_whoever_is_signed_in(site: TestClient, seeded: Database, people: World) -> None:
    account("inv-ina", seeded, hashed=QUICK.hash(PASSWORD))
    address = invited(seeded, people.running, Role.SCOREKEEPER)
    page = site.get(address).text
    assert f'href="/sign-in?next={address}"' in page
    enter(site, "inv-ina", address)
    assert "Accept as inv-ina" in site.get(address).text
    assert site.post(address, data={}).headers["location"] == f"/e/{people.running}"
    assert menu(site.get(f"/e/{people.running}").text) == ["/desk", "/control", "/judge", "/screen", "/print"]


def test_a_wrong_code_tells_nothing_of_an_event_that_is_not_published(site: TestClient, people: World) -> None:
    for address in (paths.invitation(people.draft, 1, "AAAA-AAAA-AAAA"), "/invitations/nothing", "/invitations/a-1-"):
        page = site.get(address)
        assert page.status_code == 404
        assert "Secret Plans" not in page.text


# --- in a browser -----------------------------------------------------------------------------------------------------


@pytest.mark.timeout(120)
def test_everybody_can_use_the_doors(chromium: Browser, server: Server, seeded: Database, people: World) -> None:
    account("looker", seeded, hashed=QUICK.hash(PASSWORD))
    offered = invited(seeded, people.hostile, Role.DISPLAY, uses=3)
    faults: dict[str, list[str]] = {}

    def look(page: Any, address: str, name: str = "") -> None:
        if found := unusable(page, server.address + address):
            faults[name or address] = found

    with reading(chromium, viewport=PHONE, locale="en") as page:
        look(page, f"/sign-in?next=/e/{people.running}/judge")
        look(page, offered, "offered to nobody")
        page.goto(f"{server.address}/e/{people.hostile}/code#6-{code_of(people.hostile, 6)}")
        assert page.get_by_label("Your number").input_value() == "6"
        assert "#" not in page.url
        page.get_by_role("main").get_by_role("button", name="Sign in").click()
        page.wait_for_url("**/me")
        look(page, f"/e/{people.hostile}/code", "as a player with a long name")
        look(page, f"/e/{people.hostile}/pairings", "kept, as a player")
    with reading(chromium, viewport=PHONE, locale="es") as page:
        signed_in(page, server.address, account="looker")
        for address in (
            "/my-account",
            "/my-account/password",
            "/my-account/second-factor",
            "/my-account/token",
            offered,
        ):
            look(page, address)
        page.goto(server.address + "/my-account/second-factor")
        page.get_by_label("Contraseña").fill(PASSWORD)
        page.get_by_role("button", name="Empezar").click()
        page.locator(".qr svg").wait_for()
    assert faults == {}


def test_a_page_that_follows_the_event_leads_to_sign_in_when_its_cookie_ran_out(
    chromium: Browser, server: Server, seeded: Database, people: World
) -> None:
    with reading(chromium, locale="en") as page:
        signed_in(page, server.address, account="ann")
        page.goto(f"{server.address}/e/{people.draft}")
        page.context.clear_cookies()
        page.evaluate("htmx.ajax('GET', '/my-account', {target: '#live', select: '#live', swap: 'outerMorph'})")
        page.wait_for_url("**/sign-in?next=/my-account")
