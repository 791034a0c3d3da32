"""The control room as it is sent: what comes next, what is typed, what is refused, what is shown before it is done."""

import re
import time
from html import unescape
from itertools import count
from typing import Any

import pytest
from fastapi.testclient import TestClient
from httpx2 import Response

from tests.tournament.floor import Floor
from tests.tournament.people import account
from tests.tournament.web.world import HOSTILE, NOON, PEOPLE, asking
from tournament import store
from tournament.api import scorekeeping
from tournament.api.answers import Viewer
from tournament.database import Database
from tournament.domain.roles import Role
from tournament.service import checkin, claims, entries, events, results, rounds, staff
from tournament.service.commands import Nothing
from tournament.service.kinds import KINDS
from tournament.web.pages.control import steps
from tournament.web.words import COMMANDS
from verifier.errors import BlockNotYet

_NUMBERS = count()


class Room:
    """Somebody in the control room of an event, without JavaScript."""

    def __init__(self, site: TestClient, floor: Floor, who: str = "ann") -> None:
        self.site, self.floor = site, floor
        self.address = f"/e/{floor.event}/control"
        self.headers = {"Authorization": f"Bearer dp_{who}"}

    def get(self, below: str = "", **query: str) -> str:
        answer = self.site.get(self.address + below, params=query, headers=self.headers)
        assert answer.status_code == 200, answer.text
        return unescape(answer.text)

    def post(self, below: str, **typed: str) -> Response:
        return self.site.post(self.address + below, data={"key": f"k{next(_NUMBERS)}", **typed}, headers=self.headers)

    def enter(self, line: str) -> Response:
        return self.post("/enter", line=line)

    def step(self, what: str, **typed: str) -> str:
        """Takes a step; where it leads."""
        answer = self.post(f"/step/{what}", **typed)
        assert answer.status_code == 303, answer.text
        return answer.headers["location"].removeprefix(self.address)

    def next(self) -> str:
        """What comes next, as the room says it."""
        found = re.search(r'<h2 id="now">.*?(?:<button class="button">|<a class="button"[^>]*>|<p class="lead">)(.*?)<', self.get(), re.DOTALL)  # fmt: skip  # noqa: E501
        assert found is not None
        return found[1].strip()

    def means(self, line: str) -> str:
        """What a line means, without its tags."""
        return " ".join(re.sub(r"<[^>]+>", " ", self.get("/line", line=line)).split())


def announced(database: Database, names: tuple[str, ...] = PEOPLE[:8], *, is_open: bool = False, **said: Any) -> Floor:
    number = next(_NUMBERS)
    floor = Floor(database, "", now=NOON, ids=count(10**12 + number * 10**6))
    floor.event = events.create(database, asking(), events.Create(name=f"Control {number}", **said)).event
    for kind in (events.PUBLISH, events.OPEN):
        floor.does(kind, Nothing())
    for name in names:
        floor.does(entries.ADD, entries.Add(name=name))
    if not is_open:
        floor.does(events.CLOSE, Nothing())
    return floor


@pytest.fixture(scope="module")
def people(seeded: Database) -> None:
    for name in ("cat", "dov", "eve"):
        account(name, seeded)


# --- who may look -----------------------------------------------------------------------------------------------------


def test_the_room_is_for_staff_and_others_are_led_to_the_door(site: TestClient, seeded: Database, people: None) -> None:
    room = Room(site, announced(seeded))
    led = site.get(room.address + "/log?group=results")
    assert led.status_code == 303
    assert led.headers["location"] == f"/sign-in?next=/e/{room.floor.event}/control/log%3Fgroup%3Dresults"
    room.headers = {"Authorization": "Bearer dp_cat"}
    assert site.get(room.address, headers=room.headers).status_code == 403
    assert room.enter("1 1").status_code == 403
    assert site.get(room.address + "/line?line=1+1", headers=room.headers).status_code == 403


def test_a_judge_enters_results_and_is_told_what_only_scorekeepers_do(
    site: TestClient, seeded: Database, people: None
) -> None:
    floor = announced(seeded)
    floor.does(staff.GRANT, staff.Grant(account="dov", role="judge"))
    floor.next_round()
    judge = Room(site, floor, "dov")
    for table in range(1, 5):
        assert judge.enter(f"{table} 1").status_code == 303
    assert "A scorekeeper does that." in judge.get()
    refused = judge.post("/step/close-and-pair")
    assert (refused.status_code, floor.row().phase) == (403, "round")
    assert 'role="alert"' in refused.text


