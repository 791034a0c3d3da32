"""An event of 32 players by clicking, in a real Chromium, on a chain: from the link to register to the champion.

Penny Short registers by the demo wallet, is one card short, buys it, hands in and gets her pass. A camera lets her in,
a wedge the next ones, the API the rest. Rounds are paired, published and closed in the control room. Two phones report,
one of them without a connection for a while, the other one twice. A wrong result is mended a round later, and the cut
is played to its champion. What it took is counted, and printed beside the targets of the design.
"""

import os
import shutil
import time
from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Browser, Page, expect

from stage import cast
from stage.acting import Server as Services
from stage.acting import Stage, signature_of
from stage.cards import Cards, dealt
from tests.tournament.people import account
from tests.tournament.web.browsing import CHROMIUM, FLAGS, PASSWORD, PHONE, QUICK, reading, served, signed_in
from tests.tournament.web.conftest import chromium
from tests.tournament.web.test_desk_browser import filmed
from tournament import store
from tournament.database import Database, open_file
from tournament.domain.bracket import matches
from tournament.service import audit
from tournament.service.codes import Codes
from tournament.service.nodes import Nodes
from tournament.settings import Settings
from tournament.web.demo import Demo, Person

__all__ = ["chromium"]
pytestmark = [pytest.mark.chain, pytest.mark.timeout(600)]

PENNY = "Penny Short"
SHORT = ("Dewey Twice", "Polly Paste", "Bern Down")
"""Who have bought what they lacked before."""
NAMES = ("Paige Turner", "Chip Munny", "Bea Havior", "Twyla Purse", "Nick O'Thyme", *SHORT, *cast.OTHERS)
ROUNDS, CUT = 3, 4
WEDGE = """(keys) => keys.forEach((key) => document.activeElement.dispatchEvent(
  new KeyboardEvent("keydown", { key, bubbles: true, cancelable: true })))"""
"""A wedge's letters come at once, however busy the machine is."""
CODES = Codes(Settings().secret.get_secret_value())


@dataclass
class Count:
    """What somebody did: clicks, keys, and how long it took."""

    clicks: int = 0
    keys: int = 0
    began: float = field(default_factory=time.monotonic)

    @property
    def took(self) -> float:
        return time.monotonic() - self.began


@dataclass
class Day:
    """The event, its server, and everybody's counts."""

    cards: Cards
    stage: Stage
    address: str
    told: list[str] = field(default_factory=list)

    @property
    def event(self) -> str:
        return f"{self.address}/e/{self.stage.event}"

    def settle(self) -> None:
        """The block of an epoch that was just opened, and one on top of it."""
        head = self.cards.anvil.ask("eth_getBlockByNumber", "latest", False)  # noqa: FBT003 - JSON-RPC knows no names
        assert isinstance(head, dict)
        self.cards.anvil.ask("evm_setNextBlockTimestamp", max(int(head["timestamp"], 16), int(time.time())) + 1)
        self.cards.anvil.mine(2)

    def await_head(self) -> None:
        """Until the second after the newest block, so that the next epoch's block is a later one."""
        head = self.cards.anvil.ask("eth_getBlockByNumber", "latest", False)  # noqa: FBT003 - JSON-RPC knows no names
        assert isinstance(head, dict)
        time.sleep(max(0.0, int(head["timestamp"], 16) + 1 - time.time()))

    def tell(self, what: str, target: str) -> None:
        self.told.append(f"{what} (target: {target})")

    def number(self, name: str) -> int:
        return self.stage.entries[name]

    def row(self) -> Any:
        return self.stage.look(store.find_event)

    def seat_of(self, entry: int, number: int) -> Any:
        return next(one for one in self.stage.look(store.seats_of, number) if entry in (one.first, one.second))


@contextmanager
def opened(folder: Path, template: Path) -> Iterator[tuple[Cards, Database, Nodes]]:
    shutil.copy(template, folder / "deckproof.db")
    named = os.environ.get("DECKPROOF_ANVIL")
    with dealt(Path(named) if named else None, datetime.now(UTC) - timedelta(hours=3)) as cards:
        database = open_file(folder / "deckproof.db")
        for name in (cast.ORGANIZER, *cast.STAFF_ROLES):
            account(name, database, hashed=QUICK.hash(PASSWORD))
        yield cards, database, Nodes([cards.anvil.endpoint], cards.collection, stale_after=None)
        database.close()


