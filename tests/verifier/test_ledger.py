"""The ledger: what is countable, whose it is, and that no unit counts twice; against brute force where there is any."""

from collections.abc import Sequence
from typing import TypeAlias

import pytest
from eth_hash.auto import keccak
from hypothesis import given, settings
from hypothesis import strategies as st

from verifier.addresses import to_checksum
from verifier.coverage import Need, Outcome
from verifier.errors import LedgerUnsound, NeedsOverlap
from verifier.holdings import Address, TokenId
from verifier.ledger import (
    Allocation,
    Allotment,
    Balances,
    EntryId,
    Reading,
    Reservation,
    Share,
    Split,
    Stake,
    allocate,
    check_allocations,
    countable,
)

WALLETS = ANN, BOB, CAT = tuple(to_checksum(keccak(name)[:20]) for name in (b"ann", b"bob", b"cat"))
FOO, FOO_BOUND, BAR = TokenId(1), TokenId(2), TokenId(3)
IDS = FOO, FOO_BOUND, BAR


def foo(units: int) -> Need:
    return Need("Foo", (FOO, FOO_BOUND), units)


def bar(units: int) -> Need:
    return Need("Bar", (BAR,), units)


def units(**wallets: Sequence[int]) -> Balances:
    """Units of FOO, FOO_BOUND and BAR by wallet."""
    named = {"ann": ANN, "bob": BOB, "cat": CAT}
    return {named[name]: dict(zip(IDS, those, strict=False)) for name, those in wallets.items()}


def taken(allotment: Allotment, entry: EntryId) -> list[tuple[Address, int, int]]:
    return [(one.wallet, one.token_id, one.units) for one in allotment.allocations(entry)]


# --- what is countable


def test_countable_is_the_least_of_all_epochs() -> None:
    epochs = [units(ann=(3, 0, 1)), units(ann=(1, 5, 1)), units(ann=(2, 5, 1))]
    assert countable(epochs) == units(ann=(1, 0, 1))


def test_units_that_came_after_the_first_epoch_do_not_count() -> None:
    assert countable([units(ann=(0,)), units(ann=(4,))]) == units(ann=(0,))


def test_a_late_entry_counts_what_it_had_at_the_first_epoch_and_at_the_newest() -> None:
    # epoch   1  2  3   Bob enters before epoch 3; his wallet is read at epoch 1 too, and was not at 2
    # Bob     2     1
    epochs = [units(ann=(1,), bob=(2,)), units(ann=(1,)), units(ann=(1,), bob=(1,))]
    assert countable(epochs) == units(ann=(1,), bob=(1,))


@pytest.mark.parametrize("epochs", [[units(), units(ann=(1,))], [units(ann=(1,)), units()]], ids=["first", "newest"])
def test_what_was_not_read_at_the_first_or_the_newest_epoch_is_not_known(epochs: list[Balances]) -> None:
    assert countable(epochs) == {}


def test_nothing_is_countable_before_the_first_epoch() -> None:
    with pytest.raises(ValueError, match="before the first epoch"):
        countable([])


@given(st.lists(st.lists(st.integers(0, 3), min_size=3, max_size=3), min_size=1, max_size=4))
def test_readings_count_as_dictionaries_do(epochs: list[list[int]]) -> None:
    as_dicts = [units(ann=each) for each in epochs]
    as_readings = [{ANN: Reading(IDS, tuple(each))} for each in epochs]
    assert countable(as_readings) == countable(as_dicts)
    assert countable([*as_readings, *as_dicts]) == countable([*as_dicts, *as_readings]) == countable(as_dicts)


# --- whose units they are


def test_units_are_taken_by_token_id_then_by_wallet() -> None:
    # need 4 Foo      FOO  FOO_BOUND
    # Ann's            1       2
    # Bob's, hers too  1       5
    allotment = allocate([Stake("ann", (ANN, BOB), (foo(4),))], [units(ann=(1, 2), bob=(1, 5))])
    assert taken(allotment, "ann") == [(ANN, FOO, 1), (BOB, FOO, 1), (ANN, FOO_BOUND, 2)]
    assert allotment.outcome("ann") is Outcome.COVERED


