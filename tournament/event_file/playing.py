"""Results as they come in, and what a round still waits for."""

from collections.abc import Mapping, Sequence
from dataclasses import replace

from tournament.domain.errors import ResultsRefused, TableUnknown
from tournament.domain.model import Pairing, PlayerId, Pod, Result, Round, players_at
from tournament.event_file.answers import pairing_at, with_result
from tournament.event_file.model import Event, open_in


def current_number(event: Event) -> int:
    """The round that is played now: the first with an open table, or else the last; 0 before the first."""
    return next((played.number for played in event.played if open_in(played)), len(event.played))


def reported(event: Event, number: int, results: Sequence[tuple[int, Result]], *, correct: bool = False) -> Event:
    """The event with results of a round; one that says what is there already changes nothing.

    Args:
        event: as its file tells it.
        number: of a round of the file.
        results: tables and what came of them.
        correct: in the last round another result may take the place of the one that is there.

    Raises:
        ResultsRefused: a table is not there, given twice, or has another result. With every reason.
    """
    faults: list[str] = []
    given: dict[int, Result] = {}
    for table, result in results:
        try:
            match = pairing_at(event, number, table)
        except TableUnknown as error:
            faults.append(str(error))
            continue
        if given.setdefault(table, result) != result:
            faults.append(f"table {table} is given twice, with two results")
        elif match.result not in (None, result) and not (correct and number == len(event.rounds)):
            faults.append(_how_to_correct(event, number, match, result))
    if faults:
        raise ResultsRefused(faults)
    for table, result in given.items():
        event = with_result(event, number, table, result)
    return event


def _how_to_correct(event: Event, number: int, match: Pairing, result: Result) -> str:
    had = f"table {match.table} of round {number} has a result, {games_text(match.result)}"
    if number == len(event.rounds):
        return f"{had}; --correct puts this one in its place"
    ending = "" if result.ending == "played" else f" --ending '{result.ending}'"
    words = f"--round {number} --table {match.table} --games {result.first}-{result.second}-{result.drawn}{ending}"
    return (
        f"{had}, and round {len(event.rounds)} was paired since: `event-file repair FILE {words}` shows what it changes"
    )


def games_text(result: Result | None) -> str:
    """A result as people say it: drawn games only if there are any, the ending only if it is not the usual one."""
    if result is None:
        return "open"
    drawn = f"-{result.drawn}" if result.drawn else ""
    ending = "" if result.ending == "played" else f" ({result.ending})"
    return f"{result.first}-{result.second}{drawn}{ending}"


def places_text(pod: Pod, names: Mapping[PlayerId, str]) -> str:
    """What a table of several came to, as people say it: the best first."""
    if pod.placing is None:
        return "open"
    said = ", ".join(" = ".join(names[player] for player in place) for place in pod.placing)
    ending = "" if pod.ending == "played" else f"({pod.ending})"
    return " ".join(filter(None, (said, ending)))


def unseated(event: Event, number: int) -> tuple[PlayerId, ...]:
    """Who is in that round and has neither a table nor a bye in it."""
    seated = {player for seat in event.played[number - 1].seats for player in players_at(seat)}
    return tuple(
        player.id
        for player in event.players_in(number)
        if player.id not in seated
        and player.entered_in <= number
        and (player.dropped_after is None or number <= player.dropped_after)
    )


def by_table(played: Round) -> Round:
    """The round with its tables by number, then the byes."""
    return replace(
        played,
        seats=tuple(sorted(played.seats, key=lambda seat: seat.table if isinstance(seat, Pairing) else float("inf"))),
    )
