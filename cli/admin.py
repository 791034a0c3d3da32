"""`deckproof admin`: accounts, looked after by whoever has the machine."""

import sys
from collections.abc import Iterator
from contextlib import contextmanager
from datetime import UTC, datetime
from typing import Annotated

import typer
from pydantic import TypeAdapter, ValidationError

from cli import asking, output
from cli.databases import prepared
from tournament import store
from tournament.database import Database
from tournament.errors import AccountNotFound
from tournament.service import accounts, passwords

app = asking.new_app(no_args_is_help=True)

Name = Annotated[str, typer.Argument(help="Letters, digits, dots, dashes and underscores; capitals become small.")]
PasswordStdin = Annotated[bool, typer.Option("--password-stdin", help="Read the password from standard input.")]


@app.callback()
def _admin() -> None:
    """Accounts."""


@app.command()
def create(
    name: Name,
    *,
    password_stdin: PasswordStdin = False,
    as_json: asking.Json = False,
) -> None:
    """Make an account that can hold events, and print its first token, which is not shown again."""
    name = _name(name)
    password = _password(name, from_stdin=password_stdin)
    with _database() as database:
        token = accounts.create(database, name, password, now=datetime.now(UTC))
    if as_json:
        output.print_json({"account": name, "token": token})
    else:
        output.print_note(f"account {name} is made; its token, shown this once:")
        output.print_text(token)


@app.command("list")
def list_accounts(*, as_json: asking.Json = False) -> None:
    """List the accounts."""
    with _database() as database, database.reading() as session:
        rows = store.accounts_of(session)
    if as_json:
        output.print_json(
            {
                "accounts": [
                    {
                        "account": row.name,
                        "created_at": row.created_at,
                        "disabled_at": row.disabled_at,
                        "second_factor": has_factor,
                    }
                    for row, has_factor in rows
                ]
            }
        )
        return
    output.print_table(
        ("account", "made", "second factor", "disabled"),
        [
            (row.name, row.created_at[: store.DAY], "yes" if has_factor else "no", (row.disabled_at or "")[: store.DAY])
            for row, has_factor in rows
        ],
    )


@app.command()
def password(
    name: Name,
    *,
    password_stdin: PasswordStdin = False,
    as_json: asking.Json = False,
) -> None:
    """Give an account another password. Its browsers are signed out; its tokens stay."""
    name = _name(name)
    chosen = _password(name, from_stdin=password_stdin)
    with _database() as database:
        accounts.set_password(database, name, chosen)
    _say(name, "has another password", as_json=as_json)


@app.command()
def disable(name: Name, *, as_json: asking.Json = False) -> None:
    """Let an account act no more, not even with its tokens."""
    name = _name(name)
    with _database() as database:
        accounts.disable(database, name, now=datetime.now(UTC))
    _say(name, "is disabled", as_json=as_json)


@app.command()
def enable(name: Name, *, as_json: asking.Json = False) -> None:
    """Let an account act again, with the tokens that it had."""
    name = _name(name)
    with _database() as database:
        accounts.enable(database, name)
    _say(name, "is enabled", as_json=as_json)


@app.command("reset-totp")
def reset_totp(name: Name, *, as_json: asking.Json = False) -> None:
    """Forget the second factor of somebody who lost the device and the recovery codes."""
    name = _name(name)
    with _database() as database:
        had = accounts.reset_factor(database, name)
    _say(name, "has no second factor now" if had else "had no second factor", as_json=as_json)


@app.command()
def tokens(name: Name, *, as_json: asking.Json = False) -> None:
    """List the tokens of an account."""
    name = _name(name)
    with _database() as database, database.reading() as session:
        if store.find_account(session, name) is None:
            raise AccountNotFound(name)
        rows = store.tokens_of(session, name)
    if as_json:
        lines = [
            {
                "id": accounts.id_of(row.digest),
                "label": row.label,
                "scopes": row.scopes.split(),
                "event": row.event,
                "created_at": row.created_at,
                "expires_at": row.expires_at,
                "last_used": row.last_used,
            }
            for row in rows
        ]
        output.print_json({"account": name, "tokens": lines})
        return
    output.print_table(
        ("id", "label", "for", "made", "expires", "last used"),
        [
            (
                accounts.id_of(row.digest),
                row.label,
                row.scopes.replace(" ", ", ") + (f", event {row.event}" if row.event else ""),
                row.created_at[: store.DAY],
                (row.expires_at or "")[: store.DAY],
                row.last_used or "",
            )
            for row in rows
        ],
        whole=("id",),
    )


@app.command()
def revoke(
    name: Name,
    token: Annotated[str | None, typer.Argument(metavar="[ID]", help="As `admin tokens` lists it.")] = None,
    *,
    everything: Annotated[bool, typer.Option("--all", help="Every token, and sign every browser out.")] = False,
    as_json: asking.Json = False,
) -> None:
    """Make a token of an account worthless, or all of them."""
    name = _name(name)
    if (token is None) != everything:
        raise typer.BadParameter("give the id of a token, or --all")
    with _database() as database, database.writing() as session:
        if store.find_account(session, name) is None:
            raise AccountNotFound(name)
        if token is None:
            gone = store.delete_tokens(session, name)
            store.delete_browsers(session, name)
        else:
            accounts.revoke(session, name, token)
            gone = 1
    if as_json:
        output.print_json({"account": name, "revoked": gone})
    else:
        output.print_text(f"{gone} {'token is' if gone == 1 else 'tokens are'} worthless")


@contextmanager
def _database() -> Iterator[Database]:
    database = prepared()
    try:
        yield database
    finally:
        database.close()


def _say(name: str, what: str, *, as_json: bool) -> None:
    if as_json:
        output.print_json({"account": name, "done": what})
    else:
        output.print_text(f"{name} {what}")


def _name(text: str) -> str:
    try:
        return str(TypeAdapter(accounts.AccountName).validate_python(text))
    except ValidationError as error:
        raise typer.BadParameter(f"name: {error.errors()[0]['msg']}") from error


def _password(name: str, *, from_stdin: bool) -> str:
    """A password that will do, from standard input or from the terminal, twice."""
    if from_stdin:
        chosen = sys.stdin.readline().rstrip("\n")
    else:
        chosen = str(typer.prompt("Password", hide_input=True, confirmation_prompt=True))
    if faults := passwords.faults_of(name, chosen):
        raise typer.BadParameter(f"password: {'; '.join(faults)}")
    return chosen