def test_an_entry_that_is_short_has_what_there_is() -> None:
    allotment = allocate([Stake(7, (ANN,), (foo(3), bar(1)))], [units(ann=(1, 1, 1))])
    assert taken(allotment, 7) == [(ANN, FOO, 1), (ANN, FOO_BOUND, 1), (ANN, BAR, 1)]
    assert allotment.outcome(7) is Outcome.SHORT
    assert list(allotment.all_allocations()) == list(allotment.allocations(7))


def test_a_wallet_of_two_entries_without_a_split_is_refused() -> None:
    with pytest.raises(LedgerUnsound, match=f"{ANN} serves entries 1, 2; one wallet serves one, or signs a split"):
        allocate([Stake(1, (ANN,), (foo(1),)), Stake(2, (BOB, ANN), (bar(1),))], [units(ann=(1,), bob=(1,))])


def test_the_wallet_of_an_entry_that_left_serves_no_other_entry() -> None:
    with pytest.raises(LedgerUnsound, match="serves entries 2, 1"):
        allocate([Stake(2, (ANN,), (foo(1),))], [units(ann=(1,))], left=[Stake(1, (ANN,), (foo(1),))])


def test_everything_that_is_unsound_is_said_at_once() -> None:
    splits = [
        Split(ANN, (Share(1, {FOO: 1}), Share(1, {FOO: -1}))),
        Split(ANN, (Share(1, {FOO: 1}),)),
        Split(CAT, (Share(1, {FOO: 1}),)),
    ]
    stakes = [Stake(1, (BOB,), ()), Stake(1, (BOB,), ()), Stake(2, (BOB,), ()), Stake(3, (CAT,), ())]
    with pytest.raises(LedgerUnsound) as refused:
        allocate(stakes, [units()], splits=splits)
    assert str(refused.value).splitlines() == [
        "entry 1 has two stakes; give it one, with all its wallets",
        f"{BOB} serves entries 1, 1, 2; one wallet serves one, or signs a split",
        f"{CAT} serves entry 3, which its split does not name",
        f"{ANN} has 2 splits; the one that counts has to be chosen",
        f"the split of {ANN} names entry 1 2 times",
        f"the split of {ANN} gives entry 1 -1 units of token id 1",
    ]


def test_two_needs_of_an_entry_do_not_share_a_token_id() -> None:
    with pytest.raises(NeedsOverlap):
        Stake(1, (ANN,), (foo(1), Need("Baz", (FOO,), 1)))


# --- splits


SPLIT = Split(ANN, (Share("kim", {FOO: 2}), Share("lee", {FOO: 2})))
KIM, LEE = Stake("kim", (ANN,), (foo(2),)), Stake("lee", (ANN,), (foo(2),))


def outcomes(allotment: Allotment) -> dict[EntryId, Outcome]:
    return {entry: allotment.outcome(entry) for entry in allotment.stakes}


@pytest.mark.parametrize(
    ("held", "kim", "lee"), [(5, Outcome.COVERED, Outcome.COVERED), (3, Outcome.COVERED, Outcome.SHORT)]
)
def test_a_split_serves_those_named_first_first(held: int, kim: Outcome, lee: Outcome) -> None:
    assert outcomes(allocate([LEE, KIM], [units(ann=(held, 0))], splits=[SPLIT])) == {"kim": kim, "lee": lee}


def test_a_share_is_all_that_an_entry_gets_of_a_split_wallet() -> None:
    allotment = allocate([Stake("kim", (ANN,), (foo(3),))], [units(ann=(9, 9))], splits=[SPLIT])
    assert taken(allotment, "kim") == [(ANN, FOO, 2)]
    assert [shortfall.missing for shortfall in allotment.shortfalls["kim"]] == [1]
    assert [trail.share for trail in allotment.shortfalls["kim"][0].trails] == [2, 0]


