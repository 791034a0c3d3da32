"""`deckproof entry …`: who plays."""

from typing import Annotated, Final

import typer

from cli import asking, output
from cli.desk import Desk, acting, lines_of_input, looking
from cli.screen import plain_text

app = asking.new_app(no_args_is_help=True)
STDIN: Final = "-"

Number = Annotated[int, typer.Argument(min=1, metavar="NUMBER", help="Of the player in the event.")]


@app.callback()
def _entries() -> None:
    """Who plays: enter, list, drop, return."""


@acting(app)
def add(
    desk: Desk,
    names: Annotated[list[str], typer.Argument(metavar="NAME", help="One or more; - reads a name from each line.")],
    *,
    table: Annotated[int | None, typer.Option("--table", min=1, help="A fixed table, for who needs one.")] = None,
    byes: Annotated[int, typer.Option("--byes", min=0, max=3, help="Awarded byes, from round 1.")] = 0,
) -> None:
    """Enter players; once rounds are played, from the next one on."""
    wanted = list(lines_of_input()) if names == [STDIN] else names
    asked = {"awarded_byes": byes} | ({} if table is None else {"fixed_table": table})
    receipts = []
    for at, name in enumerate(wanted):
        receipt = desk.do("/entries", {"name": name, **asked}, step=f"/{at}" if at else "")
        receipts.append(receipt)
        if not desk.as_json:
            desk.tell(receipt, f"{name} is number {receipt['fact']['entry']}")
    if desk.as_json:
        output.print_json({"receipts": receipts})


@looking(app, "list")
def list_entries(desk: Desk) -> None:
    """Everybody who entered, by number."""
    entries = desk.pages("/entries", "entries")
    if desk.as_json:
        output.print_json({"entries": entries})
        return
    rows = [
        (
            str(entry["number"]),
            plain_text(entry["name"]),
            _since(entry["entered_in"]),
            _gone(entry["dropped_after"], disqualified=entry["disqualified"]),
            "-" if entry["fixed_table"] is None else str(entry["fixed_table"]),
            str(entry["awarded_byes"] or "-"),
        )
        for entry in entries
    ]
    columns = ("no.", "player", "from", "left", "table", "byes")
    output.print_table(columns, rows, numbers=("no.", "table", "byes"))


@acting(app)
def drop(desk: Desk, number: Number) -> None:
    """A player leaves: is not paired again, and keeps the results."""
    desk.tell(desk.do(f"/entries/{number}/drop"), f"number {number} has left")


@acting(app, "return")
def return_(desk: Desk, number: Number) -> None:
    """A player is back, from the next round on."""
    desk.tell(desk.do(f"/entries/{number}/return"), f"number {number} is back")


def _since(entered_in: int) -> str:
    return "start" if entered_in == 1 else f"round {entered_in}"


def _gone(dropped_after: int | None, *, disqualified: bool) -> str:
    if dropped_after is None:
        return "-"
    when = f"after round {dropped_after}" if dropped_after else "before round 1"
    return f"{when} (disqualified)" if disqualified else when
