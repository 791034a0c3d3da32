"""Signing in and out: an account by its password, a player by the code on paper."""

from collections.abc import Mapping
from datetime import UTC, datetime
from typing import Annotated, Any, Final

from fastapi import APIRouter, Query, Request, Response
from pydantic import BaseModel, Field

from tournament.api import cookies
from tournament.api.answers import seen
from tournament.api.deps import Db, Looking, Network, TheDoor
from tournament.api.schemas import Proof
from tournament.domain.errors import TournamentError
from tournament.errors import SecondFactorNeeded, SecondFactorWrong
from tournament.service import accounts, sign_ins
from tournament.service.entries import MOST_NUMBER
from tournament.service.sign_ins import EntryProof
from tournament.web import answers, forms, paths
from tournament.web.forms import Form, Typed

router = APIRouter()
Next = Annotated[str, Query(alias="next", max_length=paths.LONGEST)]
_FACTOR: Final = (SecondFactorNeeded, SecondFactorWrong)


class Paper(BaseModel):
    """What stands on the paper of an entry."""

    number: int = Field(ge=1, le=MOST_NUMBER)
    code: str = Field(max_length=40)


@router.get("/sign-in")
def show_door(request: Request, then: Next = "/") -> Response:
    """The form."""
    return _page(request, then, Form())


@router.post("/sign-in")
def sign_in(request: Request, door: TheDoor, network: Network, typed: Typed) -> Response:
    """Sign this browser in, and lead on; if a code is wanted, ask for it, and for the password no more."""
    then, now = paths.own_path(typed.get("next", "/")), datetime.now(UTC)
    carried = _carried(door, typed, now)
    asked = forms.read(Proof, {**typed, "password": carried} if carried else typed)
    if isinstance(asked, Form):
        return _page(request, then, Form(_shown(typed), asked.faults))
    proof = sign_ins.Proof(account=asked.account, password=asked.password, code=asked.code, network=network, now=now)
    before = accounts.shown(cookies.kept(request), now)
    try:
        value, _ = sign_ins.browser(door, proof, request.headers.get("user-agent", ""), before=before)
    except _FACTOR as error:
        told = None if isinstance(error, SecondFactorNeeded) and not carried else error
        return _page(request, then, Form(_shown(typed)), told, carried=sign_ins.half(door, proof))
    except TournamentError as error:
        return _page(request, then, Form(_shown(typed)), error)
    answer = answers.moved(request, then, "signed-in", name=asked.account)
    cookies.keep(request, answer, value)
    return answer


@router.post("/sign-out")
def sign_out(request: Request, database: Db, typed: Typed) -> Response:
    """Sign this browser out."""
    del typed  # nothing is in it, but it came from a page of ours
    token = accounts.shown(cookies.kept(request))
    if token is not None:
        accounts.sign_out(database, token)
    answer = answers.moved(request, "/", "signed-out")
    cookies.drop(request, answer)
    return answer


@router.get("/e/{event}/code")
def show_code_form(look: Looking, then: Next = "") -> Response:
    """The form for a player's code; a link may have it behind the `#`."""
    return _code_page(look, then, Form())


@router.post("/e/{event}/code")
def sign_in_player(look: Looking, door: TheDoor, network: Network, typed: Typed) -> Response:
    """Sign this browser in as a player, and lead on."""
    then = typed.get("next", "")
    asked = forms.read(Paper, typed)
    if isinstance(asked, Form):
        return _code_page(look, then, asked)
    proof = EntryProof(event=look.event, number=asked.number, code=asked.code, network=network, now=datetime.now(UTC))
    try:
        token = sign_ins.entry_token(door, proof)
    except TournamentError as error:
        return _code_page(look, then, Form({"number": typed["number"], "code": typed["code"]}), error)
    answer = answers.moved(look.request, _after_code(look, then))
    cookies.keep(look.request, answer, token)
    return answer


def _carried(door: TheDoor, typed: Mapping[str, str], now: datetime) -> str | None:
    return sign_ins.password_in(door, typed.get("account", "").strip().lower(), typed.get("carried", ""), now)


def _shown(typed: Mapping[str, str]) -> dict[str, str]:
    """What a form may show again: no password, and no code, which is good only once."""
    return {"account": typed.get("account", "").strip()}


def _page(
    request: Request, then: str, form: Form, error: TournamentError | None = None, *, carried: str = ""
) -> Response:
    problem, status = answers.problem_in(error) if error else (None, 422 if form.faults else 200)
    place = paths.own_path(then)
    values: dict[str, Any] = {
        "form": form,
        "problem": problem,
        "next": place,
        "event": paths.event_in(place),
        "carried": carried,
        "sign_in_again": paths.sign_in(place),
    }
    return _waiting(answers.page(request, "sign_in.html", values, status=status), problem)


def _code_page(look: Looking, then: str, form: Form, error: TournamentError | None = None) -> Response:
    problem, status = answers.problem_in(error) if error else (None, 422 if form.faults else 200)
    values = seen(look, answers.frame_of) | {"form": form, "problem": problem, "next": _after_code(look, then)}
    answer = answers.with_wallets(answers.page(look.request, "code.html", values, status=status))
    return _waiting(answer, problem)


def _after_code(look: Looking, then: str) -> str:
    place = paths.own_path(then)
    return place if paths.event_in(place) == look.event else f"/e/{look.event}/me"


def _waiting(answer: Response, problem: Mapping[str, Any] | None) -> Response:
    if problem and "retry_after" in problem:
        answer.headers["Retry-After"] = str(problem["retry_after"])
    return answer
