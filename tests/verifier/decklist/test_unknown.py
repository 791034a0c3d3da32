"""Whatever a file holds is read, known and deliberately ignored, or a fault: no card is passed over in silence."""

import csv as tables
import xml.etree.ElementTree as ET
from collections.abc import Iterator
from copy import deepcopy
from functools import partial
from io import StringIO

import pytest

from verifier.decklist import DecklistUnreadable, Line, LineFault, canonical, parse_decklist

# Each as its program saves it, with everything that it ever writes.
SAVED = {
    "cod": """<?xml version="1.0" encoding="UTF-8"?>
<cockatrice_deck version="1">
    <lastLoadedTimestamp>Sat Nov 29 09:42:17 2025</lastLoadedTimestamp>
    <deckname>Frump</deckname>
    <format>other</format>
    <bannerCard providerId="0f3b">Ronald Frump</bannerCard>
    <playmatCard providerId="0f3b" marginPctL="0.0700" marginPctR="0.0700" verticalOffset="0.3300" zoom="1.0000">Swag
    </playmatCard>
    <comments>9 Table Flip</comments>
    <tags><tag>budget</tag></tags>
    <zone name="main">
        <card number="1" name="Ronald Frump" setShortName="STR" collectorNumber="4" uuid="0f3b6c1e-9a52-4f0d-8a1e"/>
        <card number="3" price="0" name="Kanye East"/>
    </zone>
    <zone name="side"><card number="2" name="Elon Tusk"/></zone>
    <sideboard_plan>
        <name>mirror</name>
        <move_card_to_zone>
            <card_name>Elon Tusk</card_name><start_zone>side</start_zone><target_zone>main</target_zone>
        </move_card_to_zone>
    </sideboard_plan>
</cockatrice_deck>""",
    "o8d": """<?xml version="1.0" encoding="utf-8" standalone="yes"?>
<deck game="7b1c5a9e-3d24-4c8f-9f60-5d2e8a417b93" sleeveid="0">
  <section name="Player cards" shared="False">
    <card qty="3" id="c2f7e1d0-55aa-4b7e-8d3b-0e9a6f1c2b01">Kanye East</card>
    <card qty="1" id="c2f7e1d0-55aa-4b7e-8d3b-0e9a6f1c2b02">Ronald Frump</card>
  </section>
  <section name="Sideboard" shared="False"><card qty="2" id="c2f7e1d0">Elon Tusk</card></section>
  <section name="Scenario" shared="True" />
  <notes><![CDATA[9 Table Flip]]></notes>
</deck>""",
    "dek": """<?xml version="1.0" encoding="utf-8"?>
<Deck xmlns:xsd="http://www.w3.org/2001/XMLSchema" xmlns:xsi="http://www.w3.org/2001/XMLSchema-instance">
  <NetDeckID>0</NetDeckID>
  <PreconstructedDeckID>0</PreconstructedDeckID>
  <Cards CatID="90210" Quantity="4" Sideboard="false" Name="Kanye East" Annotation="0" />
  <Cards CatID="90212" Quantity="2" Sideboard="true" Name="Elon Tusk" Annotation="0" />
</Deck>""",
}
TABLE = "count,name,section,set,number,condition\n3,Kanye East,,STR,4,Near Mint\n2,Elon Tusk,Sideboard,,,\n"
JSON = (
    '{"format": "deckproof-decklist", "version": 1, "title": "A", "lines": [{"count": 3, "name": "Kanye East"},'
    '{"count": 2, "name": "Elon Tusk", "section": "Sideboard", "set": "STR", "number": 4}]}'
)


def cards(source: str, syntax: str) -> bytes | None:
    """The deck that is hashed; None where the file is refused."""
    try:
        return canonical(parse_decklist(source, syntax=syntax))
    except DecklistUnreadable:
        return None


def faults(source: str, syntax: str) -> list[LineFault]:
    with pytest.raises(DecklistUnreadable) as refusal:
        parse_decklist(source, syntax=syntax)
    return list(refusal.value.faults)


