"""The application with one route more, which always says the same: what an answer costs that needs no thought."""

from fastapi import FastAPI, Response

from cli import asking
from tournament.api.answers import JSON
from tournament.api.app import create_app

LONG = b'{"standings":[' + b",".join([b"x" * 154] * 1000) + b"]}"
"""As long as the standings of so many players: what is sent costs the same."""


def application() -> FastAPI:
    """The application that the settings describe, and `/constant`."""
    app = create_app(asking.settings())

    @app.get("/constant")
    def constant() -> Response:
        return Response(LONG, media_type=JSON)

    return app
