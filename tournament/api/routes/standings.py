"""Standings."""

from typing import Annotated

from fastapi import Query, Response

from tournament.api.answers import Viewer, fresh
from tournament.api.deps import Looking
from tournament.api.schemas import StandingLine, Standings
from tournament.api.shelf import Shelf
from tournament.service import standings
from tournament.service.entries import MOST_NUMBER

router = Shelf(prefix="/events/{event}/standings", tags=["standings"])


@router.get("", response_model=Standings)
def show_standings(
    look: Looking,
    after: Annotated[int | None, Query(ge=1, le=MOST_NUMBER, description="a closed round; else the last one")] = None,
) -> Response:
    """The standings after the last closed round, or an earlier one."""

    def ranked(viewer: Viewer) -> Standings:
        number, lines = standings.after(viewer.session, viewer.event, after)
        return Standings(after=number, preset=viewer.event.preset, standings=[StandingLine.of(line) for line in lines])

    return fresh(look, ranked)
