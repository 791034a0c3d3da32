"""What the pages show of a terminal is what a terminal shows.

A block fenced `console` is typed into a shell, all those of a page one after the other in one folder, with the demo
world as their chain and, on a page that names one, a server over the folder's database; what follows a command is
compared with what it prints. White space is not compared, and `…` stands for anything. A block fenced `sh` is shown
only. A block below a comment with the name of a file is that file.
"""

import json
import os
import re
import signal
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

import pytest

from cli import world
from cli.exits import Exit
from collection.anvil import Anvil
from collection.demo import World
from tests.docs.pages import GUIDE, ROOT, Page, pages
from tests.docs.ready import ready
from tests.tournament.server import served
from tournament.settings import Settings

SHOWN_PORT = ":8545"
"""Of the chain in the pages; the tests' chain has another."""
SHOWN_SERVER = ":8000"
"""Of the server in the pages, likewise."""
TYPED_FOR = {"make run ONCE=1": "deckproof demo --verdicts --once"}
"""What is too slow to be typed, and what it does."""
DATA = ("traits", "stats", "trouble", "unreadable", "arguments", "fact")
"""Fields of a JSON document below which the keys are data, or a problem's."""

_FILE = re.compile(r"^<!-- ([\w.-]+) -->\n```\w+\n(.*?)^```$", re.MULTILINE | re.DOTALL)
_MARK = "@@ended@@"
_BIN = Path(sys.executable).parent


@dataclass(frozen=True)
class Example:
    """A command, and what a page says that it prints."""

    command: str
    printed: str


COLLECTION = "0x5FbDB2315678afecb367f032d93F642f64180aa3"
"""Of the demo world, on every start."""
TRIED_IN = "~/try-deckproof/"
"""Below this folder a reader types the examples, those of each page in a folder of their own."""


def examples_of(page: Page) -> list[Example]:
    return [example for fence in page.fences if fence.language == "console" for example in examples_in(fence.text)]


def examples_in(block: str) -> Iterator[Example]:
    command: list[str] = []
    printed: list[str] = []
    for line in block.splitlines():
        if line.startswith("$ "):
            if command:
                yield Example("\n".join(command), "\n".join(printed))
            command, printed = [line[2:]], []
        elif re.match(r">( |$)", line) and command and not printed:
            command.append(line[2:])
        else:
            printed.append(line)
    assert command, f"a console block without a command:\n{block}"
    yield Example("\n".join(command), "\n".join(printed))


def fits(expected: str, actual: str) -> bool:
    """Whether the page shows what was printed."""
    pattern = ".*".join(re.escape(_bare(part)) for part in expected.split("…"))
    return re.fullmatch(pattern, _bare(actual), re.DOTALL) is not None


def _bare(text: str) -> str:
    """Without white space, and rules of one length."""
    return re.sub("─+", "─", "".join(text.split()))


CLI = Page(GUIDE / "cli.md")
EVENT_COMMANDS, DESK_COMMANDS, JUDGE_COMMANDS = (
    Page(GUIDE / f"{name}-commands.md") for name in ("event", "desk", "judge")
)
ELSEWHERE = {"event-file.md"}
"""Pages that bring files of their own; tests/cli/test_event_files.py types them."""
PAGES = [page for page in pages() if examples_of(page) and page.path.name not in ELSEWHERE]
WITH_A_CHAIN = [page for page in PAGES if any(COLLECTION in example.command for example in examples_of(page))]


@pytest.fixture(scope="module")
def demo() -> Iterator[tuple[Anvil, World]]:
    with world.demo_world(0) as (anvil, made):
        yield anvil, made


@pytest.fixture(scope="module")
def programs(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Path]:
    """A folder with `deckproof`."""
    with ready(tmp_path_factory.mktemp("ready")) as folder:
        yield folder


@pytest.fixture
def folder(demo: tuple[Anvil, World], tmp_path: Path) -> Iterator[Path]:
    """Where a reader types: a folder with nothing but the decklists of the demo world."""
    anvil, made = demo
    world.save_decklists(made, tmp_path / "decks")
    with anvil.rolled_back():
        yield tmp_path


@contextmanager
def surroundings(page: Page, demo: tuple[Anvil, World], folder: Path) -> Iterator[dict[str, str]]:
    """What a page's reader has running; each shown port with the real one."""
    ports = {SHOWN_PORT: demo[0].url.removeprefix("http://127.0.0.1")}
    if not any(f"http://127.0.0.1{SHOWN_SERVER}" in example.command for example in examples_of(page)):
        yield ports
        return
    (folder / ".deckproof").mkdir()
    asked = {"DECKPROOF_RPC": demo[0].url, "DECKPROOF_COLLECTION": COLLECTION} if page in WITH_A_CHAIN else {}
    if block_time := re.search(r"--block-time (\d+)", page.text):
        demo[0].mine_every(int(block_time[1]))
    with served(f"sqlite:///{folder}/.deckproof/deckproof.db", folder, **asked) as server:
        yield ports | {SHOWN_SERVER: f":{server.port}"}


