"""What goes out: in order, at least once, and nothing secret into the log."""

import random
from collections import deque
from collections.abc import Iterator
from datetime import UTC, datetime, timedelta
from itertools import pairwise
from threading import Event
from typing import Any

import pytest
from sqlalchemy import text

from tests.tournament.evening import CODES, Evening
from tests.tournament.people import account, games
from tests.tournament.receiver import Receiver, receiving
from tournament import store
from tournament.api.enclosures import enclosed
from tournament.api.housekeeping import forget
from tournament.database import Database, open_url
from tournament.domain.errors import TournamentError
from tournament.errors import CommandIdReused, NotYours, TooManyWebhooks, WebhookNotFound, WebhookUrlUnreadable
from tournament.service import audit, deliveries, events, results, rounds, webhooks
from tournament.service.commands import text_of
from tournament.service.courier import OF_EVENT, Courier
from tournament.service.deliveries import DELAYS_S, DISABLED_AFTER, LEASE_S, Errand, Job, Key, State
from tournament.service.news import Topic
from tournament.service.posting import Answer, Rules
from tournament.service.webhooks import Given, Which
from tournament.tables import PostboxRow

ANYWHERE = Rules(plain=True, private=True)
NOON = datetime(2026, 1, 31, 12, tzinfo=UTC)
URL = "https://hooks.example.org/very/secret"
FINE = Answer(status=204)
BROKEN = Answer(status=500, problem="it answered 500")


ON_ONE = pytest.mark.parametrize("url", ["sqlite"], indirect=True)
"""What no database does differently."""


@pytest.fixture
def evening(database: Database) -> Evening:
    for name in ("ann", "bea"):
        account(name, database)
    return Evening(database).begins().enters(*"abcd")


def added(evening: Evening, *topics: Topic, url: str = URL, ask: Any = None) -> Given:
    wanted: Any = list(topics or (Topic.RESULT, Topic.CORRECTION))
    asked = webhooks.AddWebhook(url=url, topics=wanted)
    return webhooks.add(evening.database, ask or evening.ask(), asked, ANYWHERE)


def report(table: int, first: int = 2, second: int = 0) -> results.Report:
    return results.Report(round=1, table=table, **games(first, second))


def played(evening: Evening) -> Evening:
    """Two results, the first corrected."""
    evening.does(events.CLOSE).does(rounds.PAIR).does(rounds.PUBLISH)
    evening.does(results.REPORT, report(1)).does(results.REPORT, report(2)).does(results.CORRECT, report(1, 0, 2))
    return evening


def errand_of(evening: Evening, courier: str = "one", webhook: int = 1) -> Errand:
    return Errand(evening.database, Key(evening.event, webhook), courier)


def next_job(errand: Errand, now: datetime) -> Job | None:
    """What a courier would send at that time."""
    if not deliveries.lease(errand, now):
        return None
    return deliveries.take(errand, deliveries.look_ahead(errand, enclosed, now), CODES, now)


def tries(evening: Evening, now: datetime, answer: Answer) -> Job | None:
    """One attempt at that time, if something is due."""
    errand = errand_of(evening)
    job = next_job(errand, now)
    if job is not None:
        deliveries.settle(errand, job, answer, now, rng=lambda: 0.5)
        deliveries.give_back(errand)
    return job


def postbox(evening: Evening) -> PostboxRow:
    with evening.database.reading() as session:
        return store.postboxes_of(session, evening.event)[1]


def states(evening: Evening) -> dict[int | None, str]:
    with evening.database.reading() as session:
        return {row.version: row.state for row in store.deliveries_of(session, evening.event, 1, limit=100)}


