"""Passes that a scanner types in, one a line: judged, written down, told.

With a network the server is asked first, so that no pass comes in at two desks. Where it gives no answer the desk goes
on by itself for a while, as it does all day with --offline, and tells the server later.
"""

import sys
import time
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field
from typing import Any, Final

from cli import desk_folders, output
from cli.desk import Desk
from cli.errors import Refused, ServerError
from cli.screen import plain_text
from verifier.errors import VerifierError
from verifier.passes import Admission, OfflineDesk, Use, parse_payload, write_scan

AT_ONCE: Final = 300
"""Scans that the server is told in one call."""
ALONE_S: Final = 60.0
"""How long the desk works by itself before it tries the server again."""
FRESH_S: Final = 120.0
"""After so long the server is asked what is new."""
_NOT_GOOD: Final = "pass-not-good"


@dataclass
class Scanning:
    """A desk at work.

    Args:
        desk: who asks the server.
        own: the desk's folder.
        offline: the server is never asked.
        clock: seconds, monotonic.
    """

    desk: Desk
    own: OfflineDesk
    offline: bool
    clock: Callable[[], float] = time.monotonic
    alone_until: float = 0.0
    fetched_at: float = 0.0
    counts: dict[str, int] = field(default_factory=lambda: {"in": 0, "refused": 0})

    def take(self, line: str) -> None:
        """What a scanner typed."""
        text = line.rstrip("\r\n")
        if not text:
            return
        if self._is_online() and self._told():
            self._ask(text)
        else:
            self._tell(self._admit(text))
        self._refresh()

    # --- by itself

    def _admit(self, text: str) -> Admission:
        return self.own.admit(text, desk_folders.now(), desk_folders.said)

    def _tell(self, found: Admission) -> None:
        self.counts["refused" if found.problems else "in"] += 1
        if self.desk.as_json:
            output.print_json({**desk_folders.as_document(found), **self._state()})
        else:
            self._print(desk_folders.lines_of(found))

    def _print(self, lines: list[tuple[str, str]]) -> None:
        for line, style in lines:
            output.print_styled(line, style)
        if lines[0][1] == desk_folders.BAD:
            output.print_bell()
        output.print_styled(f"      {desk_folders.status_of(self.own)}{self._network()}", "dim")
        sys.stdout.flush()

    def _state(self) -> dict[str, object]:
        return {
            "revocations_as_of": self.own.briefing.as_of,
            "unsynced": len(self.own.unsynced),
            "online": self._is_online(),
        }

    # --- with the server

    def _is_online(self) -> bool:
        return not self.offline and self.clock() >= self.alone_until

    def _network(self) -> str:
        return "" if self.offline or self._is_online() else " · the server gives no answer"

    def _gone(self, error: Exception) -> None:
        self.alone_until = self.clock() + ALONE_S
        output.print_note(f"{str(error).splitlines()[0]}; going on without the server")

    def _told(self) -> bool:
        """The server knows whom this desk let in; False where it gives no answer."""
        try:
            sync(self.desk, self.own)
        except ServerError as error:
            self._gone(error)
            return False
        return True

    def _ask(self, text: str) -> None:
        """Let the server decide; where it gives no answer, the desk does."""
        try:
            asked = {"text": text, "desk": self.own.address}
            answer = self.desk.do("/passes/scans", asked, step=f"/{sum(self.counts.values()) + 1}")
        except Refused as no:
            if no.slug != _NOT_GOOD:
                raise
            self._tell_refused(no.document)
        except ServerError as error:
            self._gone(error)
            self._tell(self._admit(text))
        else:
            self._tell_came_in(text, answer)

    def _tell_came_in(self, text: str, answer: Mapping[str, Any]) -> None:
        self.counts["in"] += 1
        fact = answer["receipt"]["fact"]
        tag = parse_payload(text).signed.deck_pass.player_tag
        self.own.note(tag, Use(fact["serial"], fact["scanned_at"]))
        if self.desk.as_json:
            output.print_json({"good": True, "entry": fact["entry"], **answer, **self._state()})
            return
        who = f"{plain_text(answer['name'])} ({fact['entry']})"
        line = desk_folders.good_line(who, fact["serial"], answer["ownership"], bound=answer["bound"])
        self._print([(line, desk_folders.GOOD)])

    def _tell_refused(self, problem: Mapping[str, Any]) -> None:
        self.counts["refused"] += 1
        if self.desk.as_json:
            output.print_json({"good": False, **problem, **self._state()})
            return
        self._print([(f"NO    {plain_text(str(one))}", desk_folders.BAD) for one in problem["reasons"]])

    def _refresh(self) -> None:
        if not self._is_online() or self.clock() - self.fetched_at < FRESH_S:
            return
        try:
            self.own.take(desk_folders.fetched(self.desk))
        except ServerError as error:
            self._gone(error)
        except (Refused, VerifierError) as error:
            output.print_note(f"nothing newer was taken from the server: {error}")
        self.fetched_at = self.clock()


def sync(desk: Desk, own: OfflineDesk) -> int:
    """Tell the server whom the desk let in, so many at once; how many they were.

    Raises:
        Refused, ServerError: what was told before stays told.
    """
    told = 0
    while waiting := own.unsynced[:AT_ONCE]:
        last = waiting[-1].scan.counter
        desk.do(
            "/passes/scans/sync",
            {"scans": list(map(write_scan, waiting))},
            step=f"/{own.address[2:10]}-{waiting[0].scan.counter}-{last}",
            doing="Telling the server who came in…",
        )
        own.have_synced(last)
        told += len(waiting)
    return told


def typed(prompt: str) -> Iterator[str]:
    """Lines of standard input as they are, blanks and all, until its end or Ctrl-C; a terminal does not show them."""
    if sys.stdin is None:
        return
    if sys.stdin.isatty():
        output.print_note(prompt)
    with _without_echo(), suppress(KeyboardInterrupt):
        yield from iter(sys.stdin.readline, "")


@contextmanager
def _without_echo() -> Iterator[None]:
    """A pass is 300 letters, and a scanner types fast."""
    with suppress(ImportError):
        import termios  # noqa: PLC0415 - not there on Windows

        if sys.stdin.isatty():
            at = sys.stdin.fileno()
            before = termios.tcgetattr(at)
            quiet = termios.tcgetattr(at)
            quiet[3] &= ~termios.ECHO
            termios.tcsetattr(at, termios.TCSADRAIN, quiet)
            try:
                yield
            finally:
                termios.tcsetattr(at, termios.TCSADRAIN, before)
            return
    yield
