"""`deckproof event create`, `show`, `edit`, …: what is announced, and who may see it."""

from collections.abc import Sequence
from textwrap import fill
from typing import Annotated, Any, Final

import typer

from cli import asking, output
from cli.desk import PAGE, Desk, Fields, acting, fields_of, finding, given, looking, making
from cli.screen import plain_text

app = asking.new_app()

_LONGEST: Final = 60
"""Characters of a value in a table."""
_LINE: Final = 79
_NOTHING: Final = "-"

Name = Annotated[str | None, typer.Option("--name", help="What it is called.")]
Rounds = Annotated[int | None, typer.Option("--rounds", min=1, help="Swiss rounds.  [default: by the table]")]
StartsAt = Annotated[
    str | None,
    typer.Option("--starts-at", metavar="TIME", help="By the clock of the time zone, such as 2027-03-07T10:00."),
]
TimeZone = Annotated[
    str | None, typer.Option("--time-zone", metavar="NAME", help="Of the venue, such as Europe/Berlin.  [default: UTC]")
]
Capacity = Annotated[int | None, typer.Option("--capacity", min=2, help="Most players.  [default: any number]")]


@making(app)
def create(
    desk: Desk,
    name: Annotated[str, typer.Argument(metavar="NAME", help="What the event is called.")],
    *,
    game: asking.Game = None,
    template: Annotated[
        str | None, typer.Option("--template", metavar="NAME", help="What it announces; see `event templates`.")
    ] = None,
    preset: Annotated[str | None, typer.Option("--preset", help="How standings are computed.")] = None,
    best_of: Annotated[int | None, typer.Option("--best-of", help="Games of a match: 1, 3 or 5.")] = None,
    rounds: Rounds = None,
    capacity: Capacity = None,
    starts_at: StartsAt = None,
    time_zone: TimeZone = None,
    fields: Fields = None,
    use: Annotated[bool, typer.Option("--use", help="Make it the event that commands are about.")] = False,
) -> None:
    """Announce an event; you become its organizer."""
    announced: dict[str, object] = {"name": name}
    announced |= given(template=template) if template else {"game": asking.settings().game}
    announced |= given(game=game, preset=preset, best_of=best_of, rounds=rounds, capacity=capacity)
    announced |= given(starts_at=starts_at, time_zone=time_zone) | fields_of(fields)
    receipt = desk.give("/events", announced)
    if use:
        desk.use(receipt["event"])
    desk.tell(receipt, f"event {receipt['event']} is made: {name}")
    if not (use or desk.as_json):
        output.print_note(f"`deckproof event use {receipt['event']}` makes it the one that commands are about.")


@finding(app)
def templates(
    desk: Desk,
    name: Annotated[str | None, typer.Argument(metavar="NAME", help="One of them, with all that it announces.")] = None,
) -> None:
    """What events of a game usually announce, for `event create --template`."""
    found = desk.get("/templates").document["templates"]
    if name is not None:
        found = [one for one in found if one["name"] == name]
        if not found:
            raise typer.BadParameter(f"there is no template {name!r}; `deckproof event templates` lists them")
    if desk.as_json:
        output.print_json({"templates": found})
    elif name is None:
        rows = [(one["name"], f"{one['title']}. {one['words']}") for one in found]
        output.print_table(("template", "is"), rows)
    else:
        fields = [(field, shown(value)) for field, value in found[0]["announced"].items()]
        output.print_table(("field", "value"), fields, title=found[0]["title"])
        output.print_text(found[0]["words"])


@acting(app)
def clone(
    desk: Desk,
    *,
    name: Annotated[str | None, typer.Option("--name", help="[default: as before]")] = None,
    starts_at: Annotated[
        str | None,
        typer.Option("--starts-at", metavar="TIME", help="By the venue's clock; every other time moves with it."),
    ] = None,
    use: Annotated[bool, typer.Option("--use", help="Make it the event that commands are about.")] = False,
) -> None:
    """Announce the same again, as a draft with a draw of its own; you become its organizer."""
    receipt = desk.do("/clone", given(name=name, starts_at=starts_at))
    if use:
        desk.use(receipt["event"])
    desk.tell(receipt, f"event {receipt['event']} is made: {receipt['fact']['name']}")


@finding(app, "list")
def list_events(
    desk: Desk, *, limit: Annotated[int, typer.Option("--limit", min=1, help="How many, the newest first.")] = PAGE
) -> None:
    """Published events, and those where you are staff."""
    events = desk.newest("/events", "events", limit)
    if desk.as_json:
        output.print_json({"events": events})
        return
    rows = [(event["id"], plain_text(event["name"]), event["game"], event["phase"]) for event in events]
    output.print_table(("event", "name", "game", "phase"), rows)


