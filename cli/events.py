"""`deckproof event …`: announce, open, pair, report, finish, export, import."""

from json import dumps
from pathlib import Path
from typing import Annotated, Any, Final

import typer

from cli import asking, logins, output
from cli.brackets import print_bracket, print_places, print_seeds
from cli.desk import USUAL_PAUSE, Desk, Every, Fields, Watch, acting, asked_with, fields_of, finding, looking, making
from cli.errors import Refused
from cli.reports import Report, reports_from, said_of
from cli.rounds import last_published, print_round
from cli.screen import plain_text

app = asking.new_app(no_args_is_help=True)

PAGE: Final = 50
_DECIMALS: Final = 4
_CAME: Final = {"event.adopt": "is here, with its log", "event.import": "is here, as a new event"}

Reported = Annotated[
    list[str] | None,
    typer.Argument(metavar="REPORT", help="12 2-1, or several: 12 2-1 13 draw. None: lines of standard input."),
]
Round = Annotated[int | None, typer.Option("--round", min=1, metavar="N", help="[default: the last published one]")]
Name = Annotated[str | None, typer.Option("--name", help="What it is called.")]
Rounds = Annotated[int | None, typer.Option("--rounds", min=1, help="Swiss rounds.  [default: by the table]")]
Capacity = Annotated[int | None, typer.Option("--capacity", min=2, help="Most players.  [default: any number]")]


@app.callback()
def _events() -> None:
    """An event on a server: announce, open, pair, report, finish, export, import."""


# --- which event ------------------------------------------------------------------------------------------------------


@making(app)
def create(
    desk: Desk,
    name: Annotated[str, typer.Argument(metavar="NAME", help="What the event is called.")],
    *,
    game: asking.Game = None,
    preset: Annotated[str | None, typer.Option("--preset", help="How standings are computed.")] = None,
    best_of: Annotated[int | None, typer.Option("--best-of", help="Games of a match: 1, 3 or 5.")] = None,
    rounds: Rounds = None,
    capacity: Capacity = None,
    fields: Fields = None,
    use: Annotated[bool, typer.Option("--use", help="Make it the event that commands are about.")] = False,
) -> None:
    """Announce an event; you become its organizer."""
    announced: dict[str, object] = {"name": name, "game": game or asking.settings().game}
    announced |= _given(preset=preset, best_of=best_of, rounds=rounds, capacity=capacity) | fields_of(fields)
    receipt = desk.give("/events", announced)
    if use:
        _use(desk, receipt["event"])
    desk.tell(receipt, f"event {receipt['event']} is made: {name}")
    if not (use or desk.as_json):
        output.print_note(f"`deckproof event use {receipt['event']}` makes it the one that commands are about.")


@finding(app, "list")
def list_events(
    desk: Desk, *, limit: Annotated[int, typer.Option("--limit", min=1, help="How many, the newest first.")] = PAGE
) -> None:
    """Published events, and those where you are staff."""
    events: list[dict[str, Any]] = []
    before: object = None
    while len(events) < limit:
        path = "/events" + asked_with({"limit": min(PAGE, limit - len(events)), "before": before})
        page = desk.get(path).document
        events += page["events"]
        before = page["next"]
        if before is None:
            break
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
    rows = [(name, _shown(value)) for name, value in document.items() if name not in {"name", "actions", "may_change"}]
    output.print_table(("field", "value"), rows, title=plain_text(document["name"]))
    output.print_text(f"may be changed now: {', '.join(document['may_change']) or 'nothing'}")
    output.print_text(f"may be done now: {', '.join(document['actions']) or 'nothing'}")


@finding(app)
def use(
    desk: Desk,
    event: Annotated[str | None, typer.Argument(metavar="EVENT", help="Its id.  [default: say which it is]")] = None,
) -> None:
    """Say once which event commands are about."""
    desk.event = event or desk.event
    document = desk.read()
    if event is not None:
        _use(desk, event)
    if desk.as_json:
        output.print_json({"event": document["id"], "name": document["name"], "server": desk.server.url})
    else:
        output.print_text(f"commands are about event {document['id']}, {plain_text(document['name'])}")


