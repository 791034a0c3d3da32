"""Openings: how a round begins where players prove their cards.

Pairing a round opens the epoch that opens the round; publishing it reads the epoch first. Each is a command of its own
in the log, so that whoever sends one again changes nothing, and a server that was killed in between goes on.
"""

import json
from dataclasses import replace
from typing import Final

from sqlmodel import Session

from tournament import store
from tournament.database import Database
from tournament.domain.lifecycle import Phase
from tournament.domain.roles import Role
from tournament.errors import DraftMissing, PlayersDropped
from tournament.service import claimants, cut, epochs, ownership, rounds
from tournament.service.commands import Ask, Nothing, Receipt, run
from tournament.service.nodes import Nodes
from tournament.tables import EventRow

_OPENERS: Final = frozenset({Role.ORGANIZER, Role.SCOREKEEPER})


def pair(database: Database, ask: Ask, asked: rounds.Pair) -> Receipt:
    """Pair the next round, and open its epoch, if none is open for it."""
    if _has_to_open(database, ask):
        ask = _first(ask, run(database, epochs.OPEN, _named(ask, "opened"), Nothing()))
    return run(database, rounds.PAIR, ask, asked)


def publish(database: Database, ask: Ask, asked: rounds.Publish, nodes: Nodes) -> Receipt:
    """Read the epoch of the round that is paired, and publish the round.

    Raises:
        OwnershipUnproven: players are not proven.
        PlayersDropped: who was short was dropped, so the round has to be paired again.
        BlockNotYet: the epoch's block is not there yet, or may still be replaced.
    """
    if asked.unproven:
        return run(database, rounds.PUBLISH, ask, asked)
    ask, dropped = _look(database, ask, nodes)
    try:
        return run(database, rounds.PUBLISH, ask, asked)
    except DraftMissing as missing:
        if dropped:
            raise PlayersDropped(missing.round, dropped) from missing
        raise


def start_cut(database: Database, ask: Ask, asked: cut.StartCut, nodes: Nodes) -> Receipt:
    """Read the epoch of the cut, and start it. Raises: as `publish`."""
    if not asked.unproven:
        ask, _ = _look(database, ask, nodes)
    return run(database, cut.START, ask, asked)


def _has_to_open(database: Database, ask: Ask) -> bool:
    with database.reading() as session:
        event = _event(session, ask)
        if event is None:
            return False
        last = store.last_published(session, event.id)
        if event.phase == Phase.ROUND and store.tables_playing(session, event.id, last):
            return False  # nothing is paired before they have ended
        return not any(epoch.round == last + 1 for epoch in store.epochs_of(session, event.id))


def _look(database: Database, ask: Ask, nodes: Nodes) -> tuple[Ask, list[int]]:
    """Open the epoch, where that was not done, and ask the chain, where something is not known; who was dropped."""
    if _has_to_open(database, ask):
        ask = _first(ask, run(database, epochs.OPEN, _named(ask, "opened"), Nothing()))
    with database.reading() as session:
        event = _event(session, ask)
        if event is None:
            return ask, []
        number = store.last_published(session, event.id) + 1
        newest = store.epochs_of(session, event.id)[-1]
        players = claimants.players_of(session, event, newest)
        _, problem, unproven = ownership.look(session, event, number, players)
    if not problem and not unproven:
        return ask, []
    done = epochs.read(database, _named(ask, "read"), epochs.Read(), nodes)
    return _first(ask, done), list(json.loads(done.body)["fact"]["dropped"])


def _event(session: Session, ask: Ask) -> EventRow | None:
    """The event, if it requires ownership and the asker's command would be carried out now."""
    actor, event = ask.who(session), store.find_event(session, ask.event)
    if event is None or not event.manifest_id or event.phase not in epochs.PLAYING:
        return None
    if not store.roles_of(session, event.id, actor) & _OPENERS:
        return None
    return None if store.find_command(session, event.id, ask.command) is not None else event


def _named(ask: Ask, what: str) -> Ask:
    """A command that belongs to another one."""
    return replace(ask, command=f"{ask.command}~{what}")


def _first(ask: Ask, done: Receipt) -> Ask:
    """The command after one that belongs to it: what the asker looked at was changed by that alone."""
    return ask if ask.expected is None else replace(ask, expected=max(ask.expected, done.version))
