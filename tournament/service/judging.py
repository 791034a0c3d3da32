"""Judging: how an event is judged, and everything that waits for a judge, in one look."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Final

from pydantic import Field
from sqlmodel import Session

from tournament import store
from tournament.domain.roles import ORGANIZERS
from tournament.service import claims
from tournament.service.claims import ClaimState, TableClaims
from tournament.service.commands import Arguments, Fact, Kind, Scene
from tournament.tables import CallRow, DeckCheckRow, EventRow, LogRow, PenaltyRow


class SetJudging(Arguments):
    """How the event is judged; what is not named stays."""

    player_reports: bool | None = Field(default=None, description="whether players report their own results")
    penalties_public: bool | None = Field(
        default=None, description="whether everybody sees who got which penalty for what, without the judge's words"
    )


class JudgingSet(Fact):
    """How the event is judged now."""

    player_reports: bool
    penalties_public: bool


def _decide_set(scene: Scene, asked: SetJudging) -> JudgingSet:
    reports, public = asked.player_reports, asked.penalties_public
    return JudgingSet(
        player_reports=scene.event.player_reports if reports is None else reports,
        penalties_public=scene.event.penalties_public if public is None else public,
    )


def _apply_set(_: Session, event: EventRow, __: LogRow, fact: JudgingSet) -> None:
    event.player_reports, event.penalties_public = fact.player_reports, fact.penalties_public


SET: Final = Kind(
    name="judging.set",
    arguments=SetJudging,
    fact=JudgingSet,
    roles=ORGANIZERS,
    decide=_decide_set,
    apply=_apply_set,
)
KINDS: Final = (SET,)


@dataclass(frozen=True, slots=True)
class Overview:
    """What judges look at during a round."""

    round: int
    """The latest published one; 0 before the first."""
    disagreements: Sequence[TableClaims]
    one_sided: int
    """Tables where one player's claim waits for the other's."""
    calls: Sequence[CallRow]
    """Open ones: those that nobody took first."""
    deck_checks: Sequence[DeckCheckRow]
    """Not finished, of whatever round."""
    penalties: Sequence[PenaltyRow]
    """Of this round, withdrawn ones too."""
    names: Mapping[int, str]


def overview(session: Session, event: EventRow) -> Overview:
    """Everything that waits for a judge, in six questions however large the event is."""
    number = store.last_published(session, event.id)
    tables = claims.open_in(session, event.id, number)
    disputed = [table for table in tables if table.state is ClaimState.DISAGREEMENT]
    calls = store.open_calls(session, event.id)
    checks = store.open_deck_checks(session, event.id)
    penalties = store.penalties_of(session, event.id, number=number)
    named = [
        *(player for table in disputed for player in table.seat.players),
        *(call.entry for call in calls),
        *(player for check in checks for player in check.players),
        *(penalty.entry for penalty in penalties),
    ]
    return Overview(
        round=number,
        disagreements=disputed,
        one_sided=sum(table.state is ClaimState.ONE_SIDED for table in tables),
        calls=calls,
        deck_checks=checks,
        penalties=penalties,
        names=store.names_of(session, event.id, named),
    )
