"""`deckproof log …`: what was done in an event, and whether its log holds; with a server, a database or a file."""

import json
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import islice
from pathlib import Path
from typing import Annotated, Any, Final

import typer

from cli import asking, output
from cli.databases import present
from cli.desk import Desk, asked_with, looking
from cli.exits import Exit
from cli.reports import score_of
from cli.screen import plain_text
from tournament import event_file, store
from tournament.domain.amounts import counted
from tournament.errors import EventNotFound, LogBroken, LogUnreadable
from tournament.service import audit, transfers
from tournament.service.chain import Break, Line, Seal, document_of, hash_of, row_of, verify_chain
from tournament.tables import LogRow
from verifier.nesting import check_nesting

app = asking.new_app(no_args_is_help=True)

PAGE: Final = 500
_NOTHING: Final[tuple[object, ...]] = (None, "", [])
"""Arguments that say nothing."""
_MINUTES: Final = 5
"""Of a time, as people write it."""
_WIDEST: Final = 60
"""Characters of what was asked, in a table."""

EventId = Annotated[str | None, typer.Argument(metavar="EVENT", help="Instead of --event.")]
EventOrFile = Annotated[
    str | None, typer.Argument(metavar="EVENT", help="Instead of --event; or a file, as with --file.")
]
FromDatabase = Annotated[bool, typer.Option("--database", help="Read the database of the settings, without a server.")]
FromFile = Annotated[
    Path | None, typer.Option("--file", metavar="FILE", help="Read what `event export --with-log` wrote.")
]


@dataclass(frozen=True)
class Log:
    """An event's log, from wherever it was read."""

    event: str
    rows: Sequence[Line]
    """With seals, if it was published."""
    version: int
    head: str
    """What the event says that the last row's hash is; where it says nothing, the hash that the row has."""
    wrong: Sequence[str] = field(default=())
    """Where the tables, or the rest of the file, say something else."""

    @property
    def sealed(self) -> int:
        """How many rows are sealed."""
        return sum(isinstance(row, Seal) for row in self.rows)


@app.callback()
def _logs() -> None:
    """The log of an event: everything that was done, each command with the hash of the one before."""


@looking(app)
def show(
    desk: Desk,
    which: EventId = None,
    *,
    after: Annotated[int, typer.Option("--after", min=0, metavar="ROW", help="From the row after this one.")] = 0,
    limit: Annotated[int | None, typer.Option("--limit", min=1, help="How many.  [default: all]")] = None,
    database: FromDatabase = False,
    file: FromFile = None,
) -> None:
    """Who did what, when and why."""
    receipts = list(islice(_receipts(desk, which, database=database, file=file, after=after), limit))
    if desk.as_json:
        output.print_json({"receipts": receipts})
        return
    rows: list[tuple[str, ...]] = []
    day = ""
    for one in receipts:
        today = str(one.get("at", day)).partition("T")[0]
        if today != day:
            day = today
            rows.append(("", plain_text(day), "", "", ""))
        rows.append(_shown(one))
    output.print_table(("row", "at (UTC)", "who", "command", "what"), rows, numbers=("row",))


@looking(app)
def verify(
    desk: Desk,
    which: EventOrFile = None,
    *,
    database: FromDatabase = False,
    file: FromFile = None,
    receipt: Annotated[
        list[Path] | None, typer.Option("--receipt", metavar="FILE", help="Receipts that somebody kept; several times.")
    ] = None,
) -> None:
    """Does the log hold?

    Every hash is computed anew, here, and compared with receipts that people kept. The log of a file is also carried
    out, and the rounds, results and the cut that come of it are compared with those of the file. A published log, in
    which the rows for staff are sealed, gives the same ones. Exits with 0 if it holds, and 3 if not.
    """
    if which is not None and file is None and _is_file(which):
        file = Path(which)
    kept = _kept(receipt or ())
    with output.progress("Verifying…"):
        log = _read(desk, which, database=database, file=file)
        if others := {row.event_id for row in kept} - {log.event}:
            raise typer.BadParameter(f"--receipt: of another event: {', '.join(sorted(others))}")
        hashes = {row.sequence: row.hash for row in kept}
        breaks = verify_chain(log.rows, version=log.version, head=log.head, receipts=hashes)
    holds = not (breaks or log.wrong)
    if desk.as_json:
        output.print_json(
            {
                "event": log.event,
                "holds": holds,
                "rows": len(log.rows),
                "sealed": log.sealed,
                "head": log.rows[-1].hash if log.rows else None,
                "receipts": len(kept),
                "breaks": [{"row": one.sequence, "kind": one.kind, "sentence": one.sentence} for one in breaks],
                "differences": list(log.wrong),
            }
        )
    else:
        _tell(log, breaks, kept, holds=holds)
    raise typer.Exit(Exit.DONE if holds else Exit.NO)


