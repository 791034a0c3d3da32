"""What goes out to webhooks: in order, at least once, with one id however often.

The log is the queue: a command's row is written with its effect, and a postbox remembers how far its log was looked
through. A delivery is made of one row of the log when its turn comes, with a body that stays the same at every attempt.
The next row's turn comes when it is delivered, or when it is given up. So nothing is written in a command's transaction
but the command, nothing is lost with a killed server, and a receiver is told in order (what is sent again by hand, and
pings, come in between).

A courier leases a postbox, sends without a transaction, and writes down what came of it if the lease is still its own.
A courier that is killed after sending leaves it to the next, which sends the same id again.
"""

import json
import random
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from enum import StrEnum
from secrets import token_hex
from typing import Any, Final

from sqlmodel import Session

from tournament import store
from tournament.database import Database
from tournament.errors import DeliveryNotFound, WebhookNotFound
from tournament.service import news, webhooks
from tournament.service.codes import Codes
from tournament.service.commands import Ask, text_of
from tournament.service.news import News, Topic
from tournament.service.posting import Answer, sign
from tournament.tables import DeliveryRow, EventRow, PostboxRow, WebhookRow

DELAYS_S: Final = (5, 30, 120, 600, 1800, 3600, 7200, 14400)
"""After each failure; about eight hours together, then the delivery is dead."""
JITTER: Final = 0.2
"""So much of a delay is drawn."""
DISABLED_AFTER: Final = timedelta(hours=24)
"""Of nothing but failures; then the webhook is sent nothing until an organizer resumes it."""
LEASE_S: Final = 60
"""Longer than an attempt takes."""
LARGEST: Final = 256 * 1024
"""Bytes of a body; what would make it larger is left out, and `enclosed` says so."""
KEPT: Final = 200
"""Of what was delivered, to be looked at and sent again."""
PING: Final = "ping"
_PAGE: Final = 500

Enclose = Callable[[Session, EventRow, News], Mapping[str, Any]]
"""What a body has beside the news: the round that was published, the standings."""


class State(StrEnum):
    """Where a delivery stands."""

    WAITING = "waiting"
    """To be sent, or sent again."""
    DELIVERED = "delivered"
    DEAD = "dead"
    """Given up; an organizer may have it sent again."""


@dataclass(frozen=True, slots=True)
class Key:
    """A webhook, anywhere."""

    event: str
    webhook: int


@dataclass(frozen=True, slots=True)
class Errand:
    """A courier at one webhook."""

    database: Database
    key: Key
    courier: str
    """Its name, which no other has."""


@dataclass(frozen=True, slots=True)
class Job:
    """A message that a courier is to send."""

    id: str
    url: str
    body: bytes
    secrets: Sequence[bytes]

    def headers(self, at: int) -> dict[str, str]:
        """As Standard Webhooks has them, for an attempt at that time (Unix seconds)."""
        signed = " ".join(sign(secret, self.id, at, self.body) for secret in self.secrets)
        return {"webhook-id": self.id, "webhook-timestamp": str(at), "webhook-signature": signed}


# --- what a courier does ----------------------------------------------------------------------------------------------


def due(database: Database, now: datetime, *, limit: int) -> list[Key]:
    """Webhooks that have something to be sent, and that no courier is at."""
    with database.reading() as session:
        return [Key(*found) for found in store.due_postboxes(session, now=text_of(now), limit=limit)]


def lease(errand: Errand, now: datetime) -> bool:
    """Have a postbox for oneself; False if another courier is quicker."""
    with errand.database.writing() as session:
        postbox = store.lock_postbox(session, errand.key.event, errand.key.webhook)
        if postbox is None or not _is_free(postbox, errand, now):
            return False
        _renew(postbox, errand, now)
        return True


