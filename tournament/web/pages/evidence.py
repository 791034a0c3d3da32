"""From what anybody checks an event again: epochs, draw, log, and the file that has all of it."""

from fastapi import APIRouter, Response

from tournament.api import documents
from tournament.api.answers import Viewer
from tournament.api.deps import Looking
from tournament.web import answers

router = APIRouter(prefix="/e/{event}/evidence")


@router.get("")
def show_evidence(look: Looking) -> Response:
    """What was promised, what was looked at when, and how to check it at home."""

    def shown(viewer: Viewer) -> dict[str, object]:
        return {"epochs": documents.epochs_of(viewer).epochs, "head": viewer.event.head}

    return answers.event_page(look, "evidence.html", shown)
