"""The desk in a real Chromium: scanned by wedge and camera, without a server, at two desks, with a keyboard alone."""

import shutil
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
import segno
from playwright.sync_api import Browser, Page

from tests.tournament.web.at_the_desk import Hall
from tests.tournament.web.browsing import (
    CHROMIUM,
    FLAGS,
    PHONE,
    SLOW,
    Server,
    reading,
    served,
    signed_in,
    unusable,
    violations,
)
from tournament.database import open_file
from tournament.service import checkin, passes
from tournament.service.entries import Leave
from verifier.passes import HolderKey, Shown, prove, read_scan, write_payload

QUEUE = tuple(f"Guest {number}" for number in range(1, 31))
VENUE = "door.example"
NO_MORE_OFTEN_S = 2.5
"""The same code within that time is one scan."""
KEPT = """async () => {
  const [name] = await caches.keys();
  return name && (await (await caches.open(name)).keys()).length > 9;
}"""
"""The page is in the browser, with all its files."""
AT_ONCE = """(element, letters) => letters.map((key) => {
  const event = new KeyboardEvent("keydown", { key, bubbles: true, cancelable: true });
  element.dispatchEvent(event);
  return event.defaultPrevented;
})"""
"""Letters that come at the same time; whether each was kept from doing what it does."""


@pytest.fixture(scope="module")
def doors(sqlite: Path, tmp_path_factory: pytest.TempPathFactory) -> Iterator[tuple[Server, Hall]]:
    """A server of our own, since we stop it, and an event with a queue."""
    path = tmp_path_factory.mktemp("doors") / "deckproof.db"
    shutil.copy(sqlite, path)
    database = open_file(path)
    hall = Hall(database)
    hall.account("ann")
    hall.announce(guests=(*QUEUE, "<svg onload=alert(1)>", "محمد عبد الرحمن", "W" * 60, "Łukasz Wójcik"))
    with served(database) as server:
        yield server, hall
    database.close()


def at_desk(page: Page, server: Server, hall: Hall, below: str = "") -> None:
    """Signs in, and waits until the page can go on without the server."""
    signed_in(page, server.address, account="ann")
    page.goto(f"{server.address}/e/{hall.event}/desk{below}")
    page.locator("#desk-state[data-ready=yes]").wait_for()


def types(page: Page, text: str) -> None:
    """What a wedge does: it knows nothing of the page."""
    page.keyboard.type(text)
    page.keyboard.press("Enter")


def came(page: Page, case: str, name: str = "") -> Any:
    """The answer, once it is there."""
    found = page.locator(f'.came[data-case="{case}"]', has_text=name)
    found.wait_for()
    return found


@pytest.mark.timeout(180)
def test_everybody_can_use_every_page_of_the_desk_and_it_is_no_wider_than_a_phone(
    chromium: Browser, doors: tuple[Server, Hall]
) -> None:
    server, hall = doors
    hall.does(checkin.CHECK_IN, Leave(entry=30))
    below = ("", "?name=w", "/missing", "/new", "/players/33", "/players/33/pass", "/players/32/code", "/alone")
    with reading(chromium, viewport=PHONE, color_scheme="light", locale="es") as page:
        signed_in(page, server.address, account="ann")
        found = {one: unusable(page, f"{server.address}/e/{hall.event}/desk{one}") for one in below}
        assert {one: faults for one, faults in found.items() if faults} == {}