# --- what comes next --------------------------------------------------------------------------------------------------


def test_one_button_leads_through_an_event(site: TestClient, seeded: Database) -> None:
    floor = announced(seeded, is_open=True, rounds=2, cut="size", cut_size=2, round_minutes=50)
    room = Room(site, floor)
    assert room.next() == "Close registration"
    room.step("close-registration")
    assert room.next() == "Seat and pair round 1"
    assert room.step("pair") == "/draft"
    assert room.next() == "Look at round 1 and publish it"
    room.step("publish", hold="1")
    assert room.next() == "Start the clock"
    room.step("start-the-clock")
    assert room.next() == "4 tables are missing"
    for table in range(1, 5):
        room.enter(f"{table} 1")
    assert room.next() == "Close round 1, pair round 2"
    assert room.step("close-and-pair") == "/draft"
    room.step("publish")
    for table in range(1, 5):
        room.enter(f"{table} 2")
    assert room.next() == "Close round 2"
    room.post("/enter", line="n", next="close and pair 1")  # of a page that is old
    assert room.next() == "Close round 2"
    room.post("/enter", line="n", next="close the round 2")
    assert room.next() == "Look at the cut and start it"
    assert room.enter("n").headers["location"].endswith("/control/cut")
    assert room.step("start-cut", top="2", best_of="3") == ""
    assert room.next() == "1 match is being played"
    assert room.enter("1.1 4").status_code == 303
    assert room.next() == "Finish the event"
    room.step("finish")
    assert room.next() == "Nothing is left to do."
    assert floor.holds()


def test_whoever_is_not_here_is_named_before_they_are_dropped(site: TestClient, seeded: Database) -> None:
    floor = announced(seeded)
    for entry in range(1, 7):
        floor.does(checkin.CHECK_IN, entries.Leave(entry=entry))
    room = Room(site, floor)
    assert room.next() == "Drop 2 who are not here, pair round 1"
    assert "Gül Şahin" in room.get()
    assert "Pair round 1 with everybody" in room.get()
    assert room.step("seat-and-pair") == "/draft"
    assert [floor.entry(entry).dropped_after for entry in (6, 7, 8)] == [None, 0, 0]


def test_a_round_too_many_is_refused_and_offered(site: TestClient, seeded: Database) -> None:
    floor = announced(seeded, rounds=1)
    floor.next_round()
    floor.play_on(1)
    room = Room(site, floor)
    assert room.next() == "Finish the event"
    refused = room.post("/step/pair")
    assert refused.status_code == 409
    assert "Play one more round all the same" in refused.text
    assert room.step("pair", even_so="1") == "/draft"


def test_calling_an_event_off_needs_a_reason(site: TestClient, seeded: Database) -> None:
    floor = announced(seeded)
    room = Room(site, floor)
    assert room.post("/step/void").status_code == 422
    assert floor.row().phase == "check-in"
    room.step("void", reason="the hall is flooded")
    assert floor.row().phase == "void"
    assert room.post("/step/nothing-such").status_code == 404


# --- the line ---------------------------------------------------------------------------------------------------------


@pytest.fixture
def playing(site: TestClient, seeded: Database) -> Room:
    floor = announced(seeded, rounds=3, round_minutes=50)
    floor.next_round()
    return Room(site, floor)


@pytest.mark.parametrize(
    ("line", "first", "second", "drawn", "ending"),
    [
        ("2 1", 2, 0, 0, "played"),
        ("2 2", 2, 1, 0, "played"),
        ("2 3", 1, 2, 0, "played"),
        ("2 4", 0, 2, 0, "played"),
        ("2 0", 0, 0, 3, "intentional draw"),
        ("2 1-1-1", 1, 1, 1, "played"),
        ("2 2-0 no-show", 2, 0, 0, "no-show"),
        ("2 x", 0, 0, 0, "double loss"),
    ],
)
def test_a_table_a_digit_and_enter_are_a_result(
    playing: Room, line: str, first: int, second: int, drawn: int, ending: str
) -> None:
    assert playing.enter(line).status_code == 303
    assert playing.floor.result(2) == (first, second, drawn, ending)


