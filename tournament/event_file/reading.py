"""An event file to an event, or everything that is wrong with it, each fault with its place.

First every field is read by itself (`fields`, put together in the shapes below), then the rules that hang on several
are judged (`contradictions`). What cannot be read is left out of the second step, so one slip is told once.
"""

from collections.abc import Iterator
from enum import StrEnum
from typing import Any, Final

from tournament.domain.bracket import DoubleLosses, Draws, Entry, Leaving, Left, Redrawn, Reported
from tournament.domain.bracket_plan import Form, MatchId
from tournament.domain.cut import SMALLEST_CUT
from tournament.domain.errors import EventFileUnreadable, FileFault
from tournament.domain.model import (
    Bye,
    ByeKind,
    Ending,
    Mode,
    Pairing,
    Player,
    Pod,
    PodRound,
    Result,
    Round,
    Seat,
    Way,
)
from tournament.domain.pod_results import ENDINGS
from tournament.domain.pods import SEATS
from tournament.domain.presets import PRESETS
from tournament.domain.results import GameLoss, MatchFormat, MatchLoss, Penalty, PointsTaken
from tournament.event_file import fields
from tournament.event_file.contradictions import (
    Draft,
    DraftAsPaired,
    DraftCut,
    DraftPlayer,
    DraftRound,
    contradictions,
    of_several,
    of_two,
)
from tournament.event_file.fields import (
    MOST_FAULTS,
    Enough,
    Found,
    Shape,
    exactly,
    from_to,
    list_of,
    members_of,
    number_of,
    one_of,
    whole_from,
)
from tournament.event_file.model import MOST_SEEDS, USUAL_PRESET, VERSION, Event, FileRule, usual_way
from tournament.event_file.strict_json import NotReadable, Path, document_of, lines_of, pointer, text_of


def parse_event_file(source: bytes | str) -> Event:
    """Read an event file.

    Raises:
        EventFileUnreadable: with every fault, in the order of the file; of very many with the first that were found.
    """
    found = Found()
    try:
        text, marked = text_of(source.encode(errors="surrogatepass") if isinstance(source, str) else source)
        document = document_of(text)
    except NotReadable as error:
        raise EventFileUnreadable((FileFault("", error.line, error.rule, error.message),)) from error
    if marked:
        found.note((), FileRule.ENCODING, "begins with a byte order mark; save it as UTF-8 without one")
    more: tuple[FileFault, ...] = ()
    try:
        event = _event(document, found)
    except Enough:
        event, more = None, (FileFault("", None, FileRule.SIZE, f"has more than {MOST_FAULTS:,} faults"),)
    if event is None:
        raise EventFileUnreadable((*_placed(found, text), *more))
    return event


def _placed(found: Found, text: str) -> Iterator[FileFault]:
    lines = lines_of(text, [path for path, _, _ in found.faults])
    order = {path: at for at, path in enumerate(lines)}
    for path, rule, message in sorted(found.faults, key=lambda fault: order.get(fault[0], 0)):
        yield FileFault(pointer(path), lines.get(path), rule, message)


# --- a player ---------------------------------------------------------------------------------------------------------


def _player(value: object, path: Path, found: Found) -> DraftPlayer | None:
    members = members_of(value, path, found, _PLAYER)
    absent = tuple(number for _, number in members.pop("absent", ()))
    if members.get("disqualified") and isinstance(value, dict) and "dropped_after" not in value:
        wrong = "has not left; add 'dropped_after' with the last round played"
        found.note((*path, "disqualified"), FileRule.DISQUALIFIED, wrong)
    return DraftPlayer(path, Player(**({"name": ""} | members)), absent) if "id" in members else None


_PLAYER: Final = Shape(
    {
        "id": fields.player_id,
        "name": fields.text,
        "entered_in": whole_from(1),
        "dropped_after": whole_from(0),
        "absent": list_of(whole_from(1)),
        "table": whole_from(1),
        "awarded_byes": whole_from(0),
        "disqualified": fields.flag,
        "note": fields.note,
    },
    optional={"entered_in", "dropped_after", "absent", "table", "awarded_byes", "disqualified", "note"},
)


