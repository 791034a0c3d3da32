"""`deckproof serve`: the HTTP API and the pages."""

import errno
import gc
import socket
import sys
from collections.abc import Iterator
from contextlib import suppress
from typing import TYPE_CHECKING, Annotated, Any, Final

import typer

from cli import asking, output
from cli.exits import Exit
from collection.errors import PortTaken
from tournament.settings import DEVELOPMENT_SECRET, Settings

if TYPE_CHECKING:
    from fastapi import FastAPI
    from uvicorn import Config

_OWN: Final = frozenset({"127.0.0.1", "::1", "localhost"})
"""Addresses at which nobody else asks."""
YOUNG: Final = 50_000
"""Objects after which Python looks for garbage among the new ones."""
SWITCH_S: Final = 0.0005
"""After which a thread that computes lets another one compute: the event loop, or the one that writes."""
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
    access_log: Annotated[bool, typer.Option("--access-log", help="Print a line of JSON for each request.")] = False,
) -> None:
    """Serve the API and the pages until Ctrl-C. An embedded database is made, and brought up to date, at the start."""
    from uvicorn import Config  # noqa: PLC0415 - not needed for --help

    from cli.databases import prepared  # noqa: PLC0415
    from tournament.settings import require_secret  # noqa: PLC0415

    require_secret(asking.settings())
    prepared().close()
    refuse_taken(host, port)
    for line in told_at_start(asking.settings(), host):
        output.print_note(line)
    config = Config(
        "cli.serve:application",
        factory=True,
        host=host,
        port=port,
        workers=workers,
        access_log=False,  # ours is another: no query, no path, since a code may be in it
        log_config=log_config(access_log=access_log),
        proxy_headers=False,  # the setting `trusted_proxies` says whom to believe
        timeout_graceful_shutdown=GRACE_S,
        server_header=False,
    )
    try:
        is_well = _run_one(config) if workers == 1 else _run_many(config)
    except SystemExit as error:  # it could not start, and has said why; its own code would mean "no"
        raise typer.Exit(Exit.UNREACHABLE if error.code else Exit.DONE) from error
    if not is_well:
        raise typer.Exit(Exit.UNREACHABLE)


def told_at_start(settings: Settings, host: str) -> Iterator[str]:
    """Where the events are, since another folder has others; and what is not for a network."""
    kept = settings.data.resolve() if settings.database_url is None else "the database of the setting `database_url`"
    yield f"events are kept in {kept}; Ctrl-C ends the server"
    if host not in _OWN and settings.secret.get_secret_value() == DEVELOPMENT_SECRET:
        yield (
            f"{host} can be reached by others, and the secret is the one for development, which everybody knows: set "
            "DECKPROOF_SECRET to 32 random characters or more"
        )


def log_config(*, access_log: bool) -> dict[str, Any]:
    """What each worker writes to standard error: warnings, faults, and a JSON line for each request if asked for."""
    usual = {"handlers": ["usual"], "propagate": False}
    return {
        "version": 1,
        "disable_existing_loggers": False,
        "formatters": {
            "usual": {"format": "%(asctime)s %(levelname)s %(message)s"},
            "bare": {"format": "%(message)s"},
        },
        "handlers": {
            "usual": {"class": "logging.StreamHandler", "formatter": "usual"},
            "bare": {"class": "logging.StreamHandler", "formatter": "bare"},
        },
        "loggers": {
            "uvicorn": {**usual, "level": "INFO"},
            "tournament": {**usual, "level": "WARNING"},
            "tournament.access": {
                "handlers": ["bare"],
                "propagate": False,
                "level": "INFO" if access_log else "WARNING",
            },
        },
    }


def application() -> "FastAPI":
    """The application that the settings describe; each worker makes its own."""
    from tournament.web.site import create_site  # noqa: PLC0415 - not needed for --help

    app = create_site(asking.settings(), delivers=True)
    tune()
    return app


def tune() -> None:
    """Set Python up to serve for long.

    What is here now is here for good, and need not be searched for garbage again and again. And a thread that was let
    in does not keep the others out for 5 ms.
    """
    gc.collect()
    gc.freeze()
    gc.set_threshold(YOUNG)
    sys.setswitchinterval(SWITCH_S)


def _run_one(config: "Config") -> bool:
    """Serve in this process; False if it never began."""
    from uvicorn import Server  # noqa: PLC0415

    server = Server(config)
    with suppress(KeyboardInterrupt):
        server.run()
    return server.started


def _run_many(config: "Config") -> bool:
    """Serve in several processes over one socket; False if one of them cannot begin, as the others then cannot."""
    from uvicorn.supervisors import Multiprocess  # noqa: PLC0415

    supervisor = Multiprocess(config, sockets=[config.bind_socket()])
    supervisor.run()
    return not any(process.exitcode for process in supervisor.processes)


def refuse_taken(host: str, port: int) -> None:
    """Say it in a sentence, before anything is started. Raises: PortTaken."""
    try:
        places = socket.getaddrinfo(host, port, type=socket.SOCK_STREAM)
    except OSError:
        return  # the server says what is wrong with the host
    for family, kind, protocol, _, address in places:
        with socket.socket(family, kind, protocol) as probe:
            probe.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
            try:
                probe.bind(address)
            except OSError as error:
                if error.errno == errno.EADDRINUSE:
                    raise PortTaken(port) from error
