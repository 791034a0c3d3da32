"""Documents of rounds and the clock."""

from collections.abc import Sequence

from pydantic import Field

from tournament.api.schemas.document import Document
from tournament.domain.model import Way
from tournament.service import clock
from tournament.service.results import TableResult, games_at
from tournament.service.rounds import Others
from tournament.tables import RoundRow, SeatRow


class Seat(Document):
    """A table with its players, or a bye."""

    table: int | None = Field(description="null for a bye")
    first: int = Field(description="number of the first player, or of the bye's holder")
    second: int | None
    others: list[int] = Others
    bye: str | None
    result: TableResult | None = Field(description="null for a bye, and while the table plays")
    extra_minutes: int = Field(description="of this table, after the end of the round's clock")


class Clock(Document):
    """A clock. It is instants, so it does not change while time passes."""

    length_s: int = Field(description="seconds that it runs, with what was added and taken away", examples=[3000])
    started_at: str | None = Field(description="null before it begins")
    paused_at: str | None = Field(description="null while it runs")
    paused_s: int = Field(description="how long it stood still in all pauses that are over")
    ends_at: str | None = Field(description="when time is called; null before it begins and while it stands still")
    left_s: int | None = Field(description="seconds left, while it stands still; below 0 if time was called before")

    @classmethod
    def of(cls, row: clock.Timed) -> "Clock | None":
        """The clock of a round or of a match, if it has one."""
        if row.length_s is None:
            return None
        return cls(
            length_s=row.length_s,
            started_at=row.started_at,
            paused_at=row.paused_at,
            paused_s=row.paused_s,
            ends_at=clock.ends_at(row),
            left_s=clock.left_s(row),
        )


class PlayedRound(Document):
    """A round with its tables."""

    number: int
    paired_at: str
    published_at: str | None = Field(description="null for a draft")
    closed_at: str | None
    pairing: Way
    clock: Clock | None = Field(description="null for a round without one")
    changed: int = Field(description="how often tables were changed after it was paired; `changes` tells how")
    seats: list[Seat]

    @classmethod
    def of(cls, row: RoundRow, seats: Sequence[SeatRow], changed: int) -> "PlayedRound":
        """A round; players by their numbers."""
        return cls(
            seats=list(map(_seat, seats)),
            clock=Clock.of(row),
            changed=changed,
            **row.model_dump(include={"number", "paired_at", "published_at", "closed_at", "pairing"}),
        )


class RoundLine(Document):
    """A round without its tables."""

    number: int
    paired_at: str
    published_at: str | None
    closed_at: str | None
    pairing: Way


class Rounds(Document):
    """The rounds of an event."""

    rounds: list[RoundLine]


def _seat(row: SeatRow) -> Seat:
    return Seat(
        table=row.table_number,
        first=row.first,
        second=row.second,
        others=row.others,
        bye=row.bye,
        result=games_at(row),
        extra_minutes=row.extra_minutes,
    )
