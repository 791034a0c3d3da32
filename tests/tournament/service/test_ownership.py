"""Ownership in events: what is promised, who has the cards at each epoch, and what becomes of who has not."""

import json
import random
import re
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from datetime import timedelta
from typing import Any

import pytest
from eth_hash.auto import keccak
from sqlalchemy import event as engine_event

from games import library
from tests.tournament.owning import DECK, FOO, LIST, World, cards, started, wallet
from tournament import store
from tournament.database import Database
from tournament.domain.announcement import CHANGEABLE, IfShort
from tournament.domain.roles import Role
from tournament.errors import (
    AnnouncementContradicts,
    EditRefused,
    EndpointsMissing,
    EntryNotFound,
    EpochNotFound,
    ManifestImpossible,
    NothingToOverride,
    NotYours,
    OwnershipNotAsked,
    OwnershipUnproven,
    PlayersDropped,
    TournamentError,
)
from tournament.service import decklists, decks, entries, epochs, events, looks, news, ownership, rounds, undo
from tournament.service.challenges import commitment_of
from tournament.service.nodes import Nodes
from tournament.service.shortfalls import lacks_of, light_of
from verifier.errors import BlockNotYet, CodeChanged, NoContract, VerifierError, WrongChain
from verifier.manifest import Policy, parse_manifest
from verifier.testkit import lies
from verifier.testkit.lying_node import Answerer
from verifier.testkit.scripted_chain import Question

ANN, BOB, CAT, DAN, EVE = (wallet(name) for name in ("ann", "bob", "cat", "dan", "eve"))
ALL = {**cards(ANN), **cards(BOB), **cards(CAT), **cards(DAN)}
TOKEN = FOO.token_ids[0]
DOWN = lies.drops(10**9)


@pytest.fixture
def world(one: Database) -> Iterator[World]:
    with started(one) as world:
        yield world


@pytest.fixture
def either(common: Database) -> Iterator[World]:
    """The same on SQLite and on PostgreSQL."""
    with started(common) as world:
        yield world


def four(world: World, **announced: Any) -> World:
    """Four players at check-in, all with their cards before the first epoch."""
    world.announce(**announced)
    world.wait(1, ALL)
    for name in ("ann", "bob", "cat", "dan"):
        world.enter(name)
    world.begin()
    return world


def words_of(world: World, entry: int, *, for_staff: bool = True) -> dict[int, list[str]]:
    found = world.look(lambda session, event: lacks_of(session, event, entry, for_staff=for_staff))
    return {epoch: [lack.words for lack in lacks] for epoch, lacks in found.items()}


def conditions(world: World) -> dict[str, str]:
    return {one.name: one.met.value for one in world.sanction.conditions}


# --- what is promised -------------------------------------------------------------------------------------------------


def test_opening_registration_fixes_a_manifest_whose_hash_is_the_events_id_for_every_signature(world: World) -> None:
    fact = world.create(if_short="drop", block_depth=3, quorum=1).open()
    assert fact.event_id == "0x" + keccak(fact.manifest.encode()).hex() == world.row.manifest_id
    manifest = parse_manifest(fact.manifest)
    assert manifest.chain_id == world.chain.chain_id
    assert manifest.collections[0].address == world.chain.collection
    assert manifest.block_rule.depth == 3
    assert manifest.block_rule.opening == manifest.check_in.opens == world.epochs[0].opens_at
    assert manifest.check_in.closes - manifest.check_in.opens == 3600
    assert (manifest.policy, manifest.quorum.agree, manifest.quorum.of) == (Policy.DROP, 1, 1)
    assert manifest.deck_format.name == "standard"
    assert manifest.catalogue == decks.catalogue_hash("cps")


def test_what_an_event_may_do_with_who_is_short_is_what_a_manifest_knows() -> None:
    assert [one.value for one in IfShort] == [one.value for one in Policy]


def test_opening_registration_again_with_its_id_is_the_first_receipt_even_if_the_chain_is_away(world: World) -> None:
    first = world.create().open(key="the id of the first command")
    world.node.tell(DOWN)
    assert world.open(key="the id of the first command") == first


def test_what_was_promised_cannot_be_changed_once_registration_is_open(world: World) -> None:
    world.announce()
    said = {
        "ownership": "none", "collection": None, "chain_id": 5, "code_hash": "0x" + "11" * 32, "if_short": "warn",
        "ownership_at": "2026-01-31T13:30Z", "check_in_minutes": 5, "block_depth": 9, "quorum": 1,
    }  # fmt: skip
    assert said.keys() < CHANGEABLE.keys()
    before = world.row
    with pytest.raises(EditRefused) as refused:
        world.do(events.EDIT, events.Edit(**said))
    assert {fault.field for fault in refused.value.faults} >= said.keys()
    assert world.row == before


