"""Does every card of a set obey its game's card schema? Every fault at once.

The schema is data (`<game>/game.toml`): which types there are, which stats and traits each has and in which range, what
a card may cost, how its rules text is worded. Each rule is the function named after it.

The wording is a small grammar: a sentence of rules text must be built from the schema's fragments. That keeps the
voice of the rule book, and lets a rules engine read every card.

Not here: whether a name is a real person's (no program can tell), and whether a card is fun.
"""

import re
import unicodedata
from collections import Counter
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field

from games.cards import LARGEST_NUMBER, Card, CardSet, Catalogue, Printing, fold
from games.errors import Fault
from games.formats import Format, Section

_SET_CODE = re.compile(r"[A-Z0-9]{3,5}")
"""Source: Arena decklists write a set as three to five capitals or digits."""

_UNSAFE = frozenset("<>")
"""Angle brackets never appear on a card, so that a name can never be mistaken for markup."""

_SENTENCE = re.compile(r"[^.]+\.")

_LIMIT = re.compile(r"Limit (\d+) per deck\.")


@dataclass(frozen=True)
class TraitRule:
    """Values a trait may have, and how many of them a card carries."""

    values: tuple[str, ...]
    least: int = 1
    most: int = 1


@dataclass(frozen=True)
class Budget:
    """Bounds of the weighted sum of a card's stats; `plain` is what a card without rules text must reach exactly."""

    weights: Mapping[str, int] = field(hash=False)
    least: int
    most: int
    plain: int | None = None


@dataclass(frozen=True)
class Curve:
    """A bound on a number in the rules text: the number in the phrase is at most the stat plus `above`."""

    phrase: str
    stat: str
    above: int


@dataclass(frozen=True)
class FirstLine:
    """Which first line of text goes with which value of a trait; other values go with none of these lines."""

    trait: str
    lines: Mapping[str, str] = field(hash=False)


@dataclass(frozen=True)
class TypeRule:
    """What a card of one type looks like.

    Attributes:
        name: The type.
        stats: Least and greatest value of each stat.
        traits: The traits.
        text_required: Whether a card must have rules text.
        must_say: Words that the rules text must contain.
        first_line: The first line that a trait demands, or None.
        line_starts: How each line of text must start, one after another; empty if lines are free.
        sentences: Patterns of the wording's grammar, of which each sentence must match one; empty if free.
        budget: Bounds of the stats together, or None.
        curves: Bounds of numbers in the text.
    """

    name: str
    stats: Mapping[str, tuple[int, int]] = field(default_factory=dict, hash=False)
    traits: Mapping[str, TraitRule] = field(default_factory=dict, hash=False)
    text_required: bool = True
    must_say: tuple[str, ...] = ()
    first_line: FirstLine | None = None
    line_starts: tuple[str, ...] = ()
    sentences: tuple[str, ...] = ()
    budget: Budget | None = None
    curves: tuple[Curve, ...] = ()


@dataclass(frozen=True)
class Schema:
    """What the cards of a game look like.

    Attributes:
        game: The game's short name.
        title: The game's name for people.
        borrows: Games whose cards may be used too.
        name_width: Most letters of a name.
        text_length: Most letters of a rules text.
        flavor_length: Most letters of a flavor text.
        spelling: Words that rules text must not use, each with the right one.
        wording: Fragments of rules text by name; a fragment refers to others in braces.
        types: The card types by name.
    """

    game: str
    title: str
    borrows: tuple[str, ...]
    name_width: int
    text_length: int
    flavor_length: int
    spelling: Mapping[str, str] = field(hash=False)
    wording: Mapping[str, tuple[str, ...]] = field(hash=False)
    types: Mapping[str, TypeRule] = field(hash=False)


def check_card_set(card_set: CardSet, schema: Schema) -> list[Fault]:
    """Every rule of the schema that the set breaks; an empty list is a set fit to publish."""
    return [
        *_set_itself(card_set, schema),
        *_numbers(card_set),
        *_unique_names(card_set),
        *(fault for printing in card_set.printings for fault in _check_printing(printing, card_set, schema)),
    ]


