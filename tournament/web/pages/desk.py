"""The desk: scanning passes, how far check-in is, who is sought, what needs a person."""

import json
from collections.abc import Callable, Mapping
from datetime import UTC, datetime
from http import HTTPStatus
from typing import Annotated, Any, Final
from urllib.parse import quote

from fastapi import APIRouter, Query, Response

from tournament.api import desk_documents
from tournament.api.answers import Viewer, seen
from tournament.api.deps import Asking, Db, Looking
from tournament.domain.errors import TournamentError
from tournament.errors import PassNotGood
from tournament.service import pass_books, passes, scans
from tournament.service.commands import NO_NUL, Nothing, run
from tournament.web import answers, assets, forms, words
from tournament.web.forms import Form, Typed
from tournament.web.paging import PageNumber, page_of, plain

router = APIRouter(prefix="/e/{event}/desk")
LONGEST_NAME: Final = 100
MOST_TROUBLES: Final = 40
"""That are shown at once; others follow as these are settled."""
WORKERS: Final = "; worker-src 'self' blob:"
"""What the policy of this page has besides: the page stays without a server, and the camera is read in a worker."""
_JSON: Final = "application/json"
_SCRIPT: Final = "text/javascript; charset=utf-8"
Sought = Annotated[str, Query(max_length=scans.LONGEST_PASS, pattern=NO_NUL)]
"""A part of a name; or a pass, if a scanner typed into the wrong field."""


@router.get("")
def show_desk(look: Looking, name: Sought = "") -> Response:
    """Where passes are scanned and players are found."""
    return shown(look, "desk.html", lambda viewer: desk_of(viewer, name))


@router.get("/missing")
def show_missing(look: Looking, name: Sought = "", page: PageNumber = 1) -> Response:
    """Who has a place and is not here."""

    def made(viewer: Viewer) -> dict[str, object]:
        listed = page_of(desk_documents.absent_of(viewer), name, page, of=lambda row: row.name)
        return {"listed": listed, "name": name}

    return shown(look, "desk_missing.html", made)


# --- scanning ---------------------------------------------------------------------------------------------------------


@router.get("/scan")
def show_desk_again(look: Looking, name: Sought = "") -> Response:
    """Whoever comes back to the answer of a scan, or searches from there, is at the desk."""
    return answers.moved(look.request, f"/e/{look.event}/desk" + (f"?name={quote(name)}" if name else ""))


@router.post("/scan")
def scan(look: Looking, ask: Asking, database: Db, typed: Typed) -> Response:
    """Let a player in by what a scanner read. The answer is the whole page, or for its script the answer alone."""
    asked = forms.read(scans.Show, {"text": typed.get("text", ""), "desk": typed.get("desk", "")})
    if isinstance(asked, Form):
        return _answered(look, typed, lambda _: _refusal(words.UNREADABLE, []), HTTPStatus.UNPROCESSABLE_ENTITY)
    try:
        given = run(database, scans.SCAN, forms.under(ask, typed), asked)
    except PassNotGood as error:
        return _answered(look, typed, _why_not(error), HTTPStatus.CONFLICT)
    fact = scans.Scanned.model_validate(json.loads(given.body)["fact"])
    return _answered(look, typed, lambda viewer: _came_in(viewer, fact), HTTPStatus.OK)


def _answered(
    look: Looking, typed: Mapping[str, str], answer: Callable[[Viewer], dict[str, object]], status: HTTPStatus
) -> Response:
    is_part = typed.get("part") == "answer"

    def made(viewer: Viewer) -> dict[str, object]:
        desk_documents.check_at_the_desk(viewer)
        found: dict[str, object] = {"answer": answer(viewer), "cases": words.CASES}
        if is_part:
            return found | {"event": viewer.event}
        return framed(viewer) | desk_of(viewer, "") | found

    if is_part:
        return careful(answers.page(look.request, "desk_answer.html", seen(look, made)))
    return careful(answers.page(look.request, "desk.html", seen(look, made), status=status))


def _came_in(viewer: Viewer, fact: scans.Scanned) -> dict[str, object]:
    came = desk_documents.came_in(viewer, fact)
    case = "in-but" if came.guest.to_do else "in"
    return {"case": case, "came": came, "entry": fact.entry, "name": came.guest.entry.name, "reasons": []}


def _why_not(error: PassNotGood) -> Callable[[Viewer], dict[str, object]]:
    bad = [one for one in error.findings if isinstance(one, dict) and one["mark"] == "bad"]
    case = words.CASE_OF_STEP.get(str(bad[0]["step"]), words.UNREADABLE) if bad else words.FOREIGN

    def said(viewer: Viewer) -> dict[str, object]:
        name = "" if error.entry is None else desk_documents.name_of(viewer, error.entry)
        return _refusal(case, error.reasons) | {"entry": error.entry, "name": name}

    return said


