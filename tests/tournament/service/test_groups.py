"""Commands that share a transaction: each is answered as if it were alone, and together they ask little."""

import asyncio
import random
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, replace
from itertools import count
from threading import Event
from time import monotonic, sleep
from typing import Any

import pytest
from sqlalchemy import event as hooks
from sqlmodel import Session

from tests.tournament.entering import CODES, NOON, Life
from tests.tournament.people import account
from tournament import store
from tournament.database import Database
from tournament.domain.errors import TournamentError
from tournament.domain.roles import Role
from tournament.errors import NotReported, NotYours, SignInNeeded
from tournament.service import accounts, claims, entries, events, registrations, results, rounds, staff
from tournament.service.commands import Arguments, Ask, Command, Kind, run, text_of
from tournament.store.group import Known, is_known
from tournament.tables import PROJECTION, AccountRow, BrowserRow, LogRow

PLAYERS = 16
ROUNDS_PLAYED = 2
WON, LOST = results.Games(first=2, second=0), results.Games(first=0, second=2)
NOT_SO = results.Games(first=9, second=9)


@dataclass(frozen=True)
class Given:
    """A command, and who gives it."""

    kind: Kind[Any, Any]
    arguments: Arguments
    shows: str
    key: str
    expected: int | None = None

    def ask(self, life: Life) -> Ask:
        shown = accounts.Shown(self.shows, text_of(NOON))
        who = accounts.bearer(shown, CODES, life.event)
        return replace(life.ask(key=self.key), who=who, expected=self.expected, chance=lambda: "d" * 64)


def at_once(database: Database, event: str, jobs: Sequence[Callable[[Session], Any]]) -> list[Any]:
    """What comes of jobs that all came while another one was being committed."""
    queue, inside, leave = database._queue(event), Event(), Event()  # noqa: SLF001 - to see them wait

    def hold(_: Session) -> None:
        inside.set()
        assert leave.wait(timeout=20)

    async def all_of_them() -> list[Any]:
        return await asyncio.gather(*(queue.soon(job) for job in jobs), return_exceptions=True)

    with ThreadPoolExecutor(2) as pool:
        holder = pool.submit(queue.do, hold)
        assert inside.wait(timeout=20)
        others = pool.submit(asyncio.run, all_of_them())
        late = monotonic() + 20
        while len(queue._waiting) < len(jobs):  # noqa: SLF001 - there is no other way to see them wait
            assert monotonic() < late
            sleep(0.001)
        leave.set()
        holder.result()
        return others.result()


def together(life: Life, given: Sequence[Given]) -> list[object]:
    jobs = [Command(one.kind, one.ask(life), one.arguments) for one in given]
    return [answer_of(end) for end in at_once(life.database, life.event, jobs)]


def one_by_one(life: Life, given: Sequence[Given]) -> list[object]:
    ends: list[object] = []
    for one in given:
        try:
            ends.append(answer_of(run(life.database, one.kind, one.ask(life), one.arguments)))
        except TournamentError as refusal:
            ends.append(answer_of(refusal))
    return ends


def answer_of(end: Any) -> object:
    return f"{type(end).__name__}: {end}" if isinstance(end, Exception) else (end.version, end.body, end.tag)


def begun(database: Database, numbers: Iterator[int]) -> Life:
    """An event whose first round is played, and people with tokens."""
    for name in ("ann", "joe", "kim"):
        account(name, database)
    life = Life(database, _numbers=numbers).announce()
    life.enter(*(f"p{n}" for n in range(PLAYERS)))
    life.do(staff.GRANT, staff.Grant(account="joe", role=Role.JUDGE))
    life.do(events.CLOSE)
    life.start()
    return life


def stored(life: Life) -> list[object]:
    with life.database.reading() as session:
        tables = [store.rows_of(session, table, life.event) for table in PROJECTION]
        return [*tables, [row.model_dump() for row in store.read_log(session, life.event)]]


def report(number: int, table: int, games: results.Games = WON, *, reason: str = "") -> results.Report:
    return results.Report(round=number, table=table, games=games, reason=reason)


