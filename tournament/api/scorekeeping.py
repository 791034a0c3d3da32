"""What a scorekeeper looks at: what comes next, who has not reported, the draft, a wrong result, the log.

Beside `documents`, for staff: whoever calls these makes sure of that. Nothing is changed.
"""

import json
import re
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass
from enum import StrEnum
from itertools import combinations
from typing import Any, Final

from tournament import store
from tournament.api import documents
from tournament.api.answers import Viewer
from tournament.api.schemas import CallLine, ClaimedTable, CutDocument, CutMatch, Named, RoundLine, Seeds, WaysOn
from tournament.api.schemas.rounds import Clock
from tournament.domain.announcement import CutBy, Decklist, DrawRule, forbidden_draw
from tournament.domain.lifecycle import Phase
from tournament.domain.model import Bye, players_at
from tournament.domain.roles import ORGANIZERS, SCOREKEEPERS
from tournament.domain.slips import digits, read_places, read_result
from tournament.errors import PodsNotMended, RoundNotFound, TableNotFound
from tournament.service import checkin, claims, clock, cut, repairs, results, rounds, standings, swaps, undo
from tournament.service.claims import ClaimState
from tournament.service.commands import player_in
from tournament.service.derivation import UNDO, dead
from tournament.service.kinds import KINDS
from tournament.service.results import Games, TablePlaces
from tournament.tables import LogRow, SeatRow

ENTERED: Final = 6
"""Results that are shown after they were entered."""
_FEW: Final = 4
"""Players who are named in a line of the log that is about many."""
MOST_DIGITS: Final = 6
"""Of a table's number."""
_PLACE: Final = re.compile(r"(?:[ML]?\d{1,2}\.\d{1,5})|GF2?|3RD", re.ASCII | re.IGNORECASE)
_ROUND: Final = re.compile(r"r\d{1,3}", re.ASCII | re.IGNORECASE)
_MINUTES: Final = re.compile(r"[+-]\d{1,4}", re.ASCII)
_RESULTS: Final = ("result.report", "result.correct", "round.repair", "cut.report", "cut.correct", "claim.settle")


# --- tables -----------------------------------------------------------------------------------------------------------


@dataclass(frozen=True)
class Table:
    """A table of a round with everybody who sits there."""

    round: int
    number: int
    players: Sequence[Named]
    result: Games | TablePlaces | None
    """None while it plays."""
    extra_minutes: int
    ends_at: str | None
    """When time is called for it; None while no clock runs."""
    claims: ClaimedTable | None = None
    """What its players say, if it has no result."""

    @property
    def is_disputed(self) -> bool:
        """Its players say different things."""
        return self.claims is not None and self.claims.state is ClaimState.DISAGREEMENT


def table_of(viewer: Viewer, number: int, table: int) -> Table:
    """A table of a published round. Raises: RoundNotFound, TableNotFound."""
    row = rounds.load(viewer.session, viewer.event.id, number)
    if row.published_at is None:
        raise RoundNotFound(number)
    seat = store.find_table(viewer.session, viewer.event.id, number, table)
    if seat is None:
        raise TableNotFound(number, table)
    return _tables(viewer, [seat], row)[0]


def tables_of(viewer: Viewer, number: int) -> list[Table]:
    """Every table of a round in order, byes aside. Raises: RoundNotFound."""
    row = rounds.load(viewer.session, viewer.event.id, number)
    seats = [seat for seat in store.seats_of(viewer.session, viewer.event.id, number) if seat.table_number is not None]
    return _tables(viewer, sorted(seats, key=lambda seat: seat.table_number or 0), row)


def _tables(viewer: Viewer, seats: Sequence[SeatRow], row: Any) -> list[Table]:  # noqa: ANN401 - the round's row
    names = store.names_of(viewer.session, viewer.event.id, (player for seat in seats for player in seat.players))
    said = {one.seat.table_number: one for one in claims.open_in(viewer.session, viewer.event.id, row.number)}
    return [
        Table(
            round=row.number,
            number=seat.table_number or 0,
            players=[Named(number=player, name=names[player]) for player in seat.players],
            result=results.games_at(seat),
            extra_minutes=seat.extra_minutes,
            ends_at=clock.ends_at(row, seat.extra_minutes),
            claims=ClaimedTable.of(said[seat.table_number]) if seat.table_number in said else None,
        )
        for seat in seats
    ]


