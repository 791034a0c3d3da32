"""The pages of commands have every command with every option and argument, and none that there is not."""

import re
from collections.abc import Iterator
from importlib import import_module
from typing import Any

import pytest
import typer

from cli import main
from cli.exits import Exit
from games.formats import Rule
from tests.docs.pages import GUIDE, Page, rows

CLI = Page(GUIDE / "cli.md")
PAGES = (CLI, *(Page(GUIDE / f"{name}-commands.md") for name in ("event", "desk", "judge", "pass")))
"""All but the first have commands that ask a server about an event."""


def commands() -> Iterator[tuple[str, Any]]:
    """Each command with the words that call it."""
    for name, place in main._COMMANDS.items():  # noqa: SLF001 - the table is the one list of commands
        command = typer.main.get_command(import_module(place.module).app)
        below: dict[str, Any] = getattr(command, "commands", {})
        if not below:
            yield f"deckproof {name}", command
        for word, inner in below.items():
            yield f"deckproof {name} {word}", inner


COMMANDS = dict(commands())


def words_of(command: Any) -> set[str]:
    """Its options, all spellings, and its arguments as `--help` calls them."""
    words: set[str] = set()
    for parameter in command.params:
        if parameter.param_type_name == "argument":
            words.add(str(parameter.metavar or parameter.name).upper())
        else:
            words.update((*parameter.opts, *parameter.secondary_opts))
    return words - {"--help"}


def described(section: str) -> set[str]:
    """The options and arguments in the first column of the first table."""
    table = section.split("\n\n|", 1)[1].split("\n\n", 1)[0]
    cells = " ".join(first for first, *_ in rows(f"|{table}"))
    return {code.split()[0] for code in re.findall(r"`([^`]+)`", cells)}


def section(name: str) -> str:
    """What the guide says of a command."""
    return next(page.section(name) for page in PAGES if name in page.titles(2))


def test_there_is_a_heading_for_each_command_and_for_no_other() -> None:
    titles = [[title for title in page.titles(2) if title.startswith("deckproof ")] for page in PAGES]
    assert sorted(title for some in titles for title in some) == sorted(COMMANDS)
    assert all(some == [name for name in COMMANDS if name in some] for some in titles)


@pytest.mark.parametrize("name", COMMANDS)
def test_a_command_is_described_with_its_options_and_no_others(name: str) -> None:
    assert described(section(name)) == words_of(COMMANDS[name])


@pytest.mark.parametrize("name", COMMANDS)
def test_a_command_has_an_example_and_its_exit_codes(name: str) -> None:
    told = section(name)
    assert re.search(rf"^(\$ (.* \| )?)?{name}\b", told, re.MULTILINE)
    assert "Exit codes: 0" in told


def test_the_options_of_the_program_itself_are_named() -> None:
    options = {word for parameter in typer.main.get_command(main.app).params for word in parameter.opts}
    for option in options:
        assert f"`{option}`" in CLI.text or f"`deckproof {option}`" in CLI.text, option


def test_every_exit_code_is_explained() -> None:
    assert {int(code) for code, *_ in rows(CLI.section("Exit codes"))} == set(Exit)


def test_every_code_of_a_violation_is_named() -> None:
    assert {rule.value for rule in Rule} <= set(CLI.code)
