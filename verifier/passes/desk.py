"""A desk in a folder: it lets players in without a network, and whatever happens to it, nobody it let in is forgotten.

    desk.json     what the server gave it (`sheet`), exchanged whole
    desk.key      the desk's own private key, which leaves the folder never
    scans.jsonl   a signed scan a line; lines are only added, and each is on the disk before anybody is let in
    synced        how many of them the server has said that it has

A process that is killed in the middle of a line leaves a part of it, and has let nobody in for it; the next one cuts it
off. Two processes cannot work in one folder, and two folders have two keys.
"""

import json
import os
import tempfile
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field
from pathlib import Path
from types import TracebackType
from typing import Final, Self

from verifier.curve import SigningKey
from verifier.errors import DeskFolderUnusable, StatementUnreadable
from verifier.holdings import Address
from verifier.passes.check import Checked, Use, check_pass, in_utc
from verifier.passes.revocations import Briefing
from verifier.passes.scans import FIRST, DeskKey, SignedScan, read_scan, write_scan
from verifier.passes.sheet import Guest, Sheet, read_sheet, write_sheet

SHEET: Final = "desk.json"
KEY: Final = "desk.key"
SCANS: Final = "scans.jsonl"
SYNCED: Final = "synced"
_OWNERS: Final = 0o700
_SECRET: Final = 0o600
_UNKNOWN_PLAYER: Final = (
    "this desk's list of players is older than the pass, so there is no name to compare; "
    "fetch a newer one, or send the player to a desk with a network"
)


@dataclass(frozen=True, slots=True)
class Admission:
    """What came of a pass at this desk."""

    checked: Checked
    guest: Guest | None
    """Whose pass it is, if it is genuine and the desk's list has the player."""
    problems: tuple[str, ...]
    """Why the player may not come in; empty if the player may."""
    scan: SignedScan | None = None
    """What was written down; None where nobody was let in."""


@dataclass
class OfflineDesk:
    """A desk that is at work; `prepare` and `open_desk` make one. Close it, or use it in a `with`."""

    folder: Path
    sheet: Sheet
    key: DeskKey
    scans: list[SignedScan]
    """What it wrote down, the first one first."""
    synced: int
    """How many of them the server has said that it has."""
    cut_off: int = 0
    """Bytes of a scan that was being written when the desk was ended the last time."""
    _file: int | None = None
    """Of the scans; None where the desk only looks."""
    _used: dict[bytes, Use] = field(default_factory=dict)

    def __post_init__(self) -> None:
        self._take_used()

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()

    def close(self) -> None:
        """Let another process work in the folder."""
        if self._file is not None:
            os.close(self._file)
            self._file = None

    @property
    def address(self) -> Address:
        """By which the server knows the desk."""
        return self.key.key.address

    @property
    def briefing(self) -> Briefing:
        """What it believes."""
        return self.sheet.briefing

    @property
    def unsynced(self) -> Sequence[SignedScan]:
        """What the server has not said that it has."""
        return self.scans[self.synced :]

    def look(self, text: str, at: int, say: Callable[[int], str] = in_utc) -> Admission:
        """Judge what a scanner read, and write nothing down.

        Args:
            text: without the end of the line.
            at: now, by the desk's clock; seconds since 1970, UTC.
            say: a time in words.
        """
        checked = check_pass(text, self.briefing, used=self._used, at=at, say=say)
        guest, problems = None, [*checked.problems]
        if checked.shown is not None and checked.genuine:
            deck_pass = checked.shown.signed.deck_pass
            guest = self.sheet.guests.get(deck_pass.player_tag)
            if guest is None and not problems and not deck_pass.bound:
                problems.append(_UNKNOWN_PLAYER)
        return Admission(checked, guest, tuple(problems))

    def admit(self, text: str, at: int, say: Callable[[int], str] = in_utc) -> Admission:
        """The same, and let the player in if the pass is good: the scan is on the disk before this returns.

        Raises:
            OSError: it could not be written down, so nobody was let in.
        """
        found = self.look(text, at, say)
        if found.problems or found.checked.shown is None:
            return found
        scan = self.key.scan(found.checked.shown.signed, at, self.scans[-1] if self.scans else None)
        self._append(scan)
        self.scans.append(scan)
        self._used[scan.scan.player_tag] = Use(scan.scan.serial, scan.scan.scanned_at)
        return Admission(found.checked, found.guest, (), scan)

    def note(self, player_tag: bytes, use: Use) -> None:
        """A player came in elsewhere; the next sheet says so too."""
        self._used.setdefault(player_tag, use)

    def take(self, sheet: Sheet) -> None:
        """Work with what the server says now.

        Raises:
            DeskFolderUnusable: it is of another event.
            RevocationsUntrusted: it is older than what the desk knows.
        """
        _check_same(self.folder, self.sheet, sheet)
        sheet.briefing_after(self.briefing)
        _write_whole(self.folder / SHEET, json.dumps(write_sheet(sheet), ensure_ascii=False))
        self.sheet = sheet
        self._used = {}
        self._take_used()

    def have_synced(self, counter: int) -> None:
        """The server has all scans up to that one."""
        self.synced = max(self.synced, min(counter, len(self.scans)))
        _write_whole(self.folder / SYNCED, f"{self.synced}\n")

    def _take_used(self) -> None:
        self._used = dict(self.sheet.used)
        for each in self.scans:
            self._used[each.scan.player_tag] = Use(each.scan.serial, each.scan.scanned_at)

    def _append(self, scan: SignedScan) -> None:
        """Add a line, whole and on the disk, or not at all."""
        if self._file is None:
            raise DeskFolderUnusable(str(self.folder), "it was opened to be looked at", "open it to work in it")
        line = (json.dumps(write_scan(scan), separators=(",", ":")) + "\n").encode()
        before = os.fstat(self._file).st_size
        try:
            written = os.write(self._file, line)
            if written != len(line):
                raise OSError(28, "no space left for a whole line", str(self.folder / SCANS))  # noqa: TRY301 - undone below
            os.fsync(self._file)
        except OSError:
            with suppress(OSError):
                os.ftruncate(self._file, before)
            raise


