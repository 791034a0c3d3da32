"""128 players, seven rounds and a cut to eight, over HTTP and nothing else, with everything that goes wrong on a day.

At the end the exported file, read by the pure rules, has the standings, the places and the champion that the server
showed; every round in it is as good as its certificate said.
"""

import json
from collections.abc import Mapping
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from random import Random
from typing import Any

from tests.journeys.day import Day, games, opened
from tournament.database import Database
from tournament.event_file import parse_event_file
from tournament.event_file.answers import judge_rounds, places_of, standings_of

PLAYERS = 128
ROUNDS = 7
CUT = 8
CHANCE = Random(7)
"""Who wins."""


def any_result() -> dict[str, object]:
    return games(*CHANCE.choice([(2, 0), (2, 1), (1, 2), (0, 2), (2, 0), (0, 2), (1, 1, 1)]))


def test_a_day_with_everything_that_goes_wrong(url: str, database: Database, tmp_path: Path) -> None:
    with opened(url, database, tmp_path) as day:
        announce(day)
        register(day)
        played = play(day)
        champion = cut(day, played)
        finish(day, champion)


def announce(day: Day) -> None:
    event = day.ann.do("/events", {"name": "Spring Open", "rounds": ROUNDS, "registration": "open", "capacity": 200})
    day.path = f"/events/{event['event']}"
    for person in day.people:
        person.path = day.path
    day.ann.do("/staff", {"account": "bob", "role": "scorekeeper"})
    day.ann.do("/staff", {"account": "cat", "role": "judge"})
    day.ann.do("/publish")
    day.ann.do("/registration/open")