def test_every_field_that_is_missing_is_told_at_once_before_anything_is_promised(world: World) -> None:
    world.create(starts_at=None, collection=None)
    world.nodes = Nodes(world.nodes.endpoints, None, stale_after=None)
    with pytest.raises(ManifestImpossible) as refused:
        world.open()
    assert [fault.field for fault in refused.value.faults] == ["collection", "starts_at"]
    assert world.row.phase == "draft"


def test_a_first_look_that_is_past_would_be_at_a_block_that_somebody_chose(world: World) -> None:
    world.create(starts_at="2026-01-31T12:30Z")
    with pytest.raises(ManifestImpossible, match=r"11:30.*is over"):
        world.open()
    world.do(events.EDIT, events.Edit(check_in_minutes=10))
    world.open()


@pytest.mark.parametrize(
    ("announced", "refusal"),
    [
        ({"code_hash": "0x" + "11" * 32}, CodeChanged),
        ({"chain_id": 5}, WrongChain),
        ({"collection": wallet("nothing is here")}, NoContract),
        ({"quorum": 2}, EndpointsMissing),
    ],
)
def test_a_cloned_or_missing_collection_is_found_out_before_players_enter(
    world: World, announced: dict[str, Any], refusal: type[Exception]
) -> None:
    world.create(**announced)
    with pytest.raises(refusal):
        world.open()
    assert world.row.phase == "draft"


def test_where_nothing_is_ever_final_the_event_has_to_name_a_depth(world: World) -> None:
    world.create()
    world.node.tell(lies.has_no("finalized"))
    with pytest.raises(ManifestImpossible, match="name a depth"):
        world.open()
    world.do(events.EDIT, events.Edit(block_depth=2))
    world.open()


def test_a_server_that_asks_no_chain_opens_no_event_that_requires_ownership(world: World) -> None:
    world.create()
    world.nodes = Nodes()
    with pytest.raises(EndpointsMissing, match="DECKPROOF_RPC"):
        world.open()
    with pytest.raises(EndpointsMissing):
        world.do(events.OPEN)


def test_only_an_organizer_has_the_chain_asked(world: World) -> None:
    world.create()
    world.node.tell(DOWN)
    with pytest.raises(NotYours):
        world.open("eve")


def test_ownership_needs_lists_and_what_belongs_to_it_needs_ownership(world: World) -> None:
    with pytest.raises(AnnouncementContradicts, match="require decklists"):
        world.create(decklist="optional")
    with pytest.raises(AnnouncementContradicts) as refused:
        world.create(ownership="none", quorum=2, block_depth=3)
    assert {fault.field for fault in refused.value.faults} == {"collection", "quorum", "block_depth"}


# --- epochs -----------------------------------------------------------------------------------------------------------


def test_an_event_in_which_everybody_has_the_cards_is_sanctioned(either: World) -> None:
    world = either
    four(world)
    assert world.play() == 1
    assert world.play() == 2
    assert [(epoch.round, epoch.read is not None) for epoch in world.epochs] == [(0, True), (1, True), (2, True)]
    assert world.outcomes(3) == dict.fromkeys((1, 2, 3, 4), "covered")
    assert world.sanction.met == "not yet"
    world.do(events.FINISH)
    assert world.sanction.met == "yes"
    world.assert_whole()


def test_an_event_without_ownership_plays_as_before_and_is_never_sanctioned(world: World) -> None:
    world.create(ownership="none", collection=None, decklist="none").open()
    for name in "ab":
        world.do(entries.ADD, entries.Add(name=name))
    world.close()
    assert world.pair().round == 1
    assert world.publish().epoch is None
    assert (world.epochs, world.sanction.met) == ([], "no")
    with pytest.raises(OwnershipNotAsked):
        world.read()
    with pytest.raises(OwnershipNotAsked):
        world.do(epochs.OPEN)
    world.assert_whole()


def test_an_epoch_is_the_first_block_from_its_moment_on_whenever_it_is_read(world: World) -> None:
    world.announce(block_depth=2)
    world.wait(1, cards(ANN))
    world.enter("ann")
    with pytest.raises(BlockNotYet, match="before the time"):
        world.read()
    world.wait(59)
    opening = world.chain.head
    with pytest.raises(BlockNotYet, match="needs 2"):
        world.read()
    before = world.row.version
    for _ in range(5):
        world.wait(1, {(ANN, TOKEN): 0})
    fact = world.read()
    assert (fact.block.number, fact.block.hash, fact.block.time) == (
        opening.number,
        opening.hash,
        world.epochs[0].opens_at,
    )
    assert fact.covered == [1]
    assert world.row.version == before + 1


