"""Receivers elsewhere that are told what happens."""

from typing import Annotated, Final, get_args

from fastapi import APIRouter, Path, Response

from tournament.api import organizing
from tournament.api.answers import Viewer
from tournament.api.deps import Asking, Db, Looking
from tournament.api.routes.webhooks import Allowed
from tournament.domain.errors import TournamentError
from tournament.errors import PathNotFound
from tournament.service import deliveries, webhooks
from tournament.service.entries import MOST_NUMBER
from tournament.service.webhooks import Which
from tournament.web import answers, forms
from tournament.web.forms import Form, Typed
from tournament.web.pages.organizer.room import page

router = APIRouter(prefix="/e/{event}/organize/webhooks")
Number = Annotated[int, Path(ge=1, le=MOST_NUMBER)]
TOPICS: Final = tuple(str(topic.value) for topic in get_args(webhooks.Wanted))


@router.get("")
def show_webhooks(look: Looking) -> Response:
    """The receivers, and how they fare."""
    return _page(look)


@router.post("")
def add_webhook(look: Looking, ask: Asking, database: Db, rules: Allowed, typed: Typed) -> Response:
    """Add a receiver; the page that answers has its secret, and no other will."""
    said = {
        "url": typed.get("url", ""),
        "topics": [topic for topic in TOPICS if typed.get(f"topic {topic}")],
    }
    asked = forms.read_values(webhooks.AddWebhook, said, typed)
    if isinstance(asked, Form):
        return _page(look, asked)
    try:
        given = webhooks.add(database, forms.under(ask, typed), asked, rules)
    except TournamentError as error:
        return _page(look, Form(typed), error)
    return _page(look, secret=given.secret)


@router.post("/{number}/do/{step}")
def make_step(look: Looking, ask: Asking, database: Db, typed: Typed, number: Number, step: str) -> Response:
    """Try a receiver, send again what waits, give it another secret, or tell it nothing any more."""
    to = f"/e/{look.event}/organize/webhooks"
    try:
        match step:
            case "ping":
                deliveries.ping(database, ask, number)
                return answers.moved(look.request, to, "pinged")
            case "resume":
                deliveries.resume(database, ask, number)
                return answers.moved(look.request, to, "resumed")
            case "rotate":
                given = webhooks.rotate(database, forms.under(ask, typed), Which(webhook=number))
                return _page(look, secret=given.secret)
            case "remove":
                webhooks.remove(database, forms.under(ask, typed), Which(webhook=number))
                return answers.moved(look.request, to, "webhook gone")
    except TournamentError as error:
        return _page(look, error=error)
    raise PathNotFound(look.request.url.path)


def _page(
    look: Looking, form: Form | None = None, error: TournamentError | None = None, *, secret: str = ""
) -> Response:
    def shown(viewer: Viewer) -> dict[str, object]:
        found = organizing.receivers(viewer)
        return {
            "receivers": found,
            "waiting": {one.number for one in found if organizing.is_waiting(one)},
            "secret": secret,
            "topics": TOPICS,
        }

    return page(look, "organize_webhooks.html", shown, form=form, error=error)
