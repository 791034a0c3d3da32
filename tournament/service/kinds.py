"""Every kind of command by its name: what the log can be derived from. Undoing is of no noun (`undo`)."""

from collections.abc import Mapping
from typing import Any, Final

from tournament.service import clock, cut, entries, events, repairs, results, rounds, staff, swaps
from tournament.service.commands import Kind

_NOUNS: Final = (events, staff, entries, rounds, results, clock, swaps, repairs, cut)
KINDS: Final[Mapping[str, Kind[Any, Any]]] = {kind.name: kind for noun in _NOUNS for kind in noun.KINDS}
