"""What a card is, and which token ids stand for it.

A card is the rules object: name, type, stats and text. It may be printed several times; each printing has a token id in
the collection, and a second one for its soulbound copies, which count like ordinary ones.

Not here: how a decklist is written (that is text, not a rule), and what a deck may hold (`formats`).
"""

import re
import unicodedata
from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from difflib import SequenceMatcher
from heapq import nsmallest
from typing import NewType

from games.errors import CardSetUnreadable, Fault, UnknownCard, UnknownSet, UnknownToken, WrongPrinting

TokenId = NewType("TokenId", int)

SOULBOUND = 1 << 32
"""The bit of a token id that marks a copy which never changes hands."""

NUMBER_BITS = 16
"""A set number and a card number have 16 bits each in a token id."""

LARGEST_NUMBER = (1 << NUMBER_BITS) - 1

SUGGESTIONS = 3
"""More names than this are a list to search, not a suggestion."""

LEAST_LIKENESS = 0.6
"""Below this share of common letters (0 to 1) two names do not look alike."""


def token_id(set_number: int, number: int) -> TokenId:
    """Token id of the ordinary copies of a printing.

    Source: contracts, ShowdownCards: token id = set << 16 | number.
    """
    return TokenId(set_number << NUMBER_BITS | number)


@dataclass(frozen=True)
class Card:
    """The rules object that a deck is made of.

    Attributes:
        name: As printed. Two cards with the same name, whatever the case or quotes, are the same card.
        type: The kind of card, for example `Influencer`.
        traits: Words on the card, for example `{"domain": ("Cinema", "Sport")}`.
        stats: Numbers on the card, for example `{"life": 8}`.
        text: The rules text, its lines separated by a line feed.
        limit: Copies that a deck may hold by the card's own word; None if the card says nothing.
    """

    name: str
    type: str
    traits: Mapping[str, tuple[str, ...]] = field(default_factory=dict, hash=False)
    stats: Mapping[str, int] = field(default_factory=dict, hash=False)
    text: str = ""
    limit: int | None = None


@dataclass(frozen=True)
class Printing:
    """One version of a card: its place in a card set, and the words that change nothing in play."""

    card: Card
    set_number: int
    set_code: str
    number: int
    flavor: str = ""

    @property
    def token_id(self) -> TokenId:
        """Token id of the ordinary copies."""
        return token_id(self.set_number, self.number)

    @property
    def token_ids(self) -> tuple[TokenId, TokenId]:
        """Token ids of the ordinary and of the soulbound copies; both stand for the card."""
        return self.token_id, TokenId(self.token_id | SOULBOUND)

    def __str__(self) -> str:
        return f"{self.set_code} {self.number}"


@dataclass(frozen=True)
class CardSet:
    """Cards published together, under one number in the collection.

    Attributes:
        game: The game's short name.
        number: The set's number in every token id.
        code: The short code in decklists, for example `OPN`.
        name: The set's title.
        printings: In order of number.
        beyond_ascii: The card names that need more than ASCII, declared so that no look-alike letter slips in.
    """

    game: str
    number: int
    code: str
    name: str
    printings: tuple[Printing, ...]
    beyond_ascii: frozenset[str] = frozenset()


_APOSTROPHES = "`\u00b4\u02b9\u02bb\u02bc\u02bd\u02c8\u02ca\u02cb\u2018\u2019\u201a\u201b\u2032\u2035\ua78c\uff07\uff40"
_QUOTATION_MARKS = "\u00ab\u00bb\u02ba\u201c\u201d\u201e\u201f\u2033\u2036\u3003\u301d\u301e\u301f\uff02"
_DASHES = "\u02d7\u2010\u2011\u2012\u2013\u2014\u2015\u2043\u2212\ufe58\ufe63\uff0d"
_SLASHES = "\u2044\u2215\uff0f"
_NOT_DRAWN = (
    "[\u00ad\u034f\u061c\u115f\u1160\u17b4\u17b5\u180b-\u180f\u200b-\u200f\u202a-\u202e\u2060-\u206f\u3164"
    "\ufe00-\ufe0f\ufeff\uffa0\ufff0-\ufff8\U0001bca0-\U0001bca3\U0001d173-\U0001d17a\U000e0000-\U000e0fff]"
)
"""Source: UAX #44, Default_Ignorable_Code_Point: what is not drawn cannot tell two names apart."""

_PLAIN = str.maketrans(
    {
        **dict.fromkeys(_APOSTROPHES, "'"),
        **dict.fromkeys(_QUOTATION_MARKS, '"'),
        **dict.fromkeys(_DASHES, "-"),
        **dict.fromkeys(_SLASHES, "/"),
    }
)


