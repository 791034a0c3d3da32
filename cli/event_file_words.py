"""What the commands of an event file print for a person: rounds, certificates, options, judgements."""

from collections.abc import Mapping, Sequence
from fractions import Fraction
from pathlib import Path
from typing import Final

from cli import output
from tournament.domain.amounts import counted
from tournament.domain.bracket import Empty, Match
from tournament.domain.certificate import Certificate, digest_of
from tournament.domain.faults import Fault
from tournament.domain.judgement import Judgement
from tournament.domain.model import AnyRound, Bye, ByeKind, PlayerId, PodRound, Result, Round, Seat, players_at
from tournament.domain.repair import Option
from tournament.domain.tiebreaks import Record
from tournament.event_file import Event, documents
from tournament.event_file.answers import pairing_at, points_before
from tournament.event_file.model import open_in
from tournament.event_file.names import look, namer, names_of
from tournament.event_file.playing import by_table, games_text, places_text, unseated
from tournament.event_file.proving import Proof


def print_round(event: Event, paired: Round) -> None:
    """The tables and byes of a round."""
    names, points = names_of(event), points_before(event, paired.number)
    rows = []
    for seat in paired.seats:
        if isinstance(seat, Bye):
            bye = "awarded bye" if seat.kind is ByeKind.AWARDED else "bye"
            rows.append(("", names[seat.player], str(points[seat.player]), bye, ""))
        else:
            first, second = ((names[player], str(points[player])) for player in (seat.first, seat.second))
            rows.append((str(seat.table), *first, *second))
    output.print_table(
        ("table", "player", "points", "opponent", "points"),
        rows,
        title=f"{event.name}: round {paired.number}",
        numbers=("table", "points"),
    )


def print_standing_round(event: Event, played: Round) -> None:
    """A round as the file has it: tables by number, names, points before it, and results."""
    names, points = names_of(event), points_before(event, played.number)
    rows = []
    for seat in by_table(played).seats:
        if isinstance(seat, Bye):
            bye = "awarded bye" if seat.kind is ByeKind.AWARDED else "bye"
            rows.append(("", names[seat.player], str(points[seat.player]), bye, "", ""))
        else:
            first, second = ((names[player], str(points[player])) for player in (seat.first, seat.second))
            rows.append((str(seat.table), *first, games_text(seat.result), *second))
    output.print_table(
        ("table", "player", "points", "result", "opponent", "points"),
        rows,
        title=f"{event.name}: round {played.number}{_still_open(played)}",
        styles={"open": "yellow"},
        numbers=("table", "points"),
    )


def who_sits(event: Event, number: int, table: int) -> tuple[PlayerId, ...]:
    """Everybody at a table of a round."""
    seats = event.played[number - 1].seats
    return next(players_at(seat) for seat in seats if not isinstance(seat, Bye) and seat.table == table)


def show_pods(event: Event, played: PodRound, *, as_json: bool) -> None:
    """A round at tables of several as the file has it."""
    seats = sorted(played.seats, key=lambda seat: float("inf") if isinstance(seat, Bye) else seat.table)
    if as_json:
        output.print_json(
            {
                "round": played.number,
                "tables": list(map(documents.table_document, seats)),
                "open_tables": sorted(open_in(played)),
                "unseated": list(unseated(event, played.number)),
            }
        )
        return
    names = names_of(event)
    rows = []
    for seat in seats:
        who = ", ".join(names[player] for player in players_at(seat))
        if isinstance(seat, Bye):
            rows.append(("", who, "awarded bye" if seat.kind is ByeKind.AWARDED else "bye"))
        else:
            rows.append((str(seat.table), who, places_text(seat, names)))
    title = f"{event.name}: round {played.number}{_still_open(played)}"
    output.print_table(("table", "players", "places"), rows, title=title, numbers=("table",))
    print_unseated(event, played.number)


def print_by_name(event: Event, played: Round) -> None:
    """A line for each player of a round, by name: where to go, and whom to meet."""
    names = names_of(event)
    rows = []
    for seat in played.seats:
        if isinstance(seat, Bye):
            rows.append((names[seat.player], "", "awarded bye" if seat.kind is ByeKind.AWARDED else "bye"))
        else:
            one, other = names[seat.first], names[seat.second]
            rows += [(one, str(seat.table), other), (other, str(seat.table), one)]
    rows += [(names[player], "", "no place") for player in unseated(event, played.number)]
    output.print_table(
        ("player", "table", "opponent"),
        sorted(rows, key=lambda row: (look(row[0]).casefold(), row)),
        title=f"{event.name}: round {played.number}",
        numbers=("table",),
    )


