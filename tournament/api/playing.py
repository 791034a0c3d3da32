"""What a player sees of the own event while it is played: the table, the match of the cut, what was played before."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from enum import StrEnum
from typing import TypeVar

from tournament import store
from tournament.api import documents
from tournament.api.answers import Kept, Viewer, key_of_visitors
from tournament.api.documents import Played
from tournament.api.schemas import (
    CutDocument,
    CutMatch,
    Entry,
    MyGames,
    MyTable,
    Penalties,
    PenaltyLine,
    PlaceLine,
    Places,
    StandingLine,
    Standings,
)
from tournament.api.schemas.document import Document
from tournament.domain.announcement import DrawRule
from tournament.domain.lifecycle import Phase
from tournament.domain.model import Result, place_by_player
from tournament.domain.results import MatchFormat, Outcome, decided_scores, drawn_scores, outcome
from tournament.domain.standings import rank
from tournament.errors import NotYours
from tournament.service import claims, clock, entries
from tournament.service.claims import ClaimState
from tournament.service.events import preset_of
from tournament.service.results import TablePlaces

D = TypeVar("D", bound=Document)
MOST_PENALTIES = 500


class Stage(StrEnum):
    """Where a player is in the event right now."""

    BEFORE = "before"
    """No round is published."""
    PLAYING = "playing"
    """At a table of the round that is played, without a result."""
    REPORTED = "reported"
    """The table has its result, and the round goes on."""
    BYE = "bye"
    ABSENT = "absent"
    """Not in the round that is played."""
    BETWEEN = "between"
    """The latest round is closed."""
    MATCH = "match"
    """A match of the cut can be played."""
    WAITING = "waiting"
    """Still in the cut; the next match waits for somebody."""
    OUTSIDE = "outside"
    """The cut is played by others."""
    FINISHED = "finished"
    VOID = "void"


@dataclass(frozen=True)
class Score:
    """A result as a player picks it, from the own side."""

    mine: int
    theirs: int
    drawn: int = 0


@dataclass(frozen=True)
class Choices:
    """The results of a match that are usual, as far as the event has them."""

    won: tuple[Score, ...]
    lost: tuple[Score, ...]
    drawn: tuple[Score, ...]
    may_agree: bool
    """Whether players may agree on a draw."""


@dataclass(frozen=True)
class Day:
    """Where a player is, and whatever can be said of it."""

    stage: Stage
    entry: Entry
    table: MyTable
    ends_at: str | None
    """When time is called at the own table or match, extra minutes included; None while no clock runs."""
    match: CutMatch | None
    """Of the cut: the next one of the player."""
    cut: CutDocument | None
    names: Mapping[int, str]
    """Of everybody who is named."""
    last: Played | None
    """The latest closed round, as the player played it."""
    choices: Choices

    @property
    def is_away(self) -> bool:
        """Whether the player has left, or was put out."""
        return self.entry.dropped_after is not None or self.entry.disqualified

    @property
    def company(self) -> tuple[int, ...]:
        """The player and everybody at the same table or match: whom news have to be about to matter here."""
        seats = () if self.match is None else (self.match.first.player, self.match.second.player)
        others = [one.number for one in self.table.opponents]
        return tuple(dict.fromkeys((self.entry.number, *others, *(seat for seat in seats if seat is not None))))

    @property
    def was_decided(self) -> bool:
        """Whether the result of the table is another one than players said, so that staff decided it."""
        said = [self.table.my_claim, *self.table.others_claims]
        return self.table.result is not None and any(one is not None and one.games != self.table.result for one in said)


@dataclass(frozen=True)
class Line:
    """A place of a table of several, and who has it."""

    place: int
    players: tuple[int, ...]


def placing_of(said: TablePlaces) -> list[Line]:
    """The places as they are counted: who shares one takes up the next ones."""
    places = place_by_player(said.places)
    return [Line(places[group[0]], group) for group in said.places if group]


def outcome_of(games: MyGames) -> str:
    """How games count for whose they are: won, lost, drawn, or nobody's."""
    found = outcome(Result(games.mine, games.theirs, games.drawn, games.ending))
    return {Outcome.FIRST: "won", Outcome.SECOND: "lost", Outcome.DRAW: "drawn"}.get(found, "nobody's")


def player_of(viewer: Viewer) -> int:
    """The entry that reads. Raises: NotYours: it is no player of the event."""
    if viewer.player is None:
        raise NotYours("reading one's own table", ["player"])
    return viewer.player


def table_of(viewer: Viewer) -> MyTable:
    """The player's table in the latest round, and what is said of it. Raises: NotYours."""
    player = player_of(viewer)
    return MyTable.of(claims.my_table(viewer.session, viewer.event.id, player), viewer.event, player)


def day_of(viewer: Viewer) -> Day:
    """Where the player is right now. Raises: NotYours."""
    player = player_of(viewer)
    session, event = viewer.session, viewer.event
    table = table_of(viewer)
    entry = Entry.of(entries.load(session, event.id, player), store.find_deck(session, event.id, player))
    cut = documents.cut_of(viewer) if event.phase == Phase.CUT else None
    match = None if cut is None else _own_match(cut, player)
    stage = _stage(Phase(event.phase), table, cut, match)
    is_closed = table.closed_at is not None
    last = documents.played_in(viewer, player, table.round) if table.round is not None and is_closed else None
    seats = () if match is None else (match.first.player, match.second.player)
    named = [*(() if last is None else last.opponents), *(seat for seat in seats if seat is not None)]
    return Day(
        stage=stage,
        entry=entry,
        table=table,
        ends_at=_ends_at(viewer, table, match),
        match=match,
        cut=cut,
        names=store.names_of(session, event.id, [*named, *(one.number for one in table.opponents), player]),
        last=last,
        choices=_choices(MatchFormat(event.best_of), DrawRule(event.draw_rule)),
    )


