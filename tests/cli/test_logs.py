"""`deckproof log`, `db` and the export with its log: from a server, from its database, from a file."""

import json
import sqlite3
import stat
from collections.abc import Iterator
from contextlib import closing, contextmanager
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import pytest

from tests.cli.world import Deckproof
from tests.tournament.people import account
from tests.tournament.server import served
from tournament.database import newest, open_file
from tournament.service import events, notes
from tournament.service.chain import hash_of, row_of
from tournament.service.commands import Ask, run


@dataclass(frozen=True)
class Home:
    """An installation: a server and its database, with ann."""

    data: Path
    url: str


@contextmanager
def installed(folder: Path) -> Iterator[Home]:
    path = folder / "deckproof.db"
    database = open_file(path)
    database.upgrade()
    account("ann", database)
    database.close()
    with served(f"sqlite:///{path}", folder) as server:
        yield Home(path, f"http://127.0.0.1:{server.port}")


@pytest.fixture(scope="module")
def home(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Home]:
    with installed(tmp_path_factory.mktemp("home")) as home:
        yield home


@pytest.fixture
def ann(deckproof: Deckproof, home: Home, monkeypatch: pytest.MonkeyPatch) -> Deckproof:
    """With an event in which a round was played; the database of the settings is that of her server."""
    monkeypatch.setenv("DECKPROOF_SERVER", home.url)
    monkeypatch.setenv("DECKPROOF_DATA", str(home.data.parent))
    monkeypatch.setenv("DECKPROOF_TOKEN", "dp_ann")
    for words in (
        ("event", "create", "Spring Open", "--use"),
        ("event", "open"),
        ("entry", "add", "Ann", "Bob"),
        ("event", "close"),
        ("event", "start"),
        ("event", "report", "1", "2-1", "--reason", "a slip of paper"),
        ("event", "close-round"),
    ):
        assert deckproof(*words).code == 0
    return deckproof


@pytest.fixture
def event(ann: Deckproof, monkeypatch: pytest.MonkeyPatch) -> str:
    """That event."""
    return str(ann("event", "use", "--json").document["event"])


def tamper(home: Home, statement: str) -> None:
    with closing(sqlite3.connect(home.data, timeout=10)) as connection, connection:
        connection.execute(statement)


def kept(ann: Deckproof, path: Path, sequence: int) -> Path:
    """The receipt of a command, as somebody kept it."""
    receipts = ann("log", "show", "--json").document["receipts"]
    path.write_text(json.dumps(receipts[sequence - 1]))
    return path


@pytest.mark.parametrize("where", ["server", "--database", "--file"])
def test_a_log_holds_wherever_it_is_read(ann: Deckproof, event: str, where: str, tmp_path: Path) -> None:
    assert ann("event", "export", "--with-log", "-o", "event.json").code == 0
    place: tuple[str, ...] = {"server": (), "--database": (where,), "--file": (where, "event.json")}[where]
    receipt = kept(ann, tmp_path / "receipt.json", 8)
    shown = ann("log", "show", *place)
    assert "round=1 table=1 2-1 (a slip of paper)" in shown.out
    assert len(ann("log", "show", *place, "--after", "3", "--limit", "2", "--json").document["receipts"]) == 2
    document = ann("log", "verify", *place, "--receipt", receipt, "--json").document
    assert {name: document[name] for name in ("event", "holds", "rows", "receipts", "breaks", "differences")} == {
        "event": event,
        "holds": True,
        "rows": 9,
        "receipts": 1,
        "breaks": [],
        "differences": [],
    }
    assert ann("log", "verify", *place).out.startswith(f"the log of {event} holds: 9 rows\n")


