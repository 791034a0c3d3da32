"""What a judge holds on a phone: calls, disagreements, deck checks, penalties, time, notes; and one player's page."""

import json
import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Annotated, Any, Final

from fastapi import APIRouter, Path, Query, Response

from tournament.api import documents, judged
from tournament.api.answers import Viewer, seen
from tournament.api.deps import Asking, Db, Looking
from tournament.api.schemas import PlayedRound
from tournament.domain.errors import TournamentError
from tournament.domain.infractions import PenaltyLevel
from tournament.domain.model import Ending
from tournament.errors import PathNotFound
from tournament.service import calls, claims, clock, deck_checks, decklists, match_clocks, notes, penalties
from tournament.service.commands import LONGEST_TEXT, NO_NUL, Arguments, Kind, run
from tournament.service.entries import MOST_NUMBER
from tournament.service.results import Games, TablePlaces, TableResult
from tournament.web import answers, forms, paths
from tournament.web.forms import Form, Typed
from tournament.web.paging import MOST_FOUND, Named, plain
from tournament.web.texts import mark

router = APIRouter(prefix="/e/{event}/judge")
Number = Annotated[int, Path(ge=1, le=MOST_NUMBER)]
_TWO: Final = re.compile(r"([0-9]{1,2})[-\u2013: ]([0-9]{1,2})(?:[-\u2013: ]([0-9]{1,2}))?(?:/([a-z -]+))?")
_PLAYER: Final = re.compile(r"/e/\w+/judge/player/([0-9]{1,7})")
_RESULT: Final = mark("A result is like 2-1, or 2-1-1 with a drawn game.")


@dataclass(frozen=True)
class Action:
    """What a form of these pages does."""

    kind: Kind[Any, Any]
    read: Callable[[Mapping[str, str]], Arguments | Form]


def _as(model: type[Arguments]) -> Callable[[Mapping[str, str]], Arguments | Form]:
    return lambda typed: forms.read(model, typed)


def _settling(typed: Mapping[str, str]) -> Arguments | Form:
    games = result_in(typed.get("result", ""))
    if games is None:
        return Form(typed, {"result": _RESULT})
    asked = {"round": typed.get("round"), "table": typed.get("table"), "games": games}
    try:
        return claims.SettleClaims.model_validate(asked | {"reason": typed.get("reason", "").strip()})
    except ValueError:
        return Form(typed, {"reason": mark("This is needed.")})


def _finishing(typed: Mapping[str, str]) -> Arguments | Form:
    """What came of a check; penalties as their numbers in a line."""
    numbers = re.findall(r"[0-9]{1,7}", typed.get("came_of_it", ""))
    asked = forms.read(deck_checks.FinishDeckCheck, typed)
    return asked if isinstance(asked, Form) else asked.model_copy(update={"penalties": list(map(int, numbers))})


def _giving(typed: Mapping[str, str]) -> Arguments | Form:
    """A penalty; words of one's own stand beside the table of infractions."""
    own = typed.get("own_words", "").strip()
    return forms.read(penalties.GivePenalty, {**typed, "infraction": own or typed.get("infraction", "")})


ACTIONS: Final[Mapping[str, Action]] = {
    "take-call": Action(calls.TAKE, _as(calls.CallNumber)),
    "release-call": Action(calls.RELEASE, _as(calls.CallNumber)),
    "close-call": Action(calls.CLOSE, _as(calls.CloseCall)),
    "call": Action(calls.MAKE, _as(calls.JudgeCall)),
    "settle": Action(claims.SETTLE, _settling),
    "draw-tables": Action(deck_checks.DRAW, _as(deck_checks.DrawTables)),
    "choose-table": Action(deck_checks.CHOOSE, _as(deck_checks.ChooseTable)),
    "start-check": Action(deck_checks.START, _as(deck_checks.DeckCheckNumber)),
    "finish-check": Action(deck_checks.FINISH, _finishing),
    "call-off-check": Action(deck_checks.CALL_OFF, _as(deck_checks.CallOffDeckCheck)),
    "extend": Action(clock.EXTEND, _as(clock.Extend)),
    "extend-match": Action(match_clocks.EXTEND, _as(match_clocks.ExtendMatch)),
    "penalty": Action(penalties.GIVE, _giving),
    "apply-penalty": Action(penalties.APPLY, _as(penalties.PenaltyNumber)),
    "take-back-penalty": Action(penalties.TAKE_BACK, _as(penalties.PenaltyNumber)),
    "withdraw-penalty": Action(penalties.WITHDRAW, _as(penalties.WithdrawPenalty)),
    "note": Action(notes.WRITE, _as(notes.WriteNote)),
    "amend-note": Action(notes.AMEND, _as(notes.AmendNote)),
    "unlock": Action(decklists.UNLOCK, _as(decklists.About)),
    "lock": Action(decklists.LOCK, _as(decklists.About)),
    "waive": Action(decklists.WAIVE, _as(decklists.About)),
    "require": Action(decklists.REQUIRE, _as(decklists.About)),
}
"""By the last part of the address that a form is sent to."""


@router.get("")
def show_queue(look: Looking, name: Named = "") -> Response:
    """Everything that waits; a name or a table leads to a player."""
    return _queue(look, name, Form())


