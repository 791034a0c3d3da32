"""`deckproof desk …`: a laptop that lets players in by their passes, with a network or without one."""

import platform
from contextlib import ExitStack
from pathlib import Path
from typing import Annotated, Any, Final

import typer
from typer.core import TyperGroup

from cli import desk_folders, desk_scanning, output
from cli.desk import Desk, acting, looking
from cli.desk_scanning import Scanning
from cli.screen import plain_text
from tournament.domain.amounts import counted
from verifier.passes import prepare

Folder = Annotated[
    Path | None,
    typer.Option("--folder", metavar="DIR", help="Where the desk is kept.  [default: one for the event]"),
]
_SCAN: Final = "scan"
_HELP: Final = frozenset({"--help"})


class _ScansByItself(TyperGroup):
    """`deckproof desk --offline` is `deckproof desk scan --offline`."""

    def parse_args(self, ctx: typer.Context, args: list[str]):  # type: ignore[no-untyped-def,override]  # noqa: ANN202
        """Put the usual command in front of options that stand alone."""
        if args and args[0].startswith("-") and args[0] not in _HELP:
            args = [_SCAN, *args]
        return super().parse_args(ctx, args)


app = typer.Typer(
    cls=_ScansByItself,
    no_args_is_help=True,
    add_completion=False,
    rich_markup_mode=None,
    pretty_exceptions_enable=False,
)


@app.callback()
def _desks() -> None:
    """Let players in by their passes. `fetch` needs a network, `desk --offline` none; `sync` tells the server."""


@acting(app)
def fetch(
    desk: Desk,
    *,
    name: Annotated[
        str | None,
        typer.Option("--name", metavar="TEXT", help="Where the desk stands.  [default: this machine's name]"),
    ] = None,
    folder: Folder = None,
) -> None:
    """Make this machine a desk of the event, or bring it up to date: keys, revocations, players, who came in."""
    sheet = desk_folders.fetched(desk)
    where = desk_folders.folder_of(desk, folder)
    with prepare(where, sheet) as own:
        asked = {"address": own.address, "name": name or platform.node()[:40] or "desk"}
        receipt = desk.do("/passes/desks", asked)
        if desk.as_json:
            output.print_json(receipt)
            return
        players = counted(len(sheet.guests), "player")
        output.print_text(f"{plain_text(receipt['fact']['name'])}: {players}, {desk_folders.status_of(own)}")
        output.print_text(f"kept in {where}")


@acting(app, _SCAN)
def scan(
    desk: Desk,
    *,
    offline: Annotated[bool, typer.Option("--offline", help="Never ask the server; `sync` tells it later.")] = False,
    folder: Folder = None,
) -> None:
    """Let players in by what a scanner types: a pass a line, until Ctrl-D. `desk --offline` is short for it."""
    with ExitStack() as stack:
        own = stack.enter_context(desk_folders.opened(desk, folder))
        if own.cut_off and not desk.as_json:
            output.print_note("the last scan was not written to its end, so nobody came in by it; scan that pass again")
        scanning = Scanning(desk, own, offline)
        promised = plain_text(own.sheet.promised.event)
        for line in desk_scanning.typed(f"{promised}: scan a pass, one a line; Ctrl-D ends."):
            scanning.take(line)
        if not desk.as_json:
            counts = scanning.counts
            output.print_text(f"{counts['in']} came in, {counts['refused']} refused; {desk_folders.status_of(own)}")


@acting(app)
def sync(desk: Desk, *, folder: Folder = None) -> None:
    """Tell the server who came in here, and fetch what is new. Said again, it is the same."""
    with desk_folders.opened(desk, folder) as own:
        told = desk_scanning.sync(desk, own)
        own.take(desk_folders.fetched(desk))
        found = desk.read("/passes/unsettled")
        if desk.as_json:
            output.print_json({"told": told, "unsettled": found["players"], "foreign": found["foreign"]})
            return
        output.print_text(f"{counted(told, 'scan')} told; {desk_folders.status_of(own)}")
    _print_unsettled(found)


@looking(app)
def status(desk: Desk, *, folder: Folder = None) -> None:
    """What this desk knows, and what the server does not know yet. No server is asked."""
    with desk_folders.opened(desk, folder, looking=True) as own:
        promised = own.sheet.promised
        if desk.as_json:
            output.print_json(
                {
                    "event": own.sheet.event,
                    "name": promised.event,
                    "event_id": "0x" + promised.event_id.hex(),
                    "address": own.address,
                    "folder": str(own.folder),
                    "players": len(own.sheet.guests),
                    "scans": len(own.scans),
                    "unsynced": len(own.unsynced),
                    "revocations_as_of": own.briefing.as_of,
                }
            )
            return
        output.print_text(
            f"{plain_text(promised.event)} ({own.sheet.event}), {counted(len(own.sheet.guests), 'player')}"
        )
        output.print_text(f"{counted(len(own.scans), 'player')} came in here; {desk_folders.status_of(own)}")
        output.print_text(f"this desk is {own.address}, kept in {own.folder}")


@looking(app, "list")
def list_desks(desk: Desk) -> None:
    """The desks of the event, and what the server heard of each."""

    def draw(document: Any) -> None:  # noqa: ANN401 - any JSON
        rows = [
            (
                plain_text(one["name"]),
                str(one["scans"]),
                "" if one["last_at"] is None else one["last_at"][:16].replace("T", " "),
                plain_text(one["enrolled_by"]),
                plain_text("; ".join(one["faults"])),
            )
            for one in document["desks"]
        ]
        output.print_table(("desk", "scans", "last (UTC)", "enrolled by", ""), rows, numbers=("scans",))

    desk.listed("/passes/desks", draw)


def _print_unsettled(found: Any) -> None:  # noqa: ANN401 - any JSON
    for one in found["players"]:
        output.print_styled(f"came in more than once: {plain_text(one['name'])} ({one['entry']})", desk_folders.BAD)
        for words in one["scans"]:
            output.print_text(f"  {plain_text(words)}")
