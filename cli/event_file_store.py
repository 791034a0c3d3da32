"""An event file on disk: read, and written whole or not at all, unless somebody else changed it in between."""

import errno
import os
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import BinaryIO

import typer

from cli import asking
from tournament.domain.errors import EventFileChanged
from tournament.event_file import MOST_BYTES, Event, parse_event_file, write_event_file
from tournament.event_file.answers import refuse_pods


@dataclass(frozen=True, slots=True)
class Stored:
    """A file as it was read."""

    path: Path
    content: bytes
    event: Event


def read(path: Path) -> Stored:
    """Read a file, or standard input for `-`.

    Raises:
        EventFileUnreadable: with every fault.
    """
    content = asking.source_of(path, MOST_BYTES + 1)
    return Stored(path, content, parse_event_file(content))


def read_to_change(path: Path) -> Stored:
    """The same for a command that goes on with the event.

    Raises:
        EventFileUnreadable: with every fault.
        TablesOfSeveral: the event goes on where it came from, on a server.
    """
    stored = read(path)
    refuse_pods(stored.event, "go on with the event in a file")
    return stored


def save(stored: Stored, event: Event) -> None:
    """Put the event in the place of the one that was read.

    Raises:
        EventFileChanged: the file is not what was read any more.
        OSError: it cannot be written, or is protected.
    """
    if str(stored.path) == "-":
        raise typer.BadParameter("standard input cannot be changed; name a file")
    if not stored.path.is_file():
        asking.write_whole(stored.path, write_event_file(event), replace=True)
        return
    with _held(stored.path) as file:
        if file.read(MOST_BYTES + 2) != stored.content:
            raise EventFileChanged(str(stored.path))
        asking.write_whole(stored.path, write_event_file(event), replace=True)


def create(path: Path, event: Event) -> None:
    """Put an event into a file that is not there yet.

    Raises:
        OSError: it cannot be written.
    """
    if str(path) == "-":
        raise typer.BadParameter("standard output is not a file; name one")
    try:
        path.open("x").close()
    except FileExistsError as error:
        raise typer.BadParameter(f"{path} is there already, and stays; `event-file add` enters more players") from error
    try:
        asking.write_whole(path, write_event_file(event), replace=True)
    except BaseException:
        path.unlink(missing_ok=True)
        raise


@contextmanager
def _held(path: Path) -> Iterator[BinaryIO]:
    """The file, which no other command that writes has meanwhile; who waited for it may find another in its place.

    Raises:
        EventFileChanged: another has taken its place.
        PermissionError: nobody may write it.
    """
    import fcntl  # noqa: PLC0415 - needed only to write

    with path.open("rb") as file:
        if not os.fstat(file.fileno()).st_mode & _WRITABLE:
            raise PermissionError(errno.EACCES, "is write-protected", str(path))
        fcntl.flock(file, fcntl.LOCK_EX)
        if not path.exists() or not os.path.samestat(os.fstat(file.fileno()), path.stat()):
            raise EventFileChanged(str(path))
        yield file


_WRITABLE = 0o222