# --- what comes next --------------------------------------------------------------------------------------------------


class Step(StrEnum):
    """The command that usually comes next."""

    OPEN = "open registration"
    CLOSE = "close registration"
    SEAT = "seat and pair"
    """Who is not here is dropped first."""
    PAIR = "pair"
    PUBLISH = "publish"
    CLOCK = "start the clock"
    WAIT = "wait for results"
    NEXT = "close and pair"
    CLOSE_ROUND = "close the round"
    CUT = "start the cut"
    CUT_ROUND = "begin a round of the cut"
    MATCHES = "wait for matches"
    FINISH = "finish"
    NOTHING = "nothing"


_OF_ORGANIZERS: Final = frozenset({Step.OPEN, Step.CLOSE, Step.FINISH})


@dataclass(frozen=True)
class Next:
    """What comes next."""

    step: Step
    round: int
    """That it is about; the one that is closed, where the next one is paired with it."""
    waits: int
    """Tables or matches without a result, or players who are not here."""
    is_yours: bool
    """Whether the reader may do it."""


@dataclass(frozen=True)
class Counts:
    """How many there are."""

    here: int
    """With a place, who did not leave."""
    checked_in: int
    waiting: int
    absent: Sequence[Named]
    """Whom seating would drop; while players check in."""
    unlisted: int
    """Without a legal list, where the event needs one and the first round waits for it."""


@dataclass(frozen=True)
class Room:
    """Everything that a scorekeeper looks at while an event runs."""

    now: RoundLine | None
    """The latest published round."""
    clock: Clock | None
    tables: Sequence[Table]
    """Of a round that is played."""
    byes: int
    draft: int | None
    counts: Counts
    calls: Sequence[CallLine]
    next: Next
    cut: CutDocument | None

    @property
    def missing(self) -> list[Table]:
        """Tables without a result."""
        return [table for table in self.tables if table.result is None]

    @property
    def disputed(self) -> list[Table]:
        """Tables whose players say different things."""
        return [table for table in self.tables if table.is_disputed]

    @property
    def claimed(self) -> list[Table]:
        """Tables where one has said something and the others have not confirmed it."""
        return [table for table in self.missing if table.claims is not None and not table.is_disputed]


@dataclass(frozen=True)
class _Stage:
    """How far an event is."""

    viewer: Viewer
    last: int
    """The latest published round; 0 before the first."""
    draft: int | None
    tables: Sequence[Table]
    clock: Clock | None
    counts: Counts
    cut: CutDocument | None

    @property
    def missing(self) -> int:
        """Tables that play."""
        return sum(table.result is None for table in self.tables)


def room_of(viewer: Viewer) -> Room:
    """The whole event."""
    session, event = viewer.session, viewer.event
    lines = documents.rounds_of(viewer).rounds
    now = next((line for line in reversed(lines) if line.published_at is not None), None)
    played = now if event.phase == Phase.ROUND else None
    seats = store.seats_of(session, event.id, played.number) if played is not None else ()
    calls = store.open_calls(session, event.id)
    callers = store.names_of(session, event.id, (row.entry for row in calls))
    stage = _Stage(
        viewer=viewer,
        last=now.number if now else 0,
        draft=next((line.number for line in lines if line.published_at is None), None),
        tables=tables_of(viewer, played.number) if played is not None else [],
        clock=Clock.of(rounds.load(session, event.id, played.number)) if played is not None else None,
        counts=_counts(viewer),
        cut=documents.cut_of(viewer) if documents.has_cut(viewer) else None,
    )
    return Room(
        now=now,
        clock=stage.clock,
        tables=stage.tables,
        byes=sum(seat.table_number is None for seat in seats),
        draft=stage.draft,
        counts=stage.counts,
        calls=[CallLine.of(row, callers) for row in calls],
        next=_next(stage),
        cut=stage.cut,
    )


