"""Whether the server can work."""

from importlib.metadata import version

from fastapi import APIRouter
from sqlmodel import text

from tournament.api.deps import Db, Reading
from tournament.api.schemas import Health

router = APIRouter(tags=["health"])


@router.get("/health")
def show_health(session: Reading, database: Db) -> Health:
    """Ok if the database answers; a problem with 503 if not."""
    with session:
        session.connection().execute(text("SELECT 1"))
    return Health(status="ok", version=version("deckproof"), database=database.engine.dialect.name)
