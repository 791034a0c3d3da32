"""Who acts in an event, and may do what: a role is held in one event, and a person may hold several."""

from enum import StrEnum
from typing import Final, Literal, TypeAlias


class Role(StrEnum):
    """What somebody is in an event, from the one who may do most to the one who only looks."""

    ORGANIZER = "organizer"
    SCOREKEEPER = "scorekeeper"
    JUDGE = "judge"
    DESK = "desk"
    """Checks players in and enters them, nothing else."""
    DISPLAY = "display"
    """Looks at what staff may see."""
    PLAYER = "player"
    """Acts on an entry, and on no other."""
    VISITOR = "visitor"
    """Anybody, without an account or a code of an entry."""


StaffRole: TypeAlias = Literal[Role.ORGANIZER, Role.SCOREKEEPER, Role.JUDGE, Role.DESK, Role.DISPLAY]
"""The roles that an organizer gives; being a player comes with an entry."""

JUDGES: Final = frozenset({Role.ORGANIZER, Role.SCOREKEEPER, Role.JUDGE})
"""Who settles what players disagree on, and writes down penalties, deck checks and notes."""
