"""Desks in folders, as `pass check` and `deckproof desk` need them: where they are, and what they say."""

import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Final

import typer

from cli.desk import Desk
from cli.screen import plain_text
from verifier.passes import Admission, OfflineDesk, Sheet, open_desk, read_sheet

GOOD: Final = "bold green"
BAD: Final = "bold red"
FOLDER: Final = "desks"


def folder_of(desk: Desk, folder: Path | None) -> Path:
    """The folder that was named, or the one of the event. Raises: BadParameter."""
    if folder is not None:
        return folder
    return Path(typer.get_app_dir("deckproof")) / FOLDER / desk.path().removeprefix("/events/")


@contextmanager
def opened(desk: Desk, folder: Path | None, *, looking: bool = False) -> Iterator[OfflineDesk]:
    """The desk in it; the command is about its event.

    Raises:
        DeskFolderUnusable: there is none, it is damaged, or in use.
    """
    with open_desk(folder_of(desk, folder), looking=looking) as own:
        desk.event = own.sheet.event
        yield own


def fetched(desk: Desk) -> Sheet:
    """What the server gives a desk now.

    Raises:
        Refused, ServerError
        SheetUnreadable: it is not to be believed.
    """
    return read_sheet(desk.read("/passes/sheet"))


def now() -> int:
    """By this machine's clock."""
    return int(time.time())


def said(at: int) -> str:
    """A time by the clock on the wall; with the day, if it is another one."""
    local, today = time.localtime(at), time.localtime()
    same_day = local[:3] == today[:3]
    return time.strftime("%H:%M" if same_day else "%Y-%m-%d %H:%M", local)


def status_of(own: OfflineDesk) -> str:
    """How much the desk knows, and how much of it the server knows."""
    waiting = len(own.unsynced)
    scans = "1 scan" if waiting == 1 else f"{waiting} scans"
    return f"revocations as of {said(own.briefing.as_of)} · {scans} not yet synced"


def lines_of(found: Admission) -> list[tuple[str, str]]:
    """What a person at the desk reads of a pass, each line with its style."""
    if found.problems:
        who = "" if found.guest is None else f"{plain_text(found.guest.name)} ({found.guest.number}): "
        return [(f"NO    {who}{plain_text(problem)}", BAD) for problem in found.problems]
    assert found.checked.shown is not None  # noqa: S101 - or there would be a problem
    made = found.checked.shown.signed.deck_pass
    who = f"{plain_text(found.guest.name)} ({found.guest.number})" if found.guest else "a player who is not on the list"
    return [(good_line(who, made.serial, made.policy.words, bound=made.bound), GOOD)]


def good_line(who: str, serial: int, ownership: str, *, bound: bool) -> str:
    """What a person at the desk reads of a pass that is good."""
    name = "" if bound else "; compare the name with a document"
    return f"OK    {who}, pass {serial}, {ownership}{name}"


def as_document(found: Admission) -> dict[str, object]:
    """The same for a script."""
    shown = found.checked.shown if found.checked.genuine else None
    return {
        "good": not found.problems,
        "entry": None if found.guest is None else found.guest.number,
        "name": None if found.guest is None else found.guest.name,
        "serial": None if shown is None else shown.signed.deck_pass.serial,
        "problems": list(found.problems),
        "findings": [
            {"step": one.step.value, "mark": one.mark.value, "reason": one.reason} for one in found.checked.findings
        ],
    }
