"""A player's own table, as it is sent: what stands on it at each stage, and what its forms do."""

import re
from collections.abc import Iterable
from dataclasses import dataclass
from html import unescape
from itertools import count

import pytest
from fastapi.testclient import TestClient
from httpx2 import Response

from tests.tournament.floor import Floor
from tests.tournament.web.world import HOSTILE, NOON, asking
from tournament import store
from tournament.database import Database
from tournament.service import (
    accounts,
    calls,
    checkin,
    claims,
    cut,
    entries,
    events,
    judging,
    penalties,
    results,
    rounds,
    standings,
)
from tournament.service.codes import Codes
from tournament.service.commands import Nothing
from tournament.settings import Settings

_NAMES = count(1)


def begun(database: Database, *names: str, here: Iterable[int] = (), **announced: object) -> Floor:
    """An event of ann's whose first round is played by these. here: who were checked in, by number."""
    name = f"Table {next(_NAMES)}"
    floor = Floor(database, "", now=NOON)
    floor.event = events.create(database, asking(), events.Create(name=name, **announced)).event  # type: ignore[arg-type]
    for kind in (events.PUBLISH, events.OPEN):
        floor.does(kind, Nothing())
    for player in names:
        floor.does(entries.ADD, entries.Add(name=player))
    floor.does(events.CLOSE, Nothing())
    for entry in here:
        floor.does(checkin.CHECK_IN, entries.Leave(entry=entry))
    floor.next_round()
    return floor


@dataclass
class Phone:
    """The browser of a player, as far as it sends headers."""

    site: TestClient
    event: str
    number: int

    @property
    def headers(self) -> dict[str, str]:
        codes = Codes(Settings().secret.get_secret_value())
        return {"Authorization": f"Bearer {accounts.entry_token(codes, self.event, self.number, 1)}"}

    def page(self, below: str = "table") -> str:
        answer = self.site.get(f"/e/{self.event}/me/{below}", headers=self.headers)
        assert answer.status_code == 200, answer.text
        return unescape(answer.text)

    def sends(self, below: str, page: str = "", **typed: object) -> Response:
        """A form of the page, filled in; without a page as it is now."""
        shown = page or self.page()
        for name in ("key", "round", "table"):
            if found := re.search(rf'name="{name}" value="([^"]*)"', shown):
                typed.setdefault(name, found[1])
        return self.site.post(f"/e/{self.event}/me/{below}", headers=self.headers, data=typed)

    def reports(self, said: str, **typed: object) -> None:
        assert self.sends("table/report", said=said, **typed).status_code == 303


@pytest.fixture
def floor(seeded: Database) -> Floor:
    """Four players; ann and bob sit at a table."""
    return begun(seeded, "Ann", "Bob", "Cleo", "Dan", best_of=3)


def at_table(site: TestClient, floor: Floor, table: int = 1, number: int = 1) -> tuple[Phone, Phone]:
    first, second = floor.players(table, number)
    return Phone(site, floor.event, first), Phone(site, floor.event, second)


# --- the stages of a round --------------------------------------------------------------------------------------------


def test_a_table_says_where_against_whom_and_since_when(site: TestClient, floor: Floor) -> None:
    first, second = at_table(site, floor, 2)
    page = first.page()
    assert "<strong>2</strong>" in page
    assert f'<bdi class="name">{floor.entry(second.number).name}</bdi>' in page
    assert "Round 1 · since <time" in page


def test_one_reports_the_other_confirms_with_one_tap_and_the_result_stands(site: TestClient, floor: Floor) -> None:
    first, second = at_table(site, floor)
    first.reports("2-1")
    assert "you won 2\u20131" in first.page()
    assert "It counts when this is confirmed by" in first.page()
    page = second.page()
    assert "you lost 1\u20132" in page
    number = re.search(r'name="claim" value="(\d+)"', page)
    assert number
    assert second.sends("table/confirm", page, claim=number[1]).status_code == 303
    assert floor.result(1) == (2, 1, 0, "played")
    assert "The result stands" in first.page()
    assert "you lost 1\u20132" in second.page()


def test_a_report_of_the_second_player_counts_from_the_own_side(site: TestClient, floor: Floor) -> None:
    first, second = at_table(site, floor)
    second.reports("2-0")
    assert "you lost 0\u20132" in first.page()


