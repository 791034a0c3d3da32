"""Passes of events in which players prove their cards: what a pass says of it, and a reorganisation."""

from collections.abc import Iterator, Mapping
from dataclasses import replace
from datetime import timedelta

import pytest

from tests.tournament.owning import FOO, World, cards, started, wallet
from tournament import store
from tournament.database import Database
from tournament.domain.announcement import IfShort
from tournament.errors import PassNotDue, PassNotGood
from tournament.service import entries, epochs, pass_books, pass_desks, passes, scans
from verifier.holdings import Address, TokenId
from verifier.passes import (
    DeskKey,
    Mark,
    Ownership,
    Sheet,
    Shown,
    SignedPass,
    SigningKey,
    Step,
    check_pass,
    write_payload,
    write_scan,
)
from verifier.testkit import lies

DOWN = lies.drops(10**9)


@pytest.fixture
def either(database: Database) -> Iterator[World]:
    with started(database) as world:
        yield world


@pytest.fixture
def world(embedded: Database) -> Iterator[World]:
    with started(embedded) as world:
        yield world


def give(world: World, entry: int, who: str = "ann") -> passes.Given:
    given: passes.Given = world.do(passes.ISSUE, passes.Issue(entry=entry), who).given
    return given


def signed(world: World, serial: int) -> SignedPass:
    with world.database.reading() as session:
        return passes.signed(session, world.ask().codes, passes.numbered(session, world.event, serial).row)


def text(world: World, serial: int) -> str:
    return write_payload(Shown(signed(world, serial)))


def sheet(world: World) -> Sheet:
    found: Sheet = world.look(lambda session, event: pass_desks.sheet(session, event, world.ask().codes, world.now))
    return found


def now(world: World) -> int:
    return int(world.now.timestamp())


def owners(world: World, *names: str, **policy: object) -> list[int]:
    """An event with open registration, and players who own their cards; the first look is over."""
    world.announce(**policy)
    world.wait(1, {key: units for name in names for key, units in cards(wallet(name)).items()})
    return [world.enter(name) for name in names]


# --- keys


def test_the_manifest_names_the_keys_and_its_hash_is_in_each_pass(either: World) -> None:
    (ann, _) = owners(either, "ann", "bob")
    either.begin()
    either.read()
    made = signed(either, give(either, ann).serial)
    book = either.look(lambda session, event: pass_books.book_of(session, event.id))
    assert len(book.terms.keys) == 4
    assert "0x" + made.deck_pass.event_id.hex() == either.row.manifest_id
    assert made.signer(book.terms.chain_id) == book.terms.keys[0]
    assert book.terms.chain_id == either.chain.chain_id
    either.assert_whole()


def test_opening_passes_by_hand_is_what_opening_registration_has_done(world: World) -> None:
    world.announce()
    before = world.row.version
    world.do(pass_books.OPEN)
    assert world.row.version == before


# --- what a pass says of ownership


def test_before_cards_were_looked_at_nobody_gets_a_pass(world: World) -> None:
    (ann, _) = owners(world, "ann", "bob")
    with pytest.raises(PassNotDue, match="nobody has looked at the cards yet"):
        give(world, ann)


def test_a_verdict_on_another_list_or_other_wallets_gives_no_pass(world: World) -> None:
    (ann, bob) = owners(world, "ann", "bob")
    world.begin()
    world.read()
    world.link(ann, wallet("another wallet"))
    with pytest.raises(PassNotDue, match="nobody has looked at the cards yet"):
        give(world, ann)
    assert [given.entry for given in world.do(passes.ISSUE_ALL, passes.IssueAll()).given] == [bob]
    world.read()
    assert give(world, ann).policy == Ownership.COVERED


def test_a_covered_player_s_pass_names_the_block_at_which_the_copies_were_counted(world: World) -> None:
    (ann, _) = owners(world, "ann", "bob")
    world.begin()
    read = world.read()
    made = signed(world, give(world, ann, f"entry:{ann}").serial).deck_pass
    assert made.policy is Ownership.COVERED
    assert (made.epoch_block, "0x" + made.epoch_block_hash.hex()) == (read.block.number, read.block.hash)
    assert (made.deck_commit.hex(),) == (world.look(lambda s, e: store.find_deck(s, e.id, ann)).commitment,)


@pytest.mark.parametrize(("policy", "said"), [(IfShort.FLAG, Ownership.FLAGGED), (IfShort.WARN, Ownership.FLAGGED)])
def test_where_the_event_only_flags_it_a_pass_says_that_copies_are_missing(
    world: World, policy: IfShort, said: Ownership
) -> None:
    world.announce(if_short=policy)
    world.wait(1, {**cards(wallet("ann"), but={FOO.card: 1}), **cards(wallet("bob"))})
    ann, _ = world.enter("ann"), world.enter("bob")
    world.begin()
    world.read()
    assert signed(world, give(world, ann).serial).deck_pass.policy is said


def test_where_who_is_short_is_dropped_there_is_no_pass_unless_a_judge_lets_the_player_in(world: World) -> None:
    world.announce(if_short=IfShort.DROP)
    world.wait(1, {**cards(wallet("ann"), but={FOO.card: 1}), **cards(wallet("bob"))})
    ann, _ = world.enter("ann"), world.enter("bob")
    world.begin()
    world.read()
    with pytest.raises(PassNotDue, match="the player left; cards are missing"):
        give(world, ann)
    world.do(entries.RETURN, entries.Return(entry=ann))
    world.do(epochs.OVERRIDE, epochs.Override(entries=[ann], reason="a sponsor's deck"))
    assert signed(world, give(world, ann).serial).deck_pass.policy is Ownership.ALLOWED


