"""`deckproof db`: the shape of the database, backups of it, and whether it holds."""

from collections.abc import Iterator
from contextlib import contextmanager
from datetime import UTC, datetime
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from cli import asking, output
from cli.exits import Exit
from tournament.database import FILE, Database, open_database
from tournament.domain.amounts import counted

if TYPE_CHECKING:
    from tournament.service import backups

app = asking.new_app(no_args_is_help=True)

Force = Annotated[bool, typer.Option("--force", help="Replace what is there.")]


@app.callback()
def _db() -> None:
    """The database: upgrade, backup, restore, check."""


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


@app.command()
def backup(
    file: Annotated[Path, typer.Argument(metavar="FILE", help="Where to.")],
    *,
    force: Force = False,
    as_json: asking.Json = False,
) -> None:
    """Write a backup while people work, and check it.

    It has everything, accounts among it, as it is at one moment; the file is for its owner alone. Exits with 3 if a log
    in it does not hold.
    """
    from tournament.service import backups  # noqa: PLC0415 - nearly the whole service

    if file.exists() and not force:
        raise typer.BadParameter(f"{file} is there already; --force replaces it")
    with present() as database, output.progress("Writing…"):
        found = backups.backup(database, file)
        backups.note(asking.settings().data, found, datetime.now(UTC))
    _tell(found, f"written to {file}", {"file": str(file), "bytes": file.stat().st_size}, as_json=as_json)


@app.command()
def restore(
    file: Annotated[Path, typer.Argument(metavar="FILE", help="What `db backup` wrote, of either database.")],
    *,
    force: Force = False,
    as_json: asking.Json = False,
) -> None:
    """Put a backup in place of everything in the database: all of it, or nothing.

    A backup of an older program is brought up to date, one of a newer program is refused, and so is one with a log that
    does not hold. Stop the server first.
    """
    from tournament.service import backups  # noqa: PLC0415 - nearly the whole service

    if not file.is_file():
        raise typer.BadParameter(f"{file}: there is no such file")
    database = open_database(asking.settings())
    try:
        with output.progress("Restoring…"):
            found = backups.restore(database, file, force=force)
    finally:
        database.close()
    _tell(found, f"restored from {file}", {"file": str(file)}, as_json=as_json)


@app.command()
def check(*, as_json: asking.Json = False) -> None:
    """Does everything hold: the file, every log, and every row by its log?

    Exits with 0 if it does, and 3 if not.
    """
    from tournament.service import backups  # noqa: PLC0415 - nearly the whole service

    with present() as database, output.progress("Checking…"):
        found = backups.check(database)
    _tell(found, "checked", {}, as_json=as_json)


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


@contextmanager
def present() -> Iterator[Database]:
    """The database of the settings, as it is; one that is not there is not made. Raises: BadParameter."""
    settings = asking.settings()
    if settings.database_url is None and not (settings.data / FILE).exists():
        raise typer.BadParameter(f"there is no database in {settings.data}; the setting `data` names another folder")
    database = open_database(settings)
    try:
        yield database
    finally:
        database.close()


def _tell(found: "backups.Checked", done: str, more: dict[str, object], *, as_json: bool) -> None:
    if as_json:
        events, series = (
            [
                {
                    word: one.event,
                    "name": one.name,
                    "version": one.version,
                    "breaks": list(one.breaks),
                    "differences": list(one.differences),
                }
                for one in those
            ]
            for word, those in (("event", found.events), ("series", found.series))
        )
        output.print_json(
            {
                **more,
                "holds": found.holds,
                "shape": found.shape,
                "accounts": found.accounts,
                "events": events,
                "series": series,
                "integrity": list(found.integrity),
            }
        )
    else:
        for fault in found.integrity:
            output.print_styled(fault, "bold red")
        for word, those in (("event", found.events), ("series", found.series)):
            for one in those:
                for fault in (*one.breaks, *one.differences):
                    output.print_styled(f"{word} {one.event}: {fault}", "bold red")
        output.print_text(
            f"{done}: {counted(found.accounts, 'account')}, {counted(len(found.events), 'event')}, shape {found.shape}"
        )
    raise typer.Exit(Exit.DONE if found.holds else Exit.NO)
