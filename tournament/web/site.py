"""The whole site: the API, and the pages behind it.

Pages are an application of their own that is asked when the API has no such path. So a page cannot take a path from the
API, what the API refuses stays a problem document, and what a page refuses is a page for whoever reads pages.
"""

from typing import Any, Final

from fastapi import FastAPI

from tournament.api import problems
from tournament.api.app import create_app
from tournament.settings import Settings
from tournament.web.answers import as_page
from tournament.web.pages import (
    account,
    bracket,
    check,
    event,
    evidence,
    files,
    guides,
    home,
    invitations,
    judge,
    players,
    register,
    rounds,
    screen,
    series,
    sign_in,
    standings,
)

PAGES: Final = (
    *(files, home, event, players, rounds, standings, bracket, evidence, register, check, series, guides),
    *(sign_in, account, invitations, judge, screen),
)


def create_site(settings: Settings, **given: Any) -> FastAPI:  # noqa: ANN401 - as `create_app` takes them
    """The API with the pages behind it.

    Args:
        settings: which database, which secret.
        given: what `create_app` takes besides.

    Raises:
        SecretMissing: the default secret outside development.
    """
    app = create_app(settings, **given)
    pages = FastAPI(openapi_url=None, docs_url=None, redoc_url=None, redirect_slashes=False)
    pages.state = app.state
    problems.install(pages)
    for kind, handler in list(pages.exception_handlers.items()):
        pages.add_exception_handler(kind, as_page(handler))  # type: ignore[arg-type]  # all of ours are coroutines
    for module in PAGES:
        pages.include_router(module.router)
    app.router.default = pages
    return app