def test_names_are_shown_before_a_line_is_sent(playing: Room) -> None:
    one, other = (playing.floor.entry(player).name for player in playing.floor.players(3))
    assert playing.means("3 2") == f"Table 3: {one} 2\u20131 {other}"
    assert playing.means("3") == f"Table 3: {one} \u2013 {other}"
    assert playing.means("99 1") == "There is no table 99."
    assert playing.means("3 9") == f"That is no result here. Table 3: {one} \u2013 {other}"
    assert playing.means("+5") == "5 minutes for everybody"
    assert playing.means("n") == "Next: 4 tables are missing"
    assert playing.means("r1 3 2") == f"Round 1, Table 3: {one} 2\u20131 {other}"
    assert playing.means("hello") == "That is no result here."
    playing.enter("3 2")
    assert playing.means("3 2") == f"Table 3: {one} 2\u20131 {other} known already"
    assert playing.means("3 4") == f"Table 3: {one} 0\u20132 {other} it has another result 2\u20131"


def test_a_line_that_is_none_stays_in_the_line(playing: Room) -> None:
    for line in ("99 1", "3 7-9", "zz top"):
        refused = playing.enter(line)
        assert refused.status_code == 422
        assert f'name="line" value="{line}"' in refused.text
    wrong = playing.enter("3 5-0")
    assert wrong.status_code == 422
    assert 'role="alert"' in wrong.text
    assert 'name="line" value="3 5-0"' in wrong.text


def test_another_result_is_asked_about_and_never_put_over_the_first(playing: Room) -> None:
    playing.enter("2 1")
    again = playing.enter("2 1")
    assert again.status_code == 303
    assert again.headers["location"] == playing.address
    asked = playing.enter("2 4")
    assert asked.headers["location"] == f"{playing.address}/mend/1/2?to=4"
    assert playing.floor.result(2)[:2] == (2, 0)
    assert "It should be" in playing.get("/mend/1/2", to="4")


def test_the_line_leads_everywhere(playing: Room) -> None:
    for line, place in {"d": "/draft", "t": "/tables", "P": "/players", "c": "/cut", "u": "/undo", "l": "/log"}.items():
        assert playing.enter(line).headers["location"] == playing.address + place
    assert playing.enter("?").headers["location"] == f"{playing.address}?keys=1"
    assert '<details class="keys" id="keys" open>' in playing.get("", keys="1")
    assert playing.enter("4 +5").headers["location"] == f"{playing.address}/mend/1/4?minutes=5"
    assert playing.enter("4").headers["location"] == f"{playing.address}/mend/1/4"
    assert playing.enter("").headers["location"] == playing.address


def test_the_clock_is_stopped_and_moved(playing: Room) -> None:
    floor = playing.floor
    playing.enter("+5")
    playing.step("clock-adjust", minutes="-2")
    with floor.database.reading() as session:
        assert store.find_round(session, floor.event, 1).length_s == 53 * 60  # type: ignore[union-attr]
    playing.step("clock-pause")
    assert "clock stopped" in playing.get()
    playing.step("clock-resume")
    refused = playing.post("/mend/1/4/time", minutes="5")
    assert refused.status_code == 422
    assert playing.post("/mend/1/4/time", minutes="5", reason="deck check").status_code == 303
    assert floor.seat(4).extra_minutes == 5
    assert "+5" in playing.get()


def test_what_is_sent_twice_is_done_once(playing: Room) -> None:
    for _ in range(2):
        assert playing.post("/enter", line="1 1", key="the same form").status_code == 303
    entered = [line for line in log(playing) if line.name == "result.report"]
    assert len(entered) == 1


def test_places_of_several_are_typed_by_seats(site: TestClient, seeded: Database) -> None:
    floor = announced(seeded, preset="pods", pod_size=4, rounds=2)
    floor.next_round()
    room = Room(site, floor)
    players = floor.seat(1).players
    names = [floor.entry(player).name for player in players]
    assert room.means("1 2=431") == f"Table 1: {names[1]} = {names[3]} \u203a {names[2]} \u203a {names[0]}"
    room.enter("1 2431")
    seat = floor.seat(1)
    assert results.games_at(seat) == results.TablePlaces(places=tuple((players[at],) for at in (1, 3, 2, 0)))
    assert room.enter("2 22").status_code == 422
    room.enter("2 3")
    others = floor.seat(2).players
    assert results.games_at(floor.seat(2)) == results.TablePlaces(
        places=((others[2],), tuple(sorted((others[0], others[1], others[3]))))
    )
    asked = room.enter("1 1234")
    assert asked.headers["location"] == f"{room.address}/mend/1/1?to=1234"
    assert room.post("/mend/1/1", to="1234", reason="misread").status_code == 303
    assert results.games_at(floor.seat(1)) == results.TablePlaces(places=tuple((player,) for player in players))


