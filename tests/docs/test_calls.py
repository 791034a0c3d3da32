"""Every call and every command that a page shows is one: the path is there, the words are known, the body fits.

Nothing is asked and nothing is run: calls are held to the routes of the API, commands to what `deckproof` reads from a
command line.
"""

import json
import re
import shlex
from collections.abc import Iterator
from dataclasses import dataclass
from importlib import import_module
from typing import Any

import click
import pytest
import typer
from fastapi.routing import APIRoute

from cli import main
from tests.docs.pages import Page, guide, pages
from tournament.api.app import create_app
from tournament.api.shelf import Finder
from tournament.settings import Settings

SHELL = ("sh", "console", "text")
"""Languages of blocks that show what is typed."""
METHODS = ("GET", "POST", "PUT", "PATCH", "DELETE")
NAMED = {"A": "", "B": "", "R": "/events/E/rounds", "C": "/events/E/clock"}
"""What the pages call the server, and parts of a path."""
REFUSED = (["deck", "check", "--json"],)
"""Commands that a page shows for what they are refused with."""
BY_THEMSELVES = {"cli.desks": ["scan"]}
"""What a group of commands does where options alone stand behind it."""
_CODE = re.compile(rf"({'|'.join(METHODS)}) ((?:…?/|[a-z])[^ ]*)")
_VARIABLE = re.compile(r"\$\{?([A-Z]\w*)\}?")
_OPERATORS = set("|&;<>()")
_WITH_A_VALUE = {"-X", "-H", "--json", "--data-binary", "-o"}


@dataclass(frozen=True)
class Call:
    """A call, as a page shows it."""

    method: str
    path: str
    query: tuple[str, ...]
    body: str | None


def typed(text: str) -> Iterator[list[str]]:
    """The words of every command of a block; a quote may go over several lines."""
    waiting = ""
    for line in text.splitlines():
        waiting = f"{waiting}\n{line}" if waiting else line.removeprefix("$ ")
        if waiting.endswith("\\"):
            waiting = waiting[:-1]
            continue
        try:
            words = list(_read(waiting))
        except ValueError:  # a quote is open
            continue
        waiting = ""
        yield words


def _read(line: str) -> shlex.shlex:
    words = shlex.shlex(line, posix=True, punctuation_chars=True)
    words.whitespace_split = True
    return words


def commands_in(page: Page, program: str) -> Iterator[list[str]]:
    """What follows the name of a program, up to the end of its command."""
    for fence in page.fences:
        if fence.language not in SHELL:
            continue
        for words in typed(fence.text):
            command: list[str] = []
            for word in [*words, ";"]:
                if not set(word) - _OPERATORS and word:
                    if command and command[0] == program:
                        yield command[1:]
                    command = []
                elif command or not re.match(r"[A-Z_]+=", word):
                    command.append(word)


# --- calls


def call_of(words: list[str]) -> Call:
    """A call of curl."""
    options: dict[str, str] = {}
    url = ""
    left = iter(words)
    for word in left:
        if word in _WITH_A_VALUE:
            options[word] = next(left)
        elif not word.startswith("-"):
            url = url or word
    body = options.get("--json", options.get("--data-binary"))
    method = options.get("-X", "GET" if body is None else "POST")
    path, _, query = _VARIABLE.sub(lambda found: NAMED.get(found[1], found[1]), url).partition("?")
    return Call(method, path, tuple(part.partition("=")[0] for part in query.split("&") if part), body)


def found(method: str, path: str) -> list[APIRoute]:
    """The routes that a call may mean; words that stand for a value fit wherever there is one."""
    fitting = []
    for route in ROUTES:
        if method not in route.methods:
            continue
        parts, asked = route.path.strip("/").split("/"), path.strip("/").split("/")
        if len(parts) == len(asked) and all(
            part.startswith("{") or part == word for part, word in zip(parts, asked, strict=True)
        ):
            fitting.append(route)
    return sorted(fitting, key=lambda route: route.path.count("{"))


