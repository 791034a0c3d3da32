"""`deckproof judging …`: everything that waits for a judge, and how the event is judged."""

from typing import Annotated, Any

import typer

from cli import asking, output
from cli.calls import print_calls
from cli.claims import print_claims
from cli.deck_checks import print_deck_checks
from cli.desk import USUAL_PAUSE, Desk, Every, Watch, acting, given, looking
from cli.penalties import print_penalties
from cli.screen import plain_text

app = asking.new_app(no_args_is_help=True)


@app.callback()
def _judging() -> None:
    """Judging: the overview of what waits for a judge, and how the event is judged."""


@looking(app)
def show(desk: Desk, *, watch: Watch = False, every: Every = USUAL_PAUSE) -> None:
    """Disagreements, calls, deck checks and penalties of the round, in one look."""
    desk.show("/judging", _print_overview, watch=watch, every=every)


@acting(app, "set")
def set_judging(
    desk: Desk,
    *,
    player_reports: Annotated[
        bool | None, typer.Option("--player-reports/--no-player-reports", help="Players report their own results.")
    ] = None,
    penalties_public: Annotated[
        bool | None,
        typer.Option("--penalties-public/--penalties-private", help="Everybody sees who got which penalty."),
    ] = None,
) -> None:
    """Say whether players report, and whether penalties are public; what is not named stays."""
    named = given(player_reports=player_reports, penalties_public=penalties_public)
    if not named:
        raise typer.BadParameter("nothing to change: give --player-reports or --penalties-public, or their opposites")
    receipt = desk.do("/judging", named, method="PATCH")
    fact = receipt["fact"]
    reports = "players report" if fact["player_reports"] else "players do not report"
    public = "public" if fact["penalties_public"] else "for staff and the player"
    desk.tell(receipt, f"{reports}; penalties are {public}")


def _print_overview(document: Any) -> None:  # noqa: ANN401 - any JSON
    names = {int(number): plain_text(name) for number, name in document["names"].items()}
    output.print_styled(f"Round {document['round']}", "bold")
    print_claims(document["disagreements"], names)
    output.print_text(f"claims of one player alone: {document['one_sided']}")
    print_calls(document["calls"])
    print_deck_checks(document["deck_checks"])
    print_penalties(document["penalties"])