@looking(app)
def rebuild(
    desk: Desk,
    which: EventId = None,
    *,
    repair: Annotated[bool, typer.Option("--repair", help="Put the tables right.")] = False,
    yes: Annotated[bool, typer.Option("--yes", help="Do not ask.")] = False,
) -> None:
    """Derive an event's tables from its log again, in the database of the settings.

    Shows every row that is not what the log makes it, and puts it right with --repair. Exits with 0 if there is none,
    or none any more, and 3 if there are.
    """
    named = _named(desk, which)
    with present() as database:
        with output.progress("Deriving…"), database.reading() as session:
            if breaks := audit.verify_log(session, named):
                raise LogBroken(named, list(map(str, breaks)))
            wrong = audit.differences(session, named)
        is_repaired = (
            bool(wrong) and repair and (yes or typer.confirm(f"Change {counted(len(wrong), 'row')}?", err=True))
        )
        if is_repaired:
            wrong = audit.rebuild(database, named)
    if desk.as_json:
        output.print_json({"event": named, "differences": list(map(str, wrong)), "repaired": is_repaired})
    else:
        for difference in wrong:
            output.print_text(plain_text(str(difference)))
        state = "put right" if is_repaired else "not what the log makes them"
        output.print_text(f"rows that are {state}: {len(wrong)}" if wrong else "every row is what the log makes it")
    raise typer.Exit(Exit.NO if wrong and not is_repaired else Exit.DONE)


# --- where a log is read ----------------------------------------------------------------------------------------------


def _receipts(
    desk: Desk, event: str | None, *, database: bool, file: Path | None, after: int
) -> Iterator[dict[str, Any]]:
    if not (database or file):
        desk.event = _named(desk, event)
        yield from _asked_for(desk, after)
        return
    for row in _read(desk, event, database=database, file=file).rows:
        if row.sequence > after:
            yield document_of(row)


def _asked_for(desk: Desk, after: int = 0) -> Iterator[dict[str, Any]]:
    """The receipts that the server has, page after page."""
    following: int | None = after
    while following is not None:
        page = desk.server.get(desk.path("/log") + asked_with({"after": following, "limit": PAGE})).document
        yield from page["receipts"]
        following = page["next"]


def _read(desk: Desk, event: str | None, *, database: bool, file: Path | None) -> Log:
    if database and file:
        raise typer.BadParameter("--database and --file are two places; name one")
    if file:
        return _in_file(file)
    named = _named(desk, event)
    return _in_database(named) if database else _at_server(desk, named)


def _at_server(desk: Desk, event: str) -> Log:
    desk.event = event
    rows = [row_of(receipt, at=at) for at, receipt in enumerate(_asked_for(desk), start=1)]
    checked = desk.read("/log/check")  # what the server says of its tables; of the log it is not believed
    version = max(checked["version"], len(rows))  # it may have grown since
    rows += [row_of(one, at=one["sequence"]) for one in _asked_for(desk, rows[-1].sequence if rows else 0)]
    version = max(version, rows[-1].sequence if rows else 0)
    return Log(event, rows, version, rows[-1].hash if rows else "", tuple(map(plain_text, checked["differences"])))