@pytest.mark.timeout(180)
def test_a_queue_is_let_in_by_a_wedge_without_a_click(
    chromium: Browser, doors: tuple[Server, Hall], capsys: pytest.CaptureFixture[str]
) -> None:
    server, hall = doors
    with reading(chromium, locale="en") as page:
        at_desk(page, server, hall)
        begun = time.monotonic()
        for entry in range(1, 6):
            types(page, hall.text(entry))
            came(page, "in", f"Guest {entry}")
        each = (time.monotonic() - begun) / 5
        assert all(hall.is_here(entry) for entry in range(1, 6))
        page.locator("#count-here", has_text="6").wait_for()  # by itself: one was here before
        page.get_by_label("Find a name").fill("half typed")
        types(page, hall.text(6))  # into the field that has the focus
        came(page, "in", "Guest 6")
        assert page.get_by_label("Find a name").input_value() == "half typed"
        switch = page.locator("#sound-switch")
        switch.focus()
        page.keyboard.press(" ")
        page.locator("#sound-switch[aria-pressed=false]").wait_for()  # a blank alone presses it
        assert switch.evaluate(AT_ONCE, [" ", "9", "9"]) == [True, False, False]  # one of a code does not
        page.keyboard.press("Escape")
        types(page, hall.text(7))
        came(page, "in", "Guest 7")
        assert switch.get_attribute("aria-pressed") == "false"
        types(page, hall.text(5))
        assert "came in at" in came(page, "used", "Guest 5").inner_text()
        page.locator("#aside li", has_text="Guest 5").get_by_role("button").click()
        page.locator("#aside-box").wait_for(state="hidden")
        types(page, "HTTPS://EXAMPLE.COM/")
        came(page, "version")
        assert violations(page) == []
    with capsys.disabled():
        print(f"\ndesk: {each:.2f} s a scan and 0 clicks; 128 players at two lanes: {each * 64:.0f} s of 540 s")  # noqa: T201


@pytest.mark.timeout(180)
def test_a_desk_goes_on_without_the_server_and_tells_it_exactly_once(
    chromium: Browser, doors: tuple[Server, Hall]
) -> None:
    server, hall = doors
    with reading(chromium, locale="en") as page:
        at_desk(page, server, hall)
        page.wait_for_function(KEPT)
        server.stop()
        types(page, hall.text(11))
        came(page, "kept", "Guest 11")
        assert page.locator("#desk-state").get_attribute("data-unsent") == "1"
        page.reload()  # the page is kept, and what was scanned
        page.get_by_text("The server gives no answer. Go on scanning").wait_for()
        types(page, hall.text(12))
        came(page, "kept", "Guest 12")
        assert page.locator("#desk-state[data-unsent='2']").inner_text().startswith("desk ")
        page.wait_for_timeout(NO_MORE_OFTEN_S * 1000)
        types(page, hall.text(11))
        came(page, "used", "Guest 11")
        assert violations(page) == []
        server.start()
        page.locator("#desk-state[data-unsent='0']").wait_for()
        page.locator("#live").wait_for(timeout=2 * SLOW)  # the whole page comes back by itself
        assert [hall.scans(entry) for entry in (11, 12)] == [1, 1]
        assert hall.is_here(11)
        assert hall.is_here(12)
        types(page, hall.text(12))
        came(page, "used", "Guest 12")
        assert [hall.scans(entry) for entry in (11, 12)] == [1, 1]


@pytest.mark.timeout(180)
def test_a_pass_at_two_desks_without_a_network_is_a_problem_that_both_see(
    chromium: Browser, doors: tuple[Server, Hall]
) -> None:
    server, hall = doors
    with reading(chromium, locale="en") as north, reading(chromium, locale="en") as south:
        at_desk(north, server, hall)
        at_desk(south, server, hall)
        server.stop()
        for page in (north, south):
            types(page, hall.text(21))
            came(page, "kept", "Guest 21")
        server.start()
        for page in (north, south):
            page.locator("#desk-state[data-unsent='0']").wait_for()
            page.locator("#trouble-twice-21").wait_for(timeout=2 * SLOW)
        assert hall.unsettled() == [21]
        trouble = south.locator("#trouble-twice-21")
        trouble.get_by_label("What happened").fill("went out for a coffee")
        trouble.get_by_role("button", name="Settle").click()
        north.locator("#trouble-twice-21").wait_for(state="detached")
        assert hall.unsettled() == []


def test_a_player_is_found_and_checked_in_with_a_keyboard_alone(chromium: Browser, doors: tuple[Server, Hall]) -> None:
    server, hall = doors
    with reading(chromium, locale="en") as page:
        at_desk(page, server, hall)
        page.get_by_label("Find a name").focus()
        page.keyboard.type("wojcik", delay=120)
        page.locator(".desk-guests li", has_text="Łukasz Wójcik").wait_for()
        for _ in range(8):
            page.keyboard.press("Tab")
            if page.evaluate("document.activeElement.textContent").startswith("Check in"):
                break
        page.keyboard.press("Enter")
        page.get_by_text("Łukasz Wójcik is here.").wait_for()
        assert hall.is_here(34)


