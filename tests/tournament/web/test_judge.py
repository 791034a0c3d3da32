"""The judge's pages: what waits is done from them, everything of one player is there, and nobody else sees it."""

import re
from collections.abc import Iterator
from typing import Any

import pytest
from fastapi.testclient import TestClient
from playwright.sync_api import Browser

from tests.tournament.floor import Floor
from tests.tournament.owning import LIST
from tests.tournament.web.browsing import PASSWORD, PHONE, Server, reading, signed_in, unusable
from tests.tournament.web.world import HOSTILE, World, _announced, _enter, asking
from tournament import store
from tournament.database import Database
from tournament.service import calls, claims, decklists, entries, judging
from tournament.service.results import Games, TablePlaces
from tournament.web.pages.judge import result_in


@pytest.fixture(scope="module")
def floor(seeded: Database, world: World) -> Floor:
    """Nine players with hostile names in their first round: one calls, two disagree."""
    made = _announced(seeded, "Judged Open", rounds=4)
    _enter(made, [*HOSTILE, "Quiet Quinn"])
    made.does(judging.SET, judging.SetJudging(player_reports=True))
    made.next_round()
    return made


@pytest.fixture
def judge(site: TestClient, floor: Floor) -> Iterator[TestClient]:
    site.post("/sign-in", data={"account": "ann", "password": PASSWORD})
    site.cookies.delete("said")
    yield site
    site.cookies.clear()


def called(floor: Floor, table: int, topic: str = "a rules question") -> str:
    """A call of one of the table's players; its number."""
    first, _ = chairs(floor, table)
    floor.does(calls.MAKE, calls.JudgeCall(topic=topic), who=f"entry:{first}")
    with floor.database.reading() as session:
        return str(store.open_calls(session, floor.event)[-1].number)


def chairs(floor: Floor, table: int) -> tuple[int, int]:
    with floor.database.reading() as session:
        seat = store.find_table(session, floor.event, 1, table)
        assert seat is not None
        return seat.players[0], seat.players[1]


def sent(site: TestClient, floor: Floor, action: str, **typed: str) -> Any:
    return site.post(f"/e/{floor.event}/judge/do/{action}", data={"back": f"/e/{floor.event}/judge", **typed})


def test_nobody_but_judges_sees_the_page(site: TestClient, floor: Floor) -> None:
    address = f"/e/{floor.event}/judge"
    assert site.get(address).headers["location"] == f"/sign-in?next={address}"
    assert site.get(address, headers={"Accept": "*/*"}).status_code == 403
    assert sent(site, floor, "take-call", call="1").status_code == 403
    assert site.get(f"{address}/player/1").status_code == 303


def test_a_call_is_taken_given_back_and_answered(judge: TestClient, floor: Floor) -> None:
    number = called(floor, 1)
    page = judge.get(f"/e/{floor.event}/judge").text
    assert "a rules question" in page
    assert f'data-since="{re.findall(r"data-since=.([^ ]+?).>", page)[0]}"' in page
    assert sent(judge, floor, "take-call", call=number).status_code == 303
    assert "ann is on the way" in judge.get(f"/e/{floor.event}/judge").text
    assert sent(judge, floor, "release-call", call=number).status_code == 303
    assert "ann is on the way" not in judge.get(f"/e/{floor.event}/judge").text
    sent(judge, floor, "take-call", call=number)
    sent(judge, floor, "close-call", call=number, ruling="the attack is legal", minutes="4")
    page = judge.get(f"/e/{floor.event}/judge").text
    assert "The table has 4 extra minutes now." in page
    assert "Nobody calls." in page


