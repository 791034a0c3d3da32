"""`deckproof settings`: what is set, and where."""

from dataclasses import asdict
from datetime import UTC, datetime
from typing import TYPE_CHECKING, Annotated, NoReturn

import typer

from cli import asking, output
from cli.exits import Exit
from tournament.database import FILE, open_database
from tournament.settings import PREFIX, SECRETS, Settings
from verifier.errors import EndpointUnreadable
from verifier.rpc import Endpoint

if TYPE_CHECKING:
    from tournament.service import checkups

app = asking.new_app()


@app.command()
def settings(
    *,
    check: Annotated[bool, typer.Option("--check", help="Look whether a server with them could run an event.")] = False,
    as_json: asking.Json = False,
) -> None:
    """The settings in force, and where each comes from: the environment, deckproof.toml, or the default.

    What is secret, or may be a key in an endpoint's URL, is not printed. With --check, the database, its backup, the
    endpoints and the collection are looked at instead; exits with 3 if something is red.
    """
    found = asking.found_settings()
    if check:
        _check(found.settings, as_json=as_json)
    values = found.settings.model_dump(mode="json") | {
        "rpc": [_name(url) for url in found.settings.rpc],
        **{name: "(secret)" for name in SECRETS if getattr(found.settings, name) is not None},
    }
    if as_json:
        output.print_json(
            {
                name: {
                    "value": value,
                    "source": found.sources.get(name, "default"),
                    "environment": PREFIX + name.upper(),
                }
                for name, value in values.items()
            }
        )
        return
    rows = [
        (name, _shown(value), found.sources.get(name, "default"), Settings.model_fields[name].description or "")
        for name, value in values.items()
    ]
    columns = ("setting", "value", "from", "meaning")
    if output.is_narrow():
        output.print_table(columns[:-1], [row[:-1] for row in rows])
        output.print_note("a wider terminal shows what each setting means; so does docs/guide/settings.md")
        return
    output.print_table(columns, rows)


def _check(settings: Settings, *, as_json: bool) -> NoReturn:
    from tournament.service import checkups  # noqa: PLC0415 - nearly the whole service

    with output.progress("Looking…"):
        found = [*_of_server(settings), *_of_chain(settings)]
    if as_json:
        output.print_json([asdict(one) for one in found])
    else:
        rows = [(one.light, f"{one.subject} {one.number or ''}".strip(), one.words, one.advice) for one in found]
        output.print_table(("light", "about", "how it stands", "what to do"), rows)
    raise typer.Exit(Exit.NO if checkups.is_red(found) else Exit.DONE)


def _of_server(settings: Settings) -> "list[checkups.Finding]":
    from tournament.service import checkups  # noqa: PLC0415 - nearly the whole service

    if settings.database_url is None and not (settings.data / FILE).exists():
        return []  # nothing is made by looking
    database = open_database(settings)
    try:
        return checkups.of_server(settings, database, datetime.now(UTC))
    finally:
        database.close()


def _of_chain(settings: Settings) -> "list[checkups.Finding]":
    from tournament.service import checkups  # noqa: PLC0415 - nearly the whole service
    from tournament.service.nodes import Nodes  # noqa: PLC0415 - nor this, for whoever only looks

    nodes = Nodes.of(settings)
    try:
        return checkups.of_chain(nodes, settings.chain_id, datetime.now(UTC))
    finally:
        nodes.close()


def _name(url: str) -> str:
    try:
        return Endpoint(url).name
    except EndpointUnreadable:
        return "(not an endpoint's URL)"


def _shown(value: object) -> str:
    if value is None:
        return "not set"
    return " ".join(value) or "not set" if isinstance(value, list) else str(value)
