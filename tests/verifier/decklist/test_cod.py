"""Cockatrice's `.cod`."""

import pytest

from verifier.decklist import Decklist, DecklistUnreadable, Line, parse_decklist, write_decklist

# As Cockatrice saves it.
SAVED = """<?xml version="1.0" encoding="UTF-8"?>
<cockatrice_deck version="1">
    <lastLoadedTimestamp>Sat Nov 29 09:42:17 2025</lastLoadedTimestamp>
    <deckname>Frump &amp; friends</deckname>
    <format>other</format>
    <bannerCard providerId="">Ronald Frump</bannerCard>
    <comments>sideboard still
to be tested</comments>
    <tags><tag>budget</tag></tags>
    <zone name="main">
        <card number="1" name="Ronald Frump" setShortName="STR" collectorNumber="4" uuid="0f3b6c1e-9a52-4f0d-8a1e"/>
        <card number="3" name="&quot;Fire&quot; // Ice"/>
    </zone>
    <zone name="side">
        <card number="2" name="Elon Tusk" setShortName="STR"/>
    </zone>
    <sideboard_plan>
        <name></name>
        <move_card_to_zone>
            <card_name>Elon Tusk</card_name>
            <start_zone>side</start_zone>
            <target_zone>main</target_zone>
        </move_card_to_zone>
    </sideboard_plan>
</cockatrice_deck>
"""

# As older versions and the draft sites write it.
OLD = (
    '<?xml version="1.0" encoding="UTF-8"?>\r\n<cockatrice_deck version="1">\r\n  <deckname></deckname>\r\n'
    '  <comments></comments>\r\n  <zone name="main">\r\n    <card number="4" price="0" name="Kanye East"/>\r\n'
    '  </zone>\r\n  <zone name="side">\r\n  </zone>\r\n</cockatrice_deck>'
)


def test_a_deck_saved_by_cockatrice_is_read_with_its_printings() -> None:
    assert parse_decklist(SAVED) == Decklist(
        (
            Line(1, "Ronald Frump", None, "STR", 4),
            Line(3, '"Fire" // Ice'),
            Line(2, "Elon Tusk", "Sideboard", "STR"),
        ),
        "Frump & friends",
    )


def test_a_deck_of_an_older_version_is_read() -> None:
    assert parse_decklist(OLD) == Decklist((Line(4, "Kanye East"),))


def test_a_line_remembers_where_its_card_stands() -> None:
    assert [line.line for line in parse_decklist(SAVED).lines] == [11, 12, 15]


def test_a_deck_is_written_as_cockatrice_writes_it() -> None:
    decklist = Decklist(
        (
            Line(1, "Ronald Frump", "Media Tyrant", "STR", 4),
            Line(3, '"Fire" // Ice'),
            Line(2, "Elon Tusk", "Sideboard"),
        ),
        "Frump & friends",
    )
    assert write_decklist(decklist, "cod") == (
        '<?xml version="1.0" encoding="UTF-8"?>\n'
        '<cockatrice_deck version="1">\n'
        "    <deckname>Frump &amp; friends</deckname>\n"
        "    <comments></comments>\n"
        '    <zone name="Media Tyrant">\n'
        '        <card number="1" name="Ronald Frump" setShortName="STR" collectorNumber="4"/>\n'
        "    </zone>\n"
        '    <zone name="main">\n'
        '        <card number="3" name="&quot;Fire&quot; // Ice"/>\n'
        "    </zone>\n"
        '    <zone name="side">\n'
        '        <card number="2" name="Elon Tusk"/>\n'
        "    </zone>\n"
        "</cockatrice_deck>\n"
    )


def test_a_collector_number_without_a_set_names_no_printing() -> None:
    source = (
        '<cockatrice_deck><zone name="main"><card number="1" name="A" collectorNumber="4"/></zone></cockatrice_deck>'
    )
    assert parse_decklist(source).lines == (Line(1, "A"),)


# line  source
# 1     <cockatrice_deck>
# 2     <zone name="9 lives">                    no header of a section
# 3     <crad number="1" name="Kanye East"/>     no card
# 4     <card name="Elon Tusk"/>                 no count
# 5     <card number="1"/>                       no name
def test_every_fault_is_told_at_once_with_its_line() -> None:
    source = (
        '<cockatrice_deck>\n<zone name="9 lives">\n<crad number="1" name="Kanye East"/>\n<card name="Elon Tusk"/>\n'
        '<card number="1"/>\n</zone></cockatrice_deck>'
    )
    with pytest.raises(DecklistUnreadable) as refusal:
        parse_decklist(source)
    assert [(fault.line, fault.wrong) for fault in refusal.value.faults] == [
        (2, "'9 lives' is not the header of a section"),
        (3, "<crad> is not known in <zone>"),
        (4, "the count is missing"),
        (5, "the name is missing"),
    ]


def test_another_programs_deck_is_refused_by_its_first_element() -> None:
    with pytest.raises(DecklistUnreadable) as refusal:
        parse_decklist("<deck></deck>", syntax="cod")
    assert refusal.value.faults[0].wrong == "the first element is <deck>"