def look_ahead(errand: Errand, enclose: Enclose, now: datetime) -> tuple[int, DeliveryRow | None] | None:
    """The next of the log that the webhook wants to be told, and up to where that is; None: another has its turn."""
    key = errand.key
    with errand.database.reading() as session:
        postbox = store.postboxes_of(session, key.event).get(key.webhook)
        event, webhook = store.find_event(session, key.event), store.find_webhook(session, key.event, key.webhook)
        if postbox is None or event is None or webhook is None or postbox.turn is not None:
            return None
        version, wanted = postbox.version, frozenset(map(Topic, webhook.topics.split()))
        while lines := news.read_since(session, key.event, version, limit=_PAGE):
            for line in lines:
                told = news.told(key.event, line).public
                topic = next((topic for topic in told.topics if topic in wanted), None) if told else None
                if told is not None and topic is not None:
                    row = _delivery(key, line.sequence, topic, _body(topic, told, enclose(session, event, told)), now)
                    row.version = line.sequence
                    return line.sequence, row
            version = lines[-1].sequence
        return version, None


def take(errand: Errand, ahead: tuple[int, DeliveryRow | None] | None, codes: Codes, now: datetime) -> Job | None:
    """The message that is due, after queueing what is next of the log; None gives the postbox back."""
    key = errand.key
    with errand.database.writing() as session:
        postbox = store.lock_postbox(session, key.event, key.webhook)
        webhook = store.find_webhook(session, key.event, key.webhook)
        if postbox is None or postbox.leased_by != errand.courier:
            return None
        if webhook is None or webhook.is_removed:
            store.delete_postbox(session, key.event, key.webhook)
            return None
        if ahead is not None and postbox.turn is None:
            postbox.version = ahead[0]
            if ahead[1] is not None:
                store.save_delivery(session, ahead[1])
                postbox.turn = ahead[1].id
        row = store.next_delivery(session, key.event, key.webhook)
        postbox.next_at = row.next_at if row else None  # now already: who comes after a killed courier looks at this
        if row is None or postbox.disabled_at is not None or (row.next_at or "") > text_of(now):
            postbox.leased_by = None
            return None
        _renew(postbox, errand, now)
        secrets = webhooks.secrets_of(codes, webhook, text_of(now), text_of(now - webhooks.GRACE))
        return Job(row.id, postbox.url, row.body.encode(), secrets)


def settle(errand: Errand, job: Job, answer: Answer, now: datetime, rng: Callable[[], float] = random.random) -> None:
    """Write down what came of an attempt, if the postbox is still this courier's."""
    key = errand.key
    with errand.database.writing() as session:
        postbox = store.lock_postbox(session, key.event, key.webhook)
        row = store.find_delivery(session, key.event, key.webhook, job.id)
        if postbox is None or row is None or postbox.leased_by != errand.courier:
            return
        row.attempts += 1
        row.tried_at, row.status, row.problem = text_of(now), answer.status, answer.problem or None
        if answer.problem:
            _failed(postbox, row, answer, now, rng)
        else:
            row.state, row.next_at, postbox.failing_since = State.DELIVERED, None, None
        if row.state != State.WAITING and postbox.turn == row.id:
            postbox.turn = None
        _renew(postbox, errand, now)
        session.flush()
        store.forget_deliveries(session, key.event, key.webhook, keep=KEPT)


def give_back(errand: Errand) -> None:
    """Leave a postbox to the next courier."""
    with errand.database.writing() as session:
        postbox = store.lock_postbox(session, errand.key.event, errand.key.webhook)
        if postbox is not None and postbox.leased_by == errand.courier:
            postbox.leased_by = None


def _failed(postbox: PostboxRow, row: DeliveryRow, answer: Answer, now: datetime, rng: Callable[[], float]) -> None:
    if row.attempts > len(DELAYS_S):
        row.state, row.next_at = State.DEAD, None
    else:
        delay = DELAYS_S[row.attempts - 1] * (1 + JITTER * (2 * rng() - 1))
        row.next_at = text_of(now + timedelta(seconds=max(delay, answer.retry_after or 0)))
    postbox.failing_since = postbox.failing_since or text_of(now)
    if answer.is_gone:
        postbox.disabled_at, postbox.disabled_why = text_of(now), "the receiver wants nothing any more (410)"
    elif postbox.failing_since < text_of(now - DISABLED_AFTER):
        why = f"nothing was delivered since {postbox.failing_since}; the last attempt: {answer.problem}"
        postbox.disabled_at, postbox.disabled_why = text_of(now), why


