"""Documents of standings."""

from pydantic import Field

from tournament.api.schemas.document import Document
from tournament.domain.standings import Standing


class MatchRecord(Document):
    """What a player's rounds came to, in matches."""

    won: int = Field(description="without byes")
    lost: int
    drawn: int
    byes: int


class StandingLine(Document):
    """A place in the standings."""

    place: int
    player: int = Field(examples=[17])
    match_points: int
    record: MatchRecord
    dropped: bool = Field(description="the player left before the last of these rounds")
    tiebreaks: dict[str, str] = Field(
        description="exact fractions, in the order in which they count", examples=[{"omw": "2/3", "gw": "7/12"}]
    )

    @classmethod
    def of(cls, line: Standing) -> "StandingLine":
        """A line; fractions as texts, because a float would not be exact."""
        return cls(
            place=line.place,
            player=int(line.player),
            match_points=line.match_points,
            record=MatchRecord(
                won=line.record.wins, lost=line.record.losses, drawn=line.record.draws, byes=line.record.byes
            ),
            dropped=bool(line.record.dropped),
            tiebreaks={name: str(value) for name, value in line.tiebreaks.items()},
        )


class Standings(Document):
    """The standings after a closed round."""

    after: int = Field(description="the round; 0 before the first is closed")
    preset: str
    standings: list[StandingLine]