def _refusal(case: str, reasons: Any) -> dict[str, object]:  # noqa: ANN401 - a list of sentences
    return {"case": case, "came": None, "entry": None, "name": "", "reasons": list(reasons)}


# --- without the server -----------------------------------------------------------------------------------------------


@router.get("/known")
def show_known(look: Looking) -> Response:
    """What the page's script needs to go on without the server."""
    known = seen(look, lambda viewer: desk_documents.known_of(viewer, datetime.now(UTC)))
    return Response(json.dumps(known, ensure_ascii=False), 200, {"Cache-Control": "no-store"}, _JSON)


@router.get("/alone")
def show_alone(look: Looking) -> Response:
    """The page that a browser keeps for when the server is gone: it scans, and has no player's name in it."""

    def made(viewer: Viewer) -> dict[str, object]:
        return {"gives_passes": desk_documents.gives_passes(viewer)}

    return shown(look, "desk_alone.html", made)


@router.get("/worker.js")
async def show_worker(event: str) -> Response:
    """The service worker of the page, which keeps it; no page but this one is its concern."""
    scope = {"Service-Worker-Allowed": f"/e/{quote(event)}/desk", "Cache-Control": "no-cache"}
    answer = Response(assets.assets()["desk-worker.js"].body, 200, scope, _SCRIPT)
    return careful(answers.headed(answer))


# --- passes of the event ----------------------------------------------------------------------------------------------


@router.post("/open-passes")
def open_passes(look: Looking, ask: Asking, database: Db, typed: Typed) -> Response:
    """Let the event give passes, and give one to everybody who may have one."""
    try:
        run(database, pass_books.OPEN, forms.under(ask, typed), Nothing())
    except TournamentError as error:
        return refused(look, error)
    return give_to_all(look, ask, database, typed)


@router.post("/give-passes")
def give_to_all(look: Looking, ask: Asking, database: Db, typed: Typed) -> Response:
    """Give everybody a pass who may have one and has none that counts."""
    try:
        given = run(database, passes.ISSUE_ALL, forms.under(ask, typed, "/all"), passes.IssueAll())
    except TournamentError as error:
        return refused(look, error)
    number = len(json.loads(given.body)["fact"]["given"])
    return answers.moved(look.request, f"/e/{look.event}/desk", "desk-passes-given", number=number)


# --- what pages of the desk share -------------------------------------------------------------------------------------


def desk_of(viewer: Viewer, name: str) -> dict[str, object]:
    """All that the first page of the desk shows."""
    found = []
    if name and len(name) <= LONGEST_NAME:
        typed, rows = plain(name), desk_documents.guests_of(viewer)
        found = [row for row in rows if typed in plain(row.name) or name == str(row.number)]
    most = words.MOST_FOUND_AT_DESK
    troubles = desk_documents.troubles_of(viewer)
    return {
        "name": name if len(name) <= LONGEST_NAME else "",
        "is_pass": len(name) > LONGEST_NAME,
        "found": desk_documents.guests_named(viewer, found[:most]),
        "more": max(0, len(found) - most),
        "counts": desk_documents.counts_of(viewer, datetime.now(UTC)),
        "troubles": troubles[:MOST_TROUBLES],
        "all_troubles": len(troubles),
        "gives_passes": desk_documents.gives_passes(viewer),
        "answer": None,
    }


def shown(
    look: Looking, template: str, make: Callable[[Viewer], Mapping[str, object]], *, status: int = 200
) -> Response:
    """A page of the desk, made anew, for whoever works there."""

    def made(viewer: Viewer) -> dict[str, object]:
        desk_documents.check_at_the_desk(viewer)
        return {**framed(viewer), **make(viewer)}

    return careful(answers.page(look.request, template, seen(look, made), status=status))


def framed(viewer: Viewer) -> dict[str, object]:
    """The frame of an event's page, and of each page of the desk."""
    return answers.frame_of(viewer) | {
        "may": desk_documents.may(viewer),
        "key": forms.new_key(),
        "problem": None,
        "cases": words.CASES,
    }


def refused(look: Looking, error: TournamentError) -> Response:
    """The first page of the desk, with a refusal above it."""
    problem, status = answers.problem_in(error)
    return shown(look, "desk.html", lambda viewer: desk_of(viewer, "") | {"problem": problem}, status=status)


def careful(answer: Response) -> Response:
    """With the policy of these pages."""
    answer.headers["Content-Security-Policy"] = answers.CAREFUL["Content-Security-Policy"] + WORKERS
    return answer
