"""What is printed: which slip goes where, who may print what, and real sheets of paper made by a real Chromium."""

import re
from html import unescape

import pytest
from fastapi.testclient import TestClient
from playwright.sync_api import Browser

from tests.tournament.floor import Floor
from tests.tournament.people import account
from tests.tournament.web.browsing import PHONE, Server, reading, signed_in, unusable
from tests.tournament.web.test_table import Phone, begun
from tests.tournament.web.world import HOSTILE
from tournament.database import Database
from tournament.service import entries, rounds, staff
from tournament.web.paper import size_of, stacked

ANN = {"Authorization": "Bearer dp_ann"}
STAFF_ONLY = ("slips", "sheets", "check-in", "tables")
PUBLIC = ("pairings", "standings")
A4, LETTER = (595, 842), (612, 792)
"""Points, as a PDF counts."""


@pytest.fixture(scope="module")
def floor(seeded: Database) -> Floor:
    """18 players with hostile names and long ones, nine tables, one round closed."""
    floor = begun(seeded, *HOSTILE, *(f"{letter * 55} {letter}" for letter in "ABCDEFGHI"), best_of=3)
    floor.play_on(1)
    floor.next_round()
    return floor


def printed(site: TestClient, floor: Floor, what: str, headers: dict[str, str] = ANN) -> str:
    answer = site.get(f"/e/{floor.event}/print{what}", headers=headers)
    assert answer.status_code == 200, answer.text
    return unescape(answer.text)


def numbers(page: str) -> list[int]:
    return [int(found) for found in re.findall(r"</small> (\d+)</span></p>", page)]


# --- which goes where -------------------------------------------------------------------------------------------------


def test_a_cut_stack_stays_in_order() -> None:
    # sheet 1 | 1 4 7 10      sheet 2 | 2 5 8 11      sheet 3 | 3 6 9 -
    assert stacked(range(1, 12), 4) == [[1, 4, 7, 10], [2, 5, 8, 11], [3, 6, 9, None]]
    for count in range(40):
        sheets = stacked(range(count))
        piles = [one for place in range(8) for sheet in sheets for one in [sheet[place]] if one is not None]
        assert piles == list(range(count))


def test_letters_of_east_asia_take_twice_the_room() -> None:
    assert (size_of("a" * 24), size_of("陳" * 13), size_of("W" * 100)) == ("short", "long", "longest")


# --- who prints what --------------------------------------------------------------------------------------------------


def test_staff_print_everything_and_everybody_what_everybody_sees(site: TestClient, floor: Floor) -> None:
    for what in STAFF_ONLY:
        for headers in ({}, Phone(site, floor.event, 1).headers):
            answer = site.get(f"/e/{floor.event}/print/{what}", headers=headers)
            assert answer.status_code in {303, 401, 403}, what
            assert "<svg onload" not in answer.text
        assert site.get(f"/e/{floor.event}/print/{what}", headers=ANN).headers["cache-control"] == "no-store"
        assert f"/print/{what}" in printed(site, floor, "")
        assert f"/print/{what}" not in printed(site, floor, "", {})
    for what in PUBLIC:
        assert "<script>alert" not in site.get(f"/e/{floor.event}/print/{what}").text
        assert HOSTILE[0] in printed(site, floor, f"/{what}", {})


def test_slips_are_of_a_round_or_of_single_tables(site: TestClient, floor: Floor) -> None:
    page = printed(site, floor, "/slips?round=1")
    assert numbers(page) == [1, 3, 5, 7, 9, 2, 4, 6, 8]  # two sheets; the fifth place has the last one
    assert page.count('class="slip blank"') == 7
    assert numbers(printed(site, floor, "/slips?tables=3,7")) == [3, 7]
    first = floor.seat(3, 2).first
    assert floor.entry(first).name in printed(site, floor, "/slips?tables=3")
    assert site.get(f"/e/{floor.event}/print/slips?tables=x", headers=ANN).status_code == 422


def test_slips_of_tables_of_several_have_places(site: TestClient, seeded: Database) -> None:
    pods = begun(seeded, *"ABCDEF", preset="pods", pod_size=4)
    page = printed(site, pods, "/slips")
    assert page.count('class="slip several n3"') == 2
    assert page.count("place<i>") == 6
    assert "games won" not in page


def test_a_draft_is_printed_for_staff_and_for_nobody_else(site: TestClient, seeded: Database) -> None:
    draft = begun(seeded, *"ABCD")
    draft.play_on(1)
    draft.does(rounds.PAIR, rounds.Pair())
    assert "Slips of round 2" in printed(site, draft, "/slips")
    assert "Round 1" in printed(site, draft, "/pairings", {})
    assert site.get(f"/e/{draft.event}/print/pairings?round=2").status_code == 404


