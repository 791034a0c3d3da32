"""Exit codes, and which error ends with which: the CLI's edge, in one table.

0 yes, or done · 1 crash · 2 usage · 3 the verdict is no · 4 unreadable input · 5 no answer from the chain or a server ·
6 refused · 130 interrupted
"""

from enum import IntEnum

from collection import errors as collection
from games.errors import GameError
from tournament.domain.errors import EventFileUnreadable, FileUnreadable, PlacingUnreadable, TournamentError
from tournament.errors import DatabaseUnavailable, RequestUnreadable, StreamsUnavailable, WebhookUrlUnreadable
from tournament.settings import SettingsUnreadable
from verifier import errors as verifier


class Exit(IntEnum):
    """What a script learns from how a command ended."""

    DONE = 0
    CRASH = 1
    USAGE = 2
    NO = 3
    UNREADABLE = 4
    UNREACHABLE = 5
    REFUSED = 6
    INTERRUPTED = 130


EXITS: dict[type[Exception], Exit] = {
    verifier.VerifierError: Exit.UNREADABLE,
    verifier.ChainError: Exit.UNREACHABLE,
    GameError: Exit.UNREADABLE,
    TournamentError: Exit.REFUSED,
    EventFileUnreadable: Exit.UNREADABLE,
    FileUnreadable: Exit.UNREADABLE,
    PlacingUnreadable: Exit.UNREADABLE,
    RequestUnreadable: Exit.UNREADABLE,
    DatabaseUnavailable: Exit.UNREACHABLE,
    StreamsUnavailable: Exit.UNREACHABLE,
    WebhookUrlUnreadable: Exit.UNREADABLE,
    SettingsUnreadable: Exit.UNREADABLE,
    collection.CollectionError: Exit.REFUSED,
    collection.KeyUnreadable: Exit.UNREADABLE,
    collection.DeploymentUnreadable: Exit.UNREADABLE,
    collection.AnvilError: Exit.UNREACHABLE,
    collection.NotMined: Exit.UNREACHABLE,
    OSError: Exit.REFUSED,
}
"""The nearest class of an error decides; a root stands for all its leaves that are not named. An `OSError` that comes
so far is a file or folder that a command was told to use."""


def exit_of(error: Exception) -> Exit:
    """How a command ends that this error stopped."""
    return next(EXITS[kind] for kind in type(error).__mro__ if kind in EXITS)