@pytest.mark.parametrize("where", ["server", "--database", "--file"])
def test_the_row_that_was_changed_is_named(ann: Deckproof, event: str, where: str, home: Home) -> None:
    place: tuple[str, ...] = {"server": (), "--database": (where,), "--file": (where, "event.json")}[where]
    tamper(home, f"UPDATE log SET fact = replace(fact, '2', '1') WHERE sequence = 8 AND event_id = '{event}'")
    ann("event", "export", "--with-log", "-o", "event.json")
    ended = ann("log", "verify", *place)
    assert ended.code == 3
    assert ended.out.startswith("row 8 altered: its hash is of other words\n")
    assert ann("log", "verify", *place, "--json").document["breaks"][0]["row"] == 8


def test_only_a_receipt_shows_that_the_end_was_cut_off(ann: Deckproof, event: str, home: Home, tmp_path: Path) -> None:
    receipt, other = kept(ann, tmp_path / "nine.json", 9), kept(ann, tmp_path / "eight.json", 8)
    head = json.loads(other.read_text())["hash"]
    tamper(home, f"DELETE FROM log WHERE sequence = 9 AND event_id = '{event}'")
    short = ann("log", "verify", "--database")
    assert short.out.startswith("row 9 cut short: the event is at version 9, the log ends with 8")
    tamper(home, f"UPDATE event SET version = 8, head = '{head}', phase = 'round' WHERE id = '{event}'")
    tamper(home, f"UPDATE round SET closed_at = NULL WHERE event_id = '{event}'")
    assert ann("log", "verify", "--database").code == ann("log", "verify").code == 0
    ended = ann("log", "verify", "--receipt", receipt, "--receipt", other)
    assert (ended.code, ended.out.split("\n")[0]) == (3, "row 9 denied: a receipt is of a row that is not there")


def test_receipts_come_as_commands_print_them_or_one_a_line(ann: Deckproof, tmp_path: Path) -> None:
    printed = ann("entry", "list", "--json")
    assert printed.code == 0
    (tmp_path / "all.json").write_text(ann("log", "show", "--json").out)
    lines = [json.dumps(one) for one in json.loads((tmp_path / "all.json").read_text())["receipts"]]
    (tmp_path / "lines.jsonl").write_text("\n".join(lines))
    for name in ("all.json", "lines.jsonl"):
        assert ann("log", "verify", "--receipt", name, "--json").document["receipts"] == 9


@pytest.mark.parametrize(
    ("content", "code", "said"),
    [
        ("{", 4, "is not JSON"),
        ("[5]", 4, "row 1"),
        ("forged", 4, "its hash is of other words"),
        ("other", 2, "of another event: elsewhere"),
    ],
)
def test_what_is_no_receipt_of_the_event_is_named(
    ann: Deckproof, content: str, code: int, said: str, tmp_path: Path
) -> None:
    path = kept(ann, tmp_path / "receipt.json", 8)
    document = json.loads(path.read_text())
    if content == "forged":
        path.write_text(json.dumps(document | {"actor": "eve"}))
    elif content == "other":
        document["event"] = "elsewhere"
        path.write_text(json.dumps(document | {"hash": hash_of(row_of(document))}))
    else:
        path.write_text(content)
    ended = ann("log", "verify", "--receipt", path)
    assert (ended.code, said in ended.err) == (code, True), ended.err


def test_tables_that_somebody_changed_are_shown_and_put_right(ann: Deckproof, event: str, home: Home) -> None:
    assert ann("log", "rebuild").out == "every row is what the log makes it\n"
    tamper(home, f"UPDATE seat SET games_first = 0, games_second = 2 WHERE event_id = '{event}'")
    for place in ((), ("--database",)):
        ended = ann("log", "verify", *place)
        assert (ended.code, ended.out.split("\n")[0]) == (
            3,
            'seat 1 1: {"games_first": 0, "games_second": 2}, by the log {"games_first": 2, "games_second": 1}',
        )
    assert ann("log", "rebuild").code == 3
    assert ann("log", "rebuild", "--repair", stdin="n\n").code == 3
    assert ann("log", "rebuild", "--repair", "--json", stdin="y\n").document["repaired"]
    assert ann("log", "rebuild").code == 0
    tamper(home, f"UPDATE log SET actor = 'eve' WHERE sequence = 2 AND event_id = '{event}'")
    assert ann("log", "rebuild", "--repair", "--yes").code == 6