@acting(app)
def edit(
    desk: Desk, *, name: Name = None, rounds: Rounds = None, capacity: Capacity = None, fields: Fields = None
) -> None:
    """Change what was announced; what is not named stays."""
    named = _given(name=name, rounds=rounds, capacity=capacity) | fields_of(fields)
    if not named:
        raise typer.BadParameter("nothing to change: give --name, --rounds, --capacity or --set")
    desk.tell(desk.do("", named, method="PATCH"), f"changed: {', '.join(named)}")


# --- its life ---------------------------------------------------------------------------------------------------------


def _step(name: str, rest: str, help_: str, sentence: str) -> None:
    """A command that needs no words."""

    def step(desk: Desk) -> None:
        desk.tell(desk.do(rest), sentence)

    step.__doc__ = help_
    acting(app, name)(step)


_step("publish", "/publish", "Let everybody see the event.", "everybody can see the event")
_step("open", "/registration/open", "Open registration.", "registration is open")
_step("close", "/registration/close", "Close registration; check-in begins.", "registration is closed")
_step(
    "reopen", "/registration/reopen", "Back to registration; a draft of round 1 is discarded.", "registration is open"
)


@acting(app)
def pair(desk: Desk) -> None:
    """Pair the next round as a draft, which only staff see."""
    receipt = desk.do("/rounds", doing="Pairing…", slow=True)
    number = receipt["fact"]["round"]
    if not desk.as_json:
        print_round(desk, desk.read(f"/rounds/{number}"))
    desk.tell(receipt, f"round {number} is paired, and not published")


@acting(app, "publish-round")
def publish_round(desk: Desk) -> None:
    """Publish the draft: the round begins."""
    receipt = desk.do("/rounds/publish")
    desk.tell(receipt, f"round {receipt['fact']['round']} has begun")


@acting(app)
def start(desk: Desk) -> None:
    """Pair the next round and publish it at once."""
    paired = desk.do("/rounds", step="/pair", doing="Pairing…", slow=True)
    published = desk.do("/rounds/publish", step="/publish", version=paired["sequence"])
    if desk.as_json:
        output.print_json({"receipts": [paired, published]})
        return
    number = published["fact"]["round"]
    print_round(desk, desk.read(f"/rounds/{number}"))
    desk.tell(published, f"round {number} has begun")


@acting(app, "close-round")
def close_round(desk: Desk) -> None:
    """Close the round that is played; every table needs a result."""
    receipt = desk.do("/rounds/close")
    desk.tell(receipt, f"round {receipt['fact']['round']} is closed")


@acting(app, "reopen-round")
def reopen_round(desk: Desk) -> None:
    """Open the last round again; a draft of the next one is discarded."""
    receipt = desk.do("/rounds/reopen")
    desk.tell(receipt, f"round {receipt['fact']['round']} is open again")


# --- results ----------------------------------------------------------------------------------------------------------


@acting(app)
def report(desk: Desk, said: Reported = None, *, number: Round = None) -> None:
    """Report tables: deckproof event report 12 2-1.

    A table, or a match of the cut such as M1.2, and its result: 2-1, 2-1-1 with a drawn game, draw (agreed before the
    first game), double-loss, or games with how the match ended: 2-0 no-show, 2-1 concession. The same result again is
    no second report, so a list that was broken off can be sent again.
    """
    _send(desk, said, number, "POST")


@acting(app)
def correct(
    desk: Desk,
    said: Reported = None,
    *,
    number: Round = None,
    seen: Annotated[
        str | None, typer.Option("--seen", help="Of a correction in the cut that changes other matches.")
    ] = None,
) -> None:
    """Put another result in place of a wrong one, written as for `report`.

    A correction in the cut that changes other matches is refused first; the refusal names them, and what to give as
    --seen.
    """
    _send(desk, said, number, "PUT", seen)


def _send(desk: Desk, said: list[str] | None, number: int | None, method: str, seen: str | None = None) -> None:
    reports = reports_from(said)
    of_tables = any(not report.is_match for report in reports)
    number = last_published(desk) if of_tables and number is None else number
    seats, best_of = _seated(desk, number if of_tables else None, reports)
    names = {} if desk.as_json else desk.names()
    receipts: list[Any] = []
    refused: list[tuple[Report, Refused]] = []
    for report in reports:
        where, more = f"/rounds/{number}/tables/{report.place}", {}
        if report.is_match:
            where, more = f"/cut/matches/{report.place}", {"seen": seen} if seen else {}
        body = {"games": report.games(best_of), **more}
        try:
            receipt = desk.do(f"{where}/result", body, method=method, step=f"/{number}-{report.place}")
        except Refused as no:
            refused.append((report, no))
            if not desk.as_json:
                output.print_note(f"refused: {report}: {no}")
            continue
        receipts.append(receipt)
        if not desk.as_json:
            seat = receipt["fact"] if report.is_match and method == "POST" else seats.get(report.place)
            desk.tell(receipt, said_of(report, best_of, seat, names))
    if desk.as_json:
        problems = [{**no.document, "at": str(report)} for report, no in refused]
        output.print_json({"receipts": receipts, "refused": problems})
    if refused:
        from cli.exits import exit_of  # noqa: PLC0415 - only when something is wrong

        raise typer.Exit(exit_of(refused[0][1]))