def test_what_is_bought_after_the_first_epoch_does_not_count(world: World) -> None:
    world.announce()
    world.wait(1, cards(BOB))
    world.enter("ann")
    world.enter("bob")
    world.wait(61)
    world.wait(1, cards(ANN))
    world.close()
    world.pair()
    world.wait()
    world.read()
    assert (world.outcomes(1), world.outcomes(2)) == ({1: "short", 2: "covered"}, {1: "short", 2: "covered"})
    assert (
        words_of(world, 1)[2][0] == f"{FOO.units} of {FOO.units} {FOO.card}: not there when cards were looked at first"
    )


def test_cards_sold_between_rounds_are_missed_and_it_is_told_which_and_when(world: World) -> None:
    four(world)
    world.play()
    world.move(ANN, EVE, TOKEN)
    world.play()
    assert world.outcomes(2) == dict.fromkeys((1, 2, 3, 4), "covered")
    assert world.outcomes(3) == {1: "short", 2: "covered", 3: "covered", 4: "covered"}
    [words] = words_of(world, 1)[3]
    gone = f"1 of {FOO.units} {FOO.card}: gone between round 1 and 2 (between epoch 2 and 3), transaction 0x"
    assert re.fullmatch(re.escape(gone) + "[0-9a-f]{64}", words)
    assert conditions(world)["everybody who played was proven"] == "no"
    assert world.sanction.met == "no"
    world.move(EVE, ANN, TOKEN)
    world.play()
    assert world.outcomes(4)[1] == "short"
    world.assert_whole()


def test_wallet_shuttle_from_one_player_to_another_between_check_ins_covers_nobody_twice(world: World) -> None:
    world.announce()
    world.wait(1, {**cards(ANN), **cards(BOB)})
    for name in ("ann", "bob"):
        world.enter(name)
    world.begin()
    world.play()
    for token, units in [(need.token_ids[0], need.units) for need in DECK.needs]:
        world.chain.mine(moves=[])
        world.move(ANN, EVE, token, units)
    late = world.enter("eve")
    world.play()
    assert world.outcomes(3) == {1: "short", 2: "covered", late: "short"}


def test_a_late_entry_has_to_have_the_cards_at_the_first_epoch_and_at_the_newest(world: World) -> None:
    four(world)
    world.play()
    world.wait(1, cards(EVE))
    bought_late, sold, early = world.enter("eve"), world.enter("flo"), world.enter("gus")
    world.chain.mine()
    world.play()
    assert world.outcomes(3)[bought_late] == "short"
    assert world.outcomes(3)[sold] == world.outcomes(3)[early] == "short"


def test_a_late_entry_who_had_the_cards_all_the_time_is_covered(either: World) -> None:
    world = either
    world.announce()
    world.wait(1, {**ALL, **cards(EVE)})
    for name in ("ann", "bob", "cat", "dan"):
        world.enter(name)
    world.begin()
    world.play()
    late = world.enter("eve")
    world.play()
    assert world.outcomes(3)[late] == "covered"
    world.move(EVE, ANN, TOKEN)
    world.play()
    assert world.outcomes(4)[late] == "short"
    [words] = words_of(world, late)[4]
    gone = f"1 of {FOO.units} {FOO.card}: gone between round 2 and 3 (between epoch 3 and 4), transaction 0x"
    assert re.fullmatch(re.escape(gone) + "[0-9a-f]{64}", words)
    world.assert_whole()


def test_pruned_state_of_the_first_block_leaves_a_late_entry_undetermined_and_a_judge_decides(world: World) -> None:
    world.announce()
    world.wait(1, {**ALL, **cards(EVE)})
    for name in ("ann", "bob", "cat", "dan"):
        world.enter(name)
    world.begin()
    world.play()
    late = world.enter("eve")
    for _ in range(10):
        world.wait()
    world.pair()
    world.wait()
    world.node.tell(lies.prunes(world.chain, kept=5))
    with pytest.raises(OwnershipUnproven, match=r"5 \(eve\): the state of block"):
        world.publish()
    assert world.outcomes(3) == {1: "covered", 2: "covered", 3: "covered", 4: "covered", late: "undetermined"}
    world.do(epochs.OVERRIDE, epochs.Override(entries=[late], reason="her wallet is on the projector"))
    world.publish()
    assert conditions(world)["everybody who played was proven"] == "not yet"
    world.node.be_honest()
    assert world.read().covered == [late]
    world.assert_whole()