@pytest.fixture(scope="module")
def day(sqlite: Path, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Day]:
    """31 players have entered with lists and wallets; one more may."""
    folder = tmp_path_factory.mktemp("day")
    with opened(folder, sqlite) as (cards, database, nodes):
        for name in SHORT:
            cards.buy(name)
        with served(database, demo=demo_of(cards), nodes=nodes) as server:
            now = datetime.now(UTC)
            services = Services(database, cards.anvil, nodes, CODES, server.address[7:], now - timedelta(hours=2))
            stage = Stage(services).announce(
                "Thirty-Two",
                "cps-official",
                starts_at=(now + timedelta(hours=1)).isoformat(),
                ownership_at=(now - timedelta(minutes=4)).isoformat(),
                rounds=ROUNDS,
                cut="size",
                cut_size=CUT,
                block_depth=1,
            )
            stage.open()
            for name in NAMES:
                stage.enter(cards.actors[name])
            yield Day(cards, stage, server.address)


def demo_of(cards: Cards) -> Demo:
    """A demo of one player, for the demo wallet."""
    penny, keys = cards.actors[PENNY], cast.keys()
    person = Person(PENNY, penny.story, (penny.wallets[0].address,), penny.decklist, "/", shops=True)
    return Demo(
        scene="registration",
        password=PASSWORD,
        workers=(),
        people=(person,),
        places=(),
        hints=(),
        sign=lambda address, text: signature_of(keys[address.lower()], text),
        buy=cards.buy,
        chain_id=cards.anvil.chain_id,
    )


# --- the day ----------------------------------------------------------------------------------------------------------


