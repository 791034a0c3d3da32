"""Ownership in the cut: an epoch before each round of it, and what becomes of who is short there."""

import random
from collections.abc import Callable, Iterator
from contextlib import suppress
from datetime import timedelta
from typing import Any

import pytest

from tests.tournament.auditing import bundle_of, enter_signed
from tests.tournament.owning import FOO, World, cards, started, wallet
from tests.verifier.signing import key_of
from tournament import store
from tournament.database import Database
from tournament.domain.announcement import IfShort
from tournament.domain.bracket import matches, ready
from tournament.domain.bracket_plan import Form
from tournament.errors import (
    CutRoundNotBegun,
    CutRoundRefused,
    MatchClockRefused,
    OwnershipNotAsked,
    OwnershipUnproven,
    TournamentError,
)
from tournament.event_file.proving import proofs_of
from tournament.service import cut, cut_rounds, entries, epochs, events, evidence, exports, match_clocks, undo
from tournament.service.reckoning import State
from verifier.errors import BlockNotYet, VerifierError
from verifier.testkit import lies

NAMES = ("ann", "bob", "cat", "dan")
ALL = {held: units for name in NAMES for held, units in cards(wallet(name)).items()}
TOKEN = FOO.token_ids[0]
STRANGER = wallet("eve")


@pytest.fixture
def world(one: Database) -> Iterator[World]:
    with started(one) as world:
        yield world


@pytest.fixture
def either(common: Database) -> Iterator[World]:
    """The same on SQLite and on PostgreSQL."""
    with started(common) as world:
        yield world


def in_cut(world: World, **announced: Any) -> World:
    """Four players in a cut of four, after one round: ann (1), bob (2), cat (3), dan (4)."""
    world.announce(cut="size", cut_size=4, **announced)
    world.wait(1, ALL)
    for name in NAMES:
        world.enter(name)
    world.begin()
    world.play()
    world.now += timedelta(seconds=1)
    return started_cut(world)


def started_cut(world: World, **asked: Any) -> World:
    settled(world, lambda: world.start_cut(**asked))
    return world


def settled(world: World, act: Callable[[], Any]) -> Any:
    """Do it once the block is settled of the epoch that it opens."""
    for _ in range(3):
        with suppress(BlockNotYet):
            return act()
        world.wait()
    return act()


def semifinals(world: World) -> list[tuple[str, int, int]]:
    """Each with its name and its two players."""
    return [(match.id, *(int(str(seat)) for seat in match.seats)) for match in ready(bracket(world))]


def bracket(world: World) -> Any:
    return world.look(lambda session, event: store.bracket_of(session, event.id))


def next_round(world: World, **asked: Any) -> Any:
    """Its epoch is opened, a block later it is read."""
    return settled(world, lambda: world.begin_cut_round(**asked))


def conditions(world: World) -> dict[str, tuple[str, str]]:
    return {one.name: (one.met.value, one.words) for one in world.sanction.conditions}


def sell(world: World, entry: int) -> None:
    world.move(wallet(NAMES[entry - 1]), STRANGER, TOKEN)


# --- each round is opened ---------------------------------------------------------------------------------------------


def test_each_round_of_the_cut_is_opened_by_an_epoch_for_whoever_is_still_in(either: World) -> None:
    world = in_cut(either)
    won = [first for _, first, _ in semifinals(world)]
    for name, *_ in semifinals(world):
        world.match(name)
    with pytest.raises(CutRoundNotBegun, match=r"M2\.1 is not begun: .* begin round 2 of it"):
        world.match("M2.1")
    with pytest.raises(MatchClockRefused, match="before its round of the cut"):
        world.do(match_clocks.START, match_clocks.StartMatches(matches=["M2.1"], minutes=50))
    fact = next_round(world)
    assert (fact.round, sorted(fact.players), fact.epoch, fact.unproven) == (2, sorted(won), 4, [])
    assert [(one.round, one.cut_round) for one in world.epochs] == [(0, None), (1, None), (2, None), (2, 2)]
    assert world.outcomes(4) == dict.fromkeys(won, "covered")
    world.do(match_clocks.START, match_clocks.StartMatches(minutes=50))
    world.match("M2.1")
    world.do(events.FINISH)
    assert world.sanction.met == "yes"
    world.assert_whole()


