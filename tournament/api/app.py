"""The HTTP API as an ASGI application."""

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from importlib.metadata import version
from typing import Any, Final

from fastapi import FastAPI

from tournament.api import problems
from tournament.api.answers import Kept
from tournament.api.enclosures import enclosed
from tournament.api.live import Hub
from tournament.api.routes import (
    entries,
    events,
    exports,
    health,
    live,
    log,
    rounds,
    staff,
    standings,
    tokens,
    webhooks,
)
from tournament.api.schemas import Problem
from tournament.database import Database, open_database
from tournament.service.codes import Codes
from tournament.service.courier import Courier
from tournament.service.posting import Rules
from tournament.settings import Environment, Settings, require_secret
from tournament.watch import Watch

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


def create_app(settings: Settings, *, database: Database | None = None, delivers: bool = False) -> FastAPI:
    """The application.

    Args:
        settings: which database, which secret.
        database: one that is open already; whoever opened it closes it.
        delivers: whether this process sends what is due to webhooks; what it does not send waits for one that does.

    Raises:
        SecretMissing: the default secret outside development.
    """
    require_secret(settings)

    @asynccontextmanager
    async def opened(app: FastAPI) -> AsyncIterator[None]:
        app.state.database = database or open_database(settings)
        app.state.kept = Kept()
        app.state.codes = Codes(settings.secret.get_secret_value())
        watch = Watch(app.state.database)
        app.state.hub = Hub(
            app.state.database, watch, most=settings.streams, most_of_address=settings.streams_per_address
        )
        app.state.rules = Rules(
            plain=settings.environment is Environment.DEVELOPMENT, private=settings.private_webhooks
        )
        courier = Courier(app.state.database, app.state.codes, app.state.rules, enclosed)
        if delivers:
            courier.start()
            watch.tell(courier.wake)
        with app.state.hub.ending_on_signals():
            yield
        courier.stop()
        watch.stop()
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
    for noun in (health, tokens, events, staff, entries, rounds, standings, log, exports, live, webhooks):
        app.include_router(noun.router)
    return app
