"""The desk's pages as they are sent: scanning, finding, entering, what needs a person; and who may."""

import re
from datetime import UTC, datetime, timedelta
from html import unescape
from secrets import token_hex

import pytest
from fastapi.testclient import TestClient

from tests.docs.pages import ROOT
from tests.tournament import owning
from tests.tournament.owning import FOO, LIST, World, cards, wallet
from tests.tournament.people import account
from tests.tournament.web.at_the_desk import GUESTS, Hall
from tests.tournament.web.browsing import QUICK
from tests.tournament.web.world import LARGE
from tournament import store
from tournament.api import desk_documents
from tournament.api.answers import Viewer
from tournament.database import Database
from tournament.domain.announcement import IfShort
from tournament.domain.roles import Role
from tournament.service import checkin, events, passes, rosters, scans
from tournament.service.entries import Leave
from tournament.settings import Settings
from tournament.web import assets
from tournament.web.answers import CAREFUL
from tournament.web.pages.desk import WORKERS, _came_in
from tournament.web.paging import PAGE
from tournament.web.site import create_site
from tournament.web.words import CASES
from verifier.passes import Shown, write_payload

ANN = {"Authorization": "Bearer dp_ann"}


@pytest.fixture(scope="module")
def hall(seeded: Database) -> Hall:
    return Hall(seeded).announce()


@pytest.fixture(scope="module")
def listed(seeded: Database) -> Hall:
    """An event that wants lists, and gives no passes yet."""
    return Hall(seeded).announce(guests=("Ann Example", "Bob Builder"), gives=False, decklist="required")


@pytest.fixture(scope="module")
def helper(hall: Hall) -> dict[str, str]:
    """Somebody who has only the role of the desk."""
    return hall.staff("door-dot", "desk")


def plain(page: str) -> str:
    """What a page says."""
    return re.sub(r"\s+", " ", re.sub(r"<[^>]*>", " ", page))


def scan(site: TestClient, hall: Hall, text: str, **typed: str) -> tuple[str, str]:
    """The case, and all that the answer says."""
    sent = {"text": text, "key": token_hex(12), "part": "answer", **typed}
    page = site.post(f"/e/{hall.event}/desk/scan", data=sent, headers=ANN).text
    found = re.search(r'data-case="([a-z-]+)"', page)
    assert found is not None, plain(page)
    return found[1], plain(page)


# --- who may ----------------------------------------------------------------------------------------------------------


def test_whoever_is_not_signed_in_is_asked_to_and_comes_back(site: TestClient, hall: Hall) -> None:
    answer = site.get(f"/e/{hall.event}/desk?name=ann")
    assert answer.status_code == 303
    assert answer.headers["location"] == f"/sign-in?next=/e/{hall.event}/desk%3Fname%3Dann"


@pytest.mark.parametrize(
    "below", ["", "/missing", "/new", "/players/1", "/players/1/pass", "/players/1/code", "/known"]
)
def test_whoever_does_not_work_there_is_refused(site: TestClient, hall: Hall, below: str) -> None:
    answer = site.get(f"/e/{hall.event}/desk{below}", headers=hall.staff("door-sid", "display"))
    assert answer.status_code == 403
    assert "Ann Example" not in answer.text


def test_a_judge_checks_in_and_sees_no_codes(site: TestClient, hall: Hall) -> None:
    judge = hall.staff("door-jim", "judge")
    page = site.get(f"/e/{hall.event}/desk/players/9", headers=judge).text
    assert "/desk/players/9/check-in" in page
    assert "/desk/players/9/code" not in page
    assert site.get(f"/e/{hall.event}/desk/players/9/code", headers=judge).status_code == 403


def test_only_workers_are_let_in_besides_by_the_policy_of_these_pages(site: TestClient, hall: Hall) -> None:
    for below in ("", "/missing", "/worker.js"):
        answer = site.get(f"/e/{hall.event}/desk{below}", headers=ANN)
        assert answer.headers["content-security-policy"] == CAREFUL["Content-Security-Policy"] + WORKERS
    assert answer.headers["service-worker-allowed"] == f"/e/{hall.event}/desk"
    assert site.get(f"/e/{hall.event}").headers["content-security-policy"] == CAREFUL["Content-Security-Policy"]


