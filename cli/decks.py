"""`deckproof deck …`: decklists, without a chain."""

from pathlib import Path
from typing import Annotated

import typer

from cli import asking, output, verdicts
from cli.exits import Exit
from games import library
from tournament.domain.amounts import counted
from tournament.service.decks import examples, read_decklist, rules_of
from verifier.decklist import SYNTAXES, write_decklist

app = asking.new_app(no_args_is_help=True)

File = Annotated[Path, typer.Argument(metavar="FILE", help="The decklist; - reads standard input.")]


@app.callback()
def _decks() -> None:
    """Decklists: check against the rules, convert, show an example."""


@app.command()
def check(
    *,
    file: File,
    game: asking.Game = None,
    format_name: asking.FormatName = None,
    max_rating: asking.MaxRating = None,
    syntax: asking.Syntax = None,
    as_json: asking.Json = False,
) -> None:
    """Is a deck legal? Names every rule that it breaks.

    Exits with 0 if it is legal, 3 if not, and 4 if the list cannot be read or names an unknown card.
    """
    deck = asking.deck_from(file, game, format_name, syntax)
    violations = deck.violations(max_rating=max_rating)
    if as_json:
        output.print_json(
            {
                "legal": not violations,
                "game": deck.rules.game,
                "format": deck.rules.name,
                "cards": deck.size,
                "needs": [
                    {"card": need.card, "token_ids": list(need.token_ids), "need": need.units} for need in deck.needs
                ],
                "violations": verdicts.violation_documents(violations),
            }
        )
    elif violations:
        verdicts.print_violations(violations)
    else:
        output.print_styled(
            f"legal: {counted(deck.size, 'card')}, {deck.rules.title} version {deck.rules.version}", "green"
        )
    raise typer.Exit(Exit.NO if violations else Exit.DONE)


@app.command()
def convert(
    *,
    file: File,
    to: Annotated[str, typer.Option("--to", metavar="SYNTAX", help=f"One of {', '.join(SYNTAXES)}.")],
    output_file: asking.OutputFile = None,
    force: asking.Force = False,
    game: asking.Game = None,
    format_name: asking.FormatName = None,
    syntax: asking.Syntax = None,
    as_json: asking.Json = False,
) -> None:
    """Write a decklist in another syntax. Cards are not looked up, so any list converts."""
    rules = rules_of(game or asking.settings().game, format_name)
    decklist = read_decklist(asking.source_of(file), rules, syntax=syntax, filename=file.name)
    text = write_decklist(decklist, to)
    if output_file is None:
        output.print_json({"syntax": to, "text": text}) if as_json else output.print_text(text.rstrip("\n"))
        return
    asking.write_whole(output_file, text, replace=force)
    if as_json:
        output.print_json({"syntax": to, "file": str(output_file)})


@app.command()
def example(
    *,
    name: Annotated[str | None, typer.Argument(help="Which deck.  [default: the first]")] = None,
    game: asking.Game = None,
    list_names: Annotated[bool, typer.Option("--list", help="Print the names instead.")] = False,
    as_json: asking.Json = False,
) -> None:
    """Print a legal deck to start from."""
    chosen = game or asking.settings().game
    names = examples(chosen)
    if list_names:
        output.print_json({"game": chosen, "decks": list(names)}) if as_json else output.print_text("\n".join(names))
        return
    wanted = name or names[0]
    if wanted not in names:
        raise typer.BadParameter(f"there is no example {wanted!r}; there are {', '.join(names)}")
    text = library.decks(chosen)[wanted]
    output.print_json({"game": chosen, "deck": wanted, "text": text}) if as_json else output.print_text(
        text.rstrip("\n")
    )