def test_the_check_in_list_is_by_name_without_who_left(site: TestClient, seeded: Database) -> None:
    few = begun(seeded, "Zoë", "Ann", "Eva", "Bob")
    few.does(entries.DROP, entries.Leave(entry=4))
    page = printed(site, few, "/check-in")
    assert re.findall(r'class="me">(.*?)</bdi>', page) == ["Ann", "Eva", "Zoë"]


def test_codes_are_on_sheets_for_the_desk_and_lists_for_who_may_read_them(site: TestClient, seeded: Database) -> None:
    few = begun(seeded, "Ann", "Bob", game="cps", format="standard", decklist="optional")
    code = re.compile(r'<code class="paper-code">[0-9A-Z]{4}-[0-9A-Z]{4}-[0-9A-Z]{4}</code>')
    for role, sees_code, sees_deck in (("desk", True, False), ("judge", False, True), ("scorekeeper", True, False)):
        token = account(f"{role}-{few.event}", seeded)
        few.does(staff.GRANT, staff.Grant(account=f"{role}-{few.event}", role=role))
        page = printed(site, few, "/sheets", {"Authorization": f"Bearer {token}"})
        assert bool(code.search(page)) is sees_code, role
        assert ("Deck hash" in page) is sees_deck, role
    assert len(code.findall(printed(site, few, "/sheets?entry=2"))) == 1


def test_long_lists_come_in_parts(site: TestClient, seeded: Database, floor: Floor) -> None:
    page = printed(site, floor, "/tables?first=1&last=2000")
    assert page.count('<p class="sign-half">') == 20
    assert "page=100" in page
    assert printed(site, floor, "/tables").count('<p class="sign-half">') == 9


# --- on paper ---------------------------------------------------------------------------------------------------------


def sheets_of(body: bytes) -> list[tuple[int, int]]:
    """The pages of a PDF with their sizes, in points."""
    assert len(re.findall(rb"/Type /Page\b", body)) == body.count(b"/MediaBox")
    return [
        (round(float(wide)), round(float(high))) for wide, high in re.findall(rb"/MediaBox \[0 0 (\S+) (\S+?)\]", body)
    ]


CUT_OFF = """boxes => boxes.flatMap(box => [box, ...box.querySelectorAll('*')])
  .filter(one => one.clientHeight && (one.scrollHeight > one.clientHeight + 1 || one.scrollWidth > one.clientWidth + 1))
  .map(one => one.outerHTML.slice(0, 200))"""
BEYOND = """boxes => boxes.flatMap(box => { const room = box.getBoundingClientRect();
  return [...box.querySelectorAll('*')].filter(one => { const it = one.getBoundingClientRect();
    return it.right > room.right + 1 || it.bottom > room.bottom + 1 || it.left < room.left - 1 || it.top < room.top - 1;
  }).map(one => one.outerHTML.slice(0, 200)) })"""


def test_sheets_of_paper_are_full_whole_and_nothing_is_cut_off(
    chromium: Browser, server: Server, seeded: Database, floor: Floor
) -> None:
    pods = begun(seeded, *HOSTILE[:6], preset="pods", pod_size=6)
    expected = (
        (floor, "slips", ".slip", 2),
        (pods, "slips", ".slip", 1),
        (floor, "tables?last=1234", ".sign-half", 20),
        (floor, "pairings", ".paper-lines li", 1),
        (floor, "standings", ".onpaper", 1),
        (floor, "check-in", ".paper-lines li", 1),
        (pods, "sheets", ".player-sheet", 6),
    )
    wrong = []
    with reading(chromium, locale="en") as page:
        signed_in(page, server.address, account="ann")
        page.emulate_media(media="print")
        for of, what, boxes, sheets in expected:
            for paper, size in (("a4", A4), ("letter", LETTER)):
                mark = "&" if "?" in what else "?"
                page.goto(f"{server.address}/e/{of.event}/print/{what}{mark}paper={paper}")
                made = sheets_of(page.pdf(prefer_css_page_size=True))
                if made != [size] * sheets:
                    wrong.append((what, paper, made))
                found = page.locator(boxes)
                wrong += [(what, paper, one) for one in found.evaluate_all(CUT_OFF) + found.evaluate_all(BEYOND)]
    assert wrong == [], wrong


def test_pages_of_paper_are_used_on_a_phone_too(
    chromium: Browser, server: Server, floor: Floor, seeded: Database
) -> None:
    here = begun(seeded, *"ABCDEFGHIJ", here=range(1, 11))
    found = {}
    with reading(chromium, viewport=PHONE, locale="en") as page:
        signed_in(page, server.address, account="ann")
        for what in ("", "/slips", "/sheets", "/standings"):
            if faults := unusable(page, f"{server.address}/e/{floor.event}/print{what}"):
                found[what] = faults
        page.get_by_role("button", name="Print", exact=True).wait_for()
        if faults := unusable(page, f"{server.address}/e/{here.event}/print/check-in"):
            found["/check-in"] = faults
    assert found == {}
