"""No reader of JSON or XML dies of brackets inside brackets, whatever a library made of the recursion limit."""

import subprocess
import sys

import pytest

from verifier.nesting import DEEPEST, NestedTooDeep, check_nesting

RAISED = """
import py_ecc, sys
assert sys.getrecursionlimit() >= 100_000
from collection.deployment import parse_deployment
from tournament.domain.errors import TournamentError
from tournament.event_file import parse_event_file
from tournament.interchange import nrtm, tdf
from verifier.decklist import parse_decklist
from verifier.errors import VerifierError
from collection.errors import CollectionError

arrays, objects = "[" * 1_000_000, '{"a":' * 1_000_000
half = "[" * 90_000 + "]" * 90_000
readers = (
    parse_event_file, nrtm.parse_nrtm, tdf.parse_tdf, parse_decklist, lambda text: parse_deployment(text, source="it")
)
for reader in readers:
    for text in (arrays, objects, half, "<a>" * 50_000, "<a>" * 50_000 + "</a>" * 50_000):
        try:
            reader(text)
        except (TournamentError, VerifierError, CollectionError) as error:
            assert len(str(error)) < 10_000
print("alive")
"""


def test_no_reader_dies_though_the_recursion_limit_was_raised() -> None:
    done = subprocess.run([sys.executable, "-c", RAISED], capture_output=True, text=True, timeout=100, check=False)
    assert (done.returncode, done.stdout) == (0, "alive\n"), done.stderr


@pytest.mark.parametrize("deep", ["[" * (DEEPEST + 1), '{"a":' * (DEEPEST + 1), "[]" + "[" * (DEEPEST + 1)])
def test_deeper_than_the_limit_is_refused(deep: str) -> None:
    with pytest.raises(NestedTooDeep):
        check_nesting(deep)
    with pytest.raises(NestedTooDeep):
        check_nesting(deep.encode())


@pytest.mark.parametrize(
    "flat", ["", "[" * DEEPEST, "[]" * 10_000, '"' + "[" * 10_000 + '"', r'["\"' + "[" * 10_000 + '"]', "\ud800[]"]
)
def test_what_is_flat_or_in_a_string_passes(flat: str) -> None:
    check_nesting(flat)


def test_the_limit_can_be_chosen() -> None:
    check_nesting("[[[]]]", deepest=3)
    with pytest.raises(NestedTooDeep):
        check_nesting("[[[]]]", deepest=2)