def test_anybody_verifies_a_published_log_though_some_of_it_is_sealed(
    ann: Deckproof, event: str, tmp_path: Path, home: Home, monkeypatch: pytest.MonkeyPatch
) -> None:
    assert ann("event", "publish").code == 0
    with closing(open_file(home.data)) as database:
        ask = Ask(event=event, who=lambda _: "ann", command="a note", now=datetime.now(UTC))
        run(database, notes.WRITE, ask, notes.WriteNote(text="for judges"))
    assert ann("event", "finish").code == 0
    assert ann("event", "export", "--with-log", "--sealed", "-o", "by-staff.json").code == 0
    monkeypatch.delenv("DECKPROOF_TOKEN")
    assert ann("event", "export", "--with-log", "-o", "public.json").code == 0
    public = tmp_path / "public.json"
    assert public.read_text() == (tmp_path / "by-staff.json").read_text()
    holds = ann("log", "verify", "public.json")
    assert (holds.code, holds.out.split("\n")[0]) == (0, f"the log of {event} holds: 12 rows, 1 of them sealed")
    assert ann("log", "verify", "--file", "public.json", "--json").document["sealed"] == 1
    [seal] = ann("log", "show", "--file", "public.json", "--after", "10", "--limit", "1", "--json").document["receipts"]
    assert (seal["name"], seal.keys()) == ("note.write", {"sequence", "name", "digest", "previous", "hash"})
    assert "sealed" in ann("log", "show", "--file", "public.json").out
    document = json.loads(public.read_text())
    document["log"][10]["digest"] = "0" * 64
    public.write_text(json.dumps(document))
    assert ann("log", "verify", "public.json").out.startswith("row 11 altered")
    document["rounds"][0]["tables"][0]["games"] = [0, 2, 0]
    document["log"][10] = seal
    public.write_text(json.dumps(document))
    assert "round 1, table 1: the file says" in ann("log", "verify", "public.json").out


# --- to another installation


