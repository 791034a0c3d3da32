"""Players' reports: claimed, confirmed, contradicted, settled."""

from typing import Any

import pytest
from pydantic import ValidationError
from sqlalchemy import text

from tests.tournament.floor import Floor, playing
from tournament.database import Database
from tournament.domain.errors import ActionNotAllowed
from tournament.errors import (
    ClaimChanged,
    ClaimNotFound,
    NoDisagreement,
    NothingToAccept,
    NotYours,
    NotYourTable,
    PlayerReportsOff,
    ResultRefused,
    TableNotFound,
    TableSettled,
)
from tournament.service import claims, judging, penalties, results, rounds
from tournament.service.claims import ClaimState
from tournament.service.commands import Nothing
from tournament.service.results import Games


@pytest.fixture
def floor(common: Database) -> Floor:
    """Two tables play; at table 1 sit `first` and `second`."""
    return playing(common)


def claim(floor: Floor, who: int, mine: int, theirs: int, *, table: int = 1, **more: Any) -> Any:
    said = claims.MakeClaim(round=1, table=table, mine=mine, theirs=theirs, **more)
    return floor.receipt(claims.MAKE, said, who)


def confirm(floor: Floor, who: int, number: int, table: int = 1) -> Any:
    return floor.receipt(claims.CONFIRM, claims.ConfirmClaim(round=1, table=table, claim=number), who)


def settle(floor: Floor, first: int, second: int) -> Any:
    games = Games(first=first, second=second)
    return floor.receipt(claims.SETTLE, claims.SettleClaims(round=1, table=1, games=games, reason="the slip says so"))


def accept(floor: Floor, *numbers: int) -> Any:
    return floor.receipt(claims.ACCEPT, claims.AcceptClaims(round=1, claims=list(numbers)))


def waiting(floor: Floor) -> dict[int, ClaimState]:
    """Tables that staff see, and how they stand."""
    with floor.database.reading() as session:
        return {table.seat.table_number or 0: table.state for table in claims.open_in(session, floor.event, 1)}


def mine(floor: Floor, player: int) -> claims.MyTable:
    with floor.database.reading() as session:
        found = claims.my_table(session, floor.event, player)
    assert found is not None
    return found


# --- claim and confirm


def test_a_confirmed_claim_is_the_result_as_if_it_had_been_reported(floor: Floor) -> None:
    first, second = floor.players(1)
    claimed = claim(floor, first, 2, 1)
    assert floor.result(1) == (None, None, None, None)
    confirmed = confirm(floor, second, claimed["sequence"])
    floor.report(2, 2, 1)
    assert floor.result(1) == floor.result(2) == (2, 1, 0, "played")
    assert floor.seat(1).reported == confirmed["sequence"]
    floor.does(rounds.CLOSE, Nothing())
    assert floor.holds()


def test_mine_is_mine_on_either_side_of_the_table(floor: Floor) -> None:
    first, second = floor.players(1)
    claim(floor, second, 2, 0)
    assert claim(floor, first, 0, 2)["fact"]["confirms"] is not None
    assert floor.result(1) == (0, 2, 0, "played")


def test_the_same_claim_of_the_opponent_confirms(floor: Floor) -> None:
    first, second = floor.players(1)
    one = claim(floor, first, 2, 1)
    other = claim(floor, second, 1, 2)
    assert other["fact"]["confirms"] == one["sequence"]
    assert floor.seat(1).reported == other["sequence"]


def test_the_same_claim_twice_is_one(floor: Floor) -> None:
    first, second = floor.players(1)
    one = claim(floor, first, 2, 1)
    assert claim(floor, first, 2, 1) == one
    both = claim(floor, second, 1, 2)
    assert claim(floor, first, 2, 1) == claim(floor, second, 1, 2) == confirm(floor, second, one["sequence"]) == both
    assert floor.row().version == both["sequence"]


def test_a_player_who_mistyped_claims_something_else_before_the_opponent_answers(floor: Floor) -> None:
    first, second = floor.players(1)
    wrong = claim(floor, first, 2, 0)
    right = claim(floor, first, 2, 1)
    with pytest.raises(ClaimChanged) as refused:
        confirm(floor, second, wrong["sequence"])
    assert refused.value.stands == right["sequence"]
    confirm(floor, second, right["sequence"])
    assert floor.result(1) == (2, 1, 0, "played")


def test_a_claim_is_withdrawn_before_it_is_confirmed_and_not_after(floor: Floor) -> None:
    first, second = floor.players(1)
    out = claims.WithdrawClaim(round=1, table=1)
    one = claim(floor, first, 2, 1)["sequence"]
    assert floor.does(claims.WITHDRAW, out, first)["claim"] == one
    with pytest.raises(ClaimChanged):
        confirm(floor, second, one)
    with pytest.raises(ClaimNotFound):
        floor.does(claims.WITHDRAW, out, first)
    confirm(floor, second, claim(floor, first, 2, 1)["sequence"])
    with pytest.raises(TableSettled):
        floor.does(claims.WITHDRAW, out, first)
    assert floor.holds()


