"""How many rounds to play, who is in the cut, with which seed, and where everybody ends.

Sources: Magic Tournament Rules, appendix E (rounds and size of the cut), 10.4 (seeds follow the standings); Infraction
Procedure Guide 1.1 (a disqualification moves everybody below up one place, without promoting anybody into the cut).
Not here: the limited events of appendix E whose cut drafts (9 to 16 players: 4 rounds, then 8).
"""

from collections.abc import Collection, Iterable, Iterator, Sequence
from dataclasses import dataclass
from itertools import groupby

from tournament.domain.bracket import Bracket, Leaving, Place, left, places
from tournament.domain.errors import CutImpossible
from tournament.domain.model import Names, PlayerId
from tournament.domain.standings import Standing, settle

# --- how many rounds ------------------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Schedule:
    """Swiss rounds, then a cut to so many players; a cut of 0 means that the Swiss rounds decide."""

    swiss_rounds: int
    cut: int


ELIMINATION_ONLY = 8
"""Up to here appendix E plays single elimination and no Swiss rounds."""

_APPENDIX_E = ((16, 5, 4), (32, 5, 8), (64, 6, 8), (128, 7, 8), (226, 8, 8), (409, 9, 8))
"""Up to so many players, so many rounds, then a cut to so many."""

_LARGEST = Schedule(10, 8)


def recommended(players: int, awarded_byes: Iterable[int] = ()) -> Schedule:
    """Rounds and cut by appendix E. The table begins at 5 players; fewer play single elimination too (ours).

    Args:
        players: everybody in the event.
        awarded_byes: for each player who brought any, how many.
    """
    counted = players_counted(players, awarded_byes)
    if counted <= ELIMINATION_ONLY:
        return Schedule(0, players)
    return next((Schedule(rounds, cut) for up_to, rounds, cut in _APPENDIX_E if counted <= up_to), _LARGEST)


def players_counted(players: int, awarded_byes: Iterable[int]) -> int:
    """Players as appendix E counts them: one with 1, 2 or 3 awarded byes stands for 2, 4 or 8 (who were beaten)."""
    return players + sum((1 << byes) - 1 for byes in awarded_byes)


# --- who is in ------------------------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Tie:
    """Players with equal points and tiebreaks, whose seeds the public draw decided."""

    place: int
    seeded: tuple[PlayerId, ...]
    left_out: tuple[PlayerId, ...]
    """Not empty: the line of the cut goes through the tie."""

    def __str__(self) -> str:
        return self.told()

    def told(self, name: Names = str) -> str:
        """The sentence to be read aloud."""
        tied = ", ".join(map(name, self.seeded + self.left_out))
        if not self.left_out:
            return f"place {self.place} is shared by {tied}; the draw decides their seeds"
        missed = ", ".join(map(name, self.left_out))
        return f"place {self.place} is shared by {tied}; the draw decides that {missed} missed the cut"


@dataclass(frozen=True, slots=True)
class Cut:
    """Who plays on."""

    seeds: tuple[PlayerId, ...]
    """Best first."""
    ties: tuple[Tie, ...]
    """Everything about the seeds that the standings left open, to be said aloud."""

    @property
    def at_the_line(self) -> Tie | None:
        """The tie between somebody who is in and somebody who is out."""
        return next((tie for tie in self.ties if tie.left_out), None)


SMALLEST_CUT = 2
"""One player alone has won already."""


def cut_to(size: int, standings: Sequence[Standing], *, draw: str, gone: Collection[PlayerId] = ()) -> Cut:
    """The best so many of those who are still there; any size from 2.

    Args:
        size: players in the cut.
        standings: after the last Swiss round, best first, as `rank` gives them: who is tied shares a place.
        draw: the public draw of the event, which decides between the tied.
        gone: who left before the cut; the next ones move up. Once the bracket is laid out nobody does.

    Raises:
        CutImpossible: fewer than 2, or more than are there.
    """
    return _cut(size, _there(standings, draw, gone), standings)


