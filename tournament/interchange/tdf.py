"""Pokémon tournament files (`.tdf`), as the Tournament Operations Manager (TOM) writes them.

XML: `players`, then a `pod` for each age division with its `rounds` and `matches`. A match says who won and nothing
about games; its outcomes are 0 open, 1 and 2 won by that player, 3 tie, 5 bye, 8 loss of somebody who came late, 10
double loss. Divisions are played side by side, so their rounds of one number are one round here.

Lost in reading: dates, places, the organizer, birth dates, seeds, standings, whether a drop was a disqualification.
Lost in writing: games, how a match ended, awarded byes, fixed tables, places of the cut. TOM wants a numeric player id
and a birth date from each player; the dates are left empty.

Source: files and readers published by shops and players; there is no public specification.
"""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass

from tournament.domain.amounts import counted
from tournament.domain.model import Bye, ByeKind, Ending, Player, PlayerId, Result, Round, Seat
from tournament.domain.results import Outcome, outcome
from tournament.interchange.building import EventBuilder, check_writable, decoded, lost_in_text, one_line
from tournament.interchange.event import Event, Reading, Writing
from tournament.interchange.xml_tree import Element, escaped, parse_xml, quoted

FORMAT = "a Pokémon tournament file (.tdf)"

OPEN, FIRST, SECOND, TIE, BYE, LATE, DOUBLE_LOSS = 0, 1, 2, 3, 5, 8, 10
"""Outcomes of a match."""

_RESULTS: dict[int, Result | None] = {
    OPEN: None,
    FIRST: Result(1, 0),
    SECOND: Result(0, 1),
    TIE: Result(0, 0, 1),
    DOUBLE_LOSS: Result(0, 0, 0, Ending.DOUBLE_LOSS),
}
_OUTCOMES = {Outcome.FIRST: FIRST, Outcome.SECOND: SECOND, Outcome.DRAW: TIE, Outcome.NOBODY: DOUBLE_LOSS}

ELIMINATION = 1
SWISS = 3
"""Types of a round."""

DIVISIONS = {"0": "junior", "1": "senior", "2": "master"}
"""Categories of a pod; the others stand for several divisions played together."""

TOGETHER = "10"
"""All divisions played together."""


# --- reading --------------------------------------------------------------------------------------------------------


def parse_tdf(content: bytes | str) -> Reading:
    """Read a tournament file.

    Raises:
        FileUnreadable: not a tournament file; every fault with its line.
    """
    root = parse_xml(decoded(content, FORMAT), FORMAT)
    event = EventBuilder(FORMAT)
    if root.name != "tournament":
        event.fault(_line(root), f"the document is a {root.name}; a tournament belongs there")
        return event.finish()
    event.name = event.text(root.text_of("data", "name"), "the name of the tournament")
    players, pods = root.first("players"), root.first("pods")
    for player in players.all("player") if players else ():
        _read_player(event, player)
    divisions = [(pod, _rounds_of(event, pod)) for pod in (pods.all("pod") if pods else ())]
    swiss = max((round_.number for _, rounds in divisions for round_ in rounds if not round_.elimination), default=0)
    late: list[tuple[str, int, Element]] = []
    for pod, rounds in divisions:
        _read_division(event, pod)
        _read_rounds(event, rounds, swiss, late)
    for player_id, number, match in late:
        _read_late(event, player_id, number, match)
    return event.finish()


def _line(element: Element) -> str:
    return f"line {element.line}"


def _read_player(event: EventBuilder, player: Element) -> None:
    name = f"{player.text_of('firstname')} {player.text_of('lastname')}"
    entered = event.add_player(player.attributes.get("userid", ""), name, _line(player))
    dropped = player.first("dropped")
    if entered is None or dropped is None:
        return
    after = event.number(dropped.text_of("round"), f"{_line(dropped)}, the round of a drop")
    if after is not None:
        event.dropped(entered, after)


@dataclass(frozen=True, slots=True)
class _PodRound:
    number: int
    elimination: bool
    element: Element


