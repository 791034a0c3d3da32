"""The shipped card sets: fit to publish, true to the rule books, and worth playing."""

from collections import Counter
from itertools import combinations

import pytest

from games import library
from games.cards import Card, CardSet, Printing
from games.lint import check_card_set, check_format

ALL_SETS = [(game, card_set) for game in library.games() for card_set in library.card_sets(game)]

OPENING_NIGHT = library.card_sets("cps")[0]
CPS = [printing.card for printing in OPENING_NIGHT.printings]
PLAYER_CARDS = {"Swag", "Physical Damage", "Public Image", "Burner", "Emotional Damage"}
DOMAINS = ("Cinema", "Music", "Sport", "Streaming", "Fashion", "Reality", "Lifestyle", "Power")


def of_type(*kinds: str) -> list[Card]:
    return [card for card in CPS if card.type in kinds]


def within(cards: list[Card], domains: tuple[str, ...]) -> list[Card]:
    return [card for card in cards if set(domains) & set(card.traits["domain"])]


@pytest.mark.parametrize("game", library.games())
def test_every_shipped_set_obeys_its_schema(game: str) -> None:
    for card_set in library.card_sets(game):
        assert check_card_set(card_set, library.schema(game)) == []


@pytest.mark.parametrize("game", library.games())
def test_every_shipped_format_speaks_of_cards_and_sets_that_exist(game: str) -> None:
    for rules in library.formats(game):
        assert check_format(rules, library.catalogue(game)) == []


@pytest.mark.parametrize(("game", "least"), [("cps", 198), ("cgccg", 47), ("audition", 30)])
def test_a_starter_set_has_no_fewer_cards_than_when_it_was_published(game: str, least: int) -> None:
    assert len(library.card_sets(game)[0].printings) >= least


# --- Celebrity Parody Showdown ------------------------------------------------------------------------------------


def test_ronald_frump_grants_two_body_counts_for_a_cancellation() -> None:
    # rule book: 'if the card "RONALD FRUMP" states that cancelling an Influencer grants you 2 Body Counts instead of 1'
    frump = library.catalogue("cps").find("RONALD FRUMP")
    assert "gain 2 Body Counts instead of 1" in frump.text


def test_the_books_example_of_a_triggered_ability_is_a_sentence_of_the_wording() -> None:
    # rule book: 'When this Influencer is revealed, gain 2 CRED'
    example = Card(
        "Example",
        "Influencer",
        {"domain": ("Music",)},
        {"life": 8, "damage": 2, "cred": 2},
        "When this Influencer is revealed, gain 2 CRED.",
    )
    alone = CardSet("cps", 1, "OPN", "Opening Night", (Printing(example, 1, "OPN", 1),))
    assert check_card_set(alone, library.schema("cps")) == []


@pytest.mark.parametrize(
    ("kind", "speed"),
    [
        ("Swag", "ACTION"),
        ("Physical Damage", "ACTION"),
        ("Public Image", "ACTION"),
        ("Burner", "RESPONSE"),
        ("Emotional Damage", "RESPONSE"),
    ],
)
def test_a_cards_speed_is_the_one_the_book_gives_its_kind(kind: str, speed: str) -> None:
    assert {card.traits["speed"] for card in of_type(kind)} == {(speed,)}


def test_every_burner_targets_something() -> None:
    # rule book: 'Must target a specific game element'
    assert all("target" in card.text.lower() for card in of_type("Burner"))


def test_the_starter_set_is_large_enough_for_a_league() -> None:
    assert len(of_type("Media Tyrant")) >= 8
    assert len(of_type("Influencer")) >= 60
    assert len(of_type(*PLAYER_CARDS)) >= 120


@pytest.mark.parametrize("kind", sorted(PLAYER_CARDS))
def test_every_domain_has_every_kind_of_player_card(kind: str) -> None:
    assert all(within(of_type(kind), (domain,)) for domain in DOMAINS)


def test_every_domain_has_as_many_influencers_and_player_cards_as_any_other() -> None:
    influencers = [len(within(of_type("Influencer"), (domain,))) for domain in DOMAINS]
    player_cards = [len(within(of_type(*PLAYER_CARDS), (domain,))) for domain in DOMAINS]
    assert (set(influencers), set(player_cards)) == ({10}, {19})


def test_every_two_domains_meet_in_one_player_card() -> None:
    meetings = Counter(
        frozenset(card.traits["domain"]) for card in of_type(*PLAYER_CARDS) if len(card.traits["domain"]) == 2
    )
    assert meetings == Counter(frozenset(pair) for pair in combinations(DOMAINS, 2))


@pytest.mark.parametrize("tyrant", of_type("Media Tyrant"), ids=lambda card: card.name)
def test_every_tyrant_allows_two_to_four_domains_and_many_decks(tyrant: Card) -> None:
    domains = tyrant.traits["domain"]
    assert 2 <= len(domains) <= 4
    assert len(within(of_type("Influencer"), domains)) >= 18
    assert len(within(of_type(*PLAYER_CARDS), domains)) >= 37


def test_every_domain_is_allowed_by_at_least_three_tyrants() -> None:
    assert all(len(within(of_type("Media Tyrant"), (domain,))) >= 3 for domain in DOMAINS)


def test_no_two_tyrants_allow_the_same_domains() -> None:
    allowed = [frozenset(card.traits["domain"]) for card in of_type("Media Tyrant")]
    assert len(set(allowed)) == len(allowed)


@pytest.mark.parametrize("kind", ["Influencer", *sorted(PLAYER_CARDS)])
def test_no_two_cards_of_a_kind_do_the_same(kind: str) -> None:
    texts = Counter(card.text for card in of_type(kind))
    assert [text for text, count in texts.items() if count > 1] == []


def test_every_influencer_pays_for_its_rules_text() -> None:
    # the curve: Life + 2 x Damage + 2 x CRED is 18 without text, less with it, and more only if the text hurts
    worth = {
        card.name: card.stats["life"] + 2 * card.stats["damage"] + 2 * card.stats["cred"]
        for card in of_type("Influencer")
        if card.text
    }
    assert [name for name, points in worth.items() if points >= 18] == ["Buck Thunderknee, Retired Again"]


# --- all sets -----------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(("game", "card_set"), ALL_SETS, ids=lambda value: getattr(value, "code", value))
def test_names_are_ascii_and_short_enough_to_print(game: str, card_set: CardSet) -> None:
    width = library.schema(game).name_width
    for printing in card_set.printings:
        assert printing.card.name.isascii()
        assert len(printing.card.name) <= width


def test_no_two_sets_of_the_collection_share_a_token_id() -> None:
    tokens = Counter(
        token for _, card_set in ALL_SETS for printing in card_set.printings for token in printing.token_ids
    )
    assert tokens.most_common(1)[0][1] == 1
