"""A series: points over several events, who is one person in them, and the table of the series.

No rule book has a series, so all of this is ours. Points are exact: whole numbers, and fractions where a scheme splits
a shared place or weighs an event.

Players enter each event anew, so a person is known by the name only. Entries whose names fold to the same text are one
person, unless that cannot be: two of them are in one event, or the organizers said that two of them are not the same.
Then none of that name is joined by the name, and the name is told to be *ambiguous* until the organizers have said
enough.
"""

from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from enum import StrEnum
from fractions import Fraction
from itertools import combinations, groupby, pairwise
from typing import Final, NamedTuple, TypeAlias

# --- points -------------------------------------------------------------------------------------------------------


class SharedPlace(StrEnum):
    """What players get who share a place of an event."""

    FULL = "full"
    """Each the points of the place."""
    SPLIT = "split"
    """Together the points of the places that they take up, in equal parts."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Scheme:
    """What an event is worth."""

    by_place: tuple[int, ...] = ()
    """Points for place 1, 2, …"""
    below: int = 0
    """Points for every place below those."""
    per_match_point: Fraction = Fraction(0)
    """For each match point of the standings."""
    participation: int = 0
    """For being in the standings."""
    shared_place: SharedPlace = SharedPlace.FULL
    best: int | None = None
    """How many of a person's events count, the best ones; None: all."""


class Appearance(NamedTuple):
    """An entry of an event of the series."""

    event: str
    entry: int


@dataclass(frozen=True, slots=True)
class Finish:
    """How an entry ended in an event."""

    appearance: Appearance
    name: str
    place: int
    match_points: int


@dataclass(frozen=True, slots=True)
class Contribution:
    """What an event gave to a person."""

    finish: Finish
    multiplier: Fraction
    points: Fraction
    counted: bool = True
    """False: better ones fill the number that count."""


def points_of(finish: Finish, sharing: int, scheme: Scheme) -> Fraction:
    """What a place is worth before the event's multiplier.

    Args:
        finish: the place and the match points.
        sharing: how many share the place.
        scheme: of the series.
    """
    taken = range(finish.place, finish.place + sharing) if scheme.shared_place is SharedPlace.SPLIT else [finish.place]
    placed = Fraction(sum(_of_place(place, scheme) for place in taken), len(taken))
    return placed + scheme.per_match_point * finish.match_points + scheme.participation


def _of_place(place: int, scheme: Scheme) -> int:
    return scheme.by_place[place - 1] if place <= len(scheme.by_place) else scheme.below


# --- who is who ---------------------------------------------------------------------------------------------------

Pair: TypeAlias = frozenset[Appearance]
Person: TypeAlias = tuple[Appearance, ...]


@dataclass(frozen=True, slots=True)
class Ambiguity:
    """Entries that may be one person and may be several."""

    persons: tuple[Person, ...]
    """As they are counted until somebody says more."""


@dataclass(frozen=True, slots=True)
class People:
    """Who is who."""

    persons: tuple[Person, ...]
    ambiguous: tuple[Ambiguity, ...]


def who_is_who(names: Mapping[Appearance, str], same: Iterable[Pair] = (), apart: Iterable[Pair] = ()) -> People:
    """The persons of a series.

    Whom the organizers joined is one person first. Then persons are joined by name, all that hang together by names at
    once or none of them, so the order of the events is of no matter.

    Args:
        names: of every entry that counts, folded.
        same: entries that the organizers said are one person.
        apart: entries that they said are not.
    """
    joined = Joined(same)
    said = defaultdict(list)
    for appearance in sorted(names):
        said[joined.of(appearance)].append(appearance)
    persons = [tuple(one) for one in said.values()]
    by_name = Joined(
        frozenset({one[0], other[0]})
        for group in _with_one_name(persons, names).values()
        for one, other in pairwise(group)
    )
    parted = {frozenset(map(joined.of, pair)) for pair in apart}
    hanging = defaultdict(list)
    for person in persons:
        hanging[by_name.of(person[0])].append(person)
    found, ambiguous = [], []
    for group in hanging.values():
        open_pairs = [pair for pair in combinations(group, 2) if not _are_two(*pair, parted, joined)]
        if len(open_pairs) == len(group) * (len(group) - 1) // 2:
            found.append(tuple(sorted(appearance for person in group for appearance in person)))
            continue
        found.extend(group)
        if open_pairs:
            ambiguous.append(Ambiguity(tuple(group)))
    return People(tuple(sorted(found)), tuple(ambiguous))


