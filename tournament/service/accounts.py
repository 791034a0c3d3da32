"""Accounts: who signs in, with a password or with a token.

They belong to no event, so they are in no event's log: a password's hash is never written where it cannot be erased.
"""

from collections.abc import Callable
from datetime import datetime
from hashlib import sha256
from secrets import token_urlsafe
from typing import Annotated, Final

from argon2 import PasswordHasher
from argon2.exceptions import InvalidHashError, VerificationError
from pydantic import StringConstraints
from sqlmodel import Session

from tournament import store
from tournament.database import Database
from tournament.errors import AccountNotFound, SignInNeeded, SignInWrong
from tournament.service.codes import Codes, Purpose
from tournament.service.commands import PLAYER, VISITOR, text_of
from tournament.tables import AccountRow, TokenRow

AccountName = Annotated[
    str, StringConstraints(pattern="^[a-z0-9][a-z0-9._-]{0,39}$", strip_whitespace=True, to_lower=True)
]
Password = Annotated[str, StringConstraints(min_length=12, max_length=200)]
TOKEN_MARK: Final = "dp_"  # noqa: S105 - a mark, not a token
"""So that a token that somebody published by mistake can be searched for."""
TOKEN_BYTES: Final = 32
ENTRY_MARK: Final = "dpe_"
"""The same for what a player sends."""
MOST_DIGITS: Final = 7
"""Of an entry's number."""
_NOBODY: Final = "$argon2id$v=19$m=65536,t=3,p=4$AAAAAAAAAAAAAAAAAAAAAA$AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA"
"""No password has this hash. It is compared with where there is no account, so that both take the same time."""


def create(database: Database, name: str, password: str, *, now: datetime, label: str = "first token") -> str:
    """Add an account, and give its first token, which is not to be had a second time.

    Raises:
        AccountTaken: somebody has that name.
    """
    hashed = PasswordHasher().hash(password)
    with database.writing() as session:
        store.save_account(session, AccountRow(name=name, password=hashed, created_at=text_of(now)))
        return _new_token(session, name, label, now)


def set_password(database: Database, name: str, password: str) -> None:
    """Change a password; tokens stay. Raises: AccountNotFound."""
    hashed = PasswordHasher().hash(password)
    with database.writing() as session:
        account = store.find_account(session, name)
        if account is None:
            raise AccountNotFound(name)
        account.password = hashed


def sign_in(database: Database, name: str, password: str, *, now: datetime, label: str) -> str:
    """A new token for whoever knows the password.

    Raises:
        SignInWrong: no such account, or another password; which of the two is not told.
    """
    with database.reading() as session:
        account = store.find_account(session, name)
    _check(account.password if account else _NOBODY, password)
    with database.writing() as session:
        return _new_token(session, name, label, now)


def sign_out(database: Database, token: str) -> None:
    """Make a token worthless."""
    with database.writing() as session:
        store.delete_token(session, digest_of(token))


def bearer(token: str | None, codes: Codes, event: str | None = None) -> Callable[[Session], str]:
    """Whoever has the token, to be looked up inside the transaction that needs it; anybody without one is refused."""

    def who(session: Session) -> str:
        actor = find(session, token, codes, event)
        if actor is None:
            raise SignInNeeded
        return actor

    return who


def anybody(token: str | None, codes: Codes, event: str | None = None) -> Callable[[Session], str]:
    """The same, for what a visitor may do too."""
    return lambda session: find(session, token, codes, event) or VISITOR


def find(session: Session, token: str | None, codes: Codes, event: str | None = None) -> str | None:
    """Who has the token: an account, or `entry:17`; None without one.

    Args:
        session: to ask.
        token: an account's, or an entry's as `entry_token` makes it.
        codes: of this server.
        event: what is asked about; an entry's token is worth nothing at another event.

    Raises:
        SignInNeeded: the token is worth nothing.
    """
    if token is None:
        return None
    if token.startswith(ENTRY_MARK):
        return _entry_of(session, token, codes, event)
    account = store.account_of_token(session, digest_of(token))
    if account is None:
        raise SignInNeeded
    return account


def entry_token(codes: Codes, event: str, number: int, generation: int) -> str:
    """What a player sends: the event, the entry and its code. The code alone is what stands on paper."""
    return f"{ENTRY_MARK}{event}_{number}_{codes.code(Purpose.ENTRY, event, number, generation)}"


def _entry_of(session: Session, token: str, codes: Codes, event: str | None) -> str:
    named, _, rest = token.removeprefix(ENTRY_MARK).partition("_")
    digits, _, code = rest.partition("_")
    if named == event and digits.isascii() and digits.isdigit() and len(digits) <= MOST_DIGITS:
        entry = store.find_entry(session, named, int(digits))
        if entry is not None and codes.matches(code, Purpose.ENTRY, named, entry.number, entry.code):
            return f"{PLAYER}{entry.number}"
    raise SignInNeeded


def digest_of(token: str) -> str:
    """What the database keeps of a token. 256 random bits need no slow hash."""
    return sha256(token.encode(errors="surrogatepass")).hexdigest()


def _new_token(session: Session, account: str, label: str, now: datetime) -> str:
    token = TOKEN_MARK + token_urlsafe(TOKEN_BYTES)
    store.save_token(session, TokenRow(digest=digest_of(token), account=account, label=label, created_at=text_of(now)))
    return token


def _check(hashed: str, password: str) -> None:
    try:
        PasswordHasher().verify(hashed, password)
    except (VerificationError, InvalidHashError) as error:
        raise SignInWrong from error
