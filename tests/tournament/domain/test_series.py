"""Points over several events, by hand; and who is one person in them."""

from fractions import Fraction
from itertools import combinations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tournament.domain.series import (
    Appearance,
    Finish,
    Pair,
    Scheme,
    SharedPlace,
    contradictions,
    points_of,
    table,
    who_is_who,
)


def at(text: str) -> Appearance:
    """`a3` is entry 3 of event a."""
    return Appearance(text[0], int(text[1:]))


def pair(text: str) -> Pair:
    return frozenset(map(at, text.split()))


def finish(text: str, name: str, place: int, match_points: int = 0) -> Finish:
    return Finish(at(text), name, place, match_points)


# --- points


TEN = Scheme(by_place=(10, 7, 5, 3), below=1)


@pytest.mark.parametrize(("place", "points"), [(1, 10), (2, 7), (4, 3), (5, 1), (99, 1)])
def test_a_place_has_its_points_and_every_place_below_the_list_the_same(place: int, points: int) -> None:
    assert points_of(finish("a1", "ann", place), 1, TEN) == points


def test_who_shares_a_place_has_its_points_or_an_equal_part_of_all_the_places_taken_up() -> None:
    # places 2, 3, 4 are taken up by three players: 7 each, or (7 + 5 + 3) / 3 = 5 each
    shared = finish("a1", "ann", 2)
    assert points_of(shared, 3, TEN) == 7
    split = Scheme(by_place=(10, 7, 5, 3), below=1, shared_place=SharedPlace.SPLIT)
    assert points_of(shared, 3, split) == 5
    assert points_of(finish("a1", "ann", 4), 2, split) == Fraction(3 + 1, 2)


def test_match_points_and_participation_are_added() -> None:
    scheme = Scheme(by_place=(10,), per_match_point=Fraction(1, 2), participation=2)
    assert points_of(finish("a1", "ann", 1, match_points=9), 1, scheme) == Fraction(33, 2)


#         a (x 1)    b (x 3/2)   c (x 1)     best 2
# ann     1st  10    2nd  10.5   3rd  5      20.5
# bob     2nd   7    1st  15     -           22
# cat     3rd   5    3rd   7.5   1st 10      17.5
def test_the_best_of_several_weighed_events_count() -> None:
    events = [
        (Fraction(1), [finish("a1", "ann", 1), finish("a2", "bob", 2), finish("a3", "cat", 3)]),
        (Fraction(3, 2), [finish("b1", "bob", 1), finish("b2", "ann", 2), finish("b3", "cat", 3)]),
        (Fraction(1), [finish("c1", "cat", 1), finish("c2", "dan", 2), finish("c3", "Ann", 3)]),
    ]
    persons = [(at("a1"), at("b2"), at("c3")), (at("a2"), at("b1")), (at("a3"), at("b3"), at("c1")), (at("c2"),)]
    lines = table(events, persons, Scheme(by_place=(10, 7, 5, 3), best=2))
    assert [(line.place, line.name, line.points) for line in lines] == [
        (1, "bob", 22),
        (2, "Ann", Fraction(41, 2)),
        (3, "cat", Fraction(35, 2)),
        (4, "dan", 7),
    ]
    assert [(one.points, one.counted) for one in lines[1].contributions] == [
        (10, True),
        (Fraction(21, 2), True),
        (5, False),
    ]


def test_equal_points_are_decided_by_the_best_event_and_else_shared() -> None:
    # ann 10 + 4, bob 7 + 7, cat 7 + 7
    events = [
        (Fraction(1), [finish("a1", "ann", 1), finish("a2", "bob", 2), finish("a3", "cat", 2), finish("a4", "dan", 4)]),
        (Fraction(1), [finish("b2", "bob", 2), finish("b3", "cat", 2), finish("b1", "ann", 4)]),
    ]
    persons = [(at("a1"), at("b1")), (at("a2"), at("b2")), (at("a3"), at("b3")), (at("a4"),)]
    lines = table(events, persons, Scheme(by_place=(10, 7, 5, 4)))
    assert [(line.place, line.name) for line in lines] == [(1, "ann"), (2, "bob"), (2, "cat"), (4, "dan")]


