"""Reading takes steps in proportion to the source, whatever its author intends."""

import sys
from collections.abc import Callable

import pytest

from verifier.decklist import DecklistUnreadable, parse_decklist

HEAD = '{"format": "deckproof-decklist", "version": 1, "lines": ['

ATTACKS: dict[str, tuple[str, Callable[[int], str]]] = {
    "parentheses": ("text", lambda size: "1 " + "(" * size),
    "printings": ("text", lambda size: "1 " + "(AB) 4 " * (size // 7)),
    "digits": ("text", lambda size: "9" * size),
    "spaces": ("text", lambda size: "1 a" + " " * size + "b"),
    "accents": ("text", lambda size: "1 a" + "\u0301" * (size // 2)),
    "colons": ("text", lambda size: "SB" + ":" * size),
    "headers": ("text", lambda size: "a\n" * 150 + "a" * (size - 300)),
    "invisible": ("text", lambda size: "1 " + "\u200b" * (size // 3)),
    "signs": ("text", lambda size: "+" * size),
    "commas": ("csv", lambda size: "count,name\n" + "," * size),
    "quotes": ("csv", lambda size: 'count,name\n1,"' + '""' * (size // 2)),
    "apostrophes": ("csv", lambda size: "count,name\n1," + "'" * size + "="),
    "columns": ("csv", lambda size: "count,name," * (size // 11)),
    "strings": ("json", lambda size: HEAD + '"\\"' * (size // 3)),
    "keys": ("json", lambda size: HEAD + "{" + ",".join(f'"{key}":1' for key in range(size // 9)) + "}]}"),
    "entries": ("json", lambda size: HEAD + "1," * (size // 2) + "1]}"),
    "attributes": ("o8d", lambda size: "<deck " + " ".join(f'a{number}=""' for number in range(size // 9)) + "/>"),
    "elements": ("cod", lambda size: "<cockatrice_deck>" + "<a/>" * (size // 4) + "</cockatrice_deck>"),
    "references": ("dek", lambda size: '<Deck><Cards Quantity="1" Name="' + "&lt;" * (size // 4) + '"/></Deck>'),
}


def steps(source: str, syntax: str) -> int:
    """Calls of Python and C functions while the source is read."""
    counted = 0

    def count(_frame: object, event: str, _argument: object) -> None:
        nonlocal counted
        counted += event in {"call", "c_call"}

    before = sys.getprofile()
    sys.setprofile(count)
    try:
        parse_decklist(source, syntax=syntax)
    except DecklistUnreadable:
        pass
    finally:
        sys.setprofile(before)
    return counted


@pytest.mark.parametrize("attack", ATTACKS)
def test_twice_the_source_takes_at_most_about_twice_the_steps(attack: str) -> None:
    syntax, source = ATTACKS[attack]
    assert steps(source(8_000), syntax) <= 2.2 * steps(source(4_000), syntax) + 100
