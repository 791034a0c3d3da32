"""Group commit: whoever wants to write while a commit is under way shares the next transaction with all who wait.

A commit waits for the disk, milliseconds in which nobody else can write. Fifty reports that arrive meanwhile need one
more commit, not fifty. Each is answered after the commit that holds it, so an acknowledged command is on the disk.

One thread of those who wait leads: it opens a transaction, does the jobs of all one after another, commits, wakes them,
and hands the lead to the next one who waits. Whoever waits on an event loop has no thread; then one of the queue's own
leads, until nobody waits any more. A refusal, which comes before anything was written, concerns one job only.
Anything else that goes wrong undoes the transaction, and each job is done again in one of its own; only a database that
does not answer is not asked again.

Jobs that know each other (`Jointly`) ask and write together. Where other processes write to the same place, a
transaction first waits for its turn; whoever came meanwhile joins it.
"""

import asyncio
from collections import deque
from collections.abc import Callable, Iterable, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import AbstractContextManager, suppress
from dataclasses import dataclass, field
from threading import Event, Lock
from typing import Any, Final, Generic, Protocol, TypeAlias, TypeVar

from sqlmodel import Session

from tournament.domain.errors import TournamentError
from tournament.errors import DatabaseUnavailable

MOST_TOGETHER: Final = 64
"""Jobs of one transaction: the first is not to wait for the last of a crowd."""
FIRST: Final = "first"
"""The option of a connection with what is told, before it is carried out, each statement that writes or asks."""
_TRACES: Final = "traces"
_LAST: Final = "at last"
_LEADERS: Final = ThreadPoolExecutor(16, "leader")
"""Threads that lead for those who wait on a loop: one for each event that is written to. None is begun before it is
needed."""

T = TypeVar("T")
Opening: TypeAlias = Callable[[], AbstractContextManager[Session]]
"""A transaction: committed at the end, rolled back if anything is raised."""


class Jointly(Protocol):
    """A job whose class knows what several such jobs have in common. Neither function refuses anything."""

    def __call__(self, session: Session, /) -> Any:  # noqa: ANN401 - of a job
        """Do it."""

    @staticmethod
    def wait(session: Session, jobs: Sequence[Any], /) -> None:
        """Wait until nobody else writes to the place."""

    @staticmethod
    def foresee(session: Session, jobs: Sequence[Any], /) -> None:
        """Ask what all of them are going to ask."""


def at_last(session: Session, do: Callable[[Session], None]) -> None:
    """Have something done when all jobs of a transaction are done, before it is committed."""
    session.info.setdefault(_LAST, []).append(do)


@dataclass
class Traces:
    """What the job that is being done has left."""

    has_written: bool = False


def traces(session: Session) -> Traces:
    """Of the job that is being done now."""
    found: Traces = session.info.setdefault(_TRACES, Traces())
    return found


def writes(session: Session) -> None:
    """To be called by a job before it writes anything: from here on a refusal has something to undo."""
    traces(session).has_written = True


@dataclass(eq=False)
class _Job(Generic[T]):
    do: Callable[[Session], T]
    woken: Event | asyncio.Future[None]
    """Of a thread, or of a loop."""
    ended: bool = False
    result: T | None = None
    error: BaseException | None = None

    def end(self, result: T | None = None, error: BaseException | None = None) -> None:
        self.result, self.error, self.ended = result, error, True

    def outcome(self) -> T:
        if self.error is not None:
            raise self.error
        return self.result  # type: ignore[return-value]


