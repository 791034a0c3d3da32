"""OCTGN's `.o8d`."""

import pytest

from verifier.decklist import Decklist, DecklistUnreadable, Line, parse_decklist, write_decklist

# As OCTGN saves it: every section of the game, used or not, shared ones last.
SAVED = """<?xml version="1.0" encoding="utf-8" standalone="yes"?>
<deck game="7b1c5a9e-3d24-4c8f-9f60-5d2e8a417b93" sleeveid="0">
  <section name="Main" shared="False">
    <card qty="3" id="c2f7e1d0-55aa-4b7e-8d3b-0e9a6f1c2b01">Kanye East</card>
    <card qty="1" id="c2f7e1d0-55aa-4b7e-8d3b-0e9a6f1c2b02">Ronald "The Hair" Frump &amp; Sons</card>
  </section>
  <section name="R&amp;D / Stack" shared="False">
    <card qty="2" id="c2f7e1d0-55aa-4b7e-8d3b-0e9a6f1c2b03">
      Elon Tusk
    </card>
  </section>
  <section name="Sideboard" shared="False" />
  <section name="Scenario" shared="True" />
  <notes><![CDATA[Bring <dice>.]]></notes>
</deck>
"""

ZEROS = "00000000-0000-0000-0000-000000000000"


def test_a_deck_saved_by_octgn_is_read() -> None:
    assert parse_decklist(SAVED) == Decklist(
        (
            Line(3, "Kanye East"),
            Line(1, 'Ronald "The Hair" Frump & Sons'),
            Line(2, "Elon Tusk", "R&D / Stack"),
        )
    )


def test_a_deck_is_written_as_octgn_writes_it_but_for_the_ids() -> None:
    decklist = Decklist((Line(1, "Ronald Frump", "Media Tyrant", "STR", 4), Line(3, "Fire & Ice")), "lost")
    assert write_decklist(decklist, "o8d") == (
        '<?xml version="1.0" encoding="UTF-8"?>\n'
        f'<deck game="{ZEROS}">\n'
        '  <section name="Media Tyrant" shared="False">\n'
        f'    <card qty="1" id="{ZEROS}">Ronald Frump</card>\n'
        "  </section>\n"
        '  <section name="Main" shared="False">\n'
        f'    <card qty="3" id="{ZEROS}">Fire &amp; Ice</card>\n'
        "  </section>\n"
        "  <notes></notes>\n"
        "</deck>\n"
    )


def test_every_fault_is_told_at_once_with_its_line() -> None:
    source = '<deck>\n<section name="Main">\n<card qty="0">A</card>\n<card qty="1"> </card>\n<note/>\n</section></deck>'
    with pytest.raises(DecklistUnreadable) as refusal:
        parse_decklist(source)
    assert [(fault.line, fault.wrong) for fault in refusal.value.faults] == [
        (3, "'0' is not a count from 1 to 99"),
        (4, "the name is missing"),
        (5, "<note> is not known in <section>"),
    ]
