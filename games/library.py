"""The games that are shipped: the one module that reads the package's own files, each once."""

from collections.abc import Mapping
from functools import cache
from pathlib import Path

from games.cards import CardSet, Catalogue
from games.errors import UnknownFormat, UnknownGame
from games.formats import Format
from games.lint import Schema
from games.reading import parse_card_set, parse_formats, parse_schema

_ROOM = Path(__file__).parent

_GAMES = ("cps", "cgccg", "audition")


def games() -> tuple[str, ...]:
    """Short names of the games, the first game first."""
    return _GAMES


@cache
def schema(game: str) -> Schema:
    """What the cards of a game look like, with the game's title.

    Raises:
        UnknownGame: no such game.
    """
    return parse_schema(_text(game, "game.toml"), source=f"{game}/game.toml")


@cache
def card_sets(game: str) -> tuple[CardSet, ...]:
    """The game's own card sets, in order of file name.

    Raises:
        UnknownGame: no such game.
    """
    return tuple(parse_card_set(text, source=name) for name, text in _texts(game, "sets", ".toml").items())


@cache
def catalogue(game: str) -> Catalogue:
    """Which token ids stand for which card: the game's own sets, and those of the games it borrows from.

    Raises:
        UnknownGame: no such game.
    """
    return Catalogue(card_set for name in (game, *schema(game).borrows) for card_set in card_sets(name))


@cache
def formats(game: str) -> tuple[Format, ...]:
    """Every format of a game and every version of it, the game's usual format first.

    Raises:
        UnknownGame: no such game.
    """
    return parse_formats(_text(game, "format.toml"), source=f"{game}/format.toml")


def format_named(game: str, name: str, version: int | None = None) -> Format:
    """A format by its short name: the version asked for, else the newest.

    Raises:
        UnknownGame: no such game.
        UnknownFormat: the game has no such format, or not in that version.
    """
    fitting = [rules for rules in formats(game) if rules.name == name and version in (None, rules.version)]
    if not fitting:
        known = tuple(dict.fromkeys(rules.name for rules in formats(game)))
        raise UnknownFormat(game, name, version, known)
    return max(fitting, key=lambda rules: rules.version)


@cache
def decks(game: str) -> Mapping[str, str]:
    """The example decks of a game: decklist text by short name.

    Raises:
        UnknownGame: no such game.
    """
    return {name.removesuffix(".txt"): text for name, text in _texts(game, "decks", ".txt").items()}


def _folder(game: str) -> Path:
    if game not in _GAMES:
        raise UnknownGame(game, _GAMES)
    return _ROOM / game


def _text(game: str, name: str) -> str:
    return (_folder(game) / name).read_text(encoding="utf-8")


def _texts(game: str, folder: str, ending: str) -> dict[str, str]:
    files = sorted((_folder(game) / folder).glob(f"*{ending}"))
    return {file.name: file.read_text(encoding="utf-8") for file in files}
