"""The languages of pages: which one somebody reads, and what a text is in it.

English is the source: a text is written in a template or marked in Python, and `locales/*.po` has it in each other
language (docs/guide/pages.md says how it comes there). Catalogues are read when the first page is made.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from gettext import GNUTranslations, NullTranslations
from io import BytesIO
from pathlib import Path
from typing import Final

from babel import Locale
from babel.messages.mofile import write_mo
from babel.messages.pofile import read_po

SOURCE: Final = "en"
LANGUAGES: Final[Mapping[str, str]] = {"en": "English", "es": "Español"}
"""By code, each as its readers call it."""
FOLDER: Final = Path(__file__).parent / "locales"


@dataclass(frozen=True)
class Language:
    """What a page needs to be in a language."""

    code: str
    locale: Locale
    catalogue: NullTranslations

    def text(self, source: str) -> str:
        """A marked text in this language."""
        return self.catalogue.gettext(source)


def mark(source: str) -> str:
    """Mark a text for the catalogues; whoever shows it looks it up."""
    return source


@cache
def language(code: str) -> Language:
    """One of `LANGUAGES`. British dates and 24 hours for English, which is read everywhere."""
    locale = Locale("en", "GB") if code == SOURCE else Locale(code)
    return Language(code, locale, NullTranslations() if code == SOURCE else _catalogue(code))


def language_for(chosen: str | None, accepts: str) -> Language:
    """The language that somebody chose, else the one of ours that the browser likes best, else English.

    Args:
        chosen: what the browser keeps of a choice; what is none of our languages is no choice.
        accepts: the header `Accept-Language`.
    """
    if chosen in LANGUAGES:
        return language(chosen)
    for code in _liked(accepts):
        if code in LANGUAGES:
            return language(code)
    return language(SOURCE)


def _liked(accepts: str) -> list[str]:
    """Codes without regions, the best first; what cannot be read is left out."""
    weighed = []
    for place, one in enumerate(accepts.lower().split(",")[:20]):
        code, _, parameter = one.strip().partition(";")
        try:
            weight = float(parameter.strip().removeprefix("q=") or 1)
        except ValueError:
            continue
        if weight > 0:
            weighed.append((-weight, place, code.strip().partition("-")[0]))
    return [code for _, _, code in sorted(weighed)]


def _catalogue(code: str) -> NullTranslations:
    with (FOLDER / f"{code}.po").open("rb") as file:
        catalogue = read_po(file, locale=code)
    packed = BytesIO()
    write_mo(packed, catalogue)
    packed.seek(0)
    return GNUTranslations(packed)
