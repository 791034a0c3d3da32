"""What a command promises: once, whole or not at all, with one answer."""

from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor

import pytest
from fastapi.testclient import TestClient

from tests.tournament.people import Desk, games

AT_ONCE = 50


def test_a_command_sent_again_gets_its_first_answer_byte_for_byte(ann: Desk) -> None:
    path = ann.event()
    first = ann.ask("POST", f"{path}/entries", {"name": "Zoë"}, key="k1")
    ann.enter(path, "later")
    again = ann.ask("POST", f"{path}/entries", {"name": "Zoë"}, key="k1")
    assert (again.status_code, again.content, again.headers["etag"]) == (
        first.status_code,
        first.content,
        first.headers["etag"],
    )
    assert len(ann.get(f"{path}/entries")["entries"]) == 2


def test_the_creation_of_an_event_sent_again_makes_no_second_one(ann: Desk) -> None:
    one, two = (ann.ask("POST", "/events", {"name": "Once"}, key="k1") for _ in range(2))
    assert one.content == two.content
    assert len(ann.get("/events")["events"]) == 1


def test_the_same_key_of_another_account_is_another_event(ann: Desk, bea: Desk) -> None:
    one, two = (who.ask("POST", "/events", {"name": "Once"}, key="k1").json()["event"] for who in (ann, bea))
    assert one != two


@pytest.mark.parametrize("other", [{"name": "b"}, {"name": "a", "reason": "why not"}])
def test_one_key_for_two_different_commands_is_refused(ann: Desk, other: dict[str, str]) -> None:
    path = ann.event()
    ann.ask("POST", f"{path}/entries", {"name": "a"}, key="k1")
    refused = ann.ask("POST", f"{path}/entries", other, key="k1")
    assert (refused.status_code, refused.json()["type"]) == (422, "/problems/command-id-reused")


def test_a_stranger_with_the_key_does_not_get_the_answer(ann: Desk, bea: Desk) -> None:
    path = ann.event()
    ann.ask("POST", f"{path}/entries", {"name": "a"}, key="k1")
    assert bea.ask("POST", f"{path}/entries", {"name": "a"}, key="k1").status_code == 422


def test_a_refused_command_leaves_no_trace_and_its_key_is_free(ann: Desk) -> None:
    path = ann.event()
    before = ann.get(path)
    assert ann.ask("POST", f"{path}/rounds", key="k1").status_code == 409
    assert ann.get(path) == before
    ann.enter(path, "a", "b")
    ann.post(f"{path}/registration/close")
    assert ann.ask("POST", f"{path}/rounds", key="k1").status_code == 201


@pytest.mark.parametrize(
    "key", [lambda _: "k1", lambda number: f"k{number}"], ids=["one phone fifty times", "fifty people"]
)
def test_fifty_reports_of_the_same_at_once_have_one_effect_and_equal_answers(
    ann: Desk, key: Callable[[int], str]
) -> None:
    path = ann.event()
    ann.enter(path, "a", "b")
    ann.start(path)
    version = ann.get(path)["version"]
    with ThreadPoolExecutor(AT_ONCE) as pool:
        reports = [
            pool.submit(ann.ask, "POST", f"{path}/rounds/1/tables/1/result", games(2, 1), key=key(number))
            for number in range(AT_ONCE)
        ]
        answers = {(report.result().status_code, report.result().content) for report in reports}
    assert [status for status, _ in answers] == [201]
    assert ann.get(path)["version"] == version + 1


def test_another_result_for_a_reported_table_is_refused(ann: Desk) -> None:
    path = ann.event()
    ann.enter(path, "a", "b")
    ann.start(path)
    ann.report(path, 1, 1, 2, 1)
    refused = ann.ask("POST", f"{path}/rounds/1/tables/1/result", games(0, 2))
    assert (refused.status_code, refused.json()["known"]) == (409, "2-1-0 (played)")


def test_fifty_creations_at_once_with_one_key_make_one_event(ann: Desk) -> None:
    with ThreadPoolExecutor(AT_ONCE) as pool:
        created = [pool.submit(ann.ask, "POST", "/events", {"name": "Once"}, key="k1") for _ in range(AT_ONCE)]
        answers = {(one.result().status_code, one.result().content) for one in created}
    assert [status for status, _ in answers] == [201]
    assert len(ann.get("/events")["events"]) == 1


def test_of_two_commands_at_one_version_one_wins_and_the_other_learns_what_changed(ann: Desk) -> None:
    path = ann.event()
    ann.enter(path, *"abcd")
    ann.play(path, 1)
    version = ann.get(path)["version"]
    with ThreadPoolExecutor(2) as pool:
        correct = pool.submit(
            ann.ask, "PUT", f"{path}/rounds/1/tables/1/result", games(0, 2), key="correct", version=version
        )
        pair = pool.submit(ann.ask, "POST", f"{path}/rounds", key="pair", version=version)
        won, lost = sorted((correct.result(), pair.result()), key=lambda answer: answer.status_code)
    assert (won.is_success, lost.status_code) == (True, 409)
    stale = lost.json()
    assert (stale["type"], stale["expected"], stale["version"]) == ("/problems/stale-event", version, version + 1)
    assert [change["name"] for change in stale["changes"]] == [won.json()["name"]]
    assert lost.headers["etag"] == f'"{version + 1}"'


def test_commands_of_different_tables_at_once_all_count(ann: Desk) -> None:
    path = ann.event()
    ann.enter(path, *(f"p{n}" for n in range(40)))
    tables = [seat["table"] for seat in ann.start(path)]
    with ThreadPoolExecutor(20) as pool:
        reports = list(pool.map(lambda table: ann.report(path, 1, table)["sequence"], tables))
    assert len(set(reports)) == 20
    ann.post(f"{path}/rounds/close")
    assert ann.get(f"{path}/log/check")["holds"]


@pytest.mark.parametrize("tag", ["seven", '"-1"', '"\N{ARABIC-INDIC DIGIT SEVEN}"', ""])
def test_an_etag_that_is_not_ours_is_unreadable(ann: Desk, tag: str) -> None:
    path = ann.event()
    headers = {"Authorization": f"Bearer {ann.token}", "If-Match": tag}
    answer = ann.client.post(f"{path}/entries", json={"name": "a"}, headers={k: v.encode() for k, v in headers.items()})
    assert answer.status_code == 422


def test_a_token_that_is_worth_nothing_is_refused_even_where_none_is_needed(client: TestClient) -> None:
    answer = client.get("/events", headers={"Authorization": "Bearer dp_wrong"})
    assert (answer.status_code, answer.headers["www-authenticate"]) == (401, "Bearer")