def _still_open(played: AnyRound) -> str:
    still = len(open_in(played))
    return f", {counted(still, 'open table')}" if still else ""


def print_open(event: Event, number: int) -> None:
    """One line with the tables of a round that are still open."""
    tables = sorted(open_in(event.played[number - 1]))
    if not tables:
        output.print_styled(f"Round {number} is complete.", "green")
        return
    more = f" and {len(tables) - _MOST_TABLES} more" if len(tables) > _MOST_TABLES else ""
    shown = ", ".join(map(str, tables[:_MOST_TABLES]))
    output.print_text(f"still open in round {number}: table {shown}{more}")


_MOST_TABLES: Final = 40


def print_unseated(event: Event, number: int) -> None:
    """A line for each player who is in a round and has no place in it."""
    names = names_of(event)
    for player in unseated(event, number):
        said = f"{names[player]} is in round {number} and has no table and no bye; `repair` finds a place"
        output.print_styled(f"no place: {said}", "yellow")


def players_text(match: Match, names: Mapping[PlayerId, str], between: str = "and") -> str:
    """The two of a match of the cut, both of them known."""
    first, second = (seat.value if isinstance(seat, Empty) else names[seat] for seat in match.seats)
    return f"{first} {between} {second}"


def print_rounds(event: Event, rounds: Sequence[Round]) -> None:
    """A schedule of rounds to come, one below the other."""
    names = names_of(event)
    rows = []
    for planned in rounds:
        for seat in planned.seats:
            if isinstance(seat, Bye):
                rows.append((str(planned.number), "", names[seat.player], "bye"))
            else:
                rows.append((str(planned.number), str(seat.table), names[seat.first], names[seat.second]))
    columns = ("round", "table", "player", "opponent")
    output.print_table(columns, rows, title=f"{event.name}: round robin", numbers=("round", "table"))


def print_certificate(certificate: Certificate) -> None:
    """Levels and reasons."""
    cost = certificate.cost
    output.print_styled(f"Certificate of round {certificate.number}", "bold")
    rows = [
        ("1", "left without a table or the bye", str(cost.left_out)),
        ("2", "rematches", str(len(cost.rematches))),
        ("2", "tables of two to be kept apart", str(cost.apart)),
        ("3", "byes that the bye's holder had before", str(cost.byes_before)),
        ("4", "points of the bye's holder", str(cost.bye_points)),
        ("5", "squared differences of points, in sum", str(cost.gaps)),
    ]
    output.print_table(("level", "what is kept low", "value"), rows, numbers=("level", "value"))
    for reason in (*certificate.rematches, *certificate.apart, *certificate.byes, *certificate.floats):
        output.print_text(f"  {reason.sentence}")
    output.print_text(
        f"  not proven: {certificate.unproven}"
        if certificate.unproven
        else "  No round is better on these levels; --json has the numbers that prove it."
    )
    output.print_text(f"  Between equally good rounds the draw chose: {certificate.draw!r}")
    output.print_text(f"  digest {certificate.digest}\n")


def print_comparison(paired: Round, played: Round) -> None:
    """Whether the file has the round that was paired."""
    if digest_of(paired) == digest_of(played):
        output.print_styled(f"Round {played.number} of the file is this round.", "green")
    else:
        output.print_styled(f"Round {played.number} of the file is another round.", "yellow")


def print_correction(event: Event, number: int, table: int, result: Result) -> None:
    """What a result was, and what it is now."""
    names, match = names_of(event), pairing_at(event, number, table)
    before, now = games_text(match.result), games_text(result)
    said = f"{names[match.first]} and {names[match.second]}: {before}, now {now}"
    output.print_text(f"Round {number}, table {table}, {said}\n")


