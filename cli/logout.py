"""`deckproof logout`: the token of `login` is worth nothing any more."""

from contextlib import closing
from typing import Annotated

import typer

from cli import asking, desk, logins, output
from cli.errors import Refused

app = asking.new_app()


@app.command()
def logout(
    *,
    server: Annotated[
        str | None, typer.Option("--server", metavar="URL", help="[default: the setting `server`, or the last one]")
    ] = None,
    forget: Annotated[bool, typer.Option("--forget", help="Only here; the server is not asked.")] = False,
    as_json: asking.Json = False,
) -> None:
    """Make the token of `login` worthless, and forget it."""
    known = logins.load_logins()
    url = desk.server_of(server or asking.settings().server, known)
    token = known.at(url).token
    if token is None:
        raise typer.BadParameter(f"nobody is signed in at {url} with `deckproof login`")
    if not forget:
        try:
            with closing(desk.server_at(url, token)) as asked:
                asked.send("DELETE", "/tokens/current")
        except Refused as no:
            if no.status != 401:  # noqa: PLR2004 - it was worth nothing already
                raise
    known.servers[url] = logins.Login(event=known.at(url).event)
    logins.save_logins(known)
    if as_json:
        output.print_json({"server": url})
    else:
        output.print_text(f"signed out at {url}")
