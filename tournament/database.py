"""Open the database: an SQLite file in the data folder, or the PostgreSQL that the settings name.

SQLite keeps a write-ahead log and syncs it at every commit, so an acknowledged command survives the loss of the process
and of power. Its writers begin with BEGIN IMMEDIATE: a deferred one that wants to write after reading may find that
somebody else did, and loses. Inside one process writers queue for a lock of ours; SQLite's own waiting is polling, and
unfair.

A transaction begins with the first statement and ends in the thread that began it, never on the event loop.
"""

from collections.abc import Callable, Iterator
from contextlib import contextmanager, nullcontext
from dataclasses import dataclass, field
from functools import cache
from pathlib import Path
from threading import Condition, Lock
from typing import Any, Final, TypeVar
from weakref import WeakValueDictionary

from alembic import command
from alembic.config import Config
from alembic.runtime.migration import MigrationContext
from alembic.script import ScriptDirectory
from sqlalchemy import URL, Connection, Engine, create_engine, event, make_url, text
from sqlalchemy.exc import ArgumentError, DBAPIError, InterfaceError, OperationalError
from sqlalchemy.exc import TimeoutError as NoConnectionFree
from sqlmodel import Session

from tournament.errors import DatabaseUnavailable, DriverMissing, SchemaMismatch
from tournament.settings import Settings, SettingsUnreadable
from tournament.together import FIRST, Queue

FILE: Final = "deckproof.db"
SCRIPTS: Final = "tournament:migrations"
"""Where the steps from one shape to the next are."""
POOL: Final = 64
"""More than there are threads to use them, so that no thread ever waits for a connection."""
BUSY_MS: Final = 5000
"""How long a writer waits for one of another process."""
TURN_S: Final = 10
"""How long a writer waits for others of this process."""
_UPGRADE_LOCK: Final = 0x6465636B
"""Any number that only we lock."""
WAIT_S: Final = 5
"""How long to wait for PostgreSQL to accept a connection."""

T = TypeVar("T")


@dataclass
class Bell:
    """Rung when a command is committed, for the one thread that waits for it. To ring costs nothing and never fails."""

    _here: set[str] = field(default_factory=set)
    _elsewhere: set[str] = field(default_factory=set)
    _turn: Condition = field(default_factory=Condition)
    _has_waiter: bool = False

    def ring(self, event: str, *, here: bool = True) -> None:
        """An event changed.

        Args:
            event: which; empty for any.
            here: whether a command of this process did it.
        """
        if self._has_waiter:
            with self._turn:
                (self._here if here else self._elsewhere).add(event)
                self._turn.notify()

    def wait(self, seconds: float) -> tuple[set[str], set[str]]:
        """Events that changed since the last time, by this process and elsewhere; waits for one, but no longer."""
        self._has_waiter = True
        with self._turn:
            if not (self._here or self._elsewhere):
                self._turn.wait(seconds)
            here, self._here = self._here, set()
            elsewhere, self._elsewhere = self._elsewhere, set()
        return here, elsewhere


