"""A bracket as text: a heading for each round, a line for each match, then the places."""

from collections.abc import Iterator
from itertools import groupby

from tournament.domain.bracket import Bracket, Empty, How, Match, Occupant, Outcome, Place, matches, places
from tournament.domain.bracket_plan import Form, Part, PlannedMatch, Source, main_rounds
from tournament.domain.model import Names, Result

LAST_ROUNDS = ("final", "semifinals", "quarterfinals")


def text(bracket: Bracket, name: Names = str) -> str:
    """Print a bracket; matches that nobody plays are left out."""
    return "\n".join(_lines(bracket, name))


def round_name(bracket: Bracket, planned: PlannedMatch) -> str:
    """What players call the round of a match: final, semifinals, quarterfinals, round of 16, lower round 3."""
    if planned.part is Part.LOWER:
        return f"lower round {planned.round}"
    if planned.part is not Part.MAIN:
        return planned.part
    to_go = main_rounds(len(bracket.seeds)) - planned.round
    called = LAST_ROUNDS[to_go] if to_go < len(LAST_ROUNDS) else f"round of {2 << to_go}"
    return f"main {called}" if bracket.form is Form.DOUBLE else called


def place_text(place: Place, name: Names = str) -> str:
    """Print a place or a range of shared ones: `5-8 ann, bob, cat, dan`."""
    numbers = f"{place.first}" if place.first == place.last else f"{place.first}-{place.last}"
    return f"{numbers} {', '.join(map(name, place.players))}"


def _lines(bracket: Bracket, name: Names) -> Iterator[str]:
    yield f"{bracket.form.capitalize()}, {len(bracket.seeds)} players"
    played = [match for match in matches(bracket) if not _idle(match)]
    for title, group in groupby(played, lambda match: round_name(bracket, match.plan)):
        yield ""
        yield title[:1].upper() + title[1:]
        for match in group:
            yield _line(bracket, match, name)
    if certain := places(bracket):
        yield ""
        yield "Places"
        yield from (f"  {place_text(place, name)}" for place in certain)


def _idle(match: Match) -> bool:
    """Nobody plays it: it was not needed, or one of the two never existed. Byes of the first round are shown."""
    first_round = match.plan.part is Part.MAIN and match.plan.round == 1
    return match.seats.count(Empty.NOBODY) > (1 if first_round else 0)


def _line(bracket: Bracket, match: Match, name: Names) -> str:
    first, second = (
        _occupant(bracket, seat, source, name)
        for seat, source in zip(match.seats, (match.plan.first, match.plan.second), strict=True)
    )
    return f"  {match.id:<6}{first:<24} {_score(match.outcome):^7} {second:<24}{_ending(match.outcome, name)}".rstrip()


def _occupant(bracket: Bracket, seat: Occupant, source: Source, name: Names) -> str:
    if seat is Empty.OPEN:
        return str(source)
    return "bye" if isinstance(seat, Empty) else f"{bracket.seeds.index(seat) + 1} {name(seat)}"


def _score(outcome: Outcome | None) -> str:
    return "-" if outcome is None or outcome.result is None else _games(outcome.result)


def _games(result: Result) -> str:
    return f"{result.first}-{result.second}" + (f"-{result.drawn}" if result.drawn else "")


def _ending(outcome: Outcome | None, name: Names) -> str:
    if outcome is None:
        return ""
    how = "" if outcome.how is How.PLAYED else f" ({outcome.how})"
    return f" {name(outcome.winner) if outcome.winner else 'nobody'}{how}"