def cod(inside: str, beside: str = "") -> str:
    zone = f'<zone name="main"><card number="1" name="Kanye East"/>{inside}</zone>'
    return f'<cockatrice_deck version="1">\n{zone}\n{beside}</cockatrice_deck>'


def o8d(inside: str, beside: str = "") -> str:
    return f'<deck>\n<section name="Main"><card qty="1">Kanye East</card>{inside}</section>\n{beside}</deck>'


def dek(beside: str) -> str:
    return f'<Deck>\n<Cards Quantity="1" Sideboard="false" Name="Kanye East"/>\n{beside}</Deck>'


# --- what the hostile tester tried ----------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("source", "line", "wrong", "right"),
    [
        pytest.param(
            o8d("", '<Section name="Player cards"><card qty="9">Table Flip</card></Section>'),
            3,
            "<Section> is not known in <deck>",
            "only <section>, <notes>",
            id="a section in the wrong case",
        ),
        pytest.param(
            o8d("", '<card qty="9">Table Flip</card>'),
            3,
            "<card> is not known in <deck>",
            "only <section>, <notes>",
            id="a card outside any section",
        ),
        pytest.param(
            o8d('<card qty="1">A\n<card qty="9">Table Flip</card></card>'),
            3,
            "<card> is not known in <card>",
            "none at all",
            id="a card inside a card",
        ),
        pytest.param(
            o8d("\n\n 9 Table Flip\n"), 4, "text stands in <section>", "only <card>", id="text inside a section"
        ),
        pytest.param(
            o8d("", '<notes>mine <card qty="9">Table Flip</card></notes>'),
            3,
            "<card> is not known in <notes>",
            "none at all",
            id="a card inside the notes",
        ),
        pytest.param(
            o8d('<card qty="1" Qty="9">Table Flip</card>'),
            2,
            "the attribute Qty is not known in <card>",
            "only qty, id",
            id="a second quantity in the wrong case",
        ),
    ],
)
def test_what_octgn_does_not_write_is_a_fault_that_says_what_is_known(
    source: str, line: int, wrong: str, right: str
) -> None:
    assert [(fault.line, fault.wrong, fault.right) for fault in faults(source, "o8d")] == [(line, wrong, right)]


@pytest.mark.parametrize(
    ("source", "line", "wrong"),
    [
        pytest.param(
            cod("", '<Zone name="side"><card number="9" name="Table Flip"/></Zone>'),
            3,
            "<Zone> is not known in <cockatrice_deck>",
            id="a zone in the wrong case",
        ),
        pytest.param(
            cod("", '<card number="9" name="Table Flip"/>'),
            3,
            "<card> is not known in <cockatrice_deck>",
            id="a card outside a zone",
        ),
        pytest.param(
            cod('<card number="1" Number="50" name="Table Flip"/>'),
            2,
            "the attribute Number is not known in <card>",
            id="a second number in the wrong case",
        ),
        pytest.param(cod("9 Table Flip"), 2, "text stands in <zone>", id="text inside a zone"),
        pytest.param(cod("<![CDATA[9 Table Flip]]>"), 2, "text stands in <zone>", id="raw text inside a zone"),
        pytest.param(
            cod('<card number="1" name="A">9 Table Flip</card>'), 2, "text stands in <card>", id="text inside a card"
        ),
        pytest.param(
            cod('<zone name="side"><card number="9" name="Table Flip"/></zone>'),
            2,
            "<zone> is not known in <zone>",
            id="a zone inside a zone",
        ),
        pytest.param(
            cod("", '<comments>\n<card number="9" name="Table Flip"/></comments>'),
            4,
            "<card> is not known in <comments>",
            id="a card inside the comments",
        ),
        pytest.param(
            cod("", '<tags><card number="9" name="Table Flip"/></tags>'),
            3,
            "<card> is not known in <tags>",
            id="a card inside the tags",
        ),
        pytest.param(
            cod("", '<?card number="9" name="Table Flip"?>'),
            3,
            "an instruction for another program, which no deck program writes",
            id="an instruction",
        ),
        pytest.param(
            '<cockatrice_deck><zone><card number="9" name="Table Flip"/></zone></cockatrice_deck>',
            1,
            "<zone> has no name",
            id="a zone without a name",
        ),
    ],
)
def test_what_cockatrice_does_not_write_is_a_fault(source: str, line: int, wrong: str) -> None:
    assert [(fault.line, fault.wrong) for fault in faults(source, "cod")] == [(line, wrong)]


