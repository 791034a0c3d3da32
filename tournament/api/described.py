"""What the description of the API says of every route, so that no route has to say it itself."""

from collections.abc import Iterator
from typing import Any, Final

from fastapi import FastAPI
from fastapi.openapi.utils import get_openapi

from tournament.api import problems
from tournament.api.edge.heads import REQUEST_ID

_PROBLEM: Final[dict[str, Any]] = {
    "content": {problems.MEDIA_TYPE: {"schema": {"$ref": "#/components/schemas/Problem"}}},
}
_RETRY: Final = {"Retry-After": {"description": "Seconds.", "schema": {"type": "integer", "minimum": 1}}}
_BODY: Final[dict[str, dict[str, Any]]] = {
    "408": {"description": "The body did not come in time", **_PROBLEM},
    "413": {"description": "The body is too long", **_PROBLEM},
    "415": {"description": "The body is not JSON", **_PROBLEM},
}
_ALL: Final[dict[str, dict[str, Any]]] = {
    "421": {"description": "The server is not asked by that host's name", **_PROBLEM},
    "429": {"description": "Too often; try again later", "headers": _RETRY, **_PROBLEM},
}
_NOT_MODIFIED: Final = {"description": "You have it: it is what your `If-None-Match` names"}
_IF_NONE_MATCH: Final = {
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
                routes=app.routes,
            )
            for path, method, operation in _operations(described):
                _add(path, method, operation)
            app.openapi_schema = described
        return app.openapi_schema

    app.openapi = openapi  # type: ignore[method-assign]


def _operations(described: dict[str, Any]) -> Iterator[tuple[str, str, dict[str, Any]]]:
    for path, methods in described["paths"].items():
        for method, operation in methods.items():
            yield path, method, operation


def _add(path: str, method: str, operation: dict[str, Any]) -> None:
    answers: dict[str, Any] = operation["responses"]
    for status, answer in (_ALL | ({} if method == "get" else _BODY)).items():
        answers.setdefault(status, answer)
    if method == "get" and "{event}" in path:
        answers.setdefault("304", _NOT_MODIFIED)
        operation.setdefault("parameters", []).append(_IF_NONE_MATCH)
    answers["503"].setdefault("headers", _RETRY)
    for answer in answers.values():
        headers = answer.setdefault("headers", {})
        answer["headers"] = {
            **headers,
            REQUEST_ID: {"description": "Names the request in the server's log.", "schema": {"type": "string"}},
        }
    operation["responses"] = dict(sorted(answers.items()))
