"""An event: what, when, where; and a file for calendars."""

from datetime import datetime

from fastapi import APIRouter, Response

from tournament.api import documents
from tournament.api.answers import Viewer, fresh
from tournament.api.deps import Looking
from tournament.domain.announcement import Ownership, Registration
from tournament.domain.lifecycle import Phase
from tournament.web import answers
from tournament.web.calendar import calendar
from tournament.web.reader import Reader

router = APIRouter(prefix="/e/{event}")


@router.get("")
def show_event(look: Looking) -> Response:
    """All that is announced, how far it is, whether it is sanctioned and why."""

    def shown(viewer: Viewer) -> dict[str, object]:
        row = viewer.event
        is_open = row.phase == Phase.REGISTRATION and row.registration != Registration.STAFF
        lights = documents.lights_of(viewer).lights if row.ownership == Ownership.REQUIRED else []
        return {"is_open": is_open, "lights": lights}

    return answers.event_page(look, "event.html", shown)


@router.get("/event.ics")
def download_calendar(look: Looking) -> Response:
    """The event for a calendar."""
    address = f"{Reader.of(look.request).origin}/e/{look.event}"

    def written(viewer: Viewer) -> bytes:
        event = documents.event_of(viewer)
        return calendar(event, address, datetime.fromisoformat(event.starts_at or event.created_at))

    answer = fresh(look, written, media_type="text/calendar; charset=utf-8", variant=address)
    answer.headers["Content-Disposition"] = f'attachment; filename="{look.event}.ics"'
    return answer
