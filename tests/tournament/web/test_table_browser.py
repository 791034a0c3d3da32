"""A player's phone during a round, in a real Chromium: live, without a connection, in two tabs, without JavaScript."""

import json
from collections.abc import Iterator

import pytest
from playwright.sync_api import Browser, Page

from tests.tournament.floor import Floor
from tests.tournament.web.browsing import PHONE, Server, reading, signed_in, unusable
from tests.tournament.web.test_table import begun
from tests.tournament.web.world import HOSTILE
from tournament.database import Database
from tournament.service import calls, claims, rounds
from tournament.service.codes import Codes, Purpose
from tournament.service.commands import Nothing
from tournament.settings import Settings

SLIPS = "**/me/table/report"


@pytest.fixture(scope="module")
def floor(seeded: Database) -> Floor:
    """Hostile names, so that whatever is shown is shown with them."""
    return begun(seeded, *HOSTILE[:8], best_of=3, round_minutes=50)


@pytest.fixture
def phone(chromium: Browser) -> Iterator[Page]:
    with reading(chromium, viewport=PHONE, color_scheme="light", locale="en") as page:
        yield page


def sit(page: Page, server: Server, floor: Floor, number: int) -> str:
    """Sign the phone of a player in; the address of the own table."""
    code = Codes(Settings().secret.get_secret_value()).code(Purpose.ENTRY, floor.event, number, 1)
    signed_in(page, server.address, event=floor.event, entry=number, code=code)
    return f"{server.address}/e/{floor.event}/me/table"


def claimed(floor: Floor, number: int = 1) -> int:
    """How many claims of the round are in the log."""
    with floor.database.reading() as session:
        return sum(len(table.claims) for table in claims.open_in(session, floor.event, number))


def test_the_opponents_report_appears_by_itself_and_one_tap_confirms_it(
    phone: Page, chromium: Browser, server: Server, floor: Floor
) -> None:
    first, second = floor.players(1)
    found = {"open": unusable(phone, sit(phone, server, floor, second))}
    with reading(chromium, viewport=PHONE, locale="en") as other:
        other.goto(sit(other, server, floor, first))
        other.get_by_role("button", name="2\u20131", exact=True).click()
        other.get_by_text("It counts when this is confirmed by").wait_for()
        yes = phone.get_by_role("button", name="Yes, that is right")
        yes.wait_for()
        found["theirs"] = unusable(phone, phone.url)
        found["mine"] = unusable(other, other.url)
        floor.report(4, 2, 0)  # of others: no matter here
        yes.click()
        phone.get_by_text("The result stands").wait_for()
        other.get_by_text("The result stands").wait_for()
        found["stands"] = unusable(phone, phone.url)
    assert {name: faults for name, faults in found.items() if faults} == {}
    assert floor.result(1) == (2, 1, 0, "played")


def test_a_report_without_a_connection_is_kept_and_sent_once_also_after_a_reload(
    phone: Page, server: Server, floor: Floor
) -> None:
    first, _ = floor.players(2)
    phone.goto(sit(phone, server, floor, first))
    before = floor.row().version
    phone.context.set_offline(True)
    phone.get_by_role("button", name="2\u20130", exact=True).click()
    waiting = phone.locator("#outbox")
    waiting.get_by_text("There is no connection.").wait_for()
    assert waiting.locator("bdi").inner_text() == "2\u20130"
    phone.get_by_role("button", name="1\u20132", exact=True).click()  # mistyped: the later one counts
    waiting.get_by_text("1\u20132").wait_for()
    kept = phone.evaluate("JSON.stringify(localStorage)")
    phone.route(SLIPS, lambda route: route.abort())
    phone.context.set_offline(False)
    phone.reload()
    waiting.get_by_text("1\u20132").wait_for()
    assert phone.evaluate("JSON.stringify(localStorage)") == kept
    assert floor.row().version == before
    answers: list[int] = []

    def lose(route: object) -> None:
        """The server obeys, and its answer does not arrive; the second time it does."""
        answer = route.fetch(max_redirects=0)  # type: ignore[attr-defined]
        answers.append(answer.status)
        if len(answers) == 1:
            route.abort()  # type: ignore[attr-defined]
        else:
            route.fulfill(response=answer)  # type: ignore[attr-defined]

    phone.unroute(SLIPS)
    phone.route(SLIPS, lose)
    phone.get_by_role("button", name="Try now").click()
    phone.get_by_text("It counts when this is confirmed by").wait_for()
    waiting.wait_for(state="hidden")
    assert answers == [303, 303]
    assert floor.row().version == before + 1
    assert phone.evaluate("localStorage.length") == 0


