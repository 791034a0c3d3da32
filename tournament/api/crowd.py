"""The crowd: what all visitors see alike is answered again before any route is looked for.

When a round is published everybody asks for the same document in the same minute. Once its route has answered a visitor
who shows nothing (`answers.fresh` with `for_crowds`), the next ones are given the same bytes, as long as the event has
the version that they were made for; that is asked each time. Whatever else is the case, the route answers.
"""

from typing import Final

from fastapi import Request, Response
from starlette.concurrency import run_in_threadpool
from starlette.datastructures import State
from starlette.types import ASGIApp, Receive, Scope, Send

from tournament import store
from tournament.api.answers import answered, key_of_visitors, place_of
from tournament.errors import DatabaseUnavailable

_SHOWN: Final = frozenset({b"authorization", b"cookie"})


class Crowd:
    """Answers visitors from what is kept, or lets the routes answer."""

    def __init__(self, app: ASGIApp, state: State) -> None:
        self._app = app
        self._state = state

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Answer a request."""
        if scope["type"] == "http" and scope["method"] == "GET":
            event = self._state.kept.crowded.get(place_of(scope))
            if event is not None and not any(name in _SHOWN for name, _ in scope["headers"]):
                answer = await run_in_threadpool(self._answer, Request(scope), event)
                if answer is not None:
                    await answer(scope, receive, send)
                    return
        await self._app(scope, receive, send)

    def _answer(self, request: Request, event: str) -> Response | None:
        try:
            with self._state.database.looking() as connection:
                version = store.version_for_visitors(connection, event)
        except DatabaseUnavailable:
            return None
        if version is None:
            return None
        key = key_of_visitors(event, version, place_of(request.scope))
        body = self._state.kept.get(key)
        return None if body is None else answered(request, str(version), key, lambda: body)
