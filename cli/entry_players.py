"""`deckproof entry add`, `list`, `edit`, `drop`, …: players, one by one."""

from collections.abc import Mapping
from typing import Annotated, Any, Final

import typer

from cli import asking, output
from cli.desk import Desk, Number, acting, given, looking
from cli.reports import players_of
from cli.screen import plain_text
from cli.several import Several, one_each, texts_of

app = asking.new_app()

_TWO: Final = 2
"""Players of a table that is no pod."""

Numbers = Annotated[list[str], typer.Argument(metavar="NUMBER", help="Of players; - reads a number from each line.")]


@acting(app)
def add(
    desk: Desk,
    names: Annotated[list[str], typer.Argument(metavar="NAME", help="One or more; - reads a name from each line.")],
    *,
    table: Annotated[int | None, typer.Option("--table", min=1, help="A fixed table, for who needs one.")] = None,
    byes: Annotated[int, typer.Option("--byes", min=0, max=3, help="Awarded byes, from round 1.")] = 0,
) -> None:
    """Enter players; once rounds are played, from the next one on."""
    asked = {"awarded_byes": byes} | ({} if table is None else {"fixed_table": table})
    several = Several(desk)
    for at, name in enumerate(texts_of(names)):
        with several.trying(name):
            receipt = desk.do("/entries", {"name": name, **asked}, step=f"/{at}" if at else "")
            fact = receipt["fact"]
            several.add(receipt, f"{name} is number {fact['entry']}{', and waits' if fact['waiting'] else ''}")
    several.end()


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
            _state(entry),
            "legal" if entry["deck"] else "-",
            "-" if entry["fixed_table"] is None else str(entry["fixed_table"]),
            str(entry["awarded_byes"] or "-"),
        )
        for entry in entries
    ]
    columns = ("no.", "player", "from", "state", "list", "table", "byes")
    output.print_table(columns, rows, numbers=("no.", "table", "byes"))


@looking(app)
def show(desk: Desk, number: Number) -> None:
    """A player."""

    def draw(entry: Any) -> None:  # noqa: ANN401 - any JSON
        rows = [(field, plain_text(_shown(value))) for field, value in entry.items() if field != "name"]
        output.print_table(("field", "value"), rows, title=plain_text(entry["name"]))

    desk.listed(f"/entries/{number}", draw)


@acting(app)
def edit(
    desk: Desk,
    number: Number,
    *,
    name: Annotated[str | None, typer.Option("--name", help="The right name.")] = None,
    table: Annotated[int | None, typer.Option("--table", min=0, help="A fixed table; 0 takes it away.")] = None,
    byes: Annotated[int | None, typer.Option("--byes", min=0, max=3, help="Awarded byes, before round 1.")] = None,
) -> None:
    """Correct an entry; what is not named stays."""
    named = given(name=name, awarded_byes=byes) | ({} if table is None else {"fixed_table": table or None})
    if not named:
        raise typer.BadParameter("nothing to change: give --name, --table or --byes")
    receipt = desk.do(f"/entries/{number}", named, method="PATCH")
    fixed = receipt["fact"]["fixed_table"]
    said = ([f"is {name}"] if name else []) + ([f"has the fixed table {fixed}"] if fixed else [])
    desk.tell(receipt, f"number {number} {' and '.join(said) or 'is corrected'}")


@acting(app)
def drop(desk: Desk, numbers: Numbers) -> None:
    """Players leave: they are not paired again, and keep their results."""
    one_each(desk, numbers, "/entries/{}/drop", "{} has left")
    if not desk.as_json:
        _print_open_tables(desk)


@acting(app, "return")
def return_(
    desk: Desk,
    numbers: Numbers,
    *,
    even_so: Annotated[bool, typer.Option("--even-so", help="Beyond the capacity; for organizers.")] = False,
) -> None:
    """Players are back, from the next round on; where no place is free, they wait for one."""
    one_each(desk, numbers, "/entries/{}/return", _back, {"even_so": True} if even_so else {})


def _back(who: str, fact: Mapping[str, Any]) -> str:
    """What became of somebody who wants to play again."""
    return f"{who} waits for a place" if fact["waiting"] else f"{who} is back"


