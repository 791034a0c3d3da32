"""A player's pass: made, shown as a QR code, printed, saved as a picture."""

from typing import Any, Final

from fastapi import APIRouter, Response

from tournament.api import own
from tournament.api.answers import Viewer, seen
from tournament.api.deps import Asking, Db, Look, Looking
from tournament.domain.errors import TournamentError
from tournament.service import passes
from tournament.service.commands import run
from tournament.web import answers, forms
from tournament.web.forms import Form, Typed
from tournament.web.pages.me import home, number_of, own_page, shown_with
from verifier.passes.picture import png, svg

router = APIRouter(prefix="/e/{event}/me/pass")
_NEVER_KEPT: Final = {"Cache-Control": "no-store"}


@router.get("")
def show_pass(look: Looking) -> Response:
    """The pass, or why there is none."""
    return _page(look)


@router.post("")
def make_pass(look: Looking, ask: Asking, database: Db, typed: Typed) -> Response:
    """Make the pass, or another one because the last one was lost."""
    number = number_of(look)
    if number is None:
        return home(look)
    try:
        run(
            database, passes.ISSUE, forms.under(ask, typed), passes.Issue(entry=number, anew=typed.get("anew") == "yes")
        )
    except TournamentError as error:
        return _page(look, error)
    return answers.moved(look.request, f"/e/{look.event}/me/pass")


@router.get("/code.svg")
def draw(look: Looking) -> Response:
    """The QR code, to be shown."""
    return _picture(look, "image/svg+xml", svg)


@router.get("/pass.png")
def picture(look: Looking) -> Response:
    """The same as a picture, to be saved on a phone."""
    answer = _picture(look, "image/png", png)
    answer.headers["Content-Disposition"] = 'attachment; filename="pass.png"'
    return answer


def _picture(look: Look, media_type: str, drawn: Any) -> Response:  # noqa: ANN401 - from a text to bytes
    number = number_of(look)
    if number is None:
        return home(look)
    text = seen(look, lambda viewer: own.pass_text_of(viewer, number))
    return answers.headed(Response(drawn(text), 200, _NEVER_KEPT, media_type))


def _page(look: Look, error: TournamentError | None = None) -> Response:
    said, status = shown_with(error, Form())

    def made(_: Viewer, __: own.Readiness) -> dict[str, Any]:
        return said

    return own_page(look, "my_pass.html", made, status=status)