@dataclass
class Queue:
    """Those who want to write to one place."""

    opening: Opening
    _waiting: deque[_Job[Any]] = field(default_factory=deque)
    _led: bool = False
    _lock: Lock = field(default_factory=Lock)

    def do(self, job: Callable[[Session], T]) -> T:
        """Do the job in a transaction that is committed when this returns.

        Args:
            job: reads, refuses by a `TournamentError`, or calls `writes` and writes. It may be called a second time,
                after everything the first call wrote was undone.

        Raises:
            TournamentError: what the job raised, or that the database is not available.
        """
        woken = Event()
        mine = _Job(job, woken)
        if not self._leads(mine):
            woken.wait()
        if not mine.ended:
            self._lead()
        return mine.outcome()

    async def soon(self, job: Callable[[Session], T]) -> T:
        """The same, waiting on the event loop."""
        woken = asyncio.get_running_loop().create_future()
        mine = _Job(job, woken)
        if self._leads(mine):
            self._lead_elsewhere()
        await woken
        return mine.outcome()

    def _leads(self, job: _Job[Any]) -> bool:
        """Whether nobody leads, so that whoever brings this job has to see to it."""
        with self._lock:
            self._waiting.append(job)
            leads, self._led = not self._led, True
        return leads

    def _lead_elsewhere(self) -> None:
        _LEADERS.submit(self._lead)

    @property
    def is_idle(self) -> bool:
        """Nobody writes, nobody waits."""
        return not self._led

    def _lead(self) -> None:
        """Serve all who wait now, this thread among them; then the first of those who came meanwhile leads."""
        jobs: list[_Job[Any]] = []
        self._join(jobs)
        try:
            _serve(jobs, self.opening, self._join)
        finally:
            with self._lock:
                following = self._waiting[0] if self._waiting else None
                self._led = following is not None
            for job in jobs:
                if not job.ended:  # this thread is being ended by force
                    job.end(error=RuntimeError("the thread that wrote for several was ended"))
            _wake(jobs)
            if following is not None:
                if isinstance(following.woken, Event):
                    following.woken.set()
                else:
                    self._lead_elsewhere()

    def _join(self, jobs: list[_Job[Any]]) -> None:
        """Let those who wait join these jobs."""
        with self._lock:
            jobs += [self._waiting.popleft() for _ in range(min(MOST_TOGETHER - len(jobs), len(self._waiting)))]


def _wake(jobs: Iterable[_Job[Any]]) -> None:
    """Wake all who wait for these jobs, those of one loop together."""
    loops: dict[asyncio.AbstractEventLoop, list[asyncio.Future[None]]] = {}
    for job in jobs:
        if isinstance(job.woken, Event):
            job.woken.set()
        else:
            loops.setdefault(job.woken.get_loop(), []).append(job.woken)
    for loop, waiting in loops.items():
        with suppress(RuntimeError):  # it was closed; nobody waits there any more
            loop.call_soon_threadsafe(_tell, waiting)


def _tell(waiting: Iterable[asyncio.Future[None]]) -> None:
    for one in waiting:
        if not one.done():  # or it was cancelled
            one.set_result(None)


def _serve(jobs: list[_Job[Any]], opening: Opening, join: Callable[[list[_Job[Any]]], None]) -> None:
    if not _served_at_once(jobs, opening, join):
        for job in jobs:
            _serve_alone(job, opening)


def _served_at_once(jobs: list[_Job[Any]], opening: Opening, join: Callable[[list[_Job[Any]]], None]) -> bool:
    """Whether each job has its end; if not, nothing was written."""
    ends: list[tuple[Any, TournamentError | None]] = []
    try:
        with opening() as session:
            _jointly("wait", session, jobs)
            join(jobs)
            if len(jobs) > 1:
                _jointly("foresee", session, jobs)
            for job in jobs:
                traces(session).has_written = False
                try:
                    result = job.do(session)
                    session.flush()  # so that the next job finds whatever this one wrote
                    ends.append((result, None))
                except TournamentError as refusal:
                    if traces(session).has_written or session.new or session.dirty or session.deleted:
                        raise
                    ends.append((None, refusal))
            _finish(session)
    except DatabaseUnavailable as gone:
        for job in jobs:
            job.end(error=gone)
        return True
    except Exception:  # noqa: BLE001 - whatever it was, the next attempt raises it for the one that it concerns
        return False
    for job, end in zip(jobs, ends, strict=True):
        job.end(*end)
    return True


def _serve_alone(job: _Job[Any], opening: Opening) -> None:
    try:
        with opening() as session:
            result = job.do(session)
            _finish(session)
    except Exception as error:  # noqa: BLE001 - raised where the job came from
        job.end(error=error)
    else:
        job.end(result)


def _jointly(what: str, session: Session, jobs: Iterable[_Job[Any]]) -> None:
    """Let those of a class that knows how do this together."""
    several: dict[type, list[Any]] = {}
    for job in jobs:
        if hasattr(job.do, what):
            several.setdefault(type(job.do), []).append(job.do)
    for kind, some in several.items():
        getattr(kind, what)(session, some)


def _finish(session: Session) -> None:
    for do in session.info.pop(_LAST, ()):
        do(session)
