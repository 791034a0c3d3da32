"""What a player may read of the own entry, and what is to be done next: for the API's answers and for the pages."""

from dataclasses import dataclass
from datetime import UTC, datetime
from enum import StrEnum

from sqlmodel import Session

from games.formats import Format
from tournament import store
from tournament.api import documents
from tournament.api.answers import Viewer
from tournament.api.schemas import (
    DepartureLine,
    EntryDeck,
    EntryOwnership,
    EntryPass,
    EntryWallets,
    LackLine,
    Mine,
    PassLine,
    VerdictLine,
    WalletLine,
)
from tournament.api.schemas import Entry as EntryDocument
from tournament.api.schemas.document import clock
from tournament.domain.announcement import Decklist
from tournament.domain.lifecycle import Phase
from tournament.domain.roles import READERS, by_rank
from tournament.errors import DeckNotFound, NotYours, OwnershipNotAsked, PassNotFound
from tournament.service import decklists, departures, drafting, ownership, passes, wallets
from tournament.service.claimants import hindrances_of
from tournament.service.commands import text_of
from tournament.service.entries import DESK, load
from tournament.service.pass_books import CLOSED
from tournament.service.shortfalls import advice_of, lacks_of, light_of
from tournament.tables import EntryRow, EventRow
from verifier.coverage import Outcome
from verifier.passes import Shown, write_payload


def mine_of(viewer: Viewer) -> Mine:
    """The own entry. Raises: NotYours: no player reads."""
    if viewer.player is None:
        raise NotYours("reading your own entry", ["player"])
    session, event = viewer.session, viewer.event
    row = load(session, event.id, viewer.player)
    deck = store.find_deck(session, event.id, row.number)
    waits = row.waiting is not None and row.dropped_after is None and row.merged_into is None
    return Mine(
        entry=EntryDocument.of(row, deck),
        place_in_line=store.waiting_before(session, event.id, row) + 1 if waits else None,
        has_draft=deck is not None and deck.draft is not None,
        is_unlocked=deck is not None and deck.unlocked is not None,
        is_waived=deck is not None and deck.waived is not None,
        decklist=Decklist(event.decklist),
        decks_until=event.decks_until,
    )


def wallets_of(viewer: Viewer, number: int) -> EntryWallets:
    """The wallets and vaults of an entry; for the player, judges and organizers. Raises: NotYours, EntryNotFound."""
    if viewer.player != number and not viewer.roles & READERS:
        raise NotYours("reading a player's wallets", ["player", *sorted(READERS)])
    load(viewer.session, viewer.event.id, number)
    found = store.wallets_of(viewer.session, viewer.event.id, number)
    return EntryWallets(
        entry=number,
        locked=wallets.why_locked(viewer.session, viewer.event),
        wallets=[WalletLine.of(one) for one in found],
    )


def ownership_of(viewer: Viewer, number: int) -> EntryOwnership:
    """A player's wallets, and which cards were missing at which epoch; for the player, judges and organizers.

    Raises:
        NotYours, EntryNotFound
        OwnershipNotAsked: cards are looked at nowhere.
    """
    if viewer.player != number and not viewer.roles & READERS:
        raise NotYours("reading what a player holds", ["player", *sorted(READERS)])
    session, event = viewer.session, viewer.event
    entry = load(session, event.id, number)
    rows = store.epochs_of(session, event.id)
    if not rows:
        raise OwnershipNotAsked(event.id)
    verdicts = store.verdicts_of(session, event.id, number)
    lacks = lacks_of(session, event, number, for_staff=viewer.is_staff)
    newest = ownership.verdicts_now(session, event.id, rows[-1]).get(number)
    epoch, verdict = rows[-1], newest
    if verdict is None and entry.dropped_after is not None and verdicts:  # whoever left is looked at no more
        verdict = verdicts[-1]
        epoch = next(row for row in rows if row.number == verdict.epoch)
    light = light_of(epoch, verdict, hindrances_of(session, event.id, [number]).get(number, ""))
    left = departures.left_of(session, event, number)
    return EntryOwnership(
        entry=number,
        light=light.light,
        words=light.words,
        advice=advice_of(event, rows[-1], newest, left, is_in=entry.dropped_after is None),
        departures=[DepartureLine.of(one) for one in left],
        wallets=[one.address for one in store.wallets_of(session, event.id, number) if one.address],
        verdicts=[
            VerdictLine.of(
                verdict,
                []
                if verdict.outcome == Outcome.COVERED
                else [LackLine.of(lack) for lack in lacks.get(verdict.epoch, [])],
            )
            for verdict in verdicts
        ],
    )


def pass_row_of(viewer: Viewer, number: int) -> store.PassOf:
    """The pass of an entry, for whoever may see what a scanner reads. Raises: NotYours, PassNotFound."""
    if viewer.player != number and not viewer.roles & DESK:
        raise NotYours("reading a pass", ["player", *by_rank(DESK)])
    return passes.current(viewer.session, viewer.event, load(viewer.session, viewer.event.id, number).number)


def pass_of(viewer: Viewer, number: int) -> EntryPass:
    """The same with what a scanner reads."""
    found = pass_row_of(viewer, number)
    return EntryPass.with_text(found, passes.signed(viewer.session, viewer.codes, found.row))


def pass_text_of(viewer: Viewer, number: int) -> str:
    """What a scanner reads alone."""
    return write_payload(Shown(passes.signed(viewer.session, viewer.codes, pass_row_of(viewer, number).row)))


# --- before the event: what is done, and what is next -----------------------------------------------------------------


