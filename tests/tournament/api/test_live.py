"""Live streams: everything that may be read, in order, once, to everybody who listens."""

import asyncio
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any, Literal

import pytest
from sqlalchemy import text

from tests.tournament.evening import CODES, Evening
from tests.tournament.people import account, games
from tests.tournament.streams import Reader, running
from tournament import store
from tournament.api.app import create_app
from tournament.api.live import KEPT, MOST_MISSED, Channel, Hub, Opening, Pace, Stream, Told, site_of
from tournament.database import Database, open_file, open_url
from tournament.domain.roles import Role
from tournament.errors import StreamsUnavailable
from tournament.service import accounts, events, results, rounds, staff
from tournament.service.news import STAFF, VISITOR
from tournament.settings import Settings
from tournament.tables import BrowserRow
from tournament.watch import Watch

Read = Callable[..., Reader]


@pytest.fixture
def evening(database: Database) -> Evening:
    for name in ("ann", "bea"):
        account(name, database)
    return Evening(database).begins()


@pytest.fixture
def port(database: Database, evening: Evening) -> Iterator[int]:
    with running(create_app(Settings(streams_per_address=4), database=database)) as port:
        yield port


@pytest.fixture
def read(port: int) -> Iterator[Callable[..., Reader]]:
    """Makes readers of the server."""
    made: list[Reader] = []

    def make(place: str, token: str = "", last: str = "", *, port: int = port) -> Reader:
        made.append(Reader(port, place, token, last))
        return made[-1]

    yield make
    for reader in made:
        reader.close()


def path(evening: Evening, query: str = "") -> str:
    return f"/events/{evening.event}/stream{query}"


def report(number: int, table: int, first: int = 2, second: int = 0) -> results.Report:
    return results.Report(round=number, table=table, **games(first, second))


def test_everybody_is_told_what_they_may_know_and_nobody_a_draft_but_staff(read: Read, evening: Evening) -> None:
    begun = evening.version
    visitor, organizer = read(path(evening)), read(path(evening), "dp_ann")
    player = read(path(evening), accounts.entry_token(CODES, evening.enters("a").event, 1, 1))
    evening.enters("b").does(events.CLOSE).does(rounds.PAIR).does(staff.GRANT, staff.Grant(account="bea", role="desk"))
    evening.does(rounds.PUBLISH).does(results.REPORT, report(1, 1)).does(results.CORRECT, report(1, 1, 0, 2))
    evening.does(rounds.CLOSE).does(events.FINISH)
    for reader in (visitor, organizer, player):
        reader.until_version(evening.version)
    public = [
        ["entries"], ["entries"], ["event"], ["round.published", "event"], ["result"], ["correction", "standings"],
        ["round", "standings"], ["finished", "event"],
    ]  # fmt: skip
    assert visitor.topics == public
    assert player.topics[-len(public) :] in (public, public[1:])
    assert organizer.versions == list(range(begun + 1, evening.version + 1))
    assert [one["command"] for one in organizer.news if one["version"] not in visitor.versions] == [
        "round.pair",
        "staff.grant",
    ]
    said = visitor.news[4]
    assert said.pop("at")
    assert said == {
        "event": evening.event,
        "version": begun + 7,
        "topics": ["result"],
        "phase": "round",
        "round": 1,
        "table": 1,
        "games": {"first": 2, "second": 0, "drawn": 0, "ending": "played"},
    }
    assert not {"actor", "command"} & {field for one in visitor.news + player.news for field in one}
    assert (visitor.news[1]["entry"], visitor.news[1]["players"]) == (2, 2)
    assert visitor.headers["content-type"].startswith("text/event-stream")
    assert visitor.headers["cache-control"] == "no-store"
    assert 1000 <= visitor.retry <= 4000


def test_who_comes_back_is_told_the_rest_once(read: Read, evening: Evening) -> None:
    reader = read(path(evening, "?after=0"))
    evening.enters("a")
    assert reader.until_version(evening.version) == list(range(1, evening.version + 1))
    reader.close()
    evening.enters("b", "c")
    reader.open()
    evening.enters("d")
    assert reader.until_version(evening.version) == list(range(1, evening.version + 1))
    reader.close()


