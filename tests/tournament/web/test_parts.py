"""Small things that pages are made with."""

from datetime import UTC, datetime
from pathlib import Path

import pytest

from tests.docs.pages import ROOT
from tournament.service.registrations import Register
from tournament.web import assets
from tournament.web.calendar import _folded
from tournament.web.forms import Form, read
from tournament.web.paging import PAGE, page_of
from tournament.web.rendering import _moment
from tournament.web.texts import language


def test_htmx_is_the_one_that_the_lock_names() -> None:
    there = ROOT / "node_modules" / "htmx.org" / "dist" / "htmx.min.js"
    assert (assets.FOLDER / "htmx.js").read_bytes() == there.read_bytes()


def test_the_dark_look_is_the_same_by_choice_and_by_device() -> None:
    text = (assets.FOLDER / "css" / "1-tokens.css").read_text(encoding="utf-8")
    by_device = text.split('[data-look="contrast"]) {', 1)[1].split("}", 1)[0].split()
    by_choice = text.split(':root[data-look="dark"] {', 1)[1].split("}", 1)[0].split()
    assert by_device == by_choice


def test_every_icon_that_a_template_shows_is_drawn() -> None:
    drawn = (assets.FOLDER / "icons.svg").read_text(encoding="utf-8")
    folder = Path(assets.__file__).parent / "templates"
    for path in folder.glob("*.html"):
        for part in path.read_text(encoding="utf-8").split('icon("')[1:]:
            assert f'id="{part.split(chr(34), 1)[0]}"' in drawn, path.name


def test_a_page_of_a_long_list_and_whoever_is_sought_in_all_of_it() -> None:
    lines = [f"Player {number:04}" for number in range(2 * PAGE + 1)]
    last = page_of(lines, "player 0000", 3, of=str)
    assert (last.lines, last.pages, last.found) == ([lines[-1]], 3, [lines[0]])
    assert page_of(lines, "", 0, of=str).lines == lines
    assert not page_of(lines, "", 1, of=str).found


@pytest.mark.parametrize(("typed", "name"), [("wojcik", "Pia Wójcik"), ("BO", "Ole Bø"), ("strasse", "Straße")])
def test_somebody_is_found_without_the_accents(typed: str, name: str) -> None:
    assert page_of([name], typed, 1, of=str).found == [name]


def test_a_line_of_a_calendar_is_folded_between_characters() -> None:
    folded = _folded("SUMMARY:" + "ä" * 100)
    assert all(len(line.encode()) <= 75 for line in folded.split("\r\n"))
    assert folded.replace("\r\n ", "") == "SUMMARY:" + "ä" * 100


def test_a_form_comes_back_with_what_was_typed_and_what_is_wrong() -> None:
    form = read(Register, {"name": "", "key": "not of the model"})
    assert isinstance(form, Form)
    assert (form.fault("name"), form.value("key")) == ("This is needed.", "not of the model")
    assert read(Register, {"name": "Ann", "code": ""}) == Register(name="Ann")


@pytest.mark.parametrize(
    ("zone", "said"),
    [
        ("Europe/Berlin", "Sat 7 Mar 2026, 13:30 CET"),
        ("Asia/Kolkata", "Sat 7 Mar 2026, 18:00 IST"),
        ("America/Sao_Paulo", "Sat 7 Mar 2026, 09:30 UTC\u221203"),
    ],
)
def test_a_time_says_of_which_clock_it_is(zone: str, said: str) -> None:
    at = datetime(2026, 3, 7, 12, 30, tzinfo=UTC).isoformat()
    assert said in str(_moment(language("en"), at, zone))
