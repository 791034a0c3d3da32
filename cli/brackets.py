"""The cut in words: seeds, matches, places."""

from collections.abc import Mapping
from typing import Any

from cli import output
from cli.reports import score_of
from cli.screen import plain_text
from tournament.domain.amounts import counted


def print_seeds(document: Mapping[str, Any], names: Mapping[int, str]) -> None:
    """Who is in, best first, and what the draw decided."""
    rows = [(str(one["seed"]), str(one["player"]), names[one["player"]]) for one in document["seeds"]]
    output.print_table(("seed", "no.", "player"), rows, numbers=("seed", "no."))
    for tie in document["ties"]:
        output.print_text(plain_text(tie["sentence"]))


def print_bracket(document: Mapping[str, Any], names: Mapping[int, str]) -> None:
    """The matches that somebody plays, a round after the other, then the places that are certain."""
    rows = [
        (
            match["match"],
            match["round"],
            _side(match["first"], names),
            _side(match["second"], names),
            _waits(match) if match["outcome"] is None else _ended(match["outcome"], names),
        )
        for match in document["matches"]
        if match["outcome"] is None or match["outcome"]["winner"] is not None
    ]
    title = f"{document['form'].capitalize()}, {counted(len(document['seeds']), 'player')}"
    output.print_table(("match", "round", "first", "second", "ended"), rows, title=title)
    print_places(document, names)


def print_places(document: Mapping[str, Any], names: Mapping[int, str]) -> None:
    """Places, those that several share on one line."""
    for place in document["places"]:
        numbers = str(place["first"]) if place["first"] == place["last"] else f"{place['first']}-{place['last']}"
        output.print_text(f"{numbers:>7}  {', '.join(f'{names[player]} ({player})' for player in place['players'])}")


def _side(seat: Mapping[str, Any], names: Mapping[int, str]) -> str:
    if seat["player"] is not None:
        return f"{seat['seed']} {names[seat['player']]}"
    for of in ("winner_of", "loser_of"):
        if seat[of] is not None:
            return f"{of.replace('_', ' ')} {seat[of]}"
    return "nobody"


def _waits(match: Mapping[str, Any]) -> str:
    return f"waits for `event cut-round` ({match['cut_round']})" if match["waiting"] else ""


def _ended(outcome: Mapping[str, Any], names: Mapping[int, str]) -> str:
    score = score_of(outcome["result"]) if outcome["result"] else outcome["how"]
    return score if outcome["winner"] is None else f"{score}: {names[outcome['winner']]}"