def test_who_was_told_nothing_yet_knows_where_the_stream_began(read: Read, evening: Evening) -> None:
    reader = read(path(evening)).until(lambda reader: reader.last)
    reader.close()
    evening.enters("a")
    assert reader.open().until_version(evening.version) == [evening.version]
    reader.close()


@pytest.mark.parametrize("last", ["3-00000000", "9999-00000000"])
def test_who_knows_another_history_is_told_to_look_at_everything_again(read: Read, evening: Evening, last: str) -> None:
    reader = read(path(evening), last=last).until(lambda reader: reader.news)
    reader.close()
    assert reader.news == [{"event": evening.event, "version": evening.version, "topics": ["reload"]}]
    assert reader.last.startswith(f"{evening.version}-")


def test_who_missed_too_much_is_told_to_look_at_everything_again(read: Read, evening: Evening) -> None:
    with evening.database.writing() as session:
        session.connection().execute(text(f"UPDATE event SET version = {evening.version + MOST_MISSED + 1}"))
    reader = read(path(evening, f"?after={evening.version}")).until(lambda reader: reader.news)
    reader.close()
    assert reader.topics == [["reload"]]


def test_a_stream_that_may_not_be_read_is_refused_before_it_begins(read: Read, evening: Evening) -> None:
    secret = Evening(evening.database, "bea").begins("Secret", published=False)
    seen = [
        read(path(secret)),
        read(path(secret), "dp_ann"),
        read(path(evening), "dp_nobody"),
        read(path(evening), last="17"),
        read(path(evening, "?after=-1")),
    ]
    assert [reader.status for reader in seen] == [404, 404, 401, 422, 422]
    assert read(path(secret), "dp_bea").status == 200
    assert read(path(secret), accounts.entry_token(CODES, secret.enters("a").event, 1, 1)).status == 200


def test_there_are_only_so_many_streams_of_one_address_and_a_place_is_free_again(read: Read, evening: Evening) -> None:
    some = [read(path(evening)) for _ in range(4)]
    refused = read(path(evening))
    assert (refused.status, refused.problem["type"]) == (503, "/problems/streams-unavailable")
    assert int(refused.headers["retry-after"]) > 0
    some[0].close()
    evening.enters("a")
    for reader in some[1:]:
        reader.until_version(evening.version)
    again = refused.open()
    while again.status == 503:
        again = refused.open()
    assert again.status == 200


def test_no_connection_to_the_database_is_held_while_there_is_nothing_to_tell(read: Read, evening: Evening) -> None:
    some = [read(path(evening)).until(lambda reader: reader.last) for _ in range(4)]
    evening.enters("a")
    for reader in some:
        reader.until_version(evening.version)
    pool: Any = evening.database.engine.pool
    end = time.monotonic() + 5
    while pool.checkedout() and time.monotonic() < end:  # the watch has told us, and is putting its connection back
        time.sleep(0.01)
    assert pool.checkedout() == 0


def test_who_is_no_longer_staff_is_told_no_more(read: Read, evening: Evening) -> None:
    bea = staff.Grant(account="bea", role="scorekeeper")
    evening.does(staff.GRANT, bea)
    reader, organizer = (read(path(evening), f"dp_{name}") for name in ("bea", "ann"))
    evening.does(staff.REVOKE, bea).enters("a", "b").does(events.CLOSE).does(rounds.PAIR)
    reader.until(lambda reader: reader.has_ended)
    assert reader.news[-1]["command"] == "staff.revoke"
    reader.open().until_version(evening.version - 1)
    assert "draft" not in {topic for topics in reader.topics for topic in topics}
    organizer.until(lambda reader: reader.has_ended)
    assert organizer.open().until_version(evening.version)[-1] == evening.version


def revoke(database: Database) -> None:
    with database.writing() as session:
        accounts.revoke(session, "bea", accounts.id_of(accounts.digest_of("dp_bea")))


def expire(database: Database) -> None:
    with database.writing() as session:
        row = store.tokens_of(session, "bea")[0]
        row.expires_at = "2026-01-01T00:00:00.000000Z"


def take_the_role(database: Database) -> None:
    with database.writing() as session:
        for role in Role:
            store.delete_staff(session, store.all_events(session)[0][0], "bea", role)