def test_a_disagreement_is_decided_by_what_one_of_them_says_or_otherwise(judge: TestClient, floor: Floor) -> None:
    first, second = chairs(floor, 2)
    for player in (first, second):
        floor.does(claims.MAKE, claims.MakeClaim(round=1, table=2, mine=2, theirs=1), who=f"entry:{player}")
    page = judge.get(f"/e/{floor.event}/judge").text
    assert 'value="2-1-0/played"' in page
    assert 'value="1-2-0/played"' in page
    wrong = sent(judge, floor, "settle", round="1", table="2", result="two to one", reason="asked both")
    assert wrong.status_code == 422
    assert "A result is like 2-1" in wrong.text
    assert 'value="two to one"' in wrong.text
    assert sent(judge, floor, "settle", round="1", table="2", result="2-1", reason=" ").status_code == 422
    done = sent(judge, floor, "settle", round="1", table="2", result="1-2-0/played", reason="asked both")
    assert done.status_code == 303
    assert "Nobody disagrees." in judge.get(f"/e/{floor.event}/judge").text
    with floor.database.reading() as session:
        seat = store.find_table(session, floor.event, 1, 2)
    assert seat is not None
    assert (seat.games_first, seat.games_second) == (1, 2)


def test_tables_are_drawn_checked_and_get_their_time(judge: TestClient, floor: Floor) -> None:
    assert sent(judge, floor, "draw-tables", tables="1").status_code == 303
    (check,) = re.findall(r'id="check-(\d+)"', judge.get(f"/e/{floor.event}/judge").text)
    sent(judge, floor, "start-check", deck_check=check)
    assert "ann has the decks" in judge.get(f"/e/{floor.event}/judge").text
    found = {"deck_check": check, "problem": "true", "text": "59 cards", "minutes": "6"}
    sent(judge, floor, "finish-check", **found)
    page = judge.get(f"/e/{floor.event}/judge").text
    assert "1 check is finished" in page
    assert "59 cards" in page
    refused = sent(judge, floor, "finish-check", **found)
    assert refused.status_code == 409
    assert 'role="alert"' in refused.text


def test_the_usual_penalty_is_proposed_by_what_the_player_had(judge: TestClient, floor: Floor) -> None:
    first, _ = chairs(floor, 3)
    address = f"/e/{floor.event}/judge/player/{first}"

    def usual() -> list[str]:
        page = judge.get(address, params={"infraction": "slow-play"}).text
        return re.findall(r'name="level" value="([a-z ]+)" required checked', page)

    assert usual() == ["warning"]
    key = re.findall(r'name="key" value="([^"]+)"', judge.get(address).text)[0]
    for _ in range(2):  # a double tap is one penalty
        sent(
            judge, floor, "penalty", key=key, entry=str(first), infraction="slow-play", level="warning", text="<b>slow",
            back=address,
        )  # fmt: skip
    page = judge.get(address).text
    assert page.count('id="penalty-') == 1
    assert "&lt;b&gt;slow" in page
    assert usual() == ["game loss"]
    sent(judge, floor, "penalty", entry=str(first), infraction="major", level="match loss", back=address)
    page = judge.get(address).text
    assert "It would change:" in page
    newest = re.findall(r'id="penalty-(\d+)"', page)[0]
    sent(judge, floor, "apply-penalty", penalty=newest, back=address)
    assert "Take back what it did" in judge.get(address).text
    sent(judge, floor, "take-back-penalty", penalty=newest, back=address)
    sent(judge, floor, "withdraw-penalty", penalty=newest, reason="it was a joke", back=address)
    assert "it was a joke" in judge.get(address).text


def test_a_penalty_may_be_in_a_judges_own_words(judge: TestClient, floor: Floor) -> None:
    back = f"/e/{floor.event}/judge/player/9"
    missing = sent(judge, floor, "penalty", entry="9", level="warning", text="typed before", back=back)
    assert missing.status_code == 422
    assert "typed before" in missing.text
    sent(judge, floor, "penalty", entry="9", own_words="ate a card", level="warning", back=back)
    assert "ate a card" in judge.get(back).text


