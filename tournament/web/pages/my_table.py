"""A player's own table: where, against whom, what was reported; report, confirm, call a judge, leave. And the past."""

import re
from collections.abc import Mapping
from typing import Any, Final

from fastapi import APIRouter, Response

from tournament.api import documents, playing
from tournament.api.answers import Kept, Viewer, seen
from tournament.api.deps import Asking, Db, Look, Looking
from tournament.api.playing import Day, Stage
from tournament.domain.errors import TournamentError
from tournament.domain.model import Ending
from tournament.errors import NotYours
from tournament.service import calls, claims, entries
from tournament.service.commands import A, Ask, F, Kind, run
from tournament.web import answers, forms
from tournament.web.forms import Form, Typed
from tournament.web.texts import mark

router = APIRouter(prefix="/e/{event}/me")
_LONGEST_SAID: Final = 20
_SCORE: Final = re.compile(r"(\d{1,2})-(\d{1,2})(?:-(\d{1,2}))?", re.ASCII)
_PLACE: Final = re.compile(r"place-(\d{1,7})", re.ASCII)
_ENDINGS: Final[Mapping[str, Mapping[str, str]]] = {
    "agreed": {"ending": Ending.INTENTIONAL_DRAW},
    "me": {"ending": Ending.CONCESSION, "conceded_by": "me"},
    "opponent": {"ending": Ending.CONCESSION, "conceded_by": "opponent"},
}
"""How else a match ended, as the form says it."""
_PLACES_MISSING: Final = mark("Everybody at the table needs a place.")
_NOTHING_SAID: Final = mark("Say what the match came to.")


@router.get("/table")
def show_table(look: Looking) -> Response:
    """Where the player sits, what is said of the table, and what can be done now."""
    return _page(look)


@router.post("/table/report")
def report(look: Looking, ask: Asking, database: Db, typed: Typed) -> Response:
    """Say what the own table came to. The same form sent twice says it once."""
    return _done(look, database, claims.MAKE, ask, _claim_in(typed), typed, "reported")


@router.post("/table/confirm")
def confirm(look: Looking, ask: Asking, database: Db, typed: Typed) -> Response:
    """What somebody else at the table says is right."""
    return _done(look, database, claims.CONFIRM, ask, forms.read(claims.ConfirmClaim, typed), typed, "confirmed")


@router.post("/table/withdraw")
def withdraw(look: Looking, ask: Asking, database: Db, typed: Typed) -> Response:
    """Take the own report back."""
    asked = forms.read(claims.WithdrawClaim, typed)
    return _done(look, database, claims.WITHDRAW, ask, asked, typed, "report withdrawn")


@router.post("/table/call")
def call_judge(look: Looking, ask: Asking, database: Db, typed: Typed) -> Response:
    """Call a judge to the own table."""
    asked = forms.read(calls.JudgeCall, {"topic": typed.get("topic", "")})
    return _done(look, database, calls.MAKE, ask, asked, typed, "called")


@router.post("/table/call/withdraw")
def withdraw_call(look: Looking, ask: Asking, database: Db, typed: Typed) -> Response:
    """No judge is needed any more."""
    return _done(look, database, calls.WITHDRAW, ask, forms.read(calls.CallNumber, typed), typed, "call withdrawn")


@router.get("/table/leave")
def ask_to_leave(look: Looking) -> Response:
    """What leaving means, and the button."""
    return _page(look, template="leave.html")


@router.post("/table/leave")
def leave(look: Looking, ask: Asking, database: Db, typed: Typed) -> Response:
    """Leave the event."""
    try:
        player = seen(look, playing.player_of)
        run(database, entries.DROP, _keyed(ask, typed), entries.Leave(entry=player))
    except TournamentError as error:
        return _page(look, Form(typed), error, template="leave.html")
    return answers.moved(look.request, f"/e/{look.event}/me/table", "left")


@router.get("/history")
def show_history(look: Looking) -> Response:
    """Every round of the player, with what it came to and where it left the player; penalties."""

    def shown(viewer: Viewer) -> dict[str, object]:
        past, names = playing.history_of(viewer)
        lines = [one.line for one in past if one.line is not None]
        cut = documents.cut_of(viewer) if documents.has_cut(viewer) else None
        me = playing.player_of(viewer)
        return {
            "past": past,
            "names": {
                **names,
                **({one.number: one.name for one in documents.players_of(viewer).values()} if cut else {}),
            },
            "columns": list(lines[-1].tiebreaks) if lines else [],
            "matches": []
            if cut is None
            else [one for one in cut.matches if me in {one.first.player, one.second.player}],
            "penalties": playing.penalties_of(viewer).penalties,
            "me": me,
        }

    try:
        return answers.event_page(look, "history.html", shown)
    except NotYours:
        return _for_players(look)


