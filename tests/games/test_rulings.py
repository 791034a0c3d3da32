"""The deck rulings of the three games, each by name; docs/guide/rulings.md tells them to players."""

import re
from collections import Counter
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from games import library
from games.cards import Card, CardSet, Catalogue, Printing
from games.formats import Format, Rule, Slot, Violation, check_deck, place, rated_within

GUIDE = Path(__file__).parents[2] / "docs" / "guide" / "rulings.md"

ReadDeck = Callable[[str, str], list[Slot]]

CPS = library.format_named("cps", "standard")
CGCCG = library.format_named("cgccg", "standard")
AUDITION = library.format_named("audition", "standard")


def find(name: str, game: str = "cps") -> Card:
    return library.catalogue(game).find(name)


def check(slots: list[Slot], rules: Format = CPS, max_rating: str | None = None) -> list[Violation]:
    return check_deck(slots, rules, catalogue=library.catalogue(rules.game), max_rating=max_rating)


def codes(violations: list[Violation]) -> list[Rule]:
    return [violation.code for violation in violations]


# --- Celebrity Parody Showdown ------------------------------------------------------------------------------------

# Chip Cliffhanger allows Cinema and Reality.
CHIP = find("Chip Cliffhanger, Showrunner")
REX = find("Rex Granite, Stunt Legend")  # Cinema
PIANO = find("Piano From Above")  # Cinema
BORROWED = find("Borrowed Diamonds")  # Cinema, Fashion
SOCKS = find("Unwashed Lucky Socks")  # Sport
PERLA = find("Perla Vault, Gold Gymnast")  # Sport
FRUMP = find("RONALD FRUMP")  # Reality, Power; limit 1 per deck

SMALLEST = [Slot("Media Tyrant", CHIP, 1, 1), Slot("Influencers", REX, 10, 2), Slot("Player cards", PIANO, 40, 3)]


def test_a_cps_deck_is_one_media_tyrant_ten_influencers_and_forty_player_cards() -> None:
    assert check(SMALLEST) == []
    assert sum(slot.count for slot in SMALLEST) == 51


@pytest.mark.parametrize("count", [9, 11])
def test_a_cps_deck_has_exactly_ten_influencers(count: int) -> None:
    (violation,) = check([SMALLEST[0], Slot("Influencers", REX, count, 2), SMALLEST[2]])
    assert (violation.section, violation.have, violation.want) == ("Influencers", count, 10)


@pytest.mark.parametrize("count", [39, 41])
def test_a_cps_deck_has_exactly_forty_player_cards(count: int) -> None:
    (violation,) = check([*SMALLEST[:2], Slot("Player cards", PIANO, count, 3)])
    assert (violation.section, violation.have, violation.want) == ("Player cards", count, 40)


def test_a_cps_deck_has_exactly_one_media_tyrant() -> None:
    assert codes(check(SMALLEST[1:])) == [Rule.SECTION_TOO_SMALL]
    assert codes(check([*SMALLEST, Slot(None, find("The Algorithm"), 1)])) == [Rule.SECTION_TOO_LARGE]


@pytest.mark.parametrize(
    ("name", "kind", "speed"),
    [
        ("Ring Light", "Swag", "ACTION"),
        ("Mic Drop", "Physical Damage", "ACTION"),
        ("Farewell Tour", "Public Image", "ACTION"),
        ("Diss Track", "Burner", "RESPONSE"),
        ("Single Tear", "Emotional Damage", "RESPONSE"),
    ],
)
def test_the_five_kinds_of_player_card_share_one_section(name: str, kind: str, speed: str) -> None:
    card = find(name)
    assert (card.type, card.traits["speed"]) == (kind, (speed,))
    assert [slot.section for slot in place([Slot(None, card, 1)], CPS)] == ["Player cards"]


def test_every_influencer_and_player_card_belongs_to_a_domain_the_tyrant_allows() -> None:
    slots = [
        SMALLEST[0],
        Slot("Influencers", REX, 9, 2),
        Slot("Influencers", PERLA, 1, 3),
        Slot("Player cards", PIANO, 39, 4),
        Slot("Player cards", SOCKS, 1, 5),
    ]
    violations = check(slots)
    assert [(each.code, each.card, each.lines, each.have, each.want) for each in violations] == [
        (Rule.TRAIT_NOT_SHARED, "Perla Vault, Gold Gymnast", (3,), "Sport", "Cinema, Reality"),
        (Rule.TRAIT_NOT_SHARED, "Unwashed Lucky Socks", (5,), "Sport", "Cinema, Reality"),
    ]


def test_a_card_of_two_domains_fits_a_tyrant_who_allows_either() -> None:
    assert BORROWED.traits["domain"] == ("Cinema", "Fashion")
    assert check([*SMALLEST[:2], Slot("Player cards", BORROWED, 40)]) == []


