"""`deckproof entry import`, `export`, `codes`: everybody at once, as tables for spreadsheets and for the printer."""

from pathlib import Path
from typing import Annotated, Any, Final

import typer

from cli import asking, output
from cli.desk import Desk, Number, acting, asked_with, looking
from cli.screen import plain_text
from tournament.domain.amounts import counted

app = asking.new_app()

CSV: Final = "text/csv"
MOST_BYTES: Final = 8 << 20
"""Of a table; the service reads no larger one."""
_RULE: Final = "-" * 60


@acting(app, "import")
def import_players(
    desk: Desk,
    file: Annotated[Path, typer.Argument(metavar="FILE", help="A CSV with a column `name`; - reads standard input.")],
    *,
    accept_duplicates: Annotated[
        bool, typer.Option("--accept-duplicates", help="Somebody may have the name of somebody else.")
    ] = False,
    preview: Annotated[bool, typer.Option("--preview", help="Only say what would be; nobody is entered.")] = False,
) -> None:
    """Enter everybody of a table, or nobody.

    Columns: name, and perhaps fixed_table, awarded_byes, apart (whoever has the same word is kept apart).
    """
    from cli.exits import Exit  # noqa: PLC0415 - it knows every refusal, and most commands need none

    content = asking.source_of(file, MOST_BYTES + 1)
    query = {"duplicates": "accept" if accept_duplicates else None}
    if preview:
        rest = desk.path("/entries/import/preview") + asked_with(query)
        with output.progress("Reading…"):
            found = desk.server.send("POST", rest, content, headers={"Content-Type": CSV}, slow=True).document
        _print_preview(desk, found)
        raise typer.Exit(Exit.UNREADABLE if found["faults"] else Exit.DONE)
    rest = desk.path("/entries/import") + asked_with(query | {"reason": desk.reason or None})
    with output.progress("Entering…"):
        receipt = desk.server.command(
            "POST", rest, content, command=desk.command, version=desk.version, body_kind=CSV, slow=True
        ).document
    fact = receipt["fact"]
    first, many = fact["first"], len(fact["players"])
    waiting = many - fact["places"]
    waits = f"; {counted(waiting, 'player')} of them waiting" if waiting else ""
    desk.tell(receipt, f"{counted(many, 'player')} entered, from number {first} to {first + many - 1}{waits}")
    if fact["alike"] and not desk.as_json:
        output.print_note("names that are there twice: `deckproof entry alike` lists them")


@looking(app)
def export(
    desk: Desk,
    *,
    file: asking.OutputFile = None,
    force: asking.Force = False,
) -> None:
    """Everybody as a CSV for spreadsheets; an import reads it again."""
    with output.progress("Fetching…"):
        content = desk.server.get(desk.path("/entries/export"), kind=CSV, slow=True).body
    text = content.decode()
    if file is not None:
        asking.write_whole(file, text, replace=force)
    if desk.as_json:
        output.print_json({"file": None if file is None else str(file), "csv": text if file is None else None})
    elif file is None:
        output.print_text(text.removeprefix("\ufeff").replace("\r\n", "\n").rstrip("\n"))
    else:
        output.print_text(f"Written to {file}.")


@looking(app)
def codes(
    desk: Desk,
    *,
    slips: Annotated[bool, typer.Option("--slips", help="To be printed and cut, a slip for each player.")] = False,
) -> None:
    """The codes of all players, by number."""
    found = desk.pages("/entries/codes", "codes")
    if desk.as_json:
        output.print_json({"codes": found})
    elif slips:
        event = desk.read()
        for one in found:
            output.print_text(_slip(desk, event, one))
        output.print_text(_RULE)
    else:
        rows = [(str(one["entry"]), plain_text(one["name"]), one["code"]) for one in found]
        output.print_table(("no.", "player", "code"), rows, numbers=("no.",))


@acting(app)
def code(
    desk: Desk,
    number: Number,
    *,
    renew: Annotated[bool, typer.Option("--renew", help="Make the code worthless first; there is a new one.")] = False,
) -> None:
    """The code of a player who lost it."""
    if renew:
        desk.do(f"/entries/{number}/recode")
    document = desk.read(f"/entries/{number}/code")
    if desk.as_json:
        output.print_json(document)
    else:
        output.print_text(f"{plain_text(document['name'])} ({number}): {document['code']}")


def _slip(desk: Desk, event: Any, one: Any) -> str:  # noqa: ANN401 - any JSON
    """What a player takes home."""
    return "\n".join(
        (
            _RULE,
            plain_text(event["name"]),
            f"number {one['entry']}: {plain_text(one['name'])}",
            f"code {one['code']}",
            f"event {event['id']} at {desk.server.url}",
            "Keep it: whoever has the code acts for you.",
        )
    )


def _print_preview(desk: Desk, found: Any) -> None:  # noqa: ANN401 - any JSON
    if desk.as_json:
        output.print_json(found)
        return
    rows = [
        (
            str(one["number"]),
            plain_text(one["name"]),
            str(one["fixed_table"] or "-"),
            str(one["awarded_byes"] or "-"),
            ", ".join(filter(None, ("waits" if one["waiting"] else "", _alike(one)))) or "-",
        )
        for one in found["players"]
    ]
    if rows:
        columns = ("no.", "player", "table", "byes", "")
        output.print_table(columns, rows, numbers=("no.", "table", "byes"))
    for fault in found["faults"]:
        where = f"line {fault['line']}" if fault["line"] else "the table"
        column = f", {fault['column']}" if fault["column"] else ""
        output.print_styled(plain_text(f"{where}{column}: {fault['problem']}"), "red")
    many, faults = counted(len(rows), "player"), found["faults"]
    apart = f", {counted(found['apart'], 'pair')} kept apart" if found["apart"] else ""
    output.print_text(
        f"nobody can be entered: {counted(len(faults), 'fault')}" if faults else f"{many} can be entered{apart}"
    )


def _alike(one: Any) -> str:  # noqa: ANN401 - any JSON
    return f"the name of number {one['alike']}" if one["alike"] else ""