def _counts(viewer: Viewer) -> Counts:
    session, event = viewer.session, viewer.event
    here, waiting = store.here_of(session, event.id), store.waiting_rows(session, event.id)
    is_checking = event.phase == Phase.CHECK_IN and any(row.checked_in is not None for row in here)
    dropped = set(checkin.planned(session, event, checkin.SeatAll()).dropped) if is_checking else set()
    needs_lists = event.decklist == Decklist.REQUIRED and event.phase in {Phase.REGISTRATION, Phase.CHECK_IN}
    return Counts(
        here=len(here),
        checked_in=sum(row.checked_in is not None for row in here),
        waiting=len(waiting),
        absent=[Named.of(row) for row in here if row.number in dropped],
        unlisted=len(store.without_list(session, event.id)) if needs_lists else 0,
    )


def _next(stage: _Stage) -> Next:
    step, number, waits = _step(stage)
    may = ORGANIZERS if step in _OF_ORGANIZERS else SCOREKEEPERS
    return Next(step, number, waits, is_yours=bool(stage.viewer.roles & may))


def _step(stage: _Stage) -> tuple[Step, int, int]:
    if stage.draft is not None:
        return Step.PUBLISH, stage.draft, 0
    match stage.viewer.event.phase:
        case Phase.CHECK_IN | Phase.BETWEEN_ROUNDS:
            return _step_before_a_round(stage)
        case Phase.ROUND:
            return _step_in_a_round(stage)
        case Phase.CUT:
            return _step_in_the_cut(stage.cut)
    return _AT_THE_ENDS.get(Phase(stage.viewer.event.phase), Step.NOTHING), 0, 0


_AT_THE_ENDS: Final = {Phase.DRAFT: Step.OPEN, Phase.REGISTRATION: Step.CLOSE}


def _step_before_a_round(stage: _Stage) -> tuple[Step, int, int]:
    event = documents.event_of(stage.viewer)
    if stage.last < event.planned_rounds:
        absent = len(stage.counts.absent)
        return (Step.SEAT if absent else Step.PAIR), stage.last + 1, absent
    has_cut = event.cut != CutBy.NONE and event.pod_size is None and event.planned_cut != 0
    return (Step.CUT if has_cut else Step.FINISH), stage.last, 0


def _step_in_a_round(stage: _Stage) -> tuple[Step, int, int]:
    missing = stage.missing
    if stage.clock is not None and stage.clock.started_at is None and missing == len(stage.tables):
        return Step.CLOCK, stage.last, missing
    if missing:
        return Step.WAIT, stage.last, missing
    is_last = stage.last >= documents.event_of(stage.viewer).planned_rounds
    return (Step.CLOSE_ROUND if is_last else Step.NEXT), stage.last, 0


def _step_in_the_cut(now: CutDocument | None) -> tuple[Step, int, int]:
    ready = [match for match in now.matches if match.ready] if now is not None else []
    if begun := [match for match in ready if not match.waiting]:
        return Step.MATCHES, begun[0].cut_round, len(begun)
    return (Step.CUT_ROUND, ready[0].cut_round, len(ready)) if ready else (Step.FINISH, 0, 0)


# --- the log ----------------------------------------------------------------------------------------------------------


@dataclass(frozen=True)
class Told:
    """A command of the log, as people tell it."""

    sequence: int
    name: str
    actor: str
    player: str
    """The name of the player who gave it; empty for everybody else."""
    at: str
    reason: str
    is_gone: bool
    """It was undone."""
    round: int | None
    table: int | None
    match: str | None
    entries: Sequence[Named]
    """Whom it is about; the two of a match, where it is one."""
    games: Mapping[str, Any] | None
    """As the API has results."""
    minutes: int | None
    undone: int | None
    """The command that an undoing names."""


