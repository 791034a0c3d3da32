"""`deckproof event cut` and what is done in a cut: the bracket, who leaves it, what is taken back, final places."""

from typing import Annotated, Any

import typer

from cli import asking, output
from cli.brackets import print_bracket, print_places, print_seeds
from cli.desk import USUAL_PAUSE, Desk, Every, Fields, Unproven, Watch, acting, fields_of, given, looking
from cli.event_ownership import epochs_told
from cli.reports import score_of
from tournament.domain.amounts import counted

app = asking.new_app()

Players = Annotated[list[int], typer.Argument(min=1, metavar="NUMBER", help="Of players; several leave together.")]
Seen = Annotated[str, typer.Option("--seen", help="From --preview, if other matches change.")]


@acting(app)
def cut(
    desk: Desk,
    *,
    top: Annotated[int | None, typer.Option("--top", min=2, metavar="N", help="How many play on.")] = None,
    with_ties: Annotated[bool, typer.Option("--with-ties", help="And everybody tied with the last of them.")] = False,
    points: Annotated[int | None, typer.Option("--points", min=0, help="Or: everybody with so many points.")] = None,
    unproven: Unproven = False,
    fields: Fields = None,
    preview: Annotated[bool, typer.Option("--preview", help="Only say who would be in.")] = False,
) -> None:
    """Seed the best into a bracket.

    Without an option the cut is the one that was announced, else as large as the rules advise.
    """
    asked = given(top=top, points=points) | ({"with_ties": True} if with_ties else {})
    if preview:
        seeds = desk.look("/cut/preview", asked)
        if desk.as_json:
            output.print_json(seeds)
        else:
            print_seeds(seeds, desk.names())
        return
    asked |= {"unproven": True} if unproven else {}
    with epochs_told(desk):
        receipt = desk.do("/cut", asked | fields_of(fields), doing="Beginning the cut…", slow=True)
    if not desk.as_json:
        print_bracket(desk.read("/cut"), desk.names())
    desk.tell(receipt, f"the cut has {counted(len(receipt['fact']['seeds']), 'player')}")


@acting(app, "cut-round")
def cut_round(desk: Desk, *, unproven: Unproven = False) -> None:
    """Begin the next round of the cut, where players prove their cards: the chain is asked first what they hold."""
    receipt = desk.do("/cut/rounds", {"unproven": True} if unproven else {}, doing="Asking the chain…", slow=True)
    if not desk.as_json:
        print_bracket(desk.read("/cut"), desk.names())
    fact = receipt["fact"]
    desk.tell(receipt, f"round {fact['round']} of the cut has begun, with {counted(len(fact['players']), 'player')} in")


@looking(app)
def bracket(
    desk: Desk,
    *,
    lines: Annotated[bool, typer.Option("--lines", help="And all that happened in it, by number.")] = False,
    watch: Watch = False,
    every: Every = USUAL_PAUSE,
) -> None:
    """The cut: its matches, and the places that are certain."""
    names = {} if desk.as_json else desk.names()

    def draw(document: Any) -> None:  # noqa: ANN401 - any JSON
        print_bracket(document, names)
        if lines:
            rows = [(str(one["line"]), _happened(one, names)) for one in document["lines"]]
            output.print_table(("line", "what happened"), rows, numbers=("line",))

    desk.show("/cut", draw, watch=watch, every=every)


@acting(app, "leave-cut")
def leave_cut(
    desk: Desk,
    numbers: Players,
    *,
    disqualified: Annotated[bool, typer.Option("--disqualified", help="They are out, and take no place.")] = False,
) -> None:
    """Players leave the cut together: their opponents advance, and nobody is promoted into it."""
    why = "disqualified" if disqualified else "dropped"
    receipt = desk.do("/cut/leave", {"players": numbers, "why": why})
    desk.tell(receipt, f"{why}: {', '.join(map(str, receipt['fact']['players']))}")


@acting(app)
def redraw(desk: Desk) -> None:
    """Draw the next round of the cut anew among those who remain, so that the highest seeds have the byes."""
    receipt = desk.do("/cut/redraw")
    if not desk.as_json:
        print_bracket(desk.read("/cut"), desk.names())
    desk.tell(receipt, "the next round of the cut is drawn anew")


@acting(app, "take-back")
def take_back(
    desk: Desk,
    line: Annotated[int, typer.Argument(min=1, metavar="LINE", help="As `event bracket --lines` has it.")],
    *,
    seen: Seen = "",
    preview: Annotated[bool, typer.Option("--preview", help="Only say which other matches change.")] = False,
) -> None:
    """Take back what happened in the cut: a drop by mistake, a drawing, the result of a match that was not played."""
    if preview:
        found = desk.look(f"/cut/lines/{line}/preview")
        if desk.as_json:
            output.print_json(found)
            return
        for name, words in (("replay", "to be played again"), ("moved", "with other players")):
            output.print_text(f"{words}: {', '.join(found[name]) or 'no match'}")
        output.print_text(f"--seen {found['seen']}")
        return
    desk.done(f"/cut/lines/{line}/take-back", f"line {line} is taken back", {"seen": seen})


@looking(app)
def places(desk: Desk) -> None:
    """Where everybody ends: by the cut, and by the standings below it, as far as it is certain."""
    names = {} if desk.as_json else desk.names()
    desk.listed("/places", lambda document: print_places(document, names))


def _happened(line: dict[str, Any], names: dict[int, str]) -> str:
    who = ", ".join(names.get(player, "?") for player in line["players"])
    if line["match"] is not None:
        return f"{line['match']}: {who}: {score_of(line['games'])}"
    return f"round {line['redrawn']} is drawn anew" if line["redrawn"] else f"{line['why']}: {who}"
