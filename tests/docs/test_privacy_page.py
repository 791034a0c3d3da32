"""What the page of privacy promises is what the program does."""

from tests.docs.pages import GUIDE, Page, rows
from tournament.api.schemas import PersonalFile
from tournament.service.privacy import STAYS

PAGE = Page(GUIDE / "privacy.md")


def test_the_page_tells_everything_that_erasing_leaves() -> None:
    assert [what for what, _ in rows(PAGE.section("Erasing"))] == [one.what for one in STAYS]


def test_the_page_has_each_part_of_the_file_of_a_player() -> None:
    told = [name.strip(" `") for names, _ in rows(PAGE.section("One file with all of it")) for name in names.split(",")]
    assert sorted([*told, "withheld"]) == sorted(PersonalFile.model_fields)
