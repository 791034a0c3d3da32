"""A first round by seeds."""

from tests.tournament.domain.swiss import History, entered, names, said
from tournament.domain.faults import faults
from tournament.domain.fold import pair_folded
from tournament.domain.model import PlayerId

ANN, BOB, CAT, DAN = (PlayerId(name) for name in ("ann", "bob", "cat", "dan"))
EIGHT = names(8)


# seeds   0 1 2 3
#         4 5 6 7
def test_the_top_half_meets_the_bottom_half_in_order() -> None:
    paired = pair_folded(History(entered(*EIGHT)).pool, "draw", EIGHT)
    assert said(paired) == {"p000-p004", "p001-p005", "p002-p006", "p003-p007"}


def test_the_last_seed_has_the_bye() -> None:
    assert said(pair_folded(History(entered("ann", "bob", "cat")).pool, "draw", [CAT, ANN, BOB])) == {"ann-cat", "bob"}


def test_who_has_no_seed_stands_behind_in_the_order_of_the_draw() -> None:
    pool = History(entered("ann", "bob", "cat", "dan")).pool
    one = {said_ for draw in "abcdefgh" for said_ in said(pair_folded(pool, draw, [ANN, BOB]))}
    assert one == {"ann-cat", "ann-dan", "bob-cat", "bob-dan"}


# seeds   0 1 2 3        0 must not meet 4: 4 and 5 change places
#         4 5 6 7
def test_those_kept_apart_are_parted_by_the_next_exchange() -> None:
    history = History(entered(*EIGHT), apart=[(EIGHT[0], EIGHT[4])])
    paired = pair_folded(history.pool, "draw", EIGHT)
    assert said(paired) == {"p000-p005", "p001-p004", "p002-p006", "p003-p007"}
    assert faults(paired, history.players, [], apart=history.apart) == []


# the last table looks upwards
def test_the_last_table_exchanges_with_one_above() -> None:
    history = History(entered(*EIGHT), apart=[(EIGHT[3], EIGHT[7])])
    assert said(pair_folded(history.pool, "draw", EIGHT)) == {"p000-p004", "p001-p005", "p002-p007", "p003-p006"}
