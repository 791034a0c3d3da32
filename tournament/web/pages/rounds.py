"""Who plays whom, and why."""

from dataclasses import dataclass
from typing import Annotated, Literal

from fastapi import APIRouter, Path, Query, Response

from tournament.api import documents
from tournament.api.answers import Viewer
from tournament.api.deps import Looking
from tournament.api.schemas import PlayedRound, Seat
from tournament.domain.model import place_by_player
from tournament.service.entries import MOST_NUMBER
from tournament.service.results import TablePlaces
from tournament.web import answers
from tournament.web.paging import Named, PageNumber, page_of
from verifier.decklist.fold import fold

router = APIRouter(prefix="/e/{event}/pairings")
Number = Annotated[int, Path(ge=1, le=MOST_NUMBER)]
By = Annotated[Literal["name", "table"], Query()]


@dataclass(frozen=True)
class Line:
    """A table as one of its players sees it, or as it stands in the room."""

    name: str
    others: tuple[str, ...]
    """Nobody for a bye, several at a table of several."""
    seat: Seat
    player: int
    chairs: tuple[tuple[int, str], ...]
    """Everybody at the table, by number and name."""

    @property
    def is_first(self) -> bool:
        """Whose games stand first in the result."""
        return self.player == self.seat.first

    @property
    def place(self) -> int | None:
        """What the player came to at a table of several; None before, and if everybody lost."""
        return self._places.get(self.player)

    @property
    def in_order(self) -> list[tuple[str, int | None]]:
        """Everybody at a table of several with the place, the best first; as they sit before there is a result."""
        placed = [(name, self._places.get(player)) for player, name in self.chairs]
        return sorted(placed, key=lambda one: one[1] or 0)

    @property
    def _places(self) -> dict[int, int]:
        result = self.seat.result
        return place_by_player(result.places if isinstance(result, TablePlaces) else ())


@router.get("")
def show_newest(look: Looking, name: Named = "", by: By = "name", page: PageNumber = 1) -> Response:
    """The newest round."""
    return _page(look, None, name, by, page)


@router.get("/{number}")
def show_round(look: Looking, number: Number, name: Named = "", by: By = "name", page: PageNumber = 1) -> Response:
    """A round."""
    return _page(look, number, name, by, page)


@router.get("/{number}/why")
def show_certificate(look: Looking, number: Number) -> Response:
    """Why a round is paired as it is, and the proof that none is better."""

    def shown(viewer: Viewer) -> dict[str, object]:
        names = {one.number: one.name for one in documents.players_of(viewer).values()}
        return {
            "certificate": documents.certificate_of(viewer, number),
            "changes": documents.changes_of(viewer, number).changes,
            "names": names,
        }

    return answers.event_page(look, "certificate.html", shown)


def _page(look: Looking, number: int | None, name: str, by: Literal["name", "table"], page: int) -> Response:
    def shown(viewer: Viewer) -> dict[str, object]:
        rounds = documents.rounds_of(viewer).rounds
        asked = number or max((one.number for one in rounds), default=None)
        if asked is None:
            return {"played": None, "listed": None, "name": name, "by": by}
        played = documents.round_of(viewer, asked)
        names = {one.number: one.name for one in documents.players_of(viewer).values()}
        lines = by_name(played, names) if by == "name" else _by_table(played, names)
        listed = page_of(lines, name, page, of=_name_of if by == "name" else _both_of)
        return {"played": played, "listed": listed, "name": name, "by": by}

    return answers.event_page(look, "pairings.html", shown)


def by_name(played: PlayedRound, names: dict[int, str]) -> list[Line]:
    """A line for each player, in the order of names."""
    lines = [_line(seat, player, names) for seat in played.seats for player in _chairs(seat)]
    return sorted(lines, key=lambda line: (fold(line.name), line.seat.first))


def _by_table(played: PlayedRound, names: dict[int, str]) -> list[Line]:
    lines = [_line(seat, seat.first, names) for seat in played.seats]
    return sorted(lines, key=lambda line: (line.seat.table is None, line.seat.table or 0, fold(line.name)))


def _chairs(seat: Seat) -> list[int]:
    return [seat.first, *([] if seat.second is None else [seat.second]), *seat.others]


def _line(seat: Seat, player: int, names: dict[int, str]) -> Line:
    chairs = tuple((chair, names[chair]) for chair in _chairs(seat))
    return Line(names[player], tuple(name for chair, name in chairs if chair != player), seat, player, chairs)


def _name_of(line: Line) -> str:
    return line.name


def _both_of(line: Line) -> str:
    return "\n".join((line.name, *line.others))
