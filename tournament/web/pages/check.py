"""Is this wallet covered for this deck? For anybody, without signing in."""

from collections.abc import Iterator
from datetime import UTC, datetime
from http import HTTPStatus
from threading import BoundedSemaphore
from typing import Annotated, Final

from fastapi import APIRouter, Depends, Query, Request, Response

from games import library
from games.errors import GameError
from tournament.api.deps import Network, TheDoor, TheNodes
from tournament.errors import EndpointsMissing, TooManyRequests
from tournament.service import verdicts
from tournament.service.limits import Try
from tournament.web import answers, forms
from tournament.web.forms import Form, Typed
from verifier.decklist import DecklistUnreadable

router = APIRouter(prefix="/check")


@router.get("")
def show_question(request: Request, nodes: TheNodes, game: Annotated[str, Query(max_length=40)] = "cps") -> Response:
    """The form."""
    return _page(request, nodes, Form({"game": game}))


MOST_AT_ONCE: Final = 8
"""Questions that a process asks the chain at the same time; each may take the whole deadline, and holds a thread."""
_TURNS: Final = BoundedSemaphore(MOST_AT_ONCE)


def _limited(door: TheDoor, network: Network) -> Iterator[None]:
    """Raises: TooManyRequests: too many from there, or at the same time."""
    door.limits.take([Try("check", network)], datetime.now(UTC))
    if not _TURNS.acquire(blocking=False):
        raise TooManyRequests("decks are being checked at the same time, as many as may be", 2)
    try:
        yield
    finally:
        _TURNS.release()


@router.post("", dependencies=[Depends(_limited)])
def answer_question(request: Request, nodes: TheNodes, typed: Typed) -> Response:
    """The verdict, with every card; or what is wrong with the form."""
    asked = forms.read(verdicts.Question, typed)
    if isinstance(asked, Form):
        return _page(request, nodes, asked)
    form = Form(typed)
    try:
        found = verdicts.answer(nodes, asked, datetime.now(UTC).date())
    except DecklistUnreadable as error:
        return _page(request, nodes, form.without({"decklist": "\n".join(map(str, error.faults))}))
    except (GameError, EndpointsMissing) as error:
        return _page(request, nodes, form.without({"": str(error)}))
    return _page(request, nodes, form, found)


def _page(request: Request, nodes: TheNodes, form: Form, found: verdicts.Answer | None = None) -> Response:
    values = {"form": form, "found": found, "games": library.games(), "can_ask": verdicts.can_ask(nodes)}
    status = HTTPStatus.UNPROCESSABLE_ENTITY if form.faults else HTTPStatus.OK
    return answers.page(request, "check.html", values, status=status)
