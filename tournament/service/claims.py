"""Claims: a player says what the own table came to, the opponent confirms, and then it is the table's result.

Who claims says `mine` and `theirs`; which of the two is called the first player is no matter for a phone. A claim is
never a result by itself, however long it stands: the opponent confirms it, or staff accept it. Two claims that differ
are a disagreement, which players may still mend themselves and judges settle.

At a table of several a claim is the whole placing, because everybody there gains or loses by every place of it. It is
the result once everybody has said the same who is still in the event: one who left is not waited for, but contradicts
like everybody else, and one word alone is never enough (docs/decisions/0068).

A claim is open while its table has no result and the same players sit there. So whatever gives the table a result, and
whatever pairs the round anew, ends it without a word.
"""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from enum import StrEnum
from itertools import groupby
from typing import Final, Literal, Self

from pydantic import Field, model_validator
from sqlmodel import Session

from tournament import store
from tournament.domain.lifecycle import Action
from tournament.domain.model import Ending, Result
from tournament.domain.results import MatchFormat, first_concedes, intentional_draw, second_concedes
from tournament.domain.roles import JUDGES, Role
from tournament.errors import (
    ClaimChanged,
    ClaimNotFound,
    NoDisagreement,
    NothingToAccept,
    NotYourTable,
    PlayerReportsOff,
    TableSettled,
)
from tournament.service import results, rounds
from tournament.service.commands import Already, Arguments, Fact, Kind, Scene, WithReason
from tournament.service.entries import MOST_NUMBER
from tournament.service.results import MOST_GAMES, Games, TablePlaces, TableResult
from tournament.store import AnySeat, SeenSeat
from tournament.tables import CallRow, ClaimRow, EventRow, LogRow, RoundRow, SeatRow

MOST_CLAIMS: Final = 20_000
MOST_SEQUENCE: Final = 1 << 40
_COUNT: Final = Field(ge=0, le=MOST_GAMES)


class Claim(Arguments):
    """What a player says of the own table: the games won by the player and by the opponent, or everybody's places."""

    mine: int = Field(default=0, ge=0, le=MOST_GAMES, description="games that you won", examples=[2])
    theirs: int = Field(default=0, ge=0, le=MOST_GAMES, description="games that your opponent won", examples=[1])
    drawn: int = Field(default=0, ge=0, le=MOST_GAMES, examples=[0])
    ending: Literal[Ending.PLAYED, Ending.INTENTIONAL_DRAW, Ending.CONCESSION] = Field(
        default=Ending.PLAYED,
        description=(
            "`played`: the games decide. `intentional draw`: you agreed; without games it is recorded as all games "
            "drawn. `concession`: `conceded_by` gave up; `mine` and `theirs` are the games won until then"
        ),
    )
    conceded_by: Literal["me", "opponent"] | None = Field(
        default=None, description="who gave up; with a concession, and only then"
    )
    places: tuple[tuple[int, ...], ...] | None = Field(
        default=None,
        max_length=len(SeatRow.CHAIRS),
        exclude_if=lambda said: said is None,
        description="at a table of several, and only there: the numbers of everybody, the best first, who shares a "
        "place together; in an intentional draw they may be left out",
    )

    @model_validator(mode="after")
    def _one_way_to_end(self) -> Self:
        if (self.ending is Ending.CONCESSION) != (self.conceded_by is not None):
            raise ValueError("a concession says in conceded_by who gave up (me or opponent), and nothing else does")
        if self.places is not None and (self.mine or self.theirs or self.drawn or self.conceded_by):
            raise ValueError("a table of several has places and no games; place who gave up last")
        return self


class MakeClaim(Claim):
    """A player's claim of a table."""

    round: int = Field(ge=1, le=MOST_NUMBER)
    table: int = Field(ge=1, le=MOST_NUMBER)


class SeenClaim(Arguments):
    """The claim of somebody else at the table, as the player saw it."""

    claim: int = Field(ge=1, le=MOST_SEQUENCE, description="the number of your opponent's claim", examples=[41])


