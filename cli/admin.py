"""`deckproof admin`: accounts, made by whoever has the machine."""

import sys
from datetime import UTC, datetime
from typing import Annotated, Any

import typer
from pydantic import TypeAdapter, ValidationError

from cli import asking, output
from cli.databases import prepared
from tournament.service import accounts

app = asking.new_app(no_args_is_help=True)


@app.callback()
def _admin() -> None:
    """Accounts."""


@app.command()
def create(
    name: Annotated[str, typer.Argument(help="Small letters, digits, dots and dashes.")],
    *,
    password_stdin: Annotated[
        bool, typer.Option("--password-stdin", help="Read the password from standard input.")
    ] = False,
    as_json: asking.Json = False,
) -> None:
    """Make an account that can hold events, and print its first token, which is not shown again."""
    password = sys.stdin.readline().rstrip("\n") if password_stdin else _asked()
    name = _checked(accounts.AccountName, name, "name")
    password = _checked(accounts.Password, password, "password")
    database = prepared()
    token = accounts.create(database, name, password, now=datetime.now(UTC))
    database.close()
    if as_json:
        output.print_json({"account": name, "token": token})
    else:
        output.print_note(f"account {name} is made; its token, shown this once:")
        output.print_text(token)


def _asked() -> str:
    return str(typer.prompt("Password", hide_input=True, confirmation_prompt=True))


def _checked(kind: Any, text: str, what: str) -> str:  # noqa: ANN401 - a type of pydantic's
    try:
        return str(TypeAdapter(kind).validate_python(text))
    except ValidationError as error:
        raise typer.BadParameter(f"{what}: {error.errors()[0]['msg']}") from error
