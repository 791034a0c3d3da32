"""Claimants: whose cards are looked at at an epoch, what their lists need, and which wallets answer for them."""

import json
from collections.abc import Collection, Iterable, Mapping
from dataclasses import dataclass
from functools import lru_cache
from typing import Final

from sqlmodel import Session

from games import library
from games.errors import GameError
from tournament import store
from tournament.domain.bracket import places
from tournament.domain.lifecycle import Phase
from tournament.service import decks
from tournament.store import LinkedWallet
from tournament.tables import EpochRow, EventRow
from verifier.coverage import Need
from verifier.decklist import DecklistUnreadable
from verifier.delegation import Delegation
from verifier.holdings import Address, TokenId
from verifier.ledger import Share, Split

NO_LIST: Final = "there is no legal list"
NO_WALLET: Final = "no wallet is linked"
ERASED: Final = "the list or a wallet was erased"
UNREADABLE: Final = "the list names cards that are not known any more"


@dataclass(frozen=True, slots=True)
class Claimant:
    """A player whose cards are looked at."""

    entry: int
    listed: str | None
    """The commitment of the list that counts."""
    linked: tuple[LinkedWallet, ...]
    needs: tuple[Need, ...] = ()
    cause: str = ""
    """Why the cards cannot be looked at; empty if they can."""

    @property
    def wallets(self) -> tuple[Address, ...]:
        """Whose units count for the player; those of a vault as far as it vouches for the player's wallet."""
        return tuple(Address(one.address) for one in self.linked)

    @property
    def delegations(self) -> tuple[Delegation, ...]:
        """What the registry is asked: whether each vault vouches for the wallet for which it was named."""
        own = {one.commitment: Address(one.address) for one in self.linked if one.vouches_for is None}
        tokens = tuple(dict.fromkeys(token for need in self.needs for token in need.token_ids))
        return tuple(
            Delegation(Address(one.address), own[one.vouches_for], tokens)
            for one in self.linked
            if one.vouches_for in own
        )

    @property
    def vaults(self) -> frozenset[Address]:
        """Those of the wallets that count only as far as they vouch for another."""
        return frozenset(Address(one.address) for one in self.linked if one.vouches_for is not None)


def players_of(session: Session, event: EventRow, epoch: EpochRow) -> frozenset[int]:
    """Who is looked at: everybody who plays, and with whom the round began that the epoch opened, also of the cut."""
    if event.phase == Phase.CUT and (bracket := store.bracket_of(session, event.id)) is not None:
        out = {player for place in places(bracket) for player in place.players}
        playing = frozenset(int(player) for player in bracket.seeds if player not in out)
    else:
        playing = frozenset(store.numbers_in(session, event.id))
    seated = store.seated_in(session, event.id, epoch.round) if epoch.round else frozenset()
    return playing | seated | store.in_cut_by(session, event.id, epoch.number)


def claimants_of(session: Session, event: EventRow, players: Collection[int]) -> dict[int, Claimant]:
    """What these players' lists need, and which wallets answer for it."""
    listed, texts = store.listed_of(session, event.id), store.lists_of(session, event.id)
    linked = by_entry(store.wallets_of(session, event.id))
    return {
        entry: _with_needs(event, Claimant(entry, listed.get(entry), linked.get(entry, ())), texts)
        for entry in sorted(players)
    }


def hindrances_of(session: Session, event: str, players: Iterable[int]) -> Mapping[int, str]:
    """Of whom the cards could not be looked at now, each with what is missing: a list, a wallet, or both."""
    listed, serving = store.listed_of(session, event), store.serving_of(session, event)
    found = {
        entry: [words for words, there in ((NO_LIST, listed), (NO_WALLET, serving)) if entry not in there]
        for entry in players
    }
    return {entry: ", and ".join(missing) for entry, missing in found.items() if missing}


def needs_of(session: Session, event: EventRow, entry: int) -> tuple[Need, ...]:
    """What the list of one player needs; nothing while there is none."""
    deck = store.find_deck(session, event.id, entry)
    kept = None if deck is None or deck.commitment is None else store.find_sealed(session, event.id, deck.commitment)
    if kept is None or not kept.text:
        return ()
    return _needs(kept.text, event.game, event.format, event.format_version) or ()


def splits_of(wallets: Iterable[LinkedWallet]) -> list[Split]:
    """The wallets that serve several entries, each with what is whose; in the order that each signed."""
    shares: dict[Address, list[tuple[int, int, Share]]] = {}
    for one in wallets:
        if one.share is not None:
            units = {TokenId(int(token)): count for token, count in json.loads(one.share or "{}").items()}
            shares.setdefault(Address(one.address), []).append((one.linked, one.place, Share(one.entry, units)))
    return [
        Split(wallet, tuple(share for *_, share in sorted(those, key=lambda those: those[:2])))
        for wallet, those in shares.items()
    ]


def by_entry(wallets: Iterable[LinkedWallet]) -> Mapping[int, tuple[LinkedWallet, ...]]:
    """Wallets by the entry that they serve."""
    found: dict[int, list[LinkedWallet]] = {}
    for one in wallets:
        found.setdefault(one.entry, []).append(one)
    return {entry: tuple(those) for entry, those in found.items()}


def _with_needs(event: EventRow, base: Claimant, texts: Mapping[str, str]) -> Claimant:
    if base.listed is None:
        return _unfit(base, NO_LIST)
    if not base.linked:
        return _unfit(base, NO_WALLET)
    text = texts.get(base.listed, "")
    if not text or not all(one.address for one in base.linked):
        return _unfit(base, ERASED)
    needs = _needs(text, event.game, event.format, event.format_version)
    if needs is None:
        return _unfit(base, UNREADABLE)
    return Claimant(base.entry, base.listed, base.linked, needs)


def _unfit(base: Claimant, cause: str) -> Claimant:
    return Claimant(base.entry, base.listed, base.linked, (), cause)


@lru_cache(maxsize=4096)
def _needs(text: str, game: str, name: str, version: int | None) -> tuple[Need, ...] | None:
    """What a list needs; None if its cards are not known any more."""
    rules = library.format_named(game, name, version) if name else decks.rules_of(game)
    try:
        return decks.find_cards(decks.unpacked(text), rules).needs
    except (DecklistUnreadable, GameError):
        return None
