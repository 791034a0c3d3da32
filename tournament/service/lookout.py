"""The lookout: looks through collections' logs while events go on, in a thread of its own, until it is told to stop.

Every process of a server may have one; an event is leased, so two never look at it at once.
"""

import logging
from collections.abc import Callable
from datetime import UTC, datetime
from secrets import token_hex
from threading import Event, Thread
from typing import Final

from tournament.database import UNAVAILABLE, Database
from tournament.errors import DatabaseUnavailable
from tournament.service import alerts, departures
from tournament.service.nodes import Nodes

LOOK_S: Final = 5.0
"""How often it looks for events that are due."""
_AT_ONCE: Final = 100
_STOP_S: Final = 1.0
_LOG: Final = logging.getLogger(__name__)


def _now() -> datetime:
    return datetime.now(UTC)


class Lookout:
    """Looks.

    Args:
        database: whose events.
        nodes: what is asked; with none, nothing is done.
        now: a clock.
    """

    def __init__(self, database: Database, nodes: Nodes, *, now: Callable[[], datetime] = _now) -> None:
        self.name = token_hex(8)
        self._database, self._nodes, self._now = database, nodes, now
        self._stopped = Event()
        self._thread: Thread | None = None

    def start(self) -> None:
        """Begin, if there is anything to ask."""
        if self._nodes.count:
            self._thread = Thread(target=self._run, name="lookout", daemon=True)
            self._thread.start()

    def stop(self) -> None:
        """End, soon; what is being looked at is looked at again by whoever comes next."""
        self._stopped.set()
        if self._thread is not None:
            self._thread.join(_STOP_S)

    def round(self) -> int:
        """Look at every event that is due, one after the other; how many it looked at."""
        looked, before = 0, self._now() - departures.EVERY
        for event in departures.due(self._database, self._now(), limit=_AT_ONCE):
            if self._stopped.is_set():
                break
            try:
                looked += departures.look(
                    self._database, event, self._nodes, self._now(), lookout=self.name, looked_before=before
                )
                alerts.tell(self._database, event, self._now())
            except (DatabaseUnavailable, *UNAVAILABLE):
                raise
            except Exception:  # noqa: BLE001 - told; the other events are looked at
                _LOG.exception("the logs for event %s could not be looked through", event)
        return looked

    def _run(self) -> None:
        while not self._stopped.wait(LOOK_S):
            try:
                self.round()
            except (DatabaseUnavailable, *UNAVAILABLE):
                pass  # it is away; whoever needs it says so
            except Exception:  # noqa: BLE001 - the thread goes on
                _LOG.exception("events to look at could not be found")
