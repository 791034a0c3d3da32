"""The score groups of a round, one below the other, and what counting alone says about them.

In an odd field the bye is one more member of its holder's group, behind the last player: then everybody is paired, and
every group is left by as many tables as parity asks for.

*Lines* run between neighbouring groups; line k lies above group k. With an odd number of members above it, at least one
table crosses it, and costs at least the square of the step in points: no round has smaller gaps (level 5) than the sum
of those squares. *Parts* are the runs of groups between lines with an even number above.
"""

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from itertools import accumulate, pairwise

from tournament.domain.inside import Barred
from tournament.domain.matching import Matcher
from tournament.domain.model import PlayerId


@dataclass(frozen=True, kw_only=True)
class Ladder:
    """Score groups, most points first, each in the order of the draw."""

    groups: Sequence[Sequence[PlayerId]]
    points: Mapping[PlayerId, int]
    lots: Mapping[PlayerId, bytes]
    barred: Barred
    host: int | None
    """The group that the bye is a member of."""
    mates: Collection[PlayerId] = field(default_factory=frozenset)
    """Members of that group who may have the bye."""
    matcher: Matcher
    known_large: dict[int, bool] = field(default_factory=dict, init=False)
    """What `is_large` found out."""

    @cached_property
    def most(self) -> int:
        """The most others that any player is barred from."""
        return max(map(len, self.barred.values()), default=0)

    @cached_property
    def scores(self) -> list[int]:
        """Match points of each group."""
        return [self.points[group[0]] for group in self.groups]

    @cached_property
    def place(self) -> dict[PlayerId, int]:
        """Places in the order, from 0, the bye not counted."""
        return {player: at for at, player in enumerate(player for group in self.groups for player in group)}

    @cached_property
    def odd(self) -> list[bool]:
        """For each line, that above the first group included, whether an odd number of members is above it."""
        sizes = (len(group) + (k == self.host) for k, group in enumerate(self.groups))
        return [above % 2 == 1 for above in accumulate(sizes, initial=0)]

    @cached_property
    def parts(self) -> list[tuple[int, int]]:
        """The first and the last group of each part."""
        ends = [k for k in range(len(self.groups) + 1) if not self.odd[k]]
        return [(start, end - 1) for start, end in pairwise(ends)]

    def step(self, line: int) -> int:
        """Match points from the group above the line to the one below."""
        return self.scores[line - 1] - self.scores[line]


# --- large groups ---------------------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Reach:
    """How a group is entangled with the players above, below and inside it."""

    above: int
    """The most members of the group that one player above is barred from."""
    below: int
    inside: int


def is_large(ladder: Ladder, group: int) -> bool:
    """Whether the group parts the ladder: whatever floats into it from above is no matter to what floats out below.

    Why: in a best round, those who meet members of the group from above (or from below) are all barred from one
    another; otherwise two of them would better meet, and their opponents too. So they are at most m + 1, m being the
    most others that anybody is barred from; one more place is kept for the exits of `cells`. If the group is large

    - enough of its members stay inside whatever floats, to be paired among themselves (2 x inside + 2 are enough);
    - nobody meets across it: two floats into it are cheaper;
    - those who float up are among its first players and those who float down among its last (level 6): of so many,
      one is free who may meet the opponent of any other.
    """
    if group not in ladder.known_large:
        ladder.known_large[group] = _has_enough(ladder, group)
    return ladder.known_large[group]


def _has_enough(ladder: Ladder, group: int) -> bool:
    members = ladder.groups[group]
    floats = ladder.most + 2
    if group == ladder.host:
        if len(ladder.mates) < 2 * floats + 1:
            return False
        floats += 1
    if len(members) >= 4 * (floats + ladder.most):
        return True
    if len(members) < 2 * (2 * floats + 2):
        return False
    reach = reach_of(ladder, group)
    return len(members) >= 2 * floats + max(2 * reach.inside, reach.above + reach.below) + 4


def reach_of(ladder: Ladder, group: int) -> Reach:
    """Count it, by one look at each member's list."""
    score, barred, points = ladder.scores[group], ladder.barred, ladder.points
    outside: dict[PlayerId, int] = {}
    inside = 0
    for player in ladder.groups[group]:
        same = 0
        for other in barred[player]:
            if other in points:
                if points[other] == score:
                    same += 1
                else:
                    outside[other] = outside.get(other, 0) + 1
        inside = max(inside, same)
    return Reach(
        above=max((count for player, count in outside.items() if points[player] > score), default=0),
        below=max((count for player, count in outside.items() if points[player] < score), default=0),
        inside=inside,
    )