# --- what players say -------------------------------------------------------------------------------------------------


def test_a_disagreement_is_listed_and_decided_with_a_reason(playing: Room) -> None:
    floor = playing.floor
    one, other = floor.players(3)
    for player in (one, other):
        floor.does(claims.MAKE, claims.MakeClaim(round=1, table=3, mine=2, theirs=0), player)
    assert "Players disagree" in playing.get()
    assert playing.post("/mend/1/3", to="1").status_code == 422
    assert playing.post("/mend/1/3", to="1", reason="both slips say so").status_code == 303
    assert floor.result(3)[:2] == (2, 0)
    assert "Players disagree" not in playing.get()


def test_what_one_side_says_is_accepted_for_the_tables_that_were_seen(playing: Room) -> None:
    floor = playing.floor
    for table in (2, 4):
        floor.does(claims.MAKE, claims.MakeClaim(round=1, table=table, mine=2, theirs=1), floor.players(table)[0])
    page = playing.get()
    assert "Accept what one side says at 2 tables" in page
    (seen,) = re.findall(r'name="claims" value="([\d ]+)"', page)
    assert playing.post("/claims", round="1", claims="").status_code == 422
    assert playing.post("/claims", round="1", claims=seen).status_code == 303
    assert [floor.result(table)[3] for table in (1, 2, 3, 4)] == [None, "played", None, "played"]


# --- the draft --------------------------------------------------------------------------------------------------------


@pytest.fixture
def drafted(site: TestClient, seeded: Database) -> Room:
    floor = announced(seeded, rounds=3)
    floor.next_round()
    for table in range(1, 5):
        floor.report(table)
    floor.does(rounds.PAIR, rounds.Pair())
    return Room(site, floor)


def test_a_swap_is_looked_at_before_it_is_made(drafted: Room) -> None:
    floor = drafted.floor
    (one, _), (other, _) = floor.players(1, 2), floor.players(4, 2)
    look = drafted.post("/draft/swap", round="2", one=str(one), other=floor.entry(other).name)
    assert look.status_code == 200
    assert "What it would come to" in look.text
    assert "The round gets worse by it:" in look.text
    assert floor.players(1, 2)[0] == one
    change = {"round": "2", "one": str(one), "other": str(other), "do": "change"}
    assert drafted.post("/draft/swap", **change).status_code == 422
    worse = drafted.post("/draft/swap", **change, reason="brothers")
    assert worse.status_code == 409
    assert f'value="{one}"' in worse.text
    assert drafted.post("/draft/swap", **change, reason="brothers", even_so="1").status_code == 303
    assert floor.players(1, 2)[0] == other
    assert "What everybody will read" in drafted.get("/draft")
    assert "brothers" in drafted.get("/draft")


def test_a_pairing_moves_to_another_table(drafted: Room) -> None:
    two = drafted.floor.players(4, 2)
    look = drafted.post("/draft/swap", round="2", table="4", to="1")
    assert "It breaks no rule and makes nothing worse." in look.text
    drafted.post("/draft/swap", round="2", table="4", to="1", do="change", reason="the stream")
    assert drafted.floor.players(1, 2) == two
    nobody = drafted.post("/draft/swap", round="2", one="nobody at all", other="1")
    assert nobody.status_code == 422
    assert 'value="nobody at all"' in nobody.text


def test_a_draft_says_who_met_and_who_is_kept_apart(drafted: Room) -> None:
    floor = drafted.floor
    one, other = floor.players(1, 1)
    for _ in range(2):  # until they meet again by hand
        seats = {player: table for table in range(1, 5) for player in floor.players(table, 2)}
        if seats[one] == seats[other]:
            break
        sitting = next(player for player in floor.players(seats[one], 2) if player != one)
        drafted.post("/draft/swap", round="2", one=str(sitting), other=str(other), do="change", reason="-", even_so="1")
    assert "met in round 1" in drafted.get("/draft")
    drafted.post("/players/apart", one=str(one), other=floor.entry(other).name)
    assert floor.entry(one).name in drafted.get("/players")
    assert "Let them meet" in drafted.get("/players")
    drafted.post("/players/apart", one=str(one), other=str(other), do="remove")
    assert "Let them meet" not in drafted.get("/players")


