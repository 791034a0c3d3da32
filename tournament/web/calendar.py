"""An event as a file for calendars. Source: RFC 5545."""

from datetime import UTC, datetime
from typing import Final

from tournament.api.schemas import Event

LONGEST: Final = 75
"""Bytes of a line, without its end."""
BETWEEN: Final = 15
"""Minutes from one round to the next, as they usually are."""


def calendar(event: Event, address: str, begins: datetime) -> bytes:
    """One event. Lines that are too long are folded, and what would mean something else is escaped.

    Args:
        event: as everybody may see it.
        address: of its page.
        begins: when.
    """
    said = {
        "UID": f"{event.id}@deckproof",
        "SEQUENCE": str(event.version),
        "DTSTAMP": _moment(datetime.fromisoformat(event.created_at)),
        "DTSTART": _moment(begins),
        "SUMMARY": _text(event.name),
        "LOCATION": _text(event.venue),
        "DESCRIPTION": _text(event.description),
        "URL": address,
        "STATUS": "CANCELLED" if event.phase == "void" else "CONFIRMED",
    }
    if event.round_minutes and event.planned_rounds:
        said["DURATION"] = f"PT{(event.round_minutes + BETWEEN) * event.planned_rounds}M"
    lines = ["BEGIN:VCALENDAR", "VERSION:2.0", "PRODID:-//Deckproof//EN", "BEGIN:VEVENT"]
    lines += [f"{name}:{value}" for name, value in said.items() if value]
    return "".join(f"{_folded(line)}\r\n" for line in [*lines, "END:VEVENT", "END:VCALENDAR"]).encode()


def _moment(at: datetime) -> str:
    return at.astimezone(UTC).strftime("%Y%m%dT%H%M%SZ")


def _text(said: str) -> str:
    for before, after in (("\\", "\\\\"), (";", "\\;"), (",", "\\,"), ("\r\n", "\\n"), ("\n", "\\n"), ("\r", "\\n")):
        said = said.replace(before, after)
    return said


def _folded(line: str) -> str:
    """The line in pieces of 75 bytes at most, cut between characters."""
    pieces, piece = [], ""
    for character in line:
        if len((piece + character).encode()) > LONGEST:
            pieces.append(piece)
            piece = " "
        piece += character
    return "\r\n".join([*pieces, piece])
