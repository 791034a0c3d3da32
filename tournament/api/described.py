"""What the description of the API says of every route, so that no route has to say it itself."""

from collections.abc import Iterator
from typing import Any, Final

from fastapi import FastAPI
from fastapi.openapi.utils import get_openapi
from starlette.routing import BaseRoute

from tournament.api import problems
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
                "headers": _HEADERS,
                "parameters": {"IfNoneMatch": _IF_NONE_MATCH},
                "responses": {},
            }
            for path, method, operation in _operations(described):
                _add(described, path, method, operation)
            app.openapi_schema = described
        return app.openapi_schema

    app.openapi = openapi  # type: ignore[method-assign]


def _routes(app: FastAPI) -> list[BaseRoute]:
    return [one for route in app.routes for one in (route.built() if isinstance(route, Finder) else [route])]


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
