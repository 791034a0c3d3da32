"""Alembic: the steps from one shape of the database to the next. `Database.upgrade` runs them."""

from typing import Final

_AROUND: Final = "()' "


def is_other_default(
    _: object, __: object, ___: object, stored: str | None, ____: object, wanted: str | None
) -> bool | None:
    """Whether a default is another one; None: Alembic finds out. SQLite puts brackets around what it was told."""
    if stored is not None and wanted is not None and stored.strip(_AROUND) == wanted.strip(_AROUND):
        return False
    return None
