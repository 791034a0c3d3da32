"""Standings."""

from typing import Annotated

from fastapi import Query, Response

from tournament.api import documents
from tournament.api.answers import fresh
from tournament.api.deps import Looking
from tournament.api.schemas import Standings
from tournament.api.shelf import Shelf
from tournament.service.entries import MOST_NUMBER

router = Shelf(prefix="/events/{event}/standings", tags=["standings"])


@router.get("", response_model=Standings)
def show_standings(
    look: Looking,
    after: Annotated[int | None, Query(ge=1, le=MOST_NUMBER, description="a closed round; else the last one")] = None,
) -> Response:
    """The standings after the last closed round, or an earlier one."""
    return fresh(look, lambda viewer: documents.standings_of(viewer, after), for_crowds=True)