def test_who_links_a_wallet_or_hands_a_list_in_late_is_looked_at_when_asked_again(world: World) -> None:
    world.announce()
    world.wait(1, {**cards(ANN), **cards(BOB)})
    world.enter("ann")
    number = world.do(entries.ADD, entries.Add(name="bob")).entry
    world.wait(60)
    fact = world.read()
    assert [(one.entry, one.cause) for one in fact.undetermined] == [(number, "there is no legal list")]
    hand_in = decklists.HandIn(entry=number, decklist=LIST)
    decklists.hand_in(world.database, world.ask(), hand_in)
    assert [one.cause for one in world.read().undetermined] == ["no wallet is linked"]
    world.link(number, BOB)
    fact = world.read()
    assert (fact.covered, fact.epoch) == ([number], 1)
    version = world.row.version
    world.read()
    assert world.row.version == version
    world.assert_whole()


def test_a_list_that_changes_while_the_chain_is_asked_is_not_judged_by_what_was_asked(world: World) -> None:
    world.announce()
    world.wait(1, {**cards(ANN), **cards(BOB)})
    world.enter("ann")
    world.enter("bob")
    world.wait(60)
    _while_balances_are_asked(world, lambda: world.link(2, wallet("another")))
    assert world.read().covered == [1]
    assert 2 not in world.outcomes(1)
    assert world.read().covered == [2]


def test_another_list_or_wallet_is_looked_at_anew_before_the_round_begins_and_not_after(world: World) -> None:
    four(world)
    world.pair()
    world.wait()
    world.read()
    other = list(library.decks("cps").values())[1]
    world.do(decklists.UNLOCK, decklists.About(entry=1, reason="the printer broke"))
    decklists.hand_in(world.database, world.ask(), decklists.HandIn(entry=1, decklist=other))
    world.link(2, EVE)
    shown = world.look(lambda session, event: ownership.verdicts_now(session, event.id, world.epochs[-1]))
    assert sorted(shown) == [3, 4]
    before = world.row.version
    world.publish()
    assert world.outcomes(2) == {1: "short", 2: "covered", 3: "covered", 4: "covered"}
    assert world.row.version == before + 2
    world.link(3, wallet("another"))
    world.read()
    assert world.row.version == before + 2


def test_who_begins_with_another_list_than_was_looked_at_is_unproven(world: World) -> None:
    four(world)
    world.pair()
    world.wait()
    world.read()
    world.link(1, EVE)
    assert world.publish(unproven=True, reason="the venue has no network").unproven == [1]
    assert 1 not in world.outcomes(2)
    assert conditions(world)["everybody who played was proven"] == "not yet"
    assert world.read().covered == [1]


def test_two_staff_who_read_at_once_have_one_effect_and_one_receipt(either: World) -> None:
    world = either
    world.announce()
    world.wait(1, {**cards(ANN), **cards(BOB)})
    world.enter("ann")
    world.enter("bob")
    world.wait(60)
    before = world.row.version
    with ThreadPoolExecutor(4) as pool:
        facts = list(pool.map(lambda _: world.read(), range(4)))
    assert world.row.version == before + 1
    assert all(fact == facts[0] for fact in facts)


def test_a_server_that_dies_between_asking_and_deciding_leaves_nothing_half_done(world: World) -> None:
    world.announce()
    world.wait(1, cards(ANN))
    world.enter("ann")
    world.wait(60)
    planned = world.look(lambda session, event: looks.plan(session, event, None))
    found = looks.look(planned, world.nodes)
    assert (world.epochs[0].read, world.outcomes(1)) == (None, {})
    world.wait(30, {(ANN, TOKEN): 0})
    fact = world.read()
    assert (fact.block.hash, fact.covered) == (found.block.hash, [1])


def test_asking_again_with_the_same_id_is_the_first_receipt_and_asks_no_chain(world: World) -> None:
    world.announce()
    world.wait(1, cards(ANN))
    world.enter("ann")
    world.wait(60)
    first = world.read(key="the id of the first command")
    world.node.tell(DOWN)
    assert world.read(key="the id of the first command") == first


def test_an_epoch_that_there_is_not_is_refused(world: World) -> None:
    world.announce()
    with pytest.raises(EpochNotFound):
        world.read(epoch=7)


