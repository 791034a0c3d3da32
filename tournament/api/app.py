"""The HTTP API as an ASGI application."""

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from importlib.metadata import version
from typing import Any, Final

from fastapi import FastAPI

from tournament.api import problems
from tournament.api.answers import Kept
from tournament.api.routes import (
    calls,
    claims,
    clock,
    cut,
    deck_checks,
    entries,
    events,
    exports,
    health,
    imports,
    judging,
    log,
    notes,
    penalties,
    rounds,
    series,
    staff,
    standings,
    templates,
    tokens,
    undo,
)
from tournament.api.schemas import Problem
from tournament.database import Database, open_database
from tournament.service.codes import Codes
from tournament.settings import Settings, require_secret

_PROBLEM: Final[dict[str, Any]] = {
    "model": Problem,
    "content": {problems.MEDIA_TYPE: {"schema": {"$ref": "#/components/schemas/Problem"}}},
}
_REFUSALS: Final[dict[int | str, dict[str, Any]]] = {
    401: {"description": "Nobody we know asks", **_PROBLEM},
    403: {"description": "Your roles do not allow it", **_PROBLEM},
    404: {"description": "There is no such thing, or you may not see it", **_PROBLEM},
    409: {"description": "The event's phase, version or rounds are against it", **_PROBLEM},
    422: {"description": "Unreadable, or it cannot be so; every fault", **_PROBLEM},
    503: {"description": "The database gives no answer; try again", **_PROBLEM},
}
_ABOUT: Final = """Runs events: registration to final standings.

Every change is a **command**. Send an `Idempotency-Key` with it and you may send it again as often as you like: it
happens once, and you get the first receipt. Send the `ETag` you looked at as `If-Match`, and nothing is done if
somebody changed the event in between. What goes wrong is a problem document (RFC 9457).
"""


def create_app(settings: Settings, *, database: Database | None = None) -> FastAPI:
    """The application.

    Args:
        settings: which database, which secret.
        database: one that is open already; whoever opened it closes it.

    Raises:
        SecretMissing: the default secret outside development.
    """
    require_secret(settings)

    @asynccontextmanager
    async def opened(app: FastAPI) -> AsyncIterator[None]:
        app.state.database = database or open_database(settings)
        app.state.kept = Kept()
        app.state.codes = Codes(settings.secret.get_secret_value())
        yield
        if database is None:
            app.state.database.close()

    app = FastAPI(
        title="Deckproof",
        version=version("deckproof"),
        description=_ABOUT,
        lifespan=opened,
        responses=_REFUSALS,
        license_info={"name": "MIT", "identifier": "MIT"},
        redoc_url=None,
    )
    problems.install(app)
    for noun in (
        health,
        tokens,
        templates,
        events,
        staff,
        entries,
        rounds,
        clock,
        claims,
        calls,
        penalties,
        deck_checks,
        notes,
        judging,
        standings,
        cut,
        undo,
        log,
        exports,
        imports,
        series,
    ):
        app.include_router(noun.router)
    return app
