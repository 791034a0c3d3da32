"""Lists while they are written: every line with a light, and what wallets hold of the game's cards now.

Nothing is handed in and nothing is written down. What wallets hold is read at the newest block, for all cards of the
game at once, and kept for half a minute: so the chain is asked once while somebody types, and not for each letter.
What counts is looked at when the event looks (`epochs`); this only tells early.
"""

import json
import re
import time
from collections import Counter, OrderedDict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import date
from enum import StrEnum
from threading import Lock, Thread
from typing import Final, TypeAlias

from sqlmodel import Session

from games import library
from games.cards import Card, Catalogue
from games.formats import Format, Slot, Violation
from tournament import store
from tournament.errors import ChainBusy, EndpointsMissing
from tournament.service import decks, manifests, ownership
from tournament.service.decks import Deck
from tournament.service.nodes import Nodes, cause_of
from tournament.store import LinkedWallet
from tournament.tables import EventRow
from verifier.decklist import MOST_COPIES, DecklistUnreadable, LineFault, fold
from verifier.delegation import Authority, Delegation, read_authorities
from verifier.errors import ChainError
from verifier.holdings import Address, Ask, Block, TokenId
from verifier.manifest import Manifest

FRESH_FOR: Final = 30.0
"""Seconds for which is believed what wallets hold, while somebody types."""
PATIENCE_S: Final = 5.0
"""Seconds that a page waits for the chain; a node that hangs has the deadline of the settings, which is long."""
MOST_KEPT: Final = 2_000
"""Players whose cards are kept so."""
MOST_FOUND: Final = 24
"""Cards that a search shows."""
_TRIES: Final = 3
"""A list without the lines that cannot be read may have other lines that cannot."""
_DAY: Final = len("2026-01-31")
_COUNTED: Final = re.compile(r"^(\s*)(\d+)(\s*[xX\u00d7]?)(?=\s)")


class Light(StrEnum):
    """Of a line."""

    GREEN = "green"
    AMBER = "amber"
    RED = "red"


# --- what can be read -------------------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Draft:
    """A list as far as it can be read."""

    deck: Deck | None
    """Without the lines that have faults; None if nothing is left."""
    faults: tuple[LineFault, ...]


def read(source: str, rules: Format, *, filename: str | None = None) -> Draft:
    """Read a list, and where lines cannot be read, the rest of it.

    Args:
        source: in any of the six syntaxes.
        rules: the format.
        filename: helps to find the syntax out.
    """
    faults: list[LineFault] = []
    text = source
    for _ in range(_TRIES):
        try:
            deck = decks.read_deck(text, rules, filename=filename)
        except DecklistUnreadable as error:
            placed = [fault for fault in error.faults if fault.line]
            faults += placed if faults else error.faults
            if len(placed) < len(error.faults):
                break  # the fault is the whole list's
            text = _without(text, {fault.line for fault in placed})
        else:
            return Draft(deck, _in_order(faults))
    return Draft(None, _in_order(faults))


def _without(text: str, lines: Iterable[int]) -> str:
    """The text with these lines blank; the others keep their numbers."""
    left_out = set(lines)
    return "\n".join("" if at in left_out else line for at, line in enumerate(text.split("\n"), 1))


def _in_order(faults: Iterable[LineFault]) -> tuple[LineFault, ...]:
    return tuple(sorted(faults, key=lambda fault: fault.line))


# --- what wallets hold ------------------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Purse:
    """What wallets hold of a game's cards."""

    units: Mapping[str, int] | None
    """By the name of the card, as far as they may be counted for the player; None: nobody knows."""
    block: Block | None = None
    cause: str = ""
    """Why nobody knows, in words for everybody."""


@dataclass(frozen=True, slots=True)
class Wanted:
    """What is asked about."""

    event: str
    entry: int
    manifest: Manifest
    game: str
    wallets: tuple[LinkedWallet, ...]


