"""Accounts, their tokens and browsers, second factors."""

from collections.abc import Collection, Iterable, Sequence
from typing import Final

from sqlalchemy import String, bindparam, delete, func, or_, update
from sqlalchemy.exc import IntegrityError
from sqlmodel import Session, col, select

from tournament.errors import AccountTaken
from tournament.store.asking import add_all, deleted, row_from, rows_from
from tournament.store.events import DAY
from tournament.store.group import Known, know, known, unknown
from tournament.tables import AccountRow, BrowserRow, KnownNetworkRow, RecoveryCodeRow, SecondFactorRow, TokenRow

_DIGEST: Final = bindparam("digest", type_=String)
_DIGESTS: Final = bindparam("digests", type_=String, expanding=True)
_TOKENS: Final = (
    select(TokenRow.account, TokenRow.scopes, TokenRow.event, TokenRow.expires_at)
    .join(AccountRow, col(AccountRow.name) == col(TokenRow.account))
    .where(col(AccountRow.disabled_at).is_(None))
)
_TOKEN: Final = _TOKENS.where(col(TokenRow.digest) == _DIGEST)
_SOME_TOKENS: Final = _TOKENS.add_columns(col(TokenRow.digest)).where(col(TokenRow.digest).in_(_DIGESTS))
_BROWSERS: Final = (
    select(BrowserRow.account, BrowserRow.seen_at, BrowserRow.expires_at)
    .join(AccountRow, col(AccountRow.name) == col(BrowserRow.account))
    .where(col(AccountRow.disabled_at).is_(None))
)
_BROWSER: Final = _BROWSERS.where(col(BrowserRow.digest) == _DIGEST)
_SOME_BROWSERS: Final = _BROWSERS.add_columns(col(BrowserRow.digest)).where(col(BrowserRow.digest).in_(_DIGESTS))


def find_account(session: Session, name: str) -> AccountRow | None:
    """The account of that name."""
    return session.get(AccountRow, name)


def save_account(session: Session, row: AccountRow) -> None:
    """Add an account. Raises: AccountTaken."""
    session.add(row)
    try:
        session.flush()
    except IntegrityError as error:
        raise AccountTaken(row.name) from error


def save_token(session: Session, row: TokenRow) -> None:
    """Add a token."""
    session.add(row)


def lock_account(session: Session, name: str) -> AccountRow | None:
    """The account of that name, and nobody else may change it until this transaction ends."""
    return session.exec(select(AccountRow).where(AccountRow.name == name).with_for_update()).first()


def accounts_of(session: Session) -> Sequence[tuple[AccountRow, bool]]:
    """Every account by name, and whether it has a second factor."""
    rows = session.exec(
        select(AccountRow, SecondFactorRow.confirmed_at)
        .outerjoin(SecondFactorRow, col(SecondFactorRow.account) == col(AccountRow.name))
        .order_by(col(AccountRow.name))
    ).all()
    return [(account, confirmed is not None) for account, confirmed in rows]


def find_token(session: Session, digest: str) -> tuple[str, str, str | None, str | None] | None:
    """The account of a token, if it may act; the token's scopes, its one event, and when it expires."""

    def ask() -> tuple[str, str, str | None, str | None] | None:
        found = row_from(session, _TOKEN, digest=digest)
        return None if found is None else (found.account, found.scopes, found.event, found.expires_at)

    shown: tuple[str, str, str | None, str | None] | None = known(session, Known.TOKENS, digest, ask)
    return shown


def foresee_tokens(session: Session, digests: Iterable[str]) -> None:
    """Look up the tokens of a whole group."""
    if asked := unknown(session, Known.TOKENS, digests):
        rows = rows_from(session, _SOME_TOKENS, digests=asked)
        know(session, Known.TOKENS, dict.fromkeys(asked) | {row.digest: tuple(row)[:-1] for row in rows})


def tokens_of(session: Session, account: str) -> Sequence[TokenRow]:
    """An account's tokens, the oldest first."""
    rows = select(TokenRow).where(TokenRow.account == account)
    return session.exec(rows.order_by(col(TokenRow.created_at), col(TokenRow.digest))).all()


def delete_token(session: Session, digest: str) -> None:
    """Make a token worthless."""
    session.execute(delete(TokenRow).where(col(TokenRow.digest) == digest))


def delete_tokens(session: Session, account: str, *, but: str | None = None) -> int:
    """Make an account's tokens worthless, all but the one of that digest; how many."""
    gone = delete(TokenRow).where(col(TokenRow.account) == account, col(TokenRow.digest) != (but or ""))
    return deleted(session, gone)


def delete_old_tokens(session: Session, now: str) -> None:
    """Forget tokens and browsers that expired."""
    session.execute(delete(TokenRow).where(col(TokenRow.expires_at) <= now))
    session.execute(delete(BrowserRow).where(col(BrowserRow.expires_at) <= now))


def note_uses(session: Session, uses: Sequence[tuple[str, str]]) -> None:
    """Write down the last use of tokens and browsers.

    Args:
        session: to write.
        uses: digests, and the times.
    """
    at = bindparam("at", type_=String)
    day = bindparam("day", type_=String)
    values = [{"digest_": digest, "at": moment, "day": moment[:DAY]} for digest, moment in uses]
    digest = bindparam("digest_", type_=String)
    tokens, browsers = TokenRow.__table__, BrowserRow.__table__  # type: ignore[attr-defined]
    connection = session.connection()
    is_older = or_(tokens.c.last_used.is_(None), tokens.c.last_used < day)
    connection.execute(update(tokens).where(tokens.c.digest == digest, is_older).values(last_used=day), values)
    connection.execute(
        update(browsers).where(browsers.c.digest == digest, browsers.c.seen_at < at).values(seen_at=at), values
    )


