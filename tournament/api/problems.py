"""Refusals as HTTP: which status each has, and a problem document for everything that is not an answer.

Source: RFC 9457.
"""

import json
import logging
import time
from collections.abc import Mapping
from http import HTTPStatus
from typing import Any, Final

from fastapi import FastAPI, Request, Response
from fastapi.exceptions import RequestValidationError
from starlette.exceptions import HTTPException
from starlette.routing import Match

from games.errors import GameError
from tournament import errors
from tournament.api import cookies
from tournament.database import UNAVAILABLE, unavailable
from tournament.domain import errors as rules
from tournament.problem import problem_of
from tournament.service import results
from tournament.settings import SettingsUnreadable
from verifier import errors as verifier

MEDIA_TYPE: Final = "application/problem+json"
_LOG: Final = logging.getLogger(__name__)
_METHODS: Final = ("GET", "POST", "PUT", "PATCH", "DELETE")

STATUS: Final[Mapping[type[Exception], HTTPStatus]] = {
    rules.TournamentError: HTTPStatus.CONFLICT,
    errors.SignInNeeded: HTTPStatus.UNAUTHORIZED,
    errors.SignInWrong: HTTPStatus.UNAUTHORIZED,
    errors.NotYours: HTTPStatus.FORBIDDEN,
    errors.AccountNotFound: HTTPStatus.NOT_FOUND,
    errors.EventNotFound: HTTPStatus.NOT_FOUND,
    errors.EntryNotFound: HTTPStatus.NOT_FOUND,
    errors.RoundNotFound: HTTPStatus.NOT_FOUND,
    errors.TableNotFound: HTTPStatus.NOT_FOUND,
    errors.CommandNotFound: HTTPStatus.NOT_FOUND,
    errors.NotStaff: HTTPStatus.NOT_FOUND,
    errors.EntryCodeWrong: HTTPStatus.UNAUTHORIZED,
    errors.AccountDisabled: HTTPStatus.FORBIDDEN,
    errors.PasswordUnfit: HTTPStatus.UNPROCESSABLE_ENTITY,
    errors.SecondFactorNeeded: HTTPStatus.UNAUTHORIZED,
    errors.SecondFactorWrong: HTTPStatus.UNAUTHORIZED,
    errors.TokenNotFound: HTTPStatus.NOT_FOUND,
    errors.ScopeMissing: HTTPStatus.FORBIDDEN,
    errors.InvitationNotFound: HTTPStatus.NOT_FOUND,
    errors.TooManyRequests: HTTPStatus.TOO_MANY_REQUESTS,
    errors.CrossSite: HTTPStatus.FORBIDDEN,
    errors.HostUnknown: HTTPStatus.MISDIRECTED_REQUEST,
    errors.PathNotFound: HTTPStatus.NOT_FOUND,
    errors.MethodNotAllowed: HTTPStatus.METHOD_NOT_ALLOWED,
    errors.BodyTooLarge: HTTPStatus.REQUEST_ENTITY_TOO_LARGE,
    errors.BodyTooSlow: HTTPStatus.REQUEST_TIMEOUT,
    errors.MediaTypeUnknown: HTTPStatus.UNSUPPORTED_MEDIA_TYPE,
    errors.SeriesNotFound: HTTPStatus.NOT_FOUND,
    errors.SeriesEntryNotFound: HTTPStatus.NOT_FOUND,
    errors.NotYourTable: HTTPStatus.FORBIDDEN,
    errors.ClaimNotFound: HTTPStatus.NOT_FOUND,
    errors.CallNotFound: HTTPStatus.NOT_FOUND,
    errors.PenaltyNotFound: HTTPStatus.NOT_FOUND,
    errors.DeckCheckNotFound: HTTPStatus.NOT_FOUND,
    errors.NoteNotFound: HTTPStatus.NOT_FOUND,
    errors.CutNotFound: HTTPStatus.NOT_FOUND,
    errors.CertificateNotFound: HTTPStatus.NOT_FOUND,
    errors.NotYourEntry: HTTPStatus.FORBIDDEN,
    errors.ApartNotFound: HTTPStatus.NOT_FOUND,
    errors.DeckNotFound: HTTPStatus.NOT_FOUND,
    errors.EntriesUnreadable: HTTPStatus.UNPROCESSABLE_ENTITY,
    rules.MatchUnknown: HTTPStatus.NOT_FOUND,
    rules.RoundMissing: HTTPStatus.NOT_FOUND,
    errors.CommandIdReused: HTTPStatus.UNPROCESSABLE_ENTITY,
    errors.AnnouncementContradicts: HTTPStatus.UNPROCESSABLE_ENTITY,
    errors.RegistrationCodeWrong: HTTPStatus.UNPROCESSABLE_ENTITY,
    errors.ResultRefused: HTTPStatus.UNPROCESSABLE_ENTITY,
    errors.TablesRefused: HTTPStatus.UNPROCESSABLE_ENTITY,
    errors.RequestUnreadable: HTTPStatus.UNPROCESSABLE_ENTITY,
    rules.EventFileUnreadable: HTTPStatus.UNPROCESSABLE_ENTITY,
    rules.FileUnreadable: HTTPStatus.UNPROCESSABLE_ENTITY,
    rules.PlacingUnreadable: HTTPStatus.UNPROCESSABLE_ENTITY,
    rules.PresetUnknown: HTTPStatus.UNPROCESSABLE_ENTITY,
    rules.ResultImpossible: HTTPStatus.UNPROCESSABLE_ENTITY,
    errors.LogSealed: HTTPStatus.UNPROCESSABLE_ENTITY,
    errors.LogUnreadable: HTTPStatus.UNPROCESSABLE_ENTITY,
    errors.FileBroken: HTTPStatus.UNPROCESSABLE_ENTITY,
    errors.NotCarried: HTTPStatus.UNPROCESSABLE_ENTITY,
    errors.BackupUnreadable: HTTPStatus.UNPROCESSABLE_ENTITY,
    errors.DatabaseUnavailable: HTTPStatus.SERVICE_UNAVAILABLE,
    errors.LogBroken: HTTPStatus.INTERNAL_SERVER_ERROR,
    errors.SchemaMismatch: HTTPStatus.SERVICE_UNAVAILABLE,
    errors.DriverMissing: HTTPStatus.INTERNAL_SERVER_ERROR,
    errors.SecretMissing: HTTPStatus.INTERNAL_SERVER_ERROR,
    SettingsUnreadable: HTTPStatus.INTERNAL_SERVER_ERROR,
    errors.StreamsUnavailable: HTTPStatus.SERVICE_UNAVAILABLE,
    errors.WebhookNotFound: HTTPStatus.NOT_FOUND,
    errors.EndpointsMissing: HTTPStatus.SERVICE_UNAVAILABLE,
    errors.ChainBusy: HTTPStatus.SERVICE_UNAVAILABLE,
    errors.ClockBehind: HTTPStatus.SERVICE_UNAVAILABLE,
    errors.ManifestImpossible: HTTPStatus.UNPROCESSABLE_ENTITY,
    errors.ManifestNotFound: HTTPStatus.NOT_FOUND,
    errors.EpochNotFound: HTTPStatus.NOT_FOUND,
    errors.HostsUnnamed: HTTPStatus.SERVICE_UNAVAILABLE,
    errors.ControlUnproven: HTTPStatus.UNPROCESSABLE_ENTITY,
    errors.ControlUndetermined: HTTPStatus.SERVICE_UNAVAILABLE,
    errors.WalletNotFound: HTTPStatus.NOT_FOUND,
    errors.WalletUnknown: HTTPStatus.NOT_FOUND,
    errors.SplitRefused: HTTPStatus.UNPROCESSABLE_ENTITY,
    errors.DeliveryNotFound: HTTPStatus.NOT_FOUND,
    errors.WebhookUrlUnreadable: HTTPStatus.UNPROCESSABLE_ENTITY,
    errors.PassNotFound: HTTPStatus.NOT_FOUND,
    errors.PassTimeRefused: HTTPStatus.UNPROCESSABLE_ENTITY,
    errors.ScansUnsound: HTTPStatus.UNPROCESSABLE_ENTITY,
    GameError: HTTPStatus.UNPROCESSABLE_ENTITY,
    verifier.VerifierError: HTTPStatus.UNPROCESSABLE_ENTITY,
    verifier.ChainError: HTTPStatus.SERVICE_UNAVAILABLE,
}
"""The nearest class of an error decides; a root stands for all its leaves that are not named."""


