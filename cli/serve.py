"""`deckproof serve`: the HTTP API."""

from typing import TYPE_CHECKING, Annotated, Final

import typer

from cli import asking
from cli.exits import Exit

if TYPE_CHECKING:
    from fastapi import FastAPI

GRACE_S: Final = 2
"""How long running requests and open streams may take after SIGTERM."""

app = asking.new_app()


@app.command()
def serve(
    *,
    host: Annotated[str, typer.Option("--host", help="The address to listen on.")] = "127.0.0.1",
    port: Annotated[int, typer.Option("--port", min=0, max=65535, help="The port to listen on.")] = 8000,
    workers: Annotated[
        int, typer.Option("--workers", min=1, help="Processes; PostgreSQL is made for more than one.")
    ] = 1,
    access_log: Annotated[bool, typer.Option("--access-log", help="Print a line for each request.")] = False,
) -> None:
    """Serve the API until Ctrl-C. An embedded database is made, and brought up to date, at the start."""
    import uvicorn  # noqa: PLC0415 - not needed for --help

    from cli.databases import prepared  # noqa: PLC0415
    from tournament.settings import require_secret  # noqa: PLC0415

    require_secret(asking.settings())
    prepared().close()
    try:
        uvicorn.run(
            "cli.serve:application",
            factory=True,
            host=host,
            port=port,
            workers=workers,
            access_log=access_log,
            timeout_graceful_shutdown=GRACE_S,
            server_header=False,
        )
    except SystemExit as error:  # it could not start, and has said why; its own code would mean "no"
        raise typer.Exit(Exit.UNREACHABLE if error.code else Exit.DONE) from error


def application() -> "FastAPI":
    """The application that the settings describe; each worker makes its own."""
    from tournament.api.app import create_app  # noqa: PLC0415 - not needed for --help

    return create_app(asking.settings())