# --- what becomes of who is short -------------------------------------------------------------------------------------


def short(world: World, policy: str) -> World:
    """Ann sells a card after the first epoch."""
    four(world, if_short=policy)
    world.read()
    world.move(ANN, EVE, TOKEN)
    world.pair()
    world.wait()
    return world


@pytest.mark.parametrize("policy", ["flag", "warn"])
def test_flagged_or_warned_a_player_plays_on_and_the_event_is_not_sanctioned(world: World, policy: str) -> None:
    short(world, policy).publish()
    assert world.look(lambda session, event: store.find_entry(session, event.id, 1)).dropped_after is None
    assert world.sanction.met == "no"


def test_dropped_a_player_is_not_paired_again_and_the_event_can_be_sanctioned(either: World) -> None:
    world = either
    short(world, "drop")
    with pytest.raises(PlayersDropped, match="1; pair round 1 again"):
        world.publish()
    assert world.look(lambda session, event: store.find_entry(session, event.id, 1)).dropped_after == 0
    opened = len(world.epochs)
    world.pair()
    assert len(world.epochs) == opened
    world.publish()
    world.results(1)
    world.do(events.FINISH)
    assert world.sanction.met == "yes"
    world.assert_whole()


def test_who_was_dropped_and_is_taken_back_plays_only_by_the_word_of_a_judge(world: World) -> None:
    short(world, "drop")
    world.read()
    world.do(entries.RETURN, entries.Leave(entry=1))
    world.pair()
    with pytest.raises(OwnershipUnproven, match=r"1 \(ann\): cards are missing"):
        world.publish()
    world.do(epochs.OVERRIDE, epochs.Override(entries=[1], reason="lent for the photo"))
    assert world.publish().unproven == []
    assert world.sanction.met == "no"
    world.assert_whole()


def test_a_round_that_begins_unproven_needs_a_reason_and_ends_the_hope_of_a_sanction(world: World) -> None:
    four(world)
    world.pair()
    with pytest.raises(OwnershipUnproven, match="not read"):
        world.publish(unproven=True)
    assert world.publish(unproven=True, reason="the venue has no network").unproven == [1, 2, 3, 4]
    assert conditions(world)["each round opened by an epoch"] == "not yet"
    world.read()
    world.read()
    assert conditions(world)["each round opened by an epoch"] == "not yet"


def test_a_round_without_any_epoch_is_never_sanctioned(world: World) -> None:
    four(world)
    world.do(rounds.PAIR)
    with pytest.raises(OwnershipUnproven, match="no epoch opens it"):
        world.do(rounds.PUBLISH)
    world.do(rounds.PUBLISH, rounds.Publish(unproven=True, reason="the venue has no network"))
    assert (conditions(world)["each round opened by an epoch"], world.sanction.met) == ("no", "no")


# --- undetermined -----------------------------------------------------------------------------------------------------


def test_node_trouble_is_told_once_blocks_loudly_and_is_nobodys_shortfall(world: World) -> None:
    four(world, if_short="drop")
    world.node.tell(DOWN)
    world.pair()
    world.wait()
    with pytest.raises(OwnershipUnproven, match=r"epoch 1 is not read \(.*\)"):
        world.publish()
    version = world.row.version
    world.read()
    assert world.row.version == version
    assert world.outcomes(1) == {}
    shown = world.look(lambda _, __: light_of(world.epochs[0], None))
    assert shown.light == "amber"
    assert world.epochs[0].trouble in shown.words
    world.node.be_honest()
    world.publish()
    assert world.epochs[0].trouble == ""
    world.assert_whole()


def test_a_judge_lets_everybody_play_and_what_could_not_be_read_is_read_later(world: World) -> None:
    four(world)
    world.read()
    world.pair()
    world.wait()
    world.node.tell(DOWN)
    world.read()
    world.do(epochs.OVERRIDE, epochs.Override(everybody=True, reason="no node answers"))
    world.publish()
    world.results(1)
    assert conditions(world)["each round opened by an epoch"] == "not yet"
    world.do(entries.DROP, entries.Leave(entry=4))
    world.do(events.FINISH)
    assert world.sanction.met == "no"
    world.node.be_honest()
    assert world.read().covered == [1, 2, 3, 4]
    assert world.sanction.met == "yes"
    world.assert_whole()


