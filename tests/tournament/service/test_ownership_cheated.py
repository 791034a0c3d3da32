"""Who tries to be counted twice, to keep others from playing, or to hold the server up; clocks and orders that lie."""

import random
from collections import Counter
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from datetime import timedelta
from threading import Event, Thread

import pytest

from tests.tournament.linking import Practice, give, link, signed, split, text_for, wallets_of
from tests.tournament.owning import CODES, DECK, FOO, LIST, World, cards, started, wallet
from tests.tournament.service.test_wallets import differences, shares_for, sign_in, with_list
from tests.verifier.signing import key_of
from tournament import store
from tournament.database import Database
from tournament.errors import ChainBusy, ClockBehind, ErasureTooEarly, OwnershipUnproven, SplitRefused
from tournament.service import (
    decklists,
    entries,
    epochs,
    events,
    evidence,
    merging,
    ownership,
    privacy,
    repairs,
    undo,
    wallets,
)
from tournament.service.nodes import Places
from tournament.service.readings import balances_of, units_in
from verifier.contracts import MemoryContracts
from verifier.coverage import Need
from verifier.holdings import Address, Block, BlockHash, TokenId
from verifier.testkit import lies

ANN, BOB, CAT = (key_of(name) for name in ("ann", "bob", "cat"))
TOKEN = FOO.token_ids[0]
DOWN = lies.drops(10**9)


@pytest.fixture
def world(one: Database) -> Iterator[World]:
    with started(one) as world:
        yield world.announce()


def two(world: World) -> tuple[int, int]:
    """Two players who have their cards, at check-in."""
    first, second = with_list(world), with_list(world)
    world.wait(1, {**cards(ANN.address), **cards(BOB.address)})
    link(world, first, ANN)
    link(world, second, BOB)
    world.begin()
    return first, second


def audited(world: World) -> list[str]:
    """What an audit of the event's evidence, all of it opened, has against it."""
    bundle = world.look(lambda session, event: evidence.write(session, event, CODES, everything=True))
    return [f"{check.name}: {fault}" for check in evidence.audit(bundle).checks for fault in check.faults]


# --- shares -----------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("first", [0, 1])
def test_who_is_named_last_in_a_split_goes_short_first_whatever_the_numbers_are(world: World, first: int) -> None:
    family = [with_list(world), with_list(world)]
    order = [family[first], family[1 - first]]
    world.wait(1, cards(ANN.address))
    split(world, family[0], ANN, shares_for(*order))
    world.begin()
    world.read()
    assert world.outcomes(1) == {order[0]: "covered", order[1]: "short"}
    assert differences(world) == []
    assert audited(world) == []


def test_shares_of_strangers_take_no_room_from_the_wallets_of_an_entry(world: World) -> None:
    victim, stranger = with_list(world), with_list(world)
    for number in range(wallets.MOST_LENT):
        split(world, stranger, key_of(f"key {number}"), {victim: {TOKEN: 1}, stranger: {TOKEN: 1}})
    with pytest.raises(SplitRefused, match=f"number {victim} has 6 shares"):
        split(world, stranger, key_of("one more"), {victim: {TOKEN: 1}, stranger: {TOKEN: 1}})
    for number in range(wallets.MOST_WALLETS):
        link(world, victim, key_of(f"own {number}"))
    assert len(wallets_of(world, victim)) == wallets.MOST_LENT + wallets.MOST_WALLETS


def test_nobody_makes_a_verdict_of_somebody_else_void_by_giving_a_share(world: World) -> None:
    victim, stranger = two(world)
    world.read()
    with pytest.raises(SplitRefused, match="was looked at already"):
        split(world, stranger, CAT, {stranger: {TOKEN: 1}, victim: {TOKEN: 1}})
    known = world.look(lambda session, event: ownership.verdicts_now(session, event.id, world.epochs[0]))
    assert {entry: one.outcome for entry, one in known.items()} == {victim: "covered", stranger: "covered"}


def test_a_family_that_comes_late_may_still_split_a_wallet(world: World) -> None:
    two(world)
    world.read()
    mother, child = with_list(world), with_list(world)
    split(world, mother, CAT, shares_for(mother, child))
    assert len(wallets_of(world, child)) == 1


