"""Whether the server runs, and whether it can work."""

from importlib.metadata import version

from sqlmodel import Session

from tournament import store
from tournament.api.deps import Db, Reading
from tournament.api.live import Hub
from tournament.api.routes.live import Streams
from tournament.api.schemas import Alive, Backlog, Health
from tournament.api.shelf import Shelf
from tournament.database import Database
from tournament.service.deliveries import State

router = Shelf(prefix="/health", tags=["health"])


@router.get("/live")
async def show_alive() -> Alive:
    """Ok if the process answers at all; it asks no database. Restart it when this fails."""
    return Alive(status="ok", version=version("deckproof"))


@router.get("/ready")
def show_ready(session: Reading, database: Db, hub: Streams) -> Health:
    """Ok if the database answers and has the shape of this program, 503 if not. Then ask elsewhere."""
    return _health(session, database, hub)


@router.get("")
def show_health(session: Reading, database: Db, hub: Streams) -> Health:
    """The same as `/health/ready`."""
    return _health(session, database, hub)


def _health(session: Session, database: Database, hub: Hub) -> Health:
    shape = database.check_shape()
    with session:
        many, oldest = store.backlog_of(session)
    return Health(
        status="ok",
        version=version("deckproof"),
        database=database.engine.dialect.name,
        shape=shape,
        streams=hub.streams,
        webhooks=Backlog(waiting=many.get(State.WAITING, 0), dead=many.get(State.DEAD, 0), oldest=oldest),
    )
