"""The log, the newest first; and undo, with what it would undo."""

from typing import Annotated, Any, Final, Literal

from fastapi import APIRouter, Query, Response

from tournament.api import scorekeeping
from tournament.api.answers import Viewer
from tournament.api.deps import Look, Looking
from tournament.service import undo
from tournament.service.commands import NO_NUL, Ask, Receipt
from tournament.web.forms import Form
from tournament.web.pages.control.frame import Acting, Problem, account_of, asked, obeyed, show

router = APIRouter(prefix="/e/{event}/control")
PAGE: Final = 50
MOST: Final = 1 << 40
Group = Annotated[Literal["", "results", "rounds", "players", "time", "judges", "undo"], Query()]
Actor = Annotated[str, Query(max_length=100, pattern=NO_NUL)]
Before = Annotated[int, Query(ge=0, le=MOST)]


@router.get("/log")
def show_log(look: Looking, group: Group = "", who: Actor = "", before: Before = 0) -> Response:
    """Who did what, when and why; a page of it."""

    def shown(viewer: Viewer) -> dict[str, Any]:
        lines, following = scorekeeping.log_of(
            viewer, before=before or MOST, limit=PAGE, group=group, actor=who.strip()
        )
        return {
            "lines": lines,
            "following": following,
            "group": group,
            "groups": list(scorekeeping.KINDS_OF),
            "who": who.strip(),
            "before": before,
            "undoable": scorekeeping.undoable_of(viewer, account_of(look)),
        }

    return show(look, "control_log.html", shown)


@router.get("/undo")
def show_undo(look: Looking) -> Response:
    """What would be undone."""
    return _page(look, Form())


@router.post("/undo")
def undo_last(hand: Acting) -> Response:
    """Take the last command back, or have again what an undoing took back."""

    def again(problem: Problem, status: int) -> Response:
        return _page(hand.look, hand.form, problem, status)

    def act(ask: Ask) -> Receipt:
        return undo.undo(hand.database, ask, asked(undo.Undo, hand.typed))

    return obeyed(hand, act, hand.address, again)


def _page(look: Look, form: Form, problem: Problem | None = None, status: int = 200) -> Response:
    def shown(viewer: Viewer) -> dict[str, Any]:
        return {"undoable": scorekeeping.undoable_of(viewer, account_of(look))}

    return show(look, "control_undo.html", shown, form=form, problem=problem, status=status)
