"""The database away, locked or full: 503, nothing half done, and everything goes on when it is back."""

import json
import os
import shutil
import sqlite3
import subprocess
from collections.abc import Iterator
from pathlib import Path

import pytest
from fastapi.testclient import TestClient
from sqlalchemy import event

from tests.tournament.people import Desk, account
from tests.tournament.postgres import Cluster, programs_here, started_cluster
from tests.tournament.server import Server, served
from tests.tournament.streams import Reader
from tournament.api.app import create_app
from tournament.database import Database, open_file, open_url
from tournament.settings import Settings

UNAVAILABLE = (503, "/problems/database-unavailable")


@pytest.fixture
def cluster() -> Iterator[Cluster]:
    with started_cluster(programs_here()) as cluster:
        yield cluster


def enters(server: Server, path: str, number: int) -> tuple[int, str]:
    """Status, and the type of the problem."""
    status, body = server.ask("POST", f"{path}/entries", {"name": f"p{number}"}, token="dp_ann", key=f"k{number}")
    return status, json.loads(body).get("type", "")


def opened(server: Server) -> str:
    event = json.loads(server.ask("POST", "/events", {"name": "x"}, token="dp_ann")[1])["event"]
    for step in ("publish", "registration/open"):
        server.ask("POST", f"/events/{event}/{step}", token="dp_ann")
    return f"/events/{event}"


@pytest.mark.timeout(240)
def test_a_postgresql_that_goes_and_comes_back_is_503_meanwhile_and_nothing_is_lost(
    cluster: Cluster, tmp_path: Path
) -> None:
    database = open_url(cluster.url)
    database.upgrade()
    account("ann", database)
    database.close()
    with served(cluster.url, tmp_path) as server:
        path = opened(server)
        assert enters(server, path, 1)[0] == 201
        reader = Reader(server.port, f"{path}/stream?after=0").until(lambda reader: len(reader.news) == 4)
        cluster.stop("fast")
        for _ in range(3):
            assert enters(server, path, 2) == UNAVAILABLE
        for place in (path, f"{path}/entries", "/health/ready", f"{path}/stream"):
            away = Reader(server.port, place)
            assert (away.status, away.problem["type"]) == UNAVAILABLE, place
            assert int(away.headers["retry-after"]) > 0
            away.close()
        assert server.ask("GET", "/health/live")[0] == 200
        cluster.start()
        while (said := enters(server, path, 2)) == UNAVAILABLE:
            pass
        assert said[0] == 201
        assert [enters(server, path, number)[0] for number in (2, 1, 3)] == [201, 201, 201]
        assert reader.until_version(6) == [1, 2, 3, 4, 5, 6]
        assert len(server.json(f"{path}/entries")["entries"]) == 3
        assert server.json(f"{path}/log/check", "dp_ann")["holds"]
        reader.close()


@pytest.fixture
def small_disk(tmp_path: Path) -> Iterator[Path]:
    """A file system of its own, of four megabytes."""
    folder = tmp_path / "disk"
    folder.mkdir()
    words = [] if os.getuid() == 0 else ["sudo", "-n"]
    try:
        subprocess.run([*words, "mount", "-t", "tmpfs", "-o", "size=4m,mode=777", "tmpfs", folder], check=True)
    except (OSError, subprocess.CalledProcessError):
        if os.environ.get("CI"):
            pytest.fail("no file system can be mounted here, and in CI it has to be")
        pytest.skip("no file system can be mounted here")
    yield folder
    subprocess.run([*words, "umount", "-l", folder], check=True)


@pytest.mark.timeout(240)
def test_a_full_disk_is_503_and_leaves_nothing_half_written(small_disk: Path, sqlite: Path, tmp_path: Path) -> None:
    path = small_disk / "deckproof.db"
    shutil.copy(sqlite, path)
    database = open_file(path)
    account("ann", database)
    database.close()
    with served(f"sqlite:///{path}", tmp_path) as server:
        place = opened(server)
        reader = Reader(server.port, f"{place}/stream?after=0")
        filler = small_disk / "filler"
        space = os.statvfs(small_disk)
        filler.write_bytes(bytes(space.f_bavail * space.f_bsize - 200_000))
        number = 0
        while (said := enters(server, place, number))[0] == 201:
            number += 1
        assert number > 0
        assert said == UNAVAILABLE
        assert enters(server, place, number) == UNAVAILABLE
        names = [entry["name"] for entry in server.json(f"{place}/entries")["entries"]]
        assert names == [f"p{n}" for n in range(number)]
        filler.unlink()
        assert [enters(server, place, n)[0] for n in (number, number, 0)] == [201, 201, 201]
        assert len(server.json(f"{place}/entries")["entries"]) == number + 1
        check = server.json(f"{place}/log/check", "dp_ann")
        assert (check["holds"], check["version"]) == (True, 3 + number + 1)
        assert reader.until_version(check["version"]) == list(range(1, check["version"] + 1))
        reader.close()


@pytest.mark.parametrize("url", ["sqlite"], indirect=True)
def test_a_database_that_another_process_keeps_locked_is_503_and_can_be_read(url: str, database: Database) -> None:
    @event.listens_for(database.engine, "connect")
    def _(connection: sqlite3.Connection, __: object) -> None:
        connection.execute("PRAGMA busy_timeout = 100")  # as five seconds are too long for a test

    account("ann", database)
    with TestClient(create_app(Settings(), database=database)) as client:
        ann = Desk(client, "dp_ann")
        path = ann.event()
        other = sqlite3.connect(url.removeprefix("sqlite:///"), isolation_level=None)
        other.execute("BEGIN IMMEDIATE")
        refused = ann.ask("POST", f"{path}/entries", {"name": "a"}, key="k1")
        assert (refused.status_code, refused.json()["type"]) == UNAVAILABLE
        assert "locked" in refused.json()["detail"]
        assert int(refused.headers["retry-after"]) > 0
        assert client.get(f"{path}/entries").json() == {"entries": [], "next": None}
        other.execute("ROLLBACK")
        other.close()
        assert [ann.ask("POST", f"{path}/entries", {"name": "a"}, key="k1").status_code for _ in range(2)] == [201, 201]
        assert len(ann.get(f"{path}/entries")["entries"]) == 1
