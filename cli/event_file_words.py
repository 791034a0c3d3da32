"""What the commands of an event file print for a person: rounds, certificates, options, judgements."""

from collections import Counter
from collections.abc import Mapping, Sequence
from fractions import Fraction
from pathlib import Path
from typing import Final
from unicodedata import normalize

from cli import output
from tournament.domain.certificate import Certificate, digest_of
from tournament.domain.faults import Fault
from tournament.domain.judgement import Judgement
from tournament.domain.model import Bye, ByeKind, Ending, PlayerId, Result, Round, Seat
from tournament.domain.repair import Option
from tournament.domain.tiebreaks import Record
from tournament.event_file import Event, documents
from tournament.event_file.answers import pairing_at, points_before


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
    before = _games(match.result) if match.result else "open"
    said = f"{names[match.first]} and {names[match.second]}: {before}, now {_games(result)}"
    output.print_text(f"Round {number}, table {table}, {said}\n")


def _games(result: Result) -> str:
    """A result as people say it: the drawn games only if there are any, the ending only if it is not the usual one."""
    drawn = f"-{result.drawn}" if result.drawn else ""
    ending = "" if result.ending is Ending.PLAYED else f" ({result.ending})"
    return f"{result.first}-{result.second}{drawn}{ending}"


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
        if stood := event.stood.get(played.number):
            tables = ", ".join(map(str, stood))
            output.print_text(
                f"round {played.number}: not judged, since others were changed around them: table {tables}"
            )


def _at(fault: Fault) -> str:
    return "" if fault.table is None else f", table {fault.table}"


def names_of(event: Event) -> Mapping[PlayerId, str]:
    """What to call everybody: the name, with the id where two have names that look alike."""
    looks = {player.id: " ".join(normalize("NFKC", player.name).split()) for player in event.players}
    times = Counter(looks.values())
    return {
        player.id: f"{player.name} ({player.id})" if times[looks[player.id]] > 1 else player.name
        for player in event.players
    }


def record_text(record: Record) -> str:
    """Matches won, lost and drawn, byes among the won ones, as players say it."""
    return f"{record.wins + record.byes}-{record.losses}-{record.draws}"


_DECIMALS: Final = 4


def decimals(values: Sequence[Fraction]) -> list[str]:
    """A column of tiebreaks for the eye; sums of points have halves at most, rates need more."""
    digits = _DECIMALS if any(value.denominator > 2 for value in values) else 1  # noqa: PLR2004 - halves
    return [f"{float(value):.{digits}f}" for value in values]


def count(number: int, what: str) -> str:
    """A number of things, in the singular or the plural."""
    return f"{number} {what}" if number == 1 else f"{number} {what}s"


def say_whether_written(path: Path, *, written: bool) -> None:
    """Tell a person, beside the output."""
    output.print_note(f"Written to {path}." if written else "Nothing is written; --write does that.")
