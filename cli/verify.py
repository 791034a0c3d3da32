"""`deckproof verify`: does a wallet hold every copy of every card of a deck?"""

from pathlib import Path
from typing import Annotated

import typer

from cli import asking, output, verdicts
from verifier.check import Claim, check_deck

app = asking.new_app()


@app.command()
def verify(
    *,
    deck: Annotated[Path, typer.Option("--deck", metavar="FILE", help="The decklist; - reads standard input.")],
    wallet: Annotated[
        list[str], typer.Option("--wallet", metavar="ADDRESS", help="A wallet; give several to add them up.")
    ],
    rpc: asking.Rpc = None,
    collection: asking.CollectionAddress = None,
    block: asking.At = None,
    quorum: asking.Quorum = None,
    game: asking.Game = None,
    format_name: asking.FormatName = None,
    max_rating: asking.MaxRating = None,
    syntax: asking.Syntax = None,
    as_json: asking.Json = False,
) -> None:
    """Does a wallet hold every copy of every card of a deck, and is the deck legal?

    Exits with 0 if both, 3 if not, 4 if the input cannot be read, and 5 if the chain gave no answer to believe.
    """
    wallets = asking.addresses_from(wallet)
    at = asking.block_from(block)
    found = asking.deck_from(deck, game, format_name, syntax)
    with asking.chain_holdings(rpc, collection, quorum) as holdings, output.progress("Asking the chain…"):
        verdict = check_deck(Claim(wallets, found.needs), holdings, at)
        contract = holdings.inspect(verdict.block) if verdict.block else None
    judged = verdicts.Judged(found, found.violations(max_rating=max_rating), verdict, holdings.collection, contract)
    if as_json:
        output.print_json(verdicts.document_of(judged))
    else:
        verdicts.print_judged(judged)
    raise typer.Exit(judged.exit)
