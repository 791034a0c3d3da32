"""The event file: one JSON document for a whole event, to be kept, sent, and checked again by anybody.

    parse_event_file(source) -> Event           or every fault in it, with its place
    write_event_file(event) -> str              one layout, in the author's order

`answers` brings an event and the rules together (its next round, its standings, a repair), `entering` lets players come
and go, `playing` takes results, `outlook` says who can still be in, `documents` says the answers in JSON, `proving`
checks each round by what was known when it was paired, `simulation` plays an event that nobody plays.

Pure: text in, values out; nothing is opened here. docs/guide/event-file.md describes the format field by field,
`event-file.schema.json` beside this module is its JSON Schema.

    proving ──► documents | simulation | entering | playing | outlook ──► answers ──► names ──► model
    writing ──► reading ──► contradictions ──► fields ──► strict_json ──► model
"""

from tournament.event_file.model import MOST_BYTES, VERSION, AsPaired, Event, FileRule, usual_way
from tournament.event_file.reading import parse_event_file
from tournament.event_file.writing import document_of, write_event_file

__all__ = [
    "MOST_BYTES",
    "VERSION",
    "AsPaired",
    "Event",
    "FileRule",
    "document_of",
    "parse_event_file",
    "usual_way",
    "write_event_file",
]
