"""Rules that hang on several fields of an event file, a function a rule."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import TypeAlias

from tournament.domain.announcement import PODS
from tournament.domain.bracket import Bracket, DoubleLosses, Draws, Entry, Left, Redrawn, Reported, matches
from tournament.domain.bracket_plan import Form, main_rounds
from tournament.domain.cut import SMALLEST_CUT
from tournament.domain.model import (
    Bye,
    Mode,
    Pairing,
    Player,
    PlayerId,
    Pod,
    PodSeat,
    Result,
    Seat,
    Way,
    players_at,
)
from tournament.domain.pod_results import check_pod
from tournament.domain.results import MatchFormat, Penalty, result_faults
from tournament.event_file.fields import Found
from tournament.event_file.model import MOST_SEEDS, USUAL_PRESET, AsPaired, FileRule
from tournament.event_file.strict_json import Path, pointer

_Note: TypeAlias = tuple[Path, FileRule, str]


@dataclass(frozen=True, slots=True)
class DraftPlayer:
    """A player as far as the entry could be read."""

    path: Path
    player: Player
    absent: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class DraftAsPaired:
    """What was otherwise when a round was paired, as far as it could be read."""

    path: Path
    seats: Sequence[tuple[Path, Seat | Pod]] | None
    results: Sequence[tuple[Path, tuple[int, int, Result | Pod]]]
    apart: Sequence[tuple[Path, tuple[PlayerId, PlayerId]]]
    not_apart: Sequence[tuple[Path, tuple[PlayerId, PlayerId]]]
    seeds: Sequence[tuple[Path, PlayerId]]

    def value(self, pod_size: int | None = None) -> AsPaired:
        """What it says, in an event of such tables."""
        seats = None if self.seats is None else [seat for _, seat in self.seats]
        stood = {(number, table): said for _, (number, table, said) in self.results}
        return AsPaired(
            seats=None if seats is None or pod_size is not None else of_two(seats),
            results={at: said for at, said in stood.items() if not isinstance(said, Pod)},
            pods=None if seats is None or pod_size is None else of_several(seats),
            placings={at: said for at, said in stood.items() if isinstance(said, Pod)},
            apart=tuple(pair for _, pair in self.apart),
            not_apart=tuple(pair for _, pair in self.not_apart),
            seeds=tuple(seed for _, seed in self.seeds),
        )

    def named(self) -> Iterator[tuple[Path, PlayerId]]:
        """Everybody whom it names, and where."""
        yield from _occupants(self.seats or ())
        for path, pair in (*self.apart, *self.not_apart):
            yield from (((*path, at), player) for at, player in enumerate(pair))
        yield from self.seeds


@dataclass(frozen=True, slots=True)
class DraftRound:
    """A round as far as it could be read."""

    path: Path
    number: int | None
    seats: Sequence[tuple[Path, Seat | Pod]]
    """Table 0 is one whose number could not be read."""
    stood: tuple[int, ...]
    way: Way | None
    certificate: Mapping[str, object] | None
    as_paired: DraftAsPaired | None
    whole: bool
    """Whether all its tables could be read."""

    def occupants(self) -> Iterator[tuple[Path, PlayerId]]:
        """Everybody who has a place, and where the file says so."""
        return _occupants(self.seats)


@dataclass(frozen=True, slots=True)
class DraftCut:
    """A cut as far as it could be read."""

    path: Path
    seeds: Sequence[tuple[Path, PlayerId]]
    form: Form
    draws: Draws
    double_losses: DoubleLosses
    log: Sequence[tuple[Path, Entry]]
    whole: bool
    """Whether all seeds and all lines could be read."""

    def bracket(self) -> Bracket:
        """The bracket that it tells."""
        seeds, log = tuple(seed for _, seed in self.seeds), tuple(line for _, line in self.log)
        return Bracket(seeds, self.form, self.draws, self.double_losses, log)

    def named(self) -> Iterator[tuple[Path, PlayerId]]:
        """Everybody whom it names, and where."""
        yield from self.seeds
        for path, line in self.log:
            match line:
                case Reported():
                    yield (*path, "players", 0), line.first
                    yield (*path, "players", 1), line.second
                case Left():
                    yield from (((*path, "left", at), player) for at, player in enumerate(line.players))


@dataclass(frozen=True, slots=True, kw_only=True)
class Draft:
    """A file as far as it could be read, each part with its place."""

    players: Sequence[DraftPlayer] | None
    """None if there is no list of them, so that not everybody else is unknown."""
    best_of: MatchFormat | None
    pod_size: int | None = None
    knows_size: bool = True
    """False: the file says how many play at a table, and that could not be read."""
    preset: str = USUAL_PRESET
    mode: Mode = Mode.SWISS
    apart: Sequence[tuple[Path, tuple[PlayerId, PlayerId]]]
    rounds: Sequence[DraftRound]
    penalties: Sequence[tuple[Path, Penalty]]
    cut: DraftCut | None = None


def contradictions(draft: Draft, found: Found) -> Iterator[_Note]:
    """Everything that contradicts something else in the file."""
    players = draft.players or ()
    by_id = {entry.player.id: entry for entry in reversed(players)}
    yield from _ids_once(players)
    if draft.players is not None:
        yield from _players_known(draft, by_id, found)
    yield from _apart_from_others(draft)
    yield from _rounds_in_order(draft)
    for place, played in enumerate(draft.rounds, start=1):
        yield from _tables_once(played.seats)
        yield from _games_can_be(played, draft.best_of)
        yield from _stood_there(played)
        yield from _seated_once(played.occupants())
        if played.as_paired is not None:
            yield from _was_so(played.as_paired, draft.rounds[: place - 1], draft.best_of)
        if played.number == place:
            yield from _seated_present(played, place, by_id)
    if draft.knows_size:
        yield from _of_one_kind(draft)
    if draft.cut is not None:
        yield from _cut_fits(draft.cut)


def of_two(seats: Iterable[Seat | Pod]) -> tuple[Seat, ...]:
    """The tables of two, and byes."""
    return tuple(seat for seat in seats if not isinstance(seat, Pod))


def of_several(seats: Iterable[Seat | Pod]) -> tuple[PodSeat, ...]:
    """The tables of several, and byes."""
    return tuple(seat for seat in seats if not isinstance(seat, Pairing))


def _of_one_kind(draft: Draft) -> Iterator[_Note]:
    """An event has tables of two, or tables of several, and what belongs to them."""
    about: Path = ("event", "pod_size")
    if draft.pod_size is not None:
        if draft.preset != PODS:
            yield about, FileRule.PODS, f"goes with the preset {PODS!r}, and the event's is {draft.preset!r}"
        if draft.mode is not Mode.SWISS:
            yield about, FileRule.PODS, "and a round robin do not go together; that is played in matches of two"
        if draft.cut is not None:
            yield draft.cut.path, FileRule.PODS, "is played in matches of two, and the event has tables of several"
    wrong, why = (
        (Pod, "no 'pod_size'") if draft.pod_size is None else (Pairing, "a 'pod_size', so 3 to 6 play at a table")
    )
    for played in draft.rounds:
        then = () if played.as_paired is None or played.as_paired.seats is None else played.as_paired.seats
        for path, seat in (*played.seats, *then):
            if isinstance(seat, wrong):
                yield (*path, "players"), FileRule.PODS, f"has {len(players_at(seat))} in it, and the event has {why}"
        if played.way is not None and (played.way is Way.PODS) is (draft.pod_size is None):
            yield (*played.path, "pairing"), FileRule.PODS, f"is {str(played.way)!r}, and the event has {why}"


def _ids_once(players: Iterable[DraftPlayer]) -> Iterator[_Note]:
    first: dict[PlayerId, Path] = {}
    for entry in players:
        before = first.setdefault(entry.player.id, entry.path)
        if before is not entry.path:
            wrong = f"{entry.player.id!r} is the id of {pointer(before)} already"
            yield (*entry.path, "id"), FileRule.ID_TWICE, wrong


def _players_known(draft: Draft, by_id: Mapping[PlayerId, DraftPlayer], found: Found) -> Iterator[_Note]:
    for path, player in _named(draft):
        if player not in by_id:
            wrong = f"{player!r} is not among the players{found.nearest(player, by_id)}"
            yield path, FileRule.PLAYER_UNKNOWN, wrong


def _named(draft: Draft) -> Iterator[tuple[Path, PlayerId]]:
    for path, pair in draft.apart:
        yield from (((*path, at), player) for at, player in enumerate(pair))
    for played in draft.rounds:
        yield from played.occupants()
        if played.as_paired is not None:
            yield from played.as_paired.named()
    yield from (((*path, "player"), penalty.player) for path, penalty in draft.penalties)
    if draft.cut is not None:
        yield from draft.cut.named()


def _apart_from_others(draft: Draft) -> Iterator[_Note]:
    first: dict[frozenset[PlayerId], Path] = {}
    for path, pair in draft.apart:
        before = first.setdefault(frozenset(pair), path)
        if pair[0] == pair[1]:
            yield path, FileRule.APART, f"keeps {pair[0]!r} apart from {pair[1]!r}; name two players"
        elif before is not path:
            yield path, FileRule.APART, f"stands at {pointer(before)} already"


def _rounds_in_order(draft: Draft) -> Iterator[_Note]:
    for place, played in enumerate(draft.rounds, start=1):
        if played.number is not None and played.number != place:
            wrong = f"is {played.number}, and round {place} comes here; rounds are 1, 2, 3 and so on, in that order"
            yield (*played.path, "number"), FileRule.ROUND_ORDER, wrong


def _tables_once(seats: Iterable[tuple[Path, Seat | Pod]]) -> Iterator[_Note]:
    first: dict[int, Path] = {}
    for path, seat in seats:
        if not isinstance(seat, Bye) and seat.table:
            before = first.setdefault(seat.table, path)
            if before is not path:
                wrong = f"is {seat.table}, as at {pointer(before)}; give each table of a round its own number"
                yield (*path, "table"), FileRule.TABLE_TWICE, wrong


def _games_can_be(played: DraftRound, best_of: MatchFormat | None) -> Iterator[_Note]:
    for path, seat in played.seats:
        if isinstance(seat, Pairing) and seat.result:
            yield from (
                ((*path, "games"), FileRule.RESULT, f"are {fault.sentence}")
                for fault in result_faults(seat.result, best_of)
            )
        if isinstance(seat, Pod):
            yield from (((*path, "places"), FileRule.RESULT, f"do not fit: {fault}") for fault in check_pod(seat))


def _stood_there(played: DraftRound) -> Iterator[_Note]:
    tables = {seat.table for _, seat in played.seats if not isinstance(seat, Bye)}
    for at, table in enumerate(played.stood):
        if table not in tables and played.whole and 0 not in tables:
            yield (*played.path, "stood", at), FileRule.TABLE_UNKNOWN, f"is {table}, and the round has no such table"


def _seated_once(occupants: Iterable[tuple[Path, PlayerId]]) -> Iterator[_Note]:
    first: dict[PlayerId, Path] = {}
    for path, player in occupants:
        before = first.setdefault(player, path)
        if before is not path:
            yield path, FileRule.SEATED_TWICE, f"{player!r} has a place at {pointer(before)} already"


def _was_so(then: DraftAsPaired, before: Sequence[DraftRound], best_of: MatchFormat | None) -> Iterator[_Note]:
    """What was otherwise when a round was paired could have been so."""
    yield from _tables_once(then.seats or ())
    yield from _seated_once(_occupants(then.seats or ()))
    tables = [{seat.table for _, seat in played.seats if not isinstance(seat, Bye)} for played in before]
    first: dict[tuple[int, int], Path] = {}
    for path, (number, table, result) in then.results:
        known = first.setdefault((number, table), path)
        if known is not path:
            yield path, FileRule.TABLE_TWICE, f"is of the table that stands at {pointer(known)} already"
        elif number > len(before):
            yield (*path, "round"), FileRule.TABLE_UNKNOWN, f"is {number}, and no such round comes before this one"
        elif table not in tables[number - 1] and before[number - 1].whole and 0 not in tables[number - 1]:
            yield (*path, "table"), FileRule.TABLE_UNKNOWN, f"is {table}, and round {number} has no such table"
        if isinstance(result, Pod):
            yield from (((*path, "places"), FileRule.RESULT, f"do not fit: {fault}") for fault in check_pod(result))
            continue
        for fault in result_faults(result, best_of):
            yield (*path, "games"), FileRule.RESULT, f"are {fault.sentence}"


def _occupants(seats: Iterable[tuple[Path, Seat | Pod]]) -> Iterator[tuple[Path, PlayerId]]:
    for path, seat in seats:
        match seat:
            case Pairing():
                yield (*path, "players", 0), seat.first
                yield (*path, "players", 1), seat.second
            case Bye():
                yield (*path, "bye"), seat.player
            case Pod():
                yield from (((*path, "players", at), player) for at, player in enumerate(seat.players))


def _seated_present(played: DraftRound, number: int, by_id: Mapping[PlayerId, DraftPlayer]) -> Iterator[_Note]:
    for path, name in played.occupants():
        entry = by_id.get(name)
        if entry is not None and (why := _away(entry, number)):
            yield path, FileRule.SEATED_ABSENT, f"{name!r} {why} and has a place in round {number}"


def _away(entry: DraftPlayer, number: int) -> str:
    dropped_after = entry.player.dropped_after
    if entry.player.entered_in > number:
        return f"enters in round {entry.player.entered_in}"
    if dropped_after is not None and dropped_after < number:
        return f"left after round {dropped_after}" if dropped_after else "left before the first round"
    return "is absent" if number in entry.absent else ""


# --- the cut ----------------------------------------------------------------------------------------------------------


def _cut_fits(cut: DraftCut) -> Iterator[_Note]:
    """Seeds differ, and each line of the log is about somebody and something of the bracket."""
    first: dict[PlayerId, Path] = {}
    for path, seed in cut.seeds:
        before = first.setdefault(seed, path)
        if before is not path:
            yield path, FileRule.CUT, f"{seed!r} is seeded at {pointer(before)} already"
    if len(first) < len(cut.seeds) or not SMALLEST_CUT <= len(cut.seeds) <= MOST_SEEDS:
        return
    strange = list(_strangers(cut, first))
    yield from strange
    if cut.whole and not strange:
        yield from _results_fit(cut)


def _strangers(cut: DraftCut, seeds: Mapping[PlayerId, Path]) -> Iterator[_Note]:
    for path, line in cut.log:
        match line:
            case Left():
                for at, player in enumerate(line.players):
                    if player not in seeds:
                        yield (*path, "left", at), FileRule.CUT, f"{player!r} is not in the cut"
            case Redrawn() if line.round > main_rounds(len(cut.seeds)) or cut.form is Form.DOUBLE:
                yield (*path, "redrawn"), FileRule.CUT, f"is {line.round}, and the cut has no such round to draw anew"
            case _:
                pass


def _results_fit(cut: DraftCut) -> Iterator[_Note]:
    there = {match.id: match for match in matches(cut.bracket())}
    known: dict[str, Path] = {}
    for path, line in cut.log:
        if not isinstance(line, Reported):
            continue
        before = known.setdefault(line.match, path)
        if line.match not in there:
            yield (*path, "match"), FileRule.CUT, f"{line.match!r} is no match of a {cut.form} with {len(cut.seeds)}"
        elif before is not path:
            yield (*path, "match"), FileRule.CUT, f"{line.match!r} has a result at {pointer(before)} already"
        elif there[line.match].seats != (line.first, line.second):
            wrong = f"{line.first!r} and {line.second!r} do not meet in {line.match}, as the lines before tell it"
            yield (*path, "players"), FileRule.CUT, wrong