def print_options(event: Event, options: Sequence[Option]) -> None:
    """The ways to go on, each with its tables."""
    names = names_of(event)
    rows = [
        (
            str(number),
            str(len(option.added)),
            str(len(option.cost.rematches)),
            str(option.cost.apart),
            str(option.cost.byes_before),
            str(option.cost.bye_points),
            str(option.cost.gaps),
        )
        for number, option in enumerate(options, start=1)
    ]
    columns = ("option", "new tables", "rematches", "apart", "byes before", "bye points", "gaps")
    title = f"{event.name}: ways to go on with round {event.rounds[-1].number}"
    output.print_table(columns, rows, title=title, numbers=columns)
    for number, option in enumerate(options, start=1):
        output.print_styled(f"Option {number}: {option.mend}", "bold")
        for seat in option.removed:
            output.print_styled(f"  - {_seat(seat, names)}", "red")
        for seat in option.added:
            output.print_styled(f"  + {_seat(seat, names)}", "green")
    output.print_text()


def _seat(seat: Seat, names: Mapping[PlayerId, str]) -> str:
    if isinstance(seat, Bye):
        return f"a bye for {names[seat.player]}"
    return f"table {seat.table}: {names[seat.first]} and {names[seat.second]}"


def print_judgements(event: Event, judged: Sequence[tuple[Round, Judgement]]) -> None:
    """Every round, then every fault and note."""
    rows = [
        (
            str(played.number),
            "none" if not judgement.faults else str(len(judgement.faults)),
            "yes" if judgement.is_best else "no",
            "yes" if documents.as_drawn(judgement) else "no",
        )
        for played, judgement in judged
    ]
    columns = ("round", "faults", "none better", "as drawn")
    output.print_table(columns, rows, numbers=("round",))
    for played, judgement in judged:
        for fault in judgement.faults:
            output.print_styled(f"round {played.number}{_at(fault)}: {fault.sentence} ({fault.rule})", "bold red")
        for note in judgement.notes:
            output.print_text(f"round {played.number}{_at(note)}: {note.sentence}, which no round could avoid")
        if judgement.only_here or judgement.only_engine:
            here, drawn = (_tables_text(event, tables) for tables in (judgement.only_here, judgement.only_engine))
            output.print_text(f"round {played.number}: not as drawn: {here}; the draw gives {drawn}")
        if stood := event.stood.get(played.number):
            tables = ", ".join(map(str, stood))
            output.print_text(
                f"round {played.number}: not judged, since others were changed around them: table {tables}"
            )


def print_proofs(proofs: Sequence[Proof]) -> None:
    """Every round with how it was paired, then everything that is not as it should be."""
    rows = [
        (
            str(proof.round),
            str(proof.way),
            "yes" if proof.has_certificate else "-",
            "no" if proof.faults else "yes",
        )
        for proof in proofs
    ]
    output.print_table(("round", "paired", "certificate", "proven"), rows, numbers=("round",))
    for proof in proofs:
        for fault in proof.faults:
            output.print_styled(f"round {proof.round}: {fault}", "bold red")


def _tables_text(event: Event, tables: Sequence[Sequence[PlayerId]]) -> str:
    name = namer(event)
    shown = [
        " and ".join(map(name, who)) if len(who) > 1 else f"a bye for {name(who[0])}" for who in tables[:_MOST_SHOWN]
    ]
    more = [f"{len(tables) - _MOST_SHOWN} more (--json has all)"] if len(tables) > _MOST_SHOWN else []
    return ", ".join([*shown, *more]) or "nothing of it"


_MOST_SHOWN: Final = 10


def _at(fault: Fault) -> str:
    return "" if fault.table is None else f", table {fault.table}"


def record_text(record: Record) -> str:
    """Matches won, lost and drawn, byes among the won ones, as players say it."""
    return f"{record.wins + record.byes}-{record.losses}-{record.draws}"


_DECIMALS: Final = 4


def decimals(values: Sequence[Fraction]) -> list[str]:
    """A column of tiebreaks for the eye; sums of points have halves at most, rates need more."""
    digits = _DECIMALS if any(value.denominator > 2 for value in values) else 1  # noqa: PLR2004 - halves
    return [f"{float(value):.{digits}f}" for value in values]


def say_written(path: Path) -> None:
    """Tell a person, beside the output."""
    output.print_note(f"Written to {path}.")


def say_whether_written(path: Path, *, written: bool) -> None:
    """Tell a person, beside the output."""
    output.print_note(f"Written to {path}." if written else "Nothing is written; --write does that.")
