"""Answers as JSON: the field names that scripts rely on. docs/guide/event-file.md lists them."""

from collections.abc import Collection, Iterable, Mapping
from fractions import Fraction
from typing import Any, TypeAlias

from tournament.domain.bracket import Bracket, Empty, Occupant, Outcome, Place, matches
from tournament.domain.bracket_moves import Change
from tournament.domain.bracket_plan import LoserOf, Source, WinnerOf
from tournament.domain.bracket_text import round_name
from tournament.domain.certificate import Bound, Certificate, Charge, Reason
from tournament.domain.chances import Chance
from tournament.domain.clinch import Outlook
from tournament.domain.cut import Tie
from tournament.domain.faults import Fault
from tournament.domain.forecast import Forecast
from tournament.domain.judgement import Judgement
from tournament.domain.model import Bye, ByeKind, Names, Pairing, PlayerId, Pod, Result, Round, Seat
from tournament.domain.objective import Cost
from tournament.domain.pod_certificate import PodCertificate, PodCost
from tournament.domain.pods import Proof
from tournament.domain.repair import Option
from tournament.domain.sensitivity import Sensitivity
from tournament.domain.standings import Standing
from tournament.domain.tiebreaks import Record
from tournament.event_file.answers import pairing_at
from tournament.event_file.model import Event

Document: TypeAlias = dict[str, Any]


def pairings_document(paired: Round) -> list[Document]:
    """Who sits where, in the order of the tables, then the byes."""
    return list(map(seat_document, paired.seats))


def seat_document(seat: Seat) -> Document:
    """A table or a bye; its result is not told."""
    match seat:
        case Bye(kind=ByeKind.ODD):
            return {"bye": seat.player}
        case Bye():
            return {"bye": seat.player, "kind": str(seat.kind)}
        case _:
            return {"table": seat.table, "players": [seat.first, seat.second]}


def standings_document(
    lines: Iterable[Standing], records: Mapping[PlayerId, Record], gone: Collection[PlayerId]
) -> list[Document]:
    """The standings: every tiebreak as an exact fraction, what the rounds came to, and who has left."""
    return [
        {
            "place": line.place,
            "player": line.player,
            "match_points": line.match_points,
            "record": _record_document(records[line.player]),
            "dropped": line.player in gone,
            "tiebreaks": fractions_document(line.tiebreaks),
        }
        for line in lines
    ]


def _record_document(record: Record) -> Document:
    return {"won": record.wins, "lost": record.losses, "drawn": record.draws, "byes": record.byes}


def fractions_document(values: Mapping[str, Fraction]) -> Document:
    """Fractions as "numerator/denominator", also those that are whole."""
    return {name: f"{value.numerator}/{value.denominator}" for name, value in values.items()}


def open_document(tables: Iterable[tuple[int, int]]) -> list[Document]:
    """Tables without a result."""
    return [{"round": number, "table": table} for number, table in tables]


def ties_document(ties: Iterable[Tie], name: Names = str) -> list[Document]:
    """Seeds that the draw decided; the sentences call players by `name`."""
    return [
        {"place": tie.place, "seeded": list(tie.seeded), "left_out": list(tie.left_out), "sentence": tie.told(name)}
        for tie in ties
    ]


def bracket_document(bracket: Bracket) -> list[Document]:
    """The matches of a bracket. A seat is a player, or where one comes from, or null where nobody ever sits.

    A match that is decided also says how, who won, and its result if there was one.
    """
    return [
        {
            "match": match.id,
            "round": round_name(bracket, match.plan),
            "first": _occupant(match.seats[0], match.plan.first),
            "second": _occupant(match.seats[1], match.plan.second),
            **({} if match.outcome is None else _outcome_document(match.outcome)),
        }
        for match in matches(bracket)
    ]


def _outcome_document(outcome: Outcome) -> Document:
    result = {} if outcome.result is None else _result_document(outcome.result)
    return {"how": str(outcome.how), "winner": outcome.winner, **result}


def places_document(places: Iterable[Place]) -> list[Document]:
    """Final places; who shares one stands in a range."""
    return [{"first": place.first, "last": place.last, "players": list(place.players)} for place in places]


def _occupant(seat: Occupant, source: Source) -> Document | None:
    if not isinstance(seat, Empty):
        return {"player": seat}
    match source:
        case WinnerOf() if seat is Empty.OPEN:
            return {"winner_of": source.match}
        case LoserOf() if seat is Empty.OPEN:
            return {"loser_of": source.match}
        case _:
            return None