@pytest.mark.parametrize(
    ("said", "typed", "result"),
    [
        ("1-1-1", {}, (1, 1, 1, "played")),
        ("agreed", {}, (0, 0, 3, "intentional draw")),
        ("me", {}, (0, 2, 0, "concession")),
        ("other", {"mine": 1, "theirs": 0, "drawn": 0, "ended": "opponent"}, (2, 0, 0, "concession")),
        ("other", {"mine": 1, "theirs": 0, "drawn": 1, "ended": ""}, (1, 0, 1, "played")),
    ],
)
def test_every_way_to_end_can_be_reported(
    site: TestClient, floor: Floor, said: str, typed: dict[str, object], result: tuple[object, ...]
) -> None:
    first, second = at_table(site, floor)
    first.reports(said, **typed)
    number = re.search(r'name="claim" value="(\d+)"', second.page())
    assert number
    second.sends("table/confirm", claim=number[1])
    assert floor.result(1) == result


def test_the_same_form_twice_is_one_report_and_another_button_of_it_another(site: TestClient, floor: Floor) -> None:
    first, _ = at_table(site, floor)
    page = first.page()
    before = floor.row().version
    for _ in range(2):
        assert first.sends("table/report", page, said="2-1").status_code == 303
    assert floor.row().version == before + 1
    assert first.sends("table/report", page, said="2-0").status_code == 303
    assert "you won 2\u20130" in first.page()


def test_who_disagrees_says_so_and_both_see_it(site: TestClient, floor: Floor) -> None:
    first, second = at_table(site, floor)
    first.reports("2-0")
    assert "No, it was different" in second.page()
    second.reports("2-1")
    for phone in (first, second):
        assert "You report different things" in phone.page()
    assert "you won 2\u20130" in first.page()
    assert "you lost 1\u20132" in first.page()
    assert first.sends("table/withdraw").status_code == 303
    assert "You report different things" not in second.page()


def test_what_staff_decided_is_told(site: TestClient, floor: Floor) -> None:
    first, second = at_table(site, floor)
    first.reports("2-0")
    second.reports("2-0")
    decided = claims.SettleClaims(round=1, table=1, games=results.Games(first=1, second=2), reason="the slip says so")
    floor.does(claims.SETTLE, decided)
    assert "a judge or scorekeeper decided" in first.page()
    assert "you lost 1\u20132" in first.page()


def test_a_report_that_comes_too_late_is_told_what_stands(site: TestClient, floor: Floor) -> None:
    first, _ = at_table(site, floor)
    page = first.page()
    for table in (1, 2):
        floor.report(table, 1, 2)
    refused = first.sends("table/report", page, said="2-0")
    assert refused.status_code == 409
    assert 'role="alert"' in refused.text
    assert re.search(r"What stands for round 1:\s*<b><span class=\"games\">1\u20132</span>", refused.text)
    floor.does(rounds.CLOSE, Nothing())
    floor.next_round()
    later = first.sends("table/report", page, said="2-0")
    assert later.status_code in {403, 409}
    assert "What stands for round 1:" in later.text
    assert "Round 2" in later.text


def test_what_is_typed_wrongly_is_told_and_kept(site: TestClient, floor: Floor) -> None:
    first, _ = at_table(site, floor)
    wrong = first.sends("table/report", said="other", mine="two", theirs="1", drawn="0")
    assert wrong.status_code == 422
    assert "A whole number is needed." in wrong.text
    assert 'value="two"' in wrong.text
    assert first.sends("table/report", said="nonsense").status_code == 422
    assert first.sends("table/report", said="9-9").status_code in {409, 422}


def test_draws_are_offered_only_where_the_event_has_them(site: TestClient, seeded: Database) -> None:
    without = begun(seeded, "Ann", "Bob", best_of=3, draw_rule="none")
    played = begun(seeded, "Ann", "Bob", best_of=3, draw_rule="played")
    one = begun(seeded, "Ann", "Bob", best_of=1)
    assert "A draw" not in Phone(site, without.event, 1).page()
    assert 'value="1-1"' in Phone(site, played.event, 1).page()
    assert "We agreed" not in Phone(site, played.event, 1).page()
    assert re.findall(r'name="said" value="(\d-\d(?:-\d)?)"', Phone(site, one.event, 1).page()) == [
        "1-0",
        "0-1",
        "0-0-1",
    ]


def test_where_slips_are_written_nothing_is_reported_by_phone(site: TestClient, floor: Floor) -> None:
    floor.does(judging.SET, judging.SetJudging(player_reports=False))
    first, _ = at_table(site, floor)
    page = first.page()
    assert "Results are reported on slips here." in page
    assert "/table/report" not in page


