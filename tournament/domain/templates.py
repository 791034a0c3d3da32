"""What an event of a game usually announces: a template for each way in which our games are played in events.

A template is data: the fields of an announcement that differ from an event that announces nothing. Whoever announces an
event overrides what should be otherwise.

No rule book of ours says how an event is run. What the books do say is in the templates, with its source:

* Celebrity Parody Showdown: two players; a deck is built before the event and every card of it is owned, so a decklist
  is required wherever an event is official, its cards are looked at, and who does not hold them does not compete
  ("Valid Card Ownership & NFTs", "Sanctioned Events vs. Unofficial Play").
* Comic Genesis CCG: each player has a deck; any number from two plays at a table, and "the player with the most readers
  wins", so a table has a ranking, and equal readers share it; a rating ceiling is the event's ("Comic Rating").
* Superhero Audition: "1-6 Players", "10-20 Minutes", one deck of heroes for a table, so no player registers any.

The rest is as in the Magic Tournament Rules: best of three, 50 minutes a round and 90 a round of the cut (appendix B),
rounds and cut by the number of players (appendix E), intentional draws (2.4).
"""

from collections.abc import Mapping
from dataclasses import dataclass
from types import MappingProxyType
from typing import Any, Final

from tournament.domain.announcement import PODS, CutBy, Decklist, IfShort, ListsOpen, Ownership, Registration

ROUND_MINUTES: Final = 50
CUT_MINUTES: Final = 90
"""Both by appendix B of the Magic Tournament Rules."""
AUDITION_MINUTES: Final = 25
"""A game of up to 20 minutes by the book, and five to shuffle and to add up."""
POD_MINUTES: Final = 75
"""Half as long again as a match, because four players take turns. Ours."""
POD_ROUNDS: Final = 4
"""Sixteen players can play as many at tables of four and meet nobody twice (an affine plane of order 4 has 5). Ours."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Template:
    """What is announced if nothing else is said."""

    name: str
    title: str
    words: str
    """For whoever chooses one: a sentence or two."""
    announced: Mapping[str, Any]
    """By the name of the field; every other field is as if there were no template."""

    @property
    def game(self) -> str:
        """Short name of the game."""
        return str(self.announced["game"])


def _template(name: str, title: str, words: str, **announced: object) -> Template:
    return Template(name=name, title=title, words=words, announced=MappingProxyType(announced))


_SHOWDOWN: Final[Mapping[str, Any]] = {
    "game": "cps",
    "format": "standard",
    "best_of": 3,
    "round_minutes": ROUND_MINUTES,
    "registration": Registration.OPEN,
    "waitlist": True,
}

_COMIC: Final[Mapping[str, Any]] = {
    "game": "cgccg",
    "format": "standard",
    "best_of": 1,
    "registration": Registration.OPEN,
    "waitlist": True,
}

_ALL: Final = (
    _template(
        "cps-official",
        "Celebrity Parody Showdown, official",
        "Swiss rounds and a cut, both by the number of players. Every player registers a decklist and owns every card "
        "of it; lists are public once the cut begins.",
        **_SHOWDOWN,
        cut=CutBy.TABLE,
        cut_minutes=CUT_MINUTES,
        decklist=Decklist.REQUIRED,
        lists_open=ListsOpen.AT_THE_CUT,
        ownership=Ownership.REQUIRED,
        if_short=IfShort.DROP,
    ),
    _template(
        "cps-evening",
        "Celebrity Parody Showdown, an evening",
        "Three rounds and no cut; a decklist if a player likes.",
        **_SHOWDOWN,
        rounds=3,
        decklist=Decklist.OPTIONAL,
    ),
    _template(
        "cps-league",
        "Celebrity Parody Showdown, a league night",
        "Four rounds of One Take, where a deck has no card twice, and no cut: the series decides.",
        **{**_SHOWDOWN, "format": "one-take"},
        rounds=4,
        decklist=Decklist.REQUIRED,
        lists_open=ListsOpen.AT_THE_END,
    ),
    _template(
        "cgccg-duels",
        "Comic Genesis CCG, two players",
        "Swiss rounds of one game, because a game lasts until a deck or all but one player is out, and a cut.",
        **_COMIC,
        round_minutes=ROUND_MINUTES,
        cut=CutBy.TABLE,
        cut_minutes=CUT_MINUTES,
        decklist=Decklist.REQUIRED,
        lists_open=ListsOpen.AT_THE_CUT,
    ),
    _template(
        "cgccg-tables",
        "Comic Genesis CCG, tables of four",
        "Four rounds at tables of four, ranked by readers.",
        **_COMIC,
        preset=PODS,
        pod_size=4,
        rounds=POD_ROUNDS,
        round_minutes=POD_MINUTES,
        decklist=Decklist.REQUIRED,
        lists_open=ListsOpen.AT_THE_END,
    ),
    _template(
        "cgccg-family",
        "Comic Genesis CCG, a family table",
        "As tables of four, with no card rated above PG and no list to write.",
        **_COMIC,
        preset=PODS,
        pod_size=4,
        rounds=POD_ROUNDS,
        round_minutes=POD_MINUTES,
        max_rating="PG",
    ),
    _template(
        "audition-tables",
        "Superhero Audition, tables of four",
        "Four games at tables of four, ranked by points. The organizer brings a deck of heroes for each table.",
        game="audition",
        format="standard",
        preset=PODS,
        pod_size=4,
        best_of=1,
        rounds=POD_ROUNDS,
        round_minutes=AUDITION_MINUTES,
        registration=Registration.OPEN,
        waitlist=True,
    ),
)

TEMPLATES: Final[Mapping[str, Template]] = MappingProxyType({template.name: template for template in _ALL})
"""By name, the first game's first."""