def test_the_share_of_an_entry_that_left_is_nobody_elses() -> None:
    # Three are left of four. Kim, named first, has dropped; her two do not pass to Lee, who has one.
    allotment = allocate([LEE], [units(ann=(4, 0)), units(ann=(3, 0))], splits=[SPLIT], left=[KIM])
    assert taken(allotment, "lee") == [(ANN, FOO, 1)]


# --- other events


def reserved(amount: int, *, younger: bool = False) -> Reservation:
    return Reservation(ANN, FOO, amount, "Sarah in Spring Open", 1_700_000_000, younger)


def test_what_another_event_has_set_aside_is_not_countable() -> None:
    allotment = allocate([KIM], [units(ann=(3, 0))], reserved=[reserved(2)])
    assert taken(allotment, "kim") == [(ANN, FOO, 1)]
    [shortfall] = allotment.shortfalls["kim"]
    assert shortfall.trails[0].reservations == (reserved(2),)
    assert (shortfall.trails[0].units, shortfall.trails[0].counted) == ((3,), 1)


@pytest.mark.parametrize(
    ("before", "there", "counted"),
    [
        (2, 3, 2),  # ours, two, and theirs, one
        (2, 2, 2),  # one was sold: theirs
        (2, 1, 1),
        (0, 3, 2),  # we come after them, and want two
        (1, 2, 1),  # we had one, want two, and theirs is the other
    ],
)
def test_a_younger_reservation_takes_nothing_that_we_held_before(before: int, there: int, counted: int) -> None:
    held = [Allocation("kim", ANN, FOO, before)] if before else []
    allotment = allocate([KIM], [units(ann=(there, 0))], reserved=[reserved(1, younger=True)], held=held)
    assert sum(one.units for one in allotment.allocations("kim")) == counted


# --- who is short, of what, since when


def test_cards_sold_between_rounds_are_missing_since_that_epoch_and_the_trail_says_which() -> None:
    # epoch      1  2  3
    # Ann's Foo  3  3  2   she needs 3
    epochs = [units(ann=(3, 0, 1)), units(ann=(3, 0, 1)), units(ann=(2, 0, 1))]
    allotment = allocate([Stake("ann", (ANN,), (foo(3), bar(1)))], epochs)
    [shortfall] = allotment.shortfalls["ann"]
    assert (shortfall.need, shortfall.missing, shortfall.since) == (foo(3), 1, 3)
    assert [trail.units for trail in shortfall.trails] == [(3, 3, 2), (0, 0, 0)]


def test_a_shortfall_stays_though_the_cards_came_back() -> None:
    epochs = [units(ann=(3, 0)), units(ann=(2, 0)), units(ann=(3, 0))]
    [shortfall] = allocate([Stake("ann", (ANN,), (foo(3),))], epochs).shortfalls["ann"]
    assert (shortfall.missing, shortfall.since) == (1, 2)


def test_an_entry_that_never_had_it_is_short_since_the_first_epoch() -> None:
    [shortfall] = allocate([Stake("ann", (ANN,), (foo(1),))], [units(ann=(0, 0)), units(ann=(0, 0))]).shortfalls["ann"]
    assert shortfall.since == 1


def test_a_wallet_that_was_not_read_is_undetermined_and_not_short() -> None:
    allotment = allocate([Stake("bob", (ANN, BOB), (foo(1),))], [units(ann=(0, 0)), units(ann=(0, 0), bob=(1, 0))])
    [shortfall] = allotment.shortfalls["bob"]
    assert (allotment.outcome("bob"), shortfall.unread) == (Outcome.UNDETERMINED, True)
    assert [trail.units for trail in shortfall.trails if trail.wallet == BOB] == [(None, 1), (None, 0)]


def test_what_other_wallets_cover_is_covered_though_one_was_not_read() -> None:
    allotment = allocate([Stake("bob", (ANN, BOB), (foo(1),))], [units(ann=(1, 0))])
    assert allotment.outcome("bob") is Outcome.COVERED