def test_a_round_of_the_cut_begins_when_the_one_before_has_ended_and_none_after_the_last(world: World) -> None:
    in_cut(world)
    [(name, *_), (other, *_)] = semifinals(world)
    world.match(name)
    opened = len(world.epochs)
    with pytest.raises(CutRoundRefused, match=rf"round 2 of the cut begins when .*: {other}$"):
        world.begin_cut_round()
    assert len(world.epochs) == opened
    world.match(other)
    next_round(world)
    with pytest.raises(CutRoundRefused, match=r"has begun already; without a result: M2\.1"):
        world.begin_cut_round()
    world.match("M2.1")
    with pytest.raises(CutRoundRefused, match="the cut is over"):
        world.begin_cut_round()
    assert len(world.epochs) == opened + 1


def test_without_ownership_no_round_of_a_cut_is_begun_by_hand(world: World) -> None:
    world.create(ownership="none", collection=None, decklist="none", cut="size", cut_size=4)
    world.open()
    for name in NAMES:
        world.do(entries.ADD, entries.Add(name=name))
    world.begin()
    world.play()
    world.start_cut()
    for name, *_ in semifinals(world):
        world.match(name)
    with pytest.raises(OwnershipNotAsked):
        world.begin_cut_round()
    world.match("M2.1")


def test_in_a_double_elimination_both_parts_of_a_round_begin_together(world: World) -> None:
    in_cut(world, cut_form=Form.DOUBLE)
    begun = []
    while True:
        for match in ready(bracket(world)):
            world.match(match.id, 0, 2)  # the lower bracket wins the grand final, which is played again
        if all(match.outcome for match in matches(bracket(world))):
            break
        begun.append(next_round(world).round)
    assert begun == [2, 3, 4, 5]
    world.do(events.FINISH)
    assert world.sanction.met == "yes"
    world.assert_whole()


# --- who is short -----------------------------------------------------------------------------------------------------


def test_who_is_short_before_the_final_is_dropped_and_the_opponent_has_won(either: World) -> None:
    world = in_cut(either, if_short=IfShort.DROP)
    [(one, first, _), (other, second, _)] = semifinals(world)
    world.match(one)
    world.match(other)
    sell(world, first)
    with pytest.raises(CutRoundRefused, match="the cut is over"):
        next_round(world)
    assert world.outcomes(4) == {first: "short", second: "covered"}
    final = next(match for match in matches(bracket(world)) if match.id == "M2.1")
    assert final.outcome is not None
    assert (final.outcome.how.value, final.outcome.winner) == ("walkover", str(second))
    world.do(events.FINISH)
    assert world.sanction.met == "yes"
    world.assert_whole()


def test_who_is_out_of_the_cut_may_sell_and_nobody_minds(world: World) -> None:
    in_cut(world, if_short=IfShort.DROP)
    out = [second for _, _, second in semifinals(world)]
    for name, *_ in semifinals(world):
        world.match(name)
    for entry in out:
        sell(world, entry)
    assert not set(next_round(world).players) & set(out)
    assert not world.outcomes(4).keys() & set(out)


@pytest.mark.parametrize("policy", [IfShort.FLAG, IfShort.WARN])
def test_flagged_or_warned_a_finalist_plays_on_and_the_event_is_not_sanctioned(world: World, policy: IfShort) -> None:
    in_cut(world, if_short=policy)
    [(one, first, _), (other, *_)] = semifinals(world)
    world.match(one)
    world.match(other)
    sell(world, first)
    assert first in next_round(world).players
    world.match("M2.1")
    words = "players who were short played: 1 in round 2 of the cut"
    assert conditions(world)["everybody who played was proven"] == ("no", words)
    world.assert_whole()


def test_who_is_dropped_in_a_round_of_four_leaves_the_others_to_play_it(world: World) -> None:
    world.announce(cut="size", cut_size=3, if_short=IfShort.DROP)
    world.wait(1, ALL)
    for name in NAMES:
        world.enter(name)
    world.begin()
    world.play()
    started_cut(world)
    [(name, _, lost)] = semifinals(world)  # the best seed has a bye
    world.match(name)
    [(_, first, second)] = semifinals(world)
    sell(world, lost)
    assert sorted(next_round(world).players) == sorted((first, second))