def test_undetermined_is_no_pass_and_a_judge_may_let_everybody_in(world: World) -> None:
    (ann, bob) = owners(world, "ann", "bob")
    world.begin()
    world.node.tell(DOWN)
    world.read()
    with pytest.raises(PassNotDue, match="nobody has looked"):
        give(world, ann)
    world.do(epochs.OVERRIDE, epochs.Override(everybody=True, reason="no node answers"))
    made = signed(world, give(world, ann).serial).deck_pass
    assert (made.policy, made.epoch_block_hash) == (Ownership.ALLOWED, bytes(32))
    fact = world.do(passes.ISSUE_ALL)
    assert [one.entry for one in fact.given] == [bob]


# --- a reorganisation after check-in


def two(world: World) -> tuple[int, int]:
    """Ann and bob have their cards and their passes 1 and 2."""
    (ann, bob) = owners(world, "ann", "bob", block_depth=1)
    world.begin()
    world.chain.mine()
    world.read()
    assert [give(world, entry).serial for entry in (ann, bob)] == [1, 2]
    return ann, bob


def reorganise(world: World, balances: Mapping[tuple[Address, TokenId], int] | None = None) -> None:
    """The block of the first epoch leaves the chain; what comes then has other hashes, and perhaps other owners."""
    depth = world.chain.head.number - (world.epochs[0].block_number or 0) + 2
    world.chain.reorganise(depth, None if balances is None else dict(balances))
    world.now += timedelta(hours=1)
    for _ in range(400):
        world.chain.mine()


def why_revoked(world: World, serial: int) -> str:
    found: str = world.look(lambda session, event: store.find_pass(session, event.id, serial)).why_revoked
    return found


def test_a_reorganisation_after_check_in_voids_the_epoch_and_passes_are_made_again(either: World) -> None:
    ann, bob = two(either)
    old, at_the_door = [text(either, serial) for serial in (1, 2)], sheet(either)
    reorganise(either)
    either.read()
    assert either.epochs[0].voided == 1
    assert [why_revoked(either, serial) for serial in (1, 2)] == [
        "the block at which copies were counted left the chain"
    ] * 2
    newest = either.look(lambda session, event: store.last_passes(session, event.id))
    assert [newest[entry].serial for entry in (ann, bob)] == [3, 4]
    assert "0x" + signed(either, 3).deck_pass.epoch_block_hash.hex() == either.epochs[0].block_hash
    known = sheet(either).briefing
    refused = [check_pass(one, known, used={}, at=now(either)).problems[0] for one in old]
    assert [words.partition(";")[0] for words in refused] == ["pass 1 was revoked", "pass 2 was revoked"]
    assert check_pass(text(either, 3), known, used={}, at=now(either)).good
    assert check_pass(old[0], at_the_door.briefing, used={}, at=now(either)).good  # at a desk that has not heard of it
    either.assert_whole()


def test_who_turns_out_short_after_a_reorganisation_gets_no_pass_again(world: World) -> None:
    world.announce(block_depth=1, if_short=IfShort.DROP)
    world.wait(1, {**cards(wallet("ann")), **cards(wallet("bob"))})
    ann, bob = world.enter("ann"), world.enter("bob")
    world.begin()
    world.chain.mine()
    world.read()
    for entry in (ann, bob):
        give(world, entry)
    reorganise(world, {**cards(wallet("ann"), but={FOO.card: 1}), **cards(wallet("bob"))})
    world.read()
    newest = world.look(lambda session, event: store.last_passes(session, event.id))
    assert {entry: row.serial for entry, row in newest.items() if row.revoked is None} == {bob: 3}
    assert why_revoked(world, 1) == passes.Why.BLOCK_GONE
    version = world.row.version
    world.read()
    assert world.row.version == version  # nobody is left to be renewed
    world.assert_whole()


def test_a_scan_with_a_pass_whose_block_left_the_chain_is_no_matter(world: World) -> None:
    ann, bob = two(world)
    chain_id = world.chain.chain_id
    desk = DeskKey(SigningKey(b"\x0b" * 32), chain_id)
    world.do(pass_desks.ENROL, pass_desks.Enrol(address=desk.key.address, name="north door"))
    before = desk.scan(signed(world, 1), now(world), None)
    reorganise(world)
    world.read()
    after = desk.scan(signed(world, 2), now(world) + 3600, before)  # by a desk that had not heard of it
    fact = world.do(scans.SYNC, scans.Sync(scans=list(map(write_scan, (before, after)))))
    assert [(one.entry, one.doubt) for one in fact.scans] == [(ann, ""), (bob, "")]
    assert world.look(lambda session, event: store.unsettled_of(session, event.id)) == []


# --- a pass for another chain or event


def test_a_pass_of_one_event_is_worth_nothing_at_another_and_on_another_chain(world: World) -> None:
    two(world)
    mine, good = sheet(world), text(world, 1)
    other = World(world.database, world.chain, world.node, world.nodes, now=world.now)
    other.create(starts_at=world.now + timedelta(hours=3)).open()
    (event,) = [
        one for one in check_pass(good, sheet(other).briefing, used={}, at=now(world)).findings if one.mark is Mark.BAD
    ]
    assert event.step is Step.EVENT
    elsewhere = replace(mine.briefing, chain_id=world.chain.chain_id + 1)
    (signature,) = [one for one in check_pass(good, elsewhere, used={}, at=now(world)).findings if one.mark is Mark.BAD]
    assert signature.step is Step.SIGNATURE
    with pytest.raises(PassNotGood, match="a pass for another event"):
        other.do(scans.SCAN, scans.Show(text=good))
