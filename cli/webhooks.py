"""`deckproof webhook …`: receivers elsewhere that are told what happens."""

from typing import Annotated, Any, Literal
from urllib.parse import quote

import typer

from cli import asking, output
from cli.desk import Desk, acting, looking
from cli.screen import plain_text

app = asking.new_app(no_args_is_help=True)

Number = Annotated[int, typer.Argument(min=1, metavar="WEBHOOK", help="As the list has it.")]
State = Literal["waiting", "delivered", "dead"]


@app.callback()
def _webhooks() -> None:
    """Webhooks: add, list, remove, rotate the secret, ping, resume, deliveries. For organizers."""


@acting(app)
def add(
    desk: Desk,
    url: Annotated[str, typer.Argument(metavar="URL", help="Where to.")],
    topics: Annotated[list[str], typer.Argument(metavar="TOPIC", help="What to tell: round.published, result, …")],
) -> None:
    """Tell a receiver what happens, from now on. Its secret is printed, and never again."""
    _print_secret(desk, desk.do("/webhooks", {"url": url, "topics": topics}), "is added")


@looking(app, "list")
def list_webhooks(desk: Desk) -> None:
    """The webhooks, and how they fare."""

    def draw(document: Any) -> None:  # noqa: ANN401 - any JSON
        rows = [
            (str(one["number"]), plain_text(one["url"] or "-"), ", ".join(one["topics"]), _state(one))
            for one in document["webhooks"]
        ]
        output.print_table(("no.", "to", "tells", "state"), rows, numbers=("no.",))

    desk.listed("/webhooks", draw)


@acting(app)
def remove(desk: Desk, number: Number) -> None:
    """Tell the receiver nothing any more; what waits is forgotten."""
    desk.done(f"/webhooks/{number}/remove", f"webhook {number} is told nothing any more")


@acting(app)
def rotate(desk: Desk, number: Number) -> None:
    """Replace the secret, which is printed, and never again. For a day messages are signed with the old one too."""
    _print_secret(desk, desk.do(f"/webhooks/{number}/rotate"), "has another secret")


@looking(app)
def ping(desk: Desk, number: Number) -> None:
    """Send a message that means nothing. What came of it is among the deliveries."""
    _print_delivery(desk, desk.look(f"/webhooks/{number}/ping"))


@looking(app)
def resume(desk: Desk, number: Number) -> None:
    """Send all that waits or was given up, now and in order, also if the webhook was disabled."""
    found = desk.look(f"/webhooks/{number}/resume")
    if desk.as_json:
        output.print_json(found)
    else:
        output.print_text(f"webhook {number}: {_state(found)}")


@looking(app)
def deliveries(
    desk: Desk,
    number: Number,
    *,
    state: Annotated[State | None, typer.Option("--state", help="Only these; dead ones were given up.")] = None,
) -> None:
    """What was sent, waits or was given up, the latest first."""

    def draw(document: Any) -> None:  # noqa: ANN401 - any JSON
        rows = [
            (one["id"], one["topic"], one["state"], str(one["attempts"]), plain_text(one["problem"] or ""))
            for one in document["deliveries"]
        ]
        output.print_table(("delivery", "topic", "state", "tries", "problem"), rows, numbers=("tries",))

    desk.listed(f"/webhooks/{number}/deliveries", draw, state=state)


@looking(app)
def redeliver(
    desk: Desk,
    number: Number,
    delivery: Annotated[str, typer.Argument(metavar="DELIVERY", help="As `webhook deliveries` has it.")],
) -> None:
    """Send it again, with the same id; one that waits is tried now."""
    _print_delivery(desk, desk.look(f"/webhooks/{number}/deliveries/{quote(delivery, safe='')}/redeliver"))


def _print_secret(desk: Desk, answer: Any, how: str) -> None:  # noqa: ANN401 - any JSON
    if desk.as_json:
        output.print_json(answer)
        return
    receipt = answer["receipt"]
    desk.tell(receipt, f"webhook {receipt['fact']['webhook']} {how}; its secret, shown this once:")
    output.print_text(plain_text(answer["secret"]))


def _print_delivery(desk: Desk, found: Any) -> None:  # noqa: ANN401 - any JSON
    if desk.as_json:
        output.print_json(found)
    else:
        output.print_text(f"delivery {found['id']} ({found['topic']}): {found['state']}")


def _state(one: Any) -> str:  # noqa: ANN401 - any JSON
    if one["disabled_at"]:
        return plain_text(f"disabled: {one['disabled_why']}")
    if one["failing_since"]:
        return f"failing since {one['failing_since'][:16].replace('T', ' ')}"
    return "one waits" if one["next_at"] else "well"