def wanted(session: Session, event: EventRow, entry: int) -> Wanted | None:
    """What to ask the chain for a player; None where nobody has to prove cards, or no wallet is linked yet."""
    if not ownership.is_required(event) or store.find_manifest(session, event.id) is None:
        return None
    linked = tuple(one for one in store.wallets_of(session, event.id, entry) if one.address)
    if not linked:
        return None
    return Wanted(event.id, entry, manifests.manifest_of(session, event.id), event.game, linked)


_Key: TypeAlias = tuple[str, int, tuple[LinkedWallet, ...]]


@dataclass
class Purses:
    """What was read last."""

    _kept: OrderedDict[_Key, tuple[float, Purse]] = field(default_factory=OrderedDict)
    _lock: Lock = field(default_factory=Lock)

    def kept(self, asked: Wanted) -> Purse | None:
        """What was read in the last half minute."""
        with self._lock:
            at, purse = self._kept.get(_key(asked), (0.0, None))
        return purse if purse is not None and time.monotonic() - at < FRESH_FOR else None

    def read(self, asked: Wanted, nodes: Nodes, *, patience: float = PATIENCE_S) -> Purse:
        """Ask the chain, and keep what it says. No transaction may be open.

        Args:
            asked: whose cards.
            nodes: who is asked.
            patience: seconds until nobody knows; what is said later is kept for the next time.
        """
        came: list[Purse] = []

        def ask() -> None:
            came.append(_read(asked, nodes))
            self._keep(asked, came[0])

        asking = Thread(target=ask, daemon=True, name="purse")
        asking.start()
        asking.join(patience)
        return came[0] if came else Purse(None, None, f"no endpoint has answered within {patience:g} s")

    def _keep(self, asked: Wanted, purse: Purse) -> None:
        with self._lock:
            self._kept[_key(asked)] = (time.monotonic(), purse)
            self._kept.move_to_end(_key(asked))
            while len(self._kept) > MOST_KEPT:
                self._kept.popitem(last=False)


def _key(asked: Wanted) -> _Key:
    return asked.event, asked.entry, asked.wallets


def _read(asked: Wanted, nodes: Nodes) -> Purse:
    catalogue = library.catalogue(asked.game)
    tokens = tuple(TokenId(token) for card in catalogue.cards for token in catalogue.token_ids(card))
    addresses = tuple(dict.fromkeys(Address(one.address) for one in asked.wallets))
    block = None
    try:
        with nodes.for_players.take(f"{asked.event} {asked.entry}"):
            reader = manifests.reader_of(asked.manifest, nodes)
            block = reader.pin("latest")
            answers = reader.read([Ask(address, tokens) for address in addresses], block)
            vouched = read_authorities(
                _delegations(asked, tokens), reader, block, collection=asked.manifest.collections[0].address
            )
    except ChainError as error:
        return Purse(None, block, cause_of(error))
    except (EndpointsMissing, ChainBusy) as error:
        return Purse(None, None, str(error))
    held = {address: dict(zip(tokens, answer, strict=True)) for address, answer in zip(addresses, answers, strict=True)}
    authorities = {one.delegation.vault: one for one in vouched}
    return Purse(_units(asked, catalogue, held, authorities), block)


def _delegations(asked: Wanted, tokens: tuple[TokenId, ...]) -> list[Delegation]:
    own = {one.commitment: Address(one.address) for one in asked.wallets if one.vouches_for is None}
    return [
        Delegation(Address(one.address), own[one.vouches_for], tokens)
        for one in asked.wallets
        if one.vouches_for in own
    ]


