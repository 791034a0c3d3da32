"""What is held about a player: one file with all of it, and erasing it."""

from fastapi import Response

from tournament.api.answers import JSON, Viewer, private, receipt, seen
from tournament.api.deps import Asking, Db, Looking
from tournament.api.routes.entries import Number
from tournament.api.schemas import ErasureLook, PersonalFile, Receipt
from tournament.api.shelf import Shelf
from tournament.domain.roles import ORGANIZERS, Role
from tournament.errors import NotYours
from tournament.service import privacy
from tournament.service.commands import WithReason

router = Shelf(prefix="/events/{event}", tags=["privacy"])


@router.get("/entries/{number}/held", response_model=PersonalFile)
def show_held(look: Looking, number: Number) -> Response:
    """Everything that the event holds about a player, as one file: for organizers, and for the player.

    What judges wrote for staff is in the organizer's file only; the player's says how much of it there is.
    """

    def written(viewer: Viewer) -> bytes:
        whole = Role.ORGANIZER in viewer.roles
        if not whole and viewer.player != number:
            raise NotYours("reading what is held about a player", [Role.ORGANIZER, Role.PLAYER])
        held = privacy.held(viewer.session, viewer.event, number)
        file = PersonalFile.of(viewer.event, held, for_staff=privacy.FOR_STAFF, whole=whole)
        return file.model_dump_json(indent=2).encode()

    return Response(seen(look, written), 200, {"Cache-Control": "no-store"}, JSON)


@router.get("/entries/{number}/erasure", response_model=ErasureLook)
def look_at_erasure(look: Looking, number: Number) -> Response:
    """What erasing a player's data would erase and leave now; for organizers."""
    return private(
        look,
        lambda viewer: ErasureLook.of(privacy.looked_at(viewer.session, viewer.event, number)),
        roles=ORGANIZERS,
    )


@router.get("/erasure", response_model=ErasureLook)
def look_at_whole_erasure(look: Looking) -> Response:
    """What erasing the data of everybody would erase and leave now; for organizers."""
    return private(
        look,
        lambda viewer: ErasureLook.of(privacy.looked_at(viewer.session, viewer.event, None)),
        roles=ORGANIZERS,
    )


@router.post("/entries/{number}/erase", response_model=Receipt[privacy.Erased])
def erase_entry(body: privacy.Erasing, ask: Asking, database: Db, number: Number) -> Response:
    """Erase what is held about a player: the name, the lists, and what judges wrote. It is never undone.

    Once the event is finished or void; before that, of somebody who left without having played. The log holds as
    before, and so does everything that follows from it.
    """
    return receipt(privacy.erase(database, ask, privacy.Erase(entry=number, **body.model_dump())))


@router.post("/erase", response_model=Receipt[privacy.Erased])
def erase_everybody(body: privacy.Erasing, ask: Asking, database: Db) -> Response:
    """The same for every player of a finished or void event."""
    return receipt(privacy.erase(database, ask, privacy.Erase(**body.model_dump())))


@router.post("/entries/{number}/deck/erase", response_model=Receipt[privacy.ListsErased])
def erase_lists(body: WithReason, ask: Asking, database: Db, number: Number) -> Response:
    """Erase every list that a player handed in; the commitments stay. It is never undone."""
    return receipt(privacy.erase_lists(database, ask, privacy.EraseLists(entry=number, reason=body.reason)))
