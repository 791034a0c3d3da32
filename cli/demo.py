"""`deckproof demo`, which is `make run`: a day at a tournament, to be clicked through in a browser."""

import logging
import socket
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from tempfile import TemporaryDirectory
from threading import Thread
from typing import TYPE_CHECKING, Annotated, Final

import typer

from cli import asking, output, world
from cli.exits import Exit
from collection.errors import PortTaken

if TYPE_CHECKING:
    from stage.opening import Opened

HOST: Final = "127.0.0.1"
SCENES: Final = ("registration", "check-in", "round1", "round3", "cut", "finished")
"""As `stage.scenes.Scene` has them, which takes a second to be loaded."""
PORTS: Final = 20
"""How many ports are tried, one after the other, if the first is taken."""
_POLL_S: Final = 0.05
_SHOWN: Final = 4
"""Players whose codes are printed; the others' stand on the page `/demo`."""

app = asking.new_app()


def _scene(said: str) -> str:
    if said not in SCENES:
        raise typer.BadParameter(f"there is no scene {said!r}; the scenes are {', '.join(SCENES)}")
    return said


@app.command()
def demo(
    *,
    scene: Annotated[
        str,
        typer.Option("--scene", callback=_scene, metavar="SCENE", help=f"The hour of the day: {', '.join(SCENES)}."),
    ] = "check-in",
    port: Annotated[
        int, typer.Option("--port", min=0, max=65535, help="Of the pages; if it is taken, one after it.")
    ] = 8000,
    keep: Annotated[
        Path | None, typer.Option("--keep", metavar="FOLDER", help="Keep the database, in a folder without one.")
    ] = None,
    verdicts: Annotated[
        bool, typer.Option("--verdicts", help="No pages: a chain with sixteen players, and a verdict for each.")
    ] = False,
    chain_port: Annotated[
        int, typer.Option("--chain-port", min=0, max=65535, help="With --verdicts, of the chain; 0 takes a free one.")
    ] = 0,
    once: Annotated[bool, typer.Option("--once", help="End when all is made instead of staying up.")] = False,
    as_json: asking.Json = False,
) -> None:
    """Make a day at a tournament on a chain and a database of this machine, and serve its pages until Ctrl-C."""
    if verdicts:
        from cli import demo_verdicts  # noqa: PLC0415 - not needed for the day

        demo_verdicts.show(chain_port, once=once, as_json=as_json)
        return
    world.end_like_ctrl_c()
    free = _free_port(port)
    if free != port and port:
        output.print_note(f"port {port} is taken; the pages are at {free}")
    address = f"http://{HOST}:{free}"
    try:
        with _folder(keep) as folder, _opened(folder, f"{HOST}:{free}", scene) as opened:

            def tell() -> None:
                if as_json:
                    output.print_json(_document(address, opened))
                else:
                    _print(address, opened)

            if once:
                tell()
            else:
                _serve(opened, free, tell)
    except KeyboardInterrupt:
        output.print_note("stopped")
    if keep is not None:
        output.print_note(f"the database is kept in {keep}; the chain is gone")


@contextmanager
def _folder(keep: Path | None) -> Iterator[Path]:
    if keep is None:
        with TemporaryDirectory(prefix="deckproof-demo-", ignore_cleanup_errors=True) as made:
            yield Path(made)
        return
    from tournament.database import FILE  # noqa: PLC0415 - not needed for --help

    if (keep / FILE).exists():
        raise typer.BadParameter(f"{keep} has a database already; name another folder")
    keep.mkdir(parents=True, exist_ok=True)
    yield keep


@contextmanager
def _opened(folder: Path, domain: str, scene: str) -> Iterator["Opened"]:
    from stage.opening import opened  # noqa: PLC0415 - not needed for --help
    from stage.scenes import Scene  # noqa: PLC0415

    named = asking.settings().anvil
    logging.getLogger("tournament").setLevel(logging.ERROR)  # in the story, a node gives no answer once
    with opened(folder, domain, Scene(scene), output.print_note, anvil=Path(named) if named else None) as made:
        yield made


def _free_port(port: int) -> int:
    """The port, or the next one that is free. Raises: PortTaken: none of them is."""
    from cli.serve import refuse_taken  # noqa: PLC0415

    if not port:
        with socket.socket() as probe:
            probe.bind((HOST, 0))
            return int(probe.getsockname()[1])
    for tried in range(port, min(port + PORTS, 65536)):
        with suppress(PortTaken):
            refuse_taken(HOST, tried)
            return tried
    raise PortTaken(port)


def _serve(opened: "Opened", port: int, tell: Callable[[], None]) -> None:
    """Serve until Ctrl-C; tell, once somebody is answered."""
    from uvicorn import Config, Server  # noqa: PLC0415 - not needed for --help

    from cli.serve import GRACE_S, log_config, tune  # noqa: PLC0415
    from tournament.web.site import create_site  # noqa: PLC0415

    app = create_site(opened.settings, database=opened.database, demo=opened.demo, delivers=True)
    tune()
    config = Config(
        app,
        host=HOST,
        port=port,
        access_log=False,
        log_config=log_config(access_log=False) | {"disable_existing_loggers": False},
        log_level="warning",
        timeout_graceful_shutdown=GRACE_S,
        server_header=False,
    )
    server = Server(config)

    def tell_when_it_answers() -> None:
        while not (server.started or server.should_exit):
            time.sleep(_POLL_S)
        if server.started:
            tell()

    Thread(target=tell_when_it_answers, daemon=True).start()
    try:
        server.run()
    except SystemExit as error:
        raise typer.Exit(Exit.UNREACHABLE) from error
    if not server.started:
        raise typer.Exit(Exit.UNREACHABLE)


def _print(address: str, opened: "Opened") -> None:
    """Where everything is, and who one may be."""
    demo = opened.demo
    output.print_table(("page", "address"), [(one.what, address + one.path) for one in demo.places], title="Pages")
    output.print_table(
        ("account", "begins at"),
        [(one.account, address + one.place) for one in demo.workers],
        title=f"Accounts; the password of all is: {demo.password}",
    )
    players = [one for one in demo.people if one.entry]
    output.print_table(
        ("player", "number", "code", "story"),
        [(one.name, str(one.entry), one.code, one.story) for one in players[:_SHOWN]],
        title=f"Some of {len(players)} players, who sign in by number and code",
    )
    for hint in demo.hints:
        output.print_text(hint)
    output.print_text(f"\nscene      {demo.scene}; others: {', '.join(one for one in SCENES if one != demo.scene)}")
    output.print_text(f"chain      {opened.chain}, collection {opened.collection}")
    output.print_text(f"\nOpen {address}/demo and be anybody. Ctrl-C ends it.")
    sys.stdout.flush()


def _document(address: str, opened: "Opened") -> dict[str, object]:
    """The same for scripts."""
    demo = opened.demo
    return {
        "address": address,
        "scene": demo.scene,
        "rpc": opened.chain,
        "collection": opened.collection,
        "password": demo.password,
        "accounts": [one.account for one in demo.workers],
        "pages": [{"what": one.what, "path": one.path} for one in demo.places],
        "players": [
            {"name": one.name, "event": one.event, "number": one.entry, "code": one.code}
            for one in demo.people
            if one.entry
        ],
        "hints": demo.hints,
    }
