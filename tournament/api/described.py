"""What the description of the API says of every route, so that no route has to say it itself."""

from collections.abc import Iterator
from typing import Any, Final

from fastapi import FastAPI
from fastapi.openapi.utils import get_openapi
from fastapi.routing import APIRoute
from fastapi.security import APIKeyCookie, HTTPBearer
from fastapi.security.base import SecurityBase
from starlette.routing import BaseRoute

from tournament.api import cookies, problems
from tournament.api.deps import knows_who
from tournament.api.edge.heads import REQUEST_ID
from tournament.api.shelf import Finder

_PROBLEM: Final[dict[str, Any]] = {
    "content": {problems.MEDIA_TYPE: {"schema": {"$ref": "#/components/schemas/Problem"}}},
}
_HEADERS: Final[dict[str, Any]] = {
    "RequestId": {"description": "Names the request in the server's log.", "schema": {"type": "string"}},
    "RetryAfter": {"description": "Seconds.", "schema": {"type": "integer", "minimum": 1}},
}
_BODY: Final = {
    "408": "The body did not come in time",
    "413": "The body is too long",
    "415": "The body is not JSON",
}
_ALL: Final = {
    "421": "The server is not asked by that host's name",
    "429": "Too often; try again later",
}
_LATER: Final = frozenset({"429", "503"})
"""Answers that say when to try again."""
_IF_NONE_MATCH: Final[dict[str, Any]] = {
    "name": "If-None-Match",
    "in": "header",
    "required": False,
    "description": "The ETag of what you have; if it is still so, the answer is 304 and empty.",
    "schema": {"type": "string", "examples": ['"7"']},
}


_SCHEMES: Final = (
    HTTPBearer(description="A token from `POST /tokens` or `deckproof admin create`."),
    APIKeyCookie(name=cookies.SAFE, description="What `POST /session` sets; for our own pages only."),
)
_KNOWN_BY: Final = [{scheme.scheme_name: list[str]()} for scheme in _SCHEMES]
"""By what somebody may be known, where it is asked who asks."""


def describe(app: FastAPI) -> None:
    """Let the application describe itself with all that the edge does."""

    def openapi() -> dict[str, Any]:
        if app.openapi_schema is None:
            described = get_openapi(
                title=app.title,
                version=app.version,
                description=app.description,
                license_info=app.license_info,
                routes=_routes(app),
            )
            described["components"] |= {
                "securitySchemes": {scheme.scheme_name: _plain(scheme) for scheme in _SCHEMES},
                "headers": _HEADERS,
                "parameters": {"IfNoneMatch": _IF_NONE_MATCH},
                "responses": {},
            }
            for route in _routes(app):
                if isinstance(route, APIRoute) and route.include_in_schema and knows_who(route.dependant):
                    for method in route.methods or ():
                        described["paths"][route.path_format][method.lower()]["security"] = _KNOWN_BY
            for path, method, operation in _operations(described):
                _add(described, path, method, operation)
            app.openapi_schema = described
        return app.openapi_schema

    app.openapi = openapi  # type: ignore[method-assign]


def _routes(app: FastAPI) -> list[BaseRoute]:
    return [one for route in app.routes for one in (route.built() if isinstance(route, Finder) else [route])]


def _plain(scheme: SecurityBase) -> Any:  # noqa: ANN401 - JSON
    return scheme.model.model_dump(mode="json", by_alias=True, exclude_none=True)


def _operations(described: dict[str, Any]) -> Iterator[tuple[str, str, dict[str, Any]]]:
    for path, methods in described["paths"].items():
        for method, operation in methods.items():
            yield path, method, operation


def _add(described: dict[str, Any], path: str, method: str, operation: dict[str, Any]) -> None:
    answers: dict[str, Any] = operation["responses"]
    for status, words in (_ALL | ({} if method == "get" else _BODY)).items():
        answers.setdefault(status, {"description": words, **_PROBLEM})
    if method == "get" and "{event}" in path:
        answers.setdefault("304", {"description": "You have it: it is what your `If-None-Match` names"})
        operation.setdefault("parameters", []).append({"$ref": "#/components/parameters/IfNoneMatch"})
    for status, answer in answers.items():
        names = {REQUEST_ID: "RequestId"} | ({"Retry-After": "RetryAfter"} if status in _LATER else {})
        refs = {name: {"$ref": f"#/components/headers/{known}"} for name, known in names.items()}
        answer["headers"] = answer.get("headers", {}) | refs
        if problems.MEDIA_TYPE in answer.get("content", {}):
            answer["content"] = _PROBLEM["content"]  # and no plain JSON, which FastAPI adds for the model
    shared = described["components"]["responses"]
    for status, answer in sorted(answers.items()):
        is_problem = answer.get("content") == _PROBLEM["content"]
        if is_problem and shared.setdefault(f"Problem{status}", answer) == answer:
            answers[status] = {"$ref": f"#/components/responses/Problem{status}"}
    operation["responses"] = dict(sorted(answers.items()))