def _is_free(postbox: PostboxRow, errand: Errand, now: datetime) -> bool:
    is_over = postbox.leased_by is None or postbox.leased_until < text_of(now)
    return postbox.disabled_at is None and (is_over or postbox.leased_by == errand.courier)


def _renew(postbox: PostboxRow, errand: Errand, now: datetime) -> None:
    postbox.leased_by, postbox.leased_until = errand.courier, text_of(now + timedelta(seconds=LEASE_S))


# --- what an organizer does -------------------------------------------------------------------------------------------


def ping(database: Database, ask: Ask, number: int) -> DeliveryRow:
    """Send a message that means nothing; while one waits, that one.

    Raises:
        WebhookNotFound: no such webhook.
        NotYours: for organizers.
    """
    with database.writing() as session:
        postbox, _ = _own(session, ask, number)
        waiting = store.deliveries_of(session, ask.event, number, state=State.WAITING, limit=_PAGE)
        if found := next((row for row in waiting if row.topic == PING), None):
            return found
        key = Key(ask.event, number)
        body = canonical_body(PING, text_of(ask.now), {"event": ask.event})
        row = _delivery(key, f"{PING}_{token_hex(4)}", PING, body, ask.now)
        store.save_delivery(session, row)
        _make_due(session, postbox)
        return row


def redeliver(database: Database, ask: Ask, number: int, delivery: str) -> DeliveryRow:
    """Send something again, or now instead of later.

    Raises:
        WebhookNotFound: no such webhook.
        DeliveryNotFound: no such delivery.
        NotYours: for organizers.
    """
    with database.writing() as session:
        postbox, _ = _own(session, ask, number)
        row = store.find_delivery(session, ask.event, number, delivery)
        if row is None:
            raise DeliveryNotFound(delivery)
        row.state, row.attempts, row.next_at = State.WAITING, 0, text_of(ask.now)
        session.flush()
        _make_due(session, postbox)
        return row


def resume(database: Database, ask: Ask, number: int) -> PostboxRow:
    """Send everything that waits or was given up, in order, also if the webhook was disabled.

    Raises:
        WebhookNotFound: no such webhook.
        NotYours: for organizers.
    """
    with database.writing() as session:
        postbox, _ = _own(session, ask, number)
        postbox.disabled_at = postbox.disabled_why = postbox.failing_since = None
        states = (State.WAITING, State.DEAD)
        store.retry_deliveries(session, ask.event, number, states=states, now=text_of(ask.now))
        _make_due(session, postbox)
        return postbox


def _own(session: Session, ask: Ask, number: int) -> tuple[PostboxRow, WebhookRow]:
    webhooks.require_organizer(session, ask.event, ask.who(session))
    webhook = webhooks.load(session, ask.event, number)
    postbox = store.lock_postbox(session, ask.event, number)
    if postbox is None:
        raise WebhookNotFound(number)
    return postbox, webhook


def _make_due(session: Session, postbox: PostboxRow) -> None:
    first = store.next_delivery(session, postbox.event_id, postbox.webhook)
    postbox.next_at = first.next_at if first else None


# --- bodies -----------------------------------------------------------------------------------------------------------


def canonical_body(kind: str, at: str, said: Mapping[str, Any]) -> str:
    """A body. Source: Standard Webhooks, "Payload structure"."""
    return json.dumps({"type": kind, "timestamp": at, "data": said}, separators=(",", ":"), ensure_ascii=False)


def _body(topic: Topic, told: News, enclosed: Mapping[str, Any]) -> str:
    said = told.model_dump(mode="json", exclude_none=True)
    whole = canonical_body(topic, told.at or "", {**said, "enclosed": True, **enclosed})
    if len(whole.encode()) <= LARGEST:
        return whole
    return canonical_body(topic, told.at or "", {**said, "enclosed": False})


def _delivery(key: Key, what: object, topic: str, body: str, now: datetime) -> DeliveryRow:
    at = text_of(now)
    return DeliveryRow(
        event_id=key.event,
        webhook=key.webhook,
        id=f"msg_{key.event}_{key.webhook}_{what}",
        topic=topic,
        body=body,
        state=State.WAITING,
        queued_at=at,
        next_at=at,
    )
