"""Buckets: so many at once, then slowly; the same for every process, and never wrong by one."""

from concurrent.futures import ThreadPoolExecutor
from datetime import UTC, datetime, timedelta

import pytest
from sqlalchemy import text

from tournament.database import Database
from tournament.errors import TooManyRequests
from tournament.service.limits import MOST_REMEMBERED, RULES, Limits, Try, forget_full

NOON = datetime(2026, 1, 31, 12, tzinfo=UTC)
RULE = RULES["entry"]  # 10 at once, one in 30 s
ANN, BEA = Try("entry", "ann"), Try("entry", "bea")


def is_let(limits: Limits, *tries: Try, after: float = 0.0) -> bool:
    try:
        limits.take(tries, NOON + timedelta(seconds=after))
    except TooManyRequests:
        return False
    return True


# seconds | 0 x 11      29   30   31   59   60      10 more minutes
# let     | 10 of them  no   1    no   no   1       10 again
def test_a_bucket_refills_one_by_one_and_is_never_more_than_full(database: Database) -> None:
    limits = Limits(database)
    assert [is_let(limits, ANN) for _ in range(11)] == [True] * 10 + [False]
    assert [is_let(limits, ANN, after=at) for at in (29, 30, 31, 59, 60)] == [False, True, False, False, True]
    assert [is_let(limits, ANN, after=660) for _ in range(11)] == [True] * 10 + [False]


def test_whoever_is_refused_is_told_when_to_come_back(embedded: Database) -> None:
    limits = Limits(embedded)
    for _ in range(10):
        limits.take([ANN], NOON)
    for after, wait in ((0, 30), (12.5, 18)):
        with pytest.raises(TooManyRequests) as refused:
            limits.take([ANN], NOON + timedelta(seconds=after))
        assert refused.value.retry_after == wait
    assert is_let(limits, ANN, after=12.5 + 18)
    assert is_let(limits, BEA), "another bucket"


def test_processes_share_a_bucket(embedded: Database) -> None:
    one, other = Limits(embedded), Limits(embedded)
    assert all(is_let(one, ANN) for _ in range(5))
    assert [is_let(other, ANN) for _ in range(6)] == [True] * 5 + [False]
    assert not is_let(one, ANN)


def test_of_many_at_once_as_many_are_let_as_there_is_room(database: Database) -> None:
    processes = [Limits(database) for _ in range(20)]
    with ThreadPoolExecutor(20) as pool:
        assert sum(pool.map(lambda limits: is_let(limits, ANN), processes * 2)) == RULE.burst


def test_where_one_bucket_is_empty_nothing_is_taken_from_the_others(embedded: Database) -> None:
    limits = Limits(embedded)
    for _ in range(10):
        limits.take([BEA], NOON)
    assert [is_let(limits, ANN, BEA) for _ in range(10)] == [False] * 10
    assert all(is_let(limits, ANN) for _ in range(10))


def test_what_succeeded_is_given_back(database: Database) -> None:
    limits = Limits(database)
    for _ in range(30):
        limits.take([ANN], NOON)
        with database.writing() as session:
            limits.give_back(session, [ANN])
    assert [is_let(limits, ANN) for _ in range(11)] == [True] * 10 + [False]
    with database.writing() as session:
        limits.give_back(session, [ANN])
    assert is_let(limits, ANN), "the process has not remembered that it was empty"


def test_an_empty_bucket_is_refused_without_asking_the_database(embedded: Database) -> None:
    limits = Limits(embedded)
    while is_let(limits, ANN):
        pass
    with embedded.writing() as session:
        session.connection().execute(text("DELETE FROM bucket"))
    assert not is_let(limits, ANN)


def test_a_process_remembers_so_many_and_the_database_no_full_ones(embedded: Database) -> None:
    limits = Limits(embedded)
    for number in range(MOST_REMEMBERED + 10):
        limits._remember(Try("entry", str(number)), 1)  # noqa: SLF001 - ten thousand empty buckets
    assert len(limits._empty) == MOST_REMEMBERED  # noqa: SLF001
    limits.take([ANN], NOON)
    limits.take([BEA], NOON + timedelta(hours=1))
    with embedded.writing() as session:
        forget_full(session, NOON + timedelta(hours=1))
        assert session.connection().execute(text("SELECT key FROM bucket")).all() == [(BEA.bucket,)]


def test_limits_that_are_off_let_everything(embedded: Database) -> None:
    limits = Limits(embedded, are_on=False)
    assert all(is_let(limits, ANN) for _ in range(50))


def test_a_clock_that_was_years_ahead_for_a_while_shuts_nobody_out(embedded: Database) -> None:
    ahead = timedelta(days=1500).total_seconds()
    limits = Limits(embedded)
    assert [is_let(limits, ANN, after=ahead) for _ in range(11)] == [True] * 10 + [False]
    with embedded.writing() as session:
        forget_full(session, NOON + timedelta(seconds=ahead))
    assert not is_let(limits, ANN)
    with embedded.writing() as session:
        forget_full(session, NOON)
    assert is_let(limits, ANN)
    assert is_let(Limits(embedded), ANN)