def cut_to_with_ties(size: int, standings: Sequence[Standing], *, draw: str, gone: Collection[PlayerId] = ()) -> Cut:
    """The best so many, and everybody who is tied with the last of them; a bracket can take any number.

    Raises:
        CutImpossible: fewer than 2, or more than are there.
    """
    there, place = _there(standings, draw, gone), {line.player: line.place for line in standings}
    if SMALLEST_CUT <= size <= len(there):
        size = sum(place[player] <= place[there[size - 1]] for player in there)
    return _cut(size, there, standings)


def cut_by_points(least: int, standings: Sequence[Standing], *, draw: str, gone: Collection[PlayerId] = ()) -> Cut:
    """Everybody with so many match points or more who is still there.

    Raises:
        CutImpossible: fewer than 2 have them.
    """
    enough = [line for line in standings if line.match_points >= least and line.player not in gone]
    return _cut(len(enough), _there(standings, draw, gone), standings)


def _there(standings: Sequence[Standing], draw: str, gone: Collection[PlayerId]) -> list[PlayerId]:
    return [line.player for line in settle(standings, draw) if line.player not in gone]


def _cut(size: int, there: Sequence[PlayerId], standings: Sequence[Standing]) -> Cut:
    if not SMALLEST_CUT <= size <= len(there):
        raise CutImpossible(size, len(there))
    place = {line.player: line.place for line in standings}
    seeds, out = there[:size], there[size:]
    ties = (
        Tie(shared, *(tuple(player for player in some if place[player] == shared) for some in (seeds, out)))
        for shared in dict.fromkeys(place[player] for player in seeds)
    )
    return Cut(tuple(seeds), tuple(tie for tie in ties if len(tie.seeded) + len(tie.left_out) > 1))


# --- where everybody ends -------------------------------------------------------------------------------------------


def final_places(
    bracket: Bracket, standings: Sequence[Standing], disqualified: Collection[PlayerId] = ()
) -> tuple[Place, ...]:
    """Places of the whole event: the cut's as far as they are certain, then the standings of everybody else.

    Somebody disqualified from the cut takes no place, so that the best of those outside moves up one place, but not
    into the bracket.

    Args:
        bracket: of the cut.
        standings: after the last Swiss round, best first.
        disqualified: who takes no place though never in the cut.
    """
    below = [line for line in standings if line.player not in bracket.seeds and line.player not in disqualified]
    removed = [player for player, why in left(bracket).items() if why is Leaving.DISQUALIFIED]
    return (*places(bracket), *_shared(below, len(bracket.seeds) - len(removed)))


def settled_places(bracket: Bracket, standings: Sequence[Standing]) -> tuple[Place, ...]:
    """The same for good, in an event that is over: whose place the cut left open share the places that are left.

    So two who never played their final both end in places 1 and 2. Ours; rule books end no event before its cut.
    """
    found = final_places(bracket, standings)
    placed = {player for place in found for player in place.players}
    gone = left(bracket)
    remaining = tuple(
        player for player in bracket.seeds if player not in placed and gone.get(player) is not Leaving.DISQUALIFIED
    )
    if not remaining:
        return found
    taken = {number for place in found for number in range(place.first, place.last + 1)}
    first = next(number for number in range(1, len(bracket.seeds) + 1) if number not in taken)
    between = Place(first, first + len(remaining) - 1, remaining)
    return tuple(sorted((*found, between), key=lambda place: place.first))


def places_without_cut(standings: Sequence[Standing]) -> tuple[Place, ...]:
    """Places of an event that the Swiss rounds decide: as in the standings, a shared one as a range."""
    return tuple(_shared(standings, 0))


def _shared(standings: Iterable[Standing], last: int) -> Iterator[Place]:
    """The places below the last one taken."""
    for _, tied in groupby(standings, key=lambda line: line.place):
        players = tuple(line.player for line in tied)
        yield Place(last + 1, last + len(players), players)
        last += len(players)