def test_the_book_has_no_copy_limit() -> None:
    assert CPS.copy_limit is None
    assert check(SMALLEST) == []  # forty pianos


def test_a_limit_on_the_card_wins() -> None:
    two = [SMALLEST[0], Slot("Influencers", REX, 8, 2), Slot("Influencers", FRUMP, 2, 3), SMALLEST[2]]
    (violation,) = check(two)
    assert (violation.code, violation.card, violation.have, violation.want) == (Rule.CARD_LIMIT, FRUMP.name, 2, 1)


def test_a_format_may_set_a_copy_limit() -> None:
    one_take = library.format_named("cps", "one-take")
    violations = check(SMALLEST, one_take)
    assert [(each.code, each.card, each.want) for each in violations] == [
        (Rule.TOO_MANY_COPIES, REX.name, 1),
        (Rule.TOO_MANY_COPIES, PIANO.name, 1),
    ]


def test_the_cards_limit_wins_over_the_formats() -> None:
    generous = replace(CPS, copy_limit=4)
    three = find("Immunity Trinket")  # limit 2 per deck
    slots = [*SMALLEST[:2], Slot("Player cards", three, 3)]
    assert (Rule.CARD_LIMIT, 2) in [(each.code, each.want) for each in check(slots, generous)]


def test_a_ban_or_restriction_outranks_the_cards_own_limit() -> None:
    slots = [SMALLEST[0], Slot("Influencers", REX, 9), Slot("Influencers", FRUMP, 1), SMALLEST[2]]
    assert codes(check(slots, replace(CPS, banned=frozenset({"Ronald Frump"})))) == [Rule.BANNED]


def test_a_decklist_without_headers_is_placed_by_type() -> None:
    assert check([replace(slot, section=None) for slot in SMALLEST]) == []


def test_a_card_under_the_wrong_header_is_told_the_right_one() -> None:
    slots = [SMALLEST[0], Slot("Player cards", REX, 10, 2), SMALLEST[2]]
    (violation,) = check(slots)
    assert (violation.code, violation.have, violation.want) == (Rule.WRONG_SECTION, "Player cards", "Influencers")


def test_copies_of_every_printing_count_together() -> None:
    again = CardSet("cps", 9, "NIN", "Nine Lives", (Printing(FRUMP, 9, "NIN", 1),))
    catalogue = Catalogue([*library.card_sets("cps"), again])
    one, other = catalogue.find("Ronald Frump", "OPN", 74), catalogue.find("Ronald Frump", "NIN", 1)
    slots = [SMALLEST[0], Slot(None, REX, 8), Slot(None, one, 1, 3), Slot(None, other, 1, 4), SMALLEST[2]]
    (violation,) = check_deck(slots, CPS, catalogue=catalogue)
    assert (violation.code, violation.have, violation.lines) == (Rule.CARD_LIMIT, 2, (3, 4))


def test_every_violation_is_told_at_once() -> None:
    slots = [
        Slot("Media Tyrant", CHIP, 2, 1),
        Slot("Influencers", FRUMP, 3, 2),
        Slot("Influencers", PIANO, 1, 3),
        Slot("Sideboard", SOCKS, 4, 4),
    ]
    assert [(each.code, each.lines) for each in check(slots)] == [
        (Rule.UNKNOWN_SECTION, (4,)),
        (Rule.WRONG_SECTION, (3,)),
        (Rule.SECTION_TOO_LARGE, (1,)),
        (Rule.SECTION_TOO_SMALL, (2,)),
        (Rule.SECTION_TOO_SMALL, (3, 4)),
        (Rule.TRAIT_NOT_SHARED, (4,)),
        (Rule.CARD_LIMIT, (2,)),
    ]


def _legal_by_the_book(slots: list[Slot]) -> bool:
    """The book's four sentences, told a second way: by counting names of types and crossing Domains."""
    copies = Counter({slot.card.name: 0 for slot in slots})
    for slot in slots:
        copies[slot.card.name] += slot.count
    cards = {slot.card.name: slot.card for slot in slots}
    tyrants = [name for name, card in cards.items() if card.type == "Media Tyrant"]
    influencers = sum(copies[name] for name, card in cards.items() if card.type == "Influencer")
    if len(tyrants) != 1 or copies[tyrants[0]] != 1 or influencers != 10 or sum(copies.values()) != 51:
        return False
    allowed = set(cards[tyrants[0]].traits["domain"])
    return all(
        allowed & set(card.traits["domain"]) and copies[name] <= int(_limit_in(card.text) or 99)
        for name, card in cards.items()
    )


def _limit_in(text: str) -> str | None:
    said = re.search(r"Limit (\d+) per deck", text)
    return said[1] if said else None


