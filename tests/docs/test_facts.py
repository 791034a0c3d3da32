"""Figures and examples in the pages are those of the code."""

import json
import re

import pytest

from cli.output import slug_of
from collection.issuing import USUAL_DELAY
from collection.transactions import GAS_CAP, MINED_WITHIN
from games import library
from tests.cli.world import ANN, EXAMPLE, owned
from tests.docs.pages import GUIDE, ROOT, Page, rows
from tournament.service.decks import read_deck, rules_of
from tournament.settings import MOST_BYTES, MOST_SECONDS
from verifier.chain import PAIRS_PER_CALL, STALE_AFTER, ChainHoldings, Collection
from verifier.check import Claim, check_deck
from verifier.rpc import Endpoint, Patience
from verifier.testkit import LyingNode, ScriptedChain, lies

CONTRACTS, OPERATOR, VERIFICATION = (Page(GUIDE / f"{name}.md") for name in ("contracts", "operator", "verification"))


def test_a_changelog_tells_what_is_not_released_yet() -> None:
    changelog = Page(ROOT / "CHANGELOG.md")
    assert changelog.titles(2)[0] == "[Unreleased]"
    assert set(changelog.titles(3)) <= {"Added", "Changed", "Deprecated", "Removed", "Fixed", "Security"}


def test_the_prices_of_transactions_are_the_measured_ones() -> None:
    measured = json.loads((ROOT / "snapshots" / "ShowdownCards.json").read_text(encoding="utf-8"))
    for transaction, gas in rows(CONTRACTS.section("What it costs")):
        assert gas == f"{int(measured[transaction]):,}", transaction


def test_a_verification_asks_as_many_questions_as_the_page_says() -> None:
    chain = ScriptedChain()
    chain.mine(owned(EXAMPLE))
    with LyingNode(chain) as node, Endpoint(node.url) as endpoint:
        needs = read_deck(EXAMPLE, rules_of("cps")).needs
        holdings = ChainHoldings(
            [endpoint], Collection(None, chain.collection), now=lambda: float(chain.head.timestamp)
        )
        check_deck(Claim((ANN,), needs), holdings)
    assert (len(node.questions), node.connections) == (16, 1)
    assert "sixteen questions, over one connection" in " ".join(VERIFICATION.text.split())
    assert "sixteen questions" in " ".join(OPERATOR.text.split())


def test_the_figures_of_patience_are_those_in_force() -> None:
    patience = Patience()
    text = " ".join(OPERATOR.section("Patience").split())
    assert f"up to {patience.attempts} times" in text
    assert f"from {patience.first_pause:g} s to {patience.longest_pause:g} s" in text
    assert [cells[1] for cells in rows(OPERATOR.section("Patience"))] == [
        f"{patience.timeout:g} s",
        f"{patience.deadline:g} s",
    ]


def test_other_figures_are_those_in_force() -> None:
    assert STALE_AFTER == 60 * 60
    assert USUAL_DELAY == 2 * 24 * 60 * 60
    assert MINED_WITHIN == 3 * 60
    assert MOST_SECONDS == 30 * 24 * 3600
    assert f"at most {MOST_BYTES:,} bytes" in Page(GUIDE / "settings.md").text
    assert f"up to {PAIRS_PER_CALL:,} balances" in " ".join(VERIFICATION.text.split())
    assert f"{GAS_CAP:,} gas" in CONTRACTS.text


def test_the_changelog_counts_the_cards_of_the_first_set() -> None:
    (first, *_) = library.card_sets("cps")
    text = " ".join(Page(ROOT / "CHANGELOG.md").text.split())
    assert f"the set *{first.name}* with {len(first.printings)} cards" in text
    assert (len(library.decks("cps")), "eight example decks" in text) == (8, True)


def test_contributing_explains_every_word_of_make() -> None:
    words = re.findall(r"^([a-z]+):.*## ", (ROOT / "Makefile").read_text(encoding="utf-8"), re.MULTILINE)
    explained = [first.strip("`") for first, *_ in rows(Page(ROOT / "CONTRIBUTING.md").section("Set up"))]
    assert sorted(explained) == sorted(f"make {word}" for word in words if word != "help")


def test_the_lie_of_contributing_is_told(capsys: pytest.CaptureFixture[str]) -> None:
    (program,) = [fence.text for fence in Page(ROOT / "CONTRIBUTING.md").fences if fence.language == "python"]
    exec(compile(program, "CONTRIBUTING.md", "exec"), {})  # noqa: S102 - a page of ours
    covered, trouble = capsys.readouterr().out.splitlines()
    assert covered == "covered"
    assert "the array has 0 balances for 1 questions" in trouble


FOUND_OUT = {
    "serves another chain": lies.answers_for_another_chain(1),
    "answers balances too short": lies.shortens(),
    "says a balance of over": lies.inflates(),
    "reverts, or runs out of gas": lies.reverts(),
    "sends more bytes": lies.floods(5_000_000),
    "answers another question": lies.answers_another_question(),
    "limits requests, hangs": lies.shows_a_page(),
}
"""By how a row of the operators' table begins."""


@pytest.mark.parametrize("row", FOUND_OUT)
def test_a_lie_shows_as_the_operators_table_says(row: str) -> None:
    (shown, problem) = next(
        cells[1:] for cells in rows(OPERATOR.section("What is found out, and how it shows")) if cells[0].startswith(row)
    )
    chain = ScriptedChain()
    chain.mine(owned(EXAMPLE))
    collection = Collection(31337, chain.collection)
    claim = Claim((ANN,), read_deck(EXAMPLE, rules_of("cps")).needs)
    with LyingNode(chain) as node, Endpoint(node.url, patience=Patience(deadline=0.5, timeout=0.4)) as endpoint:
        node.tell(FOUND_OUT[row])
        trouble = check_deck(claim, ChainHoldings([endpoint], collection)).trouble
    assert trouble is not None
    assert all(part.strip() in str(trouble) for part in shown.strip("`").split("…"))
    assert problem == f"[{slug_of(type(trouble))}](problems.md#{slug_of(type(trouble))})"


def test_every_problem_of_the_operators_table_is_an_entry() -> None:
    entries = set(Page(GUIDE / "problems.md").titles(2))
    named = re.findall(r"problems\.md#([a-z0-9-]+)", OPERATOR.text)
    assert set(named) <= entries