def status_of(error: Exception) -> HTTPStatus:
    """The status of a refusal."""
    return next(STATUS[kind] for kind in type(error).__mro__ if kind in STATUS)


def install(app: FastAPI) -> None:
    """Answer everything that goes wrong with a problem document."""
    for root in (rules.TournamentError, GameError, verifier.VerifierError):
        app.add_exception_handler(root, _refused)
    for kind in UNAVAILABLE:
        app.add_exception_handler(kind, _gone)
    app.add_exception_handler(RequestValidationError, _unreadable)
    app.add_exception_handler(HTTPException, _http)
    app.add_exception_handler(Exception, _bug)


def answer(error: Exception) -> Response:
    """A refusal as an answer."""
    status = status_of(error)
    headers = {}
    if status is HTTPStatus.UNAUTHORIZED:
        headers["WWW-Authenticate"] = "Bearer"
    if status in {HTTPStatus.SERVICE_UNAVAILABLE, HTTPStatus.TOO_MANY_REQUESTS}:
        headers["Retry-After"] = str(max(1, round(_wait(error))))
    if isinstance(error, errors.MethodNotAllowed):
        headers["Allow"] = ", ".join(error.allowed)
    if isinstance(error, errors.StaleEvent):
        headers["ETag"] = f'"{error.version}"'
    return _document({**problem_of(error), "status": status.value}, status, headers)


