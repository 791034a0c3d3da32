"""Needs against holdings: everything is summed, nothing counts twice."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from verifier.coverage import Line, Need, asks_for, cover, sum_needs
from verifier.errors import NeedsOverlap
from verifier.holdings import Address, Ask, Holding, TokenId

ANN, BOB = Address("0xAnn"), Address("0xBob")
FOO, FOO_SOULBOUND, BAR = TokenId(1), TokenId(1 << 32 | 1), TokenId(2)
FOO_IDS = (FOO, FOO_SOULBOUND)


def missing(needs: list[Need], *holdings: Holding) -> dict[str, int]:
    return {line.need.card: line.missing for line in cover(needs, holdings).shortfalls}


def test_one_copy_in_each_of_two_wallets_is_two_copies() -> None:
    assert missing([Need("Foo", (FOO,), 2)], Holding(ANN, FOO, 1), Holding(BOB, FOO, 1)) == {}


def test_a_card_written_twice_needs_both_its_lines() -> None:
    # deck | 2 Foo, 1 Foo     held | 2 Foo
    assert missing([Need("Foo", (FOO,), 2), Need("Foo", (FOO,), 1)], Holding(ANN, FOO, 2)) == {"Foo": 1}


def test_a_wallet_named_twice_does_not_own_twice_as_much() -> None:
    assert missing([Need("Foo", (FOO,), 2)], Holding(ANN, FOO, 1), Holding(ANN, FOO, 1)) == {"Foo": 1}
    assert asks_for([Need("Foo", (FOO,), 2)], [ANN, BOB, ANN]) == [Ask(ANN, (FOO,)), Ask(BOB, (FOO,))]


def test_a_soulbound_copy_and_an_ordinary_one_are_two_copies() -> None:
    assert missing([Need("Foo", FOO_IDS, 2)], Holding(ANN, FOO, 1), Holding(ANN, FOO_SOULBOUND, 1)) == {}


def test_units_of_one_card_do_not_help_another() -> None:
    assert missing([Need("Foo", (FOO,), 1), Need("Bar", (BAR,), 1)], Holding(ANN, FOO, 9)) == {"Bar": 1}


def test_every_shortfall_is_named_with_what_is_held() -> None:
    coverage = cover([Need("Foo", (FOO,), 3), Need("Bar", (BAR,), 1)], [Holding(ANN, FOO, 2)])
    assert coverage.shortfalls == (
        Line(Need("Foo", (FOO,), 3), (Holding(ANN, FOO, 2),)),
        Line(Need("Bar", (BAR,), 1), ()),
    )
    assert [(line.held, line.missing) for line in coverage.shortfalls] == [(2, 1), (0, 1)]
    assert not coverage.covered


def test_an_empty_deck_needs_nothing() -> None:
    assert cover([], [Holding(ANN, FOO, 1)]).covered


def test_two_cards_that_claim_one_token_id_are_refused() -> None:
    with pytest.raises(NeedsOverlap, match="'Foo' and 'Bar'"):
        sum_needs([Need("Foo", FOO_IDS, 1), Need("Bar", (FOO,), 1)])


def test_the_order_of_a_cards_token_ids_does_not_make_it_two_cards() -> None:
    assert sum_needs([Need("Foo", FOO_IDS, 1), Need("Foo", FOO_IDS[::-1], 2)]) == (Need("Foo", FOO_IDS, 3),)


needs = st.lists(
    st.builds(lambda n, k: Need(f"card {n}", (TokenId(n), TokenId(n + 100)), k), st.integers(0, 5), st.integers(1, 4))
)
holdings = st.dictionaries(
    st.tuples(st.sampled_from([ANN, BOB]), st.sampled_from([*range(6), *range(100, 106)])), st.integers(1, 5)
).map(lambda held: [Holding(wallet, TokenId(n), units) for (wallet, n), units in held.items()])


@given(needs, holdings)
def test_coverage_is_what_counting_unit_by_unit_gives(needs: list[Need], holdings: list[Holding]) -> None:
    pool = [holding.token_id for holding in holdings for _ in range(holding.units)]
    wanted = [need.token_ids for need in needs for _ in range(need.units)]
    unmet = 0
    for token_ids in wanted:
        found = next((token_id for token_id in token_ids if token_id in pool), None)
        if found is None:
            unmet += 1
        else:
            pool.remove(found)
    assert sum(line.missing for line in cover(needs, holdings).lines) == unmet


@given(needs, holdings)
def test_more_holdings_never_make_a_deck_shorter(needs: list[Need], holdings: list[Holding]) -> None:
    fewer = cover(needs, holdings[:-1])
    more = cover(needs, holdings)
    assert all(line.missing <= before.missing for line, before in zip(more.lines, fewer.lines, strict=True))
