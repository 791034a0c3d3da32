"""The command line as a script sees it: words in, exit code and two streams out."""

import io
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from cli.main import main
from tests.cli.world import EXAMPLE, Deckproof, Ended, owned
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
