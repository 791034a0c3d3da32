"""Documents of webhooks."""

from typing import Generic

from pydantic import Field

from tournament.api.schemas.document import Document, F, Receipt
from tournament.service.deliveries import State
from tournament.service.news import Topic
from tournament.tables import DeliveryRow, PostboxRow, WebhookRow


class Webhook(Document):
    """A receiver that is told what happens. For organizers."""

    number: int = Field(examples=[1])
    url: str | None = Field(
        description="null if the event came from another server, whose webhooks are told nothing by this one",
        examples=["https://example.org/deckproof"],
    )
    topics: list[Topic] = Field(examples=[["round.published", "result"]])
    added_at: str
    rotated_at: str | None = Field(description="when its secret was replaced; the one before counts for a day more")
    version: int | None = Field(description="of the event, up to which its news are queued")
    next_at: str | None = Field(description="when the next delivery is due; null if none waits")
    failing_since: str | None = Field(description="null while deliveries succeed")
    disabled_at: str | None = Field(description="since when nothing is sent any more; `resume` goes on")
    disabled_why: str | None

    @classmethod
    def of(cls, row: WebhookRow, postbox: PostboxRow | None) -> "Webhook":
        """A webhook as its organizers may see it."""
        fields = ("url", "version", "next_at", "failing_since", "disabled_at", "disabled_why")
        return cls(
            number=row.number,
            topics=[Topic(topic) for topic in row.topics.split()],
            added_at=row.added_at,
            rotated_at=row.rotated_at,
            **{name: getattr(postbox, name, None) for name in fields},
        )


class Webhooks(Document):
    """The webhooks of an event."""

    webhooks: list[Webhook]


class SecretReceipt(Document, Generic[F]):
    """A receipt, and a secret that is shown with it and never again."""

    secret: str = Field(
        description="what messages are signed with, as the libraries of Standard Webhooks take it",
        examples=["whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw"],
    )
    receipt: Receipt[F]


class Delivery(Document):
    """Something sent, or to be sent."""

    id: str = Field(examples=["msg_k3v7qzj2m5xa_1_17"], description="the header `webhook-id`, at every attempt")
    topic: str = Field(examples=["round.published"], description="or `ping`")
    version: int | None = Field(description="of the event after what is told; null for a ping")
    state: State
    attempts: int = Field(description="since it was queued, or queued again")
    queued_at: str
    next_at: str | None = Field(description="when it is tried next; null if it is not")
    tried_at: str | None
    status: int | None = Field(description="HTTP status of the last answer", examples=[200])
    problem: str | None = Field(description="why the last attempt failed", examples=["it answered 500"])

    @classmethod
    def of(cls, row: DeliveryRow) -> "Delivery":
        """A delivery without its body."""
        return cls(**row.model_dump(exclude={"event_id", "webhook", "body"}))


class Deliveries(Document):
    """The latest deliveries of a webhook."""

    deliveries: list[Delivery]