def contradictions(same: Iterable[Pair], apart: Iterable[Pair]) -> list[Pair]:
    """Entries that are said to be one person and cannot be: two of one event, or two that are said to be two."""
    same = list(same)
    joined = Joined(same)
    persons = defaultdict(set)
    for pair in same:
        for appearance in pair:
            persons[joined.of(appearance)].add(appearance)
    twice = (
        frozenset(pair)
        for person in persons.values()
        for pair in combinations(sorted(person), 2)
        if pair[0].event == pair[1].event
    )
    parted = (pair for pair in apart if len(set(map(joined.of, pair))) == 1)
    return sorted({*twice, *parted}, key=sorted)


class Joined:
    """Entries that belong together, directly or by way of others."""

    def __init__(self, pairs: Iterable[Pair]) -> None:
        self._first: dict[Appearance, Appearance] = {}
        for one, other in map(sorted, pairs):
            low, high = sorted((self.of(one), self.of(other)))
            self._first[high] = low

    def of(self, appearance: Appearance) -> Appearance:
        """The first of those that it belongs to."""
        at = appearance
        while (before := self._first.get(at, at)) != at:
            at = before
        if at != appearance:
            self._first[appearance] = at
        return at


def _with_one_name(persons: Iterable[Person], names: Mapping[Appearance, str]) -> Mapping[str, list[Person]]:
    """Persons by every name that they have."""
    found = defaultdict(list)
    for person in persons:
        for name in dict.fromkeys(names[appearance] for appearance in person):
            found[name].append(person)
    return found


def _are_two(one: Person, other: Person, parted: set[frozenset[Appearance]], joined: Joined) -> bool:
    if {appearance.event for appearance in one} & {appearance.event for appearance in other}:
        return True
    return frozenset({joined.of(one[0]), joined.of(other[0])}) in parted


# --- the table ----------------------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class SeriesLine:
    """A person's place in a series."""

    place: int
    name: str
    """As it was written in the last event."""
    points: Fraction
    contributions: tuple[Contribution, ...]
    """In the order of the events."""


def table(
    events: Sequence[tuple[Fraction, Sequence[Finish]]], persons: Iterable[Person], scheme: Scheme
) -> tuple[SeriesLine, ...]:
    """The table of a series, the first place first.

    Equal points are decided by the best contribution that counts, then the second best, and so on; who is level in all
    of them shares a place, and the next place is left out.

    Args:
        events: in the order in which they are shown; the multiplier and the finishes of each.
        persons: whose finishes belong together.
        scheme: of the series.
    """
    given = {one.finish.appearance: one for event in events for one in _contributions(*event, scheme)}
    order = {appearance: at for at, appearance in enumerate(given)}
    lines = [_line(sorted((given[at] for at in person), key=lambda one: order[one.finish.appearance]), scheme)
             for person in persons]  # fmt: skip
    lines.sort(key=lambda line: (line.name, line.contributions[0].finish.appearance))
    lines.sort(key=_strength, reverse=True)
    placed, at = [], 1
    for _, level in groupby(lines, key=_strength):
        same = [replace(line, place=at) for line in level]
        placed += same
        at += len(same)
    return tuple(placed)


def _contributions(multiplier: Fraction, finishes: Sequence[Finish], scheme: Scheme) -> Iterator[Contribution]:
    sharing = Counter(finish.place for finish in finishes)
    for finish in finishes:
        yield Contribution(finish, multiplier, multiplier * points_of(finish, sharing[finish.place], scheme))


def _line(contributions: Sequence[Contribution], scheme: Scheme) -> SeriesLine:
    best = sorted(range(len(contributions)), key=lambda at: -contributions[at].points)[: scheme.best]
    judged = tuple(replace(one, counted=at in best) for at, one in enumerate(contributions))
    points = sum((one.points for one in judged if one.counted), _NOTHING)
    return SeriesLine(0, judged[-1].finish.name, points, judged)


def _strength(line: SeriesLine) -> tuple[Fraction, list[Fraction]]:
    return line.points, sorted((one.points for one in line.contributions if one.counted), reverse=True)


_NOTHING: Final = Fraction(0)
