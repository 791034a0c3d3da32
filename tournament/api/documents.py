"""What may be read of an event, for whoever reads it: the same documents for the API's answers and for the pages.

Who may see what is decided here and nowhere else, so a page cannot tell more than the API does.
"""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Final

from sqlmodel import Session

from tournament import store
from tournament.api.answers import Viewer
from tournament.api.schemas import (
    Certificate,
    CutDocument,
    Entry,
    EntryDeck,
    EpochLine,
    Epochs,
    Event,
    KeptDeck,
    LightLine,
    Lights,
    Places,
    PlayedRound,
    RoundLine,
    Rounds,
    StandingLine,
    Standings,
    TableChanges,
)
from tournament.domain.announcement import IfShort
from tournament.domain.bracket import finished
from tournament.domain.lifecycle import Phase
from tournament.domain.model import AnyRound, Bye, PlayerId, Pod, Way, place_by_player, players_at
from tournament.domain.roles import AT_THE_DESK, READERS
from tournament.errors import CutNotFound, DeckNotFound, NotYours
from tournament.service import brackets, cut, cut_rounds, decklists, ownership, reasons, rounds, standings
from tournament.service.claimants import hindrances_of
from tournament.service.events import lists_are_open
from tournament.service.shortfalls import Light, light_of
from verifier.decklist.fold import fold


def event_of(viewer: Viewer) -> Event:
    """The event as it is announced, and how far it is."""
    row = viewer.event
    sanction = ownership.sanctions_of(viewer.session, [row])[row.id]
    return Event.of(row, store.fields_of(viewer.session, [row.id])[row.id], sanction)


def rounds_of(viewer: Viewer) -> Rounds:
    """The rounds; a draft for staff only."""
    rows = store.round_rows(viewer.session, viewer.event.id)
    seen = [row for row in rows if row.published_at is not None or viewer.is_staff]
    return Rounds(rounds=[RoundLine(**row.model_dump(include=set(RoundLine.model_fields))) for row in seen])


def round_of(viewer: Viewer, number: int) -> PlayedRound:
    """A round with its tables. Raises: RoundNotFound."""
    row = rounds.seen(viewer.session, viewer.event.id, number, staff=viewer.is_staff)
    changes = store.table_changes(viewer.session, viewer.event.id, number)
    return PlayedRound.of(row, store.seats_of(viewer.session, viewer.event.id, number), len(changes))


def certificate_of(viewer: Viewer, number: int) -> Certificate:
    """Why a round is paired as it is. Raises: RoundNotFound, CertificateNotFound."""
    row = rounds.seen(viewer.session, viewer.event.id, number, staff=viewer.is_staff)
    changes = store.table_changes(viewer.session, viewer.event.id, number)
    proof = reasons.proof_of(row)
    is_told = viewer.is_staff or viewer.event.phase in {Phase.FINISHED, Phase.VOID}
    return Certificate(
        round=number,
        pairing=Way(row.pairing),
        words=reasons.words_of(row, proof, changes),
        proof=proof,
        draw=viewer.event.draw if is_told else None,
        as_paired=not changes,
    )


def changes_of(viewer: Viewer, number: int) -> TableChanges:
    """What was changed after a round was paired. Raises: RoundNotFound."""
    rounds.seen(viewer.session, viewer.event.id, number, staff=viewer.is_staff)
    return TableChanges.of(number, store.table_changes(viewer.session, viewer.event.id, number))


def standings_of(viewer: Viewer, after: int | None = None) -> Standings:
    """The standings after the last closed round, or an earlier one. Raises: RoundNotFound."""
    number, lines = standings.after(viewer.session, viewer.event, after)
    return Standings(after=number, preset=viewer.event.preset, standings=[StandingLine.of(line) for line in lines])


def cut_of(viewer: Viewer) -> CutDocument:
    """The cut as it stands. Raises: CutNotFound."""
    row = store.find_bracket(viewer.session, viewer.event.id)
    if row is None:
        raise CutNotFound
    lines = store.bracket_lines(viewer.session, viewer.event.id)
    clocks = store.match_clocks_of(viewer.session, viewer.event.id)
    bracket = brackets.load(viewer.session, viewer.event.id)
    rounds = store.cut_rounds_of(viewer.session, viewer.event.id)
    waiting = cut_rounds.waiting(viewer.session, viewer.event, bracket)
    return CutDocument.of(row, bracket, lines, clocks, rounds=rounds, waiting=waiting)


def has_cut(viewer: Viewer) -> bool:
    """Whether the cut has begun."""
    return store.find_bracket(viewer.session, viewer.event.id) is not None


def places_of(viewer: Viewer) -> Places:
    """Where everybody ends, as far as it is certain."""
    bracket, found = cut.places_of(viewer.session, viewer.event)
    is_over = viewer.event.phase == Phase.FINISHED
    return Places.of(found, complete=is_over if bracket is None else finished(bracket))


def players_of(viewer: Viewer) -> Mapping[int, Entry]:
    """Every entry by its number, those who wait or left with the others."""
    rows = store.entries_of(viewer.session, viewer.event.id)
    decks = store.decks_of(viewer.session, viewer.event.id)
    return {row.number: Entry.of(row, decks.get(row.number)) for row in rows}