def save_browser(session: Session, row: BrowserRow) -> None:
    """Add a browser that is signed in."""
    session.add(row)


def find_browser(session: Session, digest: str) -> tuple[str, str, str] | None:
    """The account of a browser, if it may act; when the browser was seen last, and when it is signed out."""

    def ask() -> tuple[str, str, str] | None:
        found = row_from(session, _BROWSER, digest=digest)
        return None if found is None else (found.account, found.seen_at, found.expires_at)

    shown: tuple[str, str, str] | None = known(session, Known.BROWSERS, digest, ask)
    return shown


def foresee_browsers(session: Session, digests: Iterable[str]) -> None:
    """Look up the browsers of a whole group."""
    if asked := unknown(session, Known.BROWSERS, digests):
        rows = rows_from(session, _SOME_BROWSERS, digests=asked)
        know(session, Known.BROWSERS, dict.fromkeys(asked) | {row.digest: tuple(row)[:-1] for row in rows})


def who_shows(session: Session, digests: Collection[str], *, now: str, seen_since: str) -> dict[str, str]:
    """The accounts of those tokens and browsers that are good for something at that moment, by digest."""
    found: dict[str, str] = {}
    for table, also in (
        (TokenRow, or_(col(TokenRow.expires_at).is_(None), col(TokenRow.expires_at) > now)),
        (BrowserRow, (col(BrowserRow.expires_at) > now) & (col(BrowserRow.seen_at) > seen_since)),
    ):
        query = select(table.digest, table.account).join(AccountRow, col(AccountRow.name) == col(table.account))
        rows = session.exec(query.where(col(table.digest).in_(digests), col(AccountRow.disabled_at).is_(None), also))
        found |= dict(rows.all())
    return found


def browsers_of(session: Session, account: str) -> Sequence[BrowserRow]:
    """Where an account is signed in, the longest first."""
    rows = select(BrowserRow).where(BrowserRow.account == account)
    return session.exec(rows.order_by(col(BrowserRow.created_at), col(BrowserRow.digest))).all()


def delete_browser(session: Session, digest: str) -> None:
    """Sign a browser out."""
    session.execute(delete(BrowserRow).where(col(BrowserRow.digest) == digest))


def delete_browsers(session: Session, account: str, *, but: str | None = None) -> int:
    """Sign an account out everywhere, but for the browser of that digest; how many."""
    gone = delete(BrowserRow).where(col(BrowserRow.account) == account, col(BrowserRow.digest) != (but or ""))
    return deleted(session, gone)


def find_factor(session: Session, account: str) -> SecondFactorRow | None:
    """The second factor of an account, confirmed or not."""
    return session.get(SecondFactorRow, account)


def save_factor(session: Session, row: SecondFactorRow) -> None:
    """Put a second factor in place of the one that is there."""
    session.merge(row)
    session.flush()


def spend_step(session: Session, account: str, step: int) -> bool:
    """Let the codes up to that step be used up; whether that one was not before."""
    table = SecondFactorRow.__table__  # type: ignore[attr-defined]
    spent = (
        update(table)
        .where(table.c.account == account, table.c.last_step < step)
        .values(last_step=step)
        .returning(table.c.last_step)
    )
    return session.connection().execute(spent).first() is not None


def spend_recovery_code(session: Session, account: str, digest: str) -> bool:
    """Use a recovery code up; whether there was one."""
    return bool(
        deleted(
            session,
            delete(RecoveryCodeRow).where(
                col(RecoveryCodeRow.account) == account, col(RecoveryCodeRow.digest) == digest
            ),
        )
    )


def recovery_codes_left(session: Session, account: str) -> int:
    """How many recovery codes are good."""
    query = select(func.count()).select_from(RecoveryCodeRow)
    return session.exec(query.where(RecoveryCodeRow.account == account)).one()


def replace_recovery_codes(session: Session, account: str, digests: Iterable[str]) -> None:
    """Put these in place of an account's recovery codes."""
    session.execute(delete(RecoveryCodeRow).where(col(RecoveryCodeRow.account) == account))
    add_all(session, RecoveryCodeRow, [RecoveryCodeRow(account=account, digest=digest) for digest in digests])


def delete_factor(session: Session, account: str) -> bool:
    """Forget a second factor and its recovery codes; whether there was one."""
    session.execute(delete(RecoveryCodeRow).where(col(RecoveryCodeRow.account) == account))
    return bool(deleted(session, delete(SecondFactorRow).where(col(SecondFactorRow.account) == account)))


def is_known_network(session: Session, account: str, network: str) -> bool:
    """Whether the account signed in from there before."""
    return session.get(KnownNetworkRow, (account, network)) is not None


def note_network(session: Session, account: str, network: str, now: str, *, most: int) -> None:
    """Remember from where an account signed in; of more than so many, the ones of long ago are forgotten."""
    rows = session.exec(
        select(KnownNetworkRow).where(KnownNetworkRow.account == account).order_by(col(KnownNetworkRow.last_at).desc())
    ).all()
    known = next((row for row in rows if row.network == network), None)
    if known is not None:
        known.last_at = now
        return
    session.add(KnownNetworkRow(account=account, network=network, last_at=now))
    for row in rows[most - 1 :]:
        session.delete(row)
