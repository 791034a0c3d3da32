"""docs/guide/security.md, "Who reads what": every document of an event, asked for by everybody."""

import re
import shutil
from collections.abc import Iterator
from pathlib import Path
from typing import Any, Final

import pytest
from fastapi.testclient import TestClient

from games import library
from tests.docs.pages import GUIDE, Page, rows
from tests.tournament.people import Desk, account, games
from tournament.api.app import create_app
from tournament.database import open_file
from tournament.domain.roles import Role
from tournament.settings import Settings

READERS: Final = ("organizer", "scorekeeper", "judge", "desk", "display", "player", "visitor")
LOOKS: Final = {
    "rounds/repair/preview": {},
    "rounds/{number}/tables/{table}/repair": games(0, 2),
    "cut/preview": {},
    "cut/matches/{match}/correction": games(0, 2),
    "cut/lines/{line}/preview": {},
}
"""What is looked at by POST."""
IN_THE_CUT: Final = {"cut", "cut/matches/{match}/correction", "cut/lines/{line}/preview"}
ON_CHAIN: Final = ("ownership", "entries/{number}/ownership")
"""What is empty without an epoch, which asks a chain."""
AT: Final = {"{entry}": "1", "{table}": "1", "{match}": "M1.1", "{line}": "1"}
MADE_ANEW: Final = {"passes/revocations"}
"""With the time of the question in it."""
DRAFT: Final = 2


def documents(cell: str) -> list[str]:
    """The paths that a cell of the page names, below the event."""
    return ([""] if cell.startswith("the event itself") else []) + re.findall(r"`([^`]+)`", cell)


TABLE: Final = {
    path: dict(zip(READERS, cells, strict=True))
    for said, *cells in rows(Page(GUIDE / "security.md").section("Who reads what"))
    for path in documents(said)
}


class Event:
    """An event with something of everything, between two rounds, and one in its cut."""

    def __init__(self, client: TestClient, tokens: dict[str, str]) -> None:
        self.client, self.tokens = client, tokens
        organizer = Desk(client, tokens["organizer"])
        self.path, self.cut = self.with_everything(organizer), self.with_a_cut(organizer)
        self.tokens["player"] = organizer.get(f"{self.path}/entries/1/code")["token"]
        self.player_of_cut = organizer.get(f"{self.cut}/entries/1/code")["token"]

    def with_everything(self, ann: Desk) -> str:
        path = self.announced(ann, "Spring Open", decklist="optional", registration="code")
        deck = {"decklist": next(iter(library.decks("cps").values()))}
        ann.enter(path, *"abcdd")
        assert ann.ask("PUT", f"{path}/entries/1/deck", deck).status_code == 200
        ann.post(f"{path}/passes/keys")
        ann.post(f"{path}/entries/1/pass")
        ann.post(f"{path}/apart", {"one": 1, "other": 2})
        ann.post(f"{path}/staff/invitations", {"role": "judge"})
        ann.post(f"{path}/webhooks", {"url": "http://127.0.0.1:9/", "topics": ["result"]})
        ann.start(path)
        given = {"entry": 1, "infraction": "slow-play", "level": "warning", "text": "a secret"}
        ann.post(f"{path}/penalties", given)
        ann.post(f"{path}/notes", {"entry": 1, "text": "a secret"})
        ann.post(f"{path}/calls", {"table": 1})
        ann.post(f"{path}/deck-checks", {"table": 1, "reason": "a secret"})
        for table in (1, 2):
            ann.report(path, 1, table)
        ann.post(f"{path}/rounds")
        return path

    def with_a_cut(self, ann: Desk) -> str:
        path = self.announced(ann, "With a cut")
        ann.enter(path, *"abcd")
        ann.play(path, 1)
        ann.post(f"{path}/cut", {"top": 4})
        ann.post(f"{path}/cut/matches/M1.1/result", games(2, 0))
        return path

    def announced(self, ann: Desk, name: str, **said: object) -> str:
        path = ann.event(name, game="cps", **said)
        for role in READERS[1:5]:
            ann.post(f"{path}/staff", {"account": role, "role": role})
        return path

    def answer(self, reader: str, path: str) -> Any:
        event = self.cut if path in IN_THE_CUT else self.path
        token = self.player_of_cut if reader == "player" and event == self.cut else self.tokens.get(reader)
        return self.asked(token, path, event)

    def asked(self, token: str | None, path: str, event: str) -> Any:
        number = DRAFT if path.startswith("rounds") and not path.endswith(("repair", "claims")) else 1
        at = path.replace("{number}", str(number))
        for word, value in AT.items():
            at = at.replace(word, value)
        headers = {} if token is None else {"Authorization": f"Bearer {token}"}
        query = "?infraction=slow-play" if path.endswith("advice") else ""
        where = f"{event}/{at}{query}".removesuffix("/")
        if path in LOOKS:
            return self.client.post(where, json=LOOKS[path], headers=headers)
        return self.client.get(where, headers=headers)


