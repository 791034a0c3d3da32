"""Bodies: not too long, not too slow, and JSON that every program reads alike.

The whole body is here before a route is looked for. Python's JSON parser calls itself for each bracket, and packages
that come with web3.py raise its limit so far that a body of brackets would end the process; so depth is looked at
before anything is parsed. Of two values for one key most parsers take the last, some the first: such a body is refused,
and so are NaN and whatever else only some call JSON.
"""

import asyncio
import json
import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import partial
from re import Pattern
from typing import Any, Final

from starlette.types import ASGIApp, Message, Receive, Scope, Send

from tournament.api import problems
from tournament.api.edge.origins import header
from tournament.domain.errors import TournamentError
from tournament.errors import (
    BodyTooLarge,
    BodyTooSlow,
    MediaTypeUnknown,
    RequestFault,
    RequestUnreadable,
    TooManyRequests,
)
from verifier.nesting import NestedTooDeep, check_nesting

JSON: Final = "application/json"
FORM: Final = "application/x-www-form-urlencoded"
MOST: Final = 256 * 1024
"""Bytes of an ordinary body; a deck, a round's results or a thousand names are less."""
MOST_IMPORTED: Final = 32 << 20
"""Bytes of a whole event, as the event file allows."""
MOST_HELD: Final = 256 << 20
"""Bytes of all bodies that are here at the same time."""
PATIENCE_S: Final = 10.0
"""How long the next part may take."""
GRACE_S: Final = 20.0
LEAST_RATE: Final = 4096
"""A body may take so many seconds, and one more for each so many bytes."""
_IN_A_THREAD: Final = 64 * 1024
"""A longer body is read beside the event loop."""
_NO_BODY: Final = frozenset({"GET", "HEAD", "OPTIONS"})
_UTF8: Final = frozenset({"", "utf-8", "utf8"})


@dataclass(frozen=True)
class Room:
    """What paths take."""

    paths: Pattern[str]
    most: int
    takes: tuple[str, ...]
    reads_itself: bool = False
    """Its route reads the bytes, more strictly than is done here, whether they say what they are or not."""


ROOMS: Final = (
    Room(re.compile("/organize/import"), MOST_IMPORTED, (FORM,)),  # an event file in a field
    Room(re.compile("/events/import"), MOST_IMPORTED, (JSON,), reads_itself=True),
    Room(re.compile(r"/(?:.+/)?imports?(?:/preview)?"), MOST_IMPORTED, (JSON, "text/csv", "text/plain", "text/xml")),
    Room(re.compile("/e/[^/]+/organize/players/roster"), MOST_IMPORTED, (FORM,)),
    Room(re.compile("/organize(?:/.*)?", re.DOTALL), MOST, (FORM,)),
    Room(
        re.compile(r"/(?:e|s|check|look|sign-in|sign-out|demo|my-account|invitations)(?:/.*)?", re.DOTALL),
        MOST,
        (FORM,),
    ),  # pages; see docs/guide/pages.md
    Room(re.compile(".*", re.DOTALL), MOST, (JSON,)),
)
"""The first whose pattern is the path counts. A large body is taken only from somebody who shows something to be known
by."""


