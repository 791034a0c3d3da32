"""The edge of the CLI: exit codes, problem documents, settings, start-up."""

import json
import subprocess
import sys
from pathlib import Path

import pytest

from cli.exits import exit_of
from collection.errors import AnvilError, CollectionError
from games.errors import GameError
from tests.cli.world import Deckproof
from tournament.domain.errors import TournamentError
from tournament.problem import problem_of, slug_of
from tournament.settings import Settings
from verifier.errors import ChainError, ChainUnreachable, VerifierError


def leaves(root: type[Exception]) -> list[type[Exception]]:
    below = root.__subclasses__()
    return [root] if not below else [leaf for kind in below for leaf in leaves(kind)]


ROOTS = (VerifierError, GameError, TournamentError, CollectionError)
LEAVES = [leaf for root in ROOTS for leaf in leaves(root)]


def expected_exit(leaf: type[Exception]) -> int:
    """By hand: 5 for no answer, 4 for input that cannot be read, 6 for what is refused."""
    if issubclass(leaf, ChainError | AnvilError) or leaf.__name__ in {"NotMined", "DatabaseUnavailable"}:
        return 5
    if issubclass(leaf, VerifierError | GameError) or leaf.__name__.endswith("Unreadable"):
        return 4
    return 6


@pytest.mark.parametrize("leaf", LEAVES, ids=lambda leaf: leaf.__name__)
def test_every_error_ends_with_the_exit_code_of_its_kind(leaf: type[Exception]) -> None:
    assert exit_of(leaf.__new__(leaf)) == expected_exit(leaf)


@pytest.mark.parametrize("leaf", LEAVES, ids=lambda leaf: leaf.__name__)
def test_every_error_has_a_title(leaf: type[Exception]) -> None:
    assert leaf.__doc__
    assert not leaf.__doc__.startswith(leaf.__name__), "a dataclass without a docstring gets its signature"


def test_a_problem_document_has_type_title_detail_and_the_fields() -> None:
    assert problem_of(ChainUnreachable("http://here", "silence", 2, 7.0)) == {
        "type": "/problems/chain-unreachable",
        "title": "No endpoint answered within the deadline",
        "detail": "http://here gave no answer in 2 attempts: silence; is the node running and its URL right?",
        "endpoint": "http://here",
        "problem": "silence",
        "attempts": 2,
        "retry_after": 7.0,
    }


def test_slugs_are_unique() -> None:
    assert len({slug_of(leaf) for leaf in LEAVES}) == len(LEAVES)


def test_an_error_is_one_line_on_standard_error_or_one_document(deckproof: Deckproof) -> None:
    words = ("cards", "show", "RONALD FRMUP")
    plain, as_json = deckproof(*words), deckproof(*words, "--json")
    assert (plain.code, as_json.code) == (4, 4)
    assert (plain.out, as_json.err) == ("", "")
    assert plain.err.startswith("refused: no card is called 'RONALD FRMUP'; did you mean RONALD FRUMP?")
    assert as_json.document["nearest"][0] == "RONALD FRUMP"


def test_a_bug_is_not_dressed_up() -> None:
    with pytest.raises(StopIteration):
        exit_of(ZeroDivisionError())


# --- settings


def test_settings_say_where_each_comes_from(
    deckproof: Deckproof, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "deckproof.toml").write_text('game = "cgccg"\nquorum = 2\n')
    monkeypatch.setenv("DECKPROOF_QUORUM", "3")
    document = deckproof("settings", "--json").document
    assert {name: (document[name]["value"], document[name]["source"]) for name in ("game", "quorum", "block")} == {
        "game": ("cgccg", "deckproof.toml"),
        "quorum": (3, "DECKPROOF_QUORUM"),
        "block": ("latest", "default"),
    }


def test_the_key_in_an_endpoints_url_is_not_printed(deckproof: Deckproof, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("DECKPROOF_RPC", "https://node.example/v3/f00dkey, http://127.0.0.1:8545")
    for words in (["settings"], ["settings", "--json"]):
        assert "f00dkey" not in deckproof(*words).out
    assert deckproof("settings", "--json").document["rpc"]["value"] == [
        "https://node.example/…",
        "http://127.0.0.1:8545",
    ]


def test_every_wrong_setting_is_named_at_once_with_its_place(
    deckproof: Deckproof, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "deckproof.toml").write_text('quorum = 0\ncolour = "red"\n')
    monkeypatch.setenv("DECKPROOF_GAEM", "cps")
    monkeypatch.setenv("DECKPROOF_DEADLINE", "soon")
    ended = deckproof("settings")
    assert ended.code == 4
    for said in (
        "deckproof.toml: quorum is 0",
        "no setting 'colour'",
        "did you mean game?",
        "DECKPROOF_DEADLINE: deadline is 'soon'",
    ):
        assert said in ended.err


@pytest.mark.parametrize("text", ["game = ", "\xff\xfe"])
def test_a_settings_file_that_is_no_toml_is_4(deckproof: Deckproof, tmp_path: Path, text: str) -> None:
    (tmp_path / "deckproof.toml").write_bytes(text.encode("latin-1"))
    assert deckproof("settings").code == 4


def test_a_settings_file_that_was_named_must_be_there(deckproof: Deckproof, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("DECKPROOF_CONFIG", "elsewhere.toml")
    ended = deckproof("settings")
    assert ended.code == 4
    assert "there is no such file" in ended.err


def test_every_setting_has_a_description() -> None:
    assert all(field.description for field in Settings.model_fields.values())


# --- start-up


def test_help_loads_neither_the_chain_nor_the_tables() -> None:
    probe = (
        "import sys; sys.argv = ['deckproof', '--help']\n"
        "from cli.main import main\n"
        "try: main()\n"
        "except SystemExit: pass\n"
        "import json; print(json.dumps(sorted(sys.modules)), file=sys.stderr)"
    )
    done = subprocess.run([sys.executable, "-c", probe], capture_output=True, text=True, check=True)
    loaded = set(json.loads(done.stderr))
    assert not loaded & {
        "web3",
        "eth_account",
        "rich",
        "pydantic",
        "verifier",
        "games",
        "http.client",
        "fastapi",
        "sqlalchemy",
    }
    assert "verify" in done.stdout


def test_every_command_has_a_help_text_and_a_module(deckproof: Deckproof) -> None:
    listed = deckproof("--help").out
    for command in ("verify", "deck", "cards", "holdings", "chain", "demo", "serve", "admin", "db", "settings"):
        assert f"\n  {command} " in listed
        assert deckproof(command, "--help").code == 0


def test_a_mistyped_command_is_usage_and_the_nearest_is_named(deckproof: Deckproof) -> None:
    ended = deckproof("verfy")
    assert ended.code == 2
    assert "verify" in ended.err


@pytest.mark.parametrize("shell", ["bash", "zsh", "fish"])
def test_a_shell_can_complete_commands(shell: str) -> None:
    program = [str(Path(sys.executable).with_name("deckproof"))]
    environment = {"bash": {"COMP_WORDS": "deckproof ver", "COMP_CWORD": "1"}}.get(
        shell, {"_TYPER_COMPLETE_ARGS": "deckproof ver", "_TYPER_COMPLETE_FISH_ACTION": "get-args"}
    )
    done = subprocess.run(
        program,
        env={"_DECKPROOF_COMPLETE": f"complete_{shell}", **environment},
        capture_output=True,
        text=True,
        check=False,
    )
    assert "verify" in done.stdout
