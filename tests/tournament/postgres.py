"""A real PostgreSQL of the tests' own: a new cluster in a folder, on a free port, ended with them."""

import os
import shutil
import socket
import subprocess
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

PLACES = ("/usr/lib/postgresql/*/bin", "/usr/local/pgsql/bin", "/opt/homebrew/opt/postgresql*/bin")
START_WITHIN = 30


def find_programs() -> Path | None:
    """The folder with initdb and pg_ctl."""
    if found := shutil.which("initdb"):
        return Path(found).resolve().parent
    folders = sorted(folder for place in PLACES for folder in Path("/").glob(place[1:]))
    return next((folder for folder in reversed(folders) if (folder / "initdb").exists()), None)


def free_port() -> int:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return int(probe.getsockname()[1])


@contextmanager
def started_postgres(programs: Path, *, synced: bool = False) -> Iterator[str]:
    """Gives the URL of its first database. `synced`: a commit waits for the disk, as it does where it matters."""
    # Not in pytest's folder: that is for root alone, and PostgreSQL does not run as root.
    with tempfile.TemporaryDirectory(prefix="deckproof-postgres-") as folder:
        yield from _started(programs, Path(folder), synced=synced)


def _started(programs: Path, folder: Path, *, synced: bool) -> Iterator[str]:
    cluster, port = folder / "cluster", free_port()
    if os.getuid() == 0:
        shutil.chown(folder, "postgres")
    _run(programs, "initdb", "-D", cluster, "-A", "trust", "-U", "deckproof", "-E", "UTF8", "--locale=C", "--no-sync")
    fsync = "on" if synced else "off"
    options = f"-p {port} -k {folder} -c listen_addresses=127.0.0.1 -c fsync={fsync} -c max_connections=200"
    _run(programs, "pg_ctl", "-D", cluster, "-w", "-t", START_WITHIN, "-l", folder / "log", "-o", options, "start")
    try:
        yield f"postgresql://deckproof@127.0.0.1:{port}/postgres"
    finally:
        _run(programs, "pg_ctl", "-D", cluster, "-m", "immediate", "-w", "stop")


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
