"""What an event announces: which field may change when, what contradicts, how much is played."""

import pytest

from tournament.domain.announcement import (
    CHANGEABLE,
    CutBy,
    DrawRule,
    Plan,
    changeable,
    contradictions,
    forbidden_draw,
    plan_of,
    why_fixed,
)
from tournament.domain.lifecycle import Action, Phase, allowed, phases_for
from tournament.domain.model import Ending, Result

PHASES = ("draft", "registration", "check-in", "round", "between rounds", "cut", "finished", "void")
HELD = {
    "name": "x", "game": "cps", "preset": "mtr-2026", "pod_size": None, "capacity": None, "cut": "none",
    "cut_size": None, "cut_points": None, "decklist": "none", "lists_open": "never", "decks_until": None,
    "registration": "open", "opens_at": None, "closes_at": None,
    "starts_at": None, "ownership": "none", "collection": None, "chain_id": None, "code_hash": None,
    "ownership_at": None, "block_depth": None, "quorum": None,
}  # fmt: skip


# --- what may change


# by hand: x may change
#                 draft  registration  check-in  round  between  cut  finished  void
@pytest.mark.parametrize(
    ("field", "row"),
    [
        ("name", "xxxxxxx."),
        ("venue", "xxxxxxx."),
        ("game", "x......."),
        ("format", "x......."),
        ("max_rating", "x......."),
        ("preset", "xxx....."),
        ("best_of", "xxx....."),
        ("pod_size", "xxx....."),
        ("decklist", "xxx....."),
        ("lists_open", "xxx....."),
        ("decks_until", "xxx....."),
        ("opens_at", "xxx....."),
        ("starts_at", "xxx....."),
        ("rounds", "xxxxx..."),
        ("cut_size", "xxxxx..."),
        ("cut_form", "xxxxx..."),
        ("capacity", "xxxxx..."),
        ("round_minutes", "xxxxx..."),
        ("cut_minutes", "xxxxxx.."),
    ],
)
def test_a_field_may_change_in_these_phases(field: str, row: str) -> None:
    assert "".join("x" if phase in CHANGEABLE[field] else "." for phase in map(Phase, PHASES)) == row


def test_the_draw_never_changes() -> None:
    assert not {"draw", "commitment", "id", "template"} & CHANGEABLE.keys()


def test_an_event_is_edited_where_anything_of_it_may_change() -> None:
    assert set(phases_for(Action.EDIT)) == set().union(*CHANGEABLE.values())
    for phase in Phase:
        assert bool(changeable(phase)) is (Action.EDIT in allowed(phase))


def test_a_field_that_is_fixed_says_since_when() -> None:
    assert why_fixed("game", Phase.DRAFT) is None
    assert "once registration is open" in str(why_fixed("game", Phase.REGISTRATION))
    assert "once the first round is published" in str(why_fixed("best_of", Phase.ROUND))
    assert "once the cut begins" in str(why_fixed("cut_size", Phase.CUT))
    assert "void" in str(why_fixed("name", Phase.VOID))


# --- what contradicts


