"""Webhooks: receivers elsewhere that are told what happens in an event.

That an organizer added one is in the log, without what may be a secret: of the URL the host and a fingerprint. The URL
itself is in a `PostboxRow`, which no log gives again. So an exported log gives nothing away, and an event that is read
on another server tells nobody. The secret that messages are signed with is made from the server's and stored nowhere.
"""

import hmac
import json
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import timedelta
from hashlib import sha256
from typing import Any, Final, Literal, TypeAlias

from pydantic import Field, computed_field
from sqlmodel import Session

from tournament import store
from tournament.database import Database
from tournament.domain.roles import ORGANIZERS, Role
from tournament.errors import EventNotFound, NotYours, TooManyWebhooks, WebhookNotFound
from tournament.service.chain import canonical
from tournament.service.codes import Codes
from tournament.service.commands import Arguments, Ask, Fact, Kind, Receipt, Scene, run
from tournament.service.news import Topic
from tournament.service.posting import LONGEST_URL, Rules, check_url, place_of, shown
from tournament.tables import EventRow, LogRow, PostboxRow, WebhookRow

MOST: Final = 10
"""Webhooks of an event."""
GRACE: Final = timedelta(hours=24)
"""How long messages are signed with the secret of before, too, after it was replaced."""

Wanted: TypeAlias = Literal[
    Topic.ROUND_PUBLISHED, Topic.ROUND, Topic.RESULT, Topic.CORRECTION, Topic.STANDINGS, Topic.CUT, Topic.FINISHED
]  # fmt: skip
"""What a receiver may want to be told."""


class AddWebhook(Arguments):
    """Tell a receiver what happens."""

    url: str = Field(
        exclude=True,
        min_length=1,
        max_length=LONGEST_URL,
        description="where to; the log has only its host",
        examples=["https://example.org/deckproof"],
    )
    topics: list[Wanted] = Field(
        min_length=1,
        max_length=10,
        description="what to tell",
        examples=[[Topic.ROUND_PUBLISHED, Topic.RESULT]],
    )

    @computed_field  # type: ignore[prop-decorator]
    @property
    def place(self) -> str:
        """What the log has of the URL."""
        return place_of(self.url)


class WebhookAdded(Fact):
    """The webhook."""

    webhook: int
    place: str
    topics: list[Topic]


class Which(Arguments):
    """One of the event's webhooks."""

    webhook: int = Field(ge=1, examples=[1])


class Removed(Fact):
    """It is told nothing any more."""

    webhook: int


class Rotated(Fact):
    """Its messages have another secret from now on."""

    webhook: int
    generation: int


def _decide_add(scene: Scene, asked: AddWebhook) -> WebhookAdded:
    rows = store.webhooks_of(scene.session, scene.event.id)
    if sum(not row.is_removed for row in rows) >= MOST:
        raise TooManyWebhooks(MOST)
    topics: list[Topic] = [topic for topic in Topic if topic in asked.topics]
    return WebhookAdded(webhook=len(rows) + 1, place=asked.place, topics=topics)


def _apply_add(session: Session, event: EventRow, row: LogRow, fact: WebhookAdded) -> None:
    webhook = WebhookRow(
        event_id=event.id, number=fact.webhook, place=fact.place, topics=" ".join(fact.topics), added_at=row.at
    )
    store.add_webhook(session, webhook)


def _decide_remove(scene: Scene, asked: Which) -> Removed:
    return Removed(webhook=load(scene.session, scene.event.id, asked.webhook).number)


def _apply_remove(session: Session, event: EventRow, _: LogRow, fact: Removed) -> None:
    load(session, event.id, fact.webhook).is_removed = True


def _decide_rotate(scene: Scene, asked: Which) -> Rotated:
    webhook = load(scene.session, scene.event.id, asked.webhook)
    return Rotated(webhook=webhook.number, generation=webhook.generation + 1)


def _apply_rotate(session: Session, event: EventRow, row: LogRow, fact: Rotated) -> None:
    webhook = load(session, event.id, fact.webhook)
    webhook.generation, webhook.rotated_at = fact.generation, row.at


