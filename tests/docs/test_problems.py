"""docs/guide/problems.md has an entry for each error that a user may meet, and no other."""

import pkgutil
import re
from importlib import import_module

import pytest

import cli
import collection
import games
import tournament
import verifier
from cli.exits import exit_of
from cli.output import problem_of, slug_of
from collection.errors import CollectionError
from games.errors import GameError
from tests.docs.pages import GUIDE, Page
from tournament.domain.errors import TournamentError
from verifier.errors import VerifierError

PAGE = Page(GUIDE / "problems.md")
ROOMS = (cli, collection, games, tournament, verifier)
ROOTS = (VerifierError, GameError, TournamentError, CollectionError)
CHAPTERS = ("Decklists, addresses, names", "Settings and files", "The chain", "A local chain", "The collection")

for room in ROOMS:
    for module in pkgutil.walk_packages(room.__path__, f"{room.__name__}."):
        import_module(module.name)


def leaves(kind: type[Exception]) -> list[type[Exception]]:
    below = [one for one in kind.__subclasses__() if one.__module__.partition(".")[0] in sys_names]
    return [leaf for one in below for leaf in leaves(one)] if below else [kind]


sys_names = {room.__name__ for room in ROOMS}
LEAVES = [leaf for root in ROOTS for leaf in leaves(root)]


def test_each_error_has_an_entry_and_each_entry_an_error() -> None:
    entries = [title for title in PAGE.titles(2) if title not in CHAPTERS]
    assert sorted(entries) == sorted(map(slug_of, LEAVES))


@pytest.mark.parametrize("leaf", LEAVES, ids=slug_of)
def test_an_entry_has_the_errors_title_and_exit_code(leaf: type[Exception]) -> None:
    error = leaf.__new__(leaf)
    title = (leaf.__doc__ or "").split("\n")[0]
    assert f"*{title}* Exit code {exit_of(error)}." in PAGE.section(slug_of(leaf))


@pytest.mark.parametrize("leaf", LEAVES, ids=slug_of)
def test_an_entry_says_what_happened_and_what_to_do(leaf: type[Exception]) -> None:
    entry = PAGE.section(slug_of(leaf))
    assert re.search(r"\*\*What happened\.\*\* \S", entry)
    assert re.search(r"\*\*What to do\.\*\* \S", entry)


def test_the_type_of_a_problem_is_the_entrys_anchor() -> None:
    error = import_module("games.errors").UnknownCard("Frmup", ())
    assert str(problem_of(error)["type"]).removeprefix("/problems/") in PAGE.anchors