CPS_CARDS = library.catalogue("cps").cards


@given(st.data())
def test_the_checker_agrees_with_the_book_on_decks_near_the_line(data: st.DataObject) -> None:
    deck = [CHIP] + [REX] * 10 + [PIANO] * 40
    for _ in range(data.draw(st.integers(0, 3))):
        deck[data.draw(st.integers(0, len(deck) - 1))] = data.draw(st.sampled_from(CPS_CARDS))
    deck = deck[data.draw(st.integers(0, 1)) :] + [FRUMP] * data.draw(st.integers(0, 1))
    slots = [Slot(None, card, 1) for card in deck]
    assert (check(slots) == []) == _legal_by_the_book(slots)


# --- Comic Genesis CCG --------------------------------------------------------------------------------------------

IDA = find("Inkwell Ida", "cgccg")  # an Artist rated G
TWIST = find("Plot Twist", "cgccg")  # an Action without a rating
FLAME = find("Forum Flame War", "cgccg")  # an Action rated M


def comic_deck(*extra: Slot) -> list[Slot]:
    """Forty cards, four of each, one of them an Artist, with some of the last replaced."""
    actions = [card for card in library.catalogue("cgccg").cards if card.type in ("Action", "Modifier")]
    plain = [card for card in actions if "rating" not in card.traits][:9]
    slots = [Slot("Deck", card, 4) for card in (IDA, *plain)]
    replaced = sum(slot.count for slot in extra)
    return [*slots[:-1], replace(slots[-1], count=4 - replaced), *extra] if extra else slots


def test_a_comic_genesis_deck_has_at_least_forty_cards() -> None:
    assert check(comic_deck(), CGCCG) == []
    (violation,) = check([replace(comic_deck()[0], count=3), *comic_deck()[1:]], CGCCG)
    assert (violation.code, violation.have, violation.want) == (Rule.SECTION_TOO_SMALL, 39, 40)


def test_a_comic_genesis_deck_may_be_larger() -> None:
    assert check([*comic_deck(), Slot("Deck", FLAME, 4)], CGCCG) == []


def test_a_comic_genesis_deck_has_at_most_four_copies_of_a_card() -> None:
    (violation,) = check([*comic_deck(), Slot("Deck", IDA, 1)], CGCCG)
    assert (violation.code, violation.card, violation.have, violation.want) == (Rule.TOO_MANY_COPIES, IDA.name, 5, 4)


def test_a_comic_genesis_deck_has_at_least_one_artist() -> None:
    slots = [*comic_deck()[1:], Slot("Deck", FLAME, 4)]
    (violation,) = check(slots, CGCCG)
    assert (violation.code, violation.have, violation.want) == (Rule.TOO_FEW_OF_TYPE, 0, 1)


@pytest.mark.parametrize(
    ("ceiling", "legal"), [("G", False), ("PG", False), ("14", False), ("M", True), ("NC17", True)]
)
def test_an_event_may_set_a_rating_ceiling(ceiling: str, *, legal: bool) -> None:
    slots = comic_deck(Slot("Deck", FLAME, 1))
    assert codes(check(slots, CGCCG, ceiling)) == ([] if legal else [Rule.RATING_TOO_HIGH])


def test_the_ratings_are_the_books_from_mildest_to_strongest() -> None:
    assert CGCCG.ratings == ("G", "PG", "14", "M", "NC17")


def test_a_card_without_a_rating_passes_every_ceiling() -> None:
    assert all(rated_within(TWIST, CGCCG, ceiling) for ceiling in CGCCG.ratings)


def test_the_public_catalogue_is_filtered_by_the_same_ceiling() -> None:
    shown = [card for card in library.catalogue("cgccg").cards if rated_within(card, CGCCG, "G")]
    assert IDA in shown
    assert FLAME not in shown


def test_no_shipped_comic_card_is_rated_above_m() -> None:
    assert all(rated_within(card, CGCCG, "M") for card in library.catalogue("cgccg").cards)


# --- Superhero Audition -------------------------------------------------------------------------------------------

HEROES = [card for card in library.catalogue("audition").cards if card.type == "Hero"]


def test_an_audition_is_played_from_one_shared_deck() -> None:
    assert [section.name for section in AUDITION.sections] == ["Deck"]
    assert check([Slot("Shared deck", card, 1) for card in HEROES], AUDITION) == []


def test_a_shared_deck_has_seven_for_the_row_and_a_crisis_for_each_of_six_rounds() -> None:
    assert check([Slot(None, card, 1) for card in HEROES[:13]], AUDITION) == []
    (violation,) = check([Slot(None, card, 1) for card in HEROES[:12]], AUDITION)
    assert (violation.code, violation.have, violation.want) == (Rule.SECTION_TOO_SMALL, 12, 7 + 6)