def _wait(error: Exception) -> float:
    """Seconds after which it may be tried again."""
    if isinstance(error, verifier.BlockNotYet):
        return error.expected - time.time()
    return getattr(error, "retry_after", None) or 1


async def _refused(request: Request, error: Exception) -> Response:
    given = answer(error)
    if isinstance(error, errors.SignInNeeded) and getattr(request.state, "by_cookie", False):
        cookies.drop(request, given)  # or the browser would show what is worth nothing for ever
    return given


async def _gone(_: Request, error: Exception) -> Response:
    return answer(unavailable(error))


async def _unreadable(_: Request, error: Exception) -> Response:
    found = error.errors() if isinstance(error, RequestValidationError) else []
    return answer(errors.RequestUnreadable([_fault(one) for one in found]))


async def _http(request: Request, error: Exception) -> Response:
    status = HTTPStatus(error.status_code if isinstance(error, HTTPException) else HTTPStatus.INTERNAL_SERVER_ERROR)
    if status is HTTPStatus.BAD_REQUEST:  # what FastAPI says of a body that is not even text
        return answer(errors.RequestUnreadable([errors.RequestFault("body", "is not JSON in UTF-8")]))
    if status is HTTPStatus.NOT_FOUND:
        return answer(errors.PathNotFound(request.url.path))
    if status is HTTPStatus.METHOD_NOT_ALLOWED:
        return answer(errors.MethodNotAllowed(request.method, _allowed(request)))
    slug = status.phrase.lower().replace(" ", "-")
    document = {
        "type": f"/problems/{slug}",
        "title": status.phrase,
        "detail": status.description or status.phrase,
        "status": status.value,
    }
    headers = error.headers if isinstance(error, HTTPException) and error.headers else {}
    return _document(document, status, dict(headers))


def _allowed(request: Request) -> list[str]:
    """What a path does: the router only knows that some of it is not this."""
    methods = [
        method
        for method in _METHODS
        if any(route.matches({**request.scope, "method": method})[0] is Match.FULL for route in request.app.routes)
    ]
    return sorted({*methods, "HEAD"} if "GET" in methods else methods)


async def _bug(request: Request, error: Exception) -> Response:
    route = getattr(request.scope.get("route"), "path_format", None)
    _LOG.error("request %s: %s %s", request.state.request_id, request.method, route, exc_info=error)
    status = HTTPStatus.INTERNAL_SERVER_ERROR
    document = {
        "type": "/problems/internal-server-error",
        "title": "Our fault",
        "detail": "something went wrong that should not; nothing was changed, and the log of the server has it",
        "status": status.value,
    }
    return _document(document, status, {})


def _fault(found: Mapping[str, Any]) -> errors.RequestFault:
    where = "/".join(step for step in map(str, found.get("loc", ())) if step not in {results.TWO, results.SEVERAL})
    return errors.RequestFault(where, str(found.get("msg", "")).removeprefix("Value error, "))


def _document(document: Mapping[str, object], status: HTTPStatus, headers: Mapping[str, str]) -> Response:
    body = json.dumps(document, ensure_ascii=False).encode(errors="backslashreplace")
    return Response(body, status.value, {**headers, "Cache-Control": "no-store"}, MEDIA_TYPE)
