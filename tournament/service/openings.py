"""Openings: how a round begins where players prove their cards.

Pairing a round opens the epoch that opens the round; publishing it reads the epoch first. Each is a command of its own
in the log, so that whoever sends one again changes nothing, and a server that was killed in between goes on.
"""

import json
from dataclasses import replace
from typing import Any, Final, TypeVar

from sqlmodel import Session

from tournament import store
from tournament.database import Database
from tournament.domain.lifecycle import Phase
from tournament.domain.roles import Role
from tournament.errors import CutRoundRefused, DraftMissing, PlayersDropped
from tournament.service import claimants, cut, cut_rounds, epochs, ownership, rounds
from tournament.service.commands import Ask, Kind, Nothing, Receipt, run
from tournament.service.nodes import Nodes
from tournament.tables import EventRow

_OPENERS: Final = frozenset({Role.ORGANIZER, Role.SCOREKEEPER})


def pair(database: Database, ask: Ask, asked: rounds.Pair) -> Receipt:
    """Pair the next round, and open its epoch, if none is open for it."""
    return run(database, rounds.PAIR, _open(database, ask), asked)


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
    return _begin(database, cut.START, ask, asked, nodes)


def begin_cut_round(database: Database, ask: Ask, asked: cut_rounds.BeginCutRound, nodes: Nodes) -> Receipt:
    """Read the epoch of the next round of the cut, and begin it. Raises: as `publish`.

    Who is dropped for missing cards leaves the cut first, so the opponent advances.
    """
    return _begin(database, cut_rounds.BEGIN, ask, asked, nodes)


B = TypeVar("B", cut.StartCut, cut_rounds.BeginCutRound)


def _begin(database: Database, kind: Kind[B, Any], ask: Ask, asked: B, nodes: Nodes) -> Receipt:
    """Unproven, an epoch is opened all the same, so that it can be read later."""
    ask = _open(database, ask)
    if not asked.unproven:
        ask, _ = _look(database, ask, nodes)
    return run(database, kind, ask, asked)


def _open(database: Database, ask: Ask) -> Ask:
    if not _has_to_open(database, ask):
        return ask
    return _first(ask, run(database, epochs.OPEN, _named(ask, "opened"), Nothing()))


def _has_to_open(database: Database, ask: Ask) -> bool:
    with database.reading() as session:
        event = _event(session, ask)
        if event is None:
            return False
        last, after = store.last_published(session, event.id), 0
        if event.phase == Phase.ROUND and store.tables_playing(session, event.id, last):
            return False  # nothing is paired before they have ended
        if event.phase == Phase.CUT:
            try:
                number, _ = cut_rounds.due(session, event)
            except CutRoundRefused:
                return False  # no round of the cut is begun before they have ended
            after = cut_rounds.epoch_before(session, event.id, number)
        opened = store.epochs_of(session, event.id)
        return not any(epoch.round == last + 1 and epoch.number > after for epoch in opened)


def _look(database: Database, ask: Ask, nodes: Nodes) -> tuple[Ask, list[int]]:
    """Open the epoch, where that was not done, and ask the chain, where something is not known; who was dropped."""
    ask = _open(database, ask)
    with database.reading() as session:
        event = _event(session, ask)
        if event is None:
            return ask, []
        number, after = store.last_published(session, event.id) + 1, 0
        newest = store.epochs_of(session, event.id)[-1]
        players = claimants.players_of(session, event, newest)
        if event.phase == Phase.CUT:
            try:
                cut_round, staying = cut_rounds.due(session, event)
            except CutRoundRefused:
                return ask, []  # the command says so itself
            players, after = frozenset(staying), cut_rounds.epoch_before(session, event.id, cut_round)
        _, problem, unproven = ownership.look(session, event, number, players, after=after)
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