@pytest.mark.parametrize(
    ("beside", "wrong"),
    [
        pytest.param(
            '<cards><Cards Quantity="9" Sideboard="false" Name="Table Flip"/></cards>',
            "<cards> is not known in <Deck>",
            id="cards around cards",
        ),
        pytest.param(
            '<NetDeckID><Cards Quantity="9" Sideboard="false" Name="Table Flip"/></NetDeckID>',
            "<Cards> is not known in <NetDeckID>",
            id="cards inside an id",
        ),
        pytest.param(
            '<Cards Quantity="1" quantity="9" Sideboard="false" Name="Table Flip"/>',
            "the attribute quantity is not known in <Cards>",
            id="a second quantity in the wrong case",
        ),
        pytest.param("9 Table Flip", "text stands in <Deck>", id="text inside the deck"),
        pytest.param("<Cards/>9 Table Flip", "text stands in <Deck>", id="text after cards"),
    ],
)
def test_what_magic_online_does_not_write_is_a_fault(beside: str, wrong: str) -> None:
    assert (3, wrong) in [(fault.line, fault.wrong) for fault in faults(dek(beside), "dek")]


# --- the kind -------------------------------------------------------------------------------------------------------


def wronged(source: str) -> Iterator[str]:
    """The file with any one name in it changed, any one attribute or pair of tags taken out or pair of tags put in.

    An element that holds nothing is not taken out: a list without the card is another list.
    """
    tree = ET.fromstring(source)  # noqa: S314 - our own files
    tags = {element.tag for element in tree.iter()}
    names = {name for element in tree.iter() for name in element.attrib}
    for at, here in enumerate(tree.iter()):
        changes = [
            *(partial(renamed, tag) for tag in tags | misspelt(here.tag)),
            *(partial(without, name) for name in here.attrib),
            *(
                partial(called, name, other)
                for name in here.attrib
                for other in (names | misspelt(name)) - set(here.attrib)
            ),
            *(partial(around, tag) for tag in tags),
        ]
        for change in changes:
            other = deepcopy(tree)
            change(list(other.iter())[at])
            yield ET.tostring(other, encoding="unicode")
        if here is not tree and ("".join(here.itertext()).strip() or len(here)):
            yield unwrapped(tree, at)


def misspelt(name: str) -> set[str]:
    return {name.swapcase(), name.capitalize(), f"{name}s", "x"} - {name}


def renamed(tag: str, element: ET.Element) -> None:
    element.tag = tag


def without(name: str, element: ET.Element) -> None:
    del element.attrib[name]


def called(name: str, other: str, element: ET.Element) -> None:
    element.set(other, element.attrib.pop(name))


def around(tag: str, element: ET.Element) -> None:
    """Put everything inside the element into one more element."""
    inner = ET.Element(tag)
    inner.text, element.text = element.text, None
    inner.extend(list(element))
    for child in list(element):
        element.remove(child)
    element.append(inner)


def unwrapped(tree: ET.Element, at: int) -> str:
    """The file without the two tags of an element; what stood between them stays."""
    other = deepcopy(tree)
    element = list(other.iter())[at]
    element.tag, element.attrib = "GONE", {}
    written = ET.tostring(other, encoding="unicode")
    return written.replace("<GONE />", "").replace("<GONE>", "").replace("</GONE>", "")


@pytest.mark.parametrize("syntax", SAVED)
def test_a_file_as_its_program_saves_it_is_read(syntax: str) -> None:
    assert Line(2, "Elon Tusk", "Sideboard") in parse_decklist(SAVED[syntax], syntax=syntax).lines