def test_without_javascript_a_wedge_and_the_search_work(chromium: Browser, doors: tuple[Server, Hall]) -> None:
    server, hall = doors
    with reading(chromium, locale="en", java_script_enabled=False) as page:
        signed_in(page, server.address, account="ann")
        page.goto(f"{server.address}/e/{hall.event}/desk")
        page.get_by_label("Pass", exact=True).focus()
        types(page, hall.text(24))
        came(page, "in", "Guest 24")
        page.get_by_label("Find a name").fill("guest 25")
        page.get_by_role("button", name="Find", exact=True).click()
        page.get_by_role("button", name="Check in Guest 25").click()
        page.get_by_text("Guest 25 is here.").wait_for()
        assert page.locator("#camera-switch").is_hidden()


@pytest.fixture(scope="module")
def venue(chromium: Browser, doors: tuple[Server, Hall], tmp_path_factory: pytest.TempPathFactory) -> Iterator[Browser]:
    """A browser with a camera, before which somebody holds a pass; it finds the server by a name, too."""
    _, hall = doors
    film = tmp_path_factory.mktemp("film") / "door.y4m"
    film.write_bytes(filmed(hall.text(26)))
    flags = (
        "--use-fake-ui-for-media-stream",
        "--use-fake-device-for-media-stream",
        f"--use-file-for-fake-video-capture={film}",
        f"--host-resolver-rules=MAP {VENUE} 127.0.0.1",
    )
    program = next(filter(None, map(shutil.which, CHROMIUM)))
    browser = chromium.browser_type.launch(executable_path=program, args=[*FLAGS, *flags])
    yield browser
    browser.close()


@pytest.mark.timeout(120)
def test_the_camera_reads_a_pass(venue: Browser, doors: tuple[Server, Hall]) -> None:
    server, hall = doors
    with reading(venue, locale="en", permissions=["camera"]) as page:
        at_desk(page, server, hall)
        page.get_by_role("button", name="Camera").click()
        came(page, "in", "Guest 26")
        assert hall.is_here(26)
        page.wait_for_timeout(NO_MORE_OFTEN_S * 1000)
        came(page, "in", "Guest 26")  # it is still before the camera, and is not scanned again


@pytest.mark.timeout(120)
def test_by_plain_http_there_is_no_camera_and_scanning_goes_on_all_the_same(
    venue: Browser, doors: tuple[Server, Hall]
) -> None:
    server, hall = doors
    device = HolderKey.fresh()
    hall.does(passes.ISSUE, passes.Issue(entry=20, holder_key=device.public.hex()))
    with reading(venue, locale="en") as page:
        signed_in(page, server.address, account="ann")
        (cookie,) = [one for one in page.context.cookies() if one["name"] == "deckproof"]
        page.context.add_cookies([{"name": cookie["name"], "value": cookie["value"], "domain": VENUE, "path": "/"}])
        page.goto(f"{server.address.replace('127.0.0.1', VENUE)}/e/{hall.event}/desk")
        page.locator("#desk-state[data-ready=yes]").wait_for()
        assert page.evaluate("isSecureContext") is False
        page.get_by_text("A browser gives the camera only to pages with https").wait_for()
        assert page.locator("#camera-switch").is_hidden()
        server.stop()
        types(page, hall.text(19))
        came(page, "kept", "Guest 19")
        types(page, write_payload(prove(hall.signed(20), device, int(time.time()))))
        came(page, "provisional", "Guest 20")  # nobody here can look at the device's signature
        server.start()
        page.locator("#desk-state[data-unsent='0']").wait_for()
        assert [hall.scans(entry) for entry in (19, 20)] == [1, 1]


def test_a_desk_that_is_signed_out_keeps_what_it_scans(chromium: Browser, doors: tuple[Server, Hall]) -> None:
    server, hall = doors
    with reading(chromium, locale="en") as page:
        at_desk(page, server, hall)
        page.context.clear_cookies()
        hall.does(checkin.CHECK_IN, Leave(entry=17))  # a page that is asked for again is not there any more
        types(page, hall.text(18))
        came(page, "kept", "Guest 18")
        page.get_by_role("link", name="Sign in again").wait_for()
        page.wait_for_timeout(1000)
        assert page.locator("#count-here").is_visible()
        assert not hall.is_here(18)
        signed_in(page, server.address, account="ann")
        page.locator("#desk-state[data-unsent='0']").wait_for()
        assert hall.is_here(18)


