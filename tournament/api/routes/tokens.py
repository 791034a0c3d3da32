"""Tokens: signing in and out."""

from datetime import UTC, datetime

from fastapi import APIRouter, Response

from tournament.api.deps import Db, Token
from tournament.api.schemas import SignIn
from tournament.api.schemas import Token as TokenDocument
from tournament.errors import SignInNeeded
from tournament.service import accounts

router = APIRouter(prefix="/tokens", tags=["tokens"])


@router.post("", status_code=201)
def sign_in(body: SignIn, database: Db) -> TokenDocument:
    """A token for a name and a password."""
    token = accounts.sign_in(database, body.account, body.password, now=datetime.now(UTC), label=body.label)
    return TokenDocument(token=token)


@router.delete("/current", status_code=204, response_class=Response)
def sign_out(database: Db, token: Token) -> None:
    """Make the token that you send worthless."""
    if token is None:
        raise SignInNeeded
    accounts.sign_out(database, token)