def test_two_at_a_time_the_second_is_told_what_the_first_did(drafted: Room, people: None) -> None:
    floor = drafted.floor
    floor.does(staff.GRANT, staff.Grant(account="eve", role="scorekeeper"))
    seen = str(floor.row().version)
    Room(drafted.site, floor, "eve").step("pair")
    late = drafted.post("/step/publish", version=seen, at="draft")
    assert late.status_code == 409
    assert "What others did meanwhile:" in late.text
    assert "round paired · eve" in late.text
    assert floor.row().phase == "between rounds"
    drafted.step("publish", version=str(floor.row().version))


def test_round_one_is_paired_by_seeds_and_published_with_other_minutes(site: TestClient, seeded: Database) -> None:
    floor = announced(seeded, rounds=2)
    room = Room(site, floor)
    assert "Pair round 1 by seeds" in room.get("/draft")
    assert room.post("/step/pair", at="draft", seeds="1 99").status_code == 404
    room.step("pair", at="draft", seeds="1, 2 3 4 5 6 7 8")
    assert floor.players(1) == (1, 5)
    room.step("publish", minutes="35")
    with floor.database.reading() as session:
        assert store.find_round(session, floor.event, 1).length_s == 35 * 60  # type: ignore[union-attr]


def test_what_will_be_refused_is_said_before(site: TestClient, seeded: Database) -> None:
    room = Room(site, announced(seeded, game="cps", format="standard", decklist="required"))
    assert "8 players have no legal list" in room.get()
    assert room.post("/step/pair").status_code == 409
    assert "Two players are needed at least." in Room(site, announced(seeded, PEOPLE[:1])).get()


# --- a wrong result ---------------------------------------------------------------------------------------------------


def test_a_wrong_result_of_the_round_before_is_previewed_and_mended_by_its_digest(
    site: TestClient, seeded: Database
) -> None:
    floor = announced(seeded, PEOPLE, rounds=4)
    for number in (1, 2):
        floor.next_round()
        floor.play_on(number)
    floor.next_round()
    floor.report(1, number=3)
    room = Room(site, floor)
    page = room.get("/mend/2/3", to="4", playing="2")
    ways = re.findall(r'name="option" value="(\w+)"', page)
    assert len(ways) > 1
    assert "No more" in page
    assert "Instead" in page
    before = [floor.players(table, 3) for table in range(1, 9)]
    assert room.post("/mend/2/3", to="4", playing="2", option="0" * 16).status_code == 409
    assert room.post("/mend/2/3", to="4", playing="2", option=ways[-1], reason="upside down").status_code == 303
    assert floor.result(3, 2)[:2] == (0, 2)
    after = [floor.players(table, 3) for table in range(1, 9)]
    assert after[:2] == before[:2]
    assert after != before
    assert floor.holds()


def test_a_wrong_result_is_put_right_after_the_round(site: TestClient, seeded: Database) -> None:
    floor = announced(seeded, rounds=2)
    floor.next_round()
    floor.play_on(1)
    floor.does(rounds.PAIR, rounds.Pair())
    room = Room(site, floor)
    assert "The draft of round 2 is discarded; pair it again." in room.get("/mend/1/2", to="4")
    assert room.post("/mend/1/2", to="4").status_code == 303
    assert floor.result(2)[:2] == (0, 2)
    assert room.next() == "Seat and pair round 2"


# --- players ----------------------------------------------------------------------------------------------------------


def test_a_late_player_is_entered_and_sits_down(site: TestClient, seeded: Database) -> None:
    floor = announced(seeded, PEOPLE[:7], rounds=3)
    floor.next_round()
    room = Room(site, floor)
    done = room.post("/players", name="Rob Late", fixed_table="9")
    assert done.headers["location"] == f"{room.address}/players/8"
    assert floor.entry(8).fixed_table == 9
    page = room.get("/players/8", way="sits_down")
    (option, *_) = re.findall(r'name="option" value="(\w+)"', page)
    assert room.post("/players/8/mend", way="sits_down", option=option).status_code == 303
    assert "<h2>" in room.get("/players/8")
    with floor.database.reading() as session:
        assert store.seat_of(session, floor.event, 1, 8) is not None
    refused = room.post("/players", name="  ")
    assert refused.status_code == 422


