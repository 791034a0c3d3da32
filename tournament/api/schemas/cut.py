"""Documents of the cut."""

import json
from collections.abc import Collection, Mapping, Sequence

from pydantic import Field

from tournament import store
from tournament.api.schemas.document import Document
from tournament.api.schemas.rounds import Clock
from tournament.domain.bracket import (
    Bracket,
    Empty,
    Match,
    Occupant,
    Outcome,
    Place,
    Reported,
    finished,
    is_ready,
    matches,
    places,
    winner,
)
from tournament.domain.bracket_plan import LoserOf, MatchId, Source, WinnerOf, cut_rounds, feeds
from tournament.domain.bracket_text import round_name
from tournament.domain.cut import Cut
from tournament.domain.model import PlayerId
from tournament.service import clock, cut, match_clocks
from tournament.service.results import Games, games_of
from tournament.tables import BracketLineRow, BracketRow, CutRoundRow, MatchClockRow


class SeedLine(Document):
    """A place of the cut."""

    seed: int
    player: int


class Seeds(Document):
    """Who would be in the cut."""

    seeds: list[SeedLine]
    ties: list[cut.Tied] = Field(description="what the draw decided; read it aloud")

    @classmethod
    def of(cls, made: Cut) -> "Seeds":
        """The seeds, best first."""
        return cls(seeds=_seeds(made.seeds), ties=cut.ties_of(made))


class CutSeat(Document):
    """A side of a match: a player, or where one comes from, or nobody ever."""

    player: int | None = None
    seed: int | None = None
    winner_of: str | None = None
    loser_of: str | None = None


class CutOutcome(Document):
    """How a match of the cut ended."""

    how: str = Field(examples=["played", "walkover", "bye"])
    winner: int | None
    out: list[int] = Field(description="players who play no more in the cut")
    result: Games | None


class CutMatch(Document):
    """A match of the cut."""

    match: str = Field(examples=["M1.2"])
    part: str = Field(examples=["main bracket"])
    round: str = Field(description="what people call it", examples=["quarterfinals"])
    cut_round: int = Field(description="the round of the cut, from 1; matches of one can be played at the same time")
    first: CutSeat
    second: CutSeat
    ready: bool = Field(description="both players are known, and it has no result")
    waiting: bool = Field(description="it is ready, and its round has not begun: cards are looked at first")
    clock: Clock | None = Field(description="null for a match without one")
    extra_minutes: int = Field(description="of this match, after the end of its clock")
    ends_at: str | None = Field(description="when time is called, with the extra minutes; null while no clock runs")
    outcome: CutOutcome | None
    winner_to: str | None = Field(description="the match that the winner goes to, as laid out at the start")
    loser_to: str | None


class CutLine(Document):
    """Something that happened in the cut."""

    line: int
    sequence: int
    at: str
    match: str | None
    games: Games | None
    players: list[int]
    why: str | None = Field(description="dropped or disqualified")
    redrawn: int | None = Field(description="a main round that was drawn anew")


class CutRoundLine(Document):
    """A later round of the cut that was begun, where players prove their cards."""

    round: int = Field(description="of the cut, from 2")
    epoch: int | None = Field(description="that opened it")


class PlaceLine(Document):
    """A final place, or a range that several share."""

    first: int
    last: int
    players: list[int]


