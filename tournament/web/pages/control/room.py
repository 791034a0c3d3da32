"""The whole event on one page, and the line into which results are typed."""

from typing import Annotated, Any, Final

from fastapi import APIRouter, Query, Response

from tournament.api import documents, scorekeeping
from tournament.api.answers import Viewer
from tournament.api.deps import Look, Looking
from tournament.api.scorekeeping import Slip
from tournament.errors import RoundNotFound
from tournament.service.entries import MOST_NUMBER
from tournament.web.forms import Form
from tournament.web.pages.control.frame import Problem, account_of, show
from tournament.web.paging import Named, PageNumber, page_of

router = APIRouter(prefix="/e/{event}/control")
MISSING: Final = 24
"""Tables in the list of the room; more would not come to a phone in one go, and nobody reads them."""
PAGE: Final = 40


@router.get("")
def show_room(look: Looking, *, keys: Annotated[bool, Query()] = False) -> Response:
    """The control room."""
    return page(look, keys=keys)


@router.get("/tables")
def list_tables(
    look: Looking,
    number: Annotated[int | None, Query(alias="round", ge=1, le=MOST_NUMBER)] = None,
    name: Named = "",
    page: PageNumber = 1,
) -> Response:
    """Every table of a round: the one that is played, or was played last, or an earlier one."""

    def shown(viewer: Viewer) -> dict[str, Any]:
        published = [line for line in documents.rounds_of(viewer).rounds if line.published_at is not None]
        wanted = [line for line in published if number in {None, line.number}]
        if published and not wanted:
            raise RoundNotFound(number or 0)
        now = wanted[-1] if wanted else None
        tables = scorekeeping.tables_of(viewer, now.number) if now is not None else []
        listed = page_of(tables, name, page, of=_names_at, size=PAGE)
        return {"now": now, "listed": listed, "name": name}

    return show(look, "control_tables.html", shown)


def page(
    look: Look,
    *,
    form: Form | None = None,
    problem: Problem | None = None,
    slip: Slip | None = None,
    keys: bool = False,
    status: int = 200,
) -> Response:
    """The room; with a line that was not taken, if there is one."""

    def shown(viewer: Viewer) -> dict[str, Any]:
        room = scorekeeping.room_of(viewer)
        return {
            "room": room,
            "most": MISSING,
            "entered": scorekeeping.entered(viewer),
            "undoable": scorekeeping.undoable_of(viewer, account_of(look)),
            "legend": scorekeeping.legend_of(viewer, room.cut.best_of if room.cut else None),
            "slip": slip,
            "keys": keys,
            "names": _names_of(viewer) if room.cut else {},
        }

    return show(look, "control.html", shown, form=form, problem=problem, status=status)


def _names_of(viewer: Viewer) -> dict[int, str]:
    return {one.number: one.name for one in documents.players_of(viewer).values()}


def _names_at(table: scorekeeping.Table) -> str:
    return "\n".join((str(table.number), *(player.name for player in table.players)))
