"""`deckproof deck …`, `cards …` and `holdings`."""

from pathlib import Path

import pytest

from games import library
from tests.cli.world import ANN, BOB, EXAMPLE, Deckproof, owned, slots_of
from verifier.decklist import SYNTAXES, parse_decklist
from verifier.testkit import LyingNode, ScriptedChain

# --- deck check


def test_a_legal_deck_is_legal(deckproof: Deckproof, deck: Path) -> None:
    ended = deckproof("deck", "check", deck)
    assert ended.code == 0
    assert "legal: 51 cards" in ended.out


@pytest.mark.parametrize("game", library.games())
def test_every_example_is_legal_in_its_game(deckproof: Deckproof, game: str) -> None:
    names = deckproof("deck", "example", "--game", game, "--list").out.split()
    assert names
    for name in names:
        text = deckproof("deck", "example", name, "--game", game).out
        assert deckproof("deck", "check", "-", "--game", game, stdin=text).code == 0


def test_every_violation_is_named_at_once_with_its_lines(deckproof: Deckproof, tmp_path: Path) -> None:
    # no Tyrant at all, one Influencer instead of ten, no Player card
    path = tmp_path / "bad.txt"
    path.write_text("# my deck\n1 RONALD FRUMP\n")
    ended = deckproof("deck", "check", path, "--json")
    assert (ended.code, ended.document["legal"]) == (3, False)
    found = {(violation["code"], violation["section"]): violation for violation in ended.document["violations"]}
    sizes = {section: found["section-too-small", section]["have"] for _, section in found if section}
    assert sizes == {"Media Tyrant": 0, "Influencers": 1, "Player cards": 0}
    assert found["section-too-small", "Influencers"]["lines"] == [2]
    assert "not legal:" in deckproof("deck", "check", path).out


def test_a_deck_of_41_player_cards_is_told_how_many_to_take_out(deckproof: Deckproof) -> None:
    [spare, *_] = [slot for slot in slots_of(EXAMPLE) if slot.card.type == "Swag" and slot.card.limit is None]
    ended = deckproof("deck", "check", "-", stdin=f"{EXAMPLE}\n1 {spare.card.name}\n")
    assert ended.code == 3
    assert "41 cards and needs exactly 40; take out 1" in ended.out


def test_a_rating_ceiling_is_part_of_the_event(deckproof: Deckproof) -> None:
    text = deckproof("deck", "example", "--game", "cgccg").out
    assert deckproof("deck", "check", "-", "--game", "cgccg", "--max-rating", "NC17", stdin=text).code == 0
    strict = deckproof("deck", "check", "-", "--game", "cgccg", "--max-rating", "G", "--json", stdin=text)
    assert {violation["code"] for violation in strict.document["violations"]} <= {"rating-too-high"}
    assert deckproof("deck", "check", "-", "--game", "cgccg", "--max-rating", "XXX", stdin=text).code == 4


@pytest.mark.parametrize(
    "source",
    [
        b"",
        b"\xff\xfe\x00",
        b"\x00" * 100,
        b"9" * 100_000,
        b"<!DOCTYPE x><deck/>",
        b"{",
        b"1 x\n" * 300,
        "٣ Foo".encode(),
    ],
)
def test_what_is_no_decklist_is_4_and_no_crash(deckproof: Deckproof, source: bytes) -> None:
    ended = deckproof("deck", "check", "-", stdin=source)
    assert (ended.code, ended.out) == (4, "")
    assert ended.err.startswith("refused: ")


# --- deck convert


@pytest.mark.parametrize("syntax", SYNTAXES)
def test_a_deck_converts_to_every_syntax_and_back(
    deckproof: Deckproof, deck: Path, tmp_path: Path, syntax: str
) -> None:
    there = tmp_path / f"deck{SYNTAXES[syntax].extension}.{syntax}"
    assert deckproof("deck", "convert", deck, "--to", syntax, "-o", there).code == 0
    back = deckproof("deck", "convert", there, "--to", "text", "--syntax", syntax).out
    cards = [(line.count, line.name) for line in parse_decklist(EXAMPLE).lines]
    assert sorted((line.count, line.name) for line in parse_decklist(back).lines) == sorted(cards)


