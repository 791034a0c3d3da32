"""Infractions: what a player can do wrong, and which penalty usually answers it. A judge may always decide otherwise.

The games of this house name few penalties of their own, so the list is that of the Infraction Procedure Guide, as far
as it fits any card game, with what a game's rule book adds. Whatever is in no list is written in words.

Source: Infraction Procedure Guide, chapters 2 to 4 and appendix A; Celebrity Parody Showdown, "Tournament Rules &
Official Play". Not here: missed triggers, hidden cards and mulligans, which hang on the rules of one game.
"""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from enum import StrEnum
from types import MappingProxyType
from typing import Final


class PenaltyLevel(StrEnum):
    """How hard a penalty is, from the mildest. Source: Infraction Procedure Guide 1.1."""

    WARNING = "warning"
    GAME_LOSS = "game loss"
    MATCH_LOSS = "match loss"
    DISQUALIFICATION = "disqualification"


class InfractionClass(StrEnum):
    """What kind of rule was broken."""

    PLAY = "game play error"
    EVENT = "tournament error"
    CONDUCT = "unsporting conduct"


@dataclass(frozen=True, slots=True, kw_only=True)
class Infraction:
    """Something that a player can do wrong."""

    code: str
    name: str
    kind: InfractionClass
    level: PenaltyLevel | None
    """The usual penalty; None: the rule book leaves it to the judge."""
    source: str
    meaning: str

    @property
    def repeated(self) -> int | None:
        """The so-manyth warning is a game loss instead; None: it stays what it is.

        Source: Infraction Procedure Guide 2 (the third game play error of a category), 3 (the second tournament
        error), 4.1 (the second minor unsporting conduct).
        """
        if self.level is not PenaltyLevel.WARNING:
            return None
        return 3 if self.kind is InfractionClass.PLAY else 2


_PLAY, _EVENT, _CONDUCT = InfractionClass
_WARNING, _GAME, _MATCH, _OUT = PenaltyLevel

GENERIC: Final = tuple(
    Infraction(code=code, name=name, kind=kind, level=level, source=f"Infraction Procedure Guide {at}", meaning=meaning)
    for code, name, kind, level, at, meaning in (
        ("extra-cards", "Looking at extra cards", _PLAY, _WARNING, "2.2", "sees a card that is not to be seen"),
        ("game-rule", "Game rule violation", _PLAY, _WARNING, "2.5", "plays against the rules of the game"),
        ("game-state", "Failure to maintain game state", _PLAY, _WARNING, "2.6", "lets the opponent's mistake go on"),
        ("tardiness", "Tardiness", _EVENT, _GAME, "3.1", "is not seated when the round begins"),
        ("outside-assistance", "Outside assistance", _EVENT, _MATCH, "3.2", "seeks or gives advice on a running match"),
        ("slow-play", "Slow play", _EVENT, _WARNING, "3.3", "takes longer than is reasonable, without intent"),
        ("decklist-problem", "Decklist problem", _EVENT, _GAME, "3.4", "registered a list that is not legal"),
        ("deck-problem", "Deck problem", _EVENT, _WARNING, "3.5", "the deck is not what was registered"),
        ("communication", "Communication policy violation", _EVENT, _WARNING, "3.7", "misstates what has to be told"),
        ("marked-cards", "Marked cards", _EVENT, _WARNING, "3.8", "cards can be told apart by their backs"),
        ("shuffling", "Insufficient shuffling", _EVENT, _WARNING, "3.9", "presents a deck that is not shuffled enough"),
        ("minor", "Unsporting conduct, minor", _CONDUCT, _WARNING, "4.1", "disturbs others"),
        ("major", "Unsporting conduct, major", _CONDUCT, _MATCH, "4.2", "insults, or disobeys an official"),
        ("improper-winner", "Improperly determining a winner", _CONDUCT, _MATCH, "4.3", "lets chance decide a match"),
        ("bribery", "Bribery and wagering", _CONDUCT, _MATCH, "4.4", "offers something for a result, or bets on one"),
        ("aggression", "Aggressive behaviour", _CONDUCT, _OUT, "4.5", "threatens somebody"),
        ("theft", "Theft of tournament material", _CONDUCT, _OUT, "4.6", "takes what is not the player's own"),
        ("stalling", "Stalling", _CONDUCT, _OUT, "4.7", "plays slowly on purpose"),
        ("cheating", "Cheating", _CONDUCT, _OUT, "4.8", "breaks a rule knowingly, for an advantage"),
    )
)

_CPS: Final = "Celebrity Parody Showdown, Tournament Rules & Official Play"
OF_GAMES: Final[Mapping[str, tuple[Infraction, ...]]] = MappingProxyType(
    {
        "cps": (
            Infraction(
                code="cps-illegible",
                name="Illegible or damaged print",
                kind=_EVENT,
                level=None,
                source=f"{_CPS}, Quality & Legibility: at the discretion of judges",
                meaning="text, artwork or stats of a printed card cannot be read",
            ),
            Infraction(
                code="cps-uneven-print",
                name="Cards not printed uniformly",
                kind=_EVENT,
                level=_WARNING,
                source=f"{_CPS}, Uniform Printing Guidelines; the penalty as for marked cards",
                meaning="printed cards can be told apart by paper, size or back",
            ),
            Infraction(
                code="cps-not-owned",
                name="Card without its NFT",
                kind=_EVENT,
                level=None,
                source=f"{_CPS}, Sanctioned Events: who does not hold the NFTs cannot compete",
                meaning="the player's wallets do not hold a card of the deck",
            ),
            Infraction(
                code="cps-subversion",
                name="Subverting the verification of NFTs",
                kind=_CONDUCT,
                level=_OUT,
                source=f"{_CPS}, Unofficial Events & Enforcement; the penalty as for cheating",
                meaning="plays cards that were made or shown so as to get past the check of ownership",
            ),
        ),
    }
)
"""By the game's word; the other rule books say nothing of tournaments."""


def infractions_of(game: str) -> tuple[Infraction, ...]:
    """Everything that is named for a game: what holds for any, then its own."""
    return GENERIC + OF_GAMES.get(game, ())


def infraction_named(game: str, said: str) -> Infraction | None:
    """The infraction of that code or name, however it is written; None for words of a judge's own."""
    return next((one for one in infractions_of(game) if folded(said) in {folded(one.code), folded(one.name)}), None)


def folded(said: str) -> str:
    """The form in which two ways of writing an infraction are compared: case and blanks made equal."""
    return " ".join(said.casefold().split())


def usual_penalty(infraction: Infraction | None, before: Iterable[PenaltyLevel]) -> PenaltyLevel | None:
    """What usually answers an infraction, with what the player got for the same one in this event before.

    None: it is left to the judge.
    """
    if infraction is None or infraction.level is None:
        return None
    warnings = sum(level is PenaltyLevel.WARNING for level in before)
    if infraction.repeated is not None and warnings + 1 >= infraction.repeated:
        return PenaltyLevel.GAME_LOSS
    return infraction.level