def test_what_is_known_to_be_missing_is_short_though_something_else_was_not_read() -> None:
    read = {ANN: {FOO: 0, FOO_BOUND: 0}}
    allotment = allocate([Stake("ann", (ANN,), (foo(1), bar(1)))], [read])
    assert allotment.outcome("ann") is Outcome.SHORT


def test_an_entry_that_is_not_there_has_no_outcome() -> None:
    with pytest.raises(KeyError):
        allocate([], [units()]).outcome(1)


# --- against brute force

few = st.integers(0, 3)
balances = st.fixed_dictionaries({wallet: st.fixed_dictionaries(dict.fromkeys(IDS, few)) for wallet in WALLETS})
needs = st.tuples(st.integers(0, 3), st.integers(0, 2)).map(
    lambda many: tuple(need(count) for need, count in zip((foo, bar), many, strict=True) if count)
)
amounts = st.fixed_dictionaries({}, optional=dict.fromkeys(IDS, st.integers(0, 2)))
Event: TypeAlias = tuple[list[Stake], list[Split], list[Reservation]]


@st.composite
def events(draw: st.DrawFn) -> Event:
    """Two entries; each wallet is the one's, the other's, or split; and what other events have set aside."""
    serves = {wallet: draw(st.sampled_from(["kim", "lee", "both"])) for wallet in WALLETS}
    stakes = [
        Stake(entry, tuple(wallet for wallet, of in serves.items() if of in {entry, "both"}), draw(needs))
        for entry in ("kim", "lee")
    ]
    order = draw(st.permutations(["kim", "lee"]))
    splits = [
        Split(wallet, tuple(Share(entry, draw(amounts)) for entry in order))
        for wallet, of in serves.items()
        if of == "both"
    ]
    others = draw(st.lists(st.tuples(st.sampled_from(WALLETS), st.sampled_from(IDS), st.integers(1, 2)), max_size=2))
    return stakes, splits, [Reservation(*place, count, "Sarah", 0) for *place, count in others]


def coverable(event: Event, held: Balances) -> bool:
    """Whether the units can be given out one by one so that everybody has what is needed. Tries everything."""
    stakes, splits, reservations = event
    free = {(wallet, token_id): count for wallet, those in held.items() for token_id, count in those.items()}
    for one in reservations:
        free[one.wallet, one.token_id] -= one.units
    shares = {
        (split.wallet, share.entry, token_id): share.units.get(token_id, 0)
        for split in splits
        for share in split.shares
        for token_id in IDS
    }
    wanted = [(stake, need) for stake in stakes for need in stake.needs for _ in range(need.units)]

    def give(first: int, least: int) -> bool:
        """Give the wanted units from the first on; those of one need in the order of their places."""
        if first == len(wanted):
            return True
        stake, need = wanted[first]
        places = [(wallet, token_id) for token_id in need.token_ids for wallet in stake.wallets]
        for number, (wallet, token_id) in enumerate(places[least:], least):
            share = wallet, stake.entry, token_id
            if free[wallet, token_id] > 0 and shares.get(share, 1) > 0:
                free[wallet, token_id] -= 1
                shares[share] = shares.get(share, 99) - 1
                more = first + 1 < len(wanted) and wanted[first + 1] == wanted[first]
                done = give(first + 1, number if more else 0)
                free[wallet, token_id] += 1
                shares[share] += 1
                if done:
                    return True
        return False

    return give(0, 0)


def promises_too_much(event: Event, held: Balances) -> bool:
    """A split promises more than its wallet has for this event."""
    _, splits, reservations = event
    return any(
        sum(share.units.get(token_id, 0) for share in split.shares)
        > held[split.wallet][token_id]
        - sum(one.units for one in reservations if (one.wallet, one.token_id) == (split.wallet, token_id))
        for split in splits
        for token_id in IDS
    )


@settings(max_examples=300)
@given(balances, events())
def test_coverage_is_found_whenever_there_is_one(held: Balances, event: Event) -> None:
    # A split that promises more than there is serves the first first: then there may be other ways, and none is taken.
    stakes, splits, reservations = event
    allotment = allocate(stakes, [held], splits=splits, reserved=reservations)
    covered = not allotment.shortfalls
    assert covered is coverable(event, held) or (not covered and promises_too_much(event, held))