def filmed(text: str, width: int = 640, height: int = 480, dots: int = 6) -> bytes:
    """A few frames with the code in the middle, as a camera gives them: YUV4MPEG2, 4:2:0."""
    matrix = list(segno.make(text, error="m", mode="alphanumeric", micro=False).matrix_iter(border=4))
    side = len(matrix) * dots
    top, start = (height - side) // 2, (width - side) // 2
    picture = bytearray(b"\xeb" * (width * height))
    for y, row in enumerate(matrix):
        line = b"".join((b"\x10" if module else b"\xeb") * dots for module in row)
        for step in range(dots):
            at = (top + y * dots + step) * width + start
            picture[at : at + side] = line
    frame = b"FRAME\n" + bytes(picture) + b"\x80" * (width * height // 2)
    return f"YUV4MPEG2 W{width} H{height} F10:1 Ip A1:1 C420jpeg\n".encode() + frame * 3


# --- what the script makes of a pass is what the verifier makes of it -------------------------------------------------

JUDGE = """async ([text, known, used, at, files]) => {
  const [check, curve] = await Promise.all(files.map((file) => import(file)));
  const found = await check.check(text, known, new Map(Object.entries(used)), at, curve);
  let scan = null;
  if (found.shown) {
    const secret = new Uint8Array(32).fill(7);
    const first = check.scanOf(found.shown, known, secret, at, null, curve);
    scan = [first, check.scanOf(found.shown, known, secret, at + 1, first, curve)];
  }
  return { case: found.case, words: found.words, name: found.guest?.[1] ?? null, scan };
}"""


def test_the_script_judges_as_the_verifier_does_and_signs_what_it_believes(
    chromium: Browser, doors: tuple[Server, Hall]
) -> None:
    server, hall = doors
    device = HolderKey.fresh()
    hall.does(passes.ISSUE, passes.Issue(entry=28, holder_key=device.public.hex()))
    bound = hall.signed(28)
    with reading(chromium, locale="en") as page:
        at_desk(page, server, hall)
        known = page.request.get(f"{server.address}/e/{hall.event}/desk/known").json()
        data = page.locator("#scanning").evaluate("place => ({...place.dataset})")
        now = int(time.time())

        def judged(text: str, at: int = now, used: Any = None, **other: Any) -> Any:
            asked = [text, {**known, **other}, used or {}, at, [data["check"], data["curve"]]]
            return page.evaluate(JUDGE, asked)

        text, serial = hall.text(27), hall.signed(27).deck_pass.serial
        tag = hall.signed(27).deck_pass.player_tag.hex()
        good = judged(text)
        assert (good["case"], good["name"]) == ("kept", "Guest 27")
        one, two = (read_scan(scan) for scan in good["scan"])
        assert one.is_desks(0)
        assert two.is_desks(0)
        assert two.scan.previous == one.scan.digest(0)
        assert one.scan.deck_pass == hall.signed(27).deck_pass.digest(0)
        assert judged(text, used={tag: {"serial": serial, "at": now, "where": "north"}})["words"] == [
            ["was-used", now, "north"]
        ]
        assert judged(text, revoked=[serial])["case"] == "revoked"
        assert judged(text, at=now - 10_000)["words"][0][0] == "early"
        assert judged(text, at=now + 10**6)["words"][0][0] == "over"
        assert judged(text, eventId="ab" * 32)["case"] == "event"
        assert judged(text, chainId=1)["case"] == "signature"
        assert judged(text, keys=[{**known["keys"][0], "until": 5}])["words"] == [["old-key", 5]]
        assert judged(text, players={})["case"] == "unknown"
        assert judged(text[:100] + ("0" if text[100] != "0" else "1") + text[101:])["case"] == "signature"
        assert judged(text.lower())["case"] == "version"
        assert judged(write_payload(Shown(bound)))["words"] == [["not-signed"]]
        assert judged(write_payload(prove(bound, device, now)))["case"] == "kept"
        assert judged(write_payload(prove(bound, device, now - 60)))["words"] == [["stale", 60]]
        assert judged(write_payload(prove(bound, HolderKey.fresh(), now)))["words"] == [["other-device"]]