def _units(
    asked: Wanted,
    catalogue: Catalogue,
    held: Mapping[Address, Mapping[TokenId, int]],
    authorities: Mapping[Address, Authority],
) -> dict[str, int]:
    """Units of each card: of a wallet that is split the player's share, of a vault what it vouches for."""
    found: Counter[str] = Counter()
    for one in asked.wallets:
        share = None if one.share is None else json.loads(one.share or "{}")
        for card in catalogue.cards:
            for token in catalogue.token_ids(card):
                units = held[Address(one.address)].get(TokenId(token), 0)
                if units and share is not None:
                    units = min(units, share.get(str(token), 0))
                if units and one.vouches_for is not None:
                    units = _vouched(authorities.get(Address(one.address)), TokenId(token), units)
                found[card.name] += units
    return found


def _vouched(authority: Authority | None, token: TokenId, units: int) -> int:
    if authority is None or authority.level is None:
        return 0
    most = authority.most(token)
    return units if most is None else min(units, most)


# --- the lights -------------------------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class LineSeen:
    """A line of a list, with its light."""

    line: int
    section: str | None
    count: int
    card: str
    light: Light
    need: int
    """Copies of the card in the whole list."""
    held: int | None
    """What wallets have of it; None: nobody knows, or nobody has to prove it."""
    reasons: tuple[str, ...]
    """Rules that the line breaks."""


@dataclass(frozen=True, slots=True)
class Seen:
    """A list with its lights."""

    lines: tuple[LineSeen, ...]
    faults: tuple[LineFault, ...]
    whole: tuple[str, ...]
    """Rules that a section or the whole list breaks, and no card alone."""
    size: int
    missing: int
    """Units that wallets do not have."""
    short: int
    """Cards of which some are missing."""
    asks_cards: bool
    """Whether players prove their cards."""
    purse: Purse | None
    """What wallets hold; None: nobody has to prove it, or no wallet is linked."""

    @property
    def is_readable(self) -> bool:
        """Whether the whole list can be handed in."""
        return not self.faults and bool(self.lines)

    @property
    def is_legal(self) -> bool:
        """Whether it would count."""
        return self.is_readable and not self.whole and not any(line.reasons for line in self.lines)

    @property
    def is_known(self) -> bool:
        """Whether it is known what wallets have."""
        return self.purse is not None and self.purse.units is not None


def look(draft: Draft, event: EventRow, purse: Purse | None, today: date) -> Seen:
    """Give each line its light.

    Args:
        draft: what was written.
        event: by whose rules.
        purse: what wallets hold; None: nothing is linked, or nobody has to prove it.
        today: by which it is judged if the event has no day.
    """
    asks, deck = ownership.is_required(event), draft.deck
    if deck is None:
        return Seen((), draft.faults, (), 0, 0, 0, asks, purse)
    day = date.fromisoformat(event.starts_at[:_DAY]) if event.starts_at else today
    broken = deck.violations(on=day, max_rating=event.max_rating)
    held, need = None if purse is None else purse.units, _copies(deck)
    lacking = [] if held is None else [least for name in need if (least := need[name] - held.get(name, 0)) > 0]
    return Seen(
        lines=tuple(_seen(slot, broken, need, held, asks=asks) for slot in deck.slots),
        faults=draft.faults,
        whole=tuple(one.message for one in broken if not _is_of_card(one)),
        size=deck.size,
        missing=sum(lacking),
        short=len(lacking),
        asks_cards=asks,
        purse=purse,
    )


def _copies(deck: Deck | None) -> Counter[str]:
    """Of each card in the whole list."""
    copies: Counter[str] = Counter()
    for slot in deck.slots if deck else ():
        copies[slot.card.name] += slot.count
    return copies


def _seen(
    slot: Slot, broken: Sequence[Violation], need: Mapping[str, int], held: Mapping[str, int] | None, *, asks: bool
) -> LineSeen:
    name = slot.card.name
    has = None if held is None else held.get(name, 0)
    reasons = tuple(one.message for one in broken if _is_of_card(one) and slot.line in one.lines)
    light = _light(reasons, need[name], has, asks=asks)
    return LineSeen(slot.line or 0, slot.section, slot.count, name, light, need[name], has, reasons)


