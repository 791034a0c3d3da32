"""A player's own entry before the event: what is done, what is next; the name, and leaving."""

from collections.abc import Callable, Mapping
from typing import Any, Final

from fastapi import APIRouter, Response

from tournament.api import own
from tournament.api.answers import Viewer, seen
from tournament.api.deps import Asking, Db, Look, Looking
from tournament.domain.errors import TournamentError
from tournament.service import entries
from tournament.service.commands import run
from tournament.web import answers, forms
from tournament.web.forms import Form, Typed
from tournament.web.texts import mark

router = APIRouter(prefix="/e/{event}/me")
_NEEDED: Final = mark("This is needed.")


# --- what the pages of a player have in common ------------------------------------------------------------------------


def home(look: Look) -> Response:
    """To the page of the own entry, which says how to sign in to whoever is nobody here."""
    return answers.moved(look.request, f"/e/{look.event}/me")


def own_page(
    look: Look,
    template: str,
    make: Callable[[Viewer, own.Readiness], Mapping[str, Any]],
    *,
    status: int = 200,
) -> Response:
    """A page of the player who looks, kept nowhere; whoever is no player here is led home. Ends the transaction."""

    def shown(viewer: Viewer) -> dict[str, Any] | None:
        if viewer.player is None:
            return None
        ready = own.readiness_of(viewer)
        return {**answers.frame_of(viewer), "ready": ready, **make(viewer, ready)}

    values = seen(look, shown)
    return home(look) if values is None else answers.page(look.request, template, values, status=status)


def shown_with(error: Exception | None, form: Form) -> tuple[dict[str, Any], int]:
    """What a page shows of a form and its refusal, and its status."""
    problem, status = answers.problem_in(error) if error else (None, 422 if form.faults else 200)
    return {"form": form, "problem": problem, "key": forms.new_key()}, status


def number_of(look: Look) -> int | None:
    """The entry of the player who looks; None for everybody else. Ends the transaction."""
    return seen(look, lambda viewer: viewer.player)


# --- the page ---------------------------------------------------------------------------------------------------------


@router.get("")
def show_me(look: Looking) -> Response:
    """Where the player stands; for whoever is none here, the ways in."""
    return _page(look, Form())


@router.post("/name")
def correct_name(look: Looking, ask: Asking, database: Db, typed: Typed) -> Response:
    """Correct the own name, before the first round."""
    number = number_of(look)
    if number is None:
        return home(look)
    asked = forms.read(entries.Corrections, {"name": typed.get("name", "")})
    if isinstance(asked, Form) or asked.name is None:
        faults = asked.faults if isinstance(asked, Form) else {}
        return _page(look, Form(typed, faults or {"name": _NEEDED}))
    try:
        run(database, entries.EDIT, forms.under(ask, typed), entries.Edit(entry=number, name=asked.name))
    except TournamentError as error:
        return _page(look, Form(typed), error)
    return answers.moved(look.request, f"/e/{look.event}/me", "my renamed", name=asked.name)


@router.post("/leave")
def leave(look: Looking, ask: Asking, database: Db, typed: Typed) -> Response:
    """Leave the event."""
    number = number_of(look)
    if number is None:
        return home(look)
    try:
        run(database, entries.DROP, forms.under(ask, typed), entries.Leave(entry=number))
    except TournamentError as error:
        return _page(look, Form(), error)
    return answers.moved(look.request, f"/e/{look.event}/me", "my left")


def _page(look: Look, form: Form, error: TournamentError | None = None) -> Response:
    said, status = shown_with(error, form)

    def shown(viewer: Viewer) -> tuple[str, dict[str, Any]]:
        frame = answers.frame_of(viewer)
        if viewer.player is None:
            return "me_nobody.html", {**frame, "is_open": frame["event"].registration != "staff"}
        return "me.html", {**frame, **said, "ready": own.readiness_of(viewer)}

    template, values = seen(look, shown)
    answer = answers.page(look.request, template, values, status=status)
    return answers.with_wallets(answer) if template == "me_nobody.html" else answer
