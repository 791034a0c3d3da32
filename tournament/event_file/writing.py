"""An event to its file: one layout, in the author's order.

Every player and every table is a line of its own, so that a change is seen as one where files are compared. the
author wrote and nothing changed stays: the order of keys, notes, and defaults that were spelled out.
"""

import json
from collections import defaultdict
from collections.abc import Iterable, Mapping
from typing import Any, Final, TypeAlias

from tournament.domain.bracket import Bracket, DoubleLosses, Draws, Entry, Left, Redrawn, Reported
from tournament.domain.bracket_plan import Form
from tournament.domain.model import AnyRound, Bye, ByeKind, Ending, Mode, Pairing, Player, Pod, Result, Seat
from tournament.domain.results import Penalty
from tournament.event_file.model import USUAL_PRESET, VERSION, AsPaired, Event, usual_way
from tournament.event_file.reading import PENALTIES

Members: TypeAlias = Mapping[str, Any]
"""An object of the file."""


def write_event_file(event: Event) -> str:
    """The event as a file; `parse_event_file` reads the same event from it."""
    return _laid_out(document_of(event), _SHAPE) + "\n"


def document_of(event: Event) -> dict[str, Any]:
    """The event as a JSON document, with what its author wrote beyond it."""
    document = {
        "version": VERSION,
        "event": _about(event),
        "players": _players(event),
        "rounds": _rounds(event),
        "penalties": _penalties(event),
        "cut": None if event.cut is None else _cut(event.cut, event.written.get("cut")),
        "log": list(event.log),
        "kept": list(event.kept),
    }
    return _kept(document, event.written, {"penalties": [], "log": [], "kept": []})


# --- what is new, in the order of what was there ----------------------------------------------------------------------


def _kept(new: Members, old: Members, defaults: Members) -> dict[str, Any]:
    """The new members in the old order, notes kept.

    Args:
        new: members as they are now; None says that there is none.
        old: the object that the author wrote; empty if there was none.
        defaults: what a missing member means; it is not written unless the author did.
    """
    present = {key: value for key, value in new.items() if value is not None}
    kept = {key: present.get(key, value) for key, value in old.items() if key in present or key == "note"}
    added = {key: value for key, value in present.items() if key not in kept and value != defaults.get(key)}
    return kept | added


def _about(event: Event) -> dict[str, Any]:
    old = event.written.get("event")
    new = {
        "name": event.name,
        "game": event.game,
        "draw": event.draw,
        "preset": event.preset,
        "mode": str(event.mode),
        "best_of": None if event.best_of is None else int(event.best_of),
        "pod_size": event.pod_size,
        "apart": [list(pair) for pair in event.apart],
    }
    usual = {"mode": str(Mode.SWISS)}
    return _kept(
        new,
        old if isinstance(old, dict) else {},
        usual if old is None else usual | {"preset": USUAL_PRESET, "apart": []},
    )


def _players(event: Event) -> list[dict[str, Any]]:
    old = {player["id"]: player for player in _objects(event.written, "players")}
    new = [_player(player, event.absent.get(player.id, ())) for player in event.players]
    return [_kept(player, old.get(player["id"], {}), _PLAYER_DEFAULTS) for player in new]


def _player(player: Player, absent: tuple[int, ...]) -> dict[str, Any]:
    return {
        "id": player.id,
        "name": player.name,
        "entered_in": player.entered_in,
        "dropped_after": player.dropped_after,
        "absent": list(absent),
        "table": player.table,
        "awarded_byes": player.awarded_byes,
        "disqualified": player.disqualified,
    }


_PLAYER_DEFAULTS: Final = {"entered_in": 1, "absent": [], "awarded_byes": 0, "disqualified": False}


def _rounds(event: Event) -> list[dict[str, Any]]:
    old = {played["number"]: played for played in _objects(event.written, "rounds")}
    return [_round(event, played, old.get(played.number, {})) for played in event.played]


def _round(event: Event, played: AnyRound, old: Members) -> dict[str, Any]:
    number = played.number
    then = event.as_paired.get(number)
    new = {
        "number": number,
        "pairing": str(event.way_of(number)),
        "tables": _seats(played.seats, old),
        "stood": list(event.stood.get(number, ())),
        "as_paired": None if then is None else _then(then, old.get("as_paired")),
        "certificate": event.certificates.get(number),
    }
    return _kept(new, old, {"stood": [], "pairing": str(usual_way(event.mode, event.pod_size))})


def _then(then: AsPaired, written: object) -> dict[str, Any]:
    """What was otherwise when the round was paired."""
    old = written if isinstance(written, dict) else {}
    results = {(line["round"], line["table"]): line for line in _objects(old, "results")}
    stood = {
        **{at: _result(said) for at, said in then.results.items()},
        **{at: _placing(pod) for at, pod in then.placings.items()},
    }
    new = [{"round": number, "table": table, **said} for (number, table), said in sorted(stood.items())]
    seats = then.seats if then.pods is None else then.pods
    members = {
        "tables": None if seats is None else _seats(seats, old),
        "results": [_kept(line, results.get((line["round"], line["table"]), {}), _SEAT_DEFAULTS) for line in new],
        "apart": [list(pair) for pair in then.apart],
        "not_apart": [list(pair) for pair in then.not_apart],
        "seeds": list(then.seeds),
    }
    return _kept(members, old, {"results": [], "apart": [], "not_apart": [], "seeds": []})