@router.get("/player/{number}")
def show_player(
    look: Looking,
    number: Number,
    infraction: Annotated[str, Query(max_length=100, pattern=NO_NUL)] = "",
    deck_check: Annotated[int | None, Query(ge=1, le=MOST_NUMBER)] = None,
) -> Response:
    """Everything of one player; an infraction has the usual penalty proposed."""
    kept = {"infraction": infraction} | ({} if deck_check is None else {"deck_check": str(deck_check)})
    return _player(look, number, Form(kept))


@router.post("/do/{action}")
def obey(look: Looking, ask: Asking, database: Db, action: str, typed: Typed) -> Response:
    """Do what a form says, and lead back to where it stood; or show it again, with the refusal above."""
    wanted = ACTIONS.get(action)
    if wanted is None:
        raise PathNotFound(look.request.url.path)
    seen(look, judged.check_is_judge)
    back = paths.own_path(typed.get("back", ""))
    back = back if paths.event_in(back) == look.event else f"/e/{look.event}/judge"
    asked = wanted.read(typed)
    if isinstance(asked, Form):
        return _again(look, back, asked, None)
    try:
        given = run(database, wanted.kind, forms.under(ask, typed), asked)
    except TournamentError as error:
        return _again(look, back, Form(typed), error)
    minutes = json.loads(given.body)["fact"].get("extra_minutes")
    if minutes is None:
        return answers.moved(look.request, back, "judged")
    return answers.moved(look.request, back, "judged-time", minutes=minutes)


def result_in(said: str) -> TableResult | None:
    """A result as it is typed: `2-1`, `2-1-1`, `1-0/concession`; at a table of several `17,4=9,12`, the best first.

    None if it is none; whether it fits the table, the service says.
    """
    said = said.strip()
    if found := _TWO.fullmatch(said):
        first, second, drawn, ending = found.groups()
        if ending is not None and ending not in set(Ending):
            return None
        return Games(first=int(first), second=int(second), drawn=int(drawn or 0), ending=Ending(ending or "played"))
    if re.fullmatch(r"[0-9]{1,7}(?:[,=][0-9]{1,7})+", said):
        return TablePlaces(places=tuple(tuple(map(int, place.split("="))) for place in said.split(",")))
    return None


def _again(look: Looking, back: str, form: Form, error: TournamentError | None) -> Response:
    found = _PLAYER.match(back)
    return _player(look, int(found[1]), form, error) if found else _queue(look, "", form, error)


def _queue(look: Looking, name: str, form: Form, error: TournamentError | None = None) -> Response:
    def shown(viewer: Viewer) -> dict[str, Any]:
        judged.check_is_judge(viewer)
        overview = judged.overview_of(viewer)
        played = documents.round_of(viewer, overview.round) if overview.round else None
        players = documents.players_of(viewer)
        names = {one.number: one.name for one in players.values()}
        chairs = chairs_of(played)
        checks = judged.deck_checks_of(viewer, overview.round or None).checks
        return {
            "overview": overview,
            "played": played,
            "names": names,
            "chairs": chairs,
            "extended": [one for one in played.seats if one.extra_minutes and one.result is None] if played else [],
            "name": name,
            "found": _found(name, names, chairs),
            "tables": {player: table for table, players in chairs.items() for player in players},
            "finished": [one for one in checks if one.finished_at],
            "notes": judged.notes_of(viewer, None).notes[::-1],
        }

    return _shown(look, "judge.html", shown, form, error)


def _player(look: Looking, number: int, form: Form, error: TournamentError | None = None) -> Response:
    def shown(viewer: Viewer) -> dict[str, Any]:
        judged.check_is_judge(viewer)
        dossier = judged.dossier_of(viewer, number)
        infraction = form.value("infraction")
        last = max((one.number for one in documents.rounds_of(viewer).rounds if one.published_at), default=None)
        played = documents.round_of(viewer, last) if last else None
        return {
            "dossier": dossier,
            "infractions": judged.infractions_at(viewer).infractions,
            "advice": judged.advice_of(viewer, number, infraction) if infraction else None,
            "levels": list(PenaltyLevel),
            "chair": next((one for one in played.seats if number in _of(one)), None) if played else None,
            "round": last,
        }

    return _shown(look, "judge_player.html", shown, form, error)


def _shown(
    look: Looking,
    template: str,
    make: Callable[[Viewer], dict[str, Any]],
    form: Form,
    error: TournamentError | None,
) -> Response:
    problem, status = answers.problem_in(error) if error else (None, 422 if form.faults else 200)
    values = seen(look, lambda viewer: make(viewer) | answers.frame_of(viewer))
    beside = {"form": form, "problem": problem, "new_key": forms.new_key, "longest": LONGEST_TEXT}
    return answers.page(look.request, template, values | beside, status=status)


def chairs_of(played: PlayedRound | None) -> dict[int, list[int]]:
    """Who sits at each table, by its number."""
    return {seat.table: _of(seat) for seat in played.seats if seat.table is not None} if played else {}


def _of(seat: Any) -> list[int]:  # noqa: ANN401 - a seat of the schemas
    return [seat.first, *([] if seat.second is None else [seat.second]), *seat.others]


def _found(name: str, names: Mapping[int, str], chairs: Mapping[int, list[int]]) -> list[int]:
    """Players by a part of the name, or by the table or the number that was typed."""
    sought = plain(name)
    if not sought:
        return []
    if sought.isdecimal():
        found = [*chairs.get(int(sought), []), *([int(sought)] if int(sought) in names else [])]
        return list(dict.fromkeys(found))
    return [number for number, said in names.items() if sought in plain(said)][:MOST_FOUND]