def test_any_creature_card_of_our_other_games_may_audition() -> None:
    guests = [find(name, "audition") for name in ("RONALD FRUMP", "The Algorithm", "Inkwell Ida")]
    assert check([Slot(None, card, 1) for card in [*HEROES[:10], *guests]], AUDITION) == []


def test_a_card_that_shows_nobody_may_not_audition() -> None:
    slots = [Slot(None, card, 1) for card in [*HEROES, find("Mic Drop", "audition")]]
    assert codes(check(slots, AUDITION)) == [Rule.TYPE_NOT_ALLOWED]


def test_six_cards_of_a_shared_deck_have_a_crisis_side() -> None:
    guests = [card for card in library.catalogue("audition").cards if card.type == "Influencer"][:8]
    (violation,) = check([Slot(None, card, 1) for card in [*HEROES[:5], *guests]], AUDITION)
    assert (violation.code, violation.have, violation.want) == (Rule.TOO_FEW_OF_TYPE, 5, 6)


# --- the shipped decks --------------------------------------------------------------------------------------------

DECKS = [(game, name) for game in library.games() for name in library.decks(game)]


@pytest.mark.parametrize(("game", "name"), DECKS)
def test_every_shipped_deck_is_legal(game: str, name: str, read_deck: ReadDeck) -> None:
    assert check(read_deck(game, name), library.formats(game)[0]) == []


@pytest.mark.parametrize("name", list(library.decks("cps")))
def test_every_shipped_cps_deck_is_fifty_one_cards(name: str, read_deck: ReadDeck) -> None:
    assert sum(slot.count for slot in read_deck("cps", name)) == 51


def test_at_least_six_tyrants_have_a_shipped_deck_of_their_own(read_deck: ReadDeck) -> None:
    tyrants = [read_deck("cps", name)[0].card for name in library.decks("cps")]
    assert len(set(tyrants)) == len(tyrants) >= 6


def test_one_shipped_deck_has_fifty_one_different_cards(read_deck: ReadDeck) -> None:
    slots = read_deck("cps", "one-of-everything")
    assert len({slot.card for slot in slots}) == len(slots) == 51
    assert check(slots, library.format_named("cps", "one-take")) == []


# One change to a legal deck, and exactly the violation it makes.
def _short(slots: list[Slot], _: int) -> list[Slot]:
    return slots[:-1] + ([replace(slots[-1], count=slots[-1].count - 1)] if slots[-1].count > 1 else [])


def _one_more(slots: list[Slot], at: int) -> list[Slot]:
    free = [slot for slot in slots if slot.card.limit is None and slot.card.type != "Media Tyrant"]
    return [*slots, replace(free[at % len(free)], count=1, line=99)]


def _misplaced(slots: list[Slot], at: int) -> list[Slot]:
    moved = at % len(slots)
    wrong = "Influencers" if slots[moved].section == "Player cards" else "Player cards"
    return [replace(slot, section=wrong) if index == moved else slot for index, slot in enumerate(slots)]


def _sideboard(slots: list[Slot], at: int) -> list[Slot]:
    return [
        replace(slot, section="Sideboard") if index == at % len(slots) else slot for index, slot in enumerate(slots)
    ]


def _stranger(slots: list[Slot], _: int) -> list[Slot]:
    allowed = set(slots[0].card.traits["domain"])
    strangers = [c for c in CPS_CARDS if c.type == slots[-1].card.type and not allowed & set(c.traits["domain"])]
    return [*slots[:-1], replace(slots[-1], card=strangers[0])]


MUTATIONS = [
    (_short, {Rule.SECTION_TOO_SMALL}),
    (_one_more, {Rule.SECTION_TOO_LARGE}),
    (_misplaced, {Rule.WRONG_SECTION}),
    (_sideboard, {Rule.UNKNOWN_SECTION}),
    (_stranger, {Rule.TRAIT_NOT_SHARED}),
]


@given(st.sampled_from(list(library.decks("cps"))), st.sampled_from(MUTATIONS), st.integers(0, 99))
def test_a_legal_deck_with_one_change_has_exactly_the_violation_of_that_change(
    read_deck: ReadDeck,
    name: str,
    mutation: tuple[Callable[[list[Slot], int], list[Slot]], set[Rule]],
    at: int,
) -> None:
    change, expected = mutation
    violations = check(change(read_deck("cps", name), at))
    assert len(violations) == 1
    assert set(codes(violations)) == expected


# --- the guide ----------------------------------------------------------------------------------------------------


def test_every_ruling_of_the_guide_names_a_test_that_exists() -> None:
    named = re.findall(r"`(test_\w+)`", GUIDE.read_text(encoding="utf-8"))
    assert named
    assert set(named) <= {name for name in globals() if name.startswith("test_")}
