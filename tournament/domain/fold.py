"""A seeded first round: the top half of the seeds against the bottom half, first against first.

The draw pairs a first round as fairly; this is for events whose players expect seeds to count. It is a plain rule and
not an optimum: the bye goes to the last seed, and where two are to be kept apart, the one in the bottom half changes
places with the nearest one, below before above, with whom both tables are free of such pairs.
"""

from collections.abc import Mapping, Sequence

from tournament.domain.draw import draw_lots
from tournament.domain.model import PlayerId, Round
from tournament.domain.pairing import seat
from tournament.domain.pool import Pool


def pair_folded(pool: Pool, draw: str, seeds: Sequence[PlayerId]) -> Round:
    """Pair a first round by seeds.

    Args:
        pool: who is to be paired.
        draw: the event's public draw; it ranks the players without a seed behind the others.
        seeds: the best first; who is not in the pool is passed over.
    """
    lots = draw_lots(draw, pool.number, pool.points)
    seeded = [player for player in dict.fromkeys(seeds) if player in pool.points]
    order = [*seeded, *sorted(pool.points.keys() - set(seeded), key=lots.__getitem__)]
    half = len(order) // 2
    top, bottom, last = order[:half], order[half : 2 * half], order[2 * half :]
    _part(top, bottom, pool.apart)
    place = {player: at for at, player in enumerate(order)}
    return seat(pool, place, zip(top, bottom, strict=True), last)


def _part(top: Sequence[PlayerId], bottom: list[PlayerId], apart: Mapping[PlayerId, frozenset[PlayerId]]) -> None:
    """Exchange players of the bottom half until nobody meets one to be kept apart from, as far as that goes."""

    def together(at: int, player: PlayerId) -> bool:
        return player in apart.get(top[at], ())

    for at in range(len(top)):
        if together(at, bottom[at]):
            for other in [*range(at + 1, len(top)), *range(at - 1, -1, -1)]:
                if not together(at, bottom[other]) and not together(other, bottom[at]):
                    bottom[at], bottom[other] = bottom[other], bottom[at]
                    break
