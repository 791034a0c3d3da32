"""`deckproof penalty …`: penalties, their infractions and their effect."""

from typing import Annotated, Any, Final

import typer

from cli import asking, output
from cli.desk import Desk, acting, given, looking
from cli.desk import Number as Player
from cli.reports import score_of
from cli.screen import plain_text
from tournament.domain.amounts import counted

app = asking.new_app(no_args_is_help=True)

Number = Annotated[int, typer.Argument(min=1, metavar="PENALTY", help="As the list has it.")]
Infraction = Annotated[
    str, typer.Argument(metavar="INFRACTION", help="A code or a name of `penalty infractions`, or words of your own.")
]
LEVELS: Final = ("warning", "game-loss", "match-loss", "disqualification")
"""As they are typed; the service has a space for the dash."""


@app.callback()
def _penalties() -> None:
    """Penalties: infractions, advice, give, list, effect, apply, take-back, edit, withdraw."""


@looking(app)
def infractions(desk: Desk) -> None:
    """What is named for the event's game, with the usual penalty."""

    def draw(document: Any) -> None:  # noqa: ANN401 - any JSON
        rows = [(one["code"], one["name"], _usual(one), one["meaning"]) for one in document["infractions"]]
        output.print_table(("code", "infraction", "usually", "who"), rows)

    desk.listed("/infractions", draw)


@looking(app)
def advice(desk: Desk, player: Player, infraction: Infraction) -> None:
    """What the player got for this infraction before, and what is usual now."""

    def draw(document: Any) -> None:  # noqa: ANN401 - any JSON
        output.print_text(plain_text(f"{document['infraction']}: {document['sentence']}"))
        if document["history"]:
            print_penalties(document["history"])

    desk.listed(f"/entries/{player}/penalties/advice", draw, infraction=infraction)


@acting(app)
def give(
    desk: Desk,
    player: Player,
    infraction: Infraction,
    level: Annotated[
        str | None, typer.Argument(metavar="LEVEL", help=f"{', '.join(LEVELS)}.  [default: what is usual]")
    ] = None,
    *,
    text: Annotated[str, typer.Option("--text", metavar="TEXT", help="What happened, as the player may read it.")] = "",
    number: Annotated[int | None, typer.Option("--round", min=1, metavar="N", help="[default: the latest]")] = None,
    deck_check: Annotated[
        int | None, typer.Option("--deck-check", min=1, metavar="N", help="The deck check that it came out of.")
    ] = None,
    apply_it: Annotated[
        bool, typer.Option("--apply", help="Put it into the result, or the player out, at once.")
    ] = False,
) -> None:
    """Give a penalty. It changes no result until it is applied."""
    given_level = _level(level) if level else _usual_of(desk, player, infraction)
    asked = {"entry": player, "infraction": infraction, "level": given_level, "text": text}
    given_ = desk.do("/penalties", asked | given(round=number, deck_check=deck_check))
    fact = given_["fact"]
    who = f"number {player}" if desk.as_json else desk.who(player)
    said = f"penalty {fact['penalty']}: {fact['level']} for {who}, {fact['infraction']}, no. {fact['nth']}"
    if not (apply_it and desk.as_json):
        desk.tell(given_, said)
    if not apply_it:
        return
    applied = desk.do(f"/penalties/{fact['penalty']}/apply", step="/apply")
    if desk.as_json:
        output.print_json({"receipts": [given_, applied]})
    else:
        desk.tell(applied, _changed(applied["fact"]))


@looking(app, "list")
def list_penalties(
    desk: Desk,
    *,
    player: Annotated[
        int | None, typer.Option("--player", min=1, metavar="NUMBER", help="Of this player only.")
    ] = None,
) -> None:
    """Penalties, in order. Players see their own ones."""
    found = desk.pages("/penalties", "penalties", entry=player)
    if desk.as_json:
        output.print_json({"penalties": found})
    else:
        print_penalties(found)


