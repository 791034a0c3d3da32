"""What a server does now and then beside answering: it notes when tokens were used, and forgets what is over."""

import asyncio
import logging
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager, suppress
from datetime import UTC, datetime, timedelta
from time import monotonic
from typing import Final

from tournament import store
from tournament.api.edge.heads import Uses
from tournament.database import Database
from tournament.domain.errors import TournamentError
from tournament.service import limits
from tournament.service.commands import text_of
from tournament.service.deliveries import DELAYS_S, JITTER
from tournament.service.posting import LONGEST_PAUSE_S

NOTE_S: Final = 30.0
"""How often uses are written down."""
FORGET_S: Final = 600.0
"""How often what is over is deleted."""
LONGEST_WAIT: Final = timedelta(seconds=max(LONGEST_PAUSE_S, *DELAYS_S) * (1 + JITTER))
"""Between two attempts to deliver something."""
_LOG: Final = logging.getLogger(__name__)


@asynccontextmanager
async def kept_tidy(database: Database, uses: Uses, *, every: float = NOTE_S) -> AsyncIterator[None]:
    """Tidy up while this is open, and note the last uses at its end."""
    task = asyncio.create_task(_tidy(database, uses, every))
    try:
        yield
    finally:
        task.cancel()
        with suppress(asyncio.CancelledError):
            await task
        await asyncio.to_thread(note, database, uses)


def note(database: Database, uses: Uses) -> None:
    """Write down what was used since the last time. If the database does not answer, it is left: it is no promise."""
    taken = uses.taken()
    if not taken:
        return
    try:
        with database.writing() as session:
            store.note_uses(session, taken)
    except TournamentError as error:
        _LOG.warning("the uses of %d tokens were not noted: %s", len(taken), error)


def forget(database: Database, now: datetime) -> None:
    """Delete buckets that are full, tokens and browsers that expired, and texts that nobody signed in time.

    A clock may have been wrong for a while: what then was put off to a time far ahead is not waited for.
    """
    try:
        with database.writing() as session:
            limits.forget_full(session, now)
            store.delete_old_tokens(session, text_of(now))
            store.delete_old_challenges(session, text_of(now))
            ahead = text_of(now + limits.CLOCKS_DIFFER)
            store.free_postboxes(
                session, now=text_of(now), leased=ahead, waits=text_of(now + limits.CLOCKS_DIFFER + LONGEST_WAIT)
            )
            store.free_lookouts(session, now=text_of(now), leased=ahead)
    except TournamentError as error:
        _LOG.warning("what is over was not deleted: %s", error)


async def _tidy(database: Database, uses: Uses, every: float) -> None:
    forgot = monotonic()
    while True:
        await asyncio.sleep(every)
        await asyncio.to_thread(note, database, uses)
        if monotonic() - forgot > FORGET_S:
            forgot = monotonic()
            await asyncio.to_thread(forget, database, datetime.now(UTC))
