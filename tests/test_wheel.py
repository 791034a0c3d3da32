"""What people install has everything in it: cards, decks, the contract. No Node, no Solidity compiler."""

import subprocess
import sys
import zipfile
from pathlib import Path

import pytest

ROOT = Path(__file__).parent.parent
ROOMS = ("cli", "stage", "tournament", "collection", "verifier", "games")


@pytest.fixture(scope="module")
def wheel(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("wheel")
    command = [sys.executable, "-m", "build", "--wheel", "--no-isolation", "--outdir", str(folder), str(ROOT)]
    subprocess.run(command, check=True, capture_output=True)
    [built] = folder.glob("*.whl")
    return built


def test_every_file_of_the_rooms_is_in_it_and_nothing_else(wheel: Path) -> None:
    tracked = subprocess.run(
        ["git", "ls-files", *ROOMS], cwd=ROOT, capture_output=True, text=True, check=True
    ).stdout.split()
    packed = [name for name in zipfile.ZipFile(wheel).namelist() if ".dist-info/" not in name]
    assert {name for name in tracked if (ROOT / name).exists()} <= set(packed)
    assert {name.split("/")[0] for name in packed} == set(ROOMS)


def test_it_works_where_there_is_no_checkout(wheel: Path, tmp_path: Path) -> None:
    with zipfile.ZipFile(wheel) as archive:
        archive.extractall(tmp_path / "installed")
    program = (
        f"import sys; sys.path[:0] = [{str(tmp_path / 'installed')!r}]\n"
        "import collection.artefact, collection.anvil, cli.main, games.library\n"
        "assert collection.artefact.__file__.startswith(sys.path[0]), collection.artefact.__file__\n"
        "assert len(collection.artefact.showdown_cards().runtime) > 10_000\n"
        "sys.argv = ['deckproof', 'cards', 'show', 'RONALD FRUMP']\n"
        "cli.main.main()\n"
    )
    done = subprocess.run([sys.executable, "-c", program], cwd=tmp_path, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    assert "2 Body Counts" in done.stdout