def test_what_a_wallet_lends_is_not_erased_while_somebody_plays_with_it(world: World) -> None:
    lender, player_ = with_list(world), with_list(world)
    split(world, lender, ANN, shares_for(lender, player_))
    world.do(entries.DROP, entries.Leave(entry=lender))
    with pytest.raises(ErasureTooEarly, match="nobody else plays with"):
        world.do(privacy.ERASE, privacy.Erase(entry=lender, reason="the player asked"))
    world.do(privacy.ERASE_LISTS, privacy.EraseLists(entry=lender, reason="the player asked"))
    world.do(entries.DROP, entries.Leave(entry=player_))
    world.do(privacy.ERASE, privacy.Erase(entry=lender, reason="the player asked"))


def test_whoever_split_a_wallet_signs_in_by_it_after_a_merge_into_the_other(world: World) -> None:
    mother, child = with_list(world), with_list(world)
    split(world, mother, ANN, shares_for(mother, child))
    world.do(merging.MERGE, merging.Merge(entry=child, void=mother))
    assert sign_in(world, ANN)[1] == child
    assert differences(world) == []


# --- two events -------------------------------------------------------------------------------------------------------


def elsewhere(world: World, owner: Address) -> World:
    """Another event of the server, whose one player has that wallet, after its first look."""
    other = World(world.database, world.chain, world.node, world.nodes, now=world.now)
    other.announce(starts_at=(world.now + timedelta(hours=2)).isoformat())
    other.enter("somebody else", owner)
    other.wait(61)
    other.read()
    world.now = other.now
    return other


def test_who_left_and_comes_back_has_not_the_units_first_that_another_event_set_aside_meanwhile(world: World) -> None:
    first, second = two(world)
    world.play()
    world.do(entries.DROP, entries.Leave(entry=first))
    other = elsewhere(world, ANN.address)
    assert other.outcomes(1) == {1: "covered"}
    world.do(entries.RETURN, entries.Leave(entry=first))
    world.wait()
    world.do(epochs.OPEN)
    world.wait()
    assert (world.read().short, world.outcomes(3)[second]) == ([first], "covered")
    other.now = world.now
    other.close()
    other.do(epochs.OPEN)
    other.wait()
    assert other.read().covered == [1]


def test_an_event_that_is_over_and_goes_on_after_all_has_not_the_units_first(world: World) -> None:
    first, _ = two(world)
    world.play()
    world.do(events.FINISH)
    other = elsewhere(world, ANN.address)
    assert other.outcomes(1) == {1: "covered"}
    undo.undo(world.database, world.ask(), undo.Undo(sequence=world.row.version, reason="one more round"))
    world.wait()
    world.do(epochs.OPEN)
    world.wait()
    assert world.read().short == [first]


# --- late into a round ------------------------------------------------------------------------------------------------


def leaving(world: World, entry: int) -> repairs.Repair:
    asked = repairs.Mistake(leaves=entry)
    found = world.look(lambda session, event: repairs.situation(session, event, asked))
    return repairs.Repair(leaves=entry, option=found.offered[0].option)


def sit_down(world: World, entry: int) -> object:
    asked = repairs.Mistake(sits_down=entry)
    found = world.look(lambda session, event: repairs.situation(session, event, asked))
    return world.do(repairs.REPAIR, repairs.Repair(sits_down=entry, option=found.offered[0].option))


def test_nobody_comes_into_a_round_that_is_played_without_the_cards_for_it(world: World) -> None:
    two(world)
    world.wait(1, cards(CAT.address))
    world.pair()
    world.wait()
    world.publish()
    late, other = with_list(world), with_list(world)
    link(world, late, CAT)
    with pytest.raises(OwnershipUnproven, match="nobody has looked"):
        sit_down(world, late)
    assert world.read().short == [late]  # bought after the first epoch
    sit_down(world, late)  # the event flags, and does not drop
    with pytest.raises(OwnershipUnproven, match="no wallet is linked"):
        sit_down(world, other)
    word = epochs.Override(entries=[other], reason="her wallet is on the projector")
    world.do(epochs.OVERRIDE, word)
    sit_down(world, other)
    assert world.look(lambda session, event: store.seated_in(session, event.id, 1)) == {1, 2, late, other}