class CutDocument(Document):
    """The cut as it stands."""

    form: str
    draws: str
    double_losses: str
    best_of: int
    started_at: str
    epoch: int | None = Field(description="that opened it, where the event asks for ownership")
    finished: bool
    winner: int | None
    seeds: list[SeedLine]
    ties: list[cut.Tied]
    matches: list[CutMatch]
    rounds: list[CutRoundLine] = Field(description="that were begun after an epoch; the first begins with the cut")
    lines: list[CutLine]
    places: list[PlaceLine] = Field(description="those that are certain")

    @classmethod
    def of(  # noqa: PLR0913 - a cut is kept in so many tables
        cls,
        row: BracketRow,
        bracket: Bracket,
        lines: Sequence[BracketLineRow],
        clocks: Sequence[MatchClockRow] = (),
        *,
        rounds: Sequence[CutRoundRow] = (),
        waiting: Collection[MatchId] = (),
    ) -> "CutDocument":
        """The cut; players by their numbers."""
        by_match = {clock.match_id: clock for clock in clocks}
        champion = winner(bracket)
        seed_of = {player: seed for seed, player in enumerate(bracket.seeds, start=1)}
        return cls(
            finished=finished(bracket),
            winner=None if champion is None else int(champion),
            seeds=_seeds(bracket.seeds),
            ties=[cut.Tied(**tie) for tie in json.loads(row.ties)],
            matches=[
                _cut_match(bracket, seed_of, match, by_match, is_waiting=match.id in waiting)
                for match in matches(bracket)
            ],
            rounds=[CutRoundLine(round=one.round, epoch=one.epoch) for one in rounds],
            lines=list(map(_cut_line, lines)),
            places=_places(places(bracket)),
            **row.model_dump(exclude={"event_id", "ties"}),
        )


class Places(Document):
    """Where everybody ends."""

    complete: bool = Field(description="false: matches of the cut are to come, or the event has not ended")
    places: list[PlaceLine] = Field(description="those that are certain")

    @classmethod
    def of(cls, found: Sequence[Place], *, complete: bool) -> "Places":
        """The places; players by their numbers."""
        return cls(complete=complete, places=_places(found))


def _seeds(players: Sequence[PlayerId]) -> list[SeedLine]:
    return [SeedLine(seed=seed, player=int(player)) for seed, player in enumerate(players, start=1)]


def _places(found: Sequence[Place]) -> list[PlaceLine]:
    return [PlaceLine(first=place.first, last=place.last, players=list(map(int, place.players))) for place in found]


def _cut_match(
    bracket: Bracket,
    seed_of: Mapping[PlayerId, int],
    match: Match,
    clocks: Mapping[str, MatchClockRow],
    *,
    is_waiting: bool,
) -> CutMatch:
    timed = match_clocks.clock_of(clocks, match)
    first, second = (
        _cut_seat(seed_of, seat, source)
        for seat, source in zip(match.seats, (match.plan.first, match.plan.second), strict=True)
    )
    ended = match.outcome
    goes = feeds(bracket.form, len(bracket.seeds))
    return CutMatch(
        match=match.id,
        part=match.plan.part,
        round=round_name(bracket, match.plan),
        cut_round=cut_rounds(bracket.form, len(bracket.seeds))[match.id],
        first=first,
        second=second,
        ready=is_ready(match),
        waiting=is_waiting,
        clock=None if timed is None else Clock.of(timed),
        extra_minutes=0 if timed is None else timed.extra_minutes,
        ends_at=None if timed is None else clock.ends_at(timed, timed.extra_minutes),
        outcome=None if ended is None else _cut_outcome(ended),
        winner_to=goes.get(WinnerOf(match.id)),
        loser_to=goes.get(LoserOf(match.id)),
    )


def _cut_outcome(ended: Outcome) -> CutOutcome:
    return CutOutcome(
        how=ended.how,
        winner=None if ended.winner is None else int(ended.winner),
        out=list(map(int, ended.out)),
        result=None if ended.result is None else games_of(ended.result),
    )


def _cut_seat(seed_of: Mapping[PlayerId, int], seat: Occupant, source: Source) -> CutSeat:
    if not isinstance(seat, Empty):
        return CutSeat(player=int(seat), seed=seed_of[seat])
    if seat is Empty.OPEN and isinstance(source, WinnerOf):
        return CutSeat(winner_of=source.match)
    if seat is Empty.OPEN and isinstance(source, LoserOf):
        return CutSeat(loser_of=source.match)
    return CutSeat()


def _cut_line(row: BracketLineRow) -> CutLine:
    said = store.line_from(row)
    is_result = isinstance(said, Reported)
    players = [row.first or 0, row.second or 0] if is_result else json.loads(row.gone or "[]")
    return CutLine(
        line=row.line,
        sequence=row.sequence,
        at=row.at,
        match=row.match_id,
        games=games_of(said.result) if isinstance(said, Reported) else None,
        players=players,
        why=row.why,
        redrawn=row.redrawn,
    )
