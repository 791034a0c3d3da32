"""Each threat of docs/guide/security.md names a test that is there."""

import re

import pytest

from tests.docs.pages import GUIDE, ROOT, Page, rows

TABLE = list(rows(Page(GUIDE / "security.md").section("Threats, and the test that holds each")))


@pytest.mark.parametrize(("threat", "_", "said"), TABLE)
def test_a_threat_names_a_test_that_is_there(threat: str, _: str, said: str) -> None:
    path, name = re.findall(r"`([^`]+)`", said)
    assert f"def {name}(" in (ROOT / path).read_text(encoding="utf-8"), threat


def test_the_table_has_threats() -> None:
    assert len(TABLE) > 20