@pytest.mark.parametrize(
    ("said", "fields"),
    [
        ({}, []),
        ({"cut": "size"}, ["cut_size"]),
        ({"cut": "size", "cut_size": 8}, []),
        ({"cut": "size with ties", "cut_size": 8}, []),
        ({"cut": "none", "cut_size": 8}, ["cut_size"]),
        ({"cut": "size", "cut_size": 16, "capacity": 12}, ["cut_size"]),
        ({"cut": "points"}, ["cut_points"]),
        ({"cut": "points", "cut_points": 15}, []),
        ({"cut": "the table", "cut_points": 15}, ["cut_points"]),
        ({"preset": "pods"}, ["pod_size"]),
        ({"pod_size": 4}, ["pod_size"]),
        ({"preset": "pods", "pod_size": 4}, []),
        ({"lists_open": "at the end"}, ["lists_open"]),
        ({"decks_until": "2026-03-06"}, ["decks_until"]),
        ({"decklist": "optional", "lists_open": "at the end", "decks_until": "2026-03-06"}, []),
        ({"opens_at": "2026-03-02", "closes_at": "2026-03-01"}, ["closes_at"]),
        ({"opens_at": "2026-03-01", "closes_at": "2026-03-01"}, ["closes_at"]),
        ({"opens_at": "2026-03-01", "closes_at": "2026-03-02"}, []),
        ({"cut": "size", "pod_size": 3, "lists_open": "at the cut"}, ["cut_size", "pod_size", "lists_open"]),
        ({"ownership": "required"}, ["decklist"]),
        ({"ownership": "required", "decklist": "required"}, []),
        (
            {
                "ownership": "required",
                "decklist": "required",
                "starts_at": "2026-01-31T10:00",
                "ownership_at": "2026-01-31T11:00",
            },
            ["ownership_at"],
        ),
        ({"quorum": 2, "block_depth": 12}, ["block_depth", "quorum"]),
    ],
)
def test_every_field_that_contradicts_another_is_told(said: dict[str, object], fields: list[str]) -> None:
    assert [fault.field for fault in contradictions(HELD | said)] == fields


# --- how a match may end


@pytest.mark.parametrize(
    ("result", "forbidden"),
    [
        (Result(2, 1), set()),
        (Result(1, 1, 1), {"none"}),
        (Result(0, 0, 3, Ending.INTENTIONAL_DRAW), {"played", "none"}),
        (Result(0, 0, 0, Ending.DOUBLE_LOSS), set()),
    ],
)
def test_an_event_may_have_no_draws_or_none_that_are_agreed(result: Result, forbidden: set[str]) -> None:
    assert {rule.value for rule in DrawRule if forbidden_draw(rule, result)} == forbidden


# --- how much is played


# Source: Magic Tournament Rules, appendix E
@pytest.mark.parametrize(
    ("players", "plan"), [(8, Plan(0, 8)), (9, Plan(5, 4)), (17, Plan(5, 8)), (33, Plan(6, 8)), (128, Plan(7, 8))]
)
def test_rounds_and_cut_by_the_table_are_those_of_appendix_e(players: int, plan: Plan) -> None:
    assert plan_of(players, rounds=None, cut=CutBy.TABLE, cut_size=None) == plan


def test_three_awarded_byes_count_as_eight_players() -> None:
    assert plan_of(121, [3], rounds=None, cut=CutBy.TABLE, cut_size=None) == Plan(7, 8)
    assert plan_of(122, [3], rounds=None, cut=CutBy.TABLE, cut_size=None) == Plan(8, 8)


@pytest.mark.parametrize(("players", "rounds"), [(0, 0), (1, 0), (2, 1), (3, 2), (4, 2), (5, 3), (8, 3), (9, 5)])
def test_without_a_cut_few_players_play_as_many_rounds_as_an_elimination_has(players: int, rounds: int) -> None:
    assert plan_of(players, rounds=None, cut=CutBy.NONE, cut_size=None) == Plan(rounds, 0)


@pytest.mark.parametrize(("players", "cut"), [(2, 0), (3, 2), (4, 2), (5, 4), (8, 4), (9, 4), (17, 8)])
def test_fixed_rounds_leave_a_cut_by_the_table_that_is_smaller_than_the_field(players: int, cut: int) -> None:
    assert plan_of(players, rounds=3, cut=CutBy.TABLE, cut_size=None) == Plan(3, cut)


def test_a_cut_that_hangs_on_results_has_no_number_yet() -> None:
    assert plan_of(40, rounds=None, cut=CutBy.POINTS, cut_size=None) == Plan(6, None)
    assert plan_of(40, rounds=None, cut=CutBy.SIZE_WITH_TIES, cut_size=8) == Plan(6, None)
    assert plan_of(40, rounds=5, cut=CutBy.SIZE, cut_size=16) == Plan(5, 16)
