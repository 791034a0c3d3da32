"""The own account: password, second factor, where it is signed in, tokens. The same functions as the API's."""

from datetime import UTC, datetime, timedelta
from typing import Any, Final, Literal

import segno
from fastapi import APIRouter, Request, Response
from markupsafe import Markup
from pydantic import Field

from tournament.api.deps import Db, Network, Reading, ServerCodes, TheDoor, Token
from tournament.api.routes import account as mine
from tournament.api.routes import tokens
from tournament.api.routes.account import Owner
from tournament.api.routes.tokens import Id
from tournament.api.schemas import Account, CodeOnly, NewPassword, PasswordAndCode, PasswordOnly, SignOut
from tournament.domain.errors import TournamentError
from tournament.service import accounts, sign_ins
from tournament.service.accounts import Scope, Wanted
from tournament.web import answers, forms
from tournament.web.browsers import called
from tournament.web.forms import Form, Typed

router = APIRouter(prefix="/my-account")
_SCOPES: Final = {
    "read": frozenset({Scope.READ}),
    "staff": frozenset({Scope.READ, Scope.STAFF}),
    "all": accounts.EVERYTHING,
}


class Factor(PasswordAndCode):
    """What is to become of the second factor."""

    want: Literal["codes", "off"]


class NewToken(PasswordOnly):
    """A token for a program."""

    code: str = Field(default="", max_length=40)
    label: str = Field(default="", max_length=100)
    days: int | None = Field(default=None, ge=1, le=3650)
    kind: Literal["read", "staff", "all"] = "read"


@router.get("")
def show_account(request: Request, session: Reading, token: Token, codes: ServerCodes) -> Response:
    """Everything of it."""
    values = {
        "mine": mine.show_account(session, token, codes),
        "browsers": mine.list_browsers(session, token, codes).browsers[::-1],
        "tokens": tokens.list_tokens(session, token, codes).tokens,
        "called": called,
    }
    return answers.page(request, "account.html", values)


# --- the password -----------------------------------------------------------------------------------------------------


@router.get("/password")
def show_password_form(request: Request, owner: Owner) -> Response:
    """The form."""
    del owner  # who is nobody is led to sign in
    return _page(request, "account_password.html", Form())


@router.post("/password")
def change_password(
    request: Request, owner: Owner, token: Token, door: TheDoor, network: Network, typed: Typed
) -> Response:
    """Change it; the old one is needed."""
    asked = forms.read(NewPassword, typed)
    form = Form({name: typed.get(name, "") for name in ("sign_out", "revoke_tokens")})
    if isinstance(asked, Form):
        return _page(request, "account_password.html", form.without(asked.faults))
    try:
        mine.change_password(asked, owner, token, door, network)
    except TournamentError as error:
        return _page(request, "account_password.html", form, error)
    return answers.moved(request, "/my-account", "password")


# --- the second factor ------------------------------------------------------------------------------------------------


@router.get("/second-factor")
def show_factor(request: Request, session: Reading, token: Token, codes: ServerCodes) -> Response:
    """Whether there is one, and how to have it."""
    return _factor(request, mine.show_account(session, token, codes), Form())


@router.post("/second-factor")
def begin_factor(
    request: Request, owner: Owner, token: Token, door: TheDoor, network: Network, typed: Typed
) -> Response:
    """A secret for the device, as a picture."""
    asked = forms.read(PasswordOnly, typed)
    if isinstance(asked, Form):
        return _factor(request, _account(door, token), asked)
    try:
        begun = mine.begin_second_factor(asked, owner, door, network)
    except TournamentError as error:
        return _factor(request, _account(door, token), Form(), error)
    picture = Markup(segno.make(begun.uri, error="m").svg_inline(scale=1, border=4, omitsize=True))  # noqa: S704 - ours
    return _factor(request, _account(door, token), Form(), step="confirm", picture=picture, secret=begun.secret)


@router.post("/second-factor/confirm")
def confirm_factor(
    request: Request, owner: Owner, token: Token, door: TheDoor, network: Network, typed: Typed
) -> Response:
    """Its first code; the recovery codes are shown once."""
    asked = forms.read(CodeOnly, typed)
    if isinstance(asked, Form):
        return _factor(request, _account(door, token), Form({}, asked.faults), step="confirm")
    try:
        given = mine.confirm_second_factor(asked, owner, door, network)
    except TournamentError as error:
        return _factor(request, _account(door, token), Form(), error, step="confirm")
    return _factor(request, _account(door, token), Form(), codes=given.codes)