def test_a_table_of_several_is_reported_by_places_and_counts_when_all_say_so(
    site: TestClient, seeded: Database
) -> None:
    floor = begun(seeded, *"ABCD", preset="pods", pod_size=4)
    phones = [Phone(site, floor.event, number) for number in (1, 2, 3, 4)]
    phones[0].reports("places", **{"place-1": 2, "place-2": 1, "place-3": 3, "place-4": 3})
    page = phones[1].page()
    assert re.findall(r'<span class="place">(\d)</span>', page) == ["1", "2", "3"]
    number = re.search(r'name="claim" value="(\d+)"', page)
    assert number
    for phone in phones[1:]:
        assert phone.sends("table/confirm", claim=number[1]).status_code == 303
    assert "The result stands" in phones[0].page()
    assert floor.seat(1).placing == "[[2],[1],[3,4]]"


def test_somebody_without_a_place_is_told(site: TestClient, seeded: Database) -> None:
    floor = begun(seeded, *"ABCD", preset="pods", pod_size=4)
    wrong = Phone(site, floor.event, 1).sends("table/report", said="places", **{"place-1": "x", "place-2": 1})
    assert wrong.status_code == 422
    assert "Everybody at the table needs a place." in wrong.text


# --- judges, leaving --------------------------------------------------------------------------------------------------


def test_a_judge_is_called_comes_and_is_called_off(site: TestClient, floor: Floor) -> None:
    first, second = at_table(site, floor)
    assert first.sends("table/call", topic="a <b>rules</b> question").status_code == 303
    page = first.page()
    assert "Your call waits in the judges' queue." in page
    assert "a <b>rules</b> question" in page
    assert "&lt;b&gt;rules" in site.get(f"/e/{floor.event}/me/table", headers=first.headers).text
    assert "rules" not in second.page()
    floor.does(calls.TAKE, calls.CallNumber(call=1))
    assert "A judge is on the way." in first.page()
    assert first.sends("table/call/withdraw", call=1).status_code == 303
    assert "You called a judge" not in first.page()


def test_a_penalty_is_told_to_whom_it_is_about_and_to_nobody_else(site: TestClient, floor: Floor) -> None:
    first, second = at_table(site, floor)
    floor.does(
        penalties.GIVE,
        penalties.GivePenalty(entry=first.number, infraction="slow-play", level="warning", text="<i>eight</i> minutes"),
    )
    for below in ("table", "history"):
        assert "<i>eight</i> minutes" in first.page(below)
        assert "Warning" in first.page(below)
        assert "eight" not in second.page(below)


def test_leaving_takes_a_second_step_that_says_what_it_means(site: TestClient, floor: Floor) -> None:
    first, _ = at_table(site, floor)
    assert 'href="/e/' + floor.event + '/me/table/leave"' in first.page()
    asked = first.page("table/leave")
    assert "Your table still plays." in asked
    assert "You are not paired in later rounds." in asked
    assert floor.entry(first.number).dropped_after is None
    assert first.sends("table/leave", asked).status_code == 303
    assert floor.entry(first.number).dropped_after == 1
    page = first.page()
    assert "You have left the event" in page
    assert "<strong>1</strong>" in page  # the match is still to be reported


# --- between rounds, byes, the cut, the end ---------------------------------------------------------------------------


def test_between_rounds_it_is_told_what_happened_and_what_is_next(site: TestClient, floor: Floor) -> None:
    first, second = at_table(site, floor)
    floor.play_on(1)
    page = first.page()
    assert "Round 1 is over" in page
    assert "You have 3 points and stand at place 1." in page
    assert "Round 2 of 2 comes next." in page
    assert "0\u20132" in second.page()


def test_a_bye_and_a_late_entry_are_told_so(site: TestClient, seeded: Database) -> None:
    floor = begun(seeded, "Ann", "Bob", "Cleo")
    floor.does(entries.ADD, entries.Add(name="Late"))
    with seeded.reading() as session:
        bye = next(seat.first for seat in store.seats_of(session, floor.event, 1) if seat.bye)
    assert "You have nobody to play in this round." in Phone(site, floor.event, bye).page()
    assert "You are not in round 1." in Phone(site, floor.event, 4).page()


