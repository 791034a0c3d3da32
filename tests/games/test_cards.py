"""Cards, printings, token ids, and finding a card by its name."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from games import library
from games.cards import SOULBOUND, SUGGESTIONS, Card, CardSet, Catalogue, Printing, fold, token_id
from games.errors import CardSetUnreadable, UnknownCard, UnknownSet, UnknownToken, WrongPrinting
from verifier.decklist import fold as fold_of_decklists


def card(name: str, text: str = "") -> Card:
    return Card(name, "Swag", {"domain": ("Cinema",)}, {"cost": 1}, text)


def card_set(number: int, code: str, *cards: Card, game: str = "cps") -> CardSet:
    printings = tuple(Printing(each, number, code, index) for index, each in enumerate(cards, start=1))
    return CardSet(game, number, code, f"Set {code}", printings)


# ONE  1 Mic Drop   2 Piano From Above   3 Tad Falsetto, Fifth Member
# TWO  1 Tour Bus   2 Mic Drop (again)
MIC, PIANO, TAD, BUS = map(card, ["Mic Drop", "Piano From Above", "Tad Falsetto, Fifth Member", "Tour Bus"])
CATALOGUE = Catalogue([card_set(1, "ONE", MIC, PIANO, TAD), card_set(2, "TWO", BUS, MIC)])


# --- token ids ----------------------------------------------------------------------------------------------------


def test_a_token_id_is_the_set_number_in_the_upper_and_the_card_number_in_the_lower_sixteen_bits() -> None:
    assert token_id(1, 3) == 65_539  # 0x1_0003


def test_bit_32_marks_a_soulbound_copy() -> None:
    assert SOULBOUND == 0x1_0000_0000
    assert Printing(MIC, 1, "ONE", 3).token_ids == (0x1_0003, 0x1_0001_0003)


@given(st.integers(1, 0xFFFF), st.integers(1, 0xFFFF), st.integers(1, 0xFFFF), st.integers(1, 0xFFFF))
def test_two_printings_never_share_a_token_id(one_set: int, one: int, other_set: int, other: int) -> None:
    ours = set(Printing(MIC, one_set, "ONE", one).token_ids)
    theirs = set(Printing(MIC, other_set, "TWO", other).token_ids)
    assert bool(ours & theirs) == ((one_set, one) == (other_set, other))


def test_the_ordinary_and_the_soulbound_copies_both_stand_for_the_card() -> None:
    assert CATALOGUE.card_of(token_id(1, 2)) == PIANO
    assert CATALOGUE.card_of(token_id(1, 2) | SOULBOUND) == PIANO


def test_a_token_id_of_no_printing_stands_for_no_card() -> None:
    with pytest.raises(UnknownToken) as refusal:
        CATALOGUE.card_of(token_id(1, 99))
    assert refusal.value.token_id == 65_635


# --- printed again ------------------------------------------------------------------------------------------------


def test_a_card_printed_again_is_one_card_with_several_printings() -> None:
    assert CATALOGUE.cards == (MIC, PIANO, TAD, BUS)
    assert list(map(str, CATALOGUE.printings(MIC))) == ["ONE 1", "TWO 2"]
    assert CATALOGUE.find("Mic Drop", "ONE", 1) == CATALOGUE.find("Mic Drop", "TWO", 2) == MIC


def test_every_printing_of_a_card_counts_for_it() -> None:
    assert CATALOGUE.token_ids(MIC) == (0x1_0001, 0x2_0002, 0x1_0001_0001, 0x1_0002_0002)


def test_a_printing_keeps_its_own_flavor() -> None:
    again = Printing(MIC, 2, "TWO", 1, flavor="Once more, with feedback.")
    catalogue = Catalogue([card_set(1, "ONE", MIC), CardSet("cps", 2, "TWO", "Two", (again,))])
    assert [printing.flavor for printing in catalogue.printings(MIC)] == ["", "Once more, with feedback."]


def test_the_same_name_with_other_words_in_two_sets_is_a_fault() -> None:
    with pytest.raises(CardSetUnreadable) as refusal:
        Catalogue([card_set(1, "ONE", MIC), card_set(2, "TWO", card("MIC  DROP", "Draw a card."))])
    (fault,) = refusal.value.faults
    assert (fault.place, fault.code) == ("TWO 1 (MIC  DROP)", "same-name-other-card")
    assert fault.message.startswith("differs from ONE 1 in name, text")


def test_sets_that_contradict_each_other_are_told_of_every_contradiction_at_once() -> None:
    stray = Printing(card("Stray"), 9, "NIN", 1)
    zero = Printing(card("Zero"), 3, "TRE", 0)
    twice = (Printing(card("One"), 3, "TRE", 1), Printing(card("Two"), 3, "TRE", 1))
    with pytest.raises(CardSetUnreadable) as refusal:
        Catalogue(
            [
                card_set(1, "ONE", MIC),
                card_set(1, "one", card("Mic Drop", "Other words.")),
                CardSet("cps", 3, "TRE", "Three", (stray, zero, *twice)),
            ]
        )
    codes = {fault.code for fault in refusal.value.faults}
    assert codes == {"set-twice", "in-another-set", "number-twice", "number-range", "same-name-other-card"}


@pytest.mark.parametrize("other", [(1, "TWO"), (2, "one")])
def test_a_set_has_a_number_and_a_code_of_its_own(other: tuple[int, str]) -> None:
    with pytest.raises(CardSetUnreadable) as refusal:
        Catalogue([card_set(1, "ONE", MIC), CardSet("cps", *other, "Other", ())])
    assert [fault.code for fault in refusal.value.faults] == ["set-twice"]


def test_set_and_card_numbers_fill_sixteen_bits_and_no_more() -> None:
    largest = Printing(MIC, 65_535, "MAX", 65_535)
    assert Catalogue([CardSet("cps", 65_535, "MAX", "Most", (largest,))]).token_ids(MIC)[0] == 0xFFFF_FFFF
    for too_large in (Printing(MIC, 65_536, "MAX", 1), Printing(MIC, 1, "MAX", 65_536)):
        with pytest.raises(CardSetUnreadable) as refusal:
            Catalogue([CardSet("cps", too_large.set_number, "MAX", "Most", (too_large,))])
        assert [fault.code for fault in refusal.value.faults] == ["number-range"]


# --- finding by name ----------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "written",
    [
        "mic drop",
        "MIC DROP",
        "  Mic \t Drop ",
        "Mic\u00a0Drop",
        "\uff2d\uff49\uff43 Drop",  # full-width letters
        "Mi\u200bc Drop",  # a space that nobody sees
    ],
)
def test_case_width_and_spaces_do_not_make_another_name(written: str) -> None:
    assert CATALOGUE.find(written) == MIC


@pytest.mark.parametrize("apostrophe", ["'", "\u2019", "\u2018", "\u02bc", "`", "\u00b4"])
@pytest.mark.parametrize("dash", ["-", "\u2010", "\u2013", "\u2014", "\u2212"])
def test_quotes_and_dashes_of_any_shape_are_the_same(apostrophe: str, dash: str) -> None:
    assert fold(f"The Director{apostrophe}s Slow{dash}Motion Cut") == "the director's slow-motion cut"


def test_an_accent_or_a_letter_of_another_script_makes_another_name() -> None:
    assert fold("Ida") != fold("Id\u00e1")
    assert fold("Ida") != fold("Id\u0430")  # Cyrillic


@given(st.text())
def test_folding_twice_changes_nothing_more(name: str) -> None:
    assert fold(fold(name)) == fold(name)


@given(st.text())
def test_names_that_a_decklist_takes_for_one_are_one_here(name: str) -> None:
    assert fold(fold_of_decklists(name)) == fold(name)


def test_an_exact_name_wins_over_a_longer_one_that_begins_with_it() -> None:
    short, long = card("Encore"), card("Encore Forever")
    assert Catalogue([card_set(1, "ONE", long, short)]).find("encore") == short


def test_the_beginning_of_a_name_is_offered_and_never_taken() -> None:
    with pytest.raises(UnknownCard) as refusal:
        CATALOGUE.find("Tad Falsetto")
    assert refusal.value.name == "Tad Falsetto"
    assert refusal.value.nearest == ("Tad Falsetto, Fifth Member",)
    assert str(refusal.value) == "no card is called 'Tad Falsetto'; did you mean Tad Falsetto, Fifth Member?"


def test_a_name_like_no_other_has_no_suggestion() -> None:
    with pytest.raises(UnknownCard) as refusal:
        CATALOGUE.find("Zzyzx")
    assert refusal.value.nearest == ()


def test_a_number_that_belongs_to_another_card_is_told_which_card_it_is() -> None:
    with pytest.raises(WrongPrinting) as refusal:
        CATALOGUE.find("Mic Drop", "ONE", 2)
    assert refusal.value.actual == "Piano From Above"
    assert str(refusal.value) == "ONE 2 is 'Piano From Above', not 'Mic Drop', which is ONE 1 or TWO 2"


def test_a_number_of_no_card_is_told_where_the_card_stands() -> None:
    with pytest.raises(WrongPrinting, match="ONE 99 is no card, not 'Mic Drop', which is ONE 1 or TWO 2"):
        CATALOGUE.find("Mic Drop", "ONE", 99)


def test_a_set_in_which_the_card_is_not_printed_is_told_where_it_is() -> None:
    with pytest.raises(WrongPrinting, match="TWO does not have 'Piano From Above', which is ONE 2"):
        CATALOGUE.find("Piano From Above", "TWO")


def test_a_set_code_may_be_written_in_any_case() -> None:
    assert CATALOGUE.find("Mic Drop", "two", 2) == MIC


def test_a_number_without_a_set_must_be_that_of_a_printing() -> None:
    assert CATALOGUE.find("Mic Drop", number=2) == MIC
    with pytest.raises(WrongPrinting):
        CATALOGUE.find("Mic Drop", number=3)


def test_an_unknown_set_is_told_the_known_ones() -> None:
    with pytest.raises(UnknownSet) as refusal:
        CATALOGUE.find("Mic Drop", "XXX", 1)
    assert refusal.value.known == ("ONE", "TWO")


def test_a_card_of_another_catalogue_has_no_printings_here() -> None:
    with pytest.raises(UnknownCard):
        CATALOGUE.printings(card("Elsewhere"))
    with pytest.raises(UnknownCard):
        CATALOGUE.token_ids(card("Elsewhere"))


# --- suggestions --------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("written", "meant"),
    [
        ("Ronald Frmup", "RONALD FRUMP"),  # two letters changed places
        ("Pinao From Above", "Piano From Above"),
        ("Tad Falseto, Fifth Member", "Tad Falsetto, Fifth Member"),  # a letter missing
        ("Tad Falseto", "Tad Falsetto, Fifth Member"),  # and the subtitle, too
        ("Serenity Kombucha", "Serenity Kombucha, Wellness Guru"),
        ("Frump", "RONALD FRUMP"),  # only the surname
        ("Frump Ronald", "RONALD FRUMP"),  # as in a register
        ("Mick Dropp", "Mic Drop"),  # letters too many
        ("Sequel Hits Harder", "The Sequel Hits Harder"),  # no article
        ("Two Footed Tackle", "Two-Footed Tackle"),
        ("baron von hedgefond", "Baron von Hedgefund"),
    ],
)
def test_a_misspelt_name_is_offered_the_right_one_first(written: str, meant: str) -> None:
    assert library.catalogue("cps").suggest(written)[0] == meant


@given(st.data())
def test_a_name_with_two_letters_swapped_is_offered_the_right_one(data: st.DataObject) -> None:
    catalogue = library.catalogue("cps")
    name = data.draw(st.sampled_from([known.name for known in catalogue.cards if len(known.name) > 7]))
    at = data.draw(st.integers(0, len(name) - 2))
    swapped = name[:at] + name[at + 1] + name[at] + name[at + 2 :]
    assert name in catalogue.suggest(swapped)


@given(st.text())
def test_there_are_never_more_suggestions_than_fit_a_sentence(name: str) -> None:
    suggested = CATALOGUE.suggest(name)
    assert len(suggested) == len(set(suggested)) <= SUGGESTIONS


def test_the_likeliest_name_is_suggested_first() -> None:
    catalogue = Catalogue([card_set(1, "ONE", card("Pianist"), card("Piano"))])
    assert catalogue.suggest("Pianoo") == ("Piano", "Pianist")


def test_of_many_likely_names_only_the_three_first_are_suggested() -> None:
    echoes = [card(f"Echo {letter}") for letter in "edcba"]
    assert Catalogue([card_set(1, "ONE", *echoes)]).suggest("Echo") == ("Echo a", "Echo b", "Echo c")


def test_nothing_is_suggested_for_no_name() -> None:
    assert CATALOGUE.suggest("  ") == ()
