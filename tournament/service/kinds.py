"""Every kind of command by its name: what the log can be derived from. Undoing is of no noun (`undo`)."""

from collections.abc import Mapping
from typing import Any, Final

from tournament.service import (
    apart,
    calls,
    checkin,
    claims,
    clock,
    cut,
    deck_checks,
    decklists,
    disqualifications,
    entries,
    epochs,
    events,
    imports,
    invitations,
    judging,
    match_clocks,
    merging,
    notes,
    passes,
    penalties,
    privacy,
    registrations,
    repairs,
    results,
    rosters,
    rounds,
    scans,
    series,
    staff,
    swaps,
    wallets,
    webhooks,
)
from tournament.service.commands import Kind

KINDS: Final[Mapping[str, Kind[Any, Any]]] = {
    kind.name: kind
    for noun in (
        events,
        series,
        staff,
        invitations,
        entries,
        registrations,
        rosters,
        checkin,
        decklists,
        passes,
        scans,
        apart,
        disqualifications,
        merging,
        rounds,
        results,
        clock,
        swaps,
        repairs,
        cut,
        match_clocks,
        epochs,
        wallets,
        claims,
        calls,
        penalties,
        deck_checks,
        notes,
        judging,
        imports,
        privacy,
        webhooks,
    )
    for kind in noun.KINDS
}