def test_a_file_that_is_there_is_replaced_only_by_force(deckproof: Deckproof, deck: Path) -> None:
    before = deck.read_text()
    refused = deckproof("deck", "convert", deck, "--to", "json", "-o", deck)
    assert (refused.code, deck.read_text()) == (2, before)
    assert deckproof("deck", "convert", deck, "--to", "json", "-o", deck, "--force").code == 0
    assert deck.read_text().startswith("{")


def test_an_unknown_syntax_names_the_known_ones(deckproof: Deckproof, deck: Path) -> None:
    ended = deckproof("deck", "convert", deck, "--to", "xls")
    assert ended.code == 4
    assert all(syntax in ended.err for syntax in SYNTAXES)


def test_an_unknown_example_is_usage_and_names_the_known_ones(deckproof: Deckproof) -> None:
    ended = deckproof("deck", "example", "nope")
    assert ended.code == 2
    assert next(iter(library.decks("cps"))) in ended.err


# --- cards


def test_cards_are_listed_by_set_type_and_trait(deckproof: Deckproof) -> None:
    everything = deckproof("cards", "list", "--json").document["cards"]
    tyrants = deckproof("cards", "list", "--type", "media tyrant", "--json").document["cards"]
    music = deckproof("cards", "list", "--trait", "music", "--set", "opn", "--json").document["cards"]
    assert len(everything) > len(music) > 10
    assert {card["type"] for card in tyrants} == {"Media Tyrant"}
    assert all("Music" in card["traits"]["domain"] for card in music)


def test_a_table_of_cards_has_a_row_for_each(deckproof: Deckproof) -> None:
    listed = deckproof("cards", "list")
    assert listed.out.count("Media Tyrant") == len(
        deckproof("cards", "list", "--type", "Media Tyrant", "--json").document["cards"]
    )
    assert "RONALD FRUMP" in listed.out


def test_a_card_is_shown_with_its_text_and_token_ids(deckproof: Deckproof) -> None:
    plain = deckproof("cards", "show", "ronald", "frump")
    document = deckproof("cards", "show", "RONALD FRUMP", "--json").document
    ordinary, soulbound = document["token_ids"]
    assert "2 Body Counts" in plain.out
    assert f"token id {ordinary}, soulbound copies {soulbound}" in plain.out
    assert soulbound == ordinary + 2**32


@pytest.mark.parametrize("words", [("--type", "Burnr"), ("--trait", "Musik")])
def test_a_word_that_no_card_has_names_those_there_are(deckproof: Deckproof, words: tuple[str, str]) -> None:
    ended = deckproof("cards", "list", *words)
    assert (ended.code, ended.out) == (2, "")
    assert "Burner" in ended.err or "Music" in ended.err


def test_an_unknown_set_is_4(deckproof: Deckproof) -> None:
    assert deckproof("cards", "list", "--set", "XYZ").code == 4


# --- holdings


def test_a_collectors_table_has_every_card_held(deckproof: Deckproof, node: LyingNode) -> None:
    document = deckproof("holdings", ANN, "--json").document
    assert sum(row["units"] for row in document["holdings"]) == 51
    assert {row["token_ids"][0] for row in document["holdings"]} == {token_id for _, token_id in owned(EXAMPLE)}
    assert "51 copies of" in deckproof("holdings", ANN).out


def test_soulbound_copies_are_told_apart(deckproof: Deckproof, node: LyingNode, chain: ScriptedChain) -> None:
    token_id = next(iter(owned(EXAMPLE)))[1]
    chain.mine({(BOB, token_id): 2, (BOB, token_id + 2**32): 1})
    [row] = deckproof("holdings", BOB, "--json").document["holdings"]
    assert (row["units"], row["soulbound"]) == (3, 1)


def test_an_empty_wallet_holds_nothing(deckproof: Deckproof, node: LyingNode) -> None:
    ended = deckproof("holdings", BOB)
    assert ended.code == 0
    assert "0 copies of 0 of" in ended.out