def _in_database(event: str) -> Log:
    with present() as database, database.reading() as session:
        row = store.find_event(session, event)
        if row is None:
            raise EventNotFound(event)
        rows = list(store.read_log(session, event))
        holds = not verify_chain(rows, version=row.version, head=row.head)
        wrong = list(map(str, audit.differences(session, event))) if holds else []
        return Log(event, rows, row.version, row.head, wrong)


def _in_file(file: Path) -> Log:
    event = event_file.parse_event_file(asking.source_of(file, event_file.MOST_BYTES + 1))
    if not event.log:
        raise typer.BadParameter(f"{file} has no log; `deckproof event export --with-log` writes one")
    rows = transfers.log_of(event)
    wrong = transfers.faults_of(event) if not verify_chain(rows, version=len(rows), head=rows[-1].hash) else []
    return Log(transfers.event_of(rows), rows, len(rows), rows[-1].hash, wrong)


def _is_file(which: str) -> bool:
    """An event's id has neither dots nor slashes, and names of files have."""
    return "." in which or "/" in which


def _named(desk: Desk, event: str | None) -> str:
    desk.event = event or desk.event
    desk.path()  # refuses if there is none
    return str(desk.event)


# --- receipts ---------------------------------------------------------------------------------------------------------


def _kept(files: Sequence[Path]) -> list[LogRow]:
    """Receipts in files: one, a list, what a command printed with --json, or one a line."""
    kept: list[LogRow] = []
    for file in files:
        for at, receipt in enumerate(_documents(file), start=1):
            row = row_of(receipt, at=at)
            if hash_of(row) != row.hash:
                raise LogUnreadable(at, f"{file} is no receipt: its hash is of other words")
            kept.append(row)
    return kept


def _documents(file: Path) -> list[object]:
    text = asking.source_of(file, event_file.MOST_BYTES).decode(errors="replace")
    try:
        check_nesting(text)
        try:
            found = json.loads(text)
        except ValueError:
            found = [json.loads(line) for line in text.splitlines() if line.strip()]
    except ValueError as error:
        raise LogUnreadable(1, f"{file} is not JSON") from error
    if isinstance(found, dict):
        found = found.get("receipts", [found])
    return found if isinstance(found, list) else [found]


# --- words ------------------------------------------------------------------------------------------------------------


def _tell(log: Log, breaks: Sequence[Break], kept: Sequence[LogRow], *, holds: bool) -> None:
    for one in (*breaks, *log.wrong):
        output.print_styled(plain_text(str(one)), "bold red")
    if not holds:
        output.print_styled(f"the log of {log.event} does not hold", "bold red")
        return
    sealed = f", {log.sealed} of them sealed" if log.sealed else ""
    output.print_styled(f"the log of {log.event} holds: {counted(len(log.rows), 'row')}{sealed}", "green")
    output.print_text(f"its last hash is {log.head}")
    compared = (
        counted(len(kept), "receipt") if kept else "no receipt; keep one, and nobody can cut off what came before it"
    )
    output.print_text(f"compared with {compared}")


def _shown(one: Mapping[str, Any]) -> tuple[str, str, str, str, str]:
    """A line of the log as a line of a table; the day stands above."""
    if "digest" in one:
        return str(one["sequence"]), "", "", plain_text(str(one["name"])), "sealed"
    at = plain_text(str(one["at"]).partition("T")[2][:_MINUTES])
    return str(one["sequence"]), at, plain_text(str(one["actor"])), plain_text(str(one["name"])), _asked(one)


def _asked(receipt: Mapping[str, Any]) -> str:
    """What was asked, in short, and why."""
    arguments = dict(receipt["arguments"])
    games = [score_of(arguments.pop("games"))] if "games" in arguments else []
    said = [*(f"{name}={_short(value)}" for name, value in arguments.items() if value not in _NOTHING), *games]
    text = plain_text(" ".join(said))
    text = text if len(text) <= _WIDEST else f"{text[:_WIDEST]}…"
    return f"{text} ({plain_text(receipt['reason'])})" if receipt["reason"] else text


def _short(value: object) -> str:
    return value if isinstance(value, str) else json.dumps(value, ensure_ascii=False, separators=(",", ":"))
