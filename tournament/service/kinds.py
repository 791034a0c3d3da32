"""Every kind of command by its name: what the log can be derived from."""

from collections.abc import Mapping
from typing import Any, Final

from tournament.service import (
    apart,
    checkin,
    decklists,
    disqualifications,
    entries,
    events,
    merging,
    registrations,
    results,
    rosters,
    rounds,
    series,
    staff,
)
from tournament.service.commands import Kind

KINDS: Final[Mapping[str, Kind[Any, Any]]] = {
    kind.name: kind
    for noun in (
        *(events, staff, entries, rounds, results, series),
        *(registrations, rosters, checkin, decklists, apart, disqualifications, merging),
    )
    for kind in noun.KINDS
}
