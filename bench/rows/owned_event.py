"""An event whose players prove their cards, through the service: an epoch, and a pass for everybody."""

import tempfile
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any, Final

from measuring import Times
from reporting import Row

from rows import Bench
from tests.tournament.owning import World, cards, started, wallet
from tournament import store
from tournament.database import open_file
from tournament.service import epochs, looks, passes
from tournament.service.commands import run

PLAYERS: Final = 512


def owned_event(bench: Bench) -> Iterator[Row]:
    """An epoch read and judged, against asking the node alone; then the passes, against signing them."""
    players = bench.small(PLAYERS)
    reading, asking, issuing, signing = [], [], [], []
    with tempfile.TemporaryDirectory(prefix="deckproof-bench-") as folder:
        database = open_file(Path(folder) / "deckproof.db")
        database.upgrade()
        with started(database) as world:
            _announced(world, players)
            for _ in range(bench.rounds(5)):
                world.do(epochs.OPEN)
                world.wait(2)
                number = world.epochs[-1].number
                asking.append(_timed(lambda: looks.look(_plan(world), world.nodes)))
                reading.append(_timed(world.read))
                assert set(world.outcomes(number).values()) == {"covered"}, "an epoch found something else"
                issuing.append(_timed(lambda: run(database, passes.ISSUE_ALL, world.ask(), passes.IssueAll())))
                signing.append(_timed(lambda: _signed(world, players)))
        database.close()
    yield Row(
        what="an epoch, read and judged",
        size=f"{players} players, SQLite, a node in this process",
        ours=Times(tuple(reading)),
        reference="asking the node alone",
        against=Times(tuple(asking)),
    )
    yield Row(
        what="a pass for everybody, as one command",
        size=f"{players} players, SQLite",
        ours=Times(tuple(issuing)),
        reference="signing them",
        against=Times(tuple(signing)),
    )


def _announced(world: World, players: int) -> None:
    """Everybody is here, with a list and all its cards."""
    names = [f"p{number}" for number in range(1, players + 1)]
    world.chain.mine({at: units for name in names for at, units in cards(wallet(name)).items()})
    world.announce()
    for name in names:
        world.enter(name)
    world.begin()
    world.read()


def _plan(world: World) -> looks.Plan:
    """What the open epoch asks the chain."""
    with world.database.reading() as session:
        planned = epochs._planned(session, world.ask(), epochs.Read())  # noqa: SLF001 - what `read` begins with
    assert planned is not None
    return planned


def _signed(world: World, players: int) -> None:
    asked = world.ask()
    with world.database.reading() as session:
        rows = [one.row for one in store.passes_of(session, world.event)][-players:]
        for row in rows:
            passes.signed(session, asked.codes, row)


def _timed(work: Callable[[], Any]) -> float:
    began = time.perf_counter()
    work()
    return time.perf_counter() - began


ROWS = (owned_event,)
