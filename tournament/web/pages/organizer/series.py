"""Series: which there are, new ones, and what their organizers do."""

from collections.abc import Callable, Mapping
from dataclasses import replace
from typing import Annotated, Any, Final

from fastapi import APIRouter, Depends, Query, Request, Response

from games import library
from tournament.api import organizing
from tournament.api.deps import Db, NewEvent, Reading, ServerCodes, Token
from tournament.api.routes.series import SeriesId
from tournament.domain.errors import TournamentError
from tournament.domain.series import SharedPlace
from tournament.errors import PathNotFound
from tournament.service import series
from tournament.service.commands import NO_NUL, Ask, Kind, run
from tournament.web import answers, forms
from tournament.web.forms import Form, Typed

router = APIRouter(prefix="/s")
Words = Annotated[str, Query(max_length=100, pattern=NO_NUL)]
USUAL_POINTS: Final = "10 7 5 5 3 3 3 3"
Read = Callable[[Mapping[str, str]], Mapping[str, Any]]
"""A form as a command takes it."""
_NAMES: Final = ("name", "description", "game")


@router.get("")
def list_series(request: Request, session: Reading, token: Token, codes: ServerCodes, q: Words = "") -> Response:
    """Published series, and one's own; by a part of the name."""
    with session:
        found, is_known = organizing.series_listed(session, token, codes, q)
    return answers.page(request, "series_list.html", {"found": found, "q": q, "is_known": is_known})


@router.get("/new")
def show_form(request: Request, session: Reading, token: Token, codes: ServerCodes) -> Response:
    """The form for a new series."""
    with session:
        organizing.account_in(session, token, codes)
    usual = {"by_place": USUAL_POINTS, "shared_place": SharedPlace.FULL.value, "participation": "1"}
    return _form(request, Form({**usual, "key": forms.new_key()}))


@router.post("/new")
def create_series(request: Request, ask: NewEvent, database: Db, typed: Typed) -> Response:
    """Make a series."""
    asked = forms.read_values(series.NewSeries, _said(typed), typed)
    if isinstance(asked, Form):
        return _form(request, asked)
    try:
        given = series.create(database, forms.under(ask, typed), asked)
    except TournamentError as error:
        return _form(request, Form(typed), error)
    return answers.moved(request, f"/s/{given.event}/organize", "series made", name=asked.name)


def _form(request: Request, form: Form, error: TournamentError | None = None) -> Response:
    problem, status = answers.problem_in(error) if error else (None, 422 if form.faults else 200)
    values = {"form": form, "problem": problem, "games": library.games(), "shares": list(SharedPlace)}
    return answers.page(request, "series_form.html", values, status=status)


def _said(typed: Mapping[str, str]) -> dict[str, Any]:
    """What a form says of a series, as a command takes it."""
    points = {
        name: typed[name].strip()
        for name in ("below", "per_match_point", "participation", "shared_place", "best")
        if typed.get(name, "").strip()
    }
    places = typed.get("by_place", "").replace(",", " ").replace(";", " ").split()
    named = {name: typed[name].strip() for name in _NAMES if typed.get(name, "").strip()}
    return {"description": "", **named, "points": {"by_place": places, **points}}


# --- one's own --------------------------------------------------------------------------------------------------------


async def _ask(ask: NewEvent, id_: SeriesId) -> Ask:
    return replace(ask, event=id_)


Asking = Annotated[Ask, Depends(_ask)]


@router.get("/{series}/organize")
def show_own(request: Request, session: Reading, token: Token, codes: ServerCodes, id_: SeriesId) -> Response:
    """The series, for its organizers."""
    return _page(request, session, token, codes, id_)


@router.post("/{series}/organize/{step}")
def make_step(
    request: Request,
    session: Reading,
    token: Token,
    codes: ServerCodes,
    ask: Asking,
    database: Db,
    typed: Typed,
    id_: SeriesId,
    step: str,
) -> Response:
    """Edit, publish, put away; put events in and out; say who organizes, and who is who."""
    if step not in STEPS:
        raise PathNotFound(request.url.path)
    kind, read = STEPS[step]
    asked = forms.read_values(kind.arguments, read(typed), typed)
    if isinstance(asked, Form):
        return _page(request, session, token, codes, id_, asked)
    try:
        run(database, kind, forms.under(ask, typed), asked)
    except TournamentError as error:
        return _page(request, session, token, codes, id_, Form(typed), error)
    return answers.moved(request, f"/s/{id_}/organize", "done")


def _nothing(_: Mapping[str, str]) -> Mapping[str, Any]:
    return {}


def _named(*names: str) -> Read:
    return lambda typed: {name: typed[name].strip() for name in names if typed.get(name, "").strip()}


def _people(typed: Mapping[str, str]) -> Mapping[str, Any]:
    """Entries as `event~number`, with a space between them."""
    pairs = [one.partition("~") for one in typed.get("entries", "").split()]
    return {
        "entries": [{"event": event, "entry": number} for event, _, number in pairs],
        "verdict": typed.get("verdict", ""),
    }


STEPS: Final[Mapping[str, tuple[Kind[Any, Any], Read]]] = {
    "publish": (series.PUBLISH, _nothing),
    "archive": (series.ARCHIVE, _nothing),
    "unarchive": (series.UNARCHIVE, _nothing),
    "edit": (series.EDIT, _said),
    "put": (series.PUT, _named("event", "multiplier")),
    "take": (series.TAKE, _named("event")),
    "grant": (series.GRANT, _named("account")),
    "revoke": (series.REVOKE, _named("account")),
    "say": (series.SAY, _people),
}
"""By the word in the address: what is done, and how its form is read."""


def _page(
    request: Request,
    session: Reading,
    token: Token,
    codes: ServerCodes,
    id_: str,
    form: Form | None = None,
    error: TournamentError | None = None,
) -> Response:
    with session:
        own = organizing.own_series(session, token, codes, id_)
    points = own.series.points
    now = {
        "name": own.series.name,
        "description": own.series.description,
        "game": own.series.game or "",
        "by_place": " ".join(map(str, points.by_place)),
        "below": str(points.below),
        "per_match_point": points.per_match_point,
        "participation": str(points.participation),
        "shared_place": points.shared_place.value,
        "best": str(points.best or ""),
    }
    typed = Form({**now, **form.typed}, form.faults) if form else Form(now)
    problem, status = answers.problem_in(error) if error else (None, 422 if typed.faults else 200)
    values = {
        "own": own,
        "series": own.series,
        "form": typed,
        "problem": problem,
        "key": forms.new_key(),
        "games": library.games(),
        "shares": list(SharedPlace),
    }
    return answers.page(request, "series_own.html", values, status=status)
