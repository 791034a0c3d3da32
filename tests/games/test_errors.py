"""Each refusal is a fact with fields, and its sentence says what would be right."""

import pytest

from games import errors
from games.errors import (
    CardSetUnreadable,
    Fault,
    FormatUnreadable,
    GameError,
    SchemaUnreadable,
    UnknownCard,
    UnknownFormat,
    UnknownGame,
    UnknownRating,
    UnknownSet,
    UnknownToken,
    WrongPrinting,
)

TWO = (Fault("card 1 (Bear)", "key-missing", "type is missing"), Fault("set", "key-kind", "number is 'x'"))

SENTENCES: list[tuple[GameError, str]] = [
    (UnknownGame("chess", ("cps", "cgccg")), "there is no game 'chess'; the games are cps and cgccg"),
    (
        UnknownFormat("cps", "modern", None, ("standard", "one-take")),
        "cps has no format 'modern'; its formats are standard and one-take",
    ),
    (
        UnknownFormat("cps", "standard", 9, ("standard",)),
        "cps has no format 'standard version 9'; its formats are standard",
    ),
    (
        UnknownRating("R", ("G", "PG", "14")),
        "'R' is not a rating; from mildest to strongest they are G, PG and 14",
    ),
    (UnknownRating("R", ()), "the format has no ratings, so 'R' cannot be its ceiling; give none"),
    (UnknownCard("Zzyzx", ()), "no card is called 'Zzyzx'"),
    (UnknownCard("Frmup", ("RONALD FRUMP",)), "no card is called 'Frmup'; did you mean RONALD FRUMP?"),
    (UnknownSet("XXX", ("OPN",)), "no card set has the code 'XXX'; the codes are OPN"),
    (UnknownSet("XXX", ()), "no card set has the code 'XXX'; the codes are none"),
    (UnknownToken(7), "token id 7 stands for no card of this catalogue"),
    (
        WrongPrinting("Mic Drop", None, 3, "Tour Bus", ("OPN 90",)),
        "number 3 is 'Tour Bus', not 'Mic Drop', which is OPN 90",
    ),
    (
        CardSetUnreadable("zoo.toml", TWO),
        "zoo.toml: card 1 (Bear): type is missing [key-missing]; set: number is 'x' [key-kind]",
    ),
    (SchemaUnreadable("zoo.toml", TWO[:1]), "zoo.toml: card 1 (Bear): type is missing [key-missing]"),
    (FormatUnreadable("zoo.toml", TWO[:1]), "zoo.toml: card 1 (Bear): type is missing [key-missing]"),
]


@pytest.mark.parametrize(("refusal", "sentence"), SENTENCES)
def test_a_refusal_says_what_is_wrong_and_what_would_be_right(refusal: GameError, sentence: str) -> None:
    assert str(refusal) == sentence


def _leaves(kind: type[GameError]) -> set[type[GameError]]:
    below = kind.__subclasses__()
    return {leaf for child in below for leaf in _leaves(child)} if below else {kind}


def test_every_leaf_of_the_tree_has_its_sentence_here_and_its_line_in_the_drawing() -> None:
    assert _leaves(GameError) == {type(refusal) for refusal, _ in SENTENCES}
    assert all(leaf.__name__ in (errors.__doc__ or "") for leaf in _leaves(GameError))