@dataclass(frozen=True)
class Undoable:
    """What may be undone now."""

    back: Told | None
    """The last command; an undoing takes it back."""
    undoing: int | None
    """The undoing to be named, to have again what it took back."""
    again: Told | None
    """That command."""


KINDS_OF: Final[Mapping[str, Collection[str]]] = {
    "results": ("result.", "claim.", "cut.report", "cut.correct", "round.repair"),
    "rounds": ("round.", "cut.", "registration.", "event."),
    "players": ("entry.", "apart.", "deck.", "pass."),
    "time": ("clock.", "match-clock."),
    "judges": ("penalty.", "call.", "deck-check.", "note.", "judging."),
    "undo": (UNDO,),
}
"""Groups of commands, by the beginnings of their names."""


def log_of(viewer: Viewer, *, before: int, limit: int, group: str = "", actor: str = "") -> tuple[list[Told], int]:
    """The log, the newest first; and what `before` is of the next page, 0 after the last.

    Args:
        viewer: staff.
        before: a sequence; only older ones.
        limit: how many.
        group: one of `KINDS_OF`; empty for all.
        actor: whose commands; empty for everybody's.
    """
    heads = tuple(KINDS_OF.get(group, ()))
    names = [name for name in (*KINDS, UNDO) if name.startswith(heads)] if heads else []
    rows = store.log_backwards(
        viewer.session, viewer.event.id, before=before, limit=limit + 1, names=names, actor=actor
    )
    return told(viewer, rows[:limit]), rows[limit - 1].sequence if len(rows) > limit else 0


def entered(viewer: Viewer) -> list[Told]:
    """What was entered last, the newest first."""
    rows = store.log_backwards(
        viewer.session, viewer.event.id, before=viewer.event.version + 1, limit=ENTERED, names=_RESULTS
    )
    return told(viewer, rows)


def undoable_of(viewer: Viewer, actor: str) -> Undoable:
    """What the reader may take back, or have again."""
    found = undo.undoable(viewer.session, viewer.event, actor)
    return Undoable(
        back=None if found.back is None else told(viewer, [found.back])[0],
        undoing=None if found.undoing is None else found.undoing.sequence,
        again=None if found.again is None else told(viewer, [found.again])[0],
    )


def told(viewer: Viewer, rows: Sequence[LogRow]) -> list[Told]:
    """Rows of the log with the names of those whom they are about."""
    abouts = [_about(json.loads(row.fact)) for row in rows]
    _seat(viewer, abouts)
    actors = [player_in(row.actor) for row in rows]
    wanted = {entry for about in abouts for entry in about["entries"]} | set(actors)
    names = store.names_of(viewer.session, viewer.event.id, wanted)
    undoings = store.facts_named(viewer.session, viewer.event.id, UNDO)
    gone = dead({sequence: json.loads(fact)["sequence"] for sequence, fact in undoings})
    return [
        Told(
            sequence=row.sequence,
            name=row.name,
            actor=row.actor,
            player=names.get(actor or 0, ""),
            at=row.at,
            reason=row.reason,
            is_gone=row.sequence in gone,
            **about | {"entries": [Named(number=one, name=names.get(one, "?")) for one in about["entries"]]},
        )
        for row, about, actor in zip(rows, abouts, actors, strict=True)
    ]


def _about(fact: Mapping[str, Any]) -> dict[str, Any]:
    """What of a fact is worth telling in a line; its entries by their numbers."""
    about = {**fact, **(fact.get("correct") or {})}
    games = about.get("games") if isinstance(about.get("games"), dict) else None
    named = ("first", "second") if games is not None and "match" in about else ("entry", "one", "other")
    entries = [about[name] for name in named if isinstance(about.get(name), int)]
    players = about.get("players")
    if isinstance(players, list):
        entries += [one for one in players if isinstance(one, int)][:_FEW]
    return {
        "round": _number(about, "round"),
        "table": _number(about, "table"),
        "match": about.get("match") if isinstance(about.get("match"), str) else None,
        "entries": entries,
        "games": games,
        "minutes": _number(about, "extra_minutes"),
        "undone": _number(about, "command") if "again" in about else None,
    }


