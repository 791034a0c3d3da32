"""When are two written names one name?"""

import unicodedata
from typing import Literal

import pytest
from hypothesis import given
from hypothesis import strategies as st

from verifier.decklist import fold


@pytest.mark.parametrize("mark", "\u2018\u2019\u201a\u201b\u02bc\u02b9\u2032\u0060\u00b4\uff07")
def test_every_apostrophe_is_one_apostrophe(mark: str) -> None:
    assert fold(f"Tusk{mark}s Rocket") == "tusk's rocket"


@pytest.mark.parametrize("mark", "\u201c\u201d\u201e\u201f\u00ab\u00bb\u2033\uff02")
def test_every_quotation_mark_is_one_quotation_mark(mark: str) -> None:
    assert fold(f"The {mark}Hair{mark}") == 'the "hair"'


@pytest.mark.parametrize("dash", "\u2010\u2011\u2012\u2013\u2014\u2015\u2212\ufe63\uff0d")
def test_every_dash_is_one_dash(dash: str) -> None:
    assert fold(f"X{dash}Ray") == "x-ray"


@pytest.mark.parametrize("space", ["\u00a0", "\u2009", "\u202f", "\u3000", "  ", "\t"])
def test_every_white_space_is_one_space(space: str) -> None:
    assert fold(f"{space}Kanye{space}East{space}") == "kanye east"


@pytest.mark.parametrize(
    "invisible", ["\u200b", "\u200c", "\u200d", "\u2060", "\ufeff", "\u00ad", "\ufe0f", "\U000e0041"]
)
def test_what_cannot_be_seen_is_not_compared(invisible: str) -> None:
    assert fold(f"Kanye{invisible} East") == "kanye east"


@pytest.mark.parametrize(
    ("written", "same"),
    [
        ("KANYE EAST", "kanye east"),
        ("STRASSE", "stra\u00dfe"),
        ("\uff2b\uff41\uff4e\uff59\uff45", "kanye"),
        ("e\u0301", "\u00e9"),
        ("\ufb01re", "fire"),
        ("Take \uff12", "take 2"),
    ],
)
def test_case_width_ligature_and_composition_do_not_tell_names_apart(written: str, same: str) -> None:
    assert fold(written) == fold(same)


@pytest.mark.parametrize(("written", "other"), [("\u0430ce", "ace"), ("resum\u00e9", "resume"), ("Act I", "Act l")])
def test_other_letters_make_another_name(written: str, other: str) -> None:
    assert fold(written) != fold(other)


@given(st.text())
def test_folding_twice_changes_nothing_more(name: str) -> None:
    assert fold(fold(name)) == fold(name)


def test_folding_any_single_character_twice_changes_nothing_more() -> None:
    assert [code for code in range(0x110000) if fold(fold(chr(code))) != fold(chr(code))] == []


@given(st.text(), st.sampled_from(["NFC", "NFD"]))
def test_how_a_name_was_composed_does_not_matter(name: str, form: Literal["NFC", "NFD"]) -> None:
    assert fold(unicodedata.normalize(form, name)) == fold(name)
