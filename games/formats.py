"""Deck construction: a format is data, and one checker finds every violation of it at once.

A deck is a sequence of slots: so many copies of a card, in a section or not. The rules of a format are applied one
after another, each by the function named after it, to the deck with equal slots summed; so the findings come in the
same order whatever the order of the decklist.

Source: Celebrity Parody Showdown, "Deck Construction & Domains"; the books of the other two games give no deck rules,
docs/guide/rulings.md tells what holds instead.

Not here: whether the player owns the cards (that is the verifier's question), and anything after shuffling.
"""

from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from datetime import date
from enum import StrEnum
from typing import TypeVar

from games.cards import Card, Catalogue, fold
from games.errors import UnknownRating

_Key = TypeVar("_Key")

RATING = "rating"
"""The trait that a rating ceiling looks at."""

RESTRICTED_LIMIT = 1
"""Copies of a restricted card."""


@dataclass(frozen=True)
class Slot:
    """One line of a deck: copies of a card.

    Attributes:
        section: The header it stands under, as written; None under no header.
        card: The card.
        count: Copies.
        line: Line of the decklist, from 1; None if there is none.
    """

    section: str | None
    card: Card
    count: int
    line: int | None = None


@dataclass(frozen=True)
class Section:
    """A part of the deck.

    Attributes:
        name: The header of the section.
        types: Card types that belong here.
        minimum: Fewest cards.
        maximum: Most cards; None means no bound.
        aliases: Other headers for it.
        at_least: Fewest cards of a type, by type.
    """

    name: str
    types: tuple[str, ...]
    minimum: int
    maximum: int | None = None
    aliases: tuple[str, ...] = ()
    at_least: Mapping[str, int] = field(default_factory=dict, hash=False)


@dataclass(frozen=True)
class SharedTrait:
    """A subset rule: each card of some sections shares a value of a trait with a card of the allowing section."""

    trait: str
    allowing: str
    sections: tuple[str, ...]


@dataclass(frozen=True)
class Format:
    """What a deck may be.

    Attributes:
        game: The game's short name.
        name: The format's short name.
        version: Counts up whenever a rule of the format changes.
        title: For people.
        sections: In the order in which they are reported.
        any_section: Headers that stand for no section: the cards under them are placed by their type.
        shared_traits: Subset rules.
        copy_limit: Copies of one card, unless the card itself sets a limit; None means no limit.
        banned: Names of cards that no deck may hold.
        restricted: Names of cards of which a deck may hold one.
        sets: Codes of the sets in which a card must be printed; None allows every set.
        since: First day in force; None means always.
        until: Last day in force; None means for ever.
        ratings: The ratings from mildest to strongest; empty if the game has none.
    """

    game: str
    name: str
    version: int
    title: str
    sections: tuple[Section, ...]
    any_section: tuple[str, ...] = ()
    shared_traits: tuple[SharedTrait, ...] = ()
    copy_limit: int | None = None
    banned: frozenset[str] = frozenset()
    restricted: frozenset[str] = frozenset()
    sets: frozenset[str] | None = None
    since: date | None = None
    until: date | None = None
    ratings: tuple[str, ...] = ()

    def in_force(self, on: date) -> bool:
        """Whether the format holds on a day; its first and last day belong to it."""
        return (self.since is None or self.since <= on) and (self.until is None or on <= self.until)


class Rule(StrEnum):
    """The stable code of each rule that a deck can break, in the order in which they are reported.

    The two sizes are reported together by section, and the four that count copies together by card.
    """

    NOT_IN_FORCE = "not-in-force"
    COUNT_NOT_POSITIVE = "count-not-positive"
    UNKNOWN_SECTION = "unknown-section"
    TYPE_NOT_ALLOWED = "type-not-allowed"
    WRONG_SECTION = "wrong-section"
    SECTION_TOO_SMALL = "section-too-small"
    SECTION_TOO_LARGE = "section-too-large"
    TOO_FEW_OF_TYPE = "too-few-of-type"
    TRAIT_NOT_SHARED = "trait-not-shared"
    BANNED = "banned"
    RESTRICTED = "restricted"
    CARD_LIMIT = "card-limit"
    TOO_MANY_COPIES = "too-many-copies"
    SET_NOT_ALLOWED = "set-not-allowed"
    RATING_TOO_HIGH = "rating-too-high"


