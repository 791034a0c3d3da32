"""kill -9 of a real server, on both databases: what it acknowledged is there, a retry makes the rest exactly once."""

import http.client
import json
import random
import threading
import time
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest

from tests.tournament.people import account
from tests.tournament.server import Server, served
from tournament.database import Database

COMMANDS = 200
CLIENTS = 4
KILLS = 4


def send(server: Server, path: str, number: int) -> bytes:
    """The receipt of one entry."""
    status, body = server.ask("POST", f"{path}/entries", {"name": f"p{number}"}, token="dp_ann", key=f"k{number}")
    assert status == 201, body
    return body


def send_until_killed(server: Server, path: str, waiting: list[int], receipts: dict[int, bytes]) -> None:
    while waiting:
        number = waiting.pop()
        try:
            receipts[number] = send(server, path, number)
        except (OSError, http.client.HTTPException):
            return


@pytest.mark.timeout(300)
def test_a_killed_server_keeps_what_it_acknowledged_and_a_retry_makes_the_rest_exactly_once(
    url: str, database: Database, tmp_path: Path
) -> None:
    account("ann", database)
    database.close()
    rng = random.Random(url[:6])
    receipts: dict[int, bytes] = {}
    waiting = list(range(COMMANDS))
    path = ""
    for kill in range(KILLS + 1):
        with served(url, tmp_path) as server:
            path = path or opened(server)
            names = [entry["name"] for entry in server.json(f"{path}/entries", "dp_ann")["entries"]]
            sent = set(range(COMMANDS)) - set(waiting)
            assert len(names) == len(set(names))
            assert {f"p{number}" for number in receipts} <= set(names) <= {f"p{number}" for number in sent}
            assert server.json(f"{path}/log/check", "dp_ann")["holds"]
            assert all(send(server, path, number) == receipt for number, receipt in list(receipts.items())[-5:])
            waiting += sorted(sent - receipts.keys(), reverse=True)
            if kill < KILLS:
                start_killing(server, at=COMMANDS * (kill + rng.random()) / (KILLS + 1), receipts=receipts)
            with ThreadPoolExecutor(CLIENTS) as clients:
                at_work = [clients.submit(send_until_killed, server, path, waiting, receipts) for _ in range(CLIENTS)]
            assert [work.result() for work in at_work] == [None] * CLIENTS
            if kill == KILLS:
                log = {one["command"]: one for one in server.json(f"{path}/log", "dp_ann")["receipts"]}
                assert {n: json.loads(receipt) for n, receipt in receipts.items()} == {
                    n: log[f"k{n}"] for n in range(COMMANDS)
                }
                entries = server.json(f"{path}/entries", "dp_ann")["entries"]
                assert sorted(entry["name"] for entry in entries) == sorted(f"p{n}" for n in range(COMMANDS))
                assert server.json(f"{path}/log/check", "dp_ann") == {
                    "holds": True,
                    "version": COMMANDS + 2,
                    "breaks": [],
                    "differences": [],
                }


def opened(server: Server) -> str:
    event = json.loads(server.ask("POST", "/events", {"name": "x"}, token="dp_ann", key="event")[1])["event"]
    server.ask("POST", f"/events/{event}/registration/open", token="dp_ann", key="open")
    return f"/events/{event}"


def start_killing(server: Server, at: float, receipts: dict[int, bytes]) -> None:
    """Kill the server in the middle of whatever it does after so many receipts."""

    def killer() -> None:
        while len(receipts) < at and server.process.poll() is None:
            time.sleep(0.0005)
        server.kill()

    threading.Thread(target=killer, daemon=True).start()
