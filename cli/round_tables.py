"""`deckproof round list`, `show`, `missing`: tables and what is still missing."""

from collections import Counter
from typing import Annotated, Any

import typer

from cli import asking, output
from cli.desk import USUAL_PAUSE, Desk, Every, Watch, looking
from cli.errors import Refused
from cli.reports import named, players_of, score_of
from cli.times import time_left
from tournament.domain.amounts import counted
from tournament.domain.model import place_by_player

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
        several = any(one.get("others") for one in playing)
        rows = [
            (str(one["table"]), *_who(one, names, several=several), _extra(one["extra_minutes"])) for one in playing
        ]
        title = f"Round {number}: not reported by {len(playing)} of {counted(document['tables'], 'table')}"
        if document["clock"] is not None and playing:
            title += f"; {time_left(document['clock'], desk.server.now)}"
        columns = ("table", "players", "") if several else ("table", "no.", "player", "no. ", "opponent", "")
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
    several = any(seat.get("others") for seat in seats)
    rows = [row for seat in seats for row in (_chairs(seat, names) if several else [_row(seat, names)])]
    state = "draft" if document["published_at"] is None else "playing" if document["closed_at"] is None else "closed"
    columns = (
        ("table", "no.", "player", "place") if several else ("table", "no.", "player", "no. ", "opponent", "result")
    )
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


def _chairs(seat: dict[str, Any], names: dict[int, str]) -> list[tuple[str, ...]]:
    """A table of several: a row for everybody there, with the place."""
    if seat["table"] is None:
        words = "awarded bye" if seat["bye"] == "awarded" else "bye"
        return [("", str(seat["first"]), names.get(seat["first"], "?"), words)]
    places = _places(seat["result"])
    table = str(seat["table"])
    return [
        (table if at == 0 else "", str(player), names.get(player, "?"), places.get(player, ""))
        for at, player in enumerate(players_of(seat))
    ]


def _places(came: dict[str, Any] | None) -> dict[int, str]:
    """The place of everybody at a table of several, marked where it is shared."""
    places = place_by_player([] if came is None else came["places"])
    sharing = Counter(places.values())
    return {player: f"{place}{'=' if sharing[place] > 1 else ''}" for player, place in places.items()}


def _who(one: dict[str, Any], names: dict[int, str], *, several: bool) -> tuple[str, ...]:
    if several:
        return (named(players_of(one), names, ", "),)
    return (str(one["first"]), names[one["first"]], str(one["second"]), names[one["second"]])


def _extra(minutes: int) -> str:
    return f"+{minutes} min" if minutes else ""


def _minute(moment: str | None) -> str:
    """A time for the eye, UTC."""
    return "-" if moment is None else moment[:16].replace("T", " ")