# --- nobody knows -----------------------------------------------------------------------------------------------------


def test_undetermined_finalists_wait_for_the_node_or_play_by_the_word_of_a_judge(world: World) -> None:
    in_cut(world)
    for name, *_ in semifinals(world):
        world.match(name)
    world.node.tell(lies.drops(10**9))
    world.wait()
    with pytest.raises(OwnershipUnproven, match=r"round 2 of the cut cannot begin: epoch 4 is not read"):
        world.begin_cut_round()
    world.do(epochs.OVERRIDE, epochs.Override(everybody=True, reason="no node answers"))
    assert world.begin_cut_round().unproven == []
    world.match("M2.1")
    world.do(events.FINISH)
    assert world.sanction.met == "no"
    world.node.be_honest()
    world.wait()
    world.read(epoch=4)
    assert world.sanction.met == "yes"
    world.assert_whole()


def test_a_round_of_the_cut_begins_unproven_for_a_reason_and_its_epoch_is_read_later(world: World) -> None:
    in_cut(world)
    for name, *_ in semifinals(world):
        world.match(name)
    with pytest.raises(OwnershipUnproven):
        world.begin_cut_round(unproven=True)
    fact = world.begin_cut_round(unproven=True, reason="the venue has no network")
    assert (fact.epoch, sorted(fact.unproven)) == (4, sorted(fact.players))
    world.match("M2.1")
    assert conditions(world)["each round opened by an epoch"] == ("not yet", "not read: epoch 4 of round 2 of the cut")
    world.wait()
    world.read()
    world.do(events.FINISH)
    assert world.sanction.met == "yes"
    world.assert_whole()


def test_a_reorganisation_in_the_cut_has_everything_since_read_again(world: World) -> None:
    in_cut(world, block_depth=1)
    for name, *_ in semifinals(world):
        world.match(name)
    world.wait()
    next_round(world)
    gone = world.epochs[-1].block_number
    assert gone is not None
    world.chain.reorganise(world.chain.head.number - gone + 1)
    settled(world, world.read)  # finds that the block is gone
    settled(world, world.read)
    assert [one.voided for one in world.epochs] == [0, 0, 0, 1]
    world.assert_whole()


# --- what is put right ------------------------------------------------------------------------------------------------


def test_who_is_brought_back_by_a_correction_is_looked_at_before_the_match(world: World) -> None:
    in_cut(world)
    [(one, first, second), (other, *_)] = semifinals(world)
    world.match(one)
    world.match(other)
    next_round(world)
    preview = world.look(lambda session, event: cut.seen_of(cut.correction_of(session, event, _said(one, 0, 2))))
    world.do(cut.CORRECT, cut.Correct(**_said(one, 0, 2).model_dump(), seen=preview.seen))
    with pytest.raises(CutRoundNotBegun):
        world.match("M2.1")
    opened = len(world.epochs)
    fact = world.begin_cut_round()
    assert (second in fact.players, first in fact.players, fact.epoch) == (True, False, 4)
    assert len(world.epochs) == opened
    assert world.outcomes(4)[second] == "covered"
    world.match("M2.1")
    world.do(events.FINISH)
    assert world.sanction.met == "yes"
    world.assert_whole()


def _said(match: str, first: int, second: int) -> Any:
    return cut.Report(match=match, games=cut.Games(first=first, second=second))


def test_beginning_a_round_of_the_cut_is_undone_and_the_epoch_stays(either: World) -> None:
    world = in_cut(either)
    for name, *_ in semifinals(world):
        world.match(name)
    next_round(world)
    undo.undo(world.database, world.ask(), undo.Undo(sequence=world.row.version, reason="too early"))
    with pytest.raises(CutRoundNotBegun):
        world.match("M2.1")
    opened = len(world.epochs)
    assert world.begin_cut_round().epoch == 4
    assert len(world.epochs) == opened
    world.assert_whole()


