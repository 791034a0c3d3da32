"""Accounts: who acts, by the token of a program, the cookie of a browser, or the code of an entry.

They belong to no event, so they are in no event's log: a password's hash is never written where it cannot be erased.
How somebody proves to be an account is in `sign_ins`; here is what is shown afterwards.
"""

from collections.abc import Callable, Collection, Iterable
from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta
from enum import StrEnum
from hashlib import sha256
from secrets import token_urlsafe
from typing import Annotated, Final, TypeAlias

from pydantic import StringConstraints
from sqlmodel import Session

from tournament import store
from tournament.database import Database
from tournament.errors import AccountNotFound, ScopeMissing, SignInNeeded, TokenNotFound, TokensFull
from tournament.service import passwords
from tournament.service.codes import Codes, Purpose
from tournament.service.commands import PLAYER, VISITOR, text_of
from tournament.tables import ALL_SCOPES, AccountRow, TokenRow

AccountName = Annotated[
    str, StringConstraints(pattern="^[A-Za-z0-9][A-Za-z0-9._-]{0,39}$", strip_whitespace=True, to_lower=True)
]
"""Capitals are let in and become small letters."""
TOKEN_MARK: Final = "dp_"  # noqa: S105 - a mark, not a token
"""So that a token that somebody published by mistake can be searched for."""
BROWSER_MARK: Final = "dpb_"
"""The same for what a browser's cookie holds."""
ENTRY_MARK: Final = "dpe_"
"""The same for what a player sends."""
PLAYER_MARK: Final = "dpp_"
"""The same for the cookie of a player who signed in by a wallet, or linked one."""
TOKEN_BYTES: Final = 32
MOST_TOKENS: Final = 200
"""Of one account."""
MOST_DIGITS: Final = 7
"""Of an entry's number."""
ID_LETTERS: Final = 16
IDLE: Final = timedelta(days=2)
"""How long a browser that does not come back stays signed in: from one evening to the morning after the next."""


class Scope(StrEnum):
    """What a token is good for."""

    READ = "read"
    """Reading what the account may read."""
    STAFF = "staff"
    """Commands in events, and reading."""
    ACCOUNT = "account"
    """The account itself: its password, tokens and second factor."""


EVERYTHING: Final = frozenset(Scope)
_COVERS: Final = {Scope.READ: frozenset({Scope.READ, Scope.STAFF})}
"""The scopes that are enough for one, if it is not that one alone."""


@dataclass(frozen=True, slots=True)
class Shown:
    """What somebody shows to be known by."""

    text: str = field(repr=False)
    at: str
    """When, as the tables have it."""


Who: TypeAlias = Callable[[Session], str]


@dataclass(frozen=True, slots=True)
class Asker:
    """Whoever shows that, to be looked up inside the transaction that needs it."""

    token: Shown | None
    codes: Codes
    event: str | None
    is_anybody: bool = False
    """Whether a visitor will do."""

    def __call__(self, session: Session) -> str:
        """The account, `entry:17`, or the visitor. Raises: SignInNeeded, ScopeMissing."""
        actor = find(session, self.token, self.codes, self.event, scope=Scope.STAFF)
        if actor is None and not self.is_anybody:
            raise SignInNeeded
        return actor or VISITOR

    @staticmethod
    def foresee(session: Session, askers: "Iterable[Asker]") -> None:
        """Look up what several show, in one question each for tokens, browsers and codes."""
        shown = [(one.token.text, one.event) for one in askers if one.token is not None]
        browsers = [text for text, _ in shown if text.startswith(BROWSER_MARK)]
        tokens = [text for text, _ in shown if not text.startswith((BROWSER_MARK, ENTRY_MARK, PLAYER_MARK))]
        store.foresee_browsers(session, map(digest_of, browsers))
        store.foresee_tokens(session, map(digest_of, tokens))
        said = (_said_by(text, event) for text, event in shown if text.startswith(ENTRY_MARK))
        store.foresee_codes(session, [(event, number) for event, number, _ in filter(None, said)])


@dataclass(frozen=True, kw_only=True, slots=True)
class Wanted:
    """A token to be made."""

    label: str = ""
    scopes: frozenset[Scope] = EVERYTHING
    event: str | None = None
    """The only event that it is for; None: every one."""
    lasts: timedelta | None = None
    """None: for ever."""


# --- accounts ---------------------------------------------------------------------------------------------------------


