"""`deckproof series …`: points over several events."""

from typing import Annotated, Any, Final, Literal
from urllib.parse import quote

import typer

from cli import asking, output
from cli.desk import PAGE, Desk, Fields, asked_with, changing, fields_of, finding, given
from cli.screen import plain_text
from tournament.domain.amounts import counted

app = asking.new_app(no_args_is_help=True)

_WIDEST: Final = 60
Series = Annotated[str, typer.Argument(metavar="SERIES", help="Its id.")]
Event = Annotated[str, typer.Argument(metavar="EVENT", help="The id of an event.")]
Account = Annotated[str, typer.Argument(metavar="ACCOUNT", help="The name of an account.")]
Game = Annotated[str | None, typer.Option("--game", help="Of all its events.  [default: any]")]
Verdict = Literal["one-person", "not-the-same", "by-name"]


@app.callback()
def _series() -> None:
    """A series: points over several events."""


@changing(app)
def create(
    desk: Desk,
    name: Annotated[str, typer.Argument(metavar="NAME", help="What it is called.")],
    *,
    game: Game = None,
    fields: Fields = None,
) -> None:
    """Announce a series; you become its organizer. How events give points is --set points='{…}'."""
    receipt = desk.give("/series", {"name": name} | given(game=game) | fields_of(fields))
    desk.tell(receipt, f"series {receipt['event']} is made: {name}")


@finding(app, "list")
def list_series(
    desk: Desk,
    *,
    archived: Annotated[bool, typer.Option("--archived", help="Those that were put away.")] = False,
    limit: Annotated[int, typer.Option("--limit", min=1, help="How many, the newest first.")] = PAGE,
) -> None:
    """Published series, and those that you organize."""
    found = desk.newest("/series", "series", limit, archived="true" if archived else None)
    if desk.as_json:
        output.print_json({"series": found})
        return
    rows = [(one["id"], plain_text(one["name"]), one["game"] or "any", str(len(one["events"]))) for one in found]
    output.print_table(("series", "name", "game", "events"), rows, numbers=("events",))


@finding(app)
def show(desk: Desk, series: Series) -> None:
    """A series: its events, and how they give points."""
    document = desk.get(_path(series)).document
    if desk.as_json:
        output.print_json(document)
        return
    output.print_styled(plain_text(document["name"]), "bold")
    if document["description"]:
        output.print_text("\n".join(map(plain_text, document["description"].split("\n"))))
    for name, value in document["points"].items():
        output.print_text(f"{name}: {plain_text(str(value))}")
    rows = [(one["event"], one["multiplier"]) for one in document["events"]]
    output.print_table(("event", "times"), rows)


@changing(app)
def edit(
    desk: Desk,
    series: Series,
    *,
    name: Annotated[str | None, typer.Option("--name", help="What it is called.")] = None,
    fields: Fields = None,
) -> None:
    """Change a series; what is not named stays."""
    named = given(name=name) | fields_of(fields)
    if not named:
        raise typer.BadParameter("nothing to change: give --name or --set")
    desk.tell(desk.give(_path(series), named, method="PATCH"), f"changed: {', '.join(named)}")


@changing(app)
def publish(desk: Desk, series: Series) -> None:
    """Let everybody see the series."""
    desk.tell(desk.give(_path(series, "/publish")), "everybody can see the series")


@changing(app)
def archive(desk: Desk, series: Series) -> None:
    """Put the series away: it is listed only on request."""
    desk.tell(desk.give(_path(series, "/archive")), "the series is put away")


@changing(app)
def unarchive(desk: Desk, series: Series) -> None:
    """List the series again."""
    desk.tell(desk.give(_path(series, "/unarchive")), "the series is listed again")


@changing(app)
def put(
    desk: Desk,
    series: Series,
    event: Event,
    *,
    multiplier: Annotated[str, typer.Option("--times", metavar="NUMBER", help="What its points are times.")] = "1",
) -> None:
    """Put an event in, or weigh it anew. You are an organizer of both."""
    receipt = desk.give(_path(series, "/events"), {"event": event, "multiplier": multiplier})
    desk.tell(receipt, f"event {event} counts {receipt['fact']['multiplier']} times")


@changing(app)
def take(desk: Desk, series: Series, event: Event) -> None:
    """Take an event out. You are an organizer of both."""
    receipt = desk.give(_path(series, f"/events/{quote(event, safe='')}/take"))
    desk.tell(receipt, f"event {event} is in the series no more")