def prepare(folder: Path, sheet: Sheet) -> OfflineDesk:
    """Make a folder ready for an event, or bring one up to date that is.

    Raises:
        DeskFolderUnusable: it is of another event, damaged, or in use.
        RevocationsUntrusted: the folder knows something newer.
        OSError: it cannot be written.
    """
    folder.mkdir(parents=True, exist_ok=True, mode=_OWNERS)
    if (folder / SHEET).exists():
        desk = open_desk(folder)
        try:
            desk.take(sheet)
        except BaseException:
            desk.close()
            raise
        return desk
    if any((folder / name).exists() for name in (KEY, SCANS)):
        raise DeskFolderUnusable(str(folder), f"it has scans and no {SHEET}", "name another folder")
    _write_whole(folder / KEY, SigningKey.fresh().secret.hex() + "\n", mode=_SECRET)
    _write_whole(folder / SHEET, json.dumps(write_sheet(sheet), ensure_ascii=False))
    return open_desk(folder)


def open_desk(folder: Path, *, looking: bool = False) -> OfflineDesk:
    """The desk in a folder that `prepare` made.

    Args:
        folder: where it is.
        looking: only to look: nothing is changed, and another process may be at work.

    Raises:
        DeskFolderUnusable: nothing is there, it is damaged, or another process is at work in it.
        SheetUnreadable: what the server gave it was changed.
    """
    if not (folder / SHEET).is_file():
        raise DeskFolderUnusable(str(folder), "no desk is there", "make one with `deckproof desk fetch`")
    sheet = _sheet_in(folder)
    key = DeskKey(_key_in(folder), sheet.promised.chain_id)
    if looking:
        whole, rest = _lines_of((folder / SCANS).read_bytes() if (folder / SCANS).exists() else b"")
        scans = [*_scans(folder, sheet, key, whole)]
        return OfflineDesk(folder, sheet, key, scans, _synced_in(folder, len(scans)), cut_off=len(rest))
    with _locked(folder) as file:
        whole, rest = _lines_of(_read_all(file))
        scans = [*_scans(folder, sheet, key, whole)]
        if rest:
            os.ftruncate(file, sum(len(line) + 1 for line in whole))
            os.fsync(file)
        return OfflineDesk(
            folder, sheet, key, scans, _synced_in(folder, len(scans)), cut_off=len(rest), _file=os.dup(file)
        )