def create(database: Database, name: str, password: str, *, now: datetime, label: str = "first token") -> str:
    """Add an account, and give its first token, which is not to be had a second time.

    Raises:
        PasswordUnfit: every reason.
        AccountTaken: somebody has that name.
    """
    hashed = passwords.hashed_for(name, password)
    with database.writing() as session:
        store.save_account(session, AccountRow(name=name, password=hashed, created_at=text_of(now)))
        return new_token(session, name, Wanted(label=label), now)[0]


def set_password(database: Database, name: str, password: str) -> None:
    """Change a password without the old one; tokens stay, browsers are signed out.

    Raises:
        PasswordUnfit: every reason.
        AccountNotFound: nobody has that name.
    """
    hashed = passwords.hashed_for(name, password)
    with database.writing() as session:
        _locked(session, name).password = hashed
        store.delete_browsers(session, name)


def disable(database: Database, name: str, *, now: datetime) -> None:
    """Let an account act no more; its tokens are kept, its browsers signed out. Raises: AccountNotFound."""
    with database.writing() as session:
        account = _locked(session, name)
        account.disabled_at = account.disabled_at or text_of(now)
        store.delete_browsers(session, name)


def enable(database: Database, name: str) -> None:
    """Let an account act again, with the tokens that it had. Raises: AccountNotFound."""
    with database.writing() as session:
        _locked(session, name).disabled_at = None


def reset_factor(database: Database, name: str) -> bool:
    """Forget an account's second factor; whether there was one. Raises: AccountNotFound."""
    with database.writing() as session:
        _locked(session, name)
        return store.delete_factor(session, name)


def _locked(session: Session, name: str) -> AccountRow:
    account = store.lock_account(session, name)
    if account is None:
        raise AccountNotFound(name)
    return account


# --- what is shown ----------------------------------------------------------------------------------------------------


def shown(text: str | None, now: datetime | None = None) -> Shown | None:
    """What was sent, with the time."""
    return None if text is None else Shown(text, text_of(now or datetime.now(UTC)))


def bearer(token: Shown | None, codes: Codes, event: str | None = None) -> Who:
    """Whoever shows that, to be looked up inside the transaction that needs it; anybody without it is refused."""
    return Asker(token, codes, event)


def anybody(token: Shown | None, codes: Codes, event: str | None = None) -> Who:
    """The same, for what a visitor may do too."""
    return Asker(token, codes, event, is_anybody=True)


def find(
    session: Session, token: Shown | None, codes: Codes, event: str | None = None, *, scope: Scope = Scope.READ
) -> str | None:
    """Who shows that: an account, or `entry:17`; None without it.

    Args:
        session: to ask.
        token: of a program, a browser, or an entry as `entry_token` makes it.
        codes: of this server.
        event: what is asked about; an entry's token is worth nothing at another event.
        scope: what it is needed for.

    Raises:
        SignInNeeded: it is worth nothing.
        ScopeMissing: it is not for that.
    """
    if token is None:
        return None
    if token.text.startswith(ENTRY_MARK):
        return _entry_of(session, token.text, codes, event)
    if token.text.startswith(BROWSER_MARK):
        return _account_of_browser(session, token)
    if token.text.startswith(PLAYER_MARK):
        return _entry_of_browser(session, token, event)
    found = store.find_token(session, digest_of(token.text))
    if found is None:
        raise SignInNeeded
    account, scopes, only, expires_at = found
    if expires_at is not None and expires_at <= token.at:
        raise SignInNeeded
    if not scopes_in(scopes) & _COVERS.get(scope, {scope}) or (only is not None and only != event):
        raise ScopeMissing(scope.value, scopes.split(), only)
    return account


def reading(session: Session, digests: Collection[str], at: datetime) -> dict[str, str]:
    """Which account or entry shows each of those tokens and browsers, if they are good for anything at that moment."""
    players = store.players_shown(session, digests, now=text_of(at))
    found = store.who_shows(session, digests, now=text_of(at), seen_since=text_of(at - IDLE))
    return found | {digest: f"{PLAYER}{entry}" for digest, (_, entry) in players.items()}


def owner(session: Session, token: Shown | None, codes: Codes) -> str:
    """The account that asks about itself.

    Raises:
        SignInNeeded: nobody we know.
        ScopeMissing: the token is not for that.
    """
    account = find(session, token, codes, scope=Scope.ACCOUNT)
    if account is None:
        raise SignInNeeded
    return account


def entry_token(codes: Codes, event: str, number: int, generation: int) -> str:
    """What a player sends: the event, the entry and its code. The code alone is what stands on paper."""
    return f"{ENTRY_MARK}{event}_{number}_{codes.code(Purpose.ENTRY, event, number, generation)}"


