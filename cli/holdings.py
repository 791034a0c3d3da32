"""`deckproof holdings`: a collector's table."""

from typing import Annotated

import typer

from cli import asking, output, verdicts
from games import library
from games.cards import SOULBOUND
from tournament.domain.amounts import counted
from verifier.holdings import Ask, TokenId

app = asking.new_app()


@app.command()
def holdings(
    *,
    wallet: Annotated[list[str], typer.Argument(metavar="ADDRESS", help="A wallet; several are added up.")],
    rpc: asking.Rpc = None,
    collection: asking.CollectionAddress = None,
    block: asking.At = None,
    quorum: asking.Quorum = None,
    game: asking.Game = None,
    as_json: asking.Json = False,
) -> None:
    """What a wallet holds of the cards of a game, soulbound copies apart."""
    wallets = asking.addresses_from(wallet)
    at = asking.block_from(block)
    catalogue = library.catalogue(game or asking.settings().game)
    printings = [printing for card_set in catalogue.card_sets for printing in card_set.printings]
    ids = tuple(TokenId(token_id) for printing in printings for token_id in printing.token_ids)
    with asking.chain_holdings(rpc, collection, quorum) as chain, output.progress("Asking the chain…"):
        pinned = chain.pin(at)
        answers = chain.read([Ask(address, ids) for address in wallets], pinned)
    units = {token_id: sum(own) for token_id, own in zip(ids, zip(*answers, strict=True), strict=True)}
    held = [
        (printing, units[TokenId(printing.token_id)], units[TokenId(printing.token_id | SOULBOUND)])
        for printing in printings
    ]
    held = [(printing, copies, soulbound) for printing, copies, soulbound in held if copies or soulbound]
    if as_json:
        output.print_json(
            {
                "wallets": list(wallets),
                "collection": verdicts.collection_document(chain.collection, chain.inspect(pinned)),
                "block": {"number": pinned.number, "hash": pinned.hash, "timestamp": pinned.timestamp},
                "holdings": [
                    {
                        "card": printing.card.name,
                        "set": printing.set_code,
                        "number": printing.number,
                        "token_ids": list(printing.token_ids),
                        "units": copies + soulbound,
                        "soulbound": soulbound,
                    }
                    for printing, copies, soulbound in held
                ],
            }
        )
        return
    rows = [
        (str(printing), printing.card.name, printing.card.type, str(copies + soulbound), str(soulbound or ""))
        for printing, copies, soulbound in held
    ]
    if rows:
        output.print_table(("set", "card", "type", "copies", "soulbound"), rows, numbers=("copies", "soulbound"))
    total = sum(copies + soulbound for _, copies, soulbound in held)
    copies_of = f"{counted(total, 'copy', 'copies')} of {len(rows)} of {counted(len(printings), 'card')}"
    output.print_text(f"{copies_of}, block {pinned.number} {pinned.hash}")
