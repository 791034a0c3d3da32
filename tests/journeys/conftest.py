"""A database to go on a journey with: the fixtures of the event service."""

from tests.tournament.conftest import database, postgres, sqlite, url

__all__ = ["database", "postgres", "sqlite", "url"]
