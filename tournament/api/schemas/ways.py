"""Documents of a round's reasons: why, what changed, what is missing, ways to go on."""

import json
from collections.abc import Mapping, Sequence
from typing import Any

from pydantic import Field

from tournament.api.schemas.document import Document
from tournament.api.schemas.rounds import Clock
from tournament.domain.model import Way
from tournament.service import clock, reasons, repairs, reseating
from tournament.service.rounds import Others, seated
from tournament.tables import RoundRow, SeatRow, TableChangeRow


class Certificate(Document):
    """Why a round is paired as it is."""

    round: int
    pairing: Way
    words: list[str] = Field(
        description="the reasons, one sentence each, the players by their numbers",
        examples=[["everybody has a table or the bye", "nobody meets again"]],
    )
    proof: dict[str, Any] | None = Field(
        description="the numbers that prove it (docs/guide/pairing.md); null where nothing is minimised"
    )
    draw: str | None = Field(description="for staff, and for everybody when the event is over")
    as_paired: bool = Field(description="false: tables were changed since")


class SomeSeat(Document):
    """A table, or a bye."""

    table: int | None
    first: int
    second: int | None
    others: list[int] = Others
    bye: str | None


class OtherWay(Document):
    """A way to mend the round that was not taken."""

    way: str
    changes: int


class TableChange(Document):
    """Tables that were changed after the round was paired."""

    sequence: int = Field(description="of the command, in the event's log")
    at: str
    how: str = Field(examples=["by hand"])
    because: str
    sentence: str
    removed: list[SomeSeat]
    added: list[SomeSeat]
    worse: list[str] = Field(description="on what the round is worse than before, which was accepted")
    others: list[OtherWay] = Field(description="other ways that there were")

    @classmethod
    def of(cls, row: TableChangeRow) -> "TableChange":
        """A change as everybody may read it."""
        said = row.model_dump(include={"sequence", "at", "how", "because"})
        return cls(**said, **json.loads(row.change), sentence=reasons.sentence_of(row))


class TableChanges(Document):
    """How a round differs from what was paired."""

    round: int
    changes: list[TableChange] = Field(description="in order")
    gone: list[SomeSeat] = Field(description="all together: tables that were paired and are no more")
    come: list[SomeSeat] = Field(description="all together: tables that were not paired so")

    @classmethod
    def of(cls, number: int, rows: Sequence[TableChangeRow]) -> "TableChanges":
        """The changes of a round."""
        gone, come = (list(map(_some_seat, seats)) for seats in reseating.net(rows))
        return cls(round=number, changes=list(map(TableChange.of, rows)), gone=gone, come=come)


class MissingResult(Document):
    """A table without a result."""

    table: int
    first: int
    second: int
    others: list[int] = Others
    extra_minutes: int
    ends_at: str | None = Field(description="when time is called for it; null while no clock runs")


class MissingResults(Document):
    """The tables of a round that have no result yet."""

    round: int
    tables: int = Field(description="of the round, byes aside")
    clock: Clock | None
    missing: list[MissingResult]

    @classmethod
    def of(cls, row: RoundRow, seats: Sequence[SeatRow]) -> "MissingResults":
        """What the scorekeeper waits for, in the order of the tables."""
        tables = [seat for seat in seats if seat.table_number is not None]
        return cls(
            round=row.number,
            tables=len(tables),
            clock=Clock.of(row),
            missing=[
                MissingResult(
                    table=seat.table_number or 0,
                    first=seat.first,
                    second=seat.second or 0,
                    others=seat.others,
                    extra_minutes=seat.extra_minutes,
                    ends_at=clock.ends_at(row, seat.extra_minutes),
                )
                for seat in sorted(tables, key=lambda seat: seat.table_number or 0)
                if seat.ending is None
            ],
        )


class WayOn(Document):
    """A way to go on after a mistake."""

    option: str = Field(description="to be sent with the command that takes it", examples=["3f2a9c0d51b86e47"])
    way: str = Field(examples=["leave it"])
    changes: int = Field(description="new tables and byes")
    cost: dict[str, Any] = Field(description="levels 1 to 5 of the tables that may change, less is better")
    removed: list[SomeSeat]
    added: list[SomeSeat]


class WaysOn(Document):
    """What a mistake comes to, and the ways to go on; nothing is changed yet."""

    round: int | None = Field(description="the round whose tables could change; null: no round is being played")
    because: str
    options: list[WayOn] = Field(description="the gentlest first")

    @classmethod
    def of(cls, found: repairs.Situation) -> "WaysOn":
        """The ways, each with its digest."""
        ways = [
            WayOn(
                **offered.model_dump(mode="json"),
                removed=[_some_seat(seated(seat).model_dump()) for seat in option.removed],
                added=[_some_seat(seated(seat).model_dump()) for seat in option.added],
            )
            for offered, option in zip(found.offered, found.options, strict=True)
        ]
        number = None if found.current is None else found.current.number
        return cls(round=number, because=found.because, options=ways)


def _some_seat(seat: Mapping[str, Any]) -> SomeSeat:
    return SomeSeat(**seat)
