"""Write the next migration from what tables.py says now: `python tools/migration.py "waitlist of an event"`.

People have databases with rows in them. So a column that is never empty gets, in the step, the default that its field
has in tables.py: rows that are there have it from then on, and the database forgets it again. A field without a default
cannot be added so; what its rows shall hold is written by hand.
"""

import sys
import tempfile
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any, Final

import sqlalchemy as sa
from alembic import command
from alembic.config import Config
from alembic.operations import ops
from alembic.script import ScriptDirectory

from tournament.database import open_file
from tournament.tables import Table

SCRIPTS: Final = Path(__file__).parent.parent / "tournament" / "migrations"


def write(words: str, *, scripts: Path = SCRIPTS, metadata: sa.MetaData = Table.metadata) -> Path:
    """Make a fresh database of the present shape, compare, write the step.

    Args:
        words: what it is for.
        scripts: the folder of the steps so far.
        metadata: the tables as they are to be.

    Raises:
        ValueError: rows that are there would have nothing in a column that is never empty.
    """
    config = Config()
    config.set_main_option("script_location", str(scripts))
    config.set_main_option("path_separator", "os")
    config.attributes["metadata"] = metadata
    number = len(list(ScriptDirectory.from_config(config).walk_revisions())) + 1
    with tempfile.TemporaryDirectory() as folder:
        database = open_file(Path(folder) / "shape.db")
        database.upgrade(scripts=str(scripts))
        with database.engine.execution_options(writes=True).begin() as connection:
            config.attributes["connection"] = connection
            script = command.revision(
                config, words, autogenerate=True, rev_id=f"{number:04}", process_revision_directives=_fill(metadata)
            )
        database.close()
    return Path(script.path)  # type: ignore[union-attr]


def _fill(metadata: sa.MetaData) -> Any:  # noqa: ANN401 - what Alembic calls
    def fill(_: object, __: object, directives: list[ops.MigrationScript]) -> None:
        for directive in directives:
            steps = directive.upgrade_ops
            if steps is not None:
                steps.ops[:] = [step for one in steps.ops for step in _filled(metadata, one)]

    return fill


def _filled(metadata: sa.MetaData, step: ops.MigrateOperation) -> Iterator[ops.MigrateOperation]:
    """The same step, with what rows need that are there already."""
    if not isinstance(step, ops.ModifyTableOps):
        yield step
        return
    after: list[ops.MigrateOperation] = []
    for change in step.ops:
        if isinstance(change, ops.AddColumnOp) and not change.column.nullable and change.column.server_default is None:
            column = change.column
            filled = _default_of(metadata, step.table_name, column.name)
            change.column = sa.Column(column.name, column.type, nullable=False, server_default=filled)
            after.append(
                ops.AlterColumnOp(
                    step.table_name,
                    column.name,
                    existing_type=column.type,
                    existing_nullable=False,
                    existing_server_default=filled,
                    modify_server_default=None,
                )
            )
        elif isinstance(change, ops.AlterColumnOp) and change.modify_nullable is False:
            filled = _default_of(metadata, step.table_name, change.column_name)
            table = sa.table(step.table_name, empty := sa.column(change.column_name))
            update = sa.update(table).where(empty.is_(None)).values({empty: sa.literal_column(_written(filled))})
            yield ops.ExecuteSQLOp(str(update))
    yield step
    if after:
        yield ops.ModifyTableOps(step.table_name, after)


def _default_of(metadata: sa.MetaData, table: str, column: str) -> str | sa.TextClause:
    default: Any = metadata.tables[table].columns[column].default
    if default is None or not default.is_scalar:
        raise ValueError(
            f"{table}.{column} is never empty and has no default, so rows that are there would have nothing in it; "
            "give the field a default in tables.py, or let it be None"
        )
    value = default.arg
    return value if isinstance(value, str) else sa.text(str(value).lower())


def _written(default: str | sa.TextClause) -> str:
    if isinstance(default, sa.TextClause):
        return default.text
    quoted = default.replace("'", "''")
    return f"'{quoted}'"


def main(arguments: Sequence[str]) -> None:
    """Write it, and say where it is."""
    try:
        print(write(arguments[0]))
    except ValueError as error:
        sys.exit(f"refused: {error}")


if __name__ == "__main__":
    main(sys.argv[1:])
