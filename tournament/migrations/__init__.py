"""Alembic: the steps from one shape of the database to the next. `Database.upgrade` runs them."""
