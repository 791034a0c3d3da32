"""`deckproof clock …`: the clock of the round that is played."""

import re
from typing import Annotated, Any, Final

import typer

from cli import asking, output
from cli.desk import Desk, Watch, acting, looking
from cli.round_tables import last_published
from cli.times import spelled, time_left

app = asking.new_app(no_args_is_help=True)

_TIME: Final = re.compile(r"(\d{1,3})(?::(\d{2}))?", re.ASCII)
_MINUTE: Final = 60
Seconds = Annotated[float, typer.Option("--every", min=0.1, metavar="SECONDS", help="Between two looks of --watch.")]


@app.callback()
def _clocks() -> None:
    """The clock of the round: show, start, pause, resume, adjust, and more time for a table."""


@looking(app)
def show(desk: Desk, *, watch: Watch = False, every: Seconds = 1.0) -> None:
    """How much time is left, by the server's clock."""
    number = last_published(desk)

    def draw(document: Any) -> None:  # noqa: ANN401 - any JSON
        now = desk.server.now
        output.print_text(f"round {number}: {time_left(document['clock'], now)}")
        for seat in document["seats"]:
            if seat["extra_minutes"] and seat["result"] is None:
                left = time_left(document["clock"], now, seat["extra_minutes"])
                output.print_text(f"  table {seat['table']} (+{seat['extra_minutes']} min): {left}")

    desk.show(f"/rounds/{number}", draw, watch=watch, every=every, moves=True)


@acting(app)
def start(
    desk: Desk,
    *,
    minutes: Annotated[
        int | None, typer.Option("--minutes", min=1, metavar="N", help="Length of the round.  [default: as announced]")
    ] = None,
) -> None:
    """Start the clock of a round that was published with one that waits, or with none."""
    receipt = desk.do("/clock/start", {} if minutes is None else {"minutes": minutes})
    desk.tell(receipt, f"the clock of round {receipt['fact']['round']} runs for {spelled(receipt['fact']['length_s'])}")


@acting(app)
def pause(desk: Desk) -> None:
    """Stop the clock; the end of the round moves by as long as it stands still."""
    desk.done("/clock/pause", "the clock stands still")


@acting(app)
def resume(desk: Desk) -> None:
    """Let the clock go on."""
    desk.done("/clock/resume", "the clock goes on")


@acting(app)
def adjust(
    desk: Desk,
    *,
    more: Annotated[str | None, typer.Option("--more", metavar="TIME", help="Minutes, or 2:30.")] = None,
    less: Annotated[str | None, typer.Option("--less", metavar="TIME", help="Minutes, or 2:30.")] = None,
) -> None:
    """Give the whole round more time, or less."""
    if (more is None) == (less is None):
        raise typer.BadParameter("say --more TIME or --less TIME, such as --more 5 or --less 2:30")
    seconds = _seconds(more) if more is not None else -_seconds(less or "")
    receipt = desk.do("/clock/adjust", {"seconds": seconds})
    desk.tell(receipt, f"round {receipt['fact']['round']} lasts {spelled(receipt['fact']['length_s'])}")


@acting(app)
def extend(
    desk: Desk,
    table: Annotated[int, typer.Argument(min=1, metavar="TABLE", help="Of the round that is played.")],
    minutes: Annotated[int, typer.Argument(min=1, metavar="MINUTES", help="How many.")],
    *,
    less: Annotated[bool, typer.Option("--less", help="Take them away again.")] = False,
) -> None:
    """Give one table more time. There has to be a --reason."""
    desk.explained()
    receipt = desk.do("/clock/extend", {"table": table, "minutes": -minutes if less else minutes})
    desk.tell(receipt, f"table {table} has {receipt['fact']['extra_minutes']} extra minutes")


def _seconds(text: str) -> int:
    found = _TIME.fullmatch(text)
    if found is None or int(found[2] or 0) >= _MINUTE:
        raise typer.BadParameter(f"{text!r} is no time; write minutes, such as 5, or 2:30")
    return _MINUTE * int(found[1]) + int(found[2] or 0)