def check_format(rules: Format, catalogue: Catalogue) -> list[Fault]:
    """Everything that a format says of cards, sets or sections that do not exist."""
    return [
        *(fault for section in rules.sections for fault in _section_sizes(section)),
        *_unknown_types(rules, catalogue),
        *_unknown_names(rules, catalogue),
        *_unknown_sets(rules, catalogue),
        *_unknown_sections(rules),
        *_dates(rules),
    ]


def _check_printing(printing: Printing, card_set: CardSet, schema: Schema) -> Iterator[Fault]:
    place = f"card {printing.number} ({printing.card.name})"
    for code, message in _card_faults(printing, card_set, schema):
        yield Fault(place, code, message)


_Said = Iterator[tuple[str, str]]
"""Code and message of each fault, the place still to be added."""


def _card_faults(printing: Printing, card_set: CardSet, schema: Schema) -> _Said:
    card = printing.card
    yield from _name(card, card_set, schema)
    yield from _letters("text", card.text, schema.text_length)
    yield from _letters("flavor", printing.flavor, schema.flavor_length)
    yield from _spelling(card, schema)
    yield from _limit(card)
    rule = schema.types.get(card.type)
    if rule is None:
        yield "type-unknown", f"type {card.type!r} is none of {', '.join(schema.types)}"
        return
    for check in _OF_A_TYPE:
        yield from check(card, rule)
    yield from _wording(card, rule, schema)


# --- the set ------------------------------------------------------------------------------------------------------


def _set_itself(card_set: CardSet, schema: Schema) -> Iterator[Fault]:
    place = f"set {card_set.code}"
    if card_set.game != schema.game:
        yield Fault(place, "set-game", f"is of the game {card_set.game!r}, the schema of {schema.game!r}")
    if not _SET_CODE.fullmatch(card_set.code):
        yield Fault(place, "set-code", "a code is 3 to 5 capitals or digits")
    if not 1 <= card_set.number <= LARGEST_NUMBER:
        yield Fault(place, "set-number", f"{card_set.number} is not 1 to {LARGEST_NUMBER}")


def _numbers(card_set: CardSet) -> Iterator[Fault]:
    for wanted, printing in enumerate(card_set.printings, start=1):
        if printing.number != wanted:
            yield Fault(
                f"card {printing.number} ({printing.card.name})",
                "number-gap",
                f"is card {wanted} of the file; numbers run from 1 without a gap",
            )


def _unique_names(card_set: CardSet) -> Iterator[Fault]:
    count = Counter(fold(printing.card.name) for printing in card_set.printings)
    for printing in card_set.printings:
        if count[fold(printing.card.name)] > 1:
            yield Fault(
                f"card {printing.number} ({printing.card.name})",
                "name-twice",
                "another card of the set has this name, but for case, quotes or spaces",
            )


# --- any card -----------------------------------------------------------------------------------------------------


def _name(card: Card, card_set: CardSet, schema: Schema) -> _Said:
    yield from _letters("name", card.name, schema.name_width)
    if not card.name.isascii() and card.name not in card_set.beyond_ascii:
        yield "name-ascii", "has letters beyond ASCII; declare the name under beyond_ascii or change it"
    if card.name != " ".join(card.name.split()) or not card.name:
        yield "name-spacing", "a name is words with single spaces between them"


def _letters(what: str, text: str, most: int) -> _Said:
    if len(text) > most:
        yield f"{what}-length", f"{what} has {len(text)} letters; at most {most} fit the card"
    if bad := sorted({letter for letter in text if not _printable(letter)}):
        yield f"{what}-letters", f"{what} holds {', '.join(map(ascii, bad))}; only plain printable letters"


def _printable(letter: str) -> bool:
    return letter == "\n" or (unicodedata.category(letter)[0] != "C" and letter not in _UNSAFE)


def _spelling(card: Card, schema: Schema) -> _Said:
    for wrong, right in schema.spelling.items():
        if re.search(rf"\b{re.escape(wrong)}\b", card.text):
            yield "spelling", f"says {wrong!r}; the rule book says {right!r}"