@dataclass(frozen=True)
class Violation:
    """One rule of the format that the deck breaks.

    Attributes:
        code: The rule.
        message: What is wrong and what would be right.
        section: The section concerned, or the header as written if it is none; None for the whole deck.
        card: Name of the card concerned, or None.
        lines: Lines of the decklist concerned, ascending.
        have: What the deck has: a number or words.
        want: What would be right.
    """

    code: Rule
    message: str
    section: str | None = None
    card: str | None = None
    lines: tuple[int, ...] = ()
    have: str | int | None = None
    want: str | int | None = None


def place(slots: Iterable[Slot], rules: Format) -> list[Slot]:
    """Put each slot without a section into the first section that its card's type belongs to.

    Slots under a header keep it, spelt as the format spells it. A slot that belongs nowhere keeps no section.
    """
    return [_placed(slot, rules) for slot in slots]


def check_deck(
    slots: Iterable[Slot],
    rules: Format,
    *,
    catalogue: Catalogue,
    on: date | None = None,
    max_rating: str | None = None,
) -> list[Violation]:
    """Every rule that the deck breaks; an empty list is a legal deck.

    Args:
        slots: The deck, in any order; slots of one card in one section are summed.
        rules: The format.
        catalogue: Where the cards are printed.
        on: The day of the event; None asks about no day.
        max_rating: The strongest rating that the event allows; None allows every rating.

    Raises:
        UnknownRating: the format has no such rating.
        UnknownCard: the format names sets, and a card is not in the catalogue.
    """
    placed = place(slots, rules)
    deck = _summed(placed, rules)
    return [
        *_not_in_force(rules, on),
        *_count_not_positive(placed),
        *_unknown_section(deck, rules),
        *_type_not_allowed(deck, rules),
        *_wrong_section(deck, rules),
        *_section_size(deck, rules),
        *_too_few_of_type(deck, rules),
        *_trait_not_shared(deck, rules),
        *_copies(deck, rules),
        *_set_not_allowed(deck, rules, catalogue),
        *_rating_too_high(deck, rules, max_rating),
    ]


def rated_within(card: Card, rules: Format, max_rating: str) -> bool:
    """Whether the card's rating is at most the ceiling; a card without a rating is.

    Raises:
        UnknownRating: the format has no such rating.
    """
    if max_rating not in rules.ratings:
        raise UnknownRating(max_rating, rules.ratings)
    allowed = rules.ratings[: rules.ratings.index(max_rating) + 1]
    return set(card.traits.get(RATING, ())) <= set(allowed)


# --- the deck, summed ---------------------------------------------------------------------------------------------


@dataclass(frozen=True)
class _Entry:
    """Copies of a card under one header; `home` is the section it counts in, None if its type belongs nowhere."""

    header: str | None
    home: Section | None
    card: Card
    count: int
    lines: tuple[int, ...]


def _placed(slot: Slot, rules: Format) -> Slot:
    if slot.section is None or _is_one_of(slot.section, rules.any_section):
        home = _home(None, slot.card, rules)
        return replace(slot, section=home.name if home else None)
    section = _section(slot.section, rules)
    return replace(slot, section=section.name) if section else slot


def _summed(placed: Iterable[Slot], rules: Format) -> list[_Entry]:
    """One entry for each header and card, in an order that does not depend on the order of the slots."""
    groups: dict[tuple[str | None, Card], list[Slot]] = defaultdict(list)
    for slot in placed:
        groups[slot.section, slot.card].append(slot)
    entries = [_entry(header, card, group, rules) for (header, card), group in groups.items()]
    return sorted(entries, key=lambda entry: _order(entry, rules))


def _entry(header: str | None, card: Card, group: Sequence[Slot], rules: Format) -> _Entry:
    return _Entry(
        header=header,
        home=_home(header, card, rules),
        card=card,
        count=sum(slot.count for slot in group if slot.count > 0),
        lines=tuple(sorted({slot.line for slot in group if slot.line is not None})),
    )


def _order(entry: _Entry, rules: Format) -> tuple[int, str, str]:
    names = [section.name for section in rules.sections]
    header = entry.header or ""
    position = names.index(header) if header in names else len(names)
    return position, header, fold(entry.card.name)


def _home(header: str | None, card: Card, rules: Format) -> Section | None:
    """The section a card counts in: the one it stands in if its type may, else the first that takes its type."""
    fitting = [section for section in rules.sections if card.type in section.types]
    named = [section for section in fitting if section.name == header]
    return next(iter(named or fitting), None)


def _section(header: str, rules: Format) -> Section | None:
    for section in rules.sections:
        if _is_one_of(header, (section.name, *section.aliases)):
            return section
    return None


def _is_one_of(header: str, names: Iterable[str]) -> bool:
    return fold(header) in map(fold, names)