# --- scanning ---------------------------------------------------------------------------------------------------------


def test_a_good_pass_checks_in_and_says_what_to_do(site: TestClient, hall: Hall) -> None:
    case, said = scan(site, hall, hall.text(1))
    assert case == "in"
    assert "Come in Ann Example No. 1 Compare the name with a document." in said
    assert hall.is_here(1)


def test_the_same_pass_again_is_told_with_when(site: TestClient, hall: Hall) -> None:
    scan(site, hall, hall.text(2))
    case, said = scan(site, hall, hall.text(2))
    assert case == "used"
    assert re.search(r"pass 2 came in at a desk of ann already, at \d{4}-\d\d-\d\d \d\d:\d\d UTC", said)
    assert hall.scans(2) == 1


def test_a_scan_that_is_sent_again_is_the_same_scan(site: TestClient, hall: Hall) -> None:
    key = token_hex(12)
    assert scan(site, hall, hall.text(3), key=key)[0] == "in"
    assert scan(site, hall, hall.text(3), key=key)[0] == "in"
    assert hall.scans(3) == 1


def test_what_is_no_pass_says_so(site: TestClient, hall: Hall) -> None:
    for text in ("https://example.com", hall.text(4).lower(), hall.text(4)[:-3], " "):
        assert scan(site, hall, text)[0] == "version"
    assert not hall.is_here(4)


def test_a_changed_pass_is_not_genuine(site: TestClient, hall: Hall) -> None:
    text = hall.text(4)
    assert scan(site, hall, text[:-6] + ("00" if text[-6:-4] != "00" else "11") + text[-4:])[0] in {
        "signature",
        "version",
    }
    middle = text[:120] + ("0" if text[120] != "0" else "1") + text[121:]
    assert scan(site, hall, middle)[0] == "signature"


def test_a_pass_of_another_event_says_so(site: TestClient, hall: Hall, seeded: Database) -> None:
    other = Hall(seeded).announce(guests=("Somebody Else",))
    case, said = scan(site, hall, other.text(1))
    assert case == "event"
    assert "Somebody Else" not in said


def test_a_pass_that_was_replaced_or_revoked_says_so(site: TestClient, hall: Hall) -> None:
    old = hall.text(5)
    hall.does(passes.ISSUE, passes.Issue(entry=5, anew=True))
    case, said = scan(site, hall, old)
    assert case == "revoked"
    assert "Eve Nakamura" in said


def test_a_pass_that_is_over_says_until_when_it_was_good(site: TestClient, hall: Hall) -> None:
    earlier = datetime.now(UTC) - timedelta(hours=2)
    hall.does(passes.ISSUE, passes.Issue(entry=6, until=earlier + timedelta(hours=1)), at=earlier)
    case, said = scan(site, hall, hall.text(6))
    assert case == "time"
    assert "60 minutes ago by this desk's clock" in unescape(said)


def test_without_its_script_the_whole_page_answers(site: TestClient, hall: Hall) -> None:
    page = site.post(f"/e/{hall.event}/desk/scan", data={"text": hall.text(7), "key": token_hex(8)}, headers=ANN)
    assert page.status_code == 200
    assert 'data-case="in"' in page.text
    assert 'id="count-here"' in page.text
    assert site.get(f"/e/{hall.event}/desk/scan", headers=ANN).headers["location"] == f"/e/{hall.event}/desk"


def test_whose_cards_are_missing_is_in_and_amber_and_a_problem(one: Database) -> None:
    account("ann", one)
    with owning.started(one) as world:
        world.announce(if_short=IfShort.FLAG)
        for name in ("Ann", "Dan"):
            world.enter(name)
        world.chain.mine(cards(wallet("Ann")) | cards(wallet("Dan"), but={FOO.card: 1}), seconds=60)
        world.wait(90)
        world.close()
        world.read()
        text = {entry: _text(world, world.do(passes.ISSUE, passes.Issue(entry=entry)).given.serial) for entry in (1, 2)}
        facts = [world.do(scans.SCAN, scans.Show(text=text[entry])) for entry in (1, 2)]
        with one.reading() as session:
            row = store.find_event(session, world.event)
            assert row is not None
            viewer = Viewer(session, row, frozenset({Role.DESK}), codes=owning.CODES)
            assert [_came_in(viewer, fact)["case"] for fact in facts] == ["in", "in-but"]
            (trouble,) = desk_documents.troubles_of(viewer)
        assert (trouble.kind, trouble.name) == (desk_documents.Kind.CARDS, "Dan")
        app = create_site(Settings(), database=one, hasher=QUICK, nodes=world.nodes)
        with TestClient(app, headers={"Accept": "text/html"}) as site:
            page = plain(site.get(f"/e/{world.event}/desk", headers=ANN).text)
        assert "Dan No. 2 is here, and cards are missing: send the player to a judge" in page


