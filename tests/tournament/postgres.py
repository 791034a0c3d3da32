"""A real PostgreSQL of the tests' own: a new cluster in a folder, on a free port, ended with them."""

import os
import shutil
import socket
import subprocess
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

import pytest

PLACES = ("/usr/lib/postgresql/*/bin", "/usr/local/pgsql/bin", "/opt/homebrew/opt/postgresql*/bin")
START_WITHIN = 30


def find_programs() -> Path | None:
    """The folder with initdb and pg_ctl."""
    if found := shutil.which("initdb"):
        return Path(found).resolve().parent
    folders = sorted(folder for place in PLACES for folder in Path("/").glob(place[1:]))
    return next((folder for folder in reversed(folders) if (folder / "initdb").exists()), None)


def programs_here() -> Path:
    """The same for a test, which is skipped without them; in CI it fails."""
    programs = find_programs()
    if programs is not None:
        return programs
    if os.environ.get("CI"):
        pytest.fail("there is no PostgreSQL here, and in CI there has to be")
    pytest.skip("there is no PostgreSQL here (initdb)")


def free_port() -> int:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return int(probe.getsockname()[1])


@dataclass(frozen=True)
class Cluster:
    """A PostgreSQL that can be stopped, and started again on the same port."""

    programs: Path
    folder: Path
    port: int
    synced: bool = False

    @property
    def url(self) -> str:
        """Of its first database."""
        return f"postgresql://deckproof@127.0.0.1:{self.port}/postgres"

    def start(self) -> None:
        fsync = "on" if self.synced else "off"
        own = f"-c fsync={fsync} -c max_connections=200"
        options = f"-p {self.port} -k {self.folder} -c listen_addresses=127.0.0.1 {own}"
        self._control("-t", START_WITHIN, "-l", self.folder / "log", "-o", options, "start")

    def stop(self, mode: str = "immediate") -> None:
        self._control("-m", mode, "stop")

    def _control(self, *words: object) -> None:
        _run(self.programs, "pg_ctl", "-D", self.folder / "cluster", "-w", *words)


@contextmanager
def started_postgres(programs: Path, *, synced: bool = False) -> Iterator[str]:
    """Gives the URL of its first database. `synced`: a commit waits for the disk, as it does where it matters."""
    with started_cluster(programs, synced=synced) as cluster:
        yield cluster.url


@contextmanager
def started_cluster(programs: Path, *, synced: bool = False) -> Iterator[Cluster]:
    # Not in pytest's folder: that is for root alone, and PostgreSQL does not run as root.
    with tempfile.TemporaryDirectory(prefix="deckproof-postgres-") as name:
        folder = Path(name)
        if os.getuid() == 0:
            shutil.chown(folder, "postgres")
        made = ("-A", "trust", "-U", "deckproof", "-E", "UTF8", "--locale=C", "--no-sync")
        _run(programs, "initdb", "-D", folder / "cluster", *made)
        cluster = Cluster(programs, folder, free_port(), synced=synced)
        cluster.start()
        try:
            yield cluster
        finally:
            cluster.stop()


def _run(programs: Path, program: str, *words: object) -> None:
    command = [str(programs / program), *map(str, words)]
    user = {"user": "postgres", "group": "postgres", "extra_groups": []} if os.getuid() == 0 else {}
    # DEVNULL, not a pipe: the server inherits it and would keep a pipe open
    done = subprocess.run(
        command,
        cwd="/",
        stdin=subprocess.DEVNULL,
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
        check=False,
        **user,
    )  # type: ignore[call-overload]
    if done.returncode:
        raise RuntimeError(f"{' '.join(command)} ended with {done.returncode}")