# --- a round ----------------------------------------------------------------------------------------------------------


def _round(value: object, path: Path, found: Found) -> DraftRound:
    members = members_of(value, path, found, _ROUND)
    seats, stood = members.get("tables", ()), tuple(table for _, table in members.get("stood", ()))
    written = value.get("tables") if isinstance(value, dict) else None
    whole = isinstance(written, list) and len(seats) == len(written)
    way = members.get("pairing")
    return DraftRound(
        path,
        members.get("number"),
        seats,
        stood,
        way=None if way is None else Way(way),
        certificate=members.get("certificate"),
        as_paired=members.get("as_paired"),
        whole=whole,
    )


def _seat(value: object, path: Path, found: Found) -> Seat | Pod | None:
    if isinstance(value, dict) and "bye" in value:
        return _bye(value, path, found)
    if _is_of_several(value):
        return _pod(members_of(value, path, found, _POD), value, path, found)
    return _pairing(value, path, found)


def _bye(value: dict[str, object], path: Path, found: Found) -> Bye | None:
    members = members_of(value, path, found, _BYE)
    for key in value:
        if key in _BYE.elsewhere:
            wrong = f"a bye has no {key!r}; it is won without a table, an opponent and games"
            found.note((*path, key), FileRule.BYE_WITH_RESULT, wrong)
    return Bye(members["bye"], ByeKind(members.get("kind", ByeKind.ODD))) if "bye" in members else None


_BYE: Final = Shape(
    {"bye": fields.player_id, "kind": one_of(ByeKind), "note": fields.note},
    optional={"kind", "note"},
    elsewhere={"table", "players", "games", "ending"},
)


def _pairing(value: object, path: Path, found: Found) -> Pairing | None:
    members = members_of(value, path, found, _PAIRING)
    if "ending" in members and isinstance(value, dict) and "games" not in value:
        found.note((*path, "ending"), FileRule.ENDING, "stands without games; a table without games is still open")
    if "players" not in members:
        return None
    first, second = members["players"]
    return Pairing(members.get("table", 0), first, second, _result(members))


def _result(members: dict[str, Any]) -> Result | None:
    if "games" not in members:
        return None
    first, second, drawn = members["games"]
    return Result(first, second, drawn, Ending(members.get("ending", Ending.PLAYED)))


_PAIRING: Final = Shape(
    {
        "table": whole_from(1),
        "players": exactly(2, fields.player_id, "the ids of two players"),
        "games": exactly(3, whole_from(0), "games won by the first, by the second, and drawn, such as [2, 1, 0]"),
        "ending": one_of(Ending),
        "note": fields.note,
    },
    optional={"games", "ending", "note"},
)


def _is_of_several(value: object) -> bool:
    """Whether an object is about a table of several."""
    players = value.get("players") if isinstance(value, dict) else None
    has_several = isinstance(players, list) and len(players) > _TWO_PLAYERS
    return isinstance(value, dict) and ("places" in value or (has_several and "games" not in value))


_TWO_PLAYERS: Final = 2


def _pod(members: dict[str, Any], value: object, path: Path, found: Found) -> Pod | None:
    if "ending" in members and isinstance(value, dict) and "places" not in value:
        found.note((*path, "ending"), FileRule.ENDING, "stands without places; a table without places is still open")
    if "players" not in members:
        return None
    ending = Ending(members.get("ending", Ending.PLAYED))
    return Pod(members.get("table", 0), members["players"], _placing(members), ending)


def _placing(members: dict[str, Any]) -> tuple[tuple[Any, ...], ...] | None:
    if "places" not in members:
        return None
    return tuple(tuple(player for _, player in place) for _, place in members["places"])


