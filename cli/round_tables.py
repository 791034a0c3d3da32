"""`deckproof round list`, `show`, `missing`: tables and what is still missing."""

from typing import Annotated, Any

import typer

from cli import asking, output
from cli.desk import USUAL_PAUSE, Desk, Every, Watch, looking
from cli.errors import Refused
from cli.reports import score_of
from cli.times import time_left
from tournament.domain.amounts import counted

app = asking.new_app()

Number = Annotated[int | None, typer.Argument(metavar="ROUND", help="[default: the last published one]")]


@looking(app, "list")
def list_rounds(desk: Desk) -> None:
    """Every round, with when it was published and closed."""
    document = desk.read("/rounds")
    if desk.as_json:
        output.print_json(document)
        return
    rows = [
        (str(one["number"]), *(_minute(one[at]) for at in ("paired_at", "published_at", "closed_at")))
        for one in document["rounds"]
    ]
    output.print_table(("round", "paired", "published", "closed"), rows, numbers=("round",))


@looking(app)
def show(desk: Desk, number: Number = None, *, watch: Watch = False, every: Every = USUAL_PAUSE) -> None:
    """The tables of a round with their results."""
    number = last_published(desk) if number is None else number
    names = {} if desk.as_json else desk.names()
    desk.show(f"/rounds/{number}", lambda shown: print_round(desk, shown, names), watch=watch, every=every, moves=True)


@looking(app)
def missing(desk: Desk, number: Number = None, *, watch: Watch = False, every: Every = USUAL_PAUSE) -> None:
    """Tables that have not reported, and how much time they have."""
    number = last_published(desk) if number is None else number
    names = {} if desk.as_json else desk.names()

    def draw(document: dict[str, Any]) -> None:
        playing = document["missing"]
        rows = [
            (
                str(one["table"]),
                str(one["first"]),
                names[one["first"]],
                str(one["second"]),
                names[one["second"]],
                f"+{one['extra_minutes']} min" if one["extra_minutes"] else "",
            )
            for one in playing
        ]
        title = f"Round {number}: not reported by {len(playing)} of {counted(document['tables'], 'table')}"
        if document["clock"] is not None and playing:
            title += f"; {time_left(document['clock'], desk.server.now)}"
        columns = ("table", "no.", "player", "no. ", "opponent", "")
        output.print_table(columns, rows, title=title, numbers=("table", "no.", "no. "))

    desk.show(f"/rounds/{number}/missing", draw, watch=watch, every=every, moves=True)


def last_published(desk: Desk) -> int:
    """The number of the round that is played, or was played last. Raises: Refused."""
    numbers = [one["number"] for one in desk.read("/rounds")["rounds"] if one["published_at"] is not None]
    if not numbers:
        problem = {"type": "/problems/round-not-found", "title": "The event has no such round"}
        raise Refused(404, {**problem, "detail": "no round is published yet", "round": 1, "status": 404})
    return int(max(numbers))


def print_round(desk: Desk, document: dict[str, Any], names: dict[int, str] | None = None) -> None:
    """A round as a table, numbers beside names."""
    names = desk.names() if names is None else names
    seats = sorted(document["seats"], key=lambda seat: (seat["table"] is None, seat["table"]))
    rows = [_row(seat, names) for seat in seats]
    state = "draft" if document["published_at"] is None else "playing" if document["closed_at"] is None else "closed"
    columns = ("table", "no.", "player", "no. ", "opponent", "result")
    clock = document.get("clock")
    left = f"; {time_left(clock, desk.server.now)}" if clock and state == "playing" else ""
    title = f"{desk.title}: round {document['number']} ({state}){left}"
    output.print_table(columns, rows, title=title, numbers=("table", "no.", "no. "))


def _row(seat: dict[str, Any], names: dict[int, str]) -> tuple[str, ...]:
    first = (str(seat["first"]), names.get(seat["first"], "?"))
    if seat["table"] is None:
        return ("", *first, "", "awarded bye" if seat["bye"] == "awarded" else "bye", "")
    score = "" if seat["result"] is None else score_of(seat["result"])
    return (str(seat["table"]), *first, str(seat["second"]), names.get(seat["second"], "?"), score)


def _minute(moment: str | None) -> str:
    """A time for the eye, UTC."""
    return "-" if moment is None else moment[:16].replace("T", " ")
