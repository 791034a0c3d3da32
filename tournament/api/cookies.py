"""What a browser that is signed in keeps, and when it may be sent to do something.

The cookie cannot be read by scripts, and other sites' pages cannot make the browser send it (`SameSite=Strict`). A
command that comes with it has to come from our own pages, by what the browser itself says (`Sec-Fetch-Site`, else
`Origin`); no page can write these headers. So no second token has to be carried through every form.
Source: RFC 6265bis (`__Host-`, SameSite); W3C Fetch Metadata; OWASP, "Cross-Site Request Forgery Prevention".
"""

from datetime import timedelta
from typing import Final

from fastapi import Request, Response

from tournament.errors import CrossSite
from tournament.service.sign_ins import BROWSER_LASTS
from tournament.settings import Environment, Settings

SAFE: Final = "__Host-deckproof"
"""The name of the cookie: browsers take one of this kind from the host itself only, and only by https."""
PLAIN: Final = "deckproof"
"""Its name by http, which is for development."""
_READS: Final = frozenset({"GET", "HEAD", "OPTIONS"})


def kept(request: Request) -> str | None:
    """What the browser kept; None if it did not."""
    return request.cookies.get(_name(request)) or None


def keep(request: Request, response: Response, value: str, *, lasts: timedelta = BROWSER_LASTS) -> None:
    """Let the browser keep that, and nobody see it."""
    _set(request, response, value, round(lasts.total_seconds()))


def drop(request: Request, response: Response) -> None:
    """Let the browser keep it no more."""
    _set(request, response, "", 0)


def check_same_site(request: Request) -> None:
    """Refuse a command that did not come from a page of ours. Raises: CrossSite."""
    if request.method not in _READS and not _is_ours(request):
        raise CrossSite


def check_not_cross_site(request: Request) -> None:
    """The same where no cookie is needed, so that programs, which say nothing of this, may ask. Raises: CrossSite."""
    says = "sec-fetch-site" in request.headers or "origin" in request.headers
    if says and not _is_ours(request):
        raise CrossSite


def _is_ours(request: Request) -> bool:
    site = request.headers.get("sec-fetch-site")
    if site is not None:
        return site == "same-origin"
    host = request.headers.get("origin", "").partition("://")[2]
    return bool(host) and host == request.headers.get("host")


def _set(request: Request, response: Response, value: str, seconds: int) -> None:
    response.set_cookie(
        _name(request), value, max_age=seconds, path="/", secure=_is_safe(request), httponly=True, samesite="strict"
    )


def _name(request: Request) -> str:
    return SAFE if _is_safe(request) else PLAIN


def _is_safe(request: Request) -> bool:
    settings: Settings = request.app.state.settings
    return settings.environment is not Environment.DEVELOPMENT or request.url.scheme == "https"