def fold(name: str) -> str:
    """The form in which names are compared: case, width, quotes, dashes and spaces are made equal.

    A letter stays a letter: an accent, or a Cyrillic letter that looks Latin, makes another name.

    Source: The Unicode Standard, 3.13, D146: compatibility caseless match.
    """
    if name.isascii():  # nine names in ten, and nothing below would change more of them than this
        return " ".join(name.translate(_PLAIN).casefold().split())
    folded = unicodedata.normalize("NFD", name)
    for _ in range(2):  # a compatibility form may hide a capital, and a capital a compatibility form
        drawn = re.sub(_NOT_DRAWN, "", folded).translate(_PLAIN)
        folded = unicodedata.normalize("NFKC", drawn.casefold())
    return " ".join(folded.split())


class Catalogue:
    """Which token ids stand for which card, over one or more card sets."""

    def __init__(self, card_sets: Iterable[CardSet]) -> None:
        """Index the sets.

        Raises:
            CardSetUnreadable: sets or printings contradict each other; lists every contradiction.
        """
        self.card_sets = tuple(sorted(card_sets, key=lambda card_set: card_set.number))
        if faults := tuple(_contradictions(self.card_sets)):
            raise CardSetUnreadable("catalogue", faults)
        self._printings: dict[str, list[Printing]] = defaultdict(list)
        for printing in _printings(self.card_sets):
            self._printings[fold(printing.card.name)].append(printing)
        self._by_token = {token: printing for printing in _printings(self.card_sets) for token in printing.token_ids}

    @property
    def cards(self) -> tuple[Card, ...]:
        """Every card once, in order of its first printing."""
        return tuple(printings[0].card for printings in self._printings.values())

    def find(self, name: str, set_code: str | None = None, number: int | None = None) -> Card:
        """The card with exactly this name, compared by `fold`; a prefix of a name is not a name.

        Args:
            name: The card's whole name.
            set_code: A set in which the card must be printed.
            number: The number that one of its printings (in that set, if given) must have.

        Raises:
            UnknownCard: no card has this name; carries suggestions.
            UnknownSet: no set has this code.
            WrongPrinting: the set and number are not this card's; says which card they are.
        """
        printings = self._printings.get(fold(name))
        if not printings:
            raise UnknownCard(name, self.suggest(name))
        if set_code is not None:
            set_code = self._set_code(set_code)
        if not any(_is_at(printing, set_code, number) for printing in printings):
            raise self._wrong_printing(printings, set_code, number)
        return printings[0].card

    def suggest(self, name: str) -> tuple[str, ...]:
        """Names that may have been meant, the likeliest first, at most `SUGGESTIONS`."""
        wanted = fold(name)
        if not wanted:
            return ()
        likely = nsmallest(SUGGESTIONS, _alike(wanted, self._printings))
        return tuple(self._printings[known][0].card.name for _, known in likely)

    def printings(self, card: Card) -> tuple[Printing, ...]:
        """Every printing of the card, in order of set and number.

        Raises:
            UnknownCard: the card is not in this catalogue.
        """
        printings = self._printings.get(fold(card.name))
        if not printings:
            raise UnknownCard(card.name, self.suggest(card.name))
        return tuple(printings)

    def token_ids(self, card: Card) -> tuple[TokenId, ...]:
        """Every token id that stands for the card, ascending.

        Raises:
            UnknownCard: the card is not in this catalogue.
        """
        return tuple(sorted(token for printing in self.printings(card) for token in printing.token_ids))

    def card_of(self, token: int) -> Card:
        """The card that a token id stands for.

        Raises:
            UnknownToken: it stands for none.
        """
        return self.printing_of(token).card

    def printing_of(self, token: int) -> Printing:
        """The printing that a token id stands for.

        Raises:
            UnknownToken: it stands for none.
        """
        printing = self._by_token.get(TokenId(token))
        if printing is None:
            raise UnknownToken(token)
        return printing

    def _set_code(self, given: str) -> str:
        codes = tuple(card_set.code for card_set in self.card_sets)
        for code in codes:
            if fold(code) == fold(given):
                return code
        raise UnknownSet(given, codes)

    def _wrong_printing(self, printings: Sequence[Printing], set_code: str | None, number: int | None) -> WrongPrinting:
        there = [] if number is None else [p for p in self._all() if _is_at(p, set_code, number)]
        return WrongPrinting(
            name=printings[0].card.name,
            set_code=set_code,
            number=number,
            actual=there[0].card.name if there else None,
            printed=tuple(map(str, printings)),
        )

    def _all(self) -> Iterator[Printing]:
        return _printings(self.card_sets)


