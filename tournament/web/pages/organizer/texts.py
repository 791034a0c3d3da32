"""Texts to be sent by whoever has the addresses: an invitation, reminders, results. Nothing is sent from here."""

from collections.abc import Mapping
from dataclasses import replace
from html import unescape
from typing import Annotated, Final

from fastapi import APIRouter, Query, Response

from tournament.api import documents, organizing
from tournament.api.answers import Viewer
from tournament.api.deps import Looking
from tournament.errors import PathNotFound
from tournament.web.pages.organizer.room import page
from tournament.web.reader import Reader
from tournament.web.rendering import rendered
from tournament.web.texts import LANGUAGES, language, mark

router = APIRouter(prefix="/e/{event}/organize/texts")
KINDS: Final[Mapping[str, tuple[str, str]]] = {
    "invitation": (mark("Invitation"), mark("To players, with the link to register.")),
    "reminder": (mark("Reminder of decklists"), mark("To those whose list is not there yet.")),
    "short": (mark("Your cards are short"), mark("To somebody whose wallet lacks cards of the list.")),
    "tomorrow": (mark("See you soon"), mark("To everybody who entered, the day before.")),
    "results": (mark("Results and evidence"), mark("To everybody, when it is over.")),
}
"""What there is a text for: title, and to whom; to be looked up."""
BEST: Final = 8
"""Places that the text with the results names."""
Spoken = Annotated[str, Query(alias="language", max_length=10)]


@router.get("")
def list_texts(look: Looking) -> Response:
    """What there is a text for."""
    return page(look, "organize_texts.html", lambda _: {"kinds": KINDS})


@router.get("/{kind}")
def show_text(look: Looking, kind: str, spoken: Spoken = "") -> Response:
    """A text with what the event says filled in, to be copied; in a language that may be another than the page's."""
    if kind not in KINDS:
        raise PathNotFound(look.request.url.path)
    reader = Reader.of(look.request)
    if spoken in LANGUAGES:
        reader = replace(reader, language=language(spoken))

    def shown(viewer: Viewer) -> dict[str, object]:
        subject, _, body = (
            unescape(rendered("text.html", reader, _filled(viewer, kind)).decode()).strip().partition("\n")
        )
        return {
            "kinds": KINDS,
            "kind": kind,
            "subject": subject.strip(),
            "body": "\n".join(line.rstrip() for line in body.strip().split("\n")) + "\n",
            "spoken": reader.language.code,
        }

    return page(look, "organize_text.html", shown)


def _filled(viewer: Viewer, kind: str) -> dict[str, object]:
    event = documents.event_of(viewer)
    best: list[tuple[int, str]] = []
    if kind == "results":
        players = documents.players_of(viewer)
        places = documents.places_of(viewer).places
        best = [(one.first, players[number].name) for one in places if one.first <= BEST for number in one.players]
    return {"kind": kind, "event": event, "best": best, "code": organizing.registration_code(viewer)}