def _limit(card: Card) -> _Said:
    said = _LIMIT.search(card.text)
    if (int(said[1]) if said else None) != card.limit:
        yield "limit-unsaid", f"limit is {card.limit}, the text says {said[0] if said else 'nothing of it'!r}"
    if card.limit is not None and card.limit < 1:
        yield "limit-range", "a limit of less than 1 is a ban, which is a format's to set"


# --- a card of its type -------------------------------------------------------------------------------------------


def _stats(card: Card, rule: TypeRule) -> _Said:
    for name, (least, most) in rule.stats.items():
        value = card.stats.get(name)
        if value is None:
            yield "stat-missing", f"{rule.name} needs {name}, {least} to {most}"
        elif not least <= value <= most:
            yield "stat-range", f"{name} is {value}; {rule.name} has {least} to {most}"
    for name in card.stats.keys() - rule.stats.keys():
        yield "stat-unknown", f"{rule.name} has no {name}"


def _traits(card: Card, rule: TypeRule) -> _Said:
    for name, trait in rule.traits.items():
        values = card.traits.get(name, ())
        if not trait.least <= len(values) <= trait.most or len(set(values)) < len(values):
            yield "trait-count", f"has {len(values)} {name}; {rule.name} has {trait.least} to {trait.most}, each once"
        if wrong := [value for value in values if value not in trait.values]:
            yield "trait-value", f"{name} {', '.join(wrong)} is none of {', '.join(trait.values)}"
    for name in card.traits.keys() - rule.traits.keys():
        yield "trait-unknown", f"{rule.name} has no {name}"


def _text(card: Card, rule: TypeRule) -> _Said:
    if rule.text_required and not card.text:
        yield "text-missing", f"{rule.name} needs rules text"
    for word in rule.must_say:
        if fold(word) not in fold(card.text):
            yield "text-must-say", f"{rule.name} must say {word!r}"


def _first_line(card: Card, rule: TypeRule) -> _Said:
    if rule.first_line is None:
        return
    has = card.text.partition("\n")[0]
    wanted = [
        rule.first_line.lines[value]
        for value in card.traits.get(rule.first_line.trait, ())
        if value in rule.first_line.lines
    ]
    if wanted and has not in wanted:
        yield "first-line", f"begins {has!r}; its first line must be {wanted[0]!r}"
    if not wanted and has in rule.first_line.lines.values():
        yield "first-line", f"begins {has!r}, but is no such {rule.name}"


def _lines(card: Card, rule: TypeRule) -> _Said:
    lines = card.text.split("\n")
    if rule.line_starts and len(lines) != len(rule.line_starts):
        yield (
            "line-count",
            f"has {len(lines)} line{'' if len(lines) == 1 else 's'}; they are {', '.join(rule.line_starts)}",
        )
        return
    for line, start in zip(lines, rule.line_starts, strict=False):
        if not line.startswith(start):
            yield "line-start", f"{line!r} must start with {start!r}"


def _budget(card: Card, rule: TypeRule) -> _Said:
    if rule.budget is None or not rule.budget.weights.keys() <= card.stats.keys():
        return
    points = sum(weight * card.stats[name] for name, weight in rule.budget.weights.items())
    if rule.budget.plain is not None and not card.text and points != rule.budget.plain:
        yield "budget-plain", f"is worth {points}; without rules text it must be worth {rule.budget.plain}"
    elif not rule.budget.least <= points <= rule.budget.most:
        yield "budget", f"is worth {points}; {rule.name} is worth {rule.budget.least} to {rule.budget.most}"


def _curves(card: Card, rule: TypeRule) -> _Said:
    for curve in rule.curves:
        most = card.stats.get(curve.stat, 0) + curve.above
        pattern = re.escape(curve.phrase).replace(r"\{n\}", r"(\d+)")
        for found in re.findall(pattern, card.text, re.IGNORECASE):
            if int(found) > most:
                yield "curve", f"{curve.phrase.format(n=found)!r}: at {curve.stat} of this card at most {most}"