@finding(app)
def standings(desk: Desk, series: Series) -> None:
    """The table over the finished events, and names that may be one person or several."""
    document = desk.get(_path(series, "/standings")).document
    if desk.as_json:
        output.print_json(document)
        return
    rows = [
        (str(line["place"]), plain_text(line["name"]), line["points"], _counting(line))
        for line in document["standings"]
    ]
    counting = sum(one["counts"] for one in document["events"])
    title = f"{document['series']}: {counting} of {counted(len(document['events']), 'event')} finished"
    columns = ("place", "player", "points", "events")
    output.print_table(columns, rows, title=title, numbers=("place", "points", "events"))
    for one in document["ambiguous"]:
        persons = [" = ".join(f"{at['event']}:{at['entry']}" for at in person) for person in one["persons"]]
        output.print_text(plain_text(f"one person or several? {', '.join(one['names'])}: {'; '.join(persons)}"))


@finding(app)
def organizers(desk: Desk, series: Series) -> None:
    """Who organizes the series. For them."""
    document = desk.get(_path(series, "/organizers")).document
    if desk.as_json:
        output.print_json(document)
    else:
        output.print_text("\n".join(map(plain_text, document["organizers"])))


@changing(app)
def grant(desk: Desk, series: Series, account: Account) -> None:
    """Make somebody an organizer of the series."""
    desk.tell(desk.give(_path(series, "/organizers"), {"account": account}), f"{account} organizes the series")


@changing(app)
def revoke(desk: Desk, series: Series, account: Account) -> None:
    """The account organizes the series no more."""
    receipt = desk.give(_path(series, "/organizers/revoke"), {"account": account})
    desk.tell(receipt, f"{account} organizes the series no more")


@changing(app)
def people(
    desk: Desk,
    series: Series,
    verdict: Annotated[Verdict, typer.Argument(metavar="VERDICT", help="one-person, not-the-same or by-name.")],
    entries: Annotated[
        list[str], typer.Argument(metavar="EVENT:NUMBER", help="Two entries or more, as `series standings` has them.")
    ],
) -> None:
    """Say that entries of several events are one person, or that they are not, or leave it to their names again."""
    asked = {"entries": list(map(_entry, entries)), "verdict": verdict.replace("-", " ")}
    receipt = desk.give(_path(series, "/people"), asked)
    desk.tell(receipt, f"{counted(len(entries), 'entry', 'entries')}: {asked['verdict']}")


@finding(app)
def log(
    desk: Desk,
    series: Series,
    *,
    check: Annotated[bool, typer.Option("--check", help="Only say whether it holds.")] = False,
) -> None:
    """Who did what, when and why. For organizers."""
    if check:
        from cli.exits import Exit  # noqa: PLC0415 - only here

        found = desk.get(_path(series, "/log/check")).document
        if desk.as_json:
            output.print_json(found)
        else:
            for one in (*found["breaks"], *found["differences"]):
                output.print_text(plain_text(one))
            output.print_text(f"the log {'holds' if found['holds'] else 'does not hold'}, as the server says")
        raise typer.Exit(Exit.DONE if found["holds"] else Exit.NO)
    receipts = _receipts(desk, series)
    if desk.as_json:
        output.print_json({"receipts": receipts})
        return
    rows = [
        (str(one["sequence"]), one["at"][:16].replace("T", " "), plain_text(one["actor"]), one["name"], _said(one))
        for one in receipts
    ]
    output.print_table(("row", "at (UTC)", "who", "command", "what"), rows, numbers=("row",))


def _receipts(desk: Desk, series: str) -> list[Any]:
    found: list[Any] = []
    after: int | None = 0
    while after is not None:
        page = desk.get(_path(series, "/log") + asked_with({"after": after})).document
        found += page["receipts"]
        after = page["next"]
    return found


def _path(series: str, rest: str = "") -> str:
    return f"/series/{quote(series, safe='')}{rest}"


def _entry(text: str) -> dict[str, object]:
    event, mark, number = text.rpartition(":")
    if not (mark and event and number.isascii() and number.isdigit()):
        raise typer.BadParameter(f"{text!r}: write an event and a number, such as k3v7qzj2m5xa:17")
    return {"event": event, "entry": int(number)}


def _counting(line: Any) -> str:  # noqa: ANN401 - any JSON
    return f"{sum(one['counted'] for one in line['contributions'])} of {len(line['contributions'])}"


def _said(receipt: Any) -> str:  # noqa: ANN401 - any JSON
    said = " ".join(f"{name}={value}" for name, value in receipt["arguments"].items() if value is not None)
    text = plain_text(said)
    return text if len(text) <= _WIDEST else f"{text[:_WIDEST]}…"