def test_one_claim_alone_is_no_result_however_long_it_stands(floor: Floor) -> None:
    first, _ = floor.players(1)
    claim(floor, first, 2, 0)
    floor.wait(hours=5)
    floor.report(2)
    assert floor.result(1) == (None, None, None, None)
    assert waiting(floor) == {1: ClaimState.ONE_SIDED}


# --- what can be claimed


def test_a_concession_gives_the_match_to_the_other_and_keeps_the_games_won(floor: Floor) -> None:
    first, second = floor.players(1)
    claim(floor, second, 1, 0, ending="concession", conceded_by="me")
    claim(floor, first, 0, 1, ending="concession", conceded_by="opponent")
    assert floor.result(1) == (2, 1, 0, "concession")
    third, fourth = floor.players(2)
    claim(floor, third, 0, 0, table=2, ending="concession", conceded_by="me")
    claim(floor, fourth, 0, 0, table=2, ending="concession", conceded_by="opponent")
    assert floor.result(2) == (0, 2, 0, "concession")


def test_who_conceded_is_said_with_a_concession_and_only_then() -> None:
    for wrong in ({"ending": "concession"}, {"mine": 2, "conceded_by": "me"}, {"ending": "penalty"}):
        with pytest.raises(ValidationError):
            claims.Claim.model_validate(wrong)


# Magic Tournament Rules 2.4: reported as 0-0-3 before the first game.
def test_an_intentional_draw_without_games_draws_them_all(floor: Floor) -> None:
    first, second = floor.players(1)
    claim(floor, first, 0, 0, ending="intentional draw")
    claim(floor, second, 0, 0, ending="intentional draw")
    assert floor.result(1) == (0, 0, 3, "intentional draw")


def test_what_cannot_be_so_is_not_claimed(floor: Floor) -> None:
    with pytest.raises(ResultRefused):
        claim(floor, floor.players(1)[0], 2, 2)


# --- who may


def test_nobody_claims_for_a_table_where_others_sit(floor: Floor) -> None:
    stranger, _ = floor.players(2)
    with pytest.raises(NotYourTable):
        claim(floor, stranger, 2, 0)
    with pytest.raises(NotYourTable):
        confirm(floor, stranger, claim(floor, floor.players(1)[0], 2, 0)["sequence"])
    with pytest.raises(NotYours):
        floor.does(claims.MAKE, claims.MakeClaim(round=1, table=1, mine=2))


def test_nobody_confirms_the_own_claim(floor: Floor) -> None:
    first, _ = floor.players(1)
    with pytest.raises(ClaimChanged):
        confirm(floor, first, claim(floor, first, 2, 0)["sequence"])


def test_an_event_may_want_slips_only(floor: Floor) -> None:
    floor.does(judging.SET, judging.SetJudging(player_reports=False))
    with pytest.raises(PlayerReportsOff):
        claim(floor, floor.players(1)[0], 2, 0)
    floor.does(judging.SET, judging.SetJudging(penalties_public=True))
    assert floor.row().player_reports is False


def test_only_the_tables_of_a_round_that_is_played_can_be_claimed(floor: Floor) -> None:
    first, _ = floor.players(1)
    with pytest.raises(TableNotFound):
        claim(floor, first, 2, 0, table=3)
    floor.play_on(1)
    floor.does(rounds.PAIR, Nothing())
    with pytest.raises(ActionNotAllowed):
        claim(floor, first, 2, 0)
    floor.does(rounds.REOPEN, Nothing())
    with pytest.raises(TableSettled):
        claim(floor, first, 2, 0)


# --- disagreement


def test_two_claims_that_differ_are_a_disagreement_that_a_judge_settles(floor: Floor) -> None:
    first, second = floor.players(1)
    one, other = claim(floor, first, 2, 0), claim(floor, second, 2, 0)
    assert waiting(floor) == {1: ClaimState.DISAGREEMENT}
    assert floor.result(1) == (None, None, None, None)
    settled = settle(floor, 2, 1)
    assert settled["fact"]["claims"] == [one["sequence"], other["sequence"]]
    assert (floor.result(1), waiting(floor)) == ((2, 1, 0, "played"), {})
    assert settle(floor, 2, 1) == settled
    with pytest.raises(TableSettled):
        settle(floor, 0, 2)
    assert floor.holds()


def test_players_who_disagreed_may_mend_it_themselves(floor: Floor) -> None:
    first, second = floor.players(1)
    claim(floor, first, 2, 0)
    claim(floor, second, 1, 2)
    claim(floor, first, 2, 1)
    assert floor.result(1) == (2, 1, 0, "played")


def test_a_judge_settles_only_what_is_disputed_and_says_why(floor: Floor) -> None:
    claim(floor, floor.players(1)[0], 2, 0)
    with pytest.raises(NoDisagreement):
        settle(floor, 2, 0)
    with pytest.raises(ValidationError):
        claims.SettleClaims(round=1, table=1, games=Games(first=2, second=0), reason="  ")