def _rounds_of(event: EventBuilder, pod: Element) -> list[_PodRound]:
    """The rounds of a division, in order of their numbers."""
    rounds = []
    for element in _all_under(pod, "rounds", "round"):
        number = event.number(element.attributes.get("number", ""), f"{_line(element)}, the number of a round", least=1)
        if number is not None:
            rounds.append(_PodRound(number, element.attributes.get("type", "").strip() == str(ELIMINATION), element))
    return sorted(rounds, key=lambda round_: round_.number)


def _read_rounds(
    event: EventBuilder, rounds: list[_PodRound], swiss: int, late: list[tuple[str, int, Element]]
) -> None:
    """Read a division's rounds. Its cut follows the Swiss rounds of the division that has most of them."""
    cut = swiss
    for round_ in rounds:
        cut += round_.elimination
        number = cut if round_.elimination else round_.number
        if number != round_.number:
            event.lose(_line(round_.element), f"round {round_.number} of this division becomes round {number}")
        if event.open_round(number, _line(round_.element), elimination=round_.elimination):
            for match in _all_under(round_.element, "matches", "match"):
                _read_match(event, number, match, late)


def _read_division(event: EventBuilder, pod: Element) -> None:
    category = pod.attributes.get("category", TOGETHER)
    for group in _all_under(pod, "subgroups", "subgroup"):
        for player in _all_under(group, "players", "player"):
            player_id = PlayerId(one_line(player.attributes.get("userid", "")))
            if not event.knows(player_id):
                event.fault(_line(player), f"player {player_id!r} is in a division and not in the event")
            elif category in DIVISIONS:
                event.divisions[player_id] = DIVISIONS[category]


def _all_under(element: Element, group: str, name: str) -> Iterator[Element]:
    found = element.first(group)
    return found.all(name) if found else iter(())


def _read_match(event: EventBuilder, round_: int, match: Element, late: list[tuple[str, int, Element]]) -> None:
    seats = [
        one_line(seat.attributes.get("userid", ""))
        for name in ("player", "player1", "player2")
        for seat in match.all(name)
    ]
    ended = event.number(match.attributes.get("outcome", ""), f"{_line(match)}, the outcome of a match")
    table_text = match.text_of("tablenumber").strip()
    table = event.number(table_text, f"{_line(match)}, a table number") if table_text else None
    match (len(seats), ended):
        case (_, None):
            return
        case (1, code) if code == BYE:
            event.bye(round_, seats[0], _line(match))
        case (1, code) if code == LATE:
            late.append((seats[0], round_, match))
        case (2, code) if code in _RESULTS:
            event.pairing(round_, table, (seats[0], seats[1]), _RESULTS[code], _line(match))
        case _:
            event.fault(_line(match), f"outcome {ended} with {counted(len(seats), 'player')}; {_ALLOWED}")


_ALLOWED = "0, 1, 2, 3 and 10 have two players, 5 (bye) and 8 (came late) have one"


def _read_late(event: EventBuilder, player_id: str, round_: int, match: Element) -> None:
    """Somebody came after that round: an event says in which round such a player began."""
    player = PlayerId(player_id)
    first = event.first_seat(player)
    if not event.knows(player):
        event.fault(_line(match), f"player {player_id!r} is not in the event")
    elif first is not None and first <= round_:
        event.fault(_line(match), f"player {player_id} came late to round {round_}, but sits in round {first}")
    else:
        event.entered(player, round_ + 1)


# --- writing --------------------------------------------------------------------------------------------------------


def render_tdf(event: Event) -> Writing:
    """Write a tournament file, and say what it cannot hold.

    Raises:
        EventUnwritable: not an event that could be read back.
    """
    check_writable(event, FORMAT)
    return Writing("\n".join(_document(event)) + "\n", tuple(_lost(event)))


def _document(event: Event) -> Iterator[str]:
    kind = 3 if event.divisions else 2
    yield '<?xml version="1.0" encoding="UTF-8"?>'
    yield f'<tournament type="{kind}" stage="1" version="1.80" gametype="TRADING_CARD_GAME" mode="CUSTOM">'
    yield f"\t<data><name>{escaped(event.name)}</name></data>"
    yield "\t<timeelapsed>0</timeelapsed>"
    yield "\t<players>"
    for player in event.players:
        yield from _player(player)
    yield "\t</players>"
    yield "\t<pods>"
    for category, members in _pods(event).items():
        yield from _pod(event, category, members)
    yield "\t</pods>"
    yield "</tournament>"


