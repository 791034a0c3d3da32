"""docs/guide/events.md says of every announced field until when it may be changed."""

import re

from tests.docs.pages import GUIDE, Page, rows
from tournament.domain.announcement import CHANGEABLE, CutBy, Decklist, DrawRule, ListsOpen, Registration
from tournament.domain.bracket_plan import Form
from tournament.domain.lifecycle import Phase
from tournament.domain.series import SharedPlace
from tournament.domain.templates import TEMPLATES
from tournament.service.series import Points

PAGE = Page(GUIDE / "events.md")
LAST = {
    "always": Phase.FINISHED,
    "registration opens": Phase.DRAFT,
    "the first round is published": Phase.CHECK_IN,
    "the cut begins": Phase.BETWEEN_ROUNDS,
    "the event is over": Phase.CUT,
}


def test_each_field_is_there_with_the_last_phase_in_which_it_may_be_changed() -> None:
    said = {
        field: LAST[re.split(r"[,;]", until)[0]]
        for fields, _, until in rows(PAGE.section("What may be changed"))
        for field in re.findall(r"`(\w+)`", fields)
    }
    assert said == {field: [phase for phase in Phase if phase in phases][-1] for field, phases in CHANGEABLE.items()}


def test_each_template_is_there() -> None:
    assert [name.strip("`") for name, _ in rows(PAGE.section("Announce"))] == list(TEMPLATES)


def test_each_word_that_a_field_may_be_is_there() -> None:
    text = " ".join(PAGE.section("What may be changed").split())
    words = [*CutBy, *Form, *DrawRule, *ListsOpen, *Registration]
    assert [word for word in words if f"`{word}`" not in text] == []
    assert set(Decklist) == {"required", "optional", "none"}


def test_each_field_of_a_scheme_is_there() -> None:
    section = PAGE.section("Series")
    assert [name.strip("`") for name, _ in rows(section)] == list(Points.model_fields)
    assert all(f"`{word}`" in section for word in SharedPlace)
