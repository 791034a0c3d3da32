"""Runs the steps on the connection that `tournament.database` opened."""

from typing import Literal

from alembic import context
from alembic.autogenerate.api import AutogenContext
from sqlmodel import AutoString

from tournament.migrations import is_other_default
from tournament.tables import Table


def as_plain(kind: str, found: object, _: AutogenContext) -> str | Literal[False]:
    """Write SQLModel's text type as the text that it is, so that no migration hangs on SQLModel."""
    return "sa.String()" if kind == "type" and isinstance(found, AutoString) else False


context.configure(
    connection=context.config.attributes["connection"],
    target_metadata=context.config.attributes.get("metadata", Table.metadata),
    render_as_batch=True,  # SQLite changes a table by making it anew
    render_item=as_plain,
    compare_type=True,
    compare_server_default=is_other_default,
)
with context.begin_transaction():
    context.run_migrations()
