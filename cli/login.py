"""`deckproof login`: a token of an account, kept in a file of one's own."""

import sys
from contextlib import closing
from typing import Annotated
from urllib.parse import urlsplit

import typer

from cli import asking, desk, logins, output
from cli.errors import Refused

app = asking.new_app()

_THIS_MACHINE = frozenset({"127.0.0.1", "::1", "localhost"})


@app.command()
def login(
    *,
    server: Annotated[
        str | None, typer.Option("--server", metavar="URL", help="[default: the setting `server`, or the last one]")
    ] = None,
    account: Annotated[str | None, typer.Option("--account", metavar="NAME", help="Asked for if not given.")] = None,
    password_stdin: Annotated[
        bool, typer.Option("--password-stdin", help="Read the password from standard input.")
    ] = False,
    code: Annotated[
        str | None, typer.Option("--code", help="Of the second factor, or of the entry.  [default: asked for]")
    ] = None,
    entry: Annotated[
        int | None, typer.Option("--entry", min=1, metavar="NUMBER", help="As a player, by the code on paper (--code).")
    ] = None,
    event: Annotated[str | None, typer.Option("--event", "-e", metavar="ID", help="Of the entry.")] = None,
    token_stdin: Annotated[
        bool, typer.Option("--token-stdin", help="Read a token from standard input instead of signing in.")
    ] = False,
    as_json: asking.Json = False,
) -> None:
    """Sign in at a server. Its token is kept in a file that nobody else can read, until `logout`."""
    if token_stdin and (password_stdin or account or code or entry):
        raise typer.BadParameter("--token-stdin needs neither an account nor a password nor an entry")
    if entry is not None and (password_stdin or account):
        raise typer.BadParameter("a player has no account; --entry goes with --event and the --code on paper")
    known = logins.load_logins()
    url = desk.server_of(server or asking.settings().server, known)
    _warn(url)
    before = known.at(url)
    event = event or before.event
    if token_stdin:
        token = _given_token(url)
    elif entry is not None:
        token = _as_player(url, event, entry, code)
    else:
        account = account or str(typer.prompt("Account", err=True))
        token = _signed_in(url, account, _password(password_stdin), code)
    known.servers[url] = logins.Login(account=account, token=token, event=event)
    known.current = url
    logins.save_logins(known)
    if as_json:
        output.print_json({"server": url, "account": account, "file": str(logins.path())})
    else:
        who = account or (f"number {entry} of event {event}" if entry else "")
        output.print_text(f"signed in at {url}{f' as {who}' if who else ''}")


def _warn(url: str) -> None:
    parts = urlsplit(url)
    if parts.scheme == "http" and parts.hostname not in _THIS_MACHINE:
        output.print_note(f"{url} is not https: whoever is on the way can read the password and the token.")


def _password(from_input: bool) -> str:  # noqa: FBT001 - an option
    if from_input:
        return sys.stdin.readline().rstrip("\n")
    return str(typer.prompt("Password", hide_input=True, err=True))


def _signed_in(url: str, account: str, password: str, code: str | None) -> str:
    from json import dumps  # noqa: PLC0415 - beside the network it is nothing
    from socket import gethostname  # noqa: PLC0415

    body = {"account": account, "password": password, "label": f"deckproof at {gethostname()}"[:100]}
    with closing(desk.server_at(url, None)) as server:
        try:
            asked = body if code is None else body | {"code": code}
            return str(server.send("POST", "/tokens", dumps(asked).encode()).document["token"])
        except Refused as no:
            if no.slug != "second-factor-needed" or not sys.stdin.isatty():
                raise
        code = str(typer.prompt("Code of the second factor", err=True))
        return str(server.send("POST", "/tokens", dumps(body | {"code": code}).encode()).document["token"])


def _as_player(url: str, event: str | None, entry: int, code: str | None) -> str:
    """A player's token, for the code on paper."""
    from json import dumps  # noqa: PLC0415 - beside the network it is nothing

    if event is None:
        raise typer.BadParameter("no event: give --event ID, as it stands on the paper")
    code = code or str(typer.prompt("Code of the entry", err=True))
    body = {"event": event, "number": entry, "code": code}
    with closing(desk.server_at(url, None)) as server:
        return str(server.send("POST", "/tokens/entry", dumps(body).encode()).document["token"])


def _given_token(url: str) -> str:
    """A token that somebody has, tried once."""
    token = sys.stdin.readline().strip()
    if not (token and token.isascii() and token.isprintable()):
        raise typer.BadParameter("there is no token on standard input")
    try:
        with closing(desk.server_at(url, token)) as server:
            server.get("/events?limit=1")
    except Refused as no:
        raise typer.BadParameter(f"{url} does not know the token: {no}") from no
    return token