# --- staff


def test_a_report_of_staff_ends_open_claims(floor: Floor) -> None:
    first, second = floor.players(1)
    one = claim(floor, first, 2, 0)["sequence"]
    floor.report(1, 0, 2)
    assert (waiting(floor), mine(floor, first).seat.ending) == ({}, "played")  # type: ignore[union-attr]
    with pytest.raises(TableSettled):
        confirm(floor, second, one)
    assert floor.result(1) == (0, 2, 0, "played")


def test_a_player_who_claims_what_staff_wrote_does_not_get_their_receipt(floor: Floor) -> None:
    first, second = floor.players(1)
    told = "what nobody but staff may read"
    given = floor.does(penalties.GIVE, penalties.GivePenalty(entry=second, infraction=told, level="match loss"))
    asked = penalties.PenaltyNumber(penalty=given["penalty"], reason=told)
    floor.does(penalties.APPLY, asked)
    floor.does(
        results.CORRECT,
        results.Report(round=1, table=1, games=Games(first=2, second=0), reason=told),
    )
    with pytest.raises(TableSettled) as refused:
        claim(floor, first, 2, 0)
    assert told not in str(refused.value)


def test_staff_accept_the_one_sided_claims_that_they_saw(floor: Floor) -> None:
    one = claim(floor, floor.players(1)[0], 2, 0)["sequence"]
    other = claim(floor, floor.players(2)[1], 2, 1, table=2)["sequence"]
    accepted = accept(floor, one, other)
    assert [table["claim"] for table in accepted["fact"]["tables"]] == [one, other]
    assert (floor.result(1), floor.result(2)) == ((2, 0, 0, "played"), (1, 2, 0, "played"))
    assert floor.seat(1).reported == floor.seat(2).reported == accepted["sequence"]
    assert accept(floor, one, other) == accepted
    assert floor.holds()


def test_a_claim_that_changed_since_staff_looked_is_left_alone_and_told(floor: Floor) -> None:
    first, second = floor.players(1)
    disputed = claim(floor, first, 2, 0)["sequence"]
    replaced = claim(floor, floor.players(2)[0], 2, 0, table=2)["sequence"]
    fine = claim(floor, floor.players(2)[0], 2, 1, table=2)["sequence"]
    claim(floor, second, 2, 0)
    with pytest.raises(NothingToAccept):
        accept(floor, disputed, replaced)
    left = {one["claim"]: one["why"] for one in accept(floor, disputed, replaced, fine)["fact"]["left"]}
    assert left == {disputed: "the opponent claims something else", replaced: "it was withdrawn or replaced"}
    assert (floor.result(1), floor.result(2)) == ((None, None, None, None), (2, 1, 0, "played"))


def test_a_claim_does_not_count_for_a_table_that_was_paired_anew(floor: Floor) -> None:
    first, second = floor.players(1)
    third, fourth = floor.players(2)
    number = claim(floor, first, 2, 0)["sequence"]
    with floor.database.writing() as session:
        statement = "UPDATE seat SET second = :second WHERE table_number = :table AND event_id = :event"
        for table, other in ((1, fourth), (2, second)):
            session.connection().execute(text(statement), {"second": other, "table": table, "event": floor.event})
    assert waiting(floor) == {}
    with pytest.raises(ClaimChanged):
        confirm(floor, fourth, number)
    assert mine(floor, first).claims == {}
    claim(floor, first, 0, 2)
    assert waiting(floor) == {1: ClaimState.ONE_SIDED}
    assert third in floor.players(2)


def test_what_both_agreed_on_is_taken_up_again_when_the_result_was_taken_back(floor: Floor) -> None:
    first, second = floor.players(1)
    claim(floor, first, 2, 0)
    claim(floor, second, 0, 2)
    with floor.database.writing() as session:
        results.put(session, floor.event, 1, {1: None}, None)
    assert waiting(floor) == {1: ClaimState.AGREED}
    claim(floor, first, 2, 0)
    assert floor.result(1) == (2, 0, 0, "played")


# --- my table


def test_a_player_sees_the_table_both_claims_and_the_opponents_name(floor: Floor) -> None:
    first, second = floor.players(1)
    claim(floor, second, 2, 0)
    found = mine(floor, first)
    assert (found.round.number, found.seat.table_number if found.seat else None) == (1, 1)
    assert found.names == {first: f"p{first}", second: f"p{second}"}
    assert [claims.games_in(one).second for one in found.claims.values()] == [2]


def test_a_player_with_a_bye_or_not_in_the_round_has_no_table(common: Database) -> None:
    floor = playing(common, players=3)
    bye = next(n for n in (1, 2, 3) if n not in floor.players(1))
    found = mine(floor, bye)
    assert found.seat is not None
    assert (found.seat.bye, found.seat.table_number) == ("odd", None)
    assert mine(floor, 99).seat is None
