"""The whole site: the API, and the pages behind it.

Pages are an application of their own that is asked when the API has no such path. So a page cannot take a path from the
API, what the API refuses stays a problem document, and what a page refuses is a page for whoever reads pages.
"""

from typing import Any, Final

from fastapi import FastAPI

from tournament.api import problems
from tournament.api.app import create_app
from tournament.settings import Environment, Settings
from tournament.web.answers import as_page
from tournament.web.demo import Demo
from tournament.web.pages import (
    account,
    bracket,
    cards,
    check,
    check_up,
    control,
    desk,
    desk_players,
    event,
    evidence,
    files,
    guides,
    home,
    invitations,
    judge,
    me,
    my_deck,
    my_pass,
    my_table,
    my_wallet,
    organizer,
    players,
    prints,
    register,
    rounds,
    screen,
    series,
    sign_in,
    standings,
)
from tournament.web.pages import demo as demo_pages

PAGES: Final = (
    files,
    home,
    check_up,
    organizer,
    event,
    players,
    rounds,
    standings,
    bracket,
    evidence,
    cards,
    register,
    check,
    series,
    guides,
    sign_in,
    account,
    invitations,
    my_table,
    prints,
    judge,
    screen,
    desk,
    desk_players,
    control,
    me,
    my_wallet,
    my_deck,
    my_pass,
)


def create_site(settings: Settings, *, demo: Demo | None = None, **given: Any) -> FastAPI:  # noqa: ANN401 - as `create_app` takes them
    """The API with the pages behind it.

    Args:
        settings: which database, which secret.
        demo: what is shown, where it is a demo; only then are its routes there.
        given: what `create_app` takes besides.

    Raises:
        SecretMissing: the default secret outside development.
        ValueError: a demo outside development.
    """
    if demo is not None and settings.environment is not Environment.DEVELOPMENT:
        raise ValueError("a demo is for development only")
    app = create_app(settings, **given)
    app.state.demo = demo
    pages = FastAPI(openapi_url=None, docs_url=None, redoc_url=None, redirect_slashes=False)
    pages.state = app.state
    problems.install(pages)
    for kind, handler in list(pages.exception_handlers.items()):
        pages.add_exception_handler(kind, as_page(handler))  # type: ignore[arg-type]  # all of ours are coroutines
    for module in PAGES if demo is None else (*PAGES, demo_pages):
        pages.include_router(module.router)
    app.router.default = pages
    return app