def test_of_equal_contributions_the_earlier_ones_count() -> None:
    events = [(Fraction(1), [finish(f"{event}1", "ann", 1)]) for event in "abc"]
    [line] = table(events, [(at("a1"), at("b1"), at("c1"))], Scheme(by_place=(5,), best=2))
    assert [one.counted for one in line.contributions] == [True, True, False]


# --- who is who


def people(names: str, same: tuple[str, ...] = (), apart: tuple[str, ...] = ()) -> tuple[list[str], int]:
    """Persons as `a1 b2`, and how many names are ambiguous; `names` is `a1=ann b2=ann`."""
    given = {at(entry): name for entry, _, name in (word.partition("=") for word in names.split())}
    found = who_is_who(given, map(pair, same), map(pair, apart))
    return [" ".join(f"{one.event}{one.entry}" for one in person) for person in found.persons], len(found.ambiguous)


def test_one_name_is_one_person() -> None:
    assert people("a1=ann b7=ann c3=ann b2=bob") == (["a1 b7 c3", "b2"], 0)


def test_two_of_one_name_in_one_event_are_two_and_nobody_knows_who_was_where() -> None:
    assert people("a1=ann b1=ann b2=ann") == (["a1", "b1", "b2"], 1)


def test_what_the_organizers_say_settles_it() -> None:
    assert people("a1=ann b1=ann b2=ann", same=("a1 b2",)) == (["a1 b2", "b1"], 0)


def test_who_comes_later_is_ambiguous_again() -> None:
    assert people("a1=ann b1=ann b2=ann c1=ann", same=("a1 b2",)) == (["a1 b2", "b1", "c1"], 1)


def test_two_names_are_one_person_if_the_organizers_say_so_and_take_their_namesakes_along() -> None:
    assert people("a1=ann b1=annie c1=ann d1=annie", same=("a1 b1",)) == (["a1 b1 c1 d1"], 0)


def test_one_name_is_two_persons_if_the_organizers_say_so() -> None:
    assert people("a1=ann b1=ann", apart=("a1 b1",)) == (["a1", "b1"], 0)
    assert people("a1=ann b1=ann c1=ann", apart=("a1 b1",)) == (["a1", "b1", "c1"], 1)
    assert people("a1=ann b1=ann c1=ann", apart=("a1 b1",), same=("b1 c1",)) == (["a1", "b1 c1"], 0)


def test_persons_are_joined_by_way_of_an_entry_that_does_not_count() -> None:
    assert people("a1=ann c1=annie", same=("a1 b1", "b1 c1")) == (["a1 c1"], 0)


def test_what_cannot_be_is_told_in_pairs() -> None:
    assert contradictions([pair("a1 b1")], [pair("a1 c1")]) == []
    assert contradictions([pair("a1 b1"), pair("b1 a2")], []) == [pair("a1 a2")]
    assert contradictions([pair("a1 b1"), pair("b1 c1")], [pair("a1 c1")]) == [pair("a1 c1")]


ENTRIES = st.builds(Appearance, st.sampled_from("abcd"), st.integers(1, 3))
PAIRS = st.lists(st.frozensets(ENTRIES, min_size=2, max_size=2), max_size=4)


@given(st.dictionaries(ENTRIES, st.sampled_from(["ann", "bob"]), min_size=1), PAIRS, PAIRS, st.randoms())
def test_everybody_is_one_person_nobody_is_twice_in_an_event_and_order_does_not_matter(
    names: dict[Appearance, str], same: list[Pair], apart: list[Pair], rng: object
) -> None:
    if contradictions(same, apart):
        return
    found = who_is_who(names, same, apart)
    assert sorted(one for person in found.persons for one in person) == sorted(names)
    for person in found.persons:
        assert len({one.event for one in person}) == len(person)
        assert not {frozenset(two) for two in combinations(person, 2)} & set(apart)
    shuffled = list(names.items())
    rng.shuffle(shuffled)  # type: ignore[attr-defined]
    assert who_is_who(dict(shuffled), reversed(same), reversed(apart)) == found
    together = {frozenset(two) for person in found.persons for two in combinations(person, 2)}
    assert {two for two in same if two <= names.keys()} <= together
