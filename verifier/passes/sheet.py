"""What a server gives a desk, so that the desk needs no network: the terms, the list of revocations, who is expected.

    {"format": "deckproof-desk", "version": 1, "event": "k3v7qzj2m5xa", "terms": "{…}", "revocations": {…},
     "players": [{"tag": "0x…", "number": 17, "name": "Ann Example"}],
     "used": [{"tag": "0x…", "serial": 17, "at": 1780000000, "where": "north door"}]}

Names are there so that a desk can compare them with a document; neither wallets nor lists are.
"""

import re
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from functools import cached_property
from typing import Any, Final

from verifier.errors import SheetUnreadable, StatementUnreadable, VerifierError
from verifier.passes.check import Use
from verifier.passes.deckpass import LATEST, MOST_SERIALS, TAG
from verifier.passes.revocations import (
    Briefing,
    SignedRevocations,
    brief,
    read_revocations,
    write_revocations,
)
from verifier.passes.terms import Terms, parse_terms

FORMAT: Final = "deckproof-desk"
VERSION: Final = 1
_HIGHEST: Final = 2**31 - 1
_TAG = re.compile(rf"0x[0-9a-f]{{{2 * TAG}}}", re.ASCII)
_EVENT = re.compile(r"[a-z0-9-]{1,40}", re.ASCII)


@dataclass(frozen=True, slots=True)
class Guest:
    """A player who may come."""

    number: int
    """In the event."""
    name: str


@dataclass(frozen=True)
class Sheet:
    """What a desk has of an event.

    Raises:
        VerifierError: its parts cannot be believed together.
    """

    event: str
    """The id by which the server knows it."""
    terms: str
    """As `parse_terms` reads them."""
    revocations: SignedRevocations
    guests: Mapping[bytes, Guest]
    """By their player tags."""
    used: Mapping[bytes, Use]
    """Who came in at other desks, by player tag."""

    def __post_init__(self) -> None:
        _ = self.briefing

    @cached_property
    def promised(self) -> Terms:
        """What the event promised of its passes."""
        return parse_terms(self.terms)

    @cached_property
    def briefing(self) -> Briefing:
        """What the desk may believe."""
        return self.briefing_after(None)

    def briefing_after(self, before: Briefing | None) -> Briefing:
        """The same, if it is not older than what the desk knew. Raises: RevocationsUntrusted."""
        promised = self.promised
        return brief(
            self.revocations,
            event_id=promised.event_id,
            chain_id=promised.chain_id,
            keys=promised.keys,
            before=before,
        )


def write_sheet(sheet: Sheet) -> dict[str, object]:
    """As a document of JSON."""
    return {
        "format": FORMAT,
        "version": VERSION,
        "event": sheet.event,
        "terms": sheet.terms,
        "revocations": write_revocations(sheet.revocations),
        "players": [
            {"tag": "0x" + tag.hex(), "number": guest.number, "name": guest.name} for tag, guest in sheet.guests.items()
        ],
        "used": [
            {"tag": "0x" + tag.hex(), "serial": use.serial, "at": use.at, "where": use.where}
            for tag, use in sheet.used.items()
        ],
    }


def read_sheet(document: object) -> Sheet:
    """What `write_sheet` wrote.

    Raises:
        SheetUnreadable: with every fault of its form.
        VerifierError: the terms or the list of revocations in it cannot be believed.
    """
    if not isinstance(document, dict) or document.get("format") != FORMAT:
        raise SheetUnreadable([f'it is no object with "format": "{FORMAT}"'])
    if document.get("version") != VERSION:
        raise SheetUnreadable([f"its version is {document.get('version')!a:.40}, and {VERSION} is read here"])
    if faults := [*_faults(document)]:
        raise SheetUnreadable(faults)
    try:
        revocations = read_revocations(document["revocations"])
    except StatementUnreadable as error:
        raise SheetUnreadable([str(error)]) from error
    guests = {_tag(one): Guest(one["number"], one["name"]) for one in document["players"]}
    used = {_tag(one): Use(one["serial"], one["at"], one["where"]) for one in document["used"]}
    try:
        return Sheet(document["event"], document["terms"], revocations, guests, used)
    except SheetUnreadable:
        raise
    except VerifierError as error:
        raise SheetUnreadable([str(error)]) from error


def _tag(one: Mapping[str, Any]) -> bytes:
    return bytes.fromhex(one["tag"][2:])


_Right = Callable[[object], bool]


def _like(pattern: "re.Pattern[str]") -> _Right:
    return lambda value: isinstance(value, str) and bool(pattern.fullmatch(value))


def _whole(least: int, most: int) -> _Right:
    return lambda value: type(value) is int and least <= value <= most


def _text(value: object) -> bool:
    return isinstance(value, str)


_PLAYER: Final[Mapping[str, _Right]] = {"tag": _like(_TAG), "number": _whole(1, _HIGHEST), "name": _text}
_USED: Final[Mapping[str, _Right]] = {
    "tag": _like(_TAG),
    "serial": _whole(1, MOST_SERIALS),
    "at": _whole(0, LATEST),
    "where": _text,
}


def _faults(document: Mapping[str, object]) -> Iterator[str]:
    known: Mapping[str, _Right] = {
        "event": _like(_EVENT),
        "terms": _text,
        "revocations": lambda value: isinstance(value, dict),
        "players": lambda value: isinstance(value, list),
        "used": lambda value: isinstance(value, list),
    }
    for name, right in known.items():
        if name not in document or not right(document[name]):
            yield f"{name} is missing, or not as it has to be"
    for name, members in (("players", _PLAYER), ("used", _USED)):
        rows = document.get(name)
        for at, row in enumerate(rows if isinstance(rows, list) else ()):
            if not isinstance(row, dict) or not all(
                member in row and right(row[member]) for member, right in members.items()
            ):
                yield f"{name}[{at}] is no object with {', '.join(members)}"