def test_before_the_first_round_it_is_told_that_none_is_there(site: TestClient, seeded: Database) -> None:
    floor = Floor(seeded, events.create(seeded, asking(), events.Create(name="Not yet")).event, now=NOON)
    for kind, arguments in (
        (events.PUBLISH, Nothing()),
        (events.OPEN, Nothing()),
        (entries.ADD, entries.Add(name="Ann")),
    ):
        floor.does(kind, arguments)
    assert "No round is published yet." in Phone(site, floor.event, 1).page()
    floor.does(events.VOID, Nothing(reason="flood"))
    assert "The event was called off." in Phone(site, floor.event, 1).page()


def test_the_cut_shows_the_match_then_the_end_the_place(site: TestClient, seeded: Database) -> None:
    floor = begun(seeded, "Ann", "Bob", "Cleo", "Dan", "Eve", rounds=1, cut="size", cut_size=4)
    floor.play_on(1)
    floor.does(cut.START, cut.StartCut())
    seeds = [one["player"] for one in site.get(f"/events/{floor.event}/cut").json()["seeds"]]
    outside = ({1, 2, 3, 4, 5} - set(seeds)).pop()
    page = Phone(site, floor.event, seeds[0]).page()
    assert "You are seed 1" in page
    assert "your opponent is seed 4" in page
    assert "/table/report" not in page
    assert "The final rounds are being played" in Phone(site, floor.event, outside).page()
    for match in ("M1.1", "M1.2"):
        floor.does(cut.REPORT, cut.Report(match=match, games=results.Games(first=2, second=0)))
    assert "You ended at place" in Phone(site, floor.event, seeds[3]).page()
    floor.does(cut.REPORT, cut.Report(match="M2.1", games=results.Games(first=2, second=0)))
    floor.does(events.FINISH, Nothing())
    assert "You ended at place 1." in Phone(site, floor.event, seeds[0]).page()
    history = Phone(site, floor.event, seeds[0]).page("history")
    assert "Semifinals" in history
    assert "Final" in history


# --- the past ---------------------------------------------------------------------------------------------------------


def test_the_history_has_each_round_with_points_place_and_tiebreaks(site: TestClient, floor: Floor) -> None:
    floor.play_on(1)
    floor.next_round()
    floor.play_on(2)
    floor.next_round()
    with floor.database.reading() as session:
        best = int(standings.after(session, floor.row())[1][0].player)
    page = Phone(site, floor.event, best).page("history")
    points = re.findall(r'<td class="points" data-label="Points">(\d*)</td>', page)
    assert points == ["3", "6", ""]
    assert page.count("/why") == 3
    assert 'data-label="Opp."' in page


# --- who may, and names -----------------------------------------------------------------------------------------------


def test_who_is_no_player_is_told_how_to_become_one(site: TestClient, floor: Floor) -> None:
    for below in ("table", "history", "table/leave"):
        for headers in ({}, {"Authorization": "Bearer dp_ann"}):
            answer = site.get(f"/e/{floor.event}/me/{below}", headers=headers)
            assert answer.status_code == 403
            assert f'href="/e/{floor.event}/code"' in answer.text
    sent = site.post(f"/e/{floor.event}/me/table/report", data={"said": "2-0", "round": 1, "table": 1})
    assert sent.status_code == 403
    assert floor.result(1) == (None, None, None, None)


def test_pages_of_a_player_are_kept_nowhere_and_another_sites_form_is_refused(site: TestClient, floor: Floor) -> None:
    first, _ = at_table(site, floor)
    assert site.get(f"/e/{floor.event}/me/table", headers=first.headers).headers["cache-control"] == "no-store"
    elsewhere = {**first.headers, "Sec-Fetch-Site": "cross-site"}
    refused = site.post(f"/e/{floor.event}/me/table/report", headers=elsewhere, data={"said": "2-0"})
    assert refused.status_code == 403


def test_names_are_only_names(site: TestClient, seeded: Database) -> None:
    floor = begun(seeded, *HOSTILE)
    for number in range(1, len(HOSTILE) + 1):
        answer = site.get(f"/e/{floor.event}/me/table", headers=Phone(site, floor.event, number).headers)
        assert "<svg onload" not in answer.text
        assert "<script>" not in answer.text


def test_everything_is_said_in_spanish_too(site: TestClient, floor: Floor) -> None:
    first, _ = at_table(site, floor)
    first.reports("2-1")
    answer = site.get(f"/e/{floor.event}/me/table", headers={**first.headers, "Accept-Language": "es"})
    assert "ganaste 2\u20131" in answer.text
