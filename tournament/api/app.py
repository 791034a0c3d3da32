"""The HTTP API as an ASGI application."""

from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from importlib.metadata import version
from typing import Any, Final

from argon2 import PasswordHasher
from fastapi import FastAPI
from starlette.types import ASGIApp

from tournament.api import problems
from tournament.api.answers import Kept
from tournament.api.crowd import Crowd
from tournament.api.deps import check_queries
from tournament.api.described import describe
from tournament.api.edge import guarded
from tournament.api.edge.heads import Uses
from tournament.api.enclosures import enclosed
from tournament.api.housekeeping import kept_tidy
from tournament.api.live import Hub
from tournament.api.routes import (
    account,
    apart,
    browsers,
    calls,
    checkin,
    claims,
    clock,
    cut,
    deck_checks,
    decks,
    docs,
    entries,
    events,
    evidence,
    exports,
    health,
    imports,
    judging,
    live,
    log,
    notes,
    ownership,
    passes,
    penalties,
    privacy,
    registrations,
    rounds,
    series,
    staff,
    standings,
    templates,
    tokens,
    undo,
    wallets,
    webhooks,
)
from tournament.api.schemas import Problem
from tournament.api.shelf import Finder
from tournament.database import Database, open_database
from tournament.service import passwords
from tournament.service.codes import Codes
from tournament.service.courier import Courier
from tournament.service.drafting import Purses
from tournament.service.limits import Limits
from tournament.service.lookout import Lookout
from tournament.service.nodes import Nodes
from tournament.service.posting import Rules
from tournament.service.sign_ins import Door
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
    503: {"description": "The database or the chain gives no answer; try again", **_PROBLEM},
}
_ABOUT: Final = """Runs events: registration to final standings.

Every change is a **command**. Send an `Idempotency-Key` with it and you may send it again as often as you like: it
happens once, and you get the first receipt. Send the `ETag` you looked at as `If-Match`, and nothing is done if
somebody changed the event in between. What goes wrong is a problem document (RFC 9457).
"""


_NOUNS: Final = (
    health,
    docs,
    tokens,
    browsers,
    account,
    templates,
    events,
    staff,
    registrations,
    entries,
    checkin,
    decks,
    passes,
    privacy,
    apart,
    rounds,
    clock,
    claims,
    calls,
    penalties,
    deck_checks,
    notes,
    judging,
    ownership,
    wallets,
    standings,
    cut,
    undo,
    log,
    evidence,
    exports,
    imports,
    series,
    live,
    webhooks,
)
"""In the order in which their routes count."""


class _Guarded(FastAPI):
    """An application behind its edge, which is outside even of what answers for bugs."""

    def build_middleware_stack(self) -> ASGIApp:
        """All that a request passes, from the outside in."""
        edge: Callable[[ASGIApp], ASGIApp] = self.state.edge
        return edge(Crowd(super().build_middleware_stack(), self.state))


def create_app(
    settings: Settings,
    *,
    database: Database | None = None,
    hasher: PasswordHasher = passwords.HASHER,
    delivers: bool = False,
    nodes: Nodes | None = None,
) -> FastAPI:
    """The application.

    Args:
        settings: which database, which secret.
        database: one that is open already; whoever opened it closes it.
        hasher: of passwords.
        delivers: whether this process sends what is due to webhooks, and looks through collections' logs; what it does
            not do waits for one that does.
        nodes: endpoints that are open already; whoever opened them closes them.

    Raises:
        SecretMissing: the default secret outside development.
    """
    require_secret(settings)
    uses = Uses()

    @asynccontextmanager
    async def opened(app: FastAPI) -> AsyncIterator[None]:
        ours = database or open_database(settings)
        codes = Codes(settings.secret.get_secret_value())
        app.state.database, app.state.codes, app.state.settings, app.state.uses = ours, codes, settings, uses
        app.state.nodes = nodes or Nodes.of(settings)
        app.state.door = Door(database=ours, codes=codes, limits=Limits(ours, settings.rate_limits), hasher=hasher)
        watch = Watch(ours)
        app.state.hub = Hub(ours, watch, most=settings.streams, most_of_address=settings.streams_per_address)
        app.state.rules = Rules(
            plain=settings.environment is Environment.DEVELOPMENT, private=settings.private_webhooks
        )
        courier = Courier(ours, codes, app.state.rules, enclosed)
        lookout = Lookout(ours, app.state.nodes)
        if delivers:
            courier.start()
            lookout.start()
            watch.tell(courier.wake)
        async with kept_tidy(ours, uses):
            with app.state.hub.ending_on_signals():
                yield
        courier.stop()
        lookout.stop()
        watch.stop()
        if nodes is None:
            app.state.nodes.close()
        if database is None:
            ours.close()

    app = _Guarded(
        title="Deckproof",
        version=version("deckproof"),
        description=_ABOUT,
        lifespan=opened,
        responses=_REFUSALS,
        license_info={"name": "MIT", "identifier": "MIT"},
        openapi_url=None,  # routes/docs.py
        docs_url=None,
        redoc_url=None,
        redirect_slashes=False,
    )
    app.state.edge = lambda inner: guarded(inner, settings, uses)
    app.state.kept, app.state.purses = Kept(), Purses()
    describe(app)
    problems.install(app)
    app.router.routes.append(Finder([noun.router for noun in _NOUNS], app.router, check_queries))
    return app
