"""The control room in a real Chromium: a whole event without a mouse, and what a scorekeeper's clicks come to."""

import time
from collections.abc import Iterator
from itertools import count

import pytest
from playwright.sync_api import Browser, Page, expect

from tests.tournament.floor import Floor
from tests.tournament.people import account
from tests.tournament.web.browsing import PASSWORD, PHONE, QUICK, Server, reading, signed_in, unusable
from tests.tournament.web.world import HOSTILE, NOON, PEOPLE, World, asking
from tournament import store
from tournament.database import Database
from tournament.service import entries, events, rosters, rounds, staff
from tournament.service.commands import Nothing


def announced(database: Database, name: str, **said: object) -> Floor:
    floor = Floor(database, "", now=NOON, ids=count(sum(map(ord, name)) * 1_000_000))
    floor.event = events.create(database, asking(), events.Create(name=name, **said)).event  # type: ignore[arg-type]
    for kind in (events.PUBLISH, events.OPEN):
        floor.does(kind, Nothing())
    return floor


def enter(floor: Floor, names: Iterator[str] | tuple[str, ...]) -> None:
    for name in names:
        floor.does(entries.ADD, entries.Add(name=name))


@pytest.fixture(scope="module")
def bea(seeded: Database) -> str:
    account("bea", seeded, hashed=QUICK.hash(PASSWORD))
    return "bea"


class Keys:
    """Somebody at a keyboard; every key is counted."""

    def __init__(self, page: Page) -> None:
        self.page = page
        self.pressed = 0

    def line(self, typed: str) -> None:
        """Types a line of the control room, whose place is ready, and Enter."""
        self.page.keyboard.type(typed)
        self.page.keyboard.press("Enter")
        self.pressed += len(typed) + 1

    def press(self, key: str) -> None:
        self.page.keyboard.press(key)
        self.pressed += 1


def is_ready(page: Page, focus: str = "line") -> None:
    """The next thing can be typed without a mouse."""
    page.wait_for_function("id => document.activeElement?.id === id", arg=focus)


def is_on_button(page: Page, words: str) -> None:
    page.wait_for_function("words => document.activeElement?.textContent.trim().startsWith(words)", arg=words)


@pytest.mark.timeout(300)
def test_a_whole_event_is_run_by_the_keyboard_alone(
    chromium: Browser, server: Server, seeded: Database, world: World, capsys: pytest.CaptureFixture[str]
) -> None:
    floor = announced(seeded, "Keyboard Cup", rounds=3, cut="size", cut_size=4, round_minutes=50)
    enter(floor, PEOPLE[:8])
    began = time.monotonic()
    with reading(chromium, locale="en") as page:
        signed_in(page, server.address, account="ann")
        page.goto(f"{server.address}/e/{floor.event}/control")
        keys = Keys(page)
        is_ready(page)
        keys.line("n")
        expect(page.locator("#now")).to_have_text("check-in")
        next_round, mended = [], 0
        for number in (1, 2, 3):
            is_ready(page)
            before = keys.pressed
            keys.line("n")
            is_on_button(page, f"Publish round {number}")
            keys.press("Enter")
            next_round.append(keys.pressed - before)
            expect(page.locator("#now")).to_have_text(f"Round {number}")
            is_ready(page)
            if number == 2:  # noqa: PLR2004 - a slip of round 1 was read upside down
                mended = wrong_result(page, keys)
            for table in (1, 2, 3, 4):
                keys.line(f"{table} {1 + (table + number) % 4}")
            page.get_by_text("Every table has reported.").wait_for()
        is_ready(page)
        keys.line("n")
        expect(page.locator("#now")).to_have_text("between rounds")
        is_ready(page)
        keys.line("n")
        is_on_button(page, "Start the cut with 4 players")
        keys.press("Enter")
        expect(page.locator("#now")).to_have_text("final rounds")
        is_ready(page)
        for line in ("1.1 1", "m1.2 4", "2.1 2"):
            keys.line(line)
        page.locator(".entered", has_text="M2.1").wait_for()
        keys.line("n")
        expect(page.locator("#now")).to_have_text("finished")
    assert floor.result(1, number=1) == (0, 2, 0, "played")
    assert floor.holds()
    with capsys.disabled():
        took = time.monotonic() - began
        print(  # noqa: T201 - what the issue asks to be printed
            f"\ncontrol room, 8 players, 3 rounds, cut to 4: {keys.pressed} keys in {took:.0f} s; "
            f"next round: {max(next_round)} keys (target: 2 clicks); wrong result mended: {mended} keys (target: 3 clicks)"
        )
    assert max(next_round) <= 3  # noqa: PLR2004 - n, Enter, Enter


def wrong_result(page: Page, keys: Keys) -> int:
    """Round 1, table 1 was 2-1 and is put right to 0-2, the tables left as they are; the keys that it took."""
    before = keys.pressed
    keys.page.keyboard.type("r1 1 4")
    keys.pressed += 6
    expect(page.locator("#means")).to_contain_text("it has another result")
    keys.press("Enter")
    is_on_button(page, "Put it right, and leave the tables")
    keys.press("Enter")
    page.locator(".entered", has_text="table 1").first.wait_for()
    is_ready(page)
    return keys.pressed - before
