"""`deckproof deck-check …`: which decks are checked, and what came of it."""

from typing import Annotated, Any

import typer

from cli import asking, output
from cli.desk import Desk, acting, given, looking
from cli.reports import named, players_of
from cli.screen import plain_text
from cli.times import given_time
from tournament.domain.amounts import counted

app = asking.new_app(no_args_is_help=True)

Number = Annotated[int, typer.Argument(min=1, metavar="CHECK", help="As the list has it.")]
Problem = Annotated[str | None, typer.Option("--problem", metavar="TEXT", help="What was wrong.  [default: nothing]")]
Text = Annotated[str | None, typer.Option("--text", metavar="TEXT", help="Words for staff, where nothing was wrong.")]
Penalties = Annotated[
    list[int] | None,
    typer.Option("--penalty", min=1, metavar="N", help="A penalty that came out of it; several times."),
]


@app.callback()
def _deck_checks() -> None:
    """Deck checks: draw tables or choose one, start, finish, amend, call off, list."""


@acting(app)
def draw(
    desk: Desk,
    tables: Annotated[int, typer.Argument(min=1, metavar="TABLES", help="How many.")],
    *,
    top: Annotated[
        int | None, typer.Option("--top", min=1, metavar="N", help="Only where one of the best so many plays.")
    ] = None,
    again: Annotated[bool, typer.Option("--again", help="Also players whose deck was checked before.")] = False,
) -> None:
    """Draw tables of the running round by the public draw."""
    receipt = desk.do("/deck-checks/draw", {"tables": tables, "again": again} | given(top=top))
    checks = receipt["fact"]["checks"]
    if not desk.as_json:
        names = desk.names()
        for one in checks:
            who = named(players_of(one), names, " and ")
            output.print_text(f"deck check {one['deck_check']}: table {one['table']}, {who}")
    desk.tell(receipt, f"{counted(len(checks), 'table')} drawn; tell players nothing")


@acting(app)
def choose(
    desk: Desk,
    table: Annotated[int | None, typer.Argument(min=1, metavar="TABLE", help="Of the round that is played.")] = None,
    *,
    match: Annotated[str | None, typer.Option("--match", metavar="MATCH", help="Of the cut, such as M1.2.")] = None,
) -> None:
    """Check a table of your choice, or a match of the cut. There has to be a --reason."""
    desk.explained()
    if (table is None) == (match is None):
        raise typer.BadParameter("name a table, or a match of the cut with --match")
    receipt = desk.do("/deck-checks", given(table=table, match=match))
    where = f"match {match}" if match else f"table {table}"
    desk.tell(receipt, f"deck check {receipt['fact']['deck_check']}: {where}")


@looking(app, "list")
def list_deck_checks(
    desk: Desk,
    *,
    number: Annotated[int | None, typer.Option("--round", min=1, metavar="N", help="Of this round only.")] = None,
) -> None:
    """Deck checks; --json has the draws too, which everybody sees once the event is finished."""
    desk.listed("/deck-checks", lambda document: print_deck_checks(document["checks"]), round=number)


@acting(app)
def start(desk: Desk, number: Number) -> None:
    """You have the decks; from now on the table's time runs."""
    desk.done(f"/deck-checks/{number}/start", f"deck check {number} has begun")


@acting(app)
def finish(
    desk: Desk,
    number: Number,
    *,
    problem: Problem = None,
    text: Text = None,
    penalty: Penalties = None,
    minutes: Annotated[
        int | None, typer.Option("--minutes", min=0, metavar="N", help="More time.  [default: what it took, and 3]")
    ] = None,
) -> None:
    """The decks are back; the table gets the time that it took, and 3 minutes to shuffle."""
    receipt = desk.do(f"/deck-checks/{number}/finish", _findings(problem, text, penalty) | given(minutes=minutes))
    fact = receipt["fact"]
    desk.tell(receipt, f"deck check {number}: {fact['result']}; {given_time(fact)}")


@acting(app)
def amend(desk: Desk, number: Number, *, problem: Problem = None, text: Text = None, penalty: Penalties = None) -> None:
    """Change what a finished deck check found. There has to be a --reason."""
    desk.explained()
    receipt = desk.do(f"/deck-checks/{number}/findings", _findings(problem, text, penalty), method="PUT")
    desk.tell(receipt, f"deck check {number}: {receipt['fact']['result']}")


@acting(app, "call-off")
def call_off(desk: Desk, number: Number) -> None:
    """The check is not made, or not to its end. There has to be a --reason."""
    desk.explained()
    desk.done(f"/deck-checks/{number}/call-off", f"deck check {number} is called off")


def print_deck_checks(checks: list[Any]) -> None:
    """Deck checks, a line each."""
    rows = [
        (
            str(one["number"]),
            str(one["round"]),
            str(one["match"] or one["table"]),
            "drawn" if one["drawn"] is not None else plain_text(one["why"]),
            _state(one),
            plain_text(one["text"]),
        )
        for one in checks
    ]
    if rows:
        columns = ("check", "round", "table", "why", "result", "found")
        output.print_table(columns, rows, numbers=("check", "round", "table"))
    output.print_text(counted(len(rows), "deck check"))


def _findings(problem: str | None, text: str | None, penalties: list[int] | None) -> dict[str, object]:
    if problem is not None and text is not None:
        raise typer.BadParameter("--problem says what was wrong; --text is for a check where nothing was")
    return {"problem": problem is not None, "text": problem or text or "", "penalties": penalties or []}


def _state(one: Any) -> str:  # noqa: ANN401 - any JSON
    if one["result"]:
        return str(one["result"])
    return plain_text(f"begun by {one['started_by']}") if one["started_by"] else "to be made"
