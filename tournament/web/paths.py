"""Addresses of our own pages: which ones somebody may be led to, and those that are made in more than one place."""

import re
from collections.abc import Mapping
from typing import Final, NamedTuple
from urllib.parse import quote, urlsplit

SIGN_IN: Final = "/sign-in"
ACCOUNT: Final = "/my-account"
"""Not `/account`, which is the API's."""
LONGEST: Final = 2_000
_INVITATION: Final = re.compile(r"([a-z0-9]{1,40})[_-]([0-9]{1,7})[_-]([0-9A-Za-z -]{1,40})")
_EVENT: Final = re.compile(r"/e/([A-Za-z0-9]{1,40})(?:[/?]|$)")


class Link(NamedTuple):
    """What the address of an invitation holds."""

    event: str
    number: int
    code: str


def own_path(said: str) -> str:
    """A path of ours; whatever leads elsewhere becomes the first page."""
    try:
        parts = urlsplit(said.replace("\\", "/"))
    except ValueError:  # as `//[`
        return "/"
    is_own = not parts.scheme and not parts.netloc and parts.path.startswith("/") and not said.startswith("//")
    is_plain = said.isprintable() and said.isascii() and "\\" not in said and len(said) <= LONGEST
    return said if is_own and is_plain else "/"


def sign_in(then: str) -> str:
    """The page to sign in, which leads to a path of ours afterwards."""
    place = own_path(then)
    return SIGN_IN if place == "/" or place.partition("?")[0] == SIGN_IN else f"{SIGN_IN}?next={quote(place, safe='/')}"


def invitation(event: str, number: int, code: str) -> str:
    """The page of an invitation: the code alone names neither event nor invitation."""
    return f"/invitations/{event}-{number}-{code}"


def invitation_in(name: str) -> Link | None:
    """What the last part of such an address holds; None if it is none."""
    found = _INVITATION.fullmatch(name)
    return Link(found[1], int(found[2]), found[3]) if found else None


def back_to(headers: Mapping[str, str], host: str) -> str:
    """Our page from which a form was sent, by what the browser says; the first page if it says nothing of the kind.

    Args:
        headers: of the request.
        host: that was asked.
    """
    try:
        parts = urlsplit(headers.get("referer", ""))
    except ValueError:  # as `http://[`
        return "/"
    return own_path(parts._replace(scheme="", netloc="", fragment="").geturl()) if parts.netloc == host else "/"


def event_in(place: str) -> str | None:
    """The event that a path of ours is about; None for none."""
    found = _EVENT.match(place)
    return found[1] if found else None
