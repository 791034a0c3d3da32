"""Answers as JSON: the field names that scripts rely on. docs/guide/event-file.md lists them."""

from collections.abc import Iterable, Mapping
from fractions import Fraction
from typing import Any, TypeAlias

from tournament.domain.bracket import Bracket, Empty, Occupant, matches
from tournament.domain.bracket_plan import LoserOf, Source, WinnerOf
from tournament.domain.bracket_text import round_name
from tournament.domain.certificate import Certificate, Charge, Reason
from tournament.domain.cut import Tie
from tournament.domain.model import Bye, ByeKind, Round, Seat
from tournament.domain.standings import Standing

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


def standings_document(lines: Iterable[Standing]) -> list[Document]:
    """The standings, every tiebreak as an exact fraction."""
    return [
        {
            "place": line.place,
            "player": line.player,
            "match_points": line.match_points,
            "tiebreaks": fractions_document(line.tiebreaks),
        }
        for line in lines
    ]


def fractions_document(values: Mapping[str, Fraction]) -> Document:
    """Fractions as "numerator/denominator", also those that are whole."""
    return {name: f"{value.numerator}/{value.denominator}" for name, value in values.items()}


def open_document(tables: Iterable[tuple[int, int]]) -> list[Document]:
    """Tables without a result."""
    return [{"round": number, "table": table} for number, table in tables]


def ties_document(ties: Iterable[Tie]) -> list[Document]:
    """Seeds that the draw decided."""
    return [
        {"place": tie.place, "seeded": list(tie.seeded), "left_out": list(tie.left_out), "sentence": str(tie)}
        for tie in ties
    ]


def bracket_document(bracket: Bracket) -> list[Document]:
    """The matches of a bracket. A seat is a player, or where one comes from, or null where nobody ever sits."""
    return [
        {
            "match": match.id,
            "round": round_name(bracket, match.plan),
            "first": _occupant(match.seats[0], match.plan.first),
            "second": _occupant(match.seats[1], match.plan.second),
        }
        for match in matches(bracket)
    ]


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
    cost, bound = certificate.cost, certificate.bound
    return {
        "round": certificate.number,
        "draw": certificate.draw,
        "digest": certificate.digest,
        "cost": {
            "left_out": cost.left_out,
            "rematches": list(cost.rematches),
            "apart": cost.apart,
            "byes_before": cost.byes_before,
            "bye_points": cost.bye_points,
            "gaps": cost.gaps,
        },
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


def _reasons_document(reasons: Iterable[Reason]) -> list[Document]:
    return [{"players": list(reason.players), "sentence": reason.sentence} for reason in reasons]


def _charge_document(charge: Charge) -> Document:
    return {
        "eighths": charge.eighths,
        "players": sorted(charge.players),
        "with_bye": charge.with_bye,
        "down_to": charge.down_to,
    }