def _seats(seats: Iterable[Seat | Pod], old: Members) -> list[dict[str, Any]]:
    written = {_place(seat): seat for seat in _objects(old, "tables")}
    new = map(_seat, seats)
    return [_kept(seat, written.get(_place(seat), {}), _SEAT_DEFAULTS) for seat in new]


def _seat(seat: Seat | Pod) -> dict[str, Any]:
    match seat:
        case Bye():
            return {"bye": seat.player, "kind": str(seat.kind)}
        case Pairing():
            return {"table": seat.table, "players": [seat.first, seat.second], **_result(seat.result)}
        case Pod():
            return {"table": seat.table, "players": list(seat.players), **_placing(seat)}


def _placing(pod: Pod) -> dict[str, Any]:
    if pod.placing is None:
        return {}
    return {"places": list(map(list, pod.placing)), "ending": str(pod.ending)}


def _result(result: Result | None) -> dict[str, Any]:
    if result is None:
        return {}
    return {"games": [result.first, result.second, result.drawn], "ending": str(result.ending)}


_SEAT_DEFAULTS: Final = {"kind": str(ByeKind.ODD), "ending": str(Ending.PLAYED)}


def _place(seat: Members) -> tuple[str, Any]:
    return ("bye", seat["bye"]) if "bye" in seat else ("table", seat["table"])


def _penalties(event: Event) -> list[dict[str, Any]]:
    """An unchanged penalty keeps its note."""
    old: defaultdict[frozenset[tuple[str, object]], list[Members]] = defaultdict(list)
    for written in reversed(_objects(event.written, "penalties")):
        old[frozenset((key, value) for key, value in written.items() if key != "note")].append(written)
    new = [(penalty, old[frozenset(penalty.items())]) for penalty in map(_penalty, event.penalties)]
    return [_kept(penalty, alike.pop() if alike else {}, {}) for penalty, alike in new]


def _penalty(penalty: Penalty) -> dict[str, Any]:
    kind = next(str(kind) for kind, given in PENALTIES.items() if isinstance(penalty, given))
    members = ("player", "round", "infraction", "reason", "points")
    return {"kind": kind} | {name: getattr(penalty, name) for name in members if hasattr(penalty, name)}


def _cut(cut: Bracket, written: object) -> dict[str, Any]:
    old = written if isinstance(written, dict) else {}
    lines: defaultdict[str, list[Members]] = defaultdict(list)
    for line in reversed(_objects(old, "log")):
        lines[_told(line)].append(line)
    new = [(line, lines[_told(line)]) for line in map(_line_of, cut.log)]
    members = {
        "form": str(cut.form),
        "draws": str(cut.draws),
        "double_losses": str(cut.double_losses),
        "seeds": list(cut.seeds),
        "log": [_kept(line, alike.pop() if alike else {}, _SEAT_DEFAULTS) for line, alike in new],
    }
    return _kept(members, old, _CUT_DEFAULTS)


_CUT_DEFAULTS: Final = {
    "form": str(Form.SINGLE),
    "draws": str(Draws.SUDDEN_DEATH),
    "double_losses": str(DoubleLosses.BOTH_OUT),
    "log": [],
}


def _line_of(line: Entry) -> dict[str, Any]:
    match line:
        case Reported():
            return {"match": line.match, "players": [line.first, line.second], **_result(line.result)}
        case Left():
            return {"left": list(line.players), "why": str(line.why)}
        case Redrawn():
            return {"redrawn": line.round}


def _told(line: Members) -> str:
    """What a line says, whatever its notes and spelled-out defaults."""
    said = _SEAT_DEFAULTS | {key: value for key, value in line.items() if key != "note"}
    return json.dumps(said, sort_keys=True)


def _objects(written: Members, key: str) -> list[dict[str, Any]]:
    items = written.get(key, [])
    return items if isinstance(items, list) else []


# --- layout -----------------------------------------------------------------------------------------------------------

_EACH: Final = "*"
_SHAPE: Final = {
    "event": {"apart": {}},
    "players": {},
    "rounds": {_EACH: {"tables": {}, "as_paired": {"tables": {}, "results": {}}}},
    "penalties": {},
    "cut": {"log": {}},
    "log": {},
    "kept": {},
}
"""What is spread over lines, an item or a member each; everything else is one line."""

_line = json.JSONEncoder(ensure_ascii=False).encode


def _laid_out(value: Any, shape: Mapping[str, Any] | None, indent: str = "") -> str:  # noqa: ANN401 - JSON
    if shape is None or not value:
        return _line(value)
    inner = indent + "  "
    if isinstance(value, dict):
        parts = [f"{inner}{_line(key)}: {_laid_out(item, shape.get(key), inner)}" for key, item in value.items()]
        return "\n".join(("{", ",\n".join(parts), indent + "}"))
    parts = [f"{inner}{_laid_out(item, shape.get(_EACH), inner)}" for item in value]
    return "\n".join(("[", ",\n".join(parts), indent + "]"))
