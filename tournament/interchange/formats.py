"""The formats by name: a reader and a writer each."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass

from tournament.interchange.event import Event, Reading, Writing
from tournament.interchange.nrtm import parse_nrtm, render_nrtm
from tournament.interchange.results_csv import parse_csv, render_csv
from tournament.interchange.tdf import parse_tdf, render_tdf
from tournament.interchange.trf import parse_trf, render_trf


@dataclass(frozen=True, slots=True)
class Format:
    """How one kind of file is read and written, and what its files are called."""

    title: str
    suffix: str
    parse: Callable[[bytes | str], Reading]
    render: Callable[[Event], Writing]


FORMATS: Mapping[str, Format] = {
    "tdf": Format("Pokémon tournament file", ".tdf", parse_tdf, render_tdf),
    "nrtm": Format("NRTM JSON (Netrunner)", ".json", parse_nrtm, render_nrtm),
    "trf": Format("FIDE tournament report, TRF16", ".trf", parse_trf, render_trf),
    "csv": Format("results as CSV", ".csv", parse_csv, render_csv),
}
