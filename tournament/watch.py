"""Hear when events change, whoever changes them: this process, another on this machine, or one on another.

A command rings the database's bell after its commit (`commands.run`), which costs it nothing. The watch waits for that
in a thread of its own, says what changed to whoever wants to know, and passes it on:

- On PostgreSQL by NOTIFY, in a transaction of its own; every process has one connection that listens. NOTIFY inside the
  command's transaction would make commands of all events wait for each other (docs/decisions/0023).
- On SQLite other processes see a number change that the file keeps (`PRAGMA data_version`), and look several times a
  second.

What is heard is a hint, never the news themselves: those are read from the log. So nothing is lost with a hint: with
`LOOK_S` between them there is a look at everything, also after the database was away.
"""

import logging
from collections.abc import Callable
from collections.abc import Set as AbstractSet
from secrets import token_hex
from threading import Event, Lock, Thread
from typing import Any, Final

from sqlalchemy import text

from tournament.database import UNAVAILABLE, Database
from tournament.errors import DatabaseUnavailable

CHANNEL: Final = "deckproof"
LOOK_S: Final = 1.0
"""On PostgreSQL, how long a lost hint goes unnoticed."""
LOOK_EMBEDDED_S: Final = 0.2
"""On SQLite, how long what another process did goes unnoticed."""
PAUSE_S: Final = 0.5
"""Before a database that was away is tried again."""
_BREATH_S: Final = 0.2
"""How often a thread looks whether it is to stop."""
_STOP_S: Final = 1.5
_LOG: Final = logging.getLogger(__name__)

Heard = Callable[[AbstractSet[str] | None], None]
"""Told which events changed, or None: any may have. Called in the watch's thread; may raise what a database raises."""


class Watch:
    """The ears of one process.

    Args:
        database: whose events.
    """

    def __init__(self, database: Database) -> None:
        self._database = database
        self._name = token_hex(4)
        self._wanting: list[Heard] = []
        self._stopped = Event()
        self._threads: list[Thread] = []
        self._turn = Lock()
        self._shape: Any = None
        self._eye: Any = None

    def tell(self, heard: Heard) -> None:
        """Begin to listen, if that has not begun, and tell this one too."""
        with self._turn:
            self._wanting.append(heard)
            if not self._threads and not self._stopped.is_set():
                self._begin()

    def stop(self) -> None:
        """Listen no more."""
        self._stopped.set()
        self._database.bell.ring("", here=False)
        for thread in self._threads:
            thread.join(_STOP_S)

    def _begin(self) -> None:
        self._threads = [Thread(target=self._wait, name="watch", daemon=True)]
        if self._database.engine.dialect.driver == "psycopg":
            self._threads.append(Thread(target=self._listen, name="ears", daemon=True))
        for thread in self._threads:
            thread.start()

    # --- what happened here, and looking now and then -----------------------------------------------------------------

    def _wait(self) -> None:
        is_missed = False
        while not self._stopped.is_set():
            here, elsewhere = self._database.bell.wait(LOOK_EMBEDDED_S if self._database.is_embedded else LOOK_S)
            try:
                if is_missed or self._everything(here, elsewhere):
                    self._say(None)
                elif here | elsewhere:
                    self._say(here | elsewhere)
                is_missed = False
                self._pass_on(here)
            except (DatabaseUnavailable, *UNAVAILABLE) as error:
                if not is_missed:
                    _LOG.warning("what happens to events is not heard for now: %s", error)
                is_missed = True
                self._stopped.wait(PAUSE_S)
            except Exception:  # noqa: BLE001 - the thread goes on: without it nobody would hear anything any more
                _LOG.exception("what was heard of an event could not be told")
                is_missed = True
                self._stopped.wait(PAUSE_S)
        if self._eye is not None:
            self._eye.close()

    def _say(self, events: AbstractSet[str] | None) -> None:
        for heard in tuple(self._wanting):
            heard(events)

    def _everything(self, here: AbstractSet[str], elsewhere: AbstractSet[str]) -> bool:
        """Whether more may have changed than what was heard."""
        if self._database.is_embedded:
            before, self._shape = self._shape, self._number()
            return bool(before != self._shape)
        return "" in elsewhere or not (here or elsewhere)

    def _number(self) -> Any:  # noqa: ANN401 - SQLite's
        """Changes with every commit of any other connection."""
        if self._eye is None:
            self._eye = _of_its_own(self._database)
        return self._eye.execute("PRAGMA data_version").fetchone()

    def _pass_on(self, events: AbstractSet[str]) -> None:
        if events and len(self._threads) > 1:
            engine = self._database.engine.execution_options(isolation_level="AUTOCOMMIT")
            said = [{"channel": CHANNEL, "said": f"{self._name} {event}"} for event in sorted(events)]
            with engine.connect() as connection:
                connection.execute(text("SELECT pg_notify(:channel, :said)"), said)

    # --- what happened elsewhere --------------------------------------------------------------------------------------

    def _listen(self) -> None:
        broken = (*UNAVAILABLE, self._database.engine.dialect.loaded_dbapi.Error)
        while not self._stopped.is_set():
            try:
                self._hear()
            except broken:
                self._stopped.wait(PAUSE_S)

    def _hear(self) -> None:
        """One connection, as long as it holds."""
        line = _of_its_own(self._database)
        try:
            line.autocommit = True
            line.execute(f"LISTEN {CHANNEL}")
            self._database.bell.ring("", here=False)  # whatever happened while nobody listened
            while not self._stopped.is_set():
                for said in line.notifies(timeout=_BREATH_S):
                    who, _, event = said.payload.partition(" ")
                    if who != self._name:
                        self._database.bell.ring(event, here=False)
        finally:
            line.close()


def _of_its_own(database: Database) -> Any:  # noqa: ANN401 - the driver's
    """A connection that no pool knows of."""
    connection = database.engine.raw_connection()
    line = connection.driver_connection
    connection.detach()
    return line
