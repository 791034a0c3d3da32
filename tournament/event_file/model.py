"""An event as its file tells it, and the limits of such a file."""

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from enum import StrEnum
from typing import Final

from tournament.domain.bracket import Bracket
from tournament.domain.model import (
    AnyRound,
    Bye,
    Mode,
    Pairing,
    Player,
    PlayerId,
    Pod,
    PodRound,
    PodSeat,
    Result,
    Round,
    Seat,
    Way,
)
from tournament.domain.presets import MTR_2026
from tournament.domain.results import MatchFormat, Penalty

VERSION: Final = 1
USUAL_PRESET: Final = MTR_2026.name

MOST_BYTES: Final = 128 << 20
"""An event of 20,000 players and 15 rounds has 10 MB, and 105 MB with its log."""
MOST_NUMBER: Final = 1_000_000
"""Of tables, rounds, games and points: far above any event, and a slip of the finger is found."""
LONGEST_ID: Final = 100
LONGEST_TEXT: Final = 1_000
"""Characters of a name, a draw or a reason."""
LONGEST_NOTE: Final = 10_000
MOST_SEEDS: Final = 16_384
"""Of a cut: more than any hall holds, and its bracket is still laid out at once."""


@dataclass(frozen=True, slots=True, kw_only=True)
class AsPaired:
    """What of the event was otherwise when a round was paired; where nothing is said, it was as the file has it now."""

    seats: tuple[Seat, ...] | None = None
    """The tables of the round before they were changed, without results; None: they were not."""
    results: Mapping[tuple[int, int], Result] = field(default_factory=dict)
    """By round and table: results of rounds before that were corrected since, as they stood."""
    pods: tuple[PodSeat, ...] | None = None
    """As `seats`, of a round at tables of several."""
    placings: Mapping[tuple[int, int], Pod] = field(default_factory=dict)
    """As `results`, at tables of several."""
    apart: tuple[tuple[PlayerId, PlayerId], ...] = ()
    """Pairs that were kept apart then and are no longer."""
    not_apart: tuple[tuple[PlayerId, PlayerId], ...] = ()
    """Pairs that are kept apart now and were not yet then."""
    seeds: tuple[PlayerId, ...] = ()
    """By which the round was folded, the best first."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Event:
    """An event: what was announced, who entered, and the rounds so far."""

    name: str
    game: str
    """Any text; nothing here depends on it."""
    draw: str
    """The public draw that orders every score group (`tournament.domain.draw`)."""
    preset: str = USUAL_PRESET
    """How the standings are computed, by name."""
    mode: Mode = Mode.SWISS
    """How rounds are paired."""
    best_of: MatchFormat | None = None
    """How many games decide a match of the rounds; None if nobody said, and then no number of games is impossible."""
    pod_size: int | None = None
    """The usual seats of its tables of several; None: its tables have two."""
    apart: tuple[tuple[PlayerId, PlayerId], ...] = ()
    """Pairs of players whom the organizer keeps apart."""
    players: tuple[Player, ...] = ()
    rounds: tuple[Round, ...] = ()
    """From round 1, none left out; tables without a result are still open."""
    pods: tuple[PodRound, ...] = ()
    """The same of an event at tables of several, which has no `rounds`."""
    absent: Mapping[PlayerId, tuple[int, ...]] = field(default_factory=dict)
    """Rounds that a player sat out, between rounds played."""
    stood: Mapping[int, tuple[int, ...]] = field(default_factory=dict)
    """Tables of a round, by its number, that were played or being played when the others were changed."""
    ways: Mapping[int, Way] = field(default_factory=dict)
    """How rounds were paired, by their number, where it was not as the mode has it."""
    as_paired: Mapping[int, AsPaired] = field(default_factory=dict)
    """What was otherwise when a round was paired, by the round's number."""
    certificates: Mapping[int, Mapping[str, object]] = field(default_factory=dict)
    """Why a round is as it was paired, by its number: `documents.certificate_document` without the draw."""
    penalties: tuple[Penalty, ...] = ()
    """Game and match losses are in the results already and stand here for the record; points taken count from here."""
    cut: Bracket | None = None
    """The cut with what was reported in it; None if there is none."""
    log: tuple[Mapping[str, object], ...] = field(default=(), compare=False, repr=False)
    """The receipts of the commands that the event came of, in order, as the service wrote them."""
    kept: tuple[Mapping[str, object], ...] = field(default=(), compare=False, repr=False)
    """What is kept beside the log, as the service wrote it: the words and lists that the log has commitments of."""
    written: Mapping[str, object] = field(default_factory=dict, compare=False, repr=False)
    """The JSON that it was read from, for the order of keys, notes, and defaults that somebody spelled out."""

    @property
    def played(self) -> tuple[AnyRound, ...]:
        """The rounds, whatever their tables."""
        return self.rounds or self.pods

    def way_of(self, number: int) -> Way:
        """How the round of that number was paired, or would be."""
        return self.ways.get(number, usual_way(self.mode, self.pod_size))

    def players_in(self, number: int) -> tuple[Player, ...]:
        """The players as that round sees them: who sits it out has dropped after the one before."""
        away = {player for player, rounds in self.absent.items() if number in rounds}
        return tuple(
            replace(player, dropped_after=number - 1) if player.id in away else player for player in self.players
        )

    @property
    def open_tables(self) -> tuple[tuple[int, int], ...]:
        """Round and number of each table without a result."""
        return tuple((played.number, table) for played in self.played for table in open_in(played))


