"""`deckproof claim …`: what players say their tables came to, and what staff make of it."""

from typing import Annotated, Any, Literal

import typer

from cli import asking, output
from cli.desk import USUAL_PAUSE, Desk, Every, Round, Watch, acting, looking
from cli.players import counted_by
from cli.reports import read_one, score_of
from cli.round_tables import last_published
from tournament.domain.amounts import counted

app = asking.new_app(no_args_is_help=True)

Games = Annotated[
    list[str], typer.Argument(metavar="GAMES", help="Yours first: 2-1, 1-1-1, draw; with --conceded those until then.")
]
Party = Literal["me", "opponent"]


@app.callback()
def _claims() -> None:
    """Players' reports: claim, confirm, withdraw; for staff: list, settle, accept."""


# --- for staff --------------------------------------------------------------------------------------------------------


@looking(app, "list")
def list_claims(desk: Desk, *, number: Round = None, watch: Watch = False, every: Every = USUAL_PAUSE) -> None:
    """Tables with claims and no result: one-sided ones, and disagreements."""
    number = last_published(desk) if number is None else number
    names = {} if desk.as_json else desk.names()

    def draw(document: Any) -> None:  # noqa: ANN401 - any JSON
        print_claims(document["tables"], names)

    desk.show(f"/rounds/{number}/claims", draw, watch=watch, every=every)


@acting(app)
def settle(
    desk: Desk,
    said: Annotated[
        list[str], typer.Argument(metavar="REPORT", help="A table and its result, as for `event report`: 12 2-1.")
    ],
    *,
    number: Round = None,
) -> None:
    """Decide a table whose players disagree. There has to be a --reason."""
    desk.explained()
    report = read_one(" ".join(said).split())
    if report is None or report.is_match:
        raise typer.BadParameter("write one table and its result, such as 12 2-1")
    number = last_published(desk) if number is None else number
    games = report.games(desk.read()["best_of"] if report.is_agreed else 0)
    rest = f"/rounds/{number}/tables/{report.place}/claim/settle"
    desk.done(rest, f"table {report.place}: {score_of(games)}", {"games": games})


@acting(app)
def accept(
    desk: Desk,
    claims: Annotated[
        list[int] | None, typer.Argument(min=1, metavar="CLAIM", help="Its number, as the list has it; several.")
    ] = None,
    *,
    every_one: Annotated[bool, typer.Option("--all", help="Every claim that stands alone now.")] = False,
    number: Round = None,
) -> None:
    """Make claims results without the opponents' word.

    What was withdrawn, contradicted or settled since you looked is left alone, and told.
    """
    if bool(claims) == every_one:
        raise typer.BadParameter("name the claims, as `deckproof claim list` has them, or say --all")
    number = last_published(desk) if number is None else number
    if every_one:
        tables = desk.read(f"/rounds/{number}/claims")["tables"]
        claims = [claim["claim"] for table in tables if table["state"] == "one-sided" for claim in table["claims"]]
        if not claims:
            raise typer.BadParameter("no claim stands alone")
    receipt = desk.do(f"/rounds/{number}/claims/accept", {"claims": claims})
    fact = receipt["fact"]
    if not desk.as_json:
        for one in fact["tables"]:
            output.print_text(f"table {one['table']}: {score_of(one['games'])}")
        for one in fact["left"]:
            output.print_text(f"claim {one['claim']} is left alone: {one['why']}")
    desk.tell(receipt, f"{counted(len(fact['tables']), 'table')} accepted")


# --- for players ------------------------------------------------------------------------------------------------------


@acting(app)
def make(
    desk: Desk,
    said: Games,
    *,
    conceded: Annotated[Party | None, typer.Option("--conceded", help="Who gave up.")] = None,
) -> None:
    """Say what your own table came to, with the token of your entry: your games first.

    If your opponent claims the same, it is the table's result.
    """
    report = read_one(["1", *" ".join(said).split()])
    if report is None or report.ending not in {"played", "intentional draw"}:
        raise typer.BadParameter("write your games first: 2-1, 1-1-1 or draw")
    ending = "concession" if conceded else report.ending
    mine = desk.read("/rounds/current/me")
    asked = {"mine": report.first, "theirs": report.second, "drawn": report.drawn, "ending": ending}
    asked |= {"conceded_by": conceded} if conceded else {}
    receipt = desk.do(_of(mine), asked)
    agreed = receipt["fact"]["confirms"] is not None
    desk.tell(receipt, "it is the result: your opponent says the same" if agreed else "your opponent has to confirm it")


@acting(app)
def confirm(desk: Desk, *, yes: Annotated[bool, typer.Option("--yes", help="Do not ask.")] = False) -> None:
    """Your opponent's claim is right: it is the table's result. It is shown, and you are asked."""
    mine = desk.read("/rounds/current/me")
    claim = mine["opponents_claim"]
    if claim is None:
        raise typer.BadParameter("your opponent has claimed nothing")
    if not (yes or typer.confirm(f"You {counted_by(claim['games'])} your opponent. Is that right?", err=True)):
        raise typer.Abort
    desk.done(f"{_of(mine)}/confirm", f"table {mine['table']} has its result", {"claim": claim["claim"]})


@acting(app)
def withdraw(desk: Desk) -> None:
    """Take your claim back, as long as the table has no result."""
    desk.done(f"{_of(desk.read('/rounds/current/me'))}/withdraw", "your claim is taken back")


# --- words ------------------------------------------------------------------------------------------------------------


def print_claims(tables: list[Any], names: dict[int, str]) -> None:
    """Tables with what their players say."""
    rows = [
        (
            str(table["table"]),
            table["state"],
            f"{names.get(claim['player'], '?')} ({claim['player']})",
            score_of(claim["games"]),
            str(claim["claim"]),
        )
        for table in tables
        for claim in table["claims"]
    ]
    if rows:
        columns = ("table", "state", "who says", "first-second", "claim")
        output.print_table(columns, rows, numbers=("table", "claim"))
    output.print_text(f"{counted(len(tables), 'table')} with claims and no result")


def _of(mine: Any) -> str:  # noqa: ANN401 - any JSON
    """The claim of the player's own table. Raises: BadParameter."""
    if mine["table"] is None:
        raise typer.BadParameter("you have no table in the latest round")
    return f"/rounds/{mine['round']}/tables/{mine['table']}/claim"
