"""A server that is stopped or killed and started again: streams and webhooks lose nothing."""

import json
import signal
import time
from contextlib import ExitStack
from pathlib import Path

import pytest
from sqlalchemy import text

from tests.tournament.evening import Evening
from tests.tournament.people import account, games
from tests.tournament.receiver import receiving
from tests.tournament.server import Server, served
from tests.tournament.streams import Reader
from tournament.database import Database
from tournament.service import events, results, rounds, webhooks
from tournament.service.news import Topic
from tournament.service.posting import Rules

READERS = 50
STOPS_WITHIN = 3.0


def corrects(server: Server, evening: Evening, times: int) -> int:
    """Correct the one table, so often; the version then."""
    path, version = f"/events/{evening.event}/rounds/1/tables/1/result", 0
    for _ in range(times):
        evening.number += 1
        status, body = server.ask("PUT", path, games(*result(evening)), token="dp_ann", key=f"c{evening.number}")
        assert status == 200, body
        version = json.loads(body)["sequence"]
    return version


def result(evening: Evening) -> tuple[int, int]:
    return (2, 0) if evening.number % 2 else (0, 2)


@pytest.mark.timeout(240)
def test_nothing_is_lost_or_told_twice_when_the_server_stops_is_killed_and_starts_again(
    url: str, database: Database, tmp_path: Path
) -> None:
    account("ann", database)
    evening = Evening(database).begins().enters("a", "b").does(events.CLOSE).does(rounds.PAIR).does(rounds.PUBLISH)
    evening.does(results.REPORT, results.Report(round=1, table=1, **games(2, 1)))
    workers = () if database.is_embedded else ("--workers", "2")
    allowed = {"DECKPROOF_PRIVATE_WEBHOOKS": "true"}
    readers: list[Reader] = []
    with receiving() as receiver, ExitStack() as stack:
        asked = webhooks.AddWebhook(url=receiver.url, topics=[Topic.CORRECTION])
        webhooks.add(database, evening.ask(), asked, Rules(plain=True, private=True))
        begun = evening.version + 1

        with served(url, tmp_path, **allowed) as server:
            readers += [Reader(server.port, f"/events/{evening.event}/stream?after={begun}") for _ in range(READERS)]
            for reader in readers:
                stack.callback(reader.close)
            corrects(server, evening, 4)
            stopping = time.monotonic()
            server.process.send_signal(signal.SIGTERM)
            server.process.wait(20)
            assert time.monotonic() - stopping < STOPS_WITHIN
            assert all(reader.until(lambda reader: reader.has_ended).has_ended for reader in readers)

        for _ in range(2):
            evening.number += 1
            said = results.Report(round=1, table=1, **games(*result(evening)))
            evening.does(results.CORRECT, said)

        with served(url, tmp_path, **allowed) as server:
            for reader in readers:
                reader.back(server.port)
            corrects(server, evening, 4)
            server.kill()

        with database.writing() as session:  # what a minute does: whoever sent something is dead
            session.connection().execute(text("UPDATE postbox SET leased_until = ''"))
        with served(url, tmp_path, *workers, **allowed) as server:
            for reader in readers:
                reader.back(server.port)
            last = corrects(server, evening, 2)
            wanted = list(range(begun + 1, last + 1))
            assert [reader.until_version(last) for reader in readers] == [wanted] * READERS
            end = time.monotonic() + 30
            while len(set(receiver.ids)) < len(wanted) and time.monotonic() < end:
                time.sleep(0.05)
            server.process.send_signal(signal.SIGTERM)
            server.process.wait(20)
    assert list(dict.fromkeys(receiver.versions)) == wanted