_SEVERAL: Final = from_to(SEATS.start, SEATS.stop - 1, fields.player_id, "the ids of the players")
_POD_SEAT: Final = {"table": whole_from(1), "players": _SEVERAL, "note": fields.note}
_POD: Final = Shape(
    _POD_SEAT | {"places": list_of(list_of(fields.player_id)), "ending": one_of(ENDINGS)},
    optional={"places", "ending", "note"},
)
_POD_PAIRED: Final = Shape(_POD_SEAT, optional={"note"})


def _open_seat(value: object, path: Path, found: Found) -> Seat | Pod | None:
    """A table as it was paired: without a result."""
    if isinstance(value, dict) and "bye" in value:
        return _bye(value, path, found)
    if _is_of_several(value):
        return _pod(members_of(value, path, found, _POD_PAIRED), value, path, found)
    members = members_of(value, path, found, _PAIRED)
    if "players" not in members:
        return None
    first, second = members["players"]
    return Pairing(members.get("table", 0), first, second)


_PAIRED: Final = Shape(
    {"table": whole_from(1), "players": exactly(2, fields.player_id, "the ids of two players"), "note": fields.note},
    optional={"note"},
)


def _stood_before(value: object, path: Path, found: Found) -> tuple[int, int, Result | Pod] | None:
    if _is_of_several(value):
        return _placed_before(value, path, found)
    members = members_of(value, path, found, _STOOD_BEFORE)
    result = _result(members)
    if "round" not in members or "table" not in members or result is None:
        return None
    return members["round"], members["table"], result


def _placed_before(value: object, path: Path, found: Found) -> tuple[int, int, Pod] | None:
    members = members_of(value, path, found, _PLACED_BEFORE)
    placing = _placing(members)
    if "round" not in members or "table" not in members or placing is None:
        return None
    players = tuple(player for place in placing for player in place)
    pod = Pod(members["table"], players, placing, Ending(members.get("ending", Ending.PLAYED)))
    return members["round"], members["table"], pod


_PLACED_BEFORE: Final = Shape(
    {
        "round": whole_from(1),
        "table": whole_from(1),
        "places": list_of(list_of(fields.player_id)),
        "ending": one_of(ENDINGS),
        "note": fields.note,
    },
    optional={"ending", "note"},
)
_STOOD_BEFORE: Final = Shape(
    {
        "round": whole_from(1),
        "table": whole_from(1),
        "games": exactly(3, whole_from(0), "games won by the first, by the second, and drawn, such as [2, 1, 0]"),
        "ending": one_of(Ending),
        "note": fields.note,
    },
    optional={"ending", "note"},
)


def _as_paired(value: object, path: Path, found: Found) -> DraftAsPaired:
    members = members_of(value, path, found, _AS_PAIRED)
    return DraftAsPaired(
        path,
        members.get("tables"),
        members.get("results", ()),
        members.get("apart", ()),
        members.get("not_apart", ()),
        members.get("seeds", ()),
    )


_TWO: Final = exactly(2, fields.player_id, "the ids of two players")
_AS_PAIRED: Final = Shape(
    {
        "tables": list_of(_open_seat),
        "results": list_of(_stood_before),
        "apart": list_of(_TWO),
        "not_apart": list_of(_TWO),
        "seeds": list_of(fields.player_id),
        "note": fields.note,
    },
    optional={"tables", "results", "apart", "not_apart", "seeds", "note"},
)
_ROUND: Final = Shape(
    {
        "number": whole_from(1),
        "pairing": one_of(Way),
        "tables": list_of(_seat),
        "stood": list_of(whole_from(1)),
        "as_paired": _as_paired,
        "certificate": fields.anything,
        "note": fields.note,
    },
    optional={"pairing", "stood", "as_paired", "certificate", "note"},
)


# --- a penalty --------------------------------------------------------------------------------------------------------


class PenaltyKind(StrEnum):
    """What a judge or an organizer gave."""

    GAME_LOSS = "game loss"
    MATCH_LOSS = "match loss"
    POINTS_TAKEN = "points taken"


