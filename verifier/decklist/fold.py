"""When are two written names one name? When they fold to the same text.

Folding forgives what a keyboard, a web page or a word processor changes behind the player's back: case, white space,
curly quotes, long dashes, full-width letters, invisible characters. It does not forgive letters: an accent, or a
Cyrillic letter that looks Latin, makes another name.

Source: The Unicode Standard, section 3.13, D146 (compatibility caseless match), here with NFKC as the final form;
UAX #44, Default_Ignorable_Code_Point.
"""

import unicodedata

_APOSTROPHES = (
    "\u0060\u00b4\u02b9\u02bb\u02bc\u02bd\u02c8\u02ca\u02cb\u2018\u2019\u201a\u201b\u2032\u2035\ua78c\uff07\uff40"
)
_QUOTATION_MARKS = "\u00ab\u00bb\u02ba\u201c\u201d\u201e\u201f\u2033\u2036\u3003\u301d\u301e\u301f\uff02"
_DASHES = "\u02d7\u2010\u2011\u2012\u2013\u2014\u2015\u2043\u2212\ufe58\ufe63\uff0d"
_SLASHES = "\u2044\u2215\uff0f"

_INVISIBLE = (
    (0x00AD, 0x00AD),
    (0x034F, 0x034F),
    (0x061C, 0x061C),
    (0x115F, 0x1160),
    (0x17B4, 0x17B5),
    (0x180B, 0x180F),
    (0x200B, 0x200F),
    (0x202A, 0x202E),
    (0x2060, 0x206F),
    (0x3164, 0x3164),
    (0xFE00, 0xFE0F),
    (0xFEFF, 0xFEFF),
    (0xFFA0, 0xFFA0),
    (0xFFF0, 0xFFF8),
    (0x1BCA0, 0x1BCA3),
    (0x1D173, 0x1D17A),
    (0xE0000, 0xE0FFF),
)
"""Default_Ignorable_Code_Point, first and last of each range: what is not drawn cannot tell two names apart."""

_LOOKALIKES: dict[int, str | None] = {
    **dict.fromkeys(map(ord, _APOSTROPHES), "'"),
    **dict.fromkeys(map(ord, _QUOTATION_MARKS), '"'),
    **dict.fromkeys(map(ord, _DASHES), "-"),
    **dict.fromkeys(map(ord, _SLASHES), "/"),
    **{code: None for first, last in _INVISIBLE for code in range(first, last + 1)},
}


def fold(name: str) -> str:
    """The text by which names are compared; folding twice changes nothing more.

    The only white space left is single spaces inside. Empty when nothing of the name can be seen.
    """
    text = unicodedata.normalize("NFD", name)
    for _ in range(2):  # compatibility forms may hide capitals, and capitals compatibility forms
        text = unicodedata.normalize("NFKC", text.translate(_LOOKALIKES).casefold())
    return " ".join(text.split())