@looking(app)
def show(
    desk: Desk,
    which: Annotated[str | None, typer.Argument(metavar="EVENT", help="Instead of --event.")] = None,
) -> None:
    """What was announced, and where the event stands."""
    desk.event = which or desk.event
    document = desk.read()
    if desk.as_json:
        output.print_json(document)
        return
    told_below = {"name", "actions", "may_change", "sanction"}
    rows = [(name, shown(value)) for name, value in document.items() if name not in told_below]
    empty = [name for name, value in rows if value == _NOTHING]
    output.print_table(
        ("field", "value"), [row for row in rows if row[1] != _NOTHING], title=plain_text(document["name"])
    )
    _print_words("not set", empty)
    if document["ownership"] != "none":
        sanction = document["sanction"]
        output.print_text(f"sanctioned: {sanction['sanctioned']}")
        for condition in sanction["conditions"]:
            output.print_text(plain_text(f"  {condition['name']}: {condition['met']}; {condition['words']}"))
    _print_words("may be changed now", document["may_change"])
    _print_words("may be done now", document["actions"])


@finding(app)
def use(
    desk: Desk,
    event: Annotated[str | None, typer.Argument(metavar="EVENT", help="Its id.  [default: say which it is]")] = None,
) -> None:
    """Say once which event commands are about."""
    desk.event = event or desk.event
    document = desk.read()
    if event is not None:
        desk.use(event)
    if desk.as_json:
        output.print_json({"event": document["id"], "name": document["name"], "server": desk.server.url})
    else:
        output.print_text(f"commands are about event {document['id']}, {plain_text(document['name'])}")


@acting(app)
def edit(
    desk: Desk,
    *,
    name: Name = None,
    rounds: Rounds = None,
    capacity: Capacity = None,
    starts_at: StartsAt = None,
    time_zone: TimeZone = None,
    fields: Fields = None,
) -> None:
    """Change what was announced; what is not named stays."""
    named = given(name=name, rounds=rounds, capacity=capacity, starts_at=starts_at, time_zone=time_zone)
    named |= fields_of(fields)
    if not named:
        raise typer.BadParameter(
            "nothing to change: give --name, --rounds, --capacity, --starts-at, --time-zone or --set"
        )
    desk.tell(desk.do("", named, method="PATCH"), f"changed: {', '.join(named)}")


@acting(app)
def code(
    desk: Desk, *, renew: Annotated[bool, typer.Option("--renew", help="Make the code worthless first.")] = False
) -> None:
    """The code that players need to enter, where `registration` is `code`."""
    if renew:
        desk.do("/registration/code")
    document = desk.read("/registration/code")
    if desk.as_json:
        output.print_json(document)
    else:
        output.print_text(document["code"])


@looking(app)
def edits(desk: Desk) -> None:
    """What was changed in the announcement, by whom, before and after."""
    found = desk.pages("/edits", "edits")
    if desk.as_json:
        output.print_json({"edits": found})
        return
    rows = [
        (
            str(edit["sequence"]),
            plain_text(edit["actor"]),
            field,
            *(_short(shown(change[at])) for at in ("before", "after")),
        )
        for edit in found
        for field, change in edit["changes"].items()
    ]
    output.print_table(("row", "who", "field", "before", "after"), rows, numbers=("row",))


@acting(app)
def publish(desk: Desk) -> None:
    """Let everybody see the event."""
    desk.done("/publish", "everybody can see the event")


@acting(app)
def unpublish(desk: Desk) -> None:
    """Hide the event again, as long as nobody has entered."""
    desk.done("/unpublish", "only staff can see the event")


@acting(app)
def archive(desk: Desk) -> None:
    """Put the event away, when it is over or never began: it is listed only on request."""
    desk.done("/archive", "the event is put away")


@acting(app)
def unarchive(desk: Desk) -> None:
    """List the event again."""
    desk.done("/unarchive", "the event is listed again")


def shown(value: Any) -> str:  # noqa: ANN401 - any JSON
    """A field for the eye."""
    if value is None or value in ("", []):
        return _NOTHING
    if isinstance(value, bool):
        return "yes" if value else "no"
    return plain_text(value if isinstance(value, str) else str(value))


def _print_words(head: str, words: Sequence[str]) -> None:
    """Words after one another, in lines that fit."""
    said = f"{head}: {', '.join(words) or 'nothing'}"
    output.print_text(fill(plain_text(said), _LINE, subsequent_indent="  ", break_on_hyphens=False))


def _short(text: str) -> str:
    return text if len(text) <= _LONGEST else f"{text[:_LONGEST]}…"