def _lines(entries: Iterable[_Entry]) -> tuple[int, ...]:
    return tuple(sorted({line for entry in entries for line in entry.lines}))


# --- one function a rule ------------------------------------------------------------------------------------------


def _not_in_force(rules: Format, on: date | None) -> Iterator[Violation]:
    if on is not None and not rules.in_force(on):
        span = " ".join(
            f"{word} {day.isoformat()}" for word, day in (("from", rules.since), ("to", rules.until)) if day
        )
        yield Violation(
            Rule.NOT_IN_FORCE,
            f"{rules.title} version {rules.version} is in force {span}, not on {on.isoformat()}; "
            "choose a version for that day",
            have=on.isoformat(),
            want=span,
        )


def _count_not_positive(placed: Iterable[Slot]) -> Iterator[Violation]:
    wrong = [slot for slot in placed if slot.count < 1]
    for slot in sorted(wrong, key=lambda slot: (fold(slot.card.name), slot.count, slot.line or 0)):
        yield Violation(
            Rule.COUNT_NOT_POSITIVE,
            f"{slot.count} copies of {slot.card.name} are no copies; give 1 or more, or leave the line out",
            section=slot.section,
            card=slot.card.name,
            lines=() if slot.line is None else (slot.line,),
            have=slot.count,
            want=1,
        )


def _unknown_section(deck: Sequence[_Entry], rules: Format) -> Iterator[Violation]:
    known = [section.name for section in rules.sections]
    for header, entries in _grouped(deck, lambda entry: entry.header).items():
        if header is not None and header not in known:
            yield Violation(
                Rule.UNKNOWN_SECTION,
                f"{rules.title} has no section {header!r}; its sections are {', '.join(known)}",
                section=header,
                lines=_lines(entries),
                have=header,
                want=", ".join(known),
            )


def _type_not_allowed(deck: Sequence[_Entry], rules: Format) -> Iterator[Violation]:
    allowed = ", ".join(kind for section in rules.sections for kind in section.types)
    for entry in deck:
        if entry.home is None:
            yield Violation(
                Rule.TYPE_NOT_ALLOWED,
                f"{entry.card.name} is of type {entry.card.type}; a deck of {rules.title} holds {allowed}",
                section=entry.header,
                card=entry.card.name,
                lines=entry.lines,
                have=entry.card.type,
                want=allowed,
            )


def _wrong_section(deck: Sequence[_Entry], rules: Format) -> Iterator[Violation]:
    known = [section.name for section in rules.sections]
    for entry in deck:
        if entry.home is not None and entry.header in known and entry.header != entry.home.name:
            yield Violation(
                Rule.WRONG_SECTION,
                f"{entry.card.name} stands under {entry.header}; as {entry.card.type} it belongs under "
                f"{entry.home.name}",
                section=entry.header,
                card=entry.card.name,
                lines=entry.lines,
                have=entry.header,
                want=entry.home.name,
            )


def _section_size(deck: Sequence[_Entry], rules: Format) -> Iterator[Violation]:
    for section in rules.sections:
        entries = [entry for entry in deck if entry.home == section]
        have = _copies_of(entries)
        if have < section.minimum:
            yield _size_violation(Rule.SECTION_TOO_SMALL, section, entries, section.minimum)
        if section.maximum is not None and have > section.maximum:
            yield _size_violation(Rule.SECTION_TOO_LARGE, section, entries, section.maximum)


def _size_violation(code: Rule, section: Section, entries: Sequence[_Entry], want: int) -> Violation:
    have = _copies_of(entries)
    missing = want - have
    change = f"add {missing}" if missing > 0 else f"take out {-missing}"
    return Violation(
        code,
        f"{section.name} has {have} {_cards(have)} and needs {_span(section)}; {change}",
        section=section.name,
        lines=_lines(entries),
        have=have,
        want=want,
    )


def _span(section: Section) -> str:
    if section.minimum == section.maximum:
        return f"exactly {section.minimum}"
    if section.maximum is None:
        return f"at least {section.minimum}"
    return f"{section.minimum} to {section.maximum}"


def _too_few_of_type(deck: Sequence[_Entry], rules: Format) -> Iterator[Violation]:
    for section in rules.sections:
        for kind, want in section.at_least.items():
            entries = [entry for entry in deck if entry.home == section and entry.card.type == kind]
            have = _copies_of(entries)
            if have < want:
                yield Violation(
                    Rule.TOO_FEW_OF_TYPE,
                    f"{section.name} has {have} of type {kind} and needs at least {want}; add {want - have}",
                    section=section.name,
                    lines=_lines(entries),
                    have=have,
                    want=want,
                )


