"""`deckproof entry check-in`, `present`, `seat-all`, …: who is here."""

from typing import Annotated, Any

import typer

from cli import asking, output
from cli.desk import USUAL_PAUSE, Desk, Every, Watch, acting, looking
from cli.entry_players import Numbers
from cli.screen import plain_text
from cli.several import one_each
from tournament.domain.amounts import counted

app = asking.new_app()


@acting(app, "check-in")
def check_in(desk: Desk, numbers: Numbers) -> None:
    """Players are here. Said again, it is the same; with - a scanner may type the numbers."""
    one_each(desk, numbers, "/entries/{}/check-in", "{} is here")


@acting(app, "check-out")
def check_out(desk: Desk, numbers: Numbers) -> None:
    """Players are not here after all."""
    one_each(desk, numbers, "/entries/{}/check-out", "{} is not here")


@looking(app)
def present(desk: Desk, *, watch: Watch = False, every: Every = USUAL_PAUSE) -> None:
    """How many are here, who is not, and what `seat-all` would do now."""
    desk.show("/check-in", _print_check_in, watch=watch, every=every)


@acting(app, "seat-all")
def seat_all(
    desk: Desk,
    *,
    without_list: Annotated[
        bool, typer.Option("--without-list", help="Also drop who has no legal list, where one is required.")
    ] = False,
) -> None:
    """Go on with whoever is here: everybody else is dropped, and who waits and is here gets a place."""
    receipt = desk.do("/check-in/seat-all", {"without_list": without_list})
    fact = receipt["fact"]
    got = f", {counted(len(fact['promoted']), 'player')} who waited got a place" if fact["promoted"] else ""
    said = f"{counted(fact['playing'], 'player')} will play; {counted(len(fact['dropped']), 'player')} dropped{got}"
    desk.tell(receipt, said)


def _print_check_in(document: Any) -> None:  # noqa: ANN401 - any JSON
    waiting = f"; {document['waiting']} more wait ({document['waiting_here']} here)" if document["waiting"] else ""
    output.print_text(f"here: {document['checked_in']} of {counted(document['entered'], 'player')}{waiting}")
    for name, words in (("absent", "not here"), ("promoted", "would get a place"), ("without_list", "without a list")):
        for one in document[name]:
            output.print_text(f"{words}: {plain_text(one['name'])} ({one['number']})")
