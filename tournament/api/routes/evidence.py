"""The evidence of an event: everything from which anybody checks it again."""

from typing import Annotated, Any, Final

from fastapi import Depends, Query, Response

from tournament.api.answers import Viewer, fresh
from tournament.api.deps import Looking, ServerCodes, limited
from tournament.api.shelf import Shelf
from tournament.domain.lifecycle import Phase
from tournament.domain.roles import INSIDERS, Role, by_rank
from tournament.errors import NotYours
from tournament.service import evidence

router = Shelf(prefix="/events/{event}/evidence", tags=["export"])
_FILE: Final[dict[int | str, dict[str, Any]]] = {200: {"content": {"application/json": {"schema": {"type": "object"}}}}}


@router.get("", response_class=Response, responses=_FILE, dependencies=[Depends(limited("log"))])
def event_evidence(
    look: Looking,
    codes: ServerCodes,
    opened: Annotated[bool, Query(description="for organizers: with all that is personal, for whoever checks")] = False,  # noqa: FBT002
) -> Response:
    """One file from which anybody checks the event again: `deckproof audit FILE`. For staff until it is finished.

    The published log is in it, and everything that follows: rounds, results, standings, the cut. Opened, it also has
    the wallets with their answers, every list that counted, and what every endpoint said of the chain.
    """

    def written(viewer: Viewer) -> bytes:
        if not viewer.is_staff and viewer.event.phase != Phase.FINISHED:
            raise NotYours("the evidence of an event that is not finished", by_rank(INSIDERS))
        if opened and Role.ORGANIZER not in viewer.roles:
            raise NotYours("the evidence with everything opened", by_rank({Role.ORGANIZER}))
        return evidence.write(viewer.session, viewer.event, codes, everything=opened)

    return fresh(look, written)