def test_what_is_wanted_is_delivered_in_order_with_ids_that_stay(evening: Evening) -> None:
    evening.enters("before")
    added(evening)
    played(evening)
    told = evening.version
    jobs = [tries(evening, NOON, answer) for answer in (FINE, BROKEN, FINE)]
    assert [job.id if job else None for job in jobs] == [
        f"msg_{evening.event}_1_{told - 2}", f"msg_{evening.event}_1_{told - 1}", None,
    ]  # fmt: skip
    later = NOON + timedelta(seconds=DELAYS_S[0] + 1)
    again, last, none = (tries(evening, later, FINE) for _ in range(3))
    assert again == jobs[1]
    assert last
    assert (last.id, none) == (f"msg_{evening.event}_1_{told}", None)
    assert states(evening) == dict.fromkeys((told - 2, told - 1, told), State.DELIVERED)


@ON_ONE
def test_a_message_is_signed_and_says_what_everybody_may_know(evening: Evening) -> None:
    given = added(
        evening, *(topic for topic in Topic if topic in {"round.published", "result", "standings", "finished"})
    )
    played(evening).does(rounds.CLOSE).does(events.FINISH)
    with receiving() as receiver:
        with evening.database.writing() as session:
            session.connection().execute(text("UPDATE postbox SET url = :url"), {"url": receiver.url})
        assert Courier(evening.database, CODES, ANYWHERE, enclosed).round() == 1
        messages = receiver.messages
    assert all(message.is_signed_with(given.secret) for message in messages)
    assert [message.body["type"] for message in messages] == [
        "round.published", "result", "result", "standings", "standings", "finished",
    ]  # fmt: skip
    assert all(message.body["timestamp"] == message.told["at"] for message in messages)
    published, result = messages[0].told, messages[1].told
    assert {(seat["table"], seat["result"] is None) for seat in published["seats"]} == {(1, False), (2, False)}
    assert [player["name"] for player in published["players"]] == list("abcd")
    assert (result["table"], result["games"]["first"]) == (1, 2)
    assert [player["number"] for player in result["players"]] == [
        published["seats"][0]["first"],
        published["seats"][0]["second"],
    ]
    assert [line["place"] for line in messages[-1].told["standings"]][:1] == [1]
    assert not {"actor", "command", "draw"} & {name for message in messages for name in message.told}


@ON_ONE
def test_a_failing_delivery_is_tried_for_hours_ever_more_seldom_and_then_given_up(evening: Evening) -> None:
    added(evening)
    played(evening)
    now, attempts, ids = NOON, [], set()
    while (job := tries(evening, now, BROKEN)) and job.id.endswith(str(evening.version - 2)):
        attempts.append(now)
        ids.add(job.id)
        now = datetime.fromisoformat(due(evening) or text_of(now))
    pauses = [(later - before).total_seconds() for before, later in pairwise(attempts)]
    assert pauses == list(DELAYS_S)
    assert len(ids) == 1
    assert states(evening)[evening.version - 2] == State.DEAD
    assert states(evening)[evening.version - 1] == State.WAITING


def due(evening: Evening) -> str:
    """When something is tried next."""
    with evening.database.reading() as session:
        row = store.next_delivery(session, evening.event, 1)
    return row.next_at or "" if row else ""


@ON_ONE
def test_the_pause_that_a_receiver_asks_for_is_kept_and_others_are_drawn(evening: Evening) -> None:
    added(evening)
    played(evening)
    tries(evening, NOON, Answer(status=503, problem="it answered 503", retry_after=900))
    assert due(evening) == "2026-01-31T12:15:00.000000Z"
    errand = errand_of(evening)
    later = NOON + timedelta(hours=1)
    drawn = []
    for number in (0.0, 1.0):
        job = next_job(errand, later)
        assert job
        deliveries.settle(errand, job, BROKEN, later, rng=lambda number=number: number)
        drawn.append((datetime.fromisoformat(due(evening)) - later).total_seconds())
        later += timedelta(hours=1)
    assert drawn == [DELAYS_S[1] * 0.8, DELAYS_S[2] * 1.2]


