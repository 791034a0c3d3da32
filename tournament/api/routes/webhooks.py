"""Webhooks: receivers elsewhere that are told what happens. For organizers."""

from collections.abc import Callable
from typing import Annotated, Any, Final, TypeVar

from fastapi import Depends, Path, Query, Request, Response
from sqlmodel import Session

from tournament import store
from tournament.api.answers import receipt
from tournament.api.deps import Asking, Db, Look, Looking
from tournament.api.schemas import Deliveries, Delivery, Receipt, SecretReceipt, Webhook, Webhooks
from tournament.api.shelf import Shelf
from tournament.service import accounts, deliveries, webhooks
from tournament.service.commands import Nothing
from tournament.service.deliveries import State
from tournament.service.entries import MOST_NUMBER
from tournament.service.posting import Rules
from tournament.service.webhooks import Given, Which

T = TypeVar("T")
PAGE: Final = 200
router = Shelf(prefix="/events/{event}/webhooks", tags=["webhooks"])
Number = Annotated[int, Path(ge=1, le=MOST_NUMBER, description="The webhook.", examples=[1])]
DeliveryId = Annotated[str, Path(max_length=100, description="The delivery.", examples=["msg_k3v7qzj2m5xa_1_17"])]
_ACCEPTED: Final[dict[int | str, dict[str, Any]]] = {202: {"description": "It is queued"}}


async def _rules(request: Request) -> Rules:
    rules: Rules = request.app.state.rules
    return rules


Allowed = Annotated[Rules, Depends(_rules)]


@router.post("", status_code=201, response_model=SecretReceipt[webhooks.WebhookAdded])
def add_webhook(body: webhooks.AddWebhook, ask: Asking, database: Db, rules: Allowed) -> Response:
    """Tell a receiver what happens, from now on. The answer has its secret; no other answer will.

    Messages follow Standard Webhooks: verify them with one of its libraries.
    """
    return _secret(webhooks.add(database, ask, body, rules), status=201)


@router.get("")
def list_webhooks(look: Looking) -> Webhooks:
    """The webhooks, and how they fare."""

    def lines(session: Session) -> Webhooks:
        boxes = store.postboxes_of(session, look.event)
        rows = webhooks.present(session, look.event)
        return Webhooks(webhooks=[Webhook.of(row, boxes.get(row.number)) for row in rows])

    return _read(look, lines)


@router.post("/{number}/remove", response_model=Receipt[webhooks.Removed])
def remove_webhook(ask: Asking, database: Db, number: Number, body: Nothing | None = None) -> Response:
    """Tell the receiver nothing any more; what waits is forgotten."""
    given = webhooks.remove(database, ask, _which(number, body))
    return receipt(given)


@router.post("/{number}/rotate", response_model=SecretReceipt[webhooks.Rotated])
def rotate_secret(ask: Asking, database: Db, number: Number, body: Nothing | None = None) -> Response:
    """Replace the secret. For a day, messages are signed with the old one too, so that nothing is refused meanwhile."""
    return _secret(webhooks.rotate(database, ask, _which(number, body)))


@router.post("/{number}/ping", status_code=202, responses=_ACCEPTED)
def ping_webhook(ask: Asking, database: Db, number: Number) -> Delivery:
    """Send a message of the type `ping`, which means nothing. What came of it is among the deliveries."""
    return Delivery.of(deliveries.ping(database, ask, number))


@router.post("/{number}/resume")
def resume_webhook(ask: Asking, database: Db, number: Number) -> Webhook:
    """Send all that waits or was given up, now and in order, also if the webhook was disabled."""
    postbox = deliveries.resume(database, ask, number)
    with database.reading() as session:
        return Webhook.of(webhooks.load(session, ask.event, number), postbox)


@router.get("/{number}/deliveries")
def list_deliveries(
    look: Looking,
    number: Number,
    state: Annotated[State | None, Query(description="only these; `dead` are those that were given up")] = None,
    limit: Annotated[int, Query(ge=1, le=PAGE)] = PAGE,
) -> Deliveries:
    """What was sent, waits or was given up, the latest first."""

    def lines(session: Session) -> Deliveries:
        webhooks.load(session, look.event, number)
        rows = store.deliveries_of(session, look.event, number, state=state, limit=limit)
        return Deliveries(deliveries=[Delivery.of(row) for row in rows])

    return _read(look, lines)


@router.post("/{number}/deliveries/{delivery}/redeliver", status_code=202, responses=_ACCEPTED)
def redeliver(ask: Asking, database: Db, number: Number, delivery: DeliveryId) -> Delivery:
    """Send it again, with the same id; one that waits is tried now."""
    return Delivery.of(deliveries.redeliver(database, ask, number, delivery))


def _which(number: int, body: Nothing | None) -> Which:
    return Which(webhook=number, reason=body.reason if body else "")


def _secret(given: Given, *, status: int = 200) -> Response:
    answer = receipt(given.receipt, status=status)
    answer.body = b'{"secret":"%s","receipt":%s}' % (given.secret.encode(), given.receipt.body)
    answer.headers["Content-Length"] = str(len(answer.body))
    return answer


def _read(look: Look, make: Callable[[Session], T]) -> T:
    """What only organizers may read, and what changes without the event; so it has no ETag."""
    try:
        actor = accounts.bearer(look.token, look.codes, look.event)(look.session)
        webhooks.require_organizer(look.session, look.event, actor)
        return make(look.session)
    finally:
        look.session.close()
