"""Tokens: signing in and out, for programs."""

from datetime import UTC, datetime, timedelta
from typing import Annotated

from fastapi import Path, Response

from tournament import store
from tournament.api.deps import Db, Network, Reading, ServerCodes, TheDoor, Token
from tournament.api.schemas import EntryToken, SignIn, TokenLine, Tokens, TypedCode
from tournament.api.schemas import Token as TokenDocument
from tournament.api.shelf import Shelf
from tournament.errors import SignInNeeded
from tournament.service import accounts, sign_ins
from tournament.service.accounts import Wanted
from tournament.service.sign_ins import EntryProof

router = Shelf(prefix="/tokens", tags=["tokens"])
Id = Annotated[str, Path(pattern="^[0-9a-f]{16}$", description="As the list has it.", examples=["9f86d081884c7d65"])]


@router.post("", status_code=201)
def sign_in(body: SignIn, door: TheDoor, network: Network) -> TokenDocument:
    """A token for a name and a password, and a code if the account has a second factor. It is not shown again."""
    proof = sign_ins.Proof(
        account=body.account, password=body.password, code=body.code, network=network, now=datetime.now(UTC)
    )
    lasts = None if body.days is None else timedelta(days=body.days)
    wanted = Wanted(label=body.label, scopes=body.scopes, event=body.event, lasts=lasts)
    token, row = sign_ins.token(door, proof, wanted)
    return TokenDocument(
        token=token,
        id=accounts.id_of(row.digest),
        scopes=sorted(accounts.scopes_in(row.scopes)),
        event=row.event,
        expires_at=row.expires_at,
    )


@router.post("/entry", status_code=201)
def sign_in_by_code(body: TypedCode, door: TheDoor, network: Network) -> EntryToken:
    """A player's token, for the code on paper. Capitals, blanks, dashes, and O for 0, do not matter."""
    typed = EntryProof(event=body.event, number=body.number, code=body.code, network=network, now=datetime.now(UTC))
    token = sign_ins.entry_token(door, typed)
    return EntryToken(token=token)


@router.get("")
def list_tokens(session: Reading, token: Token, codes: ServerCodes) -> Tokens:
    """Your tokens, the oldest first."""
    with session:
        rows = store.tokens_of(session, accounts.owner(session, token, codes))
    return Tokens(tokens=[TokenLine.of(row, token) for row in rows])


@router.delete("/current", status_code=204, response_class=Response)
def sign_out(database: Db, token: Token) -> None:
    """Make the token that you send worthless."""
    if token is None:
        raise SignInNeeded
    accounts.sign_out(database, token)


@router.delete("/{id}", status_code=204, response_class=Response)
def revoke_token(database: Db, token: Token, codes: ServerCodes, id: Id) -> None:  # noqa: A002 - its name in the path
    """Make one of your tokens worthless."""
    with database.writing() as session:
        accounts.revoke(session, accounts.owner(session, token, codes), id)