def typed(examples: list[Example], folder: Path, ports: dict[str, str], programs: Path) -> list[str]:
    """What each command prints, typed one after the other."""
    lines = []
    for example in examples:
        command = TYPED_FOR.get(example.command, example.command)
        for shown, port in ports.items():
            command = command.replace(shown, port)
        lines += ["{", command, f"}} 2>&1; ended=$?; printf '%s\\n' '{_MARK}'; (exit $ended)"]
    environment = {name: value for name, value in os.environ.items() if not name.startswith("DECKPROOF_")}
    anvil = os.environ.get("DECKPROOF_ANVIL")
    done = subprocess.run(
        ["bash"],
        input="\n".join(lines) + "\n",
        cwd=folder,
        env=environment
        | {"PATH": f"{programs}:{_BIN}:{os.environ['PATH']}", "PYTHONUNBUFFERED": "1", "NO_COLOR": "1"}
        | {"XDG_CONFIG_HOME": str(folder / ".config")}
        | ({"DECKPROOF_ANVIL": anvil} if anvil else {}),
        capture_output=True,
        text=True,
        timeout=280,
        check=False,
    )
    assert not done.stderr, done.stderr
    printed = done.stdout
    for shown, port in ports.items():
        printed = printed.replace(port, shown)
    return printed.split(f"{_MARK}\n")[:-1]


def keys_in(value: object) -> Iterator[str]:
    """Every name of a field in a JSON document."""
    if isinstance(value, list):
        for item in value:
            yield from keys_in(item)
    if isinstance(value, dict):
        for key, inner in value.items():
            yield key
            if key not in DATA:
                yield from keys_in(inner)


def undescribed_in(example: Example, printed: str) -> set[str]:
    """Fields of a printed JSON document that the command's section does not name."""
    page, name = next(
        (page, title)
        for page in (EVENT_COMMANDS, DESK_COMMANDS, JUDGE_COMMANDS, CLI)
        for title in reversed(page.titles(2))
        if example.command.rpartition(" | ")[2].startswith(title)
    )
    document = json.loads(printed)
    if "type" in document and document["type"].startswith("/problems/"):
        page, name = CLI, "For every command"
    named = set(re.findall(r"`([\w.-]+)`", page.section(name)))
    if page != CLI:
        named |= set(re.findall(r"`([\w.-]+)`", page.section("For every command of an event")))
    if name == "deckproof demo":
        named |= set(re.findall(r"`([\w.-]+)`", CLI.section("deckproof verify")))
    return set(keys_in(document)) - named - set(Settings.model_fields)


@pytest.mark.parametrize(("shown", "command"), TYPED_FOR.items())
def test_what_is_typed_in_place_of_a_slow_command_is_what_it_does(shown: str, command: str) -> None:
    word, *arguments = shown.split()
    # Run by `make test`, it would be a make inside a make, which says so.
    quiet = {name: value for name, value in os.environ.items() if name not in {"MAKEFLAGS", "MAKELEVEL", "MFLAGS"}}
    tried = [word, "--no-print-directory", "-n", *arguments]
    does = subprocess.run(tried, cwd=ROOT, env=quiet, capture_output=True, text=True, check=True).stdout
    assert does.splitlines()[-1].endswith(command)


@pytest.mark.parametrize("page", WITH_A_CHAIN, ids=lambda page: page.name)
def test_a_page_with_a_chain_begins_in_a_folder_of_its_own(page: Page) -> None:
    shown = [fence.text for fence in page.fences if fence.language == "sh"]
    first, *others = (text for text in shown if TRIED_IN in text)
    (folder,) = set(re.findall(rf"cd ({TRIED_IN}[a-z]+)", first))
    assert f"mkdir -p {folder} && cd {folder}\n" in first
    assert re.search(f"--(chain-)?port {SHOWN_PORT[1:]}", first)
    assert "/bin/activate\n" in first
    assert others
    assert [text for text in others if f"cd {folder}\n" not in text or "/bin/activate\n" not in text] == []
    assert not [other.name for other in PAGES if other != page and folder in other.text]


@pytest.mark.chain
def test_the_document_of_the_chain_that_stays_up_is_described(tmp_path: Path) -> None:
    command = [str(_BIN / "deckproof"), "chain", "dev", "--json"]
    with subprocess.Popen(command, cwd=tmp_path, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True) as dev:
        assert dev.stdout
        lines = []
        while not lines or lines[-1] not in ("}\n", ""):
            lines.append(dev.stdout.readline())
        dev.send_signal(signal.SIGTERM)
        assert dev.wait(30) in (Exit.DONE, Exit.INTERRUPTED)  # the latter: it had not sat down yet
    assert undescribed_in(Example(" ".join(["deckproof", *command[1:]]), ""), "".join(lines)) == set()


@pytest.mark.chain
@pytest.mark.timeout(300)
@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.name)
def test_every_command_prints_what_the_page_shows(
    page: Page, demo: tuple[Anvil, World], folder: Path, programs: Path
) -> None:
    for name, text in _FILE.findall(page.text):
        (folder / name).write_text(text, encoding="utf-8")
    examples = examples_of(page)
    with surroundings(page, demo, folder) as ports:
        printed = typed(examples, folder, ports, programs)
    wrong = [
        f"$ {example.command}\n--- the page\n{example.printed}\n--- the terminal\n{actual}"
        for example, actual in zip(examples, printed, strict=True)
        if not fits(example.printed, actual)
    ]
    assert not wrong, "\n\n".join(wrong)
    documents = [pair for pair in zip(examples, printed, strict=True) if pair[0].command.endswith("--json")]
    assert {field for pair in documents for field in undescribed_in(*pair)} == set()
