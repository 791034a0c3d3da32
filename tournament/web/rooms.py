"""Rooms of an event: the pages of those who act in it, and which of them somebody is shown a way to.

The menu tells nobody what they may do: each page finds that out for itself.
"""

from collections.abc import Collection
from typing import Final, NamedTuple

from tournament.domain.lifecycle import Phase
from tournament.domain.roles import AT_THE_DESK, JUDGES, ORGANIZERS, SCOREKEEPERS, Role
from tournament.web.texts import mark


class Room(NamedTuple):
    """A link of the menu."""

    path: str
    """Below the event."""
    name: str
    """A text to be looked up."""


TABLE: Final = Room("/me/table", mark("My table"))
ME: Final = Room("/me", mark("Me"))
SCREEN: Final = Room("/screen", mark("Screen"))
CARDS: Final = Room("/cards", mark("Cards"))
"""Only where players prove that they own theirs."""
STAFF: Final[tuple[tuple[Room, frozenset[Role]], ...]] = (
    (Room("/desk", mark("Desk")), SCOREKEEPERS | {Role.DESK}),
    (Room("/control", mark("Control room")), SCOREKEEPERS),
    (Room("/judge", mark("Judge")), JUDGES),
    (CARDS, AT_THE_DESK),
    (Room("/organize", mark("Organize")), ORGANIZERS),
    (SCREEN, SCOREKEEPERS | {Role.DISPLAY}),
    (Room("/print", mark("On paper")), AT_THE_DESK),
)
FIRST: Final = {Role.ORGANIZER: "/organize", Role.SCOREKEEPER: "/control", Role.JUDGE: "/judge", Role.DESK: "/desk",
                Role.DISPLAY: "/screen"}  # fmt: skip
"""Where somebody with a role begins."""
_PLAYING: Final = frozenset({Phase.ROUND, Phase.CUT})
_BEFORE: Final = frozenset({Phase.DRAFT, Phase.REGISTRATION})


def rooms_of(roles: Collection[Role], phase: Phase, *, is_player: bool, proves: bool = False) -> list[Room]:
    """The menu for somebody; empty for visitors.

    Args:
        roles: of staff.
        phase: where the event stands: during a round a player's table comes first.
        is_player: whether an entry looks.
        proves: whether players prove that they own their cards.
    """
    if is_player:
        if phase in _BEFORE:
            return [ME]
        return [TABLE, ME] if phase in _PLAYING else [ME, TABLE]
    return [room for room, of in STAFF if of.intersection(roles) and (proves or room is not CARDS)]
