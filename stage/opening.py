"""The curtain: a chain, a database and a scene, ready to be served; all of it gone afterwards.

with opened(folder, "127.0.0.1:8000", Scene.CHECK_IN) as stage:
    create_site(stage.settings, database=stage.database, demo=stage.demo)
"""

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Final

from stage.acting import Server
from stage.cards import dealt
from stage.scenes import Day, Scene, play
from stage.showing import demo_of
from tournament.database import Database, open_database
from tournament.service.codes import Codes
from tournament.service.nodes import Nodes
from tournament.settings import Settings
from tournament.web.demo import Demo

AGE: Final = timedelta(days=8)
"""Of the chain: long enough for what happened before."""
BLOCK_TIME: Final = 2
"""Seconds between blocks from now on."""


@dataclass(frozen=True)
class Opened:
    """A scene, ready to be served."""

    settings: Settings
    database: Database
    demo: Demo
    day: Day
    chain: str
    """URL of its endpoint."""
    collection: str


@contextmanager
def opened(
    folder: Path, domain: str, scene: Scene, say: Callable[[str], None] = lambda _: None, *, anvil: Path | None = None
) -> Iterator[Opened]:
    """A scene, made now.

    Args:
        folder: where the database is made.
        domain: host and port that the pages will have; wallets have signed for it.
        scene: which.
        say: is told what is being done.
        anvil: the program, if it is not to be looked for.

    Raises:
        CollectionError: there is no Anvil, or it does not start.
    """
    say("Dealing out cards on a chain…")
    began = datetime.now(UTC) - AGE
    with dealt(anvil, began) as cards:
        said = {
            "data": folder,
            "rpc": (cards.anvil.url,),
            "collection": cards.deployment.address,
            "rate_limits": False,  # whoever is somebody else every minute signs in often
            "private_webhooks": True,
        }
        settings = Settings.model_validate(said)
        database, nodes = open_database(settings), Nodes.of(settings)
        try:
            database.upgrade()
            codes = Codes(settings.secret.get_secret_value())
            server = Server(database, cards.anvil, nodes, codes, domain, began + timedelta(hours=4))
            day = play(server, cards, scene, say)
            cards.anvil.mine_every(BLOCK_TIME)
            demo = demo_of(day, cards, scene)
            yield Opened(settings, database, demo, day, cards.anvil.url, cards.deployment.address)
        finally:
            nodes.close()
            database.close()
