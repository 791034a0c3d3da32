"""Documents of what players report."""

from pydantic import Field

from tournament.api.schemas.document import Document
from tournament.api.schemas.entries import Somebody
from tournament.api.schemas.rounds import Clock
from tournament.domain.model import Ending
from tournament.service import claims, results
from tournament.service.claims import ClaimState, TableClaims, games_in
from tournament.service.results import Games, TablePlaces, TableResult
from tournament.service.rounds import Others
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
    games: MyGames | TablePlaces


class ClaimAtTable(MyClaim):
    """What somebody else at the table claims, as the player who asks counts it."""

    player: int


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
    opponent: Somebody | None = Field(description="null for a bye, and at a table of several")
    opponents: list[Somebody] = Field(description="everybody else at the table: one, or up to five at one of several")
    best_of: int
    state: ClaimState
    my_claim: MyClaim | None
    opponents_claim: MyClaim | None = Field(description="null at a table of several; see `others_claims`")
    others_claims: list[ClaimAtTable] = Field(description="of everybody else at the table, the oldest first")
    silent: list[int] = Field(description="who has claimed nothing yet, while the table has no result")
    result: MyGames | TablePlaces | None
    clock: "Clock | None"
    extra_minutes: int = Field(description="of the table, after the end of the round's clock")
    call: MyCall | None = Field(description="your call for a judge, while it is open")

    @classmethod
    def of(cls, found: claims.MyTable | None, event: EventRow, player: int) -> "MyTable":
        """Everything from the player's side."""
        seat = found.seat if found else None
        is_first = seat is not None and seat.first == player
        others = [] if seat is None else [one for one in seat.players if one != player]
        other = others[0] if len(others) == 1 else None
        said = {} if found is None else found.claims
        names = {} if found is None else found.names
        result = results.games_at(seat) if seat else None
        theirs = sorted((said[one] for one in others if one in said), key=lambda claim: claim.claimed)
        return cls(
            round=found.round.number if found else None,
            published_at=found.round.published_at if found else None,
            closed_at=found.round.closed_at if found else None,
            table=seat.table_number if seat else None,
            bye=seat.bye if seat else None,
            opponent=Somebody(number=other, name=names.get(other, "")) if other else None,
            opponents=[Somebody(number=one, name=names.get(one, "")) for one in others],
            best_of=event.best_of,
            state=TableClaims(seat, said).state if seat else ClaimState.OPEN,
            my_claim=_my_claim(said.get(player), is_first=is_first),
            opponents_claim=_my_claim(said.get(other or 0), is_first=is_first),
            others_claims=[
                ClaimAtTable(player=one.entry, **_claim(one, is_first=is_first).model_dump()) for one in theirs
            ],
            silent=list(TableClaims(seat, said).silent) if seat and others and result is None else [],
            result=_seen(result, is_first=is_first) if result else None,
            clock=Clock.of(found.round) if found else None,
            extra_minutes=seat.extra_minutes if seat else 0,
            call=_my_call(found.call) if found and found.call else None,
        )


class ClaimLine(Document):
    """What a player claims."""

    claim: int = Field(description="its number, for accepting it", examples=[41])
    player: int
    at: str
    games: TableResult


class ClaimedTable(Document):
    """A table with claims and no result."""

    table: int
    first: int
    second: int
    others: list[int] = Others
    state: ClaimState
    claims: list[ClaimLine]
    silent: list[int] = Field(description="who has claimed nothing")

    @classmethod
    def of(cls, table: TableClaims) -> "ClaimedTable":
        """A table as staff see it."""
        seat = table.seat
        lines = [
            ClaimLine(claim=one.claimed, player=one.entry, at=one.at, games=games_in(one))
            for one in table.claims.values()
        ]
        return cls(
            table=seat.table_number or 0,
            first=seat.first,
            second=seat.second or 0,
            others=seat.others,
            state=table.state,
            claims=lines,
            silent=list(table.silent),
        )


class ClaimsOfRound(Document):
    """Tables of a round that have claims and no result."""

    round: int
    tables: list[ClaimedTable]


def _my_claim(row: ClaimRow | None, *, is_first: bool) -> MyClaim | None:
    return None if row is None else _claim(row, is_first=is_first)


def _claim(row: ClaimRow, *, is_first: bool) -> MyClaim:
    return MyClaim(claim=row.claimed, at=row.at, games=_seen(games_in(row), is_first=is_first))


def _seen(said: Games | TablePlaces, *, is_first: bool) -> MyGames | TablePlaces:
    """A result from one side; places are the same from all."""
    return said if isinstance(said, TablePlaces) else MyGames.of(said, is_first=is_first)


def _my_call(row: CallRow) -> MyCall:
    return MyCall(call=row.number, topic=row.topic, called_at=row.called_at, taken_at=row.taken_at)