def _text(world: World, serial: int) -> str:
    with world.database.reading() as session:
        row = passes.numbered(session, world.event, serial).row
        return write_payload(Shown(passes.signed(session, owning.CODES, row)))


def test_every_case_has_words_and_a_light() -> None:
    assert {light for light, _, _ in CASES.values()} == {"green", "amber", "red"}
    assert all(word for _, word, _ in CASES.values())


# --- finding ----------------------------------------------------------------------------------------------------------


def test_somebody_is_found_without_accents_and_checked_in_by_one_click(site: TestClient, hall: Hall) -> None:
    page = site.get(f"/e/{hall.event}/desk?name=oskarsson", headers=ANN).text
    assert "Dan Óskarsson" in plain(page)
    address = re.search(rf'action="(/e/{hall.event}/desk/players/(\d+)/check-in)"', page)
    assert address is not None
    typed = {"key": token_hex(8), "name": "Dan Óskarsson", "back": "desk"}
    assert site.post(address[1], data=typed, headers=ANN).headers["location"] == f"/e/{hall.event}/desk"
    assert hall.is_here(int(address[2]))
    site.post(address[1].replace("check-in", "check-out"), data=typed, headers=ANN)
    assert not hall.is_here(int(address[2]))


def test_a_number_finds_its_player(site: TestClient, hall: Hall) -> None:
    assert "Ole Bø" in plain(site.get(f"/e/{hall.event}/desk?name=8", headers=ANN).text)


def test_a_pass_that_was_typed_into_the_search_is_not_searched_for(site: TestClient, hall: Hall) -> None:
    page = site.get(f"/e/{hall.event}/desk", params={"name": hall.text(8)}, headers=ANN)
    assert "That was a pass." in page.text
    assert hall.text(8) not in page.text


def test_hostile_names_are_text(site: TestClient, hall: Hall) -> None:
    for below in ("?name=svg", "/missing", "/players/11"):
        page = site.get(f"/e/{hall.event}/desk{below}", headers=ANN).text
        assert "<svg onload" not in page
        assert "&lt;svg onload=alert(1)&gt;" in page


def test_whoever_is_missing_is_listed_and_checked_in_from_there(site: TestClient, hall: Hall) -> None:
    page = site.get(f"/e/{hall.event}/desk/missing", headers=ANN).text
    assert "Kofi Mensah" in page
    typed = {"key": token_hex(8), "entry": "10"}
    answer = site.post(f"/e/{hall.event}/desk/missing", data=typed, headers=ANN)
    assert answer.headers["location"] == f"/e/{hall.event}/desk/missing"
    assert hall.is_here(10)
    assert "Kofi Mensah" not in site.get(f"/e/{hall.event}/desk/missing", headers=ANN).text


@pytest.mark.timeout(120)
def test_two_thousand_players_are_no_long_page(site: TestClient, seeded: Database) -> None:
    many = Hall(seeded).announce(guests=(), gives=False)
    many.does(events.REOPEN)
    table = "name\r\n" + "".join(f"Player {number:04}\r\n" for number in range(LARGE))
    rosters.enter(seeded, many.ask(), table.encode(), "refuse", reason="")
    many.does(events.CLOSE)
    desk = site.get(f"/e/{many.event}/desk?name=player", headers=ANN).text
    assert desk.count("/check-in") == 8
    assert "1992 more; type more of the name." in desk
    missing = site.get(f"/e/{many.event}/desk/missing", headers=ANN).text
    assert missing.count('name="entry"') == PAGE


# --- players ----------------------------------------------------------------------------------------------------------