PENALTIES: Final[dict[PenaltyKind, type[Penalty]]] = {
    PenaltyKind.GAME_LOSS: GameLoss,
    PenaltyKind.MATCH_LOSS: MatchLoss,
    PenaltyKind.POINTS_TAKEN: PointsTaken,
}


def _penalty(value: object, path: Path, found: Found) -> Penalty | None:
    takes_points = isinstance(value, dict) and value.get("kind") == PenaltyKind.POINTS_TAKEN
    shape = _POINTS_TAKEN if takes_points else _PENALTY
    members = members_of(value, path, found, shape)
    if len(members) < len(shape.readers) - 1:
        return None
    return PENALTIES[members.pop("kind")](**members)


_GIVEN: Final = {
    "kind": one_of(PenaltyKind),
    "player": fields.player_id,
    "round": whole_from(0),
    "infraction": fields.text,
    "reason": fields.text,
    "note": fields.note,
}
_PENALTY: Final = Shape(_GIVEN, optional={"note"})
_POINTS_TAKEN: Final = Shape(_GIVEN | {"points": whole_from(1)}, optional={"note"})


# --- the cut ----------------------------------------------------------------------------------------------------------


def _cut(value: object, path: Path, found: Found) -> DraftCut:
    members = members_of(value, path, found, _CUT)
    seeds, log = members.get("seeds", ()), members.get("log", ())
    written = value.get("seeds") if isinstance(value, dict) else None
    if isinstance(written, list) and not SMALLEST_CUT <= len(written) <= MOST_SEEDS:
        wrong = f"has {len(written):,} in it; a cut has {SMALLEST_CUT} to {MOST_SEEDS:,}"
        found.note((*path, "seeds"), FileRule.RANGE, wrong)
    return DraftCut(
        path,
        seeds,
        Form(members.get("form", Form.SINGLE)),
        Draws(members.get("draws", Draws.SUDDEN_DEATH)),
        DoubleLosses(members.get("double_losses", DoubleLosses.BOTH_OUT)),
        log,
        whole=all(
            isinstance(value, dict) and isinstance(value.get(name, []), list) and len(value.get(name, [])) == len(read)
            for name, read in (("seeds", seeds), ("log", log))
        ),
    )


def _line(value: object, path: Path, found: Found) -> Entry | None:
    """A line of the bracket's log, known by the field that only it has."""
    if isinstance(value, dict) and "left" in value:
        members = members_of(value, path, found, _LEFT)
        if isinstance(value["left"], list) and not value["left"]:
            found.note((*path, "left"), FileRule.RANGE, "has nobody in it; name who left")
        players = tuple(player for _, player in members.get("left", ()))
        return Left(players, Leaving(members["why"])) if players and "why" in members else None
    if isinstance(value, dict) and "redrawn" in value:
        members = members_of(value, path, found, _REDRAWN)
        return Redrawn(members["redrawn"]) if "redrawn" in members else None
    members = members_of(value, path, found, _REPORTED)
    result = _result(members)
    if "match" not in members or "players" not in members or result is None:
        return None
    first, second = members["players"]
    return Reported(MatchId(members["match"]), first, second, result)


_REPORTED: Final = Shape(
    {
        "match": fields.player_id,
        "players": exactly(2, fields.player_id, "the ids of two players"),
        "games": exactly(3, whole_from(0), "games won by the first, by the second, and drawn, such as [2, 1, 0]"),
        "ending": one_of(Ending),
        "note": fields.note,
    },
    optional={"ending", "note"},
)
_LEFT: Final = Shape(
    {"left": list_of(fields.player_id), "why": one_of(Leaving), "note": fields.note}, optional={"note"}
)
_REDRAWN: Final = Shape({"redrawn": whole_from(1), "note": fields.note}, optional={"note"})
_CUT: Final = Shape(
    {
        "form": one_of(Form),
        "draws": one_of(Draws),
        "double_losses": one_of(DoubleLosses),
        "seeds": list_of(fields.player_id),
        "log": list_of(_line),
        "note": fields.note,
    },
    optional={"form", "draws", "double_losses", "log", "note"},
)


