"""Pages as answers: made once for each version of an event, or anew; refusals as pages; where a form leads.

A page of a module in `pages/` is a route that ends in one of these. All of them have the headers that keep a browser
from running or loading anything that is not ours.
"""

import asyncio
import json
from collections.abc import Awaitable, Callable, Mapping
from dataclasses import replace
from http import HTTPStatus
from typing import Any, Final, TypeAlias
from urllib.parse import quote

from fastapi import Request, Response
from starlette.routing import Match

from tournament.api import documents, known, problems
from tournament.api.answers import LEAST_PACKED, Viewer, fresh, takes_gzip, viewer_of
from tournament.api.deps import Look
from tournament.domain.announcement import Ownership
from tournament.domain.lifecycle import Phase
from tournament.domain.roles import Role
from tournament.errors import NotYours, SignInNeeded
from tournament.web import paths, rendering
from tournament.web import reader as readers
from tournament.web.reader import Reader
from tournament.web.rendering import HTML, rendered
from tournament.web.rooms import rooms_of

CAREFUL: Final = {
    "Content-Security-Policy": "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self'; "
    "connect-src 'self'; form-action 'self'; base-uri 'none'; frame-ancestors 'none'",
    "Permissions-Policy": "camera=(self), geolocation=(), microphone=(), payment=(), usb=()",
    "X-Frame-Options": "DENY",
}
_PLAIN: Final = ":/%#?=@[]!$&'()*+,;"
"""What an address may have besides letters and digits."""
VARY: Final = "Authorization, Cookie, Accept-Encoding, Accept-Language, Accept"
Handler: TypeAlias = Callable[[Request, Exception], Awaitable[Response]]


def event_page(look: Look, template: str, make: Callable[[Viewer], Mapping[str, Any]]) -> Response:
    """A page of the event in the path. Ends the session's transaction.

    It is kept like a document of the API: until a command changes the event. So it must not say what time it is.

    Args:
        look: whose, and at what.
        template: of the page; it knows what `make` gives, and what `frame_of` does.
        make: what the page shows.

    Raises:
        EventNotFound: no such event, or not to be seen.
    """
    reader = Reader.of(look.request)

    def page(viewer: Viewer) -> bytes:
        values = make(viewer)  # before the frame, so that a refusal costs nothing else
        known_reader = replace(reader, who=known.someone(viewer.session, look.request))
        return rendered(template, known_reader, {**frame_of(viewer), **values})

    if reader.said is not None:
        try:
            return _anew(look.request, page(viewer_of(look)), reader)
        finally:
            look.session.close()
    answer = fresh(look, page, media_type=HTML, variant=reader.variant(rendering.build()))
    return headed(answer)


def frame_of(viewer: Viewer) -> dict[str, Any]:
    """What the frame around each page of an event shows: the event, its rounds, whether there is a cut, the menu."""
    roles = viewer.roles | ({Role.DISPLAY} if viewer.is_display else frozenset())
    proves = viewer.event.ownership == Ownership.REQUIRED
    return {
        "rooms": rooms_of(roles, Phase(viewer.event.phase), is_player=viewer.player is not None, proves=proves),
        "event": documents.event_of(viewer),
        "rounds": documents.rounds_of(viewer).rounds,
        "has_cut": documents.has_cut(viewer),
    }


def page(
    request: Request,
    template: str,
    values: Mapping[str, Any],
    *,
    status: int = 200,
    who: known.Someone | None = None,
) -> Response:
    """A page that is made anew for each reader, and kept nowhere. Whoever asks for it holds no transaction.

    Args:
        request: of the reader.
        template: of the page.
        values: what it shows.
        status: of the answer.
        who: the reader is from now on; None: whoever the browser says.
    """
    reader = replace(Reader.of(request), who=who or known.someone_by(request))
    return _anew(request, rendered(template, reader, values), reader, status)


