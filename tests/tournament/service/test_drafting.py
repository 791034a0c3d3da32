"""Lists while they are written: what can be read of them, cards added and taken away, what of a wallet counts."""

from collections.abc import Iterator
from datetime import date

import pytest

from games.errors import UnknownCard
from tests.tournament import owning
from tests.tournament.owning import DECK, LIST, World, cards, wallet
from tests.tournament.people import account
from tournament.database import Database
from tournament.service import decks, drafting
from tournament.service.drafting import Light, Purses
from tournament.service.entries import ADD, Add
from verifier.decklist import write_decklist

RULES = DECK.rules
TYRANT = "Dolores Encore, Label Boss"
MANY = next(need for need in DECK.needs if need.units == 3)
DAY = date(2026, 1, 31)


def listed(text: str) -> list[tuple[str | None, int, str]]:
    deck = drafting.read(text, RULES).deck
    return [(slot.section, slot.count, slot.card.name) for slot in deck.slots] if deck else []


def test_lines_that_cannot_be_read_are_named_and_the_rest_is_read() -> None:
    draft = drafting.read(f"{LIST}\nhello\n3 Nobody At All\n", RULES)
    assert draft.deck is not None
    assert draft.deck.size == DECK.size
    last = len(LIST.split("\n"))
    assert [(fault.line, fault.text) for fault in draft.faults] == [(last + 1, "hello"), (last + 2, "Nobody At All")]


@pytest.mark.parametrize("text", ["", "hello", "# nothing\n", "3 Nobody At All"])
def test_of_nothing_nothing_is_left_and_the_fault_is_told_once(text: str) -> None:
    draft = drafting.read(text, RULES)
    assert draft.deck is None
    assert len(draft.faults) == 1


def test_cards_are_added_behind_their_section_and_taken_away_again() -> None:
    text = "# mine\n\nMedia Tyrant\n1 Dolores Encore, Label Boss\n\nPlayer cards\n2 Diss Track\n"
    more = drafting.changed(text, RULES, "ronald frump", 1)
    assert more.startswith("# mine\n\nMedia Tyrant\n1 Dolores Encore, Label Boss\n\nPlayer cards\n2 Diss Track")
    assert listed(more)[-1] == ("Influencers", 1, "RONALD FRUMP")
    third = drafting.changed(more, RULES, "Diss Track", 1)
    assert ("Player cards", 3, "Diss Track") in listed(third)
    beside = drafting.changed(third, RULES, "Red Card", 1)
    assert listed(beside)[2] == ("Player cards", 1, "Red Card")
    for _ in range(4):
        beside = drafting.changed(beside, RULES, "Diss Track", -1)
    assert "Diss Track" not in beside
    with pytest.raises(UnknownCard):
        drafting.changed(text, RULES, "No Such Card", 1)


def test_a_list_without_headers_stays_so_and_one_of_another_program_becomes_text() -> None:
    assert drafting.changed(f"1 {TYRANT}", RULES, "Diss Track", 1) == f"1 {TYRANT}\n1 Diss Track"
    markup = write_decklist(DECK.decklist, "cod")
    changed = drafting.changed(markup, RULES, MANY.card, 1)
    assert f"4 {MANY.card}" in changed
    assert decks.read_deck(changed, RULES).size == DECK.size + 1


def test_cards_are_found_by_name_kind_and_trait() -> None:
    draft = drafting.read(LIST, RULES)
    found = drafting.find("dolores", RULES, draft, None)
    assert [(one.card.name, one.written, one.held) for one in found] == [(TYRANT, 0, None)]
    assert all(one.card.type == "Burner" for one in drafting.find("burner power", RULES, draft, None))
    assert len(drafting.find("e", RULES, draft, None)) == drafting.MOST_FOUND
    assert drafting.find("  ", RULES, draft, None) == []


@pytest.fixture
def world(embedded: Database) -> Iterator[World]:
    account("ann", embedded)
    with owning.started(embedded) as world:
        yield world.announce()


def purse_of(world: World, entry: int) -> drafting.Purse:
    wanted = world.look(lambda session, event: drafting.wanted(session, event, entry))
    assert wanted is not None
    return Purses().read(wanted, world.nodes)


def test_of_a_wallet_that_is_split_the_share_counts_and_no_more(world: World) -> None:
    number = world.do(ADD, Add(name="Ann")).entry
    world.link(number, wallet("Ann"), {MANY.token_ids[0]: 2})
    world.chain.mine(cards(wallet("Ann")), seconds=60)
    purse = purse_of(world, number)
    assert purse.units is not None
    assert purse.units[MANY.card] == 2
    seen = drafting.look(drafting.read(LIST, RULES), world.row, purse, DAY)
    assert {line.card: line.light for line in seen.lines}[MANY.card] is Light.RED
    assert seen.missing == DECK.size - 2


def test_a_vault_whose_registry_is_not_there_leaves_everything_open(world: World) -> None:
    number = world.do(ADD, Add(name="Ann")).entry
    world.link(number, wallet("Ann"))
    world.link(number, wallet("vault"), of=wallet("Ann"))
    world.chain.mine(cards(wallet("Ann")), seconds=60)
    purse = purse_of(world, number)
    assert purse.units is None
    assert purse.cause
    seen = drafting.look(drafting.read(LIST, RULES), world.row, purse, DAY)
    assert {line.light for line in seen.lines} == {Light.AMBER}


def test_who_has_no_wallet_is_asked_about_nowhere(world: World) -> None:
    number = world.do(ADD, Add(name="Ann")).entry
    assert world.look(lambda session, event: drafting.wanted(session, event, number)) is None
