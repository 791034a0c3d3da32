"""Alerts: that cards left a wallet in which they are set aside is told at once, to staff and to the player.

What left is kept beside the log (`departures`) and changes no verdict. The log says no more than whom it is about, once
for each player between two epochs, and where it is published a seal stands for it; from it live streams are told.
"""

from datetime import datetime
from secrets import token_hex
from typing import Final

from sqlmodel import Session

from tournament import store
from tournament.database import Database
from tournament.domain.roles import Role
from tournament.errors import EventNotFound
from tournament.service.commands import LOOKOUT, Already, Arguments, Ask, Fact, Kind, Scene, nothing, run


class TellAlerts(Arguments):
    """Tell of whoever's cards left since the newest epoch, and was not told of since."""


class AlertsTold(Fact):
    """Cards of these players left wallets in which they are set aside, since an epoch."""

    epoch: int
    entries: list[int]


def tell(database: Database, event: str, now: datetime) -> bool:
    """Tell of what is not told yet; False if it is nothing."""
    with database.reading() as session:
        if not _untold(session, event)[1]:
            return False
    run(database, TELL, Ask(event=event, who=lambda _: LOOKOUT, command=token_hex(16), now=now), TellAlerts())
    return True


def _untold(session: Session, event: str) -> tuple[int, list[int]]:
    """The newest epoch that was read, and whose cards left after it and nobody was told."""
    read = [row for row in store.epochs_of(session, event) if row.block_number is not None]
    if not read:
        return 0, []
    block = read[-1].block_number or 0
    gone = {row.entry for row in store.departures_of(session, event) if row.block > block}
    told = {
        entry
        for row in store.log_of(session, event, [TELL.name])
        if (fact := AlertsTold.model_validate_json(row.fact)).epoch == read[-1].number
        for entry in fact.entries
    }
    return read[-1].number, sorted(gone - told)


def _decide(scene: Scene, _: TellAlerts) -> AlertsTold | Already:
    if scene.actor != LOOKOUT:
        raise EventNotFound(scene.event.id)
    epoch, entries = _untold(scene.session, scene.event.id)
    if not entries:  # an epoch was read meanwhile, or another one has told
        return Already(scene.event.version)
    return AlertsTold(epoch=epoch, entries=entries)


TELL: Final = Kind(
    name="epoch.alert",
    arguments=TellAlerts,
    fact=AlertsTold,
    roles=frozenset({Role.VISITOR}),
    lasting=True,
    unseen=True,
    sealed=True,
    decide=_decide,
    apply=nothing,
)
KINDS: Final = (TELL,)
