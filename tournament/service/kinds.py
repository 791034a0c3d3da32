"""Every kind of command by its name: what the log can be derived from."""

from collections.abc import Mapping
from typing import Any, Final

from tournament.service import entries, events, results, rounds, staff, webhooks
from tournament.service.commands import Kind

KINDS: Final[Mapping[str, Kind[Any, Any]]] = {
    kind.name: kind for noun in (events, staff, entries, rounds, results, webhooks) for kind in noun.KINDS
}