def _print_open_tables(desk: Desk) -> None:
    """Who left while a round is played has a table all the same, until it is reported or the round is mended."""
    playing = [one for one in desk.read("/rounds")["rounds"] if one["published_at"] and not one["closed_at"]]
    if not playing:
        return
    number = playing[0]["number"]
    left = {entry["number"] for entry in desk.pages("/entries", "entries") if entry["dropped_after"] is not None}
    for seat in desk.read(f"/rounds/{number}/missing")["missing"]:
        seated = players_of(seat)
        for player in sorted({*seated} & left):
            lost = "0-2" if player == seat["first"] else "2-0"
            such = f", such as `deckproof event report {seat['table']} {lost} no-show`" if len(seated) == _TWO else ""
            output.print_note(
                f"number {player} still sits at table {seat['table']} of round {number}: report what was played{such}, "
                f"or, if nothing was, see `deckproof round ways --leaves {player}`"
            )


@acting(app)
def promote(desk: Desk, number: Number) -> None:
    """Give a free place to a player who waits, whoever else waits longer."""
    desk.done(f"/entries/{number}/promote", f"{_who(desk, number)} has a place")


@acting(app)
def disqualify(desk: Desk, number: Number) -> None:
    """The player is out, and out of the standings; a match that is running is lost. There has to be a --reason."""
    desk.explained()
    desk.done(f"/entries/{number}/disqualify", f"{_who(desk, number)} is disqualified")


@acting(app)
def reinstate(desk: Desk, number: Number) -> None:
    """Take a disqualification back: the player has dropped, and may return. There has to be a --reason."""
    desk.explained()
    desk.done(f"/entries/{number}/reinstate", f"{_who(desk, number)} is disqualified no more, and may return")


@looking(app)
def alike(desk: Desk) -> None:
    """Entries that may be of one person: to be merged, or left as they are."""

    def draw(document: Any) -> None:  # noqa: ANN401 - any JSON
        for group in document["groups"]:
            output.print_text(", ".join(f"{plain_text(one['name'])} ({one['number']})" for one in group))
        if not document["groups"]:
            output.print_text("no two names are the same")

    desk.listed("/entries/alike", draw)


@acting(app)
def merge(
    desk: Desk,
    number: Number,
    void: Annotated[int, typer.Argument(min=1, metavar="OTHER", help="Of the same person; it has not played.")],
) -> None:
    """Make another entry of the same person a part of this one."""
    desk.done(f"/entries/{number}/merge", f"number {void} is part of number {number} now", {"void": void})


@acting(app)
def apart(
    desk: Desk,
    numbers: Annotated[
        list[int] | None, typer.Argument(min=1, metavar="NUMBER", help="Two players. None: who is kept apart by now.")
    ] = None,
    *,
    no_longer: Annotated[bool, typer.Option("--no-longer", help="Let them meet again.")] = False,
) -> None:
    """Keep two players apart: a family, a club. They meet only if no round can do without it."""
    if not numbers:
        names = {} if desk.as_json else desk.names()
        desk.listed("/apart", lambda document: _print_pairs(document, names))
        return
    if len(numbers) != 2:  # noqa: PLR2004 - a pair
        raise typer.BadParameter("name two players; a larger group is kept apart by an import")
    one, other = numbers
    how = "may meet again" if no_longer else "are kept apart"
    rest = "/apart/remove" if no_longer else "/apart"
    desk.done(rest, f"numbers {one} and {other} {how}", {"one": one, "other": other})


def _print_pairs(document: Any, names: dict[int, str]) -> None:  # noqa: ANN401 - any JSON
    rows = [
        (str(pair["one"]), names[pair["one"]], str(pair["other"]), names[pair["other"]]) for pair in document["pairs"]
    ]
    output.print_table(("no.", "player", "no. ", "kept apart from"), rows, numbers=("no.", "no. "))


def _who(desk: Desk, number: int) -> str:
    return f"number {number}" if desk.as_json else desk.who(number)


def _shown(value: object) -> str:
    if isinstance(value, bool):
        return "yes" if value else "no"
    return "-" if value is None else str(value)


def _since(entered_in: int) -> str:
    return "start" if entered_in == 1 else f"round {entered_in}"


def _state(entry: Any) -> str:  # noqa: ANN401 - any JSON
    """Whether the player is here, waits, or is gone."""
    if entry["merged_into"] is not None:
        return f"part of {entry['merged_into']}"
    dropped_after = entry["dropped_after"]
    if dropped_after is not None:
        when = f"after round {dropped_after}" if dropped_after else "before round 1"
        return f"{'disqualified' if entry['disqualified'] else 'left'} {when}"
    if entry["waiting"]:
        return "waits, here" if entry["checked_in"] else "waits"
    return "here" if entry["checked_in"] else "-"