class ConfirmClaim(SeenClaim):
    """The opponent's claim is right."""

    round: int = Field(ge=1, le=MOST_NUMBER)
    table: int = Field(ge=1, le=MOST_NUMBER)


class Claimed(Fact):
    """A claim; with `confirms` it agrees with the opponent's, and is the table's result."""

    round: int
    table: int
    entry: int
    first: int
    second: int
    others: list[int] = rounds.Others
    games: TableResult = Field(description="as the table's result would be: first is the first player of the table")
    confirms: int | None = Field(
        description="the claim that it agrees with, if the table has its result by it; null while somebody has not "
        "said the same"
    )


class WithdrawClaim(Arguments):
    """Take the own claim back."""

    round: int = Field(ge=1, le=MOST_NUMBER)
    table: int = Field(ge=1, le=MOST_NUMBER)


class ClaimWithdrawn(Fact):
    """The claim is gone."""

    round: int
    entry: int
    claim: int


class Decision(WithReason):
    """The result of a table whose players disagree, and why."""

    games: TableResult


class SettleClaims(Decision):
    """The same, and which table it is."""

    round: int = Field(ge=1, le=MOST_NUMBER)
    table: int = Field(ge=1, le=MOST_NUMBER)


class ClaimsSettled(Fact):
    """The result that counts, in place of two claims."""

    round: int
    table: int
    games: TableResult
    claims: list[int]


class ClaimList(Arguments):
    """Claims that staff looked at."""

    claims: list[int] = Field(min_length=1, max_length=MOST_CLAIMS, description="their numbers", examples=[[41, 44]])


class AcceptClaims(ClaimList):
    """MakeClaim claims of a round results, without the opponents' word."""

    round: int = Field(ge=1, le=MOST_NUMBER)


class AcceptedTable(Fact):
    """A table with its result."""

    table: int
    claim: int
    games: TableResult


class LeftClaim(Fact):
    """A claim that was not made a result."""

    claim: int
    why: str


class ClaimsAccepted(Fact):
    """Tables that have the result of a claim now, and claims that were left alone."""

    round: int
    tables: list[AcceptedTable]
    left: list[LeftClaim]


class ClaimState(StrEnum):
    """Where a table stands between its players."""

    OPEN = "open"
    """Nobody claimed anything."""
    ONE_SIDED = "one-sided"
    """One claimed; the other has to confirm. At a table of several: not everybody has."""
    AGREED = "agreed"
    """All claim the same and it is not the result: whatever made it one was taken back."""
    DISAGREEMENT = "disagreement"
    """They claim different results; a judge settles it."""
    SETTLED = "settled"
    """The table has its result."""


@dataclass(frozen=True, slots=True)
class TableClaims:
    """A table with what its players claim of it."""

    seat: AnySeat
    claims: Mapping[int, ClaimRow]
    """By the player's number."""

    @property
    def state(self) -> ClaimState:
        """Where the table stands between its players."""
        if self.seat.ending is not None:
            return ClaimState.SETTLED
        said = {games_in(claim) for claim in self.claims.values()}
        if len(said) > 1:
            return ClaimState.DISAGREEMENT
        if not self.claims:
            return ClaimState.OPEN
        return ClaimState.ONE_SIDED if self.silent else ClaimState.AGREED

    @property
    def silent(self) -> tuple[int, ...]:
        """Who has claimed nothing."""
        return tuple(player for player in self.seat.players if player not in self.claims)


@dataclass(frozen=True, slots=True)
class MyTable:
    """Where a player sits in the latest round, and what is said of it."""

    round: RoundRow
    seat: AnySeat | None
    """None: the player is not in the round."""
    claims: Mapping[int, ClaimRow]
    names: Mapping[int, str]
    call: CallRow | None
    """The player's call for a judge, if one is open."""


