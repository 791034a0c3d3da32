"""The event file of an event gives the same standings elsewhere."""

from fastapi.testclient import TestClient

from tests.tournament.people import Desk
from tournament.domain.presets import preset_named
from tournament.domain.standings import rank
from tournament.event_file import parse_event_file


def test_the_exported_file_gives_the_standings_that_were_published(ann: Desk, client: TestClient) -> None:
    path = ann.event()
    ann.enter(path, *"abcde")
    ann.play(path, 1)
    ann.post(f"{path}/entries/2/drop")
    ann.post(f"{path}/entries", {"name": "late", "fixed_table": 3})
    ann.play(path, 2)
    assert client.get(f"{path}/export").status_code == 403
    ann.post(f"{path}/finish")
    event = parse_event_file(client.get(f"{path}/export").content)
    published = client.get(f"{path}/standings").json()["standings"]
    assert [
        (line.place, int(line.player), line.match_points)
        for line in rank(event.players, event.rounds, preset_named(event.preset))
    ] == [(line["place"], line["player"], line["match_points"]) for line in published]
    assert event.draw == client.get(path).json()["draw"]