@pytest.mark.parametrize("syntax", SAVED)
def test_no_changed_name_and_no_lost_tag_or_attribute_yields_other_cards_without_a_fault(syntax: str) -> None:
    harmless = {None, cards(SAVED[syntax], syntax)}
    assert [source for source in wronged(SAVED[syntax]) if cards(source, syntax) not in harmless] == []


# --- tables and JSON ------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("name", ["Number of copies", "Foil Quantity", "Qty 2", "Anzahl", "Sideboarded", "zonne"])
def test_a_column_that_is_not_known_is_a_fault_since_it_may_hold_a_count_or_a_section(name: str) -> None:
    (fault,) = faults(f"count,name,{name}\n1,Kanye East,9\n", "csv")
    assert (fault.line, fault.wrong) == (1, f"the column '{name}' is not known")
    assert fault.right == "one of count, name, section, set, number, or the table without this column"


@pytest.mark.parametrize("header", ["qty,qty,name", "count,Quantity,name", "count,name,card", "count,name,board,zone"])
def test_no_field_has_two_columns(header: str) -> None:
    (fault,) = faults(f"{header}\n1,1,1,1\n", "csv")
    assert fault.wrong.startswith("two columns for the ")


def test_a_cell_in_a_column_without_a_name_is_a_fault_and_an_empty_one_is_not() -> None:
    assert parse_decklist("count,name,,\n1,Kanye East,,\n").lines == (Line(1, "Kanye East"),)
    (fault,) = faults("count,name,,\n1,Kanye East,,9 Table Flip\n", "csv")
    assert (fault.line, fault.wrong) == (2, "a cell stands in a column without a name")


COLLECTIONS = {
    "Deckbox": "Count,Tradelist Count,Name,Edition,Card Number,Condition,Language,Foil,Signed,Artist Proof,Altered Art,"
    "Misprint,Promo,Textless,My Price",
    "Moxfield": "Count,Tradelist Count,Name,Edition,Condition,Language,Foil,Tags,Last Modified,Collector Number,Alter,"
    "Proxy,Purchase Price",
    "ManaBox": "Name,Set code,Set name,Collector number,Foil,Rarity,Quantity,ManaBox ID,Scryfall ID,Purchase price,"
    "Misprint,Altered,Condition,Language,Purchase price currency",
    "Dragon Shield": "Folder Name,Quantity,Trade Quantity,Card Name,Set Code,Set Name,Card Number,Condition,Printing,"
    "Language,Price Bought,Date Bought,LOW,MID,MARKET",
    "Magic Online": "Card Name,Quantity,ID #,Rarity,Set,Collector #,Premium",
}


@pytest.mark.parametrize("site", COLLECTIONS)
def test_the_columns_of_a_collection_site_are_known(site: str) -> None:
    header = COLLECTIONS[site]
    cells = {"Count": "3", "Quantity": "3", "Name": "Kanye East", "Card Name": "Kanye East", "Tradelist Count": "9"}
    row = ",".join(cells.get(name, "") for name in header.split(","))
    assert parse_decklist(f"{header}\n{row}\n", syntax="csv").lines == (Line(3, "Kanye East"),)


@pytest.mark.parametrize("at", range(5))
@pytest.mark.parametrize("other", ["", "x", "NAMES", "counts", "zone 2"])
def test_no_changed_column_yields_other_cards_without_a_fault(at: int, other: str) -> None:
    rows = list(tables.reader(StringIO(TABLE)))
    rows[0][at] = other
    source = "\n".join(",".join(row) for row in rows)
    assert cards(source, "csv") in {None, cards(TABLE, "csv")}


@pytest.mark.parametrize("key", ["count", "name", "section", "set", "number", "format", "version", "title", "lines"])
@pytest.mark.parametrize("other", ["x", "{}s", "{}2"])
def test_no_changed_key_of_json_is_passed_over(key: str, other: str) -> None:
    assert faults(JSON.replace(f'"{key}":', f'"{other.format(key)}":'), "json")


def test_a_key_of_json_in_the_wrong_case_is_a_fault() -> None:
    assert [fault.wrong for fault in faults(JSON.replace('"count": 3', '"count": 3, "Count": 9'), "json")] == [
        "this key is not known"
    ]