def test_a_report_is_kept_where_a_network_answers_instead_of_the_server(
    phone: Page, server: Server, seeded: Database
) -> None:
    """A network that wants to be signed in to leads every request to a page of its own."""
    floor = begun(seeded, "Ann", "Zoë", best_of=3)
    first, _ = floor.players(1)
    phone.goto(sit(phone, server, floor, first))
    before = floor.row().version
    phone.route(SLIPS, lambda route: route.fulfill(status=302, headers={"Location": "/rulings"}))
    with phone.expect_response("**/rulings"):
        phone.get_by_role("button", name="2\u20130", exact=True).click()
    phone.locator("#outbox-sign-in").wait_for()
    assert floor.row().version == before
    phone.unroute(SLIPS)
    phone.reload()
    phone.get_by_text("It counts when this is confirmed by").wait_for()
    assert floor.row().version == before + 1


def test_the_same_report_from_two_tabs_counts_once(phone: Page, server: Server, floor: Floor) -> None:
    first, _ = floor.players(3)
    phone.goto(sit(phone, server, floor, first))
    tab = phone.context.new_page()
    tab.goto(phone.url)
    for page in (phone, tab):
        page.route(SLIPS, lambda route: route.abort())
    before = floor.row().version
    phone.get_by_role("button", name="2\u20130", exact=True).click()
    phone.locator("#outbox").wait_for()
    tab.evaluate("document.dispatchEvent(new Event('visibilitychange'))")
    tab.locator("#outbox").wait_for()
    for page in (phone, tab):
        page.unroute(SLIPS)
        page.evaluate("dispatchEvent(new Event('online'))")
    for page in (phone, tab):
        page.get_by_text("It counts when this is confirmed by").wait_for()
    assert floor.row().version == before + 1


def test_a_report_that_became_stale_meanwhile_is_told_what_stands(
    phone: Page, server: Server, seeded: Database
) -> None:
    floor = begun(seeded, *"ABCD", best_of=3)
    first, _ = floor.players(1)
    phone.goto(sit(phone, server, floor, first))
    phone.context.set_offline(True)
    phone.get_by_role("button", name="2\u20130", exact=True).click()
    phone.locator("#outbox").wait_for()
    for table in (1, 2):
        floor.report(table, 1, 2)
    floor.does(rounds.CLOSE, Nothing())
    floor.next_round()
    phone.context.set_offline(False)
    phone.locator("#told .stands", has_text="What stands for round 1: 1\u20132").wait_for()
    phone.get_by_text("Round 2").first.wait_for()
    phone.locator("#outbox").wait_for(state="hidden")
    assert phone.evaluate("localStorage.length") == 0
    assert floor.result(1) == (1, 2, 0, "played")


def test_it_is_played_without_javascript(chromium: Browser, server: Server, seeded: Database) -> None:
    floor = begun(seeded, *"AB", best_of=3)
    with reading(chromium, viewport=PHONE, java_script_enabled=False, locale="en") as page:
        page.goto(sit(page, server, floor, 1))
        page.get_by_text("Another result").click()
        page.get_by_label("Games that I won").fill("1")
        page.get_by_label("How it ended").select_option("I gave up")
        page.get_by_role("button", name="Report this").click()
        page.get_by_text("Your report is in.").wait_for()
        page.locator("summary", has_text="Call a judge").click()
        page.get_by_label("What about, if you like").fill("a hand")
        page.get_by_role("button", name="Call a judge").click()
        page.get_by_text("Your call waits in the judges' queue.").wait_for()
        page.get_by_role("link", name="Leave the event").click()
        page.get_by_role("button", name="Yes, leave").click()
        page.get_by_text("You have left the event and are not paired any more.").wait_for()
    assert floor.entry(1).dropped_after == 1


def test_a_judge_on_the_way_is_told_by_itself_and_what_is_unfolded_stays_so(
    phone: Page, server: Server, seeded: Database
) -> None:
    floor = begun(seeded, *"ABCD", preset="pods", pod_size=4)
    found = {"several": unusable(phone, sit(phone, server, floor, 1))}
    phone.locator("summary", has_text="Call a judge").click()
    phone.get_by_role("button", name="Call a judge").click()
    phone.get_by_text("Your call waits in the judges' queue.").wait_for()
    phone.locator("#p-1-2").click()
    floor.does(calls.TAKE, calls.CallNumber(call=1))
    phone.get_by_text("A judge is on the way.").wait_for()
    assert phone.locator("#p-1-2").is_checked()
    found["called"] = unusable(phone, phone.url)
    found["leaving"] = unusable(phone, f"{phone.url}/leave")
    found["past"] = unusable(phone, phone.url.replace("/table/leave", "/history"))
    assert {name: faults for name, faults in found.items() if faults} == {}


def test_news_of_other_tables_cost_nothing(phone: Page, server: Server, seeded: Database) -> None:
    floor = begun(seeded, *"ABCD", best_of=3)
    first, _ = floor.players(1)
    phone.goto(sit(phone, server, floor, first))
    asked: list[str] = []
    phone.on("request", lambda request: asked.append(request.url) if request.url.endswith("/me/table") else None)
    assert json.loads(phone.locator("[data-only]").get_attribute("data-only") or "")["table"] == [1]
    phone.wait_for_timeout(300)
    floor.report(2, 2, 0)
    phone.wait_for_timeout(900)
    assert asked == []
    floor.report(1, 2, 0)
    phone.get_by_text("The result stands").wait_for()
