"""A deck: its decklist as written, its cards, whether it is legal, and what it needs of a wallet.

The one place where the verifier's decklist and the games' cards meet; neither knows the other.
"""

import json
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import date

from eth_hash.auto import keccak

from games import formats, library
from games.cards import Catalogue
from games.errors import UnknownCard, UnknownSet, WrongPrinting
from games.formats import Format, Slot, Violation
from verifier.coverage import Need, sum_needs
from verifier.decklist import (
    Decklist,
    DecklistUnreadable,
    Line,
    LineFault,
    canonical,
    fold,
    parse_decklist,
    write_decklist,
)
from verifier.decklist.fields import shown
from verifier.holdings import TokenId


@dataclass(frozen=True)
class Deck:
    """A decklist whose every line is a card of a game."""

    decklist: Decklist
    slots: tuple[Slot, ...]
    """The lines as cards, in the order of the list."""
    rules: Format
    catalogue: Catalogue

    @property
    def size(self) -> int:
        """Copies in all."""
        return sum(slot.count for slot in self.slots)

    @property
    def needs(self) -> tuple[Need, ...]:
        """What a player must hold: each card once, with every token id that stands for it."""
        return sum_needs(
            Need(slot.card.name, tuple(map(TokenId, self.catalogue.token_ids(slot.card))), slot.count)
            for slot in self.slots
        )

    def violations(self, *, on: date | None = None, max_rating: str | None = None) -> list[Violation]:
        """Every rule of the format that the deck breaks; an empty list is a legal deck.

        Raises:
            UnknownRating: the format has no such rating.
        """
        return formats.check_deck(self.slots, self.rules, catalogue=self.catalogue, on=on, max_rating=max_rating)


def rules_of(game: str, name: str | None = None) -> Format:
    """A format of a game: the one named, else the game's usual one.

    Raises:
        UnknownGame: no such game.
        UnknownFormat: the game has no such format.
    """
    return library.format_named(game, name or library.formats(game)[0].name)


def read_decklist(
    source: str | bytes, rules: Format, *, syntax: str | None = None, filename: str | None = None
) -> Decklist:
    """Read a decklist whose headers are sections of the format.

    Raises:
        DecklistUnreadable: with every fault of the source.
        SyntaxNotKnown: there is no syntax of that name.
    """
    sections = {section.name: section.aliases for section in rules.sections}
    sections |= dict.fromkeys(rules.any_section, ())
    return parse_decklist(source, syntax=syntax, filename=filename, sections=sections)


def read_deck(source: str | bytes, rules: Format, *, syntax: str | None = None, filename: str | None = None) -> Deck:
    """Read a decklist and find its cards.

    Raises:
        DecklistUnreadable: with every line that cannot be read, or else every line whose card is not known, the nearest
            names beside it.
        SyntaxNotKnown: there is no syntax of that name.
    """
    return find_cards(read_decklist(source, rules, syntax=syntax, filename=filename), rules)


def find_cards(decklist: Decklist, rules: Format) -> Deck:
    """The deck that a decklist means.

    Raises:
        DecklistUnreadable: with every line whose card is not known.
    """
    catalogue = library.catalogue(rules.game)
    found = [_slot(line, catalogue) for line in decklist.lines]
    faults = tuple(fault for fault in found if isinstance(fault, LineFault))
    if faults:
        raise DecklistUnreadable(faults)
    return Deck(decklist, tuple(slot for slot in found if isinstance(slot, Slot)), rules, catalogue)


def hash_of(decklist: Decklist) -> str:
    """By which two lists are the same deck: Keccak-256 of the canonical form, 64 hex digits."""
    return keccak(canonical(decklist)).hex()


def commitment_of(decklist: Decklist, salt: str) -> str:
    """What binds a player to a list that nobody may see yet: Keccak-256 of the salt and the canonical form.

    Whoever is shown the list and the salt later can compute it again. Without the salt nobody finds the list by
    guessing.

    Args:
        decklist: read with the sections of its format.
        salt: 64 hex digits, hashed as 32 bytes.

    Returns:
        64 hex digits.
    """
    return keccak(bytes.fromhex(salt) + canonical(decklist)).hex()


def catalogue_hash(game: str) -> str:
    """By which two catalogues are the same: which token ids stand for which card.

    Returns:
        `0x` and 64 hex digits: Keccak-256 of a JSON object without spaces, from the name of each card to its token ids,
        names and token ids in order.

    Raises:
        UnknownGame: no such game.
    """
    known = library.catalogue(game)
    return hash_of_ids({card.name: sorted(known.token_ids(card)) for card in known.cards})


def hash_of_ids(said: Mapping[str, Sequence[int]]) -> str:
    """The same of the token ids of each card by its name, which are in order."""
    text = json.dumps(said, sort_keys=True, ensure_ascii=False, separators=(",", ":"))
    return "0x" + keccak(text.encode()).hex()


def packed(decklist: Decklist) -> str:
    """A list as it is kept: nothing is lost but the numbers of its lines."""
    lines = [[line.count, line.name, line.section, line.set_code, line.number] for line in decklist.lines]
    return json.dumps({"title": decklist.title, "lines": lines}, ensure_ascii=False, separators=(",", ":"))


def unpacked(text: str) -> Decklist:
    """The list again. Raises: ValueError if it was not packed here."""
    said = json.loads(text)
    return Decklist(tuple(Line(*line) for line in said["lines"]), said["title"])


def as_text(decklist: Decklist) -> str:
    """A list as it may be pasted elsewhere."""
    return write_decklist(decklist, "text")


def in_one_form(deck: Deck) -> str:
    """What a commitment binds to, and no more: as `packed`, by the names of the catalogue and of the format.

    Titles, spelling, printings and the order of lines are left out, since the canonical form leaves them out. So of
    all lists with one commitment one text is in this form.
    """
    sections = {fold(section.name): section.name for section in deck.rules.sections}
    copies: Counter[tuple[str, str]] = Counter()
    for slot in deck.slots:
        named = fold(slot.section or "")
        copies[sections.get(named, named), slot.card.name] += slot.count
    lines = (Line(count, card, section or None) for (section, card), count in sorted(copies.items()))
    return packed(Decklist(tuple(lines)))


def examples(game: str) -> Sequence[str]:
    """Names of the game's example decks.

    Raises:
        UnknownGame: no such game.
    """
    return tuple(library.decks(game))


def _slot(line: Line, catalogue: Catalogue) -> Slot | LineFault:
    try:
        card = catalogue.find(line.name, line.set_code, line.number)
    except UnknownCard as error:
        right = (
            f"{' or '.join(error.nearest)}, if you meant that" if error.nearest else "the name of a card of the game"
        )
        return LineFault(line.line, shown(line.name), "no card is called that", right)
    except (UnknownSet, WrongPrinting) as error:
        return LineFault(line.line, shown(line.name), str(error), "the printing of the card, or its name alone")
    return Slot(line.section, card, line.count, line.line or None)