@router.post("/second-factor/change")
def change_factor(
    request: Request, owner: Owner, token: Token, door: TheDoor, network: Network, typed: Typed
) -> Response:
    """New recovery codes, or no codes any more."""
    asked = forms.read(Factor, typed)
    if isinstance(asked, Form):
        return _factor(request, _account(door, token), Form({}, asked.faults))
    proof = PasswordAndCode(password=asked.password, code=asked.code)
    try:
        if asked.want == "off":
            mine.end_second_factor(proof, owner, door, network)
            return answers.moved(request, "/my-account", "factor-off")
        given = mine.renew_recovery_codes(proof, owner, door, network)
    except TournamentError as error:
        return _factor(request, _account(door, token), Form(), error)
    return _factor(request, _account(door, token), Form(), codes=given.codes)


# --- browsers and tokens ----------------------------------------------------------------------------------------------


@router.post("/browsers/{which}/sign-out")
def end_browser(
    request: Request,
    database: Db,
    token: Token,
    codes: ServerCodes,
    which: Id,
    typed: Typed,
) -> Response:
    """Sign one browser out."""
    del typed
    mine.end_browser(database, token, codes, which)
    return answers.moved(request, "/my-account", "browser-out")


@router.post("/sign-out")
def sign_out_everywhere(request: Request, database: Db, token: Token, codes: ServerCodes, typed: Typed) -> Response:
    """Sign every browser out, and make tokens worthless if that is ticked."""
    answer = answers.moved(request, "/", "signed-out-everywhere")
    mine.sign_out_everywhere(request, answer, database, token, codes, SignOut(tokens="tokens" in typed))
    return answer


@router.post("/tokens/{which}/revoke")
def revoke_token(
    request: Request,
    database: Db,
    token: Token,
    codes: ServerCodes,
    which: Id,
    typed: Typed,
) -> Response:
    """Make a token worthless."""
    del typed
    tokens.revoke_token(database, token, codes, which)
    return answers.moved(request, "/my-account", "token-gone")


@router.get("/token")
def show_token_form(request: Request, session: Reading, token: Token, codes: ServerCodes) -> Response:
    """The form."""
    return _token(request, mine.show_account(session, token, codes), Form({"kind": "read"}))


@router.post("/token")
def make_token(request: Request, owner: Owner, token: Token, door: TheDoor, network: Network, typed: Typed) -> Response:
    """Make one; it is shown once."""
    asked = forms.read(NewToken, typed)
    form = Form({name: typed.get(name, "") for name in ("label", "days", "kind")})
    if isinstance(asked, Form):
        return _token(request, _account(door, token), form.without(asked.faults))
    lasts = None if asked.days is None else timedelta(days=asked.days)
    proof = sign_ins.Proof(
        account=owner, password=asked.password, code=asked.code, network=network, now=datetime.now(UTC)
    )
    try:
        made, _ = sign_ins.token(door, proof, Wanted(label=asked.label, scopes=_SCOPES[asked.kind], lasts=lasts))
    except TournamentError as error:
        return _token(request, _account(door, token), form, error)
    return _token(request, _account(door, token), form, made=made)


# --- the pages --------------------------------------------------------------------------------------------------------


def _account(door: TheDoor, token: Token) -> Account:
    with door.database.reading() as session:
        return mine.show_account(session, token, door.codes)


def _factor(
    request: Request,
    account: Account,
    form: Form,
    error: TournamentError | None = None,
    *,
    step: str = "",
    picture: Markup | None = None,
    secret: str = "",
    codes: list[str] | None = None,
) -> Response:
    values = {"mine": account, "step": step, "picture": picture, "secret": secret, "codes": codes}
    return _page(request, "account_factor.html", form, error, **values)


def _token(
    request: Request, account: Account, form: Form, error: TournamentError | None = None, *, made: str = ""
) -> Response:
    return _page(request, "account_token.html", form, error, mine=account, made=made)


def _page(
    request: Request,
    template: str,
    form: Form,
    error: TournamentError | None = None,
    **values: Any,  # noqa: ANN401
) -> Response:
    problem, status = answers.problem_in(error) if error else (None, 422 if form.faults else 200)
    return answers.page(request, template, {"form": form, "problem": problem, **values}, status=status)
