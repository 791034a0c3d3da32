"""`deckproof claim …`: what players say their tables came to, and what staff make of it."""

from typing import Annotated, Any, Literal

import typer

from cli import asking, output
from cli.desk import USUAL_PAUSE, Desk, Every, Round, Watch, acting, looking
from cli.players import counted_by
from cli.reports import placed_of, read_one, score_of
from cli.round_tables import last_published
from cli.screen import plain_text
from tournament.domain.amounts import counted

app = asking.new_app(no_args_is_help=True)

Games = Annotated[
    list[str], typer.Argument(metavar="GAMES", help="Yours first: 2-1, 1-1-1, draw; of several, places: 17,4=9,3.")
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
    seat = None
    if report.needs_seat:
        seats = desk.read(f"/rounds/{number}")["seats"]
        seat = next((one for one in seats if str(one["table"]) == report.place), None)
    games = report.games(desk.read()["best_of"] if report.is_agreed else 0, seat)
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

    If your opponent claims the same, it is the table's result; at a table of several, if everybody does. With
    --conceded the games are those until then.
    """
    report = read_one(["1", *" ".join(said).split()])
    if report is None or report.ending not in {"played", "intentional draw"}:
        raise typer.BadParameter("write your games first: 2-1, 1-1-1 or draw; of several the places: 17,4=9,3")
    mine = desk.read("/rounds/current/me")
    several = len(mine["opponents"]) > 1
    if several:
        if conceded:
            raise typer.BadParameter("at a table of several place last who gave up")
        there = {"first": desk.read("/entries/me")["entry"]["number"], "second": None}
        there["others"] = [one["number"] for one in mine["opponents"]]
        asked = dict(report.games(0, there))
    else:
        asked = {"mine": report.first, "theirs": report.second, "drawn": report.drawn}
        asked |= {"ending": "concession", "conceded_by": conceded} if conceded else {"ending": report.ending}
    receipt = desk.do(_of(mine), asked)
    agreed = receipt["fact"]["confirms"] is not None
    who = "everybody else has" if several else "your opponent has"
    said_so = (
        "it is the result: all of you say the same" if several else "it is the result: your opponent says the same"
    )
    desk.tell(receipt, said_so if agreed else f"{who} to confirm it")


@acting(app)
def confirm(desk: Desk, *, yes: Annotated[bool, typer.Option("--yes", help="Do not ask.")] = False) -> None:
    """Your opponent's claim is right: it is the table's result. It is shown, and you are asked."""
    mine = desk.read("/rounds/current/me")
    if not mine["others_claims"]:
        raise typer.BadParameter("your opponent has claimed nothing")
    if len({score_of(_games(one)) for one in mine["others_claims"]}) > 1:
        raise typer.BadParameter(
            "the others claim different things; say with `claim make` what is right, or call a judge"
        )
    claim = mine["others_claims"][0]
    if not (yes or typer.confirm(f"{_asked_of(mine, claim)} Is that right?", err=True)):
        raise typer.Abort
    receipt = desk.do(f"{_of(mine)}/confirm", {"claim": claim["claim"]})
    is_result = receipt["fact"]["confirms"] is not None
    words = f"table {mine['table']} has its result" if is_result else "you said so; others at the table have not yet"
    desk.tell(receipt, words)


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


def _games(claim: Any) -> Any:  # noqa: ANN401 - any JSON
    games = claim["games"]
    return games if "places" in games else {"first": games["mine"], "second": games["theirs"], **games}


def _asked_of(mine: Any, claim: Any) -> str:  # noqa: ANN401 - any JSON
    """What another claims, as a sentence."""
    if "places" not in claim["games"]:
        return f"You {counted_by(claim['games'])} your opponent."
    names = {one["number"]: plain_text(one["name"]) for one in mine["opponents"]}
    places = claim["games"]["places"]
    own = next((player for place in places for player in place if player not in names), 0)
    return f"Table {mine['table']}: {placed_of(claim['games'], {**names, own: 'you'})}."


def _of(mine: Any) -> str:  # noqa: ANN401 - any JSON
    """The claim of the player's own table. Raises: BadParameter."""
    if mine["table"] is None:
        raise typer.BadParameter("you have no table in the latest round")
    return f"/rounds/{mine['round']}/tables/{mine['table']}/claim"
