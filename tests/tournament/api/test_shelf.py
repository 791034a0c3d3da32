"""Routes that are built when somebody asks for them, and found by the segments of a path."""

from typing import Any

import pytest
from fastapi import FastAPI
from fastapi.routing import APIRoute
from fastapi.testclient import TestClient

from tournament.api.app import create_app
from tournament.api.shelf import Finder, Shelf
from tournament.settings import Settings


def named(said: str) -> Any:
    async def answer() -> str:
        return said

    return answer


def application(*routes: tuple[str, str], checked: list[bytes] | None = None) -> tuple[FastAPI, Finder]:
    shelf = Shelf(prefix="/things")
    for method, path in routes:
        shelf.add_api_route(path, named(f"{method} {path}"), methods=[method])
    app = FastAPI()
    finder = Finder([shelf], app.router, lambda _, query: (checked or []).append(query))
    app.router.routes.append(finder)
    return app, finder


ROUTES = (
    ("GET", "/{one}"),
    ("GET", "/all"),
    ("POST", "/all"),
    ("GET", "/{one}/parts/{two}"),
    ("PUT", "/{one}/parts/all"),
)


@pytest.mark.parametrize(
    ("method", "path", "found"),
    [
        ("GET", "/things/7", "GET /{one}"),
        ("GET", "/things/all", "GET /{one}"),  # which was written down first
        ("POST", "/things/all", "POST /all"),
        ("GET", "/things/7/parts/9", "GET /{one}/parts/{two}"),
        ("GET", "/things/7/parts/all", "GET /{one}/parts/{two}"),
        ("PUT", "/things/7/parts/all", "PUT /{one}/parts/all"),
        ("DELETE", "/things/7", 405),
        ("PUT", "/things/7/parts/9", 405),
        ("GET", "/things", 404),
        ("GET", "/things/", 404),
        ("GET", "/things/7/", 404),
        ("GET", "/things//parts/9", 404),
        ("GET", "/things/7/parts/9/more", 404),
        ("GET", "/", 404),
    ],
)
def test_a_path_leads_to_the_route_that_trying_them_in_turn_would_find(
    method: str, path: str, found: str | int
) -> None:
    app, finder = application(*ROUTES)
    in_turn = FastAPI(redirect_slashes=False)
    in_turn.router.routes.extend(finder.built())
    for one in (app, in_turn):
        answer = TestClient(one).request(method, path)
        assert (answer.json() if answer.is_success else answer.status_code) == found


def test_what_stands_behind_the_question_mark_is_checked() -> None:
    checked: list[bytes] = [b"before"]
    app, _ = application(*ROUTES, checked=checked)
    TestClient(app).get("/things/7")
    TestClient(app).get("/things/7?a=1")
    assert checked == [b"before", b"a=1"]


def test_no_route_is_built_before_it_is_asked_for() -> None:
    app = create_app(Settings())
    (finder,) = (route for route in app.routes if isinstance(route, Finder))
    assert not any("route" in vars(place) for place in finder._places)  # noqa: SLF001 - nobody else can see it
    TestClient(app).get("/docs")
    assert [place.route.path for place in finder._places if "route" in vars(place)] == ["/docs"]  # noqa: SLF001
    assert all(isinstance(route, APIRoute) for route in finder.built())
