"""Who acts in an event, and may do what: a role is held in one event, and a person may hold several."""

from enum import StrEnum


class Role(StrEnum):
    """What somebody is in an event, from the one who may do most to the one who only looks."""

    ORGANIZER = "organizer"
    SCOREKEEPER = "scorekeeper"
    JUDGE = "judge"
    DESK = "desk"
    """Checks players in and enters them, nothing else."""
    DISPLAY = "display"
    """Looks at what staff may see."""