def test_who_was_covered_left_and_comes_back_with_another_list_is_looked_at_first(world: World) -> None:
    two(world)
    world.pair()
    world.wait()
    world.publish()
    world.do(repairs.REPAIR, leaving(world, 2))
    with world.database.writing() as session:
        session.connection().exec_driver_sql("UPDATE verdict SET basis = 'another list' WHERE entry = 2")
    with pytest.raises(OwnershipUnproven, match="nobody has looked"):
        sit_down(world, 2)


# --- clocks and orders ------------------------------------------------------------------------------------------------


def test_a_clock_that_was_set_back_opens_no_epoch_at_a_block_before_a_sale(world: World) -> None:
    two(world)
    world.play()
    world.wait(10, {(ANN.address, TOKEN): 0})
    world.now -= timedelta(minutes=15)
    with pytest.raises(ClockBehind, match="set the clock right"):
        world.pair()
    assert len(world.epochs) == 2
    world.now += timedelta(minutes=15)
    world.pair()
    world.wait()
    world.read()
    assert world.outcomes(3)[1] == "short"


def test_a_clock_that_was_a_day_ahead_for_a_while_holds_no_epoch_up(world: World) -> None:
    two(world)
    world.play()
    world.now += timedelta(days=1)
    world.do(entries.DROP, entries.Leave(entry=2))
    world.do(entries.RETURN, entries.Leave(entry=2))
    world.now -= timedelta(days=1)
    world.pair()
    world.wait()
    world.read()
    assert world.outcomes(3) == {1: "covered", 2: "covered"}


def test_clocks_that_differ_by_seconds_open_an_epoch_no_earlier_than_the_one_before(world: World) -> None:
    two(world)
    world.play()
    known = world.row.version
    world.now -= timedelta(seconds=30)
    world.pair()
    last = world.look(lambda session, event: store.log_row(session, event.id, known).at)
    assert world.epochs[-1].opens_at >= world.now.timestamp() + 30, last


def test_an_epoch_that_is_named_is_read_once_though_later_ones_wait(world: World) -> None:
    """It was read over and over, for ever."""
    two(world)
    world.read()
    world.do(epochs.OPEN)
    world.wait()
    before = len(world.node.questions)
    assert world.read(epoch=1).covered == [1, 2]
    assert len(world.node.questions) - before < 20
    assert world.epochs[-1].read is None


def test_an_epoch_that_is_read_after_later_ones_takes_away_from_them_and_sets_nothing_aside(world: World) -> None:
    first, _ = two(world)
    world.play()
    world.wait(1, {(ANN.address, TOKEN): 0})
    world.pair()
    world.wait()
    world.node.tell(DOWN)
    with pytest.raises(OwnershipUnproven):
        world.publish()
    world.do(epochs.OVERRIDE, epochs.Override(everybody=True, reason="no node answers"))
    world.publish()
    world.results(2)
    world.node.be_honest()
    world.wait(1, {(ANN.address, TOKEN): FOO.units})
    world.do(epochs.OPEN)
    world.wait()
    world.read(epoch=4)
    assert world.outcomes(4)[first] == "covered"
    assert world.read(epoch=3).short == [first]

    def counted(session: object, event: object) -> tuple[int, int]:
        least = balances_of(store.least_before(session, event.id, 5))  # type: ignore[arg-type, attr-defined]
        aside = {row.entry: row.units for row in store.allocations_of(session, event.id)}  # type: ignore[arg-type, attr-defined]
        return least[ANN.address][TOKEN], aside[first].count(f"{TOKEN}:")

    assert world.look(counted) == (0, 0)
    world.do(epochs.OPEN)
    world.wait()
    world.read()
    assert world.outcomes(world.epochs[-1].number)[first] == "short"
    world.assert_whole()


