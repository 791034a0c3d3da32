"""Group commit: one transaction for all who wait, and to each of them it is as if it were their own."""

import asyncio
from collections.abc import Callable, Iterator
from concurrent.futures import Future, ThreadPoolExecutor
from contextlib import contextmanager
from dataclasses import dataclass, field
from threading import Event
from time import monotonic, sleep

import pytest
from sqlmodel import Session, select

from tournament.database import Database
from tournament.errors import AccountNotFound, DatabaseUnavailable
from tournament.tables import AccountRow
from tournament.together import MOST_TOGETHER, Queue, writes

CROWD = 20


@dataclass
class Crowd:
    """Jobs that wait for one whose commit is held up, so that they are done together."""

    database: Database
    transactions: int = 0
    breaks: list[Exception] = field(default_factory=list)
    """Raised by the next commits."""
    gate: Event = field(default_factory=Event)

    @contextmanager
    def opening(self) -> Iterator[Session]:
        self.transactions += 1
        held = self.transactions == 1
        with self.database.writing() as session:
            yield session
            if held:
                assert self.gate.wait(timeout=20)
            elif self.breaks:
                raise self.breaks.pop()

    def do(self, jobs: list[Callable[[Session], str]]) -> list[Future[str]]:
        """The outcomes of the jobs; the first that is added is the one that holds the others up."""
        queue = Queue(self.opening)
        with ThreadPoolExecutor(len(jobs) + 1) as pool:
            first = pool.submit(queue.do, added("first"))
            until(lambda: self.transactions == 1)
            others = [pool.submit(queue.do, job) for job in jobs]
            until(lambda: len(queue._waiting) == len(jobs))  # noqa: SLF001 - there is no other way to see them wait
            self.gate.set()
        assert first.result() == "first"
        assert queue.is_idle
        return others

    def names(self) -> set[str]:
        with self.database.reading() as session:
            return set(session.exec(select(AccountRow.name)))


@pytest.fixture
def crowd(database: Database) -> Crowd:
    return Crowd(database)


def added(name: str, then: Exception | None = None) -> Callable[[Session], str]:
    def job(session: Session) -> str:
        writes(session)
        session.add(AccountRow(name=name, password="-", created_at="-"))
        session.flush()
        if then is not None:
            raise then
        return name

    return job


def refused(session: Session) -> str:
    session.get(AccountRow, "first")
    raise AccountNotFound("x")


def until(holds: Callable[[], bool]) -> None:
    late = monotonic() + 20
    while not holds():
        assert monotonic() < late
        sleep(0.001)


def test_all_who_wait_share_one_commit(crowd: Crowd) -> None:
    ends = crowd.do([added(f"p{n}") for n in range(CROWD)])
    assert [end.result() for end in ends] == [f"p{n}" for n in range(CROWD)]
    assert crowd.transactions == 2
    assert len(crowd.names()) == CROWD + 1


def test_a_crowd_is_served_in_several(crowd: Crowd) -> None:
    ends = crowd.do([added(f"p{n}") for n in range(MOST_TOGETHER + 1)])
    assert len({end.result() for end in ends}) == MOST_TOGETHER + 1
    assert crowd.transactions == 3


def test_a_refusal_is_of_one(crowd: Crowd) -> None:
    ends = crowd.do([added("a"), refused, added("b")])
    assert isinstance(ends[1].exception(), AccountNotFound)
    assert (crowd.transactions, crowd.names()) == (2, {"first", "a", "b"})


@pytest.mark.parametrize("error", [AccountNotFound("x"), ValueError("a bug")])
def test_what_goes_wrong_after_writing_is_undone_and_done_again_alone(crowd: Crowd, error: Exception) -> None:
    ends = crowd.do([added("a"), added("b", error), added("c")])
    assert ends[1].exception() is error
    assert (ends[0].result(), ends[2].result(), crowd.names()) == ("a", "c", {"first", "a", "c"})