def _trait_not_shared(deck: Sequence[_Entry], rules: Format) -> Iterator[Violation]:
    """Without a card in the allowing section nothing can be said; that it is missing is said by its size."""
    for rule in rules.shared_traits:
        allowing = [entry.card for entry in deck if entry.home and entry.home.name == rule.allowing]
        allowed = tuple(dict.fromkeys(value for card in allowing for value in card.traits.get(rule.trait, ())))
        for entry in deck if allowing else ():
            has = entry.card.traits.get(rule.trait, ())
            if entry.home and entry.home.name in rule.sections and not set(has) & set(allowed):
                yield _outsider(entry, rule, allowing, allowed)


def _outsider(entry: _Entry, rule: SharedTrait, allowing: Sequence[Card], allowed: Sequence[str]) -> Violation:
    has = ", ".join(entry.card.traits.get(rule.trait, ())) or "none"
    return Violation(
        Rule.TRAIT_NOT_SHARED,
        f"{entry.card.name} has the {rule.trait} {has}; allowed by {' and '.join(card.name for card in allowing)}: "
        f"{', '.join(allowed) or 'none'}",
        section=entry.header,
        card=entry.card.name,
        lines=entry.lines,
        have=has,
        want=", ".join(allowed),
    )


def _copies(deck: Sequence[_Entry], rules: Format) -> Iterator[Violation]:
    """Bans, restrictions and copy limits: one finding a card, by the strictest word that names it.

    Source: docs/guide/rulings.md: a ban or restriction names the card, so it outranks the card's own limit, which
    outranks the format's.
    """
    for card, entries in _grouped(deck, lambda entry: entry.card).items():
        have = _copies_of(entries)
        code, limit, why = _limit(card, rules)
        if limit is not None and have > limit:
            yield Violation(
                code,
                f"{have} {'copy' if have == 1 else 'copies'} of {card.name}; {why}; take out {have - limit}",
                card=card.name,
                lines=_lines(entries),
                have=have,
                want=limit,
            )


def _limit(card: Card, rules: Format) -> tuple[Rule, int | None, str]:
    name = fold(card.name)
    if name in map(fold, rules.banned):
        return Rule.BANNED, 0, f"it is banned in {rules.title}"
    if name in map(fold, rules.restricted):
        return Rule.RESTRICTED, RESTRICTED_LIMIT, f"{rules.title} restricts it to {RESTRICTED_LIMIT}"
    if card.limit is not None:
        return Rule.CARD_LIMIT, card.limit, f"the card itself allows {card.limit}"
    return Rule.TOO_MANY_COPIES, rules.copy_limit, f"{rules.title} allows {rules.copy_limit}"


def _set_not_allowed(deck: Sequence[_Entry], rules: Format, catalogue: Catalogue) -> Iterator[Violation]:
    """A card is allowed by any of its printings, whichever the player shows."""
    if rules.sets is None:
        return
    allowed = ", ".join(sorted(rules.sets))
    for card, entries in _grouped(deck, lambda entry: entry.card).items():
        printed = dict.fromkeys(printing.set_code for printing in catalogue.printings(card))
        if not rules.sets & printed.keys():
            yield Violation(
                Rule.SET_NOT_ALLOWED,
                f"{card.name} is printed in {', '.join(printed)}; {rules.title} allows the sets {allowed}",
                card=card.name,
                lines=_lines(entries),
                have=", ".join(printed),
                want=allowed,
            )


def _rating_too_high(deck: Sequence[_Entry], rules: Format, max_rating: str | None) -> Iterator[Violation]:
    if max_rating is None:
        return
    if max_rating not in rules.ratings:
        raise UnknownRating(max_rating, rules.ratings)
    for card, entries in _grouped(deck, lambda entry: entry.card).items():
        if not rated_within(card, rules, max_rating):
            rating = ", ".join(card.traits[RATING])
            yield Violation(
                Rule.RATING_TOO_HIGH,
                f"{card.name} is rated {rating}; this event allows at most {max_rating}",
                card=card.name,
                lines=_lines(entries),
                have=rating,
                want=max_rating,
            )


def _grouped(deck: Iterable[_Entry], key: Callable[[_Entry], _Key]) -> dict[_Key, list[_Entry]]:
    """Entries by key, the keys in the order in which they first appear."""
    groups: dict[_Key, list[_Entry]] = {}
    for entry in deck:
        groups.setdefault(key(entry), []).append(entry)
    return groups


def _copies_of(entries: Iterable[_Entry]) -> int:
    return sum(entry.count for entry in entries)


def _cards(count: int) -> str:
    return "card" if count == 1 else "cards"
