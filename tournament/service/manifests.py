"""Manifests: what an event promises about ownership, fixed by the command that opens registration.

The collection is looked at before, outside of any transaction, since nodes are slow: that it is there, is ERC-1155, and
which code it runs. What was found goes into the manifest, and every later reading is compared with it.
"""

import unicodedata
from dataclasses import dataclass, replace
from datetime import datetime, timedelta

from sqlmodel import Session

from tournament import store
from tournament.database import Database
from tournament.domain.announcement import Fault, Ownership
from tournament.domain.lifecycle import Phase
from tournament.domain.roles import Role
from tournament.errors import ManifestImpossible, ManifestNotFound
from tournament.service import decks, events, pass_keys
from tournament.service.commands import Ask, Keeping, Nothing, Receipt, Scene, run, text_of
from tournament.service.nodes import Nodes
from tournament.tables import EventRow
from verifier.chain import ChainHoldings, Collection
from verifier.epochs import look_at_finality
from verifier.holdings import Address
from verifier.manifest import (
    LONGEST_NAME,
    BlockRule,
    CardContract,
    DeckFormat,
    Manifest,
    Policy,
    Quorum,
    Window,
    parse_manifest,
    write_manifest,
)


@dataclass(frozen=True, slots=True)
class Looked:
    """What was found of the collection that an event announces."""

    chain_id: int
    contract: CardContract
    quorum: Quorum


def open_registration(database: Database, ask: Ask, asked: Nothing, nodes: Nodes) -> Receipt:
    """Open registration; where ownership is required, fix what is promised of it.

    Raises:
        ManifestImpossible: with every field that is missing or cannot be so.
        EndpointsMissing: this server cannot ask the chain.
        ChainError: the collection could not be looked at, or is not the one that was announced.
    """
    with database.reading() as session:
        announced = _announced(session, ask)
    if announced is None:
        return run(database, events.OPEN, ask, asked)
    if faults := unsaid(announced, nodes, text_of(ask.now)):
        raise ManifestImpossible(faults)
    with nodes.for_staff.take(announced.id):
        looked = _look(announced, nodes)
    kind = replace(events.OPEN, decide=lambda scene, _: _decide(scene, looked))
    as_looked_at = announced.version if ask.expected is None else ask.expected
    return run(database, kind, replace(ask, expected=as_looked_at), asked)


def manifest_of(session: Session, event: str) -> Manifest:
    """What the event promised. Raises: ManifestNotFound."""
    row = store.find_manifest(session, event)
    if row is None:
        raise ManifestNotFound(event)
    return parse_manifest(row.text)


def reader_of(manifest: Manifest, nodes: Nodes) -> ChainHoldings:
    """What reads the event's collection: chain, code and quorum as promised. Raises: EndpointsMissing."""
    contract = manifest.collections[0]
    collection = Collection(manifest.chain_id, contract.address, contract.code_hash)
    return nodes.chain(collection, manifest.quorum.agree)


def _announced(session: Session, ask: Ask) -> EventRow | None:
    """The event, if the command would have something to promise; None: whoever asks is refused, or answered at once."""
    actor, event = ask.who(session), store.find_event(session, ask.event)
    if event is None or event.ownership != Ownership.REQUIRED or event.phase != Phase.DRAFT:
        return None
    if Role.ORGANIZER not in store.roles_of(session, event.id, actor):
        return None
    if store.find_command(session, event.id, ask.command) is not None:
        return None
    return event.model_copy()


def unsaid(event: EventRow, nodes: Nodes, now: str) -> list[Fault]:
    """Every field that has to be said first, or otherwise, before registration of such an event is opened."""
    faults = []
    if event.collection is None and nodes.usual is None:
        faults.append(Fault("collection", "neither the event nor this server names one"))
    if _opening(event) is None:
        faults.append(
            Fault(
                "starts_at",
                "cards are looked at before the start, so the event says when it starts, such as 2027-03-07T10:00",
            )
        )
    elif (opening := _opening(event)) is not None and opening <= now:
        problem = (
            f"cards would be looked at for the first time at {opening}, which is over, so the block could be chosen"
        )
        faults.append(Fault("starts_at" if event.ownership_at is None else "ownership_at", problem))
    return faults


def _opening(event: EventRow) -> str | None:
    """When epoch 1 opens, in UTC."""
    if event.ownership_at is not None or event.starts_at is None:
        return event.ownership_at
    return text_of(datetime.fromisoformat(event.starts_at) - timedelta(minutes=event.check_in_minutes))


def _look(event: EventRow, nodes: Nodes) -> Looked:
    chain = nodes.chain(_collection(event, nodes), event.quorum)
    found = chain.inspect(chain.pin("latest"))
    if event.block_depth is None and (finality := look_at_finality(chain)).block is None:
        problem = f"on this chain nothing shows when a block is final: {finality.problem}; name a depth"
        raise ManifestImpossible([Fault("block_depth", problem)])
    contract = CardContract(chain.collection.address, found.code_hash)
    return Looked(found.chain_id, contract, Quorum(chain.quorum, nodes.count))


def _collection(event: EventRow, nodes: Nodes) -> Collection:
    """As the event says; what it does not say, as is usual here, if it is the same contract."""
    usual = nodes.usual
    address = Address(event.collection or (usual.address if usual else ""))
    if usual is None or address != usual.address:
        return Collection(event.chain_id, address, event.code_hash)
    return Collection(event.chain_id or usual.chain_id, address, event.code_hash or usual.code_hash)


def _decide(scene: Scene, looked: Looked) -> Keeping[events.Opened]:
    event, codes, keys = scene.event, scene.codes, pass_keys.fresh()
    opening = _opening(event)
    assert opening is not None  # noqa: S101 - `unsaid` has looked, and the version is the same
    opens = seconds(opening)
    closes = opens + 60 * event.check_in_minutes if event.starts_at is None else seconds(event.starts_at)
    manifest = Manifest(
        event=_printable(event.name),
        salt="0x" + scene.chance(),
        chain_id=looked.chain_id,
        collections=(looked.contract,),
        catalogue=decks.catalogue_hash(event.game),
        deck_format=DeckFormat(event.game, event.format, event.format_version or 1),
        block_rule=BlockRule(opens, event.block_depth),
        policy=Policy(event.if_short),
        quorum=looked.quorum,
        keys=tuple(key.address for key in keys),
        check_in=Window(opens, max(closes, opens + 1)),
    )
    opened = events.Opened(manifest=write_manifest(manifest).decode(), event_id=manifest.event_id)
    return Keeping(opened, lambda session: pass_keys.keep(session, codes, event.id, keys))


def _printable(name: str) -> str:
    """A name as a manifest has it."""
    letters = "".join(letter if letter.isprintable() else " " for letter in unicodedata.normalize("NFC", name))
    return " ".join(letters.split())[:LONGEST_NAME].strip()


def seconds(moment: str) -> int:
    """A moment in seconds since 1970, rounded up: a block that is early by a second is early."""
    found = datetime.fromisoformat(moment)
    return int(found.timestamp()) + bool(found.microsecond)
