"""Write the next migration from what tables.py says now: `python tools/migration.py "waitlist of an event"`."""

import sys
import tempfile
from pathlib import Path

from alembic import command
from alembic.config import Config
from alembic.script import ScriptDirectory

from tournament.database import open_file


def main() -> None:
    """Make a fresh database of the present shape, compare, write the step."""
    config = Config()
    config.set_main_option("script_location", str(Path(__file__).parent.parent / "tournament" / "migrations"))
    config.set_main_option("path_separator", "os")
    number = len(list(ScriptDirectory.from_config(config).walk_revisions())) + 1
    with tempfile.TemporaryDirectory() as folder:
        database = open_file(Path(folder) / "shape.db")
        database.upgrade()
        with database.engine.execution_options(writes=True).begin() as connection:
            config.attributes["connection"] = connection
            script = command.revision(config, sys.argv[1], autogenerate=True, rev_id=f"{number:04}")
        database.close()
    print(script)


main()