def _done(
    look: Look, database: Db, kind: Kind[A, F], ask: Ask, asked: A | Form, typed: Mapping[str, str], said: str
) -> Response:
    """Obey a form, or show the page again with what is wrong with it."""
    if isinstance(asked, Form):
        return _page(look, asked)
    try:
        run(database, kind, _keyed(ask, typed), asked)
    except TournamentError as error:
        return _page(look, Form(typed), error)
    return answers.moved(look.request, f"/e/{look.event}/me/table", said)


def _keyed(ask: Ask, typed: Mapping[str, str]) -> Ask:
    """The command under the key of its form; another button of the same form is another command."""
    return forms.under(ask, typed, f" {typed.get('said', '')[:_LONGEST_SAID]}".rstrip())


def _claim_in(typed: Mapping[str, str]) -> claims.MakeClaim | Form:
    """What a form says of a table."""
    where = {name: typed.get(name, "") for name in ("round", "table")}
    said = typed.get("said", "")
    if said == "places":
        return _places_in(typed, where)
    if score := _SCORE.fullmatch(said):
        games = dict(zip(("mine", "theirs", "drawn"), (count or "0" for count in score.groups()), strict=True))
        return forms.read(claims.MakeClaim, {**where, **games})
    if said in _ENDINGS:
        return forms.read(claims.MakeClaim, {**where, **_ENDINGS[said]})
    if said == "other":
        games = {name: typed.get(name, "") for name in ("mine", "theirs", "drawn")}
        asked = forms.read(claims.MakeClaim, {**where, **games, **_ENDINGS.get(typed.get("ended", ""), {})})
        return Form(typed, asked.faults) if isinstance(asked, Form) else asked
    return Form(typed, {"": _NOTHING_SAID})


def _places_in(typed: Mapping[str, str], where: Mapping[str, str]) -> claims.MakeClaim | Form:
    chosen = {int(found[1]): typed[name] for name in typed if (found := _PLACE.fullmatch(name)) and typed[name].strip()}
    groups: dict[str, list[int]] = {}
    for player, place in chosen.items():
        groups.setdefault(place, []).append(player)
    try:
        places = tuple(tuple(sorted(groups[place])) for place in sorted(groups, key=int))
        return claims.MakeClaim.model_validate({**where, "places": places})
    except ValueError:  # pydantic's is one
        return Form(typed, {"": _PLACES_MISSING})


def _page(
    look: Look, form: Form | None = None, error: TournamentError | None = None, *, template: str = "table.html"
) -> Response:
    problem, status = answers.problem_in(error) if error else (None, 422 if form and form.faults else 200)
    kept: Kept = look.request.app.state.kept

    def shown(viewer: Viewer) -> dict[str, Any]:
        day = playing.day_of(viewer)
        return {
            **answers.frame_of(viewer),
            "day": day,
            "form": form or Form(),
            "key": forms.new_key(),
            "problem": problem,
            "stands": _stands(viewer, form) if problem else None,
            "penalties": [one for one in playing.penalties_of(viewer).penalties if one.round == day.table.round],
            **_reached(viewer, day, kept),
            "outcome_of": playing.outcome_of,
            "placing_of": playing.placing_of,
        }

    try:
        return answers.page(look.request, template, seen(look, shown), status=status)
    except NotYours:
        return _for_players(look)


def _reached(viewer: Viewer, day: Day, kept: Kept) -> dict[str, Any]:
    """Where the player stands, while nobody is playing who could change that."""
    after, line = playing.standing_of(viewer, kept) if day.stage is Stage.BETWEEN else (0, None)
    place = playing.place_of(viewer, kept) if day.stage in {Stage.FINISHED, Stage.OUTSIDE} else None
    return {"after": after, "line": line, "place": place}


def _stands(viewer: Viewer, form: Form | None) -> documents.Played | None:
    """What counts in place of what was refused."""
    said = "" if form is None else form.value("round")
    return playing.stands_in(viewer, int(said)) if said.isdecimal() and len(said) < len(str(_FAR)) else None


_FAR: Final = 1_000_000


def _for_players(look: Look) -> Response:
    """The page for whoever is no player here: how to become one."""
    return answers.page(look.request, "for_players.html", seen(look, answers.frame_of), status=403)
