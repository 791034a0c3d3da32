"""An event as a file."""

from typing import Annotated, Any, Final

from fastapi import APIRouter, Query, Response

from tournament.api.answers import Viewer, fresh
from tournament.api.deps import Looking
from tournament.domain.lifecycle import Phase
from tournament.errors import NotYours
from tournament.service import exports
from tournament.service.derivation import UNDO
from tournament.service.kinds import KINDS

router = APIRouter(prefix="/events/{event}/export", tags=["export"])
_FILE: Final[dict[int | str, dict[str, Any]]] = {200: {"content": {"application/json": {"schema": {"type": "object"}}}}}


@router.get("", response_class=Response, responses=_FILE)
def export_event(
    look: Looking,
    log: Annotated[bool, Query(description="with the log: to check the event, or, for staff, to import it")] = False,  # noqa: FBT002
) -> Response:
    """The event file. For staff until the event is finished, because the draw is in it.

    Penalties are in it for staff; others get their numbers in a note. Of the log, others get a seal (`sequence`,
    `previous`, `hash`) in place of what is for staff; every other row can be checked against it.
    """

    def written(viewer: Viewer) -> bytes:
        if not viewer.is_staff and viewer.event.phase != Phase.FINISHED:
            raise NotYours("the export of an event that is not finished", ["staff"])
        seals = _for_all if viewer.is_staff else _for_staff
        file = exports.export(viewer.session, viewer.event, with_penalties=viewer.is_staff, log=log, seals=seals)
        return file.encode()

    return fresh(look, written)


def _for_all(_: str) -> bool:
    return False


def _for_staff(name: str) -> bool:
    """Commands whose words are for staff; one that is not known would be, too."""
    return name != UNDO and (name not in KINDS or KINDS[name].sealed)