def test_what_a_judge_let_pass_and_turns_out_short_is_not_sanctioned(world: World) -> None:
    four(world)
    world.read()
    world.move(ANN, EVE, TOKEN)
    world.pair()
    world.wait()
    world.node.tell(DOWN)
    world.read()
    world.do(epochs.OVERRIDE, epochs.Override(everybody=True, reason="no node answers"))
    world.publish()
    world.node.be_honest()
    assert world.read().short == [1]
    assert conditions(world)["everybody who played was proven"] == "no"


def test_only_judges_override_with_a_reason_and_only_where_something_is_to_be_decided(world: World) -> None:
    four(world)
    world.read()
    said = epochs.Override(entries=[1], reason="because")
    with pytest.raises(NothingToOverride, match="1 have their cards"):
        world.do(epochs.OVERRIDE, said)
    with pytest.raises(NothingToOverride):
        world.do(epochs.OVERRIDE, epochs.Override(everybody=True, reason="because"))
    with pytest.raises(EntryNotFound):
        world.do(epochs.OVERRIDE, epochs.Override(entries=[99], reason="because"))
    assert epochs.OVERRIDE.roles == {Role.ORGANIZER, Role.JUDGE}
    assert Role.DESK not in epochs.READ.roles | epochs.OPEN.roles
    with pytest.raises(ValueError, match="reason"):
        epochs.Override(entries=[1])


def test_one_lying_endpoint_of_three_is_no_majority_and_is_not_named_in_the_log(one: Database) -> None:
    with started(one, nodes=3) as world:
        world.announce()
        world.wait(1, cards(ANN))
        world.enter("ann")
        world.wait(60)
        world.node.tell(lies.invents())
        fact = world.read()
        assert "disagree" in fact.trouble
        assert world.outcomes(1) == {}
        log = world.in_log
        for endpoint in world.nodes.endpoints:
            assert endpoint.name not in log
        world.node.be_honest()
        assert world.read().covered == [1]


# --- reorganisations --------------------------------------------------------------------------------------------------


def test_a_reorganisation_after_check_in_voids_the_epoch_which_is_read_anew(either: World) -> None:
    world = either
    four(world, block_depth=1)
    world.chain.mine()
    first = world.read()
    world.chain.reorganise(world.chain.head.number - first.block.number + 2, {**ALL, (ANN, TOKEN): 0})
    world.now += timedelta(hours=1)
    for _ in range(400):
        world.chain.mine()
    again = world.read()
    assert again.epoch == first.epoch
    assert again.block.hash != first.block.hash
    assert (first.covered, again.short) == ([1, 2, 3, 4], [1])
    assert world.epochs[0].voided == 1
    world.assert_whole()


def test_a_round_whose_epoch_left_the_chain_is_not_begun_before_it_is_read_again(world: World) -> None:
    four(world, block_depth=1)
    world.pair()
    world.wait()
    world.chain.mine()
    world.read()
    assert world.outcomes(2) == dict.fromkeys((1, 2, 3, 4), "covered")
    depth = world.chain.head.number - world.epochs[1].block_number + 2
    world.chain.reorganise(depth)
    for _ in range(400):
        world.chain.mine()
    world.do(epochs.OPEN)
    world.wait(90)
    world.chain.mine()
    world.publish()
    assert [epoch.voided for epoch in world.epochs][1] == 1
    assert all(epoch.read is not None for epoch in world.epochs)
    world.assert_whole()


# --- other events -----------------------------------------------------------------------------------------------------


def second_event(world: World, *names: str, **announced: Any) -> World:
    """Another event on the same server, with the same wallets."""
    other = World(world.database, world.chain, world.node, world.nodes, now=world.now)
    usual = {"starts_at": (world.now + timedelta(hours=2)).isoformat()}
    other.create(**{**usual, **announced})
    with world.database.writing() as session:
        row = store.find_event(session, other.event)
        assert row is not None
    other.open()
    for name in names:
        other.enter(name)
    return other


def test_a_unit_that_is_set_aside_in_one_event_is_not_countable_in_another_that_overlaps(either: World) -> None:
    world = either
    four(world)
    world.read()
    other = second_event(world, "ann")
    other.wait(61)
    assert other.read().short == [1]
    [words, *_] = words_of(other, 1)[1]
    assert words.startswith(
        f"{FOO.units} of {FOO.units} {FOO.card}: set aside elsewhere: {FOO.units} by ann in Spring Open since "
        "2026-01-31 13:3"
    )
    [told, *_] = words_of(other, 1, for_staff=False)[1]
    assert "ann" not in told
    assert "by Spring Open since" in told


