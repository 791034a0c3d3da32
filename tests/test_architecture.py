"""The import contracts of pyproject.toml hold, and each of them can be broken."""

import shutil
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parent.parent
ROOMS = ("cli", "stage", "tournament", "collection", "verifier", "games")
LINT_IMPORTS = str(Path(sys.executable).with_name("lint-imports"))


@pytest.fixture
def checkout(tmp_path: Path) -> Path:
    """The rooms' Python files, and nothing else."""
    for room in ROOMS:
        shutil.copytree(ROOT / room, tmp_path / room, ignore=shutil.ignore_patterns("__pycache__"))
    shutil.copy(ROOT / "pyproject.toml", tmp_path)
    return tmp_path


def lint(checkout: Path) -> str:
    done = subprocess.run([LINT_IMPORTS, "--no-cache"], cwd=checkout, capture_output=True, text=True, check=False)
    return done.stdout + done.stderr


def test_the_rooms_import_only_what_they_may(checkout: Path) -> None:
    assert "0 broken" in lint(checkout)


@pytest.mark.parametrize(
    ("module", "line", "contract"),
    [
        ("verifier/chain.py", "import games.cards", "Rooms"),
        ("games/cards.py", "import verifier.errors", "Rooms"),
        ("collection/anvil.py", "import tournament.settings", "Rooms"),
        ("tournament/settings.py", "import collection.errors", "Rooms"),
        ("verifier/check.py", "import cli.output", "Rooms"),
        ("verifier/coverage.py", "import verifier.chain", "Inside the verifier"),
        ("verifier/rpc.py", "import verifier.erc1155", "Inside the verifier"),
        ("games/cards.py", "import games.formats", "Inside the games"),
        ("games/new_room.py", '"""Placed nowhere."""', "Inside the games"),
        ("collection/wallets.py", "import collection.issuing", "Inside the collection"),
        ("tournament/domain/errors.py", "import tournament.service.decks", "Inside the tournament"),
        ("verifier/holdings.py", "import http.client", "Pure rooms"),
        ("games/formats.py", "import pydantic", "Pure rooms"),
        ("tournament/domain/errors.py", "import sqlmodel", "Pure rooms"),
        ("verifier/new_room.py", '"""Placed nowhere."""', "Inside the verifier"),
        ("tournament/store/rounds.py", "import tournament.service.commands", "Inside the tournament"),
        ("tournament/service/events.py", "import tournament.api.app", "Inside the tournament"),
        ("tournament/service/events.py", "import tournament.service.rounds", "Inside the service"),
        ("tournament/service/new_noun.py", '"""Placed nowhere."""', "Inside the service"),
        ("tournament/domain/errors.py", "import sqlalchemy", "Pure rooms"),
        ("tournament/api/app.py", "import tournament.web.site", "Inside the tournament"),
        ("tournament/web/texts.py", "import tournament.web.answers", "Inside the web"),
        ("tournament/web/new_part.py", '"""Placed nowhere."""', "Inside the web"),
        ("tournament/web/pages/home.py", "import tournament.store", "Pages ask no database"),
        ("tournament/new_room.py", '"""Placed nowhere."""', "Inside the tournament"),
    ],
)
def test_an_import_that_breaks_a_contract_is_seen(checkout: Path, module: str, line: str, contract: str) -> None:
    with (checkout / module).open("a") as file:
        file.write(f"\n{line}\n")
    report = lint(checkout)
    assert "0 broken" not in report
    assert contract in report
