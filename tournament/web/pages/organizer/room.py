"""What all pages of organizers do: show an event to its organizers alone, and obey a form."""

from collections.abc import Callable, Mapping
from typing import Any, TypeVar

from fastapi import Response

from tournament.api.answers import Viewer, seen
from tournament.api.deps import Look
from tournament.database import Database
from tournament.domain.errors import TournamentError
from tournament.domain.roles import ORGANIZERS, by_rank
from tournament.errors import NotYours, SignInNeeded
from tournament.service.commands import Ask, Kind, Receipt, run
from tournament.web import answers, forms
from tournament.web.forms import Form

T = TypeVar("T")


def organizing(look: Look, make: Callable[[Viewer], T]) -> T:
    """What is made of the event in the path for its organizers. Ends the session's transaction.

    Raises:
        SignInNeeded: nobody is signed in.
        EventNotFound: no such event, or not to be seen.
        NotYours: the reader is no organizer of it.
    """
    if look.token is None:
        raise SignInNeeded

    def made(viewer: Viewer) -> T:
        if not viewer.roles & ORGANIZERS:
            raise NotYours("organizing the event", by_rank(ORGANIZERS))
        return make(viewer)

    return seen(look, made)


def obeyed(database: Database, kind: Kind[Any, Any], ask: Ask, typed: Mapping[str, str]) -> Receipt | Form:
    """What comes of a command whose arguments are the fields of a form, or the form with what is wrong.

    Raises:
        TournamentError: the refusal.
    """
    asked = forms.read(kind.arguments, typed)
    return asked if isinstance(asked, Form) else run(database, kind, ask, asked)


def page(
    look: Look,
    template: str,
    make: Callable[[Viewer], Mapping[str, Any]],
    *,
    form: Form | None = None,
    error: TournamentError | None = None,
) -> Response:
    """A page of the event for its organizers, made anew.

    Args:
        look: whose, and of which event.
        template: of the page.
        make: what it shows besides the frame.
        form: what was typed; an empty one where nothing was.
        error: why it was refused.

    Raises:
        SignInNeeded, EventNotFound, NotYours: as for `organizing`.
    """
    shown = organizing(look, lambda viewer: {**answers.frame_of(viewer), **make(viewer)})
    typed = form or Form()
    problem, status = answers.problem_in(error) if error else (None, 422 if typed.faults else 200)
    values = {"form": typed, "problem": problem, "key": forms.new_key(), **shown}
    return answers.page(look.request, template, values, status=status)
