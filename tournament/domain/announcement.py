"""What an event announces: the words that an announcement is made of."""

from enum import StrEnum


class Registration(StrEnum):
    """Who may enter without the help of staff, while registration is open."""

    OPEN = "open"
    """Anybody who has the link."""
    CODE = "code"
    """Whoever has the event's registration code."""
    STAFF = "staff"
    """Nobody; staff enter players."""


class Decklist(StrEnum):
    """Whether an entry has a decklist."""

    REQUIRED = "required"
    OPTIONAL = "optional"
    NONE = "none"


class ListsOpen(StrEnum):
    """When everybody may see every decklist."""

    NEVER = "never"
    AT_THE_CUT = "at the cut"
    """When the cut begins, or the event ends without one."""
    AT_THE_END = "at the end"


class CutBy(StrEnum):
    """What decides who plays on after the Swiss rounds."""

    NONE = "none"
    """Nobody does; the Swiss rounds decide."""
    TABLE = "the table"
    """The best so many as the number of players calls for (`cut.recommended`)."""
    SIZE = "size"
    """The best `cut_size`."""
    SIZE_WITH_TIES = "size with ties"
    """The same, and everybody who is tied with the last of them."""
    POINTS = "points"
    """Everybody with `cut_points` match points or more."""


class DrawRule(StrEnum):
    """Which draws a match may end in."""

    ANY = "any"
    """Played or agreed. Source: Magic Tournament Rules 2.4."""
    PLAYED = "played"
    """Only played ones: nobody may agree on a draw."""
    NONE = "none"
    """None: whoever is level plays on until somebody has won."""