def _printings(card_sets: Iterable[CardSet]) -> Iterator[Printing]:
    for card_set in card_sets:
        yield from card_set.printings


def _is_at(printing: Printing, set_code: str | None, number: int | None) -> bool:
    return set_code in (None, printing.set_code) and number in (None, printing.number)


_BEGINNING = 0.98
_WHOLE_WORDS = 0.95


def _alike(wanted: str, names: Iterable[str]) -> Iterator[tuple[float, str]]:
    """Unlikeness (0 is equal) and name of all that look like the wanted one; all names folded."""
    matcher = SequenceMatcher(None, b=wanted, autojunk=False)
    for known in names:
        likeness = _likeness(matcher, wanted, known)
        if likeness >= LEAST_LIKENESS:
            yield 1 - likeness, known


def _likeness(matcher: SequenceMatcher[str], wanted: str, known: str) -> float:
    """How alike two names are, 0 to 1; a name that lacks its subtitle is alike."""
    if known.startswith(wanted):
        return _BEGINNING
    if set(wanted.split()) <= set(known.replace(",", " ").split()):
        return _WHOLE_WORDS
    title, comma, _ = known.partition(",")
    return max(_ratio(matcher, known), _ratio(matcher, title) if comma else 0.0)


def _ratio(matcher: SequenceMatcher[str], known: str) -> float:
    matcher.set_seq1(known)
    if matcher.real_quick_ratio() < LEAST_LIKENESS or matcher.quick_ratio() < LEAST_LIKENESS:
        return 0.0
    return matcher.ratio()


def _contradictions(card_sets: Sequence[CardSet]) -> Iterator[Fault]:
    yield from _set_twice(card_sets)
    yield from _in_another_set(card_sets)
    yield from _number_twice(card_sets)
    yield from _outside_token_id(card_sets)
    yield from _same_name_other_card(card_sets)


def _set_twice(card_sets: Sequence[CardSet]) -> Iterator[Fault]:
    for index, card_set in enumerate(card_sets):
        for other in card_sets[:index]:
            if card_set.number == other.number or fold(card_set.code) == fold(other.code):
                yield Fault(
                    f"set {card_set.code}",
                    "set-twice",
                    f"number {card_set.number} or code {card_set.code} is taken by {other.name}; both must be its own",
                )


def _in_another_set(card_sets: Sequence[CardSet]) -> Iterator[Fault]:
    for card_set in card_sets:
        for printing in card_set.printings:
            if (printing.set_number, printing.set_code) != (card_set.number, card_set.code):
                yield Fault(
                    _place(printing),
                    "in-another-set",
                    f"says set {printing.set_number} but stands in set {card_set.number} ({card_set.code})",
                )


def _number_twice(card_sets: Sequence[CardSet]) -> Iterator[Fault]:
    seen: dict[TokenId, Printing] = {}
    for printing in _printings(card_sets):
        other = seen.setdefault(printing.token_id, printing)
        if other is not printing:
            yield Fault(
                _place(printing),
                "number-twice",
                f"token id {printing.token_id} is taken by {other.card.name}; give each printing its own number",
            )


def _outside_token_id(card_sets: Sequence[CardSet]) -> Iterator[Fault]:
    for printing in _printings(card_sets):
        if not (1 <= printing.number <= LARGEST_NUMBER and 1 <= printing.set_number <= LARGEST_NUMBER):
            yield Fault(
                _place(printing),
                "number-range",
                f"set {printing.set_number}, card {printing.number}: both must be 1 to {LARGEST_NUMBER}",
            )


def _same_name_other_card(card_sets: Sequence[CardSet]) -> Iterator[Fault]:
    first: dict[str, Printing] = {}
    for printing in _printings(card_sets):
        other = first.setdefault(fold(printing.card.name), printing)
        if other.card != printing.card:
            yield Fault(
                _place(printing),
                "same-name-other-card",
                f"differs from {other} in {', '.join(_differences(other.card, printing.card))}; "
                "a card printed again keeps every word",
            )


def _differences(one: Card, other: Card) -> Iterator[str]:
    for name in ("name", "type", "traits", "stats", "text", "limit"):
        if getattr(one, name) != getattr(other, name):
            yield name


def _place(printing: Printing) -> str:
    return f"{printing} ({printing.card.name})"
