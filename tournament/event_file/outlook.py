"""Who is in: what the cut hangs on, and what a player still needs for it."""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from random import Random

from tournament.domain.chances import Chance, simulate
from tournament.domain.clinch import Needs, needs_in_last_round
from tournament.domain.cut import SMALLEST_CUT, recommended
from tournament.domain.errors import CutImpossible
from tournament.domain.forecast import robin_rounds
from tournament.domain.model import Mode, Player, PlayerId, Round
from tournament.domain.pairing import pair_round
from tournament.domain.pool import gather
from tournament.domain.presets import preset_named
from tournament.domain.sensitivity import Sensitivity, cut_sensitivity
from tournament.domain.standings import match_points_of, still_in
from tournament.event_file.answers import by_schedule, refuse_pods
from tournament.event_file.model import Event


def preview_of(event: Event, size: int) -> Sensitivity:
    """The cut as the standings have it now, and what every other preset would change.

    Raises:
        CutImpossible: fewer than two, or more than are there.
    """
    refuse_pods(event, "look ahead to a cut")
    there = sum(map(still_in, event.players))
    if not SMALLEST_CUT <= size <= there:
        raise CutImpossible(size, there)
    preset = preset_named(event.preset)
    return cut_sensitivity(event.players, event.rounds, size, preset, penalties=event.penalties)


@dataclass(frozen=True, slots=True)
class Plan:
    """How many rounds are played, and how many play on after them."""

    rounds: int
    cut: int


def plan_of(event: Event, rounds: int | None = None, cut: int | None = None) -> Plan:
    """What was said; else what is usual for so many players, and at least the rounds that there are.

    A round robin has as many as it needs, and no more whatever is said.
    """
    if event.mode is Mode.ROUND_ROBIN:
        begun = [player for player in event.players if player.entered_in == 1 and player.dropped_after != 0]
        robin = robin_rounds(len(begun))
        return Plan(min(rounds or robin, robin), cut or recommended(len(begun)).cut)
    there = [player for player in event.players if still_in(player) or player.dropped_after]
    usual = recommended(len(there), (player.awarded_byes for player in there))
    return Plan(max(usual.swiss_rounds, len(event.rounds), 1) if rounds is None else rounds, cut or usual.cut)


def needs_of(event: Event, player: PlayerId, plan: Plan) -> Needs:
    """What a player who is still in needs, when the last round of the file is the last one.

    Raises:
        RoundMissing: there is no round.
        TablesOfSeveral: the event is not of tables of two.
    """
    refuse_pods(event, "say what a player needs for a cut")
    preset = preset_named(event.preset)
    return needs_in_last_round(event.players, event.rounds, plan.cut, preset, penalties=event.penalties)[player]


def chances_of(event: Event, player: PlayerId, plan: Plan, *, events: int, rng: Random) -> tuple[Chance, ...]:
    """How often the player makes the cut when the event is played to its end many times."""
    refuse_pods(event, "say what a player needs for a cut")
    preset = preset_named(event.preset)

    def pair(players: Sequence[Player], rounds: Sequence[Round], rng: Random) -> Round:
        number = len(rounds) + 1
        points = match_points_of(players, rounds, preset, penalties=event.penalties)
        pool = gather(event.players_in(number), rounds, points, number=number, apart=event.apart)
        if event.mode is Mode.ROUND_ROBIN:
            return by_schedule(replace(event, players=tuple(players), rounds=tuple(rounds)), pool)
        return pair_round(pool, f"{rng.random()}")

    return simulate(
        player,
        event.players,
        event.rounds,
        planned=plan.rounds,
        cut=plan.cut,
        pair=pair,
        rng=rng,
        events=events,
        preset=preset,
        penalties=event.penalties,
    )
