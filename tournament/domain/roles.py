"""Who acts in an event, and may do what: a role is held in one event, and a person may hold several."""

from collections.abc import Collection
from enum import StrEnum
from typing import Final, Literal, TypeAlias


class Role(StrEnum):
    """What somebody is in an event, from the one who may do most to the one who only looks."""

    ORGANIZER = "organizer"
    SCOREKEEPER = "scorekeeper"
    JUDGE = "judge"
    DESK = "desk"
    """Enters players and checks them in, and reads what that takes: codes, and who has no legal list."""
    DISPLAY = "display"
    """A projector: sees what visitors see, also of an event that is not published yet."""
    PLAYER = "player"
    """Acts on an entry, and on no other."""
    VISITOR = "visitor"
    """Anybody, without an account or a code of an entry."""


StaffRole: TypeAlias = Literal[Role.ORGANIZER, Role.SCOREKEEPER, Role.JUDGE, Role.DESK, Role.DISPLAY]
"""The roles that an organizer gives; being a player comes with an entry."""

ORGANIZERS: Final = frozenset({Role.ORGANIZER})
"""Who announces the event, and answers for it."""

SCOREKEEPERS: Final = frozenset({Role.ORGANIZER, Role.SCOREKEEPER})
"""Who pairs, publishes and closes rounds, and says who is in them."""

JUDGES: Final = frozenset({Role.ORGANIZER, Role.SCOREKEEPER, Role.JUDGE})
"""Who settles what players disagree on, and writes down penalties, deck checks and notes."""

INSIDERS: Final = JUDGES
"""Who reads what nobody else may know yet: drafts, the draw, the log, calls, penalties, notes."""

READERS: Final = frozenset({Role.ORGANIZER, Role.JUDGE})
"""Who may read every list, and sees everybody's wallets."""

AT_THE_DESK: Final = INSIDERS | {Role.DESK}
"""Who reads what checking in takes."""


def by_rank(roles: Collection[Role]) -> list[Role]:
    """The roles, the one who may do most first."""
    return [role for role in Role if role in roles]