def _number(about: Mapping[str, Any], name: str) -> int | None:
    said = about.get(name)
    return said if isinstance(said, int) else None


def _seat(viewer: Viewer, abouts: Iterable[dict[str, Any]]) -> None:
    """Who sat at the tables whose results are told."""
    at: dict[int, list[dict[str, Any]]] = {}
    for about in abouts:
        if about["games"] is not None and about["round"] is not None and about["table"] is not None:
            at.setdefault(about["round"], []).append(about)
    for number, some in at.items():
        tables = [about["table"] for about in some]
        found = store.look_at_tables(viewer.session, viewer.event.id, number, tables)
        sitting = {seat.table_number: seat.players for seat in found}
        for about in some:
            about["entries"] = list(sitting.get(about["table"], about["entries"]))


# --- what somebody types ----------------------------------------------------------------------------------------------


class Typed(StrEnum):
    """What a line is."""

    NOTHING = "nothing"
    RESULT = "result"
    TABLE = "table"
    """A table or a match alone, to look at."""
    TIME = "time"
    """Minutes, of a table or of everybody."""
    COMMAND = "command"
    UNREAD = "unread"


class Fault(StrEnum):
    """Why a line cannot be sent."""

    NO_ROUND = "no round"
    NO_TABLE = "no table"
    NO_MATCH = "no match"
    UNREADABLE = "unreadable"


COMMANDS: Final = ("n", "d", "t", "p", "c", "u", "l", "?")
"""Words of one letter that lead somewhere: next step, draft, tables, players, cut, undo, log, help."""


@dataclass(frozen=True)
class Slip:
    """What somebody typed into the line of the control room, and what it means."""

    typed: Typed
    word: str = ""
    """The command, or what of a result was typed."""
    table: Table | None = None
    match: CutMatch | None = None
    names: Sequence[str] = ()
    """Of the two of a match."""
    said: Games | TablePlaces | None = None
    known: Games | TablePlaces | None = None
    """What it has already."""
    minutes: int = 0
    names_round: bool = False
    """The table is one of a round that was named."""
    fault: Fault | None = None

    @property
    def is_other(self) -> bool:
        """It says something else than what is known."""
        return self.known is not None and self.said is not None and self.said != self.known


def read_slip(viewer: Viewer, line: str) -> Slip:
    """What a line means: `7 2`, `r1 7 2` of an earlier round, `M1.1 2`, `7`, `+5`, `7 +5`, or a command."""
    words = line.split()
    if not words:
        return Slip(Typed.NOTHING)
    head, rest = words[0], words[1:]
    if not rest and (found := _slip_of_a_word(head)) is not None:
        return found
    if _ROUND.fullmatch(head) and rest and _is_table(rest[0]):
        return _slip_of_table(viewer, int(rest[0]), rest[1:], int(head[1:]))
    if _is_table(head):
        return _slip_of_table(viewer, int(head), rest)
    if _PLACE.fullmatch(head):
        return _slip_of_match(viewer, head.upper(), rest)
    return Slip(Typed.UNREAD, fault=Fault.UNREADABLE)


def _slip_of_a_word(word: str) -> Slip | None:
    if word.lower() in COMMANDS:
        return Slip(Typed.COMMAND, word.lower())
    return Slip(Typed.TIME, minutes=int(word)) if _MINUTES.fullmatch(word) else None


def _is_table(word: str) -> bool:
    return word.isascii() and word.isdigit() and len(word) <= MOST_DIGITS


