"""What judges read: the queue, checks, penalties, notes, and everything of one player. For the API and for pages."""

from collections.abc import Mapping
from dataclasses import asdict, dataclass
from typing import Final

from tournament import store
from tournament.api import documents
from tournament.api.answers import Viewer
from tournament.api.schemas import (
    DeckCheckLine,
    DeckChecks,
    DeckDrawLine,
    Entry,
    InfractionLine,
    Infractions,
    LightLine,
    NoteLine,
    Notes,
    Overview,
    Penalties,
    PenaltyAdvice,
    PenaltyEffect,
    PenaltyLine,
)
from tournament.domain.infractions import infractions_of
from tournament.domain.lifecycle import Phase
from tournament.domain.roles import INSIDERS, READERS, by_rank
from tournament.errors import EntryNotFound, NotYours
from tournament.service import judging, penalties

PAGE: Final = 500
"""Of a list, at most."""


def check_is_judge(viewer: Viewer) -> None:
    """Refuse whoever may not read what judges write. Raises: NotYours."""
    if not viewer.is_staff:
        raise NotYours("judging", by_rank(INSIDERS))


def overview_of(viewer: Viewer) -> Overview:
    """Disagreements, calls, deck checks and penalties of the round."""
    return Overview.of(judging.overview(viewer.session, viewer.event))


def infractions_at(viewer: Viewer) -> Infractions:
    """What is named for the event's game."""
    known = infractions_of(viewer.event.game)
    return Infractions(infractions=[InfractionLine(**asdict(one), repeated=one.repeated) for one in known])


def advice_of(viewer: Viewer, entry: int, infraction: str) -> PenaltyAdvice:
    """What a player got for an infraction before, and what is usual now. Raises: EntryNotFound."""
    session, event = viewer.session, viewer.event
    known = penalties.advise(session, event, entry, infraction)
    names = store.names_of(session, event.id, [entry])
    return PenaltyAdvice(
        code=known.infraction.code if known.infraction else "",
        infraction=known.infraction.name if known.infraction else infraction,
        nth=len(known.before) + 1,
        usual=known.usual,
        sentence=known.sentence,
        before=[PenaltyLine.of(row, names, own=False, staff=True) for row in known.before],
        history=[PenaltyLine.of(row, names, own=False, staff=True) for row in known.history],
    )


def penalties_of(viewer: Viewer, entry: int | None, *, after: int = 0, limit: int = PAGE) -> Penalties:
    """A page of penalties in order: of one player or of all, as far as the reader may know.

    Raises:
        NotYours: others' penalties, which the event does not show.
    """
    session, event = viewer.session, viewer.event
    sees_all = viewer.is_staff or event.penalties_public
    of = entry if sees_all else viewer.player
    if of is None and not sees_all:
        raise NotYours("reading penalties", [*by_rank(INSIDERS), "the player"])
    if entry not in {None, of}:
        raise NotYours("reading the penalties of another player", by_rank(INSIDERS))
    rows = store.penalty_page(session, event.id, entry=of, after=after, limit=limit + 1)
    following = rows[limit - 1].number if len(rows) > limit else None
    names = store.names_of(session, event.id, (row.entry for row in rows))
    return Penalties(
        penalties=[
            PenaltyLine.of(row, names, own=row.entry == viewer.player, staff=viewer.is_staff)
            for row in rows[:limit]
            if viewer.is_staff or row.entry == viewer.player or row.withdrawn is None
        ],
        next=following,
    )


def effect_of(viewer: Viewer, number: int) -> PenaltyEffect:
    """What a penalty would change now. Raises: PenaltyNotFound."""
    row = penalties.load(viewer.session, viewer.event.id, number)
    found = penalties.effect_of(viewer.session, viewer.event, row)
    return PenaltyEffect(penalty=number, why_not=found.why_not, table=found.table, out=found.out)


def deck_checks_of(viewer: Viewer, number: int | None = None) -> DeckChecks:
    """Deck checks and draws, of one round or all; in the end everybody sees the draws. Raises: NotYours."""
    if not viewer.is_staff and viewer.event.phase != Phase.FINISHED:
        raise NotYours("reading deck checks of an event that is not finished", by_rank(INSIDERS))
    draws = store.deck_draws_of(viewer.session, viewer.event.id)
    checks = store.deck_checks_of(viewer.session, viewer.event.id, number=number) if viewer.is_staff else []
    return DeckChecks(
        draws=[DeckDrawLine.of(row) for row in draws if number in {None, row.round}],
        checks=[DeckCheckLine.of(row) for row in checks],
    )


def notes_of(viewer: Viewer, entry: int | None, *, after: int = 0, limit: int = PAGE) -> Notes:
    """A page of notes in order, on one player or all."""
    found = store.note_page(viewer.session, viewer.event.id, entry=entry, after=after, limit=limit + 1)
    following = found[limit - 1][0].number if len(found) > limit else None
    return Notes(notes=[NoteLine.of(row, texts) for row, texts in found[:limit]], next=following)


@dataclass(frozen=True)
class Dossier:
    """One player, as judges see them."""

    player: Entry
    played: list[documents.Played]
    names: Mapping[int, str]
    """Of everybody, by number."""
    penalties: list[PenaltyLine]
    effects: Mapping[int, PenaltyEffect]
    """Of penalties that could change something and have not, by number."""
    notes: list[NoteLine]
    checks: list[DeckCheckLine]
    light: LightLine | None
    """Whether the cards are there; None where nobody has looked, or none are proven."""
    reads_decks: bool
    """Whether the reader may see lists that are not open."""
    is_waived: bool
    """Whether a judge lets the player play without a legal list."""
    is_unlocked: bool
    """Whether a judge lets the player change the list after the lock."""


def dossier_of(viewer: Viewer, number: int) -> Dossier:
    """Everything of one player that judges read. Raises: EntryNotFound."""
    players = documents.players_of(viewer)
    if number not in players:
        raise EntryNotFound(number)
    mine = penalties_of(viewer, number).penalties
    deck = store.find_deck(viewer.session, viewer.event.id, number)
    open_ones = [one.number for one in mine if not one.applied and not one.withdrawn]
    return Dossier(
        player=players[number],
        played=documents.played_by(viewer, number, upto=store.last_published(viewer.session, viewer.event.id)),
        names={one.number: one.name for one in players.values()},
        penalties=mine,
        effects={one: effect_of(viewer, one) for one in open_ones},
        notes=notes_of(viewer, number).notes,
        checks=[one for one in deck_checks_of(viewer).checks if number in (one.first, one.second, *one.others)],
        light=next((one for one in documents.lights_of(viewer).lights if one.entry == number), None),
        reads_decks=bool(viewer.roles & READERS),
        is_waived=deck is not None and deck.waived is not None,
        is_unlocked=deck is not None and deck.unlocked is not None,
    )