def test_the_same_command_again_is_the_first_receipt(world: World) -> None:
    in_cut(world)
    for name, *_ in semifinals(world):
        world.match(name)
    ask = world.ask()
    asked = cut_rounds.BeginCutRound()
    from tournament.service import openings  # noqa: PLC0415

    with pytest.raises(BlockNotYet):
        openings.begin_cut_round(world.database, ask, asked, world.nodes)
    world.wait()
    first = openings.begin_cut_round(world.database, ask, asked, world.nodes)
    assert openings.begin_cut_round(world.database, ask, asked, world.nodes) == first
    assert len(world.epochs) == 4


def test_rounds_of_the_cut_that_nobody_opened_are_found_by_everybody_who_looks(
    world: World, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A server that would skip them has no sanctioned event."""
    in_cut(world)
    for name, *_ in semifinals(world):
        world.match(name)
    monkeypatch.setattr(cut_rounds, "check_begun", lambda *_: None)
    world.match("M2.1")
    world.do(events.FINISH)
    assert conditions(world)["each round opened by an epoch"] == ("no", "round 2 of the cut began without one")
    assert world.sanction.met == "no"


# --- what others make of it -------------------------------------------------------------------------------------------


def test_the_evidence_of_a_cut_holds_and_the_event_file_has_the_same(world: World) -> None:
    keys = [key_of(name) for name in NAMES]
    world.announce(cut="size", cut_size=4, if_short=IfShort.DROP)
    world.wait(1, {held: units for key in keys for held, units in cards(key.address).items()})
    for name, key in zip(NAMES, keys, strict=True):
        enter_signed(world, name, key)
    world.begin()
    world.play()
    started_cut(world)
    [(one, first, _), (other, second, _)] = semifinals(world)
    world.match(one)
    world.match(other)
    world.move(keys[first - 1].address, STRANGER, TOKEN)
    with suppress(CutRoundRefused):
        next_round(world)
    world.do(events.FINISH)
    found = evidence.audit(bundle_of(world))
    assert [fault for check in found.checks for fault in check.faults] == []
    assert {check.state for check in found.checks if check.name in {"ownership", "blocks"}} == {State.HOLDS}
    [*_, last] = found.bundle.conclusions["ownership"]["epochs"]
    assert (last["cut_round"], last["verdicts"][str(first)]["outcome"]) == (2, "short")
    assert found.bundle.conclusions["ownership"]["sanctioned"] == "yes"
    assert found.bundle.conclusions["places"][0]["players"] == [str(second)]
    told = world.look(exports.exported)
    assert [fault for proof in proofs_of(told) for fault in proof.faults] == []


# --- any life ---------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("seed", range(3))
def test_a_random_cut_gives_the_same_tables_from_its_log(world: World, seed: int) -> None:
    rng = random.Random(seed)
    in_cut(world, if_short=rng.choice(list(IfShort)), cut_form=rng.choice(list(Form)), block_depth=1)
    for _ in range(60):
        with suppress(TournamentError, VerifierError):
            _something(world, rng)()
    assert world.look(lambda session, event: list(store.log_of(session, event.id, ["cut.begin-round"])))
    assert world.sanction.met in {"no", "not yet"}
    world.assert_whole()


def _something(world: World, rng: random.Random) -> Callable[[], object]:
    open_ = [match.id for match in ready(bracket(world))]
    return rng.choice(
        [
            *[lambda: world.wait(rng.choice([1, 2]))] * 5,
            *[world.begin_cut_round] * 5,
            *[lambda: world.match(rng.choice(open_ or ["M1.1"]), *rng.choice([(2, 0), (0, 2)]))] * 6,
            lambda: world.match(rng.choice(["M1.1", "M1.2"]), 0, 2, cut.CORRECT),
            world.read,
            lambda: world.do(epochs.OPEN),
            lambda: sell(world, rng.randint(1, 4)),
            lambda: world.do(epochs.OVERRIDE, epochs.Override(entries=[rng.randint(1, 4)], reason="I saw the cards")),
            lambda: world.begin_cut_round(unproven=True, reason="the venue has no network"),
            lambda: undo.undo(world.database, world.ask(), undo.Undo(sequence=world.row.version, reason="no")),
            lambda: world.chain.reorganise(1),
        ]
    )
