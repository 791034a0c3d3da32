"""What the pages of the control room share: who may look, what a form comes to, and how a refusal is shown."""

import json
from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from typing import Annotated, Any, Final, TypeAlias, TypeVar

from fastapi import Depends, Response
from pydantic import BaseModel

from tournament.api import documents
from tournament.api.answers import Viewer, seen
from tournament.api.deps import Asking, Db, Look, Looking, TheNodes
from tournament.api.schemas import Entry
from tournament.database import Database
from tournament.domain.errors import TournamentError
from tournament.domain.roles import INSIDERS, ORGANIZERS, SCOREKEEPERS, by_rank
from tournament.errors import NotYours, RequestFault, RequestUnreadable, SignInNeeded
from tournament.service import accounts
from tournament.service.accounts import is_player
from tournament.service.commands import Ask, Receipt
from tournament.service.nodes import Nodes
from tournament.web import answers, forms
from tournament.web.forms import Form, Typed
from tournament.web.paging import plain
from verifier.errors import ChainError

M = TypeVar("M", bound=BaseModel)
Made: TypeAlias = Callable[[Viewer], Mapping[str, Any]]
Problem: TypeAlias = Mapping[str, Any]
_MOST_DIGITS: Final = 7
_VERSION_DIGITS: Final = 18


@dataclass(frozen=True)
class Hand:
    """Somebody sends a form of the control room."""

    look: Look
    ask: Ask
    database: Database
    nodes: Nodes
    typed: Mapping[str, str]

    @property
    def address(self) -> str:
        """Of the control room."""
        return f"/e/{self.look.event}/control"

    @property
    def form(self) -> Form:
        """What was sent, to be shown again; its key is used up."""
        return Form({name: said for name, said in self.typed.items() if name != "key"})


async def _hand(look: Looking, ask: Asking, database: Db, nodes: TheNodes, typed: Typed) -> Hand:
    version = typed.get("version", "")
    expected = int(version) if version.isascii() and version.isdigit() and len(version) <= _VERSION_DIGITS else None
    return Hand(look, replace(forms.under(ask, typed), expected=expected), database, nodes, typed)


Acting = Annotated[Hand, Depends(_hand, scope="function")]
"""What a route of the control room that is posted to is given."""


def show(
    look: Look,
    template: str,
    make: Made,
    *,
    form: Form | None = None,
    problem: Problem | None = None,
    status: int = 200,
) -> Response:
    """A page of the control room.

    Args:
        look: whose.
        template: of the page.
        make: what it shows beside the frame.
        form: what was typed, if it is shown again.
        problem: why it was refused.
        status: of the answer.

    Raises:
        EventNotFound: no such event, or not to be seen.
        NotYours: the reader is none of the event's scorekeepers, judges and organizers.
    """

    def shown(viewer: Viewer) -> dict[str, Any]:
        if not viewer.is_staff:
            raise NotYours("the control room", by_rank(INSIDERS))
        return {
            **answers.frame_of(viewer),
            "address": f"/e/{look.event}",
            "may_pair": bool(viewer.roles & SCOREKEEPERS),
            "may_organize": bool(viewer.roles & ORGANIZERS),
            "key": forms.new_key(),
            "form": form or Form(),
            "problem": problem,
            **make(viewer),
        }

    return answers.page(look.request, template, seen(look, shown), status=status)


def obeyed(
    hand: Hand,
    act: Callable[[Ask], Receipt],
    to: str | Callable[[Receipt], str],
    again: Callable[[Problem, int], Response],
) -> Response:
    """Give a command, and go on; or show why it is refused, with what was typed.

    Args:
        hand: who asks, with what.
        act: gives the command.
        to: the address of the next page, or what makes it of the receipt.
        again: the page with the form.
    """
    try:
        given = act(hand.ask)
    except SignInNeeded:
        raise
    except (TournamentError, ChainError) as error:
        return again(*answers.problem_in(error))
    return answers.moved(hand.look.request, to if isinstance(to, str) else to(given))


def entry_in(given: Receipt) -> int:
    """The entry that a command made."""
    return int(json.loads(given.body)["fact"]["entry"])


def asked(model: type[M], typed: Mapping[str, str]) -> M:
    """What a small form says. Raises: RequestUnreadable: every field that cannot be read."""
    found = forms.read(model, typed)
    if isinstance(found, Form):
        raise RequestUnreadable([RequestFault(name or "form", fault) for name, fault in found.faults.items()])
    return found


def account_of(look: Look) -> str:
    """Who looks; empty for nobody."""
    if look.token is None or is_player(look.token):
        return ""
    return accounts.find(look.session, look.token, look.codes, look.event) or ""


def number_in(said: str) -> int | None:
    """A number that somebody typed; None if it is none."""
    word = said.strip()
    return int(word) if word.isascii() and word.isdigit() and len(word) < _MOST_DIGITS else None


def player_said(viewer: Viewer, said: str) -> Entry | None:
    """Who is meant by a number, or by a part of a name that only one has."""
    players = documents.players_of(viewer)
    if (number := number_in(said)) is not None:
        return players.get(number)
    typed = plain(said)
    found = [one for one in players.values() if typed and one.merged_into is None and typed in plain(one.name)]
    exact = [one for one in found if plain(one.name) == typed]
    return next(iter(exact if len(exact) == 1 else found if len(found) == 1 else ()), None)