@pytest.mark.parametrize(
    "ends",
    [
        lambda database: accounts.disable(database, "bea", now=datetime.now(UTC)),
        revoke,
        expire,
        take_the_role,
    ],
    ids=["disabled", "revoked", "expired", "no role"],
)
@pytest.mark.parametrize("role", ["judge", "desk", "display"])
def test_a_stream_ends_within_seconds_when_its_account_may_act_no_more_wherever_that_was_said(
    embedded: Database, tmp_path: Path, ends: Callable[[Database], None], role: Literal["judge", "desk", "display"]
) -> None:
    for name in ("ann", "bea"):
        account(name, embedded)
    evening = Evening(embedded).begins()
    evening.does(staff.GRANT, staff.Grant(account="bea", role=Role(role)))
    app, other = create_app(Settings(), database=embedded), open_file(tmp_path / "embedded.db")
    with running(app) as port:
        app.state.hub.pace = Pace(look=0.05)
        reader, visitor = (Reader(port, path(evening), token) for token in ("dp_bea", ""))
        for one in (reader, visitor):
            one.until(lambda one: one.last)
        ends(other)
        reader.until(lambda one: one.has_ended)
        assert (reader.has_ended, visitor.has_ended) == (True, False)
        evening.enters("a")
        assert visitor.until_version(evening.version) == [evening.version]
        for one in (reader, visitor):
            one.close()
    other.close()


def test_a_browser_that_is_signed_out_reads_no_more(embedded: Database) -> None:
    account("bea", embedded)
    now = datetime.now(UTC)
    at, later = (moment.isoformat().replace("+00:00", "Z") for moment in (now, now + timedelta(days=1)))
    digest = accounts.digest_of("dpb_cookie")
    with embedded.writing() as session:
        store.save_browser(
            session,
            BrowserRow(digest=digest, account="bea", about="", created_at=at, seen_at=at, expires_at=later),
        )
    with embedded.reading() as session:
        assert accounts.reading(session, {digest, "another"}, now) == {digest: "bea"}
        assert accounts.reading(session, {digest}, now + accounts.IDLE) == {}
    with embedded.writing() as session:
        store.delete_browser(session, digest)
    with embedded.reading() as session:
        assert accounts.reading(session, {digest}, now) == {}


