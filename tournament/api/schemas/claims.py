"""Documents of what players report."""

from pydantic import Field

from tournament.api.schemas.document import Document
from tournament.api.schemas.entries import Somebody
from tournament.api.schemas.rounds import Clock
from tournament.domain.model import Ending
from tournament.service import claims, results
from tournament.service.claims import ClaimState, TableClaims, games_in
from tournament.service.results import Games
from tournament.tables import CallRow, ClaimRow, EventRow


class MyGames(Document):
    """Games as the player who asks counts them."""

    mine: int = Field(description="won by you", examples=[2])
    theirs: int = Field(description="won by your opponent", examples=[1])
    drawn: int
    ending: Ending

    @classmethod
    def of(cls, games: Games, *, is_first: bool) -> "MyGames":
        """A table's games from one side."""
        mine, theirs = (games.first, games.second) if is_first else (games.second, games.first)
        return cls(mine=mine, theirs=theirs, drawn=games.drawn, ending=games.ending)


class MyClaim(Document):
    """A claim as the player who asks counts it."""

    claim: int = Field(description="its number, for confirming it", examples=[41])
    at: str
    games: MyGames


class MyCall(Document):
    """A call for a judge of the player who asks."""

    call: int
    topic: str
    called_at: str
    taken_at: str | None = Field(description="null while no judge is on the way")


class MyTable(Document):
    """Where the player who asks sits in the latest round, and what is said of the table."""

    round: int | None = Field(description="null before the first")
    published_at: str | None
    closed_at: str | None = Field(description="null while the round is played")
    table: int | None = Field(description="null for a bye, and for who is not in the round")
    bye: str | None
    opponent: Somebody | None
    best_of: int
    state: ClaimState
    my_claim: MyClaim | None
    opponents_claim: MyClaim | None
    result: MyGames | None
    clock: "Clock | None"
    extra_minutes: int = Field(description="of the table, after the end of the round's clock")
    call: MyCall | None = Field(description="your call for a judge, while it is open")

    @classmethod
    def of(cls, found: claims.MyTable | None, event: EventRow, player: int) -> "MyTable":
        """Everything from the player's side."""
        seat = found.seat if found else None
        is_first = seat is not None and seat.first == player
        other = None if seat is None else seat.second if is_first else seat.first
        said = {} if found is None else found.claims
        result = results.games_at(seat) if seat else None
        return cls(
            round=found.round.number if found else None,
            published_at=found.round.published_at if found else None,
            closed_at=found.round.closed_at if found else None,
            table=seat.table_number if seat else None,
            bye=seat.bye if seat else None,
            opponent=Somebody(number=other, name=found.names.get(other, "")) if found and other else None,
            best_of=event.best_of,
            state=TableClaims(seat, said).state if seat else ClaimState.OPEN,
            my_claim=_my_claim(said.get(player), is_first=is_first),
            opponents_claim=_my_claim(said.get(other or 0), is_first=is_first),
            result=MyGames.of(result, is_first=is_first) if result else None,
            clock=Clock.of(found.round) if found else None,
            extra_minutes=seat.extra_minutes if seat else 0,
            call=_my_call(found.call) if found and found.call else None,
        )


class ClaimLine(Document):
    """What a player claims."""

    claim: int = Field(description="its number, for accepting it", examples=[41])
    player: int
    at: str
    games: Games


class ClaimedTable(Document):
    """A table with claims and no result."""

    table: int
    first: int
    second: int
    state: ClaimState
    claims: list[ClaimLine]

    @classmethod
    def of(cls, table: TableClaims) -> "ClaimedTable":
        """A table as staff see it."""
        seat = table.seat
        lines = [
            ClaimLine(claim=one.claimed, player=one.entry, at=one.at, games=games_in(one))
            for one in table.claims.values()
        ]
        return cls(
            table=seat.table_number or 0, first=seat.first, second=seat.second or 0, state=table.state, claims=lines
        )


class ClaimsOfRound(Document):
    """Tables of a round that have claims and no result."""

    round: int
    tables: list[ClaimedTable]


def _my_claim(row: ClaimRow | None, *, is_first: bool) -> MyClaim | None:
    if row is None:
        return None
    return MyClaim(claim=row.claimed, at=row.at, games=MyGames.of(games_in(row), is_first=is_first))


def _my_call(row: CallRow) -> MyCall:
    return MyCall(call=row.number, topic=row.topic, called_at=row.called_at, taken_at=row.taken_at)