class Next(StrEnum):
    """What a player does next."""

    LINK = "link a wallet"
    HAND_IN = "hand in a list"
    MAKE_PASS = "make a pass"  # noqa: S105 - no password
    SHOW_PASS = "show the pass"  # noqa: S105 - no password
    PLAY = "go to the table"
    LOOK_BACK = "look at what was"
    WAIT = "nothing"


@dataclass(frozen=True, slots=True)
class Pass:
    """How it stands with a player's pass."""

    are_given: bool
    """Whether the event gives passes."""
    line: PassLine | None
    """The one that there is, whatever it is worth."""
    counts: bool
    is_bound: bool
    """To a device, which alone can draw it."""
    hindrances: tuple[str, ...]
    """Why none can be made now."""


@dataclass(frozen=True, slots=True)
class Readiness:
    """How far a player is."""

    mine: Mine
    is_in: bool
    """Whether the player has or waits for a place."""
    has_begun: bool
    is_over: bool
    asks_wallets: bool
    wallets: int
    asks_list: bool
    needs_list: bool
    list_locked: str
    """Why the list can be changed no more; empty while it can."""
    cards: EntryOwnership | None
    """What was found of them; None where nobody looks."""
    looks_at: str | None
    """When cards are looked at first, or next."""
    entry_pass: Pass

    @property
    def next(self) -> Next:
        """What the player does next."""
        if self.is_over:
            return Next.LOOK_BACK
        if not self.is_in:
            return Next.WAIT
        return Next.PLAY if self.has_begun else self._before

    @property
    def _before(self) -> Next:
        if self.asks_wallets and not self.wallets:
            return Next.LINK
        if self.needs_list and self.mine.entry.deck is None and not self.list_locked:
            return Next.HAND_IN
        if self.entry_pass.counts:
            return Next.SHOW_PASS
        return Next.MAKE_PASS if self.entry_pass.are_given and not self.entry_pass.hindrances else Next.WAIT


def readiness_of(viewer: Viewer) -> Readiness:
    """How far the player who reads is. Raises: NotYours: no player reads."""
    mine = mine_of(viewer)
    session, event, number = viewer.session, viewer.event, mine.entry.number
    row = load(session, event.id, number)
    asks_wallets = ownership.is_required(event)
    epochs = store.epochs_of(session, event.id) if asks_wallets else []
    unread = [epoch.opens_at for epoch in epochs if epoch.read is None]
    return Readiness(
        mine=mine,
        is_in=row.dropped_after is None and row.merged_into is None and not row.disqualified and row.erased is None,
        has_begun=bool(store.last_published(session, event.id)),
        is_over=event.phase in {Phase.FINISHED, Phase.VOID},
        asks_wallets=asks_wallets,
        wallets=len(store.wallets_of(session, event.id, number)) if asks_wallets else 0,
        asks_list=mine.decklist != Decklist.NONE,
        needs_list=mine.decklist == Decklist.REQUIRED and not mine.is_waived,
        list_locked=_list_locked(session, event, mine),
        cards=ownership_of(viewer, number) if epochs else None,
        looks_at=clock(unread[0]) if unread else None,
        entry_pass=_pass_of(viewer, row),
    )


def _list_locked(session: Session, event: EventRow, mine: Mine) -> str:
    if event.phase in {Phase.FINISHED, Phase.VOID}:
        return "the event is over"
    if mine.is_unlocked:
        return ""
    return decklists.why_locked(session, event, text_of(datetime.now(UTC))) or ""


def _pass_of(viewer: Viewer, row: EntryRow) -> Pass:
    session, event = viewer.session, viewer.event
    are_given = store.find_pass_book(session, event.id) is not None
    try:
        one = passes.current(session, event, row.number)
    except PassNotFound:
        one = None
    counts = one is not None and passes.standing(one) is passes.Standing.COUNTS
    is_good = counts and one is not None and one.row.not_after > datetime.now(UTC).timestamp()
    return Pass(
        are_given=are_given,
        line=None if one is None else PassLine.of(one),
        counts=is_good,
        is_bound=one is not None and one.row.holder_key is not None,
        hindrances=tuple(_hindrances(session, event, row)) if are_given else (),
    )


def _hindrances(session: Session, event: EventRow, row: EntryRow) -> list[str]:
    if event.phase in CLOSED:
        return [f"the event is in {event.phase}"]
    epoch = passes.newest_epoch(session, event)
    verdict = None if epoch is None else ownership.verdicts_now(session, event.id, epoch).get(row.number)
    said = passes.due(event, row, store.find_deck(session, event.id, row.number), epoch, verdict)
    return said if isinstance(said, list) else []


# --- a list that is written -------------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Writing:
    """What is needed to look at a list while it is written. It outlives the session."""

    event: EventRow
    rules: Format
    wanted: drafting.Wanted | None
    """What the chain is asked; None: nothing."""
    lists: EntryDeck | None
    """What was handed in."""

    @property
    def kept(self) -> str:
        """The list that was handed in last, as it may be typed again; empty for none."""
        last = None if self.lists is None else self.lists.draft or self.lists.legal
        return "" if last is None else last.text


def writing_of(viewer: Viewer) -> Writing:
    """What the player who reads needs to write a list. Raises: NotYours: no player reads."""
    number = mine_of(viewer).entry.number
    event = viewer.event.model_copy()
    return Writing(
        event=event,
        rules=decklists.rules_of_event(event),
        wanted=drafting.wanted(viewer.session, viewer.event, number),
        lists=_lists(viewer, number),
    )


def _lists(viewer: Viewer, number: int) -> EntryDeck | None:
    try:
        return documents.deck_of(viewer, number)
    except DeckNotFound:
        return None