def test_a_refusal_that_left_something_changed_is_undone(crowd: Crowd) -> None:
    def changes_and_refuses(session: Session) -> str:
        row = session.get(AccountRow, "first")
        assert row is not None
        row.password = "changed"
        raise AccountNotFound("x")

    ends = crowd.do([changes_and_refuses, added("a")])
    assert isinstance(ends[0].exception(), AccountNotFound)
    with crowd.database.reading() as session:
        assert session.get_one(AccountRow, "first").password == "-"


def test_a_commit_that_fails_is_tried_again_for_each(crowd: Crowd) -> None:
    crowd.breaks = [ValueError("once")]
    ends = crowd.do([added("a"), added("b")])
    assert ([end.result() for end in ends], crowd.transactions) == (["a", "b"], 4)


def test_a_database_that_is_gone_is_asked_once(crowd: Crowd) -> None:
    crowd.breaks = [DatabaseUnavailable("gone")]
    ends = crowd.do([added(f"p{n}") for n in range(CROWD)])
    assert all(isinstance(end.exception(), DatabaseUnavailable) for end in ends)
    assert (crowd.transactions, crowd.names()) == (2, {"first"})


def test_events_are_written_side_by_side_where_the_database_can(database: Database) -> None:
    with ThreadPoolExecutor(2) as pool:
        inside, leave = Event(), Event()

        def waits(session: Session) -> str:
            inside.set()
            leave.wait(timeout=20)
            return added("slow")(session)

        slow = pool.submit(database.together, "one", waits)
        assert inside.wait(timeout=20)
        quick = pool.submit(database.together, "two", added("quick"))
        if not database.is_embedded:
            assert quick.result(timeout=20) == "quick"
        leave.set()
        assert (slow.result(timeout=20), quick.result(timeout=20)) == ("slow", "quick")


async def soon(queue: Queue, jobs: list[Callable[[Session], str]]) -> list[str | BaseException]:
    return await asyncio.gather(*(queue.soon(job) for job in jobs), return_exceptions=True)


def test_who_waits_on_a_loop_shares_the_commit_too(crowd: Crowd) -> None:
    queue = Queue(crowd.opening)
    with ThreadPoolExecutor(2 + CROWD) as pool:
        first = pool.submit(queue.do, added("first"))
        until(lambda: crowd.transactions == 1)
        on_loop = pool.submit(asyncio.run, soon(queue, [added(f"p{n}") for n in range(CROWD)]))
        in_threads = [pool.submit(queue.do, added(f"q{n}")) for n in range(CROWD)]
        until(lambda: len(queue._waiting) == 2 * CROWD)  # noqa: SLF001 - there is no other way to see them wait
        crowd.gate.set()
    assert first.result() == "first"
    assert on_loop.result() == [f"p{n}" for n in range(CROWD)]
    assert [one.result() for one in in_threads] == [f"q{n}" for n in range(CROWD)]
    assert crowd.transactions == 2
    until(lambda: queue.is_idle)


def test_on_a_loop_alone_everybody_is_served_and_a_refusal_is_of_one(crowd: Crowd) -> None:
    crowd.gate.set()
    queue = Queue(crowd.opening)
    jobs = [added("first"), refused, *(added(f"p{n}") for n in range(2 * MOST_TOGETHER))]
    ends = asyncio.run(soon(queue, jobs))
    assert isinstance(ends.pop(1), AccountNotFound)
    assert crowd.names() == {"first", *(f"p{n}" for n in range(2 * MOST_TOGETHER))} == set(ends)
    until(lambda: queue.is_idle)


def test_whoever_no_longer_waits_on_a_loop_holds_nobody_up(crowd: Crowd) -> None:
    queue = Queue(crowd.opening)

    async def gives_up() -> str:
        first = asyncio.ensure_future(queue.soon(added("first")))
        gone, other = (asyncio.ensure_future(queue.soon(added(name))) for name in ("gone", "other"))
        await asyncio.sleep(0)
        gone.cancel()
        crowd.gate.set()
        await first
        return await other

    assert asyncio.run(gives_up()) == "other"
    assert crowd.names() == {"first", "gone", "other"}