def _seated(desk: Desk, number: int | None, reports: list[Report]) -> tuple[dict[str, Any], int]:
    """Who sits where, and how many games a match has where somebody agreed on a draw."""
    seats: dict[str, Any] = {}
    if number is not None and not desk.as_json:
        seats = {str(seat["table"]): seat for seat in desk.read(f"/rounds/{number}")["seats"]}
    agreed = {report.is_match for report in reports if report.is_agreed}
    if not agreed:
        return seats, 0
    return seats, desk.read("/cut" if True in agreed else "")["best_of"]


@looking(app)
def standings(
    desk: Desk,
    *,
    after: Annotated[int | None, typer.Option("--after", min=1, metavar="ROUND", help="As they were then.")] = None,
    watch: Watch = False,
    every: Every = USUAL_PAUSE,
) -> None:
    """Who stands where, after the last closed round."""
    names: dict[int, str] = {}

    def draw(document: dict[str, Any]) -> None:
        lines = document["standings"]
        if any(line["player"] not in names for line in lines):
            names.update(desk.names())
        heads = list(lines[0]["tiebreaks"]) if lines else []
        rows = [
            (
                str(line["place"]),
                str(line["player"]),
                names[line["player"]],
                str(line["match_points"]),
                *(_decimal(line["tiebreaks"][head]) for head in heads),
            )
            for line in lines
        ]
        title = f"{desk.event}: after round {document['after']} ({document['preset']})"
        columns = ("place", "no.", "player", "points", *heads)
        output.print_table(columns, rows, title=title, numbers=("place", "no.", "points", *heads))

    desk.show("/standings", draw, watch=watch, every=every, after=after)


# --- the cut ----------------------------------------------------------------------------------------------------------


@acting(app)
def cut(
    desk: Desk,
    *,
    top: Annotated[int | None, typer.Option("--top", min=2, metavar="N", help="How many play on.")] = None,
    with_ties: Annotated[bool, typer.Option("--with-ties", help="And everybody tied with the last of them.")] = False,
    points: Annotated[int | None, typer.Option("--points", min=0, help="Or: everybody with so many points.")] = None,
    fields: Fields = None,
    preview: Annotated[bool, typer.Option("--preview", help="Only say who would be in.")] = False,
) -> None:
    """Seed the best into a bracket.

    Without an option the cut is the one that was announced, else as large as the rules advise.
    """
    asked = _given(top=top, points=points) | ({"with_ties": True} if with_ties else {})
    if preview:
        seeds = desk.server.send("POST", desk.path("/cut/preview"), dumps(asked).encode()).document
        if desk.as_json:
            output.print_json(seeds)
        else:
            print_seeds(seeds, desk.names())
        return
    receipt = desk.do("/cut", asked | fields_of(fields))
    if not desk.as_json:
        print_bracket(desk.read("/cut"), desk.names())
    desk.tell(receipt, f"the cut has {len(receipt['fact']['seeds'])} players")


@looking(app)
def bracket(desk: Desk, *, watch: Watch = False, every: Every = USUAL_PAUSE) -> None:
    """The cut: its matches, and the places that are certain."""
    names = {} if desk.as_json else desk.names()
    desk.show("/cut", lambda document: print_bracket(document, names), watch=watch, every=every)


@looking(app)
def places(desk: Desk) -> None:
    """Where everybody ends: by the cut, and by the standings below it, as far as it is certain."""
    names = {} if desk.as_json else desk.names()
    desk.show("/places", lambda document: print_places(document, names), watch=False, every=USUAL_PAUSE)


# --- the end, and elsewhere -------------------------------------------------------------------------------------------