def certificate_document(certificate: Certificate) -> Document:
    """Why a round is as it is, and the numbers that prove it."""
    bound = certificate.bound
    return {
        "round": certificate.number,
        "draw": certificate.draw,
        "digest": certificate.digest,
        "cost": cost_document(certificate.cost),
        "places": certificate.places,
        "lots": certificate.lots,
        "floats": _reasons_document(certificate.floats),
        "rematches": _reasons_document(certificate.rematches),
        "apart": _reasons_document(certificate.apart),
        "byes": _reasons_document(certificate.byes),
        "bound": {
            "whole": bound.whole,
            "charges": list(map(_charge_document, bound.charges)),
            "potentials": dict(bound.potentials),
            "of_bye": bound.of_bye,
        },
        "unproven": certificate.unproven,
    }


def certificate_from(document: Mapping[str, Any], draw: str) -> Certificate:
    """The certificate of a document, to be checked (`tournament.domain.certificate.check_certificate`).

    Args:
        document: as `certificate_document` says it; a server leaves the draw out until the event is over.
        draw: the event's public draw.
    """
    bound = document["bound"]
    cost = document["cost"]
    return Certificate(
        draw=draw,
        number=document["round"],
        digest=document["digest"],
        cost=Cost(**{**cost, "rematches": tuple(cost["rematches"])}),
        places=document["places"],
        lots=document["lots"],
        floats=_reasons_from(document["floats"]),
        rematches=_reasons_from(document["rematches"]),
        apart=_reasons_from(document["apart"]),
        byes=_reasons_from(document["byes"]),
        bound=Bound(
            charges=tuple(Charge(**{**charge, "players": frozenset(charge["players"])}) for charge in bound["charges"]),
            potentials=bound["potentials"],
            of_bye=bound["of_bye"],
            whole=bound["whole"],
        ),
        unproven=document["unproven"],
    )


def pod_certificate_document(certificate: PodCertificate) -> Document:
    """Why a round of pods is as it is."""
    return {
        "round": certificate.number,
        "draw": certificate.draw,
        "digest": certificate.digest,
        "usual": certificate.usual,
        "cost": pod_cost_document(certificate.cost),
        "repeats": _reasons_document(certificate.repeats),
        "apart": _reasons_document(certificate.apart),
        "uneven": _reasons_document(certificate.uneven),
        "byes": _reasons_document(certificate.byes),
        "certain": str(certificate.proof),
    }


def pod_certificate_from(document: Mapping[str, Any], draw: str) -> PodCertificate:
    """The certificate of a document, to be checked; the arguments are those of `certificate_from`."""
    cost = document["cost"]
    return PodCertificate(
        draw=draw,
        number=document["round"],
        digest=document["digest"],
        usual=document["usual"],
        cost=PodCost(**{**cost, "repeats": tuple(cost["repeats"])}),
        repeats=_reasons_from(document["repeats"]),
        apart=_reasons_from(document["apart"]),
        uneven=_reasons_from(document["uneven"]),
        byes=_reasons_from(document["byes"]),
        proof=Proof(document["certain"]),
    )


def pod_cost_document(cost: PodCost) -> Document:
    """What a round of pods is judged by, the most important first."""
    return {
        "byes": cost.byes,
        "repeats": list(cost.repeats),
        "apart": cost.apart,
        "again_uneven": cost.again_uneven,
        "spread": cost.spread,
        "uneven_points": cost.uneven_points,
    }


def _reasons_from(documents: Iterable[Mapping[str, Any]]) -> tuple[Reason, ...]:
    return tuple(Reason(tuple(reason["players"]), reason["sentence"]) for reason in documents)


def _reasons_document(reasons: Iterable[Reason]) -> list[Document]:
    return [{"players": list(reason.players), "sentence": reason.sentence} for reason in reasons]


def _charge_document(charge: Charge) -> Document:
    return {
        "eighths": charge.eighths,
        "players": sorted(charge.players),
        "with_bye": charge.with_bye,
        "down_to": charge.down_to,
    }


def cost_document(cost: Cost) -> Document:
    """Levels 1 to 5 of a round."""
    return {
        "left_out": cost.left_out,
        "rematches": list(cost.rematches),
        "apart": cost.apart,
        "byes_before": cost.byes_before,
        "bye_points": cost.bye_points,
        "gaps": cost.gaps,
    }


def faults_document(played: Round, found: Iterable[Fault]) -> list[Document]:
    """Rules that a round of the file breaks, each with its place in the file."""
    return [
        {
            "round": played.number,
            "rule": fault.rule.name.lower().replace("_", "-"),
            "players": list(fault.players),
            "table": fault.table,
            "place": _place(played, fault),
            "sentence": fault.sentence,
        }
        for fault in found
    ]


