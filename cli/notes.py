"""`deckproof note …`: notes of judges, which only staff read."""

from typing import Annotated, Final

import typer

from cli import asking, output
from cli.desk import Desk, acting, given, looking
from cli.screen import plain_text

app = asking.new_app(no_args_is_help=True)

Text = Annotated[str, typer.Argument(metavar="TEXT", help="What it says.")]
_ABOUT: Final = {"entry": "player", "round": "round", "table": "table"}
"""What a note may be on, and the word for it."""
_MINUTE: Final = 16


@app.callback()
def _notes() -> None:
    """Judges' notes: write, list, amend. Only staff read them."""


@acting(app)
def write(
    desk: Desk,
    text: Text,
    *,
    player: Annotated[int | None, typer.Option("--player", min=1, metavar="NUMBER", help="On this player.")] = None,
    table: Annotated[int | None, typer.Option("--table", min=1, metavar="TABLE", help="On this table.")] = None,
    number: Annotated[
        int | None, typer.Option("--round", min=1, metavar="N", help="Of the table.  [default: the latest]")
    ] = None,
) -> None:
    """Write a note on a player, on a table, or on the event."""
    receipt = desk.do("/notes", {"text": text} | given(entry=player, table=table, round=number))
    desk.tell(receipt, f"note {receipt['fact']['note']} is written")


@looking(app, "list")
def list_notes(
    desk: Desk,
    *,
    player: Annotated[
        int | None, typer.Option("--player", min=1, metavar="NUMBER", help="On this player only.")
    ] = None,
) -> None:
    """Notes in order; --json has everything that each of them said before."""
    found = desk.pages("/notes", "notes", entry=player)
    if desk.as_json:
        output.print_json({"notes": found})
        return
    rows = []
    for note in found:
        last = note["history"][-1]
        about = [f"{word} {note[name]}" for name, word in _ABOUT.items() if note[name] is not None]
        rows.append(
            (
                str(note["number"]),
                str(last["revision"]),
                ", ".join(about) or "the event",
                plain_text(f"{last['by']}, {last['at'][:_MINUTE].replace('T', ' ')}"),
                plain_text(note["text"]),
            )
        )
    output.print_table(("note", "rev.", "on", "by", "says"), rows, numbers=("note", "rev."))


@acting(app)
def amend(
    desk: Desk,
    number: Annotated[int, typer.Argument(min=1, metavar="NOTE", help="As the list has it.")],
    text: Text,
    *,
    revision: Annotated[int, typer.Option("--revision", min=1, metavar="N", help="The one that you read.")],
) -> None:
    """Let a note say something else; what it said is kept."""
    receipt = desk.do(f"/notes/{number}", {"text": text, "revision": revision}, method="PUT")
    desk.tell(receipt, f"note {number} is at revision {receipt['fact']['revision']}")