@looking(app)
def effect(desk: Desk, number: Number) -> None:
    """What the penalty would change now, or why nothing."""

    def draw(document: Any) -> None:  # noqa: ANN401 - any JSON
        output.print_text(plain_text(document["why_not"] or _changed(document)))

    desk.listed(f"/penalties/{number}/effect", draw)


@acting(app)
def apply(desk: Desk, number: Number) -> None:
    """Put the penalty into the result, or the player out."""
    receipt = desk.do(f"/penalties/{number}/apply")
    desk.tell(receipt, _changed(receipt["fact"]))


@acting(app, "take-back")
def take_back(desk: Desk, number: Number) -> None:
    """Take back what the penalty did, so that it can be withdrawn, or get another level."""
    receipt = desk.do(f"/penalties/{number}/take-back")
    stands = receipt["fact"]["stands"]
    desk.tell(receipt, "the result was changed since, and stays" if stands else f"what penalty {number} did is undone")


@acting(app)
def edit(
    desk: Desk,
    number: Number,
    *,
    infraction: Annotated[str | None, typer.Option("--infraction", metavar="TEXT", help="What it was for.")] = None,
    level: Annotated[str | None, typer.Option("--level", metavar="LEVEL", help=f"{', '.join(LEVELS)}.")] = None,
    text: Annotated[str | None, typer.Option("--text", metavar="TEXT", help="What happened.")] = None,
) -> None:
    """Change a penalty. For another level, take back first what it did; it is to be applied again.

    There has to be a --reason.
    """
    desk.explained()
    named = given(infraction=infraction, level=None if level is None else _level(level), text=text)
    if not named:
        raise typer.BadParameter("nothing to change: give --infraction, --level or --text")
    receipt = desk.do(f"/penalties/{number}", named, method="PATCH")
    fact = receipt["fact"]
    desk.tell(receipt, f"penalty {number}: {fact['level']}, {fact['infraction']}")


@acting(app)
def withdraw(desk: Desk, number: Number) -> None:
    """The penalty should not have been. Take back first what it did. There has to be a --reason."""
    desk.explained()
    receipt = desk.do(f"/penalties/{number}/withdraw")
    desk.tell(receipt, f"penalty {number} is withdrawn")


def print_penalties(penalties: list[Any]) -> None:
    """Penalties, a line each."""
    rows = [
        (
            str(one["number"]),
            str(one["round"]),
            f"{plain_text(one['name'] or '?')} ({one['entry']})",
            plain_text(one["infraction"]),
            one["level"],
            "withdrawn" if one["withdrawn"] else "applied" if one["applied"] else "",
        )
        for one in penalties
    ]
    if rows:
        columns = ("no.", "round", "player", "infraction", "level", "")
        output.print_table(columns, rows, numbers=("no.", "round"))
    output.print_text(counted(len(rows), "penalty", "penalties"))


def _usual_of(desk: Desk, player: int, infraction: str) -> str:
    """What usually answers it. Raises: BadParameter."""
    usual = desk.read(f"/entries/{player}/penalties/advice", infraction=infraction)["usual"]
    if usual is None:
        raise typer.BadParameter(f"no penalty is usual for {infraction!r}; name a LEVEL: {', '.join(LEVELS)}")
    return str(usual)


def _level(said: str) -> str:
    if said.replace(" ", "-") not in LEVELS:
        raise typer.BadParameter(f"{said!r} is no level; the levels are {', '.join(LEVELS)}")
    return said.replace("-", " ")


def _usual(one: Any) -> str:  # noqa: ANN401 - any JSON
    if one["level"] is None:
        return "as the judge says"
    again = f"; game loss from no. {one['repeated']} on" if one["repeated"] else ""
    return f"{one['level']}{again}"


def _changed(fact: Any) -> str:  # noqa: ANN401 - any JSON
    """What a penalty changes, or changed."""
    table, out = fact["table"], fact["out"]
    said = ["the player is out"] if out else []
    if table:
        before = f" instead of {score_of(table['before'])}" if table["before"] else ""
        said.append(f"round {table['round']}, table {table['table']}: {score_of(table['after'])}{before}")
    return "; ".join(said) or "nothing changes"
