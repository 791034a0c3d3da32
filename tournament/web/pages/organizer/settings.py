"""The announcement of an event, changed with care: what may still be, and what others changed meanwhile."""

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any, Final

from fastapi import APIRouter, Response
from pydantic import ValidationError

from tournament.api import documents, organizing
from tournament.api.answers import Viewer
from tournament.api.deps import Asking, Db, Looking
from tournament.api.organizing import SomebodysEdit
from tournament.domain.announcement import why_fixed
from tournament.domain.errors import TournamentError
from tournament.errors import EditRefused, StaleEvent
from tournament.service import events
from tournament.service.commands import Ask, run
from tournament.web import announcement, answers, forms
from tournament.web.forms import Form, Typed
from tournament.web.pages.organizer.mine import form_texts
from tournament.web.pages.organizer.room import organizing as for_organizers
from tournament.web.pages.organizer.room import page

router = APIRouter(prefix="/e/{event}/organize/settings")
_ONCE_MORE: Final = 3
"""Tries, while others enter; each looks anew."""


@router.get("")
def show_settings(look: Looking) -> Response:
    """The form, with what the event announces."""

    def typed(viewer: Viewer) -> dict[str, str]:
        return {**_now(viewer), "version": str(viewer.event.version), "key": forms.new_key()}

    return _page(look, Form(for_organizers(look, typed)))


@router.post("")
def edit_event(look: Looking, ask: Asking, database: Db, typed: Typed) -> Response:
    """Change what was changed in the form.

    The form knows the version that it was made of. Players who entered since do not matter; where somebody edited the
    event since, the form comes again: with what was typed, and with their values where nothing was.
    """
    for _ in range(_ONCE_MORE):
        version, before, edits = for_organizers(look, lambda viewer: _since(viewer, typed.get("version", "")))
        if edits:
            return _page(look, _rebased(typed, before, edits, version), edits=edits)
        try:
            said = _obeyed(database, replace(forms.under(ask, typed), expected=version), typed, before)
        except StaleEvent:
            continue
        except ValidationError as error:
            return _page(look, Form(typed, forms.faults_in(error)))
        except EditRefused as error:
            return _page(look, Form(typed, {fault.field: fault.problem for fault in error.faults}))
        except TournamentError as error:
            return _page(look, Form(typed), error)
        return answers.moved(look.request, f"/e/{look.event}/organize", said)
    return _page(look, Form({**typed, "key": forms.new_key()}))


def _obeyed(database: Db, ask: Ask, typed: Mapping[str, str], before: Mapping[str, str]) -> str:
    """Change what differs; what is said then."""
    said = announcement.named(typed, before)
    if not said:
        return "unchanged"
    run(database, events.EDIT, ask, events.Edit.model_validate({**said, "reason": typed.get("reason", "")}))
    return "edited"


def _now(viewer: Viewer) -> dict[str, str]:
    """What may be changed, as the form shows it."""
    event = documents.event_of(viewer)
    shown = announcement.as_typed(event.model_dump(mode="json"))
    return {name: said for name, said in shown.items() if name in event.may_change}


def _since(viewer: Viewer, version: str) -> tuple[int, dict[str, str], list[SomebodysEdit]]:
    """The version of now, what may be changed, and what was edited after the version of a form."""
    known = int(version) if version.isascii() and version.isdigit() and len(version) < _LONGEST else 0
    return viewer.event.version, _now(viewer), organizing.edits_since(viewer, known)


_LONGEST: Final = 15
"""Digits of a version."""


def _rebased(typed: Mapping[str, str], now: Mapping[str, str], edits: Sequence[SomebodysEdit], version: int) -> Form:
    """The form of before on what is announced now: what somebody else changed, and nobody typed here, is theirs."""
    first: dict[str, Any] = {}
    for one in edits:
        first.setdefault(one.field, one.before)
    zone = {"time_zone": first.get("time_zone", now.get("time_zone", "UTC"))}
    before = announcement.as_typed({**zone, **first})
    theirs = {
        field: now[field] for field, shown in before.items() if field in now and typed.get(field, "").strip() == shown
    }
    return Form({**typed, **theirs, "version": str(version), "key": forms.new_key()})


def _page(
    look: Looking, form: Form, error: TournamentError | None = None, *, edits: Sequence[SomebodysEdit] = ()
) -> Response:
    def shown(viewer: Viewer) -> dict[str, object]:
        event = documents.event_of(viewer)
        values = announcement.as_typed(event.model_dump(mode="json"))
        fixed = {
            name: {"value": values[name], "why": why_fixed(name, event.phase) if name != "mode" else ""}
            for name in announcement.FIELDS
            if name not in event.may_change
        }
        return {**form_texts(), "fixed": fixed, "is_new": False, "edits": edits, "labels": announcement.FIELDS}

    return page(look, "organize_settings.html", shown, form=form, error=error)
