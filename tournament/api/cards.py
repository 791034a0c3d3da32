"""Who has their cards at the newest epoch, as the staff works with it."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

from tournament.api import documents, own
from tournament.api.answers import Viewer
from tournament.api.schemas import EpochLine, LightLine
from tournament.domain.roles import AT_THE_DESK, INSIDERS, READERS, by_rank
from tournament.errors import NotYours
from tournament.service.shortfalls import Light

MOST_SHOWN: Final = 100


@dataclass(frozen=True)
class Doubt:
    """Somebody who is not known to have every card."""

    line: LightLine
    lacks: Sequence[str]
    """Sentences, for whoever may read what players hold; of other readers none."""


@dataclass(frozen=True)
class Cards:
    """What the staff sees, and what the viewer may do about it."""

    epoch: EpochLine | None
    """The newest; None before registration opens, and where no ownership is required."""
    covered: int
    short: int
    unknown: int
    doubts: Sequence[Doubt]
    """Who is short first; `MOST_SHOWN` at most."""
    more: int
    may_look: bool
    may_allow: bool


def cards_of(viewer: Viewer) -> Cards:
    """Everybody's cards by the newest epoch.

    Raises:
        NotYours: somebody looks who is not of the staff.
    """
    if not viewer.roles & AT_THE_DESK:
        raise NotYours("reading who has the cards", by_rank(AT_THE_DESK))
    epochs = documents.epochs_of(viewer).epochs
    lines = documents.lights_of(viewer).lights
    by_light = {light: [line for line in lines if line.light == light] for light in Light}
    doubtful = [*by_light[Light.RED], *by_light[Light.AMBER]]
    return Cards(
        epoch=epochs[-1] if epochs else None,
        covered=len(by_light[Light.GREEN]),
        short=len(by_light[Light.RED]),
        unknown=len(by_light[Light.AMBER]),
        doubts=[_doubt(viewer, line) for line in doubtful[:MOST_SHOWN]],
        more=max(0, len(doubtful) - MOST_SHOWN),
        may_look=bool(viewer.roles & INSIDERS),
        may_allow=bool(viewer.roles & READERS),
    )


def _doubt(viewer: Viewer, line: LightLine) -> Doubt:
    if line.light != Light.RED or not viewer.roles & READERS:
        return Doubt(line, [])
    verdicts = own.ownership_of(viewer, line.entry).verdicts
    return Doubt(line, [lack.words for lack in verdicts[-1].lacks] if verdicts else [])