# --- the whole --------------------------------------------------------------------------------------------------------


def _about(value: object, path: Path, found: Found) -> dict[str, Any]:
    return members_of(value, path, found, _ABOUT)


_ABOUT: Final = Shape(
    {
        "name": fields.text,
        "game": fields.text,
        "draw": fields.text,
        "preset": one_of(PRESETS),
        "mode": one_of(Mode),
        "best_of": number_of(MatchFormat),
        "pod_size": number_of(SEATS),
        "apart": list_of(exactly(2, fields.player_id, "the ids of two players")),
        "note": fields.note,
    },
    optional={"preset", "mode", "best_of", "pod_size", "apart", "note"},
)
_FILE: Final = Shape(
    {
        "version": fields.version,
        "event": _about,
        "players": list_of(_player),
        "rounds": list_of(_round),
        "penalties": list_of(_penalty),
        "cut": _cut,
        "log": list_of(fields.anything),
        "kept": list_of(fields.anything),
    },
    optional={"penalties", "cut", "log", "kept"},
    instead={"rounds": '; before the first round it is "rounds": []'},
)


def _says(document: object, field: str) -> bool:
    about = document.get("event") if isinstance(document, dict) else None
    return isinstance(about, dict) and field in about


def _event(document: object, found: Found) -> Event | None:
    """The event, or None and the faults; of another version nothing else is said."""
    if isinstance(document, dict) and type(document.get("version")) is int and document["version"] != VERSION:
        fields.version(document["version"], ("version",), found)
        return None
    members = members_of(document, (), found, _FILE)
    about = members.get("event", {})
    entered, best_of = members.get("players"), about.pop("best_of", None)
    draft = Draft(
        players=None if entered is None else [player for _, player in entered],
        best_of=None if best_of is None else MatchFormat(best_of),
        pod_size=about.get("pod_size"),
        knows_size="pod_size" in about or not _says(document, "pod_size"),
        preset=about.get("preset", USUAL_PRESET),
        mode=Mode(about.get("mode", Mode.SWISS)),
        apart=about.pop("apart", ()),
        rounds=[played for _, played in members.get("rounds", ())],
        penalties=members.get("penalties", ()),
        cut=members.get("cut"),
    )
    for path, rule, message in contradictions(draft, found):
        found.note(path, rule, message)
    if found.faults or not isinstance(document, dict):
        return None
    numbered = dict(enumerate(draft.rounds, start=1))
    mode = Mode(about.pop("mode", Mode.SWISS))
    is_of_two = draft.pod_size is None
    return Event(
        **about,
        mode=mode,
        best_of=draft.best_of,
        apart=tuple(pair for _, pair in draft.apart),
        players=tuple(entry.player for entry in draft.players or ()),
        absent={entry.player.id: entry.absent for entry in draft.players or () if entry.absent},
        rounds=tuple(
            Round(number, of_two(seat for _, seat in played.seats)) for number, played in numbered.items() if is_of_two
        ),
        pods=tuple(
            PodRound(number, of_several(seat for _, seat in played.seats))
            for number, played in numbered.items()
            if not is_of_two
        ),
        stood={number: played.stood for number, played in numbered.items() if played.stood},
        ways={
            number: played.way
            for number, played in numbered.items()
            if played.way is not None and played.way is not usual_way(mode, draft.pod_size)
        },
        as_paired={
            number: played.as_paired.value(draft.pod_size) for number, played in numbered.items() if played.as_paired
        },
        certificates={number: played.certificate for number, played in numbered.items() if played.certificate},
        penalties=tuple(penalty for _, penalty in draft.penalties),
        cut=None if draft.cut is None else draft.cut.bracket(),
        log=tuple(receipt for _, receipt in members.get("log", ())),
        kept=tuple(text for _, text in members.get("kept", ())),
        written=document,
    )
