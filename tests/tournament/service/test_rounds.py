"""Rounds: the certificate that anybody can check, a round robin, a folded first round, the next round at once."""

import json

import pytest

from tests.tournament.service.stage import Stage
from tournament import event_file, store
from tournament.database import Database
from tournament.domain.announcement import Plan
from tournament.domain.certificate import check_certificate
from tournament.domain.errors import ResultsMissing
from tournament.domain.lifecycle import Phase
from tournament.domain.model import Way
from tournament.errors import (
    CertificateNotFound,
    EntryNotFound,
    FoldRefused,
    RoundUnannounced,
    ScheduleClosed,
    ScheduleOver,
)
from tournament.event_file.answers import judge_rounds, pool_before
from tournament.event_file.documents import as_drawn, certificate_from
from tournament.service import cut, entries, events, exports, reasons, rounds
from tournament.tables import RoundRow


@pytest.fixture
def stage(embedded: Database) -> Stage:
    return Stage(embedded)


def row(stage: Stage, number: int) -> RoundRow:
    found: RoundRow = stage.look(lambda session, event: store.find_round(session, event.id, number))
    return found


def plan(stage: Stage) -> Plan:
    found: Plan = stage.look(events.plan)
    return found


def exported(stage: Stage) -> event_file.Event:
    return event_file.parse_event_file(stage.look(exports.export))


# --- the certificate


def test_the_stored_certificate_proves_the_round_from_the_export(stage: Stage) -> None:
    stage.announce(9).play(3)
    event = exported(stage)
    for played in event.rounds:
        proof = reasons.proof_of(row(stage, played.number))
        assert proof is not None
        assert "draw" not in proof
        certificate = certificate_from(proof, event.draw)
        assert check_certificate(certificate, pool_before(event, played.number), played) == []
        wrong = certificate_from({**proof, "lots": proof["lots"] + 1}, event.draw)
        assert check_certificate(wrong, pool_before(event, played.number), played) != []


def test_the_words_of_a_certificate_name_every_float_and_the_bye(stage: Stage) -> None:
    # 1 to 5; after round 1 two or three have won, so round 2 has a table that joins two groups, and a bye
    stage.announce(5).play(1)
    stage.do(rounds.PAIR)
    draft = row(stage, 2)
    words = reasons.words_of(draft, reasons.proof_of(draft), [])
    assert words[:2] == ["everybody has a table or the bye", "nobody meets again"]
    (bye,) = [seat.first for seat in stage.seats(2) if seat.bye]
    assert any(word.startswith(f"{bye} has the bye: 5 players are an odd number") for word in words)
    assert words[-2:] == ["no round of these players is better", "between equally good rounds the public draw chose"]


def test_a_round_of_elsewhere_has_no_certificate() -> None:
    with pytest.raises(CertificateNotFound):
        reasons.proof_of(RoundRow(event_id="e", number=1, paired_at="-"))


# --- who was there


def test_who_left_and_came_back_sat_the_rounds_between_out(stage: Stage) -> None:
    # 3 leaves after round 1, misses round 2, and is back for round 3
    stage.announce(4).play(1)
    stage.do(entries.DROP, entries.Leave(entry=3))
    stage.play(1)
    stage.do(entries.RETURN, entries.Return(entry=3))
    stage.play(1)
    event = exported(stage)
    assert event.absent == {"3": (2,)}
    assert [(judged.faults, as_drawn(judged)) for _, judged in judge_rounds(event)] == [([], True)] * 3


# --- the next round


def test_pairing_closes_the_round_that_is_played_once_every_table_has_reported(stage: Stage) -> None:
    one, two = stage.announce(4).start()
    stage.report(one)
    with pytest.raises(ResultsMissing):
        stage.do(rounds.PAIR)
    assert (stage.row.phase, row(stage, 1).closed_at) == (Phase.ROUND, None)
    stage.report(two)
    paired = stage.do(rounds.PAIR)
    assert (paired.round, paired.closes, stage.row.phase) == (2, 1, Phase.BETWEEN_ROUNDS)
    assert row(stage, 1).closed_at is not None
    stage.assert_whole()


def test_a_fact_of_before_means_what_it_meant() -> None:
    # as the log had them before rounds had clocks and certificates
    paired = rounds.Paired.model_validate_json('{"round": 1, "seats": [{"first": 1, "second": 2, "table": 1}]}')
    assert (paired.pairing, paired.certificate, paired.closes) == (Way.SWISS, None, None)
    published = rounds.Published.model_validate_json('{"round": 1}')
    assert (published.length_s, published.started) == (None, False)


# --- by seeds


def test_a_first_round_may_be_folded_by_seeds(stage: Stage) -> None:
    # seeds 4 1 3 2 5: 4-3, 1-2, and the last has the bye
    stage.announce(5)
    seats = stage.start(seeds=[4, 1, 3, 2, 5])
    assert {(seat.first, seat.second) for seat in seats} == {(4, 3), (1, 2), (5, None)}
    assert (row(stage, 1).pairing, reasons.proof_of(row(stage, 1))) == ("fold", None)


