"""A scene as the pages of a demo show it: whom a visitor may be, where everything is, and the wallets' keys."""

from collections.abc import Iterator

from stage import cast
from stage.acting import signature_of
from stage.cards import Cards
from stage.scenes import NAME, OPEN_NAME, PAST_NAME, SERIES_NAME, Day, Scene
from tournament.web.demo import Demo, Person, Place, Worker


def demo_of(day: Day, cards: Cards, scene: Scene) -> Demo:
    """What the pages are given."""
    keys = cast.keys()
    event = f"/e/{day.event.event}"
    workers = {
        cast.ORGANIZER: "/organize",
        cast.SCOREKEEPER: f"{event}/control",
        cast.JUDGE: f"{event}/judge",
        cast.DESK: f"{event}/desk",
        "display": f"{event}/screen",
    }
    return Demo(
        scene=scene.value,
        password=cast.PASSWORD,
        workers=tuple(Worker(account, place) for account, place in workers.items()),
        people=tuple(_people(day, cards)),
        places=tuple(_places(day)),
        hints=tuple(day.hints),
        sign=lambda address, text: signature_of(keys[address.lower()], text),
        buy=cards.buy,
        chain_id=cards.anvil.chain_id,
    )


def _people(day: Day, cards: Cards) -> Iterator[Person]:
    event, upcoming = day.event, f"/e/{day.upcoming.event}"
    actors = sorted(cards.actors.values(), key=lambda one: (one.name != cast.READY, one.name in event.entries))
    short = cards.lacking()
    for one in actors:
        wallets, shops = tuple(wallet.address for wallet in one.wallets), one.name in short
        if (number := event.entries.get(one.name)) is None:
            yield Person(one.name, one.story, wallets, one.decklist, upcoming, shops=shops)
        else:
            place, code = f"/e/{event.event}/me", event.code_of(number)
            yield Person(one.name, one.story, wallets, one.decklist, place, event.event, number, code, shops)


def _places(day: Day) -> Iterator[Place]:
    event, upcoming, past = (f"/e/{one.event}" for one in (day.event, day.upcoming, day.past))
    yield Place("Who are you today?", "/demo")
    yield Place("Events", "/")
    yield Place(f"{NAME}: the event", event)
    yield Place("A player's own page", f"{event}/me")
    yield Place("The desk", f"{event}/desk")
    yield Place("The control room", f"{event}/control")
    yield Place("The judges", f"{event}/judge")
    yield Place("The projector", f"{event}/screen")
    yield Place("To be printed: slips", f"{event}/print/slips")
    yield Place("To be printed: check-in list", f"{event}/print/check-in")
    yield Place("The organizer: all events", "/organize")
    yield Place("The organizer: this event", f"{event}/organize")
    yield Place("Is the server well?", "/check-up")
    yield Place(f"{OPEN_NAME}: registration is open", upcoming)
    yield Place(f"{PAST_NAME}: over, with its evidence", f"{past}/evidence")
    yield Place(SERIES_NAME, f"/s/{day.series}")
    yield Place("Is this wallet covered for this deck?", "/check")
