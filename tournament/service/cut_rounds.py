"""Rounds of the cut, where players prove their cards: each one is opened by an epoch, as a Swiss round is.

The first begins with the cut (`cut.start`), each later one by a command of its own, for everybody who is still in. A
match is reported once its round was begun with both of its players; where a correction brings somebody back, the round
is begun again, with whoever is new. Where no ownership is asked, matches begin as soon as their players are known.
"""

from collections.abc import Collection, Mapping
from typing import Final

from pydantic import Field
from sqlmodel import Session

from tournament import store
from tournament.domain import bracket as rules
from tournament.domain.bracket import Bracket, Empty, Match
from tournament.domain.bracket_plan import MatchId, cut_rounds
from tournament.domain.lifecycle import Action
from tournament.domain.roles import SCOREKEEPERS
from tournament.errors import CutRoundNotBegun, CutRoundRefused, OwnershipNotAsked
from tournament.service import brackets, ownership
from tournament.service.commands import Already, Arguments, Fact, Kind, Scene
from tournament.tables import CutRoundPlayerRow, CutRoundRow, EventRow, LogRow


class BeginCutRound(Arguments):
    """Begin the next round of the cut."""

    unproven: bool = Field(
        default=False,
        description="begin although cards are not proven, for a reason; the event is never sanctioned then",
    )


class CutRoundBegun(Fact):
    """The round that begins, and with whom."""

    round: int = Field(description="of the cut, from 2")
    players: list[int] = Field(description="everybody who is still in, best seed first")
    epoch: int | None = Field(default=None, description="that opens it")
    unproven: list[int] = Field(default=[], description="players who begin although nobody knows of their cards")


# --- which round comes next -------------------------------------------------------------------------------------------


def of_match(bracket: Bracket, match: MatchId) -> int:
    """The round of the cut in which a match of the bracket is played, from 1."""
    return cut_rounds(bracket.form, len(bracket.seeds))[match]


def to_play(bracket: Bracket) -> Mapping[int, tuple[Match, ...]]:
    """The matches without an outcome, by the round of the cut, the next one first."""
    rounds = cut_rounds(bracket.form, len(bracket.seeds))
    found: dict[int, tuple[Match, ...]] = {}
    for match in sorted(rules.matches(bracket), key=lambda match: rounds[match.id]):
        if match.outcome is None:
            found[rounds[match.id]] = (*found.get(rounds[match.id], ()), match)
    return found


def begun_with(session: Session, event: str, bracket: Bracket) -> Mapping[int, frozenset[int]]:
    """With whom each round of the cut was begun, the first one with the seeds."""
    seeds = frozenset(int(player) for player in bracket.seeds)
    return {1: seeds, **store.cut_round_players(session, [event]).get(event, {})}


def next_epoch(session: Session, event: EventRow) -> tuple[int | None, int]:
    """Of a cut that is played: the round that the next epoch opens, and the epoch of the round before it.

    The round is None where every one was begun: the epoch is another look at the last.
    """
    bracket = brackets.load(session, event.id)
    begun = begun_with(session, event.id, bracket)
    coming = next((number for number in to_play(bracket) if number not in begun), None)
    return coming, epoch_before(session, event.id, max(begun) + 1 if coming is None else coming)


def epoch_before(session: Session, event: str, number: int) -> int:
    """The epoch that opened what was begun before a round of the cut; the epoch of that round is a newer one."""
    row = store.find_bracket(session, event)
    earlier = [one.epoch for one in store.cut_rounds_of(session, event) if one.round < number]
    return max((epoch or 0 for epoch in (row.epoch if row else 0, *earlier)), default=0)


def waiting(session: Session, event: EventRow, bracket: Bracket) -> frozenset[MatchId]:
    """Matches whose players are known, and whose round was not begun with both of them."""
    if not ownership.is_required(event):
        return frozenset()
    begun = begun_with(session, event.id, bracket)
    return frozenset(
        match.id
        for match in rules.ready(bracket)
        if not players_in([match]) <= begun.get(of_match(bracket, match.id), frozenset())
    )


def players_in(found: Collection[Match]) -> frozenset[int]:
    """Who sits in these matches."""
    return frozenset(int(seat) for match in found for seat in match.seats if not isinstance(seat, Empty))


def check_begun(session: Session, event: EventRow, bracket: Bracket, match: MatchId) -> None:
    """Refuse the result of a match that was not begun. Raises: CutRoundNotBegun."""
    if match in waiting(session, event, bracket):
        raise CutRoundNotBegun(match, of_match(bracket, match))


# --- the command ------------------------------------------------------------------------------------------------------


def due(session: Session, event: EventRow) -> tuple[int, list[int]]:
    """The round that would be begun now, and everybody who is still in, best seed first.

    Raises:
        OwnershipNotAsked: no epoch opens anything, so there is nothing to begin.
        CutNotFound: there is no cut.
        CutRoundRefused: matches of the round before are still played, or the cut is over.
    """
    if not ownership.is_required(event):
        raise OwnershipNotAsked(event.id)
    bracket = brackets.load(session, event.id)
    begun = begun_with(session, event.id, bracket)
    open_ = to_play(bracket)
    if not open_:
        raise CutRoundRefused(None, [])
    number, playing = next(iter(open_.items()))
    if players_in([match for match in playing if rules.is_ready(match)]) <= begun.get(number, frozenset()):
        later = next((one for one in open_ if one > number), None)
        raise CutRoundRefused(later, [match.id for match in playing])
    return number, [int(player) for player in rules.staying(bracket)]


def _decide_begin(scene: Scene, asked: BeginCutRound) -> CutRoundBegun | Already:
    session, event = scene.session, scene.event
    number, players = due(session, event)
    opened = ownership.opened(
        session,
        event,
        store.last_published(session, event.id) + 1,
        players,
        even_so=asked.unproven and bool(asked.reason),
        cut_round=number,
        after=epoch_before(session, event.id, number),
    )
    return CutRoundBegun(round=number, players=players, **opened)


def _apply_begin(session: Session, event: EventRow, _: LogRow, fact: CutRoundBegun) -> None:
    store.save_cut_round(
        session,
        CutRoundRow(event_id=event.id, round=fact.round, epoch=fact.epoch),
        [CutRoundPlayerRow(event_id=event.id, round=fact.round, entry=entry) for entry in fact.players],
    )
    ownership.begin_unproven(session, event.id, fact.epoch, fact.unproven)


BEGIN: Final = Kind(
    name="cut.begin-round",
    arguments=BeginCutRound,
    fact=CutRoundBegun,
    roles=SCOREKEEPERS,
    actions=(Action.BEGIN_CUT_ROUND,),
    decide=_decide_begin,
    apply=_apply_begin,
)
KINDS: Final = (BEGIN,)