def test_seeds_are_players_named_once_and_for_the_first_round(stage: Stage) -> None:
    stage.announce(4)
    with pytest.raises(EntryNotFound):
        stage.do(rounds.PAIR, rounds.Pair(seeds=[1, 9]))
    with pytest.raises(FoldRefused, match="two seeds"):
        stage.do(rounds.PAIR, rounds.Pair(seeds=[1, 1]))
    stage.play(1)
    with pytest.raises(FoldRefused, match="first round"):
        stage.do(rounds.PAIR, rounds.Pair(seeds=[1, 2, 3, 4]))


# --- more than was announced


# rounds: 2. Two are played, the third is one too many
def test_a_round_that_was_not_announced_is_refused_and_played_even_so(stage: Stage) -> None:
    stage.announce(8, rounds=2, cut="size", cut_size=4).play(2)
    with pytest.raises(RoundUnannounced, match="the event announced 2 rounds") as refused:
        stage.do(rounds.PAIR)
    assert (refused.value.round, refused.value.announced) == (3, 2)
    paired = stage.do(rounds.PAIR, rounds.Pair(even_so=True))
    assert (paired.round, paired.beyond, plan(stage)) == (3, 2, Plan(2, 4))
    stage.do(rounds.PUBLISH)
    assert plan(stage) == Plan(3, 4)
    for seat in stage.seats(3):
        stage.report(seat)
    with pytest.raises(RoundUnannounced, match="the event announced 2 rounds"):
        stage.do(rounds.PAIR)
    stage.do(rounds.CLOSE)
    assert len(exported(stage).rounds) == 3
    assert len(stage.do(cut.START).seeds) == 4
    stage.assert_whole()


def test_a_draft_that_fewer_rounds_were_announced_since_is_not_published(stage: Stage) -> None:
    stage.announce(8, rounds=3).play(2)
    assert stage.do(rounds.PAIR).beyond is None
    stage.do(events.EDIT, events.Edit(rounds=2))
    with pytest.raises(RoundUnannounced):
        stage.do(rounds.PUBLISH)
    stage.do(rounds.PAIR, rounds.Pair(even_so=True))
    stage.do(rounds.PUBLISH)
    assert "even_so" in stage.look(lambda session, event: store.log_row(session, event.id, event.version - 1).arguments)


# up to eight players the table has no rounds: all of them would be in the cut, and after rounds the best four
@pytest.mark.parametrize(("played", "size"), [(0, 8), (2, 4)])
def test_the_cut_by_the_table_is_the_one_that_was_planned(stage: Stage, played: int, size: int) -> None:
    stage.announce(8, cut="the table")
    with pytest.raises(RoundUnannounced, match="no rounds before the cut"):
        stage.do(rounds.PAIR)
    for _ in range(played):
        for seat in stage.start(even_so=True):
            stage.report(seat)
        stage.do(rounds.CLOSE)
    assert plan(stage) == Plan(played, size)
    assert len(stage.do(cut.START).seeds) == size


# three players, two rounds; one more is announced, and the event is not finished early
def test_more_rounds_may_be_announced_instead(stage: Stage) -> None:
    stage.announce(3).play(2)
    with pytest.raises(RoundUnannounced):
        stage.do(rounds.PAIR)
    stage.do(events.EDIT, events.Edit(rounds=3))
    assert stage.do(rounds.PAIR).beyond is None


@pytest.mark.parametrize(("announced", "planned"), [(None, 5), (3, 3), (9, 5)])
def test_a_round_robin_plans_the_rounds_that_it_needs(stage: Stage, announced: int | None, planned: int) -> None:
    stage.announce(5, mode="round-robin", rounds=announced)
    assert plan(stage).rounds == planned
    stage.play(min(planned, 3))
    if announced == 3:
        with pytest.raises(RoundUnannounced, match="announced 3 rounds"):
            stage.do(rounds.PAIR)
        stage.start(even_so=True)
        assert plan(stage).rounds == 4


def test_what_nobody_said_is_not_in_the_log_of_a_pairing(stage: Stage) -> None:
    stage.announce(4).start(even_so=False)
    assert (
        stage.look(lambda session, event: store.log_row(session, event.id, event.version - 1).arguments)
        == '{"seeds":[]}'
    )


# --- a round robin


def test_in_a_round_robin_everybody_meets_everybody_once(stage: Stage) -> None:
    stage.announce(5, mode="round-robin").play(5)
    met = [frozenset((seat.first, seat.second)) for n in range(1, 6) for seat in stage.seats(n) if seat.second]
    byes = [seat.first for n in range(1, 6) for seat in stage.seats(n) if seat.bye]
    assert len(met) == len(set(met)) == 10
    assert sorted(byes) == [1, 2, 3, 4, 5]
    with pytest.raises(ScheduleOver):
        stage.do(rounds.PAIR)


def test_a_round_robin_goes_on_without_who_left_and_takes_nobody_late(stage: Stage) -> None:
    stage.announce(4, mode="round-robin").play(1)
    stage.do(entries.DROP, entries.Leave(entry=4))
    late = stage.do(entries.ADD, entries.Add(name="late")).entry
    with pytest.raises(ScheduleClosed) as refused:
        stage.do(rounds.PAIR)
    assert list(refused.value.players) == [late]
    stage.do(entries.DROP, entries.Leave(entry=late))
    stage.play(2)
    met = [{seat.first, seat.second} for n in (1, 2, 3) for seat in stage.seats(n) if seat.second]
    assert sum(4 not in two for two in met) == 3
    assert json.loads(stage.look(exports.export))["rounds"][1]["tables"][-1]["bye"] in {"1", "2", "3"}
