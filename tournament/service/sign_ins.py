"""Signing in: how somebody proves to be an account, and what they get for it.

Whoever fails is slowed down: by the network that they try from, by the account and the network together, and by the
account alone for all networks that it never signed in from. So strangers who try passwords, however many, do not stand
in the way of somebody who signs in from where they did before.
"""

import hmac
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from datetime import datetime, timedelta
from hashlib import sha256
from secrets import token_urlsafe
from typing import Final

from argon2 import PasswordHasher
from sqlmodel import Session

from tournament import store
from tournament.database import Database
from tournament.domain.errors import TournamentError
from tournament.errors import (
    AccountDisabled,
    AccountTaken,
    EntryCodeWrong,
    SecondFactorNeeded,
    SecondFactorOff,
    SignInWrong,
)
from tournament.service import accounts, passwords, second_factor
from tournament.service.accounts import BROWSER_MARK, TOKEN_BYTES, Shown, Wanted, Who
from tournament.service.codes import Codes
from tournament.service.commands import text_of
from tournament.service.encryption import NotDecrypted, decrypt, encrypt
from tournament.service.limits import Limits, Try
from tournament.tables import AccountRow, BrowserRow, TokenRow

BROWSER_LASTS: Final = timedelta(days=14)
"""After that a browser signs in anew, however often it came."""
MOST_BROWSERS: Final = 50
"""Of one account; more, and the one that has been signed in the longest is not any more."""
MOST_NETWORKS: Final = 50
"""From which an account is known to sign in."""
LONGEST_ABOUT: Final = 200
HALF_LASTS: Final = timedelta(minutes=5)
"""How long somebody may look for the device after the password was right."""
_HALF: Final = "half a sign-in"


@dataclass(frozen=True, kw_only=True)
class Door:
    """Where people come in."""

    database: Database
    codes: Codes
    limits: Limits
    hasher: PasswordHasher = passwords.HASHER


@dataclass(frozen=True, kw_only=True)
class EntryProof:
    """What a player typed from the paper."""

    event: str
    number: int
    code: str = field(repr=False)
    network: str
    now: datetime


@dataclass(frozen=True, kw_only=True)
class Change:
    """A new password, and what becomes worthless with the old one."""

    new: str = field(repr=False)
    but: Shown | None
    """What the asker came with, which stays good."""
    browsers: bool
    """All others are signed out."""
    tokens: bool
    """All others are worthless."""


@dataclass(frozen=True, kw_only=True)
class Proof:
    """What somebody says to be an account with."""

    account: str
    password: str = field(repr=False)
    code: str = field(default="", repr=False)
    """Of the second factor; empty: none."""
    network: str
    """From where."""
    now: datetime


def token(door: Door, proof: Proof, wanted: Wanted) -> tuple[str, TokenRow]:
    """A new token for whoever proves to be an account.

    Raises:
        SignInWrong, SecondFactorNeeded, SecondFactorWrong, AccountDisabled, TooManyRequests: see `proven`.
        TokensFull: the account has enough.
    """
    with proven(door, proof) as session:
        return accounts.new_token(session, proof.account, wanted, proof.now)


def browser(door: Door, proof: Proof, about: str, *, before: Shown | None) -> tuple[str, BrowserRow]:
    """Sign a browser in: what its cookie shall hold, always something new.

    Args:
        door: where.
        proof: as for a token.
        about: what the browser says that it is.
        before: what its cookie held; it is worth nothing afterwards.
    """
    value, now = BROWSER_MARK + token_urlsafe(TOKEN_BYTES), text_of(proof.now)
    row = BrowserRow(
        digest=accounts.digest_of(value),
        account=proof.account,
        about=about[:LONGEST_ABOUT],
        created_at=now,
        seen_at=now,
        expires_at=text_of(proof.now + BROWSER_LASTS),
    )
    with proven(door, proof) as session:
        if before is not None:
            store.delete_browser(session, accounts.digest_of(before.text))
        there = store.browsers_of(session, proof.account)
        for old in there[: len(there) - MOST_BROWSERS + 1]:
            store.delete_browser(session, old.digest)
        store.save_browser(session, row)
    return value, row


def half(door: Door, proof: Proof) -> str:
    """What a page carries from a right password to the code that is missing; only the server can read it."""
    return encrypt(door.codes.secret, _HALF, proof.account, f"{text_of(proof.now + HALF_LASTS)} {proof.password}")


def password_in(door: Door, account: str, carried: str, now: datetime) -> str | None:
    """The password that was carried; None if that is none of ours, of another account, or too old."""
    try:
        until, _, password = decrypt(door.codes.secret, _HALF, account, carried).partition(" ")
    except NotDecrypted:
        return None
    return password if until > text_of(now) else None


def entry_token(door: Door, proof: EntryProof) -> str:
    """The token of an entry, for somebody who typed its code.

    Raises:
        EntryCodeWrong: no such entry, or another code.
        TooManyRequests: too many wrong ones.
    """
    tries = [
        Try("entry-from", proof.network),
        Try("entry", f"{proof.event} {proof.number} {proof.network}"),
    ]
    door.limits.take(tries, proof.now)
    with door.database.reading() as session:
        found = accounts.typed_entry_token(session, door.codes, proof.event, proof.number, proof.code)
    if found is None:
        raise EntryCodeWrong(proof.event, proof.number)
    with door.database.writing() as session:
        door.limits.give_back(session, tries)
    return found