def _slip_of_table(viewer: Viewer, number: int, rest: Sequence[str], in_round: int | None = None) -> Slip:
    last = store.last_published(viewer.session, viewer.event.id)
    if not last or (viewer.event.phase == Phase.CUT and in_round is None):
        return Slip(Typed.UNREAD, fault=Fault.NO_MATCH if last else Fault.NO_ROUND)
    try:
        table = table_of(viewer, in_round or last, number)
    except RoundNotFound:
        return Slip(Typed.UNREAD, fault=Fault.NO_ROUND)
    except TableNotFound:
        return Slip(Typed.UNREAD, word=str(number), fault=Fault.NO_TABLE)
    if not rest:
        return Slip(Typed.TABLE, table=table, known=table.result, names_round=in_round is not None)
    if len(rest) == 1 and _MINUTES.fullmatch(rest[0]):
        return Slip(Typed.TIME, table=table, minutes=int(rest[0]))
    said = result_said(viewer, table, " ".join(rest))
    fault = Fault.UNREADABLE if said is None else None
    return Slip(
        Typed.RESULT,
        word=" ".join(rest),
        table=table,
        said=said,
        known=table.result,
        names_round=in_round is not None,
        fault=fault,
    )


def _slip_of_match(viewer: Viewer, name: str, rest: Sequence[str]) -> Slip:
    found = documents.cut_of(viewer) if documents.has_cut(viewer) else None
    wanted = name if name[0].isalpha() or name == "3RD" else f"M{name}"
    match = next((one for one in found.matches if one.match == wanted), None) if found is not None else None
    if match is None or match.first.player is None or match.second.player is None or found is None:
        return Slip(Typed.UNREAD, word=wanted, fault=Fault.NO_MATCH)
    players = (match.first.player, match.second.player)
    called = store.names_of(viewer.session, viewer.event.id, players)
    names = [called[player] for player in players]
    known = match.outcome.result if match.outcome else None
    if not rest:
        return Slip(Typed.TABLE, match=match, names=names, known=known)
    result = read_result(rest, found.best_of)
    said = None if result is None else results.games_of(result)
    fault = Fault.UNREADABLE if said is None else None
    return Slip(Typed.RESULT, word=" ".join(rest), match=match, names=names, said=said, known=known, fault=fault)


def result_said(viewer: Viewer, table: Table, words: str) -> Games | TablePlaces | None:
    """A result of a table, as somebody wrote it in short; None if it is none."""
    if len(table.players) > 2:  # noqa: PLR2004 - a table of several
        placed = read_places(words.split(), [player.number for player in table.players])
        return None if placed is None else TablePlaces(places=placed[0], ending=placed[1])
    result = read_result(words.split(), viewer.event.best_of)
    return None if result is None else results.games_of(result)


def legend_of(viewer: Viewer, best_of: int | None = None) -> list[tuple[str, Games]]:
    """What each digit means in this event, in order; draws that it does not have are left out."""
    rule = DrawRule(viewer.event.draw_rule)
    return [
        (digit, results.games_of(result))
        for digit, result in digits(best_of or viewer.event.best_of).items()
        if forbidden_draw(rule, result) is None
    ]


# --- a wrong result ---------------------------------------------------------------------------------------------------


@dataclass(frozen=True)
class Ways:
    """Ways to go on, with the names of those whom they move."""

    found: WaysOn
    names: Mapping[int, str]


def ways_of(viewer: Viewer, mistake: repairs.Mistake) -> Ways | None:
    """The ways to go on after a mistake; None where no table can change, so that it is only corrected.

    Raises:
        TournamentError: there is no such mistake to be mended.
    """
    try:
        found = WaysOn.of(repairs.situation(viewer.session, viewer.event, mistake))
    except PodsNotMended:
        if mistake.correct is None:
            raise
        return None
    if not found.options:
        return None
    seats = [seat for way in found.options for seat in (*way.removed, *way.added)]
    players = {player for seat in seats for player in (seat.first, seat.second, *seat.others)}
    return Ways(found, store.names_of(viewer.session, viewer.event.id, players))


# --- a draft ----------------------------------------------------------------------------------------------------------


@dataclass(frozen=True)
class Chair:
    """Somebody in a draft."""

    number: int
    name: str
    points: int
    """Match points before the round."""
    fixed_table: int | None


