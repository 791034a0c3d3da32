"""Who may have the evidence of an event, and when."""

from fastapi.testclient import TestClient

from tests.tournament.people import Desk
from tournament.service import evidence
from verifier.evidence import parse_bundle


def test_the_evidence_is_for_staff_until_the_event_is_over_and_opened_for_organizers_alone(
    ann: Desk, bea: Desk, client: TestClient
) -> None:
    path = ann.event()
    ann.enter(path, *"abcd")
    ann.play(path, 1)
    ann.post(f"{path}/staff", {"account": "bea", "role": "judge"})
    assert client.get(f"{path}/evidence").status_code == 403
    assert bea.ask("GET", f"{path}/evidence").status_code == 200
    ann.post(f"{path}/finish")
    assert evidence.audit(client.get(f"{path}/evidence").content).holds
    for visitor in (client.get(f"{path}/evidence?opened=true"), bea.ask("GET", f"{path}/evidence?opened=true")):
        assert (visitor.status_code, visitor.json()["type"]) == (403, "/problems/not-yours")
    opened = ann.ask("GET", f"{path}/evidence?opened=true")
    assert evidence.audit(opened.content).holds
    assert parse_bundle(opened.content).log == parse_bundle(client.get(f"{path}/evidence").content).log
