"""Documents of series."""

from collections.abc import Sequence

from pydantic import Field

from tournament.api.schemas.document import AnyFact, Document, SeriesReceipt
from tournament.domain.lifecycle import Phase
from tournament.domain.series import Ambiguity, SeriesLine
from tournament.service.series import EventOfSeries, OneEntry, Points, SeriesStandings, points_in
from tournament.tables import SeriesEventRow, SeriesRow


class WeighedEvent(Document):
    """An event of a series."""

    event: str = Field(examples=["k3v7qzj2m5xa"])
    multiplier: str = Field(description="what its points are times, exactly", examples=["3/2"])


class Series(Document):
    """Points over several events."""

    id: str = Field(examples=["s-k3v7qzj2m5xa"])
    version: int
    published: bool
    archived: bool
    name: str = Field(examples=["Spring League"])
    description: str
    game: str | None
    points: Points
    events: list[WeighedEvent] = Field(description="in the order in which they were put in")
    created_at: str

    @classmethod
    def of(cls, row: SeriesRow, events: Sequence[SeriesEventRow]) -> "Series":
        """A series as everybody may see it."""
        return cls(
            points=points_in(row),
            events=[WeighedEvent(event=one.event_id, multiplier=one.multiplier) for one in events],
            **row.model_dump(exclude={"head", "phase", "scheme", "words"}),
        )


class SomeSeries(Document):
    """A page of series."""

    series: list[Series]
    next: str | None = Field(description="for `before`, to get the next page; null on the last")


class Organizers(Document):
    """Who organizes a series."""

    organizers: list[str] = Field(examples=[["ann", "bea"]])


class SeriesEvent(WeighedEvent):
    """An event that a series' standings are made of."""

    name: str = Field(examples=["League night 1"])
    phase: Phase
    starts_at: str | None
    counts: bool = Field(description="whether it is finished; nothing else counts")


class Contribution(Document):
    """What an event gave."""

    event: str = Field(examples=["k3v7qzj2m5xa"])
    entry: int = Field(examples=[17])
    place: int
    match_points: int
    points: str = Field(description="exactly, times the event's multiplier", examples=["21/2"])
    counted: bool = Field(description="false where better events fill the number that counts")


class SeriesStandingLine(Document):
    """A person's place in a series."""

    place: int
    name: str = Field(description="as in the last event", examples=["Ann Example"])
    points: str = Field(description="exactly", examples=["31/2"])
    contributions: list[Contribution]


class AmbiguousName(Document):
    """Entries that may be one person or several; each list is counted as one until an organizer says more."""

    names: list[str] = Field(examples=[["Ann Example", "ann example"]])
    persons: list[list[OneEntry]]


class SeriesTable(Document):
    """The standings of a series, from its finished events."""

    series: str
    version: int
    events: list[SeriesEvent] = Field(description="by when they start")
    standings: list[SeriesStandingLine]
    ambiguous: list[AmbiguousName]

    @classmethod
    def of(cls, row: SeriesRow, events: Sequence[EventOfSeries], found: SeriesStandings) -> "SeriesTable":
        """The table, fractions as texts."""
        return cls(
            series=row.id,
            version=row.version,
            events=[_series_event(one) for one in events],
            standings=[_series_line(line) for line in found.lines],
            ambiguous=[_ambiguous(one, found) for one in found.ambiguous],
        )


class SeriesLogPage(Document):
    """A page of a series' log."""

    receipts: list[SeriesReceipt[AnyFact]]
    next: int | None = Field(description="for `after`, to get the next page; null on the last")


def _series_event(one: EventOfSeries) -> SeriesEvent:
    row = one.row
    return SeriesEvent(
        event=row.id,
        multiplier=str(one.multiplier),
        name=row.name,
        phase=Phase(row.phase),
        starts_at=row.starts_at,
        counts=one.counts,
    )


def _series_line(line: SeriesLine) -> SeriesStandingLine:
    return SeriesStandingLine(
        place=line.place,
        name=line.name,
        points=str(line.points),
        contributions=[
            Contribution(
                event=one.finish.appearance.event,
                entry=one.finish.appearance.entry,
                place=one.finish.place,
                match_points=one.finish.match_points,
                points=str(one.points),
                counted=one.counted,
            )
            for one in line.contributions
        ],
    )


def _ambiguous(one: Ambiguity, found: SeriesStandings) -> AmbiguousName:
    persons = [[OneEntry(event=at.event, entry=at.entry) for at in person] for person in one.persons]
    names = dict.fromkeys(found.names[at] for person in one.persons for at in person)
    return AmbiguousName(names=list(names), persons=persons)
