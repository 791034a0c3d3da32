"""`deckproof cards …`: the cards of a game."""

from pathlib import Path
from typing import Annotated

import typer

from cli import asking, output
from games import library
from games.cards import Printing, fold
from games.errors import UnknownSet
from games.metadata import canonical_json, documents, set_root
from tournament.domain.amounts import counted

app = asking.new_app(no_args_is_help=True)


@app.callback()
def _cards() -> None:
    """The cards of a game: list, show one, write their metadata."""


@app.command("list")
def list_cards(
    *,
    game: asking.Game = None,
    card_set: Annotated[str | None, typer.Option("--set", metavar="CODE", help="Only of this set.")] = None,
    card_type: Annotated[str | None, typer.Option("--type", help="Only of this type.")] = None,
    trait: Annotated[
        str | None, typer.Option("--trait", metavar="WORD", help="Only with this word among their traits (a Domain).")
    ] = None,
    as_json: asking.Json = False,
) -> None:
    """List the cards, with their place in the set and their token ids."""
    catalogue = library.catalogue(game or asking.settings().game)
    codes = [card_set.code for card_set in catalogue.card_sets]
    if card_set and fold(card_set) not in map(fold, codes):
        raise UnknownSet(card_set, tuple(codes))
    everything = [printing for found in catalogue.card_sets for printing in found.printings]
    _refuse_unknown(card_type, "type", {printing.card.type for printing in everything})
    _refuse_unknown(trait, "trait", {word for printing in everything for word in _words(printing)})
    printings = [
        printing
        for found in catalogue.card_sets
        for printing in found.printings
        if (card_set is None or fold(printing.set_code) == fold(card_set))
        and (card_type is None or fold(printing.card.type) == fold(card_type))
        and (trait is None or fold(trait) in map(fold, _words(printing)))
    ]
    if as_json:
        output.print_json({"cards": [_document(printing) for printing in printings]})
        return
    rows = [
        (
            str(printing),
            printing.card.name,
            printing.card.type,
            ", ".join(_words(printing)),
            _stats(printing),
            str(printing.token_id),
        )
        for printing in printings
    ]
    output.print_table(("set", "card", "type", "traits", "stats", "token id"), rows, numbers=("token id",))
    output.print_note(counted(len(rows), "card"))


@app.command()
def show(
    *,
    name: Annotated[list[str], typer.Argument(metavar="NAME", help="The card's name; quotes are not needed.")],
    game: asking.Game = None,
    as_json: asking.Json = False,
) -> None:
    """Show one card: its stats, its text and its token ids."""
    catalogue = library.catalogue(game or asking.settings().game)
    card = catalogue.find(" ".join(name))
    printings = catalogue.printings(card)
    if as_json:
        output.print_json(_document(printings[0]) | {"printings": [_document(printing) for printing in printings]})
        return
    output.print_styled(card.name, "bold")
    output.print_text(
        " · ".join(part for part in (card.type, ", ".join(_words(printings[0])), _stats(printings[0])) if part)
    )
    if card.text:
        output.print_text(f"\n{card.text}\n")
    if card.limit is not None:
        output.print_text(f"limit {card.limit} per deck")
    for printing in printings:
        ordinary, soulbound = printing.token_ids
        output.print_text(f"{printing}: token id {ordinary}, soulbound copies {soulbound}")


@app.command()
def metadata(
    *,
    folder: Annotated[Path, typer.Argument(metavar="FOLDER", help="Is made if it is not there.")],
    game: asking.Game = None,
    force: Annotated[bool, typer.Option("--force", help="Replace files that are there.")] = False,
    as_json: asking.Json = False,
) -> None:
    """Write the metadata of every card, one JSON file for each token id, as the collection's URI names them."""
    card_sets = library.card_sets(game or asking.settings().game)
    folder.mkdir(parents=True, exist_ok=True)
    files = [
        (folder / name, canonical_json(document).decode())
        for card_set in card_sets
        for name, document in documents(card_set).items()
    ]
    there = [path for path, _ in files if path.exists()]
    if there and not force:
        raise typer.BadParameter(f"{there[0]} and {len(there) - 1} more are there already; --force replaces them")
    for path, content in files:
        asking.write_whole(path, content, replace=force)
    roots = {card_set.code: "0x" + set_root(card_set).hex() for card_set in card_sets}
    if as_json:
        output.print_json({"folder": str(folder), "files": len(files), "roots": roots})
        return
    output.print_text(f"{counted(len(files), 'file')} in {folder}")
    for code, root in roots.items():
        output.print_text(f"set {code}: root {root}")


def _refuse_unknown(word: str | None, what: str, known: set[str]) -> None:
    if word is not None and fold(word) not in map(fold, known):
        raise typer.BadParameter(f"no card has the {what} {word!r}; there are {', '.join(sorted(known))}")


def _words(printing: Printing) -> list[str]:
    return [word for words in printing.card.traits.values() for word in words]


def _stats(printing: Printing) -> str:
    return ", ".join(f"{name} {value}" for name, value in printing.card.stats.items())


def _document(printing: Printing) -> dict[str, object]:
    card = printing.card
    return {
        "name": card.name,
        "type": card.type,
        "set": printing.set_code,
        "number": printing.number,
        "traits": {trait: list(words) for trait, words in card.traits.items()},
        "stats": dict(card.stats),
        "text": card.text,
        "limit": card.limit,
        "token_ids": list(printing.token_ids),
    }