def moved(request: Request, to: str, said: str = "", **values: str | int) -> Response:
    """Where a form leads when it was obeyed; the page there says `words.SAID[said]`."""
    place = quote(to, safe=_PLAIN)  # an id of an event may be anything until somebody looks for it
    answer = Response(None, HTTPStatus.SEE_OTHER, {"Location": place, "Cache-Control": "no-store"})
    if said:
        readers.say(request, answer, said, **values)
    return headed(answer)


def as_page(handler: Handler) -> Handler:
    """What goes wrong, as a page for whoever reads pages, and as it was for everybody else.

    Whoever has to sign in to read something is led there, and back.
    """

    async def handled(request: Request, error: Exception) -> Response:
        given = await handler(request, error)
        if not wants_page(request):
            return given
        if given.status_code == HTTPStatus.METHOD_NOT_ALLOWED and request.method == "GET":
            return moved(request, _above(request))
        reader = replace(Reader.of(request), who=await asyncio.to_thread(known.someone_by, request))
        dropped = [one for one in given.raw_headers if one[0] == b"set-cookie"]
        is_nobody = reader.who is None and "authorization" not in request.headers
        is_unknown = isinstance(error, SignInNeeded) or (isinstance(error, NotYours) and is_nobody)
        if is_unknown and request.method == "GET" and "hx-request" not in request.headers:
            # what the browser kept is worth nothing any more: perhaps nothing is needed
            led = moved(request, reader.place if dropped else paths.sign_in(reader.place))
            led.raw_headers.extend(dropped)
            return led
        place = _place_to_come_back_to(request, reader)
        values = {"problem": json.loads(bytes(given.body)), "sign_in": paths.sign_in(place)}
        body = rendered("problem.html", reader, values)
        left = {"content-length", "content-type", "set-cookie"}
        kept = {name: value for name, value in given.headers.items() if name not in left}
        if is_unknown:
            kept["HX-Redirect"] = paths.sign_in(place)  # a page that follows the event must not lose what it shows
        answer = Response(body, given.status_code, kept, HTML)
        answer.raw_headers.extend(dropped)
        return headed(answer)

    return handled


def _above(request: Request) -> str:
    """The page above an address that only takes forms: whoever loads an answer again, or in another language."""
    routes, path = request.app.router.routes, request.scope["path"]
    while path := path.rpartition("/")[0]:
        scope = {**request.scope, "path": path, "raw_path": path.encode()}
        if any(route.matches(scope)[0] == Match.FULL for route in routes):
            return str(path)
    return "/"


def _place_to_come_back_to(request: Request, reader: Reader) -> str:
    if request.method == "GET":
        return reader.place
    return paths.back_to(request.headers, request.url.netloc)


def wants_page(request: Request) -> bool:
    """Whether a browser asks for something to read."""
    return "text/html" in request.headers.get("accept", "")


def with_wallets(answer: Response) -> Response:
    """The same answer on whose page wallets may be listed: their icons are pictures in the page's own addresses."""
    answer.headers["Content-Security-Policy"] = CAREFUL["Content-Security-Policy"].replace(
        "img-src 'self'", "img-src 'self' data:"
    )
    return answer


def problem_in(error: Exception) -> tuple[Mapping[str, Any], int]:
    """A refusal as a document, to be shown on the page with the form, and the status of that page."""
    given = problems.answer(error)
    return json.loads(bytes(given.body)), given.status_code


def _anew(request: Request, body: bytes, reader: Reader, status: int = 200) -> Response:
    answer = Response(body, status, {"Cache-Control": "no-store"}, HTML)
    if len(body) >= LEAST_PACKED and not reader.token and takes_gzip(request.headers.get("accept-encoding", "")):
        answer = Response(
            rendering.packed(body), status, {"Cache-Control": "no-store", "Content-Encoding": "gzip"}, HTML
        )
    if reader.said is not None:
        answer.delete_cookie(readers.SAID, path="/")
    return headed(answer)


def headed(answer: Response) -> Response:
    """An answer with the headers of a page."""
    answer.headers["Vary"] = VARY
    for name, value in CAREFUL.items():
        answer.headers.setdefault(name, value)
    return answer
