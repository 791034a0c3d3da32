"""The catalogues of texts: collect what templates and Python mark, and merge it into `tournament/web/locales/*.po`.

The titles of refusals are collected too: the first line of each error's docstring.

    python tools/catalogues.py            # merges; what is new is left empty, to be translated by hand
    python tools/catalogues.py --check    # says what is missing, unknown or empty, and exits with 1

English is the source and has no catalogue.
"""

import importlib
import pkgutil
import sys
from collections.abc import Iterator
from io import BytesIO
from pathlib import Path

from babel.messages.catalog import Catalog, Message
from babel.messages.extract import extract_from_dir
from babel.messages.pofile import read_po, write_po

import tournament
import verifier
from games.errors import GameError
from tournament.domain.errors import TournamentError
from tournament.problem import title_of
from verifier.errors import VerifierError

ROOT = Path(__file__).parents[1]
WEB = ROOT / "tournament" / "web"
NOISE = tuple(
    f'"{field}'.encode()
    for field in ("Project", "Report", "POT", "PO-", "Last", "Language-Team", "MIME", "Content-Transfer", "Generated")
)
"""Fields of a header that say nothing, or something else each time."""
OURS = ("tournament.", "verifier.", "games.")
"""Modules whose refusals a page may show."""
METHODS = [("**.py", "python"), ("templates/**.html", "jinja2")]
KEYWORDS = {"_": None, "gettext": None, "ngettext": (1, 2), "mark": None}
OPTIONS = {"templates/**.html": {"extensions": "jinja2.ext.do", "trimmed": "true"}}


def collected() -> Catalog:
    """Every text of the pages, each once."""
    catalogue = Catalog()
    found = extract_from_dir(WEB, METHODS, OPTIONS, KEYWORDS)
    for _, _, text, _, _ in found:
        catalogue.add(text)
    for title in titles():
        catalogue.add(title)
    return catalogue


def titles() -> Iterator[str]:
    """What refusals are called, of everything that the rules, the verifier and the service refuse."""
    for package in (tournament, verifier):
        for module in pkgutil.walk_packages(package.__path__, f"{package.__name__}."):
            if ".migrations" not in module.name:
                importlib.import_module(module.name)
    for root in (TournamentError, VerifierError, GameError):
        yield from (title_of(kind) for kind in _leaves(root))


def _leaves(kind: type[Exception]) -> Iterator[type[Exception]]:
    below = [one for one in kind.__subclasses__() if one.__module__.startswith(OURS)]
    if not below:
        yield kind
    for one in below:
        yield from _leaves(one)


def merged(path: Path) -> Catalog:
    """A catalogue with every text that there is, and none that there is not."""
    with path.open("rb") as file:
        known = read_po(file, locale=path.stem)
    known.update(collected(), no_fuzzy_matching=True)
    known.obsolete.clear()
    return known


def faults(path: Path) -> Iterator[str]:
    """What a catalogue lacks, or has too much of."""
    with path.open("rb") as file:
        known = read_po(file, locale=path.stem)
    wanted = {key_of(message) for message in collected() if message.id}
    there = {key_of(message): message for message in known if message.id}
    yield from (f"{path.name}: lacks {key!r}" for key in sorted(wanted - there.keys()))
    yield from (f"{path.name}: has {key!r}, which no page says" for key in sorted(there.keys() - wanted))
    for key, message in there.items():
        texts = message.string if isinstance(message.string, list | tuple) else [message.string]
        if not all(texts) or message.fuzzy:
            yield f"{path.name}: has no text for {key!r}"
        yield from (f"{path.name}: {key!r}: {error}" for error in message.check(known))


def key_of(message: Message) -> str:
    """The English text, the singular where there are two."""
    return message.id if isinstance(message.id, str) else message.id[0]


def main() -> None:
    """Merge, or check."""
    paths = sorted((WEB / "locales").glob("*.po"))
    if "--check" in sys.argv:
        found = [fault for path in paths for fault in faults(path)]
        print("\n".join(found) or "every text has its translation")
        sys.exit(1 if found else 0)
    for path in paths:
        catalogue = merged(path)
        written = BytesIO()
        write_po(written, catalogue, width=100, no_location=True, sort_output=True)
        kept = [line for line in written.getvalue().splitlines(keepends=True) if not line.startswith(NOISE)]
        path.write_bytes(b"".join(kept))


if __name__ == "__main__":
    main()