def test_a_webhook_that_failed_for_a_day_is_disabled_until_somebody_resumes_it(evening: Evening) -> None:
    added(evening)
    played(evening)
    now = NOON
    while now < NOON + DISABLED_AFTER + timedelta(hours=5):
        tries(evening, now, BROKEN)
        now += timedelta(hours=4)
    assert (postbox(evening).disabled_why or "").startswith("nothing was delivered since 2026-01-31T12:00")
    assert deliveries.due(evening.database, now, limit=9) == []
    assert tries(evening, now, FINE) is None
    deliveries.resume(evening.database, evening.ask(), 1)
    sent = [job.id.rpartition("_")[2] for job in iter(lambda: tries(evening, now, FINE), None)]
    assert sent == [str(evening.version - 2), str(evening.version - 1), str(evening.version)]
    assert postbox(evening).failing_since is None


@ON_ONE
def test_a_receiver_that_is_gone_is_told_nothing_more(evening: Evening) -> None:
    added(evening)
    played(evening)
    tries(evening, NOON, Answer(status=410, problem="it answered 410"))
    assert (postbox(evening).disabled_why or "").endswith("(410)")
    assert tries(evening, NOON + timedelta(days=1), FINE) is None


def test_two_couriers_do_not_send_the_same_and_a_dead_ones_work_is_taken_over(evening: Evening) -> None:
    added(evening)
    played(evening)
    one, two = errand_of(evening, "one"), errand_of(evening, "two")
    job = next_job(one, NOON)
    assert job
    before, after = (NOON + timedelta(seconds=LEASE_S + more) for more in (-1, 1))
    assert deliveries.due(evening.database, before, limit=9) == []
    assert deliveries.due(evening.database, after, limit=9) == [one.key]
    assert next_job(two, before) is None
    assert next_job(two, after) == job
    deliveries.settle(one, job, FINE, NOON)
    assert states(evening) == {evening.version - 2: State.WAITING}
    deliveries.settle(two, job, FINE, NOON)
    assert states(evening) == {evening.version - 2: State.DELIVERED}


def test_a_courier_whose_clock_was_years_ahead_holds_nobody_up(evening: Evening) -> None:
    added(evening)
    played(evening)
    later = NOON + timedelta(days=1500)
    assert next_job(errand_of(evening, "one"), later)
    assert deliveries.due(evening.database, NOON, limit=9) == []
    forget(evening.database, NOON)
    job = next_job(errand_of(evening, "two"), NOON)
    assert job
    deliveries.settle(errand_of(evening, "two"), job, BROKEN, later)
    assert next_job(errand_of(evening, "three"), NOON + timedelta(hours=1)) is None
    forget(evening.database, NOON + timedelta(hours=1))
    assert next_job(errand_of(evening, "three"), NOON + timedelta(hours=1)) == job


def test_couriers_at_work_at_once_send_each_thing_once_and_in_order(url: str, evening: Evening) -> None:
    added(evening, Topic.ROUND_PUBLISHED, Topic.RESULT, Topic.CORRECTION, Topic.STANDINGS)
    played(evening)
    for number in range(20):
        evening.does(results.CORRECT, report(2, 2 - number % 2, number % 2))
    sent: deque[str] = deque()

    def send(_: str, headers: dict[str, str], __: bytes) -> Answer:
        sent.append(headers["webhook-id"].rpartition("_")[2])
        return FINE

    others = [open_url(url) for _ in range(2)]
    couriers = [Courier(other, CODES, ANYWHERE, enclosed, send=send) for other in others]
    for courier in couriers:
        courier.start()
    end = datetime.now(UTC) + timedelta(seconds=20)
    while len(sent) < 23 and datetime.now(UTC) < end:
        for courier in couriers:
            courier.wake()
    for courier in couriers:
        courier.stop()
    for other in others:
        other.close()
    assert list(map(int, sent)) == sorted(set(map(int, sent)))
    assert len(sent) == 23