def games_in(claim: ClaimRow) -> Games | TablePlaces:
    """What a claim says."""
    return results.said_in(claim)


def on_tables(rows: Iterable[tuple[SeatRow, ClaimRow]]) -> list[TableClaims]:
    """Claims by their tables; the rows come in the order of the tables."""
    return [
        TableClaims(pairs[0][0], {claim.entry: claim for _, claim in pairs})
        for pairs in (list(group) for _, group in groupby(rows, key=lambda row: row[0].place))
    ]


def open_in(session: Session, event: str, number: int) -> list[TableClaims]:
    """The tables of a round that have claims and no result, in their order."""
    return on_tables(store.claims_of(session, event, number, settled=False))


def my_table(session: Session, event: str, entry: int) -> MyTable | None:
    """Where a player sits in the latest published round; None before the first."""
    current = store.current_round(session, event)
    if current is None:
        return None
    seat = store.seat_of(session, event, current.number, entry)
    call = store.open_call_of(session, event, entry)
    if seat is None or seat.second is None:
        return MyTable(current, seat, {}, {}, call)
    claims = store.claims_by(session, event, seat)
    return MyTable(current, seat, claims, store.names_of(session, event, seat.players), call)


def _decide_make(scene: Scene, asked: MakeClaim) -> Claimed | Already:
    seat, entry = _own_table(scene, asked.round, asked.table)
    games = results.judged(scene, seat, _said(scene.event, seat, entry, asked))
    if seat.ending is not None:
        return _same_result(scene, seat, games)
    claims = store.claims_by(scene.session, scene.event.id, seat)
    confirms, mine = _agreed(scene, seat, claims, entry, games), claims.get(entry)
    if mine is not None and games_in(mine) == games and confirms is None:
        return Already(mine.claimed)
    return _claimed(seat, entry, games, confirms)


def _decide_confirm(scene: Scene, asked: ConfirmClaim) -> Claimed | Already:
    seat, entry = _own_table(scene, asked.round, asked.table)
    claims = store.claims_by(scene.session, scene.event.id, seat)
    others = [claim for player, claim in claims.items() if player != entry]
    theirs = next((claim for claim in others if claim.claimed == asked.claim), None)
    if theirs is None:
        if seat.ending is not None:
            raise _settled(seat)
        raise ClaimChanged(asked.claim, max((claim.claimed for claim in others), default=None))
    games = games_in(theirs)
    if seat.ending is not None:
        return _same_result(scene, seat, games)
    confirms, mine = _agreed(scene, seat, claims, entry, games), claims.get(entry)
    if mine is not None and games_in(mine) == games and confirms is None:
        return Already(mine.claimed)
    return _claimed(seat, entry, games, confirms and asked.claim)


def _agreed(
    scene: Scene, seat: AnySeat, claims: Mapping[int, ClaimRow], entry: int, games: Games | TablePlaces
) -> int | None:
    """The claim of another that the player agrees with, if nobody has to say the same any more."""
    others = [player for player in seat.players if player != entry]
    same = [player for player in others if player in claims and games_in(claims[player]) == games]
    missing = [player for player in others if player not in same]
    if not same or any(player in claims for player in missing):
        return None
    if missing and len(seat.players) > _TWO:
        found = store.entries_numbered(scene.session, scene.event.id, missing)
        missing = [row.number for row in found if row.dropped_after is None]
    return None if missing else min(claims[player].claimed for player in same)


_TWO: Final = 2


def _apply_claim(session: Session, event: EventRow, row: LogRow, fact: Claimed) -> None:
    claim = store.find_claim(session, event.id, fact.round, fact.entry)
    if claim is not None:
        store.delete_row(session, claim)
        session.flush()
    store.save(
        session,
        ClaimRow(
            event_id=event.id,
            round=fact.round,
            entry=fact.entry,
            table_number=fact.table,
            first=fact.first,
            second=fact.second,
            **results.columns_of(fact.games),
            claimed=row.sequence,
            at=row.at,
        ),
    )
    if fact.confirms is not None:
        results.put(session, event.id, fact.round, {fact.table: fact.games}, row.sequence)