_step("finish", "/finish", "The standings are final, and the draw is published.", "the event is finished")


@acting(app)
def undo(
    desk: Desk,
    row: Annotated[int | None, typer.Argument(min=1, metavar="ROW", help="Of the log.  [default: the last]")] = None,
) -> None:
    """Take the last command back; or, if that was an undoing, have again what it took back."""
    if not desk.reason:
        raise typer.BadParameter("say why, for the log: --reason TEXT")
    row = desk.read()["version"] if row is None else row
    receipt = desk.do("/undo", {"sequence": row})
    fact = receipt["fact"]
    done = "has its effect again" if fact["again"] else "is taken back"
    desk.tell(receipt, f"row {fact['command']}, {fact['name']}, {done}")


@acting(app)
def void(desk: Desk, *, yes: Annotated[bool, typer.Option("--yes", help="Do not ask.")] = False) -> None:
    """The event does not count; nothing more can be done to it. There has to be a --reason."""
    if not desk.reason:
        raise typer.BadParameter("--reason: say why the event is called off; it is in the log")
    if not (yes or typer.confirm(f"Nothing can be done to event {desk.event} any more. Void it?", err=True)):
        raise typer.Abort
    desk.tell(desk.do("/void"), "the event is void")


@looking(app)
def export(
    desk: Desk,
    *,
    file: Annotated[
        Path | None, typer.Option("--output", "-o", metavar="FILE", help="Write there instead of standard output.")
    ] = None,
    with_log: Annotated[bool, typer.Option("--with-log", help="To check it, or to import it elsewhere.")] = False,
    without_kept: Annotated[
        bool, typer.Option("--without-kept", help="With the log, but not the names and lists beside it.")
    ] = False,
    force: Annotated[bool, typer.Option("--force", help="Replace the file if it is there.")] = False,
) -> None:
    """The event as an event file."""
    query = {"log": "true" if with_log else None, "kept": "false" if without_kept else None}
    asked = desk.path("/export") + asked_with(query)
    answer = desk.get(asked, doing="Fetching…", slow=True)
    text = answer.body.decode()
    if file is None:
        output.print_text(text.rstrip("\n"))
        return
    asking.write_whole(file, text, replace=force)
    document = answer.document
    if desk.as_json:
        summary = {"file": str(file), "players": len(document["players"]), "rounds": len(document["rounds"])}
        output.print_json({**summary, "receipts": len(document.get("log", ()))})
    else:
        output.print_text(f"Written to {file}.")


@making(app, "import")
def import_event(
    desk: Desk,
    file: Annotated[Path, typer.Argument(metavar="FILE", help="An event file; - reads standard input.")],
    *,
    origin: Annotated[str, typer.Option("--origin", metavar="TEXT", help="Where it comes from, for the log.")] = "",
    use: Annotated[bool, typer.Option("--use", help="Make it the event that commands are about.")] = False,
) -> None:
    """Make an event of a file; you become its organizer.

    A file with a log is the same event here, and goes on with its log. One without makes a new event.
    """
    from tournament.event_file import MOST_BYTES  # noqa: PLC0415 - not needed to report a result

    content = asking.source_of(file, MOST_BYTES + 1)
    query = asked_with({"origin": origin or None, "reason": desk.reason or None})
    with output.progress("Importing…"):
        answer = desk.server.command("POST", f"/events/import{query}", content, command=desk.command, slow=True)
    receipt = answer.document
    if use:
        _use(desk, receipt["event"])
    desk.tell(receipt, f"event {receipt['event']} {_CAME.get(receipt['name'], 'was here already')}")


# --- words ------------------------------------------------------------------------------------------------------------


def _given(**options: object) -> dict[str, object]:
    return {name: value for name, value in options.items() if value is not None}


def _use(desk: Desk, event: str) -> None:
    known = logins.load_logins()
    login = known.servers.setdefault(desk.server.url, logins.Login())
    login.event = event
    known.current = known.current or desk.server.url
    logins.save_logins(known)


def _shown(value: object) -> str:
    if value is None or value == "":
        return "-"
    if isinstance(value, bool):
        return "yes" if value else "no"
    return plain_text(value if isinstance(value, str) else str(value))


def _decimal(fraction: str) -> str:
    """A tiebreak for the eye; --json has it exact."""
    above, _, below = fraction.partition("/")
    return f"{int(above) / int(below or 1):.{_DECIMALS}f}"