def test_an_event_goes_to_another_installation_and_on(
    ann: Deckproof, event: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    assert ann("event", "export", "--with-log", "-o", "event.json", "--json").document["receipts"] == 9
    standings = ann("event", "standings", "--json").document
    (tmp_path / "elsewhere").mkdir()
    with installed(tmp_path / "elsewhere") as other:
        monkeypatch.setenv("DECKPROOF_SERVER", other.url)
        came = ann("event", "import", "event.json", "--origin", "the shop", "--use")
        assert came.out == f"event {event} is here, with its log (version 10)\n", came.err
        assert ann("event", "standings", "--json").document == standings
        assert ann("event-file", "check", "event.json").code == 0
        file = json.loads((tmp_path / "event.json").read_text())
        file["log"][4]["reason"] = "another"
        refused = ann("event", "import", "-", "--json", stdin=json.dumps(file))
        assert (refused.code, refused.document["faults"]) == (6, ["row 5 altered: its hash is of other words"])
        del file["log"]
        assert ann("event", "import", "-", stdin=json.dumps(file)).out.endswith("as a new event (version 1)\n")
        assert ann("event", "start", "--even-so").code == 0


# --- backups


def test_a_backup_while_a_server_runs_is_put_back_elsewhere(
    ann: Deckproof, event: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    made: dict[str, Any] = ann("db", "backup", "one.db", "--json").document
    assert made["accounts"] == 1
    assert {"event": event, "name": "Spring Open", "version": 9, "breaks": [], "differences": []} in made["events"]
    assert stat.S_IMODE((tmp_path / "one.db").stat().st_mode) == 0o600
    assert made["bytes"] == (tmp_path / "one.db").stat().st_size
    assert ann("db", "backup", "one.db").code == 2
    full = ann("db", "restore", "one.db", "--json")
    assert (full.code, full.document["type"]) == (6, "/problems/database-not-empty")
    assert ann("db", "restore", "nothing.db").code == 2
    (tmp_path / "text.db").write_text("no database")
    assert ann("db", "restore", "text.db", "--force").code == 4


def test_a_database_is_checked_backed_up_and_put_back(
    deckproof: Deckproof, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    assert deckproof("db", "check").code == 2
    assert deckproof("db", "backup", "one.db").code == 2
    assert not (tmp_path / ".deckproof").exists()
    data = Home(tmp_path / ".deckproof" / "deckproof.db", "")
    data.data.parent.mkdir()
    database = open_file(data.data)
    database.upgrade()
    account("ann", database)
    ask = Ask(event="", who=lambda _: "ann", command="c", now=datetime.now(UTC))
    events.create(database, ask, events.Create(name="Spring Open"))
    assert deckproof("db", "check").out == f"checked: 1 account, 1 event, shape {newest()}\n"
    assert deckproof("db", "backup", "one.db").out.startswith("written to one.db: 1 account, 1 event")
    in_use = deckproof("db", "restore", "one.db", "--force", "--json")
    assert (in_use.code, in_use.document["type"]) == (5, "/problems/database-unavailable")
    assert "stop the server first" in in_use.document["detail"]
    database.close()
    assert deckproof("db", "restore", "one.db", "--force").code == 0
    tamper(data, "UPDATE log SET reason = 'x'")
    broken = deckproof("db", "check")
    assert (broken.code, "row 1 altered" in broken.out) == (3, True)
    assert deckproof("db", "backup", "one.db", "--force").code == 3
    monkeypatch.setenv("DECKPROOF_DATA", "elsewhere")
    refused = deckproof("db", "restore", "one.db", "--json")
    assert (refused.code, refused.document["type"]) == (6, "/problems/backup-broken")
    assert list((tmp_path / "elsewhere").iterdir()) == []


# --- the evidence of an event -----------------------------------------------------------------------------------------


def test_an_audit_checks_an_event_from_its_file_alone(
    ann: Deckproof, event: str, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    assert ann("event", "finish").code == 0
    written = ann("event", "evidence", "-o", "event.evidence", "--json").document
    assert written == {"file": "event.evidence", "bytes": Path("event.evidence").stat().st_size, "opened": False}
    monkeypatch.delenv("DECKPROOF_SERVER")
    monkeypatch.setenv("DECKPROOF_DATA", str(tmp_path / "nothing"))
    ended = ann("audit", "event.evidence")
    assert (ended.code, ended.out.splitlines()[-2]) == (0, "the evidence of Spring Open (finished) holds")
    document = ann("audit", "event.evidence", "--json").document
    assert (document["holds"], document["event"]["id"]) == (True, event)
    assert [check["name"] for check in document["checks"]] == [
        *("form", "log", "opened", "results", "pairings", "standings", "manifest", "decks", "control", "blocks"),
        *("proofs", "ownership", "exclusivity", "passes", "scans", "conclusions"),
    ]


def test_an_audit_names_what_was_changed_by_its_path(ann: Deckproof) -> None:
    assert ann("event", "finish").code == 0
    assert ann("event", "evidence", "--opened", "-o", "event.evidence").out.startswith("Written to event.evidence")
    file = Path("event.evidence")
    text = file.read_text()
    file.write_text(text.replace('"games":[2,1,0]', '"games":[1,2,0]'))
    ended = ann("audit", file)
    assert ended.code == 3
    assert ended.out.startswith("conclusions.file.rounds[0].tables[0].games[0]: 1 there, and 2 follows\n")
    file.write_text(text.replace("a slip of paper", "a slip of papyrus"))
    assert ann("audit", file).out.startswith("log[7]: row 8 altered: its hash is of other words\n")
    file.write_text(text.replace(",", ", ", 1))
    assert ann("audit", file).code == 4
