"""What is printed for an event: slips, sheets of registration, the list of who is to be checked in."""

from collections.abc import Collection, Sequence
from dataclasses import dataclass

from tournament import store
from tournament.api import documents
from tournament.api.answers import Viewer
from tournament.api.schemas import Entry, KeptDeck
from tournament.domain.errors import TournamentError
from tournament.domain.roles import AT_THE_DESK, READERS, by_rank
from tournament.errors import NotYours
from tournament.service.codes import Purpose
from tournament.service.entries import DESK
from tournament.service.entries import load as load_entry
from verifier.decklist.fold import fold


@dataclass(frozen=True)
class Slip:
    """A table on paper, to be filled in."""

    table: int
    players: tuple[tuple[int, str], ...]
    """Number and name, the first player first."""

    @property
    def is_of_several(self) -> bool:
        """More than two sit there, so places are written down and no games."""
        return len(self.players) > len(("first", "second"))


@dataclass(frozen=True)
class Sheet:
    """A player's sheet of registration."""

    entry: Entry
    code: str | None
    """What the player signs in with; None where the reader may not know it."""
    deck: KeptDeck | None
    """The list that counts; None where there is none, or the reader may not see it."""
    sees_deck: bool
    """Whether the reader may see lists."""


def check_prints(viewer: Viewer) -> None:
    """Refuse whoever does not print for the event. Raises: NotYours."""
    if not viewer.roles & AT_THE_DESK:
        raise NotYours("printing this", by_rank(AT_THE_DESK))


def newest_round(viewer: Viewer) -> int | None:
    """The latest round that the reader may see; None before the first."""
    return max((one.number for one in documents.rounds_of(viewer).rounds), default=None)


def slips_of(viewer: Viewer, number: int, tables: Collection[int] = ()) -> list[Slip]:
    """Slips of a round in the order of the tables; of some tables only, if any are named.

    Raises:
        NotYours: the reader is not of the staff.
        RoundNotFound: no such round.
    """
    check_prints(viewer)
    played = documents.round_of(viewer, number)
    seats = [seat for seat in played.seats if seat.table is not None and (not tables or seat.table in tables)]
    at = {
        seat.table or 0: [seat.first, *([] if seat.second is None else [seat.second]), *seat.others] for seat in seats
    }
    names = store.names_of(viewer.session, viewer.event.id, (player for there in at.values() for player in there))
    return [Slip(table, tuple((player, names[player]) for player in at[table])) for table in sorted(at)]


def expected(viewer: Viewer) -> list[Entry]:
    """Everybody who has a place or waits for one, by name. Raises: NotYours."""
    check_prints(viewer)
    here = [one for one in documents.players_of(viewer).values() if one.merged_into is None and not _is_gone(one)]
    return sorted(here, key=lambda one: (fold(one.name), one.number))


def sheets_of(viewer: Viewer, entries: Sequence[Entry]) -> list[Sheet]:
    """Sheets of these players, with what the reader may know of each. Raises: NotYours."""
    check_prints(viewer)
    return [_sheet(viewer, one) for one in entries]


def _sheet(viewer: Viewer, entry: Entry) -> Sheet:
    event = viewer.event.id
    sees_deck = bool(viewer.roles & READERS)
    code = None
    if viewer.roles & DESK:
        row = load_entry(viewer.session, event, entry.number)
        code = viewer.codes.code(Purpose.ENTRY, event, row.number, row.code)
    return Sheet(entry, code, _deck(viewer, entry.number) if sees_deck else None, sees_deck)


def _deck(viewer: Viewer, number: int) -> KeptDeck | None:
    try:
        return documents.deck_of(viewer, number).legal
    except TournamentError:  # none was handed in
        return None


def _is_gone(entry: Entry) -> bool:
    return entry.dropped_after is not None or entry.disqualified