def test_a_day_of_thirty_two_players_by_clicking(
    day: Day, chromium: Browser, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    began = Count()
    with ExitStack() as open_:

        def window(**options: Any) -> Page:
            return open_.enter_context(reading(chromium, locale="en", **options))

        phone = window(viewport=PHONE)
        taps = registers(day, phone)
        day.stage.server.now = datetime.now(UTC)
        day.settle()
        assert len(day.stage.read()["covered"]) == len(NAMES) + 1  # the organizer asks the chain
        taps += makes_a_pass(day, phone)
        day.tell(f"from the link to the pass: {taps} taps and 1 signature", "4 taps and 1 signature")
        assert taps == 4
        organizer, control = window(), window()
        signed_in(organizer, day.address, account=cast.ORGANIZER)
        signed_in(control, day.address, account=cast.SCOREKEEPER)
        organizer.goto(f"{day.event}/control")
        organizer.get_by_role("button", name="Close registration").click()
        expect(organizer.locator("#now")).to_have_text("check-in")
        comes_in(day, chromium, tmp_path)
        control.goto(f"{day.event}/control")
        begins(day, control, 1)
        reported_on_two_phones(day, phone, window)
        table = reported_in_the_room(day, control)
        begins(day, control, 2)
        mended(day, control, table)
        for number in (2, 3):
            day.stage.report(number, day.stage.look(store.tables_playing, number))
            if number < ROUNDS:
                begins(day, control, number + 1)
        champion = plays_the_cut(day, control)
        organizer.goto(f"{day.event}/control")
        organizer.get_by_role("button", name="Finish the event").click()
        expect(organizer.locator("#now")).to_have_text("finished")
        anybody = window(viewport=PHONE)
        anybody.goto(f"{day.event}/bracket")
        expect(anybody.locator(".champion")).to_contain_text(champion)
    with day.stage.server.database.reading() as session:
        assert [*audit.verify_log(session, day.stage.event)] == []
        assert [*audit.differences(session, day.stage.event)] == []
    with capsys.disabled():
        print(f"\na day of 32 players in {began.took:.0f} s", *day.told, sep="\n  ")  # noqa: T201 - to be read


def registers(day: Day, phone: Page) -> int:
    """From the link to a list that counts; one card short in between. The taps on our pages."""
    phone.goto(f"{day.event}/register")
    phone.get_by_label("Your name").fill(PENNY)
    phone.get_by_role("button", name="Register", exact=True).click()
    phone.get_by_role("button", name="Demo wallet (not real)").click()
    phone.locator("#demo-chooser").get_by_role("button", name=PENNY).click()
    expect(phone.locator("#demo-signing pre")).to_contain_text(day.cards.actors[PENNY].wallets[0].address)
    phone.get_by_role("button", name="Sign", exact=True).click()
    phone.wait_for_url("**/me/deck")
    phone.get_by_label("Decklist").fill(day.cards.actors[PENNY].decklist)
    phone.locator(".lights li.red").get_by_text("have 1 of 2").wait_for()
    assert phone.locator(".lights li.red").count() == 1
    answer = phone.request.post(
        f"{day.address}/demo/buy", form={"person": "0"}, headers={"Sec-Fetch-Site": "same-origin"}, max_redirects=0
    )
    assert answer.status == 303
    phone.get_by_role("button", name="Check", exact=True).click()
    phone.get_by_text("Your wallets have every copy.").wait_for()
    phone.get_by_role("button", name="Hand in", exact=True).click()
    phone.get_by_text("Your list is handed in, and it counts.").wait_for()
    day.stage.entries[PENNY] = max(day.stage.look(store.numbers_in))
    return 3


def makes_a_pass(day: Day, phone: Page) -> int:
    phone.goto(f"{day.event}/me")
    phone.get_by_role("button", name="Make my pass").click()
    phone.locator(".pass img").wait_for()
    return 1


def comes_in(day: Day, chromium: Browser, folder: Path) -> None:
    """One by a camera, three by a wedge, the rest by the service."""
    stage = day.stage
    stage.give_passes()
    with a_camera(chromium, folder, stage.pass_of(day.number(PENNY))) as page:
        signed_in(page, day.address, account=cast.DESK)
        page.goto(f"{day.event}/desk")
        page.locator("#desk-state[data-ready=yes]").wait_for()
        page.get_by_role("button", name="Camera").click()
        page.locator('.came[data-case="in"]', has_text=PENNY).wait_for()
        page.get_by_role("button", name="Camera").click()  # it sees her still
        scans = Count()
        for number in (1, 2, 3):
            page.evaluate(WEDGE, [*stage.pass_of(number), "Enter"])
            name = next(name for name, entry in stage.entries.items() if entry == number)
            page.locator('.came[data-case="in"]', has_text=name).wait_for()
        day.tell(f"a scan: {scans.clicks} clicks, {scans.took / 3:.1f} s", "0 clicks; 128 players in 9 minutes, 4.2 s")
    stage.server.now = datetime.now(UTC)
    stage.come_in([number for number in stage.look(store.numbers_in) if number not in {1, 2, 3, day.number(PENNY)}])
    assert all(row.checked_in is not None for row in stage.look(store.here_of))
    stage.server.now = datetime.now(UTC)


@contextmanager
def a_camera(chromium: Browser, folder: Path, text: str) -> Iterator[Page]:
    """A page of a browser whose camera sees a pass."""
    film = folder / "door.y4m"
    film.write_bytes(filmed(text))
    program = next(filter(None, map(shutil.which, CHROMIUM)))
    flags = ["--use-fake-ui-for-media-stream", "--use-fake-device-for-media-stream"]
    flags.append(f"--use-file-for-fake-video-capture={film}")
    browser = chromium.browser_type.launch(executable_path=program, args=[*FLAGS, *flags])
    with reading(browser, locale="en", permissions=["camera"]) as page:
        yield page
    browser.close()


def goes_on(page: Page, step: str, clicks: Count) -> None:
    """Clicks what the control room proposes."""
    page.locator("section.now").get_by_text(step).click()
    clicks.clicks += 1


def begins(day: Day, control: Page, number: int) -> None:
    """The next round: paired, looked at, published."""
    day.await_head()
    control.goto(f"{day.event}/control")
    clicks = Count()
    goes_on(control, f"pair round {number}" if number > 1 else "Seat and pair round 1", clicks)
    publish = control.get_by_role("button", name=f"Publish round {number}")
    publish.wait_for()
    day.settle()
    publish.click()
    clicks.clicks += 1
    expect(control.locator("#now")).to_have_text(f"Round {number}")
    day.tell(f"round {number} begins: {clicks.clicks} clicks, {clicks.took:.1f} s", "2 clicks")
    assert clicks.clicks == 2


def reported_on_two_phones(day: Day, phone: Page, window: Callable[..., Page]) -> None:
    """One reports without a connection, the other one twice; they agree, and the result stands once."""
    penny = day.number(PENNY)
    seat = day.seat_of(penny, 1)
    opponent = seat.second if seat.first == penny else seat.first
    other = window(viewport=PHONE)
    signed_in(other, day.address, event=day.stage.event, entry=opponent, code=day.stage.code_of(opponent))
    for page in (phone, other):
        page.goto(f"{day.event}/me/table")
    again = other.context.new_page()
    again.goto(f"{day.event}/me/table")
    before = day.row().version
    phone.context.set_offline(True)
    phone.get_by_role("button", name="2\u20130", exact=True).click()
    phone.locator("#outbox").get_by_text("There is no connection.").wait_for()
    other.get_by_role("button", name="0\u20132", exact=True).click()
    other.get_by_text("It counts when this is confirmed by").wait_for()
    again.bring_to_front()
    again.get_by_text("It counts when this is confirmed by").wait_for()
    phone.context.set_offline(False)
    phone.get_by_text("The result stands").wait_for()
    other.get_by_text("The result stands").wait_for()
    assert day.row().version == before + 2
    assert day.seat_of(penny, 1).games_first == (2 if seat.first == penny else 0)


def reported_in_the_room(day: Day, control: Page) -> int:
    """Three tables by the keyboard, the rest by the service; the table whose result is wrong."""
    control.goto(f"{day.event}/control")
    tables = day.stage.look(store.tables_playing, 1)[:3]
    keys = Count()
    for table in tables:
        line = control.locator("#line")
        line.focus()
        control.keyboard.type(f"{table} 1")
        control.keyboard.press("Enter")
        control.locator(".entered li", has_text=str(table)).first.wait_for()
        keys.keys += len(f"{table} 1") + 1
    day.tell(f"a result: {keys.keys / len(tables):.1f} keys, {keys.took / len(tables):.1f} s", "table, digit, Enter")
    day.stage.report(1, day.stage.look(store.tables_playing, 1))
    return int(tables[0])


def mended(day: Day, control: Page, table: int) -> None:
    """What was 2-0 in round 1 should have been 0-2; it is found out in round 2."""
    control.goto(f"{day.event}/control")
    count, line = Count(), f"r1 {table} 4"
    control.locator("#line").focus()
    control.keyboard.type(line)
    control.keyboard.press("Enter")
    control.get_by_role("button", name="Put it right, and leave the tables").click()
    count.keys, count.clicks = len(line) + 1, 1
    control.locator(".entered", has_text="0\u20132").first.wait_for()
    told = f"a result of the round before is mended: {count.keys} keys and {count.clicks} click, {count.took:.1f} s"
    day.tell(told, "3 clicks")
    seat = day.stage.seat(1, table)
    assert (seat.games_first, seat.games_second) == (0, 2)


def plays_the_cut(day: Day, control: Page) -> str:
    """To the champion, whose name is returned."""
    control.goto(f"{day.event}/control")
    goes_on(control, f"Close round {ROUNDS}", Count())
    expect(control.locator("#now")).to_have_text("between rounds")
    day.await_head()
    goes_on(control, "Look at the cut and start it", Count())
    start = control.get_by_role("button", name=f"Start the cut with {CUT} players")
    start.click()  # its epoch opens; the block is not there yet, which is said
    control.get_by_text("not yet: the newest block").wait_for()
    day.settle()
    control.goto(f"{day.event}/control/cut")
    start.click()
    expect(control.locator("#now")).to_have_text("final rounds")
    types(control, "1.1 1", "M1.1")
    types(control, "1.2 4", "M1.2")
    day.await_head()
    goes_on(control, "Begin round 2 of the cut", Count())
    control.get_by_text("not yet: the newest block").wait_for()
    day.settle()
    control.goto(f"{day.event}/control")
    goes_on(control, "Begin round 2 of the cut", Count())
    types(control, "2.1 1", "M2.1")
    bracket = day.stage.look(store.bracket_of)
    winner = next(one.outcome.winner for one in matches(bracket) if one.id == "M2.1" and one.outcome)
    return next(name for name, number in day.stage.entries.items() if str(number) == str(winner))


def types(control: Page, line: str, match: str) -> None:
    control.locator("#line").focus()
    control.keyboard.type(line)
    control.keyboard.press("Enter")
    control.locator(".entered li", has_text=match).first.wait_for()