def test_who_leaves_before_playing_changes_tables_and_who_leaves_after_does_not(
    site: TestClient, seeded: Database
) -> None:
    floor = announced(seeded, rounds=3)
    floor.next_round()
    room = Room(site, floor)
    one, other = floor.players(2)
    (option, *_) = re.findall(r'name="option" value="(\w+)"', room.get(f"/players/{one}", way="leaves"))
    room.post(f"/players/{one}/mend", way="leaves", option=option)
    assert floor.entry(one).dropped_after == 0
    room.post(f"/players/{other}/drop", reason="train")
    assert floor.entry(other).dropped_after == 1
    room.post(f"/players/{other}/return")
    assert floor.entry(other).dropped_after is None
    assert room.post(f"/players/{other}/return").status_code == 409
    assert room.post(f"/players/{other}/nothing").status_code == 404


def test_a_player_is_disqualified_and_reinstated_and_corrected(site: TestClient, seeded: Database) -> None:
    floor = announced(seeded, rounds=3)
    room = Room(site, floor)
    room.post("/players/3/edit", name="Cleo M.", fixed_table="4", awarded_byes="1")
    entry = floor.entry(3)
    assert (entry.name, entry.fixed_table, entry.awarded_byes) == ("Cleo M.", 4, 1)
    room.post("/players/3/edit", name="Cleo M.", fixed_table="", awarded_byes="1")
    assert floor.entry(3).fixed_table is None
    assert room.post("/players/3/disqualify").status_code == 422
    room.post("/players/3/disqualify", reason="marked cards")
    assert floor.entry(3).disqualified
    assert "Take the disqualification back" in room.get("/players/3")
    room.post("/players/3/reinstate", reason="they were worn")
    assert not floor.entry(3).disqualified


# --- the cut ----------------------------------------------------------------------------------------------------------


def test_the_cut_is_previewed_played_corrected_and_left(site: TestClient, seeded: Database) -> None:
    floor = announced(seeded, rounds=1, cut="size", cut_size=4)
    floor.next_round()
    floor.play_on(1)
    room = Room(site, floor)
    assert room.get("/cut").count('<li><span class="no">') == 4
    assert room.get("/cut", top="8").count('<li><span class="no">') == 8
    assert 'role="alert"' in room.get("/cut", top="99")
    room.step("start-cut", top="8", form="single elimination")
    assert room.enter("M1.1 2-0 no-show").status_code == 303
    assert room.enter("1.2 1").status_code == 303
    assert room.enter("2.9 1").status_code == 422
    asked = room.enter("1.2 4")
    assert asked.headers["location"] == f"{room.address}/cut/M1.2?to=4"
    page = room.get("/cut/M1.2", to="4")
    assert "Players change in these matches:" in page
    (seen,) = re.findall(r'name="seen" value="(\w+)"', page)
    assert room.post("/cut/M1.2", to="4").status_code == 409
    assert room.post("/cut/M1.2", to="4", seen=seen, reason="upside down").status_code == 303
    leaver = re.findall(r'<option value="(\d+)"', room.get("/cut"))[0]
    assert room.post("/cut/leave", player=leaver, why="dropped").status_code == 303
    line = max(int(one) for one in re.findall(r"/control/cut/lines/(\d+)", room.get("/cut")))
    (seen,) = re.findall(r'name="seen" value="(\w*)"', room.get(f"/cut/lines/{line}"))
    assert room.post(f"/cut/lines/{line}", seen=seen).status_code == 303
    assert floor.entry(int(leaver)).dropped_after is None
    assert room.step("matches-start", at="cut", minutes="60") == "/cut"
    assert room.enter("+5").status_code == 303
    assert floor.holds()


# --- undo and the log -------------------------------------------------------------------------------------------------


