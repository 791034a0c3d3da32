"""Players: entered late, dropped, back, disqualified, at a table of their own, kept apart."""

from collections.abc import Callable, Mapping
from typing import Annotated, Any, Final

from fastapi import APIRouter, Path, Query, Response

from tournament.api import documents, scorekeeping
from tournament.api.answers import Viewer, seen
from tournament.api.deps import Look, Looking
from tournament.api.schemas import Entry
from tournament.domain.errors import TournamentError
from tournament.domain.lifecycle import Phase
from tournament.errors import EntryNotFound, PathNotFound, RequestFault, RequestUnreadable
from tournament.service import apart, disqualifications, entries, repairs
from tournament.service.commands import NO_NUL, Ask, Kind, Receipt, run
from tournament.service.entries import MOST_NUMBER
from tournament.web import answers
from tournament.web.forms import Form
from tournament.web.pages.control.frame import (
    Acting,
    Hand,
    Problem,
    asked,
    entry_in,
    number_in,
    obeyed,
    player_said,
    show,
)
from tournament.web.paging import Named, PageNumber, page_of
from verifier.decklist.fold import fold

router = APIRouter(prefix="/e/{event}/control/players")
Number = Annotated[int, Path(ge=1, le=MOST_NUMBER)]
Way = Annotated[str, Query(pattern=r"^(leaves|sits_down)?$")]
Tables = Annotated[str, Query(max_length=1000, pattern=NO_NUL)]
PAGE: Final = 40


@router.get("")
def list_players(look: Looking, name: Named = "", page: PageNumber = 1) -> Response:
    """Everybody by name, and who is kept apart; found by name or number."""
    return _list(look, name, page)


@router.post("")
def add_player(hand: Acting) -> Response:
    """Enter a player; once rounds are played, from the next one on."""

    def again(problem: Problem, status: int) -> Response:
        return _list(hand.look, form=hand.form, problem=problem, status=status)

    def add(ask: Ask) -> Receipt:
        return run(hand.database, entries.ADD, ask, asked(entries.Add, hand.typed))

    return obeyed(hand, add, lambda given: f"{hand.address}/players/{entry_in(given)}", again)


@router.post("/apart")
def keep_apart(hand: Acting) -> Response:
    """Keep two players apart, or let them meet again."""

    def again(problem: Problem, status: int) -> Response:
        return _list(hand.look, form=hand.form, problem=problem, status=status)

    def part(ask: Ask) -> Receipt:
        kind = apart.REMOVE if hand.typed.get("do") == "remove" else apart.ADD
        return run(hand.database, kind, ask, asked(apart.PairApart, {**hand.typed, **_two(hand)}))

    return obeyed(hand, part, f"{hand.address}/players", again)


@router.get("/apart")
def show_again(look: Looking) -> Response:
    """Whoever loads the page of a refusal again is at the list."""
    return answers.moved(look.request, f"/e/{look.event}/control/players")


@router.get("/{number}")
def show_player(look: Looking, number: Number, way: Way = "", playing: Tables = "") -> Response:
    """A player; with `way` what it comes to that the player leaves the round, or comes into it."""
    return _page(look, number, Form({"way": way, "playing": playing}))


@router.get("/{number}/{_what}")
def show_player_again(look: Looking, number: Number) -> Response:
    """Whoever loads the page of a refusal again is at the player."""
    return answers.moved(look.request, f"/e/{look.event}/control/players/{number}")


@router.post("/{number}/{what}")
def change_player(hand: Acting, number: Number, what: str) -> Response:
    """Drop, take back, promote, disqualify, reinstate, correct, or mend the round."""
    if what not in _CHANGES:
        raise PathNotFound(hand.look.request.url.path)

    def again(problem: Problem, status: int) -> Response:
        return _page(hand.look, number, hand.form, {**problem, "step": what}, status)

    to = hand.address if what == "mend" else f"{hand.address}/players/{number}"
    return obeyed(hand, lambda ask: _CHANGES[what](hand, ask, number), to, again)


def _of(kind: Kind[Any, Any]) -> Callable[[Hand, Ask, int], Receipt]:
    def change(hand: Hand, ask: Ask, number: int) -> Receipt:
        return run(hand.database, kind, ask, asked(kind.arguments, {**hand.typed, "entry": str(number)}))

    return change