def _decide_withdraw(scene: Scene, asked: WithdrawClaim) -> ClaimWithdrawn:
    seat, entry = _own_table(scene, asked.round, asked.table)
    if seat.ending is not None:
        raise _settled(seat)
    mine = store.claims_by(scene.session, scene.event.id, seat).get(entry)
    if mine is None:
        raise ClaimNotFound(asked.round, entry)
    return ClaimWithdrawn(round=asked.round, entry=entry, claim=mine.claimed)


def _apply_withdraw(session: Session, event: EventRow, _: LogRow, fact: ClaimWithdrawn) -> None:
    claim = store.find_claim(session, event.id, fact.round, fact.entry)
    if claim is not None:
        store.delete_row(session, claim)


def _decide_settle(scene: Scene, asked: SettleClaims) -> ClaimsSettled | Already:
    seat = results.table_at(scene, asked.round, asked.table)
    games = results.judged(scene, seat, results.completed(seat, asked.games))
    if seat.ending is not None:
        if seat.reported is not None and results.games_at(seat) == games:
            return Already(seat.reported)
        raise _settled(seat)
    table = TableClaims(seat, store.claims_by(scene.session, scene.event.id, seat))
    if table.state is not ClaimState.DISAGREEMENT:
        raise NoDisagreement(asked.round, asked.table)
    claims = sorted(claim.claimed for claim in table.claims.values())
    return ClaimsSettled(round=asked.round, table=asked.table, games=games, claims=claims)


def _apply_settle(session: Session, event: EventRow, row: LogRow, fact: ClaimsSettled) -> None:
    results.put(session, event.id, fact.round, {fact.table: fact.games}, row.sequence)


def _decide_accept(scene: Scene, asked: AcceptClaims) -> ClaimsAccepted | Already:
    rounds.load(scene.session, scene.event.id, asked.round)
    tables = on_tables(store.claims_of(scene.session, scene.event.id, asked.round))
    by_claim = {claim.claimed: (table, claim) for table in tables for claim in table.claims.values()}
    taken: dict[int, AcceptedTable] = {}
    left = []
    for number in dict.fromkeys(asked.claims):
        table, claim = by_claim.get(number, (None, None))
        why = "it was withdrawn or replaced" if table is None else _NOT_ACCEPTED.get(table.state)
        if claim is None or why is not None:
            left.append(LeftClaim(claim=number, why=why or ""))
        else:
            at = claim.table_number
            taken.setdefault(at, AcceptedTable(table=at, claim=number, games=games_in(claim)))
    if not taken:
        return _accepted_before(scene, [by_claim[one.claim][0].seat for one in left if one.claim in by_claim], left)
    return ClaimsAccepted(round=asked.round, tables=[taken[at] for at in sorted(taken)], left=left)


_NOT_ACCEPTED: Final[Mapping[ClaimState, str]] = {
    ClaimState.DISAGREEMENT: "the opponent claims something else",
    ClaimState.SETTLED: "the table has its result",
}


def _accepted_before(scene: Scene, seats: Sequence[AnySeat], left: list[LeftClaim]) -> Already:
    """The receipt of whoever accepted the same claims before. Raises: NothingToAccept."""
    reported = {seat.reported for seat in seats}
    if len(seats) == len(left) and len(reported) == 1:
        [sequence] = reported
        if sequence is not None and store.log_row(scene.session, scene.event.id, sequence).name == ACCEPT.name:
            return Already(sequence)
    raise NothingToAccept([f"claim {one.claim}: {one.why}" for one in left])


def _apply_accept(session: Session, event: EventRow, row: LogRow, fact: ClaimsAccepted) -> None:
    results.put(session, event.id, fact.round, {one.table: one.games for one in fact.tables}, row.sequence)