def test_what_an_event_set_aside_is_free_when_the_player_leaves_or_the_event_is_over(world: World) -> None:
    four(world)
    world.read()
    world.do(entries.DROP, entries.Leave(entry=1))
    other = second_event(world, "ann", "bob")
    other.wait(61)
    fact = other.read()
    assert (fact.covered, fact.short) == ([1], [2])
    world.do(events.VOID, events.Void(reason="rain"))
    third = second_event(other, "bob")
    third.wait(61)
    assert third.read().covered == [1]


def test_who_was_first_keeps_the_units_when_both_events_look_again(world: World) -> None:
    four(world)
    world.read()
    other = second_event(world, "ann")
    other.wait(61)
    other.read()
    world.now = other.now
    world.play()
    assert world.outcomes(2) == dict.fromkeys((1, 2, 3, 4), "covered")
    other.now = world.now
    other.close()
    other.wait()
    other.do(epochs.OPEN)
    other.wait()
    assert other.read().short == [1]


def test_units_beyond_what_the_other_event_needs_are_countable(world: World) -> None:
    world.announce()
    world.wait(1, {at: 2 * units for at, units in cards(ANN).items()})
    world.enter("ann")
    world.wait(61)
    world.read()
    other = second_event(world, "ann")
    other.wait(61)
    assert other.read().covered == [1]


# --- families ---------------------------------------------------------------------------------------------------------


def test_a_wallet_that_serves_two_by_a_split_covers_both_if_it_has_enough_for_both(world: World) -> None:
    world.announce()
    enough = {at: 2 * units for at, units in cards(ANN).items()}
    world.wait(1, {**enough, (ANN, TOKEN): 2 * FOO.units - 1})
    share = {need.token_ids[0]: need.units for need in DECK.needs}
    for name in ("ann", "bob"):
        number = world.do(entries.ADD, entries.Add(name=name)).entry
        decklists.hand_in(world.database, world.ask(), decklists.HandIn(entry=number, decklist=LIST))
        world.link(number, ANN, share)
    world.wait(60)
    fact = world.read()
    assert (fact.covered, fact.short) == ([1], [2])
    [words] = words_of(world, 2)[1]
    assert words.startswith(f"1 of {FOO.units} {FOO.card}")


def test_several_wallets_of_a_player_add_up(world: World) -> None:
    world.announce()
    world.wait(1, {**cards(ANN, but={FOO.card: 1}), (BOB, TOKEN): 1})
    world.enter("ann", ANN, BOB)
    world.wait(60)
    assert world.read().covered == [1]


# --- the cut ----------------------------------------------------------------------------------------------------------


def test_the_cut_is_opened_by_an_epoch_too(world: World) -> None:
    four(world, cut="size", cut_size=2)
    world.play()
    world.now += timedelta(seconds=1)
    with pytest.raises(BlockNotYet):
        world.start_cut()
    world.wait()
    assert world.start_cut().epoch == 3
    assert world.outcomes(3) == dict.fromkeys((1, 2, 3, 4), "covered")
    world.assert_whole()


# --- what is kept where -----------------------------------------------------------------------------------------------


def test_the_log_has_no_wallet_no_card_and_no_endpoint(world: World) -> None:
    four(world)
    world.play()
    world.move(ANN, EVE, TOKEN)
    world.play()
    log = world.in_log.lower()
    for secret in (ANN, BOB, EVE, FOO.card, str(TOKEN), world.node.url, world.nodes.endpoints[0].name):
        assert secret.lower() not in log
    *_, newest = world.look(lambda session, event: list(store.log_of(session, event.id, ["epoch.read"])))
    assert json.loads(newest.fact)["short"] == [1]


def test_what_the_endpoints_said_is_kept_under_the_digest_that_the_log_has(world: World) -> None:
    four(world)
    fact = world.read()
    kept = world.look(lambda session, event: store.find_sealed(session, event.id, fact.digest))
    assert commitment_of(kept.text, kept.salt) == fact.digest
    [epoch] = looks.opened(kept.text)
    assert epoch["block"]["hash"] == fact.block.hash
    calls = [one for one in epoch["exchanges"] if one["method"] == "eth_call"]
    assert any(ANN[2:].lower() in json.dumps(one["params"]) for one in calls)
    assert {one["endpoint"] for one in epoch["exchanges"]} == {1}


def test_publishing_can_be_undone_and_the_epoch_stays(world: World) -> None:
    four(world)
    world.pair()
    world.wait()
    world.publish()
    asked = undo.Undo(sequence=world.row.version, reason="too early")
    undo.undo(world.database, world.ask(), asked)
    assert world.sanction.met == "not yet"
    assert world.outcomes(2) == dict.fromkeys((1, 2, 3, 4), "covered")
    world.publish()
    world.assert_whole()