_OF_A_TYPE: tuple[Callable[[Card, TypeRule], _Said], ...] = (
    _stats,
    _traits,
    _text,
    _first_line,
    _lines,
    _budget,
    _curves,
)


# --- the wording --------------------------------------------------------------------------------------------------


def _wording(card: Card, rule: TypeRule, schema: Schema) -> _Said:
    if not rule.sentences or not card.text:
        return
    pattern = _sentence_pattern(rule.sentences, schema.wording)
    for sentence in sentences(card.text):
        if not pattern.fullmatch(_uncapitalised(sentence)):
            yield "wording", f"{sentence!r} is no sentence of the wording for {rule.name}"


def sentences(text: str) -> list[str]:
    """The sentences of a rules text, each with its full stop; words after the last full stop are one too."""
    flat = text.replace("\n", " ")
    rest = _SENTENCE.sub("", flat).strip()
    return [sentence.strip() for sentence in _SENTENCE.findall(flat)] + ([rest] if rest else [])


def _uncapitalised(sentence: str) -> str:
    """Without the capital that only the start of the sentence demands."""
    if sentence[1:2].islower():
        return sentence[0].lower() + sentence[1:]
    return sentence


def _sentence_pattern(starts: tuple[str, ...], wording: Mapping[str, tuple[str, ...]]) -> re.Pattern[str]:
    return re.compile(_any_of(starts, wording))


def _any_of(fragments: tuple[str, ...], wording: Mapping[str, tuple[str, ...]]) -> str:
    return f"(?:{'|'.join(_expanded(fragment, wording) for fragment in fragments)})"


def _expanded(fragment: str, wording: Mapping[str, tuple[str, ...]]) -> str:
    """The fragment as a pattern: `{n}` is a number, `{name}` any fragment of that name, the rest stands for itself."""
    parts = re.split(r"\{(\w+)\}", fragment)
    return "".join(re.escape(part) if index % 2 == 0 else _named(part, wording) for index, part in enumerate(parts))


def _named(name: str, wording: Mapping[str, tuple[str, ...]]) -> str:
    return r"\d+" if name == "n" else _any_of(wording[name], wording)


# --- formats ------------------------------------------------------------------------------------------------------


def _section_sizes(section: Section) -> Iterator[Fault]:
    least = max(section.minimum, sum(section.at_least.values()))
    if section.minimum < 0 or (section.maximum is not None and section.maximum < least):
        yield Fault(f"section {section.name}", "section-size", f"at least {least} and at most {section.maximum}")
    for kind in section.at_least.keys() - set(section.types):
        yield Fault(f"section {section.name}", "section-type", f"demands {kind}, which it does not take")


def _unknown_types(rules: Format, catalogue: Catalogue) -> Iterator[Fault]:
    known = {card.type for card in catalogue.cards}
    for section in rules.sections:
        for kind in section.types:
            if kind not in known:
                yield Fault(f"section {section.name}", "section-type", f"no card is of type {kind!r}")


def _unknown_names(rules: Format, catalogue: Catalogue) -> Iterator[Fault]:
    known = {fold(card.name) for card in catalogue.cards}
    for name in sorted(rules.banned | rules.restricted):
        if fold(name) not in known:
            yield Fault(f"format {rules.name}", "format-card", f"no card is called {name!r}")


def _unknown_sets(rules: Format, catalogue: Catalogue) -> Iterator[Fault]:
    known = {card_set.code for card_set in catalogue.card_sets}
    for code in sorted((rules.sets or frozenset()) - known):
        yield Fault(f"format {rules.name}", "format-set", f"no set has the code {code!r}")


def _unknown_sections(rules: Format) -> Iterator[Fault]:
    known = {section.name for section in rules.sections}
    for rule in rules.shared_traits:
        for name in (rule.allowing, *rule.sections):
            if name not in known:
                yield Fault(f"format {rules.name}", "format-section", f"there is no section {name!r}")


def _dates(rules: Format) -> Iterator[Fault]:
    if rules.since and rules.until and rules.until < rules.since:
        yield Fault(f"format {rules.name}", "format-dates", f"ends {rules.until} before it begins {rules.since}")