def event_of(token: Shown) -> str | None:
    """The event that a player's token or cookie names; None for an account's."""
    return token.text[len(ENTRY_MARK) :].partition("_")[0] if is_player(token) else None


def is_player(token: Shown) -> bool:
    """Whether a player shows it, who has no account."""
    return token.text.startswith((ENTRY_MARK, PLAYER_MARK))


def is_of_browser(token: Shown) -> bool:
    """Whether it is what a browser's cookie holds, and worth nothing elsewhere."""
    return token.text.startswith((BROWSER_MARK, PLAYER_MARK))


def typed_entry_token(session: Session, codes: Codes, event: str, number: int, code: str) -> str | None:
    """The same for somebody who typed it from the paper, however it was typed; None if there is no such code."""
    entry = store.find_entry(session, event, number)
    if entry is None or not codes.matches(code, Purpose.ENTRY, event, number, entry.code):
        return None
    return entry_token(codes, event, number, entry.code)


def _entry_of(session: Session, token: str, codes: Codes, event: str | None) -> str:
    said = _said_by(token, event)
    if said is not None:
        named, number, code = said
        good = store.code_of(session, named, number)
        if good is not None and codes.matches(code, Purpose.ENTRY, named, number, good):
            return f"{PLAYER}{number}"
    raise SignInNeeded


def _said_by(token: str, event: str | None) -> tuple[str, int, str] | None:
    """The event, entry and code of a player's token; None if it is not of that event."""
    named, _, rest = token.removeprefix(ENTRY_MARK).partition("_")
    digits, _, code = rest.partition("_")
    if named == event and digits.isascii() and digits.isdigit() and len(digits) <= MOST_DIGITS:
        return named, int(digits), code
    return None


def _account_of_browser(session: Session, token: Shown) -> str:
    found = store.find_browser(session, digest_of(token.text))
    if found is None:
        raise SignInNeeded
    account, seen_at, expires_at = found
    if expires_at <= token.at or _later(seen_at, IDLE) <= token.at:
        raise SignInNeeded
    return account


def _entry_of_browser(session: Session, token: Shown, event: str | None) -> str:
    found = store.player_shown(session, digest_of(token.text), now=token.at)
    if found is None or found[0] != event:
        raise SignInNeeded
    return f"{PLAYER}{found[1]}"


def _later(moment: str, by: timedelta) -> str:
    return text_of(datetime.fromisoformat(moment) + by)


# --- tokens -----------------------------------------------------------------------------------------------------------


def digest_of(token: str) -> str:
    """What the database keeps of a token. 256 random bits need no slow hash."""
    return sha256(token.encode(errors="surrogatepass")).hexdigest()


def id_of(digest: str) -> str:
    """By what a token is named where it is listed; nothing follows from it."""
    return digest[:ID_LETTERS]


def scopes_in(written: str) -> frozenset[Scope]:
    """Scopes as the table has them."""
    return frozenset(map(Scope, written.split()))


def new_token(session: Session, account: str, wanted: Wanted, now: datetime) -> tuple[str, TokenRow]:
    """A new token, which is told this once. Raises: TokensFull."""
    if len(store.tokens_of(session, account)) >= MOST_TOKENS:
        raise TokensFull(MOST_TOKENS)
    token = TOKEN_MARK + token_urlsafe(TOKEN_BYTES)
    row = TokenRow(
        digest=digest_of(token),
        account=account,
        label=wanted.label,
        created_at=text_of(now),
        scopes=" ".join(word for word in ALL_SCOPES.split() if word in wanted.scopes),
        event=wanted.event,
        expires_at=None if wanted.lasts is None else text_of(now + wanted.lasts),
    )
    store.save_token(session, row)
    session.flush()
    return token, row


def revoke(session: Session, account: str, id_: str) -> None:
    """Make a token of an account worthless, or sign a browser of it out. Raises: TokenNotFound."""
    for row in store.tokens_of(session, account):
        if id_of(row.digest) == id_:
            return store.delete_token(session, row.digest)
    for browser in store.browsers_of(session, account):
        if id_of(browser.digest) == id_:
            return store.delete_browser(session, browser.digest)
    raise TokenNotFound(id_)


def sign_out(database: Database, token: Shown) -> None:
    """Make a token worthless, or sign a browser out."""
    digest = digest_of(token.text)
    with database.writing() as session:
        store.delete_token(session, digest)
        store.delete_browser(session, digest)
        store.delete_player_browser(session, digest)
