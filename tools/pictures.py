"""Pictures of every page, in light, in dark and on a phone, for people to look at.

    python tools/pictures.py FOLDER                       # the scene check-in
    python tools/pictures.py FOLDER --scene round3 --only control

It opens a scene of the demo, looks at each page as whoever works there, and writes `<page>-<look>.png`. It needs a
Chromium, like the tests of pages. What answers with an error, or is wider than the phone, is told.
"""

import argparse
import shutil
import socket
import sys
import threading
import time
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any, Final

import uvicorn
from playwright.sync_api import Browser, Page, sync_playwright

from stage.opening import Opened, opened
from stage.scenes import Scene
from tournament.web.site import create_site

LOOKS: Final[Mapping[str, Mapping[str, Any]]] = {
    "light": {"viewport": {"width": 1280, "height": 900}, "color_scheme": "light"},
    "dark": {"viewport": {"width": 1280, "height": 900}, "color_scheme": "dark"},
    "phone": {"viewport": {"width": 360, "height": 740}, "color_scheme": "light", "device_scale_factor": 2},
}
PUBLIC: Final = (
    "", "/register", "/players", "/pairings", "/standings", "/bracket", "/evidence", "/screen", "/code",
)  # fmt: skip
ROOMS: Final[Mapping[str, tuple[str, ...]]] = {
    "desk": ("/desk", "/desk?name=p", "/desk/missing", "/desk/new", "/desk/players/1", "/desk/players/1/pass"),
    "scorekeeper": (
        "/control", "/control/tables", "/control/draft", "/control/players", "/control/log", "/control/undo",
        "/control/cut", "/control/mend/2/2", "/print/slips", "/print/pairings", "/print/standings", "/print/check-in",
        "/print/tables", "/print/sheets",
    ),
    "judge": ("/judge", "/judge/player/5"),
    "organizer": ("/organize", "/organize/staff", "/organize/players", "/organize/texts", "/organize/files"),
}  # fmt: skip
OWN: Final = ("/me", "/me/wallet", "/me/deck", "/me/pass", "/me/table", "/me/history")
ELSEWHERE: Final[Mapping[str, tuple[str, ...]]] = {
    "": ("/", "/check", "/rulings", "/problems", "/sign-in", "/demo"),
    "organizer": ("/organize", "/check-up", "/my-account"),
}
TALLEST: Final = 3_000
"""Pixels of a picture."""


def main() -> None:
    """Take them."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("folder", type=Path)
    parser.add_argument("--scene", type=Scene, choices=[*Scene], default=Scene.CHECK_IN)
    parser.add_argument("--only", default="", help="pages whose path has this in it")
    asked = parser.parse_args()
    asked.folder.mkdir(parents=True, exist_ok=True)
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        domain = f"127.0.0.1:{probe.getsockname()[1]}"
    with TemporaryDirectory() as data, opened(Path(data), domain, asked.scene, tell) as made, served(made, domain):
        program = next(filter(None, map(shutil.which, ("chromium", "chromium-browser", "google-chrome"))))
        with sync_playwright() as playwright:
            browser = playwright.chromium.launch(executable_path=program, args=["--no-sandbox", "--disable-gpu"])
            Tour(browser, f"http://{domain}", asked.folder, asked.only).take(made)
            browser.close()


def tell(said: str) -> None:
    """A line for whoever waits."""
    sys.stderr.write(f"{said}\n")


@contextmanager
def served(made: Opened, domain: str) -> Iterator[None]:
    """The site, in a thread."""
    app = create_site(made.settings, database=made.database, demo=made.demo)
    config = uvicorn.Config(app, port=int(domain.rpartition(":")[2]), log_level="error", timeout_graceful_shutdown=1)
    server = uvicorn.Server(config)
    thread = threading.Thread(target=server.run, daemon=True)
    thread.start()
    while not server.started:
        time.sleep(0.05)
    yield
    server.should_exit = True
    thread.join(10)


@dataclass(frozen=True)
class Tour:
    """A walk through the pages, with a camera."""

    browser: Browser
    address: str
    folder: Path
    only: str

    def take(self, made: Opened) -> None:
        """All pictures, as each of those who work there."""
        event = f"/e/{made.day.event.event}"
        player = next(number for number, one in enumerate(made.demo.people) if one.entry)
        pages: list[tuple[dict[str, str], list[str]]] = [({}, [event + below for below in PUBLIC])]
        pages += [({"account": account}, [event + below for below in rooms]) for account, rooms in ROOMS.items()]
        pages += [({"account": account} if account else {}, [*others]) for account, others in ELSEWHERE.items()]
        pages.append(({"person": str(player)}, [event + below for below in OWN]))
        for look in LOOKS:
            for who, paths in pages:
                self.visit(look, who, paths)

    def visit(self, look: str, who: dict[str, str], paths: list[str]) -> None:
        """Pages as somebody sees them."""
        context = self.browser.new_context(locale="en", **LOOKS[look])
        if who:
            headers = {"Sec-Fetch-Site": "same-origin"}
            context.request.post(f"{self.address}/demo/be", form={**who}, headers=headers)
        page = context.new_page()
        for path in paths:
            if self.only in path:
                picture(page, self.address + path, self.folder / f"{named(path)}-{look}.png")
        context.close()


def picture(page: Page, address: str, path: Path) -> None:
    """One."""
    answer = page.goto(address, wait_until="load")
    beyond = page.evaluate("document.documentElement.scrollWidth - innerWidth")
    if answer is None or not answer.ok or beyond > 0:
        tell(f"{answer and answer.status} {address}" + (f": {beyond} pixels too wide" if beyond > 0 else ""))
    height = min(TALLEST, page.evaluate("document.documentElement.scrollHeight"))
    width = page.viewport_size["width"] if page.viewport_size else 0
    page.screenshot(path=path, full_page=True, clip={"x": 0, "y": 0, "width": width, "height": height})


def named(path: str) -> str:
    """A path as the name of a file, without the event's id."""
    parts = [part for part in path.split("/") if part]
    return "-".join(parts[2:] if parts[:1] == ["e"] else parts).replace("?", "-").replace("=", "-") or (
        "event" if parts else "home"
    )


if __name__ == "__main__":
    main()