def _place(played: Round, fault: Fault) -> str:
    """A JSON Pointer: the table or the bye, or the round where a player has neither."""
    for at, seat in enumerate(played.seats):
        if isinstance(seat, Bye):
            here = fault.table is None and seat.player in fault.players
        else:
            here = fault.table == seat.table or (fault.table is None and fault.players[:1] == (seat.first,))
        if here:
            return f"/rounds/{played.number - 1}/tables/{at}"
    return f"/rounds/{played.number - 1}"


def judgement_document(played: Round, judgement: Judgement) -> Document:
    """A round beside the one that the draw gives."""
    return {
        "round": played.number,
        "faults": len(judgement.faults),
        "notes": faults_document(played, judgement.notes),
        "cost": None if judgement.cost is None else cost_document(judgement.cost),
        "best": cost_document(judgement.best),
        "is_best": judgement.is_best,
        "as_drawn": as_drawn(judgement),
        "only_here": list(map(list, judgement.only_here)),
        "only_drawn": list(map(list, judgement.only_engine)),
    }


def as_drawn(judgement: Judgement) -> bool:
    """Whether everybody meets whom the draw gives."""
    return not judgement.only_here and not judgement.only_engine


def forecast_document(found: Forecast) -> Document:
    """What is certain before the start."""
    return {
        "players": found.players,
        "rounds": found.rounds,
        "free_of_rematches_to": found.free_of_rematches_to,
        "rematch_certain_from": found.rematch_certain_from,
        "second_bye_certain_from": found.second_bye_certain_from,
        "round_robin_is_better": found.round_robin_is_better,
        "sentences": list(found.sentences),
    }


def options_document(options: Iterable[Option]) -> list[Document]:
    """Ways to go on after a mistake, counted from 1."""
    return [
        {
            "option": number,
            "way": str(option.mend),
            "changes": len(option.added),
            "cost": cost_document(option.cost),
            "removed": list(map(seat_document, option.removed)),
            "added": list(map(seat_document, option.added)),
            "pairings": pairings_document(option.after),
        }
        for number, option in enumerate(options, start=1)
    ]


def correction_document(event: Event, number: int, table: int, result: Result) -> Document:
    """A result, and the one that it takes the place of."""
    before = pairing_at(event, number, table).result
    return {
        "round": number,
        "table": table,
        "before": None if before is None else _result_document(before),
        "now": _result_document(result),
    }


def _result_document(result: Result) -> Document:
    return {"games": [result.first, result.second, result.drawn], "ending": str(result.ending)}


def table_document(seat: Seat | Pod) -> Document:
    """A table or a bye of the file, with what came of it; null while it is open."""
    if isinstance(seat, Pod):
        placing = seat.placing
        result = None if placing is None else {"places": list(map(list, placing)), "ending": str(seat.ending)}
        return {"table": seat.table, "players": list(seat.players), "result": result}
    if isinstance(seat, Pairing):
        return seat_document(seat) | {"result": None if seat.result is None else _result_document(seat.result)}
    return seat_document(seat)


def sensitivity_document(found: Sensitivity, name: Names) -> Document:
    """Who is in the cut, and what every other preset would change."""
    return {
        "preset": found.preset,
        "inside": list(found.inside),
        "at_the_line": list(found.at_the_line),
        "is_firm": found.is_firm,
        "changes": [
            {
                "preset": change.preset,
                "enter": list(change.enter),
                "leave": list(change.leave),
                "at_the_line": list(change.at_the_line),
                "sentences": list(change.told(name)),
            }
            for change in found.changes
        ],
    }


def outlooks_document(outlooks: Iterable[Outlook]) -> list[Document]:
    """Where each ending of the own match leads."""
    return [
        {
            "own": str(outlook.own),
            "match_points": outlook.match_points,
            "best_place": outlook.best_place,
            "worst_place": outlook.worst_place,
            "cases": outlook.cases,
            "enough": outlook.enough,
            "too_little": outlook.too_little,
            "sentence": outlook.sentence,
        }
        for outlook in outlooks
    ]


def chances_document(chances: Iterable[Chance]) -> list[Document]:
    """How often the cut was made after each ending of the next match."""
    return [
        {
            "own": str(chance.own),
            "made": chance.made,
            "events": chance.events,
            "standard_error": round(chance.standard_error, 6),
            "sentence": chance.sentence,
        }
        for chance in chances
    ]


def changes_document(changes: Iterable[Change], name: Names) -> list[Document]:
    """Matches of the cut whose players a correction changes."""
    return [{"match": change.match, "sentence": change.told(name)} for change in changes]
