"""Announcements: templates, names that are looked up, times by the clock of the venue."""

from datetime import datetime
from typing import Any
from zoneinfo import ZoneInfo

import pytest
from pydantic import ValidationError

from games import library
from tournament.domain.templates import TEMPLATES
from tournament.service.announcing import announced, moved, start_from
from tournament.service.events import Create, Edit

BERLIN = ZoneInfo("Europe/Berlin")


def create(**said: Any) -> tuple[dict[str, Any], list[str]]:
    asked = Create(name="x", **said)
    kept, faults = announced(start_from(asked.template), asked.named)
    return kept, [fault.field for fault in faults]


# --- templates


@pytest.mark.parametrize("name", TEMPLATES)
def test_what_a_template_announces_holds_as_it_is(name: str) -> None:
    kept, faults = create(template=name)
    assert faults == []
    said = TEMPLATES[name].announced
    assert {field: kept[field] for field in said} == dict(said)
    assert Create(name="x", **said).named == {**said, "name": "x"}


def test_every_game_has_a_template_and_every_format_is_one_of_its_game() -> None:
    assert {one.game for one in TEMPLATES.values()} == set(library.games())
    for one in TEMPLATES.values():
        assert library.format_named(one.game, one.announced["format"])


# Source: the rule books, as the docstring of templates.py quotes them
def test_templates_say_what_the_books_say() -> None:
    official = TEMPLATES["cps-official"].announced
    assert (official["decklist"], official["ownership"], official["if_short"]) == ("required", "required", "drop")
    assert {one.name for one in TEMPLATES.values() if "ownership" in one.announced} == {"cps-official"}
    assert "decklist" not in TEMPLATES["audition-tables"].announced
    assert {one.announced["preset"] for one in TEMPLATES.values() if one.game == "audition"} == {"pods"}


def test_whoever_announces_overrides_the_template_and_nothing_else() -> None:
    plain, _ = create(template="cps-official")
    kept, faults = create(template="cps-official", round_minutes=None, cut="size", cut_size=4)
    assert faults == []
    assert {field for field in kept if kept[field] != plain[field]} == {"round_minutes", "cut", "cut_size"}


def test_without_a_template_nothing_is_announced_but_the_usual_format() -> None:
    kept, faults = create()
    assert (faults, kept["cut"], kept["decklist"], kept["registration"]) == ([], "none", "none", "staff")
    assert (kept["game"], kept["format"], kept["format_version"]) == ("cps", "standard", 1)


# --- names


@pytest.mark.parametrize(
    ("said", "sentence"),
    [
        ({"game": "cpss"}, "there is no game 'cpss'; did you mean 'cps'"),
        ({"preset": "mtr2026"}, "there is no preset 'mtr2026'; did you mean 'mtr-2026'"),
        ({"template": "cps-oficial"}, "there is no template 'cps-oficial'; did you mean 'cps-official'"),
        ({"time_zone": "Europe/Berln"}, "there is no time zone 'Europe/Berln'; did you mean 'Europe/Berlin'"),
        ({"time_zone": "../../etc/passwd"}, "there is no time zone"),
    ],
)
def test_a_name_that_is_none_is_told_with_the_nearest(said: dict[str, str], sentence: str) -> None:
    with pytest.raises(ValidationError, match=sentence):
        Create(name="x", **said)


@pytest.mark.parametrize(
    ("said", "field", "sentence"),
    [
        (
            {"format": "standart"},
            "format",
            "no cps format 'standart'; did you mean 'standard'?; there is standard, one-take",
        ),
        ({"game": "cgccg", "format": "one-take"}, "format", "no cgccg format 'one-take'; there is standard"),
        ({"format_version": 7}, "format_version", "cps standard has the versions 1"),
        ({"game": "cgccg", "max_rating": "PG13"}, "max_rating", "did you mean 'PG'"),
        ({"max_rating": "PG"}, "max_rating", "there is no rating 'PG'"),
    ],
)
def test_a_format_and_a_rating_are_those_of_the_game(said: dict[str, Any], field: str, sentence: str) -> None:
    _, faults = announced(start_from(None), Create(name="x", **said).named)
    assert [fault.field for fault in faults] == [field]
    assert sentence in faults[0].problem


def test_another_game_brings_its_own_usual_format_and_no_rating() -> None:
    before, _ = create(game="cgccg", max_rating="PG")
    after, faults = announced(before, Edit(game="cps").named)
    assert (faults, after["format"], after["max_rating"]) == ([], "standard", None)


# --- times


def test_a_time_without_an_offset_is_by_the_clock_of_the_venue() -> None:
    kept, faults = create(time_zone="Europe/Berlin", starts_at="2026-03-07T10:00", decks_until="2026-07-07T10:00Z",
                          decklist="required")  # fmt: skip
    assert faults == []
    assert kept["starts_at"] == "2026-03-07T09:00:00.000000Z"
    assert kept["starts_local"] == "2026-03-07T10:00:00+01:00"
    assert kept["decks_until"] == "2026-07-07T10:00:00.000000Z"


# Source: Europe's clocks in 2026 go from 2:00 to 3:00 on 29 March and from 3:00 to 2:00 on 25 October.
def test_a_time_that_the_clock_never_shows_or_shows_twice_is_refused_unless_it_has_an_offset() -> None:
    gap, twice = "2026-03-29T02:30", "2026-10-25T02:30"
    said = {"time_zone": "Europe/Berlin", "opens_at": gap, "closes_at": twice}
    _, faults = announced(start_from(None), Create(name="x", **said).named)
    assert [fault.field for fault in faults] == ["opens_at", "closes_at"]
    assert "go forward and never show 2026-03-29 02:30" in faults[0].problem
    assert "twice; add the offset, as in 2026-10-25T02:30+02:00" in faults[1].problem
    assert create(time_zone="Europe/Berlin", closes_at="2026-10-25T02:30+01:00")[0]["closes_at"].startswith(
        "2026-10-25T01:30"
    )


def test_another_time_zone_leaves_the_moment_and_changes_the_clock() -> None:
    before, _ = create(time_zone="Europe/Berlin", starts_at="2026-03-07T10:00")
    after, _ = announced(before, Edit(time_zone="America/New_York").named)
    assert (after["starts_at"], after["starts_local"]) == (before["starts_at"], "2026-03-07T04:00:00-05:00")


@pytest.mark.parametrize("year", [1999, 2200, 9999])
def test_a_year_that_is_a_slip_of_the_keyboard_is_refused(year: int) -> None:
    with pytest.raises(ValidationError, match="is not a year from 2000 to 2199"):
        Create(name="x", starts_at=f"{year}-01-01T00:00")


def test_an_event_that_starts_elsewhen_takes_its_hours_along_by_the_clock() -> None:
    # the clocks go forward between the two; ten o'clock stays ten o'clock, and eight in the evening before stays eight
    before, _ = create(
        time_zone="Europe/Berlin", decklist="required",
        starts_at="2026-03-27T10:00", closes_at="2026-03-27T09:30", decks_until="2026-03-26T20:00",
    )  # fmt: skip
    after, faults = announced(before, moved(before, datetime(2026, 4, 3, 10)))  # noqa: DTZ001 - the venue's clock
    assert faults == []
    assert after["starts_local"] == "2026-04-03T10:00:00+02:00"
    assert after["closes_at"] == "2026-04-03T07:30:00.000000Z"
    assert after["decks_until"] == "2026-04-02T18:00:00.000000Z"
    assert moved(before, None) == {}
