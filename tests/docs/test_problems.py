"""docs/guide/problems.md has an entry for each error that a user may meet, and no other."""

import json
import pkgutil
import re
import subprocess
import sys
from importlib import import_module
from pathlib import Path

import pytest

import cli
import collection
import games
import tournament
import verifier
from cli.errors import ServerError
from cli.exits import Exit, exit_of
from collection.errors import CollectionError
from games.errors import GameError
from tests.docs.pages import GUIDE, Page
from tournament.domain.errors import TournamentError
from tournament.problem import problem_of, slug_of
from verifier.errors import VerifierError

PAGE = Page(GUIDE / "problems.md")
ROOMS = (cli, collection, games, tournament, verifier)
ROOTS = (VerifierError, GameError, TournamentError, CollectionError, ServerError)
NOT_OURS = ("usage", "os-error", "internal-server-error")
"""Entries for what is no error of ours: the command line's, and the system's."""
OF_FILES = (FileNotFoundError, FileExistsError, NotADirectoryError, IsADirectoryError, PermissionError)
"""What the system says when a file cannot be written; all lead to one entry."""
EVENTS = ("Event files and files of other programs", "The rules of an event", "The event service")
CHAPTERS = (
    "Decklists, addresses, names",
    "Settings and files",
    "The chain",
    "A local chain",
    "The collection",
    *EVENTS,
)

for room in ROOMS:
    for module in pkgutil.walk_packages(room.__path__, f"{room.__name__}."):
        if not module.name.startswith("tournament.migrations."):  # Alembic runs these
            import_module(module.name)


def leaves(kind: type[Exception]) -> list[type[Exception]]:
    below = [one for one in kind.__subclasses__() if one.__module__.partition(".")[0] in sys_names]
    return [leaf for one in below for leaf in leaves(one)] if below else [kind]


sys_names = {room.__name__ for room in ROOMS}
LEAVES = [leaf for root in ROOTS for leaf in leaves(root)]


def test_each_error_has_an_entry_and_each_entry_an_error() -> None:
    entries = [title for title in PAGE.titles(2) if title not in CHAPTERS]
    assert sorted(entries) == sorted([*map(slug_of, LEAVES), *NOT_OURS])


def test_a_command_that_is_called_wrongly_leads_to_its_entry(tmp_path: Path) -> None:
    command = [str(Path(sys.executable).with_name("deckproof")), "deck", "check", "--json"]
    done = subprocess.run(command, cwd=tmp_path, capture_output=True, text=True, check=False)
    document = json.loads(done.stdout)
    assert document["type"] == "/problems/usage"
    assert done.returncode == Exit.USAGE
    assert f"*{document['title']}.* Exit code {done.returncode}." in PAGE.section("usage")


@pytest.mark.parametrize("kind", OF_FILES, ids=slug_of)
def test_what_the_system_says_of_a_file_leads_to_one_entry(kind: type[OSError]) -> None:
    before, _ = PAGE.text.split("\n## os-error\n")
    assert f'<a id="{slug_of(kind)}"></a>' in before.rpartition("\n## ")[2]
    assert f"Exit code {exit_of(kind())}." in PAGE.section("os-error")


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