def _is_of_card(violation: Violation) -> bool:
    """Whether it is about lines; what is about a section or the whole list is said once."""
    return violation.card is not None and bool(violation.lines)


def _light(reasons: Sequence[str], need: int, held: int | None, *, asks: bool) -> Light:
    if reasons or (held is not None and held < need):
        return Light.RED
    return Light.AMBER if asks and held is None else Light.GREEN


# --- picking cards ----------------------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Found:
    """A card of the game that a search found."""

    card: Card
    written: int
    """Copies on the list."""
    held: int | None


def find(words: str, rules: Format, draft: Draft, purse: Purse | None) -> list[Found]:
    """Cards whose name, type, traits or text has all the words; those first whose name begins with them.

    Args:
        words: as somebody types them; nothing finds nothing.
        rules: the format.
        draft: the list so far.
        purse: what wallets hold.
    """
    sought = fold(words).split()
    if not sought:
        return []
    written = _copies(draft.deck)
    held = None if purse is None else purse.units
    allowed = {one for section in rules.sections for one in section.types}
    cards = [
        card
        for card in library.catalogue(rules.game).cards
        if card.type in allowed and all(word in _said(card) for word in sought)
    ]
    first = " ".join(sought)
    cards.sort(key=lambda card: (not fold(card.name).startswith(first), not _in_name(card, sought)))
    return [
        Found(card, written[card.name], None if held is None else held.get(card.name, 0)) for card in cards[:MOST_FOUND]
    ]


def _in_name(card: Card, sought: Sequence[str]) -> bool:
    return all(word in fold(card.name) for word in sought)


def _said(card: Card) -> str:
    return fold(" ".join([card.name, card.type, *(one for those in card.traits.values() for one in those)]))


def changed(source: str, rules: Format, name: str, by: int) -> str:
    """A list with one copy of a card more or fewer. Whatever else is written stays as it is.

    A list in the syntax of another program becomes plain text.

    Args:
        source: the list; may be empty.
        rules: the format.
        name: of the card.
        by: 1 or -1.

    Raises:
        UnknownCard: no card is called that.
    """
    card = library.catalogue(rules.game).find(name)
    draft = read(source, rules)
    text = source
    if draft.deck is not None and not _is_text(source, draft.deck):
        text = decks.as_text(draft.deck.decklist)
        draft = read(text, rules)
    lines = text.split("\n") if text.strip() else []
    slots = draft.deck.slots if draft.deck else ()
    for slot in reversed(slots):
        if slot.card == card and slot.line:
            count = min(MOST_COPIES, slot.count + by)
            if count < 1:
                del lines[slot.line - 1]
            else:
                lines[slot.line - 1] = _COUNTED.sub(rf"\g<1>{count}\g<3>", lines[slot.line - 1])
            return "\n".join(lines)
    return "\n".join(lines) if by < 0 else _with_card(lines, rules, card, draft)


def _with_card(lines: list[str], rules: Format, card: Card, draft: Draft) -> str:
    """Behind the last card of its section, else under a header of its own."""
    slots = draft.deck.slots if draft.deck else ()
    home = next((section for section in rules.sections if card.type in section.types), None)
    beside = [
        slot.line for slot in slots if slot.line and home is not None and slot.card.type in home.types and slot.section
    ]
    if beside:
        lines.insert(max(beside), f"1 {card.name}")
    elif home is None or (slots and not any(slot.section for slot in slots)):
        lines.append(f"1 {card.name}")
    else:
        while lines and not lines[-1].strip():
            lines.pop()
        lines += [*([""] if lines else []), home.name, f"1 {card.name}"]
    return "\n".join(lines)


def _is_text(source: str, deck: Deck) -> bool:
    """Whether each card stands on a line that begins with its count."""
    lines = source.split("\n")
    return all(slot.line and _COUNTED.match(lines[slot.line - 1]) for slot in deck.slots)