def _edit(hand: Hand, ask: Ask, number: int) -> Receipt:
    typed = hand.typed
    said = asked(entries.Edit, {**typed, "entry": str(number)})
    if "fixed_table" in typed and not typed["fixed_table"].strip():
        said = entries.Edit(**said.model_dump(exclude_unset=True), fixed_table=None)
    return run(hand.database, entries.EDIT, ask, said)


def _mend(hand: Hand, ask: Ask, number: int) -> Receipt:
    way = "sits_down" if hand.typed.get("way") == "sits_down" else "leaves"
    said = {**hand.typed, way: str(number), "option": hand.typed.get("option", "")[:64]}
    mistake = asked(repairs.Repair, {name: value for name, value in said.items() if name != "playing"})
    return run(hand.database, repairs.REPAIR, ask, mistake.model_copy(update={"playing": _tables(said)}))


_CHANGES: Final[Mapping[str, Callable[[Hand, Ask, int], Receipt]]] = {
    "drop": _of(entries.DROP),
    "return": _of(entries.RETURN),
    "promote": _of(entries.PROMOTE),
    "disqualify": _of(disqualifications.DISQUALIFY),
    "reinstate": _of(disqualifications.REINSTATE),
    "edit": _edit,
    "mend": _mend,
}


def _list(
    look: Look,
    name: str = "",
    page: int = 1,
    *,
    form: Form | None = None,
    problem: Problem | None = None,
    status: int = 200,
) -> Response:
    def shown(viewer: Viewer) -> dict[str, Any]:
        players = [one for one in documents.players_of(viewer).values() if one.merged_into is None]
        in_order = sorted(players, key=lambda one: (fold(one.name), one.number))
        listed = page_of(in_order, name, page, of=_name_of, size=PAGE)
        return {"listed": listed, "name": name, "pairs": scorekeeping.apart_of(viewer)[:PAGE]}

    return show(look, "control_players.html", shown, form=form, problem=problem, status=status)


def _page(look: Look, number: int, form: Form, problem: Problem | None = None, status: int = 200) -> Response:
    def shown(viewer: Viewer) -> dict[str, Any]:
        player = documents.players_of(viewer).get(number)
        if player is None:
            raise EntryNotFound(number)
        ways, wrong = _ways(viewer, number, form)
        last = max((line.number for line in documents.rounds_of(viewer).rounds if line.published_at), default=0)
        return {
            "player": player,
            "ways": ways,
            "wrong": wrong,
            "is_running": viewer.event.phase == Phase.ROUND,
            "sits": _sits(viewer, number, last),
            "played": documents.played_by(viewer, number, upto=last),
            "names": {one.number: one.name for one in documents.players_of(viewer).values()},
            "has_begun": last > 0,
        }

    return show(look, "control_player.html", shown, form=form, problem=problem, status=status)


def _sits(viewer: Viewer, number: int, last: int) -> bool:
    """Whether the player has a table or a bye in the round that is played."""
    return any(one.round == last for one in documents.played_by(viewer, number, upto=last))


def _ways(viewer: Viewer, number: int, form: Form) -> tuple[scorekeeping.Ways | None, Problem | None]:
    way = form.value("way")
    if way not in {"leaves", "sits_down"}:
        return None, None
    try:
        mistake = repairs.Mistake.model_validate({"playing": _tables(form.typed), way: number})
        return scorekeeping.ways_of(viewer, mistake), None
    except TournamentError as error:
        return None, answers.problem_in(error)[0]


def _tables(typed: Mapping[str, str]) -> list[int]:
    return [number for word in typed.get("playing", "").replace(",", " ").split() if (number := number_in(word))]


def _two(hand: Hand) -> dict[str, str]:
    """The two who are named, by number or name."""

    def found(viewer: Viewer) -> dict[str, str]:
        said = {side: player_said(viewer, hand.typed.get(side, "")) for side in ("one", "other")}
        faults = [
            RequestFault(side, "names nobody, or more than one player; type the number")
            for side, player in said.items()
            if player is None
        ]
        if faults:
            raise RequestUnreadable(faults)
        return {side: str(player.number) for side, player in said.items() if player is not None}

    return seen(hand.look, found)


def _name_of(player: Entry) -> str:
    return f"{player.number}\n{player.name}"
