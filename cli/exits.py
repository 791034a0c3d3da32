"""Exit codes, and which error ends with which: the CLI's edge, in one table.

0 yes, or done · 1 crash · 2 usage · 3 the verdict is no · 4 unreadable input · 5 no answer from the chain or a server ·
6 refused · 130 interrupted
"""

from collections.abc import Iterator
from enum import IntEnum
from typing import Final

from cli.errors import Refused, ServerError
from collection import errors as collection
from games.errors import GameError
from tournament.domain.errors import EventFileUnreadable, FileUnreadable, PlacingUnreadable, TournamentError
from tournament.errors import (
    BackupUnreadable,
    ChainBusy,
    ControlUndetermined,
    DatabaseUnavailable,
    EndpointsMissing,
    EntriesUnreadable,
    LogUnreadable,
    ManifestImpossible,
    RequestUnreadable,
    SplitRefused,
    StreamsUnavailable,
    WebhookUrlUnreadable,
)
from tournament.problem import slug_of
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
    EntriesUnreadable: Exit.UNREADABLE,
    RequestUnreadable: Exit.UNREADABLE,
    LogUnreadable: Exit.UNREADABLE,
    BackupUnreadable: Exit.UNREADABLE,
    DatabaseUnavailable: Exit.UNREACHABLE,
    StreamsUnavailable: Exit.UNREACHABLE,
    EndpointsMissing: Exit.UNREACHABLE,
    ChainBusy: Exit.UNREACHABLE,
    ControlUndetermined: Exit.UNREACHABLE,
    SplitRefused: Exit.UNREADABLE,
    ManifestImpossible: Exit.UNREADABLE,
    WebhookUrlUnreadable: Exit.UNREADABLE,
    SettingsUnreadable: Exit.UNREADABLE,
    collection.CollectionError: Exit.REFUSED,
    collection.KeyUnreadable: Exit.UNREADABLE,
    collection.DeploymentUnreadable: Exit.UNREADABLE,
    collection.AnvilError: Exit.UNREACHABLE,
    collection.NotMined: Exit.UNREACHABLE,
    ServerError: Exit.UNREACHABLE,
    Refused: Exit.REFUSED,
    OSError: Exit.REFUSED,
}
"""The nearest class of an error decides; a root stands for all its leaves that are not named. An `OSError` that comes
so far is a file or folder that a command was told to use."""


def exit_of(error: Exception) -> Exit:
    """How a command ends that this error stopped: a server's refusal as the same refusal here."""
    if isinstance(error, Refused):
        return _exit_of_refusal(error)
    return _exit_of_kind(type(error))


def _exit_of_kind(kind: type[Exception]) -> Exit:
    return next(EXITS[each] for each in kind.__mro__ if each in EXITS)


def _exit_of_refusal(error: Refused) -> Exit:
    """By the kind of the problem; if this program does not know it, by its status."""
    known = {
        slug_of(kind): kind for root in (TournamentError, GameError, verifier.VerifierError) for kind in _all(root)
    }
    if error.slug in known:
        return _exit_of_kind(known[error.slug])
    if error.status >= _SERVERS_FAULT:
        return Exit.UNREACHABLE
    return Exit.UNREADABLE if error.status in _UNREADABLE else Exit.REFUSED


_SERVERS_FAULT: Final = 500
_UNREADABLE: Final = frozenset({400, 413, 415, 422})


def _all(kind: type[Exception]) -> Iterator[type[Exception]]:
    yield kind
    for below in kind.__subclasses__():
        yield from _all(below)
