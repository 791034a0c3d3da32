"""`deckproof call …`: calls for a judge."""

from typing import Annotated, Any

import typer

from cli import asking, output
from cli.desk import USUAL_PAUSE, Desk, Every, Watch, acting, given, looking
from cli.screen import plain_text
from cli.times import given_time
from tournament.domain.amounts import counted

app = asking.new_app(no_args_is_help=True)

Number = Annotated[int, typer.Argument(min=1, metavar="CALL", help="As the list has it.")]


@app.callback()
def _calls() -> None:
    """Calls for a judge: make, list, take, release, close, withdraw."""


@looking(app, "list")
def list_calls(
    desk: Desk,
    *,
    every_one: Annotated[bool, typer.Option("--all", help="Closed ones too, in order.")] = False,
    watch: Watch = False,
    every: Every = USUAL_PAUSE,
) -> None:
    """Open calls: those that nobody took first, the oldest first."""
    if not every_one:
        desk.show("/calls", lambda document: print_calls(document["calls"]), watch=watch, every=every)
        return
    if watch:
        raise typer.BadParameter("--watch is for open calls; leave --all out")
    found = desk.pages("/calls/all", "calls")
    if desk.as_json:
        output.print_json({"calls": found})
    else:
        print_calls(found)


@acting(app)
def make(
    desk: Desk,
    table: Annotated[
        int | None, typer.Argument(min=1, metavar="TABLE", help="For staff.  [default: of a player, the own one]")
    ] = None,
    *,
    match: Annotated[str | None, typer.Option("--match", metavar="MATCH", help="Of the cut, such as M1.2.")] = None,
    topic: Annotated[str | None, typer.Option("--topic", metavar="TEXT", help="What about.")] = None,
) -> None:
    """Call a judge to a table. Called again, it is the same call, perhaps with another topic."""
    receipt = desk.do("/calls", given(table=table, match=match, topic=topic))
    fact = receipt["fact"]
    where = f"match {fact['match']}" if fact["match"] else f"table {fact['table']}"
    desk.tell(receipt, f"call {fact['call']}: a judge is called to {where}")


@acting(app)
def take(desk: Desk, number: Number) -> None:
    """You are on the way."""
    desk.done(f"/calls/{number}/take", f"call {number} is yours")


@acting(app)
def release(desk: Desk, number: Number) -> None:
    """Give the call back to the queue."""
    desk.done(f"/calls/{number}/release", f"call {number} waits again")


@acting(app)
def close(
    desk: Desk,
    number: Number,
    *,
    ruling: Annotated[str, typer.Option("--ruling", metavar="TEXT", help="What was decided, for staff.")] = "",
    minutes: Annotated[
        int | None, typer.Option("--minutes", min=0, metavar="N", help="More time.  [default: what it took]")
    ] = None,
) -> None:
    """You are done at the table, which gets the time that it took."""
    receipt = desk.do(f"/calls/{number}/close", {"ruling": ruling} | given(minutes=minutes))
    desk.tell(receipt, f"call {number} is closed; {given_time(receipt['fact'])}")


@acting(app)
def withdraw(desk: Desk, number: Number) -> None:
    """No judge is needed after all. For the player who called."""
    desk.done(f"/calls/{number}/withdraw", f"call {number} is taken back")


def print_calls(calls: list[Any]) -> None:
    """Calls, a line each."""
    rows = [
        (
            str(one["number"]),
            str(one["round"]),
            str(one["match"] or one["table"]),
            plain_text(one["name"] or "staff"),
            plain_text(one["topic"]),
            one["called_at"][11:16],
            _where(one),
        )
        for one in calls
    ]
    if rows:
        columns = ("call", "round", "table", "called by", "topic", "at (UTC)", "")
        output.print_table(columns, rows, numbers=("call", "round", "table"))
    output.print_text(counted(len(rows), "call"))


def _where(one: Any) -> str:  # noqa: ANN401 - any JSON
    if one["closed_by"]:
        return plain_text(f"closed by {one['closed_by']}{': ' if one['ruling'] else ''}{one['ruling']}")
    return plain_text(f"taken by {one['taken_by']}") if one["taken_by"] else "waits"
