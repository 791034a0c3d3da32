"""Which places hang on the choice of tiebreaks: what another preset would change around the line of a cut.

A cut often hangs on rules that nobody chose on purpose: whether a bye counts in a win rate, whether a floor is 0.33 or
0.3333. The report names every player for whom that matters, so that the choice can be made, and told, before the cut.
"""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from tournament.domain.model import AnyRound, Names, Player, PlayerId
from tournament.domain.presets import BUCHHOLZ, MTGO, MTR_2026, WER, Preset, netrunner, pokemon
from tournament.domain.results import Penalty
from tournament.domain.standings import rank, still_in

OF_TWO_PLAYERS: tuple[Preset, ...] = (MTR_2026, WER, MTGO, pokemon(), netrunner(), BUCHHOLZ)
"""The presets for matches of two; pods are scored by another measure altogether."""


@dataclass(frozen=True, slots=True)
class Move:
    """A player with another place under another preset. Places may be shared."""

    player: PlayerId
    place: int
    other_place: int


@dataclass(frozen=True, slots=True)
class Change:
    """What one other preset would do to the cut."""

    preset: str
    moves: tuple[Move, ...]
    """Everybody in the cut under either preset whose place differs, by place."""
    enter: tuple[PlayerId, ...]
    """Who would be in it instead."""
    leave: tuple[PlayerId, ...]
    """Who would be out."""
    at_the_line: tuple[PlayerId, ...]
    """Who would share the place that the line runs through, so that a draw decides."""

    @property
    def sentences(self) -> tuple[str, ...]:
        """The change, a sentence a player; one sentence where nothing changes."""
        return self.told()

    def told(self, name: Names = str) -> tuple[str, ...]:
        """The same, with players called by `name`."""
        if not self.moves and not self.at_the_line:
            return (f"under {self.preset} every place in the cut stays",)
        return tuple(self._of_move(move, name) for move in self.moves) + self._of_line(name)

    def _of_move(self, move: Move, name: Names) -> str:
        effect = ", and in" if move.player in self.enter else ", and out" if move.player in self.leave else ""
        return f"under {self.preset} {name(move.player)} would be {move.other_place}. instead of {move.place}.{effect}"

    def _of_line(self, name: Names) -> tuple[str, ...]:
        if not self.at_the_line:
            return ()
        return (f"under {self.preset} a draw would decide between {', '.join(map(name, self.at_the_line))}",)


@dataclass(frozen=True, slots=True)
class Sensitivity:
    """How the cut stands under a preset, and what every other one would change."""

    cut: int
    preset: str
    inside: tuple[PlayerId, ...]
    """Who is in for certain, by place."""
    at_the_line: tuple[PlayerId, ...]
    """Who shares the place that the line runs through; empty where the line parts two places."""
    changes: tuple[Change, ...]

    @property
    def is_firm(self) -> bool:
        """Whether the same players are in under every preset asked, with no draw needed."""
        return not self.at_the_line and not any(
            change.enter or change.leave or change.at_the_line for change in self.changes
        )


def cut_sensitivity(  # noqa: PLR0913 - what varies is passed in, by keyword
    players: Sequence[Player],
    rounds: Sequence[AnyRound],
    cut: int,
    preset: Preset = MTR_2026,
    *,
    others: Iterable[Preset] = OF_TWO_PLAYERS,
    penalties: Iterable[Penalty] = (),
) -> Sensitivity:
    """Compare the cut under a preset with the cut under others.

    Places are those of the players still in the event: whoever dropped or was disqualified takes no place of the cut.
    The same line has the same sharp edge everywhere: who shares the place that it runs through is neither in nor out.

    Raises:
        PlayerUnknown, PlayerTwice, ResultImpossible: as `rank` does.
    """
    penalties = tuple(penalties)
    here = _Line(_places(players, rounds, preset, penalties), cut)
    changes = [
        _change(here, _Line(_places(players, rounds, other, penalties), cut), other.name)
        for other in others
        if other.name != preset.name
    ]
    return Sensitivity(cut, preset.name, here.inside, here.at_the_line, tuple(changes))


def _places(
    players: Sequence[Player], rounds: Sequence[AnyRound], preset: Preset, penalties: Sequence[Penalty]
) -> dict[PlayerId, int]:
    """Places among those still in; a shared place stays shared."""
    racing = {who.id for who in players if still_in(who)}
    lines = [line for line in rank(players, rounds, preset, penalties=penalties) if line.player in racing]
    first_row: dict[int, int] = {}
    return {line.player: first_row.setdefault(line.place, row) for row, line in enumerate(lines, start=1)}


class _Line:
    """A cut through places: who is in, and who shares the place that it runs through."""

    def __init__(self, places: dict[PlayerId, int], cut: int) -> None:
        self.places = places
        upper = [player for player, place in places.items() if place <= cut]
        torn = max((places[player] for player in upper), default=0) if len(upper) > cut else None
        self.at_the_line = tuple(player for player in upper if places[player] == torn)
        self.inside = tuple(player for player in upper if places[player] != torn)


def _change(here: _Line, there: _Line, name: str) -> Change:
    near = dict.fromkeys((*here.inside, *here.at_the_line, *there.inside, *there.at_the_line))
    moves = [Move(player, here.places[player], there.places[player]) for player in near]
    return Change(
        name,
        tuple(sorted((move for move in moves if move.place != move.other_place), key=lambda move: move.place)),
        tuple(player for player in there.inside if player not in here.inside),
        tuple(player for player in here.inside if player not in (*there.inside, *there.at_the_line)),
        there.at_the_line,
    )
