"""The edge of the CLI: exit codes, problem documents, settings, start-up."""

import json
import os
import stat
import subprocess
import sys
from pathlib import Path

import pytest

from cli.errors import ServerError
from cli.exits import exit_of
from cli.main import _COMMANDS
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


ROOTS = (VerifierError, GameError, TournamentError, CollectionError, ServerError)
LEAVES = [leaf for root in ROOTS for leaf in leaves(root)]


def expected_exit(leaf: type[Exception]) -> int:
    """By hand: 5 for no answer, 4 for input that cannot be read, 6 for what is refused."""
    if issubclass(leaf, ChainError | AnvilError | ServerError) or leaf.__name__ in {
        "ChainBusy",
        "ControlUndetermined",
        "DatabaseUnavailable",
        "EndpointsMissing",
        "NotMined",
        "StreamsUnavailable",
    }:
        return 5
    if issubclass(leaf, VerifierError | GameError) or leaf.__name__.endswith("Unreadable"):
        return 4
    if leaf.__name__ in {"ManifestImpossible", "SplitRefused"}:
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
        "detail": "http://here gave no answer in 2 attempts: silence; it asks to be tried again in 7 s",
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


def test_a_check_up_says_what_is_red_and_ends_with_3(deckproof: Deckproof, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("DECKPROOF_RPC", "http://127.0.0.1:1")
    ended = deckproof("settings", "--check", "--json")
    assert ended.code == 3
    lights = {one["subject"]: one["light"] for one in ended.document}
    assert lights == {"endpoints": "amber", "endpoint": "red", "agreement": "red"}
    monkeypatch.delenv("DECKPROOF_RPC")
    assert deckproof("settings", "--check").code == 0


def test_every_setting_has_a_description() -> None:
    assert all(field.description for field in Settings.model_fields.values())


def test_a_settings_file_may_begin_with_the_mark_that_notepad_writes(deckproof: Deckproof, tmp_path: Path) -> None:
    (tmp_path / "deckproof.toml").write_text('game = "cgccg"\n', encoding="utf-8-sig")
    assert deckproof("settings", "--json").document["game"]["value"] == "cgccg"


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("deadline = inf", "deadline is inf"),
        ("timeout = 1e300", "timeout is 1e+300"),
        ("chain_id = true", "truth value"),
        ("block = 7", "stands in quotes"),
        ("rpc = " + "[" * 5000, "not TOML"),
        ("#" * 100_000, "longer than"),
    ],
)
def test_a_setting_that_makes_no_sense_is_4(deckproof: Deckproof, tmp_path: Path, text: str, said: str) -> None:
    (tmp_path / "deckproof.toml").write_text(text)
    ended = deckproof("settings")
    assert ended.code == 4
    assert said in ended.err


# --- files


def test_a_device_is_written_to_and_never_replaced(deckproof: Deckproof, tmp_path: Path) -> None:
    pipe = tmp_path / "pipe"
    os.mkfifo(pipe)
    reader = os.open(pipe, os.O_RDONLY | os.O_NONBLOCK)
    assert deckproof("deck", "convert", "-", "--to", "text", "-o", pipe, "--force", stdin="1 RONALD FRUMP").code == 0
    assert stat.S_ISFIFO(pipe.stat().st_mode)
    assert b"RONALD FRUMP" in os.read(reader, 1000)
    os.close(reader)


def test_a_link_is_followed_and_counts_as_there(deckproof: Deckproof, tmp_path: Path) -> None:
    target, link = tmp_path / "target.txt", tmp_path / "link.txt"
    link.symlink_to(target)
    words = ("deck", "convert", "-", "--to", "text", "-o", link)
    assert deckproof(*words, stdin="1 RONALD FRUMP").code == 2
    assert deckproof(*words, "--force", stdin="1 RONALD FRUMP").code == 0
    assert link.is_symlink()
    assert "RONALD FRUMP" in target.read_text()


@pytest.mark.parametrize("name", ["nowhere/deck.txt", "x" * 250, "x" * 300, "."])
def test_a_file_that_cannot_be_written_is_refused_in_one_line(deckproof: Deckproof, name: str) -> None:
    ended = deckproof("deck", "convert", "-", "--to", "text", "-o", name, "--force", stdin="1 RONALD FRUMP")
    assert (ended.code, ended.out) == (6, "") or Path(name).is_file()
    assert len(ended.err.splitlines()) <= 1


def test_metadata_is_written_for_each_token_id(deckproof: Deckproof, tmp_path: Path) -> None:
    document = deckproof("cards", "metadata", "files", "--json").document
    names = sorted(path.name for path in (tmp_path / "files").iterdir())
    assert document["files"] == len(names) == 396
    assert names[0] == "0" * 59 + "10001.json"
    assert json.loads((tmp_path / "files" / names[0]).read_text())["properties"]["number"] == 1
    assert deckproof("cards", "metadata", "files").code == 2
    assert deckproof("cards", "metadata", "files", "--force").code == 0


# --- text from elsewhere


def test_a_usage_error_is_a_document_too(deckproof: Deckproof) -> None:
    for words in (("verify",), ("deck", "check", "nowhere.txt"), ("deck", "example", "nope"), ("verfy",)):
        ended = deckproof(*words, "--json")
        assert (ended.code, ended.document["type"]) == (2, "/problems/usage")


def test_a_document_is_ascii_whatever_it_repeats(deckproof: Deckproof) -> None:
    ended = deckproof("cards", "show", "\x9b31mred \u202e", "--json")
    assert ended.code == 4
    assert ended.out.isascii()


def test_a_document_has_no_number_that_json_lacks() -> None:
    document = problem_of(ChainUnreachable("http://here", "silence", 1, float("inf")))
    assert json.dumps(document, allow_nan=False)


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
        "httpx2",
    }
    assert "verify" in done.stdout


def test_every_command_has_a_help_text_and_a_module(deckproof: Deckproof) -> None:
    listed = deckproof("--help").out
    for command in _COMMANDS:
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
