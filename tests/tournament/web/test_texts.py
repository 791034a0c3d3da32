"""Every text of a page is in the catalogues, and no template has words of its own."""

import re
from pathlib import Path

import pytest
from jinja2 import Environment

from tools import catalogues
from tournament.web import rendering
from tournament.web.texts import FOLDER, LANGUAGES, language_for

TEMPLATES = sorted(rendering.FOLDER.glob("*.html"))
SPOKEN = re.compile(r"""\b(?:alt|title|placeholder|aria-label|content|data-label)\s*=\s*["']([^"']*)""")
OURS = {
    "Deckproof",
    "deckproof audit \x00.json",
    "width=device-width, initial-scale=1",
    "utf-8",
    "website",
    "light dark",
    ".json",
    ".ics",
}
"""What is the same in every language, or read by programs."""


@pytest.mark.parametrize("code", [code for code in LANGUAGES if code != "en"])
def test_a_catalogue_has_every_text_and_no_other(code: str) -> None:
    assert list(catalogues.faults(FOLDER / f"{code}.po")) == []


def test_each_language_but_the_source_has_a_catalogue() -> None:
    assert {path.stem for path in FOLDER.glob("*.po")} == LANGUAGES.keys() - {"en"}


@pytest.mark.parametrize("path", TEMPLATES, ids=lambda path: path.stem)
def test_a_template_has_no_words_of_its_own(path: Path) -> None:
    assert bare(path.read_text(encoding="utf-8")) == []


def test_words_of_its_own_are_found() -> None:
    assert bare("<p>Hello <b>{{ name }}</b></p>") == ["Hello"]
    assert bare('<input placeholder="Your name">') == ["Your name"]
    assert bare('{% trans %}Hello{% endtrans %} {{ _("Hello") }} {# Hello #}') == []


@pytest.mark.parametrize(
    ("chosen", "accepts", "code"),
    [
        (None, "", "en"),
        (None, "es-AR,es;q=0.9,en;q=0.8", "es"),
        (None, "de, es;q=0.2, en;q=0.3", "en"),
        (None, "es;q=0, fr", "en"),
        (None, "es;q=x;;,,en", "en"),
        ("es", "en", "es"),
        ("xx", "es", "es"),
    ],
)
def test_the_language_is_the_one_that_is_chosen_or_liked_best(chosen: str | None, accepts: str, code: str) -> None:
    assert language_for(chosen, accepts).code == code


def bare(source: str) -> list[str]:
    """Words between tags, and in attributes that people are told, which no catalogue knows."""
    kept = "".join(_shown(source))
    spoken = SPOKEN.findall(kept)
    between = re.split(r"<[^>]*>", re.sub(r"<svg.*?</svg>|<!DOCTYPE[^>]*>", "", kept, flags=re.DOTALL))
    found = [text.strip() for text in (*between, *spoken)]
    return [
        text for text in found if re.search(r"[^\W\d_]{2}", text) and not any(text.strip(" ·") == one for one in OURS)
    ]


def _shown(source: str) -> list[str]:
    """The text of a template outside of its statements; a translated block is none of it."""
    shown, depth, is_statement = [], 0, False
    words: list[str] = []
    for _, kind, value in Environment(autoescape=True, extensions=["jinja2.ext.i18n"]).lex(source):
        if kind == "block_begin":
            is_statement, words = True, []
        elif kind == "block_end":
            is_statement = False
            first = words[0] if words else ""
            depth += {"trans": 1, "endtrans": -1}.get(first, 0)
        elif is_statement and kind == "name":
            words.append(value)
        elif kind == "data" and not depth:
            shown.append(value)
        elif kind == "variable_begin":
            shown.append("\x00")
    return shown
