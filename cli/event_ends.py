"""`deckproof event finish`, `undo`, `void`, `export`, `evidence`, `import`: how an event ends, and goes elsewhere."""

from pathlib import Path
from typing import Annotated, Final

import typer

from cli import asking, output
from cli.desk import Desk, acting, asked_with, looking, making

app = asking.new_app()

_CAME: Final = {"event.adopt": "is here, with its log", "event.import": "is here, as a new event"}


@acting(app)
def finish(desk: Desk) -> None:
    """The standings are final, and the draw is published."""
    desk.done("/finish", "the event is finished")


@acting(app)
def undo(
    desk: Desk,
    row: Annotated[int | None, typer.Argument(min=1, metavar="ROW", help="Of the log.  [default: the last]")] = None,
) -> None:
    """Take the last command back; or, if that was an undoing, have again what it took back."""
    desk.explained()
    row = desk.read()["version"] if row is None else row
    receipt = desk.do("/undo", {"sequence": row})
    fact = receipt["fact"]
    done = "has its effect again" if fact["again"] else "is taken back"
    desk.tell(receipt, f"row {fact['command']}, {fact['name']}, {done}")


@acting(app)
def void(desk: Desk, *, yes: Annotated[bool, typer.Option("--yes", help="Do not ask.")] = False) -> None:
    """The event does not count; nothing more can be done to it. There has to be a --reason."""
    if not desk.reason:
        raise typer.BadParameter("--reason: say why the event is called off; it is in the log")
    if not (yes or typer.confirm(f"Nothing can be done to event {desk.event} any more. Void it?", err=True)):
        raise typer.Abort
    desk.tell(desk.do("/void"), "the event is void")


@looking(app)
def export(
    desk: Desk,
    *,
    file: asking.OutputFile = None,
    with_log: Annotated[bool, typer.Option("--with-log", help="To check it, or to import it elsewhere.")] = False,
    sealed: Annotated[
        bool, typer.Option("--sealed", help="As anybody may have it once the event is finished, to publish it.")
    ] = False,
    without_kept: Annotated[
        bool, typer.Option("--without-kept", help="With the log, but not the names and lists beside it.")
    ] = False,
    force: asking.Force = False,
) -> None:
    """The event as an event file."""
    query = {"log": "true" if with_log else None, "sealed": "true" if sealed else None}
    asked = desk.path("/export") + asked_with(query | {"kept": "false" if without_kept else None})
    answer = desk.get(asked, doing="Fetching…", slow=True)
    text = answer.body.decode()
    if file is None:
        output.print_text(text.rstrip("\n"))
        return
    asking.write_whole(file, text, replace=force)
    document = answer.document
    if desk.as_json:
        summary = {"file": str(file), "players": len(document["players"]), "rounds": len(document["rounds"])}
        output.print_json({**summary, "receipts": len(document.get("log", ()))})
    else:
        output.print_text(f"Written to {file}.")


@looking(app)
def evidence(
    desk: Desk,
    *,
    file: asking.OutputFile = None,
    opened: Annotated[
        bool, typer.Option("--opened", help="With wallets, lists and what the chain said, for whoever is to check.")
    ] = False,
    force: asking.Force = False,
) -> None:
    """The evidence of an event: one file from which `deckproof audit` checks all of it again."""
    answer = desk.get(
        desk.path("/evidence") + asked_with({"opened": "true" if opened else None}), doing="Gathering…", slow=True
    )
    if file is None:
        output.print_text(answer.body.decode().rstrip("\n"))
        return
    asking.write_whole(file, answer.body.decode(), replace=force)
    if desk.as_json:
        output.print_json({"file": str(file), "bytes": len(answer.body), "opened": opened})
    else:
        output.print_text(f"Written to {file}; `deckproof audit {file}` checks it.")


@making(app, "import")
def import_event(
    desk: Desk,
    file: Annotated[Path, typer.Argument(metavar="FILE", help="An event file; - reads standard input.")],
    *,
    origin: Annotated[str, typer.Option("--origin", metavar="TEXT", help="Where it comes from, for the log.")] = "",
    use: Annotated[bool, typer.Option("--use", help="Make it the event that commands are about.")] = False,
) -> None:
    """Make an event of a file; you become its organizer.

    A file with a log is the same event here, and goes on with its log. One without makes a new event.
    """
    from tournament.event_file import MOST_BYTES  # noqa: PLC0415 - not needed to report a result

    content = asking.source_of(file, MOST_BYTES + 1)
    query = asked_with({"origin": origin or None, "reason": desk.reason or None})
    with output.progress("Importing…"):
        answer = desk.server.command("POST", f"/events/import{query}", content, command=desk.command, slow=True)
    receipt = answer.document
    if use:
        desk.use(receipt["event"])
    desk.tell(receipt, f"event {receipt['event']} {_CAME.get(receipt['name'], 'was here already')}")
