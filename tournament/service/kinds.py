"""Every kind of command by its name: what the log can be derived from. Undoing is of no noun (`undo`)."""

from collections.abc import Mapping
from typing import Any, Final

from tournament.service import (
    calls,
    claims,
    clock,
    cut,
    deck_checks,
    entries,
    events,
    imports,
    judging,
    notes,
    penalties,
    repairs,
    results,
    rounds,
    series,
    staff,
    swaps,
)
from tournament.service.commands import Kind

KINDS: Final[Mapping[str, Kind[Any, Any]]] = {
    kind.name: kind
    for noun in (
        events,
        series,
        staff,
        entries,
        rounds,
        results,
        clock,
        swaps,
        repairs,
        cut,
        claims,
        calls,
        penalties,
        deck_checks,
        notes,
        judging,
        imports,
    )
    for kind in noun.KINDS
}