@ON_ONE
def test_slow_receivers_of_one_event_do_not_hold_up_those_of_another(evening: Evening) -> None:
    other = Evening(evening.database, "bea").begins().enters("a", "b")
    for one in (evening, evening, evening, other):
        added(one)
    played(evening)
    other.does(events.CLOSE).does(rounds.PAIR).does(rounds.PUBLISH).does(results.REPORT, report(1))
    sent: deque[str] = deque()
    told = Event()

    def send(_: str, headers: dict[str, str], __: bytes) -> Answer:
        sent.append(headers["webhook-id"])
        if other.event in headers["webhook-id"]:
            told.set()
        told.wait(10)
        return FINE

    courier = Courier(evening.database, CODES, ANYWHERE, enclosed, send=send)
    courier.start()
    assert told.wait(10)
    courier.stop()
    assert sum(evening.event in name for name in list(sent)[:3]) <= OF_EVENT


def test_a_ping_and_what_is_sent_again_do_not_wait_for_their_turn(evening: Evening) -> None:
    added(evening)
    played(evening)
    first = tries(evening, NOON, FINE)
    assert first
    tries(evening, NOON, BROKEN)
    ping = deliveries.ping(evening.database, evening.ask(), 1)
    assert deliveries.ping(evening.database, evening.ask(), 1).id == ping.id
    deliveries.redeliver(evening.database, evening.ask(), 1, first.id)
    sent = [tries(evening, NOON, FINE) for _ in range(3)]
    assert {job.id for job in sent if job} == {ping.id, first.id}
    assert any(b'"type":"ping"' in job.body for job in sent if job)
    waiting = f"msg_{evening.event}_1_{evening.version - 1}"
    deliveries.redeliver(evening.database, evening.ask(), 1, waiting)
    job = tries(evening, NOON, FINE)
    assert job
    assert job.id == waiting


def test_the_log_has_neither_the_url_nor_the_secret_and_gives_the_rest_again(evening: Evening) -> None:
    given = added(evening)
    added(evening, url=f"{URL}/2")
    evening.does(webhooks.ROTATE, Which(webhook=1)).does(webhooks.REMOVE, Which(webhook=2))
    with evening.database.reading() as session:
        log = "\n".join(f"{row.arguments}{row.fact}{row.reason}" for row in store.read_log(session, evening.event))
        assert audit.verify_log(session, evening.event) == []
        assert audit.differences(session, evening.event) == []
        assert [row.is_removed for row in store.webhooks_of(session, evening.event)] == [False, True]
    assert "hooks.example.org" in log
    assert "secret" not in log
    assert given.secret not in log
    assert audit.rebuild(evening.database, evening.event) == []
    assert postbox(evening).url == URL


def test_a_secret_is_told_again_to_whoever_asks_with_the_same_id_and_to_nobody_else(evening: Evening) -> None:
    ask = evening.ask()
    one, two = (added(evening, ask=ask) for _ in range(2))
    assert one == two
    with pytest.raises(CommandIdReused):
        added(evening, url=f"{URL}/other", ask=ask)
    with evening.database.reading() as session:
        assert len(webhooks.present(session, evening.event)) == 1


@ON_ONE
def test_a_replaced_secret_counts_for_a_day_beside_the_new_one(evening: Evening) -> None:
    old = added(evening).secret
    new = webhooks.rotate(evening.database, evening.ask(), Which(webhook=1)).secret
    assert old != new
    played(evening)

    def keys_at(now: datetime) -> int:
        job = next_job(errand_of(evening), now)
        assert job
        assert len(job.headers(0)["webhook-signature"].split()) == len(job.secrets)
        return len(job.secrets)

    assert keys_at(NOON + timedelta(hours=23)) == 2
    assert keys_at(NOON + timedelta(hours=25)) == 1


