"""What the rules refuse or cannot read.

GameError
├── UnknownGame          no such game is shipped
├── UnknownFormat        the game has no format of that name and version
├── UnknownRating        the format knows no such rating
├── UnknownCard          no card has that name; the nearest names are offered, never taken
├── UnknownSet           no card set has that code
├── UnknownToken         the token id stands for no card
├── WrongPrinting        the set or number given is not one of the card named
└── Unreadable           a text is not what it should be; every fault with its place
    ├── CardSetUnreadable    not a card set, or card sets that contradict each other
    ├── SchemaUnreadable     not a game's card schema
    └── FormatUnreadable     not a deck format

A deck that breaks its format is not here: its violations are values. Each leaf is a fact with fields, and its sentence
says what is wrong and what would be right. None of them knows HTTP statuses or exit codes.
"""

from dataclasses import dataclass


@dataclass(frozen=True)
class Fault:
    """One thing that is wrong with a card set, a card schema or a format.

    Attributes:
        place: Where it stands, for example `card 12 (Mic Drop)`.
        code: The rule that is broken, stable and made for machines.
        message: What is wrong and what would be right.
    """

    place: str
    code: str
    message: str

    def __str__(self) -> str:
        return f"{self.place}: {self.message} [{self.code}]"


class GameError(Exception):
    """The rules of the games refused, or could not read what they were given."""


@dataclass(eq=False)
class UnknownGame(GameError):
    """No such game."""

    game: str
    known: tuple[str, ...]

    def __str__(self) -> str:
        return f"there is no game {self.game!r}; the games are {_listed(self.known)}"


@dataclass(eq=False)
class UnknownFormat(GameError):
    """The game has no such format."""

    game: str
    name: str
    version: int | None
    known: tuple[str, ...]

    def __str__(self) -> str:
        wanted = self.name if self.version is None else f"{self.name} version {self.version}"
        return f"{self.game} has no format {wanted!r}; its formats are {_listed(self.known)}"


@dataclass(eq=False)
class UnknownRating(GameError):
    """The format knows no such rating."""

    rating: str
    known: tuple[str, ...]

    def __str__(self) -> str:
        if not self.known:
            return f"the format has no ratings, so {self.rating!r} cannot be its ceiling; give none"
        return f"{self.rating!r} is not a rating; from mildest to strongest they are {_listed(self.known)}"


@dataclass(eq=False)
class UnknownCard(GameError):
    """No card has that name.

    Attributes:
        name: The name as it was given.
        nearest: Names that may have been meant, the likeliest first; may be empty.
    """

    name: str
    nearest: tuple[str, ...]

    def __str__(self) -> str:
        if not self.nearest:
            return f"no card is called {self.name!r}"
        return f"no card is called {self.name!r}; did you mean {_listed(self.nearest, 'or')}?"


@dataclass(eq=False)
class UnknownSet(GameError):
    """No card set has that code."""

    set_code: str
    known: tuple[str, ...]

    def __str__(self) -> str:
        return f"no card set has the code {self.set_code!r}; the codes are {_listed(self.known)}"


@dataclass(eq=False)
class UnknownToken(GameError):
    """The token id stands for no card."""

    token_id: int

    def __str__(self) -> str:
        return f"token id {self.token_id} stands for no card of this catalogue"


@dataclass(eq=False)
class WrongPrinting(GameError):
    """The set or number given is not one of the card named.

    Attributes:
        name: The card named.
        set_code: The set given, or None.
        number: The number given, or None.
        actual: The card that does stand at that number, or None.
        printed: Where the card named stands, for example `OPN 12`.
    """

    name: str
    set_code: str | None
    number: int | None
    actual: str | None
    printed: tuple[str, ...]

    def __str__(self) -> str:
        right = f"{self.name!r}, which is {_listed(self.printed, 'or')}"
        if self.number is None:
            return f"{self.set_code} does not have {right}"
        given = f"{self.set_code or 'number'} {self.number}"
        return f"{given} is {'no card' if self.actual is None else repr(self.actual)}, not {right}"


@dataclass(eq=False)
class Unreadable(GameError):
    """A text is not what it should be.

    Attributes:
        source: Name of the text.
        faults: Everything that is wrong with it.
    """

    source: str
    faults: tuple[Fault, ...]

    def __str__(self) -> str:
        return f"{self.source}: " + "; ".join(map(str, self.faults))


class CardSetUnreadable(Unreadable):
    """Not a card set, or card sets that contradict each other."""


class SchemaUnreadable(Unreadable):
    """Not a game's card schema."""


class FormatUnreadable(Unreadable):
    """Not a deck format."""


def _listed(words: tuple[str, ...], last: str = "and") -> str:
    if not words:
        return "none"
    head, tail = words[:-1], words[-1]
    return f"{', '.join(head)} {last} {tail}" if head else tail