def test_a_player_is_entered_on_the_spot_and_is_here(site: TestClient, hall: Hall) -> None:
    typed = {"key": token_hex(8), "name": "Late Lea", "here": "yes", "fixed_table": "3"}
    answer = site.post(f"/e/{hall.event}/desk/new", data=typed, headers=ANN)
    number = int(answer.headers["location"].rpartition("/")[2])
    assert hall.is_here(number)
    again = site.post(f"/e/{hall.event}/desk/new", data=typed | {"even_so": "yes"}, headers=ANN)
    assert again.headers["location"] == answer.headers["location"]


def test_a_second_one_of_that_name_is_asked_about(site: TestClient, hall: Hall) -> None:
    typed = {"key": token_hex(8), "name": "JO  li"}
    asked = site.post(f"/e/{hall.event}/desk/new", data=typed, headers=ANN)
    assert asked.status_code == 409
    assert "Somebody is called that already." in asked.text
    assert site.post(f"/e/{hall.event}/desk/new", data=typed | {"even_so": "yes"}, headers=ANN).status_code == 303


def test_what_cannot_be_entered_comes_back_with_what_was_typed(site: TestClient, hall: Hall) -> None:
    page = site.post(f"/e/{hall.event}/desk/new", data={"name": "Max", "fixed_table": "x"}, headers=ANN)
    assert page.status_code == 422
    assert 'value="Max"' in page.text
    assert "A whole number is needed." in page.text


def test_the_desk_gives_shows_and_takes_passes_and_codes(site: TestClient, hall: Hall, helper: dict[str, str]) -> None:
    own = f"/e/{hall.event}/desk/players/12"
    page = site.get(f"{own}/pass", headers=helper).text
    assert f"/events/{hall.event}/entries/12/pass/picture" in page
    before = hall.text(12)
    site.post(f"{own}/give-pass", data={"key": token_hex(8), "anew": "yes"}, headers=helper)
    assert hall.text(12) != before
    code = re.search(r"<code>(.*?)</code>", site.get(f"{own}/code", headers=helper).text)
    site.post(f"{own}/recode", data={"key": token_hex(8)}, headers=helper)
    assert code is not None
    assert code[1] not in site.get(f"{own}/code", headers=helper).text
    assert site.post(f"{own}/revoke-pass", data={"key": token_hex(8), "reason": " "}, headers=helper).status_code == 422
    site.post(f"{own}/revoke-pass", data={"key": token_hex(8), "reason": "lost"}, headers=helper)
    assert site.get(f"{own}/pass", headers=helper).status_code == 404


def test_a_name_is_corrected_and_a_fixed_table_taken_away(site: TestClient, hall: Hall) -> None:
    own = f"/e/{hall.event}/desk/players/13"
    site.post(f"{own}/edit", data={"key": token_hex(8), "name": "Wanda", "fixed_table": "5"}, headers=ANN)
    assert "Fixed table 5" in plain(site.get(own, headers=ANN).text)
    site.post(f"{own}/edit", data={"key": token_hex(8), "name": "Wanda", "fixed_table": ""}, headers=ANN)
    assert "Fixed table 5" not in plain(site.get(own, headers=ANN).text)


def test_a_player_leaves_and_is_taken_back(site: TestClient, hall: Hall) -> None:
    own = f"/e/{hall.event}/desk/players/13"
    site.post(f"{own}/drop", data={"key": token_hex(8), "name": "Wanda"}, headers=ANN)
    page = site.get(own, headers=ANN).text
    assert f"{own}/return" in page
    assert f"{own}/check-in" not in page
    site.post(f"{own}/return", data={"key": token_hex(8)}, headers=ANN)
    assert f"{own}/check-in" in site.get(own, headers=ANN).text


def test_a_refusal_is_told_on_the_players_page(site: TestClient, hall: Hall) -> None:
    answer = site.post(f"/e/{hall.event}/desk/players/13/check-out", data={"key": token_hex(8)}, headers=ANN)
    assert answer.status_code == 409
    assert 'class="refused"' in answer.text