@pytest.fixture(scope="module")
def event(sqlite: Path, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Event]:
    """What is asked here does not hang on the kind of database."""
    file = tmp_path_factory.mktemp("roles") / "deckproof.db"
    shutil.copy(sqlite, file)
    database = open_file(file)
    tokens = {role: account(role, database) for role in READERS[:5]}
    with TestClient(
        create_app(Settings(private_webhooks=True), database=database), raise_server_exceptions=False
    ) as client:
        yield Event(client, tokens)
    database.close()


def test_the_page_has_every_document_of_an_event(event: Event) -> None:
    described = event.client.get("/openapi.json").json()["paths"]
    here = "/events/{event}"
    gets = {
        path.removeprefix(here).lstrip("/")
        for path, ways in described.items()
        if path.startswith(here) and "get" in ways
    }
    assert set(TABLE) == gets - {"stream"} | set(LOOKS)


def test_the_page_has_every_role() -> None:
    head = Page(GUIDE / "security.md").section("Who reads what").split("| document")[1].splitlines()[0]
    assert tuple(word.strip() for word in head.split("|")[1:-1]) == READERS == tuple(Role)


@pytest.mark.parametrize("path", ON_CHAIN)
def test_what_an_epoch_says_is_refused_to_whom_the_page_says(event: Event, path: str) -> None:
    answers = {reader: event.answer(reader, path).status_code for reader in READERS}
    assert {reader for reader, status in answers.items() if status == 403} == {
        reader for reader, said in TABLE[path].items() if said == "no"
    }


@pytest.mark.parametrize("path", [path for path in TABLE if path not in ON_CHAIN])
def test_everybody_reads_what_the_page_says_and_nothing_else(event: Event, path: str) -> None:
    public = event.answer("visitor", path)
    for reader, said in TABLE[path].items():
        answer = event.answer(reader, path)
        about = (reader, path, said, answer.status_code, answer.text[:200])
        match said:
            case "public" if path in MADE_ANEW:
                assert (answer.status_code, answer.json().keys()) == (200, public.json().keys()), about
            case "public":
                assert (answer.status_code, answer.content) == (public.status_code, public.content), about
            case "all":
                assert answer.status_code == 200, about
                assert answer.content != public.content, about
            case "own":
                assert answer.status_code == 200, about
                assert public.status_code in {401, 403, 404}, about
            case "no":
                assert answer.status_code in {401, 403, 404}, about
            case _:
                pytest.fail(f"the page says {said!r}")


def test_a_display_is_told_to_everybody_alike_by_the_same_etag(event: Event) -> None:
    """So a page that was shown by a display is still the right one for whoever comes without a token."""
    tags = {
        reader: event.answer(reader, "rounds").headers["etag"] for reader in ("display", "visitor", "desk", "judge")
    }
    assert tags["display"] == tags["visitor"]
    assert len(set(tags.values())) == 3


def test_a_display_and_the_desk_see_an_event_that_is_not_published_and_visitors_do_not(event: Event) -> None:
    ann = Desk(event.client, event.tokens["organizer"])
    hidden = f"/events/{ann.post('/events', {'name': 'Hidden', 'game': 'cps'})['event']}"
    for role in ("desk", "display"):
        ann.post(f"{hidden}/staff", {"account": role, "role": role})
    for path in ("", "entries", "rounds", "standings", "infractions"):
        seen = [event.asked(event.tokens.get(reader), path, hidden).status_code for reader in READERS[3:]]
        assert seen == [200, 200, 401, 404], path
    assert event.asked(event.tokens["display"], "log", hidden).status_code == 403


@pytest.mark.parametrize("reader", ["desk", "display", "judge"])
def test_the_desk_and_a_display_are_not_told_what_judges_did_by_a_refusal_either(event: Event, reader: str) -> None:
    is_told = reader == "judge"
    who = Desk(event.client, event.tokens[reader])
    stale = who.ask("POST", f"{event.path}/staff/leave", {"role": "organizer"}, version=1)
    assert (stale.json()["type"], bool(stale.json()["changes"])) == ("/problems/stale-event", is_told)
    if reader != "display":
        note = next(
            one["sequence"]
            for one in Desk(event.client, event.tokens["organizer"]).get(f"{event.path}/log")["receipts"]
            if one["name"] == "note.write"
        )
        refused = who.ask("POST", f"{event.path}/undo", {"sequence": note - 1, "reason": "a guess"})
        assert (refused.json()["type"], bool(refused.json()["changes"])) == ("/problems/undo-refused", is_told)
        assert ("note.write" in refused.text or "round.pair" in refused.text) is is_told
