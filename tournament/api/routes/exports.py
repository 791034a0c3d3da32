"""An event as a file."""

from typing import Annotated, Any, Final

from fastapi import Depends, Query, Response

from tournament.api.answers import Viewer, fresh
from tournament.api.deps import Looking, Network, TheDoor, Token, limited
from tournament.api.shelf import Shelf
from tournament.domain.lifecycle import Phase
from tournament.domain.roles import INSIDERS, Role, by_rank
from tournament.errors import NotYours
from tournament.service import exports, publishing

router = Shelf(prefix="/events/{event}/export", tags=["export"])
_FILE: Final[dict[int | str, dict[str, Any]]] = {200: {"content": {"application/json": {"schema": {"type": "object"}}}}}


def _sparing(
    door: TheDoor,
    network: Network,
    token: Token,
    log: bool = False,  # noqa: FBT001, FBT002 - of the query
) -> None:
    """A log is long. Raises: TooManyRequests."""
    if log:
        limited("log")(door, network, token)


@router.get("", response_class=Response, responses=_FILE, dependencies=[Depends(_sparing)])
def export_event(
    look: Looking,
    log: Annotated[bool, Query(description="with the log: to check the event, or, for staff, to import it")] = False,  # noqa: FBT002
    sealed: Annotated[bool, Query(description="as anybody may have it, for staff to look at or to publish")] = False,  # noqa: FBT002
    kept: Annotated[  # noqa: FBT002
        bool, Query(description="with the log, for organizers: also names and lists, which are kept beside it")
    ] = True,
) -> Response:
    """The event file. For staff until the event is finished, because the draw is in it.

    Penalties are in it for staff; others get their numbers in a note. In the log, others get the hash of each row that
    is for staff, and not the row; the chain still holds, and the results still follow from it.
    """

    def written(viewer: Viewer) -> bytes:
        if not viewer.is_staff and viewer.event.phase != Phase.FINISHED:
            raise NotYours("the export of an event that is not finished", by_rank(INSIDERS))
        is_whole = viewer.is_staff and not sealed
        if log and not is_whole:
            return publishing.export(viewer.session, viewer.event).encode()
        beside = log and kept and Role.ORGANIZER in viewer.roles
        written = exports.export(viewer.session, viewer.event, with_penalties=is_whole, log=log, kept=beside)
        return written.encode()

    return fresh(look, written)
