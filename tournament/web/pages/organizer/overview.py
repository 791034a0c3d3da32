"""An event as its organizer sees it: how far it is, what is still to do, and the steps that may be made."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any, Final

from fastapi import APIRouter, Response

from tournament.api import organizing
from tournament.api.answers import Viewer
from tournament.api.deps import Asking, Db, Looking, TheNodes
from tournament.domain.errors import TournamentError
from tournament.errors import PathNotFound
from tournament.service import events, manifests
from tournament.service.commands import Ask, Kind, Nothing
from tournament.service.nodes import Nodes
from tournament.web import answers, forms
from tournament.web.forms import Form, Typed
from tournament.web.pages.organizer.room import obeyed, page

router = APIRouter(prefix="/e/{event}/organize")
Obey = Callable[[Db, Ask, Mapping[str, str], Nodes], object]


@dataclass(frozen=True)
class Step:
    """Something that is done to the event as a whole."""

    said: str
    """Of `words.SAID`."""
    obey: Obey


def _plainly(kind: Kind[Any, Any]) -> Obey:
    return lambda database, ask, typed, _: obeyed(database, kind, ask, typed)


def _open(database: Db, ask: Ask, typed: Mapping[str, str], nodes: Nodes) -> object:
    asked = forms.read(Nothing, typed)
    return asked if isinstance(asked, Form) else manifests.open_registration(database, ask, asked, nodes)


def _clone(database: Db, ask: Ask, typed: Mapping[str, str], _: Nodes) -> object:
    asked = forms.read(events.Anew, typed)
    return asked if isinstance(asked, Form) else events.clone(database, ask, asked)


STEPS: Final[Mapping[str, Step]] = {
    "publish": Step("published", _plainly(events.PUBLISH)),
    "unpublish": Step("unpublished", _plainly(events.UNPUBLISH)),
    "open": Step("opened", _open),
    "close": Step("closed", _plainly(events.CLOSE)),
    "reopen": Step("reopened", _plainly(events.REOPEN)),
    "finish": Step("finished", _plainly(events.FINISH)),
    "void": Step("voided", _plainly(events.VOID)),
    "archive": Step("archived", _plainly(events.ARCHIVE)),
    "unarchive": Step("unarchived", _plainly(events.UNARCHIVE)),
    "code": Step("recoded", _plainly(events.CODE)),
    "clone": Step("cloned", _clone),
}
"""By the word in the address."""


@router.get("")
def show_overview(look: Looking, nodes: TheNodes) -> Response:
    """The list of what is still to do, and the steps."""
    return _page(look, nodes)


@router.post("/do/{step}")
def make_step(look: Looking, ask: Asking, database: Db, nodes: TheNodes, typed: Typed, step: str) -> Response:
    """Make a step; refused, the page says why."""
    if step not in STEPS:
        raise PathNotFound(look.request.url.path)
    try:
        given = STEPS[step].obey(database, forms.under(ask, typed), typed, nodes)
    except TournamentError as error:
        return _page(look, nodes, Form(typed), error)
    if isinstance(given, Form):
        return _page(look, nodes, given)
    to = getattr(given, "event", look.event)
    return answers.moved(look.request, f"/e/{to}/organize", STEPS[step].said)


def _page(look: Looking, nodes: Nodes, form: Form | None = None, error: TournamentError | None = None) -> Response:
    def shown(viewer: Viewer) -> dict[str, object]:
        return {
            "todo": organizing.still_to_do(viewer, nodes),
            "code": organizing.registration_code(viewer),
            "series": organizing.series_of(viewer),
        }

    return page(look, "organize_event.html", shown, form=form, error=error)