def test_an_epoch_that_is_read_after_later_ones_sets_nothing_aside_that_was_sold_since(world: World) -> None:
    first, _ = two(world)
    world.play()
    world.wait()
    world.pair()
    world.wait()
    world.do(epochs.OVERRIDE, epochs.Override(everybody=True, reason="nobody asks"))
    world.publish()
    world.results(2)
    world.wait(1, {(ANN.address, TOKEN): 0})
    world.do(epochs.OPEN)
    world.wait()
    assert world.read(epoch=4).short == [first]
    assert world.read(epoch=3).covered == [1, 2]
    assert set_aside(world)[ANN.address, TOKEN] == 0
    assert set_aside(world)[BOB.address, TOKEN] == FOO.units
    assert audited(world) == []


# --- a chain that is slow ---------------------------------------------------------------------------------------------


class Slow(MemoryContracts):
    """A chain in which every contract thinks until it is let go."""

    def __init__(self) -> None:
        super().__init__(31337, Block(1, BlockHash("0x" + "11" * 32), 0))
        self.asked, self.go = Event(), Event()

    def code(self, *_: object) -> bytes:
        self.asked.set()
        self.go.wait(20)
        return b""


def test_who_waits_for_a_slow_chain_takes_no_place_from_who_signs_with_a_key(world: World) -> None:
    first, second = with_list(world), with_list(world)
    slow = Slow()
    world.nodes = Practice.over(slow)
    world.nodes.for_players.most = 1
    waiting = text_for(world, first, CAT.address)
    answer = {**signed(ANN, waiting), "nonce": waiting.nonce}

    def wait() -> None:
        with pytest.raises(Exception, match="no contract"):
            give(world, first, answer)

    thread = Thread(target=wait)
    thread.start()
    try:
        assert slow.asked.wait(20)
        with pytest.raises(ChainBusy) as refused:
            give(world, second, signed(ANN, text_for(world, second, CAT.address)))
        assert not refused.value.yours
        link(world, second, BOB)
    finally:
        slow.go.set()
        thread.join()


def test_one_asker_has_few_of_the_places_and_gives_them_back_after_a_refusal() -> None:
    places = Places(3, 2)
    with places.take("one"), places.take("one"):
        with pytest.raises(ChainBusy) as refused, places.take("one"):
            pass
        assert refused.value.yours
        with places.take("other"), pytest.raises(ChainBusy) as full, places.take("third"):
            pass
        assert not full.value.yours
    with pytest.raises(ZeroDivisionError), places.take("one"):
        raise ZeroDivisionError
    with places.take("one"), places.take("one"):
        pass


# --- any life, against a ledger that is written another way -----------------------------------------------------------


@dataclass
class Reference:
    """Who can be covered at the newest epoch, from what the chain itself has, and by a flow of units to players."""

    world: World
    served: dict[Address, tuple[int, ...]] = field(default_factory=dict)
    """By wallet: whom it serves, in order; if there are several, each with what the list needs."""
    read_at: dict[Address, set[int]] = field(default_factory=dict)

    def serve(self, owner: Address, *whom: int) -> None:
        self.served[owner], self.read_at[owner] = whom, {1}

    def saw(self, epoch: int) -> None:
        for epochs_ in self.read_at.values():
            epochs_.add(epoch)

    def countable(self, owner: Address, token: TokenId) -> int:
        blocks = {row.number: row.block_number for row in self.world.epochs if row.read is not None}
        held = {block.number: balances for block, balances in self.world.chain.history.items()}
        return min(held[blocks[one]].get((owner, token), 0) for one in self.read_at[owner] if one in blocks)

    def parts(self, need: Need) -> dict[tuple[Address, TokenId, int], int]:
        """Units of a wallet and token id that an entry may count, before it is said who needs them."""
        found = {}
        for owner, whom in self.served.items():
            for token in need.token_ids:
                left = self.countable(owner, token)
                for entry in whom:
                    part = left if len(whom) == 1 else min(left, need.units)
                    found[owner, token, entry] = part
                    left -= part
        return found

    def covered(self, entries_: Iterable[int]) -> set[int]:
        """Who has everything: each card's units flow to all of them at once, and no unit flows twice."""
        every = set(entries_)
        for need in DECK.needs[:CARDS]:
            parts = self.parts(need)
            able = {one for one in every if sum(n for (_, _, entry), n in parts.items() if entry == one) >= need.units}
            every &= able
            assert self.flow(need, parts, able) == need.units * len(able)
        return every

    def flow(self, need: Need, parts: dict[tuple[Address, TokenId, int], int], to: set[int]) -> int:
        """The largest flow from wallets' units to entries, one unit after the other (Ford and Fulkerson)."""
        room = {(owner, token): self.countable(owner, token) for owner, token, _ in parts}
        given: Counter[tuple[Address, TokenId, int]] = Counter()

        def find(entry: int, seen: set[object]) -> bool:
            for key, most in parts.items():
                owner, token, whose = key
                if whose != entry or given[key] >= most or (owner, token) in seen:
                    continue
                seen.add((owner, token))
                if sum(n for (o, t, _), n in given.items() if (o, t) == (owner, token)) < room[owner, token]:
                    given[key] += 1
                    return True
                for other in [one for one in given if one[:2] == (owner, token) and given[one] and one[2] != entry]:
                    if find(other[2], seen):
                        given[other] -= 1
                        given[key] += 1
                        return True
            return False

        return sum(find(entry, set()) for entry in sorted(to) for _ in range(need.units))