@dataclass(frozen=True)
class Database:
    """Where the rows are."""

    engine: Engine
    _turn: Lock = field(default_factory=Lock)
    bell: Bell = field(default_factory=Bell)
    """Rung after each commit of a command."""
    _queues: WeakValueDictionary[str, Queue] = field(default_factory=WeakValueDictionary)
    """Those who write to the same event; to any event, where there is one writer at a time."""
    _queues_lock: Lock = field(default_factory=Lock)

    @property
    def is_embedded(self) -> bool:
        """SQLite, in one file."""
        return self.engine.dialect.name == "sqlite"

    @contextmanager
    def writing(self) -> Iterator[Session]:
        """One transaction that may write: committed at the end, rolled back if anything is raised.

        Raises:
            DatabaseUnavailable: gone, full or locked; nothing was written.
        """
        with (
            _translated(),
            self._in_turn() if self.is_embedded else nullcontext(),
            Session(self.engine.execution_options(writes=True), autoflush=False, expire_on_commit=False) as session,
            session.begin(),
        ):
            yield session

    @contextmanager
    def _in_turn(self) -> Iterator[None]:
        """One writer of this process at a time; who waits behind one that waits for another process gives up too."""
        if not self._turn.acquire(timeout=TURN_S):
            raise DatabaseUnavailable(f"other writers were busy for {TURN_S} s")
        try:
            yield
        finally:
            self._turn.release()

    def together(self, event: str, job: Callable[[Session], T]) -> T:
        """Do a job of an event in a transaction that it may share with others; committed when this returns.

        Args:
            event: whose rows the job writes.
            job: as `together.Queue.do` wants it.

        Raises:
            TournamentError: what the job raised.
            DatabaseUnavailable: gone, full or locked; nothing was written.
        """
        return self._queue(event).do(job)

    async def together_soon(self, event: str, job: Callable[[Session], T]) -> T:
        """The same, waiting on the event loop; the job is done in a thread."""
        return await self._queue(event).soon(job)

    def _queue(self, event: str) -> Queue:
        name = "" if self.is_embedded else event
        with self._queues_lock:
            queue = self._queues.get(name)
            if queue is None:
                self._queues[name] = queue = Queue(self.writing)
        return queue

    def reading(self) -> Session:
        """A session that sees the database as it was at its first question, and changes nothing. To be closed."""
        return Session(_reader(self.engine), autoflush=False, expire_on_commit=False)

    @contextmanager
    def looking(self) -> Iterator[Connection]:
        """A connection for a single question, which costs less than a session does.

        Raises:
            DatabaseUnavailable: gone or locked.
        """
        with _translated(), self.engine.connect() as connection:
            yield connection.execution_options(alone=True)

    def upgrade(self, to: str = "head", *, scripts: str = SCRIPTS) -> None:
        """Bring the database to the shape of this program, or to an older one; a newer one is refused.

        SQLite changes a table by making it anew, while others hang on it. So its keys are checked at the end instead.

        Args:
            to: the last step to be made.
            scripts: where the steps are.

        Raises:
            SchemaMismatch: the database was made by a newer program.
            DatabaseUnavailable: gone, full or locked.
        """
        with _translated(), self.engine.execution_options(writes=True).connect() as connection:
            keys = None if not self.is_embedded else _pragma(connection, "foreign_keys")
            if keys:
                _pragma(connection, "foreign_keys=OFF")
            try:
                with connection.begin():
                    bring_up(connection, to, scripts=scripts)
                    if keys and (broken := connection.exec_driver_sql("PRAGMA foreign_key_check").all()):
                        raise AssertionError(broken)
            finally:
                if keys:
                    _pragma(connection, "foreign_keys=ON")

    def scrub(self) -> None:
        """Keep nothing of what was erased in the write-ahead log of SQLite, unless somebody is reading just now.

        Raises:
            DatabaseUnavailable: gone, full or locked.
        """
        if self.is_embedded:
            with _translated(), self.engine.connect() as connection:
                _pragma(connection, "wal_checkpoint(TRUNCATE)")

    def check_shape(self) -> str:
        """Refuse a database that this program does not fit; gives the shape.

        Raises:
            SchemaMismatch: older, newer or empty.
            DatabaseUnavailable: gone or locked.
        """
        found = self.shape()
        if found != newest():
            raise SchemaMismatch(found or "nothing", newest())
        return found

    def shape(self) -> str | None:
        """The last migration that the database had; None for an empty one.

        Raises:
            DatabaseUnavailable: gone or locked.
        """
        with _translated(), self.engine.connect() as connection:
            return _shape(connection)

    def close(self) -> None:
        """Give back every connection."""
        self.engine.dispose()


def open_database(settings: Settings) -> Database:
    """The database that the settings name. A data folder that is not there is made; nothing connects yet."""
    if settings.database_url is not None:
        return open_url(settings.database_url.get_secret_value())
    settings.data.mkdir(parents=True, exist_ok=True)
    return open_file(settings.data / FILE)


def open_file(path: Path) -> Database:
    """An SQLite file."""
    return open_url(f"sqlite:///{path}")


def open_copy(path: Path) -> Database:
    """An SQLite file that nobody else has open, such as a backup; it stays one file."""
    engine = create_engine(URL.create("sqlite", database=str(path)))
    _set_up_sqlite(engine, journal="DELETE", foreign_keys=False)
    return Database(engine)


def open_memory() -> Database:
    """An empty database in memory, with every table, for the time of one question."""
    from sqlalchemy.pool import StaticPool  # noqa: PLC0415 - only here

    engine = create_engine("sqlite://", poolclass=StaticPool, connect_args={"check_same_thread": False})
    _set_up_sqlite(engine, journal="MEMORY", foreign_keys=False)
    return Database(engine)


def open_url(written: str) -> Database:
    """The database of a URL. `postgresql://` and `postgres://` mean psycopg 3.

    Raises:
        SettingsUnreadable: not a database's URL; it is not repeated, since a password may be in it.
        DriverMissing: a package is not installed.
    """
    try:
        return Database(_engine(make_url(written)))
    except (ArgumentError, ValueError) as error:
        like = "postgresql://user:password@host/name"
        raise SettingsUnreadable((f"database_url is not the URL of a database; one is like {like}",)) from error
    except ModuleNotFoundError as error:
        raise DriverMissing(error.name or "a driver") from error