def test_the_last_result_is_taken_back_and_had_again(playing: Room) -> None:
    playing.enter("1 1")
    page = playing.get()
    assert "Take back" in page
    (sequence,) = re.findall(r'name="sequence" value="(\d+)"', page)
    assert playing.post("/undo", sequence=sequence).status_code == 422
    playing.post("/undo", sequence=sequence, reason="wrong table")
    assert playing.floor.result(1)[3] is None
    again = playing.get("/undo")
    assert "Have again what was undone last" in again
    undoing = re.findall(r'name="sequence" value="(\d+)"', again)[-1]
    playing.post("/undo", sequence=undoing, reason="it was right")
    assert playing.floor.result(1)[3] == "played"


def test_a_command_on_which_something_hangs_is_not_undone(playing: Room) -> None:
    playing.enter("1 1")
    (sequence,) = re.findall(r'name="sequence" value="(\d+)"', playing.get())
    playing.enter("2 1")
    refused = playing.post("/undo", sequence=sequence, reason="too late")
    assert refused.status_code == 409
    assert "What others did meanwhile:" in refused.text


def test_the_log_is_told_newest_first_by_pages_and_parts(playing: Room) -> None:
    for table in range(1, 5):
        playing.enter(f"{table} 1")
    lines = log(playing)
    assert [line.table for line in lines[:4]] == [4, 3, 2, 1]
    assert [one.number for one in lines[0].entries] == list(playing.floor.players(4))
    only = playing.get("/log", group="results")
    assert only.count('<span class="no">') == 4
    assert playing.get("/log", who="nobody").count('<span class="no">') == 0
    with playing.floor.database.reading() as session:
        viewer = Viewer(session, playing.floor.row(), frozenset({Role.ORGANIZER}))
        page, following = scorekeeping.log_of(viewer, before=1 << 40, limit=3)
        rest, end = scorekeeping.log_of(viewer, before=following, limit=1000)
    assert [line.sequence for line in (*page, *rest)] == list(range(playing.floor.row().version, 0, -1))
    assert end == 0


def log(room: Room) -> list[scorekeeping.Told]:
    with room.floor.database.reading() as session:
        viewer = Viewer(session, room.floor.row(), frozenset({Role.ORGANIZER}))
        return scorekeeping.log_of(viewer, before=1 << 40, limit=1000)[0]


def test_every_kind_of_command_has_words() -> None:
    assert [name for name in KINDS if name not in COMMANDS and not name.startswith("series.")] == []


# --- names that strangers chose ---------------------------------------------------------------------------------------


def test_hostile_names_are_text_on_every_page(site: TestClient, seeded: Database) -> None:
    floor = announced(seeded, HOSTILE, rounds=3)
    floor.next_round()
    room = Room(site, floor)
    room.enter("1 1")
    for below in ("", "/draft", "/tables", "/players", "/players/1", "/log", "/undo", "/mend/1/1", "/mend/1/1?to=4"):
        answer = site.get(room.address + below, headers=room.headers)
        assert answer.status_code == 200
        assert "<svg onload" not in answer.text
        assert "<script>" not in answer.text
        assert not re.search(r"<script(?! src=)|<style", answer.text)


def test_no_page_has_more_lines_than_come_to_a_phone(site: TestClient, seeded: Database) -> None:
    floor = announced(seeded, tuple(f"Player Number {number:03}" for number in range(100)), rounds=3)
    floor.next_round()
    room = Room(site, floor)
    for below in ("", "/tables", "/draft", "/players", "/log"):
        page = room.get(below)
        assert len(page.encode()) < 24_000, below
    assert room.get().count('<a class="no"') == 24
    assert "All tables" in room.get()
    assert room.get("/tables", name="42").count('class="tables found-first"') == 1
    assert room.get("/players", page="3").count('<a class="no"') == 20


def test_a_step_waits_seconds_for_its_block_and_no_longer() -> None:
    asked: list[float] = []

    def not_yet(seconds: float, times: int) -> Any:
        def step(hand: Any, ask: Any) -> Any:
            asked.append(time.time())
            if len(asked) <= times:
                raise BlockNotYet(at=0, problem="it is young", expected=int(time.time() + seconds))
            return ask

        return steps.patient(step)

    assert not_yet(0, 1)(None, "done") == "done"
    assert 1 <= asked[1] - asked[0] < 5
    asked.clear()
    with pytest.raises(BlockNotYet):
        not_yet(steps.MOST_WAITED, 1)(None, "done")
    assert len(asked) == 1