def change_password(door: Door, proof: Proof, change: Change) -> None:
    """Change the password of whoever knows the old one.

    Raises:
        PasswordUnfit: every reason.
        SignInWrong: not the old password.
    """
    hashed = passwords.hashed_for(proof.account, change.new, door.hasher)
    with proven_by_password(door, proof) as session:
        account = store.find_account(session, proof.account)
        if account is not None:
            account.password = hashed
        spared = None if change.but is None else accounts.digest_of(change.but.text)
        if change.browsers:
            store.delete_browsers(session, proof.account, but=spared)
        if change.tokens:
            store.delete_tokens(session, proof.account, but=spared)


def confirm_factor(door: Door, proof: Proof) -> list[str]:
    """Confirm a second factor by its first code; gives the recovery codes. Raises: as `second_factor.confirm`."""
    spent = [Try("code", f"{proof.account} {proof.network}")]
    door.limits.take(spent, proof.now)
    with door.database.writing() as session:
        store.lock_account(session, proof.account)
        codes = second_factor.confirm(session, door.codes, proof.account, proof.code, proof.now)
        door.limits.give_back(session, spent)
        return codes


def newcomer(door: Door, proof: Proof) -> Who:
    """Whoever makes an account in the transaction that this is looked up in: it is there if all the rest is done.

    If the account is there, and has that password, it is taken as it is, so that the same may be sent again.

    Raises:
        PasswordUnfit: every reason.
        AccountTaken: from the transaction: somebody else has that name.
    """
    with door.database.reading() as session:
        found = store.find_account(session, proof.account)
    if found is not None:
        try:
            with proven(door, proof):
                return lambda _: proof.account
        except SignInWrong as error:
            raise AccountTaken(proof.account) from error
    hashed = passwords.hashed_for(proof.account, proof.password, door.hasher)

    def who(session: Session) -> str:
        store.save_account(session, AccountRow(name=proof.account, password=hashed, created_at=text_of(proof.now)))
        return proof.account

    return who


@contextmanager
def proven(door: Door, proof: Proof) -> Iterator[Session]:
    """A transaction for whoever has the password, and the second factor if the account has one.

    Raises:
        SignInWrong: no such account, or another password; which of the two is not told.
        SecondFactorNeeded: the password is right, and a code is missing.
        SecondFactorWrong: the code is not good.
        AccountDisabled: all is right, and the account may not act.
        TooManyRequests: too many failed.
    """
    with _proven(door, proof, lambda has: has) as session:
        yield session


@contextmanager
def proven_by_password(door: Door, proof: Proof) -> Iterator[Session]:
    """The same for an account that is signed in, so its second factor was seen before. Raises: as `proven`."""
    with _proven(door, proof, lambda _: False) as session:
        yield session


@contextmanager
def proven_by_both(door: Door, proof: Proof) -> Iterator[Session]:
    """The same for an account that has to have a second factor. Raises: as `proven`, and SecondFactorOff."""

    def is_asked(has: bool) -> bool:  # noqa: FBT001 - one argument
        if not has:
            raise SecondFactorOff(proof.account)
        return True

    with _proven(door, proof, is_asked) as session:
        yield session


@contextmanager
def _proven(door: Door, proof: Proof, is_asked: Callable[[bool], bool]) -> Iterator[Session]:
    network = network_digest(door.codes, proof.network)
    with door.database.reading() as session:
        account = store.find_account(session, proof.account)
        factor = store.find_factor(session, proof.account)
        is_known = store.is_known_network(session, proof.account, network)
    tries = _tries(proof, is_known=is_known)
    door.limits.take(tries, proof.now)
    stored = account.password if account is not None else passwords.of_nobody(door.hasher)
    if not passwords.matches(stored, proof.password) or account is None:
        raise SignInWrong
    try:
        needs_code = is_asked(factor is not None and factor.confirmed_at is not None)
        if needs_code and not proof.code:
            raise SecondFactorNeeded
    except TournamentError:
        with door.database.writing() as session:
            door.limits.give_back(session, tries)
        raise
    spent = [Try("code", f"{proof.account} {proof.network if is_known else ''}")] if needs_code else []
    door.limits.take(spent, proof.now)
    outdated = passwords.is_outdated(stored, door.hasher)
    rehashed = passwords.hashed(proof.password, door.hasher) if outdated else stored
    with door.database.writing() as session:
        _settle(session, proof, stored, rehashed)
        if needs_code:
            second_factor.spend(session, door.codes, proof.account, proof.code, proof.now)
        door.limits.give_back(session, [*tries, *spent])
        store.note_network(session, proof.account, network, text_of(proof.now), most=MOST_NETWORKS)
        yield session


def _settle(session: Session, proof: Proof, stored: str, rehashed: str) -> None:
    """Look again, now that nobody else may change the account."""
    account = store.lock_account(session, proof.account)
    if account is None or account.password != stored:
        raise SignInWrong
    if account.disabled_at is not None:
        raise AccountDisabled(proof.account)
    account.password = rehashed


def network_digest(codes: Codes, network: str) -> str:
    """How a network is remembered: as a hash that nobody without the server's secret can turn back."""
    return hmac.new(codes.secret.encode(), f"network {network}".encode(), sha256).hexdigest()[:32]


def _tries(proof: Proof, *, is_known: bool) -> list[Try]:
    pair = f"{proof.account} {proof.network}"
    if is_known:
        return [Try("sign-in-known", pair)]
    return [
        Try("sign-in-from", proof.network),
        Try("sign-in-new", pair),
        Try("sign-in-elsewhere", proof.account),
    ]
