"""What a table of several came to: whether its placing is possible, and what a judge changes in it.

A placing names everybody at the table, the best first; who shares a place stands together. All together is a draw of
the table, nobody a loss of all. A table plays one game, so a game loss is the loss of it.
"""

from collections.abc import Collection, Iterator
from dataclasses import replace

from tournament.domain.announcement import DrawRule
from tournament.domain.model import Ending, PlayerId, Pod
from tournament.domain.pods import check_placing

ENDINGS = (Ending.PLAYED, Ending.INTENTIONAL_DRAW, Ending.DOUBLE_LOSS)
"""How a table of several may end. Who gives up or does not come is placed last, so there is no other."""


def check_pod(pod: Pod, rule: DrawRule = DrawRule.ANY) -> list[str]:
    """Everything that cannot be so of a placing, in sentences; an open table is as it should be.

    Args:
        pod: with its placing.
        rule: which draws the event has.
    """
    if pod.placing is None:
        return []
    return [*(fault.sentence for fault in check_placing(pod)), *_of_ending(pod), *_of_draws(pod, rule)]


def _of_ending(pod: Pod) -> Iterator[str]:
    if pod.ending not in ENDINGS:
        yield f"table {pod.table}: several players end in no {pod.ending}; place who gave up or did not come last"
    if pod.ending is Ending.INTENTIONAL_DRAW and not _is_draw(pod):
        yield f"table {pod.table}: in an intentional draw everybody shares the first place"
    if (pod.ending is Ending.DOUBLE_LOSS) is bool(pod.placing):
        yield f"table {pod.table}: nobody is placed where everybody lost, and only there"


def _of_draws(pod: Pod, rule: DrawRule) -> Iterator[str]:
    if rule is DrawRule.PLAYED and pod.ending is Ending.INTENTIONAL_DRAW:
        yield "nobody agrees on a draw in this event; play on"
    if rule is DrawRule.NONE and pod.placing and len(pod.placing[0]) > 1:
        yield "no table of this event is drawn; those who share the first place play on until one has won"


def _is_draw(pod: Pod) -> bool:
    return pod.placing is not None and len(pod.placing) == 1


def put_last(pod: Pod, losers: Collection[PlayerId]) -> Pod:
    """The table when these have lost their game: they share the last place, and everybody else moves up.

    An open table stays open: the others play on. If all have lost, nobody is placed.
    """
    lost = tuple(player for player in pod.players if player in losers)
    if pod.placing is None or not lost:
        return pod
    left = (tuple(player for player in shared if player not in lost) for shared in pod.placing)
    places = tuple(shared for shared in left if shared)
    if not places:
        return replace(pod, placing=(), ending=Ending.DOUBLE_LOSS)
    return replace(pod, placing=(*places, lost), ending=Ending.PLAYED)