def test_a_database_that_is_away_for_a_while_ends_no_stream(
    embedded: Database, tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    account("ann", embedded)
    evening = Evening(embedded).begins()
    file, aside = tmp_path / "embedded.db", tmp_path / "aside.db"

    async def check() -> None:
        with hub_of(embedded, look=0.02) as hub:
            phone = Phone()
            opening = Opening(evening.event, evening.version, b"", STAFF, digest=accounts.digest_of("dp_ann"))
            stream = Stream(hub, hub.admit("10.0.0.1"), opening)
            task = asyncio.create_task(stream({"type": "http"}, phone.receive, phone.send))
            await asyncio.sleep(0.1)
            file.rename(aside)
            file.mkdir()
            embedded.engine.dispose()  # now, since a look that came between would keep the file that is aside
            while "is not known for now" not in caplog.text:  # noqa: ASYNC110 - a log wakes nobody
                await asyncio.sleep(0.02)
            file.rmdir()
            aside.rename(file)
            await asyncio.sleep(0.1)
            assert not task.done()
            accounts.disable(embedded, "ann", now=datetime.now(UTC))
            await asyncio.wait_for(task, 5)
            assert phone.is_complete
            assert (hub._held, hub._looking) == (set(), None)  # noqa: SLF001 - nothing is left behind

    asyncio.run(check())


def test_what_another_process_did_is_told_too(url: str, read: Read, evening: Evening) -> None:
    readers = [read(path(evening)).until(lambda reader: reader.last)]
    other = open_url(url)
    with running(create_app(Settings(), database=other)) as second:
        readers.append(read(path(evening), port=second).until(lambda reader: reader.last))
        evening.enters("a")
        there = Evening(other, "bea", evening.event)
        evening.does(staff.GRANT, staff.Grant(account="bea", role="organizer"))
        there.enters("b")
        for reader in readers:
            assert [one["entry"] for one in reader.until(lambda reader: len(reader.news) == 2).news] == [1, 2]
            reader.close()
    other.close()


def test_processes_tell_each_other_which_event_changed(url: str, database: Database, evening: Evening) -> None:
    """By NOTIFY on PostgreSQL; on SQLite they see that something did."""
    other = open_url(url)
    here, there = Watch(database), Watch(other)
    heard: asyncio.Queue[Any] = asyncio.Queue()
    begun: asyncio.Queue[Any] = asyncio.Queue()
    here.tell(begun.put_nowait)
    there.tell(heard.put_nowait)
    try:
        assert wait_for(heard, lambda _: True) is None
        wait_for(begun, lambda _: True)
        for name in "abcdefgh":
            evening.enters(name)
        wanted = None if database.is_embedded else {evening.event}
        assert wait_for(heard, lambda said: said == wanted) == wanted
    finally:
        here.stop()
        there.stop()
        other.close()


def test_a_listener_that_fails_breaks_no_command_and_is_told_again(
    database: Database, evening: Evening, caplog: pytest.LogCaptureFixture
) -> None:
    heard: asyncio.Queue[Any] = asyncio.Queue()
    watch = Watch(database)

    def fail_once(events: Any) -> None:
        heard.put_nowait(events)
        if heard.qsize() == 2:
            raise ValueError("a bug")

    watch.tell(fail_once)
    try:
        while heard.qsize() < 3:
            evening.enters("a")
    finally:
        watch.stop()
    assert "a bug" in caplog.text
    with database.reading() as session:
        assert store.entries_in(session, evening.event) == evening.number - 3


def wait_for(queue: "asyncio.Queue[Any]", fits: Any) -> Any:
    async def wait() -> Any:
        while True:
            if not queue.empty() and fits(said := queue.get_nowait()):
                return said
            await asyncio.sleep(0.01)

    return asyncio.run(asyncio.wait_for(wait(), 10))


@pytest.mark.parametrize("url", ["postgresql"], indirect=True)
def test_a_lost_listening_connection_is_replaced(database: Database, read: Read, evening: Evening) -> None:
    reader = read(path(evening)).until(lambda reader: reader.last)
    evening.enters("a")
    reader.until_version(evening.version)
    with database.writing() as session:
        cut = session.connection().execute(
            text("SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE query LIKE 'LISTEN%'")
        )
        assert len(cut.all()) == 1
    evening.enters("b", "c")
    assert reader.until_version(evening.version)[-3:] == [evening.version - 2, evening.version - 1, evening.version]
    reader.close()


# --- one hub, without a server


def some(*versions: int) -> list[Told]:
    return [Told(number, b"p%d " % number, b"s%d " % number) for number in versions]


def test_a_channel_gives_what_is_new_in_order_and_once() -> None:
    async def check() -> None:
        channel = Channel(at=4)
        channel.add(some(3, 4, 5, 6))
        channel.add(some(8, 9))
        channel.add(some(5, 6, 7))
        assert [one.version for one in channel.after(4) or []] == [5, 6, 7]
        assert [one.version for one in channel.after(6) or []] == [7]
        assert channel.after(7) == channel.after(99) == []
        assert channel.after(3) is None
        channel.add(some(*range(8, 8 + KEPT)))
        assert channel.after(6) is None
        assert len(channel.after(7) or []) == KEPT

    asyncio.run(check())


class Phone:
    """Somebody who reads, or does not."""

    def __init__(self) -> None:
        self.said: list[bytes] = []
        self.reads = asyncio.Event()
        self.reads.set()
        self.left = asyncio.Event()
        self.is_complete = False

    async def send(self, message: Any) -> None:
        await self.reads.wait()
        self.said.append(message.get("body", b""))
        self.is_complete = message.get("more_body") is False

    async def receive(self) -> Any:
        await self.left.wait()
        return {"type": "http.disconnect"}


@pytest.fixture
def sqlite_database(sqlite: Any) -> Iterator[Database]:
    database = open_url(f"sqlite:///{sqlite}")
    yield database
    database.close()


async def listening(hub: Hub, phone: Phone, reader: str = VISITOR) -> "asyncio.Task[None]":
    stream = Stream(hub, hub.admit("10.0.0.1"), Opening("e", 0, b"", reader))
    task = asyncio.create_task(stream({"type": "http"}, phone.receive, phone.send))
    await asyncio.sleep(0.05)
    return task


@contextmanager
def hub_of(database: Database, **pace: float) -> Iterator[Hub]:
    watch = Watch(database)
    yield Hub(database, watch, most=2, most_of_address=2, pace=Pace(**pace))
    watch.stop()


def test_a_reader_that_takes_nothing_is_cut_off_and_holds_nobody_up(sqlite_database: Database) -> None:
    async def check() -> None:
        with hub_of(sqlite_database, stall=0.3) as hub:
            slow, quick = Phone(), Phone()
            tasks = [await listening(hub, phone) for phone in (slow, quick)]
            slow.reads.clear()
            hub.add("e", some(1))
            await asyncio.wait_for(tasks[0], 5)
            assert (slow.is_complete, hub.streams) == (False, 1)
            hub.add("e", some(2))
            await asyncio.sleep(0.05)
            assert quick.said[-2:] == [b"p1 ", b"p2 "]
            quick.left.set()
            await asyncio.wait_for(tasks[1], 5)
            assert (hub.streams, hub._channels) == (0, {})  # noqa: SLF001 - nothing is left behind

    asyncio.run(check())


def test_a_reader_that_falls_too_far_behind_has_to_come_back(sqlite_database: Database) -> None:
    async def check() -> None:
        with hub_of(sqlite_database) as hub:
            phone = Phone()
            task = await listening(hub, phone)
            phone.reads.clear()
            hub.add("e", some(1))
            await asyncio.sleep(0.05)
            hub.add("e", some(*range(2, KEPT + 3)))
            phone.reads.set()
            await asyncio.wait_for(task, 5)
            assert phone.said[-2:] == [b"p1 ", b""]
            assert phone.is_complete

    asyncio.run(check())


def test_a_quiet_stream_has_a_heartbeat_and_an_end(sqlite_database: Database) -> None:
    async def check() -> None:
        with hub_of(sqlite_database, heartbeat=0.05, longest=0.5) as hub:
            phone = Phone()
            task = await listening(hub, phone)
            await asyncio.wait_for(task, 5)
            assert phone.is_complete
            assert phone.said.count(b":\n\n") >= 3

    asyncio.run(check())


def test_a_hub_that_ends_ends_every_stream_and_opens_no_other(sqlite_database: Database) -> None:
    async def check() -> None:
        with hub_of(sqlite_database) as hub:
            phones = [Phone(), Phone()]
            tasks = [await listening(hub, phone) for phone in phones]
            with pytest.raises(StreamsUnavailable):
                hub.admit("10.0.0.2")
            hub.end()
            await asyncio.wait_for(asyncio.gather(*tasks), 5)
            assert all(phone.is_complete for phone in phones)
            with pytest.raises(StreamsUnavailable):
                hub.admit("10.0.0.2")

    asyncio.run(check())


@pytest.mark.parametrize(
    ("host", "site"),
    [
        ("192.0.2.7", "192.0.2.7"),
        ("::ffff:192.0.2.7", "192.0.2.7"),
        ("2001:db8:1:2:3:4:5:6", "2001:db8:1:2::"),
        ("testclient", "testclient"),
        (None, ""),
    ],
)
def test_an_ipv6_site_counts_as_one_address(host: str | None, site: str) -> None:
    assert site_of(host) == site


def test_what_only_a_player_may_know_is_told_to_that_player_and_an_ended_reader_is_told_no_more(
    sqlite_database: Database,
) -> None:
    async def check() -> None:
        with hub_of(sqlite_database) as hub:
            mine, others = Phone(), Phone()
            tasks = [await listening(hub, mine, "7"), await listening(hub, others, "8")]
            for_7 = Told(1, b"", b"s1", private=b"m1 ", also=frozenset({"7"}))
            hub.add("e", [for_7, Told(2, b"p2 ", b"s2", ends=frozenset({"7"})), *some(3)])
            await asyncio.wait_for(tasks[0], 5)
            assert (mine.said[-2:], mine.is_complete) == ([b"m1 p2 ", b""], True)
            assert others.said[-1] == b"p2 p3 "
            others.left.set()
            await asyncio.wait_for(tasks[1], 5)

    asyncio.run(check())
