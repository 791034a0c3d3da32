"""Anvil under pytest-xprocess, for the fixtures: one for each pytest process, and none left behind.

pytest-xprocess is made to keep processes between runs. Here each run has its own, under a name that no other run has
(two runs, or the workers of pytest-xdist, would share one chain), and it ends with the run: the fixture ends it at the
end of the session, also of one that is interrupted, and the leash (`collection.leash`) when pytest is killed.
"""

import os
import re
import secrets
import shutil
import subprocess
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

import pytest

from collection.anvil import GRACE, START_DEADLINE, Anvil, AnvilSettings, await_anvil, find_anvil, leashed
from collection.errors import AnvilError, AnvilNotFound

if TYPE_CHECKING:
    from xprocess import XProcess  # type: ignore[import-untyped]

_PREFIX: Final = "deckproof-anvil"
_OURS: Final = re.compile(rf"{_PREFIX}-([1-9][0-9]{{0,8}})-[0-9a-f]{{8}}", re.ASCII)
"""Name of a run's folder, with the number of its process; what is called otherwise is somebody else's."""
_KEPT: Final = 10_000
"""Characters of Anvil's output in an error message."""


@contextmanager
def supervised_anvil(request: pytest.FixtureRequest, settings: AnvilSettings) -> Iterator[Anvil]:
    """Anvil for this pytest process. Where there is none, tests that need it fail in CI, and are skipped elsewhere."""
    try:
        program = find_anvil(environ=os.environ, start=request.config.rootpath)
    except AnvilNotFound as error:
        if os.environ.get("CI", "").lower() in ("", "0", "false"):
            pytest.skip(str(error))
        pytest.fail(str(error), pytrace=False)
    except AnvilError as error:
        pytest.fail(str(error), pytrace=False)
    xprocess = _xprocess(request)
    _forget_dead_runs(Path(xprocess.rootdir))
    name = f"{_PREFIX}-{os.getpid()}-{secrets.token_hex(4)}"
    try:
        anvil = _started(xprocess, name, program, settings)
        yield anvil
        anvil.endpoint.close()
    finally:
        _end(xprocess, name)


def _xprocess(request: pytest.FixtureRequest) -> "XProcess":
    if not hasattr(request.config, "cache"):
        pytest.fail("pytest-xprocess keeps logs in pytest's cache: run without `-p no:cacheprovider`", pytrace=False)
    try:
        xprocess: XProcess = request.getfixturevalue("xprocess")
    except pytest.FixtureLookupError:
        pytest.fail("the fixture needs pytest-xprocess: pip install 'deckproof[pytest]'", pytrace=False)
    return xprocess


def _started(xprocess: "XProcess", name: str, program: Path, settings: AnvilSettings) -> Anvil:
    from xprocess import ProcessStarter  # noqa: PLC0415 - may be missing

    found: list[Anvil] = []

    class Starter(ProcessStarter):  # type: ignore[misc]
        args = leashed(program, settings)
        popen_kwargs = {"stdin": subprocess.PIPE}  # noqa: RUF012 - as its base class has it
        timeout = START_DEADLINE
        # No `terminate_on_interrupt`: fixtures still put the chain back after Ctrl-C, and it would be gone by then.
        # No `pattern`: it gives up after `max_read_lines` (Anvil's banner has more than the usual 50), and does not
        # notice when the program has ended.

        def startup_check(self) -> bool:
            running = _Logged(xprocess.resources[-1].popen, Path(self.control_dir) / "xprocess.log")
            found.append(await_anvil(running, program, settings))
            return True

    try:
        xprocess.ensure(name, Starter, persist_logs=False)
    except AnvilError as error:
        pytest.fail(str(error), pytrace=False)
    return found[0]


class _Logged:
    """A program that prints to a file."""

    def __init__(self, popen: "subprocess.Popen[Any]", log: Path) -> None:
        self._popen, self._log = popen, log

    def printed(self) -> str:
        return self._log.read_text(encoding="utf-8", errors="replace")[-_KEPT:]

    def ended(self) -> bool:
        return self._popen.poll() is not None


def _end(xprocess: "XProcess", name: str) -> None:
    """Let go of the leash, and wait until Anvil is gone; its log goes too."""
    for resource in xprocess.resources:
        info, _ = resource.info or (None, None)
        if info is not None and info.name == name:
            resource.popen.stdin.close()
            try:
                resource.popen.wait(2 * GRACE)
            except subprocess.TimeoutExpired:
                info.terminate()
            shutil.rmtree(Path(info.controldir), ignore_errors=True)


def _forget_dead_runs(root: Path) -> None:
    """Remove the logs of runs that were killed, so that no number of theirs is taken for a living process."""
    for folder in root.glob(f"{_PREFIX}-*"):
        ours = _OURS.fullmatch(folder.name)
        if ours and not _lives(int(ours[1])):
            shutil.rmtree(folder, ignore_errors=True)


def _lives(pid: int) -> bool:
    try:
        os.kill(pid, 0)
    except ProcessLookupError:
        return False
    except PermissionError:
        return True
    return True
