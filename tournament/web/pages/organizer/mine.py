"""Somebody's own events, and new ones: from a template, or out of a file."""

from typing import Annotated, Final

from fastapi import APIRouter, Query, Request, Response
from pydantic import ValidationError

from games import library
from tournament.api import organizing
from tournament.api.deps import Db, NewEvent, Reading, ServerCodes, Token
from tournament.domain.errors import TournamentError
from tournament.domain.lifecycle import Phase
from tournament.domain.model import Mode
from tournament.domain.templates import TEMPLATES
from tournament.errors import AnnouncementContradicts, PathNotFound
from tournament.service import announcing, events, transfers
from tournament.web import announcement, answers, forms
from tournament.web.forms import Form, Typed

router = APIRouter(prefix="/organize")
BLANK: Final = "blank"
"""What stands in the address instead of a template."""
_COMING: Final = frozenset({Phase.DRAFT, Phase.REGISTRATION})
_OVER: Final = frozenset({Phase.FINISHED, Phase.VOID})


@router.get("")
def show_own(
    request: Request,
    session: Reading,
    token: Token,
    codes: ServerCodes,
    archived: Annotated[bool, Query()] = False,  # noqa: FBT002 - of the query
) -> Response:
    """The events where somebody is staff, by how far they are."""
    with session:
        account = organizing.account_in(session, token, codes)
        own = organizing.own_events(session, account, archived=archived)
    values = {
        "coming": [one for one in own if one.event.phase in _COMING],
        "running": [one for one in own if one.event.phase not in _COMING | _OVER],
        "over": [one for one in own if one.event.phase in _OVER],
        "archived": archived,
    }
    return answers.page(request, "organize.html", values)


@router.get("/new")
def choose_template(request: Request, session: Reading, token: Token, codes: ServerCodes) -> Response:
    """The templates, as cards."""
    _signed_in(session, token, codes)
    by_game = {game: [one for one in TEMPLATES.values() if one.game == game] for game in library.games()}
    texts = {name: announcement.TEMPLATES.get(name, (one.title, one.words)) for name, one in TEMPLATES.items()}
    return answers.page(request, "organize_new.html", {"by_game": by_game, "texts": texts, "blank": BLANK})


@router.get("/new/{template}")
def show_form(request: Request, session: Reading, token: Token, codes: ServerCodes, template: str) -> Response:
    """The form, with what the template says."""
    _signed_in(session, token, codes)
    typed = {**_shown(request, template), "key": forms.new_key()}
    return _form(request, template, Form(typed))


@router.post("/new/{template}")
def create_event(request: Request, ask: NewEvent, database: Db, typed: Typed, template: str) -> Response:
    """Announce the event; or the form again, with everything that is wrong with it."""
    said = announcement.named(typed, _shown(request, template))
    if template != BLANK:
        said["template"] = template
    said.setdefault("name", typed.get("name", ""))
    try:
        asked = events.Create.model_validate(said)
        given = events.create(database, forms.under(ask, typed), asked)
    except ValidationError as error:
        return _form(request, template, Form(typed, forms.faults_in(error)))
    except AnnouncementContradicts as error:
        return _form(request, template, Form(typed, {fault.field: fault.problem for fault in error.faults}))
    except TournamentError as error:
        return _form(request, template, Form(typed), error)
    return answers.moved(request, f"/e/{given.event}/organize", "announced", name=asked.name)


def _shown(request: Request, template: str) -> dict[str, str]:
    """What the form is shown with. Raises: PathNotFound: no such template."""
    if template not in TEMPLATES and template != BLANK:
        raise PathNotFound(request.url.path)
    start = announcing.start_from(None if template == BLANK else template)
    return announcement.as_typed({**start, "mode": Mode.SWISS})


def _form(request: Request, template: str, form: Form, error: TournamentError | None = None) -> Response:
    problem, status = answers.problem_in(error) if error else (None, 422 if form.faults else 200)
    texts = announcement.TEMPLATES.get(template)
    values = {
        "form": form,
        "problem": problem,
        "template": template,
        "title": texts[0] if texts else "",
        "is_new": True,
        **form_texts(),
    }
    return answers.page(request, "organize_form.html", values, status=status)


def form_texts() -> dict[str, object]:
    """What the form of an announcement needs besides what was typed."""
    return {
        "groups": announcement.GROUPS,
        "formats": announcement.formats(),
        "fixed": {},
    }


# --- out of a file ----------------------------------------------------------------------------------------------------


@router.get("/import")
def show_import(request: Request, session: Reading, token: Token, codes: ServerCodes) -> Response:
    """The form for an event file."""
    _signed_in(session, token, codes)
    return answers.page(request, "organize_import.html", _import(Form({"key": forms.new_key()})))


@router.post("/import")
def import_event(
    request: Request, session: Reading, token: Token, codes: ServerCodes, ask: NewEvent, database: Db, typed: Typed
) -> Response:
    """Look at an event file, or make the event of it; nothing of it is kept before."""
    _signed_in(session, token, codes)
    source, form = typed.get("file", "").encode(), Form(typed)
    try:
        if typed.get("do") != "bring":
            values = _import(form) | {"found": organizing.look_into(source)}
            return answers.page(request, "organize_import.html", values)
        said = transfers.Bring(origin=typed.get("origin", "")[:200])
        given = transfers.bring(database, forms.under(ask, typed), source, said)
    except TournamentError as error:
        problem, status = answers.problem_in(error)
        return answers.page(request, "organize_import.html", _import(form) | {"problem": problem}, status=status)
    return answers.moved(request, f"/e/{given.event}/organize", "brought")


def _import(form: Form) -> dict[str, object]:
    return {"form": form, "problem": None, "found": None}


def _signed_in(session: Reading, token: Token, codes: ServerCodes) -> None:
    """Raises: SignInNeeded."""
    with session:
        organizing.account_in(session, token, codes)
