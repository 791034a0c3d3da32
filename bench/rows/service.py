"""The server under a crowd: reports on both databases, and standings that everybody looks at."""

import json
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path
from secrets import token_hex
from typing import Any, Final

from measuring import Times
from reporting import Measure, NotMeasured, Row, Target
from sqlmodel import col, delete, insert
from world import ROOT

from rows import Bench
from tests.tournament.people import account
from tests.tournament.postgres import find_programs, started_postgres
from tests.tournament.server import SERVE, Server, served
from tournament import store
from tournament.database import Database, open_url
from tournament.service import events, rosters, rounds
from tournament.service.commands import Ask, Nothing, run
from tournament.tables import EntryRow

CROWD: Final = 50
"""Connections at once."""
TABLES: Final = 2_000
ROSTER: Final = 20_000
WATCHED: Final = 1_000
"""Players whose standings are looked at."""
LOOKING: Final = 3.0
"""Seconds."""
_ANN: Final = "dp_ann"
_CONSTANT: Final = "/constant"
_WITH_CONSTANT: Final = (
    sys.executable,
    "-m",
    "uvicorn",
    "--app-dir",
    str(ROOT / "bench"),
    "--factory",
    "constant:application",
)


@dataclass(frozen=True)
class Answers:
    """What a crowd was answered."""

    seconds: float
    latencies: list[float]
    statuses: dict[str, int]

    @property
    def p99(self) -> float:
        """Seconds that one answer in a hundred took, or longer."""
        return sorted(self.latencies)[len(self.latencies) * 99 // 100]


def reports_embedded(bench: Bench) -> Iterator[Row | NotMeasured]:
    """Results of one round, reported on SQLite by one process."""
    yield from _reports(bench, "SQLite", 1, rate=700, p99=0.050)


def reports_postgresql(bench: Bench) -> Iterator[Row | NotMeasured]:
    """The same on PostgreSQL by two processes."""
    yield from _reports(bench, "PostgreSQL", 2, rate=900, p99=None)


def public_standings(bench: Bench) -> Iterator[Row | NotMeasured]:
    """Standings that a crowd asks for, against a route that always says the same."""
    players = bench.players(WATCHED)
    seconds = 0.3 if bench.quick else LOOKING
    with _server("SQLite", *_WITH_CONSTANT) as (database, server):
        path = _paired(database, players)
        for table in range(1, players // 2 + 1):
            server.ask(
                "POST", f"{path}/rounds/1/tables/{table}/result", {"games": {"first": 2, "second": 0}}, token=_ANN
            )
        server.ask("POST", f"{path}/rounds/close", token=_ANN)
        per_request: dict[str, list[float]] = {f"{path}/standings": [], _CONSTANT: []}
        for _ in range(bench.rounds(5)):
            for place, found in per_request.items():
                answers = _crowd(server, [("GET", place, {}, None)], seconds=seconds)
                assert set(answers.statuses) == {"200"}, answers.statuses
                found.append(answers.seconds / len(answers.latencies))
    yield Row(
        what="public standings, a request",
        size=f"{players:,} players, {CROWD} connections, 1 process",
        ours=Times(tuple(per_request[f"{path}/standings"])),
        reference="a route that always says the same",
        against=Times(tuple(per_request[_CONSTANT])),
        targets=(Target(Measure.TIMES, 1 / 0.7),),
    )


def registrations(bench: Bench) -> Iterator[Row | NotMeasured]:
    """A roster entered as one command, against the bare rows, on both databases."""
    players = bench.players(ROSTER)
    roster = "name\n" + "".join(f"Player {number}\n" for number in range(players))
    for kind in ("SQLite", "PostgreSQL"):
        ours, bare = [], []
        with tempfile.TemporaryDirectory(prefix="deckproof-bench-") as folder, _database(kind, Path(folder)) as url:
            database = open_url(url)
            database.upgrade()
            for _ in range(bench.rounds(3)):
                event = _opened(database)
                began = time.perf_counter()
                rosters.enter(database, _ask(event), roster.encode(), "refuse")
                ours.append(time.perf_counter() - began)
                with database.reading() as session:
                    rows = store.rows_of(session, EntryRow, event)
                assert len(rows) == players, "an entry was lost"
                with database.writing() as session:
                    session.execute(delete(EntryRow).where(col(EntryRow.event_id) == event))
                began = time.perf_counter()
                with database.writing() as session:
                    session.execute(insert(EntryRow), rows)
                bare.append(time.perf_counter() - began)
            database.close()
        yield Row(
            what=f"a roster as one command, {kind}",
            size=f"{players:,} players",
            ours=Times(tuple(ours)),
            reference="the rows alone, in one transaction",
            against=Times(tuple(bare)),
        )


def _reports(bench: Bench, kind: str, workers: int, *, rate: int, p99: float | None) -> Iterator[Row | NotMeasured]:
    tables = bench.players(TABLES)
    wall, slow, paced = [], [], []
    with _server(kind, *SERVE, "--workers", str(workers)) as (database, server):
        for _ in range(bench.rounds(3)):
            for a_second in (None, rate):
                path = _paired(database, 2 * tables)
                answers = _crowd(server, _results(path, tables), a_second=a_second)
                assert answers.statuses == {"201": tables}, answers.statuses
                seats = server.json(f"{path}/rounds/1", _ANN)["seats"]
                assert all(seat["result"] for seat in seats), "a report was lost"
                assert server.json(f"{path}/log/check", _ANN)["holds"]
                if a_second is None:
                    wall.append(answers.seconds)
                    slow.append(answers.p99)
                else:
                    paced.append(answers.p99)
    processes = "1 process" if workers == 1 else f"{workers} processes"
    size = f"{tables:,} reports, {CROWD} connections, {processes}"
    yield Row(
        what=f"reports of results, {kind}",
        size=size,
        ours=Times(tuple(wall)),
        reference=f"{rate} a second, none lost",
        targets=(Target(Measure.SECONDS, tables / rate),),
    )
    yield Row(
        what=f"the slowest report in a hundred, {kind}",
        size=size,
        ours=Times(tuple(slow)),
        targets=(Target(Measure.SECONDS, p99),) if p99 else (),
    )
    yield Row(
        what=f"the same at {rate} a second, {kind}",
        size=size,
        ours=Times(tuple(paced)),
        targets=(Target(Measure.SECONDS, p99),) if p99 else (),
    )


def _results(path: str, tables: int) -> list[tuple[str, str, dict[str, str], str | None]]:
    body, headers = json.dumps({"games": {"first": 2, "second": 0}}), {"Authorization": f"Bearer {_ANN}"}
    return [
        ("POST", f"{path}/rounds/1/tables/{table}/result", headers | {"Idempotency-Key": f"table-{table}"}, body)
        for table in range(1, tables + 1)
    ]


@contextmanager
def _server(kind: str, *command: str) -> Iterator[tuple[Database, Server]]:
    """A server over an empty database, and the database with an account whose token is `dp_ann`."""
    with tempfile.TemporaryDirectory(prefix="deckproof-bench-") as folder, _database(kind, Path(folder)) as url:
        database = open_url(url)
        database.upgrade()
        account("ann", database)
        with served(url, Path(folder), command=command) as server:
            yield database, server
        database.close()


@contextmanager
def _database(kind: str, folder: Path) -> Iterator[str]:
    if kind == "SQLite":
        yield f"sqlite:///{folder / 'deckproof.db'}"
        return
    programs = find_programs()
    if programs is None:
        raise RuntimeError("there is no PostgreSQL here (initdb)")
    with started_postgres(programs, synced=True) as url:
        yield url


def _paired(database: Database, players: int) -> str:
    """The path of an event whose first round is published."""
    event = _opened(database)
    roster = "name\n" + "".join(f"Player {number}\n" for number in range(players))
    rosters.enter(database, _ask(event), roster.encode(), "refuse")
    for step in (events.CLOSE, rounds.PAIR, rounds.PUBLISH):
        run(database, step, _ask(event), step.arguments())
    return f"/events/{event}"


def _opened(database: Database) -> str:
    """An event that takes players."""
    event = events.create(database, _ask(""), events.Create(name="Spring Open")).event
    for kind in (events.PUBLISH, events.OPEN):
        run(database, kind, _ask(event), Nothing())
    return event


def _ask(event: str) -> Ask:
    return Ask(event=event, who=lambda _: "ann", command=token_hex(), now=datetime.now(UTC))


def _crowd(
    server: Server, requests: list[Any], *, seconds: float | None = None, a_second: int | None = None
) -> Answers:
    asked = {
        "port": server.port,
        "connections": CROWD,
        "seconds": seconds,
        "a_second": a_second,
        "requests": requests,
    }
    done = subprocess.run(  # noqa: S603 - ourselves
        [sys.executable, ROOT / "bench" / "crowd.py"],
        input=json.dumps(asked),
        capture_output=True,
        text=True,
        check=True,
    )
    return Answers(**json.loads(done.stdout))


ROWS = (reports_embedded, reports_postgresql, public_standings, registrations)