CARDS = 2
"""Of the list, that change hands."""


@pytest.mark.parametrize("seed", range(4))
def test_any_life_comes_to_what_a_flow_of_units_from_the_chain_comes_to(world: World, seed: int) -> None:
    rng = random.Random(seed)
    reference = Reference(world)
    owners = [wallet(f"owner {number}") for number in range(6)]
    plenty = {key: 4 * units for one in owners for key, units in cards(one).items()}
    world.wait(1, plenty)
    tokens = [token for need in DECK.needs[:CARDS] for token in need.token_ids]
    players: list[int] = []

    def enter(*served: Address) -> None:
        players.append(world.enter(f"player {len(players)}", *served))
        for one in served:
            reference.serve(one, players[-1])

    enter(owners[0])
    enter(owners[1], owners[2])
    family = [world.do(entries.ADD, entries.Add(name=name)).entry for name in ("mother", "child")]
    for one in family:
        decklists.hand_in(world.database, world.ask(), decklists.HandIn(entry=one, decklist=LIST))
        world.link(one, owners[3], {token: need.units for need in DECK.needs for token in need.token_ids})
    reference.serve(owners[3], *family)
    players += family
    world.wait(1, {(one, token): rng.choice([1, 2, 4, 8]) for one in owners for token in tokens})
    world.begin()
    world.read()
    skipped: list[int] = []
    for step in range(12):
        for _ in range(rng.choice([0, 1, 1])):
            shuttle(world, rng, owners, tokens)
        if step == LATE:
            enter(owners[4])
        world.wait(1)
        world.do(epochs.OPEN)
        world.wait(1)
        newest = world.epochs[-1].number
        if rng.random() < 0.4:
            world.do(epochs.OVERRIDE, epochs.Override(everybody=True, reason="nobody asks", epoch=newest))
            skipped.append(newest)
            continue
        world.read(epoch=newest)
        reference.saw(newest)
        assert covered_at(world, newest) == reference.covered(players), (step, newest)
        if skipped and rng.random() < 0.5:
            world.read(epoch=skipped[0])
            reference.saw(skipped.pop(0))
        assert all(n <= reference.countable(*place) for place, n in set_aside(world).items() if place[1] in tokens)
    world.assert_whole()


LATE = 4
"""The step at which somebody enters late."""


def covered_at(world: World, epoch: int) -> set[int]:
    return {entry for entry, outcome in world.outcomes(epoch).items() if outcome == "covered"}


def shuttle(world: World, rng: random.Random, owners: list[Address], tokens: list[TokenId]) -> None:
    """A unit, or several, go from one player to another."""
    sender, recipient, token = rng.choice(owners), rng.choice(owners), rng.choice(tokens)
    held = world.chain.history[world.chain.head].get((sender, token), 0)
    if held and sender != recipient:
        world.move(sender, recipient, token, rng.randint(1, held))


def set_aside(world: World) -> Counter[tuple[Address, TokenId]]:
    found: Counter[tuple[Address, TokenId]] = Counter()
    for row in world.look(lambda session, event: store.allocations_of(session, event.id)):
        found.update({(Address(row.wallet), token): units for token, units in units_in(row.units).items()})
    return found
