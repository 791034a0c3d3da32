"""An event as a file."""

from typing import Annotated, Any, Final

from fastapi import APIRouter, Query, Response

from tournament.api.answers import Viewer, fresh
from tournament.api.deps import Looking
from tournament.domain.lifecycle import Phase
from tournament.domain.roles import INSIDERS, Role, by_rank
from tournament.errors import NotYours
from tournament.service import exports

router = APIRouter(prefix="/events/{event}/export", tags=["export"])
_FILE: Final[dict[int | str, dict[str, Any]]] = {200: {"content": {"application/json": {"schema": {"type": "object"}}}}}


@router.get("", response_class=Response, responses=_FILE)
def export_event(
    look: Looking,
    log: Annotated[bool, Query(description="with the log, for staff: to check the event, or to import it")] = False,  # noqa: FBT002
    kept: Annotated[  # noqa: FBT002
        bool, Query(description="with the log, for organizers: also names and lists, which are kept beside it")
    ] = True,
) -> Response:
    """The event file. For staff until the event is finished, because the draw is in it.

    Penalties are in it for staff; others get their numbers in a note.
    """

    def written(viewer: Viewer) -> bytes:
        if not viewer.is_staff and viewer.event.phase != Phase.FINISHED:
            raise NotYours("the export of an event that is not finished", by_rank(INSIDERS))
        beside = log and kept and Role.ORGANIZER in viewer.roles
        written = exports.export(viewer.session, viewer.event, with_penalties=viewer.is_staff, log=log, kept=beside)
        return written.encode()

    return fresh(look, written, staff_only=log)
