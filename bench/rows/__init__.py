"""The rows of the table. Each module here names, in `ROWS`, the functions that measure its rows; no other list does.

A function takes the `Bench` and yields what it measured, or a `NotMeasured` for what it could not. `--only` takes its
name, with dashes, or the name of its module.
"""

import importlib
import pkgutil
from collections.abc import Callable, Iterator
from contextlib import ExitStack
from dataclasses import dataclass, field
from typing import Final, TypeAlias
from urllib.parse import urlsplit

from relay import FarAway, far_away
from reporting import NotMeasured, Row
from world import World, world

ROUND_TRIP: Final = 0.030
"""Seconds to a node that is not in the building."""


@dataclass
class Bench:
    """What the functions share: how much to measure, and chains that take long to start."""

    quick: bool
    """Tiny sizes and few rounds: shows that everything runs, and nothing about speed."""
    say: Callable[[str], None]
    """Tells somebody who waits what is being done."""
    stack: ExitStack
    """Whatever has to end when all is measured."""
    _worlds: dict[int, World] = field(default_factory=dict)
    _ways: dict[str, FarAway] = field(default_factory=dict)

    def rounds(self, many: int) -> int:
        """How often to measure."""
        return 2 if self.quick else many

    def sample(self, many: int) -> int:
        """How much to measure of what would take too long as a whole."""
        return 3 if self.quick else many

    def players(self, many: int) -> int:
        """How large a field to measure with."""
        return max(4, many // 1000) if self.quick else many

    def small(self, many: int) -> int:
        """The same, where a round wants opponents enough."""
        return 16 if self.quick else many

    def last(self, many: int) -> int:
        """How many rounds an event has."""
        return 4 if self.quick else many

    def world(self, players: int) -> World:
        """A chain for so many players, started at the first call."""
        if players not in self._worlds:
            self.say(f"a chain with the decks of {players:,} players")
            self._worlds[players] = self.stack.enter_context(world(players))
        return self._worlds[players]

    def far(self, there: World) -> FarAway:
        """A way of `ROUND_TRIP` to a chain."""
        if there.url not in self._ways:
            self._ways[there.url] = self.stack.enter_context(far_away(port_of(there), ROUND_TRIP))
        return self._ways[there.url]


Measuring: TypeAlias = Callable[[Bench], Iterator[Row | NotMeasured]]


def port_of(there: World) -> int:
    """Where a chain listens on this machine."""
    port = urlsplit(there.url).port
    assert port
    return port


def all_rows() -> dict[str, Measuring]:
    """Every function of every module here, by its name with dashes."""
    modules = sorted(each.name for each in pkgutil.iter_modules(__path__))
    functions = [row for name in modules for row in importlib.import_module(f"{__name__}.{name}").ROWS]
    return {row.__name__.replace("_", "-"): row for row in functions}


def module_of(function: Measuring) -> str:
    """The module that the function stands in, without the folder."""
    return function.__module__.rpartition(".")[2]
