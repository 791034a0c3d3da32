"""Who reads a page, as far as it changes how the page looks: language, look, and what is to be said once."""

import json
from base64 import urlsafe_b64decode, urlsafe_b64encode
from dataclasses import dataclass, field
from hashlib import sha256
from typing import Any, Final

from fastapi import Request, Response

from tournament.api import cookies
from tournament.api.known import Someone
from tournament.settings import Environment, Settings
from tournament.web.demo import Demo, demo_of
from tournament.web.texts import Language, language_for, mark

LOOK: Final = "look"
LANGUAGE: Final = "language"
SAID: Final = "said"
"""Cookies of a page: two choices, which a browser keeps for a year, and what the next page says."""
LOOKS: Final = {
    "auto": mark("As the device"),
    "light": mark("Light"),
    "dark": mark("Dark"),
    "contrast": mark("High contrast"),
}
YEAR: Final = 365 * 24 * 3600
_READS: Final = frozenset({"GET", "HEAD"})
_SOON: Final = 60
"""Seconds within which the next page is there, or it is too late to say something."""
_DIGITS: Final = 8
_LONGEST_SAID: Final = 4_000
"""Characters of the cookie; Python's JSON parser calls itself for each bracket."""


@dataclass(frozen=True)
class Reader:
    """Somebody with a browser."""

    language: Language
    look: str
    place: str
    """The path of the page with its query, to come back to."""
    origin: str
    """Scheme and host that were asked, for addresses that are read elsewhere."""
    said: tuple[str, dict[str, Any]] | None = None
    """A key of `words.SAID`, and what is put into it."""
    token: str = field(default="", repr=False)
    is_answer: bool = False
    """Whether the page answers a form, so that it cannot be asked for again."""
    demo: Demo | None = None
    """What is shown, where it is a demo."""
    who: Someone | None = None
    """Whom the browser is signed in as, where a page says so; `answers` finds it out."""

    @classmethod
    def of(cls, request: Request) -> "Reader":
        """Whoever asks."""
        query = request.scope["query_string"].decode("latin-1")
        look = request.cookies.get(LOOK, "auto")
        return cls(
            language=language_for(request.cookies.get(LANGUAGE), request.headers.get("accept-language", "")),
            look=look if look in LOOKS else "auto",
            place=request.scope["path"] + (f"?{query}" if query else ""),
            origin=f"{request.url.scheme}://{request.url.netloc}",
            said=_said(request.cookies.get(SAID)),
            token=cookies.kept(request) or "",
            is_answer=request.method not in _READS,
            demo=demo_of(request),
        )

    def variant(self, build: str) -> str:
        """What the bytes of a page hang on besides what they show: eight digits."""
        hangs_on = (build, self.language.code, self.look, self.origin, self.token, "demo" if self.demo else "")
        return sha256("\n".join(hangs_on).encode(errors="replace")).hexdigest()[:_DIGITS]


def keep(request: Request, response: Response, name: str, value: str, seconds: int = YEAR) -> None:
    """Let the browser keep a choice. It says nothing of who somebody is."""
    settings: Settings = request.app.state.settings
    is_safe = settings.environment is not Environment.DEVELOPMENT or request.url.scheme == "https"
    response.set_cookie(name, value, max_age=seconds, path="/", secure=is_safe, httponly=True, samesite="lax")


def say(request: Request, response: Response, key: str, **values: str | int) -> None:
    """Let the next page say something, once."""
    packed = urlsafe_b64encode(json.dumps([key, values]).encode()).decode()
    keep(request, response, SAID, packed, _SOON)


def _said(kept: str | None) -> tuple[str, dict[str, Any]] | None:
    """What a cookie says; None if it is none of ours, since anybody may write into an own browser."""
    if kept is None or len(kept) > _LONGEST_SAID:
        return None
    try:
        key, values = json.loads(urlsafe_b64decode(kept.encode()))
    except (ValueError, TypeError, RecursionError):
        return None
    return (key, values) if isinstance(key, str) and isinstance(values, dict) else None
