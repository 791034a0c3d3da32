"""`deckproof player …`: what a player does by the code of an entry: register, see where to sit."""

from typing import Annotated, Any

import typer

from cli import asking, output
from cli.desk import USUAL_PAUSE, Desk, Every, Watch, acting, given, looking
from cli.reports import score_of
from cli.screen import plain_text
from cli.times import time_left

app = asking.new_app(no_args_is_help=True)


@app.callback()
def _players() -> None:
    """For players: register, show the own entry and table. `claim`, `call make` and `decklist` are theirs too."""


@acting(app)
def register(
    desk: Desk,
    name: Annotated[str, typer.Argument(metavar="NAME", help="Your own.")],
    *,
    code: Annotated[str | None, typer.Option("--code", help="Of the event, if it asks for one.")] = None,
    sign_in: Annotated[
        bool, typer.Option("--sign-in", help="And be signed in here, in place of whoever is; on a machine of your own.")
    ] = False,
) -> None:
    """Enter an event by yourself. Keep the code that you get: whoever has it acts for you."""
    answer = desk.do("/registrations", {"name": name} | given(code=code))
    if sign_in:
        desk.sign_in(answer["token"])
    if desk.as_json:
        output.print_json(answer)
        return
    waits = ", and wait for a place" if answer["waiting"] else ""
    desk.tell(answer["receipt"], f"you are number {answer['entry']}{waits}; your code is {answer['code']}")
    login = f"`deckproof login --server {desk.server.url} --event {desk.event} --entry {answer['entry']}`"
    output.print_note(
        f"you are signed in here, and elsewhere by {login} and the code"
        if sign_in
        else f"{login} and the code let you act"
    )


@looking(app)
def show(desk: Desk, *, watch: Watch = False, every: Every = USUAL_PAUSE) -> None:
    """Your own table in the latest round: opponent, claims, result, time."""

    def draw(mine: Any) -> None:  # noqa: ANN401 - any JSON
        if mine["round"] is None:
            output.print_text("no round is published yet")
            return
        output.print_text(f"round {mine['round']}: {_place(mine)}")
        for name, words in (
            ("result", "result"),
            ("my_claim", "you claim"),
            ("opponents_claim", "your opponent claims"),
        ):
            said = mine[name]
            if said is not None:
                output.print_text(f"{words}: {counted_by(said if name == 'result' else said['games'])}")
        if len(mine["opponents"]) > 1:
            for claim in mine["others_claims"]:
                output.print_text(f"number {claim['player']} claims: {counted_by(claim['games'])}")
        if mine["table"] is not None and mine["result"] is None:
            output.print_text(time_left(mine["clock"], desk.server.now, mine["extra_minutes"]))
        if mine["call"] is not None:
            output.print_text("a judge is on the way" if mine["call"]["taken_at"] else "your call waits for a judge")

    desk.show("/rounds/current/me", draw, watch=watch, every=every, moves=True)


@looking(app)
def entry(desk: Desk) -> None:
    """Your own entry: your place, whether your list is in."""

    def draw(mine: Any) -> None:  # noqa: ANN401 - any JSON
        own = mine["entry"]
        output.print_text(f"{plain_text(own['name'])}, number {own['number']}")
        if mine["place_in_line"] is not None:
            output.print_text(f"you wait for a place, as no. {mine['place_in_line']}")
        output.print_text(f"checked in: {'yes' if own['checked_in'] else 'no'}")
        output.print_text(f"decklist ({mine['decklist']}): {_list(mine)}")

    desk.listed("/entries/me", draw)


def counted_by(games: Any) -> str:  # noqa: ANN401 - any JSON
    """Games as the player who reads counts them: the own ones first; of several their places."""
    if "places" in games:
        return score_of(games)
    return score_of({"first": games["mine"], "second": games["theirs"], **games})


def _place(mine: Any) -> str:  # noqa: ANN401 - any JSON
    if mine["table"] is not None:
        others = ", ".join(f"{plain_text(other['name'])} ({other['number']})" for other in mine["opponents"])
        return f"table {mine['table']}, against {others}"
    return "you have a bye" if mine["bye"] else "you have no table"


def _list(mine: Any) -> str:  # noqa: ANN401 - any JSON
    said = ["handed in" if mine["entry"]["deck"] else "none that counts"]
    said += ["a draft that is not legal"] if mine["has_draft"] else []
    said += ["you may change it"] if mine["is_unlocked"] else []
    said += ["you may play without"] if mine["is_waived"] else []
    return ", ".join(said)