_PLAYERS: Final = frozenset({Role.PLAYER})
MAKE: Final = Kind(
    name="claim.make",
    arguments=MakeClaim,
    fact=Claimed,
    roles=_PLAYERS,
    actions=(Action.REPORT,),
    decide=_decide_make,
    apply=_apply_claim,
)
CONFIRM: Final = Kind(
    name="claim.confirm",
    arguments=ConfirmClaim,
    fact=Claimed,
    roles=_PLAYERS,
    actions=(Action.REPORT,),
    decide=_decide_confirm,
    apply=_apply_claim,
)
WITHDRAW: Final = Kind(
    name="claim.withdraw",
    arguments=WithdrawClaim,
    fact=ClaimWithdrawn,
    roles=_PLAYERS,
    actions=(Action.REPORT,),
    decide=_decide_withdraw,
    apply=_apply_withdraw,
)
SETTLE: Final = Kind(
    name="claim.settle",
    arguments=SettleClaims,
    fact=ClaimsSettled,
    roles=JUDGES,
    actions=(Action.REPORT,),
    decide=_decide_settle,
    apply=_apply_settle,
)
ACCEPT: Final = Kind(
    name="claim.accept",
    arguments=AcceptClaims,
    fact=ClaimsAccepted,
    roles=JUDGES,
    actions=(Action.REPORT,),
    decide=_decide_accept,
    apply=_apply_accept,
)
KINDS: Final = (MAKE, CONFIRM, WITHDRAW, SETTLE, ACCEPT)


def _own_table(scene: Scene, number: int, table: int) -> tuple[SeenSeat, int]:
    """The table and which of its players asks.

    Raises:
        PlayerReportsOff: the event wants slips.
        RoundNotFound, TableNotFound: no such table.
        NotYourTable: others sit there.
    """
    if not scene.event.player_reports:
        raise PlayerReportsOff
    seat, entry = results.table_at(scene, number, table), scene.player or 0
    if entry not in seat.players:
        raise NotYourTable(number, table, entry)
    return seat, entry


def _said(event: EventRow, seat: AnySeat, entry: int, asked: Claim) -> Games | TablePlaces:
    """What the player says, as the table's result would be."""
    if asked.places is not None or (seat.third is not None and asked.ending is Ending.INTENTIONAL_DRAW):
        return results.completed(seat, TablePlaces(places=asked.places or (), ending=asked.ending))
    is_first, match_format = seat.first == entry, MatchFormat(event.best_of)
    first, second = (asked.mine, asked.theirs) if is_first else (asked.theirs, asked.mine)
    played = Result(first, second, asked.drawn, asked.ending)
    if asked.ending is Ending.INTENTIONAL_DRAW and not any((first, second, asked.drawn)):
        played = intentional_draw(match_format)
    if asked.conceded_by is not None:
        first_gave_up = (asked.conceded_by == "me") == is_first
        played = (first_concedes if first_gave_up else second_concedes)(played, match_format)
    return results.games_of(played)


def _claimed(seat: AnySeat, entry: int, games: Games | TablePlaces, confirms: int | None) -> Claimed:
    return Claimed(
        round=seat.round,
        table=seat.table_number or 0,
        entry=entry,
        first=seat.first,
        second=seat.second or 0,
        others=seat.others,
        games=games,
        confirms=confirms,
    )


def _same_result(scene: Scene, seat: AnySeat, games: Games | TablePlaces) -> Already:
    """The receipt of the player who made this the result. What staff wrote is not for players. Raises: TableSettled."""
    if seat.reported is not None and results.games_at(seat) == games:
        first = store.log_row(scene.session, scene.event.id, seat.reported)
        if first.role == Role.PLAYER:
            return Already(seat.reported)
    raise _settled(seat)


def _settled(seat: AnySeat) -> TableSettled:
    known = results.games_at(seat)
    return TableSettled(seat.round, seat.table_number or 0, results.words_of(known) if known else "open")