def test_a_removed_webhook_is_forgotten(evening: Evening) -> None:
    added(evening)
    played(evening)
    tries(evening, NOON, BROKEN)
    webhooks.remove(evening.database, evening.ask(), Which(webhook=1))
    assert tries(evening, NOON + timedelta(days=1), FINE) is None
    assert states(evening) == {}
    with pytest.raises(WebhookNotFound):
        webhooks.rotate(evening.database, evening.ask(), Which(webhook=1))
    added(evening)
    with evening.database.reading() as session:
        assert [row.number for row in webhooks.present(session, evening.event)] == [2]


@ON_ONE
def test_an_event_has_only_so_many_webhooks_and_only_organizers_have_them(evening: Evening) -> None:
    for _ in range(webhooks.MOST):
        added(evening)
    with pytest.raises(TooManyWebhooks):
        added(evening)
    stranger = Evening(evening.database, "bea", evening.event)
    for attempt in (lambda: added(stranger), lambda: deliveries.ping(evening.database, stranger.ask(), 1)):
        with pytest.raises(NotYours):
            attempt()
    with pytest.raises(WebhookUrlUnreadable):
        webhooks.add(
            evening.database,
            evening.ask(),
            webhooks.AddWebhook(url="https://10.0.0.1/", topics=[Topic.RESULT]),
            Rules(),
        )


def test_old_deliveries_are_forgotten_and_dead_ones_are_not(evening: Evening, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(deliveries, "KEPT", 1)
    added(evening)
    played(evening)
    for minute in range(3):
        tries(evening, NOON + timedelta(minutes=minute), FINE)
    assert list(states(evening)) == [evening.version]


@pytest.fixture
def receiver() -> Iterator[Receiver]:
    with receiving() as receiver:
        yield receiver


@ON_ONE
def test_a_courier_delivers_what_happens_while_it_is_at_work(evening: Evening, receiver: Receiver) -> None:
    given = added(evening, url=receiver.url)
    receiver.says(500)
    courier = Courier(evening.database, CODES, ANYWHERE, enclosed)
    courier.start()
    played(evening)
    courier.wake()
    receiver.until(1)
    while not (failed := deliveries_of(evening)) or failed[0].attempts < 1:
        courier.wake()
    deliveries.resume(evening.database, evening.ask(), 1)
    courier.wake()
    messages = receiver.until(4)
    courier.stop()
    assert receiver.versions == [evening.version - 2, evening.version - 2, evening.version - 1, evening.version]
    assert messages[0].raw == messages[1].raw
    assert all(message.is_signed_with(given.secret) for message in messages)


def deliveries_of(evening: Evening) -> Any:
    with evening.database.reading() as session:
        return store.deliveries_of(session, evening.event, 1, limit=10)


@pytest.mark.parametrize("seed", range(2))
def test_a_random_life_with_webhooks_gives_the_same_tables_from_its_log(evening: Evening, seed: int) -> None:
    rng = random.Random(seed)
    played(evening)
    for number in range(40):
        webhook = Which(webhook=rng.randint(1, 12))
        wanted: Any = rng.sample([Topic.RESULT, Topic.STANDINGS, Topic.FINISHED], rng.randint(1, 3))
        asked = webhooks.AddWebhook(url=f"{URL}/{number}", topics=wanted, reason="why")
        try:
            rng.choice(
                [
                    lambda asked=asked: webhooks.add(evening.database, evening.ask(), asked, ANYWHERE),
                    lambda webhook=webhook: webhooks.remove(evening.database, evening.ask(), webhook),
                    lambda webhook=webhook: evening.does(webhooks.ROTATE, webhook),
                    lambda: evening.does(results.CORRECT, report(1, *rng.choice([(2, 0), (0, 2)]))),
                ]
            )()
        except TournamentError:
            continue
    with evening.database.reading() as session:
        rows = store.webhooks_of(session, evening.event)
        assert {row.is_removed for row in rows} == {True, False}
        assert max(row.generation for row in rows) > 1
        assert audit.verify_log(session, evening.event) == []
        assert audit.differences(session, evening.event) == []