def stands_in(viewer: Viewer, number: int) -> Played | None:
    """What the player's table of a published round came to; None where there is none. Raises: NotYours."""
    player = player_of(viewer)
    newest = store.last_published(viewer.session, viewer.event.id)
    return documents.played_in(viewer, player, number) if 1 <= number <= newest else None


def penalties_of(viewer: Viewer) -> Penalties:
    """What the player was given. Raises: NotYours."""
    player = player_of(viewer)
    rows = store.penalty_page(viewer.session, viewer.event.id, entry=player, after=0, limit=MOST_PENALTIES)
    names = store.names_of(viewer.session, viewer.event.id, [player])
    return Penalties(penalties=[PenaltyLine.of(row, names, own=True, staff=False) for row in rows], next=None)


@dataclass(frozen=True)
class Past:
    """A round of a player, and where it left the player."""

    played: Played
    line: StandingLine | None
    """None while the round is played, and for who is in no standings."""


def history_of(viewer: Viewer) -> tuple[list[Past], Mapping[int, str]]:
    """The player's rounds in order, and the names of everybody met. Raises: NotYours."""
    player = player_of(viewer)
    session, event = viewer.session, viewer.event
    rows = store.round_rows(session, event.id)
    published = [row.number for row in rows if row.published_at is not None]
    closed = {row.number for row in rows if row.closed_at is not None}
    rounds = store.rounds_of(session, event.id)
    players = store.players_of(session, event.id)
    found = documents.played_by(viewer, player, upto=max(published, default=0))
    lines = {}
    for number in closed:
        ranked = rank(players, tuple(one for one in rounds if one.number <= number), preset_of(event))
        lines[number] = next((StandingLine.of(line) for line in ranked if int(line.player) == player), None)
    names = store.names_of(session, event.id, [other for one in found for other in one.opponents])
    return [Past(one, lines.get(one.round)) for one in found], names


def standing_of(viewer: Viewer, kept: Kept) -> tuple[int, StandingLine | None]:
    """The round of the newest standings and the player's line; computed once for everybody who asks."""
    player = player_of(viewer)
    table = _shared(viewer, kept, Standings, lambda: documents.standings_of(viewer))
    return table.after, next((line for line in table.standings if line.player == player), None)


def place_of(viewer: Viewer, kept: Kept) -> PlaceLine | None:
    """Where the player ends; None while that is open. Computed once for everybody who asks."""
    player = player_of(viewer)
    found = _shared(viewer, kept, Places, lambda: documents.places_of(viewer))
    return next((place for place in found.places if player in place.players), None)


def _shared(viewer: Viewer, kept: Kept, document: type[D], make: Callable[[], D]) -> D:
    """A document of everybody's that is made once for a version: thousands ask for it at the same time."""
    key = key_of_visitors(viewer.event.id, viewer.event.version, f"(shared) {document.__name__}")
    known = kept.get(key)
    if known is not None:
        return document.model_validate_json(known)
    made = make()
    kept.put(key, made.model_dump_json().encode())
    return made


def _stage(phase: Phase, table: MyTable, cut: CutDocument | None, match: CutMatch | None) -> Stage:
    if phase in _ENDS:
        return _ENDS[phase]
    return _in_rounds(table) if cut is None else _in_cut(match)


def _in_cut(match: CutMatch | None) -> Stage:
    if match is None:
        return Stage.OUTSIDE
    return Stage.MATCH if match.ready and not match.waiting else Stage.WAITING


def _in_rounds(table: MyTable) -> Stage:
    if table.round is None:
        return Stage.BEFORE
    if table.closed_at is not None:
        return Stage.BETWEEN
    if table.table is None:
        return Stage.ABSENT if table.bye is None else Stage.BYE
    return Stage.REPORTED if table.state is ClaimState.SETTLED else Stage.PLAYING


_ENDS: Mapping[Phase, Stage] = {Phase.FINISHED: Stage.FINISHED, Phase.VOID: Stage.VOID}


def _own_match(cut: CutDocument, player: int) -> CutMatch | None:
    mine = [match for match in cut.matches if player in {match.first.player, match.second.player}]
    return next((match for match in mine if match.outcome is None), None)


def _ends_at(viewer: Viewer, table: MyTable, match: CutMatch | None) -> str | None:
    if match is not None:
        return match.ends_at
    current = None if table.round is None else store.find_round(viewer.session, viewer.event.id, table.round)
    return None if current is None else clock.ends_at(current, table.extra_minutes)


def _choices(match_format: MatchFormat, rule: DrawRule) -> Choices:
    scores = decided_scores(match_format)
    return Choices(
        won=tuple(Score(first, second) for first, second in scores if first > second),
        lost=tuple(Score(first, second) for first, second in scores if first < second),
        drawn=() if rule is DrawRule.NONE else tuple(Score(*games) for games in drawn_scores(match_format)),
        may_agree=rule is DrawRule.ANY,
    )
