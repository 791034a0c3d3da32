"""A database for a demo."""

from tests.tournament.conftest import sqlite

__all__ = ["sqlite"]