def _player(player: Player) -> Iterator[str]:
    first, _, last = player.name.rpartition(" ")
    yield f"\t\t<player userid={quoted(player.id)}>"
    yield f"\t\t\t<firstname>{escaped(first or last)}</firstname>"
    yield f"\t\t\t<lastname>{escaped(last if first else '')}</lastname>"
    yield "\t\t\t<birthdate></birthdate>"
    if player.dropped_after is not None:
        yield f"\t\t\t<dropped><status>1</status><round>{player.dropped_after}</round></dropped>"
    yield "\t\t</player>"


def _pods(event: Event) -> dict[str, list[Player]]:
    """Players by category of their division."""
    category = {name: code for code, name in DIVISIONS.items()}
    pods: dict[str, list[Player]] = {}
    for player in event.players:
        pods.setdefault(category.get(event.divisions.get(player.id, ""), TOGETHER), []).append(player)
    return pods


def _pod(event: Event, category: str, members: list[Player]) -> Iterator[str]:
    inside = {player.id for player in members}
    yield f'\t\t<pod category="{category}" stage="1">'
    yield '\t\t\t<subgroups><subgroup number="1"><players>'
    yield from (f"\t\t\t\t<player userid={quoted(player.id)}/>" for player in members)
    yield "\t\t\t</players></subgroup></subgroups>"
    yield "\t\t\t<rounds>"
    for round_ in event.rounds:
        late = [player for player in members if player.entered_in > round_.number]
        yield from _round(round_, SWISS, inside, late)
    for round_ in event.cut:
        yield from _round(round_, ELIMINATION, inside, ())
    yield "\t\t\t</rounds>"
    yield "\t\t</pod>"


def _round(round_: Round, kind: int, inside: set[PlayerId], late: Iterable[Player]) -> Iterator[str]:
    yield f'\t\t\t\t<round number="{round_.number}" type="{kind}" stage="4"><matches>'
    for seat in round_.seats:
        if (seat.player if isinstance(seat, Bye) else seat.first) in inside:
            yield f"\t\t\t\t\t{_match(seat)}"
    yield from (f"\t\t\t\t\t{_alone(LATE, player.id)}" for player in late)
    yield "\t\t\t\t</matches></round>"


def _alone(ended: int, player: PlayerId) -> str:
    return f'<match outcome="{ended}"><player userid={quoted(player)}/><tablenumber>0</tablenumber></match>'


def _match(seat: Seat) -> str:
    if isinstance(seat, Bye):
        return _alone(BYE, seat.player)
    ended = OPEN if seat.result is None else _OUTCOMES[outcome(seat.result)]
    players = f"<player1 userid={quoted(seat.first)}/><player2 userid={quoted(seat.second)}/>"
    return f'<match outcome="{ended}">{players}<tablenumber>{seat.table}</tablenumber></match>'


def _lost(event: Event) -> Iterator[str]:
    yield from lost_in_text(event)
    for who, division in event.divisions.items():
        if division not in DIVISIONS.values():
            yield f"player {who}: the division {division!r} is not one of TOM's"
    for player in event.players:
        yield from (f"player {player.id}: {what}" for what in _lost_of(player, len(event.rounds)))
    for round_ in (*event.rounds, *event.cut):
        yield from (f"round {round_.number}{what}" for seat in round_.seats for what in _lost_at(seat))
    if event.cut_places:
        yield "the places of the cut are not written"
    if not event.players and (event.rounds or event.cut):
        yield "rounds without players are not written"


def _lost_of(player: Player, rounds: int) -> Iterator[str]:
    if not player.id.isdigit():
        yield "TOM wants a number as the id"
    if player.entered_in > rounds + 1:
        yield f"entering only in round {player.entered_in} is not written"
    if player.disqualified:
        yield "disqualified is written as dropped, if at all"
    if player.table is not None or player.awarded_byes:
        yield "the fixed table and awarded byes are not written"


def _lost_at(seat: Seat) -> Iterator[str]:
    if isinstance(seat, Bye):
        if seat.kind is ByeKind.AWARDED:
            yield f": the awarded bye of {seat.player} is written as a bye"
    elif seat.result not in _RESULTS.values():
        yield f", table {seat.table}: only who won is written"
