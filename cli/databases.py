"""`deckproof db`: the shape of the database."""

from cli import asking, output
from tournament.database import Database, open_database

app = asking.new_app(no_args_is_help=True)


@app.callback()
def _db() -> None:
    """The database: bring it to the shape of this program."""


@app.command()
def upgrade(*, as_json: asking.Json = False) -> None:
    """Make what is missing, keep what is there. A database of a newer program is refused."""
    database = open_database(asking.settings())
    database.upgrade()
    if as_json:
        output.print_json({"database": database.engine.dialect.name, "shape": database.shape()})
    else:
        output.print_text(f"{database.engine.dialect.name} is at {database.shape()}")
    database.close()


def prepared() -> Database:
    """The database of the settings, ready to be used: an embedded or an empty one is brought up to date.

    Raises:
        SchemaMismatch: a PostgreSQL of another shape; somebody decides when all its programs are replaced.
        DatabaseUnavailable: it does not answer.
    """
    database = open_database(asking.settings())
    if database.is_embedded or database.shape() is None:
        database.upgrade()
    database.check_shape()
    return database