def test_the_desk_hands_in_a_list_and_is_told_what_is_wrong(site: TestClient, listed: Hall) -> None:
    own = f"/e/{listed.event}/desk/players/1/deck"
    unknown = site.post(own, data={"decklist": "1 Nobody At All"}, headers=ANN)
    assert unknown.status_code == 422
    assert "line 1" in unknown.text
    draft = site.post(own, data={"decklist": "\n".join(LIST.splitlines()[:-3])}, headers=ANN)
    assert "kept as a draft" in draft.text
    assert site.post(own, data={"decklist": LIST}, headers=ANN).status_code == 303
    assert "List handed in" in plain(site.get(f"/e/{listed.event}/desk/players/1", headers=ANN).text)


# --- what needs a person ----------------------------------------------------------------------------------------------


def test_an_event_without_passes_gives_them_by_one_click(site: TestClient, listed: Hall) -> None:
    page = site.get(f"/e/{listed.event}/desk", headers=ANN).text
    assert "This event gives no passes yet." in page
    answer = site.post(f"/e/{listed.event}/desk/open-passes", data={"key": token_hex(8)}, headers=ANN)
    assert answer.status_code == 303
    assert 'id="scanning"' in site.get(f"/e/{listed.event}/desk", headers=ANN).text


def test_whoever_is_here_without_a_list_is_a_problem_until_it_is_handed_in(site: TestClient, listed: Hall) -> None:
    listed.does(checkin.CHECK_IN, Leave(entry=2))
    page = plain(site.get(f"/e/{listed.event}/desk", headers=ANN).text)
    assert "Bob Builder No. 2 is here and has no legal list" in page
    own = f"/e/{listed.event}/desk/players/2/deck"
    site.post(own, data={"decklist": LIST}, headers=ANN)
    assert "has no legal list" not in plain(site.get(f"/e/{listed.event}/desk", headers=ANN).text)


def test_the_pace_and_the_time_that_is_left_are_of_the_last_few(seeded: Database) -> None:
    door = Hall(seeded).announce(guests=[f"Guest {number}" for number in range(10)], gives=False)
    for number in range(1, 5):
        door.does(checkin.CHECK_IN, Leave(entry=number))
    with seeded.reading() as session:
        row = store.find_event(session, door.event)
        assert row is not None
        viewer = Viewer(session, row, frozenset({Role.DESK}))
        counts = desk_documents.counts_of(viewer, datetime.now(UTC) + timedelta(minutes=2))
        assert (counts.expected, counts.here, counts.missing) == (10, 4, 6)
        assert counts.per_minute == pytest.approx(2, rel=0.1)
        assert counts.minutes_left == 3
        later = desk_documents.counts_of(viewer, datetime.now(UTC) + timedelta(hours=1))
        assert (later.per_minute, later.minutes_left) == (None, None)


def test_what_a_desk_is_given_has_names_and_no_wallets(site: TestClient, hall: Hall) -> None:
    known = site.get(f"/e/{hall.event}/desk/known", headers=ANN).json()
    assert sorted(known) == ["asOf", "chainId", "event", "eventId", "keys", "players", "revoked", "used"]
    assert [1, "Ann Example"] in known["players"].values()


def test_the_page_that_a_browser_keeps_has_nobodys_name(site: TestClient, hall: Hall) -> None:
    page = site.get(f"/e/{hall.event}/desk/alone", headers=ANN).text
    assert 'id="scanning"' in page
    assert not [name for name in GUESTS if name in page]


# --- files ------------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("ours", "theirs"),
    [
        ("qr-scanner/qr-scanner.min.js", "qr-scanner/qr-scanner.min.js"),
        ("qr-scanner/qr-scanner-worker.min.js", "qr-scanner/qr-scanner-worker.min.js"),
        ("secp256k1.js", "@noble/secp256k1/index.js"),
    ],
)
def test_files_of_others_are_those_that_the_lock_names(site: TestClient, ours: str, theirs: str) -> None:
    there = (ROOT / "node_modules" / theirs).read_bytes()
    assert assets.assets()[ours].body == there
    assert site.get(assets.address(ours)).content == there


def test_files_that_name_each_other_lie_side_by_side() -> None:
    one, other = (assets.address(f"qr-scanner/qr-scanner{kind}.min.js") for kind in ("", "-worker"))
    assert one.rpartition("/")[0] == other.rpartition("/")[0]
