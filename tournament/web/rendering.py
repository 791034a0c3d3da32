"""From a template and values to the bytes of a page.

Whatever people typed is escaped, because everything is; a name that a template does not know is a bug and not a blank.
"""

import gzip
from collections.abc import Mapping
from datetime import UTC, datetime
from fractions import Fraction
from functools import cache, partial
from hashlib import sha256
from importlib.metadata import version
from pathlib import Path
from typing import Any, Final
from zoneinfo import ZoneInfo

from babel.dates import format_date, format_datetime, format_time
from babel.numbers import format_decimal
from jinja2 import Environment, FileSystemLoader, StrictUndefined
from markupsafe import Markup, escape

from tournament.web import assets, paths, words
from tournament.web.reader import LOOKS, Reader
from tournament.web.texts import LANGUAGES, Language, language

FOLDER: Final = Path(__file__).parent / "templates"
HTML: Final = "text/html; charset=utf-8"
PLACES: Final = 4
"""Decimals of a tiebreak; the exact fraction stands beside it."""


def rendered(template: str, reader: Reader, values: Mapping[str, Any]) -> bytes:
    """A page, for somebody."""
    made = _environment(reader.language.code).get_template(template)
    return made.render({"reader": reader, **values}).encode()


@cache
def build() -> str:
    """What changes when the pages look otherwise though nothing happened: their templates, texts and files."""
    digest = sha256(version("deckproof").encode())
    for folder in (FOLDER, FOLDER.parent / "locales"):
        for path in sorted(folder.rglob("*.*")):
            digest.update(path.read_bytes())
    digest.update("".join(sorted(assets.by_address())).encode())
    return digest.hexdigest()


@cache
def _environment(code: str) -> Environment:
    spoken = language(code)
    environment = Environment(
        loader=FileSystemLoader(FOLDER),
        autoescape=True,
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
        extensions=["jinja2.ext.i18n", "jinja2.ext.do"],
    )
    environment.policies["ext.i18n.trimmed"] = True
    environment.install_gettext_translations(spoken.catalogue, newstyle=True)  # type: ignore[attr-defined]
    environment.globals |= {
        "asset": assets.address,
        "LANGUAGES": LANGUAGES,
        "LOOKS": LOOKS,
        "sign_in_for": _sign_in_for,
        "said_once": partial(_said_once, spoken),
        "tiebreak": partial(_tiebreak, spoken),
        "needs": words.NEEDS,
    }
    environment.filters |= {
        "word": lambda said: spoken.text(words.word(str(said))),
        "text": spoken.text,
        "moment": partial(_moment, spoken),
        "day": partial(_day, spoken),
        "hour": partial(_hour, spoken),
        "rate": partial(_rate, spoken),
        "number": lambda value: format_decimal(value, locale=spoken.locale),
    }
    return environment


def _said_once(spoken: Language, reader: Reader) -> str:
    if reader.said is None or reader.said[0] not in words.SAID:
        return ""
    key, values = reader.said
    try:
        return spoken.text(words.SAID[key]) % values
    except (KeyError, TypeError, ValueError):  # the cookie was not written by us
        return ""


def _sign_in_for(reader: Reader) -> str:
    """The page to sign in, which leads back to where somebody reads."""
    return paths.sign_in(reader.place)


def _tiebreak(spoken: Language, name: str) -> tuple[str, str]:
    head, about = words.tiebreak(name)
    return spoken.text(head), spoken.text(about) if about else ""


# --- times: by the clock of the event, and readable by programs -------------------------------------------------------


def _moment(spoken: Language, at: str, zone: str) -> Markup:
    """Day and hour, as `Sat, 7 Mar 2026, 10:00`."""
    local = _local(at, zone)
    day = format_datetime(local, "EEE d MMM y, HH:mm", locale=spoken.locale)
    return _time(at, f"{day} {_zone_of(local)}")


def _day(spoken: Language, at: str, zone: str) -> Markup:
    """The day in full."""
    return _time(at, format_date(_local(at, zone).date(), "full", locale=spoken.locale))


def _hour(spoken: Language, at: str, zone: str) -> Markup:
    """The hour."""
    local = _local(at, zone)
    return _time(at, f"{format_time(local.time(), 'HH:mm', locale=spoken.locale)} {_zone_of(local)}")


def _time(at: str, text: str) -> Markup:
    return Markup('<time datetime="{}">{}</time>').format(_local(at, "UTC").strftime("%Y-%m-%dT%H:%M:%SZ"), text)


def _local(at: str, zone: str) -> datetime:
    moment = datetime.fromisoformat(at)
    return (moment if moment.tzinfo else moment.replace(tzinfo=UTC)).astimezone(ZoneInfo(zone or "UTC"))


def _zone_of(moment: datetime) -> str:
    """The name of the zone's time, as `CET`; of zones without one, as `UTC+3`."""
    name = moment.tzname() or ""
    return name if name.isalpha() else f"UTC{name[:3].replace('-', chr(0x2212))}"


def _rate(spoken: Language, fraction: str) -> Markup:
    """A fraction with as many places as a screen has room for, and exactly for whoever points at it."""
    exact = Fraction(fraction)
    if exact.denominator == 1:
        return escape(fraction)
    shown = format_decimal(float(exact), f"0.{'0' * PLACES}", locale=spoken.locale)
    return Markup('<abbr title="{}">{}</abbr>').format(fraction, shown)


def packed(body: bytes) -> bytes:
    """A page that is made for one reader, as small as is quick."""
    return gzip.compress(body, 5, mtime=0)
