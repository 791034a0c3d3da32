"""The own account: password, second factor, and where it is signed in."""

from datetime import UTC, datetime
from typing import Annotated

from fastapi import Depends, Request, Response

from tournament import store
from tournament.api import cookies
from tournament.api.deps import Db, Network, Reading, ServerCodes, TheDoor, Token
from tournament.api.routes.tokens import Id
from tournament.api.schemas import (
    Account,
    BrowserLine,
    Browsers,
    CodeOnly,
    FactorBegun,
    NewPassword,
    PasswordAndCode,
    PasswordOnly,
    RecoveryCodes,
    SignOut,
)
from tournament.api.shelf import Shelf
from tournament.errors import SignInNeeded
from tournament.service import accounts, second_factor, sign_ins
from tournament.service.sign_ins import Change, Proof

router = Shelf(prefix="/account", tags=["account"])


def _owner(door: TheDoor, token: Token) -> str:
    with door.database.reading() as session:
        return accounts.owner(session, token, door.codes)


Owner = Annotated[str, Depends(_owner)]
"""The account that asks about itself."""


@router.get("")
def show_account(session: Reading, token: Token, codes: ServerCodes) -> Account:
    """Your account."""
    with session:
        name = accounts.owner(session, token, codes)
        row, factor = store.find_account(session, name), store.find_factor(session, name)
        left = store.recovery_codes_left(session, name)
    if row is None:
        raise SignInNeeded
    return Account(
        account=name,
        created_at=row.created_at,
        second_factor=factor is not None and factor.confirmed_at is not None,
        recovery_codes=left,
    )


@router.post("/password", status_code=204, response_class=Response)
def change_password(body: NewPassword, owner: Owner, token: Token, door: TheDoor, network: Network) -> None:
    """Change your password; the old one is needed. What you ask this with stays signed in."""
    change = Change(new=body.new, but=token, browsers=body.sign_out, tokens=body.revoke_tokens)
    sign_ins.change_password(door, _proof(owner, body.old, network), change)


@router.post("/totp", status_code=201)
def begin_second_factor(body: PasswordOnly, owner: Owner, door: TheDoor, network: Network) -> FactorBegun:
    """A secret for your device. Codes are asked for once you have confirmed it."""
    with sign_ins.proven_by_password(door, _proof(owner, body.password, network)) as session:
        secret, uri = second_factor.begin(session, door.codes, owner)
    return FactorBegun(secret=secret, uri=uri)


@router.post("/totp/confirm")
def confirm_second_factor(body: CodeOnly, owner: Owner, door: TheDoor, network: Network) -> RecoveryCodes:
    """Show that the device works. From now on its codes are needed to sign in; keep the recovery codes."""
    return RecoveryCodes(codes=sign_ins.confirm_factor(door, _proof(owner, "", network, body.code)))


@router.post("/totp/recovery")
def renew_recovery_codes(body: PasswordAndCode, owner: Owner, door: TheDoor, network: Network) -> RecoveryCodes:
    """New recovery codes; the old ones are worthless."""
    with sign_ins.proven_by_both(door, _proof(owner, body.password, network, body.code)) as session:
        return RecoveryCodes(codes=second_factor.renew(session, owner))


@router.post("/totp/off", status_code=204, response_class=Response)
def end_second_factor(body: PasswordAndCode, owner: Owner, door: TheDoor, network: Network) -> None:
    """Ask for codes no more; needs the password and a code, of the device or a recovery code."""
    with sign_ins.proven_by_both(door, _proof(owner, body.password, network, body.code)) as session:
        store.delete_factor(session, owner)


@router.get("/browsers")
def list_browsers(session: Reading, token: Token, codes: ServerCodes) -> Browsers:
    """Where you are signed in, the longest first."""
    with session:
        rows = store.browsers_of(session, accounts.owner(session, token, codes))
    return Browsers(browsers=[BrowserLine.of(row, token) for row in rows])


@router.delete("/browsers/{id}", status_code=204, response_class=Response)
def end_browser(database: Db, token: Token, codes: ServerCodes, id: Id) -> None:  # noqa: A002 - its name in the path
    """Sign one of your browsers out."""
    with database.writing() as session:
        accounts.revoke(session, accounts.owner(session, token, codes), id)


@router.post("/sign-out", status_code=204, response_class=Response)
def sign_out_everywhere(
    request: Request, response: Response, database: Db, token: Token, codes: ServerCodes, body: SignOut | None = None
) -> None:
    """Sign every browser out, this one too, and make every token worthless if you say so."""
    with database.writing() as session:
        name = accounts.owner(session, token, codes)
        store.delete_browsers(session, name)
        if body is not None and body.tokens:
            store.delete_tokens(session, name)
    if cookies.kept(request) is not None:
        cookies.drop(request, response)


def _proof(account: str, password: str, network: str, code: str = "") -> Proof:
    return Proof(account=account, password=password, code=code, network=network, now=datetime.now(UTC))
