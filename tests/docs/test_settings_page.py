"""docs/guide/settings.md has every setting with its variable and its default, and no other."""

import tomllib

from tests.docs.pages import GUIDE, Page, rows
from tournament.settings import CONFIG, FILE_NAME, PREFIX, Settings

PAGE = Page(GUIDE / "settings.md")
TABLE = {cells[0].strip("`"): cells for cells in rows(PAGE.section("The settings"))}


def test_every_setting_has_its_row_in_order() -> None:
    assert list(TABLE) == list(Settings.model_fields)


def test_every_setting_has_its_variable() -> None:
    assert {name: cells[1] for name, cells in TABLE.items()} == {
        name: f"`{PREFIX}{name.upper()}`" for name in Settings.model_fields
    }


def test_every_default_is_the_one_in_force() -> None:
    for name, field in Settings.model_fields.items():
        if field.default not in (None, ()):
            assert TABLE[name][3] == f"`{field.default}`", name


def test_the_example_file_is_one() -> None:
    (example,) = [fence.text for fence in PAGE.fences if fence.language == "toml"]
    Settings.model_validate(tomllib.loads(example))


def test_the_file_and_its_variable_are_named() -> None:
    assert {FILE_NAME, CONFIG} <= set(PAGE.code)