def deck_of(viewer: Viewer, number: int) -> EntryDeck:
    """A player's list: for the player, judges and organizers; for everybody once the event opens lists.

    Raises:
        NotYours: it is not open.
        DeckNotFound: there is none.
    """
    is_reader = viewer.player == number or bool(viewer.roles & READERS)
    if not (is_reader or lists_are_open(viewer.event)):
        raise NotYours("reading a list that is not open", ["player", *sorted(READERS)])
    legal, draft = decklists.load(viewer.session, viewer.event.id, number)
    if legal is None and not is_reader:
        raise DeckNotFound(number)
    return EntryDeck(
        entry=number,
        legal=KeptDeck.of(legal) if legal else None,
        draft=KeptDeck.of(draft) if draft and is_reader else None,
    )


def epochs_of(viewer: Viewer) -> Epochs:
    """The blocks at which everybody's cards are looked at, and how many had them."""
    tallies = store.tallies_of(viewer.session, viewer.event.id)
    rows = store.epochs_of(viewer.session, viewer.event.id)
    return Epochs(epochs=[EpochLine.of(row, tallies.get(row.number, {})) for row in rows])


def lights_of(viewer: Viewer) -> Lights:
    """Who has their cards by the newest epoch, as far as the reader may know."""
    rows = store.epochs_of(viewer.session, viewer.event.id)
    if not rows:
        return Lights(epoch=None, lights=[])
    verdicts = ownership.verdicts_now(viewer.session, viewer.event.id, rows[-1])
    here = store.here_of(viewer.session, viewer.event.id)
    hindered = hindrances_of(viewer.session, viewer.event.id, (entry.number for entry in here))
    lines = [
        LightLine.at(
            entry.number,
            entry.name,
            light_of(rows[-1], verdicts.get(entry.number), hindered.get(entry.number, "")),
        )
        for entry in here
    ]
    return Lights(epoch=rows[-1].number, lights=[line for line in lines if _may_see(viewer, line)])


@dataclass(frozen=True)
class Played:
    """A player's table or bye in a round."""

    round: int
    table: int | None
    """None for a bye."""
    opponents: tuple[int, ...]
    """None has a bye, several a table of several."""
    mine: int
    theirs: int
    drawn: int
    ending: str | None
    """None while the table plays, and for a bye."""
    place: int | None = None
    """At a table of several that is over; None too if everybody lost."""


def played_by(viewer: Viewer, number: int, *, upto: int) -> list[Played]:
    """What a player played in published rounds, in order, up to a round."""
    rounds = store.rounds_of(viewer.session, viewer.event.id)
    return [one for played in rounds if played.number <= upto for one in _played(played, number)]


def played_in(viewer: Viewer, number: int, in_round: int) -> Played | None:
    """What a player played in one round; None if not in it."""
    rounds = store.rounds_of(viewer.session, viewer.event.id, only=in_round)
    return next((one for played in rounds for one in _played(played, number)), None)


def _played(played: AnyRound, number: int) -> Iterator[Played]:
    for seat in played.seats:
        chairs = tuple(map(int, players_at(seat)))
        if number not in chairs:
            continue
        others = tuple(chair for chair in chairs if chair != number)
        if isinstance(seat, Bye):
            yield Played(played.number, None, others, 0, 0, 0, None)
        elif isinstance(seat, Pod):
            ending = None if seat.placing is None else seat.ending.value
            place = place_by_player(seat.placing or ()).get(PlayerId(str(number)))
            yield Played(played.number, seat.table, others, 0, 0, 0, ending, place)
        else:
            result = seat.result
            games = (0, 0) if result is None else (result.first, result.second)
            mine, theirs = games if number == chairs[0] else reversed(games)
            drawn, ending = (0, None) if result is None else (result.drawn, result.ending.value)
            yield Played(played.number, seat.table, others, mine, theirs, drawn, ending)


@dataclass(frozen=True)
class Agenda:
    """Events by when they are; each list by its beginning."""

    running: list[Event]
    upcoming: list[Event]
    past: list[Event]
    """The latest first; a page of them."""
    has_more: bool
    """Whether there are past ones after these."""


AGENDA: Final = 50
"""Events of a list."""
_UPCOMING: Final = (Phase.DRAFT, Phase.REGISTRATION)
_RUNNING: Final = (Phase.CHECK_IN, Phase.ROUND, Phase.BETWEEN_ROUNDS, Phase.CUT)
_PAST: Final = (Phase.FINISHED, Phase.VOID)


def agenda_of(session: Session, account: str | None, words: str, page: int = 1) -> Agenda:
    """Events that anybody may see, and those where the account is staff.

    Args:
        session: to ask.
        account: who looks; None for anybody.
        words: a part of the name or venue, as somebody typed it; empty for every event.
        page: of the past ones, from 1; the others are on the first page only.
    """
    folded = fold(words)
    skip = AGENDA * (page - 1)
    past = list(store.agenda(session, account, _PAST, words=folded, latest_first=True, skip=skip, limit=AGENDA + 1))
    others = (_RUNNING, _UPCOMING) if page == 1 else ((), ())
    running, upcoming = (
        list(store.agenda(session, account, phases, words=folded, limit=AGENDA)) if phases else [] for phases in others
    )
    rows = [*running, *upcoming, *past[:AGENDA]]
    fields = store.fields_of(session, [row.id for row in rows])
    sanctions = ownership.sanctions_of(session, rows)
    made = {row.id: Event.of(row, fields[row.id], sanctions[row.id]) for row in rows}
    return Agenda(
        running=[made[row.id] for row in running],
        upcoming=[made[row.id] for row in upcoming],
        past=[made[row.id] for row in past[:AGENDA]],
        has_more=len(past) > AGENDA,
    )


def _may_see(viewer: Viewer, line: LightLine) -> bool:
    if viewer.roles & AT_THE_DESK or viewer.player == line.entry:
        return True
    return viewer.event.if_short == IfShort.WARN and line.light is Light.RED
