"""`deckproof demo --verdicts`: the demo world, and a verdict for everybody in it."""

import typer

from cli import output, verdicts, world
from cli.exits import Exit
from tournament.problem import problem_of
from verifier.check import Outcome

_STYLES = {"yes": "bold green", "no": "bold red", "unreadable": "bold red", "?": "bold yellow"}


def show(port: int, *, once: bool, as_json: bool) -> None:
    """Start a chain with sixteen players on it, and show a verdict for each of their decks.

    Args:
        port: of the chain; 0: whichever is free.
        once: end after the verdicts instead of staying up with the chain.
        as_json: a document instead of a table.
    """
    world.end_like_ctrl_c()
    with world.demo_world(port) as (anvil, made):
        with output.progress("Verifying every deck…"):
            visits = world.visits_of(anvil, made)
        if as_json:
            output.print_json(world.surroundings_document(anvil, made) | {"players": list(map(_document, visits))})
        else:
            _print(visits)
        if once:
            raise typer.Exit(_exit_of(visits))
        if not as_json:
            world.print_surroundings(anvil, made)
            output.print_text("  deckproof holdings " + visits[0].player.wallets[0].address)
        world.stay_up(anvil)


def _exit_of(visits: list[world.Visit]) -> Exit:
    """The demo did what it should if there is a verdict for every deck, whatever it says."""
    judged = [visit.judged for visit in visits if visit.judged]
    undetermined = any(each.verdict.outcome is Outcome.UNDETERMINED for each in judged)
    return Exit.UNREACHABLE if undetermined or not judged else Exit.DONE


def _print(visits: list[world.Visit]) -> None:
    columns: tuple[str, ...] = ("player", "what they did", "legal", "owned", "verdict")
    rows: list[tuple[str, ...]] = [
        (visit.player.name, visit.player.story, *_answers(visit), _reason(visit)) for visit in visits
    ]
    if output.is_narrow():
        columns, rows = (columns[0], *columns[2:]), [(row[0], *row[2:]) for row in rows]
    output.print_table(columns, rows, title="Sixteen players at the desk", styles=_STYLES)
    blocks = {visit.judged.verdict.block for visit in visits if visit.judged and visit.judged.verdict.block}
    for block in blocks:
        output.print_text(f"All at block {block.number}, {block.hash}.\n")


def _answers(visit: world.Visit) -> tuple[str, str]:
    if visit.judged is None:
        return "unreadable", "?"
    owned = {"covered": "yes", "short": "no", "undetermined": "?"}[visit.judged.verdict.outcome.value]
    return ("no" if visit.judged.violations else "yes"), owned


def _reason(visit: world.Visit) -> str:
    """Why, in words: the fault, the rules broken, and what is missing."""
    if visit.judged is None:
        return str(visit.unreadable)
    broken = [violation.message for violation in visit.judged.violations]
    return "; ".join([*broken, verdicts.summary(visit.judged)])


def _document(visit: world.Visit) -> dict[str, object]:
    return {
        "name": visit.player.name,
        "story": visit.player.story,
        "wallets": [wallet.address for wallet in visit.player.wallets],
        "decklist": visit.player.decklist,
        "verdict": visit.judged and verdicts.document_of(visit.judged),
        "unreadable": visit.unreadable and problem_of(visit.unreadable),
    }
