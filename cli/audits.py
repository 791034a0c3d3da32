"""`deckproof audit`: does the evidence of an event hold? From one file, without a server."""

from pathlib import Path
from typing import Annotated, Final

import typer

from cli import asking, output
from cli.exits import Exit
from cli.screen import plain_text
from tournament.domain.amounts import counted
from tournament.service import evidence
from tournament.service.reckoning import State
from verifier.evidence import MOST_BYTES

app = asking.new_app()

_STYLES: Final = {
    State.HOLDS.value: "green",
    State.FAILS.value: "bold red",
    State.PARTLY.value: "yellow",
    State.NOT_REACHED.value: "bold red",
}


@app.command()
def audit(
    bundle: Annotated[
        Path, typer.Argument(metavar="BUNDLE", help="What `event evidence` wrote; - reads standard input.")
    ],
    *,
    rpc: asking.Rpc = None,
    quorum: asking.Quorum = None,
    proofs: Annotated[
        bool,
        typer.Option("--proofs", help="Have the endpoints of --rpc prove the balances, and believe none of them."),
    ] = False,
    beside: Annotated[
        list[Path] | None,
        typer.Option(
            "--beside",
            metavar="BUNDLE",
            help="Evidence of another event that had set units aside in the same wallets; may be given several times.",
        ),
    ] = None,
    as_json: asking.Json = False,
) -> None:
    """Does the evidence of an event hold?

    Everything is computed again, with nothing but the file: the log, the results, the pairings from the public draw,
    standings and cut; and, where it is opened, lists, wallets and who had which cards. With --rpc the chain is asked
    again too; with --proofs as well, each balance is proven from the state root of its block, if an endpoint still has
    the state. Exits with 0 if all of it holds, 3 if not, and 5 if the chain gave no answer to believe.
    """
    source = asking.source_of(bundle, MOST_BYTES + 1)
    with output.progress("Checking…"):
        found = evidence.audit(source, [asking.source_of(one, MOST_BYTES + 1) for one in beside or ()])
    if proofs and not rpc:
        raise typer.BadParameter("--proofs asks endpoints; name one with --rpc")
    if rpc and found.reckoned.manifest is not None:
        promised = found.reckoned.manifest.collections[0].address
        with asking.chain_holdings(rpc, promised, quorum) as chain, output.progress("Asking the chain…"):
            found.checks.append(evidence.ask_chain(found, chain))
            if proofs:
                found.checks.append(evidence.prove_now(found, chain.endpoints))
    if as_json:
        output.print_json(evidence.document(found))
    else:
        _print(found)
    raise typer.Exit(Exit.DONE if found.holds else Exit.NO)


def _print(found: evidence.Audit) -> None:
    for check in found.checks:
        for fault in check.faults:
            output.print_styled(plain_text(fault), "bold red")
    rows = [
        (check.name, check.state.value, f"{check.done:,}", f"{check.closed:,}" if check.closed else "", check.what)
        for check in found.checks
    ]
    output.print_table(
        ("check", "state", "checked", "closed", "what"), rows, styles=_STYLES, numbers=("checked", "closed")
    )
    name, phase = (plain_text(str(found.event.get(key, ""))) for key in ("name", "phase"))
    for note in (note for check in found.checks for note in check.notes):
        output.print_text(plain_text(note))
    if not found.holds:
        output.print_styled("the evidence does not hold", "bold red")
        return
    closed = [check.name for check in found.checks if check.state is State.PARTLY]
    style = "yellow" if closed else "green"
    output.print_styled(f"the evidence of {name} ({phase}) holds{_as_far(closed)}", style)
    output.print_text(f"the last hash of its log is {plain_text(str(found.event.get('head', '')))}")


def _as_far(closed: list[str]) -> str:
    return f", as far as it is opened ({counted(len(closed), 'check')} in part)" if closed else ""
