"""Ownership: the manifest, epochs, who has their cards, and what a judge decides where nobody knows."""

from fastapi import Response

from tournament import store
from tournament.api import documents, own
from tournament.api.answers import Viewer, fresh, obeyed, receipt, seen
from tournament.api.deps import Asking, Db, Looking, TheNodes
from tournament.api.routes.entries import Number
from tournament.api.schemas import (
    EntryOwnership,
    Epochs,
    Lights,
    OwnershipAlerts,
    Receipt,
)
from tournament.api.shelf import Shelf
from tournament.domain.roles import READERS
from tournament.errors import ManifestNotFound, NotYours
from tournament.service import departures, epochs
from tournament.service.commands import Nothing

router = Shelf(prefix="/events/{event}", tags=["ownership"])


@router.get("/manifest", response_model=dict)
def show_manifest(look: Looking) -> Response:
    """What the event promised about ownership when registration opened, byte for byte.

    Keccak-256 of these bytes is `manifest_id` of the event, which every signature names.
    """

    def shown(viewer: Viewer) -> bytes:
        row = store.find_manifest(viewer.session, viewer.event.id)
        if row is None:
            raise ManifestNotFound(viewer.event.id)
        return row.text.encode()

    return fresh(look, shown)


@router.get("/epochs", response_model=Epochs)
def list_epochs(look: Looking) -> Response:
    """The blocks at which everybody's cards are looked at, and how many had them."""
    return fresh(look, documents.epochs_of)


@router.post("/epochs", status_code=201, response_model=Receipt[epochs.EpochOpened])
def open_epoch(ask: Asking, database: Db, body: Nothing | None = None) -> Response:
    """Fix the moment at which everybody has to have their cards for the next round, or the cut.

    Pairing a round does so by itself. Where blocks take long to be final, open it while the round before is played.
    """
    return obeyed(database, epochs.OPEN, ask, body or Nothing(), status=201)


@router.post("/epochs/read", response_model=Receipt[epochs.EpochRead])
def read_epoch(ask: Asking, database: Db, nodes: TheNodes, body: epochs.Read | None = None) -> Response:
    """Ask the chain what everybody holds at an epoch's block, and judge who has their cards.

    Publishing a round does so by itself. Asked again, it looks at whoever is still undecided.
    """
    return receipt(epochs.read(database, ask, body or epochs.Read(), nodes))


@router.post("/epochs/override", response_model=Receipt[epochs.Overridden])
def override_epoch(body: epochs.Override, ask: Asking, database: Db) -> Response:
    """Let players play although nobody knows whether they have their cards, or although cards are missing.

    The reason is in the log. An event in which somebody played whose cards were missing is not sanctioned.
    """
    return obeyed(database, epochs.OVERRIDE, ask, body)


@router.get("/ownership", response_model=Lights)
def list_lights(look: Looking) -> Response:
    """Who has their cards by the newest epoch: a light and a reason for each, no cards and no wallets."""
    return fresh(look, documents.lights_of)


@router.get("/ownership/alerts", response_model=OwnershipAlerts)
def list_alerts(look: Looking) -> Response:
    """Units that left wallets in which they are set aside, since the first epoch; for judges and organizers.

    They come from the collection's logs, which tell early and are never the truth: verdicts are made at epochs.
    """

    def listed(viewer: Viewer) -> OwnershipAlerts:
        if not viewer.roles & READERS:
            raise NotYours("reading what players hold", sorted(READERS))
        return OwnershipAlerts.of(departures.alerts_of(viewer.session, viewer.event))

    document = seen(look, listed)
    return Response(document.model_dump_json(), 200, {"Cache-Control": "no-store"}, "application/json")


@router.get("/entries/{number}/ownership", response_model=EntryOwnership)
def show_ownership(look: Looking, number: Number) -> Response:
    """A player's wallets, and which cards were missing at which epoch; for the player, judges and organizers."""
    document = seen(look, lambda viewer: own.ownership_of(viewer, number))
    return Response(document.model_dump_json(), 200, {"Cache-Control": "no-store"}, "application/json")