def test_time_and_notes(judge: TestClient, floor: Floor) -> None:
    sent(judge, floor, "extend", table="4", minutes="5", reason="spilled water")
    assert "The table has 5 extra minutes now." in judge.get(f"/e/{floor.event}/judge").text
    sent(judge, floor, "note", text="watch <i>table 4</i>", table="4")
    sent(judge, floor, "note", text="asked twice", entry="7")
    assert "watch &lt;i&gt;table 4" in judge.get(f"/e/{floor.event}/judge").text
    assert "asked twice" in judge.get(f"/e/{floor.event}/judge/player/7").text


def test_a_judge_makes_an_exception_for_a_list(judge: TestClient, seeded: Database) -> None:
    asks = _announced(seeded, "Lists Open", decklist="required")
    asks.does(entries.ADD, entries.Add(name="Listless Lee"))
    address = f"/e/{asks.event}/judge/player/1"
    assert "Let the player play without a list" in judge.get(address).text
    for action, offered in (("waive", "Ask for a list after all"), ("require", "Let the player play without a list")):
        done = sent(judge, asks, action, entry="1", reason="lost in the post", back=address)
        assert (done.status_code, done.headers["location"]) == (303, address)
        assert offered in judge.get(address).text
    decklists.hand_in(asks.database, asking(asks.event), decklists.HandIn(entry=1, decklist=LIST))
    for action, offered in (("unlock", "Lock the list again"), ("lock", "Unlock the list")):
        assert sent(judge, asks, action, entry="1", reason="a misprint").status_code == 303
        assert offered in judge.get(address).text


def test_a_player_is_found_by_name_number_and_table(judge: TestClient, floor: Floor) -> None:
    address, first, second = f"/e/{floor.event}/judge", *chairs(floor, 2)

    def found(name: str) -> set[int]:
        page = judge.get(address, params={"name": name}).text
        (part,) = re.findall(r'<div id="found">(.*?)</div>\s*<section', page, re.DOTALL)
        return set(map(int, re.findall(r"/judge/player/(\d+)", part)))

    assert found("qUiet") == {10}
    assert found("2") == {first, second, 2}
    assert found("nobody") == set()


def test_a_form_leads_to_pages_of_this_event_alone(judge: TestClient, floor: Floor, world: World) -> None:
    for back in ("https://evil.example", f"/e/{world.running}/judge", "//evil"):
        done = sent(judge, floor, "note", text="x", back=back)
        assert done.headers["location"] == f"/e/{floor.event}/judge"
    assert sent(judge, floor, "format-the-disk").status_code == 404


def test_results_are_read_as_they_are_typed() -> None:
    assert result_in(" 2-1 ") == Games(first=2, second=1)
    assert result_in("1-1-1") == Games(first=1, second=1, drawn=1)
    assert result_in("2\u20130") == Games(first=2, second=0)
    assert result_in("17,4=9,12") == TablePlaces(places=((17,), (4, 9), (12,)))
    for wrong in ("", "2", "2-x", "2-1/nonsense", "a,b", "2-1-1-1"):
        assert result_in(wrong) is None


@pytest.mark.timeout(120)
def test_a_judge_works_on_a_phone(chromium: Browser, server: Server, floor: Floor) -> None:
    first, second = chairs(floor, 4)
    for player in (first, second):
        floor.does(claims.MAKE, claims.MakeClaim(round=1, table=4, mine=2, theirs=0), who=f"entry:{player}")
    faults = {}
    with reading(chromium, viewport=PHONE, locale="en") as page:
        signed_in(page, server.address, account="ann")
        address = f"{server.address}/e/{floor.event}/judge"
        for below in ("", "?name=w", f"/player/{first}?infraction=tardiness"):
            if found := unusable(page, address + below):
                faults[below] = found
        page.goto(address)
        page.get_by_text("It came to something else").click()
        page.get_by_label("Result").fill("half typed")
        page.wait_for_timeout(300)
        called(floor, 3, topic="while you were typing")
        page.get_by_text("while you were typing").wait_for()
        assert page.get_by_label("Result").input_value() == "half typed"
        page.get_by_role("button", name="I am going").click()
        page.get_by_text("ann is on the way").wait_for()
    assert faults == {}
