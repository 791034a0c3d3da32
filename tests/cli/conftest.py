"""The command line as a script sees it: words in, exit code and two streams out."""

import io
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from cli.main import main
from tests.cli.world import EXAMPLE, Deckproof, Ended, owned, url_of
from tests.tournament.people import account
from tests.tournament.server import Server, served
from tournament.database import open_file
from verifier.testkit import LyingNode, ScriptedChain


@pytest.fixture
def deckproof(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], tmp_path: Path) -> Deckproof:
    """Runs the command in an empty folder, without settings."""
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("XDG_CONFIG_HOME", str(tmp_path / "config"))

    def run(*words: object, stdin: str | bytes = b"") -> Ended:
        source = stdin.encode() if isinstance(stdin, str) else stdin
        monkeypatch.setattr(sys, "argv", ["deckproof", *map(str, words)])
        monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(source)))
        capsys.readouterr()
        with pytest.raises(SystemExit) as ended:
            main()
        out, err = capsys.readouterr()
        return Ended(int(ended.value.code or 0), out, err)

    return run


@pytest.fixture
def chain() -> ScriptedChain:
    """Ann owns the example deck, exactly."""
    chain = ScriptedChain()
    chain.mine(owned(EXAMPLE))
    return chain


@pytest.fixture
def node(chain: ScriptedChain, monkeypatch: pytest.MonkeyPatch) -> Iterator[LyingNode]:
    """The chain's node, named by the settings."""
    with LyingNode(chain) as node:
        monkeypatch.setenv("DECKPROOF_RPC", node.url)
        monkeypatch.setenv("DECKPROOF_COLLECTION", chain.collection)
        monkeypatch.setenv("DECKPROOF_DEADLINE", "2")
        monkeypatch.setenv("DECKPROOF_TIMEOUT", "1")
        yield node


@pytest.fixture
def deck(tmp_path: Path) -> Path:
    """The example deck in a file."""
    path = tmp_path / "deck.txt"
    path.write_text(EXAMPLE)
    return path


# --- an event service


@pytest.fixture(scope="module")
def home(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The server's folder."""
    return tmp_path_factory.mktemp("server")


@pytest.fixture(scope="module")
def server(home: Path) -> Iterator[Server]:
    """A server with ann and bea, that may tell receivers of this machine."""
    database = open_file(home / "deckproof.db")
    database.upgrade()
    for name in ("ann", "bea"):
        account(name, database)
    database.close()
    with served(f"sqlite:///{home}/deckproof.db", home, DECKPROOF_PRIVATE_WEBHOOKS="true") as server:
        yield server


@pytest.fixture
def ann(deckproof: Deckproof, server: Server, monkeypatch: pytest.MonkeyPatch) -> Deckproof:
    """Somebody with a token, who says it by the environment."""
    monkeypatch.setenv("DECKPROOF_SERVER", url_of(server))
    monkeypatch.setenv("DECKPROOF_TOKEN", "dp_ann")
    return deckproof


@pytest.fixture
def event(ann: Deckproof) -> str:
    """An event with open registration and five players; the one that commands are about."""
    event = ann("event", "create", "Spring Open", "--use", "--json").document["event"]
    for words in (("event", "publish"), ("event", "open"), ("entry", "add", "Ann", "Bob", "Çağ", "Dan", "Eve")):
        done = ann(*words)
        assert done.code == 0, done.err
    return str(event)
