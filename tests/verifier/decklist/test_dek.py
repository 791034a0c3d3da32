"""Magic Online's `.dek`."""

import pytest

from verifier.decklist import Decklist, DecklistUnreadable, Line, parse_decklist, write_decklist

# As Magic Online saves it.
SAVED = """<?xml version="1.0" encoding="utf-8"?>
<Deck xmlns:xsd="http://www.w3.org/2001/XMLSchema" xmlns:xsi="http://www.w3.org/2001/XMLSchema-instance">
  <NetDeckID>0</NetDeckID>
  <PreconstructedDeckID>0</PreconstructedDeckID>
  <Cards CatID="90210" Quantity="4" Sideboard="false" Name="Kanye East" Annotation="0" />
  <Cards CatID="90212" Quantity="2" Sideboard="true" Name="Elon Tusk's Rocket" Annotation="0" />
  <Cards CatID="90214" Quantity="1" Sideboard="false" Name="Kanye East" Annotation="0" />
</Deck>
"""


def test_a_deck_saved_by_magic_online_is_read() -> None:
    assert parse_decklist(SAVED) == Decklist(
        (Line(4, "Kanye East"), Line(2, "Elon Tusk's Rocket", "Sideboard"), Line(1, "Kanye East"))
    )


def test_a_deck_is_written_as_magic_online_writes_it_but_for_the_catalogue_number() -> None:
    decklist = Decklist((Line(1, "Ronald Frump", "Media Tyrant", "STR", 4), Line(2, "Fire & Ice", "Sideboard")), "lost")
    assert write_decklist(decklist, "dek") == (
        '<?xml version="1.0" encoding="UTF-8"?>\n'
        '<Deck xmlns:xsd="http://www.w3.org/2001/XMLSchema" xmlns:xsi="http://www.w3.org/2001/XMLSchema-instance">\n'
        "  <NetDeckID>0</NetDeckID>\n"
        "  <PreconstructedDeckID>0</PreconstructedDeckID>\n"
        '  <Cards CatID="0" Quantity="1" Sideboard="false" Name="Ronald Frump"/>\n'
        '  <Cards CatID="0" Quantity="2" Sideboard="true" Name="Fire &amp; Ice"/>\n'
        "</Deck>\n"
    )


def test_every_fault_is_told_at_once_with_its_line() -> None:
    source = (
        '<Deck>\n<Cards Quantity="4" Sideboard="maybe" Name="A"/>\n'
        '<Cards Name="B"/>\n<cards Quantity="1" Name="C"/>\n</Deck>'
    )
    with pytest.raises(DecklistUnreadable) as refusal:
        parse_decklist(source)
    assert [(fault.line, fault.wrong) for fault in refusal.value.faults] == [
        (2, "Sideboard is neither true nor false"),
        (3, "<Cards> has no Sideboard"),
        (3, "the count is missing"),
        (4, "<cards> is not known in <Deck>"),
    ]