def _engine(url: URL) -> Engine:
    if url.drivername in {"postgresql", "postgres"}:
        url = url.set(drivername="postgresql+psycopg")
    if url.get_backend_name() == "sqlite":
        engine = create_engine(url, pool_size=POOL, max_overflow=0, connect_args={"timeout": BUSY_MS / 1000})
        _set_up_sqlite(engine, journal="WAL", foreign_keys=True)
        return _heeding(engine)
    engine = create_engine(
        url,
        pool_size=POOL,
        max_overflow=0,
        pool_timeout=WAIT_S,
        connect_args={"connect_timeout": WAIT_S, "application_name": "deckproof"},
    )
    return _heeding(engine)


def _heeding(engine: Engine) -> Engine:
    """Each statement is told first to whoever wants to know."""

    @event.listens_for(engine, "before_execute")
    def _before(connection: Connection, statement: object, *_: object) -> None:
        heed = connection.get_execution_options().get(FIRST)
        if heed is not None:
            heed(connection, statement)

    return engine


def _reader(engine: Engine) -> Engine:
    """One snapshot for several questions. SQLite's readers have that anyway."""
    if engine.dialect.name == "sqlite":
        return engine
    return engine.execution_options(isolation_level="REPEATABLE READ", postgresql_readonly=True)


def _set_up_sqlite(engine: Engine, *, journal: str, foreign_keys: bool) -> None:
    @event.listens_for(engine, "connect")
    def _connect(connection: Any, _record: object) -> None:  # noqa: ANN401 - the driver's
        connection.isolation_level = None  # we say BEGIN ourselves
        for pragma in (
            f"journal_mode={journal}",
            "synchronous=FULL",
            "secure_delete=ON",  # what is erased is overwritten
            f"busy_timeout={BUSY_MS}",
            f"foreign_keys={'ON' if foreign_keys else 'OFF'}",
        ):
            connection.execute(f"PRAGMA {pragma}")

    @event.listens_for(engine, "begin")
    def _begin(connection: Connection) -> None:
        options = connection.get_execution_options()
        if not options.get("alone"):
            connection.exec_driver_sql("BEGIN IMMEDIATE" if options.get("writes") else "BEGIN")


@contextmanager
def _translated() -> Iterator[None]:
    """What the database's drivers raise when it cannot answer, in our words. A bug stays what it is."""
    try:
        yield
    except (OperationalError, InterfaceError, NoConnectionFree) as error:
        raise unavailable(error) from error


def unavailable(error: Exception) -> DatabaseUnavailable:
    """The refusal for a database that does not answer."""
    said = str(error.orig if isinstance(error, DBAPIError) else error)
    return DatabaseUnavailable(said.strip().split("\n")[0])


UNAVAILABLE: Final = (OperationalError, InterfaceError, NoConnectionFree)
"""What `unavailable` translates, for the edge where a session was handed out."""


# --- the shape --------------------------------------------------------------------------------------------------------


def _pragma(connection: Connection, words: str) -> Any:  # noqa: ANN401 - the driver's
    """Ask or tell SQLite something outside of every transaction; the answer."""
    answer = connection.connection.cursor().execute(f"PRAGMA {words}").fetchone()
    return answer and answer[0]


def _alembic(scripts: str = SCRIPTS) -> Config:
    config = Config()
    config.set_main_option("script_location", scripts)
    config.set_main_option("path_separator", "os")
    return config


def bring_up(connection: Connection, to: str = "head", *, scripts: str = SCRIPTS) -> None:
    """Make the steps that are missing, in a transaction that writes. Raises: SchemaMismatch."""
    if connection.dialect.name != "sqlite":  # several processes may start at once
        connection.execute(text("SELECT pg_advisory_xact_lock(:key)"), {"key": _UPGRADE_LOCK})
    config = _alembic(scripts)
    found = _shape(connection)
    known = {script.revision for script in ScriptDirectory.from_config(config).walk_revisions()}
    if found is not None and found not in known:
        raise SchemaMismatch(found, newest())
    config.attributes["connection"] = connection
    command.upgrade(config, to)


@cache
def newest() -> str:
    """The shape of this program: its last migration."""
    return ScriptDirectory.from_config(_alembic()).get_current_head() or "nothing"


def _shape(connection: Connection) -> str | None:
    return MigrationContext.configure(connection).get_current_revision()
