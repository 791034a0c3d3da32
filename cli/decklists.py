"""`deckproof decklist …`: the lists of an event's players; `deckproof deck` checks a list at home."""

from pathlib import Path
from typing import Annotated, Any, Final

import typer

from cli import asking, output
from cli.desk import USUAL_PAUSE, Desk, Every, Number, Watch, acting, looking
from cli.screen import plain_text
from tournament.domain.amounts import counted

app = asking.new_app(no_args_is_help=True)

_MOST_LINES: Final = 6
"""Lines that are named behind a violation; more say nothing."""


@app.callback()
def _decklists() -> None:
    """The decklists of an event: hand in, show, missing ones, lock, unlock, waive."""


@acting(app, "hand-in")
def hand_in(
    desk: Desk,
    number: Number,
    file: Annotated[Path, typer.Argument(metavar="FILE", help="The list; - reads standard input.")],
    *,
    syntax: asking.Syntax = None,
) -> None:
    """Hand in a player's list, and learn every rule that it breaks.

    A list that is not legal is kept as a draft: it does not count, and a legal one that is there stays. Exits with 3
    then.
    """
    from cli.exits import Exit  # noqa: PLC0415 - it knows every refusal, and most commands need none
    from verifier.decklist.source import text_of  # noqa: PLC0415 - not needed to report a result

    asked = {"decklist": text_of(asking.source_of(file)), "syntax": syntax, "filename": file.name}
    answer = desk.do(f"/entries/{number}/deck", asked, method="PUT")
    if desk.as_json:
        output.print_json(answer)
    else:
        _print_violations(answer["violations"])
        how = "legal" if answer["is_legal"] else "not legal, and kept as a draft"
        desk.tell(answer["receipt"], f"the list of {desk.who(number)} is {how}")
        output.print_text(f"hash {answer['hash']}")
    raise typer.Exit(Exit.DONE if answer["is_legal"] else Exit.NO)


@looking(app)
def show(desk: Desk, number: Number) -> None:
    """A player's list: for the player, judges and organizers; for everybody once the event opens lists."""

    def draw(document: Any) -> None:  # noqa: ANN401 - any JSON
        for name, words in (("legal", "legal"), ("draft", "a draft that does not count")):
            kept = document[name]
            if kept is not None:
                output.print_styled(f"{words}, handed in at {kept['at'][:16].replace('T', ' ')} UTC", "bold")
                output.print_text("\n".join(map(plain_text, kept["text"].rstrip("\n").split("\n"))))
                _print_violations(kept["violations"])
                output.print_text(f"hash {kept['hash']}")

    desk.listed(f"/entries/{number}/deck", draw)


@looking(app)
def missing(desk: Desk, *, watch: Watch = False, every: Every = USUAL_PAUSE) -> None:
    """Who has a place, no legal list, and no leave to play without one."""

    def draw(document: Any) -> None:  # noqa: ANN401 - any JSON
        found = document["missing"]
        rows = [
            (str(one["entry"]), plain_text(one["name"]), "a draft that is not legal" if one["has_draft"] else "nothing")
            for one in found
        ]
        if rows:
            output.print_table(("no.", "player", "handed in"), rows, numbers=("no.",))
        output.print_text(f"{counted(len(rows), 'list')} missing")

    desk.show("/decks/missing", draw, watch=watch, every=every)


@acting(app)
def unlock(desk: Desk, number: Number) -> None:
    """Let a player change the list after the lock, until a legal one is handed in. There has to be a --reason."""
    _excepted(desk, number, "unlock", f"number {number} may hand in another list")


@acting(app)
def lock(desk: Desk, number: Number) -> None:
    """Lock a list again that was unlocked. There has to be a --reason."""
    _excepted(desk, number, "lock", f"the list of number {number} is locked")


@acting(app)
def waive(desk: Desk, number: Number) -> None:
    """Let a player play without a legal list, although one is required. There has to be a --reason."""
    _excepted(desk, number, "waive", f"number {number} may play without a list")


@acting(app)
def require(desk: Desk, number: Number) -> None:
    """Take that back. There has to be a --reason."""
    _excepted(desk, number, "require", f"number {number} needs a list")


def _excepted(desk: Desk, number: int, verb: str, sentence: str) -> None:
    desk.explained()
    desk.done(f"/entries/{number}/deck/{verb}", sentence)


def _print_violations(violations: list[Any]) -> None:
    for one in violations:
        lines = ", ".join(map(str, one["lines"])) if len(one["lines"]) <= _MOST_LINES else ""
        output.print_styled(plain_text(f"not legal: {one['message']}{f' (line {lines})' if lines else ''}"), "red")
