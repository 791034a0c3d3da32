"""Times of things that are compared, taken in turns, so that whatever slows the machine slows all of them."""

import gc
import random
import statistics
import time
from collections.abc import Callable, Mapping
from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Times:
    """How long something took, once in each round."""

    seconds: tuple[float, ...]
    """By the clock on the wall, in the order of the rounds."""
    cpu: tuple[float, ...] = ()
    """Of this process only, without the node and other children; in the order of the rounds."""
    scale: float = 1.0
    """How many times as much work the seconds stand for as was done. 1: all of it was done."""

    def scaled(self, factor: float) -> "Times":
        """What so many times as much work would take."""
        return Times(tuple(each * factor for each in self.seconds), tuple(each * factor for each in self.cpu), factor)


@dataclass(frozen=True, slots=True)
class Spread:
    """The middle of several numbers, and the two quartiles between which half of them lie."""

    median: float
    low: float
    high: float


def spread(numbers: tuple[float, ...]) -> Spread:
    """Median and quartiles of at least one number."""
    if len(numbers) == 1:
        return Spread(*numbers * 3)
    low, median, high = statistics.quantiles(numbers, n=4, method="inclusive")
    return Spread(median, low, high)


def ratio(ours: Times, reference: Times) -> Spread:
    """How many times as long we take: the ratio of the medians, between the quartiles of the rounds' own ratios."""
    each = spread(tuple(one / other for one, other in zip(ours.seconds, reference.seconds, strict=True)))
    median = statistics.median(ours.seconds) / statistics.median(reference.seconds)
    return Spread(median, min(each.low, median), max(each.high, median))


def interleaved(contenders: Mapping[str, Callable[[], object]], *, rounds: int, warmups: int = 1) -> dict[str, Times]:
    """Time every contender once a round, in an order that chance decides anew.

    Whoever comes after one that does much finds the caches cold; that must not always be the same. Python's garbage
    collector stays on, as it is in use, and starts each measurement with nothing new.
    """
    names = list(contenders)
    for name in names * warmups:
        contenders[name]()
    walls: dict[str, list[float]] = {name: [] for name in names}
    cpus: dict[str, list[float]] = {name: [] for name in names}
    rng = random.Random(0)  # noqa: S311 - no secret
    for _ in range(rounds):
        for name in rng.sample(names, len(names)):
            gc.collect(0)
            wall, cpu = _timed(contenders[name])
            walls[name].append(wall)
            cpus[name].append(cpu)
    return {name: Times(tuple(walls[name]), tuple(cpus[name])) for name in names}


def _timed(action: Callable[[], object]) -> tuple[float, float]:
    wall, cpu = time.perf_counter(), time.process_time()
    result = action()  # dropped after the clocks are read: tidying up is not part of the work
    times = time.perf_counter() - wall, time.process_time() - cpu
    del result
    return times