@given(st.lists(balances, min_size=1, max_size=3), events())
def test_allocations_pass_the_check_that_knows_nothing_of_how_they_were_made(
    epochs: list[Balances], event: Event
) -> None:
    stakes, splits, reservations = event
    allotment = allocate(stakes, epochs, splits=splits, reserved=reservations)
    allocations = list(allotment.all_allocations())
    assert check_allocations(allocations, epochs, splits=splits, reserved=reservations) == []
    for stake in stakes:
        given = sum(one.units for one in allocations if one.entry == stake.entry)
        missing = sum(shortfall.missing for shortfall in allotment.shortfalls.get(stake.entry, ()))
        assert given + missing == sum(need.units for need in stake.needs)


@given(st.lists(balances, min_size=1, max_size=3), balances, events())
def test_an_epoch_only_removes(epochs: list[Balances], newest: Balances, event: Event) -> None:
    stakes, splits, reservations = event
    before, after = (
        allocate(stakes, those, splits=splits, reserved=reservations) for those in (epochs, [*epochs, newest])
    )
    for stake in stakes:
        was = {one.need: (one.missing, one.since) for one in before.shortfalls.get(stake.entry, ())}
        now = {one.need: (one.missing, one.since) for one in after.shortfalls.get(stake.entry, ())}
        assert was.keys() <= now.keys()
        for need, (missing, since) in was.items():
            assert now[need][0] >= missing
            assert now[need][1] == since
        assert all(since == len(epochs) + 1 for need, (_, since) in now.items() if need not in was)


@given(balances, events())
def test_the_same_question_has_the_same_answer(held: Balances, event: Event) -> None:
    stakes, splits, reservations = event
    first = allocate(stakes, [held], splits=splits, reserved=reservations)
    again = allocate(stakes[::-1], [dict(reversed(held.items()))], splits=splits[::-1], reserved=reservations[::-1])
    assert {entry: first.allocations(entry) for entry in first.stakes} == {
        entry: again.allocations(entry) for entry in first.stakes
    }


# --- the check of allocations finds what is wrong


def fault(*allocations: Allocation, splits: Sequence[Split] = (), reserved: Sequence[Reservation] = ()) -> str:
    epochs = [units(ann=(3, 1, 1)), units(ann=(2, 1))]
    [found] = check_allocations(allocations, epochs, splits=splits, reserved=reserved)
    return found.problem


def test_units_that_are_not_countable_are_found() -> None:
    assert fault(Allocation(1, ANN, FOO, 3)) == "3 units are set aside, and 2 may be"
    assert fault(Allocation(1, ANN, BAR, 1)) == "1 units are set aside, and 0 may be"  # not read at the newest epoch
    assert fault(Allocation(1, BOB, FOO, 1)) == "1 units are set aside, and 0 may be"


def test_units_of_another_event_are_found() -> None:
    assert fault(Allocation(1, ANN, FOO, 2), reserved=[reserved(1)]) == "2 units are set aside, and 1 may be"


def test_a_wallet_that_counts_for_two_entries_is_found() -> None:
    problem = fault(Allocation(1, ANN, FOO, 1), Allocation(2, ANN, FOO_BOUND, 1))
    assert problem == "it serves several entries without a split"


def test_more_than_a_share_is_found() -> None:
    split = Split(ANN, (Share(1, {FOO: 1}), Share(2, {FOO: 1})))
    assert fault(Allocation(1, ANN, FOO, 2), splits=[split]) == "2 units are set aside, and the split gives 1"
    assert fault(Allocation(3, ANN, FOO, 1), splits=[split]) == "1 units are set aside, and the split gives 0"


def test_an_allocation_of_nothing_is_found() -> None:
    assert fault(Allocation(1, ANN, FOO, -1)) == "-1 units are no allocation"