class Bodies:
    """Takes bodies in."""

    def __init__(self, app: ASGIApp, rooms: Sequence[Room] = ROOMS, *, patience: float = PATIENCE_S) -> None:
        self._app = app
        self._rooms = rooms
        self._patience = patience
        self._held = 0

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Let a request through with its whole body, or refuse it."""
        if scope["type"] != "http" or scope["method"] in _NO_BODY:
            await self._app(scope, receive, send)
            return
        holding = _Holding()
        try:
            body = await self._taken_in(scope, receive, holding)
        except _Gone:
            return
        except TournamentError as error:
            answer = problems.answer(error)
            answer.headers["Connection"] = "close"  # the rest of the body is not waited for
            await answer(scope, receive, send)
            return
        else:
            await self._app(scope, _given(body, receive), send)
        finally:
            self._held -= holding.size

    async def _taken_in(self, scope: Scope, receive: Receive, holding: "_Holding") -> bytes:
        room = next(room for room in self._rooms if room.paths.fullmatch(scope["path"]))
        is_known = bool(header(scope, b"authorization") or header(scope, b"cookie"))
        most = room.most if is_known else min(room.most, MOST)
        announced = header(scope, b"content-length")
        if announced.isdigit() and len(announced) < _LONGEST_LENGTH and int(announced) > most:
            raise BodyTooLarge(most)
        if announced not in {"", "0"} or header(scope, b"transfer-encoding"):
            _check_media_type(scope, room)
        body = await self._whole(receive, most, holding)
        if body and not room.reads_itself and _media_type(scope)[0] == JSON:
            read = partial(check_json, body)
            await asyncio.to_thread(read) if len(body) > _IN_A_THREAD else read()
        return body

    async def _whole(self, receive: Receive, most: int, holding: "_Holding") -> bytes:
        parts: list[bytes] = []
        loop = asyncio.get_running_loop()
        begun = loop.time()
        while True:
            end = min(loop.time() + self._patience, begun + GRACE_S + holding.size / LEAST_RATE)
            try:
                async with asyncio.timeout_at(end):
                    message = await receive()
            except TimeoutError as error:
                raise BodyTooSlow(holding.size) from error
            if message["type"] == "http.disconnect":
                raise _Gone
            part = message.get("body", b"")
            holding.size += len(part)
            self._held += len(part)
            if holding.size > most:
                raise BodyTooLarge(most)
            if self._held > MOST_HELD:
                raise TooManyRequests("more is sent than the server can take in at once", 5)
            parts.append(part)
            if not message.get("more_body", False):
                return b"".join(parts)


def check_json(body: bytes) -> None:
    """Refuse what is no JSON, or is read differently by different programs.

    Raises:
        RequestUnreadable: what is wrong, and where.
    """
    try:
        text = body.decode()
    except UnicodeDecodeError as error:
        raise _unreadable(f"is not UTF-8 at byte {error.start}") from error
    try:
        check_nesting(text)
        document = json.loads(text, object_pairs_hook=_once, parse_constant=_no_number)
    except NestedTooDeep as error:
        raise _unreadable(f"is {error}") from error
    except json.JSONDecodeError as error:
        said = f"{error.msg[:1].lower()}{error.msg[1:]} (line {error.lineno}, column {error.colno})"
        raise _unreadable(f"is not JSON: {said}") from error
    except ValueError as error:
        raise _unreadable(str(error)) from error
    if _SUSPECT.search(text):
        wrong = [place for place, said in _texts_in(document) if not _can_be_kept(said)]
        if wrong:
            said = "has U+0000 or half a character in it, which no database keeps"
            raise RequestUnreadable([RequestFault(place, said) for place in wrong])


@dataclass
class _Holding:
    """Of one request."""

    size: int = 0


class _Gone(Exception):
    """Whoever asked does not wait for an answer."""


_LONGEST_LENGTH: Final = 19
"""Digits; a longer number is no honest length, and the body is counted anyway."""


def _given(body: bytes, receive: Receive) -> Receive:
    """What a route receives: the body at once, then whatever happens to the connection."""
    told: list[Message] = [{"type": "http.request", "body": body, "more_body": False}]

    async def given() -> Message:
        return told.pop() if told else await receive()

    return given


def _check_media_type(scope: Scope, room: Room) -> None:
    kind, charset = _media_type(scope)
    coding = header(scope, b"content-encoding").lower()
    if not (kind in room.takes or (room.reads_itself and not kind)) or charset not in _UTF8:
        raise MediaTypeUnknown(header(scope, b"content-type"), room.takes)
    if coding not in {"", "identity"}:
        raise MediaTypeUnknown(f"{kind}, {coding}", room.takes)


def _media_type(scope: Scope) -> tuple[str, str]:
    kind, *parameters = (part.strip().lower() for part in header(scope, b"content-type").split(";"))
    charset = next((part.partition("=")[2].strip('"') for part in parameters if part.startswith("charset=")), "")
    return kind, charset


def _once(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    members = dict(pairs)
    if len(members) != len(pairs):
        keys = [key for key, _ in pairs]
        twice = next(key for key in members if keys.count(key) > 1)
        raise ValueError(f"has {json.dumps(twice[:_SHOWN])} twice in one object")
    return members


_SHOWN: Final = 50
_SUSPECT: Final = re.compile(r"\\u(0000|[dD][89a-fA-F])")
"""What may stand for U+0000, or for half of a pair of surrogates."""


def _texts_in(document: object) -> Iterator[tuple[str, str]]:
    """Every text in a document with its place; a key is at the place of its object."""
    left = [("body", document)]
    while left:
        place, one = left.pop()
        if isinstance(one, str):
            yield place, one
        elif isinstance(one, dict):
            left.extend((place, key) for key in one)
            left.extend((f"{place}/{key}", value) for key, value in one.items())
        elif isinstance(one, list):
            left.extend((f"{place}/{number}", value) for number, value in enumerate(one))


def _can_be_kept(text: str) -> bool:
    return not any(character == "\x00" or "\ud800" <= character <= "\udfff" for character in text)


def _no_number(word: str) -> float:
    raise ValueError(f"has {word}, which JSON does not know")


def _unreadable(what: str) -> RequestUnreadable:
    return RequestUnreadable([RequestFault("body", what)])