_FINDERS = [one for one in create_app(Settings()).routes if isinstance(one, Finder)]
ROUTES = [route for finder in _FINDERS for route in finder.built() if isinstance(route, APIRoute)]
CALLS = [
    (page, call)
    for page in guide()
    for call in map(call_of, commands_in(page, "curl"))
    if call.path.startswith("/") and "…" not in call.path
]


def test_the_pages_show_calls() -> None:
    assert len(CALLS) > 100


@pytest.mark.parametrize("page", sorted({page.path for page, _ in CALLS}), ids=lambda path: path.name)
def test_every_call_that_a_page_shows_is_one_of_the_api(page: Any) -> None:
    wrong = [f"{call}: {fault}" for shown, call in CALLS if shown.path == page for fault in faults_of(call)]
    assert not wrong, "\n".join(wrong)


def faults_of(call: Call) -> Iterator[str]:
    fitting = found(call.method, call.path)
    if not fitting:
        yield "there is no such path"
        return
    route = fitting[0]
    known = {param.alias for param in route.dependant.query_params} | {
        param.alias for below in route.dependant.dependencies for param in below.query_params
    }
    yield from (f"no word {word!r} behind the question mark" for word in call.query if word not in known)
    if call.body is None or call.body[:1] in "$@" or "…" in call.body:
        return
    try:
        document = json.loads(re.sub(r"\"\$\w+\"", '"x"', call.body))
    except ValueError as error:
        yield f"its body is no JSON ({error})"
        return
    for field in route.dependant.body_params:
        _, faults = field.validate(document, {}, loc=("body",))
        yield from (str(fault) for fault in faults or ())


@pytest.mark.parametrize("page", guide(), ids=lambda page: page.name)
def test_every_path_that_a_page_names_with_its_method_is_one_of_the_api(page: Page) -> None:
    named = {(one[1], one[2]) for code in page.code if (one := _CODE.fullmatch(code))}
    wrong = {(method, path) for method, path in named if not any(found(method, each) for each in meant_by(path))}
    assert wrong == set()


def meant_by(path: str) -> Iterator[str]:
    """Pages leave out what is above a path, where it is clear."""
    path = path.partition("?")[0].removeprefix("…")
    path = path.replace("…/", "")
    yield path
    event = "/events/E"
    above = (event, "/series/S", "/account", f"{event}/staff", f"{event}/rounds/1", f"{event}/rounds/1/tables/1")
    yield from (f"{one}/{path.lstrip('/')}".rstrip("/") for one in above)


# --- commands


@pytest.mark.parametrize("page", pages(), ids=lambda page: page.name)
def test_every_command_that_a_page_shows_can_be_typed(page: Page) -> None:
    wrong = [f"deckproof {' '.join(words)}: {why}" for words in commands_in(page, "deckproof") if (why := fault(words))]
    assert not wrong, "\n".join(wrong)


def fault(words: list[str]) -> str:
    """What the command line would be refused for before anything is done; empty if it is not."""
    if not words or words[0].startswith("-"):
        return ""
    if words in REFUSED or any("$" in word for word in words):  # what a shell puts there is not known
        return ""
    place = main._COMMANDS.get(words[0])  # noqa: SLF001 - the table is the one list of commands
    if place is None:
        return "there is no such command"
    command: Any = typer.main.get_command(import_module(place.module).app)
    words = words[1:]
    while isinstance(command, click.Group) or hasattr(command, "commands"):
        if words and words[0].startswith("-"):
            words = [*BY_THEMSELVES[place.module], *words]
        if not words or words[0] not in command.commands:
            return f"there is no such command below it, but {', '.join(command.commands)}"
        command, words = command.commands[words[0]], words[1:]
    try:
        command.make_context("deckproof", [word for word in words if word != "…"])
    except Exception as error:  # noqa: BLE001 - of click, or of the click that typer brings
        return str(getattr(error, "message", "") or error)
    return ""
