"""A player enters an event, and is given the code that acts for the entry."""

from dataclasses import replace

from fastapi import APIRouter, Depends, Response

from tournament.api import cookies
from tournament.api.answers import Viewer, seen
from tournament.api.deps import AskingAsAnybody, Db, Looking, limited
from tournament.api.known import Someone
from tournament.domain.errors import TournamentError
from tournament.service import accounts, registrations
from tournament.web import answers, forms
from tournament.web.forms import Form, Typed

router = APIRouter(prefix="/e/{event}/register")


@router.get("")
def show_form(look: Looking) -> Response:
    """The form; each has a key of its own, so that sending it twice enters once."""
    return _page(look, Form({"key": forms.new_key()}))


@router.post("", dependencies=[Depends(limited("registration"))])
def register(look: Looking, ask: AskingAsAnybody, database: Db, typed: Typed) -> Response:
    """Enter; the page that answers has the code, and the browser is signed in as the player.

    It is a visitor who asks, whoever is signed in: so a form that is sent again is the same command.
    """
    asked = forms.read(registrations.Register, typed)
    if isinstance(asked, Form):
        return _page(look, asked)
    visitor = replace(forms.under(ask, typed), who=accounts.anybody(None, ask.codes, look.event))
    try:
        given = registrations.register(database, visitor, asked)
    except TournamentError as error:
        return _page(look, Form({**typed, "key": forms.new_key()}), error)  # somebody else on the same phone
    values = _frame(look) | {"given": given, "name": asked.name}
    who = Someone(asked.name, event=look.event, entry=given.entry)
    answer = answers.with_wallets(answers.page(look.request, "registered.html", values, status=201, who=who))
    cookies.keep(look.request, answer, given.token)
    return answer


def _page(look: Looking, form: Form, error: TournamentError | None = None) -> Response:
    problem, status = answers.problem_in(error) if error else (None, 422 if form.faults else 200)
    return answers.page(look.request, "register.html", _frame(look) | {"form": form, "problem": problem}, status=status)


def _frame(look: Looking) -> dict[str, object]:
    def framed(viewer: Viewer) -> dict[str, object]:
        return answers.frame_of(viewer) | {"asks_code": viewer.event.registration == "code"}

    return seen(look, framed)