def usual_way(mode: Mode, pod_size: int | None = None) -> Way:
    """How rounds are paired where nothing else is said."""
    if pod_size is not None:
        return Way.PODS
    return Way.ROUND_ROBIN if mode is Mode.ROUND_ROBIN else Way.SWISS


def open_in(played: AnyRound) -> tuple[int, ...]:
    """The tables of a round that have no result."""
    return tuple(seat.table for seat in played.seats if not isinstance(seat, Bye) and not _is_over(seat))


def _is_over(seat: Pairing | Pod) -> bool:
    return (seat.result if isinstance(seat, Pairing) else seat.placing) is not None


class FileRule(StrEnum):
    """What an event file has to obey; a fault names the rule that is broken."""

    SIZE = "size"
    """Too many bytes."""
    ENCODING = "encoding"
    """Not UTF-8, or with a byte order mark."""
    JSON = "json"
    """Not JSON; NaN and Infinity are none either."""
    DEPTH = "depth"
    """Lists in lists in lists."""
    KEY_TWICE = "key-twice"
    """An object has two values for one key."""
    VERSION = "version"
    """A version that this program does not read."""
    FIELD_UNKNOWN = "field-unknown"
    FIELD_MISSING = "field-missing"
    TYPE = "type"
    """A text where a number belongs, and the like."""
    RANGE = "range"
    """A number below or above what it may be; a text too long or empty; too few or too many in a list."""
    TEXT = "text"
    """A text with control characters or others that nobody sees, or an id with spaces around it."""
    CHOICE = "choice"
    """Not one of the words or numbers that may stand here: a preset, an ending, a kind of bye or penalty."""
    ID_TWICE = "id-twice"
    """Two players have one id."""
    PLAYER_UNKNOWN = "player-unknown"
    APART = "apart"
    """A player kept apart from oneself, or a pair that stands there twice."""
    DISQUALIFIED = "disqualified"
    """A disqualified player who has not left."""
    ROUND_ORDER = "round-order"
    """Rounds are numbered 1, 2, 3 and stand in that order."""
    TABLE_TWICE = "table-twice"
    """Two tables of a round have one number."""
    TABLE_UNKNOWN = "table-unknown"
    """A table that stood, and is not in the round; a result that stood before, at a table that no round before has."""
    SEATED_TWICE = "seated-twice"
    """A player has two places in a round."""
    SEATED_ABSENT = "seated-absent"
    """A player has a place in a round after leaving, or before entering."""
    BYE_WITH_RESULT = "bye-with-result"
    """A bye is won without games, without a table and without an opponent."""
    ENDING = "ending"
    """A match without games has ended in no way yet."""
    RESULT = "result"
    """Games that say something else than the ending (a conceded match has a winner, an agreed draw has none), or that
    no match of the event's `best_of` can have."""
    PODS = "pods"
    """Tables of several in an event of tables of two, or the other way round; what such an event does not have."""
    CUT = "cut"
    """A cut with a player in two places, or a result of a match that its players never play."""