def crowd(chance: random.Random, keys: Iterator[int], number: int, life: Life) -> list[Given]:
    """What comes at once: most of it reports, and among them what changes who may what, and at which tables."""

    version, seats = life.look().version, life.of(store.seats_of, number)

    def player(entry: int | None = None) -> str:
        return accounts.entry_token(
            CODES, life.event, entry or chance.randint(1, PLAYERS + 1), chance.choice((1, 1, 2))
        )

    def table() -> int:
        return chance.randint(1, PLAYERS // 2 + 1)

    def judge() -> str:
        return chance.choice(("dp_ann", "dp_joe", "dp_joe", "dp_joe", "dp_kim", "dp_nobody", player()))

    def key() -> str:
        return f"key {next(keys)}"

    def given(kind: Kind[Any, Any], arguments: Arguments, shows: str) -> Given:
        looked = chance.choice((*[None] * 12, version, version - 1, version + chance.randint(1, 9)))
        return Given(kind, arguments, shows, key(), looked)

    def claim() -> Given:
        seat = chance.choice([seat for seat in seats if seat.table_number is not None])
        mine = claims.MakeClaim(round=number, table=seat.table_number, mine=2)
        return given(claims.MAKE, mine, player(chance.choice(seat.players)))

    makers: list[tuple[int, Callable[[], Given]]] = [
        (20, lambda: given(results.REPORT, report(number, table(), chance.choice((WON, LOST, NOT_SO))), judge())),
        (4, lambda: given(results.CORRECT, report(number, table(), chance.choice((WON, LOST)), reason="x"), judge())),
        (2, lambda: given(staff.GRANT, staff.Grant(account="kim", role=Role.JUDGE), "dp_ann")),
        (2, lambda: given(staff.REVOKE, staff.Grant(account="joe", role=Role.JUDGE), "dp_ann")),
        (2, lambda: given(staff.GRANT, staff.Grant(account="joe", role=Role.JUDGE), "dp_ann")),
        (1, lambda: given(registrations.RECODE, entries.Leave(entry=chance.randint(1, PLAYERS)), "dp_ann")),
        (8, claim),
        (1, lambda: given(entries.DROP, entries.Leave(entry=chance.randint(1, PLAYERS)), "dp_ann")),
        (1, lambda: given(rounds.CLOSE, rounds.CLOSE.arguments(), "dp_ann")),
        (1, lambda: given(rounds.REOPEN, rounds.REOPEN.arguments(), "dp_ann")),
    ]
    weights, kinds = [weight for weight, _ in makers], [make for _, make in makers]
    made: list[Given] = []
    for make in chance.choices(kinds, weights, k=chance.randint(2, 40)):
        again = bool(made) and chance.random() < 0.15
        one = make()
        if again:
            before = chance.choice(made)
            one = chance.choice((before, replace(one, key=before.key)))
        made.append(one)
    return made


@pytest.mark.parametrize("seed", range(2))
def test_a_crowd_at_once_has_the_answers_the_log_and_the_tables_of_one_after_another(
    seed: int, database: Database, embedded: Database
) -> None:
    lives = [begun(one, count()) for one in (database, embedded)]
    chance, keys, answers = random.Random(f"groups {seed}"), count(), set[str]()
    assert stored(lives[0]) == stored(lives[1])
    for number in range(1, ROUNDS_PLAYED + 1):
        for _ in range(3):
            given = crowd(chance, keys, number, lives[0])
            at_the_same_time, in_turn = together(lives[0], given), one_by_one(lives[1], given)
            assert at_the_same_time == in_turn
            answers |= {str(one).partition(":")[0] for one in in_turn}
        assert stored(lives[0]) == stored(lives[1])
        for life in lives:
            finish(life, number)
    assert lives[0].differences() == []
    assert {"SignInNeeded", "NotYours", "StaleEvent"} <= answers


def finish(life: Life, number: int) -> None:
    """Give the tables that still play a result, and begin the next round."""
    with life.database.reading() as session:
        playing = store.tables_playing(session, life.event, number)
    for table in playing:
        life.do(results.REPORT, report(number, table))
    life.start()


@pytest.fixture
def said(database: Database) -> Iterator[list[str]]:
    """What the database is asked."""
    statements: list[str] = []

    def note(_: Any, __: Any, statement: str, *___: Any) -> None:
        statements.append(" ".join(statement.split()[:2]))

    hooks.listen(database.engine, "before_cursor_execute", note)
    yield statements
    hooks.remove(database.engine, "before_cursor_execute", note)


def test_a_group_asks_once_what_its_commands_ask_and_writes_once_what_they_write(
    database: Database, said: list[str]
) -> None:
    life = begun(database, count())
    for_each: list[int] = []
    for some in ((1, 2), range(3, PLAYERS // 2 + 1)):
        given = [Given(results.REPORT, report(1, table), "dp_joe", f"key {table}") for table in some]
        said.clear()
        answers = together(life, given)
        assert len({one[0] for one in answers if isinstance(one, tuple)}) == len(given)
        asked = [one for one in said if not one.startswith("BEGIN")]
        assert [one.split()[0] for one in asked] == [*["SELECT"] * 5, "INSERT", "UPDATE", "UPDATE"]
        for_each.append(len(asked))
    assert for_each == [8, 8]
    assert life.differences() == []


def test_players_and_browsers_are_looked_up_together_too(database: Database, said: list[str]) -> None:
    life = begun(database, count())
    with database.writing() as session:
        for number in range(3):
            session.add(browser(number))
    shows = [accounts.entry_token(CODES, life.event, entry, 1) for entry in (1, 2, 3)]
    shows += [f"{accounts.BROWSER_MARK}{number}" for number in range(3)]
    askers = [
        accounts.Asker(accounts.Shown(text, text_of(NOON)), CODES, life.event)
        for text in (*shows, "dpb_x", "dpe_x_1_y")
    ]
    said.clear()
    with database.writing() as session:
        store.share(session)
        accounts.Asker.foresee(session, askers)
        asked = len(said)
        assert [who(session) for who in askers[:-2]] == ["entry:1", "entry:2", "entry:3", "ann", "ann", "ann"]
        for nobody in askers[-2:]:
            with pytest.raises(SignInNeeded):
                nobody(session)
    assert len(said) == asked


def browser(number: int) -> Any:
    digest = accounts.digest_of(f"{accounts.BROWSER_MARK}{number}")
    now = text_of(NOON)
    return BrowserRow(digest=digest, account="ann", about="", created_at=now, seen_at=now, expires_at="2027")


@pytest.mark.parametrize("error", [ValueError("a bug"), NotReported(1, 1)])
def test_what_goes_wrong_while_one_is_carried_out_undoes_nothing_of_the_others(
    database: Database, error: Exception
) -> None:
    def breaks(session: Session, event: Any, row: LogRow, fact: results.Reported) -> None:
        results.REPORT.apply(session, event, row, fact)
        raise error

    life = begun(database, count())
    given = [Given(results.REPORT, report(1, table), "dp_joe", f"key {table}") for table in range(1, 6)]
    given[2] = replace(given[2], kind=replace(results.REPORT, apply=breaks))
    jobs = [Command(one.kind, one.ask(life), one.arguments) for one in given]
    before = life.look().version
    answers = at_once(database, life.event, jobs)
    assert answers.pop(2) is error
    assert [one.version for one in answers] == [before + 1, before + 2, before + 3, before + 4]
    assert life.of(store.tables_playing, 1) == [3, *range(6, PLAYERS // 2 + 1)]
    assert life.differences() == []


def test_whoever_writes_before_being_refused_leaves_nothing_behind(database: Database) -> None:
    life = begun(database, count())

    def newcomer(session: Session) -> str:
        made.append(session)
        store.save_account(session, AccountRow(name="new", password="-", created_at="-"))
        return "new"

    made: list[Session] = []
    given = [Given(results.REPORT, report(1, table), "dp_joe", f"key {table}") for table in (1, 2)]
    jobs = [Command(one.kind, one.ask(life), one.arguments) for one in given]
    jobs[1:1] = [Command(results.REPORT, replace(life.ask(), who=newcomer), report(1, 3))]
    first, refused, last = at_once(database, life.event, jobs)
    assert (isinstance(refused, NotYours), first.version + 1) == (True, last.version)
    assert len(made) == 2, "once in the group, and once alone"
    with database.reading() as session:
        assert store.find_account(session, "new") is None


def test_a_browser_of_a_player_is_looked_up_once(database: Database, said: list[str]) -> None:
    life = begun(database, count())
    shown = accounts.Shown(f"{accounts.PLAYER_MARK}x", text_of(NOON))
    job = Command(results.REPORT, replace(life.ask(), who=accounts.bearer(shown, CODES, life.event)), report(1, 1))
    said.clear()
    with pytest.raises(SignInNeeded):
        database.together(life.event, job)
    assert sum("player_browser" in one for one in said) == 1


def test_strangers_lock_no_event(database: Database, said: list[str]) -> None:
    life = begun(database, count())
    given = [Given(results.REPORT, report(1, 1), f"dp_{name}", name) for name in ("x", "y", "z")]
    said.clear()
    assert {str(one).partition(":")[0] for one in together(life, given)} == {"SignInNeeded"}
    assert [one for one in said if one.startswith("SELECT")] == ["SELECT token.account,"]


def test_what_is_asked_sees_what_was_kept_back_and_what_is_written_is_not_remembered_otherwise(
    database: Database,
) -> None:
    life = begun(database, count())
    with database.writing() as session:
        store.share(session)
        event = store.lock_event(session, life.event)
        assert event is not None
        [before] = store.look_at_tables(session, life.event, 1, [1])
        results.put(session, life.event, 1, {1: WON}, 7)
        [after] = store.look_at_tables(session, life.event, 1, [1])
        assert (before.ending, after.ending, after.reported) == (None, "played", 7)
        assert store.find_table(session, life.event, 1, 1).reported == 7  # type: ignore[union-attr]
        assert is_known(session, Known.SEATS, (life.event, 1, 1))
        store.mark_stood(session, life.event, 1, [1])
        assert not is_known(session, Known.SEATS, (life.event, 1, 1))
        assert [seat.stood for seat in store.look_at_tables(session, life.event, 1, [1])] == [True]
        assert store.roles_of(session, life.event, "kim") == frozenset()
        store.delete_staff(session, life.event, "joe", Role.JUDGE)
        assert not is_known(session, Known.ROLES, (life.event, "kim"))