def test_questions_to_the_database_do_not_grow_with_players(either: World) -> None:
    world = either
    counts = []
    for players in (3, 30):
        other = second_event(world)
        for number in range(players):
            other.enter(f"p{players} {number}")
        other.wait(61, {at: u for n in range(players) for at, u in cards(wallet(f"p{players} {n}")).items()})
        asked: list[str] = []
        listen = lambda *words: asked.append(words[2])  # noqa: E731, B023
        engine_event.listen(world.database.engine, "before_cursor_execute", listen)
        fact = other.read()
        other.sanction  # noqa: B018
        engine_event.remove(world.database.engine, "before_cursor_execute", listen)
        assert len(fact.covered) == players
        counts.append(len(asked))
        other.do(events.VOID, events.Void(reason="rain"))
        world.now = other.now
    assert counts[0] == counts[1]


def test_everybody_is_told_that_an_epoch_was_read_and_nobody_who_has_which_cards(world: World) -> None:
    short(world, "drop").read()
    lines = world.look(lambda session, event: news.read_since(session, event.id, 0, limit=100))
    [told] = [news.told(world.event, line) for line in lines if line.name == "epoch.read"][-1:]
    assert told.public is not None
    assert told.public.topics == ["ownership", "entries"]
    assert told.public.model_dump(exclude_none=True).keys() == {"event", "version", "topics", "at", "phase"}


# --- any life ---------------------------------------------------------------------------------------------------------

LIFE = 80
NAMES = ("ann", "bob", "cat", "dan", "eve", "flo")


@pytest.mark.parametrize("seed", range(3))
def test_a_random_life_with_epochs_gives_the_same_tables_from_its_log(world: World, seed: int) -> None:
    rng = random.Random(seed)
    world.announce(if_short=rng.choice(list(IfShort)), block_depth=1)
    world.wait(1, {**ALL, **cards(EVE), **cards(wallet("flo"))})
    for name in NAMES[:4]:
        world.enter(name)
    world.begin()
    done = {name for _ in range(LIFE) if (name := _something(world, rng))}
    assert {"epoch.open", "epoch.read", "epoch.override", "round.publish"} <= done | _in_log(world)
    world.assert_whole()
    assert world.sanction.met in {"no", "not yet"}


def _something(world: World, rng: random.Random) -> str | None:
    """Mostly what comes next, now and then a mishap; what was carried out."""
    entry, other = rng.randint(1, 6), wallet(rng.choice(NAMES))
    acts: list[Callable[[], object]] = [
        *[lambda: world.wait(rng.choice([0.2, 1, 30]))] * 6,
        *[world.pair] * 4,
        *[world.publish] * 4,
        *[lambda: world.results(world.look(lambda session, event: store.last_published(session, event.id)))] * 4,
        *[world.read] * 2,
        lambda: world.do(epochs.OPEN),
        *[lambda: world.do(epochs.OVERRIDE, epochs.Override(entries=[entry], reason="I saw the cards"))] * 4,
        lambda: world.do(epochs.OVERRIDE, epochs.Override(everybody=True, reason="no node answers")),
        lambda: world.move(wallet(rng.choice(NAMES)), other, TOKEN),
        lambda: world.do(entries.DROP, entries.Leave(entry=entry)),
        lambda: world.do(entries.RETURN, entries.Leave(entry=entry)),
        lambda: world.enter(rng.choice(NAMES[4:])),
        lambda: world.chain.reorganise(min(rng.randint(1, 3), world.chain.head.number - 2)),
        lambda: world.node.tell(DOWN),
        *[world.node.be_honest] * 3,
        lambda: world.publish(unproven=True, reason="the venue has no network"),
    ]
    before = world.row.version
    with suppress(TournamentError, VerifierError):
        rng.choice(acts)()
    if world.row.version == before:
        return None
    return str(world.look(lambda session, event: store.log_row(session, event.id, event.version)).name)


def _in_log(world: World) -> set[str]:
    names = ["epoch.open", "epoch.read", "epoch.override", "round.publish"]
    return {row.name for row in world.look(lambda session, event: list(store.log_of(session, event.id, names)))}


# --- what nodes do ----------------------------------------------------------------------------------------------------


def _while_balances_are_asked(world: World, act: Callable[[], object]) -> None:
    done: list[object] = []

    def lie(question: Question, honest: Answerer) -> object:
        if question.asks_balances and not done:
            done.append(True)
            act()
        return honest(question)

    world.node.tell(lie)