def register(day: Day) -> None:
    """Half enter by themselves, at once; the desk enters the others."""
    with ThreadPoolExecutor(16) as pool:
        names = [f"Self {number}" for number in range(PLAYERS // 2)]
        said = list(pool.map(lambda name: day.person().do("/registrations", {"name": name}), names))
    for beside in said:
        day.codes[beside["entry"]] = beside["token"]
    for number in range(PLAYERS // 2):
        entry = day.ann.do("/entries", {"name": f"Desk {number}"})["fact"]["entry"]
        day.codes[entry] = day.ann.get(f"/entries/{entry}/code")["token"]
    assert sorted(day.codes) == list(range(1, PLAYERS + 1))
    day.ann.do("/registration/close")


def play(day: Day) -> dict[int, dict[int, Mapping[str, Any]]]:
    """Seven rounds; gives the tables of each."""
    played: dict[int, dict[int, Mapping[str, Any]]] = {}
    for number in range(1, ROUNDS + 1):
        day.bob.do("/rounds")
        day.bob.do("/rounds/publish")
        document = day.anybody.get(f"/rounds/{number}")
        tables = {seat["table"]: seat for seat in document["seats"] if seat["table"] is not None}
        played[number] = tables
        happenings(day, number, tables, played)
        assert [one["table"] for one in day.bob.get(f"/rounds/{number}/missing")["missing"]] == []
        if number < ROUNDS:
            day.bob.do("/rounds/close")
    day.bob.do("/rounds/close")
    return played


def happenings(day: Day, number: int, tables: dict[int, Mapping[str, Any]], played: dict[int, Any]) -> None:
    left = dict(tables)

    def report(table: int, result: dict[str, object]) -> Any:
        left.pop(table, None)
        return day.bob.do(f"/rounds/{number}/tables/{table}/result", result)

    if number == 1:
        by_players(day, tables[1])
        left.pop(1)
    if number == 2:
        entry = day.ann.do("/entries", {"name": "Late Larry"})["fact"]
        assert entry["entered_in"] == 3
        day.codes[entry["entry"]] = day.ann.get(f"/entries/{entry['entry']}/code")["token"]
        twice_at_once(day, tables[5])
        left.pop(5)
    if number == 4:
        found_a_round_later(day, played)
        tables = {s["table"]: s for s in day.bob.get("/rounds/4")["seats"] if s["table"] is not None}
        left = dict(tables)
    if number == 5:
        gone = tables[60]["first"]
        report(60, games(0, 2))
        assert day.player(gone).do(f"/entries/{gone}/drop")["fact"]["dropped_after"] == 5
    if number == ROUNDS:
        report(1, games(0, 0, 3, "intentional draw"))
    for table in list(left):
        report(table, any_result())


def by_players(day: Day, seat: Mapping[str, Any]) -> None:
    """One claims, the other contradicts, then agrees."""
    one, other = day.player(seat["first"]), day.player(seat["second"])
    mine = one.get("/rounds/current/me")
    assert (mine["table"], mine["opponent"]["number"]) == (1, seat["second"])
    one.do("/rounds/1/tables/1/claim", {"mine": 2, "theirs": 1})
    other.do("/rounds/1/tables/1/claim", {"mine": 2, "theirs": 0})
    assert [line["table"] for line in day.cat.get("/judging")["disagreements"]] == [1]
    other.do("/rounds/1/tables/1/claim", {"mine": 1, "theirs": 2})
    result = day.bob.get("/rounds/1")["seats"][0]["result"]
    assert (result["first"], result["second"]) == (2, 1)


def twice_at_once(day: Day, seat: Mapping[str, Any]) -> None:
    """The same slip is typed by ten people; an eleventh misreads it."""
    place = f"/rounds/2/tables/{seat['table']}/result"

    def typed(_: int) -> tuple[int, Any]:
        person = day.person(day.bob.token)
        return person.ask("POST", place, games(2, 1))

    with ThreadPoolExecutor(10) as pool:
        answers = list(pool.map(typed, range(10)))
    assert {status for status, _ in answers} == {201}
    assert len({answer["hash"] for _, answer in answers}) == 1
    status, refused = day.bob.ask("POST", place, games(1, 2))
    assert (status, refused["type"]) == (409, "/problems/table-reported")


def found_a_round_later(day: Day, played: dict[int, Any]) -> None:
    """A result of round 3 was typed the wrong way round, which shows when round 4 is posted."""
    table, seat = next(
        (table, seat)
        for table, seat in played[3].items()
        if day.bob.get("/rounds/3")["seats"][table - 1]["result"]["first"] == 2
    )
    place = f"/rounds/3/tables/{table}"
    ways = day.bob.do(f"{place}/repair", games(0, 2))["options"]
    assert ways
    status, refused = day.bob.ask("PUT", f"{place}/result", games(0, 2) | {"option": "f" * 16})
    assert (status, refused["type"]) == (409, "/problems/option-stale")
    day.bob.do(
        f"{place}/result", games(0, 2) | {"option": ways[-1]["option"], "reason": "the slip says so"}, method="PUT"
    )
    result = day.bob.get("/rounds/3")["seats"][table - 1]["result"]
    assert (result["first"], result["second"]) == (0, 2)
    assert seat["first"] != seat["second"]


def cut(day: Day, played: dict[int, Any]) -> int:
    """Eight play on; one is disqualified before the semifinal, and nobody is promoted. Gives the champion."""
    standings = day.anybody.get("/standings")["standings"]
    assert [line["place"] for line in standings][:1] == [1]
    day.ann.do("/cut", {"top": CUT})
    for match in ready(day):
        assert match["round"] == "quarterfinals"
        day.bob.do(f"/cut/matches/{match['match']}/result", games(2, 0))
    semifinals = ready(day)
    assert len(semifinals) == 2
    cheater = semifinals[0]["first"]["player"]
    day.cat.do(f"/entries/{cheater}/disqualify", {"reason": "marked cards"})
    [semifinal] = [
        match for match in ready(day) if cheater not in {match["first"]["player"], match["second"]["player"]}
    ]
    day.bob.do(f"/cut/matches/{semifinal['match']}/result", games(2, 1))
    [final] = ready(day)
    assert semifinals[0]["second"]["player"] in {final["first"]["player"], final["second"]["player"]}
    status, refused = day.ann.ask("POST", "/finish")
    assert (status, refused["type"]) == (409, "/problems/cut-unfinished")
    day.bob.do(f"/cut/matches/{final['match']}/result", games(1, 2))
    bracket = day.anybody.get("/cut")
    assert bracket["finished"]
    assert bracket["winner"] == final["second"]["player"]
    assert len(played) == ROUNDS
    return int(bracket["winner"])


def ready(day: Day) -> list[dict[str, Any]]:
    return [match for match in day.anybody.get("/cut")["matches"] if match["ready"]]


def finish(day: Day, champion: int) -> None:
    day.ann.do("/finish")
    event = parse_event_file(json.dumps(day.anybody.get("/export")))
    shown = day.anybody.get("/standings")["standings"]
    derived = standings_of(event)
    assert [(line["place"], line["player"], line["match_points"]) for line in shown] == [
        (line.place, int(line.player), line.match_points) for line in derived
    ]
    assert [line["tiebreaks"] for line in shown] == [
        {name: str(value) for name, value in line.tiebreaks.items()} for line in derived
    ]
    places = day.anybody.get("/places")
    assert places["complete"]
    assert [(one["first"], one["last"], one["players"]) for one in places["places"]] == [
        (one.first, one.last, list(map(int, one.players))) for one in places_of(event)
    ]
    assert places["places"][0]["players"] == [champion]
    assert len(event.players) == PLAYERS + 1
    assert [(played.number, judgement.faults) for played, judgement in judge_rounds(event)] == [
        (number, []) for number in range(1, ROUNDS + 1)
    ]
    assert day.ann.get("/log/check") | {"version": 0} == {"holds": True, "version": 0, "breaks": [], "differences": []}
