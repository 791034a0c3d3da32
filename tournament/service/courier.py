"""The courier: sends what is due to webhooks, in threads of its own, until it is told to stop.

Every process of a server may have one; a postbox is leased, so two never send the same at once.
"""

import logging
import time
from collections.abc import Callable
from collections.abc import Set as AbstractSet
from datetime import UTC, datetime
from functools import partial
from secrets import token_hex
from threading import Event, Lock, Thread
from typing import Final

from tournament.database import UNAVAILABLE, Database
from tournament.errors import DatabaseUnavailable
from tournament.service import deliveries
from tournament.service.codes import Codes
from tournament.service.deliveries import Enclose, Errand, Key
from tournament.service.posting import Answer, Lines, Rules, post

AT_ONCE: Final = 8
"""Webhooks that one process sends to at the same time."""
OF_EVENT: Final = 2
"""Of them, of one event: its slow receivers do not hold up those of others."""
_LOOKED_AT: Final = 100
LOOK_S: Final = 2.0
"""How often it looks for what is due, besides whenever an event changes."""
BREATH_S: Final = 0.05
"""Between two looks, however much changes."""
_STOP_S: Final = 1.0
_LOG: Final = logging.getLogger(__name__)

Send = Callable[[str, dict[str, str], bytes], Answer]
"""URL, headers, body."""


class Courier:
    """Sends what is due.

    Args:
        database: whose webhooks.
        codes: of this server; secrets come from them.
        rules: where it may go.
        enclose: what a body has beside the news.
        send: how one message is sent; usually over HTTP.
    """

    def __init__(
        self, database: Database, codes: Codes, rules: Rules, enclose: Enclose, *, send: Send | None = None
    ) -> None:
        self.name = token_hex(8)
        self._database, self._codes, self._enclose = database, codes, enclose
        self._lines = Lines()
        self._send = send or partial(post, rules=rules, lines=self._lines)
        self._stopped, self._woken = Event(), Event()
        self._busy: dict[Key, Thread] = {}
        self._turn = Lock()
        self._thread: Thread | None = None

    def start(self) -> None:
        """Begin."""
        self._thread = Thread(target=self._run, name="courier", daemon=True)
        self._thread.start()

    def stop(self) -> None:
        """End; what is being sent is cut off, and sent again by whoever comes next."""
        self._stopped.set()
        self._woken.set()
        self._lines.cut()
        with self._turn:
            at_work = [thread for thread in (self._thread, *self._busy.values()) if thread is not None]
        for thread in at_work:
            thread.join(_STOP_S)

    def wake(self, _: AbstractSet[str] | None = None) -> None:
        """Something may be due."""
        self._woken.set()

    def round(self) -> int:
        """Send all that is due now, one webhook after the other; how many had something."""
        keys = deliveries.due(self._database, _now(), limit=_LOOKED_AT)
        for key in keys:
            self._serve(key)
        return len(keys)

    def _run(self) -> None:
        while not self._stopped.is_set():
            self._woken.clear()
            try:
                self._dispatch()
            except (DatabaseUnavailable, *UNAVAILABLE):
                pass  # it is away; whoever needs it says so
            except Exception:  # noqa: BLE001 - the thread goes on: without it nothing would be sent any more
                _LOG.exception("what is due to webhooks could not be found")
            self._woken.wait(LOOK_S)
            self._stopped.wait(BREATH_S)

    def _dispatch(self) -> None:
        with self._turn:
            free = AT_ONCE - len(self._busy)
        for key in deliveries.due(self._database, _now(), limit=_LOOKED_AT) if free > 0 else ():
            with self._turn:
                of_event = sum(other.event == key.event for other in self._busy)
                if key in self._busy or len(self._busy) >= AT_ONCE or of_event >= OF_EVENT:
                    continue
                self._busy[key] = Thread(target=self._guarded, args=(key,), name="courier's hand", daemon=True)
                self._busy[key].start()

    def _guarded(self, key: Key) -> None:
        try:
            self._serve(key)
        except (DatabaseUnavailable, *UNAVAILABLE) as error:
            _LOG.warning("webhook %d of %s waits: %s", key.webhook, key.event, error)
        except Exception:  # noqa: BLE001 - told; the other webhooks are served
            _LOG.exception("webhook %d of %s could not be served", key.webhook, key.event)
        finally:
            with self._turn:
                del self._busy[key]
            self._woken.set()

    def _serve(self, key: Key) -> None:
        """Send all that is due to one webhook, in order."""
        errand = Errand(self._database, key, self.name)
        if not deliveries.lease(errand, _now()):
            return
        while not self._stopped.is_set():
            ahead = deliveries.look_ahead(errand, self._enclose, _now())
            job = deliveries.take(errand, ahead, self._codes, _now())
            if job is None:
                return
            answer = self._send(job.url, job.headers(int(time.time())), job.body)
            if self._stopped.is_set() and answer.problem:
                break  # we cut it off ourselves
            deliveries.settle(errand, job, answer, _now())
        deliveries.give_back(errand)


def _now() -> datetime:
    return datetime.now(UTC)