@dataclass(frozen=True)
class Drafted:
    """A table of a draft, or a bye, and what is particular about it."""

    table: int | None
    chairs: Sequence[Chair]
    bye: str | None
    met_in: int | None
    """An earlier round in which two of them met."""
    is_apart: bool
    """Two of them are to be kept apart."""

    @property
    def is_float(self) -> bool:
        """They have different points."""
        return len({chair.points for chair in self.chairs}) > 1


def drafted_of(viewer: Viewer, number: int) -> list[Drafted]:
    """The tables of a draft in order, then the byes. Raises: RoundNotFound."""
    session, event = viewer.session, viewer.event
    rounds.load(session, event.id, number)
    seats = store.seats_of(session, event.id, number)
    seats = sorted(seats, key=lambda seat: (seat.table_number is None, seat.table_number or 0, seat.place))
    entries = {row.number: row for row in store.entries_of(session, event.id)}
    _, lines = standings.after(session, event)
    points = {int(line.player): line.match_points for line in lines}
    met = _met(viewer, number)
    apart = {(row.one, row.other) for row in store.apart_rows(session, event.id)}

    def chair(player: int) -> Chair:
        return Chair(player, entries[player].name, points.get(player, 0), entries[player].fixed_table)

    found = []
    for seat in seats:
        pairs = [tuple(sorted(pair)) for pair in combinations(seat.players, 2)]
        found.append(
            Drafted(
                table=seat.table_number,
                chairs=[chair(player) for player in seat.players],
                bye=seat.bye,
                met_in=next((met[pair] for pair in pairs if pair in met), None),
                is_apart=any(pair in apart for pair in pairs),
            )
        )
    return found


def _met(viewer: Viewer, number: int) -> dict[tuple[int, ...], int]:
    """Who has met whom before a round, and in which round last."""
    met: dict[tuple[int, ...], int] = {}
    for played in store.rounds_of(viewer.session, viewer.event.id):
        for seat in played.seats if played.number < number else ():
            if not isinstance(seat, Bye):
                met |= {tuple(sorted(map(int, two))): played.number for two in combinations(players_at(seat), 2)}
    return met


@dataclass(frozen=True)
class Foreseen:
    """What a change of tables by hand would come to."""

    found: swaps.Swapped
    names: Mapping[int, str]


def foreseen_of(viewer: Viewer, asked: swaps.Swap) -> Foreseen:
    """The tables before and after a change by hand, and what gets worse. Raises: as `swaps.foreseen`."""
    found = swaps.foreseen(viewer.session, viewer.event, asked)
    players = {player for seat in (*found.removed, *found.added) for player in (seat.first, seat.second, *seat.others)}
    return Foreseen(found, store.names_of(viewer.session, viewer.event.id, players))


# --- the cut ----------------------------------------------------------------------------------------------------------


def seeds_of(viewer: Viewer, asked: cut.Choice) -> Seeds:
    """Who would be in the cut. Raises: CutImpossible, PodsWithoutCut."""
    return Seeds.of(cut.seeds_of(viewer.session, viewer.event, asked))


def correction_of(viewer: Viewer, asked: cut.Report) -> cut.Seen:
    """What correcting a match does to others. Raises: as `cut.correction_of`."""
    return cut.seen_of(cut.correction_of(viewer.session, viewer.event, asked))


def taking_back_of(viewer: Viewer, line: int) -> cut.Seen:
    """What taking a line of the bracket back does to matches. Raises: CutNotFound, NothingToUndo."""
    return cut.seen_of(cut.without_line(viewer.session, viewer.event, line))


def apart_of(viewer: Viewer) -> list[tuple[Named, Named]]:
    """Who is kept apart from whom."""
    rows = store.apart_rows(viewer.session, viewer.event.id)
    names = store.names_of(viewer.session, viewer.event.id, (n for row in rows for n in (row.one, row.other)))
    return [
        (Named(number=row.one, name=names[row.one]), Named(number=row.other, name=names[row.other])) for row in rows
    ]