ADD: Final = Kind(
    name="webhook.add",
    lasting=True,
    arguments=AddWebhook,
    fact=WebhookAdded,
    roles=ORGANIZERS,
    decide=_decide_add,
    apply=_apply_add,
)
REMOVE: Final = Kind(
    name="webhook.remove",
    lasting=True,
    arguments=Which,
    fact=Removed,
    roles=ORGANIZERS,
    decide=_decide_remove,
    apply=_apply_remove,
)
ROTATE: Final = Kind(
    name="webhook.rotate",
    lasting=True,
    arguments=Which,
    fact=Rotated,
    roles=ORGANIZERS,
    decide=_decide_rotate,
    apply=_apply_rotate,
)
KINDS: Final = (ADD, REMOVE, ROTATE)


@dataclass(frozen=True, slots=True)
class Given:
    """A receipt, and the secret that only whoever gave the command is told."""

    receipt: Receipt
    secret: str


def add(database: Database, ask: Ask, asked: AddWebhook, rules: Rules) -> Given:
    """Add a webhook. Told again, it is told the secret again: only its giver can, by the command's id.

    Raises:
        WebhookUrlUnreadable: webhooks do not go there.
    """
    asked = asked.model_copy(update={"url": check_url(asked.url, rules)})
    receipt = run(database, ADD, ask, asked)
    number = int(_fact(receipt)["webhook"])
    with database.writing() as session:
        if store.lock_postbox(session, ask.event, number) is None:
            store.add_postbox(
                session,
                PostboxRow(
                    event_id=ask.event, webhook=number, url=asked.url, place=asked.place, version=receipt.version
                ),
            )
    return Given(receipt, shown(secret_of(ask.codes, ask.event, number, 1)))


def remove(database: Database, ask: Ask, asked: Which) -> Receipt:
    """Tell a receiver nothing any more, and forget its URL."""
    receipt = run(database, REMOVE, ask, asked)
    with database.writing() as session:
        store.delete_postbox(session, ask.event, asked.webhook)
    return receipt


def rotate(database: Database, ask: Ask, asked: Which) -> Given:
    """Give a webhook another secret; for a day, messages are signed with the one before as well."""
    receipt = run(database, ROTATE, ask, asked)
    generation = int(_fact(receipt)["generation"])
    return Given(receipt, shown(secret_of(ask.codes, ask.event, asked.webhook, generation)))


def load(session: Session, event: str, number: int) -> WebhookRow:
    """A webhook that was not removed. Raises: WebhookNotFound."""
    row = store.find_webhook(session, event, number)
    if row is None or row.is_removed:
        raise WebhookNotFound(number)
    return row


def present(session: Session, event: str) -> Sequence[WebhookRow]:
    """The webhooks that were not removed."""
    return [row for row in store.webhooks_of(session, event) if not row.is_removed]


def require_organizer(session: Session, event: str, actor: str) -> None:
    """For what an organizer does to a webhook without changing the event.

    Raises:
        EventNotFound: no such event, or not to be seen.
        NotYours: not an organizer.
    """
    roles = store.roles_of(session, event, actor)
    row = store.find_event(session, event)
    if row is None or not (roles or row.published):
        raise EventNotFound(event)
    if Role.ORGANIZER not in roles:
        raise NotYours("a webhook", [Role.ORGANIZER])


def secret_of(codes: Codes, event: str, webhook: int, generation: int) -> bytes:
    """What a webhook's messages are signed with; 32 bytes."""
    said = canonical(["webhook", event, webhook, generation]).encode()
    return hmac.digest(codes.secret.encode(), said, sha256)


def secrets_of(codes: Codes, row: WebhookRow, now: str, grace_ends: str) -> list[bytes]:
    """What a message is signed with now: the present secret, and for a while the one before.

    Args:
        codes: of this server.
        row: the webhook.
        now: the time, as the tables have it.
        grace_ends: the same, `GRACE` ago.
    """
    is_new = row.rotated_at is not None and grace_ends < row.rotated_at <= now
    generations = [row.generation, row.generation - 1] if is_new else [row.generation]
    return [secret_of(codes, row.event_id, row.number, generation) for generation in generations]


def _fact(receipt: Receipt) -> dict[str, Any]:
    fact: dict[str, Any] = json.loads(receipt.body)["fact"]
    return fact
