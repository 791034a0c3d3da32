"""Who has their cards, for the staff: ask the chain again, and let somebody play of whom nobody knows."""

import json
import re
from collections.abc import Callable, Mapping
from dataclasses import replace
from typing import Any, Final

from fastapi import APIRouter, Response

from tournament.api import cards as documents
from tournament.api.answers import seen
from tournament.api.deps import Asking, Db, Looking, TheNodes
from tournament.domain.errors import TournamentError
from tournament.service import epochs
from tournament.service.commands import Ask, run
from tournament.web import answers, forms
from tournament.web.forms import Form, Typed

router = APIRouter(prefix="/e/{event}/cards")
_CHOSEN: Final = re.compile("entry-([0-9]{1,7})")


@router.get("")
def show_cards(look: Looking) -> Response:
    """Everybody who is not known to have their cards, and why."""
    return _shown(look, Form())


@router.post("/look")
def look_again(look: Looking, ask: Asking, database: Db, nodes: TheNodes, typed: Typed) -> Response:
    """Ask the chain what everybody holds of whom it is not known yet."""
    return _done(look, typed, lambda: epochs.read(database, _keyed(ask, typed), epochs.Read(), nodes).body)


@router.post("/allow")
def allow(look: Looking, ask: Asking, database: Db, typed: Typed) -> Response:
    """Let the chosen players play, or everybody of whom nothing is known."""
    everybody = "everybody" in typed
    chosen = [] if everybody else [int(found[1]) for name in typed if (found := _CHOSEN.fullmatch(name))]
    said = {"entries": chosen, "everybody": everybody, "reason": typed.get("reason", "").strip()}
    asked = forms.read_values(epochs.Override, said, typed)
    if isinstance(asked, Form):
        return _shown(look, asked)
    return _done(look, typed, lambda: run(database, epochs.OVERRIDE, _keyed(ask, typed), asked).body)


def _done(look: Looking, typed: Mapping[str, str], act: Callable[[], bytes]) -> Response:
    try:
        fact = json.loads(act())["fact"]
    except TournamentError as error:
        return _shown(look, Form(typed), error)
    said = "cards-trouble" if fact.get("trouble") else "cards-looked" if "covered" in fact else "cards-allowed"
    return answers.moved(look.request, f"/e/{look.event}/cards", said)


def _keyed(ask: Ask, typed: Mapping[str, str]) -> Ask:
    return replace(ask, command=typed.get("key") or ask.command)


def _shown(look: Looking, form: Form, error: TournamentError | None = None) -> Response:
    problem, status = answers.problem_in(error) if error else (None, 422 if form.faults else 200)
    values: dict[str, Any] = seen(look, lambda viewer: {"cards": documents.cards_of(viewer)} | answers.frame_of(viewer))
    beside = {"form": form, "problem": problem, "new_key": forms.new_key}
    return answers.page(look.request, "cards.html", values | beside, status=status)