@contextmanager
def _locked(folder: Path) -> Iterator[int]:
    """The file of the scans, for this process alone as long as it, or a copy of the descriptor, is open."""
    is_new = not (folder / SCANS).exists()
    file = os.open(folder / SCANS, os.O_RDWR | os.O_CREAT | os.O_APPEND | getattr(os, "O_BINARY", 0), _SECRET)
    try:
        with suppress(ImportError):  # not there on Windows
            import fcntl  # noqa: PLC0415

            try:
                fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
            except BlockingIOError as error:
                problem = "another process is at work in it"
                raise DeskFolderUnusable(str(folder), problem, "end that one first") from error
        if is_new:
            _sync_folder(folder)
        yield file
    finally:
        os.close(file)


def _read_all(file: int) -> bytes:
    os.lseek(file, 0, os.SEEK_SET)
    parts = []
    while part := os.read(file, 1 << 20):
        parts.append(part)
    return b"".join(parts)


def _lines_of(raw: bytes) -> tuple[list[bytes], bytes]:
    """Whole lines without their ends, and what comes after the last one."""
    *whole, rest = raw.split(b"\n")
    return whole, rest


def _scans(folder: Path, sheet: Sheet, key: DeskKey, lines: Sequence[bytes]) -> Iterator[SignedScan]:
    """The scans of the lines, which follow each other. Raises: DeskFolderUnusable."""
    event_id, address, last = sheet.promised.event_id, key.key.address, FIRST
    for number, line in enumerate(lines, start=1):
        try:
            signed = read_scan(json.loads(line))
        except (ValueError, RecursionError, StatementUnreadable) as error:
            raise _damaged(folder, number, "is no scan") from error
        scan = signed.scan
        if (scan.event_id, scan.desk, scan.counter, scan.previous) != (event_id, address, number, last):
            raise _damaged(folder, number, "does not follow the one before it")
        if not signed.is_desks(key.chain_id):
            raise _damaged(folder, number, "is not signed by the desk's key")
        last = scan.digest(key.chain_id)
        yield signed


def _damaged(folder: Path, number: int, problem: str) -> DeskFolderUnusable:
    """A line that is not as this desk wrote it, or is missing."""
    right = "keep the folder for the organizer, and fetch a new one under another name"
    return DeskFolderUnusable(str(folder / SCANS), f"line {number} {problem}, so somebody changed the file", right)


def _sheet_in(folder: Path) -> Sheet:
    try:
        document = json.loads((folder / SHEET).read_bytes())
    except (ValueError, RecursionError) as error:
        raise DeskFolderUnusable(str(folder / SHEET), "it is not JSON", "fetch it again") from error
    return read_sheet(document)


def _key_in(folder: Path) -> SigningKey:
    try:
        return SigningKey(bytes.fromhex((folder / KEY).read_text(encoding="ascii").strip()))
    except (ValueError, OSError) as error:
        right = "fetch a new folder under another name; its scans have another key"
        raise DeskFolderUnusable(str(folder / KEY), "the desk's key is missing or damaged", right) from error


def _synced_in(folder: Path, most: int) -> int:
    """Said again, it is the same; so what cannot be read is 0. Raises: DeskFolderUnusable: the server has more."""
    try:
        synced = max(0, int((folder / SYNCED).read_text(encoding="ascii")))
    except (ValueError, OSError):
        return 0
    if synced > most:
        raise _damaged(folder, most + 1, f"is missing, and the server has {synced}")
    return synced


def _check_same(folder: Path, sheet: Sheet, other: Sheet) -> None:
    if (sheet.event, sheet.promised.event_id) != (other.event, other.promised.event_id):
        problem = f"it is for the event {sheet.event} ({sheet.promised.event})"
        raise DeskFolderUnusable(str(folder), problem, "name another folder for another event")


def _write_whole(path: Path, text: str, *, mode: int | None = None) -> None:
    """Write a file so that it is there whole, with the old text or the new one, whatever happens meanwhile."""
    handle, name = tempfile.mkstemp(dir=path.parent, prefix=".desk-")  # its mode is 0600
    part = Path(name)
    try:
        with os.fdopen(handle, "w", encoding="utf-8", newline="") as file:
            file.write(text)
            file.flush()
            os.fsync(file.fileno())
        if mode is not None:
            part.chmod(mode)
        part.replace(path)
        _sync_folder(path.parent)
    except BaseException:
        part.unlink(missing_ok=True)
        raise


def _sync_folder(folder: Path) -> None:
    """Names in a folder are on the disk only then; not every system can."""
    with suppress(OSError):
        handle = os.open(folder, os.O_RDONLY)
        try:
            os.fsync(handle)
        finally:
            os.close(handle)
